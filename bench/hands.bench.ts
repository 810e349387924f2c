/**
 * What makes an agent's hands sure, in Chromium: the composer has the focus as soon as a conversation is there, and what
 * was done can be taken back as soon as it is seen to be done. The replica is as full as one gets.
 */
import type { Page } from '@playwright/test'
import { type Bench, type Measure, often, spread } from './measure.ts'
import { addCompany, type Company, enter, openBrowser, openPage, type Stage, startStage, synced } from './stage.ts'

const veteran = { tickets: 1_000, messages: 49_900 }
/** A frame at 60 Hz, ms; a tenth for the clock. */
const frame = 16.8

const bench: Bench = {
  name: 'Hands',
  async run(say) {
    const stage = await startStage({}, { fast: true })
    const browser = await openBrowser()
    try {
      const measures: Measure[] = []
      const done = (measure: Measure) => {
        measures.push(measure)
        say(`${measure.name}: ${JSON.stringify(measure.values)} ${measure.unit}`)
      }
      const company = await addCompany(stage, veteran)
      const page = await openPage(browser)
      await page.addInitScript(() => {
        addEventListener('focusin', ({ target }) => {
          if (target instanceof HTMLTextAreaElement) window.composerAt = performance.timeOrigin + performance.now()
        })
      })
      await enter(page, stage, company.admin.email)
      await synced(page)
      done(await focus(stage, page, company))
      done(await undo(page))
      return measures
    } finally {
      await browser.close()
      await stage.stop()
    }
  },
}
export default bench

declare global {
  interface Window {
    /** When a text field last got the focus, wall clock, ms. */
    composerAt?: number
  }
}

/** The conversations in the order of the list, each opened by its address's row; the newest message is what is waited for. */
async function focus(stage: Stage, page: Page, company: Company): Promise<Measure> {
  const newest = await stage.sql<{ ticketId: number; id: string }[]>`
    SELECT DISTINCT ON ("ticketId") "ticketId", id FROM messages WHERE "companyId" = ${company.id} ORDER BY "ticketId", "createdAt" DESC, id DESC`
  const idOf = new Map(newest.map(({ ticketId, id }) => [ticketId, id]))
  const samples: number[] = []
  const seen = new Set<number>()
  for (let run = -3; run < often(60); run++) {
    const ids = await page
      .locator('[data-item]')
      .evaluateAll((items) => items.map((item) => Number((item as HTMLElement).dataset['item'])))
    const next = ids.find((id) => !seen.has(id) && idOf.has(id))
    if (next === undefined) throw new Error('no other conversation in sight')
    seen.add(next)
    const item = page.locator(`[data-item="${next}"]`)
    await item.scrollIntoViewIfNeeded()
    const shown = page.evaluate(
      (id) => window.painted(() => document.querySelector(`[data-message="${id}"]`) !== null),
      idOf.get(next)!,
    )
    await page.evaluate(() => delete window.composerAt)
    await item.click()
    const shownAt = await shown
    const composerAt = await (
      await page.waitForFunction(() => window.composerAt, undefined, { timeout: 5_000 })
    ).jsonValue()
    // Before the conversation is painted is at once.
    if (run >= 0) samples.push(Math.max(0, composerAt! - shownAt))
    await Bun.sleep(150)
  }
  const values = spread(samples)
  return {
    name: 'Conversation painted → the composer has the focus',
    target: 'p95 ≤ one frame (16.7 ms)',
    values,
    unit: 'ms',
    runs: samples.length,
    ok: values.p95 <= frame,
  }
}

/**
 * The conversation that is shown is resolved by its button and taken back, again and again. The row of the list goes and
 * the offer comes; both are seen from the frame that first shows them.
 */
async function undo(page: Page): Promise<Measure> {
  const samples: number[] = []
  const clicks: number[] = []
  const shown = (name: 'offer' | 'closed') =>
    page.evaluate(
      (what) =>
        window.painted(() =>
          what === 'offer'
            ? document.querySelector('[data-undo]') !== null
            : document.querySelector('[data-conversation]') === null,
        ),
      name,
    )
  for (let run = -2; run < often(30); run++) {
    const both = Promise.all([shown('offer'), shown('closed')])
    await page.locator('header').getByRole('button', { name: 'Resolver', exact: true }).click()
    const [offerAt, closedAt] = await both
    const clickAt = await page.evaluate(() => window.eventAt.click)
    if (run >= 0) {
      samples.push(Math.max(0, offerAt - closedAt))
      clicks.push(offerAt - clickAt)
    }
    await page.locator('[data-undo]').getByRole('button').first().click()
    await page.locator('[data-undo]').waitFor({ state: 'detached' })
    await page.locator('header').getByRole('button', { name: 'Resolver', exact: true }).waitFor()
    await Bun.sleep(300)
  }
  const values = spread(samples)
  return {
    name: 'Resolved conversation gone → the offer to take it back is painted',
    target: 'p95 ≤ one frame (16.7 ms)',
    values: { ...values, 'from the click p50': Math.round(spread(clicks).p50) },
    unit: 'ms',
    runs: samples.length,
    ok: values.p95 <= frame,
  }
}

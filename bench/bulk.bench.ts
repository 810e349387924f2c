/**
 * Two hundred tickets at once: all of a list chosen, accepted and taken back, until it is painted in Chromium; and what the
 * server needs for one such call. The replica is as full as one gets.
 */
import type { Page } from '@playwright/test'
import { mostBulk } from '../schema/tickets/tickets.list.ts'
import { type Bench, type Measure, often, spread } from './measure.ts'
import {
  addCompany,
  type Company,
  enter,
  openBrowser,
  openPage,
  password,
  type Stage,
  startStage,
  synced,
} from './stage.ts'

const veteran = { tickets: 1_000, messages: 49_900 }

const bench: Bench = {
  name: 'Bulk',
  async run(say) {
    const stage = await startStage()
    const browser = await openBrowser()
    try {
      const company = await addCompany(stage, veteran)
      const waiting = await stage.sql<{ id: number }[]>`
        UPDATE tickets SET status = 'pending', "userId" = NULL WHERE id IN (
          SELECT id FROM tickets WHERE "companyId" = ${company.id} AND status = 'open' ORDER BY id LIMIT ${mostBulk}) RETURNING id`
      const page = await openPage(browser)
      await enter(page, stage, company.admin.email)
      await synced(page)
      await page.getByRole('tab', { name: /Aguardando/ }).click()
      const measures = [
        ...(await painted(page)),
        await served(
          stage,
          company,
          waiting.map(({ id }) => id),
        ),
      ]
      for (const { name, values, unit } of measures) say(`${name}: ${JSON.stringify(values)} ${unit}`)
      return measures
    } finally {
      await browser.close()
      await stage.stop()
    }
  },
}
export default bench

const measured = (name: string, samples: number[], most: number): Measure => {
  const values = spread(samples)
  const ok = values.p50 <= most
  return { name, target: `p50 ≤ ${most.toLocaleString('en')} ms`, values, unit: 'ms', runs: samples.length, ok }
}

/** From the key that says it to the frame that shows it. */
async function painted(page: Page): Promise<Measure[]> {
  const times: Record<'chosen' | 'accepted' | 'back', number[]> = { chosen: [], accepted: [], back: [] }
  const after = async (press: string, holds: () => boolean) => {
    const seen = page.evaluate(`window.painted(${holds.toString()})`) as Promise<number>
    await page.keyboard.press(press)
    const at = await seen
    return at - (await page.evaluate(() => window.eventAt.keydown))
  }
  for (let run = -3; run < often(30); run++) {
    await page.locator('[data-item]').first().waitFor()
    await page.locator('[data-item][tabindex="0"]').focus()
    await page.keyboard.press('x')
    await page.getByRole('toolbar').waitFor()
    const chosen = await after('Control+a', () =>
      /^200 /.test(document.querySelector('[role=toolbar] [role=status]')?.textContent ?? ''),
    )
    await page.waitForTimeout(200)
    const accepted = await after('a', () => document.querySelector('[data-item]') === null)
    await page.waitForTimeout(1_000)
    const back = await after('z', () => document.querySelector('[data-item]') !== null)
    await page.waitForTimeout(1_000)
    if (run < 0) continue
    times.chosen.push(chosen)
    times.accepted.push(accepted)
    times.back.push(back)
  }
  return [
    measured('Ctrl+A in a list → 200 tickets shown as chosen, painted', times.chosen, 50),
    measured('200 tickets accepted by one key → gone from the list, painted', times.accepted, 50),
    measured('The same taken back by one key → there again, painted', times.back, 50),
  ]
}

/** One call after the other: accepted, and given back. */
async function served(stage: Stage, company: Company, ids: number[]): Promise<Measure> {
  const api = await stage.stack.login(company.admin.email, password)
  const samples: number[] = []
  for (let run = -2; run < often(20); run++)
    for (const type of ['accept', 'return']) {
      const begin = performance.now()
      const { failed } = (await api('POST', '/tickets/bulk', { ids, action: { type } })) as { failed: unknown[] }
      if (failed.length > 0) throw new Error(`${failed.length} were not done`)
      if (run >= 0) samples.push(performance.now() - begin)
    }
  return measured('POST /tickets/bulk, 200 tickets accepted or given back', samples, 1_000)
}

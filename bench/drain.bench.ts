/**
 * Hours without a network: many answers in many conversations, written in the real client while the server cannot be
 * reached, and how long all of them take once it can. Meanwhile somebody goes on working: keys are pressed, and
 * conversations opened.
 */
import type { Page } from '@playwright/test'
import { type Bench, type Measure, often, percentile, spread } from './measure.ts'
import { processorOf } from '../tests/support/processor.ts'
import {
  addCompany,
  type Company,
  enter,
  openBrowser,
  openPage,
  rounded,
  type Stage,
  startStage,
  synced,
} from './stage.ts'

const size = { tickets: 1_000, messages: 49_000 }
const conversations = 20
const actions = Math.max(conversations, often(500))

/** A drain is over before many conversations have been opened: so many of them, one after the other, give enough clicks. */
const drains = often(4)

const bench: Bench = {
  name: 'Drain',
  async run(say) {
    const stage = await startStage()
    const browser = await openBrowser()
    try {
      const company = await addCompany(stage, size)
      const page = await openPage(browser)
      await enter(page, stage, company.admin.email)
      await synced(page)
      await page.locator('[data-ticket]').first().click()
      await page.getByLabel('Mensagem', { exact: true }).waitFor()
      const totals: number[] = []
      const worked: Work = { keys: [], clicks: [], processor: [] }
      for (let nth = 0; nth < drains; nth++) {
        await page.context().setOffline(true)
        const begun = performance.now()
        await write(page, stage, company, `away ${nth}`)
        say(`${actions} written in ${rounded((performance.now() - begun) / 1000)} s`)
        await Bun.sleep(2_000)

        const done = drained(stage, company, `away ${nth}`)
        const from = performance.now()
        await page.context().setOffline(false)
        await work(page, done, worked)
        totals.push(((await done) - from) / 1000)
      }
      const { keys, clicks, processor } = worked
      say(`keys ${JSON.stringify(spread(keys))}, clicks ${JSON.stringify(spread(clicks))}`)
      const measures: Measure[] = [
        {
          name: `${actions} answers written offline in ${conversations} conversations → all at the server`,
          target: '≤ 10 s',
          values: { p50: rounded(percentile(totals, 0.5), 1), max: rounded(Math.max(...totals), 1) },
          unit: 's',
          runs: totals.length,
          ok: Math.max(...totals) <= 10,
        },
        {
          name: 'meanwhile: key pressed → letter painted',
          target: 'p95 ≤ 50 ms',
          values: spread(keys),
          unit: 'ms',
          runs: keys.length,
          ok: percentile(keys, 0.95) <= 50,
        },
        {
          name: 'meanwhile: processor time of the page’s thread from before the key until after the letter',
          target: 'p95 ≤ 50 ms',
          values: spread(processor),
          unit: 'ms',
          runs: processor.length,
          ok: percentile(processor, 0.95) <= 50,
        },
        {
          name: 'meanwhile: click on a ticket → its own conversation painted',
          target: 'p50 ≤ 50 ms',
          values: spread(clicks),
          unit: 'ms',
          runs: clicks.length,
          ok: percentile(clicks, 0.5) <= 50,
        },
      ]
      return measures
    } finally {
      await browser.close()
      await stage.stop()
    }
  },
}
export default bench

/** The wall of the performance clock at which the server had the last of them. */
async function drained(stage: Stage, company: Company, text: string): Promise<number> {
  const until = performance.now() + 120_000
  for (;;) {
    const [row] = await stage.sql<
      { n: number }[]
    >`SELECT count(*)::int AS n FROM messages WHERE "companyId" = ${company.id} AND body LIKE ${`%${text} %`}`
    if (row!.n >= actions) return performance.now()
    if (performance.now() > until) throw new Error(`only ${row!.n} of ${actions} arrived`)
    await Bun.sleep(50)
  }
}

/** Answers in each of the newest conversations, one conversation after the other. */
async function write(page: Page, stage: Stage, company: Company, text: string): Promise<void> {
  const rows = await stage.sql<{ uuid: string }[]>`
    SELECT uuid FROM tickets WHERE "companyId" = ${company.id} AND status = 'open' ORDER BY "updatedAt" DESC, id DESC LIMIT ${conversations}`
  const paths = rows.map(({ uuid }) => `/tickets/${uuid}`)
  const field = page.getByLabel('Mensagem', { exact: true })
  for (let i = 0; i < actions; ) {
    const path = paths[Math.floor(i / Math.ceil(actions / conversations))]!
    await open(page, path)
    for (let n = 0; n < Math.ceil(actions / conversations) && i < actions; n++, i++) {
      await field.fill(`${text} ${i}`)
      await field.press('Enter')
    }
  }
}

/** As a click on its line does, wherever that is in the list. */
async function open(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }, path)
  await page.waitForFunction((to) => location.pathname === to, path)
  await Bun.sleep(150)
}

interface Work {
  /** Key pressed → letter painted, ms. */
  keys: number[]
  /** Click on a line of the list → its conversation painted, ms. */
  clicks: number[]
  /** Processor time of the page's thread for each key, ms. */
  processor: number[]
}

/** Goes on working until all is at the server: three keys, then a click on another conversation, and so on. */
async function work(page: Page, done: Promise<number>, { keys, clicks, processor }: Work): Promise<void> {
  const worked = await processorOf(page)
  let over = false
  void done.finally(() => (over = true)).catch(() => undefined)
  const field = page.getByLabel('Mensagem', { exact: true })
  await field.fill('')
  let text = ''
  for (let run = 0; !over; run++) {
    if (run % 4 < 3) {
      const letter = 'abcdefgh'[run % 8]!
      text += letter
      await field.focus()
      const shown = page.evaluate(
        (wanted) => window.painted(() => document.querySelector<HTMLTextAreaElement>('textarea')?.value === wanted),
        text,
      )
      await worked()
      await page.keyboard.press(letter)
      keys.push((await shown) - (await page.evaluate(() => window.eventAt.keydown)))
      processor.push(await worked())
    } else {
      await field.fill((text = ''))
      const place = await page.evaluate((nth) => {
        const items = [...document.querySelectorAll<HTMLElement>('[data-item]')].filter((item) => {
          const { top, bottom } = item.getBoundingClientRect()
          return top > 120 && bottom < innerHeight
        })
        const item = items[nth % items.length]
        const box = item?.getBoundingClientRect()
        return box ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : null
      }, run)
      if (!place) continue
      const before = new URL(page.url()).pathname
      const shown = page.evaluate(
        (from) => window.painted(() => location.pathname !== from && document.querySelector('[data-message]') !== null),
        before,
      )
      await page.mouse.click(place.x, place.y)
      const at = await Promise.race([shown, Bun.sleep(2_000).then(() => null)])
      if (at !== null) clicks.push(at - (await page.evaluate(() => window.eventAt.click)))
    }
    await Bun.sleep(30)
  }
}

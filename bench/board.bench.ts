/** The board with two thousand cards: how long it takes to open, and whether scrolling its lanes and dragging a card keep up with the screen. */
import type { Page } from '@playwright/test'
import { tags } from '../schema/tags/tags.table.ts'
import { type Bench, often, percentile, spread } from './measure.ts'
import { addCompany, enter, openBrowser, openPage, rounded, startStage, synced } from './stage.ts'

const cards = 2_000
const lanes = 6
const openings = often(30)
const periodMs = 1000 / 60
const share = Math.min(1, Number(process.env['BENCH_RUNS'] ?? 1))

const bench: Bench = {
  name: 'Board',
  async run(say) {
    const stage = await startStage({}, { fast: true })
    const browser = await openBrowser()
    try {
      const company = await addCompany(stage, { tickets: Math.ceil((cards * 4) / 3), messages: 4_000 })
      const made = await stage.db
        .insert(tags)
        .values(
          Array.from({ length: lanes }, (_, i) => ({
            ...{ companyId: company.id, name: `Etapa ${i + 1}`, color: '#2563eb', kanban: 1 },
          })),
        )
        .returning()
      await stage.sql`UPDATE tickets SET "tagIds" = ARRAY[(${made.map(({ id }) => id)}::int[])[1 + id % ${lanes}::int]]
        WHERE "companyId" = ${company.id} AND id % ${lanes + 1}::int <> 0`
      const page = await openPage(browser)
      await enter(page, stage, company.admin.email)
      await synced(page)
      const opened: number[] = []
      for (let i = -3; i < openings; i++) {
        await page.keyboard.press('Escape')
        const link = page.locator('a[href="/kanban"]').first()
        const painted = page.evaluate(() => window.painted(() => document.querySelector('[data-card]') !== null))
        await link.click()
        const at = await painted
        const clicked = await page.evaluate(() => window.eventAt.click)
        if (i >= 0) opened.push(at - clicked)
        await page.locator('a[href="/tickets"]').first().click()
        await page.locator('[data-ticket]').first().waitFor()
      }
      const opening = spread(opened)
      say(`opening: ${JSON.stringify(opening)}`)
      await page.locator('a[href="/kanban"]').first().click()
      const card = page.locator('[data-card]').first()
      await card.waitFor()
      const box = (await card.boundingBox())!
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
      const wheel = await frames(page, share * 15_000, (n) => page.mouse.wheel(0, Math.floor(n / 100) % 2 ? -120 : 120))
      await page.mouse.down()
      const drag = await frames(page, share * 10_000, (n) =>
        page.mouse.move(box.x + ((n * 9) % 700), box.y + 60 + (n % 80)),
      )
      await page.keyboard.press('Escape')
      await page.mouse.up()
      return [
        {
          name: `Click → board of ${cards.toLocaleString('en')} cards painted`,
          target: 'p95 ≤ 150 ms',
          values: opening,
          unit: 'ms' as const,
          runs: opened.length,
          ok: opening.p95 <= 150,
        },
        missed(`Scrolling a lane of it, frames missed at 60 Hz`, wheel),
        missed(`Dragging a card over it, frames missed at 60 Hz`, drag),
      ]
    } finally {
      await browser.close()
      await stage.stop()
    }
  },
}
export default bench

async function frames(page: Page, ms: number, move: (n: number) => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    const times: number[] = []
    Object.assign(window, { frameTimes: times })
    const tick = (at: number) => {
      if ((window as unknown as { frameTimes: number[] }).frameTimes !== times) return
      times.push(at)
      requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
  })
  const until = Date.now() + ms
  for (let n = 0; Date.now() < until; n++) {
    const next = Date.now() + 24
    await move(n)
    await Bun.sleep(Math.max(0, next - Date.now()))
  }
  return page.evaluate(() => {
    const { frameTimes } = window as unknown as { frameTimes: number[] }
    return frameTimes.slice(1).map((at, i) => at - frameTimes[i]!)
  })
}

function missed(name: string, intervals: number[]) {
  const due = intervals.reduce((sum, ms) => sum + Math.max(1, Math.round(ms / periodMs)), 0)
  const late = intervals.filter((ms) => ms > periodMs * 1.5)
  const lost = late.reduce((sum, ms) => sum + Math.round(ms / periodMs) - 1, 0)
  const values = { missed: rounded((lost / due) * 100, 2), 'worst, ms': rounded(percentile(intervals, 1)) }
  return { name, target: '≤ 1 %', values, unit: '%' as const, runs: intervals.length, ok: values.missed <= 1 }
}

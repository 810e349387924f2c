/**
 * Whether scrolling keeps up with the screen: the list of tickets and a long conversation, moved by real wheel events in
 * the real client. The browser scrolls what is drawn by itself; what counts here is whether the page's own thread, which
 * has to draw what comes into sight, is ready for each frame. A frame is missed when two successive ones lie further
 * apart than one and a half periods of a screen at 60 Hz.
 */
import type { Page } from '@playwright/test'
import { type Bench, type Measure, percentile } from './measure.ts'
import { addCompany, enter, openBrowser, openPage, rounded, startStage, synced } from './stage.ts'

/** Three quarters of what a company gets are open, which is what the list shows. */
const listed = 2_000
const conversation = 5_000
const periodMs = 1000 / 60
const share = Math.min(1, Number(process.env['BENCH_RUNS'] ?? 1))
/** One notch of a wheel, px, and how often one comes, ms: a hand in a hurry. */
const notch = 120
const notchMs = 24
/** Missed frames, of all. */
const target = 1

const bench: Bench = {
  name: 'Scrolling',
  async run(say) {
    const stage = await startStage({}, { fast: true })
    const { sql } = stage
    const browser = await openBrowser()
    try {
      const company = await addCompany(stage, { tickets: Math.ceil((listed * 4) / 3), messages: 4_000 })
      const [long] = await sql<{ id: number; uuid: string }[]>`
        SELECT id, uuid FROM tickets WHERE "companyId" = ${company.id} AND status = 'open' ORDER BY "updatedAt" DESC LIMIT 1`
      await sql`
        INSERT INTO messages (id, "companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", read, ack, body, "createdAt", "updatedAt")
        SELECT uuidv7((n - ${conversation}::int) * interval '1 minute')::text, "companyId", id, "contactId", "whatsappId", 'L' || n,
          n % 3 = 0, true, CASE WHEN n % 3 = 0 THEN 4 ELSE 1 END, 'Message ' || n || ': ' || repeat('some words of a customer ', 1 + (n % 5)::int), at, at
        FROM tickets, generate_series(1, ${conversation}::int) n, LATERAL (SELECT now() - (${conversation}::int - n) * interval '1 minute' AS at) moment
        WHERE id = ${long!.id}`
      await sql`UPDATE tickets SET "createdAt" = now() - interval '14 days' WHERE id = ${long!.id}`
      const page = await openPage(browser)
      await enter(page, stage, company.admin.email)
      await synced(page)
      const measures: Measure[] = []
      const done = (measure: Measure) => {
        measures.push(measure)
        say(`${measure.name}: ${JSON.stringify(measure.values)} ${measure.unit}`)
      }

      const list = await scroll(page, '[data-ticket]', '[role=list]', 1, share * 20_000)
      const reached = await page.evaluate(
        () => document.querySelector('[role=list]:has([data-ticket])')?.scrollTop ?? 0,
      )
      say(`the list was scrolled by ${Math.round(reached)} px`)
      done(row(`Scrolling a list of ${listed.toLocaleString('en')} tickets, frames missed at 60 Hz`, list))

      await page.goto(`${stage.stack.url}/tickets/${long!.uuid}`)
      await page.locator('[data-message]').first().waitFor()
      await synced(page)
      await Bun.sleep(1_000)
      const thread = await scroll(page, '[data-message]', '[role=group]', -1, share * 25_000)
      const drawn = await page.locator('[data-message]').count()
      say(`${drawn} messages were scrolled through`)
      done(
        row(
          `Scrolling up a conversation of ${conversation.toLocaleString('en')} messages, frames missed at 60 Hz`,
          thread,
        ),
      )
      return measures
    } finally {
      await browser.close()
      await stage.stop()
    }
  },
}
export default bench

/** Turns the wheel over the scroller around `inside` for so long. @returns the time between successive frames, ms */
async function scroll(page: Page, inside: string, scroller: string, direction: 1 | -1, ms: number): Promise<number[]> {
  const box = await page
    .locator(inside)
    .first()
    .locator(`xpath=ancestor::*[@role="${scroller.slice(6, -1)}"]`)
    .boundingBox()
  await page.mouse.move(box!.x + box!.width / 2, box!.y + box!.height / 2)
  await page.evaluate(() => {
    const times: number[] = []
    Object.assign(window, { frameTimes: times })
    const tick = (at: number) => {
      times.push(at)
      requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
  })
  const until = Date.now() + ms
  while (Date.now() < until) {
    const next = Date.now() + notchMs
    await page.mouse.wheel(0, direction * notch)
    await Bun.sleep(Math.max(0, next - Date.now()))
  }
  return page.evaluate(() => {
    const { frameTimes } = window as unknown as { frameTimes: number[] }
    return frameTimes.slice(1).map((at, i) => at - frameTimes[i]!)
  })
}

/** Frames that should have been and were not, as a share of all that should have been. */
function row(name: string, intervals: number[]): Measure {
  const due = intervals.reduce((sum, ms) => sum + Math.max(1, Math.round(ms / periodMs)), 0)
  const late = intervals.filter((ms) => ms > periodMs * 1.5)
  const missed = late.reduce((sum, ms) => sum + Math.round(ms / periodMs) - 1, 0)
  const values = {
    missed: rounded((missed / due) * 100, 2),
    'late intervals': rounded((late.length / intervals.length) * 100, 2),
    'worst, ms': rounded(percentile(intervals, 1)),
  }
  return { name, target: `≤ ${target} %`, values, unit: '%', runs: intervals.length, ok: values.missed <= target }
}

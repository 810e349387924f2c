/**
 * Going from screen to screen: each is opened once, left, and opened again by the menu at the left, as a person does who
 * looks something up. Measured is the second visit, from the click until the screen stands with its rows, nothing grey
 * in it, in a company of two thousand tickets.
 */
import type { Page } from '@playwright/test'
import { type Bench, type Measure, often, percentile, spread } from './measure.ts'
import { addCompany, enter, openBrowser, openPage, rounded, startStage, synced } from './stage.ts'

const size = { tickets: 2_000, messages: 20_000 }
const targetMs = 100

const bench: Bench = {
  name: 'Visits',
  async run(say) {
    const stage = await startStage({}, { fast: true })
    const browser = await openBrowser()
    try {
      const company = await addCompany(stage, size)
      await stage.sql`
        INSERT INTO tags ("companyId", name, color) SELECT ${company.id}, 'Tag ' || n, '#0d6e74' FROM generate_series(1, 30) n`
      const page = await openPage(browser)
      await enter(page, stage, company.admin.email)
      await synced(page)
      const paths = await page
        .locator('nav a[href^="/"]')
        .evaluateAll((links) => [...new Set(links.map((link) => new URL((link as HTMLAnchorElement).href).pathname))])
      say(`screens: ${paths.join(' ')} and a connection's health`)
      const health = `/connections/${company.whatsapp.id}`
      const samples = new Map<string, number[]>()
      for (let round = -1; round < often(5); round++) {
        for (const path of paths) {
          const took = await visit(page, `nav a[href="${path}"]`, path)
          if (round >= 0) samples.set(path, [...(samples.get(path) ?? []), took])
          if (path !== '/connections') continue
          const there = await visit(page, `a[href="${health}"]`, health)
          if (round >= 0) samples.set(health, [...(samples.get(health) ?? []), there])
        }
      }
      for (const [path, times] of samples) say(`${path}: ${JSON.stringify(spread(times))} ms`)
      const medians = [...samples].map(([path, times]) => ({ path, ms: percentile(times, 0.5) }))
      const slowest = medians.reduce((a, b) => (b.ms > a.ms ? b : a))
      const all = [...samples.values()].flat()
      const measure: Measure = {
        name: `Opening a screen that was opened before → painted with its rows, ${samples.size} screens, ${size.tickets.toLocaleString('en')} tickets`,
        target: `≤ ${targetMs} ms`,
        values: {
          p50: spread(all).p50,
          p95: spread(all).p95,
          [`slowest screen (${slowest.path.replace(health, 'connection')}) p50`]: rounded(slowest.ms),
        },
        unit: 'ms',
        runs: all.length,
        ok: spread(all).p95 <= targetMs,
      }
      return [measure]
    } finally {
      await browser.close()
      await stage.stop()
    }
  },
}
export default bench

/** Clicks and waits. @returns milliseconds from the click to the frame that shows the whole screen */
async function visit(page: Page, link: string, path: string): Promise<number> {
  const shown = page.evaluate(
    (wanted) =>
      window.painted(() => {
        const main = document.querySelector('main')
        return (
          location.pathname === wanted &&
          main?.querySelector('h1') != null &&
          main.querySelector('.animate-pulse, [aria-busy=true], [role=progressbar]') === null &&
          (main.textContent?.length ?? 0) > 40
        )
      }),
    path,
  )
  await page.locator(link).first().click()
  const took = (await shown) - (await page.evaluate(() => window.eventAt.click))
  await Bun.sleep(250)
  return took
}

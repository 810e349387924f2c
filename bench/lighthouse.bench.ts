/**
 * What Lighthouse says of the built client on the real server, for somebody who comes back: the login screen, and, of who
 * is signed in, the inbox, a conversation and the contacts. As a phone (a slow processor and a mobile network, as
 * Lighthouse imagines them, which is its own default) and as a desktop computer.
 *
 * The browser is opened anew for each visit, over what it has kept on the disk. In one that stays open the pages of earlier
 * visits lie in memory, and Lighthouse's profiler goes through them in the first moment of the next: 100 to 190 ms before
 * our document is there, which count four times, as if the page had taken them.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import lighthouse, { desktopConfig } from 'lighthouse'
import { findChromium } from '../tests/support/chromium.ts'
import { startStack, until } from '../tests/support/stack.ts'
import { type Bench, type Measure, percentile } from './measure.ts'

const agent = { email: 'ana@padaria.test', password: 'balcao123' }
const categories = { performance: 'performance', accessibility: 'accessibility', 'best-practices': 'best practices' }
/** Of each page, on each device. A visit takes ten seconds. */
const visitsEach = Math.max(1, Math.round(5 * Number(process.env['BENCH_RUNS'] ?? 1)))
type Scores = Record<keyof typeof categories, number>

const bench: Bench = {
  name: 'Lighthouse',
  async run(say) {
    const clientDir = process.env['CLIENT_DIR']
    const stack = await startStack({ demo: true, fast: true, ...(clientDir ? { clientDir } : {}) })
    const profile = mkdtempSync(join(tmpdir(), 'balcao-profile-'))
    try {
      await inBrowser(profile, async (_, newPage) => {
        const page = await newPage()
        await page.goto(`${stack.url}/login`)
        await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
      })
      const login = await visits(say, profile, `${stack.url}/login`, 'login screen')

      const address = await inBrowser(profile, async (_, newPage) => {
        const page = await newPage()
        await page.goto(`${stack.url}/login`)
        await page.getByLabel('E-mail').fill(agent.email)
        await page.getByLabel('Senha', { exact: true }).fill(agent.password)
        await page.keyboard.press('Enter')
        await page.locator('[data-ticket]').first().waitFor()
        await page.locator('[data-item]').first().click()
        await page.waitForURL(/\/tickets\/.+/)
        // What the first visit wrote to the disk late is what the next one begins with.
        await Bun.sleep(5_000)
        return page.url()
      })
      const inbox = await visits(say, profile, `${stack.url}/tickets`, 'signed-in inbox')
      const conversation = await visits(say, profile, address, 'a conversation')
      const contacts = await visits(say, profile, `${stack.url}/contacts`, 'contacts')
      return [...login, ...inbox, ...conversation, ...contacts]
    } finally {
      await stack.stop()
      rmSync(profile, { recursive: true, force: true })
    }
  },
}
export default bench

async function visits(say: (text: string) => void, profile: string, url: string, what: string): Promise<Measure[]> {
  const measures: Measure[] = []
  for (const device of ['phone', 'desktop'] as const) {
    const runs: Scores[] = []
    while (runs.length < visitsEach) runs.push(await visit(say, profile, url, device))
    const values = Object.fromEntries(
      Object.entries(categories).map(([id, name]) => [
        name,
        percentile(
          runs.map((scores) => scores[id as keyof Scores]),
          // Performance depends on what else the machine does: the median counts; of the others the worst.
          id === 'performance' ? 0.5 : 0,
        ),
      ]),
    )
    const ok = values['performance']! >= 90 && values['accessibility'] === 100 && values['best practices'] === 100
    const measure: Measure = {
      name: `Lighthouse, ${what} visited again, as a ${device}`,
      target: 'performance ≥ 90, the others 100',
      values,
      unit: 'of 100',
      runs: runs.length,
      ok,
    }
    say(`${measure.name}: ${JSON.stringify(values)}`)
    measures.push(measure)
  }
  return measures
}

/** One visit with all that the browser has kept of earlier ones. Says what costs points. */
async function visit(
  say: (text: string) => void,
  profile: string,
  url: string,
  device: 'phone' | 'desktop',
): Promise<Scores> {
  const result = await inBrowser(profile, async (port) => {
    // What the browser does when it begins is no work of the page.
    await Bun.sleep(1_500)
    const flags = {
      port,
      disableStorageReset: true,
      onlyCategories: Object.keys(categories),
      logLevel: 'error' as const,
    }
    return lighthouse(url, flags, device === 'desktop' ? desktopConfig : undefined)
  })
  if (!result) throw new Error('Lighthouse had nothing to say')
  const { lhr } = result
  if (lhr.runtimeError) throw new Error(`${lhr.runtimeError.code}: ${lhr.runtimeError.message}`)
  const scores = {} as Scores
  for (const id of Object.keys(categories) as (keyof Scores)[]) {
    const category = lhr.categories[id]
    scores[id] = Math.round((category?.score ?? 0) * 100)
    if (scores[id] === 100) continue
    for (const { id: auditId, weight } of category?.auditRefs ?? []) {
      const audit = lhr.audits[auditId]
      if (weight > 0 && audit && audit.score !== null && audit.score < 0.9)
        say(`  ${id} ${scores[id]}: ${auditId} ${audit.score} ${audit.displayValue ?? audit.title}`)
    }
  }
  return scores
}

/**
 * Opens a browser whose profile is a folder, as a person's is, and closes it as a person does, so that it writes down what
 * it keeps: Lighthouse opens its page in it and finds what ours left.
 */
async function inBrowser<T>(
  profile: string,
  work: (port: number, newPage: () => Promise<Page>) => Promise<T>,
): Promise<T> {
  const file = join(profile, 'DevToolsActivePort')
  rmSync(file, { force: true })
  const child = Bun.spawn(
    [
      await findChromium(console.log),
      ...['--headless', '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--no-first-run', '--lang=pt-BR'],
      ...['--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    ],
    { stdio: ['ignore', 'ignore', 'ignore'] },
  )
  try {
    const port = await until(
      'the browser',
      () => Promise.resolve(existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0),
      (found) => found > 0,
    )
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    const result = await work(port, () => browser.contexts()[0]!.newPage())
    const session = await browser.newBrowserCDPSession()
    // It is gone before it could answer.
    await session.send('Browser.close').catch(() => undefined)
    await child.exited
    return result
  } finally {
    child.kill()
    await child.exited
  }
}

/**
 * How much JavaScript is fetched before the first screen stands: the login form, or, for who is logged in, the inbox and
 * its tabs. What comes after it, in a quiet moment or while the first rows are awaited, is not counted.
 */
import { gzipSync } from 'bun'
import type { Browser, BrowserContext } from '@playwright/test'
import { startStack } from '../tests/support/stack.ts'
import type { Bench, Measure } from './measure.ts'
import { openBrowser } from './stage.ts'

const mostBytes = 200_000
const agent = { email: 'ana@padaria.test', password: 'balcao123' }

const bench: Bench = {
  name: 'Bundle',
  async run(say) {
    const clientDir = process.env.CLIENT_DIR
    const stack = await startStack({ demo: true, fast: true, ...(clientDir ? { clientDir } : {}) })
    const browser = await openBrowser()
    try {
      const signedIn = await newContext(browser)
      const page = await signedIn.newPage()
      await page.goto(`${stack.url}/login`)
      await page.getByLabel('E-mail').fill(agent.email)
      await page.getByLabel('Senha', { exact: true }).fill(agent.password)
      await page.keyboard.press('Enter')
      await page.locator('[data-ticket]').first().waitFor()
      const storageState = await signedIn.storageState()
      await signedIn.close()

      const login = await scriptsUntil(await newContext(browser), `${stack.url}/login`, 'input[type=email]')
      const inbox = await scriptsUntil(await newContext(browser, storageState), `${stack.url}/tickets`, '[role=tab]')
      for (const [what, scripts] of Object.entries({ login, inbox })) {
        say(`${what}: ${scripts.length} files`)
        for (const { path, bytes } of scripts.slice(0, 8)) say(`  ${(bytes / 1000).toFixed(1).padStart(6)} kB  ${path}`)
      }
      const values = { login: kilobytes(login), inbox: kilobytes(inbox) }
      const measure: Measure = {
        name: 'JavaScript for the first screen, gzip, without the database’s worker',
        target: '≤ 200 KB',
        values,
        unit: 'KB',
        runs: 1,
        ok: Math.max(values.login, values.inbox) * 1000 <= mostBytes,
      }
      return [measure]
    } finally {
      await browser.close()
      await stack.stop()
    }
  },
}
export default bench

type Script = { path: string; bytes: number }

const kilobytes = (scripts: readonly Script[]) =>
  Math.round(scripts.reduce((sum, { bytes }) => sum + bytes, 0) / 100) / 10

function newContext(
  browser: Browser,
  storageState?: Awaited<ReturnType<BrowserContext['storageState']>>,
): Promise<BrowserContext> {
  // What the service worker keeps is not fetched by a first visit, but after it.
  return browser.newContext({ serviceWorkers: 'block', locale: 'pt-BR', ...(storageState ? { storageState } : {}) })
}

/** The scripts that a page has asked for when `selector` is first painted, largest first. */
async function scriptsUntil(context: BrowserContext, address: string, selector: string): Promise<Script[]> {
  const page = await context.newPage()
  await page.addInitScript((wanted) => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector(wanted)) return
      observer.disconnect()
      requestAnimationFrame(() =>
        setTimeout(() => {
          const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
          const scripts = entries.map(({ name }) => name).filter((name) => /\.js$/.test(name) && !/worker/.test(name))
          Object.assign(window, { scriptsAtFirstPaint: [...new Set(scripts)] })
        }),
      )
    }).observe(document, { childList: true, subtree: true })
  }, selector)
  await page.goto(address)
  const names = (await (
    await page.waitForFunction(() => 'scriptsAtFirstPaint' in window && window.scriptsAtFirstPaint)
  ).jsonValue()) as string[]
  await context.close()
  const scripts = await Promise.all(
    names.map(async (name) => ({
      path: new URL(name).pathname,
      bytes: gzipSync(await (await fetch(name)).bytes(), { level: 9 }).length,
    })),
  )
  return scripts.sort((a, b) => b.bytes - a.bytes)
}

import type { Page } from '@playwright/test'
import { visit } from './visit.ts'

/** What a story may do to a page that no later one could undo, or would not expect. */
const spoils = {
  page: ['addInitScript', 'addStyleTag', 'addScriptTag', 'exposeFunction', 'exposeBinding', 'emulateMedia'],
  context: ['addInitScript', 'grantPermissions', 'setOffline', 'newCDPSession', 'newPage', 'setExtraHTTPHeaders'],
} as const

/** What the app keeps of a device that no story looks for. */
const passing = ['balcao.rung', 'balcao.plan', 'balcao.emoji-recent', 'balcao.branding']

/** A page that does not come back to the inbox within this has something open: it is not kept. */
const soonMs = 10_000

/** What lies over a screen and would lie over the next story. */
const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]'

/**
 * Pages of people who stay signed in from one story to the next, as agents do from one conversation to the next: a
 * sign-in in a new browser takes ten seconds of a processor, half of what a story takes. A page that a story has
 * changed for good, or that does not come back to an empty inbox, is closed; the next story begins anew.
 */
export class Desks {
  readonly #waiting = new Map<string, { device: string; page: Page }>()
  readonly #spoiled = new WeakSet<Page>()
  readonly #atSignIn = new WeakMap<Page, { kept: string; size: ReturnType<Page['viewportSize']> }>()

  /** From now on it is known what a story does to this page, which has just been signed in. */
  async watch(page: Page): Promise<void> {
    const tell = (of: object, name: string) => {
      const done = Reflect.get(of, name) as (...given: unknown[]) => unknown
      Reflect.set(of, name, (...given: unknown[]) => {
        this.#spoiled.add(page)
        return done.apply(of, given)
      })
    }
    for (const name of spoils.page) tell(page, name)
    for (const name of spoils.context) tell(page.context(), name)
    this.#atSignIn.set(page, { kept: await kept(page), size: page.viewportSize() })
  }

  /**
   * The page of that device at which this person sits; it is the caller's until `leave`. Whoever comes with another
   * device, or with a new one (null), has left the desk.
   */
  async take(email: string, device: string | null): Promise<Page | undefined> {
    const waiting = this.#waiting.get(email)
    this.#waiting.delete(email)
    if (!waiting || waiting.page.isClosed()) return undefined
    if (waiting.device === device) return waiting.page
    await waiting.page.context().close()
    return undefined
  }

  /** After a story: the page waits for the next one that needs this person, or is closed. */
  async leave(email: string, device: string, page: Page): Promise<void> {
    const isAsItWas = !this.#waiting.has(email) && (await this.#comesBack(page).catch(() => false))
    if (isAsItWas) this.#waiting.set(email, { device, page })
    else await page.context().close()
  }

  /** Those at whose desks nobody of this story sits go home: a page that waits takes part in all that happens. */
  async close(but: readonly string[] = []): Promise<void> {
    for (const [email, { page }] of this.#waiting) {
      if (but.includes(email)) continue
      this.#waiting.delete(email)
      await page.context().close()
    }
  }

  async #comesBack(page: Page): Promise<boolean> {
    const before = this.#atSignIn.get(page)
    if (!before || this.#spoiled.has(page) || page.isClosed() || page.context().pages().length !== 1) return false
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.context().unrouteAll({ behavior: 'ignoreErrors' })
    page.removeAllListeners()
    if (before.size) await page.setViewportSize(before.size)
    await page.mouse.move(0, 0)
    await page.keyboard.press('Escape')
    // By way of another screen: what the inbox remembers of itself goes with it.
    for (const path of ['/quick-messages', '/tickets']) await visit(page, path, soonMs)
    const isCovered = await page.evaluate((overlays) => document.querySelector(overlays) !== null, overlays)
    return !isCovered && (await kept(page)) === before.kept
  }
}

/** What the device keeps of this person and of their choices, of the session only whose it is. */
const kept = (page: Page): Promise<string> =>
  page.evaluate((passing) => {
    const held = Object.entries(localStorage).filter(([key]) => !passing.includes(key))
    const owned = held.map(([key, text]) => (key === 'balcao.session' ? JSON.parse(text).id : `${key}=${text}`))
    return JSON.stringify([...owned, ...Object.keys(sessionStorage)].toSorted((a, b) => (a < b ? -1 : 1)))
  }, passing)

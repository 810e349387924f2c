import { expect } from '@playwright/test'
import type { BrowserContext, Page } from '@playwright/test'

/**
 * Writes down the toasts of the pages that are opened from now on. A toast stands for two seconds: on a busy machine a
 * test that looks for it may look too late.
 */
export async function listenForToasts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const said: string[] = []
    const seen = new WeakSet<Element>()
    const listen = () => {
      for (const toast of document.querySelectorAll('[data-sonner-toast]')) {
        if (seen.has(toast)) continue
        seen.add(toast)
        said.push(toast.textContent)
      }
    }
    new MutationObserver(listen).observe(document, { childList: true, subtree: true })
    Object.assign(globalThis, { said })
  })
}

/** What the page has said so far is nobody's answer. */
export const forgetToasts = (page: Page): Promise<void> =>
  page.evaluate(() => void (globalThis as unknown as { said?: string[] }).said?.splice(0))

/** The page says it in a toast. Each toast counts once: what is told twice is asked for twice. */
export async function told(page: Page, text: string | RegExp): Promise<void> {
  const pattern = typeof text === 'string' ? RegExp.escape(text) : text.source
  await expect(async () => {
    const unheard = await page.evaluate((pattern) => {
      const { said } = globalThis as unknown as { said?: string[] }
      if (!said) return ['(nobody listens: listenForToasts comes before the page is opened)']
      const at = said.findIndex((toast) => new RegExp(pattern).test(toast))
      if (at === -1) return said
      said.splice(0, at + 1)
      return null
    }, pattern)
    expect(unheard, `no toast says ${text}`).toBeNull()
  }).toPass({ intervals: [100, 250, 500], timeout: 30_000 })
}

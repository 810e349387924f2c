import { expect, type Page } from '@playwright/test'

/**
 * To another address, as a link in the page leads there, which takes much less than loading it anew. For a page as it is
 * after a start there is `page.goto`.
 */
export const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate((path) => history.pushState(null, '', path), path)

/**
 * Follows a link to another screen, which has come when nothing of the screen before is left.
 * @param timeout how long that may take, ms; as long as any expectation when left out
 */
export async function visit(page: Page, path: string, timeout?: number): Promise<void> {
  const screen = (address: string) => new URL(address, page.url()).pathname.split('/')[1]
  // Under another address of its own a screen stays.
  if (screen(path) === screen(page.url())) return follow(page, path)
  await page.evaluate(() => {
    for (const child of document.querySelectorAll<HTMLElement>('#content > *')) child.dataset.before = ''
  })
  await follow(page, path)
  await expect(page.locator('#content > [data-before]'), `the screen before ${path} is gone`).toHaveCount(0, {
    timeout,
  })
}

import puppeteer, { type Browser, type ElementHandle, type KeyInput, type Page } from 'puppeteer-core'
import type { Engine, Tab, Wishes } from './engine.ts'

/** Firefox by WebDriver BiDi. @param path of its program */
export async function openFirefox(path: string, wishes: Wishes = {}): Promise<Engine> {
  const { size = { width: 1280, height: 800 }, touch = false, quotaKb } = wishes
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: path,
    headless: true,
    defaultViewport: null,
    env: { ...process.env, LANG: 'C.UTF-8', TZ: 'America/Sao_Paulo' },
    extraPrefsFirefox: {
      'intl.accept_languages': 'pt-BR',
      'ui.prefersReducedMotion': 1,
      // A microphone that hums, and nobody who has to allow it.
      'media.navigator.streams.fake': true,
      'media.navigator.permission.disabled': true,
      ...(touch
        ? // 1 is coarse, without hovering.
          { 'dom.w3c_touch_events.enabled': 1, 'ui.primaryPointerCapabilities': 1, 'ui.allPointerCapabilities': 1 }
        : {}),
      ...(quotaKb ? { 'dom.quotaManager.temporaryStorage.fixedLimit': quotaKb } : {}),
    },
  })
  return {
    name: 'firefox',
    version: await browser.version(),
    can: { offline: true, touch: true, quota: true },
    async tab() {
      const page = await browser.newPage()
      await page.setViewport(size)
      return tabOf(page, touch)
    },
    async offline(isOffline) {
      for (const page of await browser.pages()) await page.setOfflineMode(isOffline)
    },
    close: () => end(browser),
  }
}

async function end(browser: Browser): Promise<void> {
  const running = browser.process()
  await browser.close()
  running?.kill('SIGKILL')
}

function tabOf(page: Page, touch: boolean): Tab {
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    run: async <T>(expression: string) => {
      // A string: nothing of its value is lost between the two.
      const text = (await page.evaluate(`(async () => JSON.stringify([await (${expression})]))()`)) as string
      return (JSON.parse(text) as [T])[0]
    },
    click: ({ x, y }) => (touch ? page.touchscreen.tap(x, y) : page.mouse.click(x, y)),
    type: (text) => page.keyboard.type(text),
    async press(keys) {
      const all = keys.split('+') as KeyInput[]
      for (const key of all) await page.keyboard.down(key)
      for (const key of all.toReversed()) await page.keyboard.up(key)
    },
    async upload(expression, paths) {
      const input = (await page.evaluateHandle(expression)).asElement() as ElementHandle<HTMLInputElement> | null
      await input!.uploadFile(...paths)
    },
    picture: async () => Buffer.from(await page.screenshot()),
    close: () => page.close(),
  }
}

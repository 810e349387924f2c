import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Builder, Capabilities, Key, type WebDriver, type WebElement } from 'selenium-webdriver'
import { until } from '../support/stack.ts'
import type { Engine, Size, Tab, Wishes } from './engine.ts'

/** The little browser that comes with WebKitGTK, by its WebDriver; it needs a display. @param paths of both programs */
export async function openWebKit(paths: { driver: string; browser: string }, wishes: Wishes = {}): Promise<Engine> {
  const { size = { width: 1280, height: 800 } } = wishes
  const home = mkdtempSync(join(tmpdir(), 'balcao-webkit-'))
  const port = await freePort()
  const service = Bun.spawn([paths.driver, `--port=${port}`], {
    env: { ...process.env, XDG_CONFIG_HOME: home, LANG: 'C.UTF-8', TZ: 'America/Sao_Paulo' },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const address = `http://127.0.0.1:${port}`
  await until(
    'the driver of WebKit',
    () => fetch(`${address}/status`),
    (answer) => answer.ok,
  )
  // With its bar it is 447 px wide at least.
  const args = ['--automation', '--full-screen', '--enable-mock-capture-devices=true']
  const options = { binary: paths.browser, args }
  const wanted = new Capabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': options })
  const driver = await new Builder().usingServer(address).withCapabilities(wanted).build()
  await driver.manage().setTimeouts({ script: 60_000, pageLoad: 60_000 })
  const tabs = new Tabs(driver, size)
  return {
    name: 'webkit',
    version: String((await driver.getCapabilities()).get('browserVersion')),
    can: { offline: false, touch: false, quota: false },
    tab: () => tabs.open(),
    offline: () => Promise.reject(new Error('WebKitWebDriver cannot take the network away')),
    async close() {
      await driver.quit()
      service.kill()
      await service.exited
      rmSync(home, { recursive: true, force: true })
    },
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** The driver speaks to one tab at a time. */
class Tabs {
  #current = ''
  #isFirst = true

  constructor(
    readonly driver: WebDriver,
    readonly size: Size,
  ) {}

  async open(): Promise<Tab> {
    // Of two tabs one is hidden, and draws nothing.
    if (!this.#isFirst) await this.driver.switchTo().newWindow('window')
    this.#isFirst = false
    const handle = await this.driver.getWindowHandle()
    this.#current = handle
    const tab = this.#tab(handle)
    await this.#fit(tab)
    return tab
  }

  /** What stands around the page is not part of its size. */
  async #fit(tab: Tab): Promise<void> {
    const shown = () => tab.run<Size>('({ width: innerWidth, height: innerHeight })')
    const window = this.driver.manage().window()
    await until(
      'the size of the window',
      async () => {
        const [inner, outer] = [await shown(), await window.getRect()]
        const width = outer.width + this.size.width - inner.width
        const height = outer.height + this.size.height - inner.height
        if (width !== outer.width || height !== outer.height) await window.setRect({ x: 0, y: 0, width, height })
        return shown()
      },
      ({ width, height }) => width === this.size.width && height === this.size.height,
    )
  }

  async #at(handle: string): Promise<WebDriver> {
    if (this.#current !== handle) await this.driver.switchTo().window(handle)
    this.#current = handle
    return this.driver
  }

  #tab(handle: string): Tab {
    const at = () => this.#at(handle)
    return {
      goto: async (url) => (await at()).get(url),
      reload: async () => (await at()).navigate().refresh(),
      run: async <T>(expression: string) => {
        const script = `const done = arguments[arguments.length - 1]
          ;(async () => JSON.stringify([await (${expression})]))().then(done, (error) => done({ error: String(error) }))`
        const answer = await (await at()).executeAsyncScript<string | { error: string }>(script)
        if (typeof answer !== 'string') throw new Error(answer.error)
        return (JSON.parse(answer) as [T])[0]
      },
      click: async ({ x, y }) => (await at()).actions().move({ x, y, duration: 0 }).click().perform(),
      type: async (text) => (await at()).actions().sendKeys(text).perform(),
      async press(keys) {
        const all = keys.split('+').map((key) => named[key] ?? key)
        const actions = (await at()).actions()
        for (const key of all) actions.keyDown(key)
        for (const key of all.toReversed()) actions.keyUp(key)
        await actions.perform()
      },
      async upload(expression, paths) {
        const input = await (await at()).executeScript<WebElement>(`return ${expression}`)
        await input.sendKeys(paths.join('\n'))
      },
      picture: async () => Buffer.from(await (await at()).takeScreenshot(), 'base64'),
      close: async () => {
        await (await at()).close()
        this.#current = ''
      },
    }
  }
}

const named: Record<string, string> = {
  Enter: Key.ENTER,
  Escape: Key.ESCAPE,
  Tab: Key.TAB,
  Backspace: Key.BACK_SPACE,
  Delete: Key.DELETE,
  Control: Key.CONTROL,
  Shift: Key.SHIFT,
  Alt: Key.ALT,
  ArrowUp: Key.ARROW_UP,
  ArrowDown: Key.ARROW_DOWN,
  ArrowLeft: Key.ARROW_LEFT,
  ArrowRight: Key.ARROW_RIGHT,
  Home: Key.HOME,
  End: Key.END,
}

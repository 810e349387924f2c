import { join } from 'node:path'
import { until } from '../support/stack.ts'
import type { Engine, Tab } from './engine.ts'
import type { Look, Said, Step } from './look.page.ts'

/** What a person sees, or does not see any more, within this: a first sync beside a busy process. */
const patienceMs = 30_000

let program: Promise<string> | undefined

/** `look.page.ts` and all it needs, as one script. */
const lookProgram = (): Promise<string> =>
  (program ??= (async () => {
    const built = await Bun.build({
      entrypoints: [join(import.meta.dir, 'look.page.ts')],
      format: 'iife',
      minify: true,
    })
    return (await built.outputs[0]!.text()).replace(/;?\s*$/, '')
  })())

export type Text = string | RegExp
const said = (text: Text): Said => (typeof text === 'string' ? text : { pattern: text.source })

/** A page as the person before it meets it. */
export class Screen {
  constructor(
    readonly engine: Engine,
    readonly tab: Tab,
    readonly origin: string,
  ) {}

  goto(path: string): Promise<void> {
    return this.tab.goto(new URL(path, this.origin).href)
  }

  /** To another address of the app, as a link in the page leads there. */
  async follow(path: string): Promise<void> {
    await this.run((path) => history.pushState(null, '', path), path)
  }

  path(): Promise<string> {
    return this.run(() => location.pathname)
  }

  /** The value of a function in the page; it sees nothing but its arguments, and `look`. */
  async run<T, A extends unknown[]>(work: (...given: A) => T | Promise<T>, ...given: A): Promise<T> {
    const call = `(${work.toString()})(...${JSON.stringify(given)})`
    const answer = await this.tab.run<{ value: T } | { missing: true }>(
      `typeof look === 'undefined' ? { missing: true } : (async () => ({ value: await ${call} }))()`,
    )
    if ('value' in answer || !('missing' in answer)) return (answer as { value: T }).value
    await this.tab.run(`(() => { ${await lookProgram()} })()`)
    return this.run(work, ...given)
  }

  /** The page says it, anywhere. */
  async shows(text: string): Promise<void> {
    const all = () => this.tab.run<string>('document.body.innerText')
    await until(`the page says ${text}`, all, (all) => all.includes(text), patienceMs)
  }

  role(role: string, name?: Text): Found {
    return new Found(this, []).role(role, name)
  }

  css(selector: string, text?: Text): Found {
    return new Found(this, []).css(selector, text)
  }
}

declare const look: Look

/** What may be found on a screen, now or later. */
export class Found {
  constructor(
    readonly screen: Screen,
    readonly steps: readonly Step[],
  ) {}

  role(role: string, name?: Text): Found {
    return this.#and({ role, ...(name === undefined ? {} : { name: said(name) }) })
  }

  css(selector: string, text?: Text): Found {
    return this.#and({ css: selector, ...(text === undefined ? {} : { text: said(text) }) })
  }

  /** Only what holds this text. */
  with(text: Text): Found {
    const last = { ...this.steps.at(-1)!, text: said(text) }
    return new Found(this.screen, [...this.steps.slice(0, -1), last])
  }

  #and(step: Step): Found {
    return new Found(this.screen, [...this.steps, step])
  }

  count(): Promise<number> {
    return this.screen.run((steps) => look.seen(steps).length, this.steps)
  }

  /** What it says; an element that is not there says nothing. */
  text(): Promise<string> {
    return this.screen.run((steps) => look.seen(steps)[0]?.textContent ?? '', this.steps)
  }

  /** Something of the one element, seen or not. */
  of<T>(work: (element: HTMLElement) => T | Promise<T>): Promise<T> {
    return this.screen.tab.run(
      `(() => { const [element] = look.all(${JSON.stringify(this.steps)}); if (!element) throw new Error('not there'); return (${work.toString()})(element) })()`,
    )
  }

  async shown(): Promise<void> {
    await until(
      `${this.toString()} is shown`,
      () => this.count(),
      (count) => count > 0,
      patienceMs,
    )
  }

  async gone(): Promise<void> {
    await until(
      `${this.toString()} is gone`,
      () => this.count(),
      (count) => count === 0,
      patienceMs,
    )
  }

  async says(text: Text): Promise<void> {
    const isSaid = (all: string) => (typeof text === 'string' ? all.includes(text) : text.test(all))
    await until(`${this.toString()} says ${String(text)}`, () => this.text(), isSaid, patienceMs)
  }

  async click(): Promise<void> {
    const place = () => this.screen.run((steps) => look.place(steps), this.steps)
    const at = await until(`${this.toString()} can be clicked`, place, (place) => typeof place === 'object', patienceMs)
    await this.screen.tab.click(at as Exclude<typeof at, string>)
  }

  /** Writes over what stands in a field. */
  async fill(text: string): Promise<void> {
    await this.click()
    await this.holdsKeyboard()
    await this.screen.tab.press('Control+a')
    await this.screen.tab.type(text)
    await until(
      `${this.toString()} holds “${text}”`,
      () => this.value(),
      (value) => value === text,
      patienceMs,
    )
  }

  value(): Promise<string> {
    return this.of((element) => (element as HTMLInputElement).value)
  }

  async holdsKeyboard(): Promise<void> {
    const holds = () =>
      this.screen.run((steps) => look.seen(steps).includes(document.activeElement as HTMLElement), this.steps)
    await until(`${this.toString()} holds the keyboard`, holds, Boolean, patienceMs)
  }

  /**
   * Brings the keyboard here by the Tab key, as who has no mouse does; backwards with `Shift+Tab`.
   * @throws where the way leads out of the page: what is pressed then is the browser's
   */
  async reach(by: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await this.shown()
    const holds = () =>
      this.screen.run((steps) => look.seen(steps).includes(document.activeElement as HTMLElement), this.steps)
    const where = () =>
      this.screen.run(() => `${document.hasFocus()} ${document.activeElement?.outerHTML.slice(0, 100) ?? ''}`)
    const passed: string[] = []
    while (passed.length < 120 && !passed.at(-1)?.startsWith('false')) {
      if (await holds()) return
      await this.screen.tab.press(by)
      passed.push(await where())
    }
    throw new Error(`${by} does not come to ${this.toString()}, but to\n${passed.slice(-40).join('\n')}`)
  }

  async upload(...paths: string[]): Promise<void> {
    const there = () => this.screen.run((steps) => look.all(steps).length, this.steps)
    await until(`${this.toString()} is there`, there, (count) => count === 1, patienceMs)
    await this.screen.tab.upload(`look.all(${JSON.stringify(this.steps)})[0]`, paths)
  }

  toString(): string {
    return this.steps.map((step) => JSON.stringify(step)).join(' › ')
  }
}

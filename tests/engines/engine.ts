/**
 * What a story needs of a browser, whichever engine it is: `firefox.ts` and `webkit.ts` are all that know how theirs is
 * driven. What is found, clicked and waited for is in `screen.ts`, once for both.
 */
export type EngineName = 'firefox' | 'webkit'

export interface Size {
  width: number
  height: number
}

export interface Wishes {
  /** What the page has to draw on, CSS pixels. */
  size?: Size
  /** Fingers instead of a mouse, where the engine can be told so. */
  touch?: boolean
  /** How much an origin may keep, kB, where the engine can be told so. */
  quotaKb?: number
}

/** A browser of one's own, empty, which forgets everything when it is closed. */
export interface Engine {
  readonly name: EngineName
  readonly version: string
  readonly can: {
    /** The browser itself can be told that there is no network. */
    offline: boolean
    /** A finger touches, and the page is told that it is one. */
    touch: boolean
    quota: boolean
  }
  /** An empty page. */
  tab(): Promise<Tab>
  /** @throws where the engine cannot: ask `can` */
  offline(isOffline: boolean): Promise<void>
  close(): Promise<void>
}

export interface Point {
  x: number
  y: number
}

/** One page, by the means of the engine. */
export interface Tab {
  goto(url: string): Promise<void>
  reload(): Promise<void>
  /** The value of an expression in the page, awaited, as JSON carries it. */
  run<T>(expression: string): Promise<T>
  /** The pointer, or a finger where the browser was opened with one. */
  click(at: Point): Promise<void>
  /** At whatever has the keyboard. */
  type(text: string): Promise<void>
  /** A key, or several as `Control+k`. */
  press(keys: string): Promise<void>
  /** Gives files to the element that an expression finds. */
  upload(expression: string, paths: readonly string[]): Promise<void>
  /** A PNG of what is seen. */
  picture(): Promise<Buffer>
  close(): Promise<void>
}

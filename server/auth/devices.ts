import Bowser from 'bowser'

/** What a browser calls itself, in words a person knows. */
export interface Device {
  /** Such as `Chrome`; null where it is not told. */
  browser: string | null
  /** Such as `Windows`. */
  system: string | null
}

/** So much of what a browser says is kept; patterns run over it. */
export const MOST_USER_AGENT = 256

/** @param userAgent as the browser sent it; null where it sent none */
export function deviceOf(userAgent: string | null): Device | null {
  if (!userAgent) return null
  const { browser, os } = Bowser.parse(userAgent.slice(0, MOST_USER_AGENT))
  return browser.name || os.name ? { browser: browser.name ?? null, system: os.name ?? null } : null
}

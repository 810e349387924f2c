/**
 * Runs in the page: finds what a person sees by its role and its name, as a screen reader tells them. Put there by
 * `screen.ts`.
 */
import { queryAllByRole } from '@testing-library/dom'

/** A text, or the source of a pattern. */
export type Said = string | { pattern: string }

/** One step of the way to an element: what is inside what was found before. */
export interface Step {
  role?: string
  name?: Said
  css?: string
  /** Only what holds this text. */
  text?: Said
}

const matches = (text: string, said: Said): boolean =>
  typeof said === 'string' ? text.includes(said) : new RegExp(said.pattern).test(text)

function within(scope: HTMLElement, { role, name, css, text }: Step): HTMLElement[] {
  const found = role
    ? queryAllByRole(scope, role, name === undefined ? {} : { name: asName(name) })
    : [...scope.querySelectorAll<HTMLElement>(css!)]
  return text === undefined ? found : found.filter((element) => matches(element.textContent, text))
}

const asName = (name: Said): string | RegExp => (typeof name === 'string' ? name : new RegExp(name.pattern))

function all(steps: readonly Step[]): HTMLElement[] {
  let scopes = [document.body]
  for (const step of steps) scopes = [...new Set(scopes.flatMap((scope) => within(scope, step)))]
  return scopes
}

const isSeen = (element: Element): boolean => element.getClientRects().length > 0 && element.checkVisibility()
const seen = (steps: readonly Step[]): HTMLElement[] => all(steps).filter(isSeen)
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))

/** Where the pointer meets it, once it stands still with nothing over it; else a word about what is in the way. */
async function place(steps: readonly Step[]): Promise<{ x: number; y: number } | string> {
  const [element, ...more] = seen(steps)
  if (!element) return 'it is not there'
  if (more.length > 0) return `there are ${more.length + 1} of it`
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
  const before = element.getBoundingClientRect()
  await frame()
  await frame()
  const { left, top, width, height } = element.getBoundingClientRect()
  if (before.left !== left || before.top !== top || before.width !== width) return 'it moves'
  if (element.matches(':disabled')) return 'it is disabled'
  const [x, y] = [left + width / 2, top + height / 2]
  const hit = document.elementFromPoint(x, y)
  if (!hit || !(element.contains(hit) || hit.contains(element.closest('label'))))
    return `${hit?.outerHTML.slice(0, 200) ?? 'nothing'} is over it`
  return { x, y }
}

const look = { all, seen, place }
export type Look = typeof look
Object.assign(globalThis, { look })

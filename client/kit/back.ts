import type { RouterHistory } from '@tanstack/react-router'
import { covers } from '../ui/covers.ts'

/** `data-escape` marks what is no dialog and hears Escape all the same. */
const layers = `${covers},[data-escape]`

/** Tells what is in front what Escape would tell it. Answers whether there was something. */
function closeFront(): boolean {
  // What was opened last stands last in the page.
  const front = [...document.querySelectorAll<HTMLElement>(layers)].findLast((layer) => layer.checkVisibility())
  if (!front) return false
  const { activeElement } = document
  const at = activeElement && front.contains(activeElement) ? activeElement : front
  at.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
  return true
}

/**
 * The way back of a phone closes what is in front, and only then leaves the screen: a dialog, a menu, the search in a
 * conversation. To be called before anything else asks whether one may leave.
 */
export function backClosesFront(history: RouterHistory): void {
  history.block({ blockerFn: ({ action }) => action === 'BACK' && closeFront(), enableBeforeUnload: false })
}

import { onceScrolled } from '../base/once-scrolled.ts'

/** Frames for which the place is looked after: what was out of sight gets its true height only as it is drawn. */
const frames = 12

/** Brings the middle of the window to a place in a text. */
export function bringRangeIntoView(scroller: HTMLElement, range: Range): void {
  const [window, place] = [scroller.getBoundingClientRect(), range.getBoundingClientRect()]
  scroller.scrollTop += (place.top + place.bottom - window.top - window.bottom) / 2
}

/**
 * Brings an element of a conversation to the middle of the window and holds it there while what is around it is
 * drawn. Near ones are scrolled to, so that one sees the way; far ones are just there: on a long way the heights change
 * under the scrolling, which then ends elsewhere.
 *
 * @returns how to let go of it
 */
export function bringIntoView(scroller: HTMLElement, element: Element): () => void {
  const ended = new AbortController()
  let frame = 0
  const hold = (left: number) => {
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
    if (left > 0) frame = requestAnimationFrame(() => hold(left - 1))
  }
  const away = Math.abs(element.getBoundingClientRect().top - scroller.getBoundingClientRect().top)
  if (away < 2 * scroller.clientHeight && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
    onceScrolled(scroller, () => hold(frames), ended.signal)
    element.scrollIntoView({ block: 'center', behavior: 'smooth' })
  } else hold(frames)
  return () => {
    ended.abort()
    cancelAnimationFrame(frame)
  }
}

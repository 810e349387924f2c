import { afterPaint, withNextFrame } from './after-paint.ts'

/** How long something that covers the page is waited for, and how often it is looked at, ms. */
const longestMs = 600
const everyMs = 50

/**
 * Runs `then` with the frame after the next, or once no dialog or menu lies over the page: they give the focus back when
 * they go.
 * @returns how to call it off
 */
export function whenUncovered(then: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = (left: number) => {
    if (!document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) then()
    else if (left > 0) timer = setTimeout(look, everyMs, left - everyMs)
  }
  // What `then` does between two frames costs a layout, which the next frame does anyway.
  let stopFrame = () => {}
  const stop = afterPaint(() => {
    stopFrame = withNextFrame(() => look(longestMs))
  })
  return () => {
    stop()
    stopFrame()
    clearTimeout(timer)
  }
}

import { afterPaint } from './after-paint.ts'

/** How long something that covers the page is waited for, and how often it is looked at, ms. */
const longestMs = 600
const everyMs = 50

/**
 * Runs `then` after the next frame, or once no dialog or menu lies over the page: they give the focus back when they go.
 * @returns how to call it off
 */
export function whenUncovered(then: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = (left: number) => {
    if (!document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) then()
    else if (left > 0) timer = setTimeout(look, everyMs, left - everyMs)
  }
  const stop = afterPaint(() => look(longestMs))
  return () => {
    stop()
    clearTimeout(timer)
  }
}

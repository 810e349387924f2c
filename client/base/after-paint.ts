/** Without a frame for this long, ms, what waits for one is done all the same: a page that is covered draws none. */
const frameLateMs = 60

/** Runs `then` when the next frame has been drawn; at once where none is drawn. @returns how to call it off */
export function afterPaint(then: () => void): () => void {
  if (document.hidden) {
    then()
    return () => undefined
  }
  let over = false
  const { port1, port2 } = new MessageChannel()
  const once = () => {
    port1.close()
    if (over) return
    over = true
    clearTimeout(late)
    then()
  }
  const late = setTimeout(once, frameLateMs)
  port1.onmessage = once
  // A message that is posted in a frame is heard after that frame has been drawn.
  requestAnimationFrame(() => port2.postMessage(0))
  return () => {
    over = true
    clearTimeout(late)
    port1.close()
  }
}

/** Runs `then` as the next frame begins; at once where none is drawn. @returns how to call it off */
export function withNextFrame(then: () => void): () => void {
  if (document.hidden) {
    then()
    return () => undefined
  }
  const stop = () => {
    cancelAnimationFrame(frame)
    clearTimeout(late)
  }
  const once = () => {
    stop()
    then()
  }
  const late = setTimeout(once, frameLateMs)
  const frame = requestAnimationFrame(once)
  return stop
}

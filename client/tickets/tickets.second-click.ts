/**
 * The second of two clicks on "Aceitar". The lists change below the first, and in the same place may stand the button that
 * gives the conversation back, or somebody else's conversation.
 */
export interface Press {
  x: number
  y: number
  /** When the pointer went down, as the browser says; a busy page hears of it later. ms, as of `performance.now`. */
  at: number
}

let lastPress: Press | null = null
// Nobody presses where there is no page.
if ('document' in globalThis)
  window.addEventListener('pointerdown', ({ clientX: x, clientY: y, timeStamp: at }) => (lastPress = { x, y, at }), {
    capture: true,
  })

/** When a ticket was accepted, and the press before it. */
let accepted: { at: number; press: Press | null } | null = null
/** A press so soon after a ticket was accepted, and so near to the one that did it, is the second of two; ms and px. */
const second = { ms: 500, px: 16 }

/** The last press of the pointer until now. */
export const pressNow = (): Press | null => lastPress

/** A ticket was accepted; `press` was the last one before. */
export function acceptedBy(press: Press | null): void {
  accepted = { at: performance.now(), press }
}

/** Whether what is pressed now was meant for what stood there before. */
export function isSecondClick(): boolean {
  const before = accepted?.press
  if (!accepted || !before || !lastPress || lastPress === before) return false
  return (
    lastPress.at - accepted.at < second.ms && Math.hypot(lastPress.x - before.x, lastPress.y - before.y) < second.px
  )
}

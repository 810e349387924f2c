/**
 * The second of two clicks on "Aceitar". The lists change below the first, and in the same place may stand the button that
 * gives the conversation back, or somebody else's conversation.
 */
interface Press {
  x: number
  y: number
  /** When the pointer went down, as the browser says; a busy page hears of it later. ms, as of `performance.now`. */
  at: number
}

/** A press this near to the one that accepted a ticket was meant for it, px. */
const NEAR = 16
/** So long must something have stood there before a press is meant for it, ms: nobody reads and presses more quickly. */
const READ = 500
/** So long after a ticket was accepted what stands there is looked at, ms. A busy page takes a while to show it. */
const WATCHED = 5_000
/** So long the accepting itself may take, ms. */
const ACCEPTING = 60_000

let lastPress: Press | null = null
/** The press that accepted a ticket, what stands there now, and since when, ms. */
let watched: { press: Press; there: Element | null; since: number; until: number } | null = null

const isNear = (one: Press, other: Press) => Math.hypot(one.x - other.x, one.y - other.y) < NEAR
const elementAt = ({ x, y }: Press) => document.elementFromPoint(x, y)

// Nobody presses where there is no page.
if ('document' in globalThis)
  window.addEventListener(
    'pointerdown',
    ({ clientX: x, clientY: y, timeStamp: at }) => {
      lastPress = { x, y, at }
      // Whoever has pressed elsewhere since has seen what the first press did: they may come back at once.
      if (watched && !isNear(lastPress, watched.press)) watched = null
    },
    { capture: true },
  )

/**
 * A ticket is being accepted, by the last press of the pointer or by a key after it.
 * @returns to be called once it is accepted, which takes a while on a busy machine
 */
export function accepting(): () => void {
  if (!lastPress) return () => undefined
  const since = performance.now()
  const mine = { press: lastPress, there: elementAt(lastPress), since, until: since + ACCEPTING }
  watched = mine
  const look = () => {
    if (watched !== mine || performance.now() > mine.until) return
    const there = elementAt(mine.press)
    if (there !== mine.there) Object.assign(mine, { there, since: performance.now() })
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  return () => void (mine.until = performance.now() + WATCHED)
}

/** Whether what is pressed now was meant for what stood there before. */
export function isSecondClick(): boolean {
  if (!watched || !lastPress || lastPress === watched.press) return false
  const { press, there, since, until } = watched
  if (lastPress.at > until) return false
  return elementAt(press) !== there || lastPress.at - since < READ
}

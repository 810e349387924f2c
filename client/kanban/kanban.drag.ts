/** A finger that rests this long takes the card; one that moves sooner scrolls, ms and px. */
const longPressMs = 300
const restsWithin = 10
/** A mouse that is moved this far with its button down drags, px. */
const dragsFrom = 5
/** Where the board scrolls by itself, px from its sides, and how far in each frame at most. */
const edge = 64
const fastest = 18

export interface DragHooks {
  onStart: (ticketId: number) => void
  /** The lane below the pointer, by its `data-lane`, or null beside all of them. */
  onOver: (lane: string | null) => void
  onDrop: (ticketId: number, lane: string) => void
  onCancel: () => void
}

interface Press {
  pointerId: number
  card: HTMLElement
  x: number
  y: number
  isTouch: boolean
  timer: ReturnType<typeof setTimeout> | undefined
}

interface Drag {
  pointerId: number
  ticketId: number
  card: HTMLElement
  ghost: HTMLElement
  /** Of the pointer within the card. */
  dx: number
  dy: number
  x: number
  y: number
  frame: number
}

/**
 * Lets cards (`data-card`) of a board be dragged into its lanes (`data-lane`) by mouse, pen or finger. What follows the
 * pointer is a copy outside of React: nothing is drawn again while it moves. The order within a lane is not the
 * person's to choose, so all there is to know is which lane lies below.
 * @param scroller what scrolls from lane to lane
 * @returns how to stop
 */
export function attachDrag(scroller: HTMLElement, hooks: DragHooks): () => void {
  let press: Press | null = null
  let drag: Drag | null = null
  let over: string | null = null

  const laneAt = (x: number, y: number) =>
    document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-lane]')?.dataset['lane'] ?? null

  const follow = () => {
    if (!drag) return
    const { ghost, x, y, dx, dy } = drag
    ghost.style.transform = `translate(${x - dx}px, ${y - dy}px) rotate(1.5deg)`
    const { left, right } = scroller.getBoundingClientRect()
    const near = x < left + edge ? (x - left) / edge - 1 : x > right - edge ? 1 - (right - x) / edge : 0
    if (near !== 0) scroller.scrollLeft += Math.max(-1, Math.min(1, near)) * fastest
    const lane = laneAt(x, y)
    if (lane !== over) {
      over = lane
      hooks.onOver(lane)
    }
    drag.frame = requestAnimationFrame(follow)
  }

  const begin = ({ pointerId, card, x, y }: Press) => {
    const box = card.getBoundingClientRect()
    const ghost = card.cloneNode(true) as HTMLElement
    for (const element of [ghost, ...ghost.querySelectorAll('[data-card], [id]')]) {
      element.removeAttribute('data-card')
      element.removeAttribute('id')
    }
    ghost.setAttribute('aria-hidden', 'true')
    ghost.inert = true
    Object.assign(ghost.style, {
      position: 'fixed',
      inset: '0 auto auto 0',
      width: `${box.width}px`,
      height: `${box.height}px`,
      margin: '0',
      zIndex: '60',
      pointerEvents: 'none',
      boxShadow: 'var(--shadow-overlay, 0 12px 32px rgb(0 0 0 / 25%))',
    })
    document.body.append(ghost)
    card.dataset['dragged'] = ''
    scroller.style.scrollSnapType = 'none'
    document.documentElement.style.cursor = 'grabbing'
    scroller.setPointerCapture(pointerId)
    drag = {
      pointerId,
      ticketId: Number(card.dataset['card']),
      card,
      ghost,
      dx: x - box.left,
      dy: y - box.top,
      x,
      y,
      frame: 0,
    }
    over = null
    hooks.onStart(drag.ticketId)
    follow()
  }

  const forget = () => {
    clearTimeout(press?.timer)
    press = null
  }
  const end = (dropped: boolean) => {
    if (!drag) return
    const { ticketId, card, ghost, frame, pointerId } = drag
    cancelAnimationFrame(frame)
    ghost.remove()
    delete card.dataset['dragged']
    scroller.style.scrollSnapType = ''
    document.documentElement.style.cursor = ''
    if (scroller.hasPointerCapture(pointerId)) scroller.releasePointerCapture(pointerId)
    const lane = over
    drag = null
    over = null
    hooks.onOver(null)
    if (dropped && lane !== null) hooks.onDrop(ticketId, lane)
    else hooks.onCancel()
  }

  const onDown = (event: PointerEvent) => {
    if (drag || !event.isPrimary || event.button !== 0 || !(event.target instanceof Element)) return
    const card = event.target.closest<HTMLElement>('[data-card]')
    if (!card || event.target.closest('a, button')) return
    const isTouch = event.pointerType === 'touch'
    const { pointerId, clientX: x, clientY: y } = event
    const pressed: Press = { pointerId, card, x, y, isTouch, timer: undefined }
    if (isTouch)
      pressed.timer = setTimeout(() => {
        forget()
        if (card.isConnected) begin(pressed)
      }, longPressMs)
    press = pressed
  }
  const onMove = (event: PointerEvent) => {
    if (drag?.pointerId === event.pointerId) {
      drag.x = event.clientX
      drag.y = event.clientY
      return
    }
    if (press?.pointerId !== event.pointerId) return
    const moved = Math.hypot(event.clientX - press.x, event.clientY - press.y)
    if (press.isTouch ? moved <= restsWithin : moved < dragsFrom) return
    const pressed = press
    forget()
    // A finger that moves at once scrolls.
    if (!pressed.isTouch && pressed.card.isConnected) begin(pressed)
  }
  const onUp = (event: PointerEvent) => {
    if (press?.pointerId === event.pointerId) forget()
    if (drag?.pointerId !== event.pointerId) return
    // The lane below now, which no frame may have looked at yet.
    over = laneAt(event.clientX, event.clientY)
    end(true)
  }
  const onPointerCancel = (event: PointerEvent) => {
    if (press?.pointerId === event.pointerId) forget()
    if (drag?.pointerId === event.pointerId) end(false)
  }
  const onKey = (event: KeyboardEvent) => {
    if (!drag || event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    end(false)
  }
  // While a card is held, the finger moves it and not the page; held long, it asks for no menu and selects nothing.
  const onTouchMove = (event: TouchEvent) => drag && event.cancelable && event.preventDefault()
  const onUnwanted = (event: Event) => (drag ?? press?.isTouch) && event.preventDefault()

  scroller.addEventListener('pointerdown', onDown)
  scroller.addEventListener('pointermove', onMove)
  scroller.addEventListener('pointerup', onUp)
  scroller.addEventListener('pointercancel', onPointerCancel)
  scroller.addEventListener('touchmove', onTouchMove, { passive: false })
  scroller.addEventListener('contextmenu', onUnwanted)
  scroller.addEventListener('selectstart', onUnwanted)
  scroller.addEventListener('dragstart', onUnwanted)
  window.addEventListener('keydown', onKey, true)
  return () => {
    forget()
    end(false)
    scroller.removeEventListener('pointerdown', onDown)
    scroller.removeEventListener('pointermove', onMove)
    scroller.removeEventListener('pointerup', onUp)
    scroller.removeEventListener('pointercancel', onPointerCancel)
    scroller.removeEventListener('touchmove', onTouchMove)
    scroller.removeEventListener('contextmenu', onUnwanted)
    scroller.removeEventListener('selectstart', onUnwanted)
    scroller.removeEventListener('dragstart', onUnwanted)
    window.removeEventListener('keydown', onKey, true)
  }
}

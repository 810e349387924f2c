import { cloneElement, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ReactElement } from 'react'

type Side = 'top' | 'right' | 'bottom' | 'left'

/**
 * Explains its only child on hover and focus. It is never the only name of a control:
 * icon buttons carry their own `aria-label`. The child must hand unknown props on to its element.
 */
export function Tooltip({
  content,
  side = 'bottom',
  disabled = false,
  children,
}: {
  content: string | null | undefined | false
  side?: Side
  disabled?: boolean
  children: ReactElement
}) {
  // Without a component of its own around it: lists have hundreds of these, and one is seen at a time.
  const text = disabled || !content ? undefined : content
  return cloneElement(children as ReactElement<Record<string, unknown>>, {
    'data-tip': text,
    'data-tip-side': text && side,
  })
}

/** Rests this long on a control before it is explained, ms. */
const delayMs = 400
/** Who has just read one tooltip reads the next without waiting, ms. */
const graceMs = 150
/** Between control and tooltip, and between tooltip and the window's edge, px. */
const gap = 6
const tipId = 'tooltip'

/** Shows the tooltips of the whole page. Once, around nothing. */
export function TooltipLayer() {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const bubble = useRef<HTMLDivElement>(null)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let shown: HTMLElement | null = null
    let over: HTMLElement | null = null
    let closedAt = -Infinity
    const show = (element: HTMLElement | null) => {
      clearTimeout(timer)
      if (shown && !element) closedAt = performance.now()
      shown = element
      setTarget(element)
    }
    const tipOf = (event: Event) =>
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip]') : null
    const onPointerOver = (event: PointerEvent) => {
      if (event.pointerType === 'touch') return
      const tip = tipOf(event)
      if (tip === over) return
      over = tip
      show(null)
      if (!tip) return
      timer = setTimeout(() => tip.isConnected && show(tip), performance.now() - closedAt < graceMs ? 0 : delayMs)
    }
    const onFocus = (event: FocusEvent) => {
      const tip = tipOf(event)
      // A click explains itself, and so does a control that gets the focus back from a dialog.
      if (tip?.matches(':focus-visible')) show(tip)
    }
    const hide = () => show(null)
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide()
    const listening = new AbortController()
    const { signal } = listening
    document.addEventListener('pointerover', onPointerOver, { signal })
    document.addEventListener('pointerdown', hide, { capture: true, signal })
    document.addEventListener('focusin', onFocus, { signal })
    document.addEventListener('focusout', hide, { signal })
    document.addEventListener('keydown', onKey, { capture: true, signal })
    document.addEventListener('scroll', hide, { capture: true, signal })
    return () => {
      clearTimeout(timer)
      listening.abort()
    }
  }, [])

  // A control that goes away with its screen, or has nothing to say any more, tells nobody that it loses the focus or the pointer.
  useEffect(() => {
    if (!target) return
    const gone = new MutationObserver(() => {
      if (!target.isConnected || !target.dataset['tip']) setTarget(null)
    })
    gone.observe(document.body, { childList: true, subtree: true, attributeFilter: ['data-tip'] })
    return () => gone.disconnect()
  }, [target])

  useLayoutEffect(() => {
    const element = bubble.current
    if (!target || !element) return
    const { left, top } = place(
      target.getBoundingClientRect(),
      element.getBoundingClientRect(),
      target.dataset['tipSide'],
    )
    element.style.left = `${left}px`
    element.style.top = `${top}px`
    // What is the control's name already is not said twice.
    if (target.hasAttribute('aria-describedby') || target.getAttribute('aria-label') === target.dataset['tip']) return
    target.setAttribute('aria-describedby', tipId)
    return () => target.removeAttribute('aria-describedby')
  }, [target])

  if (!target) return null
  return (
    <div
      ref={bubble}
      id={tipId}
      role="tooltip"
      className="pointer-events-none fixed top-0 left-0 z-60 w-max max-w-64 wrap-anywhere whitespace-pre-line animate-in rounded-md bg-foreground px-2 py-1 text-xs text-background shadow-overlay duration-100 fade-in-0 select-none"
    >
      {target.dataset['tip']}
    </div>
  )
}

/** Where the tooltip goes: at its side of the control, at the other where there is no room, always within the window. */
function place(of: DOMRect, own: DOMRect, side: string | undefined): { left: number; top: number } {
  const middle = { left: of.left + (of.width - own.width) / 2, top: of.top + (of.height - own.height) / 2 }
  const below = of.bottom + gap
  const above = of.top - gap - own.height
  const right = of.right + gap
  const left = of.left - gap - own.width
  const wanted =
    side === 'right' || side === 'left'
      ? {
          top: middle.top,
          left: side === 'right' ? (right + own.width > innerWidth ? left : right) : left < 0 ? right : left,
        }
      : {
          left: middle.left,
          top: side === 'top' ? (above < 0 ? below : above) : below + own.height > innerHeight ? above : below,
        }
  const within = (value: number, size: number, room: number) => Math.max(gap, Math.min(value, room - size - gap))
  return { left: within(wanted.left, own.width, innerWidth), top: within(wanted.top, own.height, innerHeight) }
}

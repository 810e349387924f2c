import { useRef, useState } from 'react'
import type { PointerEvent } from 'react'

/** So far a finger goes for it to be meant, px. */
const meantFrom = 88
/** So far it goes sideways before the row follows, px: a finger that scrolls is never quite straight. */
const beginsAt = 12

export type SwipeSide = 'right' | 'left'

/**
 * A row that a finger can push to a side, to do what is offered there. The row follows the finger without being drawn
 * again; a device that can hums when letting go will do it.
 */
export function useSwipe(offered: Partial<Record<SwipeSide, () => void>>) {
  const start = useRef<{ x: number; y: number; row: HTMLElement } | null>(null)
  const moved = useRef(0)
  const [side, setSide] = useState<SwipeSide | null>(null)
  const any = offered.left !== undefined || offered.right !== undefined
  const end = (isMeant: boolean) => {
    const row = start.current?.row
    const by = moved.current
    start.current = null
    moved.current = 0
    if (row) {
      row.style.transition = 'transform 120ms ease-out'
      row.style.transform = ''
    }
    if (side === null) return
    setSide(null)
    if (isMeant && Math.abs(by) >= meantFrom) offered[side]?.()
  }
  return {
    side,
    handlers: any && {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.pointerType !== 'touch') return
        start.current = { x: event.clientX, y: event.clientY, row: event.currentTarget }
        moved.current = 0
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const from = start.current
        if (!from) return
        const by = event.clientX - from.x
        const towards: SwipeSide = by > 0 ? 'right' : 'left'
        if (side === null) {
          if (Math.abs(event.clientY - from.y) > beginsAt) start.current = null
          else if (Math.abs(by) > beginsAt && offered[towards]) {
            setSide(towards)
            from.row.setPointerCapture(event.pointerId)
          }
          return
        }
        const along = side === 'right' ? Math.max(0, by) : Math.min(0, by)
        const before = Math.abs(moved.current) >= meantFrom
        moved.current = along
        if (!before && Math.abs(along) >= meantFrom) navigator.vibrate?.(12)
        from.row.style.transition = 'none'
        from.row.style.transform = `translateX(${along}px)`
      },
      onPointerUp: () => end(true),
      onPointerCancel: () => end(false),
      // What was pushed aside is not opened as well.
      onClickCapture: (event: { stopPropagation(): void; preventDefault(): void }) => {
        if (side === null) return
        event.preventDefault()
        event.stopPropagation()
      },
    },
  }
}

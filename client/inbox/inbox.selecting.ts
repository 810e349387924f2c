import type { MouseEvent, PointerEvent } from 'react'
import { allOf, keptOf, rangedTo, toggled } from '../tickets/tickets.choosing.ts'
import { selection } from '../tickets/tickets.selection.ts'

/** A finger that rests so long on a row chooses it, ms. */
const pressMs = 450
/** It scrolls when it moves further than this, px. */
const restsWithin = 10

/** The ticket of the row that an event is about; null where it is not the row itself but a button on it. */
const rowAt = ({ target }: { target: EventTarget }): number | null => {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-item]') : null
  return row ? Number(row.dataset['item']) : null
}

interface Press {
  x: number
  y: number
  timer: ReturnType<typeof setTimeout>
  isDone: boolean
}

/** @param latest ids of the list, as it shows them at the moment */
export function choosingIn(latest: { readonly current: readonly number[] }) {
  let press: Press | null = null
  const isSelecting = () => selection.get().ids.size > 0
  const toggle = (id: number) => selection.set((now) => toggled(now, id))
  const rangeTo = (id: number) => selection.set((now) => rangedTo(now, latest.current, id))
  const endPress = () => {
    if (press && !press.isDone) clearTimeout(press.timer)
  }
  return {
    toggle,
    rangeTo,
    all: () => selection.set(allOf(latest.current)),
    /** What the list has no longer is chosen no longer. */
    keep: () => {
      const there = new Set(latest.current)
      selection.set((now) => keptOf(now, (id) => there.has(id)))
    },
    handlers: {
      onClickCapture: (event: MouseEvent) => {
        const pressed = press?.isDone === true
        press = null
        const id = rowAt(event)
        const isMany = event.shiftKey || event.ctrlKey || event.metaKey
        if (!pressed && (id === null || (!isSelecting() && !isMany))) return
        event.preventDefault()
        event.stopPropagation()
        // The finger that chose it lets go.
        if (pressed || id === null) return
        if (event.shiftKey) rangeTo(id)
        else toggle(id)
      },
      // A range of rows is no range of letters.
      onMouseDownCapture: (event: MouseEvent) => {
        if (event.shiftKey && rowAt(event) !== null) getSelection()?.removeAllRanges()
      },
      onPointerDownCapture: (event: PointerEvent) => {
        endPress()
        press = null
        const id = rowAt(event)
        if (event.pointerType !== 'touch' || id === null) return
        const timer = setTimeout(() => {
          if (!press) return
          press.isDone = true
          navigator.vibrate?.(12)
          toggle(id)
        }, pressMs)
        press = { x: event.clientX, y: event.clientY, timer, isDone: false }
      },
      onPointerMoveCapture: (event: PointerEvent) => {
        const from = press
        if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > restsWithin) endPress()
      },
      onPointerUpCapture: endPress,
      onPointerCancelCapture: endPress,
      // The browser's own menu is not what the finger rested for.
      onContextMenu: (event: MouseEvent) => {
        if (press) event.preventDefault()
      },
    },
  }
}
export type Choosing = ReturnType<typeof choosingIn>

import { useEffect, useRef } from 'react'
import type { MouseEvent, PointerEvent } from 'react'
import { useStore } from '../base/store.ts'
import {
  allOf,
  clearSelection,
  keptOf,
  noSelection,
  rangedTo,
  selection,
  toggled,
} from '../tickets/tickets.selection.ts'

/** A finger that rests so long on a row chooses it, ms. */
const pressMs = 450
/** It scrolls when it moves further than this, px. */
const restsWithin = 10

/** The ticket of the row that an event is about; null where it is not the row itself but a button on it. */
const rowAt = ({ target }: { target: EventTarget }): number | null => {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-item]') : null
  return row ? Number(row.dataset['item']) : null
}

/**
 * Choosing several tickets of a list: with Ctrl or Shift and the pointer, with a finger that rests on a row, and from then on
 * with each click, until the choice is given up. What the rows do otherwise is left to them.
 * @param order ids of the list, as it shows them
 * @param isOffered whether the person may do anything with several at once
 * @param isWhole whether `order` is all that the list has: what it has no longer is then chosen no longer
 */
export function useSelecting(order: readonly number[], isOffered: boolean, isWhole: boolean) {
  const current = useStore(selection)
  const chosen = isOffered ? current : noSelection
  const latest = useRef(order)
  const press = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout>; isDone: boolean } | null>(null)
  const isSelecting = chosen.ids.size > 0
  useEffect(() => {
    latest.current = order
    if (!isSelecting || (!isWhole && order.length > 0)) return
    const there = new Set(order)
    selection.set((now) => keptOf(now, (id) => there.has(id)))
  }, [order, isWhole, isSelecting])
  // It is of this list and of no other.
  useEffect(() => {
    clearSelection()
    return clearSelection
  }, [])
  const toggle = (id: number) => selection.set((now) => toggled(now, id))
  const rangeTo = (id: number) => selection.set((now) => rangedTo(now, latest.current, id))
  const endPress = () => {
    if (press.current && !press.current.isDone) clearTimeout(press.current.timer)
  }
  return {
    chosen: chosen.ids,
    isSelecting,
    toggle,
    rangeTo,
    all: () => selection.set(allOf(latest.current)),
    handlers: isOffered && {
      onClickCapture: (event: MouseEvent) => {
        const pressed = press.current?.isDone === true
        press.current = null
        const id = rowAt(event)
        const isMany = event.shiftKey || event.ctrlKey || event.metaKey
        if (!pressed && (id === null || (!isSelecting && !isMany))) return
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
        press.current = null
        const id = rowAt(event)
        if (event.pointerType !== 'touch' || id === null) return
        const timer = setTimeout(() => {
          if (!press.current) return
          press.current.isDone = true
          navigator.vibrate?.(12)
          toggle(id)
        }, pressMs)
        press.current = { x: event.clientX, y: event.clientY, timer, isDone: false }
      },
      onPointerMoveCapture: (event: PointerEvent) => {
        const from = press.current
        if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > restsWithin) endPress()
      },
      onPointerUpCapture: endPress,
      onPointerCancelCapture: endPress,
      // The browser's own menu is not what the finger rested for.
      onContextMenu: (event: MouseEvent) => {
        if (press.current) event.preventDefault()
      },
    },
  }
}

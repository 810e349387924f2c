import { useState, useSyncExternalStore } from 'react'

/** So long after the pointer moved or pressed in the list its rows keep their places, ms. */
const stillMs = 500

/** Rows that stand still, and which of them are no longer in the list. */
export interface Still<Row> {
  rows: readonly Row[]
  gone: ReadonlySet<number>
}

const none: ReadonlySet<number> = new Set()

/**
 * `next` in the places of `shown`: rows show what is new of them, those that left stay as they were, those that came wait.
 * Null where nothing would move: the rows of `shown` stand first in `next`, in their order.
 */
export function inPlace<Row extends { id: number }>(shown: readonly Row[], next: readonly Row[]): Still<Row> | null {
  if (shown.every(({ id }, at) => next[at]?.id === id)) return null
  const now = new Map(next.map((row) => [row.id, row]))
  return {
    rows: shown.map((row) => now.get(row.id) ?? row),
    gone: new Set(shown.filter(({ id }) => !now.has(id)).map(({ id }) => id)),
  }
}

/**
 * A list whose rows hold still while somebody points at them: what slid under the pointer would be clicked in the place
 * of what was meant. Whatever moved meanwhile moves when the pointer has been at rest for a moment.
 * @returns `pointed` for the list's pointer events
 */
export function useStill<Row extends { id: number }>(
  next: readonly Row[] | undefined,
): { rows: readonly Row[] | undefined; gone: ReadonlySet<number>; pointed: () => void } {
  const [pointer] = useState(createPointer)
  const busy = useSyncExternalStore(pointer.subscribe, pointer.busy)
  const [shown, setShown] = useState(next)
  const still = busy && shown && next && shown !== next ? inPlace(shown, next) : null
  if (!still && shown !== next) setShown(next)
  return { rows: still?.rows ?? next, gone: still?.gone ?? none, pointed: pointer.pointed }
}

/** Whether the pointer was used a moment ago. Only its coming to rest is told: nothing has to be drawn when it sets out. */
function createPointer() {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    busy: () => timer !== undefined,
    pointed: () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        timer = undefined
        for (const listener of [...listeners]) listener()
      }, stillMs)
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

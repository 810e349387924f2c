import { useEffect, useRef } from 'react'
import { isFocusLost } from '../base/focus-lost.ts'
import { session } from '../session/session-store.ts'
import { createStore, useStore } from '../base/store.ts'
import type { TicketRow } from './tickets.rows.ts'

/**
 * Where the keyboard goes on in the list:
 * - `at`: on this ticket's row; where the list does not show it, on the row that Tab reaches
 * - `list`: on the row that Tab reaches, unless the keyboard has gone elsewhere since
 * - `coming`: on this ticket's row as soon as the list shows it
 * - `leaving`: on the row that takes the place of this ticket's, once that has gone and the conversation is closed
 */
export type WantedRow =
  | { to: 'at' | 'coming'; id: number }
  | { to: 'list' }
  | {
      to: 'leaving'
      id: number
      uuid: string
      /** Until its row is another one it has not moved; null where the list does not follow it. */
      was: Pick<TicketRow, 'status' | 'userId' | 'queueId'> | null
    }

/** Whoever has begun something else after so long is left alone, ms. */
const wantedMs = 5000

/** `from`: where the keyboard was. */
const wantedRow = createStore<(WantedRow & { at: number; from: Element | null }) | null>(null)
session.onEnd(() => wantedRow.set(null))

/** Has the list that is shown take the keyboard to a row, unless the keyboard is somewhere by then. */
export const wantRow = (wanted: WantedRow): void =>
  wantedRow.set({ ...wanted, at: performance.now(), from: document.activeElement })

/** Of those that left a list, so many are remembered. */
const mostLeft = 50

/** Which of `now` stands where `left` stood in `before`: the next one that is still there, else the one before it. */
export function successor(before: readonly number[], now: ReadonlySet<number>, left: number): number | null {
  const at = before.indexOf(left)
  const is = (id: number) => id !== left && now.has(id)
  return before.slice(at + 1).find(is) ?? before.slice(0, Math.max(at, 0)).findLast(is) ?? null
}

/**
 * Follows {@link wantRow} in one list, and takes the keyboard on where its row left the list by itself: a colleague took
 * the ticket.
 * @param rows as the list shows them; undefined while it loads, and while it shows what it had some time ago
 * @param region holds the rows; the keyboard may be taken from there
 * @param held the ticket whose row the keyboard is at; null while it is elsewhere
 * @param go takes the keyboard to a row, or only says which one Tab reaches; null where none is left
 */
export function useRowFocus(
  rows: readonly TicketRow[] | undefined,
  selectedUuid: string | null,
  region: { current: HTMLElement | null },
  held: { readonly current: number | null },
  go: { readonly current: (id: number | null, focus: boolean) => void },
): void {
  const wanted = useStore(wantedRow)
  const shown = useRef<readonly number[]>([])
  const heirs = useRef(new Map<number, number | null>())
  useEffect(() => {
    if (!rows) return
    const ids = new Set(rows.map(({ id }) => id))
    for (const id of shown.current) {
      heirs.current.delete(id)
      if (!ids.has(id)) heirs.current.set(id, successor(shown.current, ids, id))
    }
    for (const id of [...heirs.current.keys()].slice(0, -mostLeft)) heirs.current.delete(id)
    shown.current = [...ids]
    const heirOf = (id: number) => {
      let heir = heirs.current.get(id) ?? null
      // What stood there may have left meanwhile, too.
      for (let steps = 0; heir !== null && !ids.has(heir) && steps < mostLeft; steps++)
        heir = heirs.current.get(heir) ?? null
      return heir
    }
    if (!wanted) {
      const left = held.current
      if (left !== null && !ids.has(left) && isFocusLost()) go.current(heirOf(left), true)
      return
    }
    const own = 'id' in wanted ? rows.find(({ id }) => id === wanted.id) : undefined
    if (wanted.to === 'coming' && !own) return
    if (wanted.to === 'leaving') {
      const { uuid, was } = wanted
      if (uuid === selectedUuid) return
      if (was && own?.status === was.status && own.userId === was.userId && own.queueId === was.queueId) return
    }
    let heir: number | null = own?.id ?? null
    if (wanted.to === 'leaving' && !own) heir = heirOf(wanted.id)
    const isLate = performance.now() - wanted.at > wantedMs
    const { activeElement } = document
    const isLeft = wanted.to === 'list' && activeElement === wanted.from
    const isFree = isLeft || isFocusLost() || region.current?.contains(activeElement) === true
    wantedRow.set(null)
    go.current(heir, isFree && !isLate)
  }, [rows, wanted, selectedUuid, region, held, go])
}

import { useEffect, useRef, useState } from 'react'
import { patient } from '../../sync/client/repeatable.ts'
import { afterFirstScreen } from '../base/late.tsx'
import { useStore } from '../base/store.ts'
import { clearSelection, noSelection, selection } from '../tickets/tickets.selection.ts'
import type { Choosing } from './inbox.selecting.ts'

/** Nobody chooses before the first screen is there, and it does not wait for this. */
const choosing = patient(() => import('./inbox.selecting.ts'))

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
  const [own, setOwn] = useState<Choosing | null>(null)
  const isSelecting = chosen.ids.size > 0
  useEffect(() => {
    let isLeft = false
    if (isOffered)
      void afterFirstScreen.then(choosing).then(({ choosingIn }) => {
        if (!isLeft) setOwn(choosingIn(latest))
      })
    return () => {
      isLeft = true
    }
  }, [isOffered])
  useEffect(() => {
    latest.current = order
    if (isSelecting && (isWhole || order.length === 0)) own?.keep()
  }, [order, isWhole, isSelecting, own])
  // It is of this list and of no other.
  useEffect(() => {
    clearSelection()
    return clearSelection
  }, [])
  return { chosen: chosen.ids, isSelecting, own: isOffered ? own : null }
}

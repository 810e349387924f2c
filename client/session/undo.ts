import { UNDO_MS } from '../../schema/undo.ts'
import { session } from './session-store.ts'
import { createStore } from '../base/store.ts'

/** Something that was done a moment ago and can be taken back. */
export interface Offer {
  id: number
  text: string
  undo: () => void
}

/** The latest first. */
export const offers = createStore<readonly Offer[]>([])
session.onEnd(() => offers.set([]))

let next = 1

/**
 * Says that something was done and offers to take it back, in this very frame. @returns how to say that it was not done
 * after all, or not by us
 */
export function offerUndo(text: string, undo: () => void): () => void {
  const id = next++
  const withdraw = () => {
    clearTimeout(timer)
    offers.set((all) => all.filter((offer) => offer.id !== id))
  }
  const timer = setTimeout(withdraw, UNDO_MS)
  const offer = {
    id,
    text,
    undo: () => {
      withdraw()
      undo()
    },
  }
  // More than three in ten seconds are read by nobody; the keys take back one after the other all the same.
  offers.set((all) => [offer, ...all])
  return withdraw
}

import { createStore } from '../base/store.ts'
import { session } from '../session/session-store.ts'

/** The tickets of a list that something is to be done with, all at once. */
export interface Selection {
  ids: ReadonlySet<number>
  /** Where a range begins: the one that was chosen last. */
  anchor: number | null
}

export const noSelection: Selection = { ids: new Set(), anchor: null }

/** Of the list that is shown. Nothing of it is seen until somebody chooses the first one. */
export const selection = createStore<Selection>(noSelection)
export const clearSelection = (): void => selection.set(noSelection)
session.onEnd(clearSelection)

import { createStore } from '../base/store.ts'
import { session } from '../session/session-store.ts'

/** The id of the view that the list of tickets shows in place of its tabs. */
export const openView = createStore<string | null>(null)
session.onEnd(() => openView.set(null))

import { createStore } from '../base/store.ts'
import { session } from '../session/session-store.ts'

/** A macro that somebody is about to run in a ticket; without one, they are about to choose it. */
export interface WantedMacro {
  ticketId: number
  macroId: number | null
}
export const wantedMacro = createStore<WantedMacro | null>(null)
session.onEnd(() => wantedMacro.set(null))

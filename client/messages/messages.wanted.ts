import { session } from '../app/session-store.ts'
import { createStore } from '../app/store.ts'

/** A message at which its conversation is to open, such as one that a search found. */
export const wantedMessage = createStore<{ ticketId: number; messageId: string } | null>(null)
session.onEnd(() => wantedMessage.set(null))

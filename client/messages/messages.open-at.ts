import { session } from '../session/session-store.ts'
import { createStore } from '../base/store.ts'

interface Place {
  ticketId: number
  messageId: string
}

/** A message at which its conversation is to open, such as one that a search found. */
export const wantedMessage = createStore<Place | null>(null)

/** What was looked for, and the message in which it is to be marked. */
export const sought = createStore<(Place & { text: string }) | null>(null)

/** Has the conversation open at a message; `text` is marked in it. */
export function openAt({ ticketId, messageId }: Place, text: string | null = null): void {
  wantedMessage.set({ ticketId, messageId })
  sought.set(text === null ? null : { ticketId, messageId, text })
}

session.onEnd(() => {
  wantedMessage.set(null)
  sought.set(null)
})

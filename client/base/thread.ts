import type { OutboxEntry } from '../../sync/client/replica.types.ts'

// What the conversations with contacts and the chats of colleagues have in common.

/** What the outbox still has to do with a message of ours. */
export interface Delivery {
  state: 'queued' | 'sending' | 'failed'
  /** Null in the first instant, before the outbox has it. */
  entryId: string | null
  error: OutboxEntry['error']
}

/** Null when nothing waits, or when the server has taken it. */
export function deliveryOf(entry: OutboxEntry | undefined): Delivery | null {
  return !entry || entry.state === 'sent' ? null : { state: entry.state, entryId: entry.id, error: entry.error }
}

/** Messages of one person within this time stand together. */
const groupMs = 5 * 60_000

/** Whether a message follows the one before so soon that both stand together, if one person wrote them. */
export const followsSoon = (before: { createdAt: number }, row: { createdAt: number }): boolean =>
  row.createdAt - before.createdAt <= groupMs

/** The midnight before, in the zone of the machine. */
export function dayOf(ms: number): number {
  const date = new Date(ms)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

import type { CommandInput } from '../../schema/catalog.ts'
import type { OutboxEntry } from '../../sync/client/replica.types.ts'
import { dayOf, deliveryOf, followsSoon, type Delivery } from '../base/thread.ts'
import type { ChatMessageRow } from './chats.rows.ts'

export interface ChatEntry {
  row: ChatMessageRow
  delivery: Delivery | null
  /** The midnight before it, on the first message of a day. */
  day: number | null
  /** First of several by the same person: carries the name. */
  first: boolean
  /** Last of them: carries the tail. */
  last: boolean
}

const isOlder = (a: ChatMessageRow, b: ChatMessageRow) =>
  a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id)

/**
 * What is known of a chat, oldest first: the window on the replica, and before it what was fetched from the server or
 * has been in the window. What is inside the window and no longer in its rows is gone.
 */
export function knownMessages(
  window: readonly ChatMessageRow[],
  before: readonly ChatMessageRow[],
): readonly ChatMessageRow[] {
  const [oldest] = window
  const further = oldest ? before.filter((row) => isOlder(row, oldest)) : before
  const byId = new Map([...further, ...window].map((row) => [row.id, row]))
  return [...byId.values()].sort((a, b) => (isOlder(a, b) ? -1 : 1))
}

/**
 * The conversation as it is drawn. What the server has not taken yet stands last, in the order in which it was
 * written; what it has refused stays there with its reason, though it has no row.
 */
export function chatEntries(
  known: readonly ChatMessageRow[],
  outbox: readonly OutboxEntry[],
  chatId: number,
  userId: number,
): ChatEntry[] {
  const waiting = new Map<string, OutboxEntry>()
  for (const entry of outbox) {
    if (entry.name !== 'chats.send') continue
    const input = entry.input as CommandInput<'chats.send'>
    if (input.chatId === chatId) waiting.set(input.id, entry)
  }
  const rows = new Map(known.map((row) => [row.id, row]))
  const settled = known.filter((row) => !waiting.has(row.id))
  const unsettled = [...waiting].map(([id, { input, createdAt }]) => {
    const { message } = input as CommandInput<'chats.send'>
    return rows.get(id) ?? { id, chatId, senderId: userId, message, createdAt }
  })
  const entries: ChatEntry[] = []
  for (const row of [...settled, ...unsettled]) {
    const before = entries.at(-1)
    const day = dayOf(row.createdAt)
    const newDay = before === undefined || day !== dayOf(before.row.createdAt)
    const first = newDay || before.row.senderId !== row.senderId || !followsSoon(before.row, row)
    if (!first) before.last = false
    entries.push({ row, delivery: deliveryOf(waiting.get(row.id)), day: newDay ? day : null, first, last: true })
  }
  return entries
}

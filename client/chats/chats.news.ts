import type { ChatRow } from './chats.rows.ts'

type Listed = Pick<ChatRow, 'id' | 'uuid' | 'unreads'>

/** How many unread messages of each chat have been heard of, by id. */
export type Seen = ReadonlyMap<number, number>

export const seenOf = (chats: readonly Listed[]): Seen => new Map(chats.map(({ id, unreads }) => [id, unreads]))

/**
 * Chats in which colleagues have written since.
 *
 * @param inSight uuid of the chat that somebody is looking at: it needs no bell
 */
export const newsSince = <T extends Listed>(seen: Seen, chats: readonly T[], inSight: string | null): T[] =>
  chats.filter(({ id, uuid, unreads }) => uuid !== inSight && unreads > (seen.get(id) ?? 0))

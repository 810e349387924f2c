import type { ChatRow } from './chats.rows.ts'

type Told = Pick<ChatRow, 'id' | 'uuid' | 'unreads'>

/** How many unread messages of each chat have been heard of, by id. */
export type Heard = ReadonlyMap<number, number>

export const heardOf = (chats: readonly Told[]): Heard => new Map(chats.map(({ id, unreads }) => [id, unreads]))

/**
 * Chats in which colleagues have written since.
 *
 * @param inSight uuid of the chat that somebody is looking at: it needs no bell
 */
export const newsSince = <T extends Told>(heard: Heard, chats: readonly T[], inSight: string | null): T[] =>
  chats.filter(({ id, uuid, unreads }) => uuid !== inSight && unreads > (heard.get(id) ?? 0))

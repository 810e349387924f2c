import type { ServerDecision } from '../command.ts'

/** A tag goes, and is taken off its tickets, however many they are. */
export const deleteTag = (tagId: number): ServerDecision => ({
  rows: [
    {
      table: 'tickets',
      op: 'update',
      where: { column: 'tagIds', in: [tagId] },
      values: { tagIds: { without: tagId } },
    },
    { table: 'tags', op: 'delete', ids: [tagId] },
  ],
  effects: [],
})

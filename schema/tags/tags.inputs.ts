import { type Static, Type } from '@sinclair/typebox'
import { hexColor, nullable, patterned, requiring, rowId } from '../inputs.ts'

/** All that people write of a tag. */
export const tagInput = Type.Object({
  /** At least 3 characters that can be seen. */
  name: patterned({ minLength: 3, maxLength: 60, pattern: '\\S.*\\S.*\\S' }),
  color: hexColor,
  /** 1 for a column of the kanban board. */
  kanban: Type.Integer({ minimum: 0, maximum: 1 }),
  /** The place of that column; null: after the others, by name. */
  laneOrder: nullable(Type.Integer({ minimum: 1, maximum: 999 })),
  /** How many cards are meant to be in it; null: as many as there are. */
  laneLimit: nullable(Type.Integer({ minimum: 1, maximum: 9_999 })),
})
export type TagInput = Static<typeof tagInput>

export const newTag = requiring(tagInput, ['name'])
export const changedTag = requiring(tagInput, [])

/** All tags of a ticket; other clients of this family send tags whole. */
export const ticketTags = Type.Object({
  ticketId: rowId,
  tags: Type.Array(Type.Union([rowId, Type.Object({ id: rowId })]), { maxItems: 50 }),
})

import { type Static, Type } from '@sinclair/typebox'
import { fieldTest } from '../custom-fields/custom-fields.inputs.ts'
import { personName, requiring, rowId } from '../inputs.ts'

/** For rules and form. */
export const segmentBounds = { leastDays: 1, mostDays: 3_650, said: 100, rules: 20 } as const

const days = Type.Integer({ minimum: segmentBounds.leastDays, maximum: segmentBounds.mostDays })
const said = Type.String({ minLength: 1, maxLength: segmentBounds.said })

/** What contacts of a segment have in common. */
export const segmentRule = Type.Union([
  /** Has a ticket with the tag. */
  Type.Object({ kind: Type.Literal('tag'), tagId: rowId }),
  /** The last sign of life is at most (`within`) or at least (`before`) so many days ago. */
  Type.Object({
    kind: Type.Literal('lastContact'),
    when: Type.Union([Type.Literal('within'), Type.Literal('before')]),
    days,
  }),
  /** Got a campaign within so many days, or did not. */
  Type.Object({
    kind: Type.Literal('lastCampaign'),
    when: Type.Union([Type.Literal('within'), Type.Literal('before')]),
    days,
  }),
  /** Has a ticket in the queue. */
  Type.Object({ kind: Type.Literal('queue'), queueId: rowId }),
  /** An extra field of the contact has this value. */
  Type.Object({ kind: Type.Literal('field'), name: said, value: said }),
  /** A field of the company's own. */
  Type.Object({ kind: Type.Literal('ownField'), test: fieldTest }),
  /** Stands on the list. */
  Type.Object({ kind: Type.Literal('list'), contactListId: rowId }),
])
export type SegmentRule = Static<typeof segmentRule>

export const segmentInput = Type.Object({
  name: personName,
  match: Type.Union([Type.Literal('all'), Type.Literal('any')]),
  rules: Type.Array(segmentRule, { minItems: 1, maxItems: segmentBounds.rules }),
})
/** What the form itself checks; its rules are whole or not. */
export const segmentName = Type.Object({ name: segmentInput.properties.name })
export type SegmentInput = Static<typeof segmentInput>
export const countedSegment = Type.Omit(segmentInput, ['name'])
export const newSegment = segmentInput
export const changedSegment = requiring(segmentInput, [])

import { type Static, Type } from '@sinclair/typebox'
import { fieldBounds } from '../custom-fields/custom-fields.values.ts'
import { patterned, rowId } from '../inputs.ts'
import { noteText } from '../notes/notes.inputs.ts'
import { snoozeChoices } from '../tickets/tickets.snooze-choices.ts'

/** What macros do with a ticket, and rules after something happened to one. */

/** So many one after the other. */
export const mostActions = 10
/** For form and rules. */
export const actionBounds = { body: 4_000, note: 10_000 } as const
/** Tags that one action puts on, or takes off. */
const mostTags = 50

const tagIds = Type.Array(rowId, { maxItems: mostTags, uniqueItems: true })

/** A text to the contact; what stands in double braces is filled in when it is said. */
export const actionBody = patterned({ minLength: 1, maxLength: actionBounds.body, pattern: '\\S' })

const said = { additionalProperties: false } as const

/** One thing that is done with a ticket. */
export const ticketAction = Type.Union([
  Type.Object({ type: Type.Literal('message'), body: actionBody }, said),
  Type.Object({ type: Type.Literal('note'), note: noteText }, said),
  Type.Object({ type: Type.Literal('tag'), add: tagIds, remove: tagIds }, said),
  Type.Object({ type: Type.Literal('queue'), queueId: rowId }, said),
  /** To a person, or to whoever does it. */
  Type.Object({ type: Type.Literal('assign'), to: Type.Union([rowId, Type.Literal('me')]) }, said),
  Type.Object(
    {
      type: Type.Literal('field'),
      fieldId: rowId,
      /** Null empties it. */
      value: Type.Union([
        ...[Type.Null(), Type.Boolean(), Type.Number()],
        Type.String({ maxLength: 2 * fieldBounds.text }),
      ]),
    },
    said,
  ),
  /** Puts it aside until then. */
  Type.Object(
    { type: Type.Literal('snooze'), until: Type.Union(snoozeChoices.map((choice) => Type.Literal(choice))) },
    said,
  ),
  /** Leaves the contact to a flow, from its beginning; who had the ticket in hand gives it back. */
  Type.Object({ type: Type.Literal('flow'), flowId: rowId }, said),
  Type.Object({ type: Type.Literal('unread') }, said),
  Type.Object({ type: Type.Literal('resolve') }, said),
])
export type TicketAction = Static<typeof ticketAction>

/** What a rule does: all of it, and it tells one of the company's webhooks. */
export const ruleAction = Type.Union([
  ...ticketAction.anyOf,
  Type.Object({ type: Type.Literal('webhook'), webhookId: rowId }, said),
])
export type RuleAction = Static<typeof ruleAction>

export type ActionType = RuleAction['type']
export type ActionOf<T extends ActionType> = Extract<RuleAction, { type: T }>

/** Several, in the order in which they are done. */
export const ticketActions = Type.Array(ticketAction, { minItems: 1, maxItems: mostActions })

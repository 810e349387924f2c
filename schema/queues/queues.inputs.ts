import { type Static, Type } from '@sinclair/typebox'
import { weekHours } from '../hours/hours.inputs.ts'
import { assignmentRules, leavings } from './queues.table.ts'
import { hexColor, longText, nullable, optionalRowId, personName, requiring } from '../inputs.ts'

/** All that people write of a queue. */
export const queueInput = Type.Object({
  name: personName,
  color: hexColor,
  /** Position in the menu that contacts see; lower first, null last. */
  orderQueue: nullable(Type.Integer({ minimum: 0, maximum: 10_000 })),
  greetingMessage: longText,
  outOfHoursMessage: longText,
  schedules: weekHours,
  /** Who answers in it while nobody else does: an assistant, or a bot elsewhere. */
  promptId: optionalRowId,
  /** How its waiting tickets come to its people. */
  assignment: Type.Union(assignmentRules.map((rule) => Type.Literal(rule))),
  lastAgentFirst: Type.Boolean(),
  whenAway: Type.Union(leavings.map((one) => Type.Literal(one))),
  integrationId: optionalRowId,
})
export type QueueInput = Static<typeof queueInput>

export const newQueue = requiring(queueInput, ['name', 'color'])
export const changedQueue = requiring(queueInput, [])

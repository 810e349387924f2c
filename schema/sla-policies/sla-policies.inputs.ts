import { type Static, Type } from '@sinclair/typebox'
import { fieldTest } from '../custom-fields/custom-fields.inputs.ts'
import { moment, nullable, personName, requiring, rowId } from '../inputs.ts'
import { slaCalendars } from './sla-policies.table.ts'

/** For rules and form. `mostMinutes` are thirty days. */
export const slaBounds = { mostMinutes: 43_200, mostPolicies: 50, mostChosen: 100, leastWarning: 1, said: 100 } as const

const minutes = nullable(Type.Integer({ minimum: 1, maximum: slaBounds.mostMinutes }))
const chosen = Type.Array(rowId, { maxItems: slaBounds.mostChosen, uniqueItems: true })
const said = Type.String({ minLength: 1, maxLength: slaBounds.said })

/** All that people write of a policy. */
export const slaPolicyInput = Type.Object({
  name: personName,
  /** Its place among the others, from 1; a new one stands last. */
  position: Type.Integer({ minimum: 1, maximum: slaBounds.mostPolicies }),
  active: Type.Boolean(),
  queueIds: chosen,
  tagIds: chosen,
  contactField: nullable(Type.Union([Type.Object({ name: said, value: said }), fieldTest])),
  firstAnswer: minutes,
  nextAnswer: minutes,
  resolution: minutes,
  calendar: Type.Union(slaCalendars.map((one) => Type.Literal(one))),
  /** Percent; 100: nobody is warned. */
  warnAt: Type.Integer({ minimum: slaBounds.leastWarning, maximum: 100 }),
  escalate: Type.Object({ userIds: chosen, queueId: nullable(rowId) }),
})
export type SlaPolicyInput = Static<typeof slaPolicyInput>

export const newSlaPolicy = requiring(slaPolicyInput, ['name'])
export const changedSlaPolicy = requiring(slaPolicyInput, [])
/** What its form holds; what is asked of the contact is looked at apart. */
export const slaPolicyForm = Type.Omit(slaPolicyInput, ['position', 'contactField'])
/** When a service would begin. */
export const triedSlaPolicy = Type.Object({ startedAt: moment })

import { type Static, Type } from '@sinclair/typebox'
import { patterned, requiring } from '../inputs.ts'
import { planFeatures } from './plans.features.ts'

const count = Type.Integer({ minimum: 0, maximum: 100_000 })
/** Of a month, in BRL: a number, or as people write it. */
const price = Type.Union([
  Type.Number({ minimum: 0, maximum: 9_999_999 }),
  patterned({ maxLength: 12, pattern: '^[0-9]{1,7}([.,][0-9]{1,2})?$' }),
])

/** All that the operator writes of a plan. */
export const planInput = Type.Object({
  name: patterned({ minLength: 2, maxLength: 50, pattern: '\\S\\s*\\S' }),
  users: count,
  connections: count,
  queues: count,
  value: price,
  /** True: offered at sign-up. */
  useInternal: Type.Boolean(),
  ...(Object.fromEntries(planFeatures.map((feature) => [feature, Type.Boolean()])) as Record<
    (typeof planFeatures)[number],
    ReturnType<typeof Type.Boolean>
  >),
})
export type PlanInput = Static<typeof planInput>

export const newPlan = requiring(planInput, ['name'])
export const changedPlan = requiring(planInput, [])

/** A price as the database keeps it: `49.90`. */
export const priceText = (value: PlanInput['value']): string => Number(String(value).replace(',', '.')).toFixed(2)

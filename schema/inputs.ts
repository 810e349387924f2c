import {
  Kind,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  Type,
  TypeRegistry,
} from '@sinclair/typebox'
import { DomainError } from './errors.ts'

/**
 * The parts of input that many nouns share. What belongs to one noun stands in `<noun>/<noun>.inputs.ts`; route, form and
 * command take it from there, so that a bound is written once.
 */

interface TextRule {
  minLength?: number
  maxLength: number
  /** Must be linear, which `tests/patterns.test.ts` measures. */
  pattern: string
  description?: string
}

const compiled = new Map<string, RegExp>()

function fits({ minLength = 0, maxLength, pattern }: TextRule, value: unknown): boolean {
  if (typeof value !== 'string' || value.length < minLength || value.length > maxLength) return false
  let found = compiled.get(pattern)
  if (!found) compiled.set(pattern, (found = new RegExp(pattern)))
  return found.test(value)
}

TypeRegistry.Set('Text', fits)

/**
 * Text of a form. Unlike `Type.String`, which runs the pattern on a text that is too long as well when it collects what
 * is wrong, this one looks at the pattern only when the length is right.
 */
export const patterned = (rule: TextRule) => Type.Unsafe<string>({ ...rule, type: 'string', [Kind]: 'Text' })

/** Digits only: country, area and number. */
export const phoneNumber = patterned({
  minLength: 8,
  maxLength: 15,
  pattern: '^[0-9]+$',
  description: 'Digits only: country code, area code and number, such as 5511940001835',
})

export const rowId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
export const optionalRowId = Type.Union([rowId, Type.Null()])
/** A client-made id: UUID, any version. */
export const clientId = patterned({
  maxLength: 36,
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
})
/** Ids of messages: ours, or what a connection gave in older rows. */
export const messageId = patterned({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9-]+$' })
/** Whether a text obeys a rule of `patterned`. */
export const isText = (rule: ReturnType<typeof patterned>, text: string): boolean =>
  fits(rule as unknown as TextRule, text)

/** The same fields, of which only `keys` must be given: a form sends all of them, older clients leave some out. */
export function requiring<P extends TProperties, K extends keyof P & string>(schema: TObject<P>, keys: readonly K[]) {
  const fields = Object.entries(schema.properties).map(([key, field]) => [
    key,
    (keys as readonly string[]).includes(key) ? field : Type.Optional(field),
  ])
  return Type.Object(Object.fromEntries(fields) as TProperties) as unknown as TObject<
    Pick<P, K> & { [Q in Exclude<keyof P, K>]: TOptional<P[Q]> }
  >
}

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** WhatsApp refuses longer texts. */
export const messageBody = patterned({ minLength: 1, maxLength: 65_536, pattern: '\\S' })
/** Text that people write at length, such as a greeting. */
/** ISO 8601 with zone, such as `2026-11-20T12:00:00.000Z`. */
export const moment = patterned({
  maxLength: 40,
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,6})?(Z|[+-]\\d{2}:\\d{2})$',
})
export const longText = Type.String({ maxLength: 4_000 })
/** 2 to 50 characters; blanks around them are no help. */
export const personName = patterned({ minLength: 2, maxLength: 50, pattern: '\\S\\s*\\S' })
export const password = Type.String({ minLength: 5, maxLength: 128 })
/** Parts of the name of a host hold no dot themselves: so there is one way to read it, and no way back. */
const emailRule = { maxLength: 254, pattern: '^[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+$' }
export const email = patterned(emailRule)
export const isEmail = (text: string): boolean => fits(emailRule, text)
export const hexColor = patterned({ maxLength: 7, pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' })

/**
 * The moment that a text of `moment` names; the pattern lets a thirteenth month through.
 * @throws DomainError `ERR_VALIDATION`
 */
export function dateOf(text: string, path: string): Date {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw new DomainError('ERR_VALIDATION', { fields: [{ path, message: 'a moment' }] })
  return at
}

/** So many cards go in one message. */
export const MOST_CARDS = 10

/** Characters of what is passed on: the name on a card, and that of a place. */
export const sharedBounds = { cardName: 100, placeName: 255 } as const

export const cardName = patterned({ minLength: 1, maxLength: sharedBounds.cardName, pattern: '\\S' })

/** Somebody whose name and number are passed on. */
export const sharedCard = Type.Object({ name: cardName, number: phoneNumber }, { additionalProperties: false })

/** A place on the map, in degrees. */
export const sharedPlace = Type.Object(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    name: Type.String({ maxLength: sharedBounds.placeName }),
  },
  { additionalProperties: false },
)

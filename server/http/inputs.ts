import { Kind, OptionalKind, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { t } from 'elysia'
import type { FieldTest } from '../../schema/custom-fields/custom-fields.conditions.ts'
import { fieldTests } from '../../schema/custom-fields/custom-fields.inputs.ts'
import { DomainError } from '../../schema/errors.ts'
import { parseJson } from './json.ts'
import { patterned } from '../../schema/inputs.ts'

/** Input that comes in an address: text that must be turned into what it means. */

const int4 = { minimum: 1, maximum: 2_147_483_647, multipleOf: 1 }

export const idParams = t.Object({ id: t.Numeric(int4) })
export const ticketIdParams = t.Object({ ticketId: t.Numeric(int4) })
export const ticketTagParams = t.Object({ ticketId: t.Numeric(int4), tagId: t.Numeric(int4) })

export const queryId = t.Optional(t.Numeric(int4))
/** A level of an option tree: an option's id, or -1 for the top. */
export const levelQuery = t.Object({
  queueId: t.Numeric(int4),
  parentId: t.Optional(t.Numeric({ ...int4, minimum: -1 })),
})
export const pageNumber = t.Optional(t.Numeric({ minimum: 1, maximum: 1_000_000, multipleOf: 1 }))
export const searchParam = t.Optional(t.String({ maxLength: 200 }))
export const pageQuery = t.Object({ searchParam, pageNumber })
/** A page behind that id. */
export const cursorQuery = {
  cursor: queryId,
  limit: t.Optional(t.Numeric({ minimum: 1, maximum: 100, multipleOf: 1 })),
}
/** `nextCursor` of the page before, where that is no id. */
export const textCursorQuery = { ...cursorQuery, cursor: t.Optional(t.String({ maxLength: 400 })) }
/** A list as JSON text, such as `[1,2]`. */
export const jsonIds = t.Optional(t.String({ maxLength: 4_000, description: 'JSON list of ids' }))
/** `YYYY-MM-DD`. */
export const day = t.Optional(
  patterned({ maxLength: 10, pattern: '^([0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]))?$' }),
)
export const flag = t.Optional(t.String({ maxLength: 10, description: '`true` or `false`' }))

export const isTrue = (value: string | undefined): boolean => value === 'true'

/**
 * Reads a list of row ids from JSON text; absent and empty text are undefined.
 * @throws DomainError `ERR_VALIDATION`
 */
export function idsOf(text: string | undefined, field: string): number[] | undefined {
  if (!text) return undefined
  const value = parseJson(Buffer.from(text), `query/${field}`)
  const ids = Array.isArray(value) ? value.map(Number) : []
  if (
    !Array.isArray(value) ||
    value.length > 500 ||
    ids.some((id) => !Number.isInteger(id) || id < 0 || id > int4.maximum)
  )
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: `query/${field}`, message: 'a JSON list of ids' }] })
  return ids
}

/** Tests of the company's own fields as JSON text, such as `[{"id":7,"op":"any","values":["a"]}]`. */
export const jsonTests = t.Optional(
  t.String({ maxLength: 20_000, description: 'JSON list of what fields of the company’s own are to be' }),
)

/**
 * Reads them; absent and empty text are undefined.
 * @throws DomainError `ERR_VALIDATION`
 */
export function fieldTestsOf(text: string | undefined, field: string): FieldTest[] | undefined {
  if (!text) return undefined
  const value = parseJson(Buffer.from(text), `query/${field}`)
  if (!Value.Check(fieldTests, value))
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: `query/${field}`, message: 'a JSON list of tests' }] })
  return value
}

/**
 * Whether the calendar has it; the pattern lets 31 February through.
 * @param day `YYYY-MM-DD`
 */
export function isRealDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

/** The same fields as they come in an address, where a number is text. */
export const inAddress = <P extends TProperties>(schema: TObject<P>): TObject<P> =>
  t.Object(
    Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]): [string, TSchema] => {
        if (field['type'] !== 'integer') return [name, field]
        const { [Kind]: _kind, [OptionalKind]: _optional, type: _type, ...rule } = field
        const number = t.Numeric({ ...rule, multipleOf: 1 })
        return [name, OptionalKind in field ? t.Optional(number) : number]
      }),
    ),
  ) as unknown as TObject<P>

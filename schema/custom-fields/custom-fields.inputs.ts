import { type Static, type TProperties, Type } from '@sinclair/typebox'
import { patterned, requiring, rowId } from '../inputs.ts'
import { type FieldTest, mostFieldTests } from './custom-fields.conditions.ts'
import { fieldEntities, fieldTypes } from './custom-fields.table.ts'
import { fieldBounds } from './custom-fields.values.ts'

const oneOf = <const T extends string>(words: readonly T[]) => Type.Union(words.map((word) => Type.Literal(word)))
const optionId = patterned({ minLength: 1, maxLength: 36, pattern: '^[A-Za-z0-9_-]+$' })

export const fieldName = patterned({ minLength: 1, maxLength: fieldBounds.name, pattern: '\\S' })
export const fieldOption = Type.Object({
  id: optionId,
  label: patterned({ minLength: 1, maxLength: fieldBounds.label, pattern: '\\S' }),
})

/** What people write of a field. Its entity and its type never change, for values of it may be there. */
export const customFieldInput = Type.Object({
  entity: oneOf(fieldEntities),
  type: oneOf(fieldTypes),
  name: fieldName,
  /** Of a choice; those that are left out are offered no more. */
  options: Type.Array(fieldOption, { maxItems: fieldBounds.options }),
  help: Type.String({ maxLength: fieldBounds.help }),
  required: Type.Boolean(),
})
export type CustomFieldInput = Static<typeof customFieldInput>
export const newCustomField = requiring(customFieldInput, ['entity', 'type', 'name'])
export const changedCustomField = Type.Object({
  ...requiring(Type.Omit(customFieldInput, ['entity', 'type']), []).properties,
  /** False brings back one that was put aside. */
  archived: Type.Optional(Type.Boolean()),
})
export type ChangedCustomField = Static<typeof changedCustomField>

/** The fields of an entity in the order in which they are shown. */
export const fieldOrder = Type.Object({
  entity: oneOf(fieldEntities),
  ids: Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
    maxItems: fieldBounds.most,
    uniqueItems: true,
  }),
})

const value = Type.Union([
  Type.Null(),
  Type.Boolean(),
  Type.Number(),
  // A text is cut nowhere: who is above the bound of its field is told so.
  Type.String({ maxLength: 2 * fieldBounds.text }),
])
const mostValues = 2 * fieldBounds.most

/** What is to become of fields, by their ids; null empties one. */
export const fieldPatch = Type.Record(Type.String({ pattern: '^[1-9][0-9]{0,9}$' }), value, {
  maxProperties: mostValues,
  additionalProperties: false,
})
/** The same by their keys, as programs say it. */
export const keyedPatch = Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }), value, {
  maxProperties: mostValues,
  additionalProperties: false,
})

/** So many values of one test. */
const mostAsked = 50
const askedText = Type.String({ minLength: 1, maxLength: fieldBounds.text })
const askedNumber = Type.Number({ minimum: -fieldBounds.number, maximum: fieldBounds.number })
const end = Type.Optional(Type.Union([askedText, askedNumber]))
const asked = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false })

/** What a list asks of a field. */
export const fieldTest = Type.Unsafe<FieldTest>(
  Type.Union([
    asked({ id: rowId, op: Type.Literal('filled') }),
    asked({ id: rowId, op: Type.Literal('empty') }),
    asked({
      ...{ id: rowId, op: Type.Literal('any') },
      values: Type.Array(Type.Union([askedText, askedNumber, Type.Boolean()]), { maxItems: mostAsked }),
    }),
    asked({ id: rowId, op: Type.Literal('has'), text: askedText }),
    asked({ id: rowId, op: Type.Literal('range'), from: end, to: end }),
  ]),
)
export const fieldTests = Type.Array(fieldTest, { maxItems: mostFieldTests })

import type { FieldPatch, FieldValue } from './custom-fields.table.ts'

/**
 * What lists ask of a field of the company's own, whose form in calls is `fieldTest` of `custom-fields.inputs.ts`. It has three renderings: over values in memory and as text for the
 * replica here, for Postgres `fieldCondition` of `server/custom-fields/custom-fields.queries.ts`;
 * `tests/paths/ticket-lists.test.ts` holds them together.
 */

interface Of {
  /** Of the field. */
  id: number
}
export type FieldTest =
  /** Somebody has filled it in, or nobody has. */
  | (Of & { op: 'filled' })
  | (Of & { op: 'empty' })
  /** It is one of these: of a choice the ids of options, of a text the whole of it. */
  | (Of & { op: 'any'; values: FieldValue[] })
  /** A text that holds this, whatever its case and marks: {@link foldedMarks}. */
  | (Of & { op: 'has'; text: string })
  /** A number, or a day, from the one to the other, both included. */
  | (Of & { op: 'range'; from?: string | number | undefined; to?: string | number | undefined })

/** So many tests at once. */
export const mostFieldTests = 10

/** Whether there is nothing left to choose in it; lists ask for no other. */
export const isWholeTest = (test: FieldTest): boolean =>
  test.op === 'has'
    ? test.text.trim() !== ''
    : test.op === 'any'
      ? test.values.length > 0
      : test.op !== 'range' || test.from !== undefined || test.to !== undefined

/**
 * Latin letters small and without their marks: by these steps alone, which the databases of server and browser do alike
 * ({@link foldedText}). `plain` folds more signs, and needs a table for them that the first screen has no room for.
 */
export const foldedMarks = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
/** The same of a text in SQL. */
export const foldedText = (text: string): string =>
  `lower(regexp_replace(normalize(${text}, NFD), '[\u0300-\u036f]', '', 'g') COLLATE "C")`

type OfEachTest<Answer, Context extends unknown[]> = {
  [K in FieldTest['op']]: (test: Extract<FieldTest, { op: K }>, ...context: Context) => Answer
}

const isWithin = (value: FieldValue, from: string | number | undefined, to: string | number | undefined) =>
  (from === undefined || (typeof value === typeof from && value >= from)) &&
  (to === undefined || (typeof value === typeof to && value <= to))

const met: OfEachTest<boolean, [FieldValue | null]> = {
  filled: (_, value) => value !== null,
  empty: (_, value) => value === null,
  any: ({ values }, value) => values.some((one) => one === value),
  has: ({ text }, value) => typeof value === 'string' && foldedMarks(value).includes(foldedMarks(text.trim())),
  range: ({ from, to }, value) => value !== null && isWithin(value, from, to),
}

/** Whether the values of a ticket or a contact meet it. */
export const meetsField = (test: FieldTest, values: FieldPatch): boolean =>
  (met[test.op] as (test: FieldTest, value: FieldValue | null) => boolean)(test, values[test.id] ?? null)

/** What the values must hold for `any`, as JSON, in one order, so that equal tests have equal texts. */
export const heldBy = ({ id, values }: Extract<FieldTest, { op: 'any' }>): string[] =>
  values.map((value) => JSON.stringify({ [id]: value })).toSorted()

/** Both ends of a range as JSON; undefined where there is none. */
export const endsOf = ({ from, to }: Extract<FieldTest, { op: 'range' }>) => ({
  from: from === undefined ? undefined : JSON.stringify(from),
  to: to === undefined ? undefined : JSON.stringify(to),
})

interface TestText {
  /** The column of the values. */
  column: string
  /** Takes a parameter and answers its place. */
  put: (value: string) => string
}
const texts: OfEachTest<string[], [TestText]> = {
  filled: ({ id }, { column, put }) => [`${column} -> ${put(String(id))} IS NOT NULL`],
  empty: ({ id }, { column, put }) => [`${column} -> ${put(String(id))} IS NULL`],
  any: (test, { column, put }) => heldBy(test).map((held) => `${column} @> ${put(held)}::jsonb`),
  has: ({ id, text }, { column, put }) => {
    const at = put(String(id))
    const holds = `strpos(${foldedText(`${column} ->> ${at}`)}, ${put(foldedMarks(text.trim()))}) > 0`
    return [`coalesce(jsonb_typeof(${column} -> ${at}) = 'string' AND ${holds}, FALSE)`]
  },
  range: (test, { column, put }) => {
    const { from, to } = endsOf(test)
    const value = `${column} -> ${put(String(test.id))}`
    const kind = `jsonb_typeof(${value})`
    const ends = [
      ...(from === undefined ? [] : [`${kind} = jsonb_typeof(${put(from)}::jsonb)`, `${value} >= ${put(from)}::jsonb`]),
      ...(to === undefined ? [] : [`${kind} = jsonb_typeof(${put(to)}::jsonb)`, `${value} <= ${put(to)}::jsonb`]),
    ]
    return [`coalesce(${[`${value} IS NOT NULL`, ...ends].join(' AND ')}, FALSE)`]
  },
}

/** Texts, any of which is to be true. */
export const fieldTestText = (test: FieldTest, text: TestText): string[] =>
  (texts[test.op] as (test: FieldTest, text: TestText) => string[])(test, text)

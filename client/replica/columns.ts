import type { ShapeName, SyncedRow } from '../../sync/shapes.ts'
import { msOf } from './rows.ts'

/** The columns of a SELECT, and who reads the rows that it answers. */
export interface Columns<Row extends object> {
  /** For a table that the statement calls so; without a name, bare. */
  text: (as?: string) => string
  read: (raw: Record<string, unknown>) => Row
}

/** What they are read as. */
export type RowOf<C> = C extends Columns<infer Row> ? Row : never

type Raw = Record<string, unknown>
/** `true`: as the replica has it. A moment is a `Date` there, a text elsewhere, and a number on the screen: it is always read. */
type Reader<Value> = [Extract<Value, Date>] extends [never]
  ? true | ((value: unknown, raw: Raw) => Value)
  : (value: unknown, raw: Raw) => unknown

/** A reader for each column that is asked for. */
type Some<Row> = { [K in keyof Row]?: Reader<Row[K]> }
/** The same for all of the table's: one that is not asked for says so. */
type Each<Row> = { [K in keyof Row]-?: Reader<Row[K]> | false }

type Asked<Row, Readers> = {
  [K in keyof Readers & keyof Row as Readers[K] extends false ? never : K]: [Extract<Row[K], Date>] extends [never]
    ? Row[K]
    : Readers[K] extends (value: unknown, raw: Raw) => infer Read
      ? Read
      : never
}

/** Some columns of a synced table; the row's type follows from them. */
export const someOf =
  <S extends ShapeName>() =>
  <const R extends Some<SyncedRow<S>> & Record<Exclude<keyof R, keyof SyncedRow<S>>, never>>(readers: R) =>
    made(readers) as unknown as Columns<Asked<SyncedRow<S>, R>>

/**
 * All columns of a synced table: each is read, or `false`. Of a column that the table gets this does not compile until it
 * is decided whether the screens know it.
 */
export const columnsOf =
  <S extends ShapeName>() =>
  <const R extends Each<SyncedRow<S>> & Record<Exclude<keyof R, keyof SyncedRow<S>>, never>>(readers: R) =>
    made(readers) as unknown as Columns<Asked<SyncedRow<S>, R>>

function made(given: object): Columns<Raw> {
  const readers = Object.entries(given as Record<string, boolean | ((value: unknown, raw: Raw) => unknown)>).filter(
    ([, reader]) => reader !== false,
  )
  return {
    text: (as) => readers.map(([name]) => `${as === undefined ? '' : `${as}.`}"${name}"`).join(', '),
    read: (raw) => {
      const row: Raw = {}
      for (const [name, reader] of readers)
        row[name] = typeof reader === 'function' ? reader(raw[name], raw) : raw[name]
      return row
    },
  }
}

/** Milliseconds since 1970. */
export const ms = (value: unknown): number => msOf(value)
/** The same, of a moment that may not be there. */
export const msOrNull = (value: unknown): number | null => (value ? msOf(value) : null)
/** What is missing, as in rows that a waiting command made or that another server sent, is this. */
export const or =
  <Value>(fallback: Value) =>
  (value: unknown): Value =>
    (value ?? fallback) as Value
/** An ISO instant. */
export const iso = (value: unknown): string => new Date(msOf(value)).toISOString()

import { and, asc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import {
  endsOf,
  type FieldTest,
  foldedMarks,
  foldedText,
  heldBy,
} from '../../schema/custom-fields/custom-fields.conditions.ts'
import { type CustomField, customFields } from '../../schema/custom-fields/custom-fields.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { fieldsInOrder } from '../commands/fields.ts'
import type { Db, Tx } from '../db/database.ts'

/** The fields of several companies that are in use, in their order. */
export const fieldsOfAll = async (db: Db | Tx, companyIds: readonly number[]): Promise<Map<number, CustomField[]>> =>
  companyIds.length === 0
    ? new Map()
    : Map.groupBy(
        await db
          .select()
          .from(customFields)
          .where(and(inArray(customFields.companyId, [...companyIds]), isNull(customFields.archivedAt)))
          .orderBy(...fieldsInOrder),
        ({ companyId }) => companyId,
      )

/** Whether the values of a field meet a test, over `fields` of contacts or tickets; by the index of theirs where it has one. */
export function fieldCondition(column: PgColumn, test: FieldTest): SQL {
  const id = String(test.id)
  const isUsed = sql`${column} <> '{}'::jsonb`
  switch (test.op) {
    case 'filled':
      return sql`(${isUsed} AND ${column} ? ${id})`
    case 'empty':
      return sql`NOT (${column} ? ${id})`
    case 'any': {
      const ways = heldBy(test).map((held) => sql`${column} @> ${held}::jsonb`)
      return ways.length > 0 ? sql`(${isUsed} AND ${or(...ways)})` : sql`FALSE`
    }
    case 'has': {
      const text = sql.raw(foldedText('"asked"."value"'))
      const wanted = foldedMarks(test.text.trim())
      // The text stands once in the statement, under a name.
      return sql`(${isUsed} AND ${column} ? ${id} AND jsonb_typeof(${column} -> ${id}::text) = 'string'
        AND EXISTS (SELECT FROM (SELECT ${column} ->> ${id}::text AS "value") "asked" WHERE strpos(${text}, ${wanted}) > 0))`
    }
    case 'range': {
      const value = sql`(${column} -> ${id}::text)`
      const end = (sign: SQL, at: string | undefined) =>
        at === undefined
          ? undefined
          : sql`(jsonb_typeof(${value}) = jsonb_typeof(${at}::jsonb) AND ${value} ${sign} ${at}::jsonb)`
      const { from, to } = endsOf(test)
      return sql`coalesce(${and(sql`${isUsed} AND ${column} ? ${id}`, end(sql`>=`, from), end(sql`<=`, to))}, FALSE)`
    }
  }
}

/** How many contacts or tickets have a value of the field. By the index of their fields. */
export async function usesOfField(
  db: Db | Tx,
  field: Pick<CustomField, 'id' | 'companyId' | 'entity'>,
): Promise<number> {
  const table = field.entity === 'ticket' ? tickets : contacts
  const [row] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(table)
    .where(
      sql`${table.companyId} = ${field.companyId} AND ${table.fields} <> '{}'::jsonb AND ${table.fields} ? ${String(field.id)}`,
    )
  return row?.n ?? 0
}

/** Which options of a choice somebody has. */
export async function usedOptions(
  db: Db | Tx,
  field: Pick<CustomField, 'id' | 'companyId' | 'entity'>,
  ids: readonly string[],
): Promise<Set<string>> {
  const table = field.entity === 'ticket' ? tickets : contacts
  const found = await Promise.all(
    ids.map(async (id) => {
      const holds = JSON.stringify({ [field.id]: id })
      const [row] = await db
        .select({ id: table.id })
        .from(table)
        .where(
          sql`${table.companyId} = ${field.companyId} AND ${table.fields} <> '{}'::jsonb AND ${table.fields} @> ${holds}::jsonb`,
        )
        .limit(1)
      return row ? [id] : []
    }),
  )
  return new Set(found.flat())
}

/** All fields of a company, those that are put aside too, each with how many have a value. */
export async function allFields(db: Db, companyId: number) {
  const rows = await db
    .select()
    .from(customFields)
    .where(eq(customFields.companyId, companyId))
    .orderBy(asc(customFields.entity), ...fieldsInOrder)
  const counted: (CustomField & { uses: number })[] = []
  for (const row of rows) counted.push({ ...row, uses: await usesOfField(db, row) })
  return counted
}

export async function findField(db: Db | Tx, companyId: number, id: number): Promise<CustomField | undefined> {
  const [row] = await db
    .select()
    .from(customFields)
    .where(and(eq(customFields.companyId, companyId), eq(customFields.id, id)))
  return row
}

import { and, asc, eq, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { writeXlsxStream } from 'hucre/xlsx'
import { readableBy } from '../../schema/contacts/contacts.masking.ts'
import { type Contact, contacts } from '../../schema/contacts/contacts.table.ts'
import type { Principal, Rights } from '../../schema/permissions.ts'
import type { CustomField, FieldPatch } from '../../schema/custom-fields/custom-fields.table.ts'
import { valueText } from '../../schema/custom-fields/custom-fields.values.ts'
import { fieldsOf } from '../commands/fields.ts'
import type { Db } from '../db/database.ts'
import { type ColumnNames, csvOf, headerOf, type SheetFormat } from './contacts.sheets.ts'
import type { Language } from '../../schema/languages.ts'

/** Contacts with much extra information are 50 KB each. */
const PAGE = 200
/** Names of extra information that get a column; the most used ones first. */
const MOST_EXTRA = 50

/** The import understands each of these names. */
const columns: ColumnNames = {
  name: ['nome', 'nombre', 'name'],
  number: ['número', 'número', 'number'],
  email: ['e-mail', 'correo', 'email'],
}

/** The people among the company's contacts, all or those of `ids`, as a file that the import reads back; never more than a page in memory. */
export async function exportContacts(
  db: Db,
  who: Rights & Pick<Principal, 'companyId'>,
  format: SheetFormat,
  language: Language | undefined,
  ids?: readonly number[],
): Promise<ReadableStream<Uint8Array>> {
  const chosen = and(
    eq(contacts.companyId, who.companyId),
    eq(contacts.isGroup, false),
    isNull(contacts.erasedAt),
    ids && inArray(contacts.id, [...ids]),
  )!
  const used = await db.execute<{ name: string }>(sql`
    SELECT info->>'name' AS name FROM ${contacts}, jsonb_array_elements(${contacts.extraInfo}) AS info
    WHERE ${chosen}
    GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${MOST_EXTRA}`)
  const extra = [...used].map(({ name }) => name)
  const own = (await fieldsOf(db, who.companyId)).filter(({ entity }) => entity === 'contact')
  const asRow = ({ name, number, email, extraInfo, fields }: Contact) => {
    const values = new Map(extraInfo.map((info) => [info.name, info.value]))
    return [
      ...[name, number ?? '', email],
      ...own.map((field) => (language ? valueText(field, fields[field.id], language) : plainValue(field, fields))),
      ...extra.map((label) => values.get(label) ?? ''),
    ]
  }
  const rows = rowsOf(db, chosen, (row) => asRow(readableBy(who, row)))
  const header = [...headerOf(columns, language), ...own.map((field) => (language ? field.name : field.key)), ...extra]
  if (format === 'csv') return csvOf(header, rows)
  return writeXlsxStream(rows, {
    name: 'Contacts',
    columns: header.map((text, i) => ({ header: text, width: [28, 18, 28][i] ?? 20 })),
    freezePane: { rows: 1 },
  })
}

/** For programs: a day as ISO has it, `true`, a number with a point; of a choice what it is called. */
const plainValue = (field: CustomField, values: FieldPatch) =>
  field.type === 'choice' ? valueText(field, values[field.id], 'en') : String(values[field.id] ?? '')

async function* rowsOf(db: Db, chosen: SQL, asRow: (contact: Contact) => string[]): AsyncGenerator<string[]> {
  for (let after = 0; ; ) {
    const page = await db
      .select()
      .from(contacts)
      .where(and(chosen, gt(contacts.id, after)))
      .orderBy(asc(contacts.id))
      .limit(PAGE)
    yield* page.map(asRow)
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.id
  }
}

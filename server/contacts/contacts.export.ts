import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { writeXlsxStream } from 'hucre/xlsx'
import { asText } from '../../schema/contacts/contacts.sheet.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { Db } from '../db/database.ts'

/** Contacts with much extra information are 50 KB each. */
const PAGE = 200
/** Names of extra information that get a column; the most used ones first. */
const MOST_EXTRA = 50

export const sheetTypes = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
} as const
export type SheetFormat = keyof typeof sheetTypes

/** The names of the columns, which the import understands in each of them; programs get the ones without a language. */
const headers = {
  pt: ['nome', 'número', 'e-mail'],
  es: ['nombre', 'número', 'correo'],
  en: ['name', 'number', 'email'],
} as const
export type SheetLanguage = keyof typeof headers

/** All people among the company's contacts as a file that the import reads back; never more than a page in memory. */
export async function exportContacts(
  db: Db,
  companyId: number,
  format: SheetFormat,
  language: SheetLanguage = 'en',
): Promise<ReadableStream<Uint8Array>> {
  const used = await db.execute<{ name: string }>(sql`
    SELECT info->>'name' AS name FROM contacts, jsonb_array_elements("extraInfo") AS info
    WHERE "companyId" = ${companyId} AND NOT "isGroup"
    GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${MOST_EXTRA}`)
  const extra = [...used].map(({ name }) => name)
  const rows = rowsOf(db, companyId, extra)
  const header = [...headers[language], ...extra]
  if (format === 'csv') return csvOf(header, rows)
  return writeXlsxStream(rows, {
    name: 'Contacts',
    columns: header.map((text, i) => ({ header: text, width: [28, 18, 28][i] ?? 20 })),
    freezePane: { rows: 1 },
  })
}

async function* rowsOf(db: Db, companyId: number, extra: readonly string[]): AsyncGenerator<string[]> {
  for (let after = 0; ; ) {
    const page = await db
      .select()
      .from(contacts)
      .where(and(eq(contacts.companyId, companyId), eq(contacts.isGroup, false), gt(contacts.id, after)))
      .orderBy(asc(contacts.id))
      .limit(PAGE)
    for (const { name, number, email, extraInfo } of page) {
      const values = new Map(extraInfo.map((info) => [info.name, info.value]))
      yield [name, number ?? '', email, ...extra.map((label) => values.get(label) ?? '')]
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.id
  }
}

/** With a mark for its encoding, or Excel takes accents for something else. */
export function csvOf(header: readonly string[], rows: AsyncGenerator<string[]>): ReadableStream<Uint8Array> {
  const line = (cells: readonly string[]) =>
    `${cells.map((cell) => asText(cell).replace(/^[^]*[",;\r\n][^]*$/, (text) => `"${text.replaceAll('"', '""')}"`)).join(',')}\r\n`
  const encoder = new TextEncoder()
  let begun = false
  return new ReadableStream({
    async pull(controller) {
      let text = begun ? '' : `\ufeff${line(header)}`
      begun = true
      while (text.length < 32_768) {
        const { done, value } = await rows.next()
        if (done) {
          controller.enqueue(encoder.encode(text))
          controller.close()
          return
        }
        text += line(value)
      }
      controller.enqueue(encoder.encode(text))
    },
    async cancel() {
      await rows.return(undefined)
    },
  })
}

import { sql } from 'drizzle-orm'
import {
  type Columns,
  type ImportedRow,
  type ImportProgress,
  numberKey,
  readRow,
} from '../../schema/contacts/contacts.sheet.ts'
import { shippings } from '../../schema/campaigns/campaigns.table.ts'
import { optOuts } from '../../schema/opt-outs/opt-outs.table.ts'
import type { Sheet } from '../contacts/contacts.sheet.ts'
import type { Db } from '../db/database.ts'

/** Notes everybody in a sheet as one who wants no messages to many. Who stands there already stays as they are. */
export async function* importOptOuts(
  db: Db,
  { companyId, userId }: { companyId: number; userId: number },
  { sheet, columns, country }: { sheet: Sheet; columns: Columns; country: string },
  now: () => Date,
): AsyncGenerator<ImportProgress> {
  const { total } = sheet
  yield { total, done: 0, rows: [] }
  let line = 1
  for await (const piece of sheet.pieces()) {
    const report: ImportedRow[] = []
    const wanted = new Map<string, ImportedRow>()
    for (const cells of piece) {
      line++
      if (cells.every((cell) => !cell.trim())) continue
      const read = readRow(cells, columns, country)
      if ('reason' in read) {
        report.push({ line, name: read.name, number: read.number, outcome: 'invalid', reason: read.reason })
        continue
      }
      const { name, number } = read.contact
      const key = numberKey(number)
      const first = wanted.get(key)
      const entry: ImportedRow = { line, name, number, outcome: first ? 'duplicate' : 'unchanged' }
      if (first) entry.firstLine = first.line
      else wanted.set(key, entry)
      report.push(entry)
    }
    if (wanted.size > 0) {
      const rows = [...wanted].map(([key, { number }]) => ({ key, number }))
      await db.transaction(async (tx) => {
        const made = await tx.execute<{ key: string }>(sql`INSERT INTO ${optOuts}
          ("companyId", "number", "key", "source", "userId", "createdAt")
          SELECT ${companyId}, x."number", x."key", 'import', ${userId}, ${now().toISOString()}::timestamptz
          FROM json_to_recordset(${JSON.stringify(rows)}::text::json) AS x("number" text, "key" text)
          ON CONFLICT ("companyId", "key") WHERE "revokedAt" IS NULL DO NOTHING RETURNING "key"`)
        for (const { key } of made) wanted.get(key)!.outcome = 'created'
        await tx.execute(sql`UPDATE ${shippings} SET "state" = 'skipped', "reason" = 'opted_out', "dueAt" = NULL
          WHERE "companyId" = ${companyId} AND "state" = 'planned' AND "key" = ANY(${sql.param(rows.map(({ key }) => key))}::text[])`)
      })
    }
    yield { total, done: Math.min(line - 1, total), rows: report }
  }
}

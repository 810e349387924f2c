import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import type { ImportProgress } from '../../schema/contacts/contacts.sheet.ts'
import { sweepShippings } from '../../schema/campaigns/shippings.decide.ts'
import { optOuts } from '../../schema/opt-outs/opt-outs.table.ts'
import { type Reading, readPieces } from '../../schema/contacts/contacts.reading.ts'
import { applyDecision } from '../commands/apply.ts'
import type { Db } from '../db/database.ts'

/** Notes everybody in a sheet as one who wants no messages to many. Who stands there already stays as they are. */
export async function* importOptOuts(
  db: Db,
  { companyId, userId }: { companyId: number; userId: number },
  reading: Reading,
  now: () => Date,
): AsyncGenerator<ImportProgress> {
  for await (const { wanted, progress } of readPieces(reading)) {
    // Who wants nothing wants it at none of their numbers.
    const people = new Map(
      wanted.flatMap(({ row, entry }) =>
        [row.number, ...row.others].map((number) => [numberKey(number), { number, entry }] as const),
      ),
    )
    const rows = [...people].map(([key, { number }]) => ({ key, number }))
    const keys = rows.map(({ key }) => key)
    if (rows.length > 0 && reading.dryRun) {
      const there = await db
        .select({ key: optOuts.key })
        .from(optOuts)
        .where(and(eq(optOuts.companyId, companyId), inArray(optOuts.key, keys), isNull(optOuts.revokedAt)))
      const known = new Set(there.map(({ key }) => key))
      for (const [key, { entry }] of people) if (!known.has(key)) entry.outcome = 'created'
    } else if (rows.length > 0) {
      await db.transaction(async (tx) => {
        const made = await tx.execute<{ key: string }>(sql`INSERT INTO ${optOuts}
          ("companyId", "number", "key", "source", "userId", "createdAt")
          SELECT ${companyId}, x."number", x."key", 'import', ${userId}, ${now().toISOString()}::timestamptz
          FROM json_to_recordset(${JSON.stringify(rows)}::text::json) AS x("number" text, "key" text)
          ON CONFLICT ("companyId", "key") WHERE "revokedAt" IS NULL DO NOTHING RETURNING "key"`)
        for (const { key } of made) people.get(key)!.entry.outcome = 'created'
        await applyDecision(tx, companyId, sweepShippings({ column: 'key', in: keys }, { type: 'optOut' }, now()))
      })
    }
    yield progress
  }
}

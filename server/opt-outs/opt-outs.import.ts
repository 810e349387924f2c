import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import type { ImportProgress } from '../../schema/contacts/contacts.sheet.ts'
import { sweepShippings } from '../../schema/campaigns/shippings.decide.ts'
import { type Reading, readPieces } from '../../schema/contacts/contacts.reading.ts'
import { applyDecision } from '../commands/apply.ts'
import type { Db } from '../db/database.ts'
import { optOutsAmong } from './opt-outs.queries.ts'
import { noteOptOuts } from './opt-outs.changes.ts'

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
    const keys = [...people.keys()]
    if (keys.length > 0 && reading.dryRun) {
      const { keys: known } = await optOutsAmong(db, companyId, { keys })
      for (const [key, { entry }] of people) if (!known.has(key)) entry.outcome = 'created'
    } else if (keys.length > 0) {
      await db.transaction(async (tx) => {
        const at = now()
        const found = [...people.values()].map(({ number }) => ({
          ...{ number, lid: null, source: 'import' as const, userId },
        }))
        for (const { key } of await noteOptOuts(tx, companyId, found, at)) people.get(key)!.entry.outcome = 'created'
        await applyDecision(tx, companyId, sweepShippings({ column: 'key', in: keys }, { type: 'optOut' }, at))
      })
    }
    yield progress
  }
}

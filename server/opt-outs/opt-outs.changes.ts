import { and, eq, isNull } from 'drizzle-orm'
import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import { DomainError } from '../../schema/errors.ts'
import { type OptOut, type OptOutSource, optOuts } from '../../schema/opt-outs/opt-outs.table.ts'
import { leaveCampaigns } from '../campaigns/campaigns.bulk.changes.ts'
import type { Db } from '../db/database.ts'
import type { Events } from '../events/bus.ts'

/** What admins, agents and programs do with who wants no messages to many. */
export function optOutCalls({ db, events, now }: { db: Db; events: Pick<Events, 'emit'>; now(): Date }) {
  const tell = (companyId: number) => events.emit({ companyId, name: 'optOut', action: 'reload' })
  return {
    tell,
    /** @throws what the database says of somebody who is noted already: `ERR_OPTED_OUT` */
    async note(
      companyId: number,
      who: { number: string; lid?: string | null; text?: string; source: OptOutSource; userId: number | null },
    ): Promise<OptOut> {
      const { number, lid = null, text = '', source, userId } = who
      const at = now()
      const row = await db.transaction(async (tx) => {
        const [made] = await tx
          .insert(optOuts)
          .values({
            ...{ companyId, number, key: number ? numberKey(number) : `lid:${lid}`, lid, source, userId, text },
            ...{ createdAt: at, updatedAt: at },
          })
          .returning()
        await leaveCampaigns(tx, companyId, { number: number || null, lid }, at)
        return made!
      })
      tell(companyId)
      return row
    },
    /** @throws DomainError `ERR_NO_OPT_OUT_FOUND` */
    async revoke(companyId: number, id: number, { userId, reason }: { userId: number | null; reason: string }) {
      const [row] = await db
        .update(optOuts)
        .set({ revokedAt: now(), revokedBy: userId, reason, updatedAt: now() })
        .where(and(eq(optOuts.companyId, companyId), eq(optOuts.id, id), isNull(optOuts.revokedAt)))
        .returning()
      if (!row) throw new DomainError('ERR_NO_OPT_OUT_FOUND')
      tell(companyId)
      return row
    },
  }
}

import { and, asc, eq, inArray } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { queues } from '../../schema/queues/queues.table.ts'
import { userQueues } from '../../schema/users/users.table.ts'
import { whatsappQueues } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db, Tx } from '../db/database.ts'

/** Who is in a queue, and the table that says so. */
const memberships = {
  users: { table: userQueues, member: userQueues.userId },
  whatsapps: { table: whatsappQueues, member: whatsappQueues.whatsappId },
} as const

/** The rows of users or connections, each with its queues. */
export async function withQueues<Row extends { id: number }>(
  db: Db | Tx,
  companyId: number,
  of: keyof typeof memberships,
  rows: readonly Row[],
) {
  const { table, member } = memberships[of]
  const ids = rows.map(({ id }) => id)
  const found =
    ids.length === 0
      ? []
      : await db
          .select({ memberId: member, id: queues.id, name: queues.name, color: queues.color })
          .from(table as PgTable)
          .innerJoin(queues, eq(queues.id, table.queueId))
          .where(and(eq(table.companyId, companyId), inArray(member, ids)))
          .orderBy(asc(queues.id))
  return rows.map((row) => {
    const own = found.filter(({ memberId }) => memberId === row.id).map(({ id, name, color }) => ({ id, name, color }))
    return { ...row, queues: own, queueIds: own.map(({ id }) => id) }
  })
}

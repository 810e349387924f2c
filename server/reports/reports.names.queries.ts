import { and, eq, inArray } from 'drizzle-orm'
import { campaigns } from '../../schema/campaigns/campaigns.table.ts'
import { flows } from '../../schema/flows/flows.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import type { ReportName } from '../../schema/reports/reports.inputs.ts'
import { slaPolicies } from '../../schema/sla-policies/sla-policies.table.ts'
import { tags } from '../../schema/tags/tags.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db } from '../db/database.ts'

/** What the rows of a report are of; hours of the week are of nothing. */
const tables = {
  ...{ agents: users, csat: users, queues, tags, connections: whatsapps },
  ...{ sla: slaPolicies, campaigns, bots: flows },
} as const

/** What rows are called, by their keys. */
export async function namesOf(
  db: Db,
  { report, companyId }: { report: ReportName; companyId: number },
  keys: readonly string[],
): Promise<Map<string, string>> {
  if (report === 'hours') return new Map()
  const table = tables[report]
  const ids = [...new Set(keys.map((key) => Number(key.split(':')[0])))].filter((id) => id > 0)
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: table.id, name: table.name })
    .from(table)
    .where(and(eq(table.companyId, companyId), inArray(table.id, ids)))
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return new Map(
    keys.flatMap((key) => {
      const name = names.get(Number(key.split(':')[0]))
      return name === undefined ? [] : [[key, name] as const]
    }),
  )
}

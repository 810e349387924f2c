import { ticketTaggings } from '../../schema/rules/rules.table.ts'
import type { TagChange } from '../../schema/tickets/tickets.tagged.ts'
import type { Tx } from '../db/database.ts'

/** Writes down that tags of tickets have changed, for the dry run of rules that do not exist yet. */
export async function keepTaggings(tx: Tx, companyId: number, tagged: readonly TagChange[], now: Date): Promise<void> {
  await tx
    .insert(ticketTaggings)
    .values(tagged.map(({ ticketId, added }) => ({ companyId, ticketId, added, createdAt: now })))
}

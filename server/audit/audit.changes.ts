import { sql } from 'drizzle-orm'
import type { AuditAction, AuditEntity } from '../../schema/audit/audit.nouns.ts'
import { type Actor, actorNow } from '../actor.ts'
import type { Db, Tx } from '../db/database.ts'

/**
 * Writes down what changes no row of its own: exports, imports, refused logins. What changes rows is written by the
 * triggers of `0009_audit.sql`. In a transaction it comes last: the company's next entry waits for the commit.
 */
export async function audit(
  db: Db | Tx,
  entry: {
    companyId: number
    action: AuditAction
    entity: AuditEntity
    /** A contact is told by its id, and by nothing else. */
    id?: string | number | null
    facts?: Record<string, unknown>
    /** Where it is not who makes the call. */
    actor?: Actor
  },
): Promise<void> {
  const { companyId, action, entity, id = null, facts, actor = actorNow() } = entry
  const text = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value))
  await db.execute(sql`SELECT audit_add(${companyId}, ${action}, ${entity}, ${id === null ? null : String(id)}, NULL,
    ${text(facts)}::jsonb, ${text(actor)}::jsonb)`)
}

import { and, eq } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import { integrations } from '../../schema/integrations/integrations.table.ts'
import { prompts } from '../../schema/prompts/prompts.table.ts'
import type { Db, Tx } from '../db/database.ts'

/**
 * Refuses bots that the company does not have.
 * @throws DomainError `ERR_NO_PROMPT_FOUND`, `ERR_NO_INTEGRATION_FOUND`
 */
export async function demandBots(
  db: Db | Tx,
  companyId: number,
  { promptId, integrationId }: { promptId?: number | null | undefined; integrationId?: number | null | undefined },
): Promise<void> {
  for (const [id, table, code] of [
    [promptId, prompts, 'ERR_NO_PROMPT_FOUND'],
    [integrationId, integrations, 'ERR_NO_INTEGRATION_FOUND'],
  ] as const) {
    if (id == null) continue
    const [row] = await db
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.companyId, companyId), eq(table.id, id)))
    if (!row) throw new DomainError(code)
  }
}

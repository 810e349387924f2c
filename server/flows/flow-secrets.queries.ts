import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import { callingTypes, secretsOfCall } from '../../schema/flows/flows.graph.ts'
import type { NodeData } from '../../schema/flows/flows.inputs.ts'
import { flowNodes, flows, flowSecrets, flowVersions } from '../../schema/flows/flows.table.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { openText, type Sealer, sealText } from '../seal.ts'

/** A company that draws more calls than this is not told of all flows that use a key. */
const MOST_CALLS = 5_000

const placeOf = (companyId: number, name: string) => `flow_secrets:${companyId}:${name}`

export const sealedSecret = (sealer: Sealer, companyId: number, name: string, value: string): string =>
  sealText(sealer, value, placeOf(companyId, name))

/** The keys of a company by name, without what they are; and the flows that use each. */
export async function listSecrets(db: Db, companyId: number) {
  const [rows, usedBy] = await Promise.all([
    db
      .select({
        id: flowSecrets.id,
        name: flowSecrets.name,
        hosts: flowSecrets.hosts,
        userName: users.name,
        updatedAt: flowSecrets.updatedAt,
      })
      .from(flowSecrets)
      .leftJoin(users, eq(users.id, flowSecrets.userId))
      .where(eq(flowSecrets.companyId, companyId))
      .orderBy(asc(sql`lower(${flowSecrets.name})`), asc(flowSecrets.id)),
    flowsBySecret(db, companyId),
  ])
  return rows.map((row) => ({ ...row, flows: [...(usedBy.get(row.name) ?? [])] }))
}

/** The names of flows whose draft, or whose published version, uses a key. */
async function flowsBySecret(db: Db, companyId: number): Promise<Map<string, Set<string>>> {
  const [drafts, live] = await Promise.all([
    db
      .select({ flow: flows.name, data: flowNodes.data })
      .from(flowNodes)
      .innerJoin(flows, eq(flows.id, flowNodes.flowId))
      .where(and(eq(flowNodes.companyId, companyId), inArray(flowNodes.type, [...callingTypes])))
      .limit(MOST_CALLS),
    db
      .select({ flow: flows.name, data: sql<Record<string, unknown>>`node -> 'data'` })
      .from(flows)
      .innerJoin(flowVersions, eq(flowVersions.id, flows.versionId))
      .innerJoin(
        sql`jsonb_array_elements(${flowVersions.nodes}) AS node`,
        inArray(sql`node ->> 'type'`, [...callingTypes]),
      )
      .where(eq(flows.companyId, companyId))
      .limit(MOST_CALLS),
  ])
  const found = new Map<string, Set<string>>()
  // Only nodes that were judged are kept: the data fits the type.
  for (const { flow, data } of [...drafts, ...live])
    for (const name of secretsOfCall(data as NodeData[(typeof callingTypes)[number]]))
      found.set(name, (found.get(name) ?? new Set()).add(flow))
  return found
}

export async function secretNames(tx: Db | Tx, companyId: number): Promise<Set<string>> {
  const rows = await tx.select({ name: flowSecrets.name }).from(flowSecrets).where(eq(flowSecrets.companyId, companyId))
  return new Set(rows.map(({ name }) => name))
}

/**
 * Those of these keys that the company has, in clear: for the call that names them, and for nothing else.
 * @param host where the call goes
 * @throws DomainError `ERR_FLOW_SECRET_HOST` for one that is not sent there
 */
export async function openSecrets(
  db: Db,
  sealer: Sealer,
  companyId: number,
  names: readonly string[],
  host: string | null,
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await db
    .select({ name: flowSecrets.name, value: flowSecrets.value, hosts: flowSecrets.hosts })
    .from(flowSecrets)
    .where(and(eq(flowSecrets.companyId, companyId), inArray(flowSecrets.name, [...names])))
  const kept = rows.find(({ hosts }) => host === null || !hosts.includes(host))
  if (kept) throw new DomainError('ERR_FLOW_SECRET_HOST', { name: kept.name, host: host ?? '' })
  return new Map(rows.map(({ name, value }) => [name, openText(sealer, value, placeOf(companyId, name))]))
}

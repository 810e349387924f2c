import { and, asc, count, desc, eq, exists, gte, inArray, isNull, lt, lte, ne, or, sql, sum } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { filledBy } from '../../schema/flows/flows.check.ts'
import { filesOf } from '../../schema/flows/flows.graph.ts'
import { graphOf } from '../../schema/flows/flows.rows.ts'
import {
  type Flow,
  flowCampaigns,
  flowCounts,
  flowFiles,
  flowNodes,
  flowRuns,
  flows,
  flowVersions,
} from '../../schema/flows/flows.table.ts'
import { FIELD_PREFIX } from '../../schema/placeholders/placeholders.ts'
import { integrations } from '../../schema/integrations/integrations.table.ts'
import { offersOf } from '../../schema/whatsapps/whatsapps.providers.ts'
import { users } from '../../schema/users/users.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { fieldsOf } from '../commands/fields.ts'
import type { Db, Tx } from '../db/database.ts'
import { anywhere } from '../tickets/tickets.queries.ts'
import { secretNames } from './flow-secrets.queries.ts'

export const FLOWS_PER_PAGE = 20
const VERSIONS_PER_PAGE = 30
/** The longest name that a flow may have. */
const NAME_LENGTH = 50

const ofCompany = (companyId: number, id: number) => and(eq(flows.companyId, companyId), eq(flows.id, id))

export async function listFlows(
  db: Db,
  companyId: number,
  { search, pageNumber }: { search: string | undefined; pageNumber: number },
) {
  const where = and(
    eq(flows.companyId, companyId),
    search ? sql`plain(${flows.name}) LIKE plain(${anywhere(search)})` : undefined,
  )
  const [rows, all] = await Promise.all([
    db
      .select()
      .from(flows)
      .where(where)
      .orderBy(asc(sql`lower(${flows.name})`), asc(flows.id))
      .limit(FLOWS_PER_PAGE + 1)
      .offset((pageNumber - 1) * FLOWS_PER_PAGE),
    db.$count(flows, where),
  ])
  return { flows: rows.slice(0, FLOWS_PER_PAGE), count: all, hasMore: rows.length > FLOWS_PER_PAGE }
}

/** @throws DomainError `ERR_NO_FLOW_FOUND` */
export async function demandFlow(db: Db | Tx, companyId: number, id: number): Promise<Flow> {
  const [flow] = await db.select().from(flows).where(ofCompany(companyId, id))
  if (!flow) throw new DomainError('ERR_NO_FLOW_FOUND')
  return flow
}

/** The same, and nobody else edits or publishes it until the commit. */
export async function lockFlow(tx: Tx, companyId: number, id: number): Promise<Flow> {
  const [flow] = await tx.select().from(flows).where(ofCompany(companyId, id)).for('update')
  if (!flow) throw new DomainError('ERR_NO_FLOW_FOUND')
  return flow
}

/** The nodes of a draft, the start first. */
export const draftOf = (db: Db | Tx, flowId: number) =>
  db
    .select()
    .from(flowNodes)
    .where(eq(flowNodes.flowId, flowId))
    .orderBy(sql`${flowNodes.type} <> 'start'`, asc(flowNodes.x), asc(flowNodes.y), asc(flowNodes.node))

/** A name like this one that no flow of the company has. */
export async function freeName(tx: Tx, companyId: number, name: string, suffix: string): Promise<string> {
  for (let n = 1; ; n++) {
    const end = n === 1 ? ` ${suffix}` : ` ${suffix} ${n}`
    const wished = `${name.slice(0, NAME_LENGTH - end.length).trim()}${end}`
    const [taken] = await tx
      .select({ id: flows.id })
      .from(flows)
      .where(and(eq(flows.companyId, companyId), eq(flows.name, wished)))
    if (!taken) return wished
  }
}

/** What was published of a flow, the latest first, without the nodes. */
/** What was published of a flow, the latest first: a page of it behind that number. */
export async function listVersions(
  db: Db,
  flowId: number,
  { before, limit = VERSIONS_PER_PAGE }: { before: number | undefined; limit: number | undefined },
) {
  const rows = await db
    .select({
      id: flowVersions.id,
      number: flowVersions.number,
      note: flowVersions.note,
      userId: flowVersions.userId,
      userName: users.name,
      nodeCount: sql<number>`jsonb_array_length(${flowVersions.nodes})`,
      createdAt: flowVersions.createdAt,
    })
    .from(flowVersions)
    .leftJoin(users, eq(users.id, flowVersions.userId))
    .where(and(eq(flowVersions.flowId, flowId), before === undefined ? undefined : lt(flowVersions.number, before)))
    .orderBy(desc(flowVersions.number))
    .limit(limit + 1)
  const records = rows.slice(0, limit)
  return { records, nextCursor: rows.length > limit ? String(records.at(-1)!.number) : null }
}

/** Names of fields that are told to one draft; who has more is warned of those in least use. */
const MOST_FIELD_NAMES = 2_000

/** What is filled in elsewhere than in this flow: variables of the company's others, and fields that its contacts have. */
export async function filledElsewhere(db: Db | Tx, { id, companyId }: Flow): Promise<string[]> {
  const [others, fields, own] = await Promise.all([
    db
      .select()
      .from(flowNodes)
      .where(
        and(
          eq(flowNodes.companyId, companyId),
          ne(flowNodes.flowId, id),
          inArray(flowNodes.type, ['question', 'ai', 'http', 'field']),
        ),
      ),
    db.execute<{ name: string }>(sql`
      SELECT info->>'name' AS name FROM ${contacts}, jsonb_array_elements(${contacts.extraInfo}) AS info
      WHERE ${contacts.companyId} = ${companyId} AND ${contacts.extraInfo} <> '[]'
      GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${MOST_FIELD_NAMES}`),
    fieldsOf(db, companyId),
  ])
  const keys = own.map(({ key }) => `${FIELD_PREFIX}${key}`)
  return [...new Set([...filledBy(graphOf(others).nodes), ...[...fields].map(({ name }) => name), ...keys])]
}

/** Names of connections over which this flow begins by itself, or by a phrase of theirs, and which send no templates. */
export async function withoutTemplates(db: Db | Tx, { id, companyId }: Flow): Promise<string[]> {
  const rows = await db
    .select({ name: whatsapps.name, provider: whatsapps.provider })
    .from(whatsapps)
    .leftJoin(integrations, eq(integrations.id, whatsapps.integrationId))
    .where(
      and(
        eq(whatsapps.companyId, companyId),
        or(
          eq(integrations.flowId, id),
          exists(
            db
              .select({ id: flowCampaigns.id })
              .from(flowCampaigns)
              .where(and(eq(flowCampaigns.flowId, id), eq(flowCampaigns.whatsappId, whatsapps.id))),
          ),
        ),
      ),
    )
    .orderBy(asc(whatsapps.id))
  return rows.flatMap(({ name, provider }) => (offersOf(provider).templates ? [] : [name]))
}

/**
 * What a draft may name beside rows that are synced: the company's keys, which of its own files are gone, what is filled in
 * elsewhere, and the hours that connections have for themselves.
 */
export async function knownToDraft(db: Db, flow: Flow) {
  const { id, companyId } = flow
  const named = filesOf(graphOf(await draftOf(db, id)))
  const [secrets, variables, phones, connections, kept] = await Promise.all([
    secretNames(db, companyId),
    filledElsewhere(db, flow),
    withoutTemplates(db, flow),
    db
      .select({ id: whatsapps.id, schedules: whatsapps.schedules })
      .from(whatsapps)
      .where(eq(whatsapps.companyId, companyId))
      .orderBy(asc(whatsapps.id)),
    db
      .select({ name: flowFiles.name })
      .from(flowFiles)
      .where(and(eq(flowFiles.companyId, companyId), inArray(flowFiles.name, named))),
  ])
  const there = new Set(kept.map(({ name }) => name))
  const filesGone = named.filter((name) => !there.has(name))
  return { secrets: [...secrets], filesGone, variables, connections, withoutTemplates: phones }
}

/** @throws DomainError `ERR_NO_FLOW_VERSION_FOUND` */
export async function demandVersion(db: Db | Tx, flow: Flow, versionId: number) {
  const [version] = await db
    .select()
    .from(flowVersions)
    .where(and(eq(flowVersions.flowId, flow.id), eq(flowVersions.id, versionId)))
  if (!version) throw new DomainError('ERR_NO_FLOW_VERSION_FOUND')
  return version
}

/**
 * How often each node was reached within these days, how many ended there in silence, and who waits there now.
 * @param from first and last day, `YYYY-MM-DD`
 */
export async function countsOf(db: Db, flowId: number, { from, to }: { from?: string; to?: string }) {
  const [counted, waiting] = await Promise.all([
    db
      .select({
        node: flowCounts.node,
        reached: sum(flowCounts.reached).mapWith(Number),
        left: sum(flowCounts.left).mapWith(Number),
      })
      .from(flowCounts)
      .where(
        and(
          eq(flowCounts.flowId, flowId),
          from ? gte(flowCounts.day, from) : undefined,
          to ? lte(flowCounts.day, to) : undefined,
        ),
      )
      .groupBy(flowCounts.node),
    db
      .select({ node: sql<string | null>`${flowRuns.run} ->> 'node'`, waiting: count() })
      .from(flowRuns)
      .where(and(eq(flowRuns.flowId, flowId), isNull(flowRuns.endedAt)))
      .groupBy(sql`1`),
  ])
  const nodes: Record<string, { reached: number; left: number; waiting: number }> = Object.create(null) as never
  for (const { node, reached, left } of counted) nodes[node] = { reached, left, waiting: 0 }
  for (const { node, waiting: here } of waiting)
    if (node !== null) nodes[node] = { reached: 0, left: 0, ...nodes[node], waiting: here }
  return { nodes, waiting: waiting.reduce((all, { waiting: here }) => all + here, 0) }
}

/** The file that a flow sends under this name, or undefined. */
export async function findFlowFile(db: Db | Tx, companyId: number, name: string) {
  const [file] = await db
    .select()
    .from(flowFiles)
    .where(and(eq(flowFiles.companyId, companyId), eq(flowFiles.name, name)))
  return file
}

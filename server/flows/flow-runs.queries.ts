import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { hidesNumbers } from '../../schema/contacts/contacts.masking.ts'
import { type FlowNode, portsOf } from '../../schema/flows/flows.graph.ts'
import type { FlowLogEntry, LoggedDoing } from '../../schema/flows/flows.log.ts'
import { flowLogs, flowRuns, flows, flowVersions } from '../../schema/flows/flows.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { clip } from '../../schema/texts.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { tags } from '../../schema/tags/tags.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Db } from '../db/database.ts'
import { visibleTo } from '../tickets/tickets.queries.ts'

const RUNS_PER_PAGE = 20
/** Happenings of one run that are told; who goes round for longer is told of the last ones. */
const MOST_ENTRIES = 300

const columns = {
  id: flowRuns.id,
  flowId: flowRuns.flowId,
  versionNumber: flowVersions.number,
  startedAt: flowRuns.createdAt,
  endedAt: flowRuns.endedAt,
  reason: flowRuns.reason,
  ticket: { id: tickets.id, uuid: tickets.uuid },
  contact: { id: contacts.id, name: contacts.name, number: contacts.number },
}

const readable = (db: Db) =>
  db
    .select(columns)
    .from(flowRuns)
    .innerJoin(tickets, eq(tickets.id, flowRuns.ticketId))
    .innerJoin(contacts, eq(contacts.id, flowRuns.contactId))
    .innerJoin(flowVersions, eq(flowVersions.id, flowRuns.versionId))

/** The runs of a flow in tickets that somebody may see, the latest first. `cursor` is the last one of the page before. */
export async function listRuns(
  db: Db,
  who: Principal,
  flowId: number,
  { cursor, limit = RUNS_PER_PAGE }: { cursor: string | undefined; limit: number | undefined },
) {
  const rows = await readable(db)
    .where(
      and(
        eq(flowRuns.companyId, who.companyId),
        eq(flowRuns.flowId, flowId),
        visibleTo(who),
        cursor === undefined
          ? undefined
          : sql`(${flowRuns.createdAt}, ${flowRuns.id}) < (SELECT r."createdAt", r."id" FROM flow_runs r WHERE r."id" = ${cursor} AND r."flowId" = ${flowId})`,
      ),
    )
    .orderBy(desc(flowRuns.createdAt), desc(flowRuns.id))
    .limit(limit + 1)
  const records = rows.slice(0, limit)
  return { records, nextCursor: rows.length > limit ? records.at(-1)!.id : null }
}

/** A run with what it did, block by block; undefined for who may not see its ticket. */
export async function findRun(db: Db, who: Principal, id: string) {
  const [run] = await readable(db).where(
    and(eq(flowRuns.companyId, who.companyId), eq(flowRuns.id, id), visibleTo(who)),
  )
  if (!run) return undefined
  const rows = await db
    .select({ id: flowLogs.id, at: flowLogs.at, entry: flowLogs.entry })
    .from(flowLogs)
    .where(and(eq(flowLogs.companyId, who.companyId), eq(flowLogs.runId, id)))
    .orderBy(desc(flowLogs.id))
    .limit(MOST_ENTRIES + 1)
  const entries = rows.slice(0, MOST_ENTRIES).reverse()
  return {
    ...run,
    isCut: rows.length > MOST_ENTRIES,
    // What services were told and have answered may hold any number.
    entries: entries.map(({ id: entryId, at, entry }) => ({
      id: entryId,
      at,
      ...(hidesNumbers(who) ? withoutWords(entry) : { ...entry, isHidden: false }),
    })),
    blocks: await blocksOf(
      db,
      who.companyId,
      entries.map(({ entry }) => entry),
    ),
    names: await namesOf(
      db,
      who.companyId,
      entries.flatMap(({ entry }) => entry.done ?? []),
    ),
  }
}

const withoutWords = (entry: FlowLogEntry) => ({
  ...entry,
  calls: entry.calls.map((call) => ({ ...call, line: '', body: '', isCut: false })),
  ...(entry.done && { done: entry.done.map((one) => ({ ...one, text: '' })) }),
  heard: undefined,
  isHidden: true,
})

/** What the tags, queues and people are called that a run names by their ids; those that are gone are missing. */
async function namesOf(db: Db, companyId: number, done: readonly LoggedDoing[]) {
  const ids = (...kinds: LoggedDoing['kind'][]) => [
    ...new Set(done.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => Number(name))),
  ]
  const named = async (table: typeof tags | typeof queues | typeof users, wanted: number[]) =>
    wanted.length === 0
      ? {}
      : Object.fromEntries(
          (
            await db
              .select({ id: table.id, name: table.name })
              .from(table)
              .where(and(eq(table.companyId, companyId), inArray(table.id, wanted)))
          ).map(({ id, name }) => [id, name]),
        )
  const [ofTags, ofQueues, ofUsers] = await Promise.all([
    named(tags, ids('tag', 'untag')),
    named(queues, ids('queue')),
    named(users, ids('agent')),
  ])
  return { tags: ofTags, queues: ofQueues, users: ofUsers }
}

/** Of which type the blocks were, and a few words of each, as they were when the run met them. */
async function blocksOf(db: Db, companyId: number, entries: readonly FlowLogEntry[]) {
  const named = new Set(
    entries.flatMap(({ blocks }) =>
      blocks.flatMap(({ version, node, from }) => [`${version}:${node}`, ...(from ? [`${version}:${from}`] : [])]),
    ),
  )
  const versionIds = [...new Set(entries.flatMap(({ blocks }) => blocks.map(({ version }) => Number(version))))]
  if (versionIds.length === 0) return []
  const versions = await db
    .select({ id: flowVersions.id, flowId: flowVersions.flowId, flow: flows.name, nodes: flowVersions.nodes })
    .from(flowVersions)
    .innerJoin(flows, eq(flows.id, flowVersions.flowId))
    .where(and(eq(flowVersions.companyId, companyId), inArray(flowVersions.id, versionIds)))
    .orderBy(asc(flowVersions.id))
  return versions.flatMap(({ id, flowId, flow, nodes }) =>
    nodes
      .filter(({ node }) => named.has(`${id}:${node}`))
      .map(({ node, type, data }) => ({
        ...{ version: String(id), node, type, flowId, flow, words: wordsOf(data) },
        ports: portsOf({ type, data } as FlowNode),
      })),
  )
}

function wordsOf(data: Record<string, unknown>): string {
  const words = [data['message'], data['text'], data['caption']].find((text) => typeof text === 'string' && text.trim())
  return typeof words === 'string' ? clip(words.trim().replaceAll('\n', ' '), 80) : ''
}

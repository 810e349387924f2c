import { eq, getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { automationDecisions } from '../../schema/automation/automation.table.ts'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { takeBackReplies } from '../../schema/automation/automation.silence.ts'
import {
  type Condition,
  type DecidedTable,
  type RowChange,
  type ServerChange,
  type ServerDecision,
  type SweepingChange,
  together,
  type Without,
} from '../../schema/command.ts'
import { isByKey } from '../../schema/custom-fields/custom-fields.merge.ts'
import { DomainError, type ErrorCode } from '../../schema/errors.ts'
import { decideRuns } from '../../schema/flows/flow-runs.transition.ts'
import { flowRuns } from '../../schema/flows/flows.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { written } from '../../schema/nouns.server.ts'
import { isLive, type LiveTable } from '../../schema/nouns.ts'
import { ratings } from '../../schema/ratings/ratings.table.ts'
import { type Ticket, ticketTrackings, tickets } from '../../schema/tickets/tickets.table.ts'
import type { TrackingStep } from '../../schema/tickets/tickets.transition.ts'
import { type Happening, listeningTo, ratingHappenings } from '../../schema/webhooks/webhooks.causes.ts'
import { inWritingOrder } from '../../schema/writing-order.ts'
import { besideOf, type Db, type Tx } from '../db/database.ts'
import { failuresIn } from '../db/failures.ts'
import { allDone } from '../db/one-way.ts'
import { addHeldJobs, addJobs, takeBackJobs } from '../jobs/queue.ts'
import { insertReporting, keepHappenings, updateReporting } from './happenings.ts'
import { applyJoins } from './joins.ts'
import { keepTexts } from './texts.ts'

export type TicketPlace = Pick<Ticket, 'status' | 'queueId' | 'userId'>

/** A row that changed in a committed transaction; whoever wants more loads it by id. */
export interface Change {
  companyId: number
  table: LiveTable
  /** `updateUnread`: a ticket was read, and nothing else about it changed. */
  action: 'create' | 'update' | 'updateUnread' | 'delete'
  id: string | number
  /** The ticket a message or note belongs to. */
  ticketId?: number
  /** The chat a new message belongs to. */
  chatId?: number
  /** Where a ticket was that has moved. */
  was?: TicketPlace
}

/**
 * What else follows from decisions, whoever made them, in the same transaction: asked after their rows are written. It is
 * called for each of them, so where it has nothing to do it must answer from memory.
 */
export type Follower = (tx: Tx, companyId: number, decision: ServerDecision) => Promise<ServerDecision | null> | null
const FOLLOWERS = 'followers'
/** Sets who follows all decisions that are written to this database, in this order. */
export const followDecisions = (db: Db, ...followers: readonly Follower[]): void =>
  void besideOf(db).set(FOLLOWERS, followers)

/**
 * Writes a decision: its rows, the clocks of services, and a job for each effect. Part of the caller's transaction.
 * Changes of one kind that follow each other are one statement, so that a decision about a hundred messages costs
 * little more than one about a single one.
 *
 * @param behind statements that come behind all of these, in the same way to the database and back where that is possible
 */
export async function applyDecision(
  tx: Tx,
  companyId: number,
  decision: ServerDecision,
  behind?: () => Promise<unknown>[],
): Promise<Change[]> {
  if (decision.takesBack?.length && !(await takeBackJobs(tx, companyId, decision.takesBack)))
    throw new DomainError('ERR_UNDO_LATE')
  const rows = inWritingOrder(decision.rows)
  // What is taken over, and texts, wait for what comes before them; then so does what comes behind.
  const isOneWay = !decision.takenOver?.length && !decision.joins?.length && !decision.texts?.length
  const batches = batchesOf(rows)
  const happened: Happening[][] = []
  // They are sent one behind the other without waiting for each answer: one way to the database and back for all.
  await allDone([
    ...batches.map(async (batch, i) => {
      happened[i] = await ('where' in batch ? sweep(tx, companyId, batch) : write(tx, companyId, batch))
    }),
    ...(decision.tracking ?? []).map((step) => applyTracking(tx, companyId, step)),
    decision.ratings?.length ? tx.insert(ratings).values(decision.ratings) : undefined,
    ...(decision.comments ?? []).map(({ trackingId, comment }) =>
      tx.update(ratings).set({ comment }).where(eq(ratings.trackingId, trackingId)),
    ),
    decision.subscription && tx.update(companies).set(decision.subscription).where(eq(companies.id, companyId)),
    addJobs(tx, companyId, decision.effects),
    decision.operatorEffects?.length ? addJobs(tx, OPERATOR_COMPANY_ID, decision.operatorEffects) : undefined,
    decision.held?.length ? addHeldJobs(tx, companyId, decision.held) : undefined,
    ...(isOneWay ? (behind?.() ?? []) : []),
  ])
  await keepHappenings(tx, companyId, [...happened.flat(), ...ratingHappenings(decision.ratings ?? [])])
  const ended = decision.takenOver?.length ? await endAutomation(tx, companyId, decision.takenOver) : []
  if (decision.joins?.length) await applyJoins(tx, companyId, decision.joins)
  // Behind their messages, and rare.
  if (decision.texts?.length) await keepTexts(tx, companyId, decision.texts)
  if (!isOneWay) await allDone(behind?.() ?? [])
  const followed: Change[] = []
  for (const follower of (besideOf(tx).get(FOLLOWERS) ?? []) as readonly Follower[]) {
    const after = await follower(tx, companyId, decision)
    if (after) followed.push(...(await applyDecision(tx, companyId, after)))
  }
  const moved = new Map(decision.moved?.map((ticket) => [ticket.id, placeOf(ticket)]))
  const own = rows.flatMap((row) => changesOf(companyId, row))
  const told = new Set(own.map(({ table, id }) => `${table}/${id}`))
  return own
    .map((change) => {
      const was = change.table === 'tickets' ? moved.get(Number(change.id)) : undefined
      return was ? { ...change, was } : change
    })
    .concat(ended)
    .concat(followed.filter(({ table, id }) => !told.has(`${table}/${id}`)))
}

/** What decides who listens to a ticket. */
const placeOf = ({ status, queueId, userId }: TicketPlace): TicketPlace => ({ status, queueId, userId })

// ── rows ─────────────────────────────────────────────────────────────────────────────────────

/** Changes that one statement makes: of the same table and kind, naming the same columns, and no row twice. */
interface Batch {
  table: DecidedTable
  op: RowChange['op']
  columns: string[]
  rows: Record<string, unknown>[]
}

/** @returns the same changes in the same order, those together that may be */
function batchesOf(changes: ServerDecision['rows']): (Batch | SweepingChange)[] {
  const batches: (Batch | SweepingChange)[] = []
  const ids = new Set<unknown>()
  for (const change of changes) {
    if ('where' in change) {
      if (change.where.in.length > 0) batches.push(change)
      continue
    }
    const rows: Record<string, unknown>[] =
      change.op === 'insert'
        ? [change.values]
        : change.ids.map((id) => ({ ...(change.op === 'update' ? change.values : {}), id }))
    if (rows.length === 0) continue
    const columns = Object.keys(rows[0]!).filter((name) => rows[0]![name] !== undefined)
    const last = batches.at(-1)
    const joins =
      last !== undefined &&
      'rows' in last &&
      last.table === change.table &&
      last.op === change.op &&
      last.columns.length === columns.length &&
      columns.every((name) => last.columns.includes(name)) &&
      !rows.some((row) => ids.has(row.id))
    if (joins) last.rows.push(...rows)
    else {
      ids.clear()
      batches.push({ table: change.table, op: change.op, columns, rows })
    }
    for (const { id } of rows) ids.add(id)
  }
  return batches
}

/**
 * One statement, whose text is the same however many rows it writes: Postgres has read it before, and there may be
 * more rows than a statement has parameters.
 */
async function write(tx: Tx, companyId: number, { table: name, op, columns, rows }: Batch): Promise<Happening[]> {
  const { table } = written[name]
  const known: Record<string, PgColumn> = getTableColumns(table)
  const quoted = (prefix: string) => raw(columns.map((column) => `${prefix}"${column}"`))
  const types = raw(columns.map((column) => `"${column}" ${typeOf(known[column]!)}`))
  const given = sql`json_to_recordset(${JSON.stringify(rows)}::text::json) AS x(${types})`
  // The ids besides, as an array: Postgres takes the document for a hundred rows, and would rather read a small table whole.
  const ids = sql`${sql.param(rows.map((row) => row['id']))}::${raw([typeOf(known['id']!)])}[]`
  const among = sql`t."companyId" = ${companyId} AND t."id" = ANY(${ids})`
  const mine = sql`t."id" = x."id" AND ${among}`
  const set = columns.filter((column) => column !== 'id')
  if (op === 'update' && set.length === 0) return []
  const listening = listeningTo(name, op, set)
  if (op === 'insert') {
    const insert = sql`INSERT INTO ${table} AS t (${quoted('')}) SELECT ${quoted('x.')} FROM ${given}${written[name].once ? once : sql``}`
    if (listening) return insertReporting(tx, companyId, listening, insert)
    await tx.execute(insert)
  } else if (op === 'update') {
    const update = sql`UPDATE ${table} t SET ${raw(set.map((column) => `"${column}" = ${isByKey(name, column) ? byKey(column) : `x."${column}"`}`))} FROM ${given} WHERE ${mine}`
    if (listening) return updateReporting(tx, companyId, listening, { table: sql`${table}`, found: among, update })
    await tx.execute(update)
  } else await tx.execute(sql`DELETE FROM ${table} t USING ${given} WHERE ${mine}`)
  return []
}

/** One statement, however many rows there are. */
async function sweep(
  tx: Tx,
  companyId: number,
  { table: name, where, and = [], values }: SweepingChange,
): Promise<Happening[]> {
  const { table } = written[name]
  const known: Record<string, PgColumn> = getTableColumns(table)
  const typeOfColumn = (column: string) => raw([typeOf(known[column]!)])
  const changes = Object.entries(values as Record<string, unknown>).map(([column, value]) =>
    isWithout(value)
      ? sql`${raw([`"${column}"`])} = array_remove(${raw([`"${column}"`])}, ${value.without}::integer)`
      : sql`${raw([`"${column}"`])} = ${value instanceof Date ? value.toISOString() : value}::${typeOfColumn(column)}`,
  )
  const holds = (condition: Condition) => {
    const column = raw([`t."${condition.column}"`])
    if ('is' in condition) return condition.is === 'set' ? sql`${column} IS NOT NULL` : sql`${column} IS NULL`
    if ('isNot' in condition) return sql`${column} IS DISTINCT FROM ${condition.isNot}`
    // The driver takes a list of booleans for one.
    if (condition.in.every((value) => typeof value === 'boolean'))
      return sql`${column} IN (${raw(condition.in.map(String))})`
    const given = sql.param([...condition.in])
    return known[condition.column]!.getSQLType().endsWith('[]')
      ? sql`${column} && ${given}::${typeOfColumn(condition.column)}`
      : sql`${column} = ANY(${given}::${typeOfColumn(condition.column)}[])`
  }
  const found = sql`t."companyId" = ${companyId} AND ${sql.join([where, ...and].map(holds), sql` AND `)}`
  const update = sql`UPDATE ${table} t SET ${sql.join(changes, sql`, `)} WHERE ${found}`
  const listening = listeningTo(name, 'update', Object.keys(values))
  if (listening) return updateReporting(tx, companyId, listening, { table: sql`${table}`, found, update })
  await tx.execute(update)
  return []
}

const isWithout = (value: unknown): value is Without =>
  typeof value === 'object' && value !== null && 'without' in value

/** What the statement does not name stays, and null empties. */
const byKey = (column: string) => `jsonb_strip_nulls(t."${column}" || x."${column}")`

/** Telling it twice writes it once. */
const once = sql` ON CONFLICT DO NOTHING`

const raw = (parts: readonly string[]) => sql.raw(parts.join(', '))

/** The type of a column's values in Postgres. */
const typeOf = (column: PgColumn): string =>
  column.getSQLType().replace('bigserial', 'bigint').replace('serial', 'integer')

// ── the clocks of services ───────────────────────────────────────────────────────────────────

/** Moves the clock of a service; the first move of a service starts its row. One statement. */
async function applyTracking(tx: Tx, companyId: number, step: TrackingStep): Promise<void> {
  if ('trackingId' in step) {
    await tx.update(ticketTrackings).set(step.change).where(eq(ticketTrackings.id, step.trackingId))
    return
  }
  const { ticketId } = step
  if ('resumed' in step) {
    await tx.execute(sql`UPDATE ${ticketTrackings} SET "finishedAt" = NULL, "queueId" = NULL, "userId" = ${step.resumed.userId}
      WHERE "id" = (SELECT max("id") FROM ${ticketTrackings} WHERE "ticketId" = ${ticketId}) AND "finishedAt" IS NOT NULL`)
    return
  }
  const change = Object.entries(step.change).filter(([, value]) => value !== undefined)
  const known: Record<string, PgColumn> = getTableColumns(ticketTrackings)
  const columns = raw(change.map(([name]) => `"${name}"`))
  const values = sql.join(
    change.map(([name, value]) => {
      const given = value instanceof Date ? value.toISOString() : value
      return sql`${given}::${sql.raw(typeOf(known[name]!))}`
    }),
    sql`, `,
  )
  // Reports ask where it ended, wherever its ticket goes later.
  const queue = step.change.finishedAt
    ? sql`, "queueId" = (SELECT t."queueId" FROM ${tickets} t WHERE t."id" = ${ticketId})`
    : sql``
  const set = sql`UPDATE ${ticketTrackings} SET (${columns}) = ROW(${values})${queue}
    WHERE "ticketId" = ${ticketId} AND "finishedAt" IS NULL RETURNING "id"`
  // A service that ends without having begun leaves no row.
  if (step.change.finishedAt) await tx.execute(set)
  else
    await tx.execute(sql`WITH moved AS (${set})
      INSERT INTO ${ticketTrackings} ("companyId", "ticketId", "whatsappId", ${columns})
      SELECT ${companyId}, t."id", t."whatsappId", ${values} FROM ${tickets} t
      WHERE t."id" = ${ticketId} AND NOT EXISTS (SELECT FROM moved)`)
}

// ── what answered by itself ──────────────────────────────────────────────────────────────────

/** Ends the flows in these tickets, and takes back what was said by itself and has not left. */
async function endAutomation(tx: Tx, companyId: number, ticketIds: number[]): Promise<Change[]> {
  const among = sql`ANY(${sql.param(ticketIds)}::int[])`
  const [runs, unsent, [at]] = await Promise.all([
    tx
      .select()
      .from(flowRuns)
      .where(sql`${flowRuns.ticketId} = ${among} AND ${flowRuns.endedAt} IS NULL`)
      .orderBy(flowRuns.id)
      .for('update'),
    // Locked: none of them leaves meanwhile.
    tx.execute<{ id: string; ticketId: number; isLast: boolean }>(sql`
      SELECT m."id", m."ticketId", m."id" = (SELECT l."id" FROM ${messages} l
        WHERE l."ticketId" = m."ticketId" ORDER BY l."createdAt" DESC, l."id" DESC LIMIT 1) AS "isLast"
      FROM ${messages} m JOIN (SELECT unnest("replies") AS id FROM (SELECT "replies" FROM ${automationDecisions}
        WHERE "ticketId" = ${among} ORDER BY "createdAt" DESC LIMIT 50) latest) said ON m."id" = said.id
      WHERE m."ack" = 1 AND m."fromMe" AND NOT m."isDeleted" FOR UPDATE OF m`),
    tx.execute<{ now: string }>(sql`SELECT now()::text AS now`),
  ])
  if (runs.length === 0 && unsent.length === 0) return []
  const now = new Date(at!.now)
  const { decision } = decideRuns(runs, { type: 'takeOver' }, now)
  return applyDecision(tx, companyId, together(decision, takeBackReplies(unsent, now)))
}

// ── who is told ──────────────────────────────────────────────────────────────────────────────

function changesOf(companyId: number, row: ServerDecision['rows'][number]): Change[] {
  const { table } = row
  if ('where' in row || !isLive(table)) return []
  const action = row.op === 'insert' ? 'create' : isRead(row) ? 'updateUnread' : row.op
  const ticketId = row.op === 'insert' && 'ticketId' in row.values ? (row.values.ticketId as number) : undefined
  const chatId = row.op === 'insert' && 'chatId' in row.values ? (row.values.chatId as number) : undefined
  const ids = row.op === 'insert' ? [row.values.id] : row.ids
  return ids.map((id) => ({
    companyId,
    table,
    action,
    id,
    ...(ticketId ? { ticketId } : {}),
    ...(chatId ? { chatId } : {}),
  }))
}

const isRead = (row: RowChange | ServerChange) =>
  row.table === 'tickets' &&
  row.op === 'update' &&
  row.values.unreadMessages === 0 &&
  Object.keys(row.values).length === 1

// ── what the database refuses ────────────────────────────────────────────────────────────────

/** What a violated constraint means. One that is not named here is a fault of ours, and answers as such. */
const refusals: Record<string, ErrorCode> = {
  tickets_one_active: 'ERR_OTHER_OPEN_TICKET',
  flow_nodes_limit: 'ERR_FLOW_SIZE',
  // A caller uses the id of a row again, under another idempotency key. Only callers make ids that are text.
  ...Object.fromEntries(
    Object.values(written)
      .filter(({ table }) => table.id.dataType === 'string')
      .map(({ table }) => [`${getTableName(table)}_pkey`, 'ERR_IDEMPOTENCY_MISMATCH'] as const),
  ),
}

/** The refusal that a failed decision amounts to, or undefined where it failed for another reason. */
export function refusalOf(error: unknown): DomainError | undefined {
  const code = Object.entries(refusals).find(([constraint]) => violates(error, constraint))?.[1]
  return code && new DomainError(code)
}

/** Whether a database error is a violation of this unique constraint or index. */
export function violates(error: unknown, constraint: string | RegExp): boolean {
  const name = violated(error, '23505')
  return name !== undefined && (typeof constraint === 'string' ? name === constraint : constraint.test(name))
}

/** Whether a database error says that a row names another one that is not there, or no longer. */
export const namesWhatIsGone = (error: unknown): boolean => violated(error, '23503') !== undefined

/** The name of the constraint of which a database error with this code tells. */
const violated = (error: unknown, code: string): string | undefined =>
  failuresIn(error).find((e) => e.code === code && e.constraint_name !== undefined)?.constraint_name

import { and, asc, desc, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { whatsappLeases } from '../../schema/whatsapps/whatsapp-store.table.ts'
import { type Provider, providersThat } from '../../schema/whatsapps/whatsapps.providers.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { withQueues } from '../queues/queues.queries.ts'

type Row = typeof whatsapps.$inferSelect

const dressed = async (db: Db | Tx, companyId: number, rows: Row[]) =>
  (await withQueues(db, companyId, 'whatsapps', rows)).map(({ wanted: _wanted, ...row }) => row)
export type WhatsappRow = Awaited<ReturnType<typeof dressed>>[number]

/** A connection for those who administer it; the QR and the token open it to whoever has them. */
export function shownTo(
  who: Principal,
  row: WhatsappRow,
): Omit<WhatsappRow, 'token' | 'qrcode'> & Partial<Pick<WhatsappRow, 'token' | 'qrcode'>> {
  if (can(who, 'connections:token')) return row
  const { token: _token, qrcode: _qrcode, ...rest } = row
  return rest
}

export const listWhatsapps = async (db: Db, companyId: number) =>
  dressed(
    db,
    companyId,
    await db.select().from(whatsapps).where(eq(whatsapps.companyId, companyId)).orderBy(asc(whatsapps.id)),
  )

/** @throws ERR_NO_WAPP_FOUND, also of another company's */
export async function needWhatsapp(db: Db | Tx, companyId: number, id: number): Promise<WhatsappRow> {
  const rows = await db
    .select()
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, companyId), eq(whatsapps.id, id)))
  const [row] = await dressed(db, companyId, rows)
  if (!row) throw new DomainError('ERR_NO_WAPP_FOUND')
  return row
}

/** By which wire a connection speaks; undefined where there is none. */
export async function providerOf(db: Db, whatsappId: number): Promise<string | undefined> {
  const [row] = await db.select({ provider: whatsapps.provider }).from(whatsapps).where(eq(whatsapps.id, whatsappId))
  return row?.provider
}

/** The connections that are wanted and have none of these providers. */
export const wantedBesides = (db: Db, served: readonly string[]): Promise<{ id: number }[]> =>
  db
    .select({ id: whatsapps.id })
    .from(whatsapps)
    .where(and(eq(whatsapps.wanted, true), notInArray(whatsapps.provider, served as Provider[])))
    .orderBy(asc(whatsapps.id))

/** Over which connection a company asks about numbers: its default one, or another that is up and whose wire can. */
export async function connectionToAsk(db: Db, companyId: number): Promise<number | undefined> {
  const [row] = await db
    .select({ id: whatsapps.id })
    .from(whatsapps)
    .where(
      and(
        eq(whatsapps.companyId, companyId),
        eq(whatsapps.status, 'CONNECTED'),
        inArray(whatsapps.provider, providersThat('checkNumber')),
      ),
    )
    .orderBy(desc(whatsapps.isDefault), whatsapps.id)
    .limit(1)
  return row?.id
}

/** How many connections there are, by status, over all companies: for the health page. */
export async function connectionCounts(db: Db): Promise<Record<string, number>> {
  const rows = await db
    .select({ status: whatsapps.status, count: sql<number>`count(*)::int` })
    .from(whatsapps)
    .groupBy(whatsapps.status)
  return Object.fromEntries(rows.map((row) => [row.status, row.count]))
}

/** What the rows tell of a connection's health: which process holds it, and what waits to be sent or was given up. */
export async function connectionHealth(db: Db, companyId: number, whatsappId: number) {
  const [[lease], [waiting]] = await Promise.all([
    db
      .select({ server: whatsappLeases.owner })
      .from(whatsappLeases)
      .where(and(eq(whatsappLeases.whatsappId, whatsappId), sql`${whatsappLeases.until} > now()`)),
    db
      .select({
        queueDepth: sql<number>`(count(*) FILTER (WHERE ${jobs.failedAt} IS NULL))::int`,
        failed: sql<number>`(count(*) FILTER (WHERE ${jobs.failedAt} IS NOT NULL))::int`,
        oldestWaitingAt: sql<Date | null>`min(${jobs.createdAt}) FILTER (WHERE ${jobs.failedAt} IS NULL)`.mapWith(
          jobs.createdAt,
        ),
      })
      .from(jobs)
      .where(and(eq(jobs.companyId, companyId), eq(jobs.whatsappId, whatsappId))),
  ])
  return { server: lease?.server ?? null, ...waiting! }
}

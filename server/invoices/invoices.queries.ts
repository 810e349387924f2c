import { and, desc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { charges, invoices } from '../../schema/invoices/invoices.table.ts'
import { calendarOf } from '../dashboard/dashboard.queries.ts'
import type { Db, Tx } from '../db/database.ts'
import { anywhere } from '../tickets/tickets.queries.ts'

export const INVOICES_PER_PAGE = 20

const columns = {
  id: invoices.id,
  companyId: invoices.companyId,
  detail: invoices.detail,
  value: invoices.value,
  dueDate: invoices.dueDate,
  months: invoices.months,
  status: invoices.status,
  paidAt: invoices.paidAt,
  paidVia: invoices.paidVia,
}

/** Money that waits for the operator. Word for word as the index says it. */
const waiting = sql`${charges.status} IN ('short', 'surplus', 'returned')`

/** Money that came and that only the operator can judge: too little, for an invoice that needed none, or money that went back. */
const oddMoney = sql<string | null>`(SELECT ${charges.status} FROM ${charges}
  WHERE ${charges.invoiceId} = "invoices"."id" AND ${waiting}
  ORDER BY ${charges.id} DESC LIMIT 1)`

/** What companies have still to pay, of one plan or of one company, and for how much of it somebody has begun to pay. */
export async function countUnpaid(
  db: Db,
  which: { planId: number } | { companyId: number },
): Promise<{ open: number; begun: number }> {
  const [counted] = await db
    .select({
      open: sql<number>`count(*)::int`,
      begun: sql<number>`(count(*) FILTER (WHERE EXISTS
        (SELECT FROM ${charges} c WHERE c."invoiceId" = ${invoices.id})))::int`,
    })
    .from(invoices)
    .innerJoin(companies, eq(companies.id, invoices.companyId))
    .where(
      and(
        eq(invoices.status, 'open'),
        isNull(companies.removal),
        'planId' in which ? eq(companies.planId, which.planId) : eq(companies.id, which.companyId),
      ),
    )
  return counted!
}

export interface MoneyTotals {
  /** Not paid yet. */
  open: { invoices: number; value: string; companies: number }
  /** Of these, what was to be paid before today. */
  late: { invoices: number; value: string; companies: number }
  /** This month, by the operator's calendar; what went back whole is not in it. */
  paid: { invoices: number; value: string }
}

/** What all companies owe the operator, and what they have paid this month. */
export async function moneyTotals(db: Db, now: Date): Promise<MoneyTotals> {
  const { zone, today } = await calendarOf(db, OPERATOR_COMPANY_ID, now)
  const [[owed], [paid]] = await Promise.all([
    // Of each company first: its day is told once, and it is counted without being sorted.
    db.execute<Record<'open' | 'openBy' | 'late' | 'lateBy', number> & Record<'openValue' | 'lateValue', string>>(sql`
      SELECT coalesce(sum(o.n), 0)::int AS open, coalesce(sum(o.value), 0)::numeric(14,2)::text AS "openValue",
        count(*)::int AS "openBy", coalesce(sum(o.late), 0)::int AS late,
        coalesce(sum(o."lateValue"), 0)::numeric(14,2)::text AS "lateValue",
        (count(*) FILTER (WHERE o.late > 0))::int AS "lateBy"
      FROM (
        SELECT count(*) AS n, sum(i."value") AS value, count(*) FILTER (WHERE i."dueDate" < c.today) AS late,
          sum(i."value") FILTER (WHERE i."dueDate" < c.today) AS "lateValue"
        FROM (SELECT "id", (${now.toISOString()}::timestamptz AT TIME ZONE "timeZone")::date AS today
          FROM ${companies} WHERE "removal" IS NULL OFFSET 0) c
        JOIN ${invoices} i ON i."companyId" = c."id" AND i."status" = 'open' GROUP BY c."id") o`),
    db
      .select({
        invoices: sql<number>`count(*)::int`,
        value: sql<string>`coalesce(sum(${invoices.value}), 0)::numeric(14,2)::text`,
      })
      .from(invoices)
      .where(
        and(
          eq(invoices.status, 'paid'),
          sql`${invoices.paidAt} >= date_trunc('month', ${today}::date)::timestamp AT TIME ZONE ${zone}`,
        ),
      ),
  ])
  const { open, openValue, openBy, late, lateValue, lateBy } = owed!
  return {
    open: { invoices: open, value: openValue, companies: openBy },
    late: { invoices: late, value: lateValue, companies: lateBy },
    paid: paid!,
  }
}

/** Money that waits for the operator, of all companies, the newest first. */
export async function listOddMoney(db: Db, { cursor, limit }: { cursor?: number | undefined; limit: number }) {
  const rows = await db
    .select({
      id: charges.id,
      status: charges.status,
      provider: charges.provider,
      value: charges.value,
      paidValue: charges.paidValue,
      at: charges.updatedAt,
      company: { id: companies.id, name: companies.name, timeZone: companies.timeZone },
      invoice: { id: invoices.id, status: invoices.status, dueDate: invoices.dueDate },
    })
    .from(charges)
    .innerJoin(invoices, eq(invoices.id, charges.invoiceId))
    .innerJoin(companies, eq(companies.id, charges.companyId))
    .where(and(waiting, cursor === undefined ? undefined : lt(charges.id, cursor)))
    .orderBy(desc(charges.id))
    .limit(limit + 1)
  return { records: rows.slice(0, limit), nextCursor: rows.length > limit ? rows[limit - 1]!.id : null }
}

/** What of a company's money waits for the operator. */
export const oddMoneyOf = (db: Db | Tx, companyId: number) =>
  db
    .select()
    .from(charges)
    .where(and(eq(charges.companyId, companyId), waiting))

/** How much money waits for the operator. */
export const countOddMoney = (db: Db): Promise<number> => db.$count(charges, waiting)

/** The invoices of a company, the last due date first. */
export async function listInvoices(
  db: Db,
  companyId: number,
  { search, pageNumber }: { search: string | undefined; pageNumber: number },
) {
  const rows = await db
    .select({ ...columns, oddMoney })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), search ? matching(search) : undefined))
    .orderBy(desc(invoices.dueDate), desc(invoices.id))
    .limit(INVOICES_PER_PAGE + 1)
    .offset((pageNumber - 1) * INVOICES_PER_PAGE)
  return { invoices: rows.slice(0, INVOICES_PER_PAGE), hasMore: rows.length > INVOICES_PER_PAGE }
}

/** By its number, or by a part of its detail. */
function matching(search: string): SQL {
  const id = /^\d{1,9}$/.test(search) ? Number(search) : null
  const inDetail = sql`plain(${invoices.detail}) LIKE plain(${anywhere(search)})`
  return id === null ? inDetail : sql`(${invoices.id} = ${id} OR ${inDetail})`
}

export async function findInvoice(db: Db, companyId: number, id: number) {
  const [row] = await db
    .select({ ...columns, oddMoney })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), eq(invoices.id, id)))
  return row
}

/** Whose invoice it is. */
export async function companyOfInvoice(db: Db, id: number): Promise<number | undefined> {
  const [row] = await db.select({ companyId: invoices.companyId }).from(invoices).where(eq(invoices.id, id))
  return row?.companyId
}

/** Until when a company may work. */
export async function dueDateOf(db: Db, companyId: number): Promise<string | null> {
  const [row] = await db.select({ dueDate: companies.dueDate }).from(companies).where(eq(companies.id, companyId))
  return row?.dueDate ?? null
}

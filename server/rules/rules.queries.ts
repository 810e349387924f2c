import { and, count, desc, eq, gt, inArray, lt, ne, or, sql } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { readableBy } from '../../schema/contacts/contacts.masking.ts'
import { DAY_MS } from '../../schema/durations.ts'
import { canSeeTicket, type Principal } from '../../schema/permissions.ts'
import { type Rule, type RuleResult, ruleRuns, rules } from '../../schema/rules/rules.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { rulesOf } from './rules.facts.ts'

export async function findRule(db: Db | Tx, companyId: number, id: number): Promise<Rule | undefined> {
  const [row] = await db
    .select()
    .from(rules)
    .where(and(eq(rules.companyId, companyId), eq(rules.id, id)))
  return row
}

/** So far back the list counts what rules did. */
const COUNTED_DAYS = 7

/** Rules in their order, with how often each acted, and was kept from it, in the last seven days. */
export async function listRules(db: Db, companyId: number, now: Date) {
  const [own, counts] = await Promise.all([
    rulesOf(db, companyId),
    db
      .select({ ruleId: ruleRuns.ruleId, result: ruleRuns.result, n: count() })
      .from(ruleRuns)
      .where(
        and(
          inArray(ruleRuns.ruleId, db.select({ id: rules.id }).from(rules).where(eq(rules.companyId, companyId))),
          ...[gt(ruleRuns.createdAt, new Date(now.getTime() - COUNTED_DAYS * DAY_MS)), ne(ruleRuns.result, 'passed')],
        ),
      )
      .groupBy(ruleRuns.ruleId, ruleRuns.result),
  ])
  const countOf = new Map(counts.map(({ ruleId, result, n }) => [`${ruleId} ${result}`, n]))
  const of = (rule: Rule, result: RuleResult) => countOf.get(`${rule.id} ${result}`) ?? 0
  return own.map((rule) => ({
    ...rule,
    lately: { done: of(rule, 'done'), blocked: of(rule, 'blocked'), refused: of(rule, 'refused') },
  }))
}

/** A page's end: moment and id of its last run. */
const ends = (cursor: string | undefined): { at: Date; id: string } | null => {
  const [ms, ...id] = (cursor ?? '').split('_')
  const at = new Date(Number(ms))
  return cursor === undefined || Number.isNaN(at.getTime()) || id.length === 0 ? null : { at, id: id.join('_') }
}

/** A page of what a rule did, the latest first. `nextCursor` is null behind the last. */
export async function pageOfRuns(
  db: Db,
  companyId: number,
  ruleId: number,
  { cursor, limit, result }: { cursor: string | undefined; limit: number; result: RuleResult | undefined },
) {
  const after = ends(cursor)
  const rows = await db
    .select({ run: ruleRuns, ticket: tickets, contact: contacts })
    .from(ruleRuns)
    .innerJoin(tickets, eq(tickets.id, ruleRuns.ticketId))
    .innerJoin(contacts, eq(contacts.id, tickets.contactId))
    .where(
      and(
        ...[eq(ruleRuns.companyId, companyId), eq(ruleRuns.ruleId, ruleId)],
        ...(result ? [eq(ruleRuns.result, result)] : []),
        ...(after
          ? [
              or(
                lt(ruleRuns.createdAt, after.at),
                and(eq(ruleRuns.createdAt, after.at), sql`${ruleRuns.id} < ${after.id}`),
              ),
            ]
          : []),
      ),
    )
    .orderBy(desc(ruleRuns.createdAt), desc(ruleRuns.id))
    .limit(limit + 1)
  const last = rows.length > limit ? rows[limit - 1]!.run : null
  return { rows: rows.slice(0, limit), nextCursor: last && `${last.createdAt.getTime()}_${last.id}` }
}

/** What a rule did and why. Of tickets that the reader may not see, only that there was one. */
export async function runsOf(db: Db, who: Principal, ruleId: number, page: Parameters<typeof pageOfRuns>[3]) {
  const { rows, nextCursor } = await pageOfRuns(db, who.companyId, ruleId, page)
  const records = rows.map(({ run, ticket, contact }) => ({
    ...{ id: run.id, version: run.version, trigger: run.trigger, result: run.result, depth: run.depth },
    ...{ met: run.met, outcome: run.outcome, createdAt: run.createdAt },
    ticket: named(who, ticket, contact),
  }))
  return { records, nextCursor }
}

/** How a ticket is called, for who may see it. */
export function named(
  who: Principal,
  ticket: Pick<typeof tickets.$inferSelect, 'id' | 'uuid' | 'queueId' | 'userId'>,
  contact: Pick<typeof contacts.$inferSelect, 'name' | 'number'>,
): { id: number; uuid: string; name: string } | null {
  if (!canSeeTicket(who, ticket)) return null
  const { name, number } = readableBy(who, { name: contact.name, number: contact.number })
  return { id: ticket.id, uuid: ticket.uuid, name: name || number || '' }
}

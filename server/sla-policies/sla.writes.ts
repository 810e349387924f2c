import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type ServerDecision, together } from '../../schema/command.ts'
import { newId } from '../../schema/ids.ts'
import { advance, type SlaHappened, type SlaRules, type SlaTold } from '../../schema/sla-policies/sla.clock.ts'
import { slaClocks, slaPolicies, slaStates } from '../../schema/sla-policies/sla-policies.table.ts'
import { timelineRow } from '../../schema/tickets/tickets.move.ts'
import type { Tx } from '../db/database.ts'
import { allDone } from '../db/one-way.ts'
import { letOthersIn } from '../others.ts'
import type { TicketFacts } from './sla.facts.ts'

/**
 * Moves the clocks of these tickets and writes them: two statements, however many there are.
 * @returns what else is to be written: what the tickets show, their timelines, and who is told
 */
export async function moveClocks(
  tx: Tx,
  rules: SlaRules,
  facts: readonly TicketFacts[],
  happenedTo: (ticketId: number) => SlaHappened,
  now: Date,
): Promise<{ decision: ServerDecision; told: SlaTold[] }> {
  const states = []
  const clocks = []
  const told: SlaTold[] = []
  const decisions: ServerDecision[] = []
  const names = new Map(rules.policies.map(({ id, name }) => [id, name]))
  for (const one of facts) {
    await letOthersIn()
    const { row } = one
    const outcome = advance(rules, one, happenedTo(row.id), now, newId)
    if (outcome.isStateNew || one.isAdopted) states.push(outcome.state)
    clocks.push(...outcome.clocks)
    told.push(...outcome.told)
    const { next } = outcome
    const isShown =
      row.nextDueAt?.getTime() === next.nextDueAt?.getTime() &&
      row.nextRiskAt?.getTime() === next.nextRiskAt?.getTime() &&
      row.nextDueMetric === next.nextDueMetric
    decisions.push({
      rows: [
        ...(isShown ? [] : [{ table: 'tickets' as const, op: 'update' as const, ids: [row.id], values: next }]),
        ...outcome.told.map(({ what, clockId, metric, policyId }) =>
          timelineRow(row, what === 'breach' ? 'sla_breached' : 'sla_warned', {
            ...{ id: clockId, eventId: `sla:${clockId}:${what}`, userId: null, now },
            data: { metric, policy: names.get(policyId ?? 0) ?? null },
          }),
        ),
      ],
      effects: [],
    })
  }
  // What ends makes room for what begins.
  await allDone([
    states.length > 0 ? upsert(tx, slaStates, 'ticketId', states, sql`x."ticketId"`) : undefined,
    clocks.length > 0 ? upsert(tx, slaClocks, 'id', clocks, sql`x."endedAt" NULLS LAST`) : undefined,
  ])
  const effects = told.length > 0 ? [{ kind: 'sla.told' as const, told }] : []
  return { decision: together(...decisions, { rows: [], effects }), told }
}

/** One statement whose text is the same however many rows it writes. A policy that has gone meanwhile is named by none. */
async function upsert(tx: Tx, table: PgTable, key: string, rows: readonly object[], order: SQL): Promise<void> {
  const columns = Object.entries(getTableColumns(table) as Record<string, PgColumn>)
  const list = (of: (name: string, column: PgColumn) => string): SQL =>
    sql.raw(columns.map(([name, column]) => of(name, column)).join(', '))
  const given = list((name) => (name === 'policyId' ? 'p."id"' : `x."${name}"`))
  await tx.execute(sql`
    INSERT INTO ${table} (${list((name) => `"${name}"`)})
    SELECT ${given}
    FROM json_to_recordset(${JSON.stringify(rows)}::text::json) AS x(${list((name, column) => `"${name}" ${column.getSQLType()}`)})
    LEFT JOIN ${slaPolicies} p ON p."id" = x."policyId"
    ORDER BY ${order}
    ON CONFLICT (${sql.raw(`"${key}"`)}) DO UPDATE SET ${list((name) => `"${name}" = excluded."${name}"`)}`)
}

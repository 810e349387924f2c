import type { Ticket } from './tickets.table.ts'

/** What a ticket shows of the nearest of its promises. */
export type NextDue = Pick<Ticket, 'nextDueAt' | 'nextDueMetric' | 'nextRiskAt'>

/** A ticket in which nothing is promised, or whose clocks stand still. */
export const noPromise = { nextDueAt: null, nextDueMetric: null, nextRiskAt: null } as const satisfies NextDue

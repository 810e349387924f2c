import type { ServerDecision } from '../../schema/command.ts'
import type { SlaHappened, SlaMissed, SlaRules, Spoken } from '../../schema/sla-policies/sla.clock.ts'
import type { Follower } from '../commands/apply.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Logger } from '../log.ts'
import { loadRules, promisingCompanies, slaFacts } from './sla.facts.ts'
import { moveClocks } from './sla.writes.ts'

/** What companies promise, as it is remembered. */
export interface Sla {
  /** Moves the clocks with what moves their tickets, in the same transaction. */
  follower: Follower
  /** Looks again who promises anything: what other servers have changed is known a few seconds later. */
  refresh(): Promise<void>
  /** What a company promises has changed. */
  forget(companyId: number): void
}

/** What of a ticket makes its clocks begin, stop and go. */
const moving = ['status', 'queueId', 'tagIds', 'snoozedUntil'] as const

export function createSla({ db, now, log }: { db: Db; now(): Date; log: Pick<Logger, 'error'> }): Sla {
  // A transaction that waits for a second connection can starve the pool: it reads what is missing itself.
  const fresh = new Map<number, { until: number; rules: SlaRules }>()
  let promising: Set<number> | undefined

  const rulesIn = async (tx: Tx, companyId: number): Promise<SlaRules> => {
    const known = fresh.get(companyId)
    if (known && known.until > Date.now()) return known.rules
    const read = await loadRules(tx, companyId)
    fresh.set(companyId, { until: Date.now() + 5_000, rules: read })
    return read
  }

  const follow = async (tx: Tx, companyId: number, touched: Touched): Promise<ServerDecision | null> => {
    promising ??= await promisingCompanies(tx)
    if (!promising.has(companyId)) return null
    try {
      // What fails here costs no message: a job of the same transaction moves the clocks, and is seen if it fails as well.
      return await tx.transaction(async (inner) => {
        const own = await rulesIn(inner, companyId)
        const at = now()
        const facts = await slaFacts(inner, companyId, [...touched.keys()], {
          ended: [...touched.values()].some(({ hasMoved }) => hasMoved),
          now: at,
          begun: new Set([...touched].filter(([, { hasBegun }]) => hasBegun).map(([id]) => id)),
        })
        const { decision } = await moveClocks(inner, own, facts, (id) => touched.get(id)!, at)
        return decision
      })
    } catch (err) {
      fresh.delete(companyId)
      log.error({ err, companyId, tickets: [...touched.keys()] }, 'the clocks of promises did not move')
      return { rows: [], effects: [{ kind: 'sla.catchUp', missed: missedOf(touched, now()) }] }
    }
  }

  return {
    follower: (tx, companyId, decision) => {
      if (promising && !promising.has(companyId)) return null
      const touched = touchedBy(decision)
      return touched.size === 0 ? null : follow(tx, companyId, touched)
    },
    refresh: async () => {
      promising = await promisingCompanies(db)
    },
    forget: (companyId) => {
      promising = undefined
      fresh.delete(companyId)
    },
  }
}

type Touched = Map<number, SlaHappened & { spoken: Spoken[]; hasMoved: boolean; hasBegun: boolean }>

/** What a job must know to do later what could not be done now. */
const missedOf = (touched: Touched, now: Date): SlaMissed[] =>
  [...touched].map(([ticketId, { spoken, isResumed = false, hasBegun }]) => ({
    ...{ ticketId, isResumed, hasBegun },
    at: new Date(Math.min(now.getTime(), ...spoken.map(({ at }) => at.getTime()))).toISOString(),
    spoken: spoken.map(({ by, at }) => ({ by, at: at.toISOString() })),
  }))

/** The tickets to which something happened that their clocks go by. */
function touchedBy(decision: ServerDecision): Touched {
  const touched: Touched = new Map()
  const of = (id: number) => {
    let one = touched.get(id)
    if (!one) touched.set(id, (one = { spoken: [], hasMoved: false, hasBegun: false }))
    return one
  }
  for (const spoken of decision.spoken ?? []) of(spoken.ticketId).spoken.push(spoken)
  for (const row of decision.rows) {
    if (row.table !== 'tickets' || 'where' in row || row.op === 'delete') continue
    const { values } = row
    if (!moving.some((name) => name in values)) continue
    const ids = row.op === 'insert' ? [row.values.id] : row.ids
    for (const id of ids) {
      const one = of(Number(id))
      one.hasMoved = true
      if (row.op === 'insert') one.hasBegun = true
      // By the hours of another queue all is another.
      if ('queueId' in values) one.recount = true
    }
  }
  for (const was of decision.moved ?? []) {
    const one = touched.get(was.id)
    if (one && was.status === 'closed') one.hasBegun = true
  }
  for (const step of decision.tracking ?? []) if ('resumed' in step) of(step.ticketId).isResumed = true
  return touched
}

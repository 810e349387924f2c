import { eq } from 'drizzle-orm'
import type { ServerDecision } from '../../schema/command.ts'
import { newId } from '../../schema/ids.ts'
import { eventsOf } from '../../schema/rules/rules.events.ts'
import { rules } from '../../schema/rules/rules.table.ts'
import type { RuleTrigger } from '../../schema/rules/rules.triggers.ts'
import type { Follower } from '../commands/apply.ts'
import type { Db, Tx } from '../db/database.ts'
import { keepTaggings } from './rules.taggings.writes.ts'

/** What companies' rules answer, as it is remembered. */
export interface RuleBook {
  /**
   * Writes down what happened, for the rules that answer it, in the same transaction; they are asked by a job. That tags have
   * changed is written down also where no rule answers it yet.
   */
  follower: Follower
  /** Looks again who has rules: what other servers have changed is known a few seconds later. */
  refresh(): Promise<void>
  /** Rules have changed. */
  forget(): void
}

type Wanted = ReadonlyMap<number, ReadonlySet<RuleTrigger>>

async function readWanted(db: Db | Tx): Promise<Wanted> {
  const rows = await db
    .selectDistinct({ companyId: rules.companyId, trigger: rules.trigger })
    .from(rules)
    .where(eq(rules.active, true))
  return new Map(
    [...Map.groupBy(rows, ({ companyId }) => companyId)].map(([companyId, own]) => [
      companyId,
      new Set(own.map(({ trigger }) => trigger)),
    ]),
  )
}

/** A company without rules pays one look into memory. */
export function createRuleBook({ db, now }: { db: Db; now(): Date }): RuleBook {
  let known: Wanted | undefined

  const toAsk = (decision: ServerDecision, wanted: ReadonlySet<RuleTrigger> | undefined): ServerDecision | null => {
    if (!wanted) return null
    const events = eventsOf(decision, wanted, { now: now(), newId })
    if (events.length === 0) return null
    return { rows: [], effects: events.map((event) => ({ kind: 'rules.ask', ticketId: event.ticketId, event })) }
  }

  return {
    follower: (tx, companyId, decision) => {
      const isAsked = !known || known.has(companyId)
      const { tagged = [] } = decision
      if (!isAsked && tagged.length === 0) return null
      return (async () => {
        if (tagged.length > 0) await keepTaggings(tx, companyId, tagged, now())
        if (!isAsked) return null
        // A transaction that waits for a second connection can starve the pool: it reads what is missing itself.
        const wanted = (known ??= await readWanted(tx))
        return toAsk(decision, wanted.get(companyId))
      })()
    },
    refresh: async () => {
      known = await readWanted(db)
    },
    forget: () => {
      known = undefined
    },
  }
}

import { and, eq } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { DAY_MS } from '../../schema/durations.ts'
import { DomainError } from '../../schema/errors.ts'
import { dateOf } from '../../schema/inputs.ts'
import type { Principal } from '../../schema/permissions.ts'
import { movedTo } from '../../schema/positions.ts'
import { demandRule } from '../../schema/rules/rules.check.ts'
import { changedRule, dryRunInput, newRule, ruleBounds, type RuleInput } from '../../schema/rules/rules.inputs.ts'
import { type Rule, ruleResults, rules } from '../../schema/rules/rules.table.ts'
import { factReader } from '../commands/facts.ts'
import type { Db, Tx } from '../db/database.ts'
import { lockName } from '../db/locks.ts'
import { Crowded, createFairQueue } from '../fair-queue.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams, textCursorQuery } from '../http/inputs.ts'
import { limits } from '../limits.ts'
import { webhookIdsOf } from '../webhooks/webhooks.queries.ts'
import { dryRun } from './rules.dry-run.ts'
import { rulesOf } from './rules.facts.ts'
import { findRule, listRules, runsOf } from './rules.queries.ts'

const tags = ['rules']
const PAGE = 40
/** So far back a dry run looks. */
const MOST_DAYS = 31

/** What is done by itself after something has happened to a ticket. */
export const ruleRoutes = (deps: AppDeps) => new Elysia().use(keptRules(deps)).use(triedRules(deps))

async function need(db: Db | Tx, who: Principal, id: number): Promise<Rule> {
  const row = await findRule(db, who.companyId, id)
  if (!row) throw new DomainError('ERR_NO_RULE_FOUND')
  return row
}

const one = (who: Principal, id: number) => and(eq(rules.companyId, who.companyId), eq(rules.id, id))

function keptRules(deps: AppDeps) {
  const { db, now, events } = deps
  const emit = (action: string, { companyId, id }: Rule) =>
    events.emit({ companyId, name: 'rule', action, payload: { ruleId: id } })

  return new Elysia({ prefix: '/rules' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who }) => {
        demand(who, 'rules:write')
        return { records: await listRules(db, who.companyId, now()), nextCursor: null }
      },
      {
        detail: { tags, summary: 'Rules in the order in which they are asked; `lately`, what they did in seven days' },
      },
    )
    .get(
      '/:id',
      async ({ who, params }) => {
        demand(who, 'rules:write')
        return need(db, who, params.id)
      },
      { params: idParams, detail: { tags, summary: 'One rule' } },
    )
    .get(
      '/:id/runs',
      async ({ who, params, query }) => {
        demand(who, 'rules:write')
        await need(db, who, params.id)
        const { cursor, limit = PAGE, result } = query
        return runsOf(db, who, params.id, { cursor, limit, result })
      },
      {
        params: idParams,
        query: t.Object({
          ...textCursorQuery,
          result: t.Optional(t.Union(ruleResults.map((word) => t.Literal(word)))),
        }),
        detail: {
          tags,
          summary: 'What a rule did and why, the latest first',
          description:
            '`met` says of each condition whether it held. `passed`: the conditions did not hold, kept for 7 days; all else for 90. ' +
            '`blocked`: a guard kept it (`outcome.why`); `refused`: an action may not be done (`outcome.why`, `outcome.step`).',
        },
      },
    )
    .post(
      '/',
      async ({ who, body }) => {
        demand(who, 'rules:write')
        const made = await db.transaction(async (tx) => {
          const own = await lockedRules(tx, who.companyId)
          if (own.length >= ruleBounds.most) throw new DomainError('ERR_RULE_LIMIT', { limit: ruleBounds.most })
          const wished = await checked(tx, who, { ...blank, ...body })
          const at = now()
          const since = { activeSince: wished.active ? at : null, createdAt: at, updatedAt: at }
          const [row] = await tx
            .insert(rules)
            .values({ ...wished, ...since, companyId: who.companyId, position: own.length + 1 })
            .returning()
          if (body.position !== undefined) await place(tx, [...own, row!], row!.id, body.position)
          return need(tx, who, row!.id)
        })
        emit('create', made)
        return made
      },
      {
        body: newRule,
        detail: {
          tags,
          summary: 'Make a rule; it is off, and stands last, unless `active` and `position` say otherwise',
        },
      },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        demand(who, 'rules:write')
        const changed = await db.transaction(async (tx) => {
          const own = await lockedRules(tx, who.companyId)
          const last = await need(tx, who, params.id)
          const { version = last.version, position, ...wish } = body
          if (version !== last.version) throw new DomainError('ERR_RULE_CHANGED', { version: last.version })
          if (Object.keys(wish).length > 0) await change(tx, who, last, wish, now())
          if (position !== undefined) await place(tx, own, last.id, position)
          return need(tx, who, last.id)
        })
        emit('update', changed)
        return changed
      },
      {
        params: idParams,
        body: changedRule,
        detail: {
          tags,
          summary: 'Change a rule, its place, or whether it acts',
          description: 'With `version`, as it was seen, a rule that was changed since is 409 `ERR_RULE_CHANGED`.',
        },
      },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        demand(who, 'rules:write')
        const row = await need(db, who, params.id)
        await db.delete(rules).where(one(who, row.id))
        emit('delete', row)
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a rule, and what is told of its runs' } },
    )
}

/** Beside each other, in all and of a company, and so many wait: each reads what a company wrote in a month. */
const dear = { atOnce: 2, waiting: 20, eachAtOnce: 1, eachWaiting: 3 }

function triedRules(deps: AppDeps) {
  const { db, now, facts } = deps
  const tries = deps.limiter('ruleTrials', limits.ruleTrials)
  const line = createFairQueue(dear)
  return new Elysia({ prefix: '/rules' }).use(authed(deps)).post(
    '/dry-run',
    async ({ who, body, request }) => {
      demand(who, 'rules:write')
      const to = body.to === undefined ? now() : dateOf(body.to, 'body/to')
      const from = body.from === undefined ? new Date(to.getTime() - 30 * DAY_MS) : dateOf(body.from, 'body/from')
      if (from >= to || to.getTime() - from.getTime() > MOST_DAYS * DAY_MS)
        throw new DomainError('ERR_VALIDATION', {
          fields: [{ path: 'body/from', message: `at most ${MOST_DAYS} days` }],
        })
      const rule = { ...blank, ...body.rule }
      await db.transaction((tx) => demandOwnRule(tx, who, rule))
      const retryAfter = tries.take(String(who.userId))
      if (retryAfter > 0) throw new DomainError('ERR_TOO_MANY_REQUESTS', { retryAfter })
      const company = await facts.of(who.companyId)
      try {
        return await line.take(who.companyId, () =>
          dryRun(db, who, rule, { company, from, to, signal: request.signal }),
        )
      } catch (error) {
        if (error instanceof Crowded) throw new DomainError('ERR_TOO_MANY_REQUESTS', { retryAfter: 5 })
        throw error
      }
    },
    {
      body: dryRunInput,
      detail: {
        tags,
        summary: 'What a rule would have done in the last thirty days; nothing is written',
        description:
          'Asked by the function that is asked live, about what is written down of those days. `unknowable` names conditions that ' +
          'are asked about tickets as they are today, or `trigger`, of which nothing is kept; `since` is since when it is, where ' +
          'that is later. The latest 1,000 tickets are named.',
      },
    },
  )
}

/** What a rule is where nothing else is said. */
const blank = {
  ...{ active: false, minutes: null, byPeople: false, match: 'all', conditions: [], stopOnMatch: false },
} as const satisfies Partial<RuleInput>

/** @throws DomainError where it could never act */
async function demandOwnRule(tx: Tx, who: Principal, rule: Parameters<typeof demandRule>[0]): Promise<void> {
  const tells = rule.actions.some(({ type }) => type === 'webhook')
  const webhookIds = tells ? await webhookIdsOf(tx, who.companyId, { alsoOff: true }) : new Set<number>()
  await demandRule(rule, factReader(tx, who.companyId), webhookIds)
}

type Wished = Omit<RuleInput, 'position'>

/** What of a rule is kept: only what its trigger asks for. @throws DomainError */
async function checked(tx: Tx, who: Principal, wished: Wished): Promise<Wished> {
  await demandOwnRule(tx, who, wished)
  const { name, active, trigger, match, conditions, actions, stopOnMatch } = wished
  return {
    ...{ name: name.trim(), active, trigger, match, conditions, actions, stopOnMatch },
    minutes: trigger === 'idle' ? wished.minutes : null,
    byPeople: trigger === 'created' && wished.byPeople,
  }
}

async function change(tx: Tx, who: Principal, last: Rule, wish: Partial<Wished>, now: Date): Promise<void> {
  const whole = { ...last, ...wish }
  // What names something that is gone can be called otherwise, and switched off; it goes live no more.
  const isTouched = Object.keys(wish).some((key) => key !== 'name' && key !== 'active') || wish.active === true
  const set = isTouched ? await checked(tx, who, whole) : { name: whole.name.trim(), active: whole.active }
  await tx
    .update(rules)
    .set({
      ...{ ...set, version: last.version + 1, updatedAt: now },
      // What happened before it does what it does now is not answered by it.
      ...(whole.active && (!last.active || isTouched) ? { activeSince: now } : {}),
    })
    .where(one(who, last.id))
}

/** Held until the commit, so that two who write at once count, and order, the same. */
async function lockedRules(tx: Tx, companyId: number): Promise<Rule[]> {
  await lockName(tx, `rules/${companyId}`)
  return rulesOf(tx, companyId)
}

/** Puts one at its place and numbers all of them anew. */
async function place(tx: Tx, all: readonly Rule[], id: number, position: number): Promise<void> {
  for (const one of movedTo(all, id, position))
    await tx.update(rules).set({ position: one.position }).where(eq(rules.id, one.id))
}

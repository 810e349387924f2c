import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, asc, eq, sql } from 'drizzle-orm'
import { nobody } from '../../schema/actions/actions.by-itself.ts'
import type { TicketAction } from '../../schema/actions/actions.inputs.ts'
import type { Effect } from '../../schema/effects.ts'
import { newId } from '../../schema/ids.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { ratings } from '../../schema/ratings/ratings.table.ts'
import { type Rule, ruleRuns } from '../../schema/rules/rules.table.ts'
import { webhooks } from '../../schema/webhooks/webhooks.table.ts'
import { ticketEvents, tickets, ticketTrackings } from '../../schema/tickets/tickets.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { until } from '../../tests/support/stack.ts'
import { tellDue } from '../sla-policies/sla.due.ts'
import { createReceiver } from '../tickets/receive.ts'
import { dryRun } from './rules.dry-run.ts'
import { ruleEffects } from './rules.effects.ts'
import { askAboutSilence } from './rules.idle.ts'
import { sweepRuleRuns } from './rules.sweep.ts'

/** What is done by itself after something has happened to a ticket. */
let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())
beforeEach(() => {
  // A Thursday, 10 o'clock in São Paulo.
  t.clock.now = new Date('2026-01-15T13:00:00Z')
})

const later = (ms: number) => (t.clock.now = new Date(t.clock.now.getTime() + ms))
const MINUTE = 60_000

async function office() {
  const company = await t.eg.company()
  const companyId = company.id
  const [sales, support] = [await t.eg.queue(companyId), await t.eg.queue(companyId)]
  const admin = await t.eg.user(companyId, { profile: 'admin' })
  const agent = await t.eg.user(companyId, { queueIds: [sales.id, support.id], allTicket: true })
  const [adminToken, agentToken] = [await t.login(admin.email), await t.login(agent.email)]
  const connection = await t.eg.whatsapp(companyId)
  const [red, blue] = [await t.eg.tag(companyId), await t.eg.tag(companyId)]
  const contact = await t.eg.contact(companyId, { name: 'Ana Maria Lima' })
  const { db } = t.database
  const deps = { db, now: () => t.clock.now, committed: () => undefined, facts: t.deps.facts, events: t.deps.events }
  const receive = createReceiver(deps)
  const handler = ruleEffects(deps)['rules.ask']
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, token = adminToken) =>
    t.call(method, path, { token, ...(body && { body }) })
  const make = async (body: Partial<Rule>): Promise<Rule> => {
    const { status, body: made } = await call('POST', '/rules', { name: 'Regra', active: true, ...body })
    expect([status, made.error]).toEqual([200, undefined])
    return made
  }
  const waiting = () =>
    db
      .select()
      .from(jobs)
      .where(and(eq(jobs.companyId, companyId), eq(jobs.kind, 'rules.ask')))
      .orderBy(asc(jobs.id))
  const one = (job: typeof jobs.$inferSelect) =>
    handler({ kind: 'rules.ask', ...job.payload } as Extract<Effect, { kind: 'rules.ask' }>, {
      ...{ companyId, attempt: 1, last: false },
    })
  /** Does what waits, and what follows from it, until nothing does. */
  const settle = async () => {
    let asked = 0
    for (let list = await waiting(); list.length > 0; list = await waiting())
      for (const job of list) {
        await one(job)
        await db.delete(jobs).where(eq(jobs.id, job.id))
        asked++
      }
    return asked
  }
  const writes = async (text = 'Oi') => {
    await receive([t.eg.inbound(connection, { number: contact.number, text })])
    return settle()
  }
  const ticket = async () =>
    (await db.select().from(tickets).where(eq(tickets.companyId, companyId)).orderBy(asc(tickets.id)))[0]!
  const does = async (name: string, input: object = {}) => {
    const { status, body } = await call(
      ...(['POST', '/commands'] as const),
      { id: newId(), name, input: { ticketId: (await ticket()).id, ...input } },
      agentToken,
    )
    expect([name, status, body.error]).toEqual([name, 200, undefined])
    return settle()
  }
  const runs = async (rule?: { id: number }) =>
    (
      await db
        .select()
        .from(ruleRuns)
        .where(and(eq(ruleRuns.companyId, companyId), rule && eq(ruleRuns.ruleId, rule.id)))
        .orderBy(asc(ruleRuns.createdAt), asc(ruleRuns.id))
    ).map(({ result, trigger, outcome }) => [trigger, result, outcome.why ?? null])
  const said = async () =>
    (
      await db
        .select()
        .from(messages)
        .where(and(eq(messages.companyId, companyId), eq(messages.fromMe, true)))
        .orderBy(asc(messages.createdAt))
    ).map(({ body }) => body)
  return {
    ...{ companyId, sales, support, admin, agent, adminToken, agentToken, connection, red, blue, contact, db, deps },
    ...{ receive, call, make, waiting, one, settle, writes, ticket, does, runs, said },
  }
}

const tagging = (id: number): TicketAction[] => [{ type: 'tag', add: [id], remove: [] }]

describe('a rule', () => {
  test('answers what a contact writes, and says why in both places', async () => {
    const o = await office()
    const rule = await o.make({
      ...{ trigger: 'messageIn', conditions: [{ kind: 'words', words: ['cancelar'], not: false }] },
      actions: [
        ...tagging(o.red.id),
        { type: 'queue', queueId: o.support.id },
        { type: 'message', body: 'Já te passo, {{firstName}}' },
        { type: 'note', note: 'Quer cancelar' },
      ],
    })
    await o.writes('Bom dia')
    expect(await o.runs()).toEqual([['messageIn', 'passed', null]])
    later(MINUTE)
    await o.writes('quero CANCELAR')
    const ticket = await o.ticket()
    expect([ticket.tagIds, ticket.queueId, ticket.status]).toEqual([[o.red.id], o.support.id, 'pending'])
    expect(await o.said()).toEqual(['Já te passo, Ana'])
    expect((await o.runs(rule)).at(-1)).toEqual(['messageIn', 'done', null])
    const lines = await o.db.select().from(ticketEvents).where(eq(ticketEvents.ticketId, ticket.id))
    expect(lines.find(({ kind }) => kind === 'rule')).toMatchObject({
      userId: null,
      data: { rule: 'Regra', ruleId: rule.id },
    })
    // On the message that it answers, and on the one that it said.
    const all = await o.db
      .select()
      .from(messages)
      .where(eq(messages.companyId, o.companyId))
      .orderBy(asc(messages.createdAt))
    for (const { id } of [all[1]!, all[2]!]) {
      const { body } = await o.call('GET', `/messages/${id}/decision`)
      const found = body.decisions.find(({ trigger }: { trigger: string }) => trigger === 'rule')
      expect(found.steps).toMatchObject([
        { step: 'rule', result: 'matched', why: 'rule_done', facts: { ruleId: rule.id } },
      ])
    }
    const { body: unmet } = await o.call('GET', `/messages/${all[0]!.id}/decision`)
    const passed = unmet.decisions.find(({ trigger }: { trigger: string }) => trigger === 'rule')
    expect(passed.steps).toMatchObject([{ result: 'passed', why: 'rule_unmet', facts: { condition: 'words' } }])
    const { body: page } = await o.call('GET', `/rules/${rule.id}/runs?limit=1`)
    expect(page.records).toMatchObject([
      {
        result: 'done',
        ticket: { id: ticket.id, name: 'Ana' },
        met: [{ kind: 'words', held: true, found: 'cancelar' }],
      },
    ])
    const { body: next } = await o.call('GET', `/rules/${rule.id}/runs?limit=1&cursor=${page.nextCursor}`)
    expect([next.records.length, next.records[0].result, next.nextCursor]).toEqual([1, 'passed', null])
  })

  test('is asked once about an event, however often its job is done, and whole or not at all', async () => {
    const o = await office()
    await o.make({ trigger: 'messageIn', actions: [{ type: 'message', body: 'Oi!' }, ...tagging(o.red.id)] })
    await o.receive([t.eg.inbound(o.connection, { number: o.contact.number, text: 'Oi' })])
    const [job] = await o.waiting()
    await Promise.all([o.one(job!), o.one(job!)])
    await o.one(job!)
    expect([await o.said(), await o.runs()]).toEqual([['Oi!'], [['messageIn', 'done', null]]])
  })

  test('that dies at its last statement has done nothing, and does all when it is asked again', async () => {
    const o = await office()
    await o.make({ trigger: 'messageIn', actions: [{ type: 'message', body: 'Oi!' }, ...tagging(o.red.id)] })
    await o.receive([t.eg.inbound(o.connection, { number: o.contact.number, text: 'Oi' })])
    const [job] = await o.waiting()
    const { sql } = t.database
    await sql.unsafe(`CREATE FUNCTION dies() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'killed'; END $$;
      CREATE TRIGGER dies BEFORE INSERT ON automation_decisions FOR EACH ROW
      WHEN (NEW."companyId" = ${o.companyId} AND NEW."trigger" = 'rule') EXECUTE FUNCTION dies()`)
    await expect(o.one(job!)).rejects.toThrow()
    expect([await o.said(), await o.runs(), (await o.ticket()).tagIds]).toEqual([[], [], []])
    await sql.unsafe('DROP TRIGGER dies ON automation_decisions; DROP FUNCTION dies()')
    await o.one(job!)
    expect([await o.said(), await o.runs(), (await o.ticket()).tagIds]).toEqual([
      ['Oi!'],
      [['messageIn', 'done', null]],
      [o.red.id],
    ])
  })

  test('tells a webhook by a job of its own transaction, and is refused where that one is off or gone', async () => {
    const o = await office()
    const hook = {
      ...{ url: 'https://example.com/x', secret: 'x', companyId: o.companyId },
      events: ['message.sent' as const],
    }
    const [on, off] = await o.db
      .insert(webhooks)
      .values([hook, { ...hook, active: false }])
      .returning()
    const first = await o.make({
      ...{ name: 'Avisa', trigger: 'messageIn' },
      actions: [...tagging(o.red.id), { type: 'webhook', webhookId: on!.id }],
    })
    await o.make({
      ...{ name: 'Desligado', trigger: 'messageIn' },
      actions: [...tagging(o.blue.id), { type: 'webhook', webhookId: off!.id }],
    })
    const { body } = await o.call('POST', '/rules', {
      ...{ name: 'De outro', trigger: 'messageIn', actions: [{ type: 'webhook', webhookId: 999_999 }] },
    })
    expect(body).toMatchObject({ error: 'ERR_NO_WEBHOOK_FOUND', step: 1, action: 'webhook' })
    await o.writes()
    const told = await o.db
      .select()
      .from(jobs)
      .where(and(eq(jobs.companyId, o.companyId), eq(jobs.kind, 'webhooks.rule')))
    const [run] = await o.db.select().from(ruleRuns).where(eq(ruleRuns.ruleId, first.id))
    expect(told.map(({ payload }) => payload)).toMatchObject([
      {
        ...{ webhookId: on!.id, ticketId: (await o.ticket()).id, eventId: `${run!.id}:1` },
        rule: { id: first.id, name: 'Avisa', version: 1, trigger: 'messageIn' },
      },
    ])
    // All of it or nothing: the tag of the second is not there.
    expect([await o.runs(), (await o.ticket()).tagIds]).toEqual([
      [
        ['messageIn', 'done', null],
        ['messageIn', 'refused', 'ERR_NO_WEBHOOK_FOUND'],
      ],
      [o.red.id],
    ])
    // Who deletes it is told of the rule.
    const uses = await o.call('GET', `/uses/webhook/${on!.id}`)
    expect(uses.body.uses).toMatchObject([{ kind: 'rule', name: 'Avisa', becomes: 'ruleStops' }])
  })

  test('stands in one transaction with what it answers: what is rolled back is asked by nobody', async () => {
    const o = await office()
    await o.make({ trigger: 'messageIn', actions: tagging(o.red.id) })
    const event = t.eg.inbound(o.connection, { number: o.contact.number, text: 'Oi' })
    await o.receive([event])
    // The same message again is no event.
    await o.receive([event])
    expect((await o.waiting()).length).toBe(1)
  })

  test('goes live when it is switched on, and does not answer what was before', async () => {
    const o = await office()
    const rule = await o.make({ trigger: 'messageIn', active: false, actions: tagging(o.red.id) })
    expect(await o.writes()).toBe(0)
    await o.make({ trigger: 'messageIn', actions: tagging(o.blue.id) })
    await o.receive([t.eg.inbound(o.connection, { number: o.contact.number, text: 'Oi' })])
    later(1)
    expect((await o.call('PUT', `/rules/${rule.id}`, { active: true })).body.activeSince).toBe(
      t.clock.now.toISOString(),
    )
    await o.settle()
    expect((await o.ticket()).tagIds).toEqual([o.blue.id])
    later(MINUTE)
    await o.writes()
    expect((await o.ticket()).tagIds).toEqual([o.red.id, o.blue.id])
  })

  test('is not asked in groups, nor where the company is not subscribed', async () => {
    const o = await office()
    await o.make({ trigger: 'tagged', actions: tagging(o.blue.id) })
    const group = await t.eg.contact(o.companyId, { isGroup: true })
    await t.eg.ticket(o.companyId, {
      ...{ contactId: group.id, whatsappId: o.connection.id, queueId: o.sales.id, status: 'open', userId: o.agent.id },
      isGroup: true,
    })
    await o.does('tickets.setTags', { tagIds: [o.red.id] })
    expect([(await o.ticket()).tagIds, await o.runs()]).toEqual([[o.red.id], []])
  })
})

describe('what rules answer', () => {
  test('a ticket that begins, is taken, moved, tagged, answered and resolved', async () => {
    const o = await office()
    for (const trigger of ['created', 'status', 'queue', 'user', 'tagged', 'messageOut', 'messageIn'] as const)
      await o.make({ trigger, name: trigger, actions: [{ type: 'note', note: trigger }] })
    await o.writes()
    const since = async () => {
      const found = (await o.runs()).map(([trigger]) => trigger)
      await o.db.delete(ruleRuns)
      return found.sort()
    }
    expect(await since()).toEqual(['created', 'messageIn'])
    await o.does('tickets.accept')
    expect(await since()).toEqual(['status', 'user'])
    await o.does('messages.send', { id: newId(), body: 'Olá' })
    expect(await since()).toEqual(['messageOut'])
    await o.does('tickets.setTags', { tagIds: [o.red.id] })
    expect(await since()).toEqual(['tagged'])
    await o.does('tickets.transfer', { queueId: o.support.id })
    expect(await since()).toEqual(['queue', 'status', 'user'])
    await o.does('tickets.resolve')
    expect(await since()).toEqual(['status', 'user'])
  })

  test('a promise that is at risk, and one that is broken', async () => {
    const o = await office()
    await o.call('POST', '/sla-policies', { name: 'Padrão', firstAnswer: 10, calendar: '24x7' })
    await o.make({ trigger: 'slaWarning', actions: tagging(o.blue.id) })
    await o.make({ trigger: 'slaBreach', actions: [{ type: 'queue', queueId: o.support.id }] })
    await o.writes()
    later(9 * MINUTE)
    await tellDue(o.deps)
    await o.settle()
    expect((await o.ticket()).tagIds).toEqual([o.blue.id])
    later(2 * MINUTE)
    await tellDue(o.deps)
    await o.settle()
    expect((await o.ticket()).queueId).toBe(o.support.id)
  })

  test('a rating', async () => {
    const o = await office()
    await o.writes()
    await o.does('tickets.accept')
    await o.does('tickets.resolve')
    const ticket = await o.ticket()
    const [service] = await o.db.select().from(ticketTrackings).where(eq(ticketTrackings.ticketId, ticket.id))
    await o.make({ trigger: 'rated', conditions: [{ kind: 'rate', is: [1] }], actions: tagging(o.red.id) })
    const { applyDecision } = await import('../commands/apply.ts')
    await o.db.transaction((tx) =>
      applyDecision(tx, o.companyId, {
        ...{ rows: [], effects: [] },
        ratings: [{ companyId: o.companyId, ticketId: ticket.id, trackingId: service!.id, userId: null, rate: 1 }],
      }),
    )
    await o.settle()
    expect((await o.ticket()).tagIds).toEqual([o.red.id])
    expect((await o.db.select().from(ratings).where(eq(ratings.ticketId, ticket.id))).length).toBe(1)
  })

  test('a silence, once, whatever the rule says into it; what anybody writes begins another', async () => {
    const o = await office()
    await o.make({ trigger: 'idle', minutes: 30, actions: [{ type: 'message', body: 'Ainda está aí?' }] })
    await o.writes()
    const silence = async (ms: number) => {
      later(ms)
      await askAboutSilence(o.deps)
      await askAboutSilence(o.deps)
      await o.settle()
      return (await o.said()).length
    }
    expect(await silence(29 * MINUTE)).toBe(0)
    expect(await silence(MINUTE)).toBe(1)
    expect(await silence(60 * MINUTE)).toBe(1)
    await o.writes('Sim')
    expect(await silence(31 * MINUTE)).toBe(2)
    // What was found and is answered before it is asked about is silent no more.
    await o.writes('Oi?')
    later(31 * MINUTE)
    await askAboutSilence(o.deps)
    await o.receive([t.eg.inbound(o.connection, { number: o.contact.number, text: 'Alô' })])
    await o.settle()
    expect((await o.said()).length).toBe(2)
  })
})

describe('rules among each other', () => {
  test('two that put on what the other takes off end, and the trace says what kept them', async () => {
    const o = await office()
    const swap = (when: number, add: number, remove: number) =>
      o.make({
        ...{ trigger: 'tagged', conditions: [{ kind: 'tagAdded', ids: [when] }] },
        actions: [{ type: 'tag', add: [add], remove: [remove] }],
      })
    const first = await swap(o.red.id, o.blue.id, o.red.id)
    await swap(o.blue.id, o.red.id, o.blue.id)
    await o.writes()
    await o.does('tickets.setTags', { tagIds: [o.red.id] })
    expect((await o.ticket()).tagIds).toEqual([o.red.id])
    const of = (await o.runs(first)).filter(([, result]) => result !== 'passed')
    expect(of).toEqual([
      ['tagged', 'done', null],
      ['tagged', 'blocked', 'once'],
    ])
  })

  test('act in one ticket at most five times an hour', async () => {
    const o = await office()
    const rule = await o.make({ trigger: 'messageIn', actions: [{ type: 'message', body: 'Oi!' }] })
    for (let n = 0; n < 7; n++) {
      later(MINUTE)
      await o.writes(`nº ${n}`)
    }
    expect((await o.said()).length).toBe(5)
    expect((await o.runs(rule)).at(-1)).toEqual(['messageIn', 'blocked', 'hour'])
    later(61 * MINUTE)
    await o.writes('mais uma')
    expect((await o.said()).length).toBe(6)
  })

  test('one whose queue was deleted is refused, says why, and the next one acts', async () => {
    const o = await office()
    const extra = await t.eg.queue(o.companyId, { name: 'Extra' })
    const broken = await o.make({
      trigger: 'messageIn',
      actions: [...tagging(o.red.id), { type: 'queue', queueId: extra.id }],
    })
    await o.make({ trigger: 'messageIn', actions: tagging(o.blue.id) })
    const { body } = await o.call('GET', `/uses/queue/${extra.id}`)
    expect(body.uses).toMatchObject([{ kind: 'rule', name: 'Regra', becomes: 'ruleStops' }])
    expect((await o.call('DELETE', `/queue/${extra.id}`)).status).toBe(200)
    await o.writes()
    expect((await o.ticket()).tagIds).toEqual([o.blue.id])
    expect(await o.runs(broken)).toEqual([['messageIn', 'refused', 'ERR_NO_QUEUE_FOUND']])
    // It can be switched off and called otherwise, and goes live no more.
    expect((await o.call('PUT', `/rules/${broken.id}`, { active: false, name: 'Velha' })).status).toBe(200)
    expect((await o.call('PUT', `/rules/${broken.id}`, { active: true })).body.error).toBe('ERR_NO_QUEUE_FOUND')
  })
})

test('what waited for whoever held the ticket is told after what they did', async () => {
  const o = await office()
  await o.make({ trigger: 'messageIn', actions: [{ type: 'queue', queueId: o.support.id }] })
  await o.receive([t.eg.inbound(o.connection, { number: o.contact.number, text: 'Oi' })])
  const { id } = await o.ticket()
  let free = () => {}
  const held = new Promise<void>((resolve) => (free = resolve))
  let isHeld = false
  const other = o.db.transaction(async (tx) => {
    await tx.select().from(tickets).where(eq(tickets.id, id)).for('update')
    isHeld = true
    await held
  })
  await until('somebody holds it', async () => isHeld, Boolean)
  const settled = o.settle()
  await until(
    'the rule stands in line',
    async () =>
      (
        await t.database.sql`SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`
      )[0]!['n'] as number,
    (n) => n > 0,
  )
  later(5_000)
  free()
  await Promise.all([other, settled])
  const lines = await o.db.select().from(ticketEvents).where(eq(ticketEvents.ticketId, id))
  const moved = lines.filter(({ kind }) => kind === 'transferred')
  expect(moved.map(({ createdAt }) => createdAt >= t.clock.now)).toEqual([true])
})

describe('writing rules', () => {
  test('two admins at one: the second is told, and nothing of the first is lost', async () => {
    const o = await office()
    const rule = await o.make({ trigger: 'messageIn', actions: tagging(o.red.id) })
    const first = await o.call('PUT', `/rules/${rule.id}`, { version: 1, name: 'Primeira' })
    expect(first.body.version).toBe(2)
    const second = await o.call('PUT', `/rules/${rule.id}`, { version: 1, actions: [{ type: 'resolve' }] })
    expect([second.status, second.body.error, second.body.version]).toEqual([409, 'ERR_RULE_CHANGED', 2])
    expect((await o.call('GET', `/rules/${rule.id}`)).body).toMatchObject({
      name: 'Primeira',
      actions: tagging(o.red.id),
    })
  })

  test('they stand in an order, which may be changed', async () => {
    const o = await office()
    for (const name of ['a', 'b', 'c']) await o.make({ name, trigger: 'created', actions: [{ type: 'unread' }] })
    const list = async () => (await o.call('GET', '/rules')).body.records as Rule[]
    const [, , c] = await list()
    expect((await o.call('PUT', `/rules/${c!.id}`, { position: 1 })).body.version).toBe(1)
    expect((await list()).map(({ name }) => name)).toEqual(['c', 'a', 'b'])
    await o.call('DELETE', `/rules/${c!.id}`)
    expect((await list()).map(({ name }) => name)).toEqual(['a', 'b'])
  })

  test('what could never be asked, or done, is not kept', async () => {
    const o = await office()
    const errorOf = async (body: object) => {
      const { status, body: answer } = await o.call('POST', '/rules', {
        ...{ name: 'x', trigger: 'messageIn', actions: [{ type: 'resolve' }] },
        ...body,
      })
      return [status, answer.error, answer.step ?? answer.fields?.[0].path]
    }
    expect(await errorOf({ trigger: 'idle' })).toEqual([400, 'ERR_VALIDATION', '/minutes'])
    expect(await errorOf({ conditions: [{ kind: 'rate', is: [1] }] })).toEqual([400, 'ERR_VALIDATION', '/conditions/0'])
    expect(await errorOf({ actions: [{ type: 'assign', to: 'me' }] })).toEqual([404, 'ERR_NO_USER_FOUND', 1])
    expect(await errorOf({ conditions: [{ kind: 'tag', ids: [999_999], not: false }] })).toEqual([
      404,
      'ERR_NO_TAG_FOUND',
      undefined,
    ])
    expect(
      (await errorOf({ conditions: [{ kind: 'field', entity: 'ticket', test: { id: 9, op: 'filled' } }] }))[1],
    ).toBe('ERR_VALIDATION')
    const { status } = await o.call('GET', '/rules', undefined, o.agentToken)
    expect(status).toBe(403)
  })
})

test('a company without rules writes nothing, and asks the database nothing', async () => {
  const o = await office()
  await o.writes()
  await o.does('tickets.accept')
  expect(await o.waiting()).toEqual([])
})

test('what had nothing to do is told for a week, what was done for ninety days', async () => {
  const o = await office()
  const rule = await o.make({ trigger: 'messageIn', actions: tagging(o.red.id) })
  await o.writes()
  const [run] = await o.db.select().from(ruleRuns).where(eq(ruleRuns.ruleId, rule.id))
  const old = (days: number, result: 'passed' | 'done') => ({
    ...{ ...run!, id: newId(), result, createdAt: new Date(Date.now() - days * 86_400_000) },
  })
  await o.db.delete(ruleRuns).where(eq(ruleRuns.ruleId, rule.id))
  await o.db.insert(ruleRuns).values([old(6, 'passed'), old(8, 'passed'), old(89, 'done'), old(91, 'done')])
  await sweepRuleRuns(t.database.sql)
  expect((await o.runs(rule)).map(([, result]) => result).sort()).toEqual(['done', 'passed'])
})

describe('a dry run', () => {
  test('finds what live would have done, and writes nothing', async () => {
    const o = await office()
    const people = await Promise.all(Array.from({ length: 12 }, () => t.eg.contact(o.companyId)))
    const said = ['quero cancelar', 'Bom dia', 'CANCELÁR já', 'obrigada']
    const rule = {
      ...{ trigger: 'messageIn' as const, match: 'all' as const },
      conditions: [{ kind: 'words' as const, words: ['cancelar'], not: false }],
    }
    const live = await o.make({ ...rule, actions: tagging(o.red.id) })
    for (const [n, { number }] of people.entries()) {
      later(MINUTE)
      await o.receive([t.eg.inbound(o.connection, { number, text: said[n % said.length]! })])
    }
    await o.settle()
    const done = await o.db
      .select({ id: ruleRuns.ticketId })
      .from(ruleRuns)
      .where(and(eq(ruleRuns.ruleId, live.id), eq(ruleRuns.result, 'done')))
    later(MINUTE)
    const before = await o.db.$count(ruleRuns)
    const { status, body } = await o.call('POST', '/rules/dry-run', {
      rule: { ...rule, actions: [{ type: 'resolve' }] },
    })
    expect([status, body.matched, body.looked, body.isWhole, body.unknowable]).toEqual([200, 6, 12, true, []])
    const ids = (list: { id: number }[]) => list.map(({ id }) => id).sort((a, b) => a - b)
    expect(ids(body.tickets)).toEqual(ids(done))
    expect(body.tickets[0]).toMatchObject({ wouldDo: ['resolve'] })
    expect(await o.db.$count(ruleRuns)).toBe(before)
  })

  test('of silences, ratings and tickets that began agrees with live, too', async () => {
    const o = await office()
    const idle = { trigger: 'idle' as const, minutes: 3 }
    const created = { trigger: 'created' as const, conditions: [{ kind: 'hours' as const, open: true }] }
    const [silent, begun] = [
      await o.make({ ...idle, actions: tagging(o.red.id) }),
      await o.make({ ...created, actions: tagging(o.blue.id) }),
    ]
    await o.writes()
    for (let n = 0; n < 8; n++) {
      later(MINUTE)
      await askAboutSilence(o.deps)
      await o.settle()
    }
    const live = async (rule: Rule) => (await o.runs(rule)).filter(([, result]) => result === 'done').length
    expect([await live(silent), await live(begun)]).toEqual([1, 1])
    const dry = async (rule: object) =>
      (await o.call('POST', '/rules/dry-run', { rule: { ...rule, actions: [{ type: 'resolve' }] } })).body.matched
    expect([await dry(idle), await dry(created), await dry({ ...idle, minutes: 9 })]).toEqual([1, 1, 0])
  })

  test('of tags that were put on and taken off agrees with live, from where it is written down', async () => {
    const o = await office()
    const putOn = (...ids: number[]) => ({ conditions: [{ kind: 'tagAdded' as const, ids }] })
    const asked = [putOn(o.red.id), putOn(o.blue.id), putOn(o.red.id, o.blue.id), { conditions: [] }]
    await o.writes()
    // Nobody answers it when it happens: it is written down all the same.
    await o.does('tickets.setTags', { tagIds: [o.red.id] })
    const live: Rule[] = []
    for (const one of asked) live.push(await o.make({ trigger: 'tagged', ...one, actions: [{ type: 'unread' }] }))
    later(MINUTE)
    await o.does('tickets.setTags', { tagIds: [o.red.id] })
    await o.does('tickets.setTags', { tagIds: [] })
    const done = async () =>
      Promise.all(live.map(async (rule) => (await o.runs(rule)).filter(([, result]) => result === 'done').length > 0))
    const dry = async (more: object, days = {}) =>
      (
        await o.call('POST', '/rules/dry-run', {
          ...{ rule: { trigger: 'tagged', ...more, actions: [{ type: 'resolve' }] } },
          ...days,
        })
      ).body
    later(MINUTE)
    const now = t.clock.now.toISOString()
    // Taken off alone: one that asks for nothing answers, those that ask for a tag do not.
    expect(await done()).toEqual([false, false, false, true])
    const since = { from: new Date(t.clock.now.getTime() - 1.5 * MINUTE).toISOString(), to: now }
    const found = []
    for (const one of asked) found.push((await dry(one, since)).matched > 0)
    expect(found).toEqual(await done())
    const whole = await dry(asked[0]!)
    expect(whole).toMatchObject({
      matched: 1,
      looked: 1,
      isWhole: true,
      unknowable: [],
      since: '2026-01-15T13:00:00.000Z',
    })
    expect([(await dry(asked[1]!)).matched, (await dry(asked[2]!)).matched]).toEqual([0, 1])
    // An old ticket that was only tagged is found, and a record that is older than the days that are asked about is not named.
    await o.db
      .update(tickets)
      .set({ updatedAt: new Date('2025-06-01T00:00:00Z') })
      .where(eq(tickets.id, (await o.ticket()).id))
    expect(await dry({ conditions: [] }, since)).toMatchObject({ matched: 1, since: null })
    await o.db.execute(
      sql`UPDATE ticket_taggings SET "createdAt" = now() - interval '33 days' WHERE "companyId" = ${o.companyId}`,
    )
    await sweepRuleRuns(t.database.sql)
    expect((await dry(asked[0]!)).unknowable).toEqual(['trigger'])
  })

  test('ends where its asker has gone', async () => {
    const o = await office()
    await o.writes()
    later(MINUTE)
    const [company, to] = [await t.deps.facts.of(o.companyId), t.clock.now]
    const rule = {
      trigger: 'messageIn' as const,
      minutes: null,
      byPeople: false,
      match: 'all' as const,
      conditions: [],
    }
    const who = { ...nobody(o.companyId), userId: o.admin.id }
    const range = { company, from: new Date(to.getTime() - 60 * MINUTE), to }
    const ask = (signal: AbortSignal) => dryRun(o.db, who, { ...rule, actions: tagging(1) }, { ...range, signal })
    expect(await ask(AbortSignal.abort())).toMatchObject({ looked: 0, isWhole: false })
    expect(await ask(new AbortController().signal)).toMatchObject({ looked: 1, matched: 1, isWhole: true })
  })

  test('says what nobody has written down', async () => {
    const o = await office()
    await o.writes()
    later(MINUTE)
    const dry = async (rule: object) =>
      (await o.call('POST', '/rules/dry-run', { rule: { ...rule, actions: [{ type: 'resolve' }] } })).body
    expect(await dry({ trigger: 'tagged' })).toMatchObject({ matched: 0, unknowable: ['trigger'], since: null })
    const conditions = [{ kind: 'queue', ids: [0], not: false }]
    expect(await dry({ trigger: 'created', conditions })).toMatchObject({ matched: 1, unknowable: ['queue'] })
    expect(
      (
        await o.call('POST', '/rules/dry-run', {
          rule: { trigger: 'created', actions: [{ type: 'resolve' }] },
          from: '2020-01-01T00:00:00Z',
        })
      ).status,
    ).toBe(400)
  })
})

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { and, asc, eq } from 'drizzle-orm'
import { join } from 'node:path'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { customFields } from '../../schema/custom-fields/custom-fields.table.ts'
import { newId } from '../../schema/ids.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { pushSubscriptions } from '../../schema/push/push.table.ts'
import type { SlaMissed, SlaTold } from '../../schema/sla-policies/sla.clock.ts'
import { slaClocks, slaPolicies, slaStates } from '../../schema/sla-policies/sla-policies.table.ts'
import { ticketEvents, tickets } from '../../schema/tickets/tickets.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { until } from '../../tests/support/stack.ts'
import { createReceiver } from '../tickets/receive.ts'
import { slaEffects } from './sla.effects.ts'
import { catchUp as recatch, recount, tellDue } from './sla.due.ts'

/** Promises to contacts, through everything that moves a ticket. */
let t: TestApp
const running: Bun.Subprocess[] = []
beforeAll(async () => {
  t = await testApp()
})
afterAll(async () => {
  for (const server of running) server.kill('SIGKILL')
  await t.close()
})
beforeEach(() => {
  // A Thursday, 10 o'clock in São Paulo.
  t.clock.now = new Date('2026-01-15T13:00:00Z')
})

const at = (time: string) => new Date(`2026-01-${time}-03:00`)

async function desk() {
  const company = await t.eg.company()
  const queue = await t.eg.queue(company.id)
  const other = await t.eg.queue(company.id)
  const admin = await t.eg.user(company.id, { profile: 'admin' })
  const agent = await t.eg.user(company.id, { queueIds: [queue.id, other.id], allTicket: true })
  const connection = await t.eg.whatsapp(company.id)
  const contact = await t.eg.contact(company.id)
  const [adminToken, agentToken] = [await t.login(admin.email), await t.login(agent.email)]
  const { db } = t.database
  const deps = { db, now: () => t.clock.now, committed: () => undefined }
  const receive = createReceiver({ ...deps, facts: t.deps.facts })
  const policy = async (body: object) => {
    const { status, body: made } = await t.call('POST', '/sla-policies', {
      token: adminToken,
      body: { calendar: '24x7', ...body },
    })
    expect(status).toBe(200)
    return made as { id: number; name: string }
  }
  const writes = (text = 'Oi', values = {}) =>
    receive([t.eg.inbound(connection, { number: contact.number, text, ...values })])
  const ticket = async () =>
    (await db.select().from(tickets).where(eq(tickets.companyId, company.id)).orderBy(asc(tickets.id)))[0]!
  const does = async (name: string, input: object = {}, token = agentToken) => {
    const { status, body } = await t.call('POST', '/commands', {
      token,
      body: { id: newId(), name, input: { ticketId: (await ticket()).id, ...input } },
    })
    expect([name, status, body.error]).toEqual([name, 200, undefined])
  }
  const says = (body = 'Olá') => does('messages.send', { id: newId(), body })
  const clocks = () =>
    db
      .select()
      .from(slaClocks)
      .where(eq(slaClocks.companyId, company.id))
      .orderBy(asc(slaClocks.startedAt), asc(slaClocks.metric), asc(slaClocks.id))
  const lines = async () =>
    (await db.select().from(ticketEvents).where(eq(ticketEvents.companyId, company.id)))
      .map(({ kind }) => kind)
      .filter((kind) => kind.startsWith('sla'))
  const jobsOf = (kind: string) =>
    db
      .select()
      .from(jobs)
      .where(and(eq(jobs.companyId, company.id), eq(jobs.kind, kind)))
      .orderBy(jobs.id)
  const due = () => tellDue(deps)
  const catchUp = async () => {
    for (const { payload } of await jobsOf('sla.catchUp'))
      await recatch(deps, company.id, (payload as { missed: SlaMissed[] }).missed)
  }
  return {
    company,
    queue,
    other,
    admin,
    agent,
    adminToken,
    agentToken,
    deps,
    policy,
    writes,
    ticket,
    does,
    says,
    clocks,
    lines,
    jobsOf,
    due,
    catchUp,
    receive,
    contact,
    db,
  }
}

test('a contact waits for a first answer, a person gives it, and the promise is kept', async () => {
  const d = await desk()
  await d.policy({ name: 'Padrão', firstAnswer: 10, nextAnswer: 20, resolution: 60 })
  await d.writes()
  expect(await d.ticket()).toMatchObject({
    nextDueAt: at('15T10:10:00'),
    nextDueMetric: 'firstAnswer',
    nextRiskAt: at('15T10:08:00'),
  })
  await d.does('tickets.accept')
  expect(await d.ticket()).toMatchObject({ nextDueAt: at('15T10:10:00') })
  t.clock.advance(5 * 60_000)
  await d.says()
  expect(await d.ticket()).toMatchObject({ nextDueAt: null, nextDueMetric: null, nextRiskAt: null })
  t.clock.advance(5 * 60_000)
  await d.writes('E o preço?')
  expect(await d.ticket()).toMatchObject({ nextDueAt: at('15T10:30:00'), nextDueMetric: 'nextAnswer' })
  await d.says()
  await d.does('tickets.resolve')
  expect(
    (await d.clocks()).map(({ metric, metAt, breachedAt, tookMs }) => [metric, metAt !== null, breachedAt, tookMs]),
  ).toEqual([
    ['firstAnswer', true, null, 5 * 60_000],
    ['resolution', true, null, 5 * 60_000],
    ['nextAnswer', true, null, 0],
  ])
})

test('a company without policies has nothing of it, and no statement is made for it', async () => {
  const d = await desk()
  await d.writes()
  await d.does('tickets.accept')
  await d.says()
  expect(await d.clocks()).toEqual([])
  expect(await d.db.select().from(slaStates).where(eq(slaStates.companyId, d.company.id))).toEqual([])
})

test('a warning and a breach are told once each, also by two clocks at once and after one was cut off', async () => {
  const d = await desk()
  await d.policy({ name: 'Padrão', firstAnswer: 10 })
  await d.writes()
  t.clock.advance(8 * 60_000)
  await Promise.all([d.due(), d.due()])
  expect([await d.lines(), (await d.jobsOf('sla.told')).length]).toEqual([['sla_warned'], 1])
  t.clock.advance(3 * 60_000)
  // A server that dies before its commit has told nothing.
  const cutOff = { ...d.deps, db: dying(d.db) }
  await expect(tellDue(cutOff)).rejects.toThrow('killed')
  expect(await d.lines()).toEqual(['sla_warned'])
  await Promise.all([d.due(), d.due()])
  await d.due()
  expect([(await d.lines()).toSorted(), (await d.jobsOf('sla.told')).length]).toEqual([
    ['sla_breached', 'sla_warned'],
    2,
  ])
  expect(await d.clocks()).toMatchObject([{ breachedAt: at('15T10:10:00'), nextAt: null, endedAt: null }])
  // It stands first until somebody answers, late as it is.
  expect(await d.ticket()).toMatchObject({ nextDueAt: at('15T10:10:00') })
  await d.does('tickets.accept')
  await d.says()
  expect([await d.clocks(), (await d.ticket()).nextDueAt]).toMatchObject([[{ metAt: t.clock.now }], null])
  expect((await d.lines()).length).toBe(2)
})

/** A database whose transactions do all of their work and are lost before the commit. */
const dying = (db: Awaited<ReturnType<typeof desk>>['db']) =>
  new Proxy(db, {
    get: (target, key) =>
      key === 'transaction'
        ? (work: (tx: never) => Promise<unknown>) =>
            target.transaction(async (tx) => {
              await work(tx as never)
              throw new Error('killed')
            })
        : Reflect.get(target, key),
  })

test('three servers of which two are killed at it: of many that are broken at one moment each is told once', async () => {
  const d = await desk()
  const { id: policyId } = await d.policy({ name: 'Padrão', firstAnswer: 10, active: false })
  const { id: companyId } = d.company
  const { sql } = t.database
  const many = 1_200
  const due = new Date(Date.now() - 1_000).toISOString()
  await sql.begin(async (tx) => {
    await tx`INSERT INTO contacts ("companyId", "name", "number")
      SELECT ${companyId}, 'Contato ' || n, '55119' || (10000000 + n) FROM generate_series(1, ${many}) n`
    await tx`INSERT INTO tickets ("companyId", "contactId", "uuid", "status", "nextDueAt", "nextDueMetric", "nextRiskAt")
      SELECT ${companyId}, "id", gen_random_uuid(), 'pending', ${due}, 'firstAnswer', ${due} FROM contacts
      WHERE "companyId" = ${companyId} AND "name" LIKE 'Contato %'`
    await tx`INSERT INTO sla_states ("ticketId", "companyId", "policyId", "serviceAt", "waitingSince", "isHeld")
      SELECT "id", "companyId", ${policyId}, ${due}, ${due}, false FROM tickets WHERE "companyId" = ${companyId}`
    await tx`INSERT INTO sla_clocks ("id", "companyId", "ticketId", "policyId", "metric", "minutes", "startedAt",
        "runningSince", "riskAt", "dueAt", "nextAt", "warnedAt")
      SELECT gen_random_uuid()::text, "companyId", "id", ${policyId}, 'firstAnswer', 10, ${due}, ${due}, ${due}, ${due}, ${due}, ${due}
      FROM tickets WHERE "companyId" = ${companyId}`
    await tx`UPDATE sla_policies SET "active" = true WHERE "id" = ${policyId}`
  })
  const counted = async () =>
    (
      await sql`SELECT count(*)::int AS n FROM ticket_events WHERE "companyId" = ${companyId} AND "kind" = 'sla_breached'`
    )[0]!.n as number
  const servers = [1, 2, 3].map(() => {
    const server = Bun.spawn(
      [process.execPath, '--no-orphans', join(import.meta.dir, 'sla.due.fixture.ts'), t.database.url],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    running.push(server)
    return server
  })
  await until('the first are told', counted, (n) => n > 0)
  for (const server of servers.slice(0, 2)) server.kill('SIGKILL')
  await until('all are told', counted, (n) => n >= many)
  // Once more around: nobody is told again.
  await d.due()
  servers[2]!.kill('SIGKILL')
  const toldBy = (await d.jobsOf('sla.told')).flatMap(({ payload }) => (payload as unknown as { told: SlaTold[] }).told)
  const lines =
    await sql`SELECT DISTINCT "ticketId" FROM ticket_events WHERE "companyId" = ${companyId} AND "kind" = 'sla_breached'`
  expect([await counted(), lines.length, toldBy.length]).toEqual([many, many, many])
  expect(new Set(toldBy.map(({ ticketId }) => ticketId)).size).toBe(many)
}, 60_000)

test('a policy for contacts whose own field meets it counts for them alone', async () => {
  const d = await desk()
  const [field] = await d.db
    .insert(customFields)
    .values({ companyId: d.company.id, entity: 'contact', key: 'limite', name: 'Limite', type: 'number', position: 1 })
    .returning()
  const asked = { id: field!.id, op: 'range', from: 1_000 } as const
  const big = await d.policy({ name: 'Grandes', firstAnswer: 5, contactField: asked })
  await d.policy({ name: 'Todos', firstAnswer: 60 })
  expect((await t.call('GET', `/sla-policies/${big.id}`, { token: d.adminToken })).body.contactField).toEqual(asked)
  const unknown = await t.call('POST', '/sla-policies', {
    token: d.adminToken,
    body: { name: 'Ninguém', firstAnswer: 5, contactField: { id: 999_999, op: 'filled' } },
  })
  expect([unknown.status, unknown.body.error]).toEqual([400, 'ERR_VALIDATION'])
  await d.writes()
  expect(await d.ticket()).toMatchObject({ nextDueAt: at('15T11:00:00') })
  // Filled in meanwhile, it counts at once, and from where the waiting began.
  t.clock.advance(60_000)
  const changed = async (values: object) => {
    const jobsBefore = await d.jobsOf('sla.recount')
    await d.db.update(contacts).set(values).where(eq(contacts.id, d.contact.id))
    const known = new Set(jobsBefore.map(({ id }) => id))
    const added = (await d.jobsOf('sla.recount')).filter(({ id }) => !known.has(id))
    for (const { payload } of added) await recount(d.deps, d.company.id, (payload as { contactId: number }).contactId)
    return added.map(({ payload }) => payload)
  }
  expect(await changed({ fields: { [field!.id]: 1_500 } })).toEqual([{ contactId: d.contact.id }])
  expect(await d.ticket()).toMatchObject({ nextDueAt: at('15T10:05:00') })
  expect(await d.clocks()).toHaveLength(1)
  expect(await changed({ fields: { [field!.id]: 900 } })).toHaveLength(1)
  expect(await d.ticket()).toMatchObject({ nextDueAt: at('15T11:00:00') })
  // What nobody asks counts nothing anew, nor does anything where no ticket waits.
  expect(await changed({ name: 'Outra', updatedAt: new Date() })).toEqual([])
  await d.does('tickets.accept')
  await d.does('tickets.resolve')
  expect(await changed({ fields: { [field!.id]: 1_500 } })).toEqual([])
  // Nor where no policy asks anything of contacts.
  await t.call('PUT', `/sla-policies/${big.id}`, { token: d.adminToken, body: { active: false } })
  await d.writes()
  expect(await changed({ fields: { [field!.id]: 1_600 } })).toEqual([])
})

test('a broken promise takes the ticket to the queue of its policy, whose own promise counts there', async () => {
  const d = await desk()
  const first = await d.policy({
    name: 'Todos',
    firstAnswer: 10,
    escalate: { userIds: [d.admin.id], queueId: d.other.id },
  })
  await d.policy({ name: 'Reforço', queueIds: [d.other.id], firstAnswer: 30, position: 1 })
  await d.writes()
  t.clock.advance(11 * 60_000)
  await d.due()
  expect(await d.ticket()).toMatchObject({ queueId: d.other.id, status: 'pending', userId: null })
  const moved = (await d.db.select().from(ticketEvents).where(eq(ticketEvents.companyId, d.company.id))).find(
    ({ kind }) => kind === 'transferred',
  )
  expect(moved).toMatchObject({ userId: null, data: { queue: d.other.name, policy: 'Todos' } })
  // What was broken stays so, and is told no second time.
  expect(await d.clocks()).toMatchObject([{ breachedAt: at('15T10:10:00'), minutes: 30 }])
  t.clock.advance(60 * 60_000)
  await d.due()
  expect(await d.lines()).toEqual(['sla_breached'])
  expect(first.id).toBeGreaterThan(0)
})

test('another queue, a tag, a snooze and an undo move the clocks', async () => {
  const d = await desk()
  const tag = (await t.call('POST', '/tags', { token: d.adminToken, body: { name: 'VIP', color: '#112233' } })).body
  await d.policy({ name: 'VIP', tagIds: [tag.id], firstAnswer: 5, resolution: 60 })
  await d.policy({ name: 'Outros', firstAnswer: 30, resolution: 60 })
  await d.writes()
  expect(await d.ticket()).toMatchObject({ nextDueAt: at('15T10:30:00') })
  await d.does('tickets.setTags', { tagIds: [tag.id] }, d.adminToken)
  expect(await d.ticket()).toMatchObject({ nextDueAt: at('15T10:05:00') })
  await d.does('tickets.accept')
  await d.says()
  await d.writes('Obrigado')
  expect(await d.ticket()).toMatchObject({ nextDueMetric: 'resolution', nextDueAt: at('15T11:00:00') })
  await d.does('tickets.resolve')
  expect(await d.ticket()).toMatchObject({ nextDueAt: null })
  await d.does('tickets.reopen')
  expect((await d.clocks()).filter(({ metric }) => metric === 'resolution')).toMatchObject([
    { metAt: at('15T10:00:00') },
    { metAt: null },
  ])
})

test('changed hours and policies count anew what goes, and tickets that were there begin now', async () => {
  const d = await desk()
  await d.writes()
  t.clock.advance(10 * 60_000)
  const { id } = await d.policy({ name: 'Padrão', firstAnswer: 60, calendar: 'company' })
  expect(await d.jobsOf('sla.recount')).toHaveLength(1)
  await recount(d.deps, d.company.id)
  expect(await d.ticket()).toMatchObject({ nextDueAt: at('15T11:10:00') })
  const thursday = { weekday: 'Quinta', weekdayEn: 'thursday', startTime: '08:00', endTime: '10:29' }
  const { status } = await t.call('PUT', `/companies/${d.company.id}/schedules`, {
    token: d.adminToken,
    body: { schedules: [thursday], holidays: [{ date: '2026-01-16', name: 'Ponte' }] },
  })
  expect([status, (await d.jobsOf('sla.recount')).length]).toEqual([200, 2])
  await recount(d.deps, d.company.id)
  expect(await d.ticket()).toMatchObject({ nextDueAt: at('17T00:40:00') })
  await t.call('PUT', `/sla-policies/${id}`, { token: d.adminToken, body: { active: false } })
  await recount(d.deps, d.company.id)
  expect([await d.ticket(), await d.clocks()]).toMatchObject([{ nextDueAt: null }, [{ metAt: null, breachedAt: null }]])
  expect(await d.db.select().from(slaStates).where(eq(slaStates.companyId, d.company.id))).toEqual([])
})

test('policies stand in an order, are tried, and name what the company has', async () => {
  const d = await desk()
  const call = (method: string, path: string, body?: unknown, token = d.adminToken) =>
    t.call(method, path, { token, body })
  const a = await d.policy({ name: 'Aaa', firstAnswer: 30 })
  const b = await d.policy({ name: 'Bbb', resolution: 60, position: 1 })
  const names = async () => (await call('GET', '/sla-policies')).body.records.map(({ name }: { name: string }) => name)
  expect(await names()).toEqual(['Bbb', 'Aaa'])
  await call('PUT', `/sla-policies/${b.id}`, { position: 2 })
  expect(await names()).toEqual(['Aaa', 'Bbb'])
  const tried = await call('POST', `/sla-policies/${a.id}/test`, { startedAt: '2026-01-15T12:00:00Z' })
  expect(tried.body).toEqual({
    dueAts: { firstAnswer: '2026-01-15T12:30:00.000Z', nextAnswer: null, resolution: null },
  })
  expect((await call('POST', '/sla-policies', { name: 'Aaa' })).body.error).toBe('ERR_SLA_POLICY_NAME')
  const foreign = await t.eg.queue((await t.eg.company()).id)
  expect((await call('POST', '/sla-policies', { name: 'Ccc', queueIds: [foreign.id] })).body.error).toBe(
    'ERR_NO_QUEUE_FOUND',
  )
  for (const [method, path] of [
    ['GET', '/sla-policies'],
    ['DELETE', `/sla-policies/${a.id}`],
    ['GET', '/reports/sla'],
  ] as const)
    expect([path, (await call(method, path, undefined, d.agentToken)).status]).toEqual([path, 403])
  // A policy that was for one queue alone rests when that is deleted.
  const c = await d.policy({ name: 'Fila', queueIds: [d.queue.id] })
  await call('DELETE', `/queue/${d.queue.id}`)
  expect((await call('GET', `/sla-policies/${c.id}`)).body).toMatchObject({ active: false, queueIds: [] })
  expect((await call('DELETE', `/sla-policies/${a.id}`)).status).toBe(200)
})

test('the report counts what was kept and what was broken, and how long it took', async () => {
  const d = await desk()
  const { id, name } = await d.policy({ name: 'Padrão', firstAnswer: 10 })
  for (const [i, minutes] of [2, 4, 30].entries()) {
    await d.db.insert(slaClocks).values({
      ...{
        id: newId(),
        companyId: d.company.id,
        ticketId: (await t.eg.ticket(d.company.id, { contactId: (await t.eg.contact(d.company.id)).id })).id,
      },
      ...{
        policyId: id,
        metric: 'firstAnswer' as const,
        minutes: 10,
        startedAt: t.clock.now,
        tookMs: minutes * 60_000,
      },
      ...{ metAt: t.clock.now, endedAt: t.clock.now, breachedAt: i === 2 ? t.clock.now : null },
    })
  }
  const { body } = await t.call('GET', '/reports/sla?from=2026-01-15&to=2026-01-15', { token: d.adminToken })
  // Of what occurred: 2, 4 and 30 minutes.
  const values = {
    met: 2,
    breached: 1,
    keptShare: 66.7,
    tookP50: 240,
    tookP90: 1_800,
    tookClockP50: 0,
    tookClockP90: 0,
  }
  expect(body.rows).toEqual([{ key: `${id}:firstAnswer`, name, values }])
  const list = '/reports/sla/tickets?from=2026-01-15&to=2026-01-15&figure=breached'
  expect((await t.call('GET', list, { token: d.adminToken })).body).toMatchObject({
    count: 1,
    records: [{ value: 1_800 }],
  })
  expect((await t.call('GET', '/reports/sla?from=2024-01-01&to=2026-01-15', { token: d.adminToken })).status).toBe(400)
})

test('[K16] where the clocks fail no message is lost, and they are moved afterwards as if they had not', async () => {
  const d = await desk()
  await d.policy({ name: 'Padrão', firstAnswer: 10, nextAnswer: 20, resolution: 60 })
  const { sql } = t.database
  const failing = async (work: () => Promise<unknown>) => {
    await sql`ALTER TABLE sla_clocks ADD CONSTRAINT sla_broken CHECK (false) NOT VALID`
    await work()
    await sql`ALTER TABLE sla_clocks DROP CONSTRAINT sla_broken`
  }
  await failing(() => d.writes())
  expect([(await d.ticket()).lastMessage, await d.clocks()]).toEqual(['Oi', []])
  t.clock.advance(4 * 60_000)
  // Somebody answers before anything is moved again: the promise had been kept.
  await d.does('tickets.accept')
  await d.says()
  t.clock.advance(3 * 60_000)
  await d.catchUp()
  const first = () => d.clocks().then((all) => all.filter(({ metric }) => metric === 'firstAnswer'))
  expect(await first()).toMatchObject([{ startedAt: at('15T10:00:00'), metAt: at('15T10:04:00'), breachedAt: null }])
  const moved = await d.clocks()
  await d.catchUp()
  expect(await d.clocks()).toEqual(moved)
  // An answer that was missed: what the contact wrote after it is what waits.
  await d.writes('E o preço?')
  t.clock.advance(60_000)
  await failing(() => d.says('Dez reais'))
  t.clock.advance(60_000)
  await d.writes('E de dois?')
  await d.catchUp()
  expect(await d.ticket()).toMatchObject({ nextDueMetric: 'nextAnswer', nextDueAt: at('15T10:29:00') })
  const answers = (await d.clocks()).filter(({ metric }) => metric === 'nextAnswer')
  expect(answers.map(({ startedAt, metAt }) => [startedAt, metAt])).toEqual([
    [at('15T10:07:00'), at('15T10:08:00')],
    [at('15T10:09:00'), null],
  ])
})

test('[K16] what goes on failing is seen: its job stays until it is done', async () => {
  const d = await desk()
  await d.policy({ name: 'Padrão', firstAnswer: 10 })
  const { sql } = t.database
  await sql`ALTER TABLE sla_clocks ADD CONSTRAINT sla_broken CHECK (false) NOT VALID`
  await d.writes()
  await expect(d.catchUp()).rejects.toThrow('sla_clocks')
  await sql`ALTER TABLE sla_clocks DROP CONSTRAINT sla_broken`
  await d.catchUp()
  expect(await d.ticket()).toMatchObject({ nextDueAt: at('15T10:10:00') })
})

test('[K17] of two tickets that become one the promises of the one that goes end, and come back when they are taken apart', async () => {
  const d = await desk()
  await d.policy({ name: 'Padrão', firstAnswer: 30, resolution: 60 })
  await d.writes()
  const from = await d.ticket()
  t.clock.advance(60_000)
  const second = await t.eg.whatsapp(d.company.id)
  await d.receive([t.eg.inbound(second, { number: d.contact.number, text: 'Alguém?' })])
  const all = () => d.db.select().from(tickets).where(eq(tickets.companyId, d.company.id)).orderBy(asc(tickets.id))
  const into = (await all())[1]!
  const due = async () => (await all()).map(({ nextDueAt }) => nextDueAt)
  expect(await due()).toEqual([at('15T10:30:00'), at('15T10:31:00')])
  const before = await d.clocks()
  t.clock.advance(60_000)
  const mergeId = newId()
  // A token is good for a quarter of an hour.
  const call = async (id: string, name: string, input: object) =>
    t.call('POST', '/commands', {
      token: await t.login(d.admin.email),
      body: { id, name, input: { ticketId: from.id, intoId: into.id, ...input } },
    })
  expect((await call(mergeId, 'tickets.merge', {})).status).toBe(200)
  expect(await due()).toEqual([null, at('15T10:31:00')])
  // Nobody is told of what nobody waits for any more.
  t.clock.advance(28 * 60_000 + 30_000)
  await d.due()
  expect(
    (await d.jobsOf('sla.told')).flatMap(({ payload }) =>
      (payload as { told: { ticketId: number }[] }).told.map(({ ticketId }) => ticketId),
    ),
  ).not.toContain(from.id)
  expect((await call(newId(), 'tickets.part', { mergeId })).status).toBe(200)
  expect(await due()).toEqual([at('15T10:30:00'), at('15T10:31:00')])
  const after = (await d.clocks()).filter(({ ticketId }) => ticketId === from.id)
  expect(after.map(({ id, startedAt, dueAt, endedAt }) => [id, startedAt, dueAt, endedAt])).toEqual(
    before
      .filter(({ ticketId }) => ticketId === from.id)
      .map(({ id, startedAt, dueAt }) => [id, startedAt, dueAt, null]),
  )
})

test('[K18] who serves the ticket, or its queue while nobody does, is told, of a breach also whom the policy names, and an admin where nobody would be', async () => {
  const d = await desk()
  const boss = await t.eg.user(d.company.id, { profile: 'supervisor' })
  const stranger = await t.eg.user(d.company.id)
  const browserOf = new Map<number, number>()
  for (const person of [d.agent, boss, stranger]) {
    const session = await t.eg.session(person)
    const [row] = await d.db
      .insert(pushSubscriptions)
      .values({
        ...{ companyId: d.company.id, userId: person.id, sessionId: session.id },
        ...{ endpoint: `https://push.example.test/${person.id}`, p256dh: 'x', auth: 'x' },
      })
      .returning()
    browserOf.set(row!.id, person.id)
  }
  // Who does not see the ticket is told nothing of it, whoever names them.
  await d.policy({ name: 'Padrão', firstAnswer: 10, escalate: { userIds: [boss.id, stranger.id], queueId: null } })
  await d.writes()
  await d.db.update(tickets).set({ queueId: d.queue.id }).where(eq(tickets.companyId, d.company.id))
  const heard: string[] = []
  const effects = slaEffects({
    ...d.deps,
    facts: t.deps.facts,
    push: { send: async () => 'sent' },
    events: {
      emit: ({ action, audience, payload }) =>
        void heard.push(
          `${action} ${(payload as { ticketIds: number[] }).ticketIds.join()} ${audience?.userIds?.join() ?? 'ticket'}`,
        ),
    },
    principalOf: (id) => t.deps.auth.principalOf(id),
    isHere: () => false,
    wake: () => undefined,
  })
  const tell = async (from: number) => {
    const [job] = (await d.jobsOf('sla.told')).slice(from)
    await effects['sla.told'](job!.payload as never, { companyId: d.company.id } as never)
    const pushed = await d.jobsOf('push.sla')
    await d.db.delete(jobs).where(eq(jobs.kind, 'push.sla'))
    return pushed
      .map(({ payload }) => browserOf.get((payload as { subscriptionId: number }).subscriptionId))
      .toSorted((a, b) => a! - b!)
  }
  t.clock.advance(8 * 60_000)
  await d.due()
  expect(await tell(0)).toEqual([d.agent.id])
  t.clock.advance(3 * 60_000)
  await d.due()
  expect(await tell(1)).toEqual([d.agent.id, boss.id])
  const { id } = await d.ticket()
  expect(heard).toEqual([`warning ${id} ticket`, `breach ${id} ticket`, `escalated ${id} ${boss.id}`])
  // Many at once are one event for those who see the same.
  const [first] = await d.jobsOf('sla.told')
  const [told] = (first!.payload as unknown as { told: SlaTold[] }).told
  const others = []
  for (const queueId of [d.queue.id, d.queue.id, d.other.id])
    others.push((await t.eg.ticket(d.company.id, { queueId, status: 'pending' })).id)
  heard.length = 0
  const many = others.map((ticketId): SlaTold => ({ ...told!, what: 'breach', ticketId }))
  await effects['sla.told']({ told: many } as never, { companyId: d.company.id } as never)
  expect(heard).toEqual([
    `breach ${others[0]},${others[1]} ticket`,
    `breach ${others[2]} ticket`,
    `escalated ${others.join()} ${boss.id}`,
  ])
  // Nobody works there, and the policy names nobody any more: an admin is told.
  await d.db.update(slaPolicies).set({ escalateUserIds: [] }).where(eq(slaPolicies.companyId, d.company.id))
  const empty = await t.eg.queue(d.company.id)
  const forgotten = await t.eg.ticket(d.company.id, { queueId: empty.id, status: 'pending' })
  heard.length = 0
  const alone = [{ ...told!, what: 'breach' as const, ticketId: forgotten.id }]
  await effects['sla.told']({ told: alone } as never, { companyId: d.company.id } as never)
  expect(heard).toEqual([`breach ${forgotten.id} ticket`, `escalated ${forgotten.id} ${d.admin.id}`])
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { join } from 'node:path'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import type { queues } from '../../schema/queues/queues.table.ts'
import { ticketEvents, tickets } from '../../schema/tickets/tickets.table.ts'
import { userQueues, users } from '../../schema/users/users.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { examples } from '../../tests/example-data.ts'
import { until } from '../../tests/support/stack.ts'
import { lockName } from '../db/locks.ts'
import { companyFacts } from '../settings/settings.facts.ts'
import { wakeSnoozed } from '../tickets/tickets.snoozed.ts'
import { assignmentEffects, lookAgain } from './assignment.effects.ts'

/** What queues do with their tickets, on a real database; some with three servers that are killed. */
let t: TestApp
const running: Bun.Subprocess[] = []
beforeAll(async () => {
  t = await testApp()
})
afterAll(async () => {
  for (const server of running) server.kill('SIGKILL')
  await t.close()
})

const here = () => ({ online: true, lastSeenAt: t.clock.now })

/** A queue with its people, and what happens there; jobs are done when the test says so. */
async function desk(values: Partial<typeof queues.$inferInsert>, people: Partial<typeof users.$inferInsert>[]) {
  const { db } = t.database
  const company = await t.eg.company({ plan: { users: 30 } })
  const queue = await t.eg.queue(company.id, values)
  const agents = []
  for (const own of people) agents.push(await t.eg.user(company.id, { ...here(), queueIds: [queue.id], ...own }))
  const whatsapp = await t.eg.whatsapp(company.id)
  // Who joins a queue asks, too.
  await db.delete(jobs).where(eq(jobs.companyId, company.id))
  const { 'queues.assign': assign } = assignmentEffects({
    ...{ db, now: () => t.clock.now, facts: companyFacts(db, 0), committed: () => undefined },
  })
  // As in the product: the ticket and its clock at once.
  const wait = async (own: Partial<typeof tickets.$inferInsert> = {}) => {
    const contactId = own.contactId ?? (await t.eg.contact(company.id)).id
    return db.transaction((tx) =>
      examples(tx).ticket(company.id, {
        ...{ status: 'pending', userId: null, queueId: queue.id, whatsappId: whatsapp.id, ...own, contactId },
      }),
    )
  }
  return {
    ...{ company, queue, agents, whatsapp, wait },
    /** What was asked for, in the queue or in another. */
    asked: () =>
      db
        .select()
        .from(jobs)
        .where(and(eq(jobs.companyId, company.id), eq(jobs.kind, 'queues.assign'))),
    async work(queueId = queue.id) {
      await assign({ kind: 'queues.assign', queueId }, { companyId: company.id, attempt: 1, last: false } as never)
    },
    of: async ({ id }: { id: number }) => (await db.select().from(tickets).where(eq(tickets.id, id)))[0]!,
    set: (agent: { id: number }, own: Partial<typeof users.$inferInsert>) =>
      db.update(users).set(own).where(eq(users.id, agent.id)),
    told: (ticket: { id: number }) =>
      db.select().from(ticketEvents).where(eq(ticketEvents.ticketId, ticket.id)).orderBy(ticketEvents.createdAt),
  }
}

test('of a queue whose agents take their tickets by themselves nothing is asked', async () => {
  const d = await desk({}, [{}])
  const ticket = await d.wait()
  expect(await d.asked()).toEqual([])
  await d.work()
  expect((await d.of(ticket)).userId).toBeNull()
})

test('[T34] what lies aside is given to nobody, neither in the queue nor from who is away, until it is woken', async () => {
  const later = new Date(t.clock.now.getTime() + 3_600_000)
  const d = await desk({ assignment: 'roundRobin', whenAway: 'queue' }, [{}, {}])
  const [ana, bia] = d.agents
  const waiting = await d.wait({ snoozedUntil: later })
  const held = await d.wait({ status: 'open', userId: bia!.id, snoozedUntil: later, snoozedBy: bia!.id })
  await d.set(bia!, { awayAt: t.clock.now })
  await d.work()
  expect([(await d.of(waiting)).userId, (await d.of(held)).userId]).toEqual([null, bia!.id])
  await t.database.db.delete(jobs).where(eq(jobs.companyId, d.company.id))
  await lookAgain(t.database.db, t.clock.now)
  expect(await d.asked()).toEqual([])

  const { db } = t.database
  await wakeSnoozed({ db, now: () => later, committed: () => undefined })
  expect((await d.asked()).length).toBeGreaterThan(0)
  await d.work()
  await d.work()
  expect([(await d.of(waiting)).userId, (await d.of(held)).userId]).toEqual([ana!.id, ana!.id])
})

test('a ticket that comes into a queue with a rule is asked for with it, and given, with the reason', async () => {
  const d = await desk({ assignment: 'roundRobin' }, [{ online: false }, {}])
  const ticket = await d.wait()
  expect(await d.asked()).toMatchObject([{ payload: { queueId: d.queue.id }, lane: `assign:${d.queue.id}` }])
  await d.work()
  expect(await d.of(ticket)).toMatchObject({ status: 'open', userId: d.agents[1]!.id })
  // What asked for the same is done with it.
  expect(await d.asked()).toEqual([])
  const [line] = await d.told(ticket)
  expect(line).toMatchObject({
    kind: 'assigned',
    userId: null,
    data: { user: d.agents[1]!.name, rule: 'roundRobin', load: 0, passed: `${d.agents[0]!.id}:offline`, passedOver: 1 },
  })
})

test('while a bot answers nobody is looked for; when it has said its last word, somebody is', async () => {
  const d = await desk({ assignment: 'leastBusy' }, [{}])
  const ticket = await d.wait({ chatbot: true })
  expect(await d.asked()).toEqual([])
  await d.work()
  expect((await d.of(ticket)).status).toBe('pending')
  await t.database.db.update(tickets).set({ chatbot: false }).where(eq(tickets.id, ticket.id))
  expect(await d.asked()).toHaveLength(1)
  await d.work()
  expect((await d.of(ticket)).userId).toBe(d.agents[0]!.id)
})

test('what waited for its turn tells of it after what happened meanwhile', async () => {
  const d = await desk({ assignment: 'leastBusy' }, [{}])
  const { db } = t.database
  const begun = t.clock.now
  let free = () => {}
  const held = new Promise<void>((resolve) => (free = resolve))
  const other = db.transaction(async (tx) => {
    await lockName(tx, `assignment of ${d.company.id}`)
    await held
  })
  const lockedBy = async (granted: boolean) =>
    (
      await t.database.sql`SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND granted = ${granted}
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
    )[0]!['n'] as number
  await until(
    'another server chooses',
    () => lockedBy(true),
    (n) => n > 0,
  )
  const work = d.work()
  await until(
    'it stands in line',
    () => lockedBy(false),
    (n) => n > 0,
  )
  t.clock.now = new Date(begun.getTime() + 5_000)
  const ticket = await d.wait()
  free()
  await Promise.all([other, work])
  expect((await d.told(ticket)).map(({ kind, createdAt }) => [kind, createdAt])).toEqual([['assigned', t.clock.now]])
})

test('groups are nobody’s turn', async () => {
  const d = await desk({ assignment: 'roundRobin' }, [{}])
  const group = await d.wait({ isGroup: true })
  expect(await d.asked()).toEqual([])
  await d.work()
  expect((await d.of(group)).userId).toBeNull()
})

test('nobody free: it waits, and is given when somebody closes one, comes back, or connects', async () => {
  const d = await desk({ assignment: 'leastBusy' }, [{ capacity: 1 }, { online: false }, { awayAt: t.clock.now }])
  const [full, absent, away] = [d.agents[0]!, d.agents[1]!, d.agents[2]!]
  const tickets4 = [await d.wait(), await d.wait(), await d.wait(), await d.wait()]
  await d.work()
  const owners = async () => (await Promise.all(tickets4.map((one) => d.of(one)))).map(({ userId }) => userId)
  expect(await owners()).toEqual([full.id, null, null, null])

  await t.database.db.update(tickets).set({ status: 'closed' }).where(eq(tickets.id, tickets4[0]!.id))
  expect(await d.asked()).toHaveLength(1)
  await d.work()
  expect(await owners()).toEqual([full.id, full.id, null, null])

  await d.set(absent, { ...here(), capacity: 1 })
  expect(await d.asked()).not.toEqual([])
  await d.work()
  expect(await owners()).toEqual([full.id, full.id, absent.id, null])

  await d.set(away, { awayUntil: new Date(t.clock.now.getTime() + 60_000) })
  await d.work()
  expect((await owners())[3]).toBeNull()
  t.clock.advance(61_000)
  const back = await lookAgain(t.database.db, t.clock.now)
  expect(back.map(({ id }) => id)).toContain(away.id)
  expect(await d.asked()).not.toEqual([])
  await d.work()
  expect((await owners())[3]).toBe(away.id)
})

test('what a person in two queues was given in one counts in the other', async () => {
  const d = await desk({ assignment: 'roundRobin' }, [{ capacity: 2 }])
  const second = await t.eg.queue(d.company.id, { assignment: 'leastBusy' })
  await t.database.db
    .insert(userQueues)
    .values({ companyId: d.company.id, userId: d.agents[0]!.id, queueId: second.id })
  const all = [
    await d.wait(),
    await d.wait({ queueId: second.id }),
    await d.wait(),
    await d.wait({ queueId: second.id }),
  ]
  await Promise.all([d.work(), d.work(second.id)])
  const open = (await Promise.all(all.map((one) => d.of(one)))).filter(({ status }) => status === 'open')
  expect(open).toHaveLength(2)
})

test('the company says how many where nothing else is said of an agent', async () => {
  const d = await desk({ assignment: 'leastBusy' }, [{}])
  const admin = await t.eg.user(d.company.id, { profile: 'admin' })
  const token = await t.login(admin.email)
  expect((await t.call('PUT', '/settings/agentCapacity', { token, body: { value: '1' } })).status).toBe(200)
  const [first, second] = [await d.wait(), await d.wait()]
  await d.work()
  expect([(await d.of(first)).status, (await d.of(second)).status]).toEqual(['open', 'pending'])
})

test('who gave it back does not get it at once again', async () => {
  const d = await desk({ assignment: 'leastBusy' }, [{}])
  const ticket = await d.wait()
  await d.work()
  const token = await t.login(d.agents[0]!.email)
  await t.call('PUT', `/tickets/${ticket.id}`, { token, body: { status: 'pending' } })
  await d.work()
  expect((await d.of(ticket)).userId).toBeNull()
  const other = await t.eg.user(d.company.id, { ...here(), queueIds: [d.queue.id] })
  expect(await d.asked()).not.toEqual([])
  await d.work()
  expect((await d.of(ticket)).userId).toBe(other.id)
})

test('who served the contact last gets them again', async () => {
  const d = await desk({ assignment: 'roundRobin', lastAgentFirst: true }, [{}, {}, {}])
  const contact = await t.eg.contact(d.company.id)
  const served = d.agents[2]!
  const before = await d.wait({ contactId: contact.id, status: 'closed', userId: served.id })
  await t.database.sql`INSERT INTO ticket_trackings ("companyId", "ticketId", "userId", "finishedAt")
    VALUES (${d.company.id}, ${before.id}, ${served.id}, now())`
  const ticket = await d.wait({ contactId: contact.id })
  await d.work()
  expect((await d.of(ticket)).userId).toBe(served.id)
  expect((await d.told(ticket))[0]!.data).toMatchObject({ rule: 'lastAgent' })
})

test('what who goes away leaves behind stays, waits again, or goes to others, as the queue says', async () => {
  for (const whenAway of ['keep', 'queue', 'others'] as const) {
    const d = await desk({ assignment: 'leastBusy', whenAway }, [{}, { online: false }])
    const ticket = await d.wait()
    await d.work()
    await d.set(d.agents[1]!, here())
    const token = await t.login(d.agents[0]!.email)
    await t.call('PUT', `/users/${d.agents[0]!.id}/away`, { token, body: { away: true } })
    await d.work()
    const { status, userId } = await d.of(ticket)
    const [me, other] = d.agents.map(({ id }) => id)
    const expected = { keep: ['open', me], queue: ['pending', null], others: ['open', other] }[whenAway]
    expect([status, userId]).toEqual(expected as [never, never])
    if (whenAway !== 'queue') continue
    expect((await d.told(ticket)).at(-1)).toMatchObject({ kind: 'left_behind', data: { user: d.agents[0]!.name } })
    await d.work()
    expect((await d.of(ticket)).userId).toBe(other!)
  }
})

test('50 at once, 10 agents, three servers of which two are killed: even, nobody above, none twice', async () => {
  const { db } = t.database
  const d = await desk(
    { assignment: 'roundRobin' },
    Array.from({ length: 10 }, () => ({ capacity: 5, lastSeenAt: new Date() })),
  )
  const start = () => {
    const server = Bun.spawn(
      [process.execPath, '--no-orphans', join(import.meta.dir, 'assignment.fixture.ts'), t.database.url],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    running.push(server)
    return server
  }
  const servers = [start(), start(), start()]
  for (const server of servers) await server.stdout.getReader().read()
  const contacts = await Promise.all(Array.from({ length: 52 }, () => t.eg.contact(d.company.id)))
  const coming = Promise.all(contacts.map(({ id }) => d.wait({ contactId: id })))
  const given = () =>
    db
      .select({ userId: tickets.userId, n: sql<number>`count(*)::int` })
      .from(tickets)
      .where(and(eq(tickets.companyId, d.company.id), eq(tickets.status, 'open')))
      .groupBy(tickets.userId)
  await until('the first are given', given, (rows) => rows.length > 0)
  servers[0]!.kill('SIGKILL')
  servers[1]!.kill('SIGKILL')
  const all = await coming
  const sum = (rows: { n: number }[]) => rows.reduce((total, { n }) => total + n, 0)
  // A job that was under way where a server died is taken up when its lock has run out; the clock does not wait for that.
  await db.update(jobs).set({ lockedUntil: null }).where(eq(jobs.companyId, d.company.id))
  const rows = await until('all that fit', given, (found) => sum(found) === 50)
  expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 10 }, () => 5))
  const lines = await db
    .select()
    .from(ticketEvents)
    .where(
      and(
        eq(ticketEvents.kind, 'assigned'),
        inArray(
          ticketEvents.ticketId,
          all.map(({ id }) => id),
        ),
      ),
    )
  expect(new Set(lines.map(({ ticketId }) => ticketId)).size).toBe(50)
  expect(lines).toHaveLength(50)
  servers[2]!.kill('SIGKILL')
})

test('a supervisor says that a colleague is away, or back, and the audit log says who did; an agent may not', async () => {
  const d = await desk({ assignment: 'leastBusy', whenAway: 'queue' }, [{}, {}])
  const supervisor = await t.eg.user(d.company.id, { profile: 'supervisor' })
  const admin = await t.eg.user(d.company.id, { profile: 'admin' })
  const [agent, colleague] = d.agents
  const away = async (email: string, body: object) =>
    t.call('PUT', `/users/${agent!.id}/away`, { token: await t.login(email), body })
  expect((await away(colleague!.email, { away: true })).status).toBe(403)
  const ticket = await d.wait({ status: 'open', userId: agent!.id })
  expect((await away(supervisor.email, { away: true })).body).toMatchObject({ id: agent!.id, awayUntil: null })
  await d.work()
  expect(await d.of(ticket)).toMatchObject({ status: 'pending', userId: null })
  const { records } = (await t.call('GET', '/audit?limit=20', { token: await t.login(admin.email) })).body
  expect(records.find(({ entity }: { entity: string }) => entity === 'user')).toMatchObject({
    ...{ actorId: supervisor.id, entityId: String(agent!.id) },
  })
  expect((await away(supervisor.email, { away: false })).body).toMatchObject({ awayAt: null })
})

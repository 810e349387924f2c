import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, eq, inArray, isNull, lte, ne, or } from 'drizzle-orm'
import type { CommandName } from '../../schema/catalog.ts'
import { DomainError } from '../../schema/errors.ts'
import { newId } from '../../schema/ids.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { slaClocks } from '../../schema/sla-policies/sla-policies.table.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import { tags } from '../../schema/tags/tags.table.ts'
import { type Ticket, type TicketEvent, ticketEvents, tickets } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { assignmentEffects, lookAgain } from '../../server/assignment/assignment.effects.ts'
import type { JobContext } from '../../server/jobs/worker.ts'
import { catchUp, tellDue } from '../../server/sla-policies/sla.due.ts'
import { createReceiver } from '../../server/tickets/receive.ts'
import { wakeSnoozed } from '../../server/tickets/tickets.snoozed.ts'
import { chance } from '../../server/demo/files.ts'
import { companyWall, wallOf } from '../../server/wall/wall.queries.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { seeds } from '../support/dose.ts'

/** A day in a bakery with twenty agents, in steps of twenty minutes; what chance brings is the same in each run. */
let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const MINUTE = 60_000
const STEP = 20 * MINUTE
const OPENS = Date.parse('2026-03-05T07:00:00-03:00')
const CLOSES = Date.parse('2026-03-05T18:00:00-03:00')
const CAPACITY = 5
const PROMISED = { firstAnswer: 20, nextAnswer: 60, resolution: 300 }

type Agent = { id: number; name: string; queueIds: number[]; who: Principal }

async function bakery(seed: number) {
  const { db } = t.database
  const dice = chance(seed)
  t.clock.now = new Date(OPENS)
  const now = () => t.clock.now
  const company = await t.eg.company({ plan: { users: 30 } })
  await db.insert(settings).values({ companyId: company.id, key: 'agentCapacity', value: String(CAPACITY) })
  const [gluten, party] = await db
    .insert(tags)
    .values(['Sem glúten', 'Festa'].map((name) => ({ companyId: company.id, name, color: '#0d9488' })))
    .returning()
  const queueOf = (name: string, values: object) => t.eg.queue(company.id, { name, ...values })
  const queues = [
    await queueOf('Encomendas', { assignment: 'leastBusy', whenAway: 'others' }),
    await queueOf('Entregas', { assignment: 'roundRobin', whenAway: 'queue' }),
    await queueOf('Financeiro', { assignment: 'manual' }),
    await queueOf('Atacado', { assignment: 'skill', whenAway: 'keep' }),
    await queueOf('Eventos', { assignment: 'leastBusy', lastAgentFirst: true, whenAway: 'others' }),
  ]
  // A number of each queue: whoever writes to it is in that queue.
  const lines = []
  for (const queue of queues) lines.push(await t.eg.whatsapp(company.id, { queueIds: [queue.id] }))
  const made = []
  for (let i = 0; i < 20; i++) {
    const queueIds = [queues[i % 5]!.id, ...(i % 3 === 0 ? [queues[(i + 1) % 5]!.id] : [])]
    const skillIds = i % 5 === 3 ? [i % 2 === 0 ? gluten!.id : party!.id] : []
    made.push({ ...(await t.eg.user(company.id, { name: `Agente ${i}`, queueIds, skillIds })), queueIds })
  }
  const head = await t.eg.user(company.id, { name: 'Helena', profile: 'admin', queueIds: queues.map(({ id }) => id) })
  const token = await t.login(head.email)
  const promised = await t.call('POST', '/sla-policies', {
    token,
    body: { name: 'Prometido a todos', calendar: '24x7', ...PROMISED },
  })
  expect(promised.status).toBe(200)
  await db.delete(jobs).where(eq(jobs.companyId, company.id))
  const agents: Agent[] = []
  for (const { id, name, queueIds } of made)
    agents.push({ id, name, queueIds, who: (await t.deps.auth.principalOf(id))! })
  const headWho = (await t.deps.auth.principalOf(head.id))!
  const contacts = await Promise.all(Array.from({ length: 90 }, () => t.eg.contact(company.id)))

  const deps = { db, now, committed: () => undefined }
  const receive = createReceiver({ ...deps, facts: t.deps.facts })
  const { 'queues.assign': assign } = assignmentEffects({ ...deps, facts: t.deps.facts })
  /** What the job worker does of it, until nothing is left: one that one job asks for is done, too. */
  async function work() {
    for (let round = 0; ; round++) {
      expect(round, 'rounds until nothing is left to assign').toBeLessThan(20)
      const due = await db
        .delete(jobs)
        .where(and(eq(jobs.companyId, company.id), inArray(jobs.kind, ['queues.assign', 'sla.catchUp'])))
        .returning()
      if (due.length === 0) return
      const context = { companyId: company.id, attempt: 1, last: false } as JobContext
      for (const { kind, payload } of due)
        if (kind === 'queues.assign') await assign(payload as never, context)
        else await catchUp(deps, company.id, (payload as { missed: never }).missed)
    }
  }
  async function clocks() {
    await tellDue(deps)
    await wakeSnoozed(deps)
    await lookAgain(db, now())
    await work()
  }
  /** What somebody does; what the moment refuses is no fault, as where a ticket was closed a moment before. */
  async function does(who: Principal, name: CommandName, input: object): Promise<boolean> {
    t.clock.advance(1_000)
    try {
      await t.deps.runCommand(who, { id: newId(), name, input })
      return true
    } catch (error) {
      if (error instanceof DomainError && error.code !== 'ERR_VALIDATION') return false
      throw error
    }
  }
  const ticketsOf = (values = {}) => {
    const { userId } = values as { userId?: number }
    return db
      .select()
      .from(tickets)
      .where(
        and(
          eq(tickets.companyId, company.id),
          ne(tickets.status, 'closed'),
          userId === undefined ? undefined : eq(tickets.userId, userId),
        ),
      )
      .orderBy(tickets.id)
  }
  return {
    db,
    dice,
    now,
    company,
    queues,
    lines,
    agents,
    head,
    headWho,
    contacts,
    receive,
    clocks,
    work,
    does,
    ticketsOf,
  }
}
type Bakery = Awaited<ReturnType<typeof bakery>>

/** Contacts who write in this step: some for the first time, some into what is open, some after it was over. */
async function customersWrite({ dice, contacts, lines, receive }: Bakery) {
  for (let n = dice.int(2, 6); n > 0; n--) {
    t.clock.advance(1_000)
    const at = dice.int(0, contacts.length - 1)
    await receive([t.eg.inbound(lines[at % lines.length]!, { number: contacts[at]!.number, text: 'Bom dia!' })])
  }
}

/** People who are there give a sign of life; some go away for a while, or until they come back, and all are back at times. */
async function peopleComeAndGo({ db, dice, agents, now, does, headWho }: Bakery, step: number) {
  const ids = agents.map(({ id }) => id)
  await db.update(users).set({ online: true, lastSeenAt: now() }).where(inArray(users.id, ids))
  if (step % 2 === 1) {
    const until = dice.next() < 0.5 ? now().getTime() + 45 * MINUTE : null
    await does(headWho, 'users.setAway', { userId: dice.pick(ids), away: true, until })
  }
  if (step % 12 === 11) for (const userId of ids) await does(headWho, 'users.setAway', { userId, away: false })
}

/** Each agent does one thing with one of their conversations, or takes one that waits. */
async function agentsWork({ dice, agents, queues, does, ticketsOf, now, headWho }: Bakery) {
  const all = await ticketsOf()
  for (const { id, queueIds, who } of agents) {
    const own = all.filter((ticket) => ticket.userId === id && ticket.snoozedUntil === null)
    const waits = all.find(
      (ticket) => ticket.status === 'pending' && ticket.userId === null && queueIds.includes(ticket.queueId ?? 0),
    )
    if (waits && own.length < CAPACITY && dice.next() < 0.4) await does(who, 'tickets.accept', { ticketId: waits.id })
    if (own.length === 0) continue
    const ticketId = dice.pick(own).id
    const luck = dice.next()
    if (luck < 0.5) await does(who, 'messages.send', { ticketId, id: newId(), body: 'Claro!' })
    else if (luck < 0.72) await does(who, 'tickets.resolve', { ticketId })
    else if (luck < 0.8) {
      const until = dice.next() < 0.3 ? null : new Date(now().getTime() + dice.int(1, 12) * STEP).toISOString()
      await does(who, 'tickets.snooze', { ticketId, until, note: 'O forno' })
    } else if (luck < 0.86) await does(who, 'tickets.transfer', { ticketId, queueId: dice.pick(queues).id })
    else if (luck < 0.89) await does(who, 'tickets.return', { ticketId })
    else if (luck < 0.92) await does(who, 'tickets.callSupervisor', { ticketId, note: 'Pode olhar?' })
  }
  // Who supervises sees to calls, and takes what has waited longest.
  for (const ticket of all)
    if (ticket.supervisorCalledAt) await does(headWho, 'tickets.answerCall', { ticketId: ticket.id })
}

/** Each conversation that is not over is somebody's, waits in a queue, or lies aside until it comes back by itself. */
async function nobodyIsForgotten(b: Bakery) {
  const open = await b.ticketsOf()
  for (const ticket of open) {
    expect(
      ticket.status === 'open' ? ticket.userId : ticket.queueId,
      `ticket ${ticket.id} is somebody's`,
    ).not.toBeNull()
    if (ticket.snoozedUntil !== null)
      expect(ticket.snoozedUntil.getTime(), `ticket ${ticket.id} comes back`).toBeGreaterThan(b.now().getTime())
  }
  // Whoever waits for our answer has a promise that goes on, or was told as broken, once.
  const told = await b.db
    .select()
    .from(ticketEvents)
    .where(and(eq(ticketEvents.companyId, b.company.id), inArray(ticketEvents.kind, ['sla_warned', 'sla_breached'])))
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length)
  const going = await b.db
    .select()
    .from(slaClocks)
    .where(and(eq(slaClocks.companyId, b.company.id), isNull(slaClocks.endedAt)))
  const metricsOf = Map.groupBy(going, ({ ticketId }) => ticketId)
  for (const { id, lastMessageFromMe, snoozedUntil } of open)
    if (!lastMessageFromMe && snoozedUntil === null)
      expect(
        metricsOf.get(id)?.map(({ metric }) => metric),
        `ticket ${id} is promised something`,
      ).toContain('resolution')
  const late = await b.db
    .select()
    .from(slaClocks)
    .where(
      and(
        eq(slaClocks.companyId, b.company.id),
        isNull(slaClocks.endedAt),
        isNull(slaClocks.breachedAt),
        or(lte(slaClocks.dueAt, b.now()), lte(slaClocks.nextAt, b.now())),
      ),
    )
  expect(late).toEqual([])
}

/** What the television shows is what the lists hold. */
async function theWallAgrees(b: Bakery) {
  const [shown, open] = await Promise.all([companyWall(b.db, b.company.id, CAPACITY, b.now()), b.ticketsOf()])
  const wall = wallOf(shown, [])
  const waiting = open.filter(({ status, snoozedUntil }) => status === 'pending' && snoozedUntil === null)
  const served = open.filter(({ status, snoozedUntil }) => status === 'open' && snoozedUntil === null)
  expect([wall.waiting, wall.open]).toEqual([waiting.length, served.length])
  const late = open.filter((one) => one.snoozedUntil === null && one.nextDueAt !== null && one.nextDueAt <= b.now())
  expect(wall.risk!.breached).toBe(late.length)
  for (const agent of wall.agents)
    expect([agent.name, agent.open]).toEqual([
      agent.name,
      open.filter(({ status, userId }) => status === 'open' && userId === agent.id).length,
    ])
}

/** Where a ticket is, as the lines of its timeline tell it. */
function placeOf(lines: readonly TicketEvent[], nameOf: ReadonlyMap<number, string>) {
  let user: string | null = null
  let status: Ticket['status'] = 'pending'
  for (const { kind, userId, data } of lines) {
    if (kind === 'accepted' || kind === 'reopened') [status, user] = ['open', nameOf.get(userId!) ?? null]
    else if (kind === 'assigned') [status, user] = ['open', String(data['user'])]
    else if (kind === 'transferred') {
      user = (data['user'] as string | null) ?? null
      status = user === null ? 'pending' : 'open'
    } else if (kind === 'returned' || kind === 'left_behind' || kind === 'reopened_by_contact')
      [status, user] = ['pending', null]
    else if (kind === 'resolved') status = 'closed'
  }
  return { status, user }
}

/** Everybody can say why a ticket is where it is: its lines, read in their order, lead there. */
async function everyTicketSaysWhy(b: Bakery) {
  const nameOf = new Map([...b.agents, b.head].map(({ id, name }) => [id, name]))
  const lines = await b.db
    .select()
    .from(ticketEvents)
    .where(eq(ticketEvents.companyId, b.company.id))
    .orderBy(ticketEvents.createdAt, ticketEvents.id)
  const linesOf = Map.groupBy(lines, ({ ticketId }) => ticketId)
  const all = await b.db.select().from(tickets).where(eq(tickets.companyId, b.company.id))
  for (const { id, status, userId } of all) {
    const told = placeOf(linesOf.get(id) ?? [], nameOf)
    const is = { status, user: status === 'closed' ? told.user : userId === null ? null : nameOf.get(userId)! }
    expect(
      { id, ...told },
      linesOf
        .get(id)
        ?.map(({ kind }) => kind)
        .join(' '),
    ).toEqual({ id, ...is })
  }
  return { tickets: all.length, kinds: new Set(lines.map(({ kind }) => kind)) }
}

test.each(seeds(1, 20))(
  'in a bakery with twenty agents nobody is forgotten all day, the wall agrees with the lists, and each ticket says why it is where it is (day %d)',
  async (seed) => {
    const b = await bakery(seed)
    for (let step = 0; OPENS + step * STEP < CLOSES; step++) {
      t.clock.now = new Date(OPENS + step * STEP)
      await peopleComeAndGo(b, step)
      await customersWrite(b)
      await b.clocks()
      await agentsWork(b)
      await b.work()
      t.clock.advance(5 * MINUTE)
      await b.clocks()
      await nobodyIsForgotten(b)
      await theWallAgrees(b)
    }
    const { tickets: served, kinds } = await everyTicketSaysWhy(b)
    expect(served).toBeGreaterThan(60)
    // The day had all of it.
    for (const kind of ['assigned', 'transferred', 'returned', 'snoozed', 'woken', 'supervisor_called'])
      expect([...kinds]).toContain(kind as never)
    // What is left over from one day is no part of another: clocks look at all companies.
    await b.db.delete(tickets).where(eq(tickets.companyId, b.company.id))
  },
  // Some ten seconds of a processor, beside whatever else is at work.
  180_000,
)

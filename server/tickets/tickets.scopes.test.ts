import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, eq, inArray } from 'drizzle-orm'
import { messages } from '../../schema/messages/messages.table.ts'
import { canSeeTicket, type Principal } from '../../schema/permissions.ts'
import { type Role, roles } from '../../schema/roles/roles.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { shapes } from '../../sync/shapes.ts'
import { examples } from '../../tests/example-data.ts'
import { testDatabase, type TestDatabase } from '../../tests/support/postgres.ts'
import { loadAccess } from '../auth/auth.queries.ts'
import { setQueues } from '../users/users.writes.ts'
import { visibleTo } from './tickets.queries.ts'
import { trimTicket } from './tickets.trim.ts'

let database: TestDatabase
let eg: ReturnType<typeof examples>

beforeAll(async () => {
  database = await testDatabase()
  eg = examples(database.db)
})
afterAll(() => database.close())

/** The newest messages that a ticket takes along when it moves. */
const moved = 100
const epoch = { since: new Date(0) }

const principal = async (userId: number): Promise<Principal> =>
  database.db.transaction(async (tx) => (await loadAccess(tx, userId))!.who)

/** Ids that the shape of a table gives a person. */
async function synced(name: 'messages' | 'tickets', who: Principal): Promise<Set<string>> {
  const { where, params } = shapes[name].filter(who, epoch)
  const rows = await database.sql.unsafe<{ id: string }[]>(
    `SELECT "id"::text AS id FROM "${name}" WHERE ${where}`,
    params,
  )
  return new Set(rows.map((row) => row.id))
}

async function role(companyId: number, ticketScope: Role['ticketScope']): Promise<number> {
  const [row] = await database.db
    .insert(roles)
    .values({ companyId, name: `Vê ${ticketScope}`, ticketScope })
    .returning({ id: roles.id })
  return row!.id
}

async function company() {
  const { id } = await eg.company()
  const connection = await eg.whatsapp(id)
  const queues = [await eg.queue(id), await eg.queue(id)]
  const users = [
    await eg.user(id, { queueIds: [queues[0]!.id] }),
    await eg.user(id, { queueIds: [queues[1]!.id] }),
    await eg.user(id, { queueIds: queues.map((queue) => queue.id) }),
    await eg.user(id, { queueIds: [], allTicket: true }),
    await eg.user(id, { profile: 'admin', queueIds: [] }),
    await eg.user(id, { queueIds: [queues[0]!.id], allTicket: true, roleId: await role(id, 'own') }),
    await eg.user(id, { queueIds: [queues[1]!.id], roleId: await role(id, 'queues') }),
    await eg.user(id, { queueIds: [], roleId: await role(id, 'all') }),
  ]
  const ticket = async (count: number) => {
    const contact = await eg.contact(id)
    const one = await eg.ticket(id, { contactId: contact.id, whatsappId: connection.id, queueId: queues[0]!.id })
    const at = Date.now()
    await database.db.insert(messages).values(
      Array.from({ length: count }, (_, i) => ({
        ...{ id: crypto.randomUUID(), companyId: id, ticketId: one.id, contactId: contact.id, body: `${i}` },
        createdAt: new Date(at - (count - i) * 1000),
      })),
    )
    return one
  }
  return { id, queues, users, ticket }
}

test('[V1] the rule, the lists of the server and the shapes give everybody the same tickets', async () => {
  const { id, queues, users } = await company()
  const contact = await eg.contact(id)
  const places = [null, ...queues].flatMap((queue) =>
    [null, ...users].flatMap((user) =>
      (['pending', 'open', 'closed'] as const).map((status) => ({
        status,
        queueId: queue?.id ?? null,
        userId: user?.id ?? null,
      })),
    ),
  )
  for (const place of places) await eg.ticket(id, { contactId: contact.id, whatsappId: null, ...place })
  const all = await database.db.select().from(tickets).where(eq(tickets.companyId, id))
  for (const user of users) {
    const who = await principal(user.id)
    const allowed = all.filter((ticket) => canSeeTicket(who, ticket)).map((ticket) => String(ticket.id))
    const listed = await database.db.select({ id: tickets.id }).from(tickets).where(visibleTo(who))
    expect(listed.map((ticket) => String(ticket.id)).toSorted()).toEqual(allowed.toSorted())
    expect([...(await synced('tickets', who))].toSorted()).toEqual(allowed.toSorted())
  }
})

test('[V2] whoever sees a ticket is synced its last hundred messages, whoever does not is synced none, however it moved', async () => {
  const { id, queues, users, ticket } = await company()
  const all = [await ticket(3), await ticket(250), await ticket(130)]
  let state = 7
  const pick = <T>(list: readonly T[]): T => list[(state = (state * 48_271) % 2_147_483_647) % list.length]!
  for (let round = 0; round < 60; round++) {
    const one = pick(all)
    const act = pick(['move', 'move', 'move', 'write', 'join'] as const)
    if (act === 'move')
      await database.db
        .update(tickets)
        .set({
          queueId: pick([...queues.map((queue) => queue.id), null]),
          userId: pick([...users.map((user) => user.id), null]),
        })
        .where(eq(tickets.id, one.id))
    else if (act === 'write')
      await database.db
        .insert(messages)
        .values({ id: crypto.randomUUID(), companyId: id, ticketId: one.id, contactId: one.contactId, body: 'new' })
    else {
      const mine = queues.filter(() => pick([true, false])).map((queue) => queue.id)
      await database.db.transaction((tx) => setQueues(tx, id, pick(users).id, mine))
    }
    if (round % 6 !== 5) continue
    for (const { id: ticketId } of all) await trimTicket(database.db, ticketId)
    const now = await database.db
      .select()
      .from(tickets)
      .where(
        inArray(
          tickets.id,
          all.map((t) => t.id),
        ),
      )
    for (const user of users) {
      const who = await principal(user.id)
      const [seenTickets, seenMessages] = [await synced('tickets', who), await synced('messages', who)]
      for (const one of now) {
        const sees = canSeeTicket(who, one)
        expect([one.id, seenTickets.has(String(one.id))]).toEqual([one.id, sees])
        const said = await database.db
          .select({ id: messages.id })
          .from(messages)
          .where(and(eq(messages.ticketId, one.id)))
          .orderBy(messages.createdAt, messages.id)
        const newest = said.slice(-moved)
        if (sees) expect(newest.filter((m) => !seenMessages.has(m.id))).toEqual([])
        else expect(said.filter((m) => seenMessages.has(m.id))).toEqual([])
      }
    }
  }
}, 60_000)

test('[V3] an agent of the queue who accepts or returns a ticket changes none of its messages', async () => {
  const { users, ticket } = await company()
  const one = await ticket(20)
  const versions = () =>
    database.sql`SELECT DISTINCT xmin::text AS version FROM messages WHERE "ticketId" = ${one.id}`.then((rows) =>
      rows.map((r) => r.version),
    )
  const before = await versions()
  for (const userId of [users[0]!.id, null, users[2]!.id])
    await database.db.update(tickets).set({ userId }).where(eq(tickets.id, one.id))
  expect(await versions()).toEqual(before)
  await database.db.update(tickets).set({ userId: users[1]!.id }).where(eq(tickets.id, one.id))
  expect(await versions()).not.toEqual(before)
})

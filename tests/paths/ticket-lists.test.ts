import type { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, eq, getTableColumns } from 'drizzle-orm'
import type { FieldTest } from '../../schema/custom-fields/custom-fields.conditions.ts'
import type { Principal } from '../../schema/permissions.ts'
import { sees, ticketSight } from '../../schema/permissions.ts'
import {
  boardOf,
  type ConditionKind,
  isListed,
  type ListFilter,
  type ListNarrowing,
  type ListWish,
  notifiedOf,
  pageOf,
  seenBy,
  tabOf,
  type TicketCondition,
  type TicketList,
  ticketsPerPage,
  viewOf,
  viewStatuses,
  wishedBy,
  orderOf,
} from '../../schema/tickets/tickets.list.ts'
import { isNotifiedOf } from '../../schema/tickets/tickets.notify.ts'
import { type Ticket, tickets, ticketStatuses } from '../../schema/tickets/tickets.table.ts'
import { listedTickets } from '../../client/tickets/tickets.rows.ts'
import { listCondition, pageOfIds } from '../../server/tickets/tickets.list.queries.ts'
import { boardTickets, listTickets } from '../../server/tickets/tickets.queries.ts'
import { memoryReplica } from '../../sync/client/replica.fixture.ts'
import { examples } from '../example-data.ts'
import { dose } from '../support/dose.ts'
import { testDatabase, type TestDatabase } from '../support/postgres.ts'

/** What a list holds is said once, and found by three: Postgres, the replica, and over rows in memory. */
let database: TestDatabase
let replica: PGlite
let all: Ticket[]
let company: { id: number; users: number[]; queues: number[]; connections: number[]; contacts: number[] }
const tags = [1, 2, 3]
const texts = ['', 'oi', 'até já']
/** Few, so that many tickets changed at the same one. */
const moments = Array.from({ length: 40 }, (_, i) => new Date(Date.UTC(2026, 0, 1) + i * 60_000))

/** Repeatable, and another one in each soak. */
let state = dose(20_261_129, 1 + Math.floor(Math.random() * 2 ** 30))
const seed = state
const below = (count: number): number => (state = (state * 48_271) % 2_147_483_647) % count
const pick = <T>(from: readonly T[]): T => from[below(from.length)]!
const some = <T>(from: readonly T[], most = 3): T[] => Array.from({ length: below(most + 1) }, () => pick(from))
const chance = (one: number): boolean => below(one) === 0

beforeAll(async () => {
  database = await testDatabase()
  replica = await memoryReplica()
  const eg = examples(database.db)
  const made = async () => {
    const { id } = await eg.company()
    const ids = (rows: readonly { id: number }[]) => rows.map((row) => row.id)
    const [queues, users, connections, contacts] = [
      ids([await eg.queue(id), await eg.queue(id), await eg.queue(id)]),
      ids([await eg.user(id), await eg.user(id), await eg.user(id)]),
      ids([await eg.whatsapp(id), await eg.whatsapp(id)]),
      ids(await Promise.all(Array.from({ length: 12 }, () => eg.contact(id)))),
    ]
    await database.db
      .insert(tickets)
      .values(
        Array.from({ length: 260 }, () => ({
          companyId: id,
          status: pick(ticketStatuses),
          contactId: pick(contacts),
          whatsappId: pick([null, null, null, ...connections]),
          queueId: pick([null, ...queues]),
          userId: pick([null, ...users]),
          tagIds: [...new Set(some(tags))],
          lastMessage: pick(texts),
          lastMessageFromMe: chance(2),
          unreadMessages: pick([0, 0, 1, 7]),
          fields: anyValues(),
          updatedAt: pick(moments),
          snoozedUntil: chance(5) ? pick(moments) : null,
          nextDueAt: pick([null, ...moments.slice(0, 9)]),
        })),
      )
      // A contact has one active ticket on a connection.
      .onConflictDoNothing()
    return { id, queues, users, connections, contacts }
  }
  await made()
  company = await made()
  all = await database.db.select().from(tickets).where(eq(tickets.companyId, company.id))
  const columns = Object.keys(getTableColumns(tickets))
    .map((name) => `"${name}"`)
    .join()
  await replica.query(
    `INSERT INTO tickets (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::tickets, $1::json)`,
    [JSON.stringify(all)],
  )
}, 60_000)
afterAll(async () => {
  await replica?.close()
  await database?.close()
})

/** Of fields that need not be there: values are what counts. */
const fieldIds = [7, 8, 9]
const words = ['São João', 'sao joao 2', 'Ação', 'ÇA', 'ø Strasse', "100% d'água_\\", 'ﬁm', 'e\u0301']
const parts = ['a', 'JOAO', 'ão', 'ca', ' jo', '%', '_', '\\', "d'A", 'É', 'strasse', 'Ø', 'ı']
const values = [...words, 'a', 'b', '2026-11-30', '2026-01-05', 0, 2.5, -7, true, false]
const anyValues = () => (chance(2) ? {} : Object.fromEntries(some(fieldIds).map((fieldId) => [fieldId, pick(values)])))
const ends = ['2026-01-05', '2026-06-01', 'a', -7, 0, 2, undefined]
const anyTest = (): FieldTest => {
  const id = pick(fieldIds)
  return pick<FieldTest>([
    { id, op: 'filled' },
    { id, op: 'empty' },
    { id, op: 'any', values: some(values) },
    { id, op: 'has', text: pick(parts) },
    { id, op: 'range', from: pick(ends), to: pick(ends) },
  ])
}

const conditions: Record<ConditionKind, (depth: number) => TicketCondition> = {
  status: () => ({ is: 'status', any: some(ticketStatuses) }),
  queue: () => ({ is: 'queue', any: some([null, ...company.queues]) }),
  user: () => ({ is: 'user', any: some([null, ...company.users]) }),
  connection: () => ({ is: 'connection', any: some(company.connections) }),
  contact: () => ({ is: 'contact', id: pick(company.contacts) }),
  tagged: () => ({ is: 'tagged', all: some(tags, 2) }),
  unread: () => ({ is: 'unread' }),
  unanswered: () => ({ is: 'unanswered' }),
  snoozed: () => ({ is: 'snoozed', yes: chance(2) }),
  field: () => ({ is: 'field', test: anyTest() }),
  either: (depth) => ({
    is: 'either',
    ways: depth === 0 ? [] : Array.from({ length: below(4) }, () => anyConditions(depth - 1)),
  }),
}
const kinds = Object.keys(conditions) as ConditionKind[]
const anyConditions = (depth: number): TicketCondition[] =>
  Array.from({ length: below(4) }, () => conditions[pick(kinds)](depth))
const anyPage = (where: readonly TicketCondition[]): TicketList => ({
  where,
  limit: 1 + below(60),
  offset: pick([0, 0, 0, 3, 40]),
  order: pick(['newest', 'due', 'return', undefined]),
})

const anybody = (): Principal => ({
  userId: pick(company.users),
  companyId: company.id,
  name: 'Ana',
  profile: pick(['user', 'user', 'supervisor', 'admin'] as const),
  role: chance(4)
    ? {
        ...{ id: 1, maskNumbers: false, ticketScope: pick(['own', 'queues', 'all'] as const) },
        permissions: chance(2) ? ['tickets-manager:showall'] : [],
      }
    : null,
  super: false,
  queueIds: [...new Set(some(company.queues))],
  allTicket: chance(2),
  whatsappId: null,
})
const anyNarrowing = (): ListNarrowing => ({
  queueIds: some([0, ...company.queues], 2),
  ...(chance(3) && { tagIds: some(tags, 2) }),
  ...(chance(3) && { userIds: some(company.users, 2) }),
  ...(chance(3) && { whatsappIds: some(company.connections, 2) }),
  ...(chance(4) && { unreadOnly: true }),
  ...(chance(4) && { unansweredOnly: true }),
  ...(chance(4) && { fields: [anyTest()] }),
})
const anyTab = (): ListFilter => ({ tab: pick([...ticketStatuses, 'snoozed']), showAll: chance(2), ...anyNarrowing() })
const anyWish = (): ListWish => ({
  status: pick([undefined, ...ticketStatuses]),
  showAll: chance(2),
  queueIds: pick([undefined, some(company.queues)]),
  tagIds: pick([undefined, undefined, some(tags, 2)]),
  userIds: pick([undefined, undefined, some(company.users, 2)]),
  withUnreadMessages: chance(3),
  snoozed: chance(5),
  order: pick([undefined, 'due' as const, 'return' as const]),
})

const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

async function findsTheSame(list: TicketList): Promise<number> {
  const held = ids(pageOf(list, all))
  const onServer = await pageOfIds(database.db, listCondition(company.id, list.where), list)
  const { sql, params } = listedTickets(list).query
  const inReplica = await replica.query<{ id: number }>(sql, params)
  const said = `seed ${seed}: ${JSON.stringify(list)}`
  expect([said, ids(onServer)]).toEqual([said, held])
  expect([said, ids(inReplica.rows)]).toEqual([said, held])
  return held.length
}

test('whatever a list asks for, Postgres, the replica and the rows in memory have the same tickets in the same order', async () => {
  let found = 0
  for (let round = 0; round < dose(200, 3_000); round++)
    found += (await findsTheSame(anyPage(anyConditions(2)))) > 0 ? 1 : 0
  // Not all of it was about lists that hold nothing.
  expect(found).toBeGreaterThan(50)
}, 60_000)

test('so it is with the tabs of the inbox, the board, what people are told of and what calls ask for', async () => {
  const kept: Record<string, number> = {}
  for (let round = 0; round < dose(40, 800); round++) {
    const who = anybody()
    const lists = {
      tab: tabOf(anyTab(), who),
      board: boardOf(anyNarrowing()),
      view: viewOf({ ...anyNarrowing(), statuses: some(viewStatuses, 2), mine: chance(2) }, who),
      told: notifiedOf(who),
      seen: seenBy(ticketSight(who)),
      wished: wishedBy(who, anyWish()),
    }
    for (const [name, where] of Object.entries(lists))
      kept[name] = (kept[name] ?? 0) + (await findsTheSame(anyPage(where)))
  }
  expect(Object.entries(kept).filter(([, count]) => count === 0)).toEqual([])
}, 60_000)

test('a call for tickets is answered with the pages of its list, and the board with its own', async () => {
  for (let round = 0; round < dose(25, 300); round++) {
    const who = anybody()
    const wish = anyWish()
    const page = 1 + below(3)
    const list = {
      where: wishedBy(who, wish),
      limit: ticketsPerPage,
      offset: (page - 1) * ticketsPerPage,
      order: orderOf(wish),
    }
    const answer = await listTickets(database.db, who, wish, page)
    expect([seed, wish, ids(answer.tickets)]).toEqual([seed, wish, ids(pageOf(list, all))])
    expect(answer.count).toBe(all.filter((ticket) => isListed(list.where, ticket)).length)
    const board = [...seenBy(ticketSight(who)), ...boardOf({ queueIds: [] })]
    expect(ids(await boardTickets(database.db, who, undefined))).toEqual(
      ids(pageOf({ where: board, limit: all.length, offset: 0 }, all)),
    )
  }
}, 60_000)

test('of one ticket, who sees it and who is told of it is what the lists say', () => {
  for (let round = 0; round < 60; round++) {
    const who = anybody()
    for (const ticket of all) {
      expect(isListed(seenBy(ticketSight(who)), ticket)).toBe(sees(ticketSight(who), ticket))
      expect(isListed(notifiedOf(who), ticket)).toBe(isNotifiedOf(who, ticket))
    }
  }
})

test('a list of one company never holds a ticket of another', async () => {
  const others = await database.db
    .select({ id: tickets.id })
    .from(tickets)
    .where(and(listCondition(company.id, [{ is: 'either', ways: [[], [{ is: 'unread' }]] }])))
  expect(others.length).toBe(all.length)
})

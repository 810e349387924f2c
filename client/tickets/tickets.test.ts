import type { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Principal } from '../../schema/permissions.ts'
import {
  isListed,
  type ListFilter,
  narrowedTo,
  tabOf,
  type ViewFilter,
  viewOf,
  orderOf,
} from '../../schema/tickets/tickets.list.ts'
import { MessageSearch } from '../../sync/client/message-search.ts'
import { memoryReplica } from '../../sync/client/replica.fixture.ts'
import { Statements } from '../../sync/client/statements.ts'
import { actionsFor, type TicketAction, writingState } from './tickets.actions.ts'
import { normalView, storedFilter, viewCounts } from './tickets.views.ts'
import {
  chosenTickets,
  isUuid,
  mergeTickets,
  notifiedTickets,
  opensOnClick,
  readTicket,
  readWireTicket,
  ticketByUuid,
  ticketCounts,
  ticketList,
  ticketsOfContact,
  ticketsWhere,
  type TicketRow,
} from './tickets.rows.ts'
import { saysSql, wordPattern } from '../replica/says.ts'
import { ticketSearch } from './tickets.search.ts'
import type { Rows } from '../replica/rows.ts'

const agent: Principal = {
  userId: 1,
  companyId: 1,
  name: 'Ana',
  profile: 'user',
  super: false,
  queueIds: [10],
  allTicket: false,
  whatsappId: null,
}
const admin: Principal = { ...agent, userId: 9, profile: 'admin', queueIds: [] }

let db: PGlite
beforeAll(async () => {
  db = await memoryReplica()
  await db.exec(`
    INSERT INTO contacts (id, name, number) VALUES (1, 'João Conceição', '5511988887766'), (2, 'Padaria 100%', '5511977776655');
    INSERT INTO tickets (id, status, "contactId", "queueId", "userId", "tagIds", "lastMessage", "updatedAt") VALUES
      (1, 'open', 1, 10, 1, '{5,6}', 'bom dia', '2026-01-01 10:00Z'),
      (2, 'open', 2, 10, 2, '{5}', 'até já', '2026-01-01 11:00Z'),
      (3, 'pending', 1, 10, null, '{}', '', '2026-01-01 12:00Z'),
      (4, 'pending', 2, 20, null, '{}', '', '2026-01-01 13:00Z'),
      (5, 'pending', 2, null, null, '{}', '', '2026-01-01 14:00Z'),
      (6, 'closed', 1, 10, 1, '{}', '', '2026-01-01 15:00Z'),
      (7, 'open', 2, 20, 1, '{}', '', '2026-01-01 16:00Z');
    UPDATE tickets SET uuid = gen_random_uuid(), "lastMessageAt" = "updatedAt", "createdAt" = "updatedAt", "unreadMessages" = 0,
      "lastMessageFromMe" = false, "lastMessageDeleted" = false, "isGroup" = false, chatbot = false;
    INSERT INTO messages (id, "ticketId", body, "isDeleted", "mediaType", "createdAt") VALUES
      ('m1', 2, 'o boleto venceu', false, 'chat', now()), ('m2', 4, 'boleto', true, 'chat', now());`)
}, 60_000)
afterAll(() => db.close())

const run = async <R extends object>({ query, read = (raw) => raw as R }: Rows<R>) =>
  (await db.query<Record<string, unknown>>(query.sql, query.params)).rows.map(read)
const ids = async (rows: Rows<TicketRow>) => (await run(rows)).map((row) => row.id)
const list = (filter: Partial<ListFilter>, who = agent, limit = 40) =>
  ids(ticketList({ tab: 'open', showAll: false, queueIds: [], ...filter }, who, limit))

describe('the lists', () => {
  test('an agent sees their own open tickets, newest first, whatever their queue', async () => {
    expect(await list({})).toEqual([7, 1])
  })
  test('an agent sees what waits in their queues, without a queue only with the right to', async () => {
    expect(await list({ tab: 'pending' })).toEqual([3])
    expect(await list({ tab: 'pending' }, { ...agent, allTicket: true })).toEqual([5, 3])
    expect(await list({ tab: 'pending' }, { ...agent, queueIds: [] })).toEqual([])
  })
  test('with show-all everything of the replica is listed, and queues narrow it', async () => {
    expect(await list({ showAll: true }, admin)).toEqual([7, 2, 1])
    expect(await list({ showAll: true, tab: 'pending', queueIds: [20, 0] }, admin)).toEqual([5, 4])
    expect(await list({ queueIds: [20] })).toEqual([7])
  })
  test('a list is as long as asked for', async () => {
    expect(await list({ showAll: true }, admin, 2)).toEqual([7, 2])
  })
  test('a list is narrowed by tags, users, connections and what is unread, like those of the server', async () => {
    await db.exec(`UPDATE tickets SET "unreadMessages" = 2, "whatsappId" = 3 WHERE id = 2`)
    const everything = await run(ticketList({ tab: 'open', showAll: true, queueIds: [] }, admin, 40))
    for (const [filter, expected] of [
      [{ tagIds: [5] }, [2, 1]],
      [{ tagIds: [5, 6] }, [1]],
      [{ userIds: [2, 9] }, [2]],
      [{ whatsappIds: [3] }, [2]],
      [{ unreadOnly: true }, [2]],
      [{ unreadOnly: true, userIds: [1] }, []],
    ] as const) {
      expect(await list({ showAll: true, ...filter }, admin)).toEqual([...expected])
      const within = everything.filter((ticket) => isListed(narrowedTo({ queueIds: [], ...filter }), ticket))
      expect(within.map(({ id }) => id)).toEqual([...expected])
    }
  })

  test('by deadlines the nearest stands above, and what is not promised behind, as ever', async () => {
    const usual = await list({ showAll: true, tab: 'pending' }, admin)
    expect(await list({ showAll: true, tab: 'pending', order: 'due' }, admin)).toEqual(usual)
    const [late, soon] = [usual.at(-1)!, usual.at(-2)!]
    await db.query('UPDATE tickets SET "nextDueAt" = $2 WHERE id = $1', [soon, '2026-01-15T12:00:00Z'])
    await db.query('UPDATE tickets SET "nextDueAt" = $2 WHERE id = $1', [late, '2026-01-15T11:00:00Z'])
    expect(await list({ showAll: true, tab: 'pending', order: 'due' }, admin)).toEqual([
      late,
      soon,
      ...usual.slice(0, -2),
    ])
    expect((await run(ticketCounts({ showAll: true, queueIds: [] }, admin)))[0]).toMatchObject({ promised: true })
    await db.exec('UPDATE tickets SET "nextDueAt" = NULL')
  })

  test('what lies aside stands in the order in which it comes back, and what waits for an answer last', async () => {
    const [a, b, c] = (await list({ showAll: true, tab: 'pending' }, admin)) as [number, number, number]
    for (const [id, until] of [
      [a, '9999-12-31T00:00:00Z'],
      [b, '2026-01-16T11:00:00Z'],
      [c, '2026-01-15T11:00:00Z'],
    ] as const)
      await db.query('UPDATE tickets SET "snoozedUntil" = $2 WHERE id = $1', [id, until])
    expect(await list({ showAll: true, tab: 'snoozed' }, admin)).toEqual([c, b, a])
    // Whatever order the lists beside it are in.
    expect(orderOf({ snoozed: true })).toBe('return')
    expect(orderOf({ snoozed: false, order: 'due' })).toBe('due')
    await db.exec('UPDATE tickets SET "snoozedUntil" = NULL')
  })

  test('the badges count exactly what the lists hold', async () => {
    for (const [who, filter] of [
      [agent, { showAll: false, queueIds: [] }],
      [admin, { showAll: true, queueIds: [10] }],
    ] as const) {
      const [counts] = await run(ticketCounts(filter, who))
      expect(counts).toEqual({
        open: (await list({ ...filter, tab: 'open' }, who)).length,
        pending: (await list({ ...filter, tab: 'pending' }, who)).length,
        snoozed: (await list({ ...filter, tab: 'snoozed' }, who)).length,
        promised: false,
      })
    }
  })
})

describe('a view', () => {
  const view = (filter: Partial<ViewFilter>) => ({
    ...{ id: 'v', name: 'V', color: null, sharing: 'own' as const, queueIds: [], filter: normalView(filter) },
  })
  const holds = (filter: Partial<ViewFilter>, who = agent) => ids(ticketsWhere(viewOf(normalView(filter), who), 40))

  test('holds for an agent what their tabs hold, and for who may what all hold', async () => {
    expect(await holds({})).toEqual([7, 3, 1])
    expect(await holds({}, admin)).toEqual([7, 5, 4, 3, 2, 1])
    expect(await holds({ mine: true }, { ...admin, queueIds: [20] })).toEqual([4])
    expect(await holds({ statuses: ['pending'] })).toEqual([3])
    expect(await holds({ statuses: ['open'], tagIds: [5] }, admin)).toEqual([2, 1])
    expect(await holds({ queueIds: [20, 0] }, admin)).toEqual([7, 5, 4])
  })

  test('is counted as it is listed', async () => {
    const filters = [{}, { mine: true }, { statuses: ['pending' as const] }, { tagIds: [5] }, { queueIds: [20, 0] }]
    for (const who of [agent, admin, { ...agent, allTicket: true }]) {
      const [counted] = await run(viewCounts(filters.map(view), who))
      const listed = await Promise.all(filters.map(async (filter) => (await holds(filter, who)).length))
      expect(counted!.counts).toEqual(listed)
    }
  })

  test('is stored as short as it can be, and says the same again', () => {
    const both = normalView({ statuses: ['open', 'pending'], mine: false, tagIds: [6, 5] })
    expect(storedFilter(both)).toEqual({ tagIds: [5, 6] })
    const kept = storedFilter(normalView({ statuses: ['open'], mine: true, unreadOnly: true }))
    expect(kept).toEqual({ statuses: ['open'], mine: true, unreadOnly: true })
    expect(storedFilter(normalView(kept as ViewFilter))).toEqual(kept)
  })
})

test('chosen tickets are read as they are, those that have left the list are not', async () => {
  const open = tabOf({ tab: 'open', showAll: true, queueIds: [] }, admin)
  expect(await ids(chosenTickets(open, [1, 2, 3, 7]))).toEqual([7, 2, 1])
  expect(await ids(chosenTickets([], [3, 6]))).toEqual([6, 3])
})

test('an agent is told of what is unread among their own tickets and in their queues', async () => {
  await db.exec('UPDATE tickets SET "unreadMessages" = 1')
  expect(await ids(notifiedTickets(agent))).toEqual([7, 3, 1])
  expect(await ids(notifiedTickets({ ...agent, allTicket: true }))).toEqual([7, 5, 3, 1])
  await db.exec('UPDATE tickets SET "unreadMessages" = 0')
  expect(await ids(notifiedTickets(agent))).toEqual([])
})

describe('searching', () => {
  const find = (text: string, more: Partial<{ tagIds: number[]; userIds: number[] }> = {}, also: number[] = []) =>
    ids(ticketSearch({ text, tagIds: [], userIds: [], ...more }, also, 40))
  test('by name without accents, by number, by ticket number, by last message', async () => {
    expect(await find('joao conceicao')).toEqual([6, 3, 1])
    expect(await find('98888-7766')).toEqual([6, 3, 1])
    expect(await find('#4')).toEqual([4])
    expect(await find('ate ja')).toEqual([2])
    expect(await find('JOÃO CONCEIÇÃO')).toEqual([6, 3, 1])
  })
  test('signs that SQL knows are plain characters', async () => {
    expect(await find('100%')).toEqual([7, 5, 4, 2])
    expect(await find('%')).toEqual([7, 5, 4, 2])
    expect(await find("o'b\\_")).toEqual([])
    for (const text of ['.', '***:', '(?i)x', '[', 'a|b', '\\d', '$', '^', '{2}', '+', '😀'])
      expect(await find(text), text).toEqual([])
  })
  test('what is written with other letters and signs of print is found by what people type, and by itself', async () => {
    const found = async (says: string, typed: string) => {
      const sql = `SELECT ${saysSql('$1::text', '$2')} AS found`
      return (await db.query<{ found: boolean }>(sql, [says, wordPattern(typed)])).rows[0]!.found
    }
    for (const [says, typed] of [
      ...[
        ['COPO D’ÁGUA', "d'agua"],
        ["copo d'água", 'd’água'],
        ['Straße', 'straße'],
        ['Strasse', 'straße'],
        ['ŁÓDŹ', 'lodz'],
      ],
      ...[
        ['10–12h', '10-12h'],
        ['10-12h', '10–12'],
        ['Ærø', 'ærø'],
        ['Nguyễn Thị', 'nguyễn thị'],
        ['sim…', 'sim…'],
        ['sim...', 'sim…'],
      ],
      ...[
        ['São', 'Sa\u0303o'],
        ['Привет', 'привет'.slice(1)],
        ['a[b]^c', '[b]^'],
        ['\\d-e', '\\d-'],
      ],
    ] as const)
      expect([says, typed, await found(says, typed)]).toEqual([says, typed, true])
    for (const [says, typed] of [
      ['10x12', '10-12'],
      ['sims', 'sim.'],
      ['dxagua', "d'agua"],
    ] as const)
      expect([says, typed, await found(says, typed)]).toEqual([says, typed, false])
  })
  test('all tags, any of the users', async () => {
    expect(await find('', { tagIds: [5] })).toEqual([2, 1])
    expect(await find('', { tagIds: [5, 6] })).toEqual([1])
    expect(await find('', { userIds: [1] })).toEqual([7, 6, 1])
  })
  test('by what a message says, but not a deleted one', async () => {
    const search = new MessageSearch(async () => new Statements(db))
    const found = (await search.find('BOLETO')).map(({ ticketId }) => ticketId)
    expect(found).toEqual([2])
    expect(await find('boleto', {}, found)).toEqual([2])
  })
  test('an empty search finds nothing', async () => {
    expect(await find('')).toEqual([])
  })
})

test('one ticket by uuid, and all of a contact', async () => {
  const [ticket] = await run(ticketsOfContact(1))
  expect(await ids(ticketByUuid(ticket!.uuid))).toEqual([6])
  expect(await ids(ticketsOfContact(1))).toEqual([6, 3, 1])
})
test('rows of the replica and tickets of the API become the same', () => {
  const at = '2026-01-01T10:00:00.000Z'
  const wire = readWireTicket({
    id: 1,
    uuid: 'u',
    status: 'open',
    contact: { name: 'João', number: '55', profilePicUrl: '/public/1/contacts/a.jpg' },
    tags: [{ id: 5 }],
    updatedAt: at,
  })
  expect(wire).toEqual(
    readTicket({
      id: 1,
      uuid: 'u',
      status: 'open',
      contactName: 'João',
      contactNumber: '55',
      contactPicture: '1/contacts/a.jpg',
      tagIds: [5],
      updatedAt: new Date(at),
    }),
  )
})
test('of a ticket that both have, the replica is believed', () => {
  const row = (id: number, updatedAt: number, lastMessage: string) =>
    readTicket({ id, uuid: String(id), updatedAt, lastMessage })
  const merged = mergeTickets([row(2, 20, 'local')], [row(1, 10, ''), row(2, 20, 'server'), row(3, 30, '')])
  expect(merged.map((ticket) => [ticket.id, ticket.lastMessage])).toEqual([
    [3, ''],
    [2, 'local'],
    [1, ''],
  ])
})

describe('what may be done', () => {
  const ticket = (more: Partial<TicketRow>): TicketRow => ({
    ...readTicket({ id: 1, uuid: 'u', queueId: 10, whatsappId: 1 }),
    ...more,
  })
  const can = (more: Partial<TicketRow>, who = agent) => [...actionsFor(ticket(more), who)].sort()
  test('a waiting ticket is accepted first', () => {
    expect(can({ status: 'pending' })).toEqual(['accept', 'merge', 'resolve', 'snooze', 'transfer'])
    expect(opensOnClick({ status: 'pending' })).toBe(false)
  })
  test("one's own open ticket is returned, resolved or transferred; a colleague's is left alone", () => {
    const all: TicketAction[] = ['merge', 'resolve', 'return', 'snooze', 'transfer']
    expect(can({ status: 'open', userId: 1 })).toEqual(all)
    expect(can({ status: 'open', userId: 2 })).toEqual([])
    expect(can({ status: 'open', userId: 2 }, admin)).toEqual(all)
  })
  test('what lies aside is taken up again, too', () => {
    const aside = { status: 'open', userId: 1, snoozedUntil: 1 } as const
    expect(can(aside)).toEqual(['merge', 'resolve', 'return', 'snooze', 'transfer', 'wake'])
  })
  test('a resolved one is reopened by its agent or an admin', () => {
    expect(can({ status: 'closed', userId: 1 })).toEqual(['merge', 'reopen'])
    expect(can({ status: 'closed', userId: 2 })).toEqual(['merge'])
    expect(can({ status: 'closed', userId: 2 }, admin)).toEqual(['merge', 'reopen'])
  })
  test('one that went into another is opened by nobody', () => {
    expect(can({ status: 'closed', userId: 1, mergedIntoId: 2 })).toEqual([])
  })
  test('only an open ticket with a connection can be written to', () => {
    const me = { userId: 1, profile: 'user' as const }
    expect(writingState(ticket({ status: 'open', userId: 1 }), me)).toBe('open')
    expect(writingState(ticket({ status: 'open', userId: 1, whatsappId: null }), me)).toBe('no-connection')
    expect(writingState(ticket({ status: 'closed', userId: 1 }), me)).toBe('closed')
  })
  test('a colleague of the queue reads along; whoever sees all may write', () => {
    const theirs = ticket({ status: 'open', userId: 2 })
    expect(writingState(theirs, { userId: 1, profile: 'user' })).toBe('colleague')
    expect(writingState(theirs, { userId: 1, profile: 'admin' })).toBe('open')
  })
})
test('only uuids are asked for', () => {
  expect(isUuid('018f0000-0000-7000-8000-000000000001')).toBe(true)
  expect(isUuid("x' OR 1=1")).toBe(false)
})

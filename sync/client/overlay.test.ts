import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { PGlite } from '@electric-sql/pglite'
import type { TSchema } from '@sinclair/typebox'
import { catalog } from '../../schema/catalog.ts'
import { type Command, type CommandRows, type CommandTable, type FactReader, notFound } from '../../schema/command.ts'
import { DomainError } from '../../schema/errors.ts'
import { applyBatch, type Batch } from './applier.ts'
import { Changes } from './changes.ts'
import { Overlay, type Waiting } from './overlay.ts'
import { agent, memoryReplica } from './replica.fixture.ts'
import { toText } from './rows.ts'
import { list, localTables } from './tables.ts'

let db: PGlite
beforeAll(async () => {
  db = await memoryReplica()
})
afterAll(() => db.close())

type Row = Record<string, unknown>
type World = Map<CommandTable, Map<string, Row>>
const worldTables = [
  'tickets',
  'messages',
  'ticketNotes',
  'ticketEvents',
  'queues',
  'users',
  'whatsapps',
  'tags',
  'contacts',
] as const
const emptyWorld = (): World => new Map(worldTables.map((table) => [table, new Map()]))
const copyOf = (world: World): World =>
  new Map([...world].map(([table, rows]) => [table, new Map([...rows].map(([key, row]) => [key, { ...row }]))]))

/** What the server's database would be told by the same commands: facts from plain objects, rows into plain objects. */
async function done(world: World, waiting: readonly Waiting[]): Promise<World> {
  const result = copyOf(world)
  const table = (name: CommandTable) => result.get(name)!
  const get = async <T extends CommandTable>(name: T, id: string | number) =>
    table(name).get(String(id)) as CommandRows[T] | undefined
  const read: FactReader = {
    get,
    need: async (name, id) => {
      const row = await get(name, id)
      if (!row) throw new DomainError(notFound[name])
      return row
    },
    unreadMessages: async (ticketId) =>
      [...table('messages').values()]
        .filter((m) => m['ticketId'] === ticketId && !m['read'] && !m['fromMe'])
        .sort((a, b) => Number(a['createdAt']) - Number(b['createdAt']))
        .map((m) => String(m['id'])),
    lastMessage: async (ticketId) =>
      [...table('messages').values()]
        .filter((m) => m['ticketId'] === ticketId)
        .map((m) => ({ id: String(m['id']), at: Number(m['createdAt']) }))
        .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
        .at(-1)?.id,
  }
  for (const { id, name, input, createdAt } of waiting) {
    const command = catalog[name] as unknown as Command<TSchema, unknown>
    try {
      const facts = await command.facts(input as never, read, agent)
      for (const change of command.decide(input as never, facts, {
        who: agent,
        now: new Date(createdAt),
        commandId: id,
      }).rows) {
        const rows = table(change.table)
        if (change.op === 'insert') rows.set(String(change.values.id), { ...change.values })
        else
          for (const rowId of change.ids) {
            if (change.op === 'delete') rows.delete(String(rowId))
            else if (rows.has(String(rowId))) Object.assign(rows.get(String(rowId))!, change.values)
          }
      }
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
    }
  }
  return result
}

/** A generator of chance that a failure can be repeated with. */
function chance(seed: number): (n: number) => number {
  let state = seed
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

const textRow = (name: CommandTable, row: Row) =>
  Object.fromEntries(
    localTables[name].columns.filter((c) => c.name in row).map((c) => [c.name, toText(row[c.name], c.type)]),
  )

async function shown(): Promise<Record<string, Row[]>> {
  const result: Record<string, Row[]> = {}
  for (const name of worldTables) {
    const { rows } = await db.query<Row>(
      `SELECT ${list(localTables[name].columns)} FROM "${localTables[name].name}" ORDER BY "id"::text`,
    )
    result[name] = rows
  }
  return result
}

function expected(world: World): Record<string, Row[]> {
  return Object.fromEntries(
    worldTables.map((name) => [
      name,
      [...world.get(name)!.entries()]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, row]) => Object.fromEntries(localTables[name].columns.map((c) => [c.name, row[c.name] ?? null]))),
    ]),
  )
}

const ticketColumns = Object.fromEntries(localTables.tickets.columns.map((c) => [c.name, null]))
const messageColumns = Object.fromEntries(localTables.messages.columns.map((c) => [c.name, null]))

test.each([1, 2, 3, 4, 5, 6])(
  'whatever the server sends between whatever the user does, the screen shows the server’s rows with the waiting commands done on them (seed %p)',
  async (seed) => {
    const random = chance(seed * 7919)
    const pick = <T>(from: readonly T[]): T => from[random(from.length)]!
    const overlay = new Overlay(agent)
    const world = emptyWorld()
    let waiting: Waiting[] = []
    let n = 0
    const start = Date.UTC(2026, 0, 1)
    const newTicket = (id: number): Row => ({
      ...ticketColumns,
      id,
      uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
      companyId: 1,
      status: pick(['pending', 'open', 'closed'] as const),
      contactId: id,
      whatsappId: 1,
      queueId: pick([1, 1, 2, null]),
      userId: pick([7, 7, 8, null]),
      lastMessage: '',
      lastMessageAt: new Date(start),
      lastMessageFromMe: false,
      unreadMessages: 0,
      isGroup: false,
      chatbot: false,
      useIntegration: false,
      tagIds: [],
      createdAt: new Date(start),
      updatedAt: new Date(start),
    })
    const newMessage = (): Row => ({
      ...messageColumns,
      id: `m-${++n}`,
      companyId: 1,
      ticketId: 1 + random(4),
      contactId: 1 + random(4),
      whatsappId: 1,
      fromMe: random(2) === 0,
      body: `it's "${n}" \\N {},\n`,
      mediaType: 'chat',
      mediaState: 'none',
      isVoice: false,
      read: random(2) === 0,
      ack: random(4),
      isDeleted: false,
      isEdited: false,
      earlierBodies: [],
      reactions: [],
      createdAt: new Date(start + n * 1000),
      updatedAt: new Date(start + n * 1000),
    })
    const uuid = () => `00000000-0000-7000-8000-${String(++n).padStart(12, '0')}`

    /** A transaction of the server as a shape would deliver it. */
    const serverDoes = async () => {
      const name = pick(['tickets', 'messages', 'messages', 'ticketNotes'] as const)
      const rows = world.get(name)!
      const batch: Batch = {
        shape: name,
        whole: random(12) === 0,
        upserts: [],
        patches: [],
        deletes: [],
        txids: new Set(),
        snapshot: null,
        handle: 'h',
        offset: '1_0',
      }
      const keys = [...rows.keys()]
      const what = random(3)
      if (what === 0 || keys.length === 0) {
        const row =
          name === 'tickets'
            ? newTicket(1 + random(4))
            : name === 'messages'
              ? newMessage()
              : note(uuid(), 1 + random(4))
        rows.set(String(row['id']), row)
        batch.upserts.push(textRow(name, row))
      } else if (what === 1) {
        const key = pick(keys)
        const patch: Row =
          name === 'tickets'
            ? { status: pick(['pending', 'open', 'closed']), userId: pick([7, 8, null]) }
            : name === 'messages'
              ? pick<Row>([{ read: true }, { ack: random(5) }, { body: 'edited', isEdited: true }])
              : { note: 'changed' }
        Object.assign(rows.get(key)!, patch)
        batch.patches.push(textRow(name, { id: rows.get(key)!['id'], ...patch }))
      } else {
        const key = pick(keys)
        batch.deletes.push(textRow(name, { id: rows.get(key)!['id'] }))
        rows.delete(key)
      }
      if (batch.whole)
        Object.assign(batch, { upserts: [...rows.values()].map((row) => textRow(name, row)), patches: [], deletes: [] })
      const redo = overlay.concernedBy(batch)
      await db.transaction(async (tx) => {
        const changes = new Changes((table) => (table === 'messages' ? ['ticketId'] : []))
        if (redo) await overlay.undo(tx, changes)
        await applyBatch(tx, batch, changes)
        if (redo) await overlay.redo(tx, waiting, changes)
      })
    }
    const note = (id: string, ticketId: number): Row => ({
      id,
      companyId: 1,
      ticketId,
      contactId: ticketId,
      userId: 7,
      note: 'a note',
      queueScope: null,
      userScope: null,
      createdAt: new Date(start),
    })

    const userDoes = async () => {
      const ticketId = 1 + random(4)
      const messageId = pick([
        ...world.get('messages')!.keys(),
        ...waiting.flatMap((w) => (w.name === 'messages.send' ? [(w.input as { id: string }).id] : [])),
        'm-none',
      ])
      const noteId = pick([...world.get('ticketNotes')!.keys(), uuid()])
      const [name, input] = pick([
        ['tickets.accept', { ticketId }],
        ['tickets.return', { ticketId }],
        ['tickets.resolve', { ticketId }],
        ['tickets.reopen', { ticketId }],
        ['tickets.transfer', { ticketId, queueId: 1, userId: pick([null, 8]) }],
        ['tickets.read', { ticketId }],
        ['tickets.setTags', { ticketId, tagIds: [1] }],
        ['messages.send', { id: uuid(), ticketId, body: 'hello' }],
        ['messages.send', { id: uuid(), ticketId, body: 'again', quotedMsgId: messageId }],
        ['messages.edit', { messageId, body: 'better' }],
        ['messages.delete', { messageId }],
        ['messages.react', { messageId, emoji: pick(['👍', '']) }],
        ['messages.retry', { messageId }],
        ['notes.create', { id: uuid(), ticketId, note: 'noted' }],
        ['notes.delete', { id: noteId }],
      ] as const)
      const command: Waiting = { id: uuid(), name, input, createdAt: start + 60_000 + n, accepted: false }
      waiting = [...waiting, command]
      await db.transaction((tx) => overlay.add(tx, command, new Changes(() => [])))
    }

    /** A command is refused, or done by the server, whose rows have come in the meantime. */
    const commandGoes = async () => {
      if (waiting.length === 0) return
      const gone = pick(waiting)
      waiting = waiting.filter((w) => w !== gone)
      await db.transaction(async (tx) => {
        const changes = new Changes(() => [])
        await overlay.undo(tx, changes)
        await overlay.redo(tx, waiting, changes)
      })
    }

    await db.transaction(async (tx) => {
      for (const name of worldTables)
        await tx.exec(`DELETE FROM "${localTables[name].name}"; DELETE FROM base."${localTables[name].name}"`)
    })
    for (const [name, row] of [
      ['queues', { id: 1, companyId: 1, name: 'Sales', color: '#fff', orderQueue: null, schedules: [] }],
      ['users', { id: 8, companyId: 1, name: 'Bia', profile: 'user', online: true, whatsappId: null }],
      [
        'tags',
        {
          id: 1,
          companyId: 1,
          name: 'VIP',
          color: '#000',
          kanban: 0,
          createdAt: new Date(start),
          updatedAt: new Date(start),
        },
      ],
    ] as const) {
      world.get(name)!.set(String(row.id), { ...row, ...(name === 'users' ? { queueIds: [] } : {}) })
      const batch: Batch = {
        shape: name,
        whole: true,
        upserts: [textRow(name, row)],
        patches: [],
        deletes: [],
        txids: new Set(),
        snapshot: null,
        handle: 'h',
        offset: '0_0',
      }
      await db.transaction((tx) => applyBatch(tx, batch, new Changes(() => [])))
    }
    for (let step = 0; step < 60; step++) {
      await pick([serverDoes, serverDoes, userDoes, userDoes, commandGoes])()
      expect(await shown()).toEqual(expected(await done(world, waiting)))
    }
    waiting = []
    await db.transaction(async (tx) => {
      const changes = new Changes(() => [])
      await overlay.undo(tx, changes)
      await overlay.redo(tx, waiting, changes)
    })
    expect(await shown()).toEqual(expected(world))
  },
  60_000,
)

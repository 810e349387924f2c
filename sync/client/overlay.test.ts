import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { PGlite, Transaction } from '@electric-sql/pglite'
import type { TSchema } from '@sinclair/typebox'
import { catalog } from '../../schema/catalog.ts'
import type { Command, CommandRows, CommandTable, FactReader } from '../../schema/command.ts'
import { notFound } from '../../schema/nouns.ts'
import { DomainError } from '../../schema/errors.ts'
import { applyBatch, type Batch } from './applier.ts'
import { Changes } from './changes.ts'
import { Overlay, type Waiting } from './overlay.ts'
import { agent, memoryReplica } from './replica.fixture.ts'
import { toText } from './rows.ts'
import { list, localTables } from './tables.ts'

let db: PGlite
/** A second one, in which everything is decided anew at each step. */
let other: PGlite
beforeAll(async () => {
  ;[db, other] = [await memoryReplica(), await memoryReplica()]
})
afterAll(() => Promise.all([db.close(), other.close()]))

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
      if (!row) throw new DomainError(notFound(name))
      return row
    },
    customFields: async () => [],
    company: async () => ({ name: 'Padaria', timeZone: 'America/Sao_Paulo', language: 'pt' }),
    ahead: async () => undefined,
    provider: async (id) => (await get('whatsapps', id))?.provider,
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

async function shown(db: PGlite): Promise<Record<string, Row[]>> {
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

const start = Date.UTC(2026, 0, 1)
/** A ticket as the server has it, of a contact of its own. */
const ticketRow = (id: number, values: Row): Row => ({
  ...ticketColumns,
  id,
  uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  companyId: 1,
  contactId: id,
  whatsappId: 1,
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
  ...values,
})

/** A replica that is played with. */
interface Played {
  db: PGlite
  overlay: Overlay
  /** Whether all waiting commands are decided again whenever anything happens. */
  anew: boolean
}

/**
 * Steps of chance: what the server sends between what the user does.
 * @param accepts whether the server also accepts commands, whose rows then come table by table
 */
async function play(
  seed: number,
  replicas: readonly Played[],
  { accepts = false, steps = 60 }: { accepts?: boolean; steps?: number },
  check: (world: World, waiting: readonly Waiting[]) => Promise<void>,
): Promise<void> {
  const random = chance(seed * 7919)
  const pick = <T>(from: readonly T[]): T => from[random(from.length)]!
  const world = emptyWorld()
  let waiting: Waiting[] = []
  let n = 0
  const newTicket = (id: number): Row =>
    ticketRow(id, {
      status: pick(['pending', 'open', 'closed'] as const),
      queueId: pick([1, 1, 2, null]),
      userId: pick([7, 7, 8, null]),
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
    const batch: Batch = { ...emptyBatch(name), whole: random(12) === 0 }
    const keys = [...rows.keys()]
    const what = random(3)
    if (what === 0 || keys.length === 0) {
      const row =
        name === 'tickets' ? newTicket(1 + random(4)) : name === 'messages' ? newMessage() : note(uuid(), 1 + random(4))
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
    await arrive(batch)
  }

  /** Each replica in a transaction of its own. */
  const inEach = (work: (tx: Transaction, played: Played, changes: Changes) => Promise<void>) =>
    Promise.all(
      replicas.map((played) =>
        played.db.transaction(async (tx) => {
          const changes = new Changes((table) => (table === 'messages' ? ['ticketId'] : []))
          if (played.anew) await played.overlay.undo(tx, changes)
          await work(tx, played, changes)
          if (played.anew) await played.overlay.refresh(tx, waiting, changes)
        }),
      ),
    )

  const arrive = (batch: Batch, from?: { id: string; tables: CommandTable[] }) =>
    inEach(async (tx, { overlay }, changes) => {
      if (from) for (const table of from.tables) overlay.arrived(from.id, table)
      await overlay.apply(tx, batch, changes)
      if (overlay.stale) await overlay.refresh(tx, waiting, changes)
    })

  /** Commands that the server has done, and the rows of theirs that have not come. */
  const onTheirWay: { id: string; batches: Batch[]; came: CommandTable[] }[] = []
  const isDone = ({ id }: Waiting) => onTheirWay.some((done) => done.id === id)
  const becomes = (command: Waiting, what: Partial<Waiting>) => {
    waiting = waiting.map((w) => (w.id === command.id ? { ...w, ...what } : w))
  }

  /** The server may hear of it, or not. */
  const commandLeaves = async () => {
    const command = waiting.find((w) => !w.sent)
    if (command) becomes(command, { sent: true })
  }

  const serverDoesCommand = async () => {
    const command = waiting.find((w) => w.sent && !isDone(w))
    // What the server does is what was seen here only where nothing was refused and nothing came in between.
    if (!command) return
    const after = await done(world, [command])
    const batches: Batch[] = []
    for (const name of worldTables) {
      const [was, is] = [world.get(name)!, after.get(name)!]
      const changed = [...is].filter(([key, row]) => !Bun.deepEquals(was.get(key), row)).map(([, row]) => row)
      const deletes = [...was].filter(([key]) => !is.has(key)).map(([, row]) => textRow(name, { id: row['id'] }))
      if (changed.length + deletes.length === 0) continue
      batches.push({ ...emptyBatch(name), upserts: changed.map((row) => textRow(name, row)), deletes })
      world.set(name, is)
    }
    onTheirWay.push({ id: command.id, batches, came: [] })
  }

  /** The server's answer, which may be behind its rows. */
  const answerComes = async () => {
    const command = waiting.find((w) => isDone(w) && !w.accepted)
    if (!command) return
    becomes(command, { accepted: true })
    const { came } = onTheirWay.find(({ id }) => id === command.id)!
    await inEach(async (tx, { overlay }, changes) => {
      for (const table of came) overlay.arrived(command.id, table)
      if (overlay.stale) await overlay.refresh(tx, waiting, changes)
    })
  }

  /** The next rows of the first command that has any to come; with the last ones and the answer it is over. */
  const rowsCome = async () => {
    const first = onTheirWay[0]
    if (!first) return
    const isAccepted = waiting.some((w) => w.id === first.id && w.accepted)
    const batch = first.batches.splice(random(first.batches.length), 1)[0]
    if (batch) {
      const table = batch.shape as CommandTable
      first.came.push(table)
      await arrive(batch, isAccepted ? { id: first.id, tables: [table] } : undefined)
    }
    if (first.batches.length > 0 || !isAccepted) return
    onTheirWay.shift()
    // What it changed here and not there never comes.
    waiting = waiting.filter((w) => w.id !== first.id)
    await inEach((tx, { overlay }, changes) => overlay.refresh(tx, waiting, changes))
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

  const bulkActions = [
    ...(['accept', 'return', 'resolve', 'read'] as const).map((type) => ({ type })),
    { type: 'transfer', queueId: 1, userId: 8 },
    { type: 'tag', add: [1], remove: [] },
    { type: 'snooze', until: null },
  ]
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
      ['tickets.bulk', { ids: [1, 2, 3, 4].filter((one) => one !== ticketId), action: pick(bulkActions) }],
      ['messages.send', { id: uuid(), ticketId, body: 'hello' }],
      ['messages.send', { id: uuid(), ticketId, body: 'again', quotedMsgId: messageId }],
      ['messages.edit', { messageId, body: 'better' }],
      ['messages.delete', { messageId }],
      ['messages.react', { messageId, emoji: pick(['👍', '']) }],
      ['messages.retry', { messageId }],
      ['notes.create', { id: uuid(), ticketId, note: 'noted' }],
      ['notes.delete', { id: noteId }],
    ] as const)
    const command: Waiting = { id: uuid(), name, input, createdAt: start + 60_000 + n, sent: false, accepted: false }
    waiting = [...waiting, command]
    await inEach((tx, { overlay, anew }, changes) => (anew ? Promise.resolve() : overlay.add(tx, command, changes)))
  }

  /** A command is refused, or done by the server, whose rows have come in the meantime. */
  const commandGoes = async () => {
    const open = waiting.filter((w) => !isDone(w))
    if (open.length === 0) return
    const gone = pick(open)
    waiting = waiting.filter((w) => w !== gone)
    await inEach((tx, { overlay }, changes) => overlay.refresh(tx, waiting, changes))
  }

  for (const { db } of replicas)
    for (const name of worldTables)
      await db.exec(`DELETE FROM "${localTables[name].name}"; DELETE FROM base."${localTables[name].name}"`)
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
    const batch: Batch = { ...emptyBatch(name), whole: true, upserts: [textRow(name, row)] }
    for (const { db } of replicas) await db.transaction((tx) => applyBatch(tx, batch, new Changes(() => [])))
  }
  /** Rows that lie outside of what this user sees are not waited for. */
  const giveUp = async () => {
    const id = waiting.find((w) => w.accepted)?.id ?? ''
    const table = replicas[0]!.overlay.pendingTables(id)[0]
    await inEach(async (tx, { overlay }, changes) => {
      if (table) overlay.arrived(id, table)
      if (overlay.stale) await overlay.refresh(tx, waiting, changes)
    })
  }

  const moves = [serverDoes, serverDoes, userDoes, userDoes, commandGoes]
  if (accepts) moves.push(commandLeaves, serverDoesCommand, answerComes, rowsCome, rowsCome, giveUp)
  for (let step = 0; step < steps; step++) {
    await pick(moves)()
    await check(world, waiting)
  }
  waiting = []
  await inEach((tx, { overlay }, changes) => overlay.refresh(tx, waiting, changes))
  await check(world, waiting)
}

const emptyBatch = (shape: CommandTable): Batch => ({
  shape,
  whole: false,
  upserts: [],
  patches: [],
  deletes: [],
  txids: new Set(),
  snapshot: null,
  handle: 'h',
  offset: '1_0',
})

test.each([1, 2, 3, 4, 5, 6])(
  '[C5] whatever the server sends between whatever the user does, the screen shows the server’s rows with the waiting commands done on them (seed %p)',
  (seed) =>
    play(seed, [{ db, overlay: new Overlay(agent), anew: false }], {}, async (world, waiting) => {
      expect(await shown(db)).toEqual(expected(await done(world, waiting)))
    }),
  60_000,
)

test.each([11, 12, 13, 14, 15, 16])(
  '[C8] deciding again only what the arriving rows touch shows the same rows as deciding everything anew, also while the rows of sent commands come table by table, before or after the answer (seed %p)',
  (seed) =>
    play(
      seed,
      [
        { db, overlay: new Overlay(agent), anew: false },
        { db: other, overlay: new Overlay(agent), anew: true },
      ],
      { accepts: true, steps: 80 },
      async () => {
        expect(await shown(db)).toEqual(await shown(other))
      },
    ),
  60_000,
)

test('[C6] what was done and taken back at once is shown as taken back, whichever of rows and answers comes first', async () => {
  const tables = ['tickets', 'ticketEvents'] as const
  /** Every order in which the rows of the two and the answers can come, those of one table in the order of the commands. */
  const steps = [
    'resolve:answer',
    'undo:answer',
    ...['resolve', 'undo'].flatMap((done) => tables.map((table) => `${done}:${table}`)),
  ]
  const orders = (left: readonly string[], said: readonly string[] = []): string[][] =>
    left.length === 0
      ? [[...said]]
      : left.flatMap((step) => {
          const [done, what] = step.split(':') as [string, string]
          // The second leaves with the answer to the first; rows of one table come in order.
          const before = done === 'resolve' ? [] : ['resolve:answer', `resolve:${what}`]
          if (before.some((one) => left.includes(one))) return []
          return orders(
            left.filter((one) => one !== step),
            [...said, step],
          )
        })
  const ticket = ticketRow(1, { status: 'open', queueId: 1, userId: 7 })
  for (const order of orders(steps)) {
    for (const name of worldTables)
      await db.exec(`DELETE FROM "${localTables[name].name}"; DELETE FROM base."${localTables[name].name}"`)
    const first: World = emptyWorld()
    first.get('tickets')!.set('1', { ...ticket })
    const overlay = new Overlay(agent)
    const resolve: Waiting = {
      id: 'resolve',
      name: 'tickets.resolve',
      input: { ticketId: 1, undoable: true },
      createdAt: start + 1000,
      sent: true,
      accepted: false,
    }
    const undo: Waiting = {
      id: 'undo',
      name: 'tickets.undo',
      input: { ticketId: 1, commandId: 'resolve' },
      createdAt: start + 2000,
      sent: false,
      accepted: false,
    }
    // The server does them later than the browser, and by another clock.
    const atServer = (command: Waiting) => ({ ...command, createdAt: command.createdAt + 50 })
    const resolved = await done(first, [atServer(resolve)])
    const worlds = { resolve: resolved, undo: await done(resolved, [atServer(undo)]) }
    let waiting = [resolve, undo]
    const inOne = (work: (tx: Transaction, changes: Changes) => Promise<void>) =>
      db.transaction((tx) => work(tx, new Changes(() => [])))
    await inOne((tx, changes) =>
      applyBatch(tx, { ...emptyBatch('tickets'), upserts: [textRow('tickets', ticket)] }, changes),
    )
    for (const command of waiting) await inOne((tx, changes) => overlay.add(tx, command, changes))
    const came = { resolve: new Set<string>(), undo: new Set<string>() }
    for (const step of order) {
      const [who, what] = step.split(':') as ['resolve' | 'undo', 'answer' | 'tickets' | 'ticketEvents']
      const set = (id: string, to: Partial<Waiting>) => {
        waiting = waiting.map((w) => (w.id === id ? { ...w, ...to } : w))
      }
      if (what === 'answer') {
        set(who, { accepted: true })
        if (who === 'resolve') set('undo', { sent: true })
      } else came[who].add(what)
      await inOne(async (tx, changes) => {
        const isAccepted = waiting.find((w) => w.id === who)?.accepted
        if (isAccepted) for (const table of came[who]) overlay.arrived(who, table as CommandTable)
        if (what !== 'answer') {
          const rows = [...worlds[who].get(what)!.values()].filter(
            (row) => what === 'tickets' || String(row['id']).startsWith(`${who}:`),
          )
          await overlay.apply(
            tx,
            {
              ...emptyBatch(what),
              upserts: rows.map((row) => textRow(what, row)),
            },
            changes,
          )
        }
        if (overlay.stale) await overlay.refresh(tx, waiting, changes)
      })
      const finished = waiting.filter(
        ({ id, accepted }) => accepted && tables.every((table) => came[id as 'undo'].has(table)),
      )
      waiting = waiting.filter((w) => !finished.includes(w))
      if (finished.length > 0) await inOne((tx, changes) => overlay.refresh(tx, waiting, changes))
      const seen = await shown(db)
      expect([
        order.join(' '),
        step,
        // It stands where it stood in the list.
        seen['tickets']!.map(({ status, updatedAt }) => [status, updatedAt]),
        seen['ticketEvents']!.length,
      ]).toEqual([order.join(' '), step, [['open', ticket['updatedAt']]], 2])
    }
  }
}, 60_000)

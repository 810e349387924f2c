import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import type { CommandName } from '../../schema/catalog.ts'
import { chats, chatUserId, chatUsers } from '../../schema/chats/chats.table.ts'
import { macros } from '../../schema/macros/macros.table.ts'
import { customFields } from '../../schema/custom-fields/custom-fields.table.ts'
import { flows } from '../../schema/flows/flows.table.ts'
import { newId } from '../../schema/ids.ts'
import { mentions } from '../../schema/mentions/mentions.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { tickets } from '../../schema/tickets/tickets.table.ts'
import { templates } from '../../schema/templates/templates.table.ts'
import { userQueues } from '../../schema/users/users.table.ts'
import { Engine, type EngineDeps } from '../../sync/client/engine.ts'
import { memoryStorage, type OutboxStorage } from '../../sync/client/outbox.dexie.ts'
import type { Entry } from '../../sync/client/outbox.state.ts'
import { eventually, memoryReplica } from '../../sync/client/replica.fixture.ts'
import type { LiveQuery } from '../../sync/client/replica.types.ts'
import { examples } from '../example-data.ts'
import { startSyncServer, type SyncServer } from '../support/sync-server.ts'

/**
 * The replica against everything it talks to, real: Postgres, shape server, gate, websocket, command runner. Only the
 * browser around it is missing; `tests/e2e` has that.
 */
let server: SyncServer
let eg: ReturnType<typeof examples>
const opened: Engine[] = []

beforeAll(async () => {
  server = await startSyncServer()
  eg = examples(server.db)
}, 60_000)
afterAll(async () => {
  for (const engine of opened) await engine.close()
  await server.stop()
})

async function company() {
  const { id } = await eg.company()
  const queue = await eg.queue(id)
  const other = await eg.queue(id)
  const whatsapp = await eg.whatsapp(id)
  const ana = await eg.user(id, { queueIds: [queue.id] })
  const bia = await eg.user(id, { queueIds: [queue.id] })
  const ticketOf = async (values: Partial<typeof tickets.$inferInsert> = {}) => {
    const contact = await eg.contact(id)
    return eg.ticket(id, {
      contactId: contact.id,
      whatsappId: whatsapp.id,
      queueId: queue.id,
      status: 'open',
      userId: ana.id,
      ...values,
    })
  }
  return { id, queue, other, whatsapp, ana: ana.who, bia: bia.who, ticketOf }
}

interface Opened {
  engine: Engine
  /** Does a command as a tab does. */
  mutate(name: CommandName, input: unknown, file?: Blob): Promise<Entry>
  rows<Row = Record<string, unknown>>(sql: string, ...params: unknown[]): Promise<Row[]>
  watch<Row = Record<string, unknown>>(query: LiveQuery): Row[][]
}

async function open(
  who: Principal,
  { storage = memoryStorage(), ...more }: { storage?: OutboxStorage } & Partial<EngineDeps> = {},
): Promise<Opened> {
  const engine = new Engine({
    who,
    baseUrl: server.url,
    token: async () => String(who.userId),
    storage,
    openDatabase: memoryReplica,
    fetch: (input, init) => fetch(input, init),
    WebSocket,
    hasNetwork: () => true,
    statusChanged: () => undefined,
    outboxChanged: () => undefined,
    ...more,
  })
  opened.push(engine)
  await engine.start()
  let seq = Date.now()
  return {
    engine,
    rows: async <Row>(sql: string, ...params: unknown[]) => (await engine.query(sql, params)) as Row[],
    mutate: async (name, input, file) => {
      const ticketId = (input as { ticketId?: number }).ticketId ?? null
      const entry: Entry = {
        id: newId(),
        name,
        input,
        state: 'queued',
        createdAt: Date.now(),
        attempts: 0,
        error: null,
        ticketId,
        file: file ? { name: 'photo.png', mimetype: file.type, size: file.size } : null,
        seq: seq++,
        txid: null,
        tables: null,
        sentAt: null,
        notBefore: 0,
      }
      const judged = engine.mutate(entry)
      await storage.add(entry, file ?? null)
      await engine.stored(entry.id)
      await judged
      return entry
    },
    watch: <Row>(query: LiveQuery) => {
      const answers: Row[][] = []
      engine.subscribe(query, {
        visible: () => true,
        rows: (rows, whole) => {
          const before = whole ? [] : (answers.at(-1) ?? [])
          answers.push(rows.map((row) => (typeof row === 'number' ? before[row]! : (row.row as Row))))
        },
        error: (error) => {
          throw error
        },
      })
      return answers
    },
  }
}

const live = (opened: Opened) =>
  eventually(
    () => opened.engine.status().state,
    (state) => state === 'live',
  )
const send = (ticketId: number, body: string) => ({ id: newId(), ticketId, body })

test('an agent gets the tickets and messages of their queue and their own, and never another queue’s', async () => {
  const { id, ana, bia, other, ticketOf } = await company()
  const mine = await ticketOf()
  const foreign = await ticketOf({ queueId: other.id, userId: null, status: 'pending' })
  const given = await ticketOf({ queueId: other.id, userId: ana.userId })
  for (const ticket of [mine, foreign, given])
    await eg.message(id, { ticketId: ticket.id, contactId: ticket.contactId })
  const strangers = await company()
  await strangers.ticketOf()

  const replica = await open(ana)
  await live(replica)
  expect(await replica.rows('SELECT "id" FROM tickets ORDER BY 1')).toEqual([{ id: mine.id }, { id: given.id }])
  expect(await replica.rows('SELECT "ticketId" FROM messages ORDER BY 1')).toEqual([
    { ticketId: mine.id },
    { ticketId: given.id },
  ])
  expect(await replica.rows('SELECT "id" FROM users ORDER BY 1')).toEqual([{ id: ana.userId }, { id: bia.userId }])
}, 60_000)

test('a message that arrives reaches the conversation it belongs to, and runs no other', async () => {
  const { id, ana, ticketOf } = await company()
  const [one, two] = [await ticketOf(), await ticketOf()]
  const replica = await open(ana)
  await live(replica)
  const conversation = (ticketId: number): LiveQuery => ({
    sql: 'SELECT "id", "body", "createdAt" FROM messages WHERE "ticketId" = $1 ORDER BY "createdAt" DESC LIMIT 50',
    params: [ticketId],
    tables: [{ table: 'messages', only: { column: 'ticketId', value: ticketId } }],
  })
  const [inOne, inTwo] = [
    replica.watch<{ body: string; createdAt: Date }>(conversation(one.id)),
    replica.watch(conversation(two.id)),
  ]
  await eventually(() => inOne.length > 0 && inTwo.length > 0)

  const { id: messageId } = await eg.message(id, { ticketId: one.id, contactId: one.contactId, body: 'olá' })
  server.nudge()
  await eventually(() => inOne.at(-1)?.[0]?.body === 'olá')
  expect(inOne.at(-1)![0]!.createdAt).toBeInstanceOf(Date)
  expect(inTwo).toEqual([[]])

  // An acknowledgement names the message only; the conversation is found by the row that is here.
  await server.db.update(messages).set({ body: 'olá!' }).where(eq(messages.id, messageId))
  server.nudge()
  await eventually(() => inOne.at(-1)?.[0]?.body === 'olá!')
  expect(inTwo).toEqual([[]])
}, 60_000)

test('[C6] a message is shown before the server knows it, confirmed by its own row, and never blinks', async () => {
  const { ana, ticketOf } = await company()
  const ticket = await ticketOf()
  const replica = await open(ana)
  await live(replica)
  const seen = replica.watch<{ id: string; body: string }>({
    sql: 'SELECT "id", "body" FROM messages WHERE "ticketId" = $1',
    params: [ticket.id],
    tables: [{ table: 'messages', only: { column: 'ticketId', value: ticket.id } }],
  })
  await eventually(() => seen.length > 0)
  const input = send(ticket.id, 'bom dia')
  await replica.mutate('messages.send', input)
  await eventually(() => replica.engine.sender.entries.length === 0)
  const [stored] = await server.db.select().from(messages).where(eq(messages.id, input.id))
  const [row] = await replica.rows('SELECT * FROM messages WHERE "id" = $1', input.id)
  // What the browser decided and what the server decided is the same row, but for the clock.
  expect(row).toMatchObject({ ...stored!, createdAt: stored!.createdAt })
  expect(seen.filter((rows) => rows.length !== 1)).toEqual([[]])
  expect((await replica.rows('SELECT "lastMessage" FROM tickets WHERE "id" = $1', ticket.id))[0]).toEqual({
    lastMessage: 'bom dia',
  })
}, 60_000)

test('[C3, C4] what was written while the server was away is sent in order, once, also when its answers are lost', async () => {
  const { ana, ticketOf } = await company()
  const [one, two] = [await ticketOf(), await ticketOf()]
  const replica = await open(ana)
  await live(replica)
  server.faults.down = true
  server.cut()
  const before = server.commands.length
  const written: { ticketId: number; id: string }[] = []
  for (let i = 0; i < 6; i++) {
    const input = send(i % 2 ? one.id : two.id, `offline ${i}`)
    written.push(input)
    await replica.mutate('messages.send', input)
  }
  expect(await replica.rows('SELECT "body" FROM messages WHERE "body" LIKE \'offline%\' ORDER BY "body"')).toHaveLength(
    6,
  )
  server.faults.down = false
  server.faults.loseAnswers = true
  await eventually(() => server.commands.length >= before + 2)
  server.faults.loseAnswers = false
  replica.engine.wake()
  await eventually(() => replica.engine.sender.entries.length === 0)
  for (const ticket of [one, two]) {
    const stored = await server.db
      .select()
      .from(messages)
      .where(eq(messages.ticketId, ticket.id))
      .orderBy(messages.createdAt)
    expect(stored.map((m) => m.id)).toEqual(written.filter((m) => m.ticketId === ticket.id).map((m) => m.id))
  }
}, 60_000)

test('[C4] a browser that is closed between the answer and the rows sends nothing twice and shows everything', async () => {
  const { ana, ticketOf } = await company()
  const ticket = await ticketOf()
  const storage = memoryStorage()
  const first = await open(ana, { storage })
  await live(first)
  server.faults.loseAnswers = true
  const input = send(ticket.id, 'antes da queda')
  await first.mutate('messages.send', input)
  await eventually(() => server.commands.some((c) => (c.input as { id?: string }).id === input.id))
  await first.engine.close()
  server.faults.loseAnswers = false

  const second = await open(ana, { storage })
  await live(second)
  await eventually(() => second.engine.sender.entries.length === 0)
  expect(await second.rows('SELECT "body" FROM messages WHERE "ticketId" = $1', ticket.id)).toEqual([
    { body: 'antes da queda' },
  ])
  expect(await server.db.select().from(messages).where(eq(messages.ticketId, ticket.id))).toHaveLength(1)
}, 60_000)

test('[C9] eighty answers to three customers, whose first answers are lost and whose browser is closed in the middle, are each there once and in order', async () => {
  const { ana, ticketOf } = await company()
  const conversations = [await ticketOf(), await ticketOf(), await ticketOf()]
  const storage = memoryStorage()
  const first = await open(ana, { storage })
  await live(first)
  server.faults.down = true
  server.cut()
  const written: { ticketId: number; id: string }[] = []
  for (let i = 0; i < 80; i++) {
    const input = send(conversations[i % 3]!.id, `away ${i}`)
    written.push(input)
    await first.mutate('messages.send', input)
  }
  const before = server.commands.length
  server.faults.loseAnswers = true
  server.faults.down = false
  first.engine.wake()
  await eventually(() => server.commands.length > before + 20)
  await first.engine.close()
  server.faults.loseAnswers = false

  const requests = server.requests.length
  const second = await open(ana, { storage })
  const shown = () =>
    second.rows<{ id: string }>(`SELECT "id" FROM messages WHERE "body" LIKE 'away%' ORDER BY "createdAt", "id"`)
  await live(second)
  expect(await shown()).toHaveLength(80)
  await eventually(() => second.engine.sender.entries.length === 0)
  expect(server.requests.length - requests).toBeLessThan(6)
  for (const ticket of conversations) {
    const of = (rows: { ticketId: number | null; id: string }[]) =>
      rows.filter((row) => row.ticketId === ticket.id).map(({ id }) => id)
    const stored = await server.db
      .select()
      .from(messages)
      .where(eq(messages.ticketId, ticket.id))
      .orderBy(messages.createdAt)
    expect(of(stored)).toEqual(of(written))
  }
  expect(await shown()).toHaveLength(80)
}, 60_000)

test('[C2] what the rows that are here refuse is refused at once and leaves nothing behind', async () => {
  const { ana, bia, ticketOf } = await company()
  const taken = await ticketOf({ userId: bia.userId })
  const replica = await open(ana)
  await live(replica)
  await expect(replica.mutate('tickets.accept', { ticketId: taken.id })).rejects.toMatchObject({
    code: 'ERR_TICKET_TAKEN',
  })
  await eventually(() => replica.engine.sender.entries.length === 0)
}, 60_000)

test('[C7] what the server refuses is taken back on the screen and kept with its reason, until it is retried or discarded', async () => {
  const { ana, bia, ticketOf } = await company()
  const ticket = await ticketOf({ status: 'pending', userId: null })
  const replica = await open(ana)
  await live(replica)
  server.faults.down = true
  server.cut()
  const entry = await replica.mutate('tickets.accept', { ticketId: ticket.id })
  expect(await replica.rows('SELECT "status", "userId" FROM tickets WHERE "id" = $1', ticket.id)).toEqual([
    { status: 'open', userId: ana.userId },
  ])
  // Meanwhile a colleague was faster.
  await server.runCommand(bia, { id: newId(), name: 'tickets.accept', input: { ticketId: ticket.id } })
  server.faults.down = false
  replica.engine.wake()
  const failed = await eventually(
    () => replica.engine.sender.entries.find((e) => e.id === entry.id),
    (e) => e?.state === 'failed',
  )
  expect(failed?.error).toEqual({ code: 'ERR_TICKET_TAKEN', params: { ticketId: ticket.id } })
  await eventually(
    () => replica.rows('SELECT "status", "userId" FROM tickets WHERE "id" = $1', ticket.id),
    ([row]) => row?.['userId'] === bia.userId,
  )
  expect(replica.engine.status().failed).toBe(1)
  await replica.engine.discard(entry.id)
  expect(replica.engine.status().failed).toBe(0)
}, 60_000)

test('[C2] a command on what is too old to be here goes to the server all the same', async () => {
  const { ana, ticketOf } = await company()
  const long = new Date(Date.now() - 90 * 86_400_000)
  const old = await ticketOf({ status: 'closed', updatedAt: long, lastMessageAt: long })
  const replica = await open(ana)
  await live(replica)
  expect(await replica.rows('SELECT "id" FROM tickets')).toEqual([])
  await replica.mutate('tickets.reopen', { ticketId: old.id })
  await eventually(
    () => replica.rows('SELECT "status" FROM tickets WHERE "id" = $1', old.id),
    ([row]) => row?.['status'] === 'open',
  )
}, 60_000)

test('what the plan leaves out is taken from the browser without a reload, and given back with it', async () => {
  const { id, ana, ticketOf } = await company()
  const ticket = await ticketOf()
  const replica = await open(ana)
  await live(replica)
  const sendAt = new Date(Date.now() + 86_400_000).toISOString()
  await replica.mutate('schedules.create', { id: newId(), contactId: ticket.contactId, body: 'Lembrete', sendAt })
  await eventually(() => replica.engine.sender.entries.length === 0)
  const synced = () => replica.rows('SELECT "body" FROM schedules')
  expect(await synced()).toHaveLength(1)
  const planWith = async (useSchedules: boolean) => {
    await server.sql`UPDATE plans SET "useSchedules" = ${useSchedules} WHERE id = (SELECT "planId" FROM companies WHERE id = ${id})`
    // Ends the waits, which would otherwise end by themselves some seconds later.
    await server.sockets.dropUser(ana.userId, 'rights')
  }
  await planWith(false)
  await eventually(synced, (rows) => rows.length === 0)
  expect(await replica.rows('SELECT "id" FROM tickets')).toHaveLength(1)
  await planWith(true)
  await eventually(synced, (rows) => rows.length === 1)
}, 60_000)

test('[R3, R6] rights that change take effect without a reload, both ways', async () => {
  const { id, ana, other, ticketOf } = await company()
  const kept = await ticketOf()
  const elsewhere = await ticketOf({ queueId: other.id, userId: null })
  const replica = await open(ana)
  await live(replica)
  const seen = replica.watch<{ id: number }>({ sql: 'SELECT "id" FROM tickets ORDER BY 1', tables: ['tickets'] })
  await eventually(() => seen.at(-1)?.length === 1)

  await server.db.insert(userQueues).values({ companyId: id, userId: ana.userId, queueId: other.id })
  server.nudge()
  await server.sockets.dropUser(ana.userId, 'rights')
  await eventually(
    () =>
      seen
        .at(-1)
        ?.map((t) => t.id)
        .join() === `${kept.id},${elsewhere.id}`,
  )

  await server.db.delete(userQueues).where(eq(userQueues.queueId, other.id))
  server.nudge()
  await server.sockets.dropUser(ana.userId, 'rights')
  await eventually(
    () =>
      seen
        .at(-1)
        ?.map((t) => t.id)
        .join() === `${kept.id}`,
  )
  // The list never went empty in between: new rows replace old ones in one step.
  expect(seen.every((rows) => rows.length > 0)).toBe(true)
}, 60_000)

test('a chat and its messages are with its members, and only as long as they are', async () => {
  const { id, ana, bia } = await company()
  const caio = (await eg.user(id)).who
  const strangers = await company()
  await eg.chat(strangers.id, [strangers.ana.userId])
  const chat = await eg.chat(id, [ana.userId, bia.userId])
  await eg.chatMessage(id, { chatId: chat.id, senderId: ana.userId, message: 'segredo' })
  const [forBia, forCaio] = [await open(bia), await open(caio)]
  await live(forBia)
  await live(forCaio)
  const seen = async (replica: Opened) => ({
    chats: (await replica.rows<{ id: number }>('SELECT "id" FROM chats')).map((row) => row.id),
    said: (await replica.rows<{ message: string }>('SELECT "message" FROM chat_messages')).map((row) => row.message),
    unread: await replica.rows('SELECT "chatId", "unreads" FROM chat_users'),
  })
  const all = { chats: [chat.id], said: ['segredo'] }
  const nothing = { chats: [], said: [], unread: [] }
  expect(await seen(forBia)).toEqual({ ...all, unread: [{ chatId: chat.id, unreads: 1 }] })
  expect(await seen(forCaio)).toEqual(nothing)

  const member = (userId: number) => ({ id: chatUserId(chat.id, userId), companyId: id, chatId: chat.id, userId })
  await server.db.insert(chatUsers).values(member(caio.userId))
  await server.db.delete(chatUsers).where(and(eq(chatUsers.chatId, chat.id), eq(chatUsers.userId, bia.userId)))
  server.nudge()
  const same = (wanted: object) => (now: object) => JSON.stringify(now) === JSON.stringify(wanted)
  await eventually(() => seen(forCaio), same({ ...all, unread: [{ chatId: chat.id, unreads: 0 }] }))
  await eventually(() => seen(forBia), same(nothing))
}, 60_000)

test('[R8] what the server says of a ticket while its agent writes is what remains when the writing is taken back', async () => {
  const { ana, ticketOf } = await company()
  const [one, two] = [await ticketOf(), await ticketOf()]
  const db = await memoryReplica()
  const replica = await open(ana, { openDatabase: async () => db })
  await live(replica)
  // Rows still come over the websocket; commands wait.
  server.faults.down = true
  const slow = Promise.withResolvers<void>()
  const [sync, syncing] = [db.syncToFs.bind(db), Promise.withResolvers<void>()]
  db.syncToFs = () => (syncing.resolve(), slow.promise.then(sync))
  const written = [replica.mutate('messages.send', send(one.id, 'olá'))]
  await syncing.promise
  // While that is being written, the agent goes on, and both tickets change at the server.
  for (const { id } of [one, two]) written.push(replica.mutate('messages.send', send(id, 'já vejo')))
  await server.sql`UPDATE tickets SET "unreadMessages" = 7 WHERE id IN (${one.id}, ${two.id})`
  server.nudge()
  await Bun.sleep(500)
  slow.resolve()
  for (const { id } of await Promise.all(written)) await replica.engine.discard(id)
  server.faults.down = false
  const unread = () => replica.rows<{ unreadMessages: number }>('SELECT "unreadMessages" FROM tickets')
  await eventually(unread, (rows) => rows.every(({ unreadMessages }) => unreadMessages === 7), 5_000)
}, 60_000)

test('[F2] after a thousand changed rows, when it is quiet, the log of Postgres in the browser is brought to its end', async () => {
  const { id, ana } = await company()
  await server.sql`INSERT INTO contacts ("companyId", "name", "number")
    SELECT ${id}, 'Contact ' || n, '5500' || n FROM generate_series(1, 1100) n`
  const replica = await open(ana)
  await live(replica)
  const checkpoint = async () =>
    (await replica.rows('SELECT checkpoint_lsn::text AS at FROM pg_control_checkpoint()'))[0]
  const before = await checkpoint()
  await server.sql`UPDATE contacts SET name = 'Later ' || id WHERE "companyId" = ${id}`
  server.nudge()
  await eventually(checkpoint, (now) => now?.['at'] !== before?.['at'], 40_000)
}, 60_000)

test('[R7] a server that took the question for rows and never answers is asked again', async () => {
  const { ana, ticketOf } = await company()
  const ticket = await ticketOf()
  server.faults.silent = true
  const replica = await open(ana, { silenceMs: 500 })
  await Bun.sleep(300)
  server.faults.silent = false
  await live(replica)
  expect(await replica.rows('SELECT "id" FROM tickets')).toEqual([{ id: ticket.id }])
}, 60_000)

test('[B3] a browser that is refused for asking too much comes back when it may, and misses nothing', async () => {
  const busy = await startSyncServer({ bounds: { reads: { user: 6, company: 100, all: 100 } } })
  try {
    const there = examples(busy.db)
    const { id } = await there.company()
    const ana = await there.user(id)
    const contact = await there.contact(id)
    let refused = 0
    const { engine, rows } = await open(ana.who, {
      baseUrl: busy.url,
      fetch: async (input, init) => {
        const answer = await fetch(input, init)
        if (answer.status === 429) refused++
        return answer
      },
    })
    await eventually(
      () => rows('SELECT id FROM contacts'),
      (found) => found.length === 1,
      60_000,
    )
    expect(refused).toBeGreaterThan(0)
    await busy.sql`UPDATE contacts SET name = 'Later' WHERE id = ${contact.id}`
    busy.nudge()
    await eventually(
      () => rows<{ name: string }>('SELECT name FROM contacts'),
      ([row]) => row?.name === 'Later',
      60_000,
    )
    await engine.close()
    opened.splice(opened.indexOf(engine), 1)
  } finally {
    await busy.stop()
  }
}, 120_000)

test('what was begun in a chat is forgotten when the chat has left for good, and for nothing less', async () => {
  const { id, ana, bia } = await company()
  const [deleted, left, stays] = await Promise.all([1, 2, 3].map(() => eg.chat(id, [ana.userId, bia.userId])))
  const storage = memoryStorage()
  const ticket = { ticketId: deleted!.id }
  const drafts = async () =>
    Promise.all(
      [deleted!, left!, stays!].map(({ id: chatId }) => storage.draft({ chatId })).concat(storage.draft(ticket)),
    )
  for (const { id: chatId } of [deleted!, left!, stays!]) await storage.setDraft({ chatId }, 'rascunho')
  await storage.setDraft(ticket, 'ao cliente')
  const all = ['rascunho', 'rascunho', 'rascunho', 'ao cliente']
  const chatsOf = async ({ rows }: Opened) => (await rows<{ id: number }>('SELECT "id" FROM chats')).length
  const planWith = async (useInternalChat: boolean) => {
    await server.sql`UPDATE plans SET "useInternalChat" = ${useInternalChat} WHERE id = (SELECT "planId" FROM companies WHERE id = ${id})`
    await server.sockets.dropUser(bia.userId, 'rights')
  }

  // Without a network, with a plan that leaves chats out for a while, and with a replica that begins from nothing.
  const first = await open(bia, { storage })
  await live(first)
  server.cut()
  await planWith(false)
  await eventually(
    () => chatsOf(first),
    (n) => n === 0,
  )
  await planWith(true)
  await eventually(
    () => chatsOf(first),
    (n) => n === 3,
  )
  await first.engine.close()
  const second = await open(bia, { storage })
  await live(second)
  expect(await drafts()).toEqual(all)

  await server.db.delete(chats).where(eq(chats.id, deleted!.id))
  server.nudge()
  await eventually(drafts, (now) => now[0] === '')
  expect(await drafts()).toEqual(['', ...all.slice(1)])
  // Somebody was typing: their last letters are kept when they are already told.
  await storage.setDraft({ chatId: deleted!.id }, 'rascunho!')
  await eventually(drafts, (now) => now[0] === '')
  await second.engine.close()

  // While the browser was away; and a replica that begins from nothing is told of no chat that left.
  await server.db.delete(chatUsers).where(and(eq(chatUsers.chatId, left!.id), eq(chatUsers.userId, bia.userId)))
  server.nudge()
  const third = await open(bia, { storage })
  await live(third)
  await eventually(drafts, (now) => now[1] === '')
  expect(await drafts()).toEqual(['', '', 'rascunho', 'ao cliente'])
}, 60_000)

test('what is written into a chat without a network arrives in the order in which it was written', async () => {
  const { id, ana, bia } = await company()
  const chat = await eg.chat(id, [ana.userId, bia.userId])
  const [forAna, forBia] = [await open(ana), await open(bia)]
  await live(forAna)
  await live(forBia)
  server.faults.down = true
  server.cut()
  const texts = Array.from({ length: 8 }, (_, i) => `linha ${i}`)
  for (const message of texts) await forAna.mutate('chats.send', { id: newId(), chatId: chat.id, message })
  const said = (replica: Opened) =>
    replica.rows<{ message: string }>('SELECT "message" FROM chat_messages ORDER BY "createdAt", "id"')
  expect((await said(forAna)).map(({ message }) => message)).toEqual(texts)
  server.faults.down = false
  forAna.engine.wake()
  forBia.engine.wake()
  await eventually(
    () => said(forBia),
    (rows) => rows.map(({ message }) => message).join() === texts.join(),
  )
  await eventually(
    () => forBia.rows('SELECT "unreads" FROM chat_users'),
    ([row]) => row?.['unreads'] === 8,
  )
}, 60_000)

test('a file travels with its message, and its bytes can be seen while it waits', async () => {
  const { ana, ticketOf } = await company()
  const ticket = await ticketOf()
  const storage = memoryStorage()
  const replica = await open(ana, { storage })
  await live(replica)
  const input = {
    ...send(ticket.id, ''),
    file: { path: null, name: 'photo.png', mimetype: 'image/png', size: 3, voice: false },
  }
  server.faults.down = true
  const entry = await replica.mutate(
    'messages.send',
    input,
    new Blob([new Uint8Array([1, 2, 3])], { type: 'image/png' }),
  )
  expect((await storage.file(entry.id))?.size).toBe(3)
  expect(await replica.rows('SELECT "mediaState", "mediaType" FROM messages WHERE "id" = $1', input.id)).toEqual([
    { mediaState: 'pending', mediaType: 'image' },
  ])
  server.faults.down = false
  replica.engine.wake()
  await eventually(
    () => replica.rows('SELECT "mediaState" FROM messages WHERE "id" = $1', input.id),
    ([row]) => row?.['mediaState'] === 'ready',
  )
  expect(await storage.file(entry.id)).toBeNull()
}, 60_000)

test('for every command, what the browser shows is what the server stores', async () => {
  const { id, ana, bia, queue, ticketOf } = await company()
  const tag = await eg.tag(id)
  const lane = await eg.tag(id, { kanban: 1 })
  const chat = await eg.chat(id, [bia.userId, ana.userId])
  for (let i = 0; i < 2; i++) await eg.chatMessage(id, { chatId: chat.id, senderId: bia.userId })
  let replica = await open(ana)
  await live(replica)
  const state = async () => ({
    tickets: await replica.rows('SELECT * FROM tickets ORDER BY "id"'),
    messages: await replica.rows('SELECT * FROM messages ORDER BY "id"'),
    notes: await replica.rows('SELECT * FROM ticket_notes ORDER BY "id"'),
    // As their list shows them: of a note that is gone there is none.
    mentions: await replica.rows(
      'SELECT m."id", m."readAt" IS NOT NULL AS read FROM mentions m JOIN ticket_notes n ON n."id" = m."noteId" ORDER BY 1',
    ),
    events: await replica.rows('SELECT * FROM ticket_events ORDER BY "id"'),
    users: await replica.rows('SELECT "id", "awayAt" IS NOT NULL AS away, "awayUntil" FROM users ORDER BY "id"'),
    schedules: await replica.rows('SELECT * FROM schedules ORDER BY "id"'),
    drafts: await replica.rows('SELECT * FROM drafts ORDER BY "id"'),
    filters: await replica.rows('SELECT * FROM saved_filters ORDER BY "id"'),
    chats: await replica.rows('SELECT * FROM chats ORDER BY "id"'),
    chatUsers: await replica.rows('SELECT * FROM chat_users ORDER BY "id"'),
    chatMessages: await replica.rows('SELECT * FROM chat_messages ORDER BY "id"'),
    flowNodes: await replica.rows('SELECT * FROM flow_nodes ORDER BY "id"'),
  })
  const written = new Set<CommandName>()
  const check = async (name: CommandName, input: unknown) => {
    server.faults.down = true
    const { id: commandId } = await replica.mutate(name, input)
    const shown = await state()
    server.faults.down = false
    replica.engine.wake()
    await eventually(() => replica.engine.sender.entries.length === 0)
    expect({ name, ...withoutClock(await state()) }).toEqual({ name, ...withoutClock(shown) })
    written.add(name)
    return commandId
  }
  const open1 = await ticketOf()
  const pending = await ticketOf({ status: 'pending', userId: null })
  const [template] = await server.db
    .insert(templates)
    .values({
      ...{ companyId: id, whatsappId: open1.whatsappId!, metaId: '1', name: 'oi', language: 'pt_BR' },
      ...{ status: 'APPROVED', category: 'UTILITY', confirmedCategory: 'UTILITY' },
      parts: { named: false, header: null, body: 'Oi, {{1}}!', footer: null, buttons: [], examples: {} },
    })
    .returning({ id: templates.id })
  const inbound = await eg.message(id, {
    ticketId: open1.id,
    contactId: open1.contactId,
    whatsappId: open1.whatsappId,
    wid: newId(),
    fromMe: false,
  })
  const refused = await eg.message(id, {
    ticketId: open1.id,
    contactId: open1.contactId,
    whatsappId: open1.whatsappId,
    wid: newId(),
    fromMe: true,
    ack: 0,
  })
  server.nudge()
  await eventually(
    () => replica.rows('SELECT "id" FROM messages WHERE "id" = ANY($1)', [inbound.id, refused.id]),
    (rows) => rows.length === 2,
  )
  await eventually(
    () => replica.rows('SELECT "id" FROM tickets'),
    (rows) => rows.length === 2,
  )
  await eventually(
    () => replica.rows('SELECT "id" FROM tags'),
    (rows) => rows.length === 2,
  )

  await eventually(
    () => replica.rows('SELECT "id" FROM templates'),
    (rows) => rows.length === 1,
  )
  const sent = send(open1.id, 'oi')
  const noteId = newId()
  await check('tickets.accept', { ticketId: pending.id })
  await check('tickets.return', { ticketId: pending.id })
  await check('tickets.resolve', { ticketId: pending.id })
  await check('tickets.reopen', { ticketId: pending.id })
  const resolved = await check('tickets.resolve', { ticketId: pending.id, undoable: true })
  await check('tickets.undo', { ticketId: pending.id, commandId: resolved })
  await check('tickets.transfer', { ticketId: pending.id, queueId: queue.id, userId: ana.userId })
  await check('tickets.read', { ticketId: open1.id })
  await check('tickets.callSupervisor', { ticketId: open1.id, note: 'o cliente quer falar com o gerente' })
  await check('tickets.answerCall', { ticketId: open1.id })
  await check('users.setAway', { away: true, until: Date.now() + 3_600_000 })
  await check('users.setAway', { away: false })
  const until = new Date(Date.now() + 3_600_000).toISOString()
  const aside = await check('tickets.snooze', { ticketId: open1.id, until, note: 'ligar às dez', undoable: true })
  await check('tickets.undo', { ticketId: open1.id, commandId: aside })
  await check('tickets.snooze', { ticketId: open1.id, until: null })
  await check('tickets.wake', { ticketId: open1.id })
  const [color, size] = await server.db
    .insert(customFields)
    .values([
      { companyId: id, entity: 'ticket', name: 'Cor', key: 'cor', type: 'text' },
      { companyId: id, entity: 'contact', name: 'Tamanho', key: 'tamanho', type: 'number' },
    ])
    .returning({ id: customFields.id })
  // Nothing was said there: what is, moves on the server alone.
  const second = await ticketOf({ contactId: open1.contactId, whatsappId: null })
  server.nudge()
  await eventually(
    () => replica.rows('SELECT "id" FROM custom_fields'),
    (rows) => rows.length === 2,
  )
  await eventually(
    () => replica.rows('SELECT "id" FROM tickets'),
    (rows) => rows.length === 3,
  )
  await check('tickets.setFields', { ticketId: open1.id, fields: { [color!.id]: 'azul' } })
  await check('contacts.setFields', { contactId: open1.contactId, fields: { [size!.id]: 38 } })
  const mergeId = await check('tickets.merge', { ticketId: second.id, intoId: open1.id })
  await check('tickets.part', { ticketId: second.id, intoId: open1.id, mergeId })
  const both = { ids: [pending.id, open1.id] }
  await check('tickets.bulk', { ...both, action: { type: 'tag', add: [tag.id], remove: [] } })
  await check('tickets.bulk', { ...both, action: { type: 'read' } })
  const returned = await check('tickets.bulk', { ...both, action: { type: 'return' }, undoable: true })
  await check('tickets.undoBulk', { ...both, commandId: returned })
  const [macro] = await server.db
    .insert(macros)
    .values({
      ...{ companyId: id, name: 'Encerrar', sharing: 'company' },
      actions: [
        { type: 'message', body: '{{ms}}, {{name}}: fila {{queue}}, {{company}}' },
        { type: 'note', note: 'por macro' },
        { type: 'tag', add: [tag.id], remove: [lane.id] },
        { type: 'field', fieldId: color!.id, value: 'verde' },
        { type: 'unread' },
        { type: 'queue', queueId: queue.id },
        { type: 'assign', to: ana.userId },
        { type: 'resolve' },
      ],
    })
    .returning({ id: macros.id })
  server.nudge()
  await eventually(
    () => replica.rows('SELECT "id" FROM macros'),
    (rows) => rows.length === 1,
  )
  await check('tickets.accept', { ticketId: pending.id })
  const ran = await check('macros.run', { macroId: macro!.id, ticketId: pending.id, version: 1, undoable: true })
  await check('macros.undo', { ticketId: pending.id, commandId: ran })
  await check('tickets.return', { ticketId: pending.id })
  await check('tickets.setTags', { ticketId: open1.id, tagIds: [tag.id] })
  await check('tickets.setLane', { ticketId: open1.id, tagId: lane.id })
  await check('messages.sendTemplate', {
    ...{ id: newId(), ticketId: open1.id, templateId: template!.id, values: { 'body.1': 'Ana' } },
  })
  const shared = { ticketId: open1.id, body: '' }
  const place = { latitude: -8.05, longitude: -34.9, name: 'Loja' }
  await check('messages.send', { ...shared, id: newId(), place })
  await check('messages.send', { ...shared, id: newId(), cards: [{ name: 'Bia', number: '351912345678' }] })
  await check('messages.send', sent)
  const line = async () =>
    (await replica.rows('SELECT "lastMessage", "lastMessageDeleted" FROM tickets WHERE "id" = $1', open1.id))[0]
  await check('messages.edit', { messageId: sent.id, body: 'olá' })
  expect(await line()).toEqual({ lastMessage: 'olá', lastMessageDeleted: false })
  await check('messages.react', { messageId: inbound.id, emoji: '👍' })
  await check('messages.retry', { messageId: refused.id })
  await check('messages.delete', { messageId: refused.id })
  expect(await line()).toEqual({ lastMessage: 'olá', lastMessageDeleted: false })
  const deleted = await check('messages.delete', { messageId: sent.id, undoable: true })
  await check('messages.undelete', { messageId: sent.id, commandId: deleted })
  expect(await line()).toEqual({ lastMessage: 'olá', lastMessageDeleted: false })
  await check('messages.delete', { messageId: sent.id })
  expect(await line()).toEqual({ lastMessage: '🚫', lastMessageDeleted: true })
  await check('notes.create', {
    ...{ id: noteId, ticketId: open1.id, note: 'ligar amanhã, @Bia' },
    mentions: [
      { kind: 'user', id: bia.userId },
      { kind: 'queue', id: queue.id },
    ],
  })
  const mention = { id: `${noteId}:${ana.userId}`, companyId: id, noteId, ticketId: open1.id, userId: ana.userId }
  await server.db.insert(mentions).values(mention)
  server.nudge()
  await eventually(
    () => replica.rows('SELECT "id" FROM mentions'),
    (rows) => rows.length === 1,
  )
  await check('mentions.read', { ids: [mention.id] })
  await check('notes.delete', { id: noteId })
  const [scheduleId, filterId] = [newId(), newId()]
  const later = new Date(Date.now() + 3_600_000).toISOString()
  await check('schedules.create', { id: scheduleId, contactId: open1.contactId, body: 'bom dia', sendAt: later })
  await check('schedules.update', { id: scheduleId, body: 'boa tarde' })
  await check('schedules.delete', { id: scheduleId })
  await check('drafts.set', { ticketId: open1.id, body: 'meia frase' })
  await check('filters.save', { id: filterId, name: 'Meus', filter: { queueIds: [queue.id], unreadOnly: true } })
  await check('filters.order', { ids: [filterId] })
  await check('filters.delete', { id: filterId })
  await check('optOuts.note', { ticketId: open1.id })
  await check('chats.send', { id: newId(), chatId: chat.id, message: 'já vou' })
  await check('chats.read', { chatId: chat.id, seen: 2 })
  // Flows are an admin's.
  const [flow] = await server.db.insert(flows).values({ companyId: id, name: 'Boas-vindas' }).returning()
  replica = await open((await eg.user(id, { profile: 'admin' })).who)
  await live(replica)
  await eventually(
    () => replica.rows('SELECT "id" FROM flows'),
    (rows) => rows.length === 1,
  )
  const drawn = { type: 'message', x: 0, y: 0, data: { text: 'Olá!' }, exits: {} }
  await check('flows.edit', { flowId: flow!.id, operations: [{ op: 'put', node: 'hello', rev: 0, ...drawn }] })
  await check('flows.edit', { flowId: flow!.id, operations: [{ op: 'move', node: 'hello', x: 40, y: 80 }] })
  const { catalog } = await import('../../schema/catalog.ts')
  expect([...written].sort()).toEqual((Object.keys(catalog) as CommandName[]).sort())
}, 120_000)

/**
 * The server's clock decides, and it repeats a ticket's queue and user in all of its rows, for the shapes' sake;
 * everything else is the same.
 */
function withoutClock(state: Record<string, Record<string, unknown>[]>) {
  const servers = new Set(
    ['createdAt', 'updatedAt', 'lastMessageAt', 'readAt', 'queueScope', 'userScope'].concat('supervisorCalledAt'),
  )
  return JSON.parse(
    JSON.stringify(state, (key, value) => (servers.has(key) ? undefined : key === 'at' ? 'then' : value)),
  )
}

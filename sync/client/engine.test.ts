import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { newId } from '../../schema/ids.ts'
import { Engine, type EngineDeps } from './engine.ts'
import { memoryStorage } from './outbox.dexie.ts'
import type { Entry } from './outbox.state.ts'
import { eventually, memoryReplica } from './replica.fixture.ts'

const who = {
  userId: 1,
  companyId: 1,
  name: 'Ana',
  profile: 'admin',
  super: false,
  queueIds: [1],
  allTicket: true,
  whatsappId: null,
} as const
const opened: Engine[] = []
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close()
})

/** A replica of somebody without a network, with one ticket. */
async function offline(stored: readonly Entry[] = [], server: Partial<EngineDeps> = {}) {
  const storage = memoryStorage()
  for (const entry of stored) await storage.add(entry, null)
  const db = await memoryReplica()
  await db.exec(
    `INSERT INTO contacts ("id", "companyId", "name", "number", "isGroup") VALUES (1, 1, 'Rui', '5511', false);
     INSERT INTO whatsapps ("id", "companyId", "name", "status") VALUES (1, 1, 'Loja', 'CONNECTED');
     INSERT INTO tickets ("id", "companyId", "contactId", "whatsappId", "userId", "status", "unreadMessages", "tagIds") VALUES (1, 1, 1, 1, 1, 'open', 0, '{}')`,
  )
  const engine = new Engine({
    who: { ...who, queueIds: [1] },
    baseUrl: 'http://nowhere.invalid',
    token: async () => null,
    storage,
    openDatabase: async () => db,
    fetch: async () => {
      throw new TypeError('no network')
    },
    WebSocket,
    hasNetwork: () => false,
    statusChanged: () => undefined,
    outboxChanged: () => undefined,
    ...server,
  })
  opened.push(engine)
  return { engine, db, storage }
}

let seq = 0
const message = (values: Partial<Entry> = {}): Entry => ({
  id: newId(),
  name: 'messages.send',
  input: { id: newId(), ticketId: 1, body: `${++seq}` },
  state: 'queued',
  createdAt: Date.now(),
  attempts: 0,
  error: null,
  ticketId: 1,
  file: null,
  seq,
  txid: null,
  tables: null,
  sentAt: null,
  notBefore: 0,
  ...values,
})

test('a write that comes at the very moment at which the queue has run dry is not forgotten', async () => {
  const { engine } = await offline()
  await engine.start()
  for (let i = 0; i < 60; i++) {
    // Each is queued another number of turns of the event loop after the one before has been answered.
    for (let turn = 0; turn < i % 12; turn++) await Promise.resolve()
    const late = new Promise<never>((_, reject) => setTimeout(reject, 5_000, new Error(`write ${i} hangs`)))
    await Promise.race([engine.mutate(message()), late])
  }
  expect(await engine.query('SELECT count(*)::int AS n FROM messages', [])).toEqual([{ n: 60 }])
}, 30_000)

test('what is written while the replica is being opened is shown as soon as it is open', async () => {
  const { engine, db } = await offline()
  const [sync, writing, slow] = [db.syncToFs.bind(db), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  db.syncToFs = () => (writing.resolve(), slow.promise.then(sync))
  const started = engine.start()
  await writing.promise
  await engine.mutate(message())
  slow.resolve()
  await started
  await eventually(
    () => engine.query('SELECT count(*)::int AS n FROM messages', []),
    ([row]) => (row as { n: number }).n === 1,
    2_000,
  )
})

test('a command that the local tables will not take shows nothing, stays to be sent, and keeps out no other', async () => {
  const { engine, db } = await offline()
  await engine.start()
  await db.exec(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW."body" = 'bad' THEN RAISE 'broken'; END IF; RETURN NEW; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION refuse()`)
  const bad = message({ input: { id: newId(), ticketId: 1, body: 'bad' } })
  const good = [message(), message()]
  const results = await Promise.allSettled([good[0]!, bad, good[1]!].map((entry) => engine.mutate(entry)))
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  await engine.mutate(message())
  expect(engine.sender.entries.some((entry) => entry.id === bad.id)).toBe(true)
  expect(await engine.query('SELECT count(*)::int AS n FROM messages', [])).toEqual([{ n: 3 }])
}, 30_000)

test('[C6] after a reload, an accepted command whose rows had come does not cover them, not for a moment', async () => {
  const accepted = message({ state: 'sent', txid: '77', tables: ['messages', 'tickets'], sentAt: Date.now() })
  const { engine, db, storage } = await offline([accepted])
  const { id } = accepted.input as { id: string }
  await db.exec(`INSERT INTO messages ("id", "companyId", "ticketId", "body", "ack", "fromMe") VALUES ('${id}', 1, 1, '1', 3, true);
    INSERT INTO sync.shapes VALUES ('messages', 'h', '1_0', '12 77'), ('tickets', 'h', '1_0', '77')`)
  await engine.start()
  expect(await engine.query('SELECT "ack" FROM messages', [])).toEqual([{ ack: 3 }])
  for (let i = 0; i < 100 && engine.sender.entries.length > 0; i++) await Bun.sleep(10)
  expect(engine.sender.entries).toEqual([])
  expect(await storage.load()).toEqual([])
}, 30_000)

test('[C6] after a reload, an accepted command waits for the tables that the server changed, and for no other', async () => {
  const accepted = message({ state: 'sent', txid: '78', tables: ['messages'], sentAt: Date.now() })
  const { engine, db } = await offline([accepted])
  await db.exec(`INSERT INTO sync.shapes VALUES ('messages', 'h', '1_0', '12'), ('tickets', 'h', '1_0', '')`)
  await engine.start()
  expect(await engine.query('SELECT "body" FROM messages', [])).toHaveLength(1)
  expect(await engine.query('SELECT "lastMessage" FROM tickets', [])).toEqual([{ lastMessage: null }])
  expect(engine.sender.entries).toHaveLength(1)
}, 30_000)

/** A server that takes every command, and what it was sent, by request. */
function taking(answer: () => Response = () => Response.json({ txid: '5', tables: [] })) {
  const sent: string[] = []
  const requests: string[][] = []
  const fetch: EngineDeps['fetch'] = async (input, init) => {
    const { pathname } = new URL(String(input))
    if (!pathname.startsWith('/commands')) throw new TypeError('no network')
    const said = JSON.parse(String(init!.body)) as { id: string; commands?: { id: string }[] }
    const ids = (said.commands ?? [said]).map(({ id }) => id)
    sent.push(...ids)
    requests.push(ids)
    const told = answer()
    if (pathname === '/commands' || !told.headers.get('content-type')?.includes('json')) return told
    const body = (await told.json()) as object
    return Response.json({ results: ids.map(() => ({ status: told.status, ...body })) })
  }
  return { sent, requests, deps: { fetch, token: async () => 'token' } }
}

test('on a disk that takes no more, the commands behind an accepted one are sent, and a refused one shows nothing', async () => {
  const [first, second] = [message(), message()]
  const { sent, deps } = taking()
  const { engine, storage } = await offline([first, second], deps)
  storage.put = async () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  await engine.start()
  await eventually(() => sent.length === 2, Boolean, 3_000)
  expect(sent).toEqual([first.id, second.id])

  const refusing = taking(() => Response.json({ error: 'ERR_NO_PERMISSION' }, { status: 403 }))
  const other = await offline([message()], refusing.deps)
  other.storage.put = storage.put
  await other.engine.start()
  await eventually(() => other.engine.sender.entries[0]?.state === 'failed', Boolean, 3_000)
  await eventually(async () => (await other.engine.query('SELECT FROM messages', [])).length === 0, Boolean, 3_000)
}, 30_000)

test('[C1] a command is not sent before it is stored', async () => {
  const { sent, deps } = taking()
  const { engine, storage } = await offline([], deps)
  await engine.start()
  const written = message()
  await engine.mutate(written)
  await Bun.sleep(50)
  expect(sent).toEqual([])
  await storage.add(written, null)
  await engine.stored(written.id)
  await eventually(() => sent.length === 1, Boolean, 3_000)
}, 30_000)

test('[C1, C2] a command that was refused here before its tab had stored it is never sent', async () => {
  const { sent, deps } = taking()
  const { engine, storage, db } = await offline([], deps)
  await db.exec(`UPDATE tickets SET "status" = 'closed'`)
  await engine.start()
  const refused = message()
  await expect(engine.mutate(refused)).rejects.toThrow()
  // The tab does not know yet.
  await storage.add(refused, null)
  await engine.stored(refused.id)
  await Bun.sleep(50)
  expect(sent).toEqual([])
  expect(engine.sender.entries).toEqual([])
  expect(await storage.load()).toEqual([])
}, 30_000)

test('[C2] a command whose tab does not wait for the verdict of the rows that are here is the server’s to refuse, and is not lost', async () => {
  const { sent, deps } = taking()
  const { engine, storage, db } = await offline([], deps)
  await db.exec(`UPDATE tickets SET "status" = 'closed'`)
  await engine.start()
  const unheard = message()
  await engine.mutate(unheard, false)
  await storage.add(unheard, null)
  await engine.stored(unheard.id)
  await eventually(() => sent.length === 1, Boolean, 3_000)
  expect(await engine.query('SELECT FROM messages', [])).toEqual([])
}, 30_000)

test('[O4] a clock that is set back keeps no command from being sent again', async () => {
  const { sent, deps } = taking(() => new Response('', { status: 503 }))
  const { engine } = await offline([message()], deps)
  await engine.start()
  await eventually(() => sent.length > 0)
  setSystemTime(Date.now() - 3_600_000)
  try {
    const before = sent.length
    for (let i = 0; i < 600 && sent.length < before + 2; i++) await Bun.sleep(10)
    expect(sent.length).toBeGreaterThan(before + 1)
  } finally {
    setSystemTime()
  }
}, 30_000)

test('a company whose subscription has expired is asked about now and then, and its replica has not failed', async () => {
  const asked = new Map<string, number>()
  const { engine } = await offline([], {
    hasNetwork: () => true,
    token: async () => 'token',
    fetch: async (input) => {
      const { pathname } = new URL(String(input))
      asked.set(pathname, (asked.get(pathname) ?? 0) + 1)
      return Response.json({ error: 'ERR_SUBSCRIPTION_EXPIRED' }, { status: 402 })
    },
  })
  await engine.start()
  await Bun.sleep(3_000)
  expect(asked.size).toBeGreaterThan(5)
  expect([...asked.values()].filter((times) => times > 1)).toEqual([])
  expect(engine.status().state).not.toBe('failed')
}, 30_000)

test('while a token that has run out cannot be renewed, the person is offline; then what waits is sent', async () => {
  let network = false
  let refused = 0
  const sent: string[] = []
  const told: boolean[] = []
  const { engine } = await offline([message()], {
    hasNetwork: () => true,
    statusChanged: ({ online }) => told.push(online),
    token: async (refresh) => {
      if (!refresh) return 'old'
      if (!network) throw new TypeError('no answer')
      return 'new'
    },
    fetch: async (input, init) => {
      const ofCommand = String(input).includes('/commands')
      if (new Headers(init?.headers).get('authorization') === 'Bearer old') {
        if (ofCommand) refused++
        return Response.json({ error: 'ERR_TOKEN_EXPIRED' }, { status: 403 })
      }
      if (!ofCommand) return Response.json({ error: 'ERR_UNAVAILABLE' }, { status: 503 })
      sent.push(String(init!.body))
      return Response.json({ txid: '5', tables: [] })
    },
  })
  await engine.start()
  await eventually(() => told.at(-1) === false)
  const before = { told: told.length, refused }
  await Bun.sleep(2_000)
  // It is asked again, and not at every turn of a stream that asks, too.
  expect(told.slice(before.told)).not.toContain(true)
  expect(refused).toBeGreaterThan(before.refused)
  expect(refused - before.refused).toBeLessThan(8)
  expect(engine.sender.entries.map(({ error }) => error)).toEqual([null])
  network = true
  await eventually(() => sent.length === 1 && engine.status().online)
}, 30_000)

test('[F1] an accepted command whose rows are here and not on the disk yet is not shown again when the storage is read', async () => {
  const accepted = message({ state: 'sent', txid: '77', tables: ['messages', 'tickets'], sentAt: Date.now() })
  const { engine, db, storage } = await offline([accepted], { kept: () => Promise.reject(new Error('full')) })
  await db.exec(`INSERT INTO sync.shapes VALUES ('messages', 'h', '1_0', '77'), ('tickets', 'h', '1_0', '77')`)
  await engine.start()
  await eventually(() => engine.sender.entries.length === 0)
  const other = message()
  await storage.add(other, null)
  await engine.stored(other.id)
  expect(engine.sender.entries.map(({ id }) => id)).toEqual([other.id])
  // A reload without a network must still show it.
  expect((await storage.load()).map(({ id }) => id)).toContain(accepted.id)
}, 30_000)

test('[C6, C9] hundreds that waited go in few requests, and each is shown until its rows have come, also when it is accepted while it is being decided', async () => {
  const waiting = Array.from({ length: 120 }, () => message())
  const { sent, requests, deps } = taking(() => Response.json({ txid: '5', tables: ['messages', 'tickets'] }))
  const { engine } = await offline(waiting, deps)
  await engine.start()
  await eventually(() => sent.length === 120 && engine.sender.entries.every(({ state }) => state === 'sent'))
  expect(sent).toEqual(waiting.map(({ id }) => id))
  expect(requests.length).toBeLessThan(5)
  expect(await engine.query('SELECT count(*)::int AS n FROM messages', [])).toEqual([{ n: 120 }])
}, 30_000)

test('[C9] of commands that went together, the refused one stays with its reason, and what was not answered goes again', async () => {
  const [first, refused, unanswered] = [message(), message(), message({ ticketId: 9, input: { ticketId: 9 } })]
  const sent: string[][] = []
  const fetch: EngineDeps['fetch'] = async (input, init) => {
    if (!String(input).includes('/commands')) throw new TypeError('no network')
    const said = JSON.parse(String(init!.body)) as { id: string; commands?: { id: string }[] }
    sent.push((said.commands ?? [said]).map(({ id }) => id))
    if (!said.commands) return Response.json({ txid: '5', tables: [] })
    return Response.json({
      results: [
        { status: 200, txid: '5', tables: [] },
        { status: 409, error: 'ERR_TICKET_TAKEN', ticketId: 1 },
        { status: 503, error: 'ERR_UNAVAILABLE' },
      ],
    })
  }
  const { engine } = await offline([first, refused, unanswered], { fetch, token: async () => 'token' })
  await engine.start()
  await eventually(() => sent.length === 2)
  expect(sent).toEqual([[first.id, refused.id, unanswered.id], [unanswered.id]])
  await eventually(() => engine.sender.entries.length === 1)
  expect(engine.sender.entries[0]).toMatchObject({
    id: refused.id,
    state: 'failed',
    error: { code: 'ERR_TICKET_TAKEN', params: { ticketId: 1 } },
  })
}, 30_000)

test.each([
  [
    'a server that does not know requests with several',
    () => Response.json({ error: 'ERR_NOT_FOUND' }, { status: 404 }),
  ],
  ['a page of a hotel', () => new Response('<html>welcome</html>')],
])(
  '[C4, C9] what %s says of the request is said of no command in it',
  async (_who, ofSeveral) => {
    const waiting = [message(), message(), message()]
    const singly: string[] = []
    let several = 0
    const fetch: EngineDeps['fetch'] = async (input, init) => {
      const { pathname } = new URL(String(input))
      if (pathname === '/commands/batch' && several++ < 1) return ofSeveral()
      if (!pathname.startsWith('/commands')) throw new TypeError('no network')
      const said = JSON.parse(String(init!.body)) as { id: string; commands?: { id: string }[] }
      const answer = { status: 200, txid: '5', tables: [] }
      if (said.commands) return Response.json({ results: said.commands.map(() => answer) })
      singly.push(said.id)
      return Response.json(answer)
    }
    const { engine } = await offline(waiting, { fetch, token: async () => 'token' })
    await engine.start()
    await eventually(() => engine.sender.entries.length === 0)
    if (several === 1) expect(singly).toEqual(waiting.map(({ id }) => id))
  },
  30_000,
)

test('[C7] what of an accepted command was refused stays in the outbox with its reason, and the rest is done', async () => {
  const operation = (node: string) => ({ op: 'remove', node, rev: 3 })
  const edit = message({
    name: 'flows.edit',
    input: { flowId: 4, operations: [operation('m1'), operation('m2')] },
    ticketId: null,
  })
  const { sent, deps } = taking(() =>
    Response.json({ txid: '5', tables: [], result: sent.length === 1 ? { stale: ['m2'] } : {} }),
  )
  const { engine } = await offline([edit], deps)
  await engine.start()
  await eventually(() => engine.sender.entries.some(({ state }) => state === 'failed'))
  await eventually(() => engine.sender.entries.length === 1)
  expect(engine.sender.entries[0]).toMatchObject({
    id: `${edit.id}-p1`,
    input: { flowId: 4, operations: [operation('m2')] },
    error: { code: 'ERR_FLOW_STALE', params: { nodes: ['m2'] } },
  })
  // Tried again, it is a command like every other.
  await engine.retry(`${edit.id}-p1`)
  await eventually(() => engine.sender.entries.length === 0)
  expect(sent).toEqual([edit.id, `${edit.id}-p1`])
}, 30_000)

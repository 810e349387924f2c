import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Message } from '@electric-sql/client'
import type { PGlite } from '@electric-sql/pglite'
import { applyBatch, BatchBuffer, savedOffsets, visibleIn } from './applier.ts'
import { Changes } from './changes.ts'
import { memoryReplica } from './replica.fixture.ts'
import type { TextRow } from './rows.ts'

let db: PGlite
beforeAll(async () => {
  db = await memoryReplica()
})
afterAll(() => db.close())
beforeEach(() =>
  db
    .exec('DELETE FROM messages; DELETE FROM tickets; DELETE FROM user_queues; DELETE FROM sync.shapes')
    .then(() => undefined),
)

type Shape = 'messages' | 'tickets' | 'userQueues'
const change = (operation: 'insert' | 'update' | 'delete', value: TextRow, txid?: number): Message<TextRow> =>
  ({
    key: `"public"."t"/${JSON.stringify(value['id'] ?? [value['userId'], value['queueId']])}`,
    value,
    headers: { operation, ...(txid ? { txids: [txid] } : {}) },
  }) as Message<TextRow>

async function apply(shape: Shape, all: readonly Message<TextRow>[], { whole = false, offset = '5_0' } = {}) {
  const buffer = new BatchBuffer(shape, whole)
  for (const message of all) buffer.add(message)
  const batch = buffer.take('handle', offset)
  const changes = new Changes((table) => (table === 'messages' ? ['ticketId'] : []))
  if (batch) await db.transaction((tx) => applyBatch(tx, batch, changes))
  return { batch, changes }
}
const rows = async (sql: string) => (await db.query(sql)).rows

test('values of every kind arrive as Postgres wrote them', async () => {
  const odd = 'quote \' " backslash \\ \\N tab\t line\r\n {} emoji 🙂'
  await apply('messages', [
    change('insert', {
      id: 'm1',
      ticketId: '7',
      fromMe: 't',
      read: 'false',
      ack: '2',
      body: odd,
      earlierBodies: JSON.stringify([{ body: odd, at: '2026-01-01' }]),
      reactions: '"a string"',
      createdAt: '2026-01-02 03:04:05.678901+00',
    }),
  ])
  await apply('tickets', [
    change('insert', { id: '1', tagIds: '{3,1,NULL}', uuid: '310e18f9-60ab-4f01-a359-6a59a78e6903' }),
  ])
  expect(
    await rows(
      'SELECT "ticketId", "fromMe", "read", "ack", "body", "earlierBodies", "reactions", "createdAt", "wid" FROM messages',
    ),
  ).toEqual([
    {
      ticketId: 7,
      fromMe: true,
      read: false,
      ack: 2,
      body: odd,
      earlierBodies: [{ body: odd, at: '2026-01-01' }],
      reactions: 'a string',
      createdAt: new Date('2026-01-02T03:04:05.678Z'),
      wid: null,
    },
  ])
  expect(await rows('SELECT "tagIds" FROM tickets')).toEqual([{ tagIds: [3, 1, null] }])
})

test('[R2] all that happened to a row between two moments is applied as one', async () => {
  await apply('messages', [
    change('insert', { id: 'a', ticketId: '1', body: 'a' }),
    change('insert', { id: 'b', ticketId: '1', body: 'b' }),
  ])
  await apply('messages', [
    change('update', { id: 'a', body: 'a2' }),
    change('update', { id: 'a', ack: '3' }),
    change('delete', { id: 'b' }),
    change('insert', { id: 'c', ticketId: '1', body: 'c' }),
    change('update', { id: 'c', body: 'c2' }),
    change('insert', { id: 'd', ticketId: '1', body: 'd' }),
    change('delete', { id: 'd' }),
    change('delete', { id: 'e' }),
    change('insert', { id: 'e', ticketId: '1', body: 'e' }),
  ])
  expect(await rows('SELECT "id", "body", "ack", "ticketId" FROM messages ORDER BY 1')).toEqual([
    { id: 'a', body: 'a2', ack: 3, ticketId: 1 },
    { id: 'c', body: 'c2', ack: null, ticketId: 1 },
    { id: 'e', body: 'e', ack: null, ticketId: 1 },
  ])
})

test('[R4] a row that comes again, as after a lost answer, is there once', async () => {
  const row = change('insert', { id: 'a', ticketId: '1', body: 'a' })
  await apply('messages', [row])
  await apply('messages', [row])
  expect(await rows('SELECT "id" FROM messages')).toHaveLength(1)
})

test('[R3] a shape that begins anew replaces what was there in one step, rows of others included', async () => {
  await apply('messages', [change('insert', { id: 'old', body: 'x' }), change('insert', { id: 'kept', body: 'x' })])
  await apply('messages', [change('insert', { id: 'kept', body: 'y' }), change('insert', { id: 'new', body: 'z' })], {
    whole: true,
  })
  expect(await rows('SELECT "id", "body" FROM messages ORDER BY 1')).toEqual([
    { id: 'kept', body: 'y' },
    { id: 'new', body: 'z' },
  ])
  await apply('messages', [], { whole: true })
  expect(await rows('SELECT "id" FROM messages')).toEqual([])
})

test('what was collected before the server said to begin anew is forgotten', () => {
  const buffer = new BatchBuffer('messages', false)
  buffer.add(change('insert', { id: 'a' }))
  buffer.restart()
  buffer.add(change('insert', { id: 'b' }))
  expect(buffer.take('h', '1_0')).toMatchObject({ whole: true, upserts: [{ id: 'b' }] })
})

test('keys of two columns work, and a table that is nothing but its key', async () => {
  await apply('userQueues', [
    change('insert', { companyId: '1', userId: '1', queueId: '1' }),
    change('insert', { companyId: '1', userId: '1', queueId: '2' }),
  ])
  await apply('userQueues', [change('delete', { userId: '1', queueId: '1' })])
  expect(await rows('SELECT "queueId" FROM user_queues')).toEqual([{ queueId: 2 }])
})

test('[R2] how far a shape has come is written with its rows, or not at all', async () => {
  await apply('messages', [change('insert', { id: 'a', ticketId: '1' })], { offset: '7_2' })
  expect(await savedOffsets(db)).toEqual(new Map([['messages', { handle: 'handle', offset: '7_2', txids: [] }]]))
  await expect(
    apply('messages', [change('insert', { id: 'b', ticketId: 'not a number' })], { offset: '8_0' }),
  ).rejects.toThrow()
  expect(await rows('SELECT "id" FROM messages')).toEqual([{ id: 'a' }])
  expect((await savedOffsets(db)).get('messages')?.offset).toBe('7_2')
})

test('a poll that brought nothing writes nothing', async () => {
  expect((await apply('messages', [])).batch).toBeNull()
})

test('a change of a message touches its own conversation, by the row that is here, and the one it leaves', async () => {
  await apply('messages', [change('insert', { id: 'a', ticketId: '1' })])
  const { changes } = await apply('messages', [change('update', { id: 'a', ack: '3' })])
  const touches = (c: Changes, value: number) => c.touch('messages', { column: 'ticketId', value })
  expect([touches(changes, 1), touches(changes, 2)]).toEqual([true, false])
  const moved = await apply('messages', [change('update', { id: 'a', ticketId: '2' })])
  expect([touches(moved.changes, 1), touches(moved.changes, 2), touches(moved.changes, 3)]).toEqual([true, true, false])
  const gone = await apply('messages', [change('delete', { id: 'a' })])
  expect([touches(gone.changes, 2), touches(gone.changes, 1)]).toEqual([true, false])
  expect(gone.changes.touch('tickets')).toBe(false)
})

test('whether a snapshot holds a transaction is decided as Postgres does, around the ring of 32 bits', () => {
  const snapshot = { xmin: 100n, xmax: 110n, xip: new Set([100n, 105n]) }
  expect(['99', '100', '101', '105', '109', '110', '111'].map((txid) => visibleIn(snapshot, txid))).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
    false,
  ])
  // The snapshot counts on in 64 bits, ids of transactions begin again.
  const wrapped = { xmin: 2n ** 32n + 5n, xmax: 2n ** 32n + 10n, xip: new Set([2n ** 32n + 5n]) }
  expect(['4', '5', '6', '10', String(2 ** 32 - 1)].map((txid) => visibleIn(wrapped, txid))).toEqual([
    true,
    false,
    true,
    false,
    true,
  ])
})

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { MemoryIndexedDb } from './indexed-db.fixture.ts'
import { LastRows } from './last-rows.ts'
import type { LiveQuery } from './replica.types.ts'

let disk: MemoryIndexedDb
let restore: () => void
let opened: LastRows[] = []
beforeEach(() => {
  disk = new MemoryIndexedDb()
  restore = disk.install()
})
afterEach(() => {
  for (const rows of opened) rows.close()
  opened = []
  restore()
})
const stored = () => disk.stores.get('balcao-1-1-last-rows')!.get('kept')!.rows as Map<string, { version: string }>

/** As at the start of the app. */
async function start(): Promise<LastRows> {
  const rows = new LastRows('balcao-1-1')
  opened.push(rows)
  await rows.loaded
  return rows
}
/** As when the page is hidden. */
async function leave(rows: LastRows): Promise<void> {
  rows.flush()
  await Bun.sleep(10)
}
const query = (remember: string, sql = 'SELECT 1'): LiveQuery => ({ sql, tables: [], remember })
const inbox = query('tickets open')

test('the next start shows the last rows, until the replica has answered', async () => {
  const first = await start()
  expect(first.of(inbox)).toBeUndefined()
  first.keep(inbox, [{ id: 1 }, { id: 2 }])
  await leave(first)

  const second = await start()
  expect(second.of(inbox)).toEqual([{ id: 1 }, { id: 2 }])
  second.keep(inbox, [{ id: 3 }])
  expect(second.of(inbox)).toBeUndefined()
  await leave(second)
  expect((await start()).of(inbox)).toEqual([{ id: 3 }])
})

test('once the replica answers within milliseconds, nothing of the last time is shown any more', async () => {
  const first = await start()
  first.keep(inbox, [{ id: 1 }])
  await leave(first)
  const second = await start()
  second.replaced()
  expect(second.of(inbox)).toBeUndefined()
})

test('rows of a query that reads other columns now, or has no name, are not shown', async () => {
  const first = await start()
  first.keep(inbox, [{ id: 1 }])
  first.keep({ sql: 'SELECT 2', tables: [] }, [{ id: 1 }])
  await leave(first)
  expect(stored().size).toBe(1)
  const second = await start()
  expect(second.of(query('tickets open', 'SELECT 1, 2'))).toBeUndefined()
  expect(second.of({ sql: 'SELECT 2', tables: [] })).toBeUndefined()
  for (const kept of stored().values()) Object.assign(kept, { version: 'of other tables' })
  expect((await start()).of(inbox)).toBeUndefined()
})

test('that there was nothing is not remembered, and takes away what was', async () => {
  const first = await start()
  first.keep(inbox, [{ id: 1 }])
  await leave(first)
  const second = await start()
  second.keep(inbox, [])
  await leave(second)
  expect((await start()).of(inbox)).toBeUndefined()
})

test('of each kind the latest are kept, no more rows than a window shows, and nothing huge', async () => {
  const first = await start()
  first.keep(
    inbox,
    Array.from({ length: 100 }, (_, id) => ({ id })),
  )
  for (let i = 0; i < 30; i++) {
    first.keep(query(`messages ${i}`), [{ i }])
    // The time of an answer is its rank.
    await Bun.sleep(2)
  }
  first.keep(query('messages long'), [{ body: 'x'.repeat(300_000) }])
  await leave(first)
  const second = await start()
  expect(second.of(inbox)).toHaveLength(60)
  expect(second.of(query('messages 29'))).toEqual([{ i: 29 }])
  expect(second.of(query('messages 0'))).toBeUndefined()
  expect(second.of(query('messages long'))).toBeUndefined()
  expect([...stored().keys()].filter((key) => key.startsWith('messages')).length).toBeLessThanOrEqual(20)
})

test('an answer is written by itself after a moment, and not after the end', async () => {
  const first = await start()
  first.keep(inbox, [{ id: 1 }])
  await Bun.sleep(500)
  expect(stored().has('tickets open')).toBe(true)
  first.keep(inbox, [{ id: 2 }])
  first.close()
  first.keep(query('tickets closed'), [{ id: 3 }])
  await leave(first)
  expect((await start()).of(inbox)).toEqual([{ id: 1 }])
  expect(stored().size).toBe(1)
})

test('a disk that does not work is of no consequence', async () => {
  disk.broken = true
  const rows = await start()
  rows.keep(inbox, [{ id: 1 }])
  await leave(rows)
  expect(rows.of(inbox)).toBeUndefined()
})

test('what is forgotten is on the disk no more, and what the replica answers then is kept again', async () => {
  const first = await start()
  first.keep(inbox, [{ id: 1 }])
  await leave(first)
  const second = await start()
  await second.forget()
  expect(second.of(inbox)).toBeUndefined()
  await Bun.sleep(10)
  expect(stored().size).toBe(0)
  second.keep(inbox, [{ id: 2 }])
  await leave(second)
  expect((await start()).of(inbox)).toEqual([{ id: 2 }])
})

test('what is lent is shown until the replica answers, also where it is nothing, and is not kept', async () => {
  const first = await start()
  const empty = query('tickets pending')
  first.lend({ query: inbox, rows: [{ id: 1 }] })
  first.lend({ query: empty, rows: [] })
  expect([first.of(inbox), first.of(empty)]).toEqual([[{ id: 1 }], []])
  first.keep(inbox, [{ id: 2 }])
  first.lend({ query: inbox, rows: [{ id: 3 }] })
  expect(first.of(inbox)).toBeUndefined()
  await leave(first)
  const second = await start()
  expect([second.of(inbox), second.of(empty)]).toEqual([[{ id: 2 }], undefined])
  // Its own rows of the last time are as good, and may hold what waits to be sent.
  second.lend({ query: inbox, rows: [{ id: 4 }] })
  expect(second.of(inbox)).toEqual([{ id: 2 }])
})

test('what an older client has kept gives way to what is lent', async () => {
  const first = await start()
  first.keep(query('tickets open', 'SELECT 0'), [{ id: 1 }])
  await leave(first)
  const second = await start()
  second.lend({ query: inbox, rows: [{ id: 2 }] })
  expect(second.of(inbox)).toEqual([{ id: 2 }])
})

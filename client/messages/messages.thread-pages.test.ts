import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PGlite } from '@electric-sql/pglite'
import type { LiveQuery, Replica } from '../../sync/client/replica.types.ts'
import { schemaSql } from '../../sync/client/tables.ts'
import { messagePage, messagesBetween, newestMessages, readMessage, sinceOf, type MessageRow } from './messages.rows.ts'
import { cutAt, dueCut, isFromStart, olderPieces, windowOf, type Cuts } from './messages.thread-pages.ts'

const message = (n: number, more: Partial<MessageRow> = {}): MessageRow => ({
  ...readMessage({ id: `m${String(n).padStart(5, '0')}`, ticketId: 7, body: `${n}` }),
  createdAt: n * 1_000,
  ...more,
})
/** Messages `from` to `to`, newest first, as they are read. */
const read = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => message(to - i))
const numbers = (rows: readonly MessageRow[] | undefined) => rows?.map(({ body }) => Number(body))
const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

describe('where a conversation begins', () => {
  const began = (createdAt: number) => [{ kind: 'created' as const, createdAt }]
  test('with the message that its ticket began with', () => {
    expect(isFromStart(5_000, message(5), [])).toBe(true)
    expect(isFromStart(5_000, message(5), began(5_000))).toBe(true)
    expect(isFromStart(5_000, message(500), [])).toBe(false)
  })
  test('with the line that says who began it, however long before the first word', () => {
    expect(isFromStart(5_000, message(5_000), began(5_000))).toBe(true)
    expect(isFromStart(5_000, undefined, began(5_000))).toBe(true)
  })
  test('not where nothing of that time is here', () => {
    expect(isFromStart(5_000, undefined, [])).toBe(false)
    expect(isFromStart(5_000, message(5_000), [{ kind: 'reopened', createdAt: 5_000 }])).toBe(false)
    expect(isFromStart(5_000, message(5_000), began(900_000))).toBe(false)
  })
})

describe('cutting a conversation into pieces', () => {
  test('cuts stand latest first, each once; where none is new it is the same array', () => {
    const cuts = cutAt([], [50, 10])
    expect(cuts).toEqual([50, 10])
    expect(cutAt(cuts, [10])).toBe(cuts)
    expect(cutAt(cuts, [30, -Infinity])).toEqual([50, 30, 10, -Infinity])
  })
  test('each older piece ends where the one after it begins', () => {
    expect(olderPieces([])).toEqual([])
    expect(olderPieces([50])).toEqual([])
    expect(olderPieces([50, 10, -Infinity])).toEqual([
      { since: 10, before: 50 },
      { since: -Infinity, before: 10 },
    ])
  })
})

describe('what is shown of the pieces', () => {
  test('nothing before the first answer, then all pieces oldest first', () => {
    expect(windowOf([], [undefined], undefined)).toBeUndefined()
    expect(numbers(windowOf([51_000, 1_000], [read(51, 100), read(1, 50)], undefined))).toEqual(upTo(1, 100))
  })
  test('a change in an old piece is shown, every other row is the same object', () => {
    const cuts = [51_000, 1_000]
    const before = windowOf(cuts, [read(51, 100), read(1, 50)], undefined)!
    const old = read(1, 50).map((row) => (row.body === '20' ? { ...row, ack: 4 } : row))
    const after = windowOf(cuts, [read(51, 100), old], before)!
    expect(after[19]?.ack).toBe(4)
    expect(after.filter((row, i) => row !== before[i])).toHaveLength(1)
  })
  test('a message that is deleted is gone', () => {
    const before = windowOf([51_000, 1_000], [read(51, 100), read(1, 50)], undefined)
    const after = windowOf([51_000, 1_000], [read(51, 100), read(1, 50).filter((row) => row.body !== '20')], before)
    expect(numbers(after)).toEqual(upTo(1, 100).filter((n) => n !== 20))
  })
  test('nothing disappears while a piece that was cut anew has no answer yet', () => {
    const before = windowOf([], [read(51, 100)], undefined)
    expect(windowOf([51_000], [undefined], before)).toBe(before!)
    expect(windowOf([80_000, 51_000], [undefined, undefined], before)).toBe(before!)
    expect(windowOf([80_000, 51_000], [read(80, 100), undefined], before)).toBe(before!)
    expect(windowOf([80_000, 51_000], [read(80, 100), read(51, 79)], before)).toBe(before!)
  })
  test('what new messages push out of the newest page stays, until it is cut to hold them', () => {
    const before = windowOf([], [read(51, 100)], undefined)
    expect(dueCut([], read(51, 100), before)).toBeNull()
    const newest = read(53, 102)
    const after = windowOf([], [newest], before)
    expect(numbers(after)).toEqual(upTo(51, 102))
    expect(dueCut([], newest, after)).toBe(51_000)
    expect(windowOf([51_000], [read(51, 102)], after)).toBe(after!)
    expect(dueCut([51_000], read(51, 102), after)).toBeNull()
  })
  test('rows of an earlier visit that the newest page does not reach any more leave no gap: they go', () => {
    const before = windowOf([], [read(1, 50)], undefined)
    expect(numbers(windowOf([], [read(101, 150)], before))).toEqual(upTo(101, 150))
  })
  test('the newest piece is cut when it has become long, and keeps a page', () => {
    const newest = read(51, 51 + 3 * messagePage)
    const shown = windowOf([51_000], [newest], undefined)
    const cut = dueCut([51_000], newest, shown)!
    expect(newest.filter(({ createdAt }) => createdAt >= cut)).toHaveLength(messagePage)
  })
})

describe('read from a real replica', () => {
  let db: PGlite
  const query = async <Row>(sql: string, params: unknown[] = []) => (await db.query<Row>(sql, params)).rows
  const replica = { query } as Pick<Replica, 'query'> as Replica
  const answer = async ({ query: { sql, params } }: { query: LiveQuery }) =>
    (await query<Record<string, unknown>>(sql, params)).map(readMessage)
  const answers = (cuts: Cuts) =>
    Promise.all([
      answer(newestMessages(7, cuts[0])),
      ...olderPieces(cuts).map(({ since, before }) => answer(messagesBetween(7, since, before))),
    ])
  const insert = (from: number, to: number, at: string) =>
    db.exec(`INSERT INTO messages (id, "ticketId", body, "createdAt")
      SELECT 'm' || lpad(n::text, 5, '0'), 7, n::text, ${at} FROM generate_series(${from}, ${to}) n`)

  beforeAll(async () => {
    db = await PGlite.create()
    await db.exec(schemaSql)
    // Nine of one second, as WhatsApp tells the time, and fractions of milliseconds, as Postgres does.
    await insert(1, 430, `timestamptz '2026-06-10' + (n / 9) * interval '1 second' + interval '123.4 microseconds'`)
  }, 30_000)
  afterAll(() => db.close())

  test('page by page every message comes once, however many are of one moment', async () => {
    let cuts: Cuts = []
    let shown = windowOf(cuts, await answers(cuts), undefined)
    expect(numbers(shown)).toEqual(upTo(381, 430))
    for (let page = 0; cuts.at(-1) !== -Infinity; page++) {
      expect(page).toBeLessThan(20)
      const before = cuts.at(-1) ?? shown![0]!.createdAt
      cuts = cutAt(cuts, [before, await sinceOf(replica, 7, before, messagePage)])
      const next = windowOf(cuts, await answers(cuts), shown)!
      if (cuts.at(-1) !== -Infinity) expect(next.length - shown!.length).toBeGreaterThanOrEqual(messagePage)
      shown = next
    }
    expect(numbers(shown)).toEqual(upTo(1, 430))

    // News go to the newest piece, and cutting that one moves nothing.
    await insert(431, 700, `timestamptz '2026-06-11' + n * interval '1 second'`)
    const read = await answers(cuts)
    shown = windowOf(cuts, read, shown)
    expect(numbers(shown)).toEqual(upTo(1, 700))
    const shorter = cutAt(cuts, [dueCut(cuts, read[0], shown)!])
    const after = await answers(shorter)
    expect(after[0]).toHaveLength(messagePage)
    expect(windowOf(shorter, after, shown)).toBe(shown!)
  })
  test('before the first message there is nothing', async () => {
    expect(await sinceOf(replica, 7, Date.parse('2026-06-10'), 1)).toBe(-Infinity)
    expect(await sinceOf(replica, 7, Infinity, 1)).toBeGreaterThan(Date.parse('2026-06-11'))
  })
})

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { MemoryIndexedDb } from './indexed-db.fixture.ts'
import { memoryReplica } from './replica.fixture.ts'
import { flushReplica, openReplica, replicaKept } from './storage.ts'
import { templateFile } from './template.ts'

let disk: MemoryIndexedDb
let restore: () => void
beforeEach(async () => {
  // It makes the template.
  if (!existsSync(template)) await (await memoryReplica()).close()
  kept = []
  disk = new MemoryIndexedDb()
  restore = disk.install()
})
afterEach(() => restore())

const template = join(import.meta.dir, '../../.build', templateFile)
let kept: boolean[]
const open = (waits?: (waits: boolean) => void) => {
  const told = kept
  return openReplica(
    'balcao-1-1-test',
    'idb',
    async () => new File([readFileSync(template)], 'replica.tar.gz'),
    waits && ((_, isWaiting) => waits(isWaiting)),
    (well) => void told.push(well),
  )
}
/** The browser's locks, as far as they are used here: one holder at a time. */
const installLocks = () => {
  const last = new Map<string, Promise<unknown>>()
  const request = (name: string, work: () => Promise<unknown>) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work)
    last.set(name, turn)
    return turn
  }
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true })
  return () => void Reflect.deleteProperty(navigator, 'locks')
}
const write = async (db: PGlite, id: number) => {
  await db.query('INSERT INTO tags ("id", "name") VALUES ($1, $2)', [id, `tag ${id}`])
  flushReplica(db)
  await replicaKept(db)
}
const ids = async (db: PGlite) => (await db.query<{ id: number }>('SELECT "id" FROM tags ORDER BY 1')).rows

test('what was flushed is there at the next start, whatever the page did not come to say', async () => {
  const first = await open()
  await write(first, 1)
  await write(first, 2)
  await first.query('INSERT INTO tags ("id") VALUES (3)')
  // The last row is the server's to bring again.
  disk.kill()
  const second = await open()
  expect(await ids(second)).toEqual([{ id: 1 }, { id: 2 }])
  await write(second, 4)
  await second.close()
  // What the killed one would have written by now.
  flushReplica(first)
  await replicaKept(first)
  const third = await open()
  expect(await ids(third)).toEqual([{ id: 1 }, { id: 2 }, { id: 4 }])
  await third.close()
  expect(kept).not.toContain(false)
}, 60_000)

test('files that the worker of a page that is gone may still write are opened when it has ended', async () => {
  const restoreLocks = installLocks()
  try {
    const first = await open()
    await write(first, 1)
    const told: boolean[] = []
    const opening = open((waits) => void told.push(waits))
    await write(first, 2)
    await Bun.sleep(100)
    expect(told).toEqual([true])
    await first.query('INSERT INTO tags ("id") VALUES (3)')
    await first.close()
    const second = await opening
    expect(await ids(second)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
    await second.close()
  } finally {
    restoreLocks()
  }
}, 60_000)

test('a small change writes the end of the log and little else, and no change writes nothing', async () => {
  const db = await open()
  await write(db, 1)
  disk.written.length = 0
  await write(db, 2)
  const files = disk.stores.get('/pglite/balcao-1-1-test')!.get('FILE_DATA')!.rows
  const size = (path: string) => (files.get(path) as { contents?: Uint8Array }).contents?.length ?? 0
  expect(disk.written.some((path) => path.includes('/pg_wal/'))).toBe(true)
  expect(disk.written.reduce((sum, path) => sum + size(path), 0)).toBeLessThan(2_500_000)
  disk.written.length = 0
  await ids(db)
  flushReplica(db)
  await replicaKept(db)
  expect(disk.written.length).toBeLessThanOrEqual(2)
  await db.close()
}, 60_000)

test('a picture of the files that cannot be taken whole is not taken at all, and is told', async () => {
  const db = await open()
  await write(db, 1)
  const files = () => disk.stores.get('/pglite/balcao-1-1-test')!.get('FILE_DATA')!.rows
  const before = new Map(files())
  await db.query('CHECKPOINT')
  disk.refused = [...before.keys()].find((path) => path.endsWith('/global/pg_control'))!
  kept.length = 0
  await expect(write(db, 2)).rejects.toThrow()
  expect(kept).toEqual([false])
  const changed = [...files()].filter(([path, file]) => before.get(path) !== file)
  expect(changed.map(([path]) => path)).toEqual([])
  disk.refused = null
  await write(db, 3)
  const again = await open()
  expect(await ids(again)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
}, 60_000)

test('a disk that is full is told, and what it lacks is written when it can be', async () => {
  const db = await open()
  await write(db, 1)
  kept.length = 0
  disk.broken = true
  // Whoever forgets a command when its rows are on the disk must not forget it now.
  await expect(write(db, 2)).rejects.toThrow()
  expect(kept).toEqual([false])
  disk.broken = false
  await write(db, 3)
  expect(kept).toEqual([false, true])
  const again = await open()
  expect(await ids(again)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
}, 60_000)

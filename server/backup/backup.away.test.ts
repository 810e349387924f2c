import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FakeS3 } from '../../tests/fakes/s3/s3.ts'
import { emptyTestDatabase, type TestDatabase, testDatabase } from '../../tests/support/postgres.ts'
import { parseConfig } from '../config.ts'
import { createLogger } from '../log.ts'
import { beginErasure, carryOut } from '../privacy/privacy.erase.changes.ts'
import { rememberedOf } from '../privacy/privacy.journal.ts'
import { createSealer } from '../seal.ts'
import { fetchAway, listAway, rememberAway, writeAway } from './backup.away.ts'
import { dumpDatabase } from './backup.database.ts'
import { createNightly, prove } from './backup.nightly.ts'
import { restoreBackup } from './backup.restore.ts'

setDefaultTimeout(120_000)

const log = createLogger({ level: 'silent' })
const tools = { log, progress: () => undefined, pausesMs: [1] }
let place: string
let s3: FakeS3
let database: TestDatabase
const photo = `company1/${'a'.repeat(48)}.png`
const other = `company1/${'b'.repeat(48)}.png`

beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'balcao-away-'))
  mkdirSync(join(place, 'data', 'media', 'company1'), { recursive: true })
  writeFileSync(join(place, 'data', 'jwt.secret'), 'a secret of thirty-two characters or more\n')
  writeFileSync(join(place, 'data', 'encryption.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`)
  writeFileSync(join(place, 'data', 'media', photo), 'a picture')
  // More than two parts.
  writeFileSync(join(place, 'data', 'media', other), Buffer.alloc(20_000_000, 'balcao '))
  s3 = new FakeS3()
  s3.pageSize = 1_000
  database = await testDatabase()
})
afterEach(async () => {
  await database.close()
  await s3.stop()
  rmSync(place, { recursive: true, force: true })
})

function config(dataDir = join(place, 'data'), url = database.url, key = 5) {
  const made = parseConfig({
    ...{ DATA_DIR: dataDir, DATABASE_URL: url, BACKUP_KEEP_DAYS: '14' },
    ...{ BACKUP_S3_BUCKET: 'x', BACKUP_S3_ACCESS_KEY_ID: 'x', BACKUP_S3_SECRET_ACCESS_KEY: 'x' },
    BACKUP_KEY: Buffer.alloc(32, key).toString('base64'),
  })
  return { ...made, backup: { ...made.backup!, bucket: s3.bucket } }
}
const write = (now: Date) => writeAway(config(), database.url, { version: '5.1.0', now, ...tools })
const day = (n: number) => new Date(Date.UTC(2026, 10, n, 3, 5, 7))

test('what went into the bucket comes back: rows, keys and files, and nothing in the bucket can be read', async () => {
  await database.sql`INSERT INTO plans (name, users, connections, queues, value) VALUES ('Um plano muito secreto', 1, 1, 1, 10)`
  const { name, manifest } = await write(day(1))
  expect(name).toBe('2026-11-01T03-05-07Z')
  expect(manifest.files).toEqual({ count: 2, bytes: 20_000_009 })
  expect(await listAway(config().backup)).toEqual([name])
  for (const [key, { bytes }] of s3.objects)
    for (const secret of ['secreto', 'a picture', 'balcao balcao', 'thirty-two', photo, 'manifest'])
      expect([key, key.includes(secret) || Buffer.from(bytes).includes(secret)]).toEqual([key, false])

  const folder = join(place, 'fetched')
  await fetchAway(config().backup, name, folder, { withMedia: true, ...tools })
  const check = Bun.spawnSync(['sha256sum', '--check', '--quiet', 'SHA256SUMS'], { cwd: folder })
  expect(check.exitCode).toBe(0)
  const copy = await emptyTestDatabase()
  try {
    const target = join(place, 'other')
    await restoreBackup(config(target, copy.url), folder, tools)
    const [before, again] = [await dumpDatabase(database.sql, tools), await dumpDatabase(copy.sql, tools)]
    expect(again.tables).toEqual(before.tables)
    expect(readFileSync(join(target, 'media', photo), 'utf8')).toBe('a picture')
    expect(Bun.SHA256.hash(readFileSync(join(target, 'media', other)), 'hex')).toBe(
      Bun.SHA256.hash(readFileSync(join(place, 'data', 'media', other)), 'hex'),
    )
    expect(readFileSync(join(target, 'encryption.key'), 'utf8')).toContain(Buffer.alloc(32, 7).toString('base64'))
  } finally {
    await copy.close()
  }
})

test('each file is sent once, however many backups name it, and goes with the last that does', async () => {
  await write(day(1))
  s3.calls.length = 0
  writeFileSync(join(place, 'data', 'media', 'company1', `${'c'.repeat(48)}.png`), 'a third')
  await write(day(2))
  const sent = () => s3.calls.filter((call) => call.startsWith('PUT balcao-backup/files/'))
  expect(sent()).toHaveLength(1)
  rmSync(join(place, 'data', 'media', other))
  await write(day(3))
  expect(sent()).toHaveLength(1)
  // On the 17th the first two are older than fourteen days.
  await write(day(17))
  expect(await listAway(config().backup)).toEqual(['2026-11-03T03-05-07Z', '2026-11-17T03-05-07Z'])
  const ids = new Set([...s3.objects.keys()].flatMap((key) => /^balcao-backup\/files\/(\w+)/.exec(key)?.[1] ?? []))
  expect(ids.size).toBe(2)
  const left = new Set([...s3.objects.keys()].flatMap((key) => /^balcao-backup\/at\/([^/]+)/.exec(key)?.[1] ?? []))
  expect([...left].toSorted()).toEqual(['2026-11-03T03-05-07Z', '2026-11-17T03-05-07Z'])
  expect(await prove(config().backup, tools)).toMatchObject({ name: '2026-11-17T03-05-07Z', files: 2 })
})

test('what was cut off is no backup, and what was brought of it is not brought again', async () => {
  const cancel = new AbortController()
  const progress = (sentence: string) => sentence === 'media: 2 files' && cancel.abort(new Error('enough'))
  const asked = { version: '5.1.0', now: day(1), ...tools, progress, signal: cancel.signal }
  await expect(writeAway(config(), database.url, asked)).rejects.toThrow('enough')
  expect(await listAway(config().backup)).toEqual([])
  s3.calls.length = 0
  await write(day(2))
  expect(s3.calls.filter((call) => call.startsWith('PUT balcao-backup/files/')).length).toBeLessThan(4)
  expect([...s3.objects.keys()].some((key) => key.includes('2026-11-01'))).toBe(false)
  await prove(config().backup, tools)
})

test('a part that is damaged, missing, put in another place or sealed with another key is found', async () => {
  await write(day(1))
  const good = new Map(s3.objects)
  const file = () => [...good.keys()].filter((key) => key.startsWith('balcao-backup/files/')).toSorted()
  const rows = [...good.keys()].find((key) => key.includes('database/plans'))!
  const broken: [string, () => void, string][] = [
    [
      'a bit',
      () => {
        const { bytes, modifiedAt } = good.get(rows)!
        const changed = new Uint8Array(bytes)
        changed[changed.length - 1]! ^= 1
        s3.objects.set(rows, { bytes: changed, modifiedAt })
      },
      'does not open',
    ],
    ['a part', () => s3.objects.delete(rows), 'is missing in the bucket'],
    ['a file', () => s3.objects.delete(file().at(-1)!), 'is missing in the bucket'],
    ['the order', () => s3.objects.set(file()[0]!, good.get(file()[1]!)!), 'in the bucket'],
  ]
  for (const [what, breaks, says] of broken) {
    s3.objects.clear()
    for (const [key, object] of good) s3.objects.set(key, object)
    breaks()
    const error = (await prove(config().backup, tools).catch((given: unknown) => given)) as Error
    expect([what, error.message]).toEqual([what, expect.stringContaining(says)])
  }
  s3.objects.clear()
  for (const [key, object] of good) s3.objects.set(key, object)
  await expect(prove(config(undefined, undefined, 6).backup, tools)).rejects.toThrow('BACKUP_KEY is another key')
})

test('who was erased after the backup is erased again when it comes back, on a machine that knows the bucket alone', async () => {
  const { db } = database
  const sealer = createSealer(Buffer.alloc(32, 7))
  const [company] = await database.sql<{ id: number }[]>`INSERT INTO companies (name) VALUES ('Padaria') RETURNING id`
  const people = await database.sql<{ id: number }[]>`
    INSERT INTO contacts ("companyId", name, number) VALUES
      (${company!.id}, 'Ana Souza', '5511970000001'), (${company!.id}, 'Bia Reis', '5511970000002'),
      (${company!.id}, 'Caio Lima', '5511970000003') RETURNING id`
  const { name: first } = await write(day(1))
  let minute = 0
  const erase = async (contactId: number) => {
    const now = () => new Date(day(2).getTime() + 60_000 * ++minute)
    const about = { companyId: company!.id, contactId, userId: null, reason: 'asked', language: 'pt' as const }
    const { erasure } = await db.transaction((tx) => beginErasure(tx, { sealer, ...about, now: now() }))
    await carryOut(
      { db, sealer, now, remember: async (one) => rememberAway(config().backup, rememberedOf(one), []) },
      erasure.id,
    )
    return erasure.id
  }
  const names = async (sql: TestDatabase['sql']) =>
    (await sql<{ name: string }[]>`SELECT name FROM contacts ORDER BY id`).map(({ name }) => name)
  await erase(people[0]!.id)
  // The bucket is away: nobody stays for that, and the next backup notes it.
  s3.failing = 503
  await expect(erase(people[1]!.id)).rejects.toThrow('ERR_UNAVAILABLE')
  s3.failing = undefined
  const notes = () => [...s3.objects.keys()].filter((key) => key.startsWith('balcao-backup/erased/'))
  expect(notes()).toHaveLength(1)
  await write(day(3))
  expect(notes()).toHaveLength(2)
  for (const key of notes()) expect(Buffer.from(s3.objects.get(key)!.bytes).includes('companyId')).toBe(false)

  const folder = join(place, 'elsewhere', 'fetched')
  await fetchAway(config().backup, first, folder, { withMedia: true, ...tools })
  const copy = await emptyTestDatabase()
  try {
    expect(await restoreBackup(config(join(place, 'new-machine'), copy.url), folder, tools)).toMatchObject({
      erased: 2,
    })
    expect(await names(copy.sql)).toEqual(['Pessoa apagada', 'Pessoa apagada', 'Caio Lima'])
  } finally {
    await copy.close()
  }
  // What no backup holds any more need not be erased again.
  await write(day(20))
  expect(notes()).toEqual([])
})

test('the server makes one a day and restores one aside each week, by itself, and says when it could not', async () => {
  let now = day(1)
  const nightly = createNightly({
    config: config(),
    db: database.db,
    url: database.url,
    version: '5.1.0',
    now: () => now,
    ...tools,
  })
  const runs = () => database.sql<{ work: string; name: string; error: string | null }[]>`
    SELECT work, name, error FROM backup_runs ORDER BY id`
  const later = (hours: number) => (now = new Date(now.getTime() + hours * 3_600_000))
  await nightly.look()
  await nightly.look()
  await nightly.look()
  expect((await runs()).map(({ work, error }) => [work, error])).toEqual([
    ['made', null],
    ['restored', null],
  ])
  later(24)
  s3.failing = 403
  await nightly.look()
  expect((await runs()).at(-1)).toMatchObject({ work: 'made', error: expect.stringContaining('403') })
  await nightly.look()
  s3.failing = undefined
  later(1)
  await nightly.look()
  await nightly.look()
  expect((await runs()).map(({ error }) => error === null)).toEqual([true, true, false, true])
  later(7 * 24)
  await nightly.look()
  await nightly.look()
  expect((await runs()).slice(4).map(({ work, error }) => [work, error])).toEqual([
    ['made', null],
    ['restored', null],
  ])
  await nightly.stop()
  expect(readdirSync(tmpdir()).filter((name) => name.includes(`${process.pid}-prove-`))).toEqual([])
})

test('two servers do not work on the backups at once', async () => {
  const make = () =>
    createNightly({
      config: config(),
      db: database.db,
      url: database.url,
      version: '5.1.0',
      now: () => day(1),
      ...tools,
    })
  const [one, two] = [make(), make()]
  s3.slowMs = 3
  await Promise.all([one.look(), two.look()])
  expect(await listAway(config().backup)).toHaveLength(1)
  expect([...(await database.sql`SELECT work FROM backup_runs`)]).toHaveLength(1)
})

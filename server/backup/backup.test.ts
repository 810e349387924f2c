import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { examples } from '../../tests/example-data.ts'
import { FakeS3 } from '../../tests/fakes/s3/s3.ts'
import { type TestDatabase, emptyTestDatabase, testDatabase } from '../../tests/support/postgres.ts'
import { parseConfig } from '../config.ts'
import { createLogger } from '../log.ts'
import { createSealer, sealText } from '../seal.ts'
import { dumpDatabase } from './backup.database.ts'
import { readManifest } from './backup.format.ts'
import { restoreBackup } from './backup.restore.ts'
import { verifyBackup } from './backup.verify.ts'
import { writeBackup } from './backup.write.ts'

setDefaultTimeout(120_000)

const log = createLogger({ level: 'silent' })
const tools = { version: '5.0.0', log, progress: () => undefined }

let place: string
let dataDir: string
let database: TestDatabase
const others: TestDatabase[] = []
/** The file of the company's that is there. */
const photo = `${'a'.repeat(48)}.png`
const config = (url: string | undefined, folder = dataDir) =>
  parseConfig({ DATA_DIR: folder, ...(url !== undefined && { DATABASE_URL: url }) })

beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'balcao-backup-'))
  dataDir = join(place, 'data')
  mkdirSync(join(dataDir, 'media', 'company1'), { recursive: true })
  mkdirSync(join(dataDir, 'media', 'uploads'))
  writeFileSync(join(dataDir, 'jwt.secret'), 'a secret of thirty-two characters or more\n')
  writeFileSync(join(dataDir, 'encryption.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`)
  writeFileSync(join(dataDir, 'media', 'company1', photo), 'a picture')
  writeFileSync(join(dataDir, 'media', 'uploads', 'half'), 'half a pic')
  database = await testDatabase()
})
afterEach(async () => {
  for (const other of [database, ...others.splice(0)]) await other.close()
  rmSync(place, { recursive: true, force: true })
})

const emptyDatabase = async () => {
  const empty = await emptyTestDatabase()
  others.push(empty)
  return empty
}

/** A company, and a ticket with a message for each call of `write`. */
async function shop() {
  const eg = examples(database.db, { passwordHash: 'x' })
  const company = await eg.company()
  const whatsapp = await eg.whatsapp(company.id)
  const write = async () => {
    const ticket = await eg.ticket(company.id, { whatsappId: whatsapp.id })
    await eg.message(company.id, { ticketId: ticket.id, contactId: ticket.contactId, body: 'one\nline\tand \\ more' })
  }
  return { company, whatsapp, write }
}

test('what is backed up while people write is one moment: a pair that is written together is there together', async () => {
  const { company } = await shop()
  let going = true
  let written = 0
  const traffic = (async () => {
    while (going) {
      written++
      await database.sql.begin(async (tx) => {
        await tx`INSERT INTO queues ("companyId", name, color) VALUES (${company.id}, ${`q${written}`}, ${`#${written.toString(16).padStart(6, '0')}`})`
        // Tables are read one after the other, tags after queues.
        await tx`INSERT INTO tags ("companyId", name, color) VALUES (${company.id}, ${`q${written}`}, '#000000')`
      })
    }
  })()
  while (written < 20) await Bun.sleep(1)
  const folder = join(place, 'backup')
  await writeBackup(config(database.url), folder, tools)
  const after = written
  while (written < after + 20) await Bun.sleep(1)
  going = false
  await traffic

  await verifyBackup(folder, tools)
  const copy = await emptyDatabase()
  await restoreBackup(config(copy.url, join(place, 'other')), folder, tools)
  const names = async (table: string) =>
    (await copy.sql.unsafe<{ name: string }[]>(`SELECT name FROM ${table} ORDER BY id`)).map(({ name }) => name)
  const queues = await names('queues')
  expect(queues.length).toBeGreaterThanOrEqual(19)
  expect(queues.length).toBeLessThan(written)
  expect(await names('tags')).toEqual(queues)
})

test('a restored database holds the same rows, files and keys, and goes on counting and checking', async () => {
  const { company, write } = await shop()
  await write()
  await write()
  const folder = join(place, 'backup')
  const made = await writeBackup(config(database.url), folder, tools)
  expect(made.files).toEqual({ count: 1, bytes: 9 })
  // Keys and rows are nobody else's to read.
  expect(statSync(join(folder, 'keys', 'encryption.key')).mode & 0o077).toBe(0)
  const check = Bun.spawnSync(['sha256sum', '--check', '--quiet', 'SHA256SUMS'], { cwd: folder })
  expect(check.exitCode).toBe(0)

  const copy = await emptyDatabase()
  const target = join(place, 'other')
  await restoreBackup(config(copy.url, target), folder, tools)
  const before = await dumpDatabase(database.sql, tools)
  const again = await dumpDatabase(copy.sql, tools)
  expect(again.tables).toEqual(before.tables)
  expect(again.sequences).toEqual(before.sequences)
  expect(readFileSync(join(target, 'media', 'company1', photo), 'utf8')).toBe('a picture')
  expect(readFileSync(join(target, 'jwt.secret'), 'utf8')).toBe(readFileSync(join(dataDir, 'jwt.secret'), 'utf8'))
  expect(readdirSync(target).sort()).toEqual(['encryption.key', 'jwt.secret', 'media'])

  const shape = (sql: TestDatabase['sql']) => sql`
    SELECT pg_get_constraintdef(oid) AS is FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class c ON c.oid = indexrelid
      WHERE c.relnamespace = 'public'::regnamespace
    UNION ALL SELECT tgname::text || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`
  expect([...(await shape(copy.sql))]).toEqual([...(await shape(database.sql))])
  const [tag] = await copy.sql`
    INSERT INTO queues ("companyId", name, color) VALUES (${company.id}, 'next', '#123456') RETURNING "changeId" IS NOT NULL AS stamped`
  expect(tag?.stamped).toBe(true)
})

test('every row that programs poll is stamped by the restore, and so is told again', async () => {
  const { write } = await shop()
  await write()
  const folder = join(place, 'backup')
  await writeBackup(config(database.url), folder, tools)
  const copy = await emptyDatabase()
  await restoreBackup(config(copy.url, join(place, 'other')), folder, tools)
  for (const table of ['tickets', 'contacts', 'whatsapps', 'users']) {
    const rows = await copy.sql.unsafe(`SELECT DISTINCT "changeId"::text AS change FROM ${table}`)
    expect([table, rows.length]).toEqual([
      table,
      (await database.sql.unsafe(`SELECT FROM ${table}`)).length > 0 ? 1 : 0,
    ])
    if (rows.length > 0) expect(rows[0]?.change).toMatch(/^[0-9]+$/)
  }
})

test('ratchets are not turned twice, and what would be said twice waits for a person', async () => {
  const { company, whatsapp } = await shop()
  for (const type of ['session', 'sender-key', 'pre-key'])
    await database.sql`INSERT INTO whatsapp_keys ("whatsappId", type, id, value) VALUES (${whatsapp.id}, ${type}, '1', 'x')`
  const folder = join(place, 'backup')
  await database.sql`INSERT INTO campaigns ("companyId", name, status, seed) VALUES (${company.id}, 'Running', 'EM_ANDAMENTO', 1), (${company.id}, 'Drawn', 'INATIVA', 1)`
  await writeBackup(config(database.url), folder, tools)
  const copy = await emptyDatabase()
  const told = await restoreBackup(config(copy.url, join(place, 'other')), folder, tools)
  expect(told.pausedCampaigns).toBe(1)
  const campaigns = await copy.sql`SELECT name, status, "pauseReason" FROM campaigns ORDER BY id`
  expect([...campaigns] as unknown[]).toEqual([
    { name: 'Running', status: 'PAUSADA', pauseReason: 'restored' },
    { name: 'Drawn', status: 'INATIVA', pauseReason: null },
  ])
  const keys = await copy.sql`SELECT type FROM whatsapp_keys`
  expect(keys.map(({ type }) => type)).toEqual(['pre-key'])
})

test('nothing is restored over anything', async () => {
  const folder = join(place, 'backup')
  await writeBackup(config(database.url), folder, tools)
  await expect(writeBackup(config(database.url), folder, tools)).rejects.toThrow('exists already')
  const copy = await emptyDatabase()
  await expect(restoreBackup(config(copy.url), folder, tools)).rejects.toThrow('is not empty')
  await expect(restoreBackup(config(database.url, join(place, 'other')), folder, tools)).rejects.toThrow('not empty')
  const key = Buffer.alloc(32, 8).toString('base64')
  const strange = parseConfig({ DATA_DIR: join(place, 'third'), DATABASE_URL: copy.url, ENCRYPTION_KEY: key })
  await expect(restoreBackup(strange, folder, tools)).rejects.toThrow('ENCRYPTION_KEY is another key')
})

test('files of a bucket are in the backup, and come back into the bucket that is configured', async () => {
  const [from, to] = [new FakeS3(), new FakeS3()]
  try {
    const paths = Array.from({ length: 8 }, (_, n) => `company1/${n.toString(16).repeat(48)}.png`)
    const objects = paths.map(
      (path) => [path, { bytes: Buffer.from(`picture ${path}`), modifiedAt: new Date() }] as const,
    )
    for (const [path, object] of objects) from.objects.set(path, object)
    rmSync(join(dataDir, 'media', 'company1', photo))
    const folder = join(place, 'backup')
    const { files } = await writeBackup({ ...config(database.url), bucket: from.bucket }, folder, tools)
    expect(files.count).toBe(8)
    await verifyBackup(folder, tools)
    const copy = await emptyDatabase()
    const target = config(copy.url, join(place, 'other'))
    await restoreBackup({ ...target, bucket: to.bucket }, folder, tools)
    const text = (s3: FakeS3) => [...s3.objects].map(([path, { bytes }]) => `${path} ${Buffer.from(bytes).toString()}`)
    expect(text(to).toSorted()).toEqual(text(from).toSorted())
    expect(readdirSync(target.dataDir).sort()).toEqual(['encryption.key', 'jwt.secret'])
  } finally {
    await Promise.all([from.stop(), to.stop()])
  }
})

test('a backup that was changed, or lost a file, is refused, and nothing is left of the attempt', async () => {
  const folder = join(place, 'backup')
  await writeBackup(config(database.url), folder, tools)
  const copied = join(folder, 'media', 'company1', photo)
  const copy = await emptyDatabase()
  const target = config(copy.url, join(place, 'other'))
  writeFileSync(copied, 'a pictura')
  await expect(verifyBackup(folder, tools)).rejects.toThrow(`${photo} of the backup is damaged`)
  await expect(restoreBackup(target, folder, tools)).rejects.toThrow('damaged')
  rmSync(copied)
  await expect(verifyBackup(folder, tools)).rejects.toThrow(`${photo} is missing`)
  writeFileSync(copied, 'a picture')
  rmSync(join(folder, 'database', 'plans.copy.zst'))
  await expect(restoreBackup(target, folder, tools)).rejects.toThrow()
  expect(readdirSync(target.dataDir)).toEqual([])
  expect([...(await copy.sql`SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`)]).toEqual([])
})

test('a backup whose key is not the one of its rows is no good one', async () => {
  const eg = examples(database.db, { passwordHash: 'x' })
  const user = await eg.user((await eg.company()).id)
  const sealed = sealText(createSealer(Buffer.alloc(32, 8)), 'secret', `two-factor:${user.id}`)
  await database.sql`INSERT INTO two_factors ("userId", "companyId", secret, recovery) VALUES (${user.id}, ${user.companyId}, ${sealed}, '{}')`
  const folder = join(place, 'backup')
  await writeBackup(config(database.url), folder, tools)
  await expect(verifyBackup(folder, tools)).rejects.toThrow('does not open the second factors')
})

test('a backup of tables that this version does not know is refused in a sentence', async () => {
  const folder = join(place, 'backup')
  await writeBackup(config(database.url), folder, tools)
  const manifest = await readManifest(folder)
  manifest.migrations.push({ hash: 'of tomorrow', at: 1 })
  manifest.version = '9.0.0'
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  await expect(restoreBackup(config(undefined, join(place, 'other')), folder, tools)).rejects.toThrow(
    'made by version 9.0.0, whose tables this version does not know',
  )
})

test('what is cancelled leaves nothing half', async () => {
  for (const at of ['companies: ', 'media: ']) {
    const cancel = new AbortController()
    const progress = (sentence: string) => sentence.startsWith(at) && cancel.abort(new Error('enough'))
    const { write } = await shop()
    await write()
    await expect(
      writeBackup(config(database.url), join(place, 'backup'), { ...tools, progress, signal: cancel.signal }),
    ).rejects.toThrow()
    expect(readdirSync(place)).toEqual(['data'])
  }
  await writeBackup(config(database.url), join(place, 'backup'), tools)
  const copy = await emptyDatabase()
  const cancel = new AbortController()
  const progress = (sentence: string) => sentence.startsWith('index 3 ') && cancel.abort(new Error('enough'))
  const target = config(copy.url, join(place, 'other'))
  await expect(
    restoreBackup(target, join(place, 'backup'), { ...tools, progress, signal: cancel.signal }),
  ).rejects.toThrow('enough')
  expect(readdirSync(target.dataDir)).toEqual([])
  expect([...(await copy.sql`SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace`)]).toEqual([])
})

test('a backup of an older day is brought to the tables of today', async () => {
  const folder = join(place, 'backup')
  await writeBackup(config(database.url), folder, tools)
  const manifest = await readManifest(folder)
  expect(manifest.migrations.length).toBeGreaterThan(0)
  const target = join(place, 'other')
  await restoreBackup(config(undefined, target), folder, tools)
  expect(existsSync(join(target, 'postgres', 'PG_VERSION'))).toBe(true)
  expect(readdirSync(target).sort()).toEqual(['encryption.key', 'jwt.secret', 'media', 'postgres', 'postgres.secret'])
})

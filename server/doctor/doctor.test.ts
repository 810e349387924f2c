import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FakeS3 } from '../../tests/fakes/s3/s3.ts'
import { examples } from '../../tests/example-data.ts'
import { emptyTestDatabase, type TestDatabase, testDatabase } from '../../tests/support/postgres.ts'
import { createSealer, sealText } from '../seal.ts'
import { writeUpgrades } from '../upgrade/upgrade.state.ts'
import { examine, type Finding } from './doctor.ts'

setDefaultTimeout(60_000)

let dataDir: string
let database: TestDatabase
const env = (more: Record<string, string> = {}) => ({
  ...{ DATA_DIR: dataDir, DATABASE_URL: database.url, PORT: '0' },
  ...more,
})
const key = Buffer.alloc(32, 7)

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'balcao-doctor-'))
  writeFileSync(join(dataDir, 'jwt.secret'), 'a secret of thirty-two characters or more\n', { mode: 0o600 })
  writeFileSync(join(dataDir, 'encryption.key'), `${key.toString('base64')}\n`, { mode: 0o600 })
  database = await testDatabase()
})
afterEach(async () => {
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const of = (findings: Finding[], name: string) => findings.find((finding) => finding.name === name)

test('a sound installation has no fault, and each warning names its remedy', async () => {
  const findings = await examine(env())
  expect(findings.filter(({ state }) => state === 'fault')).toEqual([])
  expect(of(findings, 'Tables')).toMatchObject({ state: 'good' })
  expect(of(findings, 'Keys')).toMatchObject({ state: 'good' })
  for (const { state, remedy } of findings) expect(remedy !== undefined).toBe(state !== 'good')
})

test('a wrong variable is named, and nothing else is tried', async () => {
  const findings = await examine(env({ PORT: 'many' }))
  expect(findings).toHaveLength(1)
  expect(findings[0]).toMatchObject({ state: 'fault', says: expect.stringContaining('PORT must be') })
})

test('keys that others may read, or that are missing, are faults with what to do', async () => {
  chmodSync(join(dataDir, 'encryption.key'), 0o644)
  expect(of(await examine(env()), 'Data folder')).toMatchObject({
    state: 'fault',
    remedy: expect.stringContaining('chmod 600'),
  })
  rmSync(join(dataDir, 'encryption.key'))
  expect(of(await examine(env()), 'Keys')).toMatchObject({
    state: 'fault',
    says: 'encryption.key is missing',
    remedy: expect.stringContaining('linked again'),
  })
})

test('a key that is not the one of the WhatsApp sessions is found before a start does harm', async () => {
  const eg = examples(database.db, { passwordHash: 'x' })
  const { id } = await eg.whatsapp((await eg.company()).id)
  const seal = (bytes: Buffer) =>
    database.sql`INSERT INTO whatsapp_keys ("whatsappId", type, id, value)
      VALUES (${id}, 'session', '1', ${createSealer(bytes).seal(Buffer.from('x'), `key/${id}/session/1`)})`
  await seal(key)
  expect(of(await examine(env()), 'Keys')).toMatchObject({ state: 'good' })
  await database.sql`DELETE FROM whatsapp_keys`
  await seal(Buffer.alloc(32, 8))
  expect(of(await examine(env()), 'Keys')).toMatchObject({ state: 'fault' })
})

test('the key is tried at whatever is sealed, also where no phone was ever linked', async () => {
  const seal = (bytes: Buffer) =>
    sealText(createSealer(bytes), JSON.stringify({ webhookSecret: 'x' }), 'payment_accounts')
  await database.sql`INSERT INTO companies (id, name, email) VALUES (1, 'Operadora', 'a@b.test')`
  await database.sql`INSERT INTO payment_accounts ("companyId", provider, config, secrets) VALUES (1, 'pix', '{}', ${seal(Buffer.alloc(32, 8))})`
  expect(of(await examine(env()), 'Keys')).toMatchObject({
    ...{ state: 'fault', says: 'encryption.key does not open how the operator is paid' },
  })
  await database.sql`UPDATE payment_accounts SET secrets = ${seal(key)}`
  expect(of(await examine(env()), 'Keys')).toMatchObject({ state: 'good' })
  // Cut off, as by a disk that was full.
  writeFileSync(join(dataDir, 'encryption.key'), 'BwcH\n', { mode: 0o600 })
  expect(of(await examine(env()), 'Keys')).toMatchObject({ state: 'fault' })
})

test('files that rows name and nobody has, and jobs that were given up, are counted', async () => {
  const eg = examples(database.db, { passwordHash: 'x' })
  const company = await eg.company()
  const ticket = await eg.ticket(company.id)
  const message = { ticketId: ticket.id, contactId: ticket.contactId }
  mkdirSync(join(dataDir, 'media', 'company1'), { recursive: true })
  const [there, gone] = ['a', 'b'].map((digit) => `company1/${digit.repeat(48)}.png`)
  writeFileSync(join(dataDir, 'media', there!), 'x')
  await eg.message(company.id, { ...message, mediaPath: there! })
  expect(of(await examine(env()), 'Media')).toMatchObject({ state: 'good' })
  await eg.message(company.id, { ...message, mediaPath: gone! })
  await database.sql`INSERT INTO jobs (kind, payload, "failedAt") VALUES ('push.send', '{}', now()), ('push.send', '{}', now())`
  const findings = await examine(env())
  expect(of(findings, 'Media')).toMatchObject({ state: 'fault', says: `1 of the newest 2 files are missing: ${gone}` })
  writeFileSync(join(dataDir, 'media', gone!), 'x')
  await database.sql`UPDATE messages SET "mediaSize" = 9 WHERE "mediaPath" = ${gone!}`
  expect(of(await examine(env()), 'Media')).toMatchObject({
    ...{ state: 'fault', says: '1 of the newest 2 files are cut off' },
  })
  expect(of(findings, 'Jobs')).toMatchObject({ state: 'warning', says: 'given up: 2 × push.send' })
})

test('with a bucket, a file that lies in neither place is named, and those that are still to be moved are counted', async () => {
  const s3 = new FakeS3()
  try {
    const { name, endpoint, region, accessKeyId, secretAccessKey } = s3.bucket
    const keys = { S3_BUCKET: name, S3_ENDPOINT: endpoint!, S3_REGION: region }
    const bucket = { ...keys, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey }
    const eg = examples(database.db, { passwordHash: 'x' })
    const company = await eg.company()
    const ticket = await eg.ticket(company.id)
    const [inFolder, inBucket, gone] = ['a', 'b', 'c'].map((digit) => `company1/${digit.repeat(48)}.png`)
    const named = async (mediaPath: string) =>
      void (await eg.message(company.id, { ticketId: ticket.id, contactId: ticket.contactId, mediaPath }))
    mkdirSync(join(dataDir, 'media', 'company1'), { recursive: true })
    writeFileSync(join(dataDir, 'media', inFolder!), 'x')
    s3.objects.set(inBucket!, { bytes: new Uint8Array(1), modifiedAt: new Date() })
    await named(inFolder!)
    await named(inBucket!)
    expect(of(await examine(env(bucket)), 'Media')).toMatchObject({
      ...{ state: 'warning', says: expect.stringContaining('1 are not yet where MEDIA_IN says') },
      remedy: expect.stringContaining('media:move'),
    })
    await named(gone!)
    expect(of(await examine(env(bucket)), 'Media')).toMatchObject({
      ...{ state: 'fault', says: `1 of the newest 3 files lie neither in the bucket nor in the folder: ${gone}` },
    })
  } finally {
    await s3.stop()
  }
})

test('backups that the server should make by itself, and does not, are a fault', async () => {
  const backup = {
    ...{ BACKUP_S3_BUCKET: 'x', BACKUP_S3_ACCESS_KEY_ID: 'x', BACKUP_S3_SECRET_ACCESS_KEY: 'x' },
    BACKUP_KEY: Buffer.alloc(32, 5).toString('base64'),
  }
  expect(of(await examine(env()), 'Backups')).toBeUndefined()
  expect(of(await examine(env(backup)), 'Backups')).toMatchObject({ state: 'warning' })
  const ran = (work: string, hoursAgo: number, error: string | null = null) => database.sql`
    INSERT INTO backup_runs (work, name, error, "startedAt", "endedAt")
    VALUES (${work}, 'x', ${error}, now() - ${hoursAgo} * interval '1 hour', now() - ${hoursAgo} * interval '1 hour')`
  await ran('made', 20)
  await ran('restored', 100)
  expect(of(await examine(env(backup)), 'Backups')).toMatchObject({ state: 'good' })
  await ran('restored', 3, 'the rows are others')
  expect(of(await examine(env(backup)), 'Backups')).toMatchObject({
    ...{ state: 'fault', says: expect.stringContaining('the rows are others') },
  })
  await database.sql`DELETE FROM backup_runs`
  await ran('made', 50)
  expect(of(await examine(env(backup)), 'Backups')).toMatchObject({ state: 'fault' })
})

test('a database that is away, older or newer than this version is told apart', async () => {
  const away = await examine(env({ DATABASE_URL: 'postgres://who:secret@127.0.0.1:1/none' }))
  expect(of(away, 'Database')).toMatchObject({ state: 'fault', says: expect.stringContaining('cannot be reached') })
  expect(JSON.stringify(away)).not.toContain('secret@')
  const empty = await emptyTestDatabase()
  try {
    expect(of(await examine(env({ DATABASE_URL: empty.url })), 'Tables')).toMatchObject({
      state: 'warning',
      says: expect.stringContaining('migrations wait'),
    })
  } finally {
    await empty.close()
  }
  await database.sql`INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('of tomorrow', 1)`
  expect(of(await examine(env()), 'Tables')).toMatchObject({ state: 'fault' })
})

test('a database whose password is gone is named, and nothing is made in its place', async () => {
  mkdirSync(join(dataDir, 'postgres'))
  const findings = await examine({ DATA_DIR: dataDir, PORT: '0' })
  expect(of(findings, 'Database')).toMatchObject({
    ...{ state: 'fault', says: expect.stringContaining('postgres.secret is missing') },
  })
  expect(existsSync(join(dataDir, 'postgres.secret'))).toBe(false)
})

test('an upgrade that was interrupted or went back, and a version whose folder is gone, are named with what to do', async () => {
  const version = (folder: string, number: string) => ({ folder, version: number, stamp: number, bun: 'bun' })
  const [from, to] = [version('/srv/old', '5.2.0'), version(join(import.meta.dir, '..', '..'), '5.3.0')]
  const last = { from, to, at: '2026-11-30T10:00:00.000Z' }
  const found = async () => of(await examine(env()), 'Version')
  expect(await found()).toBeUndefined()
  writeUpgrades(dataDir, { before: [], last: { ...last, state: 'begun' } })
  expect(await found()).toMatchObject({ state: 'fault', says: expect.stringContaining('from 5.2.0 to 5.3.0') })
  writeUpgrades(dataDir, { before: [], last: { ...last, state: 'back', why: 'it was not ready within 60 s.' } })
  expect(await found()).toMatchObject({
    state: 'warning',
    says: expect.stringContaining('went back: it was not ready'),
  })
  writeUpgrades(dataDir, { runs: to, before: [from], last: { ...last, state: 'done' } })
  expect(await found()).toMatchObject({ state: 'good' })
  writeUpgrades(dataDir, { runs: version('/srv/nowhere', '5.3.0'), before: [from], last: { ...last, state: 'done' } })
  expect(await found()).toMatchObject({ state: 'fault', says: expect.stringContaining('/srv/nowhere is gone') })
})

test('a taken port and a mail server that is away are named with the variable to change', async () => {
  const taken = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } })
  const findings = await examine(
    env({ PORT: String(taken.port), MAIL_HOST: '127.0.0.1', MAIL_PORT: '1', MAIL_FROM: 'a@b.test' }),
  )
  taken.stop(true)
  expect(of(findings, 'Port')).toMatchObject({ state: 'fault', remedy: expect.stringContaining('PORT') })
  expect(of(findings, 'Mail')).toMatchObject({ state: 'fault', remedy: expect.stringContaining('MAIL_HOST') })
})

test('an Electric that is away, or has another secret, is a fault with what to do', async () => {
  const electric = Bun.serve({
    port: 0,
    fetch: (request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/v1/health') return Response.json({ status: 'active' })
      return new Response(null, { status: searchParams.get('secret') === 'the-same' ? 400 : 401 })
    },
  })
  const found = async (secret: string) =>
    of(await examine(env({ ELECTRIC_URL: `http://127.0.0.1:${electric.port}`, ELECTRIC_SECRET: secret })), 'Electric')
  expect(of(await examine(env()), 'Electric')).toBeUndefined()
  expect(await found('the-same')).toMatchObject({ state: 'good' })
  expect(await found('another-one')).toMatchObject({
    ...{ state: 'fault', remedy: expect.stringContaining('ELECTRIC_SECRET') },
  })
  await electric.stop(true)
  expect(await found('the-same')).toMatchObject({ state: 'fault', remedy: expect.stringContaining('ELECTRIC_URL') })
})

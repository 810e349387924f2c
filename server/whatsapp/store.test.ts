import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { testDatabase, type TestDatabase } from '../../tests/support/postgres.ts'
import { proto } from './baileys.ts'
import type { ProtoRow } from './store.rows.ts'
import { createStore, type WhatsappStore } from './store.ts'

let database: TestDatabase
let store: WhatsappStore
let id: number
/** What the store warned of: a shared write that failed says so before it goes on one by one. */
let warnings: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })

beforeAll(async () => {
  database = await testDatabase()
  const [company] = await database.sql<{ id: number }[]>`
    INSERT INTO companies ("name") VALUES ('Padaria') RETURNING "id"`
  const [connection] = await database.sql<{ id: number }[]>`
    INSERT INTO whatsapps ("companyId", "name", "token") VALUES (${company!.id}, 'Main', 'token') RETURNING "id"`
  id = connection!.id
  store = createStore(database.sql, randomBytes(32), log)
})
beforeEach(() => {
  warnings = []
})
afterAll(() => database.close())

let messages = 0
const row = (wid: string, awaitingAck: boolean, text = `message ${++messages}`): ProtoRow => ({
  whatsappId: id,
  wid,
  message: proto.WebMessageInfo.encode({ key: { id: wid }, message: { conversation: text } }).finish(),
  awaitingAck,
})
const confirmed = (wid: string) => ({ confirmed: [{ whatsappId: id, wid }] })
const isUnconfirmed = async (wid: string) => (await store.unconfirmed(id)).some((one) => one.wid === wid)

describe('changes that share a write', () => {
  test('keep a message that is sent again while its confirmation is stored', async () => {
    await store.commit({ protos: [row('again', true)] })
    await Promise.all([store.commit(confirmed('again')), store.commit({ protos: [row('again', true, 'kept')] })])
    expect(warnings).toEqual([])
    expect((await store.message(id, 'again'))?.message?.conversation).toBe('kept')
    // It left after the confirmation: the service will say again that it has it.
    expect(await isUnconfirmed('again')).toBe(true)
  })

  test('confirm a message that is kept in the same write', async () => {
    await Promise.all([store.commit({ protos: [row('at once', true)] }), store.commit(confirmed('at once'))])
    expect(warnings).toEqual([])
    expect(await store.message(id, 'at once')).not.toBeNull()
    expect(await isUnconfirmed('at once')).toBe(false)

    await store.commit({ protos: [row('known', true)] })
    await Promise.all([store.commit({ protos: [row('known', true)] }), store.commit(confirmed('known'))])
    expect(warnings).toEqual([])
    expect(await isUnconfirmed('known')).toBe(false)
  })

  test('still wait for the word on a message of ours whose copy arrives meanwhile', async () => {
    await Promise.all([
      store.commit({ protos: [row('copied', true)] }),
      store.commit({ protos: [row('copied', false, 'copy')] }),
    ])
    expect(warnings).toEqual([])
    expect((await store.message(id, 'copied'))?.message?.conversation).toBe('copy')
    expect(await isUnconfirmed('copied')).toBe(true)
  })

  test('leave what the same changes leave one after the other, in every order', async () => {
    type Step = (wid: string) => Parameters<WhatsappStore['commit']>[0]
    const steps: Step[] = [
      (wid) => ({ protos: [row(wid, true, 'sent')] }),
      (wid) => ({ protos: [row(wid, false, 'copy')] }),
      confirmed,
      (wid) => ({ keys: [{ whatsappId: id, type: 'session', id: wid, value: '"one"' }] }),
      (wid) => ({ keys: [{ whatsappId: id, type: 'session', id: wid, value: null }] }),
    ]
    const left = async (wid: string) => {
      const [keys] = await database.sql`SELECT count(*)::int AS n FROM whatsapp_keys WHERE "id" = ${wid}`
      const text = (await store.message(id, wid))?.message?.conversation
      return { text, unconfirmed: await isUnconfirmed(wid), keys: keys!.n as number }
    }
    let n = 0
    for (const a of steps)
      for (const b of steps)
        for (const c of steps) {
          const [apart, together] = [`apart ${++n}`, `together ${n}`]
          for (const step of [a, b, c]) await store.commit(step(apart))
          await Promise.all([a, b, c].map((step) => store.commit(step(together))))
          expect(await left(together)).toEqual(await left(apart))
        }
    expect(warnings).toEqual([])
  })
})

test('of a device’s tokens the rows are the list: told once to each link, and never written', async () => {
  const keys = store.keyStore(id, () => true)
  const token = (text: string) => ({ token: Buffer.from(text) })
  const index = (names: string[]) => ({ __index: { token: Buffer.from(JSON.stringify(names)) } })
  await keys.set({ tctoken: { 'ana@lid': token('a'), ...index(['ana@lid']) } })
  await keys.set({ tctoken: { 'rui@lid': token('r'), ...index(['ana@lid', 'rui@lid']) } })
  const rows =
    await database.sql`SELECT "id" FROM whatsapp_keys WHERE "whatsappId" = ${id} AND "type" = 'tctoken' ORDER BY "id"`
  expect(rows.map((row) => row['id'])).toEqual(['ana@lid', 'rui@lid'])
  const next = store.keyStore(id, () => true)
  const { __index: told } = await next.get('tctoken', ['__index'])
  expect((JSON.parse(String(told!.token)) as string[]).sort()).toEqual(['ana@lid', 'rui@lid'])
  expect(await next.get('tctoken', ['__index'])).toEqual({})
  expect(String((await next.get('tctoken', ['rui@lid']))['rui@lid']!.token)).toBe('r')
})

test('a value that the database has is not written again; one whose write is under way or failed is', async () => {
  const keys = store.keyStore(id, () => true)
  const session = (text: string) => ({ session: { 'ana.0': text as unknown as Uint8Array } })
  const version = async () =>
    (await database.sql`SELECT xmin::text AS v FROM whatsapp_keys WHERE "whatsappId" = ${id} AND "id" = 'ana.0'`)[0]![
      'v'
    ]
  await keys.set(session('one'))
  const first = await version()
  await keys.set(session('one'))
  expect(await version()).toBe(first)
  await Promise.all([keys.set(session('two')), keys.set(session('one'))])
  expect(await version()).not.toBe(first)
  expect((await store.keyStore(id, () => true).get('session', ['ana.0']))['ana.0'] as unknown).toBe('one')
})

describe('a server beside others', () => {
  const key = randomBytes(32)
  const owned = (owner: string) => createStore(database.sql, key, log, owner)
  const lease = (owner: string) => database.sql`
    INSERT INTO whatsapp_leases ("whatsappId", "owner", "until") VALUES (${id}, ${owner}, now() + interval '1 minute')
    ON CONFLICT ("whatsappId") DO UPDATE SET "owner" = excluded."owner"`
  const ratchet = (value: string) => ({
    keys: [{ whatsappId: id, type: 'session', id: 'lia', value: JSON.stringify(value) }],
  })
  const stored = async () =>
    (await database.sql`SELECT "value" FROM whatsapp_keys WHERE "whatsappId" = ${id} AND "id" = 'lia'`).map(
      (one) => one.value as Buffer,
    )

  test('that lost its lease and does not know it yet writes no keys and no credentials of the device', async () => {
    const [before, after] = [owned('before'), owned('after')]
    await lease('before')
    await before.commit(ratchet('one'))
    await before.saveCreds(id, (await before.loadCreds(id)).creds)
    await lease('after')
    await after.commit(ratchet('two'))
    const kept = await stored()
    await expect(before.commit(ratchet('three'))).rejects.toThrow('could not be written')
    await expect(before.saveCreds(id, (await before.loadCreds(id)).creds)).rejects.toThrow('another server')
    expect(await stored()).toEqual(kept)
    // What was written together with it is none of that device's keys, and is kept.
    await Promise.all([
      before.commit(ratchet('four')).catch(() => undefined),
      before.commit({ protos: [row('beside', false)] }),
    ])
    expect(await stored()).toEqual(kept)
    expect(await before.message(id, 'beside')).not.toBeNull()
    await database.sql`DELETE FROM whatsapp_leases WHERE "whatsappId" = ${id}`
    await expect(after.commit(ratchet('five'))).rejects.toThrow('could not be written')
  })

  test('takes a device over when the write that is under way is done, and finds its keys', async () => {
    const before = owned('before')
    await lease('before')
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    // A write that waits for its commit.
    const writing = database.sql.begin(async (tx) => {
      await tx`SELECT FROM whatsapp_leases WHERE "whatsappId" = ${id} AND "owner" = 'before' FOR SHARE`
      begun.resolve()
      await held
    })
    await begun.promise
    let isTaken = false
    const taking = lease('after').then(() => void (isTaken = true))
    await before.commit(ratchet('six'))
    expect(isTaken).toBe(false)
    go()
    await Promise.all([writing, taking])
    await expect(before.commit(ratchet('seven'))).rejects.toThrow('could not be written')
  })
})

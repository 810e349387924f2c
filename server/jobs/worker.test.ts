import { afterEach, beforeEach, expect, test } from 'bun:test'
import { companies } from '../../schema/companies/companies.table.ts'
import type { Effect } from '../../schema/effects.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { testDatabase, type TestDatabase } from '../../tests/support/postgres.ts'
import { actAs, actorNow, asCall, callIs, requestIdNow } from '../actor.ts'
import { createLogger } from '../log.ts'
import { addJobs } from './queue.ts'
import { type Handlers, type JobWorker, NotNow, startJobWorker } from './worker.ts'

let database: TestDatabase
const workers: JobWorker[] = []

beforeEach(async () => {
  database = await testDatabase()
})

afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop()
  await database.close()
})

/** A worker whose only work is `send`, told of each job's name. */
function work(send: (name: string) => Promise<void>, open: number[] = [1]): JobWorker {
  const worker = startJobWorker({
    sql: database.sql,
    log: createLogger({ level: 'silent' }),
    handlers: { 'whatsapp.send': ({ messageId }) => send(messageId) } as Partial<Handlers> as Handlers,
    openConnections: () => open,
    pollMs: 20,
  })
  workers.push(worker)
  return worker
}

const add = (...all: { name: string; lane?: string; whatsappId?: number }[]) =>
  database.db.insert(jobs).values(
    all.map(({ name, lane = null, whatsappId = 1 }) => ({
      ...{ kind: 'whatsapp.send', payload: { messageId: name }, lane, whatsappId },
    })),
  )

async function until(what: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await what())) await Bun.sleep(5)
}

const send = (messageId: string, chat: number, by?: 'agent' | 'many'): Effect => ({
  ...{ kind: 'whatsapp.send', messageId, whatsappId: 1, chat },
  ...(by ? { by } : {}),
})

const aCompany = async () => (await database.db.insert(companies).values({ name: 'Loja' }).returning())[0]!.id

const left = async () => (await database.db.select().from(jobs)).length

test('what a chat is told goes in order, one after the other; other chats do not wait for it', async () => {
  await add(...Array.from({ length: 30 }, (_, n) => ({ name: `${n % 3}/${Math.floor(n / 3)}`, lane: `chat ${n % 3}` })))
  const said: string[] = []
  const busy = new Set<string>()
  let together = 0
  const worker = work(async (name) => {
    const chat = name.split('/')[0]!
    expect(busy.has(chat)).toBe(false)
    busy.add(chat)
    together = Math.max(together, busy.size)
    await Bun.sleep(1)
    busy.delete(chat)
    said.push(name)
  })
  await until(() => said.length === 30)
  await worker.stop()
  for (const chat of ['0', '1', '2'])
    expect(said.filter((name) => name.startsWith(chat))).toEqual(Array.from({ length: 10 }, (_, n) => `${chat}/${n}`))
  expect(together).toBeGreaterThan(1)
  expect(await left()).toBe(0)
})

test('an agent’s message leaves at once, however much programs have to say; and what waits leaves all the same', async () => {
  const companyId = await aCompany()
  await addJobs(
    database.db,
    companyId,
    Array.from({ length: 3_000 }, (_, n) => send(`program ${n}`, n, 'many')),
  )
  const said: string[] = []
  const worker = work(async (name) => {
    said.push(name)
    await Bun.sleep(100)
  })
  await until(() => said.length >= 8)
  const before = said.length
  await addJobs(database.db, companyId, [send('agent', 9_999, 'agent'), send('flow', 9_998)])
  worker.wake()
  await until(() => said.includes('agent') && said.includes('flow'))
  // What programs say in a second: eight at a time, a tenth of a second each.
  expect(said.length - before).toBeLessThan(80)
  // Agents who never cease to write hold nobody up for good.
  const others = () => said.filter((name) => name.startsWith('program')).length
  await addJobs(
    database.db,
    companyId,
    Array.from({ length: 500 }, (_, n) => send(`agent ${n}`, 10_000 + n, 'agent')),
  )
  const so = others()
  await until(() => others() >= so + 16)
  expect(said.filter((name) => name.startsWith('agent')).length).toBeLessThan(500)
})

test('what a program said in a chat before the agent leaves before the agent’s message, and as soon', async () => {
  const companyId = await aCompany()
  await addJobs(
    database.db,
    companyId,
    Array.from({ length: 3_000 }, (_, n) => send(`program ${n}`, n, 'many')),
  )
  // Of one chat, behind all of these.
  const chat = 9_999
  await addJobs(database.db, companyId, [
    send('before 1', chat, 'many'),
    send('before 2', chat),
    send('agent', chat, 'agent'),
    send('after', chat, 'many'),
  ])
  const said: string[] = []
  work(async (name) => {
    said.push(name)
    await Bun.sleep(20)
  })
  await until(() => said.includes('agent'))
  expect(said.length).toBeLessThan(500)
  expect(said.filter((name) => !name.startsWith('program'))).toEqual(['before 1', 'before 2', 'agent'])
})

test('with thousands due, taking the next ones reads few of them, however few there were when they were counted', async () => {
  const companyId = await aCompany()
  const own = await database.sql.reserve()
  const take = () => own`SELECT "rank" FROM turn_over_jobs('{}', 'a', '{1}', interval '1 minute', '{8,16,8}')`
  const read = async () => {
    const [counted] = await own<
      { read: number }[]
    >`SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'jobs'`
    return counted!.read
  }
  const readsFewOfThousands = async () => {
    for (let from = 0; from < 20_000; from += 5_000)
      await addJobs(
        database.db,
        companyId,
        Array.from({ length: 5_000 }, (_, n) => send(`program ${from + n}`, (from + n) % 2_000, 'many')),
      )
    await addJobs(database.db, companyId, [send('agent', 9_999, 'agent')])
    await own`BEGIN`
    const before = await read()
    expect((await take()).map(({ rank }) => rank)).toEqual([0, ...Array.from({ length: 8 }, () => 2)])
    expect((await read()) - before).toBeLessThan(200)
    await own`ROLLBACK`
  }
  try {
    // Never counted yet.
    await readsFewOfThousands()
    await database.sql`DELETE FROM jobs`
    await addJobs(database.db, companyId, [send('program alone', 1, 'many')])
    await database.sql`ANALYZE jobs`
    // The plan is made, and kept, for the one.
    await take()
    await readsFewOfThousands()
  } finally {
    await own`ROLLBACK`
    own.release()
  }
})

test('what is done has no row when the worker has ended, though nothing else was due', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let begun = false
  const worker = work(async () => {
    begun = true
    await promise
  })
  await add({ name: 'alone' })
  await until(() => begun)
  const ended = worker.stop()
  resolve()
  await ended
  expect(await left()).toBe(0)
})

test('a job of a connection that is not open here waits, and holds up nobody', async () => {
  await add({ name: 'elsewhere', whatsappId: 2 }, { name: 'here' })
  const said: string[] = []
  work(async (name) => void said.push(name))
  await until(async () => said.length === 1 && (await left()) === 1)
  expect(said).toEqual(['here'])
})

test('what has to wait is tried again, and what comes after it in its chat waits behind it', async () => {
  await add({ name: 'first', lane: 'chat' }, { name: 'second', lane: 'chat' })
  const tried: string[] = []
  work(async (name) => {
    tried.push(name)
    if (tried.length === 1) throw new NotNow('the line is down', 1)
  })
  await until(() => tried.length === 3)
  expect(tried).toEqual(['first', 'first', 'second'])
})

test('what a call wakes is done by nobody in particular: not in the name of who called, nor under the call’s id', async () => {
  const seen: unknown[] = []
  const worker = work(async () => void seen.push([actorNow(), requestIdNow()]))
  await Bun.sleep(50)
  await asCall(async () => {
    actAs({ kind: 'user', id: 7, name: 'Ana', ip: null })
    callIs('the call')
    await add({ name: 'somebody else’s' })
    worker.wake()
    await until(() => seen.length === 1)
    expect([actorNow()?.kind, requestIdNow()]).toEqual(['user', 'the call'])
  })
  expect(seen).toEqual([[undefined, undefined]])
})

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { pino } from 'pino'
import { linkedDevices } from '../../schema/whatsapps/whatsapps.providers.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { type TestDatabase, testDatabase } from '../../tests/support/postgres.ts'
import { type Alive, createAlive } from './alive.ts'
import { createLease } from './lease.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
let companyId: number
beforeAll(async () => {
  database = await testDatabase()
  const [company] = await database.db.insert(companies).values({ name: 'Padaria', phone: '5511900000000' }).returning()
  companyId = company!.id
})
afterAll(() => database.close())

let servers = 0
/** A server that says that it lives, with leases of a minute; for dead it is taken after a fifth of a second. */
async function server() {
  const owner = `server-${++servers}`
  let losses = 0
  const alive: Alive = createAlive({
    ...{ url: database.url, owner, log: pino({ level: 'silent' }) },
    lost: () => void losses++,
  })
  await alive.hold()
  return { owner, alive, lease: createLease(database.sql, owner, linkedDevices, 60_000, 200), losses: () => losses }
}
async function connection(): Promise<number> {
  const token = crypto.randomUUID()
  const [row] = await database.db.insert(whatsapps).values({ companyId, name: token, token, wanted: true }).returning()
  return row!.id
}
async function eventually<T>(read: () => Promise<T>, isRight: (value: T) => boolean): Promise<void> {
  for (const deadline = Date.now() + 15_000; !isRight(await read()); await Bun.sleep(20))
    if (Date.now() > deadline) throw new Error('it never came true')
}

test('what a server that died held is free as soon as nobody sees it any more, long before its lease ends', async () => {
  const [dead, next] = [await server(), await server()]
  const id = await connection()
  expect(await dead.lease.claim([id])).toEqual([{ id, companyId }])
  // It lives: what it has not renewed for a moment is its own all the same.
  await Bun.sleep(400)
  expect(await next.lease.free()).not.toContain(id)
  expect(await next.lease.claim([id])).toEqual([])
  await dead.alive.close()
  await eventually(
    () => next.lease.free(),
    (free) => free.includes(id),
  )
  expect(await next.lease.claim([id])).toEqual([{ id, companyId }])
  expect(await dead.lease.renew([id])).toEqual([])
  await next.alive.close()
})

test('a server that lives and lost the connection on which it says so keeps what it renews, and says it again', async () => {
  const [cut, other] = [await server(), await server()]
  const id = await connection()
  await cut.lease.claim([id])
  await database.sql`SELECT pg_terminate_backend(p."pid") FROM pg_locks p
    WHERE p."locktype" = 'advisory' AND p."objid"::bigint = (hashtext(${cut.owner})::bigint & 4294967295)`
  await eventually(
    async () => cut.losses(),
    (losses) => losses === 1,
  )
  expect(cut.alive.isHeld).toBe(false)
  expect(await cut.lease.renew([id])).toEqual([id])
  expect(await other.lease.claim([id])).toEqual([])
  await cut.alive.hold()
  expect(cut.alive.isHeld).toBe(true)
  await Bun.sleep(400)
  expect(await other.lease.claim([id])).toEqual([])
  await cut.alive.close()
  await other.alive.close()
})

test('two with one name do not both believe that the others see them', async () => {
  const first = await server()
  const alive = createAlive({
    ...{ url: database.url, owner: first.owner, log: pino({ level: 'silent' }) },
    lost: () => undefined,
  })
  await alive.hold()
  expect([first.alive.isHeld, alive.isHeld]).toEqual([true, false])
  await first.alive.close()
  await eventually(
    async () => (await alive.hold(), alive.isHeld),
    (isHeld) => isHeld,
  )
  await alive.close()
})

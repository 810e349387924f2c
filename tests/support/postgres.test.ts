import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { emptyTestDatabase, testDatabase } from './postgres.ts'

// A new slot waits for every transaction of the server, other tests' included.
setDefaultTimeout(60_000)

const open: { close: () => Promise<void> }[] = []
afterAll(async () => {
  for (const database of open) await database.close()
})

test('each call gives a migrated database of its own, fit for logical replication', async () => {
  const [first, second] = await Promise.all([testDatabase(), testDatabase()])
  open.push(first, second)
  await first.sql`CREATE TABLE only_here (id int)`
  const [here] =
    await first.sql`SELECT to_regclass('only_here') AS found, to_regclass('tickets') AS migrated, current_setting('wal_level') AS wal`
  const [there] = await second.sql`SELECT to_regclass('only_here') AS found`
  expect(here).toMatchObject({ found: 'only_here', migrated: 'tickets', wal: 'logical' })
  expect(there?.found).toBeNull()
})

test('a database goes away with its replication slots', async () => {
  const database = await emptyTestDatabase()
  const other = await emptyTestDatabase()
  open.push(other)
  const name = `slot_${crypto.randomUUID().replaceAll('-', '')}`
  await database.sql`SELECT pg_create_logical_replication_slot(${name}, 'pgoutput')`
  await database.close()
  const [left] = await other.sql`SELECT FROM pg_replication_slots WHERE slot_name = ${name}`
  expect(left).toBeUndefined()
})

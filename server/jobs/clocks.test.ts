import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { testDatabase, type TestDatabase } from '../../tests/support/postgres.ts'
import { until } from '../../tests/support/stack.ts'
import { startClocks } from './clocks.ts'

/** Two servers on one database, each a process of its own. */
let database: TestDatabase
const running: Bun.Subprocess[] = []
beforeAll(async () => {
  database = await testDatabase()
  for (const table of ['notes', 'own_notes'])
    await database.sql.unsafe(
      `CREATE TABLE ${table} (id bigserial, holder text NOT NULL, at timestamptz DEFAULT now())`,
    )
})
afterAll(async () => {
  for (const server of running) server.kill('SIGKILL')
  await database.close()
})

// A busy machine lets a server wait; so long none does.
const LEASE_MS = 10_000
function start(holder: string): Bun.Subprocess {
  const server = Bun.spawn(
    [process.execPath, '--no-orphans', join(import.meta.dir, 'clocks.fixture.ts'), database.url, holder, `${LEASE_MS}`],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  running.push(server)
  return server
}
const holders = async (table: string) =>
  (await database.sql.unsafe<{ holder: string }[]>(`SELECT holder FROM ${table} ORDER BY id`)).map(
    ({ holder }) => holder,
  )
/** Waits until that server has noted so much. */
const noted = (table: string, holder: string, times: number) =>
  until(
    `${times} of ${holder} in ${table}`,
    async () => (await holders(table)).filter((one) => one === holder).length,
    (count) => count >= times,
  )

test('of two servers one does what is done at its time; when it is killed, the other goes on', async () => {
  const first = start('first')
  await noted('notes', 'first', 2)
  const second = start('second')
  // What each has to do with its own links both do.
  await noted('own_notes', 'second', 5)
  expect(new Set(await holders('notes'))).toEqual(new Set(['first']))

  first.kill('SIGKILL')
  await first.exited
  await noted('notes', 'second', 2)
  // It is back under its name, and waits until the other ends.
  const before = (await holders('own_notes')).filter((one) => one === 'first').length
  start('first')
  await noted('own_notes', 'first', before + 3)
  expect((await holders('notes')).at(-1)).toBe('second')
  second.kill('SIGKILL')
  const done = (await holders('notes')).filter((one) => one === 'first').length
  await noted('notes', 'first', done + 1)
})

test('a server that shares its database with nobody asks for no lease', async () => {
  let times = 0
  const errors: unknown[] = []
  const clocks = startClocks(
    [
      { name: 'at start', when: '0 0 3 1 1 *', atStart: true, work: async () => times++ },
      { name: 'later', when: '0 0 3 1 1 *', work: async () => times++ },
      { name: 'fails', when: '0 0 3 1 1 *', atStart: true, work: () => Promise.reject(new Error('no')) },
    ],
    { log: { error: (told: unknown) => void errors.push(told) } as never },
  )
  await until(
    'both are done',
    async () => [times, errors.length],
    ([done, failed]) => done === 1 && failed === 1,
  )
  await clocks.stop()
  expect(errors).toMatchObject([{ clock: 'fails' }])
})

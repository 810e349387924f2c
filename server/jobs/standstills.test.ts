import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { companies } from '../../schema/companies/companies.table.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { testDatabase, type TestDatabase } from '../../tests/support/postgres.ts'
import { createLogger } from '../log.ts'
import { type StoodStill, supervise, type Supervised } from '../supervisor.ts'
import { hasStoodStill, learnStandstills } from './standstills.ts'

/** Real servers that stand still, are killed and started again: what did it is not done a third time. */

let database: TestDatabase
let folder: string
let running: Supervised[]
beforeEach(async () => {
  database = await testDatabase()
  folder = mkdtempSync(join(tmpdir(), 'balcao-standstills-'))
  running = []
})
afterEach(async () => {
  for (const supervised of running) await supervised.stop()
  rmSync(folder, { recursive: true, force: true })
  await database.close()
})

const log = createLogger({ level: 'silent' })
const aCompany = async () => (await database.db.insert(companies).values({ name: 'Loja' }).returning())[0]!.id
const learn = (...told: Partial<StoodStill>[]) =>
  learnStandstills(database.db, log, JSON.stringify(told.map((one) => ({ work: '', worker: '', doing: '', ...one }))))
const notes = () => {
  const path = join(folder, 'notes')
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
}

/** Runs the server under its supervisor until it has noted that. */
async function until(last: string, { companyId, causes = [] }: { companyId: number; causes?: string[] }) {
  running.push(
    supervise({
      command: [
        ...[process.execPath, '--no-orphans', '--no-install', join(import.meta.dir, 'standstills.fixture.ts')],
        ...[join(folder, 'notes'), database.url, String(companyId), JSON.stringify(causes)],
      ],
      ...{ cwd: folder, env: process.env, say: () => undefined, stillSeconds: 2, stopSeconds: 1 },
    }),
  )
  for (const deadline = Date.now() + 60_000; !notes().includes(last); await Bun.sleep(20))
    if (Date.now() > deadline) throw new Error(`never came to "${last}": ${notes().join(', ')}`)
  return notes()
}

test('what was answered when the server stood still is left to people after one restart; what came before and behind it is answered', async () => {
  const companyId = await aCompany()
  // As long, and with such letters, as strangers may make the ids of their messages.
  const endless = `endless/${'Ã '.repeat(2_000)}`
  const causes = ['7/before', endless, '7/behind']
  const noted = await until('answered: 7/behind', { companyId, causes })
  expect(noted.filter((one) => one === 'start')).toHaveLength(2)
  expect(noted.slice(-3)).toEqual(['answered: 7/before', `left to people: ${endless}`, 'answered: 7/behind'])
  const [row, ...others] = await database.db.select().from(jobs)
  expect(others).toEqual([])
  expect(row).toMatchObject({ companyId, kind: 'automation.stoodStill', lastError: expect.stringContaining('still') })
  expect(row!.failedAt).not.toBeNull()
}, 90_000)

test('a job over which the server stands still kills it twice and never a third time; the others are done', async () => {
  const companyId = await aCompany()
  const job = (messageId: string, lane: string) => ({
    ...{ companyId, kind: 'whatsapp.send', payload: { messageId }, lane, whatsappId: 1 },
  })
  await database.db.insert(jobs).values([job('well', 'a'), job('endless', 'b'), job('after', 'b')])
  const noted = await until('job: after', { companyId })
  expect(noted.filter((one) => one === 'job: endless')).toHaveLength(2)
  expect(noted.filter((one) => one === 'start')).toHaveLength(3)
  const [row] = (await database.db.select().from(jobs)).filter(({ failedAt }) => failedAt !== null)
  const reason = expect.stringContaining('still')
  expect(row).toMatchObject({ payload: { messageId: 'endless' }, standstills: 2, lastError: reason })
}, 90_000)

test('what is told twice is learnt once, a company that is gone keeps no server from starting, and it is known at every later start', async () => {
  const companyId = await aCompany()
  const told = { work: `${companyId} 7/ABCD` }
  await learn(told, told, { work: '999999 8/X' })
  await learn(told)
  expect(await database.db.select().from(jobs)).toHaveLength(1)
  await learn()
  expect(['7/ABCD', '7/AB', '7/ABCDE'].map(hasStoodStill)).toEqual([true, false, false])

  // However many jobs wait, a start does not read them all.
  await database.sql`INSERT INTO jobs (kind, payload) SELECT 'whatsapp.send', '{}' FROM generate_series(1, 20000)`
  await database.sql`ANALYZE jobs`
  const plan =
    await database.sql`EXPLAIN SELECT FROM jobs WHERE kind = 'automation.stoodStill' AND "failedAt" IS NOT NULL`
  expect(JSON.stringify(plan)).toContain('jobs_failed')
})

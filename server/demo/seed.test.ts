import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { examples } from '../../tests/example-data.ts'
import { testDatabase, type TestDatabase } from '../../tests/support/postgres.ts'
import { createMediaStore } from '../media/media-store.ts'
import { companyFacts } from '../settings/settings.facts.ts'
import { closeIdleTickets } from '../tickets/tickets.expiry.ts'
import { seedDemo } from './seed.ts'

/** The company that somebody meets who tries the product: one that they would believe. */

const now = new Date('2026-03-05T18:00:00Z')
const root = mkdtempSync(join(tmpdir(), 'balcao-demo-'))
let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
  // The operator's own company is there before.
  await examples(database.db).company()
  const media = await createMediaStore({ root, secret: 's' })
  await seedDemo({ db: database.db, media, now })
})
afterAll(async () => {
  await database.close()
  rmSync(root, { recursive: true, force: true })
})

const one = async (query: ReturnType<typeof sql>) => [...(await database.db.execute<Record<string, number>>(query))][0]!

test('its customers came on different days, and half of them said how they were served, most of them well', async () => {
  const days = await one(sql`
    SELECT count(DISTINCT ("createdAt" AT TIME ZONE 'America/Sao_Paulo')::date)::int AS days,
      count(*) FILTER (WHERE status = 'pending')::int AS waiting, count(*) FILTER (WHERE status = 'open')::int AS open
    FROM tickets`)
  expect(days['days']).toBeGreaterThan(14)
  expect(days['waiting']).toBeGreaterThan(5)
  expect(days['open']).toBeGreaterThan(10)
  const rated = await one(sql`
    SELECT count(*)::int AS all, count(DISTINCT rate)::int AS kinds, avg(rate)::float8 AS mean,
      count(DISTINCT "createdAt"::date)::int AS days FROM ratings`)
  expect(rated['all']).toBeGreaterThan(50)
  expect(rated['kinds']).toBe(3)
  expect(rated['mean']).toBeGreaterThan(2.5)
  expect(rated['days']).toBeGreaterThan(10)
  // Nothing is told of that has not happened yet.
  expect(await one(sql`SELECT count(*)::int AS n FROM messages WHERE "createdAt" > ${now.toISOString()}`)).toEqual({
    n: 0,
  })
})

test('they send pictures, voice notes and files, they call, and some write in groups', async () => {
  const kinds = [
    ...(await database.db.execute<{ kind: string; n: number }>(sql`
      SELECT "mediaType" AS kind, count(*)::int AS n FROM messages GROUP BY 1`)),
  ]
  expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['chat', 'image', 'audio', 'call_log']))
  const voice = await one(sql`
    SELECT count(*)::int AS all, count("mediaSeconds")::int AS long, count(waveform)::int AS seen
    FROM messages WHERE "isVoice"`)
  expect(voice['all']).toBeGreaterThan(5)
  expect([voice['long'], voice['seen']]).toEqual([voice['all'], voice['all']])
  expect((await one(sql`SELECT count(*)::int AS n FROM tickets WHERE "isGroup"`))['n']).toBeGreaterThan(0)
  expect(
    (await one(sql`SELECT count(*)::int AS n FROM contacts WHERE "profilePicUrl" IS NOT NULL`))['n'],
  ).toBeGreaterThan(20)
})

test('its tags are in use, a queue is closed today, and nobody has two names', async () => {
  const tags = await one(sql`
    SELECT count(*)::int AS all, count(*) FILTER (WHERE EXISTS (SELECT FROM tickets t WHERE tags.id = ANY (t."tagIds")))::int AS used
    FROM tags`)
  expect(tags['used']).toBe(tags['all']!)
  expect((await one(sql`SELECT count(*)::int AS n FROM ticket_events WHERE kind = 'out_of_hours'`))['n']).toBe(1)
  const names = await one(
    sql`SELECT count(*)::int AS all, count(DISTINCT name)::int AS names FROM contacts WHERE NOT "isGroup"`,
  )
  expect(names['names']).toBe(names['all']!)
})

test('twenty agents serve its five queues; it has promises, fields, macros and views, and something lies aside', async () => {
  const people = await one(sql`
    SELECT count(*) FILTER (WHERE profile = 'user')::int AS agents, count(*) FILTER (WHERE "awayAt" IS NOT NULL)::int AS away,
      count(*) FILTER (WHERE EXISTS (SELECT FROM tickets t WHERE t."userId" = users.id AND t.status = 'open'))::int AS busy
    FROM users WHERE email LIKE '%@padaria.test'`)
  expect(people).toEqual({ agents: 20, away: 2, busy: 20 })
  expect(await one(sql`SELECT count(*)::int AS n FROM queues`)).toEqual({ n: 5 })
  const desk = await one(sql`
    SELECT (SELECT count(*)::int FROM sla_policies) AS policies, (SELECT count(*)::int FROM rules) AS rules, (SELECT count(*)::int FROM macros) AS macros,
      (SELECT count(*)::int FROM custom_fields) AS fields, (SELECT count(*)::int FROM saved_filters) AS views,
      (SELECT count(*)::int FROM tickets WHERE "snoozedUntil" IS NOT NULL) AS aside,
      (SELECT count(*)::int FROM tickets WHERE "supervisorCalledAt" IS NOT NULL) AS called,
      (SELECT count(*) > 0 FROM jobs WHERE kind = 'sla.recount')::int AS counted`)
  expect(desk).toEqual({ policies: 2, rules: 1, macros: 3, fields: 4, views: 3, aside: 1, called: 1, counted: 1 })
})

// By the bakery's clock: as it opens, when yesterday is furthest, and at noon.
test.each(['06:30', '12:00'])(
  'whoever starts it at %s finds it for hours as it was made: no ticket is closed, and nothing is sent',
  async (hour) => {
    const at = new Date(`2026-03-09T${hour}:00-03:00`)
    const started = await testDatabase()
    try {
      await examples(started.db).company()
      await seedDemo({ db: started.db, media: await createMediaStore({ root, secret: 's' }), now: at })
      const hoursLater = new Date(at.getTime() + 4 * 3_600_000)
      const closed = await closeIdleTickets({
        ...{ db: started.db, now: () => hoursLater, facts: companyFacts(started.db, 0), defaultHours: 24 },
      })
      expect(closed).toEqual([])
      const due = await started.db.execute(sql`SELECT id FROM schedules WHERE "sendAt" <= ${hoursLater.toISOString()}`)
      expect([...due]).toEqual([])
    } finally {
      await started.close()
    }
  },
)

test('is made once: started again, it stays as it is', async () => {
  const count = () => one(sql`SELECT count(*)::int AS n FROM messages`)
  const before = await count()
  const media = await createMediaStore({ root, secret: 's' })
  await seedDemo({ db: database.db, media, now: new Date(now.getTime() + 86_400_000) })
  expect(await count()).toEqual(before)
})

import { expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { besideName, migrateDatabase, migrationsFolder } from '../server/db/migrate.ts'
import { testApp } from './support/app.ts'
import { noticedBefore } from './support/beside.ts'
import { emptyTestDatabase, testDatabase } from './support/postgres.ts'
import {
  countsOf,
  dumpRelease,
  frozenSums,
  keptReleases,
  releasesFolder,
  restoreRelease,
  shapeOf,
  sumsOf,
} from './support/release.ts'
import { twoCompanies } from './support/two-companies.ts'

setDefaultTimeout(120_000)

/** See `docs/releases.md`. */
test.each(keptReleases())(
  'a database of the release %s becomes what this version makes, with all its rows',
  async (name) => {
    const old = await emptyTestDatabase()
    const fresh = await testDatabase()
    try {
      await restoreRelease(old.sql, readFileSync(join(releasesFolder, name), 'utf8'))
      const before = await countsOf(old.sql)
      await migrateDatabase(old.url)
      expect(await shapeOf(old.sql)).toEqual(await shapeOf(fresh.sql))
      const after = await countsOf(old.sql)
      expect([...before].filter(([table, n]) => (after.get(table) ?? n) < n)).toEqual([])
    } finally {
      await old.close()
      await fresh.close()
    }
  },
)

test('a migration that a release has is never changed, and none is put before it', () => {
  const now = sumsOf()
  const frozen = frozenSums()
  expect(Object.fromEntries(Object.keys(frozen).map((file) => [file, now[file]]))).toEqual(frozen)
  expect(Object.keys(now).slice(0, Object.keys(frozen).length)).toEqual(Object.keys(frozen))
  // With a release kept there is something to compare with, and the other way round.
  expect(Object.keys(frozen).length > 0).toBe(keptReleases().length > 0)
})

test('a migration that a version before works beside does nothing that this one would notice, or says why it is right', () => {
  const named = Object.keys(JSON.parse(readFileSync(join(migrationsFolder, besideName), 'utf8')) as object)
  const noticed = named.flatMap((file) =>
    noticedBefore(readFileSync(join(migrationsFolder, file), 'utf8')).map((statement) => `${file}: ${statement}`),
  )
  expect(noticed).toEqual([])
})

test.each([
  ['CREATE TABLE "n" ("id" int);\n--> statement-breakpoint\nALTER TABLE "n" ADD CONSTRAINT "k" UNIQUE ("id");', 0],
  ['CREATE TABLE "n" ("id" int); CREATE UNIQUE INDEX "u" ON "n" ("id");', 0],
  ['ALTER TABLE "tags" ADD COLUMN "nickname" text;', 0],
  [`ALTER TABLE "tags" ADD COLUMN "n" int DEFAULT 0 NOT NULL;\nCREATE INDEX "i" ON "tags" ("n");`, 0],
  ['ALTER TABLE "tags" ADD COLUMN "n" int NOT NULL;', 1],
  ['ALTER TABLE "tags" DROP COLUMN "kanban";', 1],
  ['ALTER TABLE "tags" ALTER COLUMN "name" SET NOT NULL;', 1],
  ['ALTER TABLE "tags" RENAME COLUMN "name" TO "title";', 1],
  ['CREATE UNIQUE INDEX "u" ON "tags" ("name");', 1],
  ['UPDATE "tags" SET "name" = lower("name");', 1],
  ['CREATE OR REPLACE FUNCTION f() RETURNS trigger AS $$ BEGIN RETURN NEW; END $$ LANGUAGE plpgsql;', 1],
  [
    '-- beside: the former function did the same\nCREATE OR REPLACE FUNCTION f() RETURNS int AS $$ SELECT 1 $$ LANGUAGE sql;',
    0,
  ],
])('the rule for migrations beside another version bites: %s', (migration, problems) => {
  expect(noticedBefore(migration).length > 0 ? 1 : 0).toBe(problems)
})

test('what is kept of a release is all of it, and goes forward by the migrations that come after it', async () => {
  const t = await testApp()
  const old = await emptyTestDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'balcao-next-'))
  try {
    await twoCompanies(t)
    const { sql } = t.database
    const counts = await countsOf(sql)
    expect([...counts.values()].filter((n) => n > 0).length).toBeGreaterThan(30)
    const text = await dumpRelease(sql)
    await restoreRelease(old.sql, text)
    expect(await shapeOf(old.sql)).toEqual(await shapeOf(sql))
    expect(await countsOf(old.sql)).toEqual(counts)
    expect(await dumpRelease(old.sql)).toEqual(text)
    // A row that was written again lies elsewhere in its table, and is the same row.
    await old.sql.begin(async (tx) => {
      await tx`SET LOCAL session_replication_role = replica`
      await tx`UPDATE plans SET name = name WHERE id = (SELECT min(id) FROM plans)`
    })
    expect(await dumpRelease(old.sql)).toEqual(text)

    // The release after it has one migration more, and what it says of rows that are there already is done to them.
    cpSync(migrationsFolder, folder, { recursive: true })
    const path = join(folder, 'meta', '_journal.json')
    const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: { idx: number; when: number; tag: string }[] }
    const last = journal.entries.at(-1)!
    journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: '9999_next' })
    writeFileSync(path, JSON.stringify(journal))
    writeFileSync(
      join(folder, '9999_next.sql'),
      `ALTER TABLE "tags" ADD COLUMN "nickname" text;\n--> statement-breakpoint\nUPDATE "tags" SET "nickname" = lower("name");`,
    )
    await migrateDatabase(old.url, folder)
    // Once more does nothing.
    await migrateDatabase(old.url, folder)
    expect(await countsOf(old.sql)).toEqual(counts)
    const [row] = await old.sql`SELECT count(*)::int AS n FROM tags WHERE nickname = lower(name)`
    expect(row!.n).toBe(counts.get('tags')!)
    const [applied] = await old.sql`SELECT count(*)::int AS n FROM drizzle.__drizzle_migrations`
    expect(applied!.n).toBe(journal.entries.length)
    // It counts on from where it was.
    await old.sql`INSERT INTO companies (name) VALUES ('Depois')`
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await old.close()
    await t.close()
  }
})

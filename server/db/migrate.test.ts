import { expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { emptyTestDatabase } from '../../tests/support/postgres.ts'
import { migrateDatabase, migrationsFolder } from './migrate.ts'

setDefaultTimeout(60_000)

test('several servers that start at once migrate once', async () => {
  const database = await emptyTestDatabase()
  try {
    await Promise.all([1, 2, 3].map(() => migrateDatabase(database.url)))
    const [row] = await database.sql`SELECT count(*)::int AS applied FROM drizzle.__drizzle_migrations`
    expect(row?.applied).toBe(readdirSync(migrationsFolder).filter((name) => name.endsWith('.sql')).length)
  } finally {
    await database.close()
  }
})

test('a database that a newer version has changed is left alone, with a sentence that says so', async () => {
  const database = await emptyTestDatabase()
  try {
    await migrateDatabase(database.url)
    // Newest or not: what this version does not have, it does not know.
    await database.sql`INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('of tomorrow', ${Date.now()})`
    await expect(migrateDatabase(database.url)).rejects.toThrow('a version of Balcão that this one does not know')
  } finally {
    await database.close()
  }
})

test('a version goes on after a newer one has migrated, where that one says that it works beside it, and not otherwise', async () => {
  const database = await emptyTestDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'balcao-beside-'))
  const old = { version: '5.2.0' }
  try {
    await migrateDatabase(database.url)
    cpSync(migrationsFolder, folder, { recursive: true })
    const path = join(folder, 'meta', '_journal.json')
    const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: { idx: number; when: number; tag: string }[] }
    const last = journal.entries.at(-1)!
    journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: '9999_next' })
    writeFileSync(path, JSON.stringify(journal))
    writeFileSync(join(folder, '9999_next.sql'), `ALTER TABLE "tags" ADD COLUMN "nickname" text;`)
    const newer = { version: '5.3.0', beside: old.version }
    // It says nothing of the version before.
    await expect(migrateDatabase(database.url, folder, newer)).rejects.toThrow('End the server')
    expect(await database.sql`SELECT 1 FROM information_schema.columns WHERE column_name = 'nickname'`).toHaveLength(0)
    writeFileSync(join(folder, 'beside.json'), '{"9999_next.sql":"5.3.0"}')
    await expect(migrateDatabase(database.url, folder, newer)).rejects.toThrow('version 5.2.0 cannot work with')
    writeFileSync(join(folder, 'beside.json'), '{"9999_next.sql":"5.2.0"}')
    await migrateDatabase(database.url, folder, newer)
    expect(await database.sql`SELECT 1 FROM information_schema.columns WHERE column_name = 'nickname'`).toHaveLength(1)
    await migrateDatabase(database.url, migrationsFolder, old)
    await expect(migrateDatabase(database.url, migrationsFolder, { version: '5.1.9' })).rejects.toThrow('does not know')
    await expect(migrateDatabase(database.url)).rejects.toThrow('does not know')
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await database.close()
  }
})

test('the migrations make the tables that the code knows (`bun run migration <what for>` after changing one)', async () => {
  const schema = join(migrationsFolder, '..')
  const tables: Record<string, unknown> = {}
  for (const path of new Bun.Glob('**/*.table.ts').scanSync(schema))
    Object.assign(tables, await import(join(schema, path)))
  const newest = readdirSync(join(migrationsFolder, 'meta')).filter((name) => name.endsWith('_snapshot.json'))
  const snapshot = JSON.parse(readFileSync(join(migrationsFolder, 'meta', newest.sort().at(-1) ?? ''), 'utf8'))
  expect(await generateMigration(snapshot, generateDrizzleJson(tables, snapshot.id))).toEqual([])
})

import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
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

test('the migrations make the tables that the code knows (`bun run migration <what for>` after changing one)', async () => {
  const schema = join(migrationsFolder, '..')
  const tables: Record<string, unknown> = {}
  for (const path of new Bun.Glob('**/*.table.ts').scanSync(schema))
    Object.assign(tables, await import(join(schema, path)))
  const newest = readdirSync(join(migrationsFolder, 'meta')).filter((name) => name.endsWith('_snapshot.json'))
  const snapshot = JSON.parse(readFileSync(join(migrationsFolder, 'meta', newest.sort().at(-1) ?? ''), 'utf8'))
  expect(await generateMigration(snapshot, generateDrizzleJson(tables, snapshot.id))).toEqual([])
})

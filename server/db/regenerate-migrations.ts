/**
 * `bun run migrations`, until the first release: writes `0000_init.sql` anew from the tables and keeps what is
 * written by hand (every later file) behind it, under its own name. Databases made before must be thrown away.
 * After a release migrations are only added, and this refuses: see `docs/releases.md`.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { frozenName, migrationsFolder } from './migrate.ts'

if (existsSync(join(migrationsFolder, frozenName)))
  throw new Error('The migrations are released: they are only added to. docs/releases.md tells how.')

const byHand = readdirSync(migrationsFolder)
  .filter((name) => /^\d{4}_.+\.sql$/.test(name) && !name.startsWith('0000_'))
  .sort()
  .map((name) => ({ name: name.slice(5, -4), sql: readFileSync(join(migrationsFolder, name), 'utf8') }))

for (const entry of readdirSync(migrationsFolder)) {
  if (entry === 'meta' || entry.endsWith('.sql')) rmSync(join(migrationsFolder, entry), { recursive: true })
}
generate('--name=init')
for (const [index, { name, sql }] of byHand.entries()) {
  generate('--custom', `--name=${name}`)
  writeFileSync(join(migrationsFolder, `${String(index + 1).padStart(4, '0')}_${name}.sql`), sql)
}
// Files by hand change no tables that drizzle knows of: all snapshots are the same, and the next change starts at the last.
const snapshots = readdirSync(join(migrationsFolder, 'meta')).filter((name) => name.endsWith('_snapshot.json'))
for (const name of snapshots.sort().slice(0, -1)) rmSync(join(migrationsFolder, 'meta', name))

function generate(...flags: string[]): void {
  const kit = join('node_modules', 'drizzle-kit', 'bin.cjs')
  const { exitCode } = Bun.spawnSync([process.execPath, '--bun', kit, 'generate', ...flags], {
    cwd: join(import.meta.dir, '..', '..'),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (exitCode !== 0) process.exit(exitCode)
}

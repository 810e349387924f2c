/**
 * `bun run migration <what it is for>` writes the next migration: what has changed in the tables since the last one. With
 * `--custom` it is empty, for what drizzle cannot know: triggers, functions, rows that become others. `docs/releases.md`
 * tells what a migration meets.
 */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { migrationsFolder } from './migrate.ts'

const [name, ...flags] = process.argv.slice(2)
if (!name || !/^[a-z0-9_]+$/.test(name) || flags.some((flag) => flag !== '--custom'))
  throw new Error('bun run migration <what it is for, in small letters and _> [--custom]')
const kit = join('node_modules', 'drizzle-kit', 'bin.cjs')
const { exitCode } = Bun.spawnSync([process.execPath, '--bun', kit, 'generate', `--name=${name}`, ...flags], {
  cwd: join(import.meta.dir, '..', '..'),
  stdio: ['ignore', 'inherit', 'inherit'],
})
if (exitCode === 0) {
  // The next one is compared with the last alone.
  const snapshots = readdirSync(join(migrationsFolder, 'meta')).filter((entry) => entry.endsWith('_snapshot.json'))
  for (const entry of snapshots.sort().slice(0, -1)) rmSync(join(migrationsFolder, 'meta', entry))
}
process.exit(exitCode)

/**
 * `bun run migration <what it is for>` writes the next migration: what has changed in the tables since the last one, and
 * the triggers of the audit log that `audit.nouns.ts` wants otherwise. With `--custom` nothing of the tables, for what
 * drizzle cannot know: other triggers, functions, rows that become others. `docs/releases.md` tells what a migration meets.
 */
import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { auditTriggersToMake } from '../../schema/audit/audit.triggers.ts'
import { migrationsFolder } from './migrate.ts'

const [name, ...flags] = process.argv.slice(2)
if (!name || !/^[a-z0-9_]+$/.test(name) || flags.some((flag) => flag !== '--custom'))
  throw new Error('bun run migration <what it is for, in small letters and _> [--custom]')
const files = () =>
  readdirSync(migrationsFolder)
    .filter((entry) => entry.endsWith('.sql'))
    .sort()
const before = files()
const kit = join('node_modules', 'drizzle-kit', 'bin.cjs')
const { exitCode } = Bun.spawnSync([process.execPath, '--bun', kit, 'generate', `--name=${name}`, ...flags], {
  cwd: join(import.meta.dir, '..', '..'),
  stdio: ['ignore', 'inherit', 'inherit'],
})
if (exitCode === 0) {
  // The next one is compared with the last alone.
  const snapshots = readdirSync(join(migrationsFolder, 'meta')).filter((entry) => entry.endsWith('_snapshot.json'))
  for (const entry of snapshots.sort().slice(0, -1)) rmSync(join(migrationsFolder, 'meta', entry))
  const made = files().find((entry) => !before.includes(entry))
  const text = (entry: string) => readFileSync(join(migrationsFolder, entry), 'utf8')
  const triggers = auditTriggersToMake(files().map(text))
  if (made && triggers.length > 0) {
    const path = join(migrationsFolder, made)
    const glue = '\n--> statement-breakpoint\n'
    appendFileSync(path, `${text(made).trim() ? glue : ''}${triggers.join(glue)}\n`)
  }
}
process.exit(exitCode)

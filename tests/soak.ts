/**
 * `bun run soak [minutes]`: chance, kills and attacks in their whole dose, again and again, the fuzz with new seeds,
 * for an hour or as long as is said. The whole test gives a little of each (`tests/support/dose.ts`). It ends at the first failure
 * and says how to repeat it.
 */
import { join } from 'node:path'

const root = join(import.meta.dir, '..')
const minutes = Number(process.argv[2] ?? 60)
if (!(minutes > 0)) {
  console.error('bun run soak [minutes]: minutes is a number above 0')
  process.exit(2)
}

/** Files with a dose, found by what they import. */
const files: string[] = []
for (const path of new Bun.Glob('{schema,sync,server,client,tests}/**/*.test.{ts,tsx}').scanSync(root))
  if (/from '[^']*\/support\/dose\.ts'/.test(await Bun.file(join(root, path)).text())) files.push(path)
files.sort()

const end = Date.now() + minutes * 60_000
let rounds = 0
for (; Date.now() < end; rounds++)
  for (const file of files) {
    if (Date.now() >= end) break
    const seed = String(1 + Math.floor(Math.random() * 1e9))
    const flags = ['test', '--timeout=60000', '--retry=0', `./${file}`]
    const env = { ...process.env, SOAK: '1', FUZZ_SEED: seed }
    const child = Bun.spawn([process.execPath, ...flags], { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
    if ((await child.exited) === 0) continue
    console.error(`Failed. Once more: SOAK=1 FUZZ_SEED=${seed} bun ${flags.join(' ')}`)
    process.exit(1)
  }
console.log(`${rounds} rounds of ${files.length} files, and nothing failed.`)

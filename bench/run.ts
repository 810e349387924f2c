/**
 * `bun run bench [word …]`: runs every `bench/*.bench.ts` (or those whose name holds one of the words), each in a
 * process of its own, prints the table and writes `bench/latest.json`.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { buildClient, installPackages, root } from '../server/prepare.ts'
import type { Bench, Measure } from './measure.ts'

type Latest = {
  at: string
  machine: { cpu: string; cores: number; memoryGb: number; bun: string }
  measures: (Measure & { bench: string })[]
}

const latestPath = join(import.meta.dir, 'latest.json')

/** What people feel, by the beginnings of the measures' names: these stand in the README, all of them in `bench/README.md`. */
const felt = [
  'First visit (login page',
  'Click on a ticket',
  'Stanza on the wire → bubble painted',
  'Enter pressed → own bubble painted, online',
  'Enter pressed → own bubble painted, offline',
  'Reload with no network → inbox painted',
  'Sustained inbound messages',
  '200 agents, 50 messages/s',
  'Accept of a ticket with 5,000 messages',
  'GET /tickets, first page of a search for a rare word',
  'Lighthouse, signed-in inbox visited again, as a phone',
  'Server memory, idle',
]

if (process.argv[2] === '--one') await runOne(process.argv[3] ?? '', process.argv[4] ?? '')
else await runAll(process.argv.slice(2))

/** In the child: one file's measures into the result file. */
async function runOne(file: string, result: string): Promise<void> {
  const { default: bench } = (await import(join(import.meta.dir, file))) as { default: Bench }
  writeFileSync(result, JSON.stringify(await bench.run((text) => console.log(`  ${text}`))))
  process.exit(0)
}

async function runAll(words: string[]): Promise<void> {
  await installPackages(console.log)
  await buildClient(console.log)
  mkdirSync(join(root, '.build'), { recursive: true })
  const files = [...new Bun.Glob('*.bench.ts').scanSync({ cwd: import.meta.dir })]
    .sort()
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))

  const measures: Latest['measures'] = []
  let broken = 0
  for (const file of files) {
    console.log(`\n── ${file}`)
    const result = join(root, '.build', `${file}.json`)
    rmSync(result, { force: true })
    const child = Bun.spawn([process.execPath, '--no-orphans', import.meta.path, '--one', file, result], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    await child.exited
    if (!existsSync(result)) {
      console.error(`${file} ended with ${child.exitCode} and no result.`)
      broken++
      continue
    }
    const found = JSON.parse(readFileSync(result, 'utf8')) as Measure[]
    measures.push(...found.map((measure) => ({ ...measure, bench: file.replace('.bench.ts', '') })))
  }

  console.log(`\n${table(measures)}\n`)
  if (Number(process.env['BENCH_RUNS'] ?? 1) < 1) {
    console.log('A first look: no figure is kept.')
    process.exit(broken === 0 ? 0 : 1)
  }
  // What was not run this time keeps its last figures.
  const before = existsSync(latestPath) ? (JSON.parse(readFileSync(latestPath, 'utf8')) as Latest).measures : []
  const kept = before.filter(({ name }) => words.length > 0 && !measures.some((measure) => measure.name === name))
  const latest: Latest = {
    at: new Date().toISOString(),
    machine: {
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      cores: cpus().length,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      bun: Bun.version,
    },
    measures: [...kept, ...measures],
  }
  writeFileSync(latestPath, `${JSON.stringify(latest, null, 2)}\n`)
  writeReadme(latest)
  process.exit(broken === 0 ? 0 : 1)
}

/** Puts the figures where people look for them. */
function writeReadme({ at, machine, measures }: Latest): void {
  const { cpu, cores, memoryGb, bun } = machine
  const where = `Measured on ${at.slice(0, 10)}: ${cores} cores (${cpu}), ${memoryGb} GB, Bun ${bun}; server, Postgres, simulated WhatsApp and\nChromium share them.`
  const shown = felt.flatMap((name) => measures.filter((measure) => measure.name.startsWith(name)).slice(0, 1))
  for (const [file, rows] of [
    ['README.md', shown],
    ['bench/README.md', measures],
  ] as const) {
    const path = join(root, file)
    const text = `<!-- bench -->\n${where}\n\n${table(rows)}\n<!-- /bench -->`
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(/<!-- bench -->[^]*<!-- \/bench -->/, () => text),
    )
  }
}

/** A table of measures, as people read it. */
function table(measures: readonly Measure[]): string {
  const rows = measures.map(({ name, target, values, unit, runs, ok, note }) => {
    const measured = Object.entries(values)
      .map(([what, value]) => `${what} ${value}`)
      .join(', ')
    return `| ${name} | ${target} | ${measured} ${unit} | ${runs} | ${ok ? '✓' : `✗ ${note ?? ''}`} |`
  })
  return ['| measure | to reach | measured | runs | |', '|---|---|---|---|---|', ...rows].join('\n')
}

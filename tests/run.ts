/**
 * `bun run test`: everything. Installs what is missing, builds the client, then runs the checks, the tests
 * of the parts, and the product itself in Chromium. At the end stands what failed and why; the last line reads
 * `N passed, N failed`.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildClient, installPackages, root } from '../server/prepare.ts'

type Tally = { passed: number; failed: number; skipped: number }
/** A test that failed, and the end of what was said before it did. */
type Failure = { name: string; said: string }

/** Whoever shares the machine may stall it for longer than a test waits: what fails so often is a failure. */
const attempts = 3
const chromiumNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const begin = performance.now()
const total: Tally = { passed: 0, failed: 0, skipped: 0 }
/** How many failed in each part. */
const parts: string[] = []
const failures: Failure[] = []
/** What failed, and passed when it was run again: not a failure of this run, but to be looked into. */
const repeated: Failure[] = []
const running = new Set<Bun.Subprocess>()

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill()
    process.exit(130)
  })
}

process.chdir(root)
try {
  await installPackages(console.log)
  await buildClient(console.log)
} catch (error) {
  console.error(String(error))
  note('setting up', { passed: 0, failed: 1, skipped: 0 })
  finish()
}

heading('check')
const { printCheck, runChecks } = await import('./check.ts')
const results = await runChecks(printCheck)
const broken = results.filter(({ problems }) => problems).length
note('check', { passed: results.length - broken, failed: broken, skipped: 0 })

// A process for each folder: what one of them breaks stays in it.
for (const folder of ['schema', 'sync', 'server', 'client', 'tests', 'bench']) {
  const files = [...new Bun.Glob(`${folder}/**/*.test.{ts,tsx}`).scanSync({ cwd: root })].filter(
    (path) => !path.startsWith('tests/e2e/') && !path.includes('node_modules'),
  )
  if (files.length === 0) continue
  heading(`bun test ${folder}`)
  note(folder, await unitTests(files.sort()))
}

if (existsSync(join(root, 'tests', 'e2e', 'playwright.config.ts'))) {
  heading('in the browser')
  note('in the browser', await browserTests())
}
finish()

// ── the parts ────────────────────────────────────────────────────────────────────────────────

/** Files in which something failed are run again, each time in a process of their own. */
async function unitTests(files: string[]): Promise<Tally> {
  const results = new Map<string, FileResult>()
  let left = files
  for (let attempt = 1; left.length > 0 && attempt <= attempts; attempt++) {
    if (attempt > 1) console.log(`\nAgain: ${left.join(', ')}`)
    const flags = ['test', '--isolate', '--timeout', '60000', ...left.map((path) => `./${path}`)]
    const { code, errors } = await run(flags, { minutes: 25 })
    const found = resultsOf(errors)
    for (const path of left) {
      // Bun names every file that it has begun; one that it does not name it never came to.
      const result = found.get(path) ?? { passed: 0, skipped: 0, failed: [] }
      if (code !== 0 && !found.has(path)) result.failed.push({ name: path, said: `ended with ${code} before its end` })
      if (attempt > 1 && result.failed.length === 0) repeated.push(...(results.get(path)?.failed ?? []))
      results.set(path, result)
    }
    const isBroken = (path: string) => results.get(path)!.failed.length > 0
    // It failed, and no file is known by it: none of them can be trusted.
    if (code !== 0 && !left.some(isBroken))
      for (const path of left) results.get(path)!.failed.push({ name: path, said: `ended with ${code}` })
    left = left.filter(isBroken)
  }
  const failed = [...results.values()].flatMap((result) => result.failed)
  failures.push(...failed)
  const sum = (count: (result: FileResult) => number) =>
    [...results.values()].reduce((n, result) => n + count(result), 0)
  return { passed: sum((result) => result.passed), failed: failed.length, skipped: sum((result) => result.skipped) }
}

type FileResult = { passed: number; skipped: number; failed: Failure[] }

/** What Bun said of each file: its name on a line, then what the tests said, each test's outcome below. */
function resultsOf(errors: string): Map<string, FileResult> {
  const results = new Map<string, FileResult>()
  let result: FileResult = { passed: 0, skipped: 0, failed: [] }
  let said: string[] = []
  for (const line of errors.split('\n')) {
    // Then it lists what failed once more.
    if (/^\d+ tests? failed:$/.test(line)) break
    const file = /^(\S+\.test\.tsx?):$/.exec(line)?.[1]
    const [, outcome, name = ''] = /^\((pass|fail|skip|todo)\) (.*?)(?: \[[\d.]+m?s\])?$/.exec(line) ?? []
    if (file) {
      result = results.get(file) ?? { passed: 0, skipped: 0, failed: [] }
      results.set(file, result)
    } else if (outcome === 'pass') result.passed++
    else if (outcome === 'fail') result.failed.push({ name, said: said.join('\n') })
    else if (outcome) result.skipped++
    else if (line.startsWith('# Unhandled error')) result.failed.push({ name: line, said: said.join('\n') })
    said = file || outcome ? [] : [...said, line].slice(-40)
  }
  return results
}

async function browserTests(): Promise<Tally> {
  const chromium = await findChromium()
  if (!chromium) return { passed: 0, failed: 1, skipped: 0 }
  const report = join(root, '.build', 'browser-tests.json')
  mkdirSync(join(root, '.build'), { recursive: true })
  rmSync(report, { force: true })
  const cli = join('node_modules', '@playwright', 'test', 'cli.js')
  const { code } = await run(
    [
      '--bun',
      cli,
      'test',
      '--config',
      join('tests', 'e2e', 'playwright.config.ts'),
      '--workers=1',
      `--retries=${attempts - 1}`,
      '--reporter=list,json',
    ],
    { minutes: 45, env: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report } },
  )
  if (!existsSync(report)) {
    console.error(`The browser tests ended with ${code} and left no report.`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
  const { stats, errors, suites } = JSON.parse(readFileSync(report, 'utf8')) as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number }
    errors: { message?: string }[]
    suites: Suite[]
  }
  for (const { file, title, tests } of suites.flatMap(specsOf)) {
    for (const { status, results } of tests) {
      const said = results.find(({ error }) => error)?.error?.message ?? ''
      if (status === 'unexpected') failures.push({ name: `${file} › ${title}`, said })
      if (status === 'flaky') repeated.push({ name: `${file} › ${title}`, said })
    }
  }
  failures.push(...errors.map(({ message = '' }) => ({ name: 'in the browser', said: message })))
  const failed = stats.unexpected + errors.length
  return {
    passed: stats.expected + stats.flaky,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: stats.skipped,
  }
}

/** As Playwright reports them: files hold groups, groups hold tests. */
type Suite = { specs: Spec[]; suites?: Suite[] }
type Spec = { file: string; title: string; tests: { status: string; results: { error?: { message?: string } }[] }[] }

function specsOf({ specs, suites = [] }: Suite): Spec[] {
  return [...specs, ...suites.flatMap(specsOf)]
}

/** A Chromium of this machine, or one installed from its packages. */
async function findChromium(): Promise<string | undefined> {
  const look = () =>
    [process.env.CHROMIUM_PATH, ...chromiumNames.map((name) => Bun.which(name))].find(
      (path) => path && existsSync(path),
    )
  const found = look()
  if (found) return found
  if (process.getuid?.() === 0 && Bun.which('apt-get')) {
    console.log('No Chromium here; installing the one of this system …')
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    await command(['apt-get', 'update', '-qq'], { minutes: 5, env })
    await command(['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium'], { minutes: 15, env })
    const installed = look()
    if (installed) return installed
  }
  console.error(
    'The browser tests need Chromium, and none was found. Install it (Debian: apt-get install chromium, as root), or set CHROMIUM_PATH.',
  )
  return undefined
}

// ── helpers ──────────────────────────────────────────────────────────────────────────────────

type RunOptions = { minutes: number; env?: Record<string, string> }

function run(flags: string[], options: RunOptions): Promise<{ code: number; errors: string }> {
  return command([process.execPath, ...flags], options)
}

/** Runs a program and shows its output as it comes; returns what it wrote to its error output, where Bun reports tests. */
async function command(line: string[], { minutes, env }: RunOptions): Promise<{ code: number; errors: string }> {
  const child = Bun.spawn(line, {
    cwd: root,
    env: { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let errors = ''
  const show = async (stream: ReadableStream<Uint8Array>, keep = (_part: string) => {}) => {
    const decoder = new TextDecoder()
    for await (const bytes of stream) {
      const part = decoder.decode(bytes, { stream: true })
      process.stdout.write(part)
      keep(part)
    }
  }
  const expired = setTimeout(() => {
    console.error(`Stopped after ${minutes} minutes.`)
    child.kill('SIGKILL')
  }, minutes * 60_000)
  // Output may be held open by something that outlives the program; its end is what counts.
  const shown = Promise.all([show(child.stdout), show(child.stderr, (part) => (errors += part))])
  const code = await child.exited
  await Promise.race([shown, Bun.sleep(2_000)])
  clearTimeout(expired)
  running.delete(child)
  return { code, errors }
}

function heading(text: string): void {
  console.log(`\n── ${text} ${'─'.repeat(Math.max(0, 70 - text.length))}`)
}

function note(part: string, tally: Tally): void {
  total.passed += tally.passed
  total.failed += tally.failed
  total.skipped += tally.skipped
  if (tally.failed > 0) parts.push(`${part}: ${tally.failed} failed`)
}

function printed({ name, said }: Failure): string {
  const lines = Bun.stripANSI(said).trim().split('\n').slice(-30)
  return [`✗ ${name}`, ...lines.map((line) => `    ${line}`)].join('\n')
}

function finish(): never {
  heading(`after ${Math.round((performance.now() - begin) / 1000)} s`)
  if (repeated.length > 0) console.log(`Passed only when repeated:\n${repeated.map(printed).join('\n')}\n`)
  if (failures.length > 0) console.log(`Failed:\n${failures.map(printed).join('\n')}\n`)
  for (const line of parts) console.log(line)
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
  const again = repeated.length > 0 ? `, ${repeated.length} of them only when repeated` : ''
  console.log(`${total.passed} passed${again}, ${total.failed} failed${skipped}`)
  process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)
}

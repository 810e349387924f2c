/**
 * `bun run test`: everything. Installs what is missing, builds the client, then runs the checks, the tests
 * of the parts, and the product itself in Chromium, several files side by side. Every test has one attempt: a test that
 * fails now and then is a failure. At the end stand what took longest, and what failed and why; the last line reads
 * `N passed, N failed`.
 *
 * `bun run test tickets` runs what concerns a noun, `bun run test <part of a title>` the tests of that title, both without
 * the checks; `--again 20` runs each test so often, `--busy` takes half of the processor and a quick line away.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildClient, installPackagesAndGoOn, root } from '../server/prepare.ts'
import { availableParallelism } from 'node:os'
import { findChromium } from './support/chromium.ts'
import type { Waits } from './e2e/waits.reporter.ts'
import { type Asked, asked, literally, type Selection, selected } from './support/selection.ts'

type Tally = { passed: number; failed: number; skipped: number }
/** A test that failed, and the end of what was said before it did. */
type Failure = { name: string; said: string; shown?: string }

/** A test, and the milliseconds that it took. */
type Timing = { name: string; ms: number }

/** How many files of the parts are tested side by side: two of them leave a third of two processors idle. */
const partsSideBySide = 3
/** How many stories: each has a product and a browser of its own, and two of them leave nothing idle. */
const storiesSideBySide = 2
/** How many of the slowest tests are named at the end. */
const slowest = 15
const begin = performance.now()
const total: Tally = { passed: 0, failed: 0, skipped: 0 }
/** How many failed in each part. */
const failedIn: string[] = []
const failures: Failure[] = []
const timings: Timing[] = []
/** How long each file took, all of its tests together. */
const fileTimings = new Map<string, number>()
/** What the stories waited for. */
let waits: Waits = {}
const running = new Set<Bun.Subprocess>()

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill()
    process.exit(130)
  })
}

process.chdir(root)
const { words, again, busy } = whatIsAsked()
try {
  await installPackagesAndGoOn(console.log)
  await buildClient(console.log)
} catch (error) {
  console.error(String(error))
  note('setting up', { passed: 0, failed: 1, skipped: 0 })
  finish()
}

const parts = await those('{schema,sync,server,client,tests,bench}/**/*.test.{ts,tsx}')
const stories = await those('tests/e2e/*.spec.ts')
// A browser that is missing is fetched while the parts are tested.
const browsers = stories.files.length > 0 ? findBrowsers() : Promise.resolve(true)
if (busy) takeAway()
if (words === '' && again === 1) {
  heading('check')
  const { printCheck, runChecks } = await import('./check.ts')
  const results = await runChecks(printCheck)
  const broken = results.filter(({ problems }) => problems).length
  note('check', { passed: results.length - broken, failed: broken, skipped: 0 })
}

if (parts.files.length > 0) {
  heading('the parts')
  note('the parts', await unitTests(parts))
}

if (stories.files.length > 0) {
  heading('in the browser')
  note('in the browser', await browserTests(stories))
}
if (parts.files.length + stories.files.length === 0) console.error(`No test concerns “${words}”.`)
finish()

// ── the parts ────────────────────────────────────────────────────────────────────────────────

async function unitTests({ files, title }: Selection): Promise<Tally> {
  // Bun begins with the files that took longest the last time.
  const lastTime = join(root, '.build', 'test-timings.json')
  mkdirSync(join(root, '.build'), { recursive: true })
  const flags = [
    'test',
    `--parallel=${partsSideBySide}`,
    '--timeout=60000',
    '--retry=0',
    `--timings=${lastTime}`,
    '--update-timings',
    ...(again > 1 ? [`--rerun-each=${again}`] : []),
    ...(title ? ['-t', literally(title)] : []),
  ]
  const { code, errors } = await run([...flags, ...files.map((path) => `./${path}`)], { minutes: 32 * again })
  const results = resultsOf(errors)
  const failed = [...results.values()].flatMap((result) => result.failed)
  // Bun names every file that it has begun; one that it does not name it never came to.
  for (const path of files)
    if (!results.has(path)) failed.push({ name: path, said: `Bun ended with ${code} and did not run it` })
  // It failed, and no test is known by it: nothing that passed can be trusted.
  if (code !== 0 && failed.length === 0) failed.push({ name: 'bun test', said: `ended with ${code}` })
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
  let path = ''
  for (const line of errors.split('\n')) {
    // Then it lists what failed once more.
    if (/^\d+ tests? failed:$/.test(line)) break
    const file = /^(\S+\.test\.tsx?):$/.exec(line)?.[1]
    const [, outcome, name = '', took] = /^\((pass|fail|skip|todo)\) (.*?)(?: \[([\d.]+)ms\])?$/.exec(line) ?? []
    const lost = /^✗ (\S+\.test\.tsx?) \(worker crashed.*\)$/.exec(line)
    if (took) timed(path, name, Number(took))
    if (file) {
      path = file
      result = results.get(file) ?? { passed: 0, skipped: 0, failed: [] }
      results.set(file, result)
    } else if (outcome === 'pass') result.passed++
    else if (outcome === 'fail') result.failed.push({ name, said: said.join('\n') })
    else if (outcome) result.skipped++
    else if (lost) result.failed.push({ name: line.slice(2), said: said.join('\n') })
    else if (line.startsWith('# Unhandled error')) result.failed.push({ name: line, said: said.join('\n') })
    said = file || outcome ? [] : [...said, line].slice(-40)
  }
  return results
}

/** Notifications need a window; everything else is quicker without. The stories find them as this does. */
async function findBrowsers(): Promise<boolean> {
  for (const kind of ['window', 'headless'] as const) {
    const found = await findChromium(console.log, kind).catch((error: Error) => console.error(error.message))
    if (!found) return false
  }
  return true
}

async function browserTests({ files, title }: Selection): Promise<Tally> {
  if (!(await browsers)) return { passed: 0, failed: 1, skipped: 0 }
  const report = join(root, '.build', 'browser-tests.json')
  mkdirSync(join(root, '.build'), { recursive: true })
  rmSync(report, { force: true })
  const waitsFile = join(root, '.build', 'story-waits.json')
  rmSync(waitsFile, { force: true })
  const cli = join('node_modules', '@playwright', 'test', 'cli.js')
  const { code } = await run(
    [
      '--bun',
      cli,
      'test',
      '--config',
      join('tests', 'e2e', 'playwright.config.ts'),
      // Each worker has a world of its own: server, database, simulated WhatsApp, Chromium.
      `--workers=${storiesSideBySide}`,
      '--retries=0',
      `--reporter=list,json,${join(root, 'tests', 'e2e', 'waits.reporter.ts')}`,
      `--repeat-each=${again}`,
      ...(title ? ['-g', literally(title)] : []),
      ...(words === '' ? [] : files.map(literally)),
    ],
    { minutes: 57 * again, env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, STORY_WAITS: waitsFile } },
  )
  if (existsSync(waitsFile)) waits = JSON.parse(readFileSync(waitsFile, 'utf8')) as Waits
  if (!existsSync(report)) {
    console.error(`The browser tests ended with ${code} and left no report.`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
  const { stats, errors, suites } = JSON.parse(readFileSync(report, 'utf8')) as {
    stats: { expected: number; unexpected: number; skipped: number }
    errors: { message?: string }[]
    suites: Suite[]
  }
  for (const { file, title, tests } of suites.flatMap(specsOf)) {
    for (const { status, results } of tests) {
      const said = results.find(({ error }) => error)?.error?.message ?? ''
      if (status === 'unexpected') failures.push({ name: `${file} › ${title}`, said, shown: shownAt(results) })
      for (const { duration } of results) timed(`tests/e2e/${file}`, title, duration)
    }
  }
  failures.push(...errors.map(({ message = '' }) => ({ name: 'in the browser', said: message })))
  const failed = stats.unexpected + errors.length
  return {
    passed: stats.expected,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: stats.skipped,
  }
}

/** As Playwright reports them: files hold groups, groups hold tests. */
type Suite = { specs: Spec[]; suites?: Suite[] }
type Spec = { file: string; title: string; tests: { status: string; results: Attempt[] }[] }
type Attempt = { duration: number; error?: { message?: string }; attachments?: { name: string; path?: string }[] }

/** What the page showed to a screen reader when the test failed; empty when it left none. */
function shownAt(attempts: readonly Attempt[]): string {
  const path = attempts
    .flatMap(({ attachments = [] }) => attachments)
    .find(({ name }) => name === 'error-context')?.path
  if (!path || !existsSync(path)) return ''
  return /```yaml\n([^]*?)\n```/.exec(readFileSync(path, 'utf8'))?.[1] ?? ''
}

function specsOf({ specs, suites = [] }: Suite): Spec[] {
  return [...specs, ...suites.flatMap(specsOf)]
}

// ── helpers ──────────────────────────────────────────────────────────────────────────────────

function whatIsAsked(): Asked {
  try {
    return asked(process.argv.slice(2))
  } catch (error) {
    console.error((error as Error).message)
    process.exit(2)
  }
}

/** The tests of some files that concern what is asked for. */
async function those(glob: string): Promise<Selection> {
  const paths = [...new Bun.Glob(glob).scanSync(root)].filter((path) => !path.includes('node_modules')).sort()
  const files = paths.map(async (path) => ({ path, text: words ? await Bun.file(join(root, path)).text() : '' }))
  return selected(words, await Promise.all(files))
}

/** From now on half of the processors have something else to do, and browsers have a slow line (`tests/e2e/world.ts`). */
function takeAway(): void {
  process.env.SLOW_LINE = '1'
  for (let left = availableParallelism() / 2; left > 0; left--)
    running.add(Bun.spawn([process.execPath, '-e', 'for (;;);'], { stdio: ['ignore', 'ignore', 'ignore'] }))
}

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

function timed(file: string, title: string, ms: number): void {
  timings.push({ name: `${file} › ${title}`, ms })
  fileTimings.set(file, (fileTimings.get(file) ?? 0) + ms)
}

function printSlowest(what: string, all: Timing[]): void {
  if (all.length === 0) return
  const sum = all.reduce((ms, timing) => ms + timing.ms, 0)
  console.log(`Slowest ${what}, of ${Math.round(sum / 1000)} s in all:`)
  for (const { name, ms } of all.sort((a, b) => b.ms - a.ms).slice(0, slowest))
    console.log(`${(ms / 1000).toFixed(1).padStart(8)} s  ${name}`)
  console.log('')
}

function note(part: string, tally: Tally): void {
  total.passed += tally.passed
  total.failed += tally.failed
  total.skipped += tally.skipped
  if (tally.failed > 0) failedIn.push(`${part}: ${tally.failed} failed`)
}

function printed({ name, said, shown = '' }: Failure): string {
  const lines = Bun.stripANSI(said).trim().split('\n').slice(-30)
  // What is in front, a dialog or a toast, stands at the end.
  if (shown) lines.push('The page showed, at its end:', ...shown.split('\n').slice(-50))
  return [`✗ ${name}`, ...lines.map((line) => `    ${line}`)].join('\n')
}

function finish(): never {
  for (const child of running) child.kill()
  heading(`after ${Math.round((performance.now() - begin) / 1000)} s`)
  if (timings.length > 0) {
    printSlowest('tests', timings)
    const files = [...fileTimings].map(([name, ms]) => ({ name, ms }))
    const isStory = ({ name }: Timing) => name.startsWith('tests/e2e/')
    printSlowest(
      'files of the parts',
      files.filter((file) => !isStory(file)),
    )
    printSlowest('files of stories', files.filter(isStory))
    const kinds = Object.entries(waits).map(([kind, { count, ms }]) => ({ name: `${kind} (${count} times)`, ms }))
    printSlowest('waits of stories', kinds)
  }
  if (failures.length > 0) console.log(`Failed:\n${failures.map(printed).join('\n')}\n`)
  for (const line of failedIn) console.log(line)
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
  console.log(`${total.passed} passed, ${total.failed} failed${skipped}`)
  process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)
}

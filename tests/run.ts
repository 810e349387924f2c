/**
 * `bun run test`: everything. Installs what is missing, builds the client, then runs the checks, the tests
 * of the parts, and the product itself in Chromium. The last line reads `N passed, N failed`.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildClient, installPackages, root } from '../server/prepare.ts'

type Tally = { passed: number; failed: number; skipped: number }

const chromiumNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const begin = performance.now()
const total: Tally = { passed: 0, failed: 0, skipped: 0 }
const failures: string[] = []
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

async function unitTests(files: string[]): Promise<Tally> {
  // Whoever shares the machine may stall it for longer than a test waits; what fails three times is a failure.
  const again = process.env.CI ? ['--retry=2'] : []
  const flags = ['test', '--isolate', '--timeout', '60000', ...again, ...files.map((path) => `./${path}`)]
  const { code, text } = await run(flags, { minutes: 25 })
  // Bun sums up at the end: ` 12 pass`, ` 1 fail`, ` 2 errors`.
  const count = (word: string) => Number(new RegExp(`^\\s*(\\d+) ${word}s?$`, 'm').exec(text.slice(-2_000))?.[1] ?? 0)
  const tally = {
    passed: count('pass'),
    failed: count('fail') + count('error'),
    skipped: count('skip') + count('todo'),
  }
  if (code !== 0 && tally.failed === 0) {
    console.error(`The tests ended with ${code}, before they could sum up.`)
    tally.failed = 1
  }
  return tally
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
      '--reporter=list,json',
    ],
    { minutes: 45, env: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report } },
  )
  if (!existsSync(report)) {
    console.error(`The browser tests ended with ${code} and left no report.`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
  const { stats, errors } = JSON.parse(readFileSync(report, 'utf8')) as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number }
    errors: unknown[]
  }
  const failed = stats.unexpected + errors.length
  return {
    passed: stats.expected + stats.flaky,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: stats.skipped,
  }
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

function run(flags: string[], options: RunOptions): Promise<{ code: number; text: string }> {
  return command([process.execPath, ...flags], options)
}

/** Runs a program, shows its output as it comes, and keeps it. */
async function command(line: string[], { minutes, env }: RunOptions): Promise<{ code: number; text: string }> {
  const child = Bun.spawn(line, {
    cwd: root,
    env: { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let text = ''
  const show = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const bytes of stream) {
      const part = decoder.decode(bytes, { stream: true })
      process.stdout.write(part)
      text = (text + part).slice(-100_000)
    }
  }
  const expired = setTimeout(() => {
    console.error(`Stopped after ${minutes} minutes.`)
    child.kill('SIGKILL')
  }, minutes * 60_000)
  // Output may be held open by something that outlives the program; its end is what counts.
  const shown = Promise.all([show(child.stdout), show(child.stderr)])
  const code = await child.exited
  await Promise.race([shown, Bun.sleep(2_000)])
  clearTimeout(expired)
  running.delete(child)
  return { code, text }
}

function heading(text: string): void {
  console.log(`\n── ${text} ${'─'.repeat(Math.max(0, 70 - text.length))}`)
}

function note(part: string, tally: Tally): void {
  total.passed += tally.passed
  total.failed += tally.failed
  total.skipped += tally.skipped
  if (tally.failed > 0) failures.push(`${part}: ${tally.failed} failed`)
}

function finish(): never {
  heading(`after ${Math.round((performance.now() - begin) / 1000)} s`)
  for (const line of failures) console.log(line)
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
  console.log(`${total.passed} passed, ${total.failed} failed${skipped}`)
  process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)
}

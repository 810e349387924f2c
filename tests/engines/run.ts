/**
 * `bun run engines [firefox|webkit] [words…] [--again N] [--busy]`: the product in the engines that are not Chromium.
 * Installs what is missing and builds the client, as `bun run test` does.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildClient, installPackagesAndGoOn, root } from '../../server/prepare.ts'
import { asked, literally } from '../support/selection.ts'
import type { EngineName } from './engine.ts'
import { findPrograms } from './engines.here.ts'

const all: EngineName[] = ['firefox', 'webkit']
const say = (sentence: string) => process.stdout.write(`${sentence}\n`)
const running: Bun.Subprocess[] = []
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill()
    process.exit(130)
  })
}
process.chdir(root)
process.exit(
  await run().finally(() => {
    for (const child of running) child.kill()
  }),
)

async function run(): Promise<number> {
  const wanted = process.argv.slice(2)
  const named = all.filter((name) => wanted.includes(name))
  const engines = named.length > 0 ? named : all
  const { words, again, busy } = asked(wanted.filter((word) => !named.includes(word as EngineName)))
  await installPackagesAndGoOn(say)
  await buildClient(say)
  const { display, sound } = await findPrograms(engines, say)
  const DISPLAY = engines.includes('webkit') && display ? await screenOf(display) : undefined
  const folder = mkdtempSync(join(tmpdir(), 'balcao-sound-'))
  const PULSE_SERVER = soundAt(sound!, join(folder, 'native'))
  // Half of the processors have something else to do.
  for (let left = busy ? availableParallelism() / 2 : 0; left > 0; left--)
    running.push(Bun.spawn([process.execPath, '-e', 'for (;;);'], { stdio: ['ignore', 'ignore', 'ignore'] }))
  const child = Bun.spawn(
    [
      ...[process.execPath, '--no-orphans', '--bun', join('node_modules', '@playwright', 'test', 'cli.js'), 'test'],
      ...['--config', join('tests', 'engines', 'engines.config.ts'), `--repeat-each=${again}`],
      ...engines.map((name) => `--project=${name}`),
      ...(words ? ['-g', literally(words)] : []),
    ],
    { env: { ...process.env, PULSE_SERVER, ...(DISPLAY ? { DISPLAY } : {}) }, stdio: ['ignore', 'inherit', 'inherit'] },
  )
  running.push(child)
  return child.exited.finally(() => rmSync(folder, { recursive: true, force: true }))
}

/** A screen that nobody sees, for a browser with a window. @returns its name */
async function screenOf(program: string): Promise<string> {
  const child = Bun.spawn([program, '-displayfd', '1', '-screen', '0', '1920x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  running.push(child)
  // Nobody lets go of the pipe: the number and the end of its line are written apart, and without a reader Xvfb ends.
  const reader = child.stdout.getReader()
  let said = ''
  while (!said.includes('\n')) {
    const { done, value } = await reader.read()
    if (done) throw new Error('Xvfb ended before it had a screen')
    said += new TextDecoder().decode(value)
  }
  return `:${said.trim()}`
}

/** A loudspeaker that nobody hears: without any, Firefox processes no sound. @returns its address */
function soundAt(program: string, socket: string): string {
  const flags = ['-n', '--daemonize=no', '--exit-idle-time=-1', '--use-pid-file=no']
  const modules = [`module-native-protocol-unix socket=${socket} auth-anonymous=1`, 'module-null-sink']
  const line = [program, ...flags, ...modules.flatMap((name) => ['-L', name])]
  running.push(Bun.spawn(line, { stdio: ['ignore', 'ignore', 'ignore'] }))
  return `unix:${socket}`
}

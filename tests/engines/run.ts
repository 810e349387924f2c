/**
 * `bun run engines [firefox|webkit] [words…] [--again N] [--busy]`: the product in the engines that are not Chromium.
 * Installs what is missing and builds the client, as `bun run test` does.
 */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { buildClient, installPackagesAndGoOn, root } from '../../server/prepare.ts'
import { asked, literally } from '../support/selection.ts'
import type { EngineName } from './engine.ts'
import { findPrograms } from './engines.here.ts'

const all: EngineName[] = ['firefox', 'webkit']
const running: Bun.Subprocess[] = []
process.chdir(root)
process.exit(await run().finally(() => running.forEach((child) => child.kill())))

async function run(): Promise<number> {
  const wanted = process.argv.slice(2)
  const named = all.filter((name) => wanted.includes(name))
  const engines = named.length > 0 ? named : all
  const { words, again, busy } = asked(wanted.filter((word) => !named.includes(word as EngineName)))
  await installPackagesAndGoOn(console.log)
  await buildClient(console.log)
  const { display } = await findPrograms(engines, console.log)
  const DISPLAY = engines.includes('webkit') && display ? await screenOf(display) : undefined
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
    { env: { ...process.env, ...(DISPLAY ? { DISPLAY } : {}) }, stdio: ['ignore', 'inherit', 'inherit'] },
  )
  running.push(child)
  return child.exited
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

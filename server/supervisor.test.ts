import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Supervised, supervise } from './supervisor.ts'

let folder: string
let said: string[]
let running: Supervised[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'balcao-supervisor-'))
  said = []
  running = []
})
afterEach(async () => {
  for (const supervised of running) await supervised.stop()
  rmSync(folder, { recursive: true, force: true })
})

const notes = () => join(folder, 'notes')
/** Process ids of all starts so far. */
const starts = () => (existsSync(notes()) ? readFileSync(notes(), 'utf8').trim().split('\n').map(Number) : [])

function server(behaviour: string, env: Record<string, string> = {}): Supervised {
  const supervised = supervise({
    command: [
      ...[process.execPath, '--no-orphans', '--no-install', join(import.meta.dir, 'supervisor.fixture.ts')],
      ...[behaviour, notes()],
    ],
    cwd: folder,
    env: { ...process.env, ...env },
    say: (sentence) => said.push(sentence),
    stillSeconds: 2,
    stopSeconds: 1,
  })
  running.push(supervised)
  return supervised
}

async function started(times: number): Promise<void> {
  for (const deadline = Date.now() + 30_000; starts().length < times; await Bun.sleep(20))
    if (Date.now() > deadline) throw new Error(`started ${starts().length} times; said: ${said.join(' ')}`)
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

for (const [behaviour, last] of [
  ['busy', 'POST /contacts/import'],
  ['waiting', 'job whatsapp.send'],
] as const)
  test(`a server whose main loop stands still, ${behaviour}, is ended with a word of the cause and started again`, async () => {
    server(behaviour)
    await started(2)
    expect(said[0]).toMatch(
      new RegExp(`main loop has not turned for 2 s \\(it is ${behaviour}\\). What it began last: ${last}`),
    )
    expect(said[1]).toContain('was ended by SIGKILL; it starts again')
    expect(isAlive(starts()[0]!)).toBe(false)
    // The second one turns, and is left alone.
    await Bun.sleep(4_000)
    expect(starts()).toHaveLength(2)
  })

test('a server that somebody halts, as a debugger does, is left alone', async () => {
  server('well')
  await started(1)
  await Bun.sleep(500)
  process.kill(starts()[0]!, 'SIGSTOP')
  await Bun.sleep(5_000)
  process.kill(starts()[0]!, 'SIGCONT')
  await Bun.sleep(1_000)
  expect(said).toEqual([])
  expect(starts()).toHaveLength(1)
})

test('a supervisor that slept with its machine does not blame the server for it', async () => {
  // As after a sleep: both stood still, and the supervisor wakes first.
  const child = Bun.spawn(
    [process.execPath, '--no-orphans', join(import.meta.dir, 'supervisor.sleeper.fixture.ts'), folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await started(1)
  await Bun.sleep(1_500)
  const [pid] = starts()
  process.kill(pid!, 'SIGSTOP')
  child.kill('SIGSTOP')
  await Bun.sleep(6_000)
  child.kill('SIGCONT')
  process.kill(pid!, 'SIGCONT')
  await Bun.sleep(3_000)
  expect(isAlive(pid!)).toBe(true)
  expect(starts()).toEqual([pid!])
  child.kill()
  await child.exited
  expect(isAlive(pid!)).toBe(false)
})

test('a server may wait for hundreds of answers at once', async () => {
  let waiting = 0
  const all = Promise.withResolvers<void>()
  const slow = Bun.serve({
    port: 0,
    fetch: () => {
      if (++waiting === 700) all.resolve()
      return new Promise(() => undefined)
    },
  })
  server('asks', { ASKED: `http://127.0.0.1:${slow.port}` })
  await all.promise
  await slow.stop(true)
})

test('a server that ends again and again is started ever more slowly', async () => {
  server('ends')
  await started(3)
  const pauses = said.map((sentence) => Number(/again in ([\d.]+) s/.exec(sentence)?.[1]))
  expect(pauses.slice(0, 2)).toEqual([0.5, 1])
})

test('a server that never gets ready is not started again: it has said what is wrong', async () => {
  expect(await server('never ready').ended).toBe(7)
  expect(starts()).toHaveLength(1)
})

test('a server that is asked to stop stops, and is ended when it does not', async () => {
  const willing = server('well')
  await started(1)
  await willing.stop()
  expect(await willing.ended).toBe(0)
  const deaf = server('deaf')
  await started(2)
  await deaf.stop()
  expect(said.join()).toContain('did not stop within 1 s')
  expect(starts().filter(isAlive)).toEqual([])
})

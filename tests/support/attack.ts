import { join } from 'node:path'
import { expect } from 'bun:test'
import type { Watched } from './attack-watch.ts'
import { startStack } from './stack.ts'

/**
 * What an attack may cost at most. Of a silence counts what the server worked in it: on a machine that is busy with other
 * tests it also waits for its turn, and for that only `gapMs` is the bound.
 */
export const attackLimits = { busyMs: 1_000, gapMs: 5_000, memoryMb: 1_200 }

export interface Cost<T> extends Watched {
  /** What the attack resolved with. */
  result: T
}

export type Target = Awaited<ReturnType<typeof startTarget>>

/**
 * A real server in a process of its own that may be attacked, and a third process that watches it. Share one among the
 * attacks of a file:
 *
 *     const target = await startTarget()          // in beforeAll; takes what startStack takes
 *     const cost = await target.under(() => fetch(`${target.url}/auth/login`, …))
 *     expect(cost.result.status).toBe(400)
 *     expectWithstood(cost)
 *     await target.stop()                         // in afterAll
 */
export async function startTarget(options: Parameters<typeof startStack>[0] = {}) {
  const stack = await startStack({ fast: true, ...options })
  const stopStack = stack.stop
  let watcher = startWatcher(stack.url, stack.pid()!)
  return Object.assign(stack, {
    /**
     * Attacks, and measures until the server has had time to do what the attack put off.
     * @param lingerMs how long it is watched after the attack has ended
     */
    async under<T>(attack: () => Promise<T>, { lingerMs = 1_000 }: { lingerMs?: number } = {}): Promise<Cost<T>> {
      const pid = stack.pid()!
      // The server was started anew since.
      if (watcher.pid !== pid) {
        watcher.stop()
        watcher = startWatcher(stack.url, pid)
      }
      await watcher.begin()
      try {
        const result = await attack()
        await Bun.sleep(lingerMs)
        return { ...(await watcher.end()), result }
      } catch (error) {
        await watcher.end()
        throw error
      }
    },
    async stop(): Promise<void> {
      watcher.stop()
      await stopStack()
    },
  })
}

/** The server went on answering, and took no more memory than it may. */
export function expectWithstood(cost: Watched, limits: Partial<typeof attackLimits> = {}): void {
  const { busyMs, gapMs, memoryMb } = { ...attackLimits, ...limits }
  const { machineMs, answers } = cost
  expect(answers, 'answers of /health').toBeGreaterThan(0)
  expect(cost.busyMs, 'ms of work between answers').toBeLessThan(busyMs)
  expect(cost.gapMs, `ms between answers; the machine itself stood still for ${machineMs} ms`).toBeLessThan(gapMs)
  expect(cost.memoryMb, 'MB without Postgres').toBeLessThan(memoryMb)
}

function startWatcher(url: string, pid: number) {
  let heard: (message: unknown) => void = () => undefined
  const child = Bun.spawn([process.execPath, '--no-orphans', join(import.meta.dir, 'attack-watch.ts'), url, `${pid}`], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (message) => heard(message),
  })
  const ask = (order: 'begin' | 'end') =>
    new Promise<unknown>((resolve, reject) => {
      heard = resolve
      void child.exited.then((code) => reject(new Error(`the watcher ended with ${code}`)))
      child.send({ order })
    })
  return {
    pid,
    begin: () => ask('begin'),
    end: () => ask('end') as Promise<Watched>,
    stop: () => child.kill(),
  }
}

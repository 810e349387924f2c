/**
 * Keeps the server running: a process of its own that is started again when it ends by itself, and ended when its main
 * loop stands still. Imports nothing but what Bun brings along, for it runs before any package is installed.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeHeartbeat, type SignsOfLife } from './heartbeat.ts'
import { scratchFolder } from './scratch.ts'

/** The variable by which a server learns what those before it were at when they stood still: `StoodStill[]` as JSON. */
export const STOOD_STILL = 'BALCAO_STOOD_STILL'
export type StoodStill = Pick<SignsOfLife, 'work' | 'worker' | 'doing'>

/**
 * Requests that a process may have under way, as Bun reads it when it starts; the most it takes. Its own 256 would be the
 * waits of a dozen browsers with the real Electric, and webhooks would stand behind them. Ours have bounds of their own.
 */
const BUN_CONFIG_MAX_HTTP_REQUESTS = '65336'

export interface SupervisorOptions {
  /** What to run. The path of its heartbeat is added as the last argument. */
  command: string[]
  cwd: string
  env: Record<string, string | undefined> | (() => Record<string, string | undefined>)
  say(sentence: string): void
  /** What it tells us (`process.send`), each time it was started. */
  onMessage?(message: unknown): void
  /** Whether it is started again when it ends by itself; always, where it is not said. */
  goesOn?(): boolean
  /** Seconds without a sign of life after which it is ended. Before it is ready for the first time, six times that. */
  stillSeconds?: number
  /** Seconds that it may take to stop when it is asked to. */
  stopSeconds?: number
}

export interface Supervised {
  /** Tells it something; lost where it does not run. */
  tell(message: unknown): void
  /** Ends it at once; it is started again as after any other end. */
  kill(): void
  /** Resolves with the exit code when it is over: it was stopped, it ended by itself with 0, or it never got ready. */
  ended: Promise<number>
  /** Asks it to stop, and ends it when it does not. */
  stop(): Promise<void>
}

/** Between two starts; longer each time, until it has run for `STEADY_MS`. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
const STEADY_MS = 60_000
const TICK_MS = 1_000
/** Standstills that one start is told of: the latest. */
const MOST_TOLD = 20

/** Runs the command until it is stopped. What it writes goes where our own output goes. */
export function supervise(options: SupervisorOptions): Supervised {
  const { command, cwd, env, say, onMessage, goesOn = () => true, stillSeconds = 10, stopSeconds = 60 } = options
  const folder = scratchFolder('heartbeat')
  const heartbeat = join(folder, 'page')
  const stopAsked = Promise.withResolvers<void>()
  let stopping = false
  let child: Bun.Subprocess | undefined
  let endedStill = false

  /** What servers were at when they stood still, until one that was told of it is ready. */
  let stoodStill: StoodStill[] = []

  async function run(): Promise<number> {
    for (let pauseMs = FIRST_PAUSE_MS, wasReady = false; ; ) {
      const life = makeHeartbeat(heartbeat)
      const begin = performance.now()
      child = Bun.spawn([...command, heartbeat], {
        cwd,
        env: {
          BUN_CONFIG_MAX_HTTP_REQUESTS,
          ...(typeof env === 'function' ? env() : env),
          [STOOD_STILL]: JSON.stringify(stoodStill),
        },
        ...(onMessage && { ipc: onMessage, serialization: 'json' as const }),
        stdio: ['ignore', 'inherit', 'inherit'],
        // Ctrl-C is for us; we ask it to stop.
        detached: true,
      })
      const watch = watchLoop(child, life)
      if (stopping) child.kill()
      await child.exited
      clearInterval(watch)
      const { ready, ...signs } = life()
      wasReady ||= ready
      if (ready) stoodStill = []
      // The variable that tells of them has a bound, too.
      if (endedStill)
        stoodStill = [
          ...stoodStill.slice(1 - MOST_TOLD),
          { work: signs.work, worker: signs.worker, doing: signs.doing },
        ]
      endedStill = false
      if (stopping || child.exitCode === 0) return child.exitCode ?? 1
      // Nothing that time would mend: it has said itself what is wrong.
      if (!wasReady || !goesOn()) return child.exitCode ?? 1
      if (performance.now() - begin > STEADY_MS) pauseMs = FIRST_PAUSE_MS
      const how = child.signalCode ? `was ended by ${child.signalCode}` : `ended with code ${child.exitCode}`
      say(`The server ${how}; it starts again in ${pauseMs / 1_000} s.`)
      await Promise.race([Bun.sleep(pauseMs), stopAsked.promise])
      if (stopping || !goesOn()) return 0
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }

  /**
   * Counts its own turns without a sign of life rather than seconds: while the machine sleeps there are none, and the
   * one after the sleep is not counted.
   */
  function watchLoop(watched: Bun.Subprocess, life: () => SignsOfLife): Timer {
    let beats = -1
    let still = 0
    let last = performance.now()
    return setInterval(() => {
      const now = performance.now()
      const late = now - last > 3 * TICK_MS
      last = now
      const signs = life()
      if (signs.beats !== beats || late || isHeld(watched.pid)) {
        beats = signs.beats
        still = 0
        return
      }
      if (++still < (signs.ready ? stillSeconds : 6 * stillSeconds)) return
      const how = stateOf(watched.pid) === 'R' ? 'busy' : 'waiting'
      say(
        `The server's main loop has not turned for ${still} s (it is ${how}). What it began last: ${signs.doing || 'nothing known'}. It is ended.`,
      )
      endedStill = true
      watched.kill('SIGKILL')
    }, TICK_MS)
  }

  const ended = run().finally(() => rmSync(folder, { recursive: true, force: true }))
  return {
    ended,
    tell(message) {
      try {
        if (child?.exitCode === null && child.signalCode === null) child.send(message)
      } catch {
        // It is ending.
      }
    },
    kill: () => child?.kill('SIGKILL'),
    async stop() {
      stopping = true
      stopAsked.resolve()
      child?.kill()
      const axe = setTimeout(() => {
        say(`The server did not stop within ${stopSeconds} s. It is ended.`)
        child?.kill('SIGKILL')
      }, stopSeconds * 1_000)
      await ended
      clearTimeout(axe)
    },
  }
}

/** Somebody has halted it, or looks at it with a debugger. */
const isHeld = (pid: number) => ['T', 't'].includes(stateOf(pid))

/** The letter by which Linux names the state of a process's main thread; empty where it cannot be told. */
function stateOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3)
  } catch {
    return ''
  }
}

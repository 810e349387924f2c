import { readdirSync, readFileSync } from 'node:fs'

/**
 * Watches an attacked server from a process of its own, so that neither the attacker's nor the server's work delays the
 * clock: `bun attack-watch.ts URL PID`. `begin` and `end` come over the parent's channel; `end` is answered with a `Watched`.
 */
export interface Watched {
  /** Longest time between two answers of `/health`, in ms. */
  gapMs: number
  /**
   * The most that the server, its children and Postgres worked between two answers, in ms of processor time, and no more
   * than the time between: what of a gap is the server's own doing. The gap itself where there is no `/proc`.
   */
  busyMs: number
  /** Longest time that this process itself did not get to run: what the machine takes from everybody. */
  machineMs: number
  /** Most resident memory at one time, in MB, of the server and its children without Postgres. */
  memoryMb: number
  memoryWithPostgresMb: number
  answers: number
}

const POLL_MS = 50
const [url = '', serverPid = ''] = process.argv.slice(2)
let watched: Watched | undefined
let lastAnswer = 0
let workedThen = 0
let polling = Promise.resolve()

process.on('message', (order: { order: 'begin' | 'end' }) => {
  if (order.order === 'begin') {
    watched = { gapMs: 0, busyMs: 0, machineMs: 0, memoryMb: 0, memoryWithPostgresMb: 0, answers: 0 }
    lastAnswer = performance.now()
    workedThen = lookAt(serverPid).workedMs
    polling = poll(watched)
    process.send!('begun')
  } else {
    const result = watched!
    watched = undefined
    void polling.then(() => process.send!(result))
  }
})
process.on('disconnect', () => process.exit(0))

/** Asks until the watch ends, and once more after that: a silence at the end counts in its full length. */
async function poll(into: Watched): Promise<void> {
  for (;;) {
    const isLast = watched !== into
    // A server that does not answer at all makes the gap as long as we care to wait for it.
    const answered = await fetch(`${url}/health`, { signal: AbortSignal.timeout(60_000) }).then(
      (response) => response.text(),
      () => undefined,
    )
    const now = performance.now()
    const { own, withPostgres, workedMs } = lookAt(serverPid)
    const gap = now - lastAnswer
    into.gapMs = Math.max(into.gapMs, Math.round(gap))
    into.busyMs = Math.max(into.busyMs, Math.round(Math.min(gap, workedMs - workedThen || gap)))
    if (answered !== undefined) {
      lastAnswer = now
      workedThen = workedMs
      into.answers++
    }
    into.memoryMb = Math.max(into.memoryMb, own)
    into.memoryWithPostgresMb = Math.max(into.memoryWithPostgresMb, withPostgres)
    if (isLast) return
    const before = performance.now()
    await Bun.sleep(POLL_MS)
    into.machineMs = Math.max(into.machineMs, Math.round(performance.now() - before - POLL_MS))
  }
}

/** A tick of the clock by which `/proc` counts work, in ms. */
const TICK_MS = 10

/**
 * Memory of a process and all below it, in MB; what Postgres' processes share counts once. And what they have worked
 * until now, in ms of processor time. Zero where there is no `/proc`.
 */
function lookAt(root: string): { own: number; withPostgres: number; workedMs: number } {
  const processes = new Map<string, { parent: string; isPostgres: boolean; ticks: number }>()
  for (const pid of listed('/proc')) {
    // `pid (name) state parent …`; a name may hold spaces and brackets.
    const stat = read(`/proc/${pid}/stat`)
    const end = stat.lastIndexOf(')')
    if (end < 0) continue
    const [, parent = '', ...rest] = stat.slice(end + 2).split(' ')
    // In user mode and in the kernel, then the same of its children that have ended.
    const ticks = rest.slice(9, 13).reduce((sum, n) => sum + Number(n), 0)
    processes.set(pid, { parent, isPostgres: stat.slice(0, end).endsWith('(postgres'), ticks })
  }
  const isBelow = (pid: string): boolean => {
    for (let at: string | undefined = pid; at !== undefined; at = processes.get(at)?.parent)
      if (at === root) return true
    return false
  }
  let own = 0
  let postgres = 0
  let shared = 0
  let worked = 0
  for (const [pid, { isPostgres, ticks }] of processes) {
    if (!isBelow(pid)) continue
    worked += ticks
    const status = read(`/proc/${pid}/status`)
    const kB = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)
    if (isPostgres) {
      postgres += kB('RssAnon') + kB('RssFile')
      shared = Math.max(shared, kB('RssShmem'))
    } else own += kB('VmRSS')
  }
  const mb = (kilobytes: number) => Math.round(kilobytes / 1024)
  return { own: mb(own), withPostgres: mb(own + postgres + shared), workedMs: worked * TICK_MS }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

import { readdirSync, readFileSync } from 'node:fs'

/**
 * Watches an attacked server from a process of its own, so that neither the attacker's nor the server's work delays the
 * clock: `bun attack-watch.ts URL PID`. `begin` and `end` come over the parent's channel; `end` is answered with a `Watched`.
 */
export interface Watched {
  /** Longest time between two answers of `/health`, in ms. */
  gapMs: number
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
let polling = Promise.resolve()

process.on('message', (order: { order: 'begin' | 'end' }) => {
  if (order.order === 'begin') {
    watched = { gapMs: 0, machineMs: 0, memoryMb: 0, memoryWithPostgresMb: 0, answers: 0 }
    lastAnswer = performance.now()
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
    into.gapMs = Math.max(into.gapMs, Math.round(now - lastAnswer))
    if (answered !== undefined) {
      lastAnswer = now
      into.answers++
    }
    const { own, withPostgres } = memoryOf(serverPid)
    into.memoryMb = Math.max(into.memoryMb, own)
    into.memoryWithPostgresMb = Math.max(into.memoryWithPostgresMb, withPostgres)
    if (isLast) return
    const before = performance.now()
    await Bun.sleep(POLL_MS)
    into.machineMs = Math.max(into.machineMs, Math.round(performance.now() - before - POLL_MS))
  }
}

/** Memory of a process and all below it, in MB; what Postgres' processes share counts once. Zero where there is no `/proc`. */
function memoryOf(root: string): { own: number; withPostgres: number } {
  const processes = new Map<string, { parent: string; isPostgres: boolean }>()
  for (const pid of listed('/proc')) {
    // `pid (name) state parent …`; a name may hold spaces and brackets.
    const stat = read(`/proc/${pid}/stat`)
    const end = stat.lastIndexOf(')')
    if (end < 0) continue
    processes.set(pid, {
      parent: stat.slice(end + 2).split(' ')[1] ?? '',
      isPostgres: stat.slice(0, end).endsWith('(postgres'),
    })
  }
  const isBelow = (pid: string): boolean => {
    for (let at: string | undefined = pid; at !== undefined; at = processes.get(at)?.parent)
      if (at === root) return true
    return false
  }
  let own = 0
  let postgres = 0
  let shared = 0
  for (const [pid, { isPostgres }] of processes) {
    if (!isBelow(pid)) continue
    const status = read(`/proc/${pid}/status`)
    const kB = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)
    if (isPostgres) {
      postgres += kB('RssAnon') + kB('RssFile')
      shared = Math.max(shared, kB('RssShmem'))
    } else own += kB('VmRSS')
  }
  const mb = (kilobytes: number) => Math.round(kilobytes / 1024)
  return { own: mb(own), withPostgres: mb(own + postgres + shared) }
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

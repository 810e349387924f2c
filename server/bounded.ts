/**
 * What reads bytes of strangers (sound, pictures, spreadsheets) does so in a process of its own, which is ended when it
 * takes too long or too much memory. A thread would not do: it has no limit of memory, and what breaks in a decoder's
 * native code takes the whole process with it.
 */
import { readFileSync } from 'node:fs'

export interface Bounds {
  /** Milliseconds, the start of the process included. */
  ms: number
  /** Bytes of resident memory, those of Bun included. */
  memory: number
}

/** Thrown when the process had to be ended, or ended without an answer. */
export class OutOfBounds extends Error {
  override readonly name = 'OutOfBounds'
  constructor(readonly what: 'time' | 'memory' | 'crash') {
    super(`a bounded process was ended: ${what}`)
  }
}

/** So often its memory is looked at. */
const LOOK_MS = 25
const MOST_ANSWER_BYTES = 4_000_000

/** Less memory for a little more time. */
const engine = { BUN_JSC_forceRAMSize: '50000000', BUN_JSC_useFTLJIT: '0' }

/**
 * Runs a script of ours that ends with `answer` of `bounded.child.ts`.
 * @param script path of the file
 * @param order what it is told; JSON
 * @throws OutOfBounds
 */
export async function runBounded<T>(script: string, order: unknown, bounds: Bounds): Promise<T> {
  const child = Bun.spawn([process.execPath, '--no-orphans', '--no-install', script], {
    // Nothing of our environment: there are secrets in it.
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, LANG: 'C.UTF-8', ...engine },
    stdio: [new Blob([JSON.stringify(order)]), 'pipe', 'ignore'],
  })
  let ended: OutOfBounds['what'] | undefined
  const end = (what: OutOfBounds['what']) => {
    ended ??= what
    child.kill('SIGKILL')
  }
  const late = setTimeout(() => end('time'), bounds.ms)
  const watch = setInterval(() => {
    if (memoryOf(child.pid) > bounds.memory) end('memory')
  }, LOOK_MS)
  try {
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of child.stdout) {
      size += part.length
      if (size > MOST_ANSWER_BYTES) end('crash')
      else parts.push(part)
    }
    await child.exited
    if (ended) throw new OutOfBounds(ended)
    if (child.exitCode !== 0) throw new OutOfBounds('crash')
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as T
  } finally {
    clearTimeout(late)
    clearInterval(watch)
  }
}

/** Resident bytes; 0 where it cannot be told, or when the process is gone. */
function memoryOf(pid: number): number {
  if (process.platform === 'linux') {
    try {
      // The second number of `statm`, in pages.
      return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * PAGE_BYTES
    } catch {
      return 0
    }
  }
  const { stdout } = Bun.spawnSync(['ps', '-o', 'rss=', '-p', String(pid)])
  return Number(stdout.toString().trim()) * 1_024 || 0
}

const PAGE_BYTES = process.arch === 'arm64' && process.platform === 'linux' ? pageBytes() : 4_096

/** Some ARM machines have pages of 16 or 64 KB. */
function pageBytes(): number {
  return Number(Bun.spawnSync(['getconf', 'PAGESIZE']).stdout.toString().trim()) || 4_096
}

import { linkSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Thrown by `lockDataDir` when another process works on the directory. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse'
  constructor(
    readonly dataDir: string,
    readonly pid: number,
  ) {
    super(`Balcão already runs on ${dataDir} (process ${pid}). Stop that one first, or give this one another DATA_DIR.`)
  }
}

/** Locks of this process; after `bun --watch` ran it anew under the same number, there are none. */
const held = new Set<string>()

/**
 * Claims the data directory for this process, making it if need be. A lock whose process is gone,
 * or whose number now belongs to another program, is taken over.
 * @returns release, to be called when everything that uses the directory has stopped
 * @throws DataDirInUse
 */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(realpathSync(dataDir), 'lock')
  const mine = `${process.pid}\n${birthOf(process.pid)}\n`
  // Linked into place whole, so that nobody ever reads half a lock.
  const fresh = `${path}.${process.pid}`
  writeFileSync(fresh, mine, { mode: 0o600 })
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        linkSync(fresh, path)
        break
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const holder = holderOf(path)
      if (holder === process.pid && !held.has(path)) {
        rmSync(path, { force: true })
        continue
      }
      if (holder !== undefined || attempt > 10) throw new DataDirInUse(dataDir, holder ?? 0)
      rmSync(path, { force: true })
    }
  } finally {
    rmSync(fresh, { force: true })
  }
  held.add(path)
  return () => {
    held.delete(path)
    if (read(path) === mine) rmSync(path, { force: true })
  }
}

/** The process that works on the data directory now, if one does. */
export const workerOf = (dataDir: string): number | undefined => holderOf(join(dataDir, 'lock'))

/** The living process that holds the lock. */
function holderOf(path: string): number | undefined {
  const [pid = '', birth = ''] = (read(path) ?? '').split('\n')
  const number = Number(pid)
  if (!Number.isInteger(number) || number <= 0) return undefined
  try {
    process.kill(number, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined
  }
  return birthOf(number) === birth ? number : undefined
}

/**
 * When a process began, in clock ticks since the machine did: tells it from a later one of the same number.
 * Nothing where that cannot be told, 'dead' for one that only waits to be buried.
 */
function birthOf(pid: number): string {
  const stat = read(`/proc/${pid}/stat`)
  if (stat === undefined) return ''
  // The name of the program, in brackets, may itself hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' ? 'dead' : (fields[19] ?? '')
}

/**
 * A secret that lies in the data directory, readable by its owner only; `make` gives it the first time.
 * @param name file name
 */
export function dataDirSecret(dataDir: string, name: string, make: () => string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, name)
  const fresh = `${path}.${process.pid}`
  if (read(path) === undefined) {
    writeFileSync(fresh, `${make()}\n`, { mode: 0o600 })
    try {
      // A link never replaces what is there: whoever comes first decides.
      linkSync(fresh, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(fresh, { force: true })
    }
  }
  return readFileSync(path, 'utf8').trim()
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
const tmpfs = 0x01021994
/** So much must be free there, and of the memory: the tests' databases take a third of it at most. */
const enough = 6 * 2 ** 30

/**
 * A folder for what need not outlive the tests: in the machine's memory where that is large enough, on its disk
 * otherwise. A database is six hundred files, and some disks look long for a place for a new file where others have just
 * been deleted: an eighth of all that Postgres did.
 */
export function quickFolder(): string {
  try {
    accessSync(memory, constants.W_OK)
    const { type, bavail, bsize } = statfsSync(memory)
    const free = Number(/^MemAvailable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? 0) * 1024
    if (type === tmpfs && bavail * bsize >= enough && free >= enough) return memory
  } catch {
    // Not every machine has it.
  }
  return tmpdir()
}

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folders of this machine only: a process of another container, which may share the folder, has other numbers. */
const OURS = `balcao-${Bun.hash(hostname()).toString(36)}-`
let isSwept = false

/**
 * A new folder for what lies on the disk for a moment. Its maker removes it; what one leaves that was killed, the first
 * call of a later process removes.
 * @param what names it, in letters
 */
export function scratchFolder(what: string): string {
  if (!isSwept) sweep()
  isSwept = true
  return mkdtempSync(join(tmpdir(), `${OURS}${process.pid}-${what}-`))
}

function sweep(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(OURS)) continue
    const pid = Number.parseInt(name.slice(OURS.length), 10)
    if (pid > 0 && !isAlive(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Somebody else's is alive.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

import { mkdirSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Below this, a part of a snapshot stays in memory. */
const smallBytes = 256 * 1024

/** Keeps what is large on the disk until it is read: however many rows a snapshot has, memory holds one part of it. */
export class Spill {
  private folder: string | undefined
  private number = 0
  private readonly paths = new WeakMap<Blob, string>()
  /** Who has just been handed one may not have opened it yet: it goes at the next sweep but one. */
  private doomed: string[] = []
  private condemned: string[] = []

  /** @param dir emptied here; made when it is first needed */
  constructor(private readonly dir: string | undefined) {
    if (dir !== undefined) rmSync(dir, { recursive: true, force: true })
  }

  /** @throws Error of the disk, when it takes no more */
  keep(bytes: Buffer<ArrayBuffer>): Blob {
    if (bytes.length < smallBytes) return new Blob([bytes])
    const path = join(this.open(), String(++this.number))
    writeFileSync(path, bytes, { mode: 0o600 })
    const file = Bun.file(path)
    this.paths.set(file, path)
    return file
  }

  isOnDisk(part: Blob): boolean {
    return this.paths.has(part)
  }

  drop(parts: readonly Blob[]): void {
    for (const part of parts) {
      const path = this.paths.get(part)
      if (path !== undefined) this.doomed.push(path)
    }
  }

  /** To be called every few seconds. */
  sweep(): void {
    for (const path of this.condemned) {
      try {
        unlinkSync(path)
      } catch {
        // Somebody tidied up before us.
      }
    }
    this.condemned = this.doomed
    this.doomed = []
  }

  close(): void {
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true })
    this.folder = undefined
  }

  private open(): string {
    if (this.folder !== undefined) return this.folder
    if (this.dir === undefined) this.folder = mkdtempSync(join(tmpdir(), 'shape-server-rows-'))
    else mkdirSync((this.folder = this.dir), { recursive: true, mode: 0o700 })
    return this.folder
  }
}

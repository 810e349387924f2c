/**
 * Writes that must be durable together are one statement, and statements that wait at the same time become one: the
 * receipt of a message waits for a disk, so disks are shared.
 */
import type { Logger } from 'pino'
import { isTransient } from './lanes.ts'
import type { KeyCache } from './store.cache.ts'
import { type Change, type KeyRow, keyPlace, StoreError } from './store.rows.ts'

interface Waiting {
  change: Change
  /** Whose keys these are. */
  device?: number
  /** Others may have read what is not written yet. */
  builtUpon?: boolean
  done: () => void
  fail: (error: unknown) => void
}

export type StoreWrites = ReturnType<typeof createWrites>

/** @param write all or none of the changes; returns the keys as they are then, by their places */
export function createWrites(
  write: (changes: readonly Change[]) => Promise<Map<string, KeyRow>>,
  cache: KeyCache,
  log: Logger,
) {
  let waiting: Waiting[] = []
  let writing = false
  /** Devices of which a write failed that others were built upon. */
  const broken = new Set<number>()
  /** How many links of a device have begun. */
  const links = new Map<number, number>()

  /** Durable when it resolves, in the order of the calls. @throws StoreError */
  function commit(change: Change, from?: Pick<Waiting, 'device' | 'builtUpon'>): Promise<void> {
    return new Promise<void>((done, fail) => {
      waiting.push({ ...from, change, done, fail })
      if (!writing) {
        writing = true
        queueMicrotask(() => void writeAll())
      }
    })
  }

  async function writeAll(): Promise<void> {
    while (waiting.length) {
      const batch = waiting
      waiting = []
      try {
        if (batch.some(isVain)) throw new Error('an earlier write of the device failed')
        cache.written(await patiently(() => write(batch.map((w) => w.change))))
        for (const w of batch) w.done()
      } catch (error) {
        if (batch.length > 1)
          log.warn({ err: error, changes: batch.length }, 'a shared write failed; writing one by one')
        for (const w of batch) await writeAlone(w, batch.length === 1 ? error : undefined)
      }
    }
    writing = false
  }

  const isVain = ({ device }: Waiting) => device !== undefined && broken.has(device)

  async function writeAlone(w: Waiting, failure: unknown): Promise<void> {
    try {
      if (failure !== undefined) throw failure
      if (isVain(w)) throw new Error('an earlier write of the device failed')
      cache.written(await write([w.change]))
      w.done()
    } catch (cause) {
      if (w.builtUpon && w.device !== undefined) broken.add(w.device)
      for (const row of w.change.keys ?? []) cache.forget(keyPlace(row.whatsappId, row.type, row.id))
      w.fail(new StoreError('the WhatsApp store could not be written', { cause }))
    }
  }

  /** A link of the device begins: what an earlier one could not store is no longer believed. */
  async function begin(whatsappId: number): Promise<void> {
    links.set(whatsappId, (links.get(whatsappId) ?? 0) + 1)
    // Writes go in turn: once this one is done, none of the earlier link's is under way.
    await commit({})
    if (broken.delete(whatsappId)) cache.forgetDevice(whatsappId)
  }

  return { commit, begin, linkOf: (whatsappId: number) => links.get(whatsappId) }
}

/** A database that was away for a moment costs no link. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === 3 || !isTransient(error)) throw error
      await Bun.sleep(300)
    }
  }
}

import { DomainError } from '../../schema/errors.ts'

/**
 * Does what asks a place of files, and again after each of these pauses while the place is away.
 * @param pausesMs as many as it is tried again
 * @param signal ends it between two tries
 * @throws what it fails with otherwise, or at last
 */
export async function patiently<T>(
  work: () => Promise<T>,
  pausesMs: readonly number[],
  signal?: AbortSignal,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const pause = pausesMs[tries]
      if (!(error instanceof DomainError) || error.code !== 'ERR_UNAVAILABLE' || pause === undefined) throw error
      await Bun.sleep(pause)
      signal?.throwIfAborted()
    }
  }
}

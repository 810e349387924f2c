import type postgres from 'postgres'
import type { Logger } from './log.ts'

/**
 * Short words between the servers of one database, about what each remembers by itself: what was used up, who is there.
 * Told at once and to whoever listens; one that is lost is lost, and nothing depends on it but how exactly they agree.
 */
export interface Between {
  /** @param word JSON, far below the 8,000 bytes that a notification may have */
  tell(topic: string, word: unknown): void
  /** Words of the others, never our own. */
  hear(topic: string, listener: (word: unknown) => void): void
}

/** Where there is no other server: nothing is told, and nothing heard. */
export const nobodyElse: Between & { close(): Promise<void> } = {
  tell: () => undefined,
  hear: () => undefined,
  close: () => Promise.resolve(),
}

const CHANNEL = 'balcao_between'
const MAX_NOTIFICATION = 7_800
const BATCH_MS = 50

export async function createBetween({
  sql,
  log,
}: {
  sql: Pick<postgres.Sql, 'listen' | 'notify'>
  log: Pick<Logger, 'warn'>
}): Promise<Between & { close(): Promise<void> }> {
  const me = crypto.randomUUID().slice(0, 8)
  const listeners = new Map<string, Set<(word: unknown) => void>>()
  let waiting: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const subscription = await sql.listen(CHANNEL, (text) => {
    const [from, ...lines] = text.split('\n')
    if (from === me) return
    for (const line of lines)
      try {
        const [topic, word] = JSON.parse(line) as [string, unknown]
        for (const listener of listeners.get(topic) ?? []) listener(word)
      } catch (err) {
        log.warn({ err }, 'an unreadable word of another server')
      }
  })
  const flush = async () => {
    timer = undefined
    const batch = waiting
    waiting = []
    for (let at = 0; at < batch.length; ) {
      let text = me
      do text += `\n${batch[at++]!}`
      while (at < batch.length && Buffer.byteLength(text) + Buffer.byteLength(batch[at]!) < MAX_NOTIFICATION)
      await sql.notify(CHANNEL, text)
    }
  }
  return {
    tell(topic, word) {
      waiting.push(JSON.stringify([topic, word]))
      timer ??= setTimeout(
        () => void flush().catch((err: unknown) => log.warn({ err }, 'other servers were not told')),
        BATCH_MS,
      )
    },
    hear(topic, listener) {
      const those = listeners.get(topic) ?? new Set()
      listeners.set(topic, those.add(listener))
    },
    async close() {
      clearTimeout(timer)
      await flush().catch(() => undefined)
      await subscription.unlisten()
    },
  }
}

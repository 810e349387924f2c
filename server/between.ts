import type postgres from 'postgres'
import { createNotifications } from './notifications.ts'
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

export async function createBetween({
  sql,
  log,
}: {
  sql: Pick<postgres.Sql, 'listen' | 'notify'>
  log: Pick<Logger, 'warn'>
}): Promise<Between & { close(): Promise<void> }> {
  const listeners = new Map<string, Set<(word: unknown) => void>>()
  const others = await createNotifications({
    sql,
    channel: 'balcao_between',
    everyMs: 50,
    receive(line) {
      try {
        const [topic, word] = JSON.parse(line) as [string, unknown]
        for (const listener of listeners.get(topic) ?? []) listener(word)
      } catch (err) {
        log.warn({ err }, 'an unreadable word of another server')
      }
    },
    failed: (err) => log.warn({ err }, 'other servers were not told'),
  })
  return {
    tell: (topic, word) => others.send(JSON.stringify([topic, word])),
    hear(topic, listener) {
      const those = listeners.get(topic) ?? new Set()
      listeners.set(topic, those.add(listener))
    },
    close: others.close,
  }
}

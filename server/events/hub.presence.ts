import type { Between } from '../between.ts'
import type { Logger } from '../log.ts'
import { createElsewhere } from './elsewhere.ts'
import type { Client, Clients } from './hub.clients.ts'

const PRESENCE_MS = 60_000
/** A reload is not an absence. */
const LEAVE_GRACE_MS = 20_000

export interface PresenceDeps {
  clients: Clients
  log: Logger
  /** The people who are here. Called often; writes only what changed. */
  markOnline(userIds: number[]): Promise<void>
  markOffline(userIds: number[]): Promise<void>
  /** Once a minute, everybody who is here. */
  eachMinute(all: Client[]): void
  between?: Between
}

/** Who is here: a person with the app open on a socket of any server, and for a moment after the last one closed. */
export function createPresence({ clients, log, markOnline, markOffline, eachMinute, between }: PresenceDeps) {
  const leaving = new Map<number, ReturnType<typeof setTimeout>>()
  const isHere = (userId: number) => clients.ofUser(userId).some((client) => client.present)

  const present = () => [
    ...new Set(
      clients
        .all()
        .filter((client) => client.present)
        .map((client) => client.who.userId),
    ),
  ]
  const elsewhere = between && createElsewhere(between, present)

  const minute = setInterval(() => {
    eachMinute(clients.all())
    const ids = present()
    elsewhere?.all(ids)
    if (ids.length > 0)
      void markOnline(ids).catch((error: unknown) => log.warn({ err: error }, 'presence could not be written'))
  }, PRESENCE_MS)
  minute.unref?.()

  async function arrive(client: Client): Promise<void> {
    const { userId } = client.who
    if (!isHere(userId)) elsewhere?.came(userId)
    client.present = true
    clearTimeout(leaving.get(userId))
    leaving.delete(userId)
    await markOnline([userId])
  }

  /** One socket of the person has closed. */
  function left(userId: number): void {
    if (isHere(userId)) return
    elsewhere?.went(userId)
    clearTimeout(leaving.get(userId))
    const timer = setTimeout(() => {
      leaving.delete(userId)
      if (isHere(userId) || elsewhere?.has(userId)) return
      void markOffline([userId]).catch((error: unknown) => log.warn({ err: error }, 'absence could not be written'))
    }, LEAVE_GRACE_MS)
    timer.unref?.()
    leaving.set(userId, timer)
  }

  return {
    isHere: (userId: number) => isHere(userId) || (elsewhere?.has(userId) ?? false),
    arrive,
    left,
    close() {
      clearInterval(minute)
      elsewhere?.ends()
      for (const timer of leaving.values()) clearTimeout(timer)
    },
  }
}

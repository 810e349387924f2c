import { and, eq, sql as query } from 'drizzle-orm'
import { DomainError, type ErrorCode } from '../../schema/errors.ts'
import { whatsappLeases } from '../../schema/whatsapps/whatsapp-store.table.ts'
import type { Db, Sql } from '../db/database.ts'
import type { Logger } from '../log.ts'
import type { SessionRunner } from './whatsapps.sessions.ts'

/** The session calls of every server that works on the database, whichever of them a person's request came to. */
export interface SessionCalls extends SessionRunner {
  close(): Promise<void>
}

const CHANNEL = 'balcao_sessions'
/** A code from WhatsApp may take its time; a server that does not answer for longer is gone, and its lease runs out. */
const ANSWER_WITHIN_MS = 20_000

/** What one server asks another, and what it answers: JSON, far below the 8,000 bytes that a notification may have. */
type Note =
  | { to: string; from: string; call: string; method: Method; args: unknown[] }
  | { to: string; answer: string; value?: unknown; code?: ErrorCode; params?: Record<string, unknown> }
type Method = keyof SessionRunner

/**
 * Carries each call to the server that holds the connection's lease, and does those here that nobody else holds.
 * Without `shared` there is no other server, and the runner is used as it is.
 *
 * Every call may safely be made again: an answer that is lost costs a repeated click, nothing else.
 *
 * @param serverId the name under which this process holds leases
 * @throws (from each call) what the holder threw; ERR_UNAVAILABLE when it did not answer in time
 */
export async function callSessions(deps: {
  db: Db
  sql: Pick<Sql, 'listen' | 'notify'>
  runner: SessionRunner
  serverId: string
  shared: boolean
  log: Logger
  answerWithinMs?: number
}): Promise<SessionCalls> {
  const { db, sql, runner, serverId, log } = deps
  if (!deps.shared) return { ...runner, close: () => Promise.resolve() }

  const waiting = new Map<string, (answer: Extract<Note, { answer: string }>) => void>()
  const send = (note: Note) => sql.notify(CHANNEL, JSON.stringify(note))

  const serve = async ({ from, call, method, args }: Extract<Note, { call: string }>): Promise<void> => {
    const work = runner[method] as (...args: unknown[]) => unknown
    try {
      await send({ to: from, answer: call, value: await work(...args) })
    } catch (error) {
      if (!(error instanceof DomainError)) log.warn({ err: error, method }, 'a call of another server failed')
      const { code, params } = error instanceof DomainError ? error : new DomainError('ERR_UNAVAILABLE')
      await send({ to: from, answer: call, code, params })
    }
  }
  const subscription = await sql.listen(CHANNEL, (text) => {
    const note = JSON.parse(text) as Note
    if (note.to !== serverId) return
    if ('answer' in note) waiting.get(note.answer)?.(note)
    else void serve(note).catch((error: unknown) => log.warn({ err: error }, 'a call of another server got no answer'))
  })

  const ask = (owner: string, method: Method, args: unknown[]): Promise<unknown> => {
    const call = crypto.randomUUID()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => settle(() => reject(new DomainError('ERR_UNAVAILABLE'))),
        deps.answerWithinMs ?? ANSWER_WITHIN_MS,
      )
      const settle = (how: () => void) => {
        waiting.delete(call)
        clearTimeout(timer)
        how()
      }
      waiting.set(call, ({ value, code, params }) =>
        settle(() => (code ? reject(new DomainError(code, params)) : resolve(value))),
      )
      send({ to: owner, from: serverId, call, method, args }).catch((error: unknown) =>
        settle(() => reject(error as Error)),
      )
    })
  }

  /** Undefined when this server holds the lease, or nobody does. */
  const holder = async (id: number): Promise<string | undefined> => {
    const [lease] = await db
      .select({ owner: whatsappLeases.owner })
      .from(whatsappLeases)
      .where(and(eq(whatsappLeases.whatsappId, id), query`${whatsappLeases.until} > now()`))
    return lease && lease.owner !== serverId ? lease.owner : undefined
  }

  /** The method of the same name, wherever the connection is held. */
  const carried = <M extends Method>(method: M): SessionRunner[M] => {
    const here = runner[method] as (...args: unknown[]) => unknown
    const anywhere = async (id: number, ...rest: unknown[]): Promise<unknown> => {
      const owner = await holder(id)
      return owner ? ask(owner, method, [id, ...rest]) : here(id, ...rest)
    }
    return anywhere as SessionRunner[M]
  }

  return {
    start: carried('start'),
    newQr: carried('newQr'),
    logout: carried('logout'),
    restart: carried('restart'),
    forget: carried('forget'),
    requestPairingCode: carried('requestPairingCode'),
    checkNumber: carried('checkNumber'),
    presence: carried('presence'),
    async health(id) {
      const found = await carried('health')(id)
      const when = (at: Date | string | null) => (at === null ? null : new Date(at))
      return found && { ...found, lastInAt: when(found.lastInAt), lastOutAt: when(found.lastOutAt) }
    },
    async close() {
      await subscription.unlisten()
      for (const answer of waiting.values()) answer({ to: serverId, answer: '', code: 'ERR_UNAVAILABLE' })
    },
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'

/** Who changes something, as the audit log names them. */
export type Actor =
  | { kind: 'user' | 'key'; id: number; name: string; ip: string | null; operator?: Operator }
  /** A company's provider, by what it says of whom it signs in. */
  | { kind: 'provider'; name: string; ip: string | null }
  /** Nobody who is known: whoever signs up, or tries to sign in. */
  | { kind: 'visitor'; ip: string | null }

/** Who acts in a user's name. */
export interface Operator {
  id: number
  name: string
  reason: string
}

/**
 * The call that is being answered, and its actor. The database adds it to each statement that changes something of which
 * the audit log is kept, so that no route has to pass it on, and none can forget to.
 */
const calls = new AsyncLocalStorage<{ actor?: Actor; requestId?: string }>()

/** Answers a call, in which somebody may act. */
export const asCall = <T>(answer: () => T): T => calls.run({}, answer)

/**
 * Does what a call only gave the impulse to and what outlives it: a job that it woke, a link that it began. It is nobody's
 * who happened to call then, and its lines in the log are about no call.
 */
export const byItself = <T>(work: () => T): T => calls.run({}, work)

/** The call is known by this from here on; each line of the log that is written for it says so. */
export function callIs(requestId: string): void {
  const call = calls.getStore()
  if (call) call.requestId = requestId
}

/** Of the call that is being answered, if there is one. */
export const requestIdNow = (): string | undefined => calls.getStore()?.requestId

/** From here on it is they who act in this call. */
export function actAs(actor: Actor): void {
  const call = calls.getStore()
  if (call) call.actor = actor
}

/** Does it in the name of somebody else than whose call it is. */
export const actingAs = <T>(actor: Actor, work: () => T): T => calls.run({ ...calls.getStore(), actor }, work)

/** Who acts; undefined where the server does something by itself. */
export const actorNow = (): Actor | undefined => calls.getStore()?.actor

import { createHash } from 'node:crypto'
import type { Logger } from '../log.ts'

/**
 * What was decided about who may enter.
 * - `login`, `logout`: a session began, or was ended by its owner
 * - `acting`: the operator began to act in a user's name
 * - `refused`: a wrong password, at the login or where the current one is asked for
 * - `lock`: too many wrong tries; said once, until it is over
 * - `expired`: the right password, in a company whose subscription has ended
 * - `reuse`: an old refresh token came back; the session has ended
 * - `code`: a code was asked for; `code-refused`: a wrong one was tried
 * - `reset`, `password`: a new password, by a code or by whoever was signed in
 * - `role-kept`: their groups at the company's provider would have taken the last admin's role, who keeps it
 * - `linked`: the company's provider came with them for the first time, and knows them by its own name from now on
 * - `email`: another e-mail to sign in with; `deleted`: the user is no more
 */
export type AuthDecision =
  | 'login'
  | 'acting'
  | 'logout'
  | 'refused'
  | 'lock'
  | 'expired'
  | 'reuse'
  | 'code'
  | 'code-refused'
  | 'reset'
  | 'password'
  | 'role-kept'
  | 'linked'
  | 'email'
  | 'deleted'

export interface AuthFacts {
  userId?: number | undefined
  companyId?: number | undefined
  sessionId?: number | undefined
  /** Who decided, where it is not the user. */
  byUserId?: number | undefined
  address?: string | null | undefined
  /** What was typed for an e-mail. Some type their password there: it is never written, only a short trace of it. */
  email?: string | undefined
}

/** Decisions that an operator should look at when they come often. */
const notable: ReadonlySet<AuthDecision> = new Set(['lock', 'reuse'])

export type AuthLog = (decision: AuthDecision, facts: AuthFacts) => void

/** Writes what was decided, as lines with `auth`; no password, code, token or unknown e-mail is among its facts. */
export function createAuthLog(log: Logger): AuthLog {
  return (auth, { email, ...facts }) => {
    const line = { auth, ...facts, ...(email !== undefined && { trace: traceOf(email) }) }
    if (notable.has(auth)) log.warn(line, `authentication: ${auth}`)
    else log.info(line, `authentication: ${auth}`)
  }
}

/** Tells the same e-mail again, whether anybody has it or not, and nothing else: 24 bits are shared by too many to be guessed back. */
const traceOf = (email: string) => createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 6)

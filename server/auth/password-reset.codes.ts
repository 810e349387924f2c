import { randomInt } from 'node:crypto'
import type { Tokens } from './tokens.ts'

/** A code is good for this long. */
export const CODE_MINUTES = 30
/**
 * With so many wrong ones tried, whoever tried them, even the right one is refused. High, because strangers may try, and
 * must not make it worthless that easily: a thousand of 31^8 is a chance of one in 850 million.
 */
export const CODE_TRIES = 1_000
/** So many good ones a person has at most; then no more is sent, for the last is still in their mailbox. */
export const MOST_CODES = 6

/** Without letters and digits that look alike, because people type it. */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const LENGTH = 8

/** Eight letters and digits in two groups, `ABCD-2345`. */
export function newCode(): string {
  const letters = Array.from({ length: LENGTH }, () => alphabet[randomInt(alphabet.length)]!).join('')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

/** A link that invites is good for this long. */
export const INVITATION_DAYS = 7

/** Longer than one that is typed: it lies in mailboxes and chats for days. */
export const newInvitation = (): string => `${newCode()}-${newCode()}`

/** Where somebody chooses their first password. Behind the mark, so that it stands in no log. */
export const invitationLink = (origin: string, email: string, code: string): string =>
  `${origin}/invitation#${new URLSearchParams({ email, code })}`

/** What of a code is stored, however it was typed. Keyed, because a code is short enough to be found from a plain hash. */
export const hashOfCode = (tokens: Pick<Tokens, 'hashOf'>, code: string): string =>
  tokens.hashOf(`password reset ${code.toUpperCase().replace(/[^A-Z0-9]/g, '')}`)

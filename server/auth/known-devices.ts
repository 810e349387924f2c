import { randomUUID } from 'node:crypto'
import type { Tokens } from './tokens.ts'

/** People who share a browser; the one who has not signed in for longest is forgotten. */
const MOST_PEOPLE = 8

const hashOf = (tokens: Tokens, email: string) => tokens.hashOf(`device of ${email.toLowerCase()}`).slice(0, 22)

/**
 * Which browser it is, if somebody has signed in with it under this e-mail before: its wrong passwords are counted
 * apart, so that nobody else's lock them out.
 * @param cookie what the browser keeps of it
 */
export async function knownDevice(
  tokens: Tokens,
  cookie: string | undefined,
  email: string,
  now: Date,
): Promise<string | undefined> {
  const claims = cookie ? await tokens.readDevice(cookie, now) : undefined
  const hash = hashOf(tokens, email)
  return claims?.emails.includes(hash) ? `${claims.id} ${hash}` : undefined
}

/** What the browser is to keep after somebody has signed in with it, or shown that the mailbox is theirs. */
export async function rememberDevice(
  tokens: Tokens,
  cookie: string | undefined,
  email: string,
  now: Date,
): Promise<string> {
  const before = cookie ? await tokens.readDevice(cookie, now) : undefined
  const hash = hashOf(tokens, email)
  const emails = [hash, ...(before?.emails ?? []).filter((other) => other !== hash)].slice(0, MOST_PEOPLE)
  return tokens.signDevice({ id: before?.id ?? randomUUID(), emails }, now)
}

import { randomBytes } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Static } from '@sinclair/typebox'
import { and, eq, gt, lte } from 'drizzle-orm'
import type { passkeyEnter, passkeyMade } from '../../schema/auth/passkeys.inputs.ts'
import { DomainError } from '../../schema/errors.ts'
import { type Passkey, type PasskeyCeremony, passkeyChallenges, passkeys } from '../../schema/users/passkeys.table.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { productName } from '../settings/settings.queries.ts'
import {
  CHALLENGE_MS,
  countPasskeys,
  listPasskeys,
  MOST_PASSKEYS,
  PasskeyRefused,
  type Place,
} from './passkeys.queries.ts'
import type { Tokens } from './tokens.ts'

/** It is of some size, and most starts need nothing of it for a while. */
const webauthn = () => import('@simplewebauthn/server')

export interface PasskeyDeps {
  db: Db
  tokens: Tokens
  now: () => Date
}

const hashOf = (tokens: Tokens, challenge: string) => tokens.hashOf(`passkey question ${challenge}`)

/** A question that is kept until it is answered, or has waited too long. */
async function ask(
  { db, tokens, now }: PasskeyDeps,
  ceremony: PasskeyCeremony,
  userId: number | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(randomBytes(32))
  const at = now()
  await db.delete(passkeyChallenges).where(lte(passkeyChallenges.expiresAt, at))
  await db.insert(passkeyChallenges).values({
    hash: hashOf(tokens, Buffer.from(bytes).toString('base64url')),
    ceremony,
    userId,
    expiresAt: new Date(at.getTime() + CHALLENGE_MS),
  })
  return bytes
}

/**
 * Takes the question that was answered; it is never good again, whatever becomes of the answer.
 * @throws DomainError `ERR_PASSKEY_CHALLENGE`
 */
async function taken(
  { db, tokens, now }: PasskeyDeps,
  clientDataJSON: string,
  asked: { ceremony: PasskeyCeremony; userId: number | null },
): Promise<string> {
  const challenge = challengeIn(clientDataJSON)
  const [row] = await db
    .delete(passkeyChallenges)
    .where(and(eq(passkeyChallenges.hash, hashOf(tokens, challenge)), gt(passkeyChallenges.expiresAt, now())))
    .returning()
  if (!row || row.ceremony !== asked.ceremony || row.userId !== asked.userId)
    throw new DomainError('ERR_PASSKEY_CHALLENGE')
  return challenge
}

function challengeIn(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown }
    if (typeof challenge === 'string' && challenge.length <= 100) return challenge
  } catch {
    // What is no JSON answers no question either.
  }
  throw new DomainError('ERR_PASSKEY_CHALLENGE')
}

/**
 * What a browser needs to have a device make a key.
 * @throws DomainError `ERR_PASSKEY_LIMIT`
 */
export async function beginPasskey(deps: PasskeyDeps, place: Place, who: { userId: number }) {
  const own = await listPasskeys(deps.db, who.userId)
  if (own.length >= MOST_PASSKEYS) throw new DomainError('ERR_PASSKEY_LIMIT', { limit: MOST_PASSKEYS })
  const [user] = await deps.db
    .select({ name: users.name, email: users.email })
    .from(users)
    .where(eq(users.id, who.userId))
  const { generateRegistrationOptions } = await webauthn()
  return generateRegistrationOptions({
    rpName: await productName(deps.db),
    rpID: place.name,
    userName: user!.email,
    userDisplayName: user!.name,
    userID: new Uint8Array(Buffer.from(handleOf(deps.tokens, who.userId, own), 'base64url')),
    challenge: await ask(deps, 'register', who.userId),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: own.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    // It is to say who it is, and that whoever holds it is the one it was made by.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/**
 * Keeps the key that a device has made.
 * @throws DomainError `ERR_PASSKEY_CHALLENGE`, `ERR_PASSKEY`, `ERR_PASSKEY_KNOWN`, `ERR_PASSKEY_LIMIT`
 */
export async function keepPasskey(
  deps: PasskeyDeps,
  place: Place,
  who: { userId: number; companyId: number },
  { name, response }: Static<typeof passkeyMade>,
): Promise<Passkey> {
  const { db, now } = deps
  const expectedChallenge = await taken(deps, response.response.clientDataJSON, { ceremony: 'register', ...of(who) })
  const { verifyRegistrationResponse } = await webauthn()
  const verified = await verifyRegistrationResponse({
    response: { clientExtensionResults: {}, ...response } as RegistrationResponseJSON,
    expectedChallenge,
    expectedOrigin: place.origins,
    expectedRPID: place.name,
    requireUserVerification: true,
  }).catch(() => undefined)
  if (!verified?.verified) throw new DomainError('ERR_PASSKEY')
  const { credential, credentialBackedUp } = verified.registrationInfo
  return db.transaction(async (tx) => {
    // One after the other: two tabs are not to have more than there may be, nor two names for one person.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, who.userId)).for('update')
    const own = await listPasskeys(tx, who.userId)
    if (own.length >= MOST_PASSKEYS) throw new DomainError('ERR_PASSKEY_LIMIT', { limit: MOST_PASSKEYS })
    const [row] = await tx
      .insert(passkeys)
      .values({
        ...of(who),
        companyId: who.companyId,
        name: name.trim(),
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        userHandle: handleOf(deps.tokens, who.userId, own),
        counter: credential.counter,
        transports: credential.transports ?? [],
        synced: credentialBackedUp,
        createdAt: now(),
      })
      .onConflictDoNothing({ target: passkeys.credentialId })
      .returning()
    if (!row) throw new DomainError('ERR_PASSKEY_KNOWN')
    return row
  })
}

/** 32 bytes that follow from the person and say nothing of them; later keys have those of the first. */
const handleOf = (tokens: Tokens, userId: number, own: Passkey[]) =>
  own[0]?.userHandle ?? tokens.hashOf(`passkey holder ${userId}`)

const of = ({ userId }: { userId: number }) => ({ userId })

/**
 * What a browser needs to have a key sign: any of this place, or one of a person who has shown their password.
 * @throws DomainError `ERR_PASSKEY` where that person has none
 */
export async function askPasskey(deps: PasskeyDeps, place: Place, userId: number | null) {
  const own = userId === null ? [] : await listPasskeys(deps.db, userId)
  if (userId !== null && own.length === 0) throw new DomainError('ERR_PASSKEY')
  const { generateAuthenticationOptions } = await webauthn()
  return generateAuthenticationOptions({
    rpID: place.name,
    challenge: await ask(deps, userId === null ? 'enter' : 'second', userId),
    timeout: CHALLENGE_MS,
    allowCredentials: own.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    userVerification: userId === null ? 'required' : 'preferred',
  })
}

/**
 * Takes what a key has signed. Alone, it must have made sure of the person; after the password, holding it is enough.
 * @param userId who has shown their password; null where the key says who it is
 * @returns whose it is
 * @throws DomainError `ERR_PASSKEY_CHALLENGE`, `ERR_PASSKEY` (`PasskeyRefused` where it is known whose the key is)
 */
export async function takePasskey(
  deps: PasskeyDeps,
  place: Place,
  { userId, response }: { userId: number | null; response: Static<typeof passkeyEnter>['response'] },
): Promise<{ userId: number }> {
  const { db, now } = deps
  const ceremony = userId === null ? 'enter' : 'second'
  const expectedChallenge = await taken(deps, response.response.clientDataJSON, { ceremony, userId })
  const { verifyAuthenticationResponse } = await webauthn()
  return db.transaction(async (tx) => {
    // Locked: of two uses at once the second is held against the count of the first.
    const [key] = await tx.select().from(passkeys).where(eq(passkeys.credentialId, response.id)).for('update')
    if (!key || (userId !== null && key.userId !== userId)) throw new DomainError('ERR_PASSKEY')
    const { userHandle } = response.response
    if (userId === null ? userHandle !== key.userHandle : userHandle && userHandle !== key.userHandle)
      throw new PasskeyRefused(key.userId)
    const verified = await verifyAuthenticationResponse({
      response: { clientExtensionResults: {}, ...response } as AuthenticationResponseJSON,
      expectedChallenge,
      expectedOrigin: place.origins,
      expectedRPID: place.name,
      requireUserVerification: userId === null,
      credential: {
        id: key.credentialId,
        publicKey: new Uint8Array(Buffer.from(key.publicKey, 'base64url')),
        counter: key.counter,
      },
    }).catch(() => undefined)
    if (!verified?.verified) throw new PasskeyRefused(key.userId)
    const { newCounter, credentialBackedUp } = verified.authenticationInfo
    await tx
      .update(passkeys)
      .set({ counter: newCounter, synced: credentialBackedUp, lastUsedAt: now() })
      .where(eq(passkeys.id, key.id))
    return { userId: key.userId }
  })
}

/** @throws DomainError `ERR_NO_PASSKEY_FOUND` */
export async function renamePasskey(db: Db, userId: number, id: number, name: string): Promise<Passkey> {
  const [row] = await db
    .update(passkeys)
    .set({ name: name.trim() })
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning()
  if (!row) throw new DomainError('ERR_NO_PASSKEY_FOUND')
  return row
}

/**
 * @param keepOne the person must be able to take a second step, and has nothing else for it
 * @throws DomainError `ERR_NO_PASSKEY_FOUND`, `ERR_2FA_REQUIRED`
 */
export async function removePasskey(tx: Tx, userId: number, id: number, keepOne: boolean): Promise<void> {
  // One after the other, or two at once would remove the last two.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  const gone = await tx
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning({ id: passkeys.id })
  if (gone.length === 0) throw new DomainError('ERR_NO_PASSKEY_FOUND')
  if (keepOne && (await countPasskeys(tx, userId)) === 0) throw new DomainError('ERR_2FA_REQUIRED')
}

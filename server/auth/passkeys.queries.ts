import { asc, count, eq } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import { type Passkey, passkeys } from '../../schema/users/passkeys.table.ts'
import type { Db, Tx } from '../db/database.ts'

/** So many keys a person has at most. */
export const MOST_PASSKEYS = 20
/** A question waits so long for its answer. */
export const CHALLENGE_MS = 5 * 60_000

/** Where a page of ours is. */
export interface Place {
  /** Keys are bound to it. */
  name: string
  origins: string[]
}

export const listPasskeys = (db: Db | Tx, userId: number): Promise<Passkey[]> =>
  db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id))

/** As people are told of it. */
export const passkeyView = ({ id, name, synced, createdAt, lastUsedAt }: Passkey) => ({
  ...{ id, name, synced, createdAt, lastUsedAt },
})

/** The same as any refusal to who is told of it; the server knows whose key it would have been. */
export class PasskeyRefused extends DomainError {
  constructor(readonly userId: number) {
    super('ERR_PASSKEY')
  }
}

export async function countPasskeys(db: Db | Tx, userId: number): Promise<number> {
  const [row] = await db.select({ n: count() }).from(passkeys).where(eq(passkeys.userId, userId))
  return row!.n
}

import { randomBytes } from 'node:crypto'
import { and, eq, isNotNull } from 'drizzle-orm'
import { RECOVERY_CODES } from '../../schema/auth/two-factor.ts'
import { type TwoFactor, twoFactors } from '../../schema/users/two-factor.table.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Tokens } from './tokens.ts'

/** Without what people mistake: 0 and o, 1 and l. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** The factor that the person's logins need; undefined where they need none. */
export async function enabledFactor(db: Db | Tx, userId: number): Promise<TwoFactor | undefined> {
  const [row] = await db
    .select()
    .from(twoFactors)
    .where(and(eq(twoFactors.userId, userId), isNotNull(twoFactors.enabledAt)))
  return row
}

/** Makes the codes for when the phone is gone; they are shown once and kept as hashes. */
export function recoveryCodes(tokens: Tokens): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const text = [...randomBytes(10)].map((byte) => letters[byte % letters.length]).join('')
    return `${text.slice(0, 5)}-${text.slice(5)}`
  })
  return { codes, hashes: codes.map((code) => hashOf(tokens, code.replace('-', ''))) }
}

export const hashOf = (tokens: Tokens, plain: string) => tokens.hashOf(`recovery code ${plain}`)

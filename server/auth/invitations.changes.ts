import { and, eq } from 'drizzle-orm'
import { DAY_MS } from '../../schema/durations.ts'
import { DomainError } from '../../schema/errors.ts'
import { passwordResets } from '../../schema/users/password-resets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Between } from '../between.ts'
import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import { addJobs } from '../jobs/queue.ts'
import { createAttempts } from './attempts.ts'
import { forgetCodes } from './auth.changes.ts'
import { hashOfCode, INVITATION_DAYS, newInvitation } from './password-reset.codes.ts'
import type { Tokens } from './tokens.ts'

/** How often somebody is invited anew. */
const INVITED_PER_HOUR = 6

export type Invitations = ReturnType<typeof createInvitations>

/** The links by which people choose their first password: nobody invents one for another. */
export function createInvitations({
  config,
  now,
  tokens,
  between,
}: {
  config: Pick<Config, 'mail' | 'publicUrl'>
  now(): Date
  tokens: Pick<Tokens, 'hashOf'>
  between?: Between | undefined
}) {
  const attempts = createAttempts({ topic: 'invitations', between })
  const mailed = config.mail !== undefined && config.publicUrl !== undefined
  /** The code that is told, and a mail with another where the server sends mail: either opens, once. */
  const invite = async (tx: Tx, companyId: number, userId: number): Promise<string> => {
    const code = newInvitation()
    const expiresAt = new Date(now().getTime() + INVITATION_DAYS * DAY_MS)
    await tx.insert(passwordResets).values({ userId, companyId, codeHash: hashOfCode(tokens, code), expiresAt })
    if (mailed) await addJobs(tx, companyId, [{ kind: 'mail.invitation', userId }])
    return code
  }

  return {
    invite,
    /**
     * Before somebody is invited once more: each may go to a mailbox, whose owner has asked for nothing.
     * @throws DomainError `ERR_TOO_MANY_REQUESTS`
     */
    count: (companyId: number, userId: number): void =>
      attempts.begin([{ name: `invites ${companyId} ${userId}`, most: INVITED_PER_HOUR, minutes: 60 }], now()),
    /**
     * Invites once more who has not come in yet. What was sent before may be in the hands of another, and opens nothing.
     * @throws DomainError `ERR_NO_USER_FOUND`, `ERR_NOT_INVITED`
     */
    async inviteAgain(tx: Tx, companyId: number, userId: number): Promise<string> {
      const [locked] = await tx
        .select({ passwordIsKnown: users.passwordIsKnown, lastSeenAt: users.lastSeenAt })
        .from(users)
        .where(and(eq(users.companyId, companyId), eq(users.id, userId)))
        .for('update')
      if (!locked) throw new DomainError('ERR_NO_USER_FOUND')
      if (locked.passwordIsKnown || locked.lastSeenAt) throw new DomainError('ERR_NOT_INVITED')
      await forgetCodes(tx, userId)
      return invite(tx, companyId, userId)
    },
    /** As it is told, once. */
    view: (code: string) => ({ code, days: INVITATION_DAYS, mailed }),
  }
}

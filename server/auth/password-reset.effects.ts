import type { Db } from '../db/database.ts'
import { GiveUp, type Handlers } from '../jobs/worker.ts'
import type { Mailer } from '../mail/mailer.ts'
import { CODE_MINUTES, hashOfCode, newCode } from './password-reset.codes.ts'
import { findRecipient, keepCode } from './password-reset.queries.ts'
import { resetLetter } from './password-reset.letter.ts'

/**
 * Sends the mail with the code. The code is made here, so that no row ever holds it; another try makes and sends
 * another one, and the last that was sent is the one that works.
 */
export function passwordResetEffects(deps: {
  db: Db
  mailer: Mailer | undefined
  /** As `Tokens.hashOf`. */
  hashOf(text: string): string
  /** Where the screen is, without a slash at the end; undefined leaves the address out of the mail. */
  publicUrl: string | undefined
  now(): Date
}): Pick<Handlers, 'mail.passwordReset'> {
  return {
    'mail.passwordReset': async ({ userId }) => {
      if (!deps.mailer) throw new GiveUp('no mail server is configured any more')
      const to = await findRecipient(deps.db, userId)
      if (!to) return
      const code = newCode()
      const expiresAt = new Date(deps.now().getTime() + CODE_MINUTES * 60_000)
      // Before it is sent: a code that arrives works.
      await keepCode(deps.db, { userId, companyId: to.companyId, codeHash: hashOfCode(deps, code), expiresAt })
      await deps.mailer.send({ to: to.email, ...resetLetter(to, code, deps.publicUrl) })
    },
  }
}

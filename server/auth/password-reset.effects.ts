import { DAY_MS } from '../../schema/durations.ts'
import type { Db } from '../db/database.ts'
import { GiveUp, type Handlers } from '../jobs/worker.ts'
import type { Mailer } from '../mail/mailer.ts'
import {
  CODE_MINUTES,
  hashOfCode,
  INVITATION_DAYS,
  invitationLink,
  newCode,
  newInvitation,
} from './password-reset.codes.ts'
import { productName } from '../settings/settings.queries.ts'
import { findRecipient } from './password-reset.queries.ts'
import { keepCode } from './password-reset.writes.ts'
import { invitationLetter, resetLetter } from './password-reset.letter.ts'

/**
 * Sends the mail with the code. The code is made here, so that no row ever holds it; another try makes and sends
 * another one. While as many codes are good as there may be, none is sent: strangers may ask, too, and fill no mailbox.
 */
export function passwordResetEffects(deps: {
  db: Db
  mailer: Mailer | undefined
  /** As `Tokens.hashOf`. */
  hashOf(text: string): string
  /** Where the screen is, without a slash at the end; undefined leaves the address out of the mail. */
  publicUrl: string | undefined
  now(): Date
}): Pick<Handlers, 'mail.passwordReset' | 'mail.invitation'> {
  return {
    'mail.invitation': async ({ userId }) => {
      const { mailer, publicUrl } = deps
      if (!mailer || !publicUrl) throw new GiveUp('no mail server, or no address of our own, is configured any more')
      const to = await findRecipient(deps.db, userId)
      if (!to) return
      const code = newInvitation()
      const expiresAt = new Date(deps.now().getTime() + INVITATION_DAYS * DAY_MS)
      const kept = { userId, companyId: to.companyId, codeHash: hashOfCode(deps, code), expiresAt }
      if (!(await keepCode(deps.db, kept, deps.now()))) return
      const link = invitationLink(publicUrl, to.email, code)
      await mailer.send({ to: to.email, ...invitationLetter(to, link, await productName(deps.db)) })
    },
    'mail.passwordReset': async ({ userId }) => {
      if (!deps.mailer) throw new GiveUp('no mail server is configured any more')
      const to = await findRecipient(deps.db, userId)
      if (!to) return
      const code = newCode()
      const expiresAt = new Date(deps.now().getTime() + CODE_MINUTES * 60_000)
      // Before it is sent: a code that arrives works.
      const kept = { userId, companyId: to.companyId, codeHash: hashOfCode(deps, code), expiresAt }
      if (!(await keepCode(deps.db, kept, deps.now()))) return
      await deps.mailer.send({ to: to.email, ...resetLetter(to, code, await productName(deps.db), deps.publicUrl) })
    },
  }
}

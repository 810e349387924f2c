import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { AppDeps } from '../http/deps.ts'
import { connectionToAsk } from '../whatsapps/whatsapps.queries.ts'
import { typedNumber } from './contacts.typed.queries.ts'

/** Numbers that people type, as WhatsApp has them. */
export function contactNumbers({
  db,
  sessions,
  log,
  typedNumbers,
}: Pick<AppDeps, 'db' | 'sessions' | 'log' | 'typedNumbers'>) {
  /**
   * The digits of a number that was typed, with its country.
   * @throws DomainError `ERR_VALIDATION` when they cannot be told for sure; `ERR_TOO_MANY_ATTEMPTS`
   */
  const digitsOf = async (who: Principal, text: string): Promise<string> => {
    typedNumbers.count(who)
    // Clients of this family write a group’s id here, too, which is longer than numbers are.
    if (/^\d{17,20}$/.test(text)) return text
    return typedNumber(db, who.companyId, text)
  }

  /**
   * The number as WhatsApp writes it. While no connection is open nobody can be asked, and it is kept as typed: the
   * first message from it finds the contact all the same.
   * @throws DomainError `ERR_WAPP_INVALID_CONTACT`, `ERR_WAPP_CHECK_CONTACT`
   */
  const canonical = async (who: Principal, digits: string): Promise<string> => {
    const asked = await connectionToAsk(db, who.companyId)
    if (asked === undefined) return digits
    const known = await sessions.checkNumber(asked, digits).catch((error: unknown) => {
      // Its server died, or the link is just going down: the row does not know yet.
      if (
        error instanceof DomainError &&
        (error.code === 'ERR_WAPP_NOT_INITIALIZED' || error.code === 'ERR_UNAVAILABLE')
      )
        return { number: digits }
      if (error instanceof DomainError) throw error
      log.warn({ err: error }, 'a number could not be checked')
      throw new DomainError('ERR_WAPP_CHECK_CONTACT')
    })
    if (!known) throw new DomainError('ERR_WAPP_INVALID_CONTACT')
    return known.number
  }

  return { digitsOf, canonical }
}

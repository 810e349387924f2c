import { DomainError } from '../../schema/errors.ts'
import type { Db, Tx } from '../db/database.ts'
import { readSetting } from '../settings/settings.queries.ts'

/** Characters of a strong password at least. */
const FEWEST = 10
/** So many are looked at: the time grows with their number, and who writes more only adds to them. */
const LOOKED_AT = 24
/** Of 0 to 4: what can be guessed only with the stored hashes, and then slowly. */
const HARD = 3

let judge: Promise<(password: string, about: string[]) => number> | undefined

/** The lists of common passwords and words are large: they are read when the first company needs them. */
async function load() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  const factory = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
  return (password: string, about: string[]): number => factory.check(password, about).score
}

/**
 * Refuses a password that is easy to guess, where the company wishes that. Nobody has to change one that they have.
 * @param about what a guesser would try first, such as the name and the e-mail
 * @throws DomainError `ERR_PASSWORD_WEAK`
 */
export async function demandStrong(db: Db | Tx, companyId: number, password: string, about: string[]): Promise<void> {
  if ((await readSetting(db, companyId, 'passwordPolicy')) !== 'strong') return
  const score = password.length < FEWEST ? 0 : (await (judge ??= load()))(password.slice(0, LOOKED_AT), about)
  if (score < HARD) throw new DomainError('ERR_PASSWORD_WEAK')
}

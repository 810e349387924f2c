import { readNumber } from '../../schema/contacts/contacts.numbers.ts'
import { DomainError } from '../../schema/errors.ts'
import { callingCodeOf } from '../companies/companies.queries.ts'
import type { Db } from '../db/database.ts'

/**
 * The digits of a number that a person or a program wrote, with its country.
 * @param begins as `readNumber` has it: programs are told to begin with the country
 * @throws DomainError `ERR_NUMBER_UNCLEAR` where it cannot be told for sure which number was meant
 */
export async function typedNumber(
  db: Db,
  companyId: number,
  text: string,
  begins: 'area' | 'country' = 'area',
): Promise<string> {
  const read = readNumber(text, await callingCodeOf(db, companyId), begins)
  if ('number' in read && read.others.length === 0) return read.number
  throw new DomainError('ERR_NUMBER_UNCLEAR', { number: text.slice(0, 50) })
}

import { countryOf } from '../contacts/contacts.numbers.ts'

/**
 * The country by whose prices a message is charged: that of who gets it, two letters; empty where nobody can tell.
 * @param number digits, with the country's
 * @param userId the service's name for people who hide their number; it begins with their country
 */
export function marketOf(number: string | null, userId: string | null): string {
  // Most are from here, and reading a number of anywhere is dear.
  if (number?.startsWith('55')) return 'BR'
  const country = number === null ? undefined : countryOf(number)
  return country ?? /^([A-Z]{2})\./.exec(userId ?? '')?.[1] ?? ''
}

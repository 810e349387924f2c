import { isMasked } from './contacts.masking.ts'

/**
 * Digits of a number that somebody typed, as WhatsApp writes it. Without a plus, what is written as numbers are in Brazil
 * is one of there: an area code, and nine digits of a mobile number that begin with 9, or eight of another one.
 */
export function withCountry(typed: string): string {
  // What is left of a hidden number is another one.
  if (isMasked(typed)) return ''
  const digits = typed.replace(/\D/g, '')
  if (typed.trimStart().startsWith('+')) return digits
  return /^[1-9]{2}(?:9\d{8}|[2-5]\d{7})$/.test(digits) ? `55${digits}` : digits
}

import { isMasked } from './contacts.masking.ts'

/**
 * Countries whose numbers people write without the calling code, by the digits that remain, and the zones by whose clock
 * most of their people live.
 */
export const callingCodes = [
  { code: '55', country: 'BR', digits: [10, 11], zones: [] },
  { code: '54', country: 'AR', digits: [10, 11], zones: ['America/Argentina', 'America/Buenos_Aires'] },
  { code: '591', country: 'BO', digits: [8], zones: ['America/La_Paz'] },
  { code: '56', country: 'CL', digits: [9], zones: ['America/Santiago'] },
  { code: '57', country: 'CO', digits: [10], zones: ['America/Bogota'] },
  { code: '506', country: 'CR', digits: [8], zones: ['America/Costa_Rica'] },
  { code: '593', country: 'EC', digits: [9], zones: ['America/Guayaquil'] },
  { code: '34', country: 'ES', digits: [9], zones: ['Europe/Madrid', 'Atlantic/Canary'] },
  {
    ...{ code: '1', country: 'US', digits: [10] },
    zones: ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Phoenix', 'America/Los_Angeles'],
  },
  { code: '44', country: 'GB', digits: [10], zones: ['Europe/London'] },
  { code: '52', country: 'MX', digits: [10], zones: ['America/Mexico_City', 'America/Monterrey', 'America/Tijuana'] },
  { code: '507', country: 'PA', digits: [8], zones: ['America/Panama'] },
  { code: '51', country: 'PE', digits: [9], zones: ['America/Lima'] },
  { code: '351', country: 'PT', digits: [9], zones: ['Europe/Lisbon', 'Atlantic/Madeira', 'Atlantic/Azores'] },
  { code: '595', country: 'PY', digits: [9], zones: ['America/Asuncion'] },
  { code: '598', country: 'UY', digits: [8], zones: ['America/Montevideo'] },
  { code: '58', country: 'VE', digits: [10], zones: ['America/Caracas'] },
] as const satisfies readonly {
  code: string
  country: string
  digits: readonly number[]
  zones: readonly string[]
}[]

export type CallingCode = (typeof callingCodes)[number]['code']

/** Of Brazil, where most companies are. */
export const homeCode = '55' satisfies CallingCode

/** The country whose clock this is, by its calling code; Brazil where the zone names none of the others. */
export function callingCodeIn(timeZone: string): CallingCode {
  const found = callingCodes.find(({ zones }) =>
    zones.some((zone) => timeZone === zone || timeZone.startsWith(`${zone}/`)),
  )
  return found?.code ?? homeCode
}

/** How many digits a number of that calling code has without it. */
export const nationalDigits = (code: string): readonly number[] =>
  callingCodes.find((each) => each.code === code)?.digits ?? [10, 11]

/**
 * Digits of a number in a text, as a screen shows them at once: with a plus it says its country itself; without one, a
 * number that is as long as those of the company's country is one of there. In Brazil it must also look like one: an area
 * code, and nine digits of a mobile number that begin with 9, or eight of another one. What is kept or written to is
 * read with `readNumber`, which knows all countries and is too large for a first screen.
 * @param code of the company's country
 */
export function withCountry(typed: string, code: CallingCode): string {
  // What is left of a hidden number is another one.
  if (isMasked(typed)) return ''
  const digits = typed.replace(/\D/g, '')
  if (typed.trimStart().startsWith('+')) return digits
  if (code === homeCode) return /^[1-9]{2}(?:9\d{8}|[2-5]\d{7})$/.test(digits) ? code + digits : digits
  // A zero before it is dialled inside the country.
  const national = digits.replace(/^0(?=[1-9])/, '')
  return nationalDigits(code).includes(national.length) ? code + national : digits
}

/** Countries that write one mobile number in two ways: what WhatsApp, phones and people put in, or leave out. */
const twoWays = [
  // Brazil's ninth digit: only mobile numbers, which began with 6 to 9, have got it.
  { long: /^55([1-9]{2})9([6-9]\d{7})$/, short: /^55([1-9]{2})([6-9]\d{7})$/, code: '55', digit: '9', within: true },
  // Argentina's 9 and Mexico's 1 stand behind the country.
  { long: /^549(\d{10})$/, short: /^54([1-8]\d{9})$/, code: '54', digit: '9', within: false },
  { long: /^521(\d{10})$/, short: /^52([2-9]\d{9})$/, code: '52', digit: '1', within: false },
] as const

/**
 * Who a number is, however it is spelt: that of two spellings which leaves the digit out. `number_key` of the database
 * says the same.
 */
export function numberKey(digits: string): string {
  for (const { long, code } of twoWays) {
    const [, area, rest = ''] = long.exec(digits) ?? []
    if (area !== undefined) return code + area + rest
  }
  return digits
}

/** The ways to write a number that WhatsApp may know it by, the given one first. */
export function numberVariants(digits: string): string[] {
  const key = numberKey(digits)
  if (key !== digits) return [digits, key]
  for (const { short, code, digit, within } of twoWays) {
    const [, area, rest = ''] = short.exec(digits) ?? []
    if (area !== undefined) return [digits, within ? code + area + digit + rest : code + digit + area + rest]
  }
  return [digits]
}

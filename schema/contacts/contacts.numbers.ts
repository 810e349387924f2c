import parsePhoneNumber from 'libphonenumber-js/max'
import { isMasked } from './contacts.masking.ts'
import { nationalDigits } from './contacts.phone.ts'

/**
 * What number somebody meant, read in one place for whoever writes one down: forms, spreadsheets, programs. A number
 * that cannot be told for sure is refused, for another one may be somebody else's.
 *
 * The countries' data makes it too large for a first screen: screens that are there at once use `withCountry`.
 */

/** Longer texts hold no number, or too many. */
const MOST_LENGTH = 200
/** So many numbers are read of one text. */
const MOST_NUMBERS = 10

export type NumberReason = 'number_missing' | 'number' | 'numbers'
export type ReadNumber =
  | {
      /** Digits with the country's, as WhatsApp writes them. */
      number: string
      /** Further numbers of the same text. */
      others: string[]
    }
  | { reason: NumberReason }

/** What separates numbers: an address book writes `A ::: B`, people write the rest. */
const separators = /:::|[;|\n\r\t]|,\s|,(?=\+?\d{8})|\s[/eyo]\s|\s(?:ou|or|and)\s|\/(?=\s{0,2}[+(]?\d{8})/i

/**
 * Reads the number that a text says.
 * @param code calling code of the country whose numbers are written without it; empty where none are
 * @param begins what a text without a plus seems to be first: `area` as people type, `country` where programs are told
 * to begin with it
 */
export function readNumber(text: string, code: string, begins: 'area' | 'country' = 'area'): ReadNumber {
  if (text.length > MOST_LENGTH || isMasked(text)) return { reason: 'number' }
  const clean = withoutMarks(text)
  if (!clean) return { reason: 'number_missing' }
  const parts = clean.split(separators).flatMap((part) => (/\d/.test(part) ? [part.trim()] : []))
  if (parts.length > MOST_NUMBERS) return { reason: 'numbers' }
  if (parts.length > 1) {
    const read = parts.map((part) => readOne(part, code, begins))
    const found = read.filter((one) => one !== null)
    // `3333-0001/0002` may be one number or two, and the second lacks its beginning.
    if (found.length === parts.length) return { number: found[0]!, others: found.slice(1) }
    if (found.length > 0) return { reason: 'numbers' }
  }
  const number = readOne(clean, code, begins)
  return number === null ? { reason: 'number' } : { number, others: [] }
}

/** What copying, programs and spreadsheets put around a number, without changing it, is taken off. */
function withoutMarks(text: string): string {
  const folded = text
    // Full-width digits and plus.
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    // Marks of direction, joiners and the like; lines and tabs separate.
    .replace(/\p{Cf}|[^\P{Cc}\n\r\t]/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[^\S\n\r\t]/g, ' ')
    .trim()
  // `="551199…"` keeps a spreadsheet from counting with it, as an apostrophe does.
  return withoutQuotes(folded.replace(/^=\s*(?=")/, ''))
    .trim()
    .replace(/^(?:tel|whatsapp|sms):/i, '')
    .trim()
}

const quotes = new Set('"\'`\u2018\u2019\u00b4')

/** The text without the quotes at its ends. */
function withoutQuotes(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && quotes.has(text[from]!)) from++
  while (to > from && quotes.has(text[to - 1]!)) to--
  return text.slice(from, to)
}

/** The digits of one number; null where it is none, or cannot be told for sure. */
function readOne(text: string, code: string, begins: 'area' | 'country'): string | null {
  const whole = withoutFraction(text)
    // `0XX11` stands for a zero, the number of any carrier, and the area.
    .replace(/^\(?0\s?xx(?=[\s()-]{0,3}\d{2})/i, '0')
  // A plus stands before all digits, and once.
  if (whole === null || !/^[\d\s().,/+-]+$/.test(whole) || whole.replace(/[\s(]/g, '').lastIndexOf('+') > 0) return null
  const digits = whole.replace(/\D/g, '')
  if (/^[\s(]*\+/.test(whole)) return numberOf(digits)?.number ?? null
  const abroad = /^00+/.exec(digits) ?? (code === '1' ? /^011/.exec(digits) : null)
  if (abroad) return sure(numberOf(digits.slice(abroad[0].length)))
  const withCode = numberOf(digits)
  const withoutCode = code ? nationalOf(digits, code) : null
  const [first, second] = begins === 'area' ? [withoutCode, withCode] : [withCode, withoutCode]
  const found = sure(first) ?? sure(second)
  if (found !== null) return found
  // Nobody has such a number today, as far as is known. What says its country may be newer than what is known.
  const saysCountry = begins === 'country' || (code !== '' && digits.startsWith(code))
  return saysCountry && withCode && !withoutCode ? withCode.number : null
}

const sure = (found: Found | null) => (found?.sure ? found.number : null)

/** `5511940002001.0` and `5.511940002001E12` are what programs make of a number that they counted with. */
function withoutFraction(text: string): string {
  if (/^\+?\d{8,15}[.,]0{1,3}$/.test(text)) return text.replace(/[.,]0+$/, '')
  const [, whole = '', rest = '', power] = /^(\d)[.,](\d{7,14})e\+?(\d{1,2})$/i.exec(text) ?? []
  // With fewer places than that, digits are lost.
  return power !== undefined && rest.length === Number(power) ? whole + rest : text
}

interface Found {
  number: string
  /** Somebody may have it; otherwise it is only as long as numbers are there. */
  sure: boolean
}

/** Mobile numbers of Brazil as they were, and as WhatsApp still writes many of them. */
const withoutNinth = /^55[1-9]{2}[6-9]\d{7}$/

/** What digits that begin with a country's are. */
function numberOf(digits: string): Found | null {
  if (digits.length > 20) return null
  // Mexico’s 1 and its prefixes of mobile phones are no longer dialled; behind Argentina’s 9, neither is the 15.
  const today = digits.replace(/^52(?:1|01|0?4[45])(?=\d{10}$)/, '52').replace(/^549(?=\d{12}$)/, '54')
  const read = parsePhoneNumber(`+${today}`, { extract: false })
  if (!read?.isPossible()) return null
  const number = read.number.slice(1)
  return { number, sure: read.isValid() || withoutNinth.test(number) }
}

/** What digits are in a country; a zero before them, and a carrier's number, are dialled inside it. */
function nationalOf(digits: string, code: string): Found | null {
  const found = numberOf(code + digits)
  return found?.number.startsWith(code) && nationalDigits(code).includes(found.number.length - code.length)
    ? found
    : null
}

/** The country of a number, two letters; undefined where its digits are of none, or of several. */
export const countryOf = (digits: string): string | undefined => parsePhoneNumber(`+${digits}`)?.country

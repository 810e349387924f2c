import { isEmail } from '../inputs.ts'
import type { Language } from '../languages.ts'
import { clip } from '../texts.ts'
import { wallOf } from '../wall.ts'
import type { NodeData } from './flows.inputs.ts'

/** What contacts answer, read as what was asked. Every reader is linear in the text, which is cut before. */

/** More of an answer is not read. */
const LONGEST = 1_000

/** What a contact sent. */
export interface Answer {
  text: string
  file?: AnswerFile | null
}
export interface AnswerFile {
  /** First half of the media type, such as `image`. */
  kind: string
  name: string
  messageId: string
}

export interface Reading {
  now: Date
  /** IANA name of the company's zone. */
  timeZone: string
  language: Language
}

/** Small letters without accents, and without blanks at the ends. */
export const plain = (text: string): string =>
  clip(text, LONGEST).trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')

const digitsOf = (text: string) => text.replace(/[^0-9]/g, '')

/** What parts thousands, and what decimals. */
const marks: Record<Language, readonly [string, string]> = { pt: ['.', ','], es: ['.', ','], en: [',', '.'] }

/**
 * The number that a text is, or null. Points and commas are read as people of that language write them: `1.000` is a
 * thousand in Portuguese and Spanish; a single comma or point before other than three digits parts decimals anywhere.
 */
export function numberOf(text: string, language: Language): number | null {
  const found = clip(text, 40)
    .trim()
    .replace(/^(?:r\$|us\$|\$|€)/i, '')
    .trim()
  if (!/^-?[0-9][0-9.,]*$/.test(found)) return null
  const [thousands, decimals] = marks[language]
  const [whole = '', fraction, ...more] = found.split(decimals)
  if (more.length > 0) return null
  const groups = whole.split(thousands)
  if (groups.length === 1) return finite(fraction === undefined ? whole : `${whole}.${fraction}`)
  const grouped = groups.slice(1).every((group) => group.length === 3)
  if (grouped) return finite(`${groups.join('')}${fraction === undefined ? '' : `.${fraction}`}`)
  return groups.length === 2 && fraction === undefined ? finite(`${groups[0]}.${groups[1]}`) : null
}

function finite(text: string): number | null {
  if (!/^-?[0-9]+(\.[0-9]+)?$/.test(text)) return null
  const number = Number(text)
  // What is written with an exponent is no amount that anybody types.
  return String(number).includes('e') ? null : number
}

/** As it is kept: with a point, and so that it is never read as a thousand. */
const numberText = (number: number) => String(number).replace(/\.[0-9]{3}$/, (three) => `${three}0`)

/** The last two characters of a CPF or CNPJ follow from those before; letters count by their code, as in the new CNPJ. */
function checked(digits: string, weightsFor: (length: number) => number[]): boolean {
  for (const length of [digits.length - 2, digits.length - 1]) {
    const weights = weightsFor(length)
    let sum = 0
    for (let i = 0; i < length; i++) sum += (digits.charCodeAt(i) - 48) * weights[i]!
    const rest = sum % 11
    if (digits.charCodeAt(length) - 48 !== (rest < 2 ? 0 : 11 - rest)) return false
  }
  return true
}

/** Digits of a CPF, or digits and letters of a CNPJ, whose check digits are right; otherwise null. */
export function documentOf(text: string): string | null {
  const found = clip(text, 60).trim().toUpperCase()
  if (!/^[0-9A-Z./ -]+$/.test(found)) return null
  const mark = found.replace(/[^0-9A-Z]/g, '')
  // Eleven or fourteen times the same digit fits, and is nobody's.
  if (mark === (mark[0] ?? '').repeat(mark.length)) return null
  if (/^[0-9]{11}$/.test(mark))
    return checked(mark, (length) => Array.from({ length }, (_, i) => length + 1 - i)) ? mark : null
  if (/^[0-9A-Z]{12}[0-9]{2}$/.test(mark))
    return checked(mark, (length) => Array.from({ length }, (_, i) => ((length - 1 - i) % 8) + 2)) ? mark : null
  return null
}

/** Year, month and day on the wall of the company. */
function today({ now, timeZone }: Reading): [number, number, number] {
  const { year, month, day: date } = wallOf(now, timeZone)
  return [Number(year), Number(month), Number(date)]
}

const two = (n: number) => String(n).padStart(2, '0')

/** `YYYY-MM-DD` of a day that the calendar has, or null. */
function day(year: number, month: number, date: number): string | null {
  const made = new Date(Date.UTC(year, month - 1, date))
  const right = made.getUTCFullYear() === year && made.getUTCMonth() === month - 1 && made.getUTCDate() === date
  return right && year >= 1900 && year < 2200 ? `${year}-${two(month)}-${two(date)}` : null
}

const relativeDays: Record<string, number> = {
  hoje: 0,
  hoy: 0,
  today: 0,
  amanha: 1,
  manana: 1,
  tomorrow: 1,
}

/** `YYYY-MM-DD`, or null. Without a year, the next such day; a year of two digits lies in this century up to ten years ahead. */
export function dateOf(text: string, reading: Reading): string | null {
  const found = plain(clip(text, 40))
  const [year, month, date] = today(reading)
  const ahead = Object.hasOwn(relativeDays, found) ? relativeDays[found]! : null
  if (ahead !== null) return new Date(Date.UTC(year, month - 1, date + ahead)).toISOString().slice(0, 10)
  const parts = found.split(/[/.-]/)
  if (!parts.every((part) => /^[0-9]{1,4}$/.test(part))) return null
  if (parts.length === 3 && parts[0]!.length === 4) return day(Number(parts[0]), Number(parts[1]), Number(parts[2]))
  const [d = 0, m = 0] = parts.map(Number)
  if (parts.length === 2) {
    const thisYear = day(year, m, d)
    return thisYear === null || thisYear >= day(year, month, date)! ? thisYear : day(year + 1, m, d)
  }
  if (parts.length !== 3 || ![2, 4].includes(parts[2]!.length)) return null
  const given = Number(parts[2])
  const century = given + 2_000 > year + 10 ? 1_900 : 2_000
  return day(parts[2]!.length === 2 ? century + given : given, m, d)
}

/** `YYYY-MM-DD` as people write it in all three languages: the English is British. */
export function dateText(iso: string): string {
  const [year, month, date] = iso.split('-')
  return `${date}/${month}/${year}`
}

/** `HH:MM`, or null: `14:30`, `14h30`, `14h`, `9 h`. */
export function timeOf(text: string): string | null {
  const found = clip(text, 20).trim().toLowerCase().replaceAll(' ', '')
  const parts = /^([0-9]{1,2})(?:[:h.]([0-9]{2})?)?(?:h|hs|hrs|min)?$/.exec(found)
  if (!parts) return null
  const [hour, minute] = [Number(parts[1]), Number(parts[2] ?? 0)]
  return hour < 24 && minute < 60 ? `${two(hour)}:${two(minute)}` : null
}

const kinds: Record<NodeData['question']['kind'], (answer: Answer, reading: Reading) => string | null> = {
  text: ({ text }) => clip(text.trim(), LONGEST) || null,
  number: ({ text }, { language }) => {
    const number = numberOf(text, language)
    return number === null ? null : numberText(number)
  },
  email: ({ text }) => {
    const found = clip(text, 300).trim()
    return isEmail(found) ? found : null
  },
  document: ({ text }) => documentOf(text),
  date: ({ text }, reading) => dateOf(text, reading),
  time: ({ text }) => timeOf(text),
  phone: ({ text }) => {
    const found = clip(text, 40).trim()
    const digits = digitsOf(found)
    return /^[0-9+() .-]+$/.test(found) && digits.length >= 8 && digits.length <= 15 ? digits : null
  },
  file: ({ file }) => (file ? file.name || file.kind : null),
  any: ({ text, file }) => clip(text.trim(), LONGEST) || (file ? file.name || file.kind : ''),
}

/** The answer as it is kept, or null where it is not of that kind. */
export const readAnswer = (kind: NodeData['question']['kind'], answer: Answer, reading: Reading): string | null =>
  kinds[kind](answer, reading)

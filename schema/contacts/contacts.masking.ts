import { cardsOf, escapedLine } from '../messages/messages.cards.ts'
import type { Rights } from '../permissions.ts'

/**
 * Who has a role that hides numbers, or works for a company that does, gets contacts' telephone numbers without their middle, wherever the server tells
 * them: answers, live events, rows of the replica, notifications and files. The edges of the server ask here; nothing
 * between them needs to know.
 */
export const hidesNumbers = (who: Rights): boolean => who.role?.maskNumbers === true || who.numbersHidden === true

/**
 * A number that is typed is answered, now or by what is counted afterwards, by whoever has it. To whom a role hides
 * numbers that tells whether a guess was right, and of a number that they see in part there are ten thousand. So each is
 * counted, wherever it is typed, and sheets of them are taken from nobody who may not read them (`revealsNumbers`).
 */
export const TYPED_PER_HOUR = { user: 60, company: 600 } as const

/** Of fewer people one typed number may decide how many they are. */
export const FEWEST_COUNTED = 20

/** How many people there are, for `who`: to whom numbers are hidden, a count that may depend on one is null. */
export const countFor = (who: Rights, count: number): number | null =>
  hidesNumbers(who) && count < FEWEST_COUNTED ? null : count

const HIDDEN = '•'
/** As many as one reads out to tell two contacts apart. */
const SHOWN_AT_END = 4
/** So many digits in a row tell a number, with its country and place or without. */
export const TELLING = 8
/** Shorter texts of digits are codes, not telephones. */
const SHORTEST = 7
/** What a number looks like, and a name that is nothing else. */
const numberAlone = /^[+\d\s().-]{7,40}$/
/** Eight digits or more within a name, however they are set apart. */
const digitsWithin = /\d(?:[^\p{L}\p{N}]{0,3}\d){7,}/gu
/** What may be a number within a text, however its digits are set apart. */
const numberWithin = /\+?\(?\d(?:[\s().-]{0,3}\d){7,}/g
/** Of Brazil, without its country. */
const national = /^[1-9]{2}(?:9\d{8}|[2-5]\d{7})$/
/** Dates and documents within a name are none. */
const isTelephone = (text: string): boolean =>
  text.startsWith('+') || national.test(text.replace(/\D/g, '').replace(/^55(?=\d{10})/, ''))

/** Whether a text is a number of which a part is hidden. */
export const isMasked = (text: string): boolean => text.includes(HIDDEN)

/**
 * A number for those who may not read it: `5511987651835` → `+55 11 9••••-1835`. Of another country its first digits
 * stay, too; what is too short to hide anything of is hidden whole.
 * @param text digits, however they are written
 */
export function maskedNumber(text: string): string {
  const digits = text.replace(/\D/g, '')
  const end = digits.slice(-SHOWN_AT_END)
  if (digits.length < SHORTEST) return HIDDEN.repeat(SHOWN_AT_END)
  const hidden = (length: number) => HIDDEN.repeat(length)
  if (/^55\d{10,11}$/.test(digits))
    return `+55 ${digits.slice(2, 4)} ${digits[4]}${hidden(digits.length - 5 - SHOWN_AT_END)}-${end}`
  const start = digits.slice(0, 2)
  return `+${start} ${hidden(digits.length - start.length - SHOWN_AT_END)}-${end}`
}

/** The same of a number within a text, where those of Brazil often stand without their country. */
function maskedWithin(found: string): string {
  const digits = found.replace(/\D/g, '')
  return national.test(digits) ? maskedNumber(`55${digits}`).slice('+55 '.length) : maskedNumber(digits)
}

/**
 * The same digits in their places, without those that lie in a number, eight in a row or more: but for its last four.
 */
function dotted(found: string, number: string): string {
  const digits = found.replace(/\D/g, '')
  const secret = new Set<number>()
  for (let at = 0; at + TELLING <= digits.length; at++) {
    const place = number.indexOf(digits.slice(at, at + TELLING))
    if (place === -1) continue
    for (let i = 0; i < TELLING; i++) if (place + i < number.length - SHOWN_AT_END) secret.add(at + i)
  }
  let at = 0
  return secret.size === 0 ? found : found.replace(/\d/g, (digit) => (secret.has(at++) ? HIDDEN : digit))
}

/** Days, and the beginnings of documents, which have eight digits, too. */
const noLocal =
  /^(?:(?:19|20)\d\d[-./ ]?[01]\d[-./ ]?[0-3]\d|[0-3]\d[-./ ]?[01]\d[-./ ]?(?:19|20)\d\d|\d\d\.\d{3}\.\d{3})/
/** A number of Brazil without its place. */
const local = /^(?:9\d{8}|[2-9]\d{7})$/

/** A name, without the number beside which it is told, or that it holds by itself. */
function nameWithout(name: string, number: unknown): string {
  const digits = typeof number === 'string' ? number.replace(/\D/g, '') : ''
  return name
    .replace(numberWithin, (found) => (isTelephone(found) ? maskedWithin(found) : found))
    .replace(digitsWithin, (found) => {
      if (digits.length >= TELLING) return dotted(found, digits)
      const own = found.replace(/\D/g, '')
      return local.test(own) && !noLocal.test(found) ? dotted(found, own) : found
    })
}

/** Where numbers of contacts stand in what the server tells. */
const numbers: ReadonlySet<string> = new Set([
  ...['number', 'contactNumber', 'participantNumber', 'goneNumber', 'key'],
  // Who reacted to a message.
  'by',
])
/** Columns whose JSON is a text in the rows of a shape. */
const packed: ReadonlySet<string> = new Set(['reactions'])
/** Where the name of a contact stands, which may be nothing but the number, and the number beside it. */
const names: ReadonlyMap<string, string> = new Map([
  ['name', 'number'],
  ['contactName', 'contactNumber'],
  ['participantName', 'participantNumber'],
  ['goneName', 'goneNumber'],
  ['keptName', 'number'],
  ['title', 'number'],
])
/** Texts that may repeat the number beside which they are told: what a campaign says to that person. */
const beside: ReadonlySet<string> = new Set(['body', 'confirmation'])
/** Messages whose body are cards of people: their `mediaType`. */
const cards: ReadonlySet<string> = new Set(['contactMessage', 'vcard'])
/** The company's own telephones are no secret to those who answer them. */
const own: ReadonlySet<string> = new Set(['whatsapp', 'whatsapps', 'connection', 'session'])

/**
 * The same value, with the numbers in it masked. What has none is answered as it is.
 * @param value as JSON holds it; dates and the like are left alone
 */
export function maskedValue<T>(value: T): T {
  return masked(value, '') as T
}

/** @param holder of what the value is a part */
function masked(value: unknown, key: string, holder?: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') {
    if (packed.has(key)) return JSON.stringify(masked(JSON.parse(value), key))
    if (!numbers.has(key) && !names.has(key)) return value
    if (numberAlone.test(value)) return value.replace(/\D/g, '').length >= SHORTEST ? maskedNumber(value) : value
    const beside = names.get(key)
    return beside === undefined ? value : nameWithout(value, holder?.[beside])
  }
  if (!isObject(value) || own.has(key)) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => masked(item, key))
    return items.some((item, i) => item !== value[i]) ? items : value
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  let changed: Record<string, unknown> | undefined
  for (const [name, inner] of Object.entries(value)) {
    const other =
      name === 'body' && typeof inner === 'string' && cards.has(String(value['mediaType']))
        ? maskedCards(inner)
        : beside.has(name) && typeof inner === 'string'
          ? withoutNumber(inner, value['number'])
          : masked(inner, name, value)
    if (other !== inner) (changed ??= { ...value })[name] = other
  }
  return changed ?? value
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Cards with their names, and their numbers in part. Whatever else strangers write in one may hold a number, too. */
const maskedCards = (body: string): string =>
  cardsOf(body)
    .flatMap(({ name, number }) => [
      ...['BEGIN:VCARD', 'VERSION:3.0'],
      `FN:${escapedLine(numberAlone.test(name) ? maskedNumber(name) : nameWithout(name, number))}`,
      ...(number ? [`TEL:${maskedNumber(number)}`] : []),
      'END:VCARD',
    ])
    .join('\n')

/** The text, without the number where it says it. */
function withoutNumber(text: string, number: unknown): string {
  const end = typeof number === 'string' ? number.replace(/\D/g, '').slice(-TELLING) : ''
  if (end.length < TELLING) return text
  return text.replace(numberWithin, (found) => (found.replace(/\D/g, '').includes(end) ? maskedWithin(found) : found))
}

/** `value` as `who` may read it. */
export const readableBy = <T>(who: Rights, value: T): T => (hidesNumbers(who) ? maskedValue(value) : value)

/** A number's place in texts that the server fills in: ours, and that of campaigns. */
const numberPlace = /\{\{\s*number\s*\}\}|\{numero\}/i

/** Whether a value, as JSON holds it, has the server write contacts' numbers somewhere. */
export const asksForNumbers = (value: unknown): boolean =>
  typeof value === 'string' ? numberPlace.test(value) : isObject(value) && Object.values(value).some(asksForNumbers)

/**
 * The digits of a number by which `who` may look for it, as a pattern of LIKE: to whom numbers are hidden finds one by its
 * end, which they see. Of what else they type nothing is looked at: piece by piece, or number by number, they would read
 * it out.
 * @param anywhere makes the pattern of a text that may stand anywhere
 */
export function numberPattern(who: Rights, digits: string, anywhere: (text: string) => string): string {
  if (!hidesNumbers(who)) return anywhere(digits)
  return `%${digits.slice(-SHOWN_AT_END)}`
}

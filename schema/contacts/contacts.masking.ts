import type { Rights } from '../permissions.ts'

/**
 * Who has a role that hides numbers gets contacts' telephone numbers without their middle, wherever the server tells
 * them: answers, live events, rows of the replica, notifications and files. The edges of the server ask here; nothing
 * between them needs to know.
 */
export const hidesNumbers = (who: Rights): boolean => who.role?.maskNumbers === true

const HIDDEN = '•'
/** As many as one reads out to tell two contacts apart. */
const SHOWN_AT_END = 4
/** Shorter texts of digits are codes, not telephones. */
const SHORTEST = 7
/** What a number looks like, and a name that is nothing else. */
const numberAlone = /^[+\d\s().-]{7,40}$/

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

/** Where numbers of contacts stand in what the server tells. */
const numbers: ReadonlySet<string> = new Set([
  ...['number', 'contactNumber', 'participantNumber', 'goneNumber', 'key'],
  // Who reacted to a message.
  'by',
])
/** Columns whose JSON is a text in the rows of a shape. */
const packed: ReadonlySet<string> = new Set(['reactions'])
/** Where the name of a contact stands, which may be nothing but the number. */
const names: ReadonlySet<string> = new Set(['name', 'contactName', 'participantName', 'goneName', 'title'])
/** The company's own telephones are no secret to those who answer them. */
const own: ReadonlySet<string> = new Set(['whatsapp', 'whatsapps', 'connection', 'session'])

/**
 * The same value, with the numbers in it masked. What has none is answered as it is.
 * @param value as JSON holds it; dates and the like are left alone
 */
export function maskedValue<T>(value: T): T {
  return masked(value, '') as T
}

function masked(value: unknown, key: string): unknown {
  if (typeof value === 'string') {
    if (packed.has(key)) return JSON.stringify(masked(JSON.parse(value), key))
    const isNumber = (numbers.has(key) || names.has(key)) && numberAlone.test(value)
    return isNumber && value.replace(/\D/g, '').length >= SHORTEST ? maskedNumber(value) : value
  }
  if (typeof value !== 'object' || value === null || own.has(key)) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => masked(item, key))
    return items.some((item, i) => item !== value[i]) ? items : value
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  let changed: Record<string, unknown> | undefined
  for (const [name, inner] of Object.entries(value)) {
    const other = masked(inner, name)
    if (other !== inner) (changed ??= { ...value })[name] = other
  }
  return changed ?? value
}

/** `value` as `who` may read it. */
export const readableBy = <T>(who: Rights, value: T): T => (hidesNumbers(who) ? maskedValue(value) : value)

/**
 * The digits of a number by which `who` may look for it, as a pattern of LIKE: whose numbers are hidden finds one by its
 * end, which they see, or by all of it, which they know; piece by piece they would read it out.
 * @param anywhere makes the pattern of a text that may stand anywhere
 */
export function numberPattern(who: Rights, digits: string, anywhere: (text: string) => string): string {
  if (!hidesNumbers(who)) return anywhere(digits)
  return digits.length <= SHOWN_AT_END ? `%${digits}` : digits
}

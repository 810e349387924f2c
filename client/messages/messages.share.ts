import { type CallingCode, nationalDigits, withCountry } from '../../schema/contacts/contacts.phone.ts'
import type { Place } from '../../schema/messages/messages.content.ts'

const degrees = String.raw`(-?\d{1,3}(?:\.\d{1,15})?)`
/** Where maps' addresses hold the point that is looked at, the surest first. */
const inAddress = [
  new RegExp(`!3d${degrees}!4d${degrees}`),
  new RegExp(`[?&](?:q|query|ll|center|destination)=(?:loc:)?${degrees}(?:,|%2C)\\+?(?:%20)?${degrees}`, 'i'),
  new RegExp(`@${degrees},${degrees}`),
]
const alone = new RegExp(`^\\s*${degrees}\\s*[,;\\s]\\s*${degrees}\\s*$`)

/** The point that was typed or pasted: "-8.05, -34.9", or the address of a map; undefined where it is none. */
export function pointIn(text: string): Pick<Place, 'latitude' | 'longitude'> | undefined {
  const typed = text.trim().slice(0, 2_000)
  const isAddress = /^https?:\/\//i.test(typed)
  const found = (isAddress ? inAddress : [alone]).map((pattern) => pattern.exec(typed)).find((match) => match !== null)
  if (!found) return undefined
  const [latitude, longitude] = [Number(found[1]), Number(found[2])]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
}

/** The digits of a number as somebody typed it, with its country; undefined where that cannot be told. */
export function numberTyped(text: string, code: CallingCode): string | undefined {
  const typed = text.trim()
  const digits = withCountry(typed, code)
  if (!/^\d{8,15}$/.test(digits)) return undefined
  const isWhole = digits.startsWith(code) && nationalDigits(code).includes(digits.length - code.length)
  return typed.startsWith('+') || isWhole ? digits : undefined
}

import type { Place } from './messages.content.ts'

/** Where maps' addresses hold the point that is looked at, the surest first. */
const inAddress = [
  /!3d(-?\d{1,3}(?:\.\d{1,15})?)!4d(-?\d{1,3}(?:\.\d{1,15})?)/,
  /[?&](?:q|query|ll|center|destination)=(?:loc:)?(-?\d{1,3}(?:\.\d{1,15})?)(?:,|%2C)\+?(?:%20)?(-?\d{1,3}(?:\.\d{1,15})?)/i,
  /@(-?\d{1,3}(?:\.\d{1,15})?),(-?\d{1,3}(?:\.\d{1,15})?)/,
]
const alone = /^(-?\d{1,3}(?:\.\d{1,15})?)\s{0,3}[,;\s]\s{0,3}(-?\d{1,3}(?:\.\d{1,15})?)$/

/** The point that was typed or pasted: "-8.05, -34.9", or the address of a map; undefined where it is none. */
export function pointIn(text: string): Pick<Place, 'latitude' | 'longitude'> | undefined {
  const typed = text.trim().slice(0, 2_000)
  const isAddress = /^https?:\/\//i.test(typed)
  const found = (isAddress ? inAddress : [alone]).map((pattern) => pattern.exec(typed)).find((match) => match !== null)
  if (!found) return undefined
  const [latitude, longitude] = [Number(found[1]), Number(found[2])]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
}

import type { Place } from './messages.content.ts'

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

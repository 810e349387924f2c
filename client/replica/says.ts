import { plain } from '../../schema/plain.ts'

/** Letters with marks, and signs of print, by the one that people type for them; capitals, too, which the database of the replica does not know. */
let written: Map<string, string> | null = null
const printed = [
  [0xc0, 0x24f],
  [0x2010, 0x2026],
] as const

function writtenFor(typed: string): string {
  if (!written) {
    written = new Map()
    for (const [first, last] of printed)
      for (let code = first; code <= last; code++) {
        const sign = String.fromCodePoint(code)
        const stands = plain(sign)
        if (stands.length === 1) written.set(stands, (written.get(stands) ?? '') + sign)
      }
  }
  return written.get(typed) ?? ''
}

/**
 * An SQL condition: `expression` says somewhere what `pattern`, a parameter, was made of by {@link wordPattern}, whatever
 * its case and marks. Taking the marks off each row before comparing would cost ten times as much.
 */
export const saysSql = (expression: string, pattern: string) => `${expression} ~* ${pattern}`
const literal = (sign: string) => (/[\p{L}\p{N}\s]/u.test(sign) ? sign : `\\${sign}`)
/** A regular expression of Postgres that finds `text` in any case, with or without marks. */
export const wordPattern = (text: string) =>
  [...text.toLowerCase().normalize('NFC')]
    .map((sign) => {
      const typed = plain(sign)
      const stands = [...typed].map((one) => (writtenFor(one) ? `[${literal(one)}${writtenFor(one)}]` : literal(one)))
      const isFound = typed === sign || writtenFor(typed).includes(sign)
      return isFound ? stands.join('') : `(?:${literal(sign)}|${stands.join('')})`
    })
    .join('')

import { plain } from '../../schema/plain.ts'
import { plainText } from '../messages/messages.text-format.ts'

/** A text around what was looked for. */
export interface Piece {
  before: string
  match: string
  after: string
}

/** What stands before the match: enough to know what it is about, and no more than leaves the match in sight. */
const lead = 24
const tail = 160

/**
 * Where `wanted` stands in a text, whatever its case and accents; null where it does not. A letter may be folded into two
 * (æ), so the places are counted letter by letter.
 */
export function pieceOf(text: string, wanted: string): Piece | null {
  const folded = plain(wanted.trim())
  if (folded === '') return null
  const shown = plainText(text)
  const signs = [...shown]
  let whole = ''
  /** For each sign, where it begins in the folded text. */
  const begins = signs.map((sign) => {
    const at = whole.length
    whole += plain(sign)
    return at
  })
  const at = whole.indexOf(folded)
  if (at < 0) return null
  const first = begins.findLastIndex((begin) => begin <= at)
  const behind = begins.findIndex((begin) => begin >= at + folded.length)
  const last = behind < 0 ? signs.length : behind
  const from = Math.max(0, first - lead)
  return {
    before: (from > 0 ? '…' : '') + signs.slice(from, first).join(''),
    match: signs.slice(first, last).join(''),
    after: signs.slice(last, last + tail).join(''),
  }
}

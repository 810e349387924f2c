import { plain } from '../../schema/plain.ts'
import { plainText } from '../kit/text-tree.ts'

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
 * Where `wanted` stands in a text, whatever its case and accents: the first `most` places, as indices into the text. A
 * letter may be folded into two (æ), so the places are counted letter by letter.
 */
export function placesIn(text: string, wanted: string, most: number): { from: number; to: number }[] {
  const looked = plain(wanted.trim())
  if (looked === '') return []
  let folded = ''
  /** For each sign and for the end, where it begins in the text and in the folded text. */
  const signs: { at: number; foldedAt: number }[] = []
  let at = 0
  for (const sign of text) {
    signs.push({ at, foldedAt: folded.length })
    at += sign.length
    folded += plain(sign)
  }
  signs.push({ at, foldedAt: folded.length })
  const places: { from: number; to: number }[] = []
  let sign = 0
  for (let hit = folded.indexOf(looked); hit >= 0 && places.length < most; ) {
    const end = hit + looked.length
    while (signs[sign + 1]!.foldedAt <= hit) sign++
    const from = signs[sign]!.at
    while (signs[sign]!.foldedAt < end) sign++
    places.push({ from, to: signs[sign]!.at })
    // Behind the whole sign, which may be folded into more than was looked for.
    hit = folded.indexOf(looked, signs[sign]!.foldedAt)
  }
  return places
}

/** The piece of a text, without its marks, around the first place where `wanted` stands; null where it does not. */
export function pieceOf(text: string, wanted: string): Piece | null {
  const shown = plainText(text)
  const [place] = placesIn(shown, wanted, 1)
  if (!place) return null
  const before = [...shown.slice(0, place.from)]
  return {
    before: (before.length > lead ? '…' : '') + before.slice(-lead).join(''),
    match: shown.slice(place.from, place.to),
    after: [...shown.slice(place.to)].slice(0, tail).join(''),
  }
}

import { homeCode, withCountry } from '../../schema/contacts/contacts.phone.ts'
import { clip } from '../../schema/texts.ts'
import { type Span, type TextNode, treeOf } from './text-tree.ts'

/** The tree of a message text. */
export const parseText = (source: string): TextNode[] => treeOf(source, { next: nextPhone, node: phoneNode })

const phoneBegin = /[+(\d]/g
/**
 * With a plus any country's, else Brazil's: an area code, and a mobile number, or another one that is written as numbers
 * are. So neither the digits of a document nor those of an order are taken for one. No part may repeat without end.
 */
const phoneShape =
  /\+[1-9]\d{0,2}(?:[ .-]?\(?\d{1,5}\)?){2,5}|(?:55 ?)?(?:\([1-9]{2}\) ?|[1-9]{2}[ -]?)(?:9[ .]?\d{4}[ .-]?\d{4}|[2-5]\d{3}[ .-]\d{4})/y
const isInNumber = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}_/]/u.test(char)

function nextPhone(text: string, from: number): Span | undefined {
  phoneBegin.lastIndex = from
  for (let found = phoneBegin.exec(text); found; found = phoneBegin.exec(text)) {
    const start = found.index
    phoneShape.lastIndex = start
    const shape =
      isInNumber(text[start - 1]) || /\d[.,:-]$/.test(text.slice(Math.max(0, start - 2), start))
        ? null
        : phoneShape.exec(text)
    const end = start + (shape?.[0].length ?? 0)
    const count = shape ? withCountry(shape[0], homeCode).length : 0
    if (count >= 8 && count <= 15 && !isInNumber(text[end]) && !/^[.,:-]\d/.test(text.slice(end, end + 2)))
      return { start, end }
    // The rest of a row of digits is no beginning.
    let next = start + 1
    while (next < text.length && /\d/.test(text[next]!)) next++
    phoneBegin.lastIndex = next
  }
  return undefined
}

function phoneNode(text: string): TextNode | null {
  return /^[+(\d][\d ().+-]*$/.test(text) ? { type: 'phone', text, digits: withCountry(text, homeCode) } : null
}

/** The addresses of the web that a text names, each once. */
export function linksIn(source: string): string[] {
  const found = new Set<string>()
  const look = (nodes: readonly TextNode[]) => {
    for (const node of nodes) {
      if ('children' in node) look(node.children)
      else if (node.type === 'link' && node.href.startsWith('http')) found.add(node.href)
    }
  }
  look(parseText(source))
  return [...found]
}

/** Whether the text is one to three emoji and nothing else: shown large, as on the phone. */
export function isJumbo(text: string): boolean {
  // Blanks around it aside; a long text is none, and is not looked through for them.
  if (text.length > 80) return false
  const trimmed = text.trim()
  if (trimmed.length === 0 || trimmed.length > 40) return false
  const graphemes = [...new Intl.Segmenter().segment(trimmed)]
    .map((part) => part.segment)
    .filter((part) => part.trim() !== '')
  return (
    graphemes.length <= 3 &&
    graphemes.every((part) => /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}/u.test(part))
  )
}

/** In the conversation a longer text is folded: its height is the stranger's choice, the place on the screen is not. */
export const FOLDED_LENGTH = 1_200
const FOLDED_LINES = 24

/** The beginning of a text that is too long to stand in the conversation unasked; null for all others. */
export function folded(text: string): string | null {
  let end = 0
  for (let lines = 0; lines < FOLDED_LINES; lines++) {
    const next = text.indexOf('\n', end)
    if (next < 0 || next >= FOLDED_LENGTH) {
      end = FOLDED_LENGTH
      break
    }
    end = next + 1
  }
  // A few words more are no reason to fold.
  if (text.length <= end * 1.25 + 10) return null
  const cut = clip(text, end)
  const blank = cut.lastIndexOf(' ')
  return (blank > end * 0.9 ? cut.slice(0, blank) : cut).trimEnd()
}

import { clip } from '../../schema/texts.ts'

/**
 * WhatsApp's text formatting as a tree. Nothing here is HTML: what a contact writes can become text, emphasis and
 * http(s) and mail links and telephone numbers, and nothing else. Every text is read from its beginning to its end a fixed number of
 * times, whatever stands in it: a stranger decides what that is.
 */
export type TextNode =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'link'; text: string; href: string }
  /** `digits` with the country code. */
  | { type: 'phone'; text: string; digits: string }
  | { type: 'bold' | 'italic' | 'strike'; children: TextNode[] }

const marks = { '*': 'bold', _: 'italic', '~': 'strike' } as const
type Mark = keyof typeof marks

/** Marks, links and pieces of code in one text. Who writes more of them writes no text; what is behind is plain. */
const MOST_PARTS = 1_000

/** What else than addresses may be pressed in a text. */
export interface Pressed {
  /** The next one at or behind a place. */
  next: (text: string, from: number) => Span | undefined
  /** What it is; null of all that it did not find. */
  node: (text: string) => TextNode | null
}

/** The tree of a text, with the addresses in it; and what else may be pressed, where somebody is to press it. */
export function treeOf(source: string, pressed?: Pressed): TextNode[] {
  const nodes: TextNode[] = []
  const budget = { parts: MOST_PARTS }
  let done = 0
  const put = (until: number) => {
    if (until > done) parseMarks(source.slice(done, until), budget, nodes, pressed)
  }
  // Code first: marks inside it are characters.
  const fence = nextOf(source, '```')
  const tick = nextOf(source, '`')
  const line = nextOf(source, '\n')
  for (let at = tick(0); at < source.length && budget.parts > 0; at = tick(at)) {
    let end = source.length
    let width = 3
    if (source.startsWith('```', at)) end = fence(at + 4)
    if (end === source.length) {
      width = 1
      end = tick(at + 1)
      if (end === at + 1 || end > line(at)) end = source.length
    }
    if (end === source.length) {
      at++
      continue
    }
    put(at)
    budget.parts--
    nodes.push({ type: 'code', text: source.slice(at + width, end).replace(/^\n|\n$/g, '') })
    at = done = end + width
  }
  put(source.length)
  return nodes
}

/** The next place of `wanted` at or behind a place, for places that only grow; the length of the text where none is. */
function nextOf(source: string, wanted: string): (from: number) => number {
  let found = -1
  return (from) => {
    if (found < from) {
      found = source.indexOf(wanted, from)
      if (found < 0) found = source.length
    }
    return found
  }
}

const wordly = /[\p{L}\p{N}]/u
/** Whether a letter or digit ends before, or begins at, this place. */
const isWordBefore = (text: string, at: number) =>
  at > 0 && wordly.test(String.fromCodePoint(text.codePointAt(isLow(text, at - 1) ? at - 2 : at - 1) ?? 0))
const isWordAt = (text: string, at: number) =>
  at < text.length && wordly.test(String.fromCodePoint(text.codePointAt(at)!))
const isLow = (text: string, at: number) => at > 0 && (text.charCodeAt(at) & 0xfc00) === 0xdc00
const isBlank = (text: string, at: number) => at >= text.length || /\s/.test(text[at]!)

/** Appends what the text is made of. Marks do not lie in marks of their own kind, so this goes three steps deep at most. */
function parseMarks(text: string, budget: { parts: number }, nodes: TextNode[], pressed: Pressed | undefined): void {
  const line = nextOf(text, '\n')
  const link = linksOf(text, pressed)
  const closers = { '*': closersOf(text, '*'), _: closersOf(text, '_'), '~': closersOf(text, '~') }
  let done = 0
  const put = (until: number) => {
    if (until > done) nodes.push({ type: 'text', text: text.slice(done, until) })
  }
  for (let at = 0; at < text.length && budget.parts > 0; ) {
    const address = link(at)
    if (address?.start === at) {
      put(at)
      budget.parts--
      const shown = text.slice(at, address.end)
      nodes.push(pressed?.node(shown) ?? linkNode(shown))
      at = done = address.end
      continue
    }
    // A mark opens before a character and after a non-word, closes the other way round, as on the phone.
    const mark = markAt(text, at)
    if (mark && !isBlank(text, at + 1) && !isWordBefore(text, at)) {
      const end = closers[mark](at + 2)
      if (end < line(at)) {
        put(at)
        budget.parts--
        const children: TextNode[] = []
        parseMarks(text.slice(at + 1, end), budget, children, pressed)
        nodes.push({ type: marks[mark], children })
        at = done = end + 1
        continue
      }
    }
    at++
  }
  put(text.length)
}

const codes: readonly (Mark | undefined)[] = Object.assign([], { 42: '*', 95: '_', 126: '~' })
const markAt = (text: string, at: number): Mark | undefined => codes[text.charCodeAt(at)]

/** The next mark of this kind that may close. */
function closersOf(text: string, mark: Mark): (from: number) => number {
  const next = nextOf(text, mark)
  let found = -1
  return (from) => {
    if (found >= from) return found
    found = next(from)
    while (found < text.length && (isBlank(text, found - 1) || isWordAt(text, found + 1))) found = next(found + 1)
    return found
  }
}

export interface Span {
  start: number
  end: number
}

/** The next of what may be pressed at or behind a place, for places that only grow; undefined where none is. */
function linksOf(text: string, pressed: Pressed | undefined): (from: number) => Span | undefined {
  const kinds = [
    urlsOf(text),
    (from: number) => nextMail(text, from),
    ...(pressed ? [(from: number) => pressed.next(text, from)] : []),
  ].map(spans)
  return (from) => {
    let first: Span | undefined
    for (const next of kinds) {
      const span = next(from)
      if (span && (!first || span.start < first.start)) first = span
    }
    return first
  }
}

function spans(find: (from: number) => Span | undefined): (from: number) => Span | undefined {
  let span: Span | undefined | null = null
  return (from) => {
    if (span === null || (span && span.start < from)) span = find(from)
    return span
  }
}

const schemes = /https?:\/\/|www\./gi
const notInUrl = /[\s<>"'`]/g
/** Trailing punctuation belongs to the sentence rather than to the address. */
const isInSentence = (char: string) => '.,;:!?)]}*_~'.includes(char)
const isWordChar = (char: string | undefined) => char !== undefined && /\w/.test(char)

/** Finds addresses at or behind a place. Where one that may begin there would end is looked for once, not for each. */
function urlsOf(text: string): (from: number) => Span | undefined {
  let stop = -1
  let trimmed = -1
  const endOf = (begin: number) => {
    if (stop < begin) {
      notInUrl.lastIndex = begin
      stop = notInUrl.exec(text)?.index ?? text.length
      trimmed = stop
      while (trimmed > begin && isInSentence(text[trimmed - 1]!)) trimmed--
    }
    return Math.max(begin, trimmed)
  }
  return (from) => {
    schemes.lastIndex = from
    for (let found = schemes.exec(text); found; found = schemes.exec(text)) {
      if (isWordChar(text[found.index - 1]) && found.index > from) continue
      const begin = schemes.lastIndex
      const end = endOf(begin)
      if (end - begin >= 2) return { start: found.index, end }
      // There is no beginning of another address among punctuation marks.
      schemes.lastIndex = stop
    }
    return undefined
  }
}

const isInMailName = (char: string) => /[\w.+-]/.test(char)
const isInHost = (char: string | undefined) => char !== undefined && /[\w-]/.test(char)

function nextMail(text: string, from: number): Span | undefined {
  for (let at = text.indexOf('@', from), tried = from; at >= 0; tried = at + 1, at = text.indexOf('@', at + 1)) {
    let start = at
    while (start > tried && isInMailName(text[start - 1]!)) start--
    if (start === at) continue
    let end = at + 1
    let labels = 0
    for (let stop = end; isInHost(text[stop]); ) {
      while (isInHost(text[stop])) stop++
      labels++
      end = stop
      if (text[stop] === '.') stop++
    }
    if (labels >= 2) return { start, end }
  }
  return undefined
}

function linkNode(text: string): TextNode {
  if (/^https?:/i.test(text)) return { type: 'link', text, href: text }
  if (/^www\./i.test(text)) return { type: 'link', text, href: `https://${text}` }
  return { type: 'link', text, href: `mailto:${text}` }
}

/** How much of a text a line of preview is made from: more than any of them shows. */
const PREVIEW_LENGTH = 1_000

/** The text without its marks, for one-line previews. Of a long text the beginning. */
export function plainText(source: string): string {
  const flat = (nodes: TextNode[]): string =>
    nodes.map((node) => ('children' in node ? flat(node.children) : node.text)).join('')
  // No mark stands in a number: whether one is found changes nothing.
  return flat(treeOf(clip(source, PREVIEW_LENGTH)))
    .replace(/\s+/gu, ' ')
    .trim()
}

/**
 * WhatsApp's text formatting as a tree. Nothing here is HTML: what a contact writes can become text, emphasis and
 * http(s), mail or phone links, and nothing else.
 */
export type TextNode =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'link'; text: string; href: string }
  | { type: 'bold' | 'italic' | 'strike'; children: TextNode[] }

const marks = { '*': 'bold', _: 'italic', '~': 'strike' } as const

// Trailing punctuation belongs to the sentence rather than to the address.
const link = /\b(?:https?:\/\/|www\.)[^\s<>"'`]+[^\s<>"'`.,;:!?)\]}*_~]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/giu

/** The tree of a message text. */
export function parseText(source: string): TextNode[] {
  const nodes: TextNode[] = []
  let rest = source
  // Code first: marks inside it are characters.
  for (;;) {
    const code = /```([\s\S]+?)```|`([^`\n]+)`/u.exec(rest)
    if (!code) break
    nodes.push(...parseMarks(rest.slice(0, code.index)), {
      type: 'code',
      text: (code[1] ?? code[2] ?? '').replace(/^\n|\n$/g, ''),
    })
    rest = rest.slice(code.index + code[0].length)
  }
  return [...nodes, ...parseMarks(rest)]
}

function parseMarks(text: string): TextNode[] {
  const nodes: TextNode[] = []
  let rest = text
  // Once nothing is found it is not looked for again, so that a text full of marks costs what its length costs.
  let lookForLinks = true
  let lookForMarks = true
  while (rest !== '') {
    // A mark opens before a character and after a non-word, closes the other way round, as on the phone.
    const found: RegExpExecArray | null = lookForMarks
      ? /(^|[^\p{L}\p{N}])([*_~])(?=\S)([^\n]*?\S)\2(?![\p{L}\p{N}])/u.exec(rest)
      : null
    const address: RegExpExecArray | null = lookForLinks ? new RegExp(link).exec(rest) : null
    lookForMarks = found !== null
    lookForLinks = address !== null
    if (address && (!found || address.index <= found.index + found[1]!.length)) {
      if (address.index > 0) nodes.push({ type: 'text', text: rest.slice(0, address.index) })
      nodes.push(linkNode(address[0]))
      rest = rest.slice(address.index + address[0].length)
    } else if (found) {
      const start = found.index + found[1]!.length
      if (start > 0) nodes.push({ type: 'text', text: rest.slice(0, start) })
      nodes.push({ type: marks[found[2] as keyof typeof marks], children: parseMarks(found[3]!) })
      rest = rest.slice(found.index + found[0].length)
    } else {
      nodes.push({ type: 'text', text: rest })
      rest = ''
    }
  }
  return nodes
}

function linkNode(text: string): TextNode {
  if (/^https?:/i.test(text)) return { type: 'link', text, href: text }
  if (/^www\./i.test(text)) return { type: 'link', text, href: `https://${text}` }
  return { type: 'link', text, href: `mailto:${text}` }
}

/** The text without its marks, for one-line previews. */
export function plainText(source: string): string {
  const flat = (nodes: TextNode[]): string =>
    nodes.map((node) => ('children' in node ? flat(node.children) : node.text)).join('')
  return flat(parseText(source)).replace(/\s+/gu, ' ').trim()
}

/** Whether the text is one to three emoji and nothing else: shown large, as on the phone. */
export function isJumbo(text: string): boolean {
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

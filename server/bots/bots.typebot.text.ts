import { isRecord } from '../outside/outside.call.ts'

/** A tree may be this deep, and hold so many parts; the rest is left out. */
const DEEPEST = 20
const MOST_PARTS = 2_000

/** Typebot's bubble as WhatsApp writes it: from its tree, or from Markdown where the viewer sends that. */
export function bubbleText(content: unknown): string {
  if (!isRecord(content)) return ''
  if (Array.isArray(content.richText)) {
    const budget = { left: MOST_PARTS }
    return content.richText
      .map((part) => block(part, 0, budget))
      .join('\n')
      .trim()
  }
  if (typeof content.markdown === 'string') return fromMarkdown(content.markdown)
  // What older viewers send besides the tree.
  return typeof content.plainText === 'string' ? content.plainText.trim() : ''
}

interface Budget {
  left: number
}

function block(part: unknown, depth: number, budget: Budget): string {
  if (!isRecord(part) || depth > DEEPEST || budget.left-- <= 0) return ''
  const children = Array.isArray(part.children) ? part.children : []
  if (part.type === 'ul' || part.type === 'ol')
    return children
      .map((child, index) => `${part.type === 'ol' ? `${index + 1}.` : '-'} ${block(child, depth + 1, budget)}`)
      .join('\n')
  // Paragraphs that stand within one another are lines; all else is part of its line.
  const isStack = children.some(
    (child) => isRecord(child) && (child.type === 'p' || child.type === 'ul' || child.type === 'ol'),
  )
  return children
    .map((child) => (isRecord(child) && Array.isArray(child.children) ? inner(child, depth + 1, budget) : leaf(child)))
    .join(isStack ? '\n' : '')
}

function inner(part: Record<string, unknown>, depth: number, budget: Budget): string {
  const text = block(part, depth, budget)
  if (part.type !== 'a' || typeof part.url !== 'string') return text
  return text.trim() === part.url || text.trim() === '' ? part.url : `${text} (${part.url})`
}

function leaf(part: unknown): string {
  if (!isRecord(part) || typeof part.text !== 'string') return ''
  const { text } = part
  if (!text.trim()) return text
  // WhatsApp's marks hold only where they touch the word.
  const before = text.slice(0, text.length - text.trimStart().length)
  const after = text.slice(text.trimEnd().length)
  const marks = `${part.bold ? '*' : ''}${part.italic ? '_' : ''}${part.strikethrough ? '~' : ''}${part.code ? '`' : ''}`
  return `${before}${marks}${text.trim()}${[...marks].reverse().join('')}${after}`
}

function fromMarkdown(markdown: string): string {
  return markdown
    .slice(0, 20_000)
    .replace(/!?\[([^\]\n]{0,500})\]\(([^)\s]{1,2000})\)/g, (_, text: string, url: string) =>
      text === '' || text === url ? url : `${text} (${url})`,
    )
    .replace(/^#{1,6} +([^\n]{1,500})$/gm, '**$1**')
    .replace(/(?<!\*)\*(?![*\s])([^*\n]{1,2000})\*(?!\*)/g, '_$1_')
    .replace(/\*\*([^*\n]{1,2000})\*\*/g, '*$1*')
    .replace(/~~([^~\n]{1,2000})~~/g, '~$1~')
    .replace(/\\([\\`*_{}[\]()#+\-.!~>])/g, '$1')
    .trim()
}

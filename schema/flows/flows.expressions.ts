import type { Operator } from './flows.graph.ts'
import { type FlowRule, MOST_PARTS } from './flows.inputs.ts'

/**
 * Comparisons as other programs of the family write them in one line of code: `{{idade}} >= 18 && cidade == "Natal"`.
 * They are read, never run. What is more than comparisons is not understood.
 */

/** Longer ones are not read. */
const LONGEST = 1_000

const operators: Record<string, Operator> = {
  '==': 'equals',
  '===': 'equals',
  '!=': 'notEquals',
  '!==': 'notEquals',
  '>=': 'atLeast',
  '<=': 'atMost',
  '<': 'less',
  '>': 'more',
}
const flipped: Partial<Record<Operator, Operator>> = {
  atLeast: 'atMost',
  atMost: 'atLeast',
  less: 'more',
  more: 'less',
}

type Token =
  | { kind: 'variable' | 'literal'; text: string }
  | { kind: 'operator'; operator: Operator }
  | { kind: 'and' | 'or' }

const isNameStart = (letter: string) => /^[A-Za-z_À-ÿ]$/.test(letter)
const isNamePart = (letter: string) => /^[A-Za-z0-9_.À-ÿ]$/.test(letter)
const isDigit = (letter: string) => letter >= '0' && letter <= '9'

/** One pass over the text; null where something else than a comparison stands. */
function tokensOf(text: string): Token[] | null {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const letter = text[at]!
    if (letter.trim() === '') {
      at++
      continue
    }
    const pair = text.slice(at, at + 2)
    if (pair === '&&' || pair === '||') {
      tokens.push({ kind: pair === '&&' ? 'and' : 'or' })
      at += 2
    } else if (pair === '{{') {
      const end = text.indexOf('}}', at)
      if (end === -1) return null
      tokens.push({ kind: 'variable', text: text.slice(at + 2, end).trim() })
      at = end + 2
    } else if (letter === '"' || letter === "'") {
      const end = text.indexOf(letter, at + 1)
      const inside = end === -1 ? '\\' : text.slice(at + 1, end)
      if (inside.includes('\\')) return null
      // A placeholder in quotes is what it stands for.
      const whole = /^\s*\{\{([^{}]*)\}\}\s*$/.exec(inside)
      tokens.push(whole ? { kind: 'variable', text: whole[1]!.trim() } : { kind: 'literal', text: inside })
      at = end + 1
    } else if ('=!<>'.includes(letter)) {
      let end = at + 1
      while (text[end] === '=') end++
      const operator = operators[text.slice(at, end)]
      if (!operator) return null
      tokens.push({ kind: 'operator', operator })
      at = end
    } else if (isDigit(letter) || letter === '-') {
      let end = at + 1
      while (end < text.length && (isDigit(text[end]!) || text[end] === '.')) end++
      const number = text.slice(at, end)
      if (!/^-?[0-9]+(\.[0-9]+)?$/.test(number)) return null
      tokens.push({ kind: 'literal', text: number })
      at = end
    } else if (isNameStart(letter)) {
      let end = at + 1
      while (end < text.length && isNamePart(text[end]!)) end++
      const name = text.slice(at, end)
      // A name that is called is code.
      if (text[end] === '(' || text[end] === '[') return null
      const isLiteral = ['true', 'false', 'null', 'undefined'].includes(name)
      if (isLiteral) tokens.push({ kind: 'literal', text: name === 'null' || name === 'undefined' ? '' : name })
      else tokens.push({ kind: 'variable', text: name })
      at = end
    } else return null
  }
  return tokens
}

function ruleOf(left: Token | undefined, middle: Token | undefined, right: Token | undefined): FlowRule | null {
  if (!left || !right || middle?.kind !== 'operator') return null
  if (!('text' in left) || !('text' in right)) return null
  const turned = left.kind === 'literal' && right.kind === 'variable'
  const [name, other] = turned ? [right, left] : [left, right]
  if (name.kind !== 'variable') return null
  const operator = turned ? (flipped[middle.operator] ?? middle.operator) : middle.operator
  const value = other.kind === 'variable' ? `{{${other.text}}}` : other.text
  if (name.text.startsWith('contact.')) {
    return { of: 'contact', key: name.text.slice('contact.'.length), operator, value }
  }
  const key = name.text.replace(/^(?:variables|vars)\./, '')
  return key ? { of: 'variable', key, operator, value } : null
}

/** The comparisons of an expression, all or any of which must hold; null where it is anything else. */
export function readExpression(text: string): { match: 'all' | 'any'; rules: FlowRule[] } | null {
  if (text.length > LONGEST) return null
  const tokens = tokensOf(text)
  if (!tokens) return null
  const rules: FlowRule[] = []
  const joins = new Set<string>()
  for (let at = 0; at < tokens.length; at += 4) {
    const rule = ruleOf(tokens[at], tokens[at + 1], tokens[at + 2])
    if (!rule || rules.length >= MOST_PARTS) return null
    rules.push(rule)
    const join = tokens[at + 3]
    if (!join) continue
    if ((join.kind !== 'and' && join.kind !== 'or') || at + 4 >= tokens.length) return null
    joins.add(join.kind)
  }
  // Both kinds of join need brackets to be clear.
  return rules.length > 0 && joins.size < 2 ? { match: joins.has('or') ? 'any' : 'all', rules } : null
}

const signs: Partial<Record<Operator, string>> = {
  equals: '==',
  notEquals: '!=',
  atLeast: '>=',
  atMost: '<=',
  less: '<',
  more: '>',
}

/** The same comparisons as an expression; null where one cannot be written so. */
export function writeExpression({ match, rules }: { match: 'all' | 'any'; rules: readonly FlowRule[] }): string | null {
  const parts: string[] = []
  for (const { of, key, operator, value } of rules) {
    const sign = signs[operator]
    if (!sign || (of !== 'variable' && of !== 'contact') || /["\\]/.test(value)) return null
    parts.push(`{{${of === 'contact' ? `contact.${key}` : key}}} ${sign} "${value}"`)
  }
  return parts.join(match === 'all' ? ' && ' : ' || ')
}

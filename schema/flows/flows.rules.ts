import type { Language } from '../languages.ts'
import { numberOf, plain } from './flows.answers.ts'
import type { Operator } from './flows.graph.ts'

/** Both sides of a comparison as numbers where both are numbers, otherwise as text without accents and capitals. */
const order = (left: string, right: string, language: Language): number => {
  const [a, b] = [numberOf(left, language), numberOf(right, language)]
  if (a !== null && b !== null) return a - b
  const [x, y] = [plain(left), plain(right)]
  return x < y ? -1 : x > y ? 1 : 0
}

const comparisons: Record<Operator, (left: string, right: string, language: Language) => boolean> = {
  equals: (left, right, language) => order(left, right, language) === 0,
  notEquals: (left, right, language) => order(left, right, language) !== 0,
  atLeast: (left, right, language) => order(left, right, language) >= 0,
  atMost: (left, right, language) => order(left, right, language) <= 0,
  less: (left, right, language) => order(left, right, language) < 0,
  more: (left, right, language) => order(left, right, language) > 0,
  contains: (left, right) => plain(left).includes(plain(right)),
  notContains: (left, right) => !plain(left).includes(plain(right)),
  startsWith: (left, right) => plain(left).startsWith(plain(right)),
  filled: (left) => left.trim() !== '',
  empty: (left) => left.trim() === '',
}

/** Whether a comparison is right. A value that is missing is the empty text. */
export const compare = (operator: Operator, left: string, right: string, language: Language): boolean =>
  comparisons[operator](left, right, language)

/** Whether a comparison is right of one of several things: for the negative ones, of all of them. */
export function compareAny(operator: Operator, lefts: readonly string[], right: string, language: Language): boolean {
  if (operator === 'empty') return lefts.length === 0
  const negative = operator === 'notEquals' || operator === 'notContains'
  const isRight = (left: string) => compare(operator, left, right, language)
  return negative ? lefts.every(isRight) : lefts.some(isRight)
}

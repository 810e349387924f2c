import { folded } from '../choices.ts'

/** The words by which a contact leaves a flow, as a company has chosen them. */
export interface LeavingWords {
  /** They close the ticket. */
  stop: readonly string[]
  /** They lead to the queue menu. */
  menu: readonly string[]
}

/** What is typed to leave where nothing else was chosen. */
export const STOP_WORDS = 'parar'
export const MENU_WORDS = '#'

/** More of a setting is not read. */
const MOST_WORDS = 20
const LONGEST_WORD = 40

/** The words of a setting: one in each line, or with commas between. */
export const leavingWords = (setting: string): string[] =>
  setting
    .split(/[\n,;]/)
    .map((word) => word.trim().slice(0, LONGEST_WORD))
    .filter(Boolean)
    .slice(0, MOST_WORDS)

export const usualLeaving: LeavingWords = { stop: leavingWords(STOP_WORDS), menu: leavingWords(MENU_WORDS) }

/** Whether a text is one of these words and nothing more, whatever its accents, capitals and punctuation. */
export function isOneOf(words: readonly string[], text: string): boolean {
  const said = folded(text)
  // A sign alone folds to nothing.
  const sign = text
    .slice(0, 2 * LONGEST_WORD)
    .replace(/[\uFE0F\u20E3]/g, '')
    .trim()
  return words.some((word) => (said === '' ? word === sign : folded(word) === said))
}

import { folded } from '../choices.ts'

export const standardOptOutWords = ['SAIR', 'PARAR', 'STOP', 'BAJA']
export const standardReturnWords = ['VOLTAR']

/** Whether the whole message is one of the words. */
export function isWord(text: string, words: readonly string[]): boolean {
  // Nobody opts out in a letter.
  if (text.length > 60) return false
  const said = folded(text)
  return said !== '' && words.some((word) => folded(word) === said)
}

import { plain } from './plain.ts'

/** How people answer a menu: by a number, in whatever signs, or by the words that stand beside it. */

/** More of an answer is not read. */
const LONGEST = 400

/** Without what makes a sign another look of the same; what is typed on plain keys has nothing of that. */
const bare = (text: string): string =>
  /[^\0-\x7f]/.test(text) ? text.normalize('NFKD').replace(/[\uFE0F\u20E3]/g, '') : text

/** Small letters and digits without accents, signs and punctuation, parted by single blanks: what is compared. */
export const folded = (text: string): string =>
  plain(bare(text.slice(0, LONGEST)))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Numbers as they are said in the three languages, folded. */
const numberWords: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'zero cero',
    'um uma un uno una one',
    'dois duas dos two',
    'tres three',
    'quatro cuatro four',
    'cinco five',
    'seis six',
    'sete siete seven',
    'oito ocho eight',
    'nove nueve nine',
    'dez diez ten',
  ].flatMap((words, number) => words.split(' ').map((word) => [word, number] as const)),
)
const before = /^(?:(?:a|o|la|el|the) )?(?:opcao|opcion|option|numero|number|item) /

/** The number that an answer is, alone: `2`, `*2*`, `[ 2 ]`, `2️⃣`, `opção 2`, `dois`; null for anything else. */
export function numberSaid(text: string): number | null {
  const spoken = folded(text).replace(before, '')
  if (/^[0-9]{1,3}$/.test(spoken)) return Number(spoken)
  // A ten has a sign of its own, which folds to nothing.
  if (text.trim() === '🔟') return 10
  return Object.hasOwn(numberWords, spoken) ? numberWords[spoken]! : null
}

/**
 * Which of what is offered an answer chooses, or null: by its number, or by its words, with the number before them or not.
 * A number in words counts after the words of an option, which may be one.
 */
export function chosenOf(offered: readonly { number: number; label: string }[], text: string): number | null {
  const said = folded(text)
  if (said === '') {
    // Signs alone: a ten, or what is offered so.
    const sign = text.trim()
    if (sign === '🔟' && offered.some(({ number }) => number === 10)) return 10
    return (sign !== '' && offered.find(({ label }) => label.trim() === sign)?.number) || null
  }
  const digits = /[0-9]/.test(said) ? numberSaid(text) : null
  if (offered.some(({ number }) => number === digits)) return digits
  for (const { number, label } of offered) {
    const words = folded(label)
    if (words !== '' && (said === words || said === `${number} ${words}`)) return number
  }
  const number = numberSaid(text)
  return offered.some((one) => one.number === number) ? number : null
}

import { folded, numberSaid } from '../choices.ts'
import type { Language } from '../languages.ts'

/** Something that a menu offers, and what choosing it says. */
export interface Choice {
  label: string
  /** What is heard of who presses it, as if they had written it. */
  answer: string
}

/** A menu, for wires whose contacts press what they choose; all others have it in the text of the message. */
export interface Offer {
  /** What stands above the choices; never empty. */
  words: string
  /** On what opens the list. */
  button: string
  choices: Choice[]
}

const above: Record<Language, string> = {
  pt: 'Escolha uma opção:',
  en: 'Choose an option:',
  es: 'Elige una opción:',
}
const opens: Record<Language, string> = { pt: 'Ver opções', en: 'See options', es: 'Ver opciones' }

export const offerOf = (words: string, choices: Choice[], language: Language): Offer => ({
  words: words.trim() || above[language],
  button: opens[language],
  choices,
})

/**
 * What numbered choices say when they are pressed: their words, as who types them says, so that what is pressed in an old
 * menu is no number of the present one. Their number where the words alone do not name them.
 * @param offered `label` is what is compared, `shown` what the contact reads
 */
export function choicesOf(offered: readonly { number: number; label: string; shown: string }[]): Choice[] {
  const words = offered.map(({ label }) => folded(label))
  const times = new Map<string, number>()
  for (const said of words) times.set(said, (times.get(said) ?? 0) + 1)
  return offered.map(({ number, label, shown }, at) => {
    const said = words[at]!
    const isNamed = label === shown && said !== '' && times.get(said) === 1
    return { label: shown.trim(), answer: isNamed && numberSaid(label) === null ? label : String(number) }
  })
}

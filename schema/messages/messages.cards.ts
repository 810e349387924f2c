import { clip } from '../texts.ts'
import type { ContactCard } from './messages.content.ts'

/** Somebody whose name and number are passed on to a contact. */
export interface Card {
  name: string
  /** Digits, with the country. */
  number: string
}

/** Lines of a card that say a name or a number. */
const LINE_LENGTH = 250

/** The card as phones write it. */
export function vcardOf({ name, number }: Card): string {
  const said = escapedLine(name)
  return [
    ...['BEGIN:VCARD', 'VERSION:3.0', `N:;${said};;;`, `FN:${said}`],
    ...[`TEL;type=CELL;waid=${number}:+${number}`, 'END:VCARD'],
  ].join('\n')
}

export const contactCardOf = (card: Card): ContactCard => ({ displayName: card.name, vcard: vcardOf(card) })

/** A text as a line of a card holds it. */
export const escapedLine = (text: string): string =>
  clip(text, LINE_LENGTH)
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll(/[\\;,]/g, (one) => `\\${one}`)

const plainLine = (text: string): string =>
  text.replaceAll(/\\([nN,;\\])/g, (_, one: string) => (one === 'n' || one === 'N' ? ' ' : one))

/**
 * Who stands in a stored message of cards, with the first number of each that is a WhatsApp account, or the first that
 * there is; the number may be empty. What was written by another program may be written in other ways.
 */
export function cardsOf(body: string): Card[] {
  const cards: Card[] = []
  let card: (Card & { isSure: boolean }) | null = null
  for (const line of body.split('\n')) {
    const colon = line.indexOf(':')
    if (colon < 0) continue
    const [property = '', ...parameters] = line.slice(0, colon).split(';')
    const value = line.slice(colon + 1, colon + 1 + LINE_LENGTH * 2).trim()
    const word = property.replace(/^item\d{1,3}\./i, '').toUpperCase()
    if (word === 'BEGIN') card = { name: '', number: '', isSure: false }
    else if (!card) continue
    else if (word === 'FN') card.name = plainLine(value)
    else if (word === 'TEL') {
      const waid = parameters.find((one) => /^waid=\d{5,20}$/i.test(one))?.slice('waid='.length)
      if (waid && !card.isSure) Object.assign(card, { number: waid, isSure: true })
      else if (card.number === '') card.number = value.replaceAll(/\D/g, '')
    } else if (word === 'END') {
      const { name, number } = card
      cards.push({ name: name || number, number })
      card = null
    }
  }
  return cards
}

/** What the stored forms of `schema/messages/messages.content.ts` say, read back for the screen. */

export interface Place {
  /** A `data:image/…` address, or null. */
  thumbnail: string | null
  /** Where a map shows it; only http(s). */
  mapUrl: string | null
  label: string
}

/** Reads `thumbnail|map link|label`; the label may itself hold bars, and older rows hold only the link. */
export function parsePlace(body: string): Place {
  const parts = body.split('|')
  const at = parts.findIndex((part) => /^https?:\/\//i.test(part.trim()))
  const thumbnail = parts
    .slice(0, Math.max(at, 0))
    .find((part) => /^data:image\/(?:jpeg|png|webp);base64,[A-Za-z0-9+/=]+$/.test(part.trim()))
  return {
    thumbnail: thumbnail?.trim() ?? null,
    mapUrl: at >= 0 ? parts[at]!.trim() : null,
    label: (at >= 0 ? parts.slice(at + 1) : parts.filter((part) => !part.startsWith('data:'))).join('|').trim(),
  }
}

export interface Card {
  name: string
  phones: {
    label: string /** As written. */
    text: string
    /** With a plus the WhatsApp account, or the phone as it is written. */
    dialled: string
  }[]
  emails: string[]
  organization: string
}

/** The cards of a contact message: one or several vCards, one after the other. A text that is none gives an empty list. */
export function parseCards(body: string): Card[] {
  const cards: Card[] = []
  const begin = /BEGIN:VCARD/gi
  const end = /END:VCARD/gi
  // Each is looked for from where the other was found, so that every letter is passed once.
  for (let from = begin.exec(body); from; from = begin.exec(body)) {
    end.lastIndex = begin.lastIndex
    const to = end.exec(body)
    if (!to) break
    cards.push(parseCard(body.slice(begin.lastIndex, to.index)))
    begin.lastIndex = end.lastIndex
  }
  return cards
}

function parseCard(text: string): Card {
  const card: Card = { name: '', phones: [], emails: [], organization: '' }
  for (const line of linesOf(text)) {
    const colon = line.indexOf(':')
    if (colon < 0) continue
    const [rawName = '', ...parameters] = line.slice(0, colon).split(';')
    const property = rawName.replace(/^item\d+\./i, '').toUpperCase()
    const value = unescape(decoded(line.slice(colon + 1), parameters)).trim()
    if (!value) continue
    if (property === 'FN') card.name = value
    else if (property === 'N' && !card.name)
      card.name = value.split(';').slice(0, 2).reverse().filter(Boolean).join(' ')
    else if (property === 'ORG') card.organization = value.replace(/;+$/, '').replaceAll(';', ', ')
    else if (property === 'EMAIL') card.emails.push(value)
    else if (property === 'TEL') {
      const waid = parameters.find((parameter) => /^waid=/i.test(parameter))?.slice(5)
      // `TEL;TYPE=CELL`, and in the 2.1 of older phones `TEL;CELL`.
      const type = parameters.find((parameter) => /^type=/i.test(parameter))?.slice(5)
      const label = type ?? parameters.find((parameter) => !parameter.includes('=')) ?? ''
      card.phones.push({
        label: label.toLowerCase(),
        text: value,
        dialled: waid ? `+${waid.replace(/\D/g, '')}` : value,
      })
    }
  }
  if (!card.name) card.name = card.organization || card.phones[0]?.text || ''
  return card
}

const isPrintable = (parameters: string[]) =>
  parameters.some((parameter) => /^(?:encoding=)?quoted-printable$/i.test(parameter))

/**
 * The lines of a card, each whole. One that begins with a blank continues the one before (RFC 6350 §3.2); in the 2.1 of older
 * phones one continues that ends with an equals sign, where its letters are written as numbers.
 */
function linesOf(text: string): string[] {
  const whole: string[] = []
  let open = false
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    if (open) whole[whole.length - 1] = whole.at(-1)!.slice(0, -1) + line
    else whole.push(line)
    const last = whole.at(-1)!
    open = line.endsWith('=') && isPrintable(last.slice(0, Math.max(0, last.indexOf(':'))).split(';'))
  }
  return whole
}

/** `S=C3=A9rgio` is Sérgio: quoted-printable, in the letters that the card names. */
function decoded(value: string, parameters: string[]): string {
  if (!isPrintable(parameters)) return value
  const bytes: number[] = []
  for (let at = 0; at < value.length; at++) {
    const hex = value[at] === '=' && /^[\da-f]{2}$/i.test(value.slice(at + 1, at + 3))
    if (hex) bytes.push(Number.parseInt(value.slice(at + 1, at + 3), 16))
    else bytes.push(...new TextEncoder().encode(value[at]))
    if (hex) at += 2
  }
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice(8)
  const isLatin = /^(?:iso-8859-1|windows-1252|latin1)$/i.test(charset ?? '')
  return new TextDecoder(isLatin ? 'windows-1252' : 'utf-8').decode(Uint8Array.from(bytes))
}

const unescape = (value: string) =>
  value.replace(/\\([nN,;\\])/g, (_, char: string) => (char.toLowerCase() === 'n' ? '\n' : char))

/** Seconds as `m:ss`, or `h:mm:ss`. */
export function clock(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0
  const two = (n: number) => String(n).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  return hours > 0
    ? `${hours}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
    : `${Math.floor(whole / 60)}:${two(whole % 60)}`
}

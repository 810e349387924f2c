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
  // A line that begins with a blank continues the one before (RFC 6350 §3.2).
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon < 0) continue
    const [rawName = '', ...parameters] = line.slice(0, colon).split(';')
    const property = rawName.replace(/^item\d+\./i, '').toUpperCase()
    const value = unescape(line.slice(colon + 1)).trim()
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

const unescape = (value: string) =>
  value.replace(/\\([nN,;\\])/g, (_, char: string) => (char.toLowerCase() === 'n' ? '\n' : char))

/** Bytes as people read them: `0 B`, `12 kB`, `1,4 MB`, with the given language's decimal mark. */
export function fileSize(bytes: number, locale: string): string {
  const units = ['B', 'kB', 'MB', 'GB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: unit >= 2 && value < 10 ? 1 : 0 }).format(value)} ${units[unit]}`
}

/** Seconds as `m:ss`, or `h:mm:ss`. */
export function clock(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0
  const two = (n: number) => String(n).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  return hours > 0
    ? `${hours}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
    : `${Math.floor(whole / 60)}:${two(whole % 60)}`
}

/** A Brazilian number as it is written there, any other with a plus; what is no number (a group's id) as it is. */
export function phoneText(number: string | null): string {
  if (!number) return ''
  const brazilian = /^55(\d{2})(\d{4,5})(\d{4})$/.exec(number)
  if (brazilian) return `+55 ${brazilian[1]} ${brazilian[2]}-${brazilian[3]}`
  // Kept as somebody typed it, without its country: no number of North America has a 9 there.
  const domestic = /^(1[1-9])(9\d{4})(\d{4})$/.exec(number)
  if (domestic) return `${domestic[1]} ${domestic[2]}-${domestic[3]}`
  return /^\d{8,15}$/.test(number) ? `+${number}` : number
}

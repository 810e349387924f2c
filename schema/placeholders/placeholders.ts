import type { Language } from '../languages.ts'
import { type Budget, LOOKUP_LETTERS } from '../budget.ts'
import { fieldBounds } from '../custom-fields/custom-fields.values.ts'
import { TEXT_LENGTH } from '../messages/messages.text.ts'
import { NAME_LENGTH } from '../texts.ts'
import { wallOf } from '../wall.ts'

/**
 * What stands in double braces in texts to contacts: greetings, farewells, schedules, and
 * what agents insert while they write. Pure, so that a browser fills them as the server does.
 */

export interface PlaceholderFacts {
  now: Date
  /** IANA name of the company's zone. */
  timeZone: string
  language: Language
  contact?: { name: string; number?: string | null; email?: string } | null | undefined
  ticket?: { id: number } | null | undefined
  /** The agent. */
  user?: { name: string } | null | undefined
  queue?: { name: string } | null | undefined
  connection?: { name: string } | null | undefined
  company?: { name: string } | null | undefined
  /** What a field of the company's own says of the ticket or its contact, by its key; missing where there are none. */
  fields?: ((key: string) => string) | undefined
}

/** Before the key of a field: `{{field.numero_do_pedido}}`. */
export const FIELD_PREFIX = 'field.'
const fieldKeyIn = (key: string) => (key.startsWith(FIELD_PREFIX) ? key.slice(FIELD_PREFIX.length) : null)

const greetings: Record<Language, readonly [night: string, morning: string, afternoon: string, evening: string]> = {
  pt: ['Boa madrugada', 'Bom dia', 'Boa tarde', 'Boa noite'],
  en: ['Good evening', 'Good morning', 'Good afternoon', 'Good evening'],
  es: ['Buenas noches', 'Buenos días', 'Buenas tardes', 'Buenas noches'],
}

type Clock = Pick<PlaceholderFacts, 'now' | 'timeZone'>

/** 0–5 h, 6–11 h, 12–17 h, 18–23 h, on the company's wall. */
export function periodGreeting({ language, ...clock }: Clock & Pick<PlaceholderFacts, 'language'>): string {
  return greetings[language][Math.floor(Number(wallOf(clock.now, clock.timeZone).hour) / 6) as 0 | 1 | 2 | 3]
}

/**
 * The name by which somebody is addressed. Contacts are called by their number until a name is known, and nobody is
 * addressed by one, also where a role hides a part of it.
 */
export const spokenName = (name: string): string => (/^[+\d\s().•-]+$/.test(name) && /[\d•]/.test(name) ? '' : name)

export const firstNameOf = (name: string): string => spokenName(name).trim().split(/\s+/)[0] ?? ''

const date = (facts: PlaceholderFacts) => {
  const { year, month, day } = wallOf(facts.now, facts.timeZone)
  return `${day}/${month}/${year}`
}
const hora = (facts: PlaceholderFacts) => {
  const { hour, minute, second } = wallOf(facts.now, facts.timeZone)
  return `${Number(hour)}:${minute}:${second}`
}
/** The day and the ticket; where there is no ticket, the day and the time. */
const protocol = (facts: PlaceholderFacts) => {
  const { year, month, day, hour, minute, second } = wallOf(facts.now, facts.timeZone)
  return facts.ticket ? `${year}${month}${day}-${facts.ticket.id}` : `${year}${month}${day}${hour}${minute}${second}`
}
const name = (facts: PlaceholderFacts) => spokenName(facts.contact?.name ?? '')
const ticketId = (facts: PlaceholderFacts) => (facts.ticket ? String(facts.ticket.id) : '')
const user = (facts: PlaceholderFacts) => facts.user?.name ?? ''
const company = (facts: PlaceholderFacts) => facts.company?.name ?? ''

/** Every name and what it becomes. The doubled ones are the spellings of the family's forks. */
const placeholders = {
  firstName: (facts) => firstNameOf(name(facts)),
  name,
  ms: periodGreeting,
  gretting: periodGreeting,
  greeting: periodGreeting,
  protocol,
  hora,
  hour: hora,
  date,
  data: date,
  data_hora: (facts) => `${date(facts)} ${hora(facts)}`,
  number: (facts) => facts.contact?.number ?? '',
  email: (facts) => facts.contact?.email ?? '',
  ticket: ticketId,
  ticket_id: ticketId,
  user,
  userName: user,
  queue: (facts) => facts.queue?.name ?? '',
  connection: (facts) => facts.connection?.name ?? '',
  company,
  name_company: company,
} satisfies Record<string, (facts: PlaceholderFacts) => string>

export type Placeholder = keyof typeof placeholders
export const placeholderNames = Object.keys(placeholders) as Placeholder[]

const byName = new Map<string, (facts: PlaceholderFacts) => string>(
  Object.entries(placeholders).map(([key, value]) => [key.toLowerCase(), value]),
)

/** What a name becomes, or undefined where nobody knows it. Capitals make no difference. */
export function placeholderValue(key: string, facts: PlaceholderFacts): string | undefined {
  const name = key.toLowerCase()
  const fieldKey = fieldKeyIn(name)
  return fieldKey === null ? byName.get(name)?.(facts) : (facts.fields?.(fieldKey) ?? '')
}

const braces = /\{\{([^{}]*)\}\}/g

/** The words of a text and the keys of its variables, as they follow each other. */
export function placeholderParts(text: string): (string | { key: string })[] {
  const parts: (string | { key: string })[] = []
  let from = 0
  for (const { 0: whole, 1: key = '', index } of text.matchAll(braces)) {
    if (index > from) parts.push(text.slice(from, index))
    parts.push({ key: key.trim() })
    from = index + whole.length
  }
  return from < text.length ? [...parts, text.slice(from)] : parts
}

/**
 * The text with each `{{key}}` replaced by what `valueOf` makes of the key, once: values are not read again. Who asks for
 * it brings what it may cost: a page of placeholders, each of a page, is a book.
 * @throws OverBudget
 */
export function replacePlaceholders(text: string, valueOf: (key: string) => string, budget: Budget): string {
  budget.spend(text.length)
  if (!text.includes('{{')) return text
  const known = new Map<string, string>()
  return text.replaceAll(braces, (_whole, name: string) => {
    const key = name.trim()
    let value = known.get(key)
    if (value === undefined) {
      budget.spend(LOOKUP_LETTERS)
      value = valueOf(key)
      known.set(key, value)
    }
    budget.spend(value.length + 2)
    return value
  })
}

/**
 * The text with every `{{name}}` filled in, once: what a contact calls themselves is never read as a placeholder.
 * Unknown ones, and those about nothing here, are empty. Nothing is escaped: it is text.
 * @returns null where no message would hold it: whoever fills it in says so, and nobody is sent a part of it
 */
export function fillPlaceholders(text: string, facts: PlaceholderFacts): string | null {
  if (text.length > TEXT_LENGTH && !text.includes('{{')) return null
  const known = new Map<string, string>()
  let built = ''
  for (const part of placeholderParts(text)) {
    if (typeof part === 'string') built += part
    else {
      const key = part.key.toLowerCase()
      const value = known.get(key) ?? placeholderValue(key, facts) ?? ''
      known.set(key, value)
      built += value
    }
    if (built.length > TEXT_LENGTH) return null
  }
  return built
}

/** An e-mail is the longest of all that may be filled in, as long as the contact's may be. */
const LONGEST_VALUE: Partial<Record<string, number>> = { email: 254 }

/** Whether no message would hold the text, were each value as long as it may be. */
export function mayGrowTooLong(text: string): boolean {
  let length = 0
  for (const part of placeholderParts(text)) {
    if (typeof part === 'string') length += part.length
    else if (fieldKeyIn(part.key.toLowerCase()) !== null) length += fieldBounds.text
    else if (byName.has(part.key.toLowerCase())) length += LONGEST_VALUE[part.key.toLowerCase()] ?? NAME_LENGTH
  }
  return length > TEXT_LENGTH
}

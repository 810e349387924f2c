/**
 * What stands in double braces in texts to contacts (`server-behaviour.md` §14): greetings, farewells, schedules, and
 * what agents insert while they write. Pure, so that a browser fills them as the server does.
 */

export type Language = 'pt' | 'en' | 'es'

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
}

const greetings: Record<Language, readonly [night: string, morning: string, afternoon: string, evening: string]> = {
  pt: ['Boa madrugada', 'Bom dia', 'Boa tarde', 'Boa noite'],
  en: ['Good evening', 'Good morning', 'Good afternoon', 'Good evening'],
  es: ['Buenas noches', 'Buenos días', 'Buenas tardes', 'Buenas noches'],
}

type Clock = Pick<PlaceholderFacts, 'now' | 'timeZone'>

/** The parts of a moment on the wall of the company, two digits each (the year: four). */
function wall({ now, timeZone }: Clock): Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', string> {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now)
  return Object.fromEntries(parts.map(({ type, value }) => [type, value])) as ReturnType<typeof wall>
}

/** 0–5 h, 6–11 h, 12–17 h, 18–23 h, on the company's wall. */
export function periodGreeting({ language, ...clock }: Clock & Pick<PlaceholderFacts, 'language'>): string {
  return greetings[language][Math.floor(Number(wall(clock).hour) / 6) as 0 | 1 | 2 | 3]
}

export const firstNameOf = (name: string): string => name.trim().split(/\s+/)[0] ?? ''

const date = (facts: PlaceholderFacts) => {
  const { year, month, day } = wall(facts)
  return facts.language === 'en' ? `${month}/${day}/${year}` : `${day}/${month}/${year}`
}
const hora = (facts: PlaceholderFacts) => {
  const { hour, minute, second } = wall(facts)
  return `${Number(hour)}:${minute}:${second}`
}
/** The day and the ticket; where there is no ticket, the day and the time. */
const protocol = (facts: PlaceholderFacts) => {
  const { year, month, day, hour, minute, second } = wall(facts)
  return facts.ticket ? `${year}${month}${day}-${facts.ticket.id}` : `${year}${month}${day}${hour}${minute}${second}`
}
const name = (facts: PlaceholderFacts) => facts.contact?.name ?? ''
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

/**
 * The text with every `{{name}}` filled in, once: what a contact calls themselves is never read as a placeholder.
 * Unknown ones, and those about nothing here, are empty. Nothing is escaped: it is text.
 */
export function fillPlaceholders(text: string, facts: PlaceholderFacts): string {
  return text.replaceAll(
    /\{\{\s*([^{}]*?)\s*\}\}/g,
    (_whole, key: string) => byName.get(key.toLowerCase())?.(facts) ?? '',
  )
}

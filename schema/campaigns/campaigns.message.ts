import { TEXT_LENGTH } from '../messages/messages.text.ts'
import { firstNameOf, spokenName } from '../placeholders/placeholders.ts'
import { clip, NAME_LENGTH } from '../texts.ts'

/** What a person gets of a campaign: which of its messages, and with which words. Preview and sending are this one function. */

export interface Person {
  name: string
  number: string
  email: string
}
export interface Variable {
  key: string
  value: string
}

type Texts = {
  [K in `message${1 | 2 | 3 | 4 | 5}` | `confirmationMessage${1 | 2 | 3 | 4 | 5}`]?: string | null | undefined
}

/** The five messages in their order; null for one that is not written. */
export const messagesOf = (campaign: Texts): (string | null)[] => five(campaign, 'message')
/** The questions that ask first, one for each message; null for one that is not written. */
export const confirmationsOf = (campaign: Texts): (string | null)[] => five(campaign, 'confirmationMessage')

const five = (campaign: Texts, name: 'message' | 'confirmationMessage') =>
  ([1, 2, 3, 4, 5] as const).map((n) => campaign[`${name}${n}`]?.trim() || null)

/** A number from 0 up to 1 that follows from both, and from nothing else. */
export function chance(seed: number, of: string): number {
  let hash = 2_166_136_261 ^ seed
  for (let i = 0; i < of.length; i++) hash = Math.imul(hash ^ of.charCodeAt(i), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507)
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909)
  return ((hash ^ (hash >>> 16)) >>> 0) / 4_294_967_296
}

/**
 * Which of the texts somebody gets, from 0; -1 where there are none.
 * @param key who it is, see `numberKey`
 */
export function variantFor(
  texts: readonly (string | null)[],
  weights: readonly number[],
  seed: number,
  key: string,
): number {
  const open = texts.flatMap((text, index) =>
    text === null ? [] : [{ index, weight: Math.max(0, weights[index] ?? 1) }],
  )
  if (open.length === 0) return -1
  const sum = open.reduce((all, { weight }) => all + weight, 0)
  if (sum === 0) return open[Math.floor(chance(seed, key) * open.length)]!.index
  let at = chance(seed, key) * sum
  for (const { index, weight } of open) if ((at -= weight) < 0) return index
  return open.at(-1)!.index
}

/** A message may have no text, where a file goes without one. */
export function draw(
  campaign: Texts & { weights: readonly number[]; seed: number },
  key: string,
): { messageIndex: number; text: string; confirmation: string | null } {
  const texts = messagesOf(campaign)
  const index = variantFor(texts, campaign.weights, campaign.seed, key)
  const asked = confirmationsOf(campaign)
  // The question that stands beside the message; else one of those there are.
  const confirmation = asked[index] ?? asked[variantFor(asked, campaign.weights, campaign.seed, key)] ?? null
  return { messageIndex: Math.max(0, index), text: texts[index] ?? '', confirmation }
}

/** `{nome}`: single braces, as campaigns of this family have them; or double ones, as all other texts have them. */
const placeholder = /\{\{ {0,5}([^{}\s]{1,50}) {0,5}\}\}|\{([^{}\s]{1,50})\}/g

const spoken = ({ name }: Person) => spokenName(name)
const ofPerson = new Map<string, (person: Person) => string>([
  ['nome', spoken],
  ['numero', ({ number }) => number],
  ['email', ({ email }) => email],
])
/** As other texts spell them; a variable of the company that is called so wins. */
const alsoOfPerson = new Map<string, (person: Person) => string>([
  ['name', spoken],
  ['firstname', (person) => firstNameOf(person.name)],
  ['number', ({ number }) => number],
])

/** What a name in braces is for a person: theirs, or the company's. */
function valuesOf(variables: readonly Variable[]): (name: string) => ((person: Person) => string) | string {
  const known = new Map<string, string>(variables.map(({ key, value }) => [key.toLowerCase(), value]))
  return (name) => {
    const key = name.toLowerCase()
    return ofPerson.get(key) ?? known.get(key) ?? alsoOfPerson.get(key) ?? ''
  }
}

/** Whether a name in braces is how somebody is called. */
export const isSpokenName = (name: string): boolean => ['nome', 'name', 'firstname'].includes(name.toLowerCase())

/**
 * The text with its placeholders filled in. What nobody knows becomes empty, and what no message would hold is not built.
 * @returns `missing`: the names that had nothing to say
 */
export function fill(
  text: string,
  person: Person,
  variables: readonly Variable[],
): { body: string; missing: string[] } {
  const valueOf = valuesOf(variables)
  const missing = new Set<string>()
  let left = TEXT_LENGTH
  const body = text.replace(placeholder, (_, double: string | undefined, single: string) => {
    const name = double ?? single
    const found = valueOf(name)
    const value = typeof found === 'string' ? found : found(person)
    if (!value.trim()) missing.add(name)
    left -= value.length
    return left < 0 ? '' : value
  })
  return { body: clip(body, TEXT_LENGTH), missing: [...missing] }
}

/**
 * Whether a text would hold more than a message does, with values of a person as long as they may be: then its
 * end would be lost.
 */
export function isTooLong(text: string, variables: readonly Variable[]): boolean {
  const valueOf = valuesOf(variables)
  let length = text.length
  for (const [whole, double, single = ''] of text.matchAll(placeholder)) {
    const found = valueOf(double ?? single)
    length += (typeof found === 'string' ? found.length : NAME_LENGTH) - whole.length
  }
  return length > TEXT_LENGTH
}

/**
 * What `fill` of this text would miss, read once for everybody: for a person it is found without filling anything in.
 */
export function missingIn(text: string, variables: readonly Variable[]): (person: Person) => string[] {
  const valueOf = valuesOf(variables)
  const always = new Set<string>()
  const own = new Map<string, (person: Person) => string>()
  for (const [, double, single = ''] of text.matchAll(placeholder)) {
    const name = double ?? single
    const found = valueOf(name)
    if (typeof found !== 'string') own.set(name, found)
    else if (!found.trim()) always.add(name)
  }
  return (person) => [...always, ...[...own].flatMap(([name, of]) => (of(person).trim() ? [] : [name]))]
}

/** Whether a text of a campaign, or a question where it asks one first, would lose its end. */
export const hasLongText = (campaign: Texts & { confirmation: boolean }, variables: readonly Variable[]): boolean =>
  [...messagesOf(campaign), ...(campaign.confirmation ? confirmationsOf(campaign) : [])].some(
    (text) => text !== null && isTooLong(text, variables),
  )

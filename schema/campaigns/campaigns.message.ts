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

/** `{nome}`: single braces, as campaigns of this family have them. */
const placeholder = /\{([^{}\s]{1,50})\}/g

/**
 * The text with its placeholders filled in. What nobody knows becomes empty.
 * @returns `missing`: the names that had nothing to say
 */
export function fill(
  text: string,
  { name, number, email }: Person,
  variables: readonly Variable[],
): { body: string; missing: string[] } {
  const known = new Map<string, string>(variables.map(({ key, value }) => [key.toLowerCase(), value]))
  for (const [key, value] of [
    ['nome', name],
    ['numero', number],
    ['email', email],
  ] as const)
    known.set(key, value)
  const missing = new Set<string>()
  const body = text.replace(placeholder, (_, key: string) => {
    const value = known.get(key.toLowerCase()) ?? ''
    if (!value.trim()) missing.add(key)
    return value
  })
  return { body, missing: [...missing] }
}

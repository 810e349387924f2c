/**
 * What came and has not been taken in yet is kept sealed, in the words of the wire: people stand in it by their numbers and
 * ids. This takes one of them out of it, and leaves everybody else.
 */

/** A number or an id as wires write one, a device and a server behind it: `5511987651835:3@s.whatsapp.net`. */
const address = /^\+?([0-9A-Za-z._-]{1,64})(?::[0-9]{1,4})?(?:@[a-z.]{1,20})?$/

export interface Whose {
  /** Digits of numbers and LIDs, ids of the official API. */
  names: ReadonlySet<string>
  /** Numbers of ours, by the official API's ids: what was told to others is not looked into. Undefined: all is ours. */
  phoneNumberIds?: ReadonlySet<string>
}

/** What somebody wrote, which may name others: it is theirs, as it is in messages. */
const words: ReadonlySet<string> = new Set(['content', 'body', 'text', 'caption', 'context', 'mentions'])

const gone = Symbol('gone')

/**
 * @returns the same without what is theirs: each entry of a list that names them goes, whatever else stands in it; undefined
 *   where nothing else is left, and the value itself where they are not in it
 */
export function withoutPerson(value: unknown, whose: Whose): unknown {
  const left = without(value, whose)
  return left === gone || !saysAnything(left) ? (left === value ? value : undefined) : left
}

function without(value: unknown, whose: Whose): unknown {
  if (typeof value === 'string' || typeof value === 'number') {
    const name = address.exec(String(value))?.[1]
    return name !== undefined && whose.names.has(name) ? gone : value
  }
  if (Array.isArray(value)) {
    const kept = (value as unknown[]).map((one) => without(one, whose))
    if (kept.every((one, i) => one === (value as unknown[])[i])) return value
    return kept.filter((one) => one !== gone && saysAnything(one))
  }
  if (value === null || typeof value !== 'object' || isOthers(value, whose)) return value
  const entries = Object.entries(value)
  if (entries.some(([key]) => whose.names.has(key))) return gone
  const kept = entries.map(([key, one]): [string, unknown] => [key, words.has(key) ? one : without(one, whose)])
  if (kept.some(([, one]) => one === gone)) return gone
  return kept.every(([, one], i) => one === entries[i]![1]) ? value : Object.fromEntries(kept)
}

/** What is told of a number that is not the company's. */
function isOthers(value: object, { phoneNumberIds }: Whose): boolean {
  const id = (value as { metadata?: { phone_number_id?: unknown } }).metadata?.phone_number_id
  return phoneNumberIds !== undefined && typeof id === 'string' && !phoneNumberIds.has(id)
}

/** Of what told of people, the number alone that they were told to is left. */
const lists = ['messages', 'contacts', 'statuses', 'people', 'entry', 'changes', 'message_echoes', 'history'] as const
function saysAnything(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return true
  const found = lists.flatMap((name) => {
    const list = (value as Record<string, unknown>)[name]
    return Array.isArray(list) ? [list as unknown[]] : []
  })
  if (found.length > 0) return found.some((list) => list.length > 0)
  const inner = (value as { value?: unknown }).value
  return inner === undefined || saysAnything(inner)
}

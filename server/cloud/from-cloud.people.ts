/** Of whom a webhook of the official API tells. Pure. What a person hides is left out there, and is missing here. */
import type { Bsuid, Named, Renaming } from '../../schema/contacts/contacts.aliases.ts'
import type { ChatAddress } from '../../schema/messages/messages.content.ts'
import { nameOf } from '../../schema/texts.ts'
import { isRecord } from '../outside/outside.call.ts'
import { digitsOf, textOf } from './from-cloud.content.ts'

type Given = Record<string, unknown>

export type PersonChat = Extract<ChatAddress, { kind: 'person' }>

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

/** An id of the service: the country, and letters and digits; that of a group of portfolios says so. */
const personId = (id: unknown): string | null =>
  typeof id === 'string' && /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/.test(id) ? id : null

export function bsuidOf(portfolio: string, id: unknown, parent: unknown): Bsuid | null {
  const known = personId(id)
  return known === null ? null : { portfolio, id: known, parent: personId(parent) }
}

/** What stands beside the messages about who wrote one. */
function besides(value: Given, given: Given): Given {
  const known = listOf(value['contacts']).filter(isRecord)
  const is = (name: string, other: string) => (contact: Given) =>
    given[other] !== undefined && contact[name] === given[other]
  const own =
    known.find(is('user_id', 'from_user_id')) ??
    known.find(is('wa_id', 'from')) ??
    (known.length === 1 ? known[0] : undefined)
  return own ?? {}
}

/**
 * Who wrote a message, or got one that was written on the phone.
 * @returns null where nothing names them
 */
export function personOf(given: Given, value: Given, portfolio: string, fromMe: boolean): PersonChat | null {
  const number = digitsOf(fromMe ? given['to'] : given['from']) ?? null
  const own = fromMe ? {} : besides(value, given)
  const bsuid = fromMe
    ? bsuidOf(portfolio, given['to_user_id'], given['to_parent_user_id'])
    : bsuidOf(portfolio, given['from_user_id'] ?? own['user_id'], given['from_parent_user_id'] ?? own['parent_user_id'])
  return number === null && bsuid === null ? null : { kind: 'person', number, lid: null, ...(bsuid && { bsuid }) }
}

/** What the writer of a message calls themselves. */
export function profileOf(value: Given, given: Given): { name: string | null; username: string | null } {
  const { profile } = besides(value, given)
  const own = isRecord(profile) ? profile : {}
  return {
    name: nameOf(textOf(own['name'])) || null,
    username: nameOf(textOf(own['username'])).replace(/^@+/, '') || null,
  }
}

/** A notice that somebody has another number, or another id; null for any other notice. */
export function renamingOf(given: Given, portfolio: string): Renaming | null {
  const part = isRecord(given['system']) ? given['system'] : {}
  const { type } = part
  if (type !== 'user_changed_number' && type !== 'user_changed_user_id') return null
  const after: Named = {
    number: digitsOf(part['wa_id']) ?? null,
    lid: null,
    bsuid: bsuidOf(portfolio, part['user_id'], part['parent_user_id']),
  }
  const isNumber = type === 'user_changed_number'
  const before: Named = {
    number: (isNumber && digitsOf(given['from'])) || null,
    lid: null,
    bsuid: bsuidOf(portfolio, part['previous_user_id'], part['previous_parent_user_id']),
  }
  const isNamed = (who: Named) => who.number !== null || who.bsuid
  return isNamed(before) && isNamed(after) ? { before, after } : null
}

/** The number that somebody gave when they were asked for it; a card that they passed on by hand may be anybody's. */
export function givenNumber(given: Given): string | null {
  if (given['type'] !== 'contacts') return null
  const [card] = listOf(given['contacts'])
  if (!isRecord(card) || card['origin'] !== 'contact_request') return null
  const [phone] = listOf(card['phones'])
  return isRecord(phone) ? (digitsOf(phone['wa_id']) ?? digitsOf(digitsIn(phone['phone'])) ?? null) : null
}

const digitsIn = (text: unknown) => textOf(text).slice(0, 40).replace(/\D/g, '')

/** A number and an id of one person, of whom both are told; null where one is hidden. */
export function pairOf(given: Given, portfolio: string): { number: string; bsuid: Bsuid } | null {
  const number = digitsOf(given['recipient_id'])
  const bsuid = bsuidOf(portfolio, given['recipient_user_id'], given['recipient_parent_user_id'])
  return number && bsuid ? { number, bsuid } : null
}

import { saysSql, wordPattern } from '../replica/says.ts'
import type { Rows } from '../replica/rows.ts'
import { boardOf, type ListNarrowing, listOf, narrowedTo } from '../../schema/tickets/tickets.list.ts'
import { listedTickets, type TicketRow } from './tickets.rows.ts'

export interface TicketSearch {
  /** Lower case, trimmed; may be empty when there are tags or users. */
  text: string
  tagIds: readonly number[]
  userIds: readonly number[]
}

export const isSearching = (search: TicketSearch) =>
  search.text !== '' || search.tagIds.length > 0 || search.userIds.length > 0

/** Tickets of which their contact's name or number, their own number or their last message say it, and those of `also`. */
function saying(said: string, also: readonly number[], put: (value: unknown) => string): string {
  const text = put(wordPattern(said))
  const digits = said.replace(/\D/g, '')
  const either = [saysSql('c.name', text), saysSql('t."lastMessage"', text)]
  if (digits.length >= 3) either.push(`c.number LIKE ${put(`%${digits}%`)}`)
  if (/^#?\d{1,9}$/.test(said)) either.push(`t.id = ${put(Number(digits))}`)
  if (also.length > 0) either.push(`t.id IN (${also.map(put).join(', ')})`)
  return `(${either.join(' OR ')})`
}

/**
 * Tickets of the replica by the contact's name or number, the ticket's number or last message; all of the tags, any of
 * the users. `also` are tickets found by what their messages say.
 */
export function ticketSearch(search: TicketSearch, also: readonly number[], limit: number): Rows<TicketRow> {
  const { text, tagIds, userIds } = search
  if (!isSearching(search)) return listedTickets(listOf([{ is: 'either', ways: [] }], limit))
  const list = listOf(narrowedTo({ queueIds: [], tagIds, userIds }), limit)
  return listedTickets(list, text === '' ? undefined : (put) => saying(text, also, put))
}

/** No board shows more; what changed last is there. */
export const mostCards = 5_000

/**
 * What waits and what is open, of all that the person may see, for the board.
 * @param text lower case, trimmed; '' for all of it
 * @param also tickets found by what their messages say
 */
export function boardTickets(filter: ListNarrowing, text: string, also: readonly number[]): Rows<TicketRow> {
  const list = listOf(boardOf(filter), mostCards)
  return text === ''
    ? listedTickets(list, undefined, `board ${JSON.stringify(filter)}`)
    : listedTickets(list, (put) => saying(text, also, put))
}

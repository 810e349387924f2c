import type { FieldPatch } from '../../schema/custom-fields/custom-fields.table.ts'
import type { ErrorCode } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { BulkAction, BulkType } from '../../schema/tickets/tickets.bulk.ts'
import { untilAnswered } from '../../schema/tickets/tickets.snooze.ts'
import { transition, type TicketMove } from '../../schema/tickets/tickets.transition.ts'
import { askedOnClose } from './tickets.closing.ts'
import type { TicketRow } from './tickets.rows.ts'

/** Why something cannot be done with a ticket: a refusal of the rules, or that nothing would come of it. */
export type Hindrance = ErrorCode | 'UNCHANGED'

/** What an action on several tickets will do: with which, and why not with the others. */
export interface BulkPlan {
  able: readonly TicketRow[]
  /** How many for which reason, the most frequent first. */
  unable: readonly { why: Hindrance; count: number }[]
}

/** What is filled in of contacts, by their ids; who is not there is not known here. */
export type ContactFields = ReadonlyMap<number, FieldPatch>

/** Whether something is empty that is asked for before it is closed. */
const missesFields = (ticket: TicketRow, contacts: ContactFields): boolean =>
  askedOnClose.get().some(({ id, entity }) => {
    if (entity === 'ticket') return (ticket.fields[id] ?? null) === null
    // Of who is not known here the server says.
    const filled = contacts.get(ticket.contactId)
    return !ticket.isGroup && filled !== undefined && (filled[id] ?? null) === null
  })

/** What the rules say of one ticket; null where it can be done. */
function hindranceOf(ticket: TicketRow, type: BulkType, who: Principal, contacts: ContactFields): Hindrance | null {
  if (type === 'tag') return null
  if (type === 'read')
    return ticket.userId !== who.userId ? 'ERR_FORBIDDEN' : ticket.unreadMessages > 0 ? null : 'UNCHANGED'
  // A queue, and a moment, are chosen later; here only the right to it is asked for.
  const move: TicketMove =
    type === 'transfer'
      ? { type, who, queueId: 1, userId: null }
      : type === 'snooze'
        ? { type, who, until: untilAnswered, keep: false, note: null }
        : { type, who }
  const outcome = transition({ ...ticket, companyId: who.companyId }, move, { now: new Date(0), cause: '' })
  if ('refused' in outcome) return outcome.refused
  if (outcome.event === null) return 'UNCHANGED'
  // What the company wants to know before is asked for one ticket at a time.
  return type === 'resolve' && missesFields(ticket, contacts) ? 'ERR_FIELDS_REQUIRED' : null
}

/** Asked of the very table that decides when it is done. */
export function planOf(
  tickets: readonly TicketRow[],
  type: BulkType,
  who: Principal,
  contacts: ContactFields = new Map(),
): BulkPlan {
  const able: TicketRow[] = []
  const counts = new Map<Hindrance, number>()
  for (const ticket of tickets) {
    const why = hindranceOf(ticket, type, who, contacts)
    if (why === null) able.push(ticket)
    else counts.set(why, (counts.get(why) ?? 0) + 1)
  }
  const unable = [...counts].map(([why, count]) => ({ why, count })).sort((a, b) => b.count - a.count)
  return { able, unable }
}

type TagAction = Extract<BulkAction, { type: 'tag' }>

/**
 * What puts the tags back as they are now, after `action`: tickets that lack or have the same of them go together, so
 * that it takes few commands.
 */
export function tagsBack(
  tickets: readonly Pick<TicketRow, 'id' | 'tagIds'>[],
  { add, remove }: TagAction,
): { ids: number[]; action: TagAction }[] {
  const groups = new Map<string, { ids: number[]; action: TagAction }>()
  for (const { id, tagIds } of tickets) {
    const back: TagAction = {
      type: 'tag',
      add: remove.filter((tagId) => tagIds.includes(tagId) && !add.includes(tagId)),
      remove: add.filter((tagId) => !tagIds.includes(tagId)),
    }
    if (back.add.length + back.remove.length === 0) continue
    const key = JSON.stringify(back)
    const group = groups.get(key)
    if (group) group.ids.push(id)
    else groups.set(key, { ids: [id], action: back })
  }
  return [...groups.values()]
}

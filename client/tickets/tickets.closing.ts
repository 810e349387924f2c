import type { FieldPatch } from '../../schema/custom-fields/custom-fields.table.ts'
import { createStore } from '../base/store.ts'
import { session } from '../session/session-store.ts'
import type { TicketRow } from './tickets.rows.ts'

/** What is filled in together with closing a ticket. */
export interface Filled {
  fields?: FieldPatch
  contactFields?: FieldPatch
}

/** The ticket that somebody wants to close and whose fields are asked for first. */
export const closing = createStore<TicketRow | null>(null)

interface Asked {
  id: number
  entity: 'contact' | 'ticket'
}
/** The fields that a person fills in before a ticket is closed; kept by `tickets.closing.background.tsx`. Mostly none. */
export const askedOnClose = createStore<readonly Asked[]>([])
session.onEnd(() => {
  closing.set(null)
  askedOnClose.set([])
})

/** Whether something may have to be filled in first. What of the contact is missing is known to who asks it. */
export const mayMissFields = (ticket: Pick<TicketRow, 'fields' | 'isGroup'>): boolean =>
  askedOnClose
    .get()
    .some(({ id, entity }) => (entity === 'ticket' ? (ticket.fields[id] ?? null) === null : !ticket.isGroup))

import { and, eq, inArray } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import type { Change } from '../commands/apply.ts'
import type { Db } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import { releaseFiles } from '../media/media.usage.ts'
import { mediaOfTickets } from '../tickets/tickets.queries.ts'
import { forgetMerges, mergeContacts } from './contacts.merge.ts'

/** What people and programs do with contacts alike. Who may is asked before. */
export function contactCalls({ db, events }: { db: Db; events: Events }) {
  const tellChanges = (changes: readonly Change[]) => {
    for (const { companyId, table, action, id } of changes) {
      if (table === 'contacts')
        events.emit({
          companyId,
          name: 'contact',
          action,
          id,
          ...(action === 'delete' && { payload: { contactId: id } }),
        })
      else if (table === 'tickets' && action !== 'delete') events.emit({ companyId, name: 'ticket', action, id })
    }
  }

  return {
    tellChanges,

    /**
     * Makes two contacts one: tickets, messages and notes go to the kept one.
     * @param userId who wants it; null for a program
     * @returns the id of the merge, by which it is undone
     * @throws DomainError `ERR_NO_CONTACT_FOUND`, `ERR_VALIDATION` for a group or one and the same
     */
    async merge(companyId: number, keptId: number, goneId: number, userId: number | null): Promise<number> {
      const merge = await db.transaction(async (tx) => {
        const found = await tx
          .select()
          .from(contacts)
          .where(and(eq(contacts.companyId, companyId), inArray(contacts.id, [keptId, goneId])))
          .orderBy(contacts.id)
          .for('update')
        const kept = found.find(({ id }) => id === keptId)
        const gone = found.find(({ id }) => id === goneId)
        if (!kept || !gone) throw new DomainError('ERR_NO_CONTACT_FOUND')
        if (keptId === goneId || kept.isGroup || gone.isGroup)
          throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/goneId', message: 'another person' }] })
        return mergeContacts(tx, kept, gone, userId)
      })
      tellChanges(merge.changes)
      for (const ticket of merge.goneTickets)
        events.emit({
          ...{ companyId, name: 'ticket', action: 'delete', payload: { ticketId: ticket.id }, audience: { ticket } },
        })
      return merge.id
    },

    /**
     * Deletes a contact with its tickets, messages and files.
     * @throws DomainError `ERR_NO_CONTACT_FOUND`
     */
    async remove(companyId: number, id: number): Promise<void> {
      await db.transaction(async (tx) => {
        const paths = await mediaOfTickets(tx, companyId, { contactId: id })
        const mine = and(eq(schedules.companyId, companyId), eq(schedules.contactId, id))
        for (const { path } of await tx.delete(schedules).where(mine).returning({ path: schedules.mediaPath }))
          if (path) paths.push(path)
        const [row] = await tx
          .delete(contacts)
          .where(and(eq(contacts.companyId, companyId), eq(contacts.id, id)))
          .returning({ picture: contacts.profilePicUrl })
        if (!row) throw new DomainError('ERR_NO_CONTACT_FOUND')
        if (row.picture) paths.push(row.picture)
        paths.push(...(await forgetMerges(tx, companyId, id)))
        await releaseFiles(tx, companyId, paths)
      })
      events.emit({ companyId, name: 'contact', action: 'delete', payload: { contactId: id } })
    },
  }
}

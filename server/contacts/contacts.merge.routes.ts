import { and, eq, inArray } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { rowId } from '../../schema/inputs.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { Change } from '../commands/apply.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'
import { releaseFiles } from '../media/media.usage.ts'
import { demandNoHold, exportsToRelease } from '../privacy/privacy.queries.ts'
import { removeSchedulesOf } from '../schedules/schedules.changes.ts'
import { mediaOfTickets } from '../tickets/tickets.queries.ts'
import { findDuplicates } from './contacts.duplicates.ts'
import { forgetMerges, mergeContacts, undoMerge } from './contacts.merge.ts'
import { needContact } from './contacts.queries.ts'

const tags = ['contacts']

/** Contacts that seem to be one person: made one, and two again. */
export function contactMerging(deps: AppDeps) {
  const { db, now } = deps
  const calls = contactCalls(deps)
  const need = (who: Principal, id: number) => needContact(db, who.companyId, id)

  return new Elysia({ prefix: '/contacts' })
    .use(authed(deps))
    .get(
      '/duplicates',
      ({ who }) => {
        demand(who, 'contacts:merge')
        return findDuplicates(db, who.companyId)
      },
      { detail: { tags, summary: 'Contacts that seem to be one person, and merges that can be undone' } },
    )
    .post(
      '/merge',
      async ({ who, body }) => {
        demand(who, 'contacts:merge')
        const { keptId, goneId } = body
        const mergeId = await calls.merge(who.companyId, keptId, goneId, who.userId)
        return { mergeId, contact: await need(who, keptId) }
      },
      {
        body: t.Object({ keptId: rowId, goneId: rowId }),
        detail: { tags, summary: 'Make two contacts one: tickets, messages and notes go to the kept one' },
      },
    )
    .post(
      '/merges/:id/undo',
      async ({ who, params }) => {
        demand(who, 'contacts:merge')
        const undone = await db.transaction((tx) => undoMerge(tx, who.companyId, params.id, now()))
        calls.emitChanges(undone.changes)
        return { contacts: [await need(who, undone.keptId), await need(who, undone.goneId)] }
      },
      { params: idParams, detail: { tags, summary: 'Make two contacts of the merged one again' } },
    )
}

/** What people and programs do with contacts alike. Who may is asked before. */
export function contactCalls({ db, events }: Pick<AppDeps, 'db' | 'events'>) {
  const emitChanges = (changes: readonly Change[]) => {
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
    emitChanges,

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
      emitChanges(merge.changes)
      for (const ticket of merge.goneTickets)
        events.emit({
          ...{ companyId, name: 'ticket', action: 'delete', payload: { ticketId: ticket.id }, audience: { ticket } },
        })
      return merge.id
    },

    /**
     * Deletes a contact with its tickets, messages and files.
     * @throws DomainError `ERR_NO_CONTACT_FOUND`, `ERR_LEGAL_HOLD`
     */
    async remove(companyId: number, id: number): Promise<void> {
      await db.transaction(async (tx) => {
        await demandNoHold(tx, companyId, id, new Date())
        const paths = await mediaOfTickets(tx, companyId, { contactId: id })
        paths.push(...(await exportsToRelease(tx, id)))
        await removeSchedulesOf(tx, companyId, id)
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

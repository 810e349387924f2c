import { and, eq, inArray } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { changedContact, contactSorts, importChoices, newContact } from '../../schema/contacts/contacts.inputs.ts'
import { readableBy } from '../../schema/contacts/contacts.masking.ts'
import { contacts, type ExtraInfo } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { rowId } from '../../schema/inputs.ts'
import type { Principal } from '../../schema/permissions.ts'
import { connectionToAsk } from '../whatsapps/whatsapps.queries.ts'
import type { Change } from '../commands/apply.ts'
import { audit } from '../audit/audit.changes.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { day, flag, idParams, idsOf, isRealDay, isTrue, jsonIds, pageNumber, searchParam } from '../http/inputs.ts'
import { fileForm } from '../http/upload-one.ts'
import { answerImport, importDescription } from '../http/uploaded-sheet.ts'
import { releaseFiles } from '../media/media.usage.ts'
import { removeSchedulesOf } from '../schedules/schedules.changes.ts'
import { mediaOfTickets } from '../tickets/tickets.queries.ts'
import { findDuplicates } from './contacts.duplicates.ts'
import { sheetLanguage, sheetResponse } from './contacts.sheets.ts'
import { exportContacts } from './contacts.export.ts'
import { importContacts } from './contacts.import.ts'
import { forgetMerges, mergeContacts, undoMerge } from './contacts.merge.ts'
import { allContacts, findContact, listContacts } from './contacts.queries.ts'
import { typedNumber } from './contacts.typed.queries.ts'

const tags = ['contacts']

const withIds = (infos: readonly { id?: string | number; name: string; value: string }[]): ExtraInfo[] =>
  infos.map(({ id, name, value }) => ({ id: String(id ?? crypto.randomUUID()), name, value }))

/** The people who write to a company. */
export function contactRoutes(deps: AppDeps) {
  const { db, events, sessions, now, log, typedNumbers } = deps
  const calls = contactCalls(deps)

  const need = async (who: Principal, id: number) => {
    const contact = await findContact(db, who.companyId, { id })
    if (!contact) throw new DomainError('ERR_NO_CONTACT_FOUND')
    return contact
  }
  /**
   * The digits of a number that was typed, with its country.
   * @throws DomainError `ERR_VALIDATION` when they cannot be told for sure; `ERR_TOO_MANY_ATTEMPTS`
   */
  const digitsOf = async (who: Principal, text: string): Promise<string> => {
    typedNumbers.count(who)
    // Clients of this family write a group’s id here, too, which is longer than numbers are.
    if (/^\d{17,20}$/.test(text)) return text
    return typedNumber(db, who.companyId, text)
  }
  const tell = (who: Principal, action: string, payload: Record<string, unknown>) =>
    events.emit({ companyId: who.companyId, name: 'contact', action, payload })

  /**
   * The number as WhatsApp writes it. While no connection is open nobody can be asked, and it is kept as typed: the
   * first message from it finds the contact all the same.
   * @throws DomainError `ERR_WAPP_INVALID_CONTACT`, `ERR_WAPP_CHECK_CONTACT`
   */
  const canonical = async (who: Principal, digits: string): Promise<string> => {
    const asked = await connectionToAsk(db, who.companyId)
    if (asked === undefined) return digits
    const known = await sessions.checkNumber(asked, digits).catch((error: unknown) => {
      // Its server died, or the link is just going down: the row does not know yet.
      if (
        error instanceof DomainError &&
        (error.code === 'ERR_WAPP_NOT_INITIALIZED' || error.code === 'ERR_UNAVAILABLE')
      )
        return { number: digits }
      if (error instanceof DomainError) throw error
      log.warn({ err: error }, 'a number could not be checked')
      throw new DomainError('ERR_WAPP_CHECK_CONTACT')
    })
    if (!known) throw new DomainError('ERR_WAPP_INVALID_CONTACT')
    return known.number
  }

  return new Elysia({ prefix: '/contacts' })
    .use(authed(deps))
    .get(
      '/',
      ({ who, query }) => {
        const [from, to] = query.date
          ? [query.date, query.date]
          : [query.dateStart || undefined, query.dateEnd || undefined]
        for (const value of [from, to])
          if (value && !isRealDay(value))
            throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'query', message: 'a day' }] })
        return listContacts(
          db,
          who,
          {
            ...{ search: query.searchParam?.trim(), from, to, sort: query.sort },
            tagIds: idsOf(query.tags, 'tags'),
            queueIds: idsOf(query.queueIds, 'queueIds'),
            whatsappIds: idsOf(query.whatsappIds, 'whatsappIds'),
            isServed: isTrue(query.isServed),
            hasEmail: query.hasEmail === undefined ? undefined : isTrue(query.hasEmail),
          },
          query.pageNumber ?? 1,
        )
      },
      {
        query: t.Object({
          searchParam,
          pageNumber,
          date: day,
          dateStart: day,
          dateEnd: day,
          sort: t.Optional(t.Union(contactSorts.map((sort) => t.Literal(sort)))),
          tags: jsonIds,
          queueIds: jsonIds,
          whatsappIds: jsonIds,
          isServed: flag,
          hasEmail: flag,
        }),
        detail: {
          tags,
          summary: 'Contacts by name, by when they were made, or by when they last wrote; 30 a page',
          description:
            'Tags, queues, connections and `isServed` (pending or open) are those of one ticket of the contact that the caller may see.',
        },
      },
    )
    .get('/list', ({ who }) => allContacts(db, who), {
      detail: { tags, summary: 'All contacts: id, name, number' },
    })
    .get(
      '/export',
      async ({ who, query }) => {
        demand(who, 'contacts:export')
        const format = query.format ?? 'xlsx'
        const day = now().toISOString().slice(0, 10)
        await audit(db, { companyId: who.companyId, action: 'export', entity: 'contacts', facts: { format } })
        const sheet = await exportContacts(db, who, format, query.language, idsOf(query.ids, 'ids'))
        return sheetResponse(sheet, { name: `contacts-${day}`, format })
      },
      {
        query: t.Object({
          format: t.Optional(t.Union([t.Literal('xlsx'), t.Literal('csv')])),
          language: sheetLanguage,
          ids: jsonIds,
        }),
        detail: {
          tags,
          summary:
            'Contacts, all or those of `ids`, as a spreadsheet, which the import reads back; admins and supervisors',
        },
      },
    )
    .post(
      '/import',
      ({ who, query, request }) =>
        answerImport({
          ...{ request, db, who, query, log },
          work: (reading) => importContacts(db, who.companyId, reading, query.mode ?? 'fill', now),
          begun: () => audit(db, { companyId: who.companyId, action: 'import', entity: 'contacts' }),
          told: ({ rows }) => {
            if (rows.some(({ outcome }) => outcome === 'created' || outcome === 'updated')) tell(who, 'reload', {})
          },
        }),
      {
        query: importChoices,
        detail: {
          tags,
          summary: 'Contacts from a spreadsheet (xlsx, xls, csv; a form with one file); admins and supervisors',
          description: importDescription,
          requestBody: fileForm,
        },
      },
    )
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
        calls.tellChanges(undone.changes)
        return { contacts: [await need(who, undone.keptId), await need(who, undone.goneId)] }
      },
      { params: idParams, detail: { tags, summary: 'Make two contacts of the merged one again' } },
    )
    .get('/:id', ({ who, params }) => need(who, params.id), {
      params: idParams,
      detail: { tags, summary: 'One contact' },
    })
    .post(
      '/',
      async ({ who, body }) => {
        const typed = await digitsOf(who, body.number)
        const known = await findContact(db, who.companyId, { number: typed })
        const number = known ? typed : await canonical(who, typed)
        const existing = known ?? (await findContact(db, who.companyId, { number }))
        if (existing) return { ...existing, alreadyExists: true, existingContact: existing }
        const [row] = await db
          .insert(contacts)
          .values({
            companyId: who.companyId,
            name: body.name.trim(),
            nameSource: 'edited',
            number,
            email: body.email ?? '',
            extraInfo: withIds(body.extraInfo ?? []),
          })
          .onConflictDoNothing()
          .returning({ id: contacts.id })
        if (!row) {
          // Made by somebody else, or by a message, at this very moment.
          const other = await findContact(db, who.companyId, { number })
          if (!other) throw new DomainError('ERR_DUPLICATED_CONTACT')
          return { ...other, alreadyExists: true, existingContact: other }
        }
        const contact = await need(who, row.id)
        tell(who, 'create', { contact })
        return contact
      },
      {
        body: newContact,
        detail: { tags, summary: 'Make a contact; an existing one is answered with `alreadyExists`' },
      },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        const before = await need(who, params.id)
        const seen = readableBy(who, before)
        const isSame = body.number === undefined || body.number === seen.number
        const typed = isSame || before.isGroup ? undefined : await digitsOf(who, body.number!)
        const number = typed === undefined || typed === before.number ? undefined : await canonical(who, typed)
        await db
          .update(contacts)
          .set({
            // An edited name stays, whatever the contact calls themselves later.
            ...(body.name !== undefined &&
              ![before.name, seen.name].includes(body.name.trim()) && {
                name: body.name.trim(),
                nameSource: 'edited' as const,
              }),
            ...(number !== undefined && number !== before.number && { number, lid: null }),
            ...(body.email !== undefined && { email: body.email ?? '' }),
            ...(body.extraInfo !== undefined && { extraInfo: withIds(body.extraInfo) }),
            ...(body.disableBot !== undefined && { disableBot: body.disableBot }),
            updatedAt: now(),
          })
          .where(and(eq(contacts.companyId, who.companyId), eq(contacts.id, before.id)))
        const contact = await need(who, before.id)
        tell(who, 'update', { contact })
        return contact
      },
      {
        params: idParams,
        body: changedContact,
        detail: { tags, summary: 'Change a contact' },
      },
    )
    .post(
      '/:id/reveal',
      async ({ who, params }) => {
        demand(who, 'contacts:reveal')
        const { id, number } = await need(who, params.id)
        await audit(db, { companyId: who.companyId, action: 'reveal', entity: 'contacts', id })
        return new Response(JSON.stringify({ number }), { headers: { 'content-type': 'application/json' } })
      },
      {
        params: idParams,
        detail: {
          tags,
          summary: 'The number of a contact, whole, for those whose role hides it; the audit log remembers who asked',
          response: { 200: { description: '`{number}`: digits, or null where only WhatsApp’s other name is known' } },
        },
      },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        demand(who, 'contacts-page:deleteContact')
        await calls.remove(who.companyId, (await need(who, params.id)).id)
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a contact with its tickets, messages and files' } },
    )
}

/** What people and programs do with contacts alike. Who may is asked before. */
export function contactCalls({ db, events }: Pick<AppDeps, 'db' | 'events'>) {
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

import { and, eq } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { writeXlsxStream } from 'hucre/xlsx'
import {
  changedContactListItem,
  contactListInput,
  MOST_ITEMS,
  newContactListItem,
} from '../../schema/contact-lists/contact-lists.inputs.ts'
import { contactListItems, contactLists } from '../../schema/contact-lists/contact-lists.table.ts'
import { importChoices } from '../../schema/contacts/contacts.inputs.ts'
import { readableBy } from '../../schema/contacts/contacts.masking.ts'
import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import { sheetTypes } from '../contacts/contacts.sheets.ts'
import { typedNumber } from '../contacts/contacts.typed.queries.ts'
import { demandFeature } from '../commands/plan-features.ts'
import { audit } from '../audit/audit.changes.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams, pageNumber, pageQuery, searchParam } from '../http/inputs.ts'
import { fileForm } from '../http/upload-one.ts'
import { answerImport, importDescription } from '../http/uploaded-sheet.ts'
import { letGo } from '../uses/uses.changes.ts'
import { emitLetGo } from '../uses/uses.events.ts'
import { continueCheck, startCheck } from './contact-lists.check.ts'
import { importItems } from './contact-lists.import.ts'
import { allContactLists, findContactList, findItem, listContactLists, listItems } from './contact-lists.queries.ts'

const tags = ['contact lists']

/** What the parts of the routes need. */
function partsOf({ db, events }: AppDeps) {
  const allowed = async (who: Principal) => {
    demand(who, 'campaigns:write')
    await demandFeature(db, who.companyId, 'useCampaigns')
  }
  const need = async (who: Principal, id: number) => {
    const list = await findContactList(db, who.companyId, id)
    if (!list) throw new DomainError('ERR_NO_CONTACT_LIST_FOUND')
    return list
  }
  const emitList = (who: Principal, action: string, payload: Record<string, unknown>) =>
    events.emit({ companyId: who.companyId, name: 'ContactList', action, payload })
  const emitItem = (who: Principal, listId: number, action: string, payload: Record<string, unknown>) => {
    events.emit({ companyId: who.companyId, name: `ContactListItem-${listId}`, action, payload })
    events.emit({ companyId: who.companyId, name: 'ContactListItem', action, payload })
  }
  const changed = async (who: Principal, id: number, action: 'create' | 'update') => {
    const record = await need(who, id)
    emitList(who, action, { record })
    return record
  }
  return { allowed, need, emitList, emitItem, changed }
}

/** Named lists of people for campaigns. */
export const contactListRoutes = (deps: AppDeps) => new Elysia().use(lists(deps)).use(peopleTogether(deps))

function lists(deps: AppDeps) {
  const { db, now } = deps
  const { allowed, need, emitList, changed } = partsOf(deps)

  return new Elysia({ prefix: '/contact-lists' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who, query }) => {
        await allowed(who)
        return listContactLists(db, who.companyId, {
          search: query.searchParam?.trim(),
          pageNumber: query.pageNumber ?? 1,
        })
      },
      { query: pageQuery, detail: { tags, summary: 'Contact lists by name, 20 a page, with how many stand on them' } },
    )
    .get(
      '/list',
      async ({ who }) => {
        await allowed(who)
        return allContactLists(db, who.companyId)
      },
      { detail: { tags, summary: 'All contact lists: id and name' } },
    )
    .get(
      '/sample',
      async ({ who }) => {
        await allowed(who)
        const rows = [
          ['Ana Souza', '5511912345678', 'ana@example.com'],
          ['Bruno Lima', '5521987654321', ''],
        ]
        return new Response(
          writeXlsxStream(
            (async function* () {
              yield* rows
            })(),
            { name: 'Contatos', columns: ['nome', 'numero', 'email'].map((header) => ({ header, width: 24 })) },
          ),
          {
            headers: {
              'content-type': sheetTypes.xlsx,
              'content-disposition': 'attachment; filename="contact-list-sample.xlsx"',
            },
          },
        )
      },
      { detail: { tags, summary: 'A spreadsheet to fill in' } },
    )
    .get(
      '/:id',
      async ({ who, params }) => {
        await allowed(who)
        return need(who, params.id)
      },
      { params: idParams, detail: { tags, summary: 'One contact list' } },
    )
    .post(
      '/',
      async ({ who, body }) => {
        await allowed(who)
        const [row] = await db
          .insert(contactLists)
          .values({ companyId: who.companyId, name: body.name.trim() })
          .returning({ id: contactLists.id })
        return changed(who, row!.id, 'create')
      },
      { body: contactListInput, detail: { tags, summary: 'Make a contact list' } },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        await allowed(who)
        await need(who, params.id)
        await db
          .update(contactLists)
          .set({ name: body.name.trim(), updatedAt: now() })
          .where(and(eq(contactLists.companyId, who.companyId), eq(contactLists.id, params.id)))
        return changed(who, params.id, 'update')
      },
      { params: idParams, body: contactListInput, detail: { tags, summary: 'Rename a contact list' } },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        await allowed(who)
        await need(who, params.id)
        const gone = await db.transaction(async (tx) => {
          // Once it is planned, a campaign has its people by itself.
          const gone = await letGo(tx, who.companyId, 'contactList', params.id, now())
          await tx
            .delete(contactLists)
            .where(and(eq(contactLists.companyId, who.companyId), eq(contactLists.id, params.id)))
          return gone
        })
        emitList(who, 'delete', { id: params.id })
        await emitLetGo(deps, who.companyId, gone)
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a contact list with all who stand on it' } },
    )
}

/** What is done with all people of a list: they come from a spreadsheet, and WhatsApp is asked for them. */
function peopleTogether(deps: AppDeps) {
  const { db, now, log } = deps
  const { allowed, need, emitList, emitItem, changed } = partsOf(deps)

  return new Elysia({ prefix: '/contact-lists' })
    .use(authed(deps))
    .post(
      '/:id/upload',
      async ({ who, params, query, request }) => {
        await allowed(who)
        const list = await need(who, params.id)
        return answerImport({
          ...{ request, db, who, query, log },
          work: (reading) => importItems(db, list, reading, now),
          begun: () => audit(db, { companyId: who.companyId, action: 'import', entity: 'contactList', id: list.id }),
          ended: async () => {
            await continueCheck(db, list, now())
            emitItem(who, list.id, 'reload', { records: [] })
            emitList(who, 'reload', { contactListId: list.id })
          },
        })
      },
      {
        params: idParams,
        query: t.Omit(importChoices, ['mode']),
        detail: {
          tags,
          summary: 'People from a spreadsheet (xlsx, xls, csv; a form with one file)',
          description: importDescription,
          requestBody: fileForm,
        },
      },
    )
    .post(
      '/:id/check',
      async ({ who, params }) => {
        await allowed(who)
        await startCheck(db, await need(who, params.id), now())
        return changed(who, params.id, 'update')
      },
      {
        params: idParams,
        detail: { tags, summary: 'Ask WhatsApp which numbers have an account, one after the other' },
      },
    )
    .delete(
      '/:id/check',
      async ({ who, params }) => {
        await allowed(who)
        await need(who, params.id)
        await db
          .update(contactLists)
          .set({ checkState: 'cancelled', updatedAt: now() })
          .where(and(eq(contactLists.id, params.id), eq(contactLists.checkState, 'running')))
        return changed(who, params.id, 'update')
      },
      { params: idParams, detail: { tags, summary: 'Ask no further' } },
    )
}

/** The people on them. */
export function contactListItemRoutes(deps: AppDeps) {
  const { db, now, typedNumbers } = deps
  const { allowed, need, emitItem, emitList } = partsOf(deps)

  const needItem = async (who: Principal, id: number) => {
    await allowed(who)
    const item = await findItem(db, who.companyId, id)
    if (!item) throw new DomainError('ERR_NO_CONTACT_FOUND')
    return item
  }
  const digitsOf = async (who: Principal, text: string): Promise<string> => {
    typedNumbers.count(who)
    return typedNumber(db, who.companyId, text)
  }

  return new Elysia({ prefix: '/contact-list-items' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who, query }) => {
        await allowed(who)
        const list = await need(who, query.contactListId)
        return listItems(db, who, {
          contactListId: list.id,
          search: query.searchParam?.trim(),
          pageNumber: query.pageNumber ?? 1,
        })
      },
      {
        query: t.Object({
          contactListId: idParams.properties.id,
          searchParam,
          pageNumber,
        }),
        detail: { tags, summary: 'People on a list by name, 20 a page' },
      },
    )
    .get('/:id', ({ who, params }) => needItem(who, params.id), {
      params: idParams,
      detail: { tags, summary: 'One of them' },
    })
    .post(
      '/',
      async ({ who, body }) => {
        await allowed(who)
        const list = await need(who, body.contactListId)
        if (list.contactsCount >= MOST_ITEMS) throw new DomainError('ERR_CONTACT_LIST_FULL', { limit: MOST_ITEMS })
        const number = await digitsOf(who, body.number)
        const [row] = await db
          .insert(contactListItems)
          .values({
            companyId: who.companyId,
            contactListId: list.id,
            name: body.name.trim(),
            number,
            key: numberKey(number),
            email: body.email ?? '',
          })
          .returning()
        await continueCheck(db, list, now())
        emitItem(who, list.id, 'create', { record: row })
        emitList(who, 'reload', { contactListId: list.id })
        return row!
      },
      { body: newContactListItem, detail: { tags, summary: 'Put somebody on a list; their number is then checked' } },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        const before = await needItem(who, params.id)
        const seen = readableBy(who, before)
        const isSame = body.number === undefined || body.number === seen.number
        const number = isSame ? before.number : await digitsOf(who, body.number!)
        const isOther = number !== before.number
        const [row] = await db
          .update(contactListItems)
          .set({
            ...(body.name !== undefined && body.name.trim() !== seen.name && { name: body.name.trim() }),
            ...(body.email !== undefined && { email: body.email ?? '' }),
            ...(isOther && { number, key: numberKey(number), lid: null, isWhatsappValid: null, checkedAt: null }),
            updatedAt: now(),
          })
          .where(and(eq(contactListItems.companyId, who.companyId), eq(contactListItems.id, before.id)))
          .returning()
        if (!row) throw new DomainError('ERR_NO_CONTACT_FOUND')
        if (isOther) await continueCheck(db, { id: row.contactListId, companyId: who.companyId }, now())
        emitItem(who, row.contactListId, 'update', { record: row })
        return row
      },
      { params: idParams, body: changedContactListItem, detail: { tags, summary: 'Change one of them' } },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        // The permission that the family asks for somebody on a list, as for a contact.
        demand(who, 'contacts-page:deleteContact')
        const item = await needItem(who, params.id)
        await db
          .delete(contactListItems)
          .where(and(eq(contactListItems.companyId, who.companyId), eq(contactListItems.id, item.id)))
        emitItem(who, item.contactListId, 'delete', { id: item.id })
        emitList(who, 'reload', { contactListId: item.contactListId })
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Take somebody off a list' } },
    )
}

import { Elysia, t } from 'elysia'
import { contactSorts, importChoices } from '../../schema/contacts/contacts.inputs.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import { audit } from '../audit/audit.changes.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import {
  day,
  fieldTestsOf,
  flag,
  idsOf,
  isRealDay,
  isTrue,
  jsonIds,
  jsonTests,
  pageNumber,
  searchParam,
} from '../http/inputs.ts'
import { fileForm } from '../http/upload-one.ts'
import { answerImport, importDescription } from '../http/uploaded-sheet.ts'
import { exportContacts } from './contacts.export.ts'
import { importContacts } from './contacts.import.ts'
import { allContacts, listContacts } from './contacts.queries.ts'
import { sheetLanguage, sheetResponse } from './contacts.sheets.ts'

const tags = ['contacts']

/** Contacts together: lists and sheets. */
export function contactsTogether(deps: AppDeps) {
  const { db, events, facts, now, log } = deps
  const emit = (who: Principal, action: string, payload: Record<string, unknown>) =>
    events.emit({ companyId: who.companyId, name: 'contact', action, payload })

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
            fields: fieldTestsOf(query.fields, 'fields'),
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
          fields: jsonTests,
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
          work: (reading) =>
            importContacts(db, who.companyId, reading, {
              ...{ mode: query.mode ?? 'fill', now },
              language: facts.of(who.companyId).then(({ language }) => language),
            }),
          begun: () => audit(db, { companyId: who.companyId, action: 'import', entity: 'contacts' }),
          told: ({ rows }) => {
            if (rows.some(({ outcome }) => outcome === 'created' || outcome === 'updated')) emit(who, 'reload', {})
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
}

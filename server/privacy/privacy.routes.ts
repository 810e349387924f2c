import { and, eq, inArray, sql } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { readableBy } from '../../schema/contacts/contacts.masking.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { isDay } from '../../schema/custom-fields/custom-fields.values.ts'
import { dayIn } from '../../schema/companies/companies.subscription.ts'
import { DomainError } from '../../schema/errors.ts'
import { newId } from '../../schema/ids.ts'
import { clientId } from '../../schema/inputs.ts'
import type { Principal } from '../../schema/permissions.ts'
import {
  changedRequest,
  erasedQuery,
  eraseInput,
  exportInput,
  holdInput,
  newRequest,
  retentionQuery,
} from '../../schema/privacy/privacy.inputs.ts'
import { privacyExports, privacyHolds, privacyRequests, requestStates } from '../../schema/privacy/privacy.table.ts'
import { dueOf, readDays, type RetentionKind, retentionKinds } from '../../schema/privacy/privacy.terms.ts'
import { audit } from '../audit/audit.changes.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { cursorQuery, idParams } from '../http/inputs.ts'
import { addJobs } from '../jobs/queue.ts'
import { beginErasure } from './privacy.erase.changes.ts'
import { exportedContact } from './privacy.export.ts'
import {
  erasedSince,
  exportsOf,
  holdOf,
  listErasures,
  listRequests,
  namesOf,
  needErasure,
  needExport,
  needRequest,
  openRequests,
  personOf,
  previewOf,
  shownErasure,
  shownExport,
  wouldGo,
} from './privacy.queries.ts'

const tags = ['privacy']
const PAGE = 40
/** Of one person at a time: each reads all that there is of somebody. */
const MOST_EXPORTS = 5
const uuidParams = t.Object({ id: clientId })

/** What the law gives people about their data, and what a company keeps for how long. */
export const privacyRoutes = (deps: AppDeps) =>
  new Elysia()
    .use(ofContacts(deps))
    .use(holdRoutes(deps))
    .use(exportRoutes(deps))
    .use(erasureRoutes(deps))
    .use(requestRoutes(deps))
    .use(terms(deps))

/** @throws DomainError `ERR_NO_CONTACT_FOUND`, `ERR_CONTACT_ERASED` */
async function needContact({ db }: Pick<AppDeps, 'db'>, { companyId }: Principal, id: number) {
  const contact = await exportedContact(db, companyId, id)
  if (!contact) throw new DomainError('ERR_NO_CONTACT_FOUND')
  if (contact.erasedAt) throw new DomainError('ERR_CONTACT_ERASED')
  return contact
}

function ofContacts(deps: AppDeps) {
  const { db, events, sealer, now, facts } = deps
  return new Elysia({ prefix: '/contacts' })
    .use(authed(deps))
    .post(
      '/:id/export',
      async ({ who, params, body }) => {
        demand(who, 'privacy:write')
        const contact = await needContact(deps, who, params.id)
        const mine = and(eq(privacyExports.userId, who.userId), inArray(privacyExports.state, ['waiting', 'running']))
        const row = await db.transaction(async (tx) => {
          if ((await tx.$count(privacyExports, mine)) >= MOST_EXPORTS) throw new DomainError('ERR_TOO_MANY_REQUESTS')
          const { companyId, userId } = who
          const [total] = await tx.execute<{ n: number }>(
            sql`SELECT count(*)::int AS n FROM messages WHERE "ticketId" IN (SELECT id FROM tickets WHERE "contactId" = ${contact.id})`,
          )
          const [made] = await tx
            .insert(privacyExports)
            .values({
              id: newId(),
              companyId,
              contactId: contact.id,
              userId,
              notes: body.notes ?? false,
              total: total!.n,
            })
            .returning()
          await addJobs(tx, companyId, [{ kind: 'privacy.export', exportId: made!.id }])
          await audit(tx, { companyId, action: 'export', entity: 'contacts', id: contact.id })
          return made!
        })
        deps.committed([])
        return shownExport(row)
      },
      {
        params: idParams,
        body: exportInput,
        detail: {
          tags,
          summary: 'Gather all data of a contact into a ZIP file',
          description:
            'Answers at once; `GET /privacy/exports/{id}` tells how far it is. The file holds `contact.json`, `tickets.json`, `messages.ndjson`, the files of messages and `manifest.json` with the SHA-256 of each; with `notes` also what colleagues noted. Whoever asked alone may fetch it, for seven days.',
        },
      },
    )
    .get(
      '/:id/exports',
      async ({ who, params }) => {
        demand(who, 'privacy:write')
        await needContact(deps, who, params.id)
        return { records: await exportsOf(db, who, params.id), nextCursor: null }
      },
      { params: idParams, detail: { tags, summary: 'The exports of a contact that the caller has asked for' } },
    )
    .get(
      '/:id/erase-preview',
      async ({ who, params }) => {
        demand(who, 'privacy:write')
        const contact = await needContact(deps, who, params.id)
        const names = await namesOf(db, contact)
        const hold = await holdOf(db, who.companyId, contact.id, now())
        return {
          counts: await previewOf(db, personOf({ companyId: who.companyId, contactId: contact.id }, names)),
          hold: hold ? { until: hold.until, reason: hold.reason } : null,
        }
      },
      {
        params: idParams,
        detail: { tags, summary: 'What erasing a contact would remove, counted by kind, and what holds it' },
      },
    )
    .post(
      '/:id/erase',
      async ({ who, params, body }) => {
        demand(who, 'privacy:write')
        const contact = await needContact(deps, who, params.id)
        const typed = body.confirm.trim().toLowerCase()
        const names = [contact.name, readableBy(who, { name: contact.name, number: contact.number }).name]
        if (!names.some((name) => name.trim().toLowerCase() === typed)) throw new DomainError('ERR_CONFIRM_NAME')
        const { language } = await facts.of(who.companyId)
        const { erasure, changes } = await db.transaction(async (tx) => {
          const begun = await beginErasure(tx, {
            ...{ sealer, companyId: who.companyId, contactId: contact.id, userId: who.userId },
            ...{ reason: body.reason.trim(), language, now: now() },
          })
          const { id } = begun.erasure
          await audit(tx, {
            ...{ companyId: who.companyId, action: 'erase', entity: 'contacts', id: contact.id },
            facts: { erasure: id },
          })
          return begun
        })
        deps.committed(changes)
        events.emit({
          ...{ companyId: who.companyId, name: 'erasure', action: 'begun' },
          payload: { contactId: contact.id, seq: erasure.seq },
        })
        return shownErasure(erasure)
      },
      {
        params: idParams,
        body: eraseInput,
        detail: {
          tags,
          summary: 'Erase the data of a contact for good',
          description:
            '`confirm` is the contact’s name. From then on nobody finds them; what is left goes by a job, and `GET /privacy/erasures/{id}` is the proof. Figures stay, without the person. 409 `ERR_LEGAL_HOLD` while the contact is held.',
        },
      },
    )
}

/** What keeps a contact's data from being erased. */
function holdRoutes(deps: AppDeps) {
  const { db, now, facts } = deps
  return new Elysia({ prefix: '/contacts' })
    .use(authed(deps))
    .get(
      '/:id/hold',
      async ({ who, params }) => {
        demand(who, 'privacy:write')
        await needContact(deps, who, params.id)
        const hold = await holdOf(db, who.companyId, params.id, now())
        return { until: hold?.until ?? null, reason: hold?.reason ?? null }
      },
      { params: idParams, detail: { tags, summary: 'Until when the data of a contact must be kept, and why' } },
    )
    .put(
      '/:id/hold',
      async ({ who, params, body }) => {
        demand(who, 'privacy:write')
        const { companyId, userId } = who
        await needContact(deps, who, params.id)
        const { until } = body
        const { timeZone } = await facts.of(companyId)
        if (until !== null && (!isDay(until) || until < dayIn(timeZone, now())))
          throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/until', message: 'a day to come' }] })
        if (until !== null && !body.reason?.trim())
          throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/reason', message: 'a reason' }] })
        await db.transaction(async (tx) => {
          // Whoever erases at the same time waits here, or made us wait.
          const [contact] = await tx
            .select({ erasedAt: contacts.erasedAt })
            .from(contacts)
            .where(and(eq(contacts.companyId, companyId), eq(contacts.id, params.id)))
            .for('update')
          if (!contact || contact.erasedAt) throw new DomainError('ERR_CONTACT_ERASED')
          if (until === null) await tx.delete(privacyHolds).where(eq(privacyHolds.contactId, params.id))
          else {
            const held = { until, reason: body.reason!.trim(), userId, createdAt: now() }
            await tx
              .insert(privacyHolds)
              .values({ contactId: params.id, companyId, ...held })
              .onConflictDoUpdate({ target: privacyHolds.contactId, set: held })
          }
          await audit(tx, {
            ...{ companyId, action: 'update', entity: 'contacts', id: params.id },
            facts: { holdUntil: until },
          })
        })
        return { until, reason: until === null ? null : body.reason!.trim() }
      },
      {
        params: idParams,
        body: holdInput,
        detail: { tags, summary: 'Keep the data of a contact from being erased until a day; null lets go' },
      },
    )
}

function exportRoutes(deps: AppDeps) {
  const { db } = deps
  return new Elysia({ prefix: '/privacy/exports' })
    .use(authed(deps))
    .get(
      '/:id',
      async ({ who, params }) => {
        demand(who, 'privacy:write')
        return shownExport(await needExport(db, who, params.id))
      },
      {
        params: uuidParams,
        detail: { tags, summary: 'How far an export of the caller’s is, and where its file lies' },
      },
    )
    .post(
      '/:id/cancel',
      async ({ who, params }) => {
        demand(who, 'privacy:write')
        const { id } = await needExport(db, who, params.id)
        await db
          .update(privacyExports)
          .set({ state: 'cancelled' })
          .where(and(eq(privacyExports.id, id), inArray(privacyExports.state, ['waiting', 'running'])))
        return shownExport(await needExport(db, who, id))
      },
      { params: uuidParams, detail: { tags, summary: 'Give up an export that is under way' } },
    )
}

function erasureRoutes(deps: AppDeps) {
  const { db } = deps
  return new Elysia({ prefix: '/privacy' })
    .use(authed(deps))
    .get(
      '/erasures',
      ({ who, query }) => {
        demand(who, 'privacy:write')
        return listErasures(db, who.companyId, { cursor: query.cursor, limit: query.limit ?? PAGE })
      },
      { query: t.Object(cursorQuery), detail: { tags, summary: 'Proofs of what was erased, the latest first' } },
    )
    .get(
      '/erasures/:id',
      async ({ who, params }) => {
        demand(who, 'privacy:write')
        return shownErasure(await needErasure(db, who.companyId, params.id))
      },
      {
        params: uuidParams,
        detail: { tags, summary: 'The proof of one: what was erased, when, by whom, and the SHA-256 over all of it' },
      },
    )
    .get('/erased', ({ who, query }) => erasedSince(db, who.companyId, Number(query.after ?? 0)), {
      query: erasedQuery,
      detail: { tags, summary: 'Whose data a program that keeps copies has to forget, behind `after`' },
    })
}

function requestRoutes(deps: AppDeps) {
  const { db, events, now, facts } = deps
  const emit = (companyId: number, id: number) =>
    events.emit({ companyId, name: 'privacyRequest', action: 'update', payload: { requestId: id } })
  const demandDay = (day: string, today: string) => {
    if (!isDay(day) || day > today)
      throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/receivedAt', message: 'a day until today' }] })
  }
  const today = async (companyId: number) => dayIn((await facts.of(companyId)).timeZone, now())
  return new Elysia({ prefix: '/privacy/requests' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who, query }) => {
        demand(who, 'privacy:write')
        const { cursor, limit = PAGE, state } = query
        const [page, counts] = await Promise.all([
          listRequests(db, who.companyId, { cursor, limit, state }),
          openRequests(db, who.companyId, await today(who.companyId)),
        ])
        return { ...page, ...counts }
      },
      {
        query: t.Object({ ...cursorQuery, state: t.Optional(t.Union(requestStates.map((word) => t.Literal(word)))) }),
        detail: { tags, summary: 'The register of requests: those that are open first, and of them what is due first' },
      },
    )
    .get(
      '/:id',
      ({ who, params }) => {
        demand(who, 'privacy:write')
        return needRequest(db, who.companyId, params.id)
      },
      { params: idParams, detail: { tags, summary: 'One request' } },
    )
    .post(
      '/',
      async ({ who, body }) => {
        demand(who, 'privacy:write')
        const { companyId, userId } = who
        demandDay(body.receivedAt, await today(companyId))
        if (body.contactId) await needContact(deps, who, body.contactId)
        const [row] = await db
          .insert(privacyRequests)
          .values({
            ...{ companyId, userId, contactId: body.contactId ?? null, subject: body.subject.trim() },
            ...{ kind: body.kind, law: body.law, note: body.note?.trim() ?? '' },
            ...{
              receivedAt: body.receivedAt,
              dueAt: dueOf(body.law, body.receivedAt),
              createdAt: now(),
              updatedAt: now(),
            },
          })
          .returning({ id: privacyRequests.id })
        emit(companyId, row!.id)
        return needRequest(db, companyId, row!.id)
      },
      {
        body: newRequest,
        detail: { tags, summary: 'Write down what somebody asks about their data; `dueAt` follows from the law' },
      },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        demand(who, 'privacy:write')
        const { companyId } = who
        const before = await needRequest(db, companyId, params.id)
        if (body.receivedAt !== undefined) demandDay(body.receivedAt, await today(companyId))
        if (body.contactId) await needContact(deps, who, body.contactId)
        const law = body.law ?? before.law
        const receivedAt = body.receivedAt ?? before.receivedAt
        const state = body.state ?? before.state
        await db
          .update(privacyRequests)
          .set({
            ...(body.contactId !== undefined && { contactId: body.contactId }),
            ...(body.subject !== undefined && { subject: body.subject.trim() }),
            ...(body.kind !== undefined && { kind: body.kind }),
            ...(body.note !== undefined && { note: body.note.trim() }),
            ...{ law, receivedAt, dueAt: dueOf(law, receivedAt), state, updatedAt: now() },
            closedAt: state === 'open' ? null : (before.closedAt ?? now()),
          })
          .where(and(eq(privacyRequests.companyId, companyId), eq(privacyRequests.id, params.id)))
        emit(companyId, params.id)
        return needRequest(db, companyId, params.id)
      },
      {
        params: idParams,
        body: changedRequest,
        detail: { tags, summary: 'Change a request, or say what became of it' },
      },
    )
}

function terms(deps: AppDeps) {
  const { db, now } = deps
  const daysOf = (text: string | undefined, kind: RetentionKind): number => {
    if (text === undefined) return 0
    const days = readDays(text)
    if (days === undefined)
      throw new DomainError('ERR_VALIDATION', {
        fields: [{ path: `query/${kind}`, message: '0, or 30 days and more' }],
      })
    return days
  }
  return new Elysia({ prefix: '/privacy' }).use(authed(deps)).get(
    '/retention',
    async ({ who, query }) => {
      demand(who, 'privacy:write')
      const counts = await Promise.all(
        retentionKinds.map((kind) => wouldGo(db, who.companyId, kind, daysOf(query[kind], kind), now())),
      )
      return Object.fromEntries(retentionKinds.map((kind, i) => [kind, counts[i]])) as Record<RetentionKind, number>
    },
    {
      query: retentionQuery,
      detail: { tags, summary: 'How much terms of so many days would let go of today' },
    },
  )
}

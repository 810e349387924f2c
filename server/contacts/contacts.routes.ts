import { and, eq, isNull } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { changedContact, newContact } from '../../schema/contacts/contacts.inputs.ts'
import { readableBy } from '../../schema/contacts/contacts.masking.ts'
import { contactAliases } from '../../schema/contacts/aliases.table.ts'
import { contacts, type ExtraInfo } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import { audit } from '../audit/audit.changes.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams, textCursorQuery } from '../http/inputs.ts'
import { contactTimeline } from '../tickets/tickets.timeline.queries.ts'
import { contactCalls, contactMerging } from './contacts.merge.routes.ts'
import { contactNumbers } from './contacts.numbers.ts'
import { findContact, needContact } from './contacts.queries.ts'
import { contactsTogether } from './contacts.together.routes.ts'

const tags = ['contacts']

const withIds = (infos: readonly { id?: string | number; name: string; value: string }[]): ExtraInfo[] =>
  infos.map(({ id, name, value }) => ({ id: String(id ?? crypto.randomUUID()), name, value }))

/** The people who write to a company. */
export const contactRoutes = (deps: AppDeps) =>
  new Elysia().use(contactsTogether(deps)).use(contactMerging(deps)).use(oneContact(deps)).use(timelineOf(deps))

function oneContact(deps: AppDeps) {
  const { db, events, now } = deps
  const calls = contactCalls(deps)
  const { digitsOf, canonical } = contactNumbers(deps)

  const need = (who: Principal, id: number) => needContact(db, who.companyId, id)
  const emit = (who: Principal, action: string, payload: Record<string, unknown>) =>
    events.emit({ companyId: who.companyId, name: 'contact', action, payload })

  return new Elysia({ prefix: '/contacts' })
    .use(authed(deps))
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
        emit(who, 'create', { contact })
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
        const isOther = number !== undefined && number !== before.number
        await db.transaction(async (tx) => {
          // By what somebody else is known who had been written down here.
          if (isOther && before.number !== null)
            await tx.delete(contactAliases).where(eq(contactAliases.contactId, before.id))
          await tx
            .update(contacts)
            .set({
              // An edited name stays, whatever the contact calls themselves later.
              ...(body.name !== undefined &&
                ![before.name, seen.name].includes(body.name.trim()) && {
                  name: body.name.trim(),
                  nameSource: 'edited' as const,
                }),
              ...(isOther && { number, numberAt: null, ...(before.number !== null && { lid: null }) }),
              ...(body.email !== undefined && { email: body.email ?? '' }),
              ...(body.extraInfo !== undefined && { extraInfo: withIds(body.extraInfo) }),
              ...(body.disableBot !== undefined && { disableBot: body.disableBot }),
              updatedAt: now(),
            })
            .where(and(eq(contacts.companyId, who.companyId), eq(contacts.id, before.id), isNull(contacts.erasedAt)))
        })
        const contact = await need(who, before.id)
        emit(who, 'update', { contact })
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

const timelineOf = (deps: AppDeps) =>
  new Elysia({ prefix: '/contacts' }).use(authed(deps)).get(
    '/:id/timeline',
    async ({ who, params, query }) => {
      const { id } = await needContact(deps.db, who.companyId, params.id)
      return contactTimeline(deps.db, who, id, { cursor: query.cursor, limit: query.limit ?? 40 })
    },
    {
      params: idParams,
      query: t.Object(textCursorQuery),
      detail: {
        tags,
        summary: 'What happened and was noted over all tickets of a contact that the caller sees, the latest first',
      },
    },
  )

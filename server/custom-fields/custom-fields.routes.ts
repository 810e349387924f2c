import { Elysia, t } from 'elysia'
import {
  changedCustomField,
  fieldOrder,
  fieldPatch,
  newCustomField,
} from '../../schema/custom-fields/custom-fields.inputs.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import { forgetsRules } from '../automation/automation.facts.ts'
import { needContact } from '../contacts/contacts.queries.ts'
import { commandKey } from '../http/commands.routes.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'
import { findTicket } from '../tickets/tickets.queries.ts'
import { allFields, findField, usesOfField } from './custom-fields.queries.ts'
import { changeField, makeField, orderFields, removeField } from './custom-fields.writes.ts'

const docs = ['custom fields']
const filling = t.Object({ fields: fieldPatch })

/** The company's own fields of contacts and tickets: which there are, and what is filled in. */
export const customFieldRoutes = (deps: AppDeps) => new Elysia().use(definingRoutes(deps)).use(fillingRoutes(deps))

function definingRoutes(deps: AppDeps) {
  const { db, events, now } = deps
  const emit = (who: Principal, action: 'create' | 'update' | 'delete', id: number) =>
    events.emit({ companyId: who.companyId, name: 'customField', action, payload: { customFieldId: id } })
  const shown = async (who: Principal, id: number) => {
    const field = await findField(db, who.companyId, id)
    if (!field) throw new DomainError('ERR_NO_FIELD_FOUND')
    return { ...field, uses: await usesOfField(db, field) }
  }
  return new Elysia()
    .use(authed(deps))
    .onAfterHandle(forgetsRules(deps))
    .get('/custom-fields', async ({ who }) => ({ customFields: await allFields(db, who.companyId) }), {
      detail: {
        tags: docs,
        summary: 'All fields in their order, those that are put aside too; `uses`: how many have a value',
      },
    })
    .get('/custom-fields/:id', ({ who, params }) => shown(who, params.id), {
      params: idParams,
      detail: { tags: docs, summary: 'One field' },
    })
    .post(
      '/custom-fields',
      async ({ who, body }) => {
        demand(who, 'fields:write')
        const { id } = await makeField(db, who.companyId, body)
        emit(who, 'create', id)
        return shown(who, id)
      },
      {
        body: newCustomField,
        detail: { tags: docs, summary: 'Make a field; its entity, its type and its key never change' },
      },
    )
    .put(
      '/custom-fields/order',
      async ({ who, body }) => {
        demand(who, 'fields:write')
        await orderFields(db, who.companyId, body.entity, body.ids, now())
        emit(who, 'update', body.ids[0] ?? 0)
        return { customFields: await allFields(db, who.companyId) }
      },
      { body: fieldOrder, detail: { tags: docs, summary: 'The order of the fields of contacts, or of tickets' } },
    )
    .put(
      '/custom-fields/:id',
      async ({ who, params, body }) => {
        demand(who, 'fields:write')
        await changeField(db, who.companyId, params.id, body, now())
        emit(who, 'update', params.id)
        return shown(who, params.id)
      },
      {
        params: idParams,
        body: changedCustomField,
        detail: {
          tags: docs,
          summary: 'Change a field',
          description:
            'An option that is left out is offered no more; who has it keeps it. `archived` puts the field aside and brings it back, its values stay.',
        },
      },
    )
    .delete(
      '/custom-fields/:id',
      async ({ who, params }) => {
        demand(who, 'fields:write')
        const gone = await removeField(db, who.companyId, params.id, now())
        emit(who, gone.archived ? 'update' : 'delete', params.id)
        return gone
      },
      {
        params: idParams,
        detail: {
          tags: docs,
          summary: 'Delete a field; one that somebody has filled in is put aside instead (`archived`), its values stay',
        },
      },
    )
}

/** What is filled in; no rule of the company's changes with it. */
function fillingRoutes(deps: AppDeps) {
  const { db, runCommand } = deps
  return new Elysia()
    .use(authed(deps))
    .put(
      '/tickets/:id/fields',
      async ({ who, params, body, request }) => {
        await runCommand(who, {
          id: commandKey(request),
          name: 'tickets.setFields',
          input: { ticketId: params.id, fields: body.fields },
        })
        return findTicket(db, who, { id: params.id })
      },
      {
        params: idParams,
        body: filling,
        detail: { tags: docs, summary: 'Fill in fields of a ticket, by their ids; null empties, the others stay' },
      },
    )
    .put(
      '/contacts/:id/fields',
      async ({ who, params, body, request }) => {
        await runCommand(who, {
          id: commandKey(request),
          name: 'contacts.setFields',
          input: { contactId: params.id, fields: body.fields },
        })
        return needContact(db, who.companyId, params.id)
      },
      {
        params: idParams,
        body: filling,
        detail: { tags: docs, summary: 'Fill in fields of a contact, by their ids; null empties, the others stay' },
      },
    )
}

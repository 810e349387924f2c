import { eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { contactMerge, listQuery, numberCheck } from '../../schema/external/external.inputs.ts'
import { toApiConnection } from '../../schema/external/external.rows.ts'
import { contactCalls } from '../contacts/contacts.merge.routes.ts'
import type { AppDeps } from '../http/deps.ts'
import { idParams, inAddress } from '../http/inputs.ts'
import { limits } from '../limits.ts'
import { asContact } from './external.fields.ts'
import { pageOf } from './external.pages.ts'
import { needs, programs } from './external.programs.routes.ts'
import { connectionFor, connectionOf, contactOf } from './external.queries.ts'

/** What programs do with people and with the phones that write to them. */
export const programContactRoutes = (deps: AppDeps) => new Elysia().use(people(deps)).use(connections(deps))

function people(deps: AppDeps) {
  const { config, db, sessions } = deps
  const calls = contactCalls(deps)
  const checks = deps.limiter('programChecks', limits.programChecks)

  return new Elysia()
    .use(programs(deps))
    .delete(
      '/contacts/:id',
      async ({ of, params }) => {
        await calls.remove(of('contacts:write'), params.id)
        return {}
      },
      {
        params: idParams,
        detail: needs('deleteContact', 'contacts:write', 'Delete a contact with its tickets, messages and files'),
      },
    )
    .post(
      '/contacts/:id/merge',
      async ({ of, params, body }) => {
        const companyId = of('contacts:write')
        await calls.merge(companyId, params.id, body.goneId, null)
        return (await asContact(db, companyId))(await contactOf(db, companyId, params.id))
      },
      {
        params: idParams,
        body: contactMerge,
        detail: needs(
          'mergeContacts',
          'contacts:write',
          'Make two contacts one: tickets, messages and notes of `goneId` go to the one in the path',
          'A person can undo it on the screen of contacts.',
        ),
      },
    )
    .post(
      '/numbers/check',
      async ({ of, body }) => {
        const companyId = of('contacts:read')
        const retryAfter = config.limitCalls ? checks.take(String(companyId)) : 0
        if (retryAfter > 0) throw new DomainError('ERR_TOO_MANY_REQUESTS', { retryAfter })
        const found = await sessions.checkNumber(await connectionFor(db, companyId, body.whatsappId), body.number)
        return { exists: found !== null, number: found?.number ?? null }
      },
      {
        body: numberCheck,
        detail: needs(
          'checkNumber',
          'contacts:read',
          'Whether WhatsApp knows a number, and how it writes it',
          'A company may ask 60 at once and one a second: who asks for many risks the number that asks.',
        ),
      },
    )
    .get(
      '/groups',
      async ({ of, query }) => {
        const companyId = of('contacts:read')
        return pageOf(db, contacts, companyId, query, await asContact(db, companyId), eq(contacts.isGroup, true))
      },
      {
        query: inAddress(listQuery),
        detail: needs('listGroups', 'contacts:read', 'Groups that have written, as they change'),
      },
    )
}

function connections(deps: AppDeps) {
  const { db, sessions } = deps

  return new Elysia()
    .use(programs(deps))
    .get(
      '/connections/:id',
      async ({ of, params }) => toApiConnection(await connectionOf(db, of('tickets:read'), params.id)),
      {
        params: idParams,
        detail: needs('getConnection', 'tickets:read', 'One connection'),
      },
    )
    .get(
      '/connections/:id/qr',
      async ({ of, params }) => {
        const { status, qrcode } = await connectionOf(db, of('connections:write'), params.id)
        return { status, qr: qrcode === '' ? null : qrcode }
      },
      {
        params: idParams,
        detail: needs(
          'getConnectionQr',
          'connections:write',
          'The text of the QR code that the phone scans; null while there is none',
          'It changes every 20 to 60 seconds. `connection.status_changed` tells when the phone is linked.',
        ),
      },
    )
    .post(
      '/connections/:id/start',
      async ({ of, params }) => {
        const { id, companyId } = await connectionOf(db, of('connections:write'), params.id)
        await sessions.start(id)
        return toApiConnection(await connectionOf(db, companyId, id))
      },
      {
        params: idParams,
        detail: needs('startConnection', 'connections:write', 'Start a connection; one without a phone asks for a QR'),
      },
    )
}

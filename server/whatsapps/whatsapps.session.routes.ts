import { Elysia } from 'elysia'
import type { Principal } from '../../schema/permissions.ts'
import { pairingInput } from '../../schema/whatsapps/whatsapps.inputs.ts'
import { readNumbers, whatsappWire } from '../../schema/wire.ts'
import { typedNumber } from '../contacts/contacts.typed.queries.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'
import { connectionHealth, needWhatsapp, type WhatsappRow } from './whatsapps.queries.ts'

const tags = ['connections']
const view = whatsappWire.write

/** The link of a connection: how it does, started, ended, paired anew. */
export function whatsappSessionRoutes(deps: AppDeps) {
  const { db, sessions } = deps

  const need = (who: Principal, id: number): Promise<WhatsappRow> => {
    demand(who, 'connections-page:actionButtons')
    return needWhatsapp(db, who.companyId, id)
  }

  return new Elysia()
    .use(authed(deps))
    .onTransform(readNumbers)
    .get(
      '/whatsapp/:id/health',
      async ({ who, params }) => {
        const row = await need(who, params.id)
        const stored = await connectionHealth(db, who.companyId, row.id)
        const link = await sessions.health(row.id)
        const later = (a: Date | null | undefined, b: Date | null) => (a && (!b || a > b) ? a : b)
        return {
          id: row.id,
          name: row.name,
          status: row.status,
          /** Of the link; null where no server holds it. */
          state: link?.state ?? null,
          connectedAt: row.connectedAt,
          lastMessageInAt: later(link?.lastInAt, row.lastMessageInAt),
          lastMessageOutAt: later(link?.lastOutAt, row.lastMessageOutAt),
          reconnections: link?.reconnects ?? 0,
          waitingAcks: link?.waitingAcks ?? 0,
          /** Messages of contacts that had the id of another one, and were not kept. */
          reusedIds: row.reusedIds,
          reusedIdAt: row.reusedIdAt,
          lastError: link?.lastError ?? row.lastError,
          /** What WhatsApp says of new chats. */
          newChatsLockedUntil: row.newChatsLockedUntil,
          newChatsLockKind: row.newChatsLockKind,
          newChatsQuota: row.newChatsQuota,
          newChatsUsed: row.newChatsUsed,
          newChatsCapState: row.newChatsCapState,
          newChatsCycleEndsAt: row.newChatsCycleEndsAt,
          ...stored,
        }
      },
      { params: idParams, detail: { tags, summary: 'How a connection is doing' } },
    )
    .post(
      '/whatsappsession/:id',
      async ({ who, params }) => {
        await sessions.start((await need(who, params.id)).id)
        return view(await need(who, params.id))
      },
      { params: idParams, detail: { tags, summary: 'Start the session' } },
    )
    .put(
      '/whatsappsession/:id',
      async ({ who, params }) => {
        await sessions.newQr((await need(who, params.id)).id)
        return view(await need(who, params.id))
      },
      { params: idParams, detail: { tags, summary: 'Forget the phone and ask for a new QR' } },
    )
    .delete(
      '/whatsappsession/:id',
      async ({ who, params }) => {
        await sessions.logout((await need(who, params.id)).id)
        return view(await need(who, params.id))
      },
      { params: idParams, detail: { tags, summary: 'Unlink the phone' } },
    )
    .post(
      '/whatsappsession/:id/pairing-code',
      async ({ who, params, body }) => {
        const row = await need(who, params.id)
        return {
          code: await sessions.requestPairingCode(row.id, await typedNumber(db, who.companyId, body.number, 'country')),
        }
      },
      {
        params: idParams,
        body: pairingInput,
        detail: { tags, summary: 'A code to type on the phone, in place of the QR' },
      },
    )
    .post(
      '/whatsapp-restart',
      async ({ who }) => {
        // As the page has it: who may add one may start all of them anew.
        demand(who, 'connections-page:addConnection')
        await sessions.restartAll(who.companyId)
        return {}
      },
      { detail: { tags, summary: 'Restart all sessions of the company' } },
    )
}

import { randomBytes } from 'node:crypto'
import { and, asc, eq, ne } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { companies } from '../../schema/companies/companies.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { changedWhatsapp, newWhatsapp, pairingInput } from '../../schema/whatsapps/whatsapps.inputs.ts'
import { officialApis } from '../../schema/whatsapps/whatsapps.providers.ts'
import { whatsappQueues, whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { readNumbers, whatsappWire } from '../../schema/wire.ts'
import { typedNumber } from '../contacts/contacts.typed.queries.ts'
import { demandRoom } from '../companies/plan-limits.ts'
import type { Tx } from '../db/database.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'
import { demandBots } from '../bots/bots.queries.ts'
import { demandQueues } from '../users/users.queries.ts'
import { connectionHealth, findWhatsapp, listWhatsapps, shownTo, type WhatsappRow } from './whatsapps.queries.ts'

const tags = ['connections']
const told = whatsappWire.write

/** Connections and their sessions. */
export function whatsappRoutes(deps: AppDeps) {
  const { db, events, sessions, official, now } = deps

  /**
   * A token is made here. One that somebody chose could be another company's already, and the refusal would tell them
   * that it is good there.
   */
  const demandOwnToken = (given: string | undefined, own: string) => {
    if (given && given !== own)
      throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/token', message: 'made by the server' }] })
  }
  /** What was written over one wire is known to no other. */
  const demandOwnWire = (given: string | undefined, own: string) => {
    if (given !== undefined && given !== own)
      throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/provider', message: 'for good' }] })
  }
  /** How a number of the official API is reached is said when its connection is made, and of no other. */
  const demandReached = (provider: string | undefined, reached: object | undefined) => {
    if (officialApis.some((api) => api === provider) !== (reached !== undefined))
      throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/official', message: 'of the official API' }] })
  }
  const need = async (who: Principal, id: number): Promise<WhatsappRow> => {
    const row = await findWhatsapp(db, who.companyId, id)
    if (!row) throw new DomainError('ERR_NO_WAPP_FOUND')
    return row
  }
  const forSession = async (who: Principal, id: number): Promise<WhatsappRow> => {
    demand(who, 'connections-page:actionButtons')
    return need(who, id)
  }
  /** Everybody in the company hears of it, so neither token nor QR is in it. */
  const tell = (action: string, row: WhatsappRow) => {
    const { token: _token, qrcode: _qrcode, ...whatsapp } = row
    events.emit({ companyId: row.companyId, name: 'whatsapp', action, payload: { whatsapp: told(whatsapp) } })
  }

  /** One change of connections of a company at a time: the default is a property of all of them together. */
  const locked = <T>(companyId: number, work: (tx: Tx) => Promise<T>): Promise<T> =>
    db.transaction(async (tx) => {
      await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('no key update')
      return work(tx)
    })
  const takeDefault = (tx: Tx, companyId: number) =>
    tx
      .update(whatsapps)
      .set({ isDefault: false })
      .where(and(eq(whatsapps.companyId, companyId), eq(whatsapps.isDefault, true)))
  const setQueues = async (tx: Tx, companyId: number, whatsappId: number, queueIds: readonly number[]) => {
    await tx.delete(whatsappQueues).where(eq(whatsappQueues.whatsappId, whatsappId))
    const rows = [...new Set(queueIds)].map((queueId) => ({ companyId, whatsappId, queueId }))
    if (rows.length > 0) await tx.insert(whatsappQueues).values(rows)
  }
  /** What a connection that is gone would still have sent or fetched: there is nobody left to do it. */
  const failWaiting = async (tx: Tx, whatsappId: number) => {
    const ofIt = eq(messages.whatsappId, whatsappId)
    await tx
      .update(messages)
      .set({ mediaState: 'failed', updatedAt: now() })
      .where(and(ofIt, eq(messages.mediaState, 'pending')))
    await tx
      .update(messages)
      .set({ ack: 0, ackError: 'ERR_NO_WAPP_FOUND', whatsappId: null, updatedAt: now() })
      .where(and(ofIt, eq(messages.fromMe, true), eq(messages.ack, 1)))
  }
  const check = async (
    tx: Tx,
    companyId: number,
    queueIds: readonly number[],
    greeting: string,
    transferQueueId: number | null | undefined,
  ) => {
    if (new Set(queueIds).size > 1 && !greeting.trim()) throw new DomainError('ERR_WAPP_GREETING_REQUIRED')
    await demandQueues(tx, companyId, transferQueueId ? [...queueIds, transferQueueId] : queueIds)
  }

  return new Elysia()
    .use(authed(deps))
    .onTransform(readNumbers)
    .get(
      '/whatsapp',
      async ({ who }) => (await listWhatsapps(db, who.companyId)).map((row) => told(shownTo(who, row))),
      {
        detail: { tags, summary: 'All connections; token and QR only for admins' },
      },
    )
    .get('/whatsapp/:id', async ({ who, params }) => told(shownTo(who, await need(who, params.id))), {
      params: idParams,
      detail: { tags, summary: 'One connection' },
    })
    .get(
      '/whatsapp/:id/health',
      async ({ who, params }) => {
        const row = await forSession(who, params.id)
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
      '/whatsapp',
      async ({ who, body }) => {
        demand(who, 'connections-page:addConnection')
        const { companyId } = who
        const { official: reached, ...fields } = body
        const { queueIds = [], token, isDefault, ...rest } = whatsappWire.read(fields)
        demandOwnToken(token, '')
        demandReached(rest.provider, reached)
        if (reached) await official.demand(reached)
        const id = await locked(companyId, async (tx) => {
          await demandRoom(tx, companyId, 'connections')
          await demandBots(tx, companyId, body)
          await check(tx, companyId, queueIds, body.greetingMessage ?? '', body.transferQueueId)
          const [first] = await tx
            .select({ id: whatsapps.id })
            .from(whatsapps)
            .where(and(eq(whatsapps.companyId, companyId), eq(whatsapps.isDefault, true)))
          if (isDefault) await takeDefault(tx, companyId)
          const [row] = await tx
            .insert(whatsapps)
            .values({
              ...rest,
              companyId,
              name: body.name.trim(),
              isDefault: isDefault === true || first === undefined,
              token: randomBytes(24).toString('base64url'),
            })
            .returning({ id: whatsapps.id })
          await setQueues(tx, companyId, row!.id, queueIds)
          if (reached) await official.set(tx, companyId, row!.id, reached)
          return row!.id
        })
        await sessions.start(id)
        const row = await need(who, id)
        tell('create', row)
        return told(row)
      },
      {
        body: newWhatsapp,
        detail: { tags, summary: 'Make a connection and start its session' },
      },
    )
    .put(
      '/whatsapp/:id',
      async ({ who, params, body }) => {
        demand(who, 'connections-page:editOrDeleteConnection')
        const { companyId } = who
        const { queueIds, token, provider, isDefault, ...rest } = whatsappWire.read(body)
        await locked(companyId, async (tx) => {
          const before = await findWhatsapp(tx, companyId, params.id)
          if (!before) throw new DomainError('ERR_NO_WAPP_FOUND')
          demandOwnToken(token, before.token)
          demandOwnWire(provider, before.provider)
          await demandBots(tx, companyId, body)
          await check(
            tx,
            companyId,
            queueIds ?? before.queueIds,
            body.greetingMessage ?? before.greetingMessage,
            body.transferQueueId,
          )
          if (isDefault === false && before.isDefault) throw new DomainError('ERR_NO_OTHER_WHATSAPP')
          if (isDefault && !before.isDefault) await takeDefault(tx, companyId)
          await tx
            .update(whatsapps)
            .set({
              ...rest,
              ...(body.name !== undefined && { name: body.name.trim() }),
              ...(isDefault && { isDefault }),
              updatedAt: now(),
            })
            .where(and(eq(whatsapps.companyId, companyId), eq(whatsapps.id, params.id)))
          if (queueIds) await setQueues(tx, companyId, params.id, queueIds)
        })
        const row = await need(who, params.id)
        tell('update', row)
        return told(row)
      },
      {
        params: idParams,
        body: changedWhatsapp,
        detail: { tags, summary: 'Change a connection' },
      },
    )
    .post(
      '/whatsapp/:id/token',
      async ({ who, params }) => {
        demand(who, 'connections:token')
        await need(who, params.id)
        await db
          .update(whatsapps)
          .set({ token: randomBytes(24).toString('base64url'), updatedAt: now() })
          .where(and(eq(whatsapps.companyId, who.companyId), eq(whatsapps.id, params.id)))
        return told(shownTo(who, await need(who, params.id)))
      },
      {
        params: idParams,
        detail: {
          tags,
          summary: 'Another token of the API in place of the one there is, which opens nothing any more',
        },
      },
    )
    .delete(
      '/whatsapp/:id',
      async ({ who, params }) => {
        demand(who, 'connections-page:editOrDeleteConnection')
        const { companyId } = who
        const row = await need(who, params.id)
        await sessions.forget(row.id)
        await locked(companyId, async (tx) => {
          await tx.delete(whatsapps).where(and(eq(whatsapps.companyId, companyId), eq(whatsapps.id, row.id)))
          await failWaiting(tx, row.id)
          if (!row.isDefault) return
          const [next] = await tx
            .select({ id: whatsapps.id })
            .from(whatsapps)
            .where(and(eq(whatsapps.companyId, companyId), ne(whatsapps.id, row.id)))
            .orderBy(asc(whatsapps.id))
            .limit(1)
          if (next) await tx.update(whatsapps).set({ isDefault: true }).where(eq(whatsapps.id, next.id))
        })
        events.emit({ companyId, name: 'whatsapp', action: 'delete', payload: { whatsappId: row.id } })
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a connection; its tickets stay' } },
    )
    .post(
      '/whatsappsession/:id',
      async ({ who, params }) => {
        await sessions.start((await forSession(who, params.id)).id)
        return told(await need(who, params.id))
      },
      { params: idParams, detail: { tags, summary: 'Start the session' } },
    )
    .put(
      '/whatsappsession/:id',
      async ({ who, params }) => {
        await sessions.newQr((await forSession(who, params.id)).id)
        return told(await need(who, params.id))
      },
      { params: idParams, detail: { tags, summary: 'Forget the phone and ask for a new QR' } },
    )
    .delete(
      '/whatsappsession/:id',
      async ({ who, params }) => {
        await sessions.logout((await forSession(who, params.id)).id)
        return told(await need(who, params.id))
      },
      { params: idParams, detail: { tags, summary: 'Unlink the phone' } },
    )
    .post(
      '/whatsappsession/:id/pairing-code',
      async ({ who, params, body }) => {
        const row = await forSession(who, params.id)
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

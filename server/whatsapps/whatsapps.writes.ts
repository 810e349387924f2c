/** A connection is made, changed, given another token, deleted: each in one transaction. */
import { randomBytes } from 'node:crypto'
import type { Static } from '@sinclair/typebox'
import { and, asc, eq, ne } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { DomainError } from '../../schema/errors.ts'
import type { changedWhatsapp, newWhatsapp } from '../../schema/whatsapps/whatsapps.inputs.ts'
import { officialApis } from '../../schema/whatsapps/whatsapps.providers.ts'
import { whatsappQueues, whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { whatsappWire } from '../../schema/wire.ts'
import { demandBots } from '../bots/bots.queries.ts'
import { applyDecision } from '../commands/apply.ts'
import { demandRoom } from '../companies/plan-limits.queries.ts'
import { fetchSoon } from '../templates/templates.changes.ts'
import type { Tx } from '../db/database.ts'
import type { AppDeps } from '../http/deps.ts'
import { demandOwned } from '../commands/owned.ts'
import { needWhatsapp, type WhatsappRow } from './whatsapps.queries.ts'

type Deps = Pick<AppDeps, 'db' | 'official' | 'now'>

/**
 * @returns its id
 * @throws ERR_PLAN_LIMIT and what `demandBots` refuses, ERR_WAPP_GREETING_REQUIRED, ERR_VALIDATION, and of the official API
 *   what the service refuses
 */
export async function addWhatsapp(deps: Deps, companyId: number, body: Static<typeof newWhatsapp>): Promise<number> {
  const { official: reached, ...fields } = body
  const { queueIds = [], token, isDefault, ...rest } = whatsappWire.read(fields)
  demandOwnToken(token, '')
  demandReached(rest.provider, reached)
  const owner = reached && (await deps.official.demand(reached))
  return locked(deps, companyId, async (tx) => {
    await demandRoom(tx, companyId, 'connections')
    await demandBots(tx, companyId, body)
    await demandQueuesFit(tx, companyId, queueIds, body.greetingMessage ?? '', body.transferQueueId)
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
        token: newToken(),
      })
      .returning({ id: whatsapps.id })
    await setQueues(tx, companyId, row!.id, queueIds)
    if (reached) {
      await deps.official.set(tx, companyId, row!.id, reached, owner)
      await fetchSoon(tx, companyId, row!.id, deps.now())
    }
    return row!.id
  })
}

/** @throws ERR_NO_WAPP_FOUND, ERR_NO_OTHER_WHATSAPP, and as `addWhatsapp` */
export async function changeWhatsapp(
  deps: Deps,
  companyId: number,
  id: number,
  body: Static<typeof changedWhatsapp>,
): Promise<void> {
  const { queueIds, token, provider, isDefault, ...rest } = whatsappWire.read(body)
  await locked(deps, companyId, async (tx) => {
    const before = await needWhatsapp(tx, companyId, id)
    demandOwnToken(token, before.token)
    demandOwnWire(provider, before.provider)
    await demandBots(tx, companyId, body)
    await demandQueuesFit(
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
        updatedAt: deps.now(),
      })
      .where(and(eq(whatsapps.companyId, companyId), eq(whatsapps.id, id)))
    if (queueIds) await setQueues(tx, companyId, id, queueIds)
  })
}

/** The one before opens nothing any more. */
export async function renewToken({ db, now }: Deps, companyId: number, id: number): Promise<void> {
  await db
    .update(whatsapps)
    .set({ token: newToken(), updatedAt: now() })
    .where(and(eq(whatsapps.companyId, companyId), eq(whatsapps.id, id)))
}

/** Its tickets stay. What waited for it fails; another one becomes the default. */
export async function deleteWhatsapp(deps: Deps, companyId: number, row: WhatsappRow): Promise<void> {
  await locked(deps, companyId, async (tx) => {
    await tx.delete(whatsapps).where(and(eq(whatsapps.companyId, companyId), eq(whatsapps.id, row.id)))
    await failWaiting(tx, companyId, row.id, deps.now())
    if (!row.isDefault) return
    const [next] = await tx
      .select({ id: whatsapps.id })
      .from(whatsapps)
      .where(and(eq(whatsapps.companyId, companyId), ne(whatsapps.id, row.id)))
      .orderBy(asc(whatsapps.id))
      .limit(1)
    if (next) await tx.update(whatsapps).set({ isDefault: true }).where(eq(whatsapps.id, next.id))
  })
}

const newToken = () => randomBytes(24).toString('base64url')

/**
 * A token is made here. One that somebody chose could be another company's already, and the refusal would tell them
 * that it is good there.
 */
function demandOwnToken(given: string | undefined, own: string): void {
  if (given && given !== own)
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/token', message: 'made by the server' }] })
}

/** What was written over one wire is known to no other. */
function demandOwnWire(given: string | undefined, own: string): void {
  if (given !== undefined && given !== own)
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/provider', message: 'for good' }] })
}

/** How a number of the official API is reached is said when its connection is made, and of no other. */
function demandReached(provider: string | undefined, reached: object | undefined): void {
  if (officialApis.some((api) => api === provider) !== (reached !== undefined))
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/official', message: 'of the official API' }] })
}

/** Queues of the company, and a greeting where there is more than one to choose from. */
async function demandQueuesFit(
  tx: Tx,
  companyId: number,
  queueIds: readonly number[],
  greeting: string,
  transferQueueId: number | null | undefined,
): Promise<void> {
  if (new Set(queueIds).size > 1 && !greeting.trim()) throw new DomainError('ERR_WAPP_GREETING_REQUIRED')
  await demandOwned(tx, companyId, 'queues', transferQueueId ? [...queueIds, transferQueueId] : queueIds)
}

/** One change of connections of a company at a time: the default is a property of all of them together. */
function locked<T>({ db }: Deps, companyId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('no key update')
    return work(tx)
  })
}

async function takeDefault(tx: Tx, companyId: number): Promise<void> {
  await tx
    .update(whatsapps)
    .set({ isDefault: false })
    .where(and(eq(whatsapps.companyId, companyId), eq(whatsapps.isDefault, true)))
}

async function setQueues(tx: Tx, companyId: number, whatsappId: number, queueIds: readonly number[]): Promise<void> {
  await tx.delete(whatsappQueues).where(eq(whatsappQueues.whatsappId, whatsappId))
  const rows = [...new Set(queueIds)].map((queueId) => ({ companyId, whatsappId, queueId }))
  if (rows.length > 0) await tx.insert(whatsappQueues).values(rows)
}

/** What a connection that is gone would still have sent or fetched: there is nobody left to do it. */
async function failWaiting(tx: Tx, companyId: number, whatsappId: number, now: Date): Promise<void> {
  const of = { table: 'messages', op: 'update', where: { column: 'whatsappId', in: [whatsappId] } } as const
  await applyDecision(tx, companyId, {
    rows: [
      {
        ...of,
        and: [{ column: 'mediaState', in: ['pending'] }],
        values: { mediaState: 'failed', updatedAt: now },
      },
      {
        ...of,
        and: [
          { column: 'fromMe', in: [true] },
          { column: 'ack', in: [1] },
        ],
        values: { ack: 0, ackError: 'ERR_NO_WAPP_FOUND', whatsappId: null, updatedAt: now },
      },
    ],
    effects: [],
  })
}

import type { InboundAck, InboundCharge, InboundEvent } from '../../schema/messages/messages.inbound.ts'
import type { MessageRemark } from '../../schema/messages/messages.own.ts'
import type { PastPiece } from '../../schema/messages/messages.past.ts'
import { cloudFailureIn } from '../../schema/whatsapps/whatsapps.cloud-failures.ts'
import { isRecord } from '../outside/outside.call.ts'
import type { CloudDeps, CloudPreference } from './cloud.channel.ts'
import type { CloudStore, Sent, WaitingHook } from './cloud.store.ts'
import type { Troubles } from './cloud.troubles.ts'
import { keysOf } from './to-cloud.ts'
import { type AccountNews, newsOfAccount } from './from-cloud.accounts.ts'
import { noticeFrom, templateFields } from './from-cloud.templates.ts'
import { ackOf, type CloudStatus, type CloudUpdate, fromCloud, numberIdOf, sendStates } from './from-cloud.ts'

interface Deps {
  store: CloudStore
  receive(events: InboundEvent[]): Promise<void>
  /** Templates of these connections have changed. */
  onTemplates: CloudDeps['onTemplates']
  onPreferences: CloudDeps['onPreferences']
  onHistory: CloudDeps['onHistory']
  refusedBy: Troubles['tell']
  /** The service has changed something of the account or the number of a connection. */
  onNews(connection: Facts, news: AccountNews, at: Date): Promise<void>
  delivers: Troubles['over']
  /** Something came over this connection, and is filed. */
  came(whatsappId: number): void
}

/** Of whom it is remembered that their number and id were told. */
const MOST_PAIRS = 50_000
/** Events that are filed together. */
const BATCH = 200

type EventUpdate = Extract<CloudUpdate, { is: 'event' }>
type Count = (reason: string) => void
/** One change, and the account that it is of. */
interface Told {
  account: string
  field: string
  value: unknown
}
/** When it was heard. */
type Dated = Told & { createdAt: Date }
interface Facts {
  companyId: number
  whatsappId: number
}

/** Makes of the service's bytes what the product takes. Safe to be done again with the same ones. */
export function createCloudFiler(deps: Deps) {
  const { store } = deps
  const paired = pairing(deps)

  /** @param hooks of one address and one secret, in their order: they are filed together, for there may be hundreds a second */
  async function file(hooks: readonly WaitingHook[]): Promise<void> {
    const [first] = hooks
    if (!first) return
    const { hook, appMark } = first
    const ignored = new Map<string, number>()
    const count = (reason: string) => ignored.set(reason, (ignored.get(reason) ?? 0) + 1)
    const all = hooks.flatMap(({ body, createdAt }) => {
      const changes = changesIn(body)
      if (!changes) count('unreadable')
      return (changes ?? []).map((change) => ({ ...change, createdAt }))
    })
    await ofTemplates(
      appMark,
      all.filter(({ field }) => templateFields.has(field)),
      count,
    )
    const ofOthers = all.filter(({ field }) => !templateFields.has(field))
    const heeded = await ofAccounts(appMark, ofOthers)
    const changes = ofOthers.filter((change) => !heeded.has(change))
    const ids = new Set(changes.flatMap(({ value }) => numberIdOf(value) ?? []))
    const accounts = new Map((await store.accountsOf(appMark, [...ids])).map((one) => [one.phoneNumberId, one]))
    for (const [id, own] of Map.groupBy(changes, ({ value }) => numberIdOf(value))) {
      const account = id === undefined ? undefined : accounts.get(id)
      if (account) {
        const { companyId, whatsappId, portfolio } = account
        const facts = { companyId, whatsappId, portfolio }
        await filed(
          facts,
          own.flatMap(({ field, value, createdAt }) => fromCloud(field, value, { ...facts, now: createdAt })),
          count,
        )
      } else for (const { field } of own) count(id === undefined ? fieldReason(field) : 'unknown_number')
    }
    await store.countIgnored(hook, ignored)
  }

  /** Templates are an account's: each of its numbers has them. */
  async function ofTemplates(appMark: string, changes: readonly Told[], count: Count): Promise<void> {
    for (const [account, own] of Map.groupBy(changes, (change) => change.account)) {
      const connections = await store.numbersOf(appMark, account)
      if (connections.length === 0) for (const _ of own) count('unknown_number')
      else
        await deps.onTemplates(
          connections.map(({ companyId, whatsappId }) => ({ companyId, whatsappId })),
          own.flatMap(({ field, value }) => noticeFrom(field, value) ?? []),
        )
    }
  }

  /** What the service does to an account, it does to each of its numbers. @returns what meant something to one of ours */
  async function ofAccounts(appMark: string, changes: readonly Dated[]): Promise<Set<Told>> {
    const heeded = new Set<Told>()
    for (const change of changes) {
      const told = newsOfAccount(change.account, change.field, change.value)
      if (!told) continue
      const { account, news, number } = told
      const connections = (await store.numbersOf(appMark, account)).filter(
        (one) => number === null || one.number === number,
      )
      for (const { companyId, whatsappId } of connections)
        await deps.onNews({ companyId, whatsappId }, news, change.createdAt)
      if (connections.length > 0) heeded.add(change)
    }
    return heeded
  }

  /** What one number was told. */
  async function filed(facts: Facts, updates: readonly CloudUpdate[], count: Count): Promise<void> {
    const { whatsappId } = facts
    for (const update of updates) if (update.is === 'ignored') count(update.reason)
    await keptPast(deps, facts, updates)
    await deps.onPreferences(preferencesIn(facts, updates))
    const events = updates.filter((update) => update.is === 'event')
    const statuses = updates.flatMap((update) => (update.is === 'status' ? [update.status] : []))
    const named = await store.widsOf(
      whatsappId,
      events.flatMap(({ event }) => targetOf(event) ?? []),
    )
    for (let at = 0; at < events.length; at += BATCH) {
      const batch = await latest(whatsappId, events.slice(at, at + BATCH))
      await store.keepMedia(
        whatsappId,
        batch.flatMap(({ event, mediaId }) =>
          mediaId !== undefined && event.kind === 'message' ? [{ wid: event.wid, mediaId }] : [],
        ),
      )
      // Before anybody sees it, and reads or answers below it.
      for (const { event } of batch)
        if (event.kind === 'message' && !event.fromMe && event.chat.kind === 'person')
          for (const key of keysOf(event.chat)) await store.noteChat(whatsappId, key, event.wid, event.sentAt)
      await deps.receive(batch.map(({ event }) => byOurIds(event, named)))
      for (const { change } of batch) if (change) await store.noteChange(whatsappId, change)
    }
    if (events.length > 0) deps.came(whatsappId)
    await raised(deps, facts, statuses, count)
    await paired(facts, statuses)
  }

  /** Of changes of the same thing only the newest is told, and none that is older than what is known. */
  async function latest(whatsappId: number, batch: readonly EventUpdate[]) {
    const kept: EventUpdate[] = []
    for (const update of batch) {
      const { change } = update
      if (!change) kept.push(update)
      else if (await store.isLatest(whatsappId, change)) {
        const before = kept.findIndex((other) => other.change?.key === change.key)
        if (before < 0) kept.push(update)
        else if (kept[before]!.change!.at <= change.at) kept[before] = update
      }
    }
    return kept
  }

  return file
}

/** Messages and people that are filed together, so that nothing else waits for long. */
const PAST_BATCH = 500

/** What was before is kept in pieces, and filed by jobs: there may be a hundred thousand of it. */
async function keptPast(
  { store, onHistory }: Pick<Deps, 'store' | 'onHistory'>,
  facts: Facts,
  updates: readonly CloudUpdate[],
): Promise<void> {
  const { whatsappId } = facts
  const all = updates.flatMap((update) => (update.is === 'past' ? [update.past] : []))
  if (all.length === 0) return
  const messages = all.flatMap((past) => past.messages)
  const people = all.flatMap((past) => past.people)
  await store.keepMedia(
    whatsappId,
    messages.flatMap(({ wid, mediaId }) => (mediaId === undefined ? [] : [{ wid, mediaId }])),
  )
  const pieces: PastPiece[] = []
  for (let at = 0; at < people.length; at += PAST_BATCH)
    pieces.push({ messages: [], people: people.slice(at, at + PAST_BATCH) })
  for (let at = 0; at < messages.length; at += PAST_BATCH)
    pieces.push({
      people: [],
      messages: messages.slice(at, at + PAST_BATCH).map(({ mediaId: _mediaId, ...past }) => past),
    })
  const ids = await store.keepHistory(whatsappId, pieces)
  await store.noteHistory(whatsappId, {
    chunks: all.flatMap((past) => past.chunks),
    isDeclined: all.some((past) => past.isDeclined),
  })
  await onHistory(facts, ids)
}

interface Risen {
  sent: Sent
  status: CloudStatus
}

/** States only rise, in whatever order and however often they are told. */
async function raised(
  { store, receive, refusedBy, delivers }: Pick<Deps, 'store' | 'receive' | 'refusedBy' | 'delivers'>,
  facts: Facts,
  statuses: readonly CloudStatus[],
  count: Count,
): Promise<void> {
  if (statuses.length === 0) return
  const { companyId, whatsappId } = facts
  const from = { companyId, whatsappId }
  const known = await store.sendsOf(
    whatsappId,
    statuses.map(({ wamid }) => wamid),
    statuses.flatMap(({ callback }) => callback ?? []),
  )
  const byWamid = new Map(known.map((one) => [one.wamid, one]))
  const byCallback = new Map(known.flatMap((one) => (one.wamid === null ? [[one.callback, one]] : [])))
  const risen = new Map<string, Risen>()
  const charges: InboundCharge[] = []
  for (const status of statuses) {
    const sent = byWamid.get(status.wamid) ?? byCallback.get(status.callback ?? '')
    // Also what another program sends over the number costs the company's money.
    if (status.charge)
      charges.push({
        ...{ ...from, kind: 'charge', ...status.charge },
        ...{ wid: sent?.wid ?? status.wamid, template: sent?.template ?? null },
      })
    if (!sent) count('status_of_none')
    else if (status.state > (risen.get(sent.wid)?.status.state ?? sent.state)) risen.set(sent.wid, { sent, status })
    else if (isFailure(status) && isFailure(sent) && !risen.has(sent.wid)) risen.set(sent.wid, { sent, status })
    else if (sent.wamid === null && !risen.has(sent.wid)) risen.set(sent.wid, { sent, status })
  }
  const acks = [...risen.values()].flatMap(({ sent, status }): InboundAck[] => {
    const ack = ackOf[status.state]
    // It was taken, and then it failed after all.
    const undelivered = status.state === sendStates.failed && { undelivered: true }
    const remark: MessageRemark | null = sent.tries > 1 ? 'perhaps_twice' : null
    return ack === null
      ? []
      : [{ ...from, kind: 'ack', wid: sent.wid, ack, error: status.error ?? remark, ...undelivered }]
  })
  const reached = async (states: readonly Risen[]) => {
    if (states.length === 0) return
    await store.reached(
      whatsappId,
      states.map(({ sent: { wid }, status: { wamid, state } }) => ({ wid, wamid, state })),
    )
  }
  for (const { sent, status } of risen.values()) {
    const failed = isFailure(status) && status.error !== null ? cloudFailureIn(status.error) : undefined
    if (failed) await refusedBy(facts, { ...failed, template: sent.template, isMany: false })
  }
  const delivered = [...risen.values()].filter(({ status }) => status.state >= sendStates.delivered)
  const lastAsked = Math.max(...delivered.map(({ sent }) => sent.askedAt.getTime()))
  if (delivered.length > 0) await delivers(whatsappId, new Date(lastAsked))
  // A failure stands here before the product has it, which may ask for the message again at once. Where we die in between,
  // the call is worked off again, and the failure emitted again. All other states are emitted first.
  await reached([...risen.values()].filter(({ status }) => isFailure(status)))
  if (acks.length + charges.length > 0) await receive([...acks, ...charges])
  await reached([...risen.values()].filter(({ status }) => !isFailure(status)))
}

const isFailure = ({ state }: { state: number }) => state === sendStates.failed

/** Whom a message of ours has reached: who was written to by their number is known by their id from then on. */
function pairing(deps: Pick<Deps, 'receive'>) {
  /** What was told lately. */
  const given = new Set<string>()
  return async ({ companyId, whatsappId }: Facts, statuses: readonly CloudStatus[]): Promise<void> => {
    for (const { pair } of statuses) {
      const key = pair && `${companyId}/${pair.number}/${pair.bsuid.portfolio}/${pair.bsuid.id}/${pair.bsuid.parent}`
      if (!key || given.has(key)) continue
      await deps.receive([{ companyId, whatsappId, kind: 'identity', lid: null, ...pair }])
      if (given.size >= MOST_PAIRS) given.clear()
      given.add(key)
    }
  }
}

/** Who stops marketing, or wants it again: told as such, or by what could not be delivered for it. */
function preferencesIn({ companyId, whatsappId }: Facts, updates: readonly CloudUpdate[]): CloudPreference[] {
  return updates.flatMap((update) => {
    if (update.is === 'preference') {
      const { number, bsuid, wants, at } = update
      return [{ companyId, whatsappId, number, bsuid, wants, at }]
    }
    const stopped = update.is === 'status' ? update.status.stopped : undefined
    return stopped ? [{ companyId, whatsappId, ...stopped, wants: false }] : []
  })
}

/** Reasons are few, whatever somebody writes. */
const fieldReason = (field: string): string => {
  const [update] = fromCloud(field, {}, { companyId: 0, whatsappId: 0, portfolio: '', now: new Date(0) })
  return update?.is === 'ignored' && update.reason !== 'empty' ? update.reason : 'no_number_id'
}

/** Undefined for what is none of the service's. */
function changesIn(body: Uint8Array): Told[] | undefined {
  let given: unknown
  try {
    given = JSON.parse(Buffer.from(body).toString())
  } catch {
    return undefined
  }
  if (!isRecord(given) || given['object'] !== 'whatsapp_business_account' || !Array.isArray(given['entry']))
    return undefined
  return (given['entry'] as unknown[]).flatMap((entry) => {
    const changes = isRecord(entry) && Array.isArray(entry['changes']) ? (entry['changes'] as unknown[]) : []
    const account = isRecord(entry) && typeof entry['id'] === 'string' ? entry['id'].slice(0, 32) : ''
    return changes.flatMap((change) =>
      isRecord(change) && typeof change['field'] === 'string'
        ? [{ account, field: change['field'], value: change['value'] }]
        : [],
    )
  })
}

/** The message that an event is about, by the service's id, where that may be one of ours. */
function targetOf(event: InboundEvent): string | undefined {
  if (event.kind === 'message') return event.quotedWid ?? undefined
  return event.kind === 'reaction' ? event.wid : undefined
}

function byOurIds(event: InboundEvent, named: ReadonlyMap<string, string>): InboundEvent {
  if (event.kind === 'message' && event.quotedWid !== null)
    return { ...event, quotedWid: named.get(event.quotedWid) ?? event.quotedWid }
  return event.kind === 'reaction' ? { ...event, wid: named.get(event.wid) ?? event.wid } : event
}

import type { Logger } from 'pino'
import { numberVariants } from '../../schema/contacts/contacts.phone.ts'
import { DomainError } from '../../schema/errors.ts'
import type { ChatAddress, OutgoingMessage } from '../../schema/messages/messages.content.ts'
import type { InboundEvent } from '../../schema/messages/messages.inbound.ts'
import type { MessageRemark } from '../../schema/messages/messages.own.ts'
import { actionOn, cloudFailureOf } from '../../schema/whatsapps/whatsapps.cloud-failures.ts'
import { cannot } from '../../schema/whatsapps/whatsapps.providers.ts'
import type { LineTarget } from '../channels/channel.port.ts'
import { isRecord } from '../outside/outside.call.ts'
import { later, type Line, refused } from './cloud.line.ts'
import type { createCloudFiles } from './cloud.files.ts'
import type { Said } from './cloud.said.ts'
import type { Troubles } from './cloud.troubles.ts'
import type { CloudStore } from './cloud.store.ts'
import { sendStates } from './from-cloud.ts'
import { type Graph, GraphError, GraphSilence } from './graph.ts'
import { addressed, isTooLong, keyOf, keysOf, type Place, placeIn, toCloud } from './to-cloud.ts'

interface Deps {
  store: CloudStore
  /** The product takes what is known of a message before its states are told. */
  receive(events: InboundEvent[]): Promise<void>
  refusedBy: Troubles['tell']
  graph: Graph
  files: ReturnType<typeof createCloudFiles>
  said: Said
  now(): Date
  log: Logger
  /** So long a state of an unanswered message is awaited before one more try, and so often it is looked for. */
  awaitMs: number
  lookMs: number
  /** Since when this server hears the service: what was to be told before that comes again now. */
  since: Date
}

/** Twice at most: the second time when nothing was heard of the first. */
const MOST_TRIES = 2

export type CloudOutbox = ReturnType<typeof createCloudOutbox>

/** What leaves over the official API. Every method is given a line that is open. */
export function createCloudOutbox(deps: Deps) {
  const { store, graph, files, said } = deps
  /** Two that ask for the same message at once ask the service once. */
  const leaving = new Map<string, Promise<void>>()
  const post = (line: Line, body: Record<string, unknown>) =>
    graph.call(line.account, `${line.account.phoneNumberId}/messages`, { method: 'POST', body })

  async function send(line: Line, message: OutgoingMessage): Promise<void> {
    const { wid, to, content, quoted } = message
    if (to.kind !== 'person') throw cannot('groups')
    const place = await placeOf(store, line, to)
    const key = keyOf(place)
    if (isTooLong(content)) throw refused('too_large')
    const callback = await wordToAsk(deps, line, message)
    if (callback === null) return
    const wait = line.pace.take(key)
    if (wait > 0) throw later(line.id, wait)
    const file = await files.uploaded(line, message).catch(async (error: unknown) => {
      throw await said(line, key, error)
    })
    const contextId = quoted && ((await store.wamidOf(line.id, quoted.wid)) ?? (quoted.fromMe ? undefined : quoted.wid))
    const template = content.type === 'template' ? content.template.name : null
    await store.ask(line.id, { wid, callback, template }, deps.now())
    line.unanswered.add(wid)
    try {
      const answer = await post(
        line,
        toCloud(content, { to: place, callback, contextId: contextId ?? undefined, file }),
      )
      const wamid = wamidIn(answer)
      if (wamid === undefined) throw new GraphSilence(true)
      await store.answered(line.id, wid, wamid)
      await heldBack(deps, line, { wid, template }, answer)
    } catch (error) {
      throw await saidAfter(line, { number: key, wid, template, isMany: message.by === 'many' }, error)
    }
    line.unanswered.delete(wid)
    line.pace.went(key)
    line.lastOutAt = deps.now()
  }

  /** The same where the service may have taken the message before the call failed. */
  async function saidAfter(
    line: Line,
    { number, wid, ...sent }: { number: string; wid: string; template: string | null; isMany: boolean },
    error: unknown,
  ) {
    const isOpen =
      (error instanceof GraphSilence && error.isAsked) ||
      (error instanceof GraphError && actionOn(cloudFailureOf(error.code, error.status)) === 'doubt')
    const meant = await said(line, number, error, sent)
    if (isOpen) return meant
    line.unanswered.delete(wid)
    if (meant instanceof DomainError && meant.code === 'ERR_CHANNEL_REFUSED') await store.forgetSend(line.id, wid)
    else if (error instanceof GraphSilence || error instanceof GraphError) await store.unasked(line.id, wid)
    return meant
  }

  /** A word about a message, which does no harm twice. */
  async function signal(line: Line, number: string, body: Record<string, unknown>): Promise<void> {
    try {
      await post(line, body)
    } catch (error) {
      throw await said(line, number, error)
    }
  }

  return {
    async send(line: Line, message: OutgoingMessage): Promise<void> {
      const key = `${line.id}/${message.wid}`
      const work = leaving.get(key) ?? send(line, message).finally(() => leaving.delete(key))
      leaving.set(key, work)
      await work
    },
    async react(line: Line, target: LineTarget, emoji: string): Promise<void> {
      const place = await placeOf(store, line, target.chat)
      const known = target.fromMe ? await store.sent(line.id, target.wid) : undefined
      const about = target.fromMe ? known?.wamid : target.wid
      // Its answer is awaited; what is older than anything that is remembered has none.
      if (!about) throw known ? later(line.id, deps.lookMs) : refused('request')
      const wait = line.pace.take(keyOf(place))
      if (wait > 0) throw later(line.id, wait)
      await signal(line, keyOf(place), {
        ...addressed(place),
        type: 'reaction',
        reaction: { message_id: about, emoji },
      })
    },
    /** The latest of each chat: those before it are read with it. */
    async markRead(line: Line, targets: readonly LineTarget[]): Promise<void> {
      const latest = new Map(targets.map((target) => [chatKey(target.chat), target.wid]))
      for (const [key, wid] of latest)
        await signal(line, key, { messaging_product: 'whatsapp', status: 'read', message_id: wid })
    },
    /** Typing is shown below the contact's last message, which is read by that; it ends by itself. */
    async presence(line: Line, chat: ChatAddress, state: 'composing' | 'paused'): Promise<void> {
      if (state !== 'composing' || chat.kind !== 'person') return
      const keys = keysOf(chat).flatMap((key) => (key === chat.number ? numberVariants(key) : [key]))
      const wid = await store.lastOf(line.id, keys)
      if (wid === undefined) return
      const typing = { status: 'read', message_id: wid, typing_indicator: { type: 'text' } }
      await signal(line, chatKey(chat), { messaging_product: 'whatsapp', ...typing })
    },
    fetchMedia: files.fetch,
  }
}

/** A new or paused template is sent to some people first, and to the others when these did not mind. */
async function heldBack(
  deps: Deps,
  line: Line,
  { wid, template }: { wid: string; template: string | null },
  answer: Record<string, unknown>,
): Promise<void> {
  const status = firstOf(answer)?.message_status
  if (status !== 'held_for_quality_assessment' && status !== 'paused') return
  const from = { companyId: line.companyId, whatsappId: line.id }
  try {
    await deps.receive([{ ...from, kind: 'ack', wid, ack: 2, error: 'held_back' satisfies MessageRemark }])
    if (status === 'paused')
      await deps.refusedBy(from, { failure: 'template', code: undefined, template, isMany: false })
  } catch (err) {
    // The service has it, whatever we make of that.
    deps.log.warn({ err, wid }, 'that a message is held was not noted')
  }
}

/**
 * Whether the message is to be asked for: not where the service has it, not while its state is awaited.
 * @returns the word that travels with it; null where it is not
 * @throws the port's errors
 */
async function wordToAsk(deps: Deps, line: Line, message: OutgoingMessage): Promise<string | null> {
  const { store, now, log, awaitMs, lookMs, since } = deps
  const { wid, messageId } = message
  const known = await store.sent(line.id, wid)
  if (!known) return messageId
  if (known.state === sendStates.failed) {
    // Somebody asks for it again. What is told of the one that failed is not about this one.
    const [, times = '1'] = known.callback.split('~')
    const callback = `${messageId}~${Number(times) + 1}`
    await store.begunAnew(line.id, wid, callback)
    return callback
  }
  if (known.wamid !== null) {
    line.unanswered.delete(wid)
    return null
  }
  if (known.tries === 0) return known.callback
  const left = awaitMs - (now().getTime() - Math.max(known.askedAt.getTime(), since.getTime()))
  if (left > 0) throw later(line.id, Math.min(left, lookMs))
  // Its state may lie among what has been told, and may have been worked off since it was read.
  if (await store.hasWaiting(line.account.hook)) throw later(line.id, lookMs)
  const told = await store.sent(line.id, wid)
  if (told?.wamid !== null || told.state !== known.state) return wordToAsk(deps, line, message)
  if (known.tries < MOST_TRIES) {
    log.warn({ whatsappId: line.id, wid }, 'a message is asked for again: it may reach the contact twice')
    return known.callback
  }
  line.unanswered.delete(wid)
  throw refused('unanswered')
}

/** @throws ERR_CHANNEL_REFUSED where the contact cannot be reached over this number; ERR_CHANNEL_CANNOT */
async function placeOf(store: CloudStore, line: Line, chat: ChatAddress): Promise<Place> {
  if (chat.kind !== 'person') throw cannot('groups')
  // Another server may have learnt whose the account is.
  if (!chat.number && chat.bsuid && chat.bsuid.portfolio !== line.account.portfolio)
    line.account = (await store.account(line.id)) ?? line.account
  const place = placeIn(line.account.portfolio, chat)
  if (!place) throw refused('no_number')
  return place
}

const chatKey = (chat: ChatAddress): string => {
  if (chat.kind !== 'person') throw cannot('groups')
  return keysOf(chat)[0] ?? ''
}

function firstOf({ messages }: Record<string, unknown>): { id?: unknown; message_status?: unknown } | undefined {
  const [first] = Array.isArray(messages) ? (messages as unknown[]) : []
  return isRecord(first) ? first : undefined
}
function wamidIn(answer: Record<string, unknown>): string | undefined {
  const id = firstOf(answer)?.id
  return typeof id === 'string' ? id : undefined
}

import { isGood, isRecord } from '../outside/outside.call.ts'
import { createHmac } from 'node:crypto'
import { signatureOf } from '../signing.ts'
import {
  answering,
  type BotAnswer,
  type BotConversation,
  type BotFailure,
  BotFailed,
  type BotMessage,
  cut,
  fileOf,
  idOf,
  mediaTypeOf,
  mediaUrlOf,
  MOST_MESSAGES,
  saidOf,
  textOf,
  variablesOf,
} from './bots.answer.ts'
import { type BotDeps, callBot, refusalOf } from './bots.call.ts'

/** An integration with n8n or any other program that takes our event. */
export interface WebhookSettings {
  urlN8N: string
  /** `whsec_…`; during a change the new one and the old one. None: the event is not signed. */
  secrets: readonly string[]
}

/** The event that is sent: the one documented body, at most 20 kB as JSON. */
export interface WebhookEvent {
  type: 'message.received'
  /** When the message came, in ISO 8601. */
  timestamp: string
  data: {
    ticket: { id: number; uuid: string }
    contact: { id: number; name: string; number: string; email: string }
    message: { id: string; type: string; text: string; mediaUrl: string | null }
    connection: { id: number; name: string }
    queue: { id: number; name: string } | null
  }
}

const CALL_MS = 15_000
const MOST_EVENT_BYTES = 20_000
const MOST_ANSWER_BYTES = 200_000
/** Milliseconds after each failed try: 5 s, 5 and 30 minutes, 2, 5 and 10 hours. */
const pauses = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000]
export const WEBHOOK_TRIES = pauses.length + 1
/** So much later at most, so that those who failed together do not come together. */
const JITTER = 0.1

/** The event of a message. */
export function webhookEvent({ ticket, contact, message, connection, queue }: BotConversation, at: Date): WebhookEvent {
  const event = (text: string): WebhookEvent => ({
    type: 'message.received',
    timestamp: at.toISOString(),
    data: {
      ticket: { id: ticket.id, uuid: ticket.uuid },
      contact: { id: contact.id, name: contact.name, number: contact.number, email: contact.email },
      message: { id: message.id, type: message.type, text, mediaUrl: message.mediaUrl ?? null },
      connection: { id: connection.id, name: connection.name },
      queue: queue && { id: queue.id, name: queue.name },
    },
  })
  const bytes = (one: WebhookEvent) => Buffer.byteLength(JSON.stringify(one))
  let text = message.text.toWellFormed()
  while (text !== '' && bytes(event(text)) > MOST_EVENT_BYTES) text = cut(text, Math.floor(text.length * 0.8))
  return event(text)
}

/**
 * Sends the event, signed as Standard Webhooks say: headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.
 * The answer counts at the first try only; a later one comes too late for the contact.
 *
 * @param delivery `id` is the same at every try; `tries` were made before this one
 * @returns a failure `again` says in `afterMs` when the next try is due
 */
export function sendWebhook(
  deps: BotDeps,
  { urlN8N, secrets }: WebhookSettings,
  event: WebhookEvent,
  delivery: { id: string; tries: number },
): Promise<BotAnswer | BotFailure> {
  return answering(async () => {
    const body = JSON.stringify(event)
    const at = Math.floor(deps.now().getTime() / 1000)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'balcao',
      'webhook-id': delivery.id,
      'webhook-timestamp': String(at),
      ...(secrets.length > 0 && {
        'webhook-signature': secrets.map((secret) => signatureOf(secret, delivery.id, at, body)).join(' '),
      }),
    }
    try {
      const reply = await callBot(deps, urlN8N, {
        method: 'POST',
        headers,
        body,
        timeoutMs: CALL_MS,
        maxBytes: MOST_ANSWER_BYTES,
      })
      if (!isGood(reply)) throw refusalOf(reply)
      return delivery.tries === 0 ? readAnswer(reply.body) : { messages: [] }
    } catch (error) {
      throw laterOf(error, delivery)
    }
  })
}

/** Whoever gets a refusal may have been wrong for a moment, so all but 410 and a wrong address are tried again. */
function laterOf(error: unknown, { id, tries }: { id: string; tries: number }): unknown {
  if (!(error instanceof BotFailed)) return error
  const { failed: _failed, afterMs = 0, ...failure } = error.failure
  const pause = pauses[tries]
  if (pause === undefined || failure.why === 'address' || failure.status === 410)
    return new BotFailed({ failed: 'final', ...failure })
  // The same delay for the same try, whoever computes it.
  const share = createHmac('sha256', 'jitter').update(`${id} ${tries}`).digest().readUInt16BE() / 0xffff
  const due = Math.round(Math.max(pause, afterMs) * (1 + JITTER * share))
  return new BotFailed({ failed: 'again', ...failure, afterMs: due })
}

/** What a webhook answered; anything but the documented body says nothing. */
export function readAnswer(body: unknown): BotAnswer {
  // n8n answers the items of its last node as a list.
  const given: unknown = Array.isArray(body) ? body[0] : body
  if (!isRecord(given)) return { messages: [] }
  const messages = (Array.isArray(given.messages) ? given.messages : [])
    .slice(0, MOST_MESSAGES)
    .flatMap(messagesOf)
    .slice(0, MOST_MESSAGES)
  const to = isRecord(given.transferTo) ? given.transferTo : undefined
  const queueId = to && idOf(to.queueId)
  const userId = to && idOf(to.userId)
  const reason = to && textOf(to.reason, 200)
  const variables = variablesOf(given.variables)
  return {
    messages,
    ...(to &&
      (queueId !== undefined || userId !== undefined || to.queueId === null) && {
        transferTo: { queueId: queueId ?? null, ...(userId !== undefined && { userId }), ...(reason && { reason }) },
      }),
    ...(given.stopBot === true && { stop: true }),
    ...(variables && { variables }),
  }
}

function messagesOf(given: unknown): BotMessage[] {
  if (!isRecord(given)) return []
  const url = mediaUrlOf(given.mediaUrl)
  return url ? fileOf(url, mediaTypeOf(url, given.type), given.text) : saidOf(given.text)
}

import { isGood, isRecord } from '../outside/outside.call.ts'
import { createHash } from 'node:crypto'
import { importPKCS8, SignJWT } from 'jose'
import {
  answering,
  type BotAnswer,
  type BotConversation,
  BotFailed,
  type BotFailure,
  fail,
  fileOf,
  idOf,
  mediaTypeOf,
  mediaUrlOf,
  MOST_MESSAGES,
  saidOf,
  textOf,
} from './bots.answer.ts'
import { type BotDeps, type BotReply, callBot, refusalOf, unreadable } from './bots.call.ts'

/** An integration with Dialogflow ES, as `schema/integrations/integrations.table.ts` names its fields. */
export interface DialogflowSettings {
  projectName: string
  /** The service account's key, as Google hands it out. */
  jsonContent: string
  /** Such as `pt-BR`. */
  language: string
}

const CALL_MS = 15_000
const MOST_BYTES = 300_000
const SCOPE = 'https://www.googleapis.com/auth/dialogflow'
/** Never the address in the pasted key: whoever pasted it would choose where our signature goes. */
const TOKEN_ADDRESS = 'https://oauth2.googleapis.com/token'
const BASE = 'https://dialogflow.googleapis.com'
const MOST_QUESTION = 256
const MOST_TOKENS = 200

interface ServiceAccount {
  client_email: string
  private_key: string
  private_key_id?: string
}

/** The key of a service account, or undefined for text that is none. */
export function serviceAccountOf(json: string): ServiceAccount | undefined {
  if (json.length > 10_000) return undefined
  try {
    const read: unknown = JSON.parse(json)
    if (!isRecord(read)) return undefined
    const { client_email, private_key, private_key_id } = read
    if (typeof client_email !== 'string' || !/^[^\s@]{1,200}@[^\s@]{1,200}$/.test(client_email)) return undefined
    if (typeof private_key !== 'string' || !private_key.includes('-----BEGIN PRIVATE KEY-----')) return undefined
    return { client_email, private_key, ...(typeof private_key_id === 'string' && { private_key_id }) }
  } catch {
    return undefined
  }
}

/**
 * What the agent answers. The session is the ticket. A payload `{"queueId": 1}` hands the ticket over; its id is not
 * checked.
 */
export function askDialogflow(
  deps: BotDeps,
  settings: DialogflowSettings,
  { ticket, message }: Pick<BotConversation, 'ticket' | 'message'>,
): Promise<BotAnswer | BotFailure> {
  return answering(async () => {
    const text = textOf(message.text, MOST_QUESTION)
    if (!text) throw fail('final', 'empty', 'there is no text to answer')
    const reply = await detect(deps, settings, ticket.uuid, text)
    const result = isRecord(reply.body) ? reply.body.queryResult : undefined
    if (!isRecord(result)) throw unreadable(reply)
    return answerOf(result)
  })
}

/** Greets the agent. @returns what it says, for whoever tests the settings */
export function testDialogflow(
  deps: BotDeps,
  settings: DialogflowSettings,
): Promise<{ messages: string[] } | BotFailure> {
  return answering(async () => {
    const message = { id: 'test', type: 'text' as const, text: 'Olá' }
    const answer = await askDialogflow(deps, settings, { ticket: { id: 0, uuid: crypto.randomUUID() }, message })
    if ('failed' in answer) return answer
    return { messages: answer.messages.flatMap((one) => ('text' in one ? [one.text] : [])) }
  })
}

async function detect(deps: BotDeps, settings: DialogflowSettings, session: string, text: string): Promise<BotReply> {
  if (!/^[a-z][a-z0-9-]{2,60}$/.test(settings.projectName))
    throw fail('final', 'settings', 'the name of the project is none')
  const path = `/v2/projects/${settings.projectName}/agent/sessions/${session}:detectIntent`
  for (let isFresh = false; ; isFresh = true) {
    const reply = await callBot(deps, (deps.bases?.dialogflow ?? BASE) + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await accessToken(deps, settings.jsonContent, isFresh)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ queryInput: { text: { text, languageCode: settings.language || 'pt-BR' } } }),
      timeoutMs: CALL_MS,
      maxBytes: MOST_BYTES,
    })
    if (isGood(reply)) return reply
    // A token that was taken back before its time.
    if (reply.status === 401 && !isFresh) continue
    const error = isRecord(reply.body) ? reply.body.error : undefined
    throw refusalOf(reply, isRecord(error) ? error.status : undefined)
  }
}

/** By the key itself: a key that was changed has no token yet. */
const tokens = new Map<string, { token: string; until: number }>()

async function accessToken(deps: BotDeps, json: string, isFresh: boolean): Promise<string> {
  const place = createHash('sha256').update(json).digest('base64')
  const now = deps.now().getTime()
  const kept = tokens.get(place)
  if (kept && kept.until > now && !isFresh) return kept.token

  const account = serviceAccountOf(json)
  if (!account) throw fail('final', 'settings', 'the service account cannot be read')
  const key = await importPKCS8(account.private_key, 'RS256').catch(() => {
    throw fail('final', 'settings', 'the private key of the service account cannot be read')
  })
  const seconds = Math.floor(now / 1000)
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(account.private_key_id && { kid: account.private_key_id }) })
    .setIssuer(account.client_email)
    .setSubject(account.client_email)
    .setAudience(TOKEN_ADDRESS)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 3_600)
    .sign(key)
  const reply = await callBot(deps, deps.bases?.googleToken ?? TOKEN_ADDRESS, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString(),
    timeoutMs: CALL_MS,
    maxBytes: 50_000,
  })
  const { body } = reply
  // Google says 400 of a key that it does not know.
  if (!isGood(reply)) {
    const word = isRecord(body) ? body.error : undefined
    const { failure } = refusalOf(reply, word)
    throw new BotFailed(failure.failed === 'final' ? { ...failure, why: 'credentials' } : failure)
  }
  if (!isRecord(body) || typeof body.access_token !== 'string') throw unreadable(reply)
  const lifetime = typeof body.expires_in === 'number' ? Math.min(body.expires_in, 3_600) : 600
  tokens.delete(place)
  tokens.set(place, { token: body.access_token, until: now + (lifetime - 60) * 1000 })
  if (tokens.size > MOST_TOKENS) tokens.delete(tokens.keys().next().value!)
  return body.access_token
}

function answerOf(result: Record<string, unknown>): BotAnswer {
  const answer: BotAnswer = { messages: [] }
  const parts = (Array.isArray(result.fulfillmentMessages) ? result.fulfillmentMessages : []).slice(0, 50)
  for (const part of parts.filter(isRecord)) {
    const texts = isRecord(part.text) && Array.isArray(part.text.text) ? part.text.text : []
    answer.messages.push(...texts.flatMap(saidOf))
    if (isRecord(part.payload)) obey(part.payload, answer)
  }
  if (answer.messages.length === 0 && !answer.transferTo) answer.messages = saidOf(result.fulfillmentText)
  answer.messages.length = Math.min(answer.messages.length, MOST_MESSAGES)
  const { intent, parameters } = result
  const isEnd =
    (isRecord(intent) && intent.endInteraction === true) ||
    // What agents of this family set.
    (isRecord(parameters) &&
      parameters.endConversation !== undefined &&
      parameters.endConversation !== '' &&
      parameters.endConversation !== false)
  return isEnd ? { ...answer, stop: true } : answer
}

function obey(payload: Record<string, unknown>, answer: BotAnswer): void {
  const queueId = idOf(payload.queueId)
  const userId = idOf(payload.userId)
  if (queueId !== undefined || userId !== undefined)
    answer.transferTo = { queueId: queueId ?? null, ...(userId !== undefined && { userId }) }
  if (payload.stopBot === true) answer.stop = true
  const url = mediaUrlOf(payload.mediaUrl)
  answer.messages.push(...(url ? fileOf(url, mediaTypeOf(url, payload.type), payload.text) : saidOf(payload.text)))
}

import { isGood, isRecord } from '../outside/outside.call.ts'
import { spokenName } from '../../schema/placeholders/placeholders.ts'
import {
  answering,
  type BotAnswer,
  type BotConversation,
  type BotFailure,
  type BotMessage,
  cut,
  fail,
  idOf,
  isSmallEnough,
  mediaTypeOf,
  mediaUrlOf,
  MOST_MESSAGES,
  saidOf,
  textOf,
} from './bots.answer.ts'
import { below, type BotDeps, type BotReply, callBot, refusalOf, unreadable } from './bots.call.ts'
import { bubbleText } from './bots.typebot.text.ts'

/** An integration with Typebot, as `schema/integrations/integrations.table.ts` names its fields. */
export interface TypebotSettings {
  /** The viewer's address. */
  urlN8N: string
  typebotSlug: string
  typebotDelayMessage: number
  /** Minutes; 0 never. */
  typebotExpires: number
  typebotKeywordFinish: string
  typebotKeywordRestart: string
  typebotRestartMessage: string
  typebotUnknownMessage: string
}

/** What is kept between two messages. */
interface Session {
  id: string
  /** When the contact wrote last, in milliseconds. */
  at: number
  input?: { type: string; isMultiple?: true; items?: { id: string; label: string; isCut?: true }[] }
}

const CALL_MS = 20_000
const MOST_BYTES = 500_000
/** A bot that goes on by itself is asked to so many times. */
const MOST_TURNS = 5
const MOST_ITEMS = 40
const MOST_LABEL = 60
const MOST_WAIT_MS = 60_000
const MOST_WAITS_MS = 120_000
const MOST_DELAY_MS = 30_000
const MOST_PICTURES = 10

/**
 * Goes on with the contact's conversation with a typebot, or begins one. Choices are numbered, and answered by number,
 * id or text. A bubble `#{"queueId":1,"userId":2,"stopBot":true}` is a command and not sent; its ids are not checked.
 */
export function askTypebot(
  deps: BotDeps,
  settings: TypebotSettings,
  conversation: BotConversation,
): Promise<BotAnswer | BotFailure> {
  return answering(async () => {
    const said = conversation.message.text.trim()
    const is = (keyword: string) => keyword.trim() !== '' && said.toLowerCase() === keyword.trim().toLowerCase()
    if (is(settings.typebotKeywordFinish)) return { messages: [], stop: true, session: null }

    const before: BotMessage[] = []
    const isRestart = is(settings.typebotKeywordRestart)
    const restarted = isRestart ? textOf(settings.typebotRestartMessage) : undefined
    if (restarted) before.push({ text: restarted })
    const session = isRestart ? undefined : liveSession(conversation.session, settings, deps.now())

    let reply = session && (await goOn(deps, settings, session, conversation))
    // A session that the viewer has forgotten, or ended with our last answer.
    if (!reply || reply.status === 404) reply = await begin(deps, settings, conversation, !isRestart)
    return {
      ...(await answerOf(deps, settings, reply, session?.id, before)),
      delayMs: within(settings.typebotDelayMessage, MOST_DELAY_MS),
    }
  })
}

function liveSession(kept: unknown, { typebotExpires }: TypebotSettings, now: Date): Session | undefined {
  if (!isRecord(kept) || typeof kept.id !== 'string' || typeof kept.at !== 'number') return undefined
  if (typebotExpires > 0 && now.getTime() - kept.at > typebotExpires * 60_000) return undefined
  return kept as unknown as Session
}

function begin(
  deps: BotDeps,
  settings: TypebotSettings,
  { contact, ticket, message, variables }: BotConversation,
  withMessage: boolean,
): Promise<BotReply> {
  const text = textOf(message.text)
  return post(deps, settings, `/api/v1/typebots/${encodeURIComponent(settings.typebotSlug)}/startChat`, {
    // Counts only where the bot begins with a question.
    ...(withMessage && text && { message: { type: 'text', text } }),
    isStreamEnabled: false,
    isOnlyRegistering: false,
    // Understood by every version of the viewer.
    textBubbleContentFormat: 'richText',
    prefilledVariables: {
      // Typebots greet by it.
      pushName: spokenName(contact.name),
      name: spokenName(contact.name),
      email: contact.email,
      // What a flow has asked for is newer than what is known of the contact.
      ...variables,
      // Who it is, nobody says but we.
      number: contact.number,
      ticketId: String(ticket.id),
    },
  })
}

/** @returns the answer, or one with status 404 where the session is over */
function goOn(deps: BotDeps, settings: TypebotSettings, { id, input }: Session, { message }: BotConversation) {
  return continueChat(deps, settings, id, answerTo(input, message))
}

function continueChat(deps: BotDeps, settings: TypebotSettings, id: string, message: unknown): Promise<BotReply> {
  return post(deps, settings, `/api/v1/sessions/${encodeURIComponent(id)}/continueChat`, {
    ...(message !== undefined && { message }),
    textBubbleContentFormat: 'richText',
  })
}

async function post(deps: BotDeps, { urlN8N }: TypebotSettings, path: string, body: unknown): Promise<BotReply> {
  return callBot(deps, below(urlN8N, path), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    timeoutMs: CALL_MS,
    maxBytes: MOST_BYTES,
  })
}

/** What the contact wrote, as the question that waits understands it. */
function answerTo(input: Session['input'], { text, mediaUrl }: BotConversation['message']) {
  const words = textOf(text) ?? ''
  if (input?.type === 'file input' && mediaUrl) return { type: 'text', text: mediaUrl, attachedFileUrls: [mediaUrl] }
  const attached = mediaUrl ? { attachedFileUrls: [mediaUrl] } : {}
  const chosen = input?.items && chosenOf(input.items, words, input.isMultiple === true)
  if (!chosen || chosen.length === 0) return { type: 'text', text: words, ...attached }
  // Several are found by their ids in the text; a single one by the id beside it, or by its exact text.
  if (input?.isMultiple) return { type: 'text', text: chosen.map(({ id }) => id).join(', ') }
  const [{ id, label, isCut }] = chosen as [{ id: string; label: string; isCut?: true }]
  return { type: 'text', text: isCut ? id : label, metadata: { replyId: id } }
}

/** The numbers that are named, where nothing but numbers is. */
function chosenOf<Item>(items: readonly Item[], words: string, several: boolean): Item[] {
  const text = words.slice(0, 200).trim()
  const numbers = several ? text.split(/[\s,;.]+|\be\b|\by\b|\band\b/).filter(Boolean) : [text.replace(/[.)]$/, '')]
  if (numbers.length === 0 || !numbers.every((one) => /^\d{1,2}$/.test(one))) return []
  const found = numbers.map((one) => items[Number(one) - 1])
  return found.every((one) => one !== undefined) ? [...new Set(found as Item[])] : []
}

// ── what comes back ──────────────────────────────────────────────────────────────────────────

interface Bubble {
  id?: unknown
  type?: unknown
  content?: unknown
}

async function answerOf(
  deps: BotDeps,
  settings: TypebotSettings,
  first: BotReply,
  sessionId: string | undefined,
  before: BotMessage[],
): Promise<BotAnswer> {
  const answer: BotAnswer = { messages: before }
  const waits = { next: 0, all: 0 }
  const add = (message: BotMessage, isNeeded = false) => {
    if (isNeeded || answer.messages.length < MOST_MESSAGES)
      answer.messages.push(waits.next > 0 ? { ...message, waitMs: waits.next } : message)
    waits.next = 0
  }
  let reply = first
  let id = sessionId
  for (let turn = 0; ; turn++) {
    if (!isGood(reply)) throw refusalOf(reply)
    const { body } = reply
    if (!isRecord(body) || !Array.isArray(body.messages)) throw unreadable(reply)
    if (typeof body.sessionId === 'string' && body.sessionId.length <= 100) id = body.sessionId
    const actions = (Array.isArray(body.clientSideActions) ? body.clientSideActions : []).filter(isRecord).slice(0, 50)
    const act = (after: unknown) => {
      for (const action of actions) {
        if ((action.lastBubbleBlockId ?? undefined) !== after) continue
        const wait = isRecord(action.wait) ? Number(action.wait.secondsToWaitFor) * 1000 : 0
        const allowed = Math.min(within(wait, MOST_WAIT_MS), MOST_WAITS_MS - waits.all)
        waits.next += allowed
        waits.all += allowed
        const url = isRecord(action.redirect) ? mediaUrlOf(action.redirect.url) : undefined
        if (url) add({ text: url })
      }
    }
    act(undefined)
    for (const bubble of (body.messages as Bubble[]).slice(0, 100)) {
      if (!isRecord(bubble)) continue
      if (!obey(bubble, answer)) for (const message of messagesOf(bubble)) add(message)
      if (bubble.id !== undefined) act(bubble.id)
    }
    const input = isRecord(body.input) ? body.input : undefined
    // What we do not run is answered with nothing, as Typebot's own WhatsApp does.
    if (
      !input &&
      id &&
      turn < MOST_TURNS &&
      actions.some(({ expectsDedicatedReply }) => expectsDedicatedReply === true)
    ) {
      reply = await continueChat(deps, settings, id, undefined)
      if (reply.status === 404) return ended(answer, settings)
      continue
    }
    if (!input || !id) return ended(answer, settings)
    if (input.type === 'payment input')
      // Nobody can pay in a conversation.
      return {
        ...answer,
        session: null,
        stop: true,
        transferTo: answer.transferTo ?? { queueId: null, reason: 'payment' },
      }
    const session = sessionOf(id, deps.now(), ask(input, add))
    return { ...withUnknown(answer, settings), session }
  }
}

const ended = (answer: BotAnswer, settings: TypebotSettings): BotAnswer => ({
  ...withUnknown(answer, settings),
  session: null,
})

/** What the contact is told where the bot says nothing at all. */
function withUnknown(answer: BotAnswer, { typebotUnknownMessage }: TypebotSettings): BotAnswer {
  const text = textOf(typebotUnknownMessage)
  const isSilent = answer.messages.length === 0 && !answer.transferTo && !answer.stop
  return isSilent && text ? { ...answer, messages: [{ text }] } : answer
}

/** A command to us, which the contact does not see. */
function obey(bubble: Bubble, answer: BotAnswer): boolean {
  if (bubble.type !== 'text') return false
  const text = bubbleText(bubble.content)
  if (!text.startsWith('#{') || text.length > 1_000) return false
  let command: unknown
  try {
    command = JSON.parse(text.slice(1))
  } catch {
    return false
  }
  if (!isRecord(command)) return false
  const queueId = idOf(command.queueId)
  const userId = idOf(command.userId)
  if (queueId !== undefined || userId !== undefined)
    answer.transferTo = { queueId: queueId ?? null, ...(userId !== undefined && { userId }) }
  if (command.stopBot === true) answer.stop = true
  return true
}

function messagesOf({ type, content }: Bubble): BotMessage[] {
  if (type === 'text') return saidOf(bubbleText(content))
  if (!isRecord(content)) return []
  const url = mediaUrlOf(content.url)
  if (type === 'image' && url) return [{ mediaUrl: url, type: 'image' }]
  if (type === 'audio' && url) return [{ mediaUrl: url, type: 'audio' }]
  if (type === 'video') {
    if (content.type === 'url' || content.type === undefined) return url ? [{ mediaUrl: url, type: 'video' }] : []
    // Films on a site of their own are told by their address.
    const place = url ?? placeOf(content.type, content.id)
    return place ? [{ text: place }] : []
  }
  if (type === 'embed' && url) {
    const kind = mediaTypeOf(url)
    return [new URL(url).pathname.toLowerCase().endsWith('.pdf') ? { mediaUrl: url, type: kind } : { text: url }]
  }
  return []
}

function placeOf(site: unknown, id: unknown): string | undefined {
  if (typeof id !== 'string' || !/^[\w-]{1,60}$/.test(id)) return undefined
  if (site === 'youtube') return `https://www.youtube.com/watch?v=${id}`
  if (site === 'vimeo') return `https://vimeo.com/${id}`
  return undefined
}

/** Says what can be chosen. @returns what is to be remembered of the question */
function ask(input: Record<string, unknown>, add: (message: BotMessage, isNeeded?: boolean) => void): Session['input'] {
  const type = String(input.type).slice(0, 40)
  const given = (Array.isArray(input.items) ? input.items : []).filter(isRecord)
  const items =
    type === 'choice input'
      ? given.map(({ id, content }) => ({ id, title: content }))
      : type === 'picture choice input'
        ? given.map(({ id, title, description, pictureSrc }) => ({ id, title, description, picture: pictureSrc }))
        : type === 'cards input'
          ? given.flatMap(({ imageUrl, title, description, paths }) =>
              (Array.isArray(paths) ? paths : []).filter(isRecord).map((path, index) => ({
                id: path.id,
                title: [textOf(title, MOST_LABEL), textOf(path.text, MOST_LABEL)].filter(Boolean).join(': '),
                ...(index === 0 && { description, picture: imageUrl }),
              })),
            )
          : []
  const options = items
    .slice(0, MOST_ITEMS)
    .map((item) => ({ ...item, title: textOf(item.title, 500) }))
    .filter(
      (item): item is typeof item & { id: string; title: string } =>
        typeof item.id === 'string' && item.id.length <= 60 && item.title !== undefined,
    )
  if (options.length === 0) return { type }
  let pictures = 0
  for (const [index, item] of options.entries()) {
    const url = 'picture' in item ? mediaUrlOf(item.picture) : undefined
    if (url && pictures++ < MOST_PICTURES) add({ mediaUrl: url, type: 'image', caption: `${index + 1}. ${item.title}` })
  }
  const lines = options.map((item, index) => {
    const more = 'description' in item ? textOf(item.description, 500) : undefined
    return `*${index + 1}.* ${item.title}${more ? `\n${more}` : ''}`
  })
  for (const message of saidOf(lines.join('\n'))) add(message, true)
  const isMultiple = isRecord(input.options) && input.options.isMultipleChoice === true
  return {
    type,
    ...(isMultiple && { isMultiple }),
    items: options.map(({ id, title }) => ({
      id,
      label: cut(title, MOST_LABEL),
      ...(title.length > MOST_LABEL && { isCut: true as const }),
    })),
  }
}

/** As much of the choices as may be kept: without labels, then without the last ones. */
function sessionOf(id: string, now: Date, input: Session['input']): Session {
  const session: Session = { id, at: now.getTime(), ...(input && { input }) }
  if (isSmallEnough(session) || !input?.items) return session
  const items = input.items.map(({ id: item }) => ({ id: item, label: '', isCut: true as const }))
  while (items.length > 0) {
    const smaller = { ...session, input: { ...input, items } }
    if (isSmallEnough(smaller)) return smaller
    items.pop()
  }
  throw fail('final', 'too_large', 'the question has more choices than can be kept')
}

const within = (value: number, most: number): number => (value > 0 ? Math.min(value, most) : 0)

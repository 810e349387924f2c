import { isGood, isRecord } from '../outside/outside.call.ts'
import type { Language } from '../../schema/languages.ts'
import { DEFAULT_BASE_URL, DEFAULT_MODEL, NO_VOICE } from '../../schema/prompts/prompts.voices.ts'
import {
  answering,
  type BotAnswer,
  type BotConversation,
  type BotFailure,
  BotFailed,
  type BotMessage,
  type BotUsage,
  fail,
  MOST_SAID,
  saidOf,
  textOf,
} from './bots.answer.ts'
import { below, type BotDeps, type BotReply, callBot, refusalOf, unreadable } from './bots.call.ts'
import { joined } from './bots.stream.ts'
import { isSpeakable, speak, type VoiceSettings } from './bots.voice.ts'

/** A prompt with its secrets open, as `schema/prompts/prompts.table.ts` names its fields. */
export interface PromptSettings extends VoiceSettings {
  prompt: string
  model: string
  transcriptionModel: string
  maxTokens: number
  temperature: number
  maxMessages: number
  queueId: number | null
}

const ANSWER_MS = 30_000
/** What WhatsApp lets people send as a sound. */
export const MOST_SOUND_BYTES = 16_000_000
const MOST_ANSWER_BYTES = 500_000
/** A stream says of each few letters where they belong. */
const MOST_STREAM_BYTES = 4_000_000
/** The first try, and one more where the service was only busy or away. */
const TRIES = 2
const PAUSE_MS = 1_000
const MOST_PAUSE_MS = 10_000
/** Characters of one earlier message, and of a contact's. */
const MOST_EARLIER = 4_000
const MOST_NAME = 30

/** What a model without tools begins with when an agent is to take over. */
const marker = 'Ação: Transferir para o setor de atendimento'
const markerPattern = /^a[çc][ãa]o:? {0,3}transferir para o setor de atendimento[\s.!:,;*-]{0,20}/i
const transferTool = {
  type: 'function',
  function: {
    name: 'transfer_to_queue',
    description:
      'Hand the conversation over to a human agent: when the customer asks for a person, or when you cannot help.',
    parameters: {
      type: 'object',
      properties: { reason: { type: 'string', description: 'Why, in a few words, for the agent.' } },
      required: ['reason'],
    },
  },
}

/**
 * What the language model answers; spoken, where the prompt has a voice. Where speaking fails, the text is sent.
 * Tried twice at 30 s each; a failure is the caller's to act on, by handing the conversation to the prompt's queue.
 */
export function askPrompt(
  deps: BotDeps,
  settings: PromptSettings,
  conversation: BotConversation,
): Promise<BotAnswer | BotFailure> {
  return answering(async () => {
    const { text, transfer, usage } = await complete(deps, settings, messagesFor(settings, conversation))
    const transferTo = transfer && { queueId: settings.queueId, ...(transfer.reason && { reason: transfer.reason }) }
    return {
      messages: text === undefined ? [] : await spoken(deps, settings, text),
      ...(transferTo && { transferTo, stop: true }),
      ...(usage && { usage }),
    }
  })
}

/**
 * What a voice note says.
 * @param sound the file as it came, Ogg or anything else that the service understands; at most 16 MB. Short notes are
 * often taken for another language: the company's is what its contacts speak
 */
export function transcribe(
  deps: BotDeps,
  settings: Pick<PromptSettings, 'baseUrl' | 'apiKey' | 'transcriptionModel'>,
  sound: { bytes: Uint8Array<ArrayBuffer>; mimetype: string; language: Language },
): Promise<{ text: string } | BotFailure> {
  return answering(async () => {
    if (!settings.transcriptionModel) throw fail('final', 'settings', 'no model for voice notes is named')
    if (sound.bytes.length > MOST_SOUND_BYTES) throw fail('final', 'too_large', 'the voice note is larger than 16 MB')
    const type = sound.mimetype.split(';', 1)[0]!.trim() || 'audio/ogg'
    const form = new FormData()
    form.set('file', new Blob([sound.bytes], { type }), `voice.${fileEndings[type] ?? 'ogg'}`)
    form.set('model', settings.transcriptionModel)
    form.set('language', sound.language)
    form.set('response_format', 'json')
    const packed = new Response(form)
    const headers = {
      authorization: `Bearer ${settings.apiKey}`,
      'content-type': packed.headers.get('content-type')!,
    }
    const body = new Uint8Array(await packed.arrayBuffer())
    const address = below(settings.baseUrl || DEFAULT_BASE_URL, '/audio/transcriptions')
    const limits = { timeoutMs: ANSWER_MS, maxBytes: MOST_ANSWER_BYTES }
    const reply = await twice(deps, async () =>
      good(await callBot(deps, address, { method: 'POST', headers, body, ...limits })),
    )
    if (!isRecord(reply.body)) throw unreadable(reply)
    const text = textOf(reply.body.text)
    if (!text) throw fail('final', 'empty', `${reply.host} hears nothing in the voice note`)
    return { text }
  })
}

const fileEndings: Record<string, string> = {
  'audio/ogg': 'ogg',
  'audio/opus': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/aac': 'm4a',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
}

type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string }

function messagesFor(settings: PromptSettings, { contact, history, message }: BotConversation): ChatMessage[] {
  const said = history.slice(-settings.maxMessages).flatMap(({ from, text }): ChatMessage[] => {
    const content = textOf(text, MOST_EARLIER)
    return content ? [{ role: from === 'contact' ? 'user' : 'assistant', content }] : []
  })
  const asked = textOf(message.text, MOST_EARLIER)
  if (!asked) throw fail('final', 'empty', 'there is no text to answer')
  return [{ role: 'system', content: systemText(settings, contact.name) }, ...said, { role: 'user', content: asked }]
}

function systemText({ prompt, maxTokens }: PromptSettings, name: string): string {
  const first = firstName(name)
  return [
    prompt,
    ...(first ? [`O cliente se chama ${first}. Use o nome quando ficar natural.`] : []),
    `Responda em no máximo ${maxTokens} tokens, sem deixar frases pela metade.`,
    `Quando um atendente humano precisar assumir, chame a ferramenta ${transferTool.function.name}. Se não tiver ferramentas, comece a resposta exatamente com "${marker}".`,
  ].join('\n\n')
}

/** Contacts choose their own names, so only letters of the first word reach the model. */
function firstName(name: string): string | undefined {
  const [word] = name.trim().slice(0, 200).split(/\s/, 1)
  return word && /^[\p{L}\p{M}'’-]+$/u.test(word) ? word.slice(0, MOST_NAME) : undefined
}

// ── the call ─────────────────────────────────────────────────────────────────────────────────

interface Completion {
  text: string | undefined
  transfer: { reason: string | undefined } | undefined
  usage: BotUsage | undefined
}

async function complete(deps: BotDeps, settings: PromptSettings, messages: ChatMessage[]): Promise<Completion> {
  const address = below(settings.baseUrl || DEFAULT_BASE_URL, '/chat/completions')
  const model = settings.model || DEFAULT_MODEL
  const isOpenAi = /(^|\.)openai\.com$/.test(new URL(address).hostname)
  let body: Record<string, unknown> = {
    model,
    messages,
    temperature: settings.temperature,
    [isOpenAi ? 'max_completion_tokens' : 'max_tokens']: settings.maxTokens,
    tools: [transferTool],
    // Many services give a long answer up sooner where nobody reads along; who cannot stream answers in one piece.
    ...{ stream: true, stream_options: { include_usage: true } },
    // Models that think would spend the answer's tokens on it, and take no tools here unless they are told not to.
    ...(isOpenAi && { reasoning_effort: 'none' }),
  }
  const changed = new Set<string>()
  const reply = await twice(deps, async () => {
    for (;;) {
      const answer = await callBot(deps, address, {
        method: 'POST',
        headers: { authorization: `Bearer ${settings.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        timeoutMs: ANSWER_MS,
        maxBytes: MOST_STREAM_BYTES,
      })
      const next = answer.status === 400 ? adapted(body, sentenceOf(answer.body), changed) : undefined
      if (!next) return joined(good(answer))
      body = next
    }
  })
  return completionOf(reply, model)
}

/** What a model may take amiss in a request: the word that its refusal names it by, and the request the other way. */
const unknowns: Record<string, { named: RegExp; otherwise(body: Record<string, unknown>): Record<string, unknown> }> = {
  tokens: {
    named: /max_(completion_)?tokens/,
    otherwise: ({ max_tokens, max_completion_tokens, ...rest }) =>
      max_tokens === undefined
        ? { ...rest, max_tokens: max_completion_tokens }
        : { ...rest, max_completion_tokens: max_tokens },
  },
  temperature: { named: /temperature/, otherwise: ({ temperature: _temperature, ...rest }) => rest },
  reasoning: {
    named: /reasoning/,
    // A model that thinks takes tools only without thinking; one that cannot think does not know the word.
    otherwise: ({ reasoning_effort, ...rest }) =>
      reasoning_effort === undefined ? { ...rest, reasoning_effort: 'none' } : rest,
  },
  tools: { named: /\btools?\b/i, otherwise: ({ tools: _tools, ...rest }) => rest },
  streamOptions: { named: /stream_options/, otherwise: ({ stream_options: _options, ...rest }) => rest },
  stream: {
    named: /\bstream(ing)?\b/i,
    otherwise: ({ stream: _stream, stream_options: _options, ...rest }) => rest,
  },
}

/** The request as the refusal wishes it; undefined where each thing that it names was changed already. */
function adapted(body: Record<string, unknown>, refusal: string, changed: Set<string>) {
  const found = Object.entries(unknowns).find(([name, { named }]) => !changed.has(name) && named.test(refusal))
  if (!found) return undefined
  changed.add(found[0])
  return found[1].otherwise(body)
}

/** Some servers answer OpenAI's object, others a sentence where the object should be. */
function sentenceOf(answer: unknown): string {
  const error = isRecord(answer) ? (answer.error ?? answer) : answer
  const parts = isRecord(error) ? [error.param, error.message] : [error]
  return parts
    .filter((part): part is string => typeof part === 'string')
    .join(' ')
    .slice(0, 2_000)
}

function completionOf(reply: BotReply, model: string): Completion {
  const { body, host } = reply
  const choice = isRecord(body) && Array.isArray(body.choices) ? (body.choices[0] as unknown) : undefined
  if (!isRecord(body) || !isRecord(choice) || !isRecord(choice.message)) throw unreadable(reply)
  const { content, refusal, tool_calls } = choice.message
  const call = (Array.isArray(tool_calls) ? tool_calls : []).find(
    (one: unknown) => isRecord(one) && isRecord(one.function) && one.function.name === transferTool.function.name,
  ) as { function: { arguments?: unknown } } | undefined
  const said = textOf(withoutThoughts(content), MOST_SAID)
  const rest = said?.replace(markerPattern, '')
  const isMarked = rest !== said
  const transfer = call ? { reason: reasonOf(call.function.arguments) } : isMarked ? { reason: undefined } : undefined
  const text = rest || undefined
  if (!text && !transfer) {
    if (choice.finish_reason === 'content_filter' || textOf(refusal))
      throw fail('final', 'refused', `${host} will not answer this`)
    throw fail('final', 'empty', `${host} answers nothing`)
  }
  return { text, transfer, usage: usageOf(body.usage, model) }
}

/** Some servers leave the model's thoughts in front of what it says. */
function withoutThoughts(content: unknown): unknown {
  if (typeof content !== 'string' || !content.trimStart().startsWith('<think>')) return content
  const end = content.indexOf('</think>')
  return end < 0 ? '' : content.slice(end + '</think>'.length)
}

/** The arguments of a tool are JSON, if the model wrote them well; without them the transfer is as good. */
function reasonOf(json: unknown): string | undefined {
  if (typeof json !== 'string' || json.length > 10_000) return undefined
  try {
    const read: unknown = JSON.parse(json)
    return isRecord(read) ? textOf(read.reason, 200) : undefined
  } catch {
    return undefined
  }
}

function usageOf(usage: unknown, model: string): BotUsage | undefined {
  if (!isRecord(usage)) return undefined
  const count = (value: unknown) => (Number.isInteger(value) ? Math.min(Math.max(Number(value), 0), 10_000_000) : 0)
  return { model, inputTokens: count(usage.prompt_tokens), outputTokens: count(usage.completion_tokens) }
}

/** @throws BotFailed unless the answer is a good one */
export function good(reply: BotReply): BotReply {
  if (isGood(reply)) return reply
  const error = isRecord(reply.body) ? reply.body.error : undefined
  throw refusalOf(reply, isRecord(error) ? (error.code ?? error.type) : undefined)
}

/** Again where the service was busy or away, and asks for no longer pause than a contact waits. */
export async function twice<T>({ sleep = Bun.sleep }: BotDeps, work: () => Promise<T>): Promise<T> {
  for (let left = TRIES - 1; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof BotFailed) || error.failure.failed === 'final' || left === 0) throw error
      const pause = error.failure.afterMs ?? PAUSE_MS
      if (pause > MOST_PAUSE_MS) throw error
      await sleep(pause)
    }
  }
}

/** As a voice note, where the prompt has a voice and the text is not too long for one; else as text. */
async function spoken(deps: BotDeps, settings: PromptSettings, text: string): Promise<BotMessage[]> {
  if (settings.voice === NO_VOICE || !isSpeakable(text)) return saidOf(text)
  const voice = await speak(deps, settings, text)
  return 'failed' in voice ? saidOf(text) : [voice]
}

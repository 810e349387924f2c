import { voiceNoteOf } from '../../../server/media/voice-note.ts'
import { hum, recording } from '../../support/recording.ts'
import { type FakeService, json, Troubles } from './serve.ts'

interface Asked {
  model: string
  messages: { role: string; content: string }[]
  [field: string]: unknown
}
/** What the model says: words, or a call of a tool. */
export type Said =
  | string
  | { tool: string; arguments: string; content?: string }
  | { message: unknown; finish?: string }

/** A service with OpenAI's interface. Its models know the fields that the real ones of that kind know. */
export function fakeOpenAi({
  key = 'sk-balcao-test',
  say = baker,
}: {
  key?: string
  say?: (asked: Asked) => Said
} = {}) {
  const asked: Asked[] = []
  const heard: { model: string; language: string | null; name: string; type: string; bytes: number }[] = []
  const spoken: { input: string; voice: string }[] = []
  const troubles = new Troubles()
  /** `streams`: whether it answers in pieces where it is asked to, always, or never. */
  const state: { say: (asked: Asked) => Said; transcript: string; streams: 'asked' | 'always' | 'never' } = {
    ...{ say, transcript: 'Quero dois pães de queijo', streams: 'asked' },
  }

  /** The sentence in which a model refuses a field. */
  function refused(body: Asked): { param: string | null; message: string } | undefined {
    if (/^gpt-6/.test(body.model)) {
      if ('max_tokens' in body)
        return {
          param: 'max_tokens',
          message:
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        }
      if ('tools' in body && body.reasoning_effort !== 'none')
        return { param: 'tools', message: `Function tools with reasoning_effort are not supported for ${body.model}.` }
      if ('temperature' in body && body.temperature !== 1)
        return {
          param: 'temperature',
          message:
            "Unsupported value: 'temperature' does not support this value with this model. Only the default (1) value is supported.",
        }
    } else if (/^local-/.test(body.model)) {
      if ('stream_options' in body && body.model === 'local-small')
        return { param: null, message: 'unknown field stream_options' }
      if ('stream' in body && body.model === 'local-small')
        return { param: null, message: `${body.model} does not support stream` }
      if ('max_completion_tokens' in body) return { param: null, message: 'unknown field max_completion_tokens' }
      if ('reasoning_effort' in body)
        return { param: null, message: `"${body.model}" does not support reasoning_effort` }
      if ('tools' in body && body.model === 'local-small')
        return { param: null, message: `${body.model} does not support tools` }
    }
    return undefined
  }

  async function chat(request: Request): Promise<Response> {
    const body = (await request.json()) as Asked
    asked.push(body)
    const problem = refused(body)
    if (problem)
      return json({ error: { ...problem, type: 'invalid_request_error', code: 'unsupported_parameter' } }, 400)
    const said = state.say(body)
    const message =
      typeof said === 'string'
        ? { role: 'assistant', content: said, refusal: null }
        : 'tool' in said
          ? {
              role: 'assistant',
              content: said.content ?? null,
              refusal: null,
              tool_calls: [
                { id: 'call_1', type: 'function', function: { name: said.tool, arguments: said.arguments } },
              ],
            }
          : said.message
    const finish = typeof said === 'string' ? 'stop' : 'tool' in said ? 'tool_calls' : (said.finish ?? 'stop')
    const prompt = Math.ceil(JSON.stringify(body.messages).length / 4)
    const usage = { prompt_tokens: prompt, completion_tokens: 12, total_tokens: prompt + 12 }
    if (state.streams === 'always' || (state.streams === 'asked' && body.stream === true))
      return streamed(message, finish, { model: body.model, ...(isCounted(body) ? { usage } : {}) })
    return json({
      ...{ id: 'chatcmpl-1', object: 'chat.completion', model: body.model, usage },
      choices: [{ index: 0, finish_reason: finish, message }],
    })
  }

  async function transcription(request: Request): Promise<Response> {
    const form = await request.formData()
    const file = form.get('file')
    if (!(file instanceof Blob) || !form.get('model'))
      return json({ error: { message: 'file and model are required', type: 'invalid_request_error' } }, 400)
    const bytes = new Uint8Array(await file.arrayBuffer())
    if (Buffer.from(bytes.subarray(0, 4)).toString() !== 'OggS')
      return json({ error: { message: 'Invalid file format.', type: 'invalid_request_error' } }, 400)
    const { name } = file as File
    const language = form.get('language') as string | null
    heard.push({ model: form.get('model') as string, language, name, type: file.type, bytes: bytes.length })
    return json({ text: state.transcript })
  }

  async function speech(request: Request): Promise<Response> {
    const { input, voice, response_format } = (await request.json()) as Record<string, string>
    if (!input || input.length > 4_096 || !voice || response_format !== 'opus')
      return json({ error: { message: 'input, voice or response_format', type: 'invalid_request_error' } }, 400)
    spoken.push({ input, voice })
    return new Response(await soundOf(input), { headers: { 'content-type': 'audio/ogg' } })
  }

  return {
    key,
    asked,
    heard,
    spoken,
    troubles,
    /** `say` and `transcript`, to be changed by tests. */
    state,
    async handle(request: Request, path: string): Promise<Response> {
      const trouble = await troubles.take()
      if (trouble) return trouble
      if (request.headers.get('authorization') !== `Bearer ${key}`)
        return json(
          { error: { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' } },
          401,
        )
      if (request.method !== 'POST') return json({ error: { message: 'Not allowed', code: 'method' } }, 405)
      if (path === '/v1/chat/completions') return chat(request)
      if (path === '/v1/audio/transcriptions') return transcription(request)
      if (path === '/v1/audio/speech') return speech(request)
      return json(
        { error: { message: `Unknown request URL: ${path}`, type: 'invalid_request_error', code: null } },
        404,
      )
    },
  } satisfies FakeService & Record<string, unknown>
}

const sounds = new Map<number, Promise<Uint8Array<ArrayBuffer>>>()

/** Real Opus in Ogg, as long as the words would take: a hum, for nobody speaks here. */
export function soundOf(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const seconds = Math.min(Math.max(1, Math.round(text.length / 15)), 10)
  let sound = sounds.get(seconds)
  if (!sound) {
    sound = recording(hum, seconds, 24_000).then(async (mp3) => Uint8Array.from((await voiceNoteOf(mp3))!.ogg))
    sounds.set(seconds, sound)
  }
  return sound
}

const isCounted = ({ stream_options }: Asked): boolean =>
  (stream_options as { include_usage?: boolean } | undefined)?.include_usage === true

/** The same message in pieces, as the real one sends it: words by the half, a tool's arguments too. */
function streamed(message: unknown, finish: string, { model, usage }: { model: string; usage?: object }): Response {
  const { content, tool_calls, ...rest } = message as {
    content: string | null
    tool_calls?: { function: { name: string; arguments: string } }[]
  }
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', model },
    choices: [{ index: 0, delta, finish_reason }],
  })
  const halves = (text: string) => [text.slice(0, text.length / 2), text.slice(text.length / 2)]
  const pieces: object[] = [chunk({ ...rest, role: 'assistant', content: content === null ? null : '' })]
  for (const part of typeof content === 'string' ? halves(content) : []) pieces.push(chunk({ content: part }))
  for (const [index, { function: call }] of (tool_calls ?? []).entries()) {
    const first = { index, id: 'call_1', type: 'function', function: { name: call.name, arguments: '' } }
    pieces.push(chunk({ tool_calls: [first] }))
    for (const part of halves(call.arguments))
      pieces.push(chunk({ tool_calls: [{ index, function: { arguments: part } }] }))
  }
  pieces.push(chunk({}, finish))
  if (usage) pieces.push({ id: 'chatcmpl-1', object: 'chat.completion.chunk', model, choices: [], usage })
  const text = [...pieces.map((piece) => `data: ${JSON.stringify(piece)}\n\n`), 'data: [DONE]\n\n'].join('')
  return new Response(text, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
}

/** What the demo's model says: it knows a bakery. */
function baker({ messages }: Asked): Said {
  const last = messages.at(-1)?.content.toLowerCase() ?? ''
  if (/atendente|humano|pessoa|reclama/.test(last))
    return { tool: 'transfer_to_queue', arguments: JSON.stringify({ reason: 'O cliente pediu uma pessoa' }) }
  if (/hor[aá]rio|abre|fecha/.test(last)) return 'Abrimos todos os dias das 6h às 20h. Domingo fechamos às 13h.'
  if (/p[ãa]o|bolo|salgado|encomend/.test(last))
    return 'Temos pão francês, pão de queijo e bolos por encomenda. Para quando seria e quantas unidades?'
  if (/entreg/.test(last)) return 'Entregamos no bairro a partir de R$ 30,00. Qual é o endereço?'
  return 'Olá! Sou a assistente da padaria. Posso contar os horários, os produtos e anotar encomendas.'
}

import { type FakeService, json, Troubles } from './serve.ts'

/** A part of a bot: it says, asks, does something in the viewer, or goes on by itself. */
type Part =
  | { say: string | { type: string; content: unknown } }
  | { ask: string; as?: string; options?: Record<string, unknown>; items?: Record<string, unknown>[]; check?: RegExp }
  | { action: Record<string, unknown> }

const paragraph = (text: string) => ({ type: 'richText', richText: [{ type: 'p', children: [{ text }] }] })

/** Typebots by their public id. `{{name}}` is a variable, prefilled or answered. */
export const sampleBots: Record<string, Part[]> = {
  padaria: [
    { say: 'Oi, {{name}}! Aqui é a padaria.' },
    {
      ask: 'choice input',
      as: 'pedido',
      items: [
        { id: 'itm-paes', content: 'Pães' },
        { id: 'itm-bolos', content: 'Bolos por encomenda' },
        { id: 'itm-gente', content: 'Falar com uma pessoa' },
      ],
    },
    { say: 'Certo: {{pedido}}. Qual é o seu e-mail?' },
    { ask: 'email input', as: 'email', check: /^\S+@\S+\.\S+$/ },
    { say: 'Obrigado! Vou chamar alguém.' },
    { say: '#{"queueId":1,"stopBot":true}' },
  ],
  'begins-with-a-question': [{ ask: 'text input', as: 'first' }, { say: 'You said {{first}}' }],
  silent: [
    { ask: 'text input', as: 'x' },
    { ask: 'text input', as: 'y' },
  ],
  'goes-on': [
    { say: 'one' },
    { action: { type: 'wait', wait: { secondsToWaitFor: 3 }, expectsDedicatedReply: true } },
    { say: 'two' },
    { action: { type: 'setVariable', setVariable: { scriptToExecute: {} }, expectsDedicatedReply: true } },
    { say: 'three' },
    { action: { type: 'redirect', redirect: { url: 'https://example.com/menu', isNewTab: true } } },
  ],
  forever: Array.from({ length: 20 }, () => ({ action: { type: 'x', expectsDedicatedReply: true } })),
  media: [
    { say: { type: 'image', content: { url: 'https://example.com/a.png' } } },
    { say: { type: 'video', content: { type: 'url', url: 'https://example.com/a.mp4' } } },
    { say: { type: 'video', content: { type: 'youtube', id: 'abc-123', url: 'https://youtu.be/abc-123' } } },
    { say: { type: 'video', content: { type: 'vimeo', id: '777' } } },
    { say: { type: 'audio', content: { url: 'https://example.com/a.mp3' } } },
    { say: { type: 'embed', content: { url: 'https://example.com/page' } } },
    { say: { type: 'embed', content: { url: 'https://example.com/menu.pdf' } } },
    { say: { type: 'custom-embed', content: { initFunction: {} } } },
    { say: { type: 'image', content: { url: 'file:///etc/passwd' } } },
    { say: { type: 'image', content: { url: 'data:image/png;base64,xx' } } },
  ],
}

/** Every kind of question, one after another. */
const questions: [string, Partial<Extract<Part, { ask: string }>>][] = [
  ['text input', {}],
  ['number input', { check: /^\d+$/ }],
  ['email input', { check: /^\S+@\S+\.\S+$/ }],
  ['url input', { check: /^https?:/ }],
  ['date input', {}],
  ['time input', {}],
  ['phone number input', { check: /^\+?\d+$/ }],
  [
    'choice input',
    {
      items: [
        { id: 'a1', content: 'Alpha' },
        { id: 'b2', content: 'Beta, with a comma' },
      ],
    },
  ],
  [
    'choice input',
    {
      options: { isMultipleChoice: true },
      items: ['Red', 'Green', 'Blue'].map((content, index) => ({ id: `c${index}`, content })),
    },
  ],
  [
    'picture choice input',
    {
      items: [
        { id: 'p1', title: 'Sonho', description: 'com creme', pictureSrc: 'https://example.com/sonho.jpg' },
        { id: 'p2', title: 'Pudim', pictureSrc: 'https://example.com/pudim.jpg' },
      ],
    },
  ],
  [
    'cards input',
    {
      items: [
        {
          id: 'k1',
          imageUrl: 'https://example.com/k1.jpg',
          title: 'Cesta',
          description: 'Para quatro',
          paths: [
            { id: 'k1a', text: 'Comprar' },
            { id: 'k1b', text: 'Ver mais' },
          ],
        },
      ],
    },
  ],
  ['rating input', { options: { length: 5 }, check: /^[1-5]$/ }],
  ['file input', { check: /^https:/ }],
  ['payment input', { options: { runtimeOptions: { amountLabel: 'R$ 10' } } }],
]
sampleBots['every-question'] = questions.flatMap(([ask, more], index): Part[] => [
  { say: `Question ${index + 1}` },
  { ask, as: `q${index + 1}`, ...more },
])

interface State {
  bot: Part[]
  at: number
  variables: Record<string, string>
}
interface Message {
  text?: unknown
  metadata?: { replyId?: string }
}

/** A Typebot viewer. */
export function fakeTypebot({ bots = sampleBots }: { bots?: Record<string, Part[]> } = {}) {
  const sessions = new Map<string, State>()
  const started: Record<string, unknown>[] = []
  const continued: { session: string; message: unknown }[] = []
  const troubles = new Troubles()
  let count = 0

  const fill = (text: string, { variables }: State) =>
    text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => variables[name] ?? '')

  /** Says and does all until somebody must answer. */
  function walk(id: string, state: State) {
    const messages: unknown[] = []
    const clientSideActions: unknown[] = []
    let input: unknown
    let last: string | undefined
    while (state.at < state.bot.length) {
      const part = state.bot[state.at]!
      if ('say' in part) {
        last = `blk${state.at}`
        const bubble =
          typeof part.say === 'string' ? { type: 'text', content: paragraph(fill(part.say, state)) } : part.say
        messages.push({ id: last, ...bubble })
        state.at++
      } else if ('action' in part) {
        clientSideActions.push({ ...part.action, ...(last && { lastBubbleBlockId: last }) })
        state.at++
        if (part.action.expectsDedicatedReply) break
      } else {
        const { ask, items, options } = part
        input = { id: `inp${state.at}`, type: ask, ...(items && { items }), ...(options && { options }) }
        break
      }
    }
    const isOver = input === undefined && state.at >= state.bot.length && !pending(clientSideActions)
    // The real one forgets a session that has ended.
    if (isOver) sessions.delete(id)
    return {
      messages,
      ...(input !== undefined && { input }),
      ...(clientSideActions.length > 0 && { clientSideActions }),
    }
  }
  const pending = (actions: unknown[]) =>
    actions.some((action) => (action as { expectsDedicatedReply?: boolean }).expectsDedicatedReply)

  /** Takes an answer. @returns the retry's text where it is a wrong one */
  function take(state: State, message: Message | undefined): string | undefined {
    const part = state.bot[state.at]
    if (!part || !('ask' in part)) return undefined
    const text = typeof message?.text === 'string' ? message.text : ''
    const answer = part.items
      ? chosen(part, text, message?.metadata?.replyId)
      : part.check && !part.check.test(text)
        ? undefined
        : text
    if (answer === undefined || text === '') return 'Invalid message. Please, try again.'
    if (part.as) state.variables[part.as] = answer
    state.at++
    return undefined
  }

  async function start(request: Request, slug: string): Promise<Response> {
    const bot = bots[slug]
    if (!bot) return json({ message: 'Typebot not found', code: 'NOT_FOUND' }, 404)
    const body = (await request.json()) as { message?: Message; prefilledVariables?: Record<string, string> }
    started.push(body)
    const id = `ses${++count}`
    const state: State = { bot, at: 0, variables: { ...body.prefilledVariables } }
    sessions.set(id, state)
    if (body.message && 'ask' in bot[0]!) take(state, body.message)
    return json({ sessionId: id, resultId: `res${count}`, typebot: { id: slug, version: '6' }, ...walk(id, state) })
  }

  async function goOn(request: Request, id: string): Promise<Response> {
    const state = sessions.get(id)
    if (!state) return json({ message: 'Session expired. You need to start a new session.', code: 'NOT_FOUND' }, 404)
    const { message } = (await request.json()) as { message?: Message }
    continued.push({ session: id, message })
    const retry = take(state, message)
    if (retry === undefined) return json(walk(id, state))
    return json({
      messages: [{ id: 'retry', type: 'text', content: paragraph(retry) }],
      input: (walk(id, state) as { input: unknown }).input,
    })
  }

  return {
    sessions,
    started,
    continued,
    troubles,
    async handle(request: Request, path: string): Promise<Response> {
      const trouble = await troubles.take()
      if (trouble) return trouble
      const [, slug] = /^\/api\/v1\/typebots\/([^/]+)\/startChat$/.exec(path) ?? []
      if (slug) return start(request, decodeURIComponent(slug))
      const [, id] = /^\/api\/v1\/sessions\/([^/]+)\/continueChat$/.exec(path) ?? []
      return id ? goOn(request, id) : json({ message: 'Not found', code: 'NOT_FOUND' }, 404)
    },
  } satisfies FakeService & Record<string, unknown>
}

/** By id or exact text; several by ids or texts anywhere in the answer. */
function chosen(part: Extract<Part, { ask: string }>, text: string, replyId?: string): string | undefined {
  const options = part.items!.flatMap((item) =>
    Array.isArray(item.paths)
      ? (item.paths as { id: string; text: string }[]).map((path) => ({ id: path.id, content: path.text }))
      : [{ id: String(item.id), content: String(item.content ?? item.title) }],
  )
  if (part.options?.isMultipleChoice) {
    const found = options.filter(({ id, content }) => new RegExp(`\\b(${id}|${content})\\b`).test(text))
    return found.length > 0 ? found.map(({ content }) => content).join(', ') : undefined
  }
  return options.find(({ id, content }) => id === replyId || id === text || content === text.trim())?.content
}

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { prompts } from '../../schema/prompts/prompts.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { MASK } from '../../schema/secrets.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { fakeAzureSpeech } from '../../tests/fakes/bots/azure-speech.ts'
import { fakeOpenAi } from '../../tests/fakes/bots/openai.ts'
import { serveFakes } from '../../tests/fakes/bots/serve.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { countPromptUse } from './prompts.changes.ts'
import { openPrompt, promptUse } from './prompts.queries.ts'

let t: TestApp
let openai: ReturnType<typeof fakeOpenAi>
const azure = fakeAzureSpeech()
let served: ReturnType<typeof serveFakes<'openai' | 'azure'>>
beforeAll(async () => {
  served = serveFakes({ openai: { handle: (request, path) => openai.handle(request, path) }, azure })
  t = await testApp({ botBases: { azure: served.urls.azure } })
})
beforeEach(() => {
  openai = fakeOpenAi()
})
afterAll(async () => {
  await t.close()
  await served.stop()
})

async function office(plan: Record<string, unknown> = {}) {
  const company = await t.eg.company({ plan, timeZone: 'America/Sao_Paulo' })
  const admin = await t.eg.user(company.id, { profile: 'admin', name: 'Helena Prado' })
  const agent = await t.eg.user(company.id)
  const queue = await t.eg.queue(company.id)
  const tokens = { admin: await t.login(admin.email), agent: await t.login(agent.email) }
  const as = (token: string) => (method: string, path: string, body?: unknown) => t.call(method, path, { token, body })
  const input = {
    ...{ name: 'Assistente', prompt: 'Você é a assistente da padaria e responde com simpatia.', queueId: queue.id },
    ...{ apiKey: openai.key, baseUrl: `${served.urls.openai}/v1`, model: 'local-model' },
  }
  return { company, queue, admin: as(tokens.admin), agent: as(tokens.agent), input }
}

describe('an assistant', () => {
  test('is made with the family’s defaults, listed with its queue, changed and deleted', async () => {
    const o = await office()
    const made = await o.admin('POST', '/prompt', o.input)
    expect(made).toMatchObject({
      status: 200,
      body: {
        ...{ name: 'Assistente', maxTokens: 100, temperature: 1, maxMessages: 10, voice: 'texto' },
        ...{ queue: { id: o.queue.id, name: o.queue.name }, apiKey: MASK, voiceKey: '' },
      },
    })
    const { id } = made.body
    expect((await o.admin('GET', '/prompt')).body).toMatchObject({ prompts: [{ id }], count: 1, hasMore: false })
    expect((await o.admin('PUT', `/prompt/${id}`, { maxTokens: 300 })).body).toMatchObject({ maxTokens: 300 })
    expect((await o.admin('GET', `/prompt/${id}`)).body).toMatchObject({ id, maxTokens: 300 })
    expect((await o.admin('DELETE', `/prompt/${id}`)).body).toEqual({ message: 'Prompt deleted' })
    expect((await o.admin('GET', `/prompt/${id}`)).body.error).toBe('ERR_NO_PROMPT_FOUND')
  })

  test('needs a queue, a key and a text, within the limits of the form', async () => {
    const o = await office()
    for (const change of [
      ...[{ name: 'abcd' }, { name: 'a'.repeat(101) }, { prompt: 'curto' }, { apiKey: '' }, { queueId: null }],
      ...[{ maxTokens: 0 }, { temperature: 2.1 }, { maxMessages: 51 }, { voice: 'robot' }, { voiceRegion: 'a.b' }],
      ...[{ model: 'a b' }, { baseUrl: 'file:///etc' }, { apiKey: 'chave com espaço' }, { queueId: undefined }],
    ]) {
      const reply = await o.admin('POST', '/prompt', { ...o.input, ...change })
      expect([change, reply.status, reply.body.error]).toEqual([change, 400, 'ERR_VALIDATION'])
    }
    const wrong = await o.admin('POST', '/prompt', { ...o.input, baseUrl: 'http://10.0.0.7/v1' })
    expect(wrong.body).toEqual({ error: 'ERR_ADDRESS_REFUSED', field: 'baseUrl' })
    expect((await o.admin('POST', '/prompt', { ...o.input, apiKey: MASK })).body.error).toBe('ERR_PROMPT_KEY_REQUIRED')
    await o.admin('POST', '/prompt', o.input)
    expect((await o.admin('POST', '/prompt', o.input)).body.error).toBe('ERR_PROMPT_NAME_ALREADY_EXISTS')
  })

  test('is for admins of companies whose plan has it; others see names only', async () => {
    const o = await office()
    const { id } = (await o.admin('POST', '/prompt', o.input)).body
    const [seen] = (await o.agent('GET', '/prompt')).body.prompts
    expect(Object.keys(seen).sort()).toEqual(['companyId', 'id', 'maxTokens', 'name', 'queue', 'queueId', 'voice'])
    for (const [method, path, body] of [
      ['GET', `/prompt/${id}`],
      ['GET', '/prompt/usage'],
      ['POST', '/prompt', o.input],
      ['PUT', `/prompt/${id}`, { name: 'Outro nome' }],
      ['DELETE', `/prompt/${id}`],
      ['POST', `/prompt/${id}/test`, { text: 'oi' }],
    ] as const)
      expect([method, path, (await o.agent(method, path, body)).body.error]).toEqual([
        method,
        path,
        'ERR_NO_PERMISSION',
      ])
    const poor = await office({ useOpenAi: false })
    for (const path of ['/prompt', '/prompt/usage', '/prompt/1'])
      expect((await poor.admin('GET', path)).body).toEqual({ error: 'ERR_PLAN_FEATURE', feature: 'useOpenAi' })
    expect((await poor.admin('POST', '/prompt', poor.input)).body.error).toBe('ERR_PLAN_FEATURE')
  })

  test('is told of to everybody in the company, without its text and its keys', async () => {
    const o = await office()
    const { id } = (await o.admin('POST', '/prompt', o.input)).body
    await o.admin('PUT', `/prompt/${id}`, { name: 'Outro nome' })
    await o.admin('DELETE', `/prompt/${id}`)
    const told = t.emitted.filter(({ name, companyId }) => name === 'prompt' && companyId === o.company.id)
    expect(told.map(({ action, payload }) => [action, payload])).toMatchObject([
      ['create', { prompt: { id, name: 'Assistente', queue: { id: o.queue.id } } }],
      ['update', { prompt: { id, name: 'Outro nome' } }],
      ['delete', { promptId: id }],
    ])
    expect(JSON.stringify(told)).not.toContain('simpatia')
    expect(JSON.stringify(told)).not.toContain(openai.key)
  })

  test('leaves the queues, connections and tickets that used it', async () => {
    const o = await office()
    const { db } = t.database
    const { id } = (await o.admin('POST', '/prompt', o.input)).body
    await db.update(queues).set({ promptId: id }).where(eq(queues.id, o.queue.id))
    const connection = await t.eg.whatsapp(o.company.id, { promptId: id })
    const ticket = await t.eg.ticket(o.company.id, { promptId: id })
    const other = await office()
    await db.update(queues).set({ promptId: id }).where(eq(queues.id, other.queue.id))
    t.emitted.length = 0
    await o.admin('DELETE', `/prompt/${id}`)
    const left = await Promise.all([
      db.select({ promptId: queues.promptId }).from(queues).where(eq(queues.id, o.queue.id)),
      db.select({ promptId: whatsapps.promptId }).from(whatsapps).where(eq(whatsapps.id, connection.id)),
      db.select({ promptId: tickets.promptId }).from(tickets).where(eq(tickets.id, ticket.id)),
    ])
    expect(left.flat()).toEqual([{ promptId: null }, { promptId: null }, { promptId: null }])
    // Who has the lists open sees it.
    const told = t.emitted.filter(({ name }) => name === 'queue' || name === 'whatsapp')
    expect(told.map(({ name, payload }) => [name, payload])).toEqual([
      ['queue', { queue: { id: o.queue.id, promptId: null } }],
      ['whatsapp', { whatsapp: { id: connection.id, promptId: null } }],
    ])
    const [theirs] = await db.select().from(queues).where(eq(queues.id, other.queue.id))
    expect(theirs!.promptId).toBe(id)
  })
})

describe('the key of an assistant', () => {
  test('is sealed, shown to nobody and replaced only', async () => {
    const o = await office()
    const { id } = (await o.admin('POST', '/prompt', { ...o.input, voiceKey: 'azure-key' })).body
    const row = async () => (await t.database.db.select().from(prompts).where(eq(prompts.id, id)))[0]!
    const opened = async () => openPrompt(t.database.db, t.deps.sealer, o.company.id, id)
    const before = await row()
    expect(JSON.stringify(before)).not.toContain(openai.key)
    expect(JSON.stringify(before)).not.toContain('azure-key')
    expect(await opened()).toMatchObject({ apiKey: openai.key, voiceKey: 'azure-key' })
    for (const path of ['/prompt', `/prompt/${id}`])
      expect(JSON.stringify((await o.admin('GET', path)).body)).not.toMatch(/sk-balcao|azure-key/)
    // What the form sends back.
    const whole = (await o.admin('GET', `/prompt/${id}`)).body
    await o.admin('PUT', `/prompt/${id}`, whole)
    expect((await row()).apiKey).toBe(before.apiKey)
    await o.admin('PUT', `/prompt/${id}`, { apiKey: 'sk-new', voiceKey: '' })
    expect(await opened()).toMatchObject({ apiKey: 'sk-new', voiceKey: '' })
    // A row's key is of no use in another row.
    const copy = (await o.admin('POST', '/prompt', { ...o.input, name: 'Outra assistente' })).body
    await t.database.db.update(prompts).set({ apiKey: before.apiKey }).where(eq(prompts.id, copy.id))
    expect(openPrompt(t.database.db, t.deps.sealer, o.company.id, copy.id)).rejects.toThrow()
  })

  test('is not sent to an address that came later', async () => {
    const o = await office()
    const { id } = (await o.admin('POST', '/prompt', o.input)).body
    for (const baseUrl of ['', 'https://mine.example.com/v1', 'http://127.0.0.1:1/v1'])
      expect([baseUrl, (await o.admin('PUT', `/prompt/${id}`, { baseUrl, apiKey: MASK })).body.error]).toEqual([
        baseUrl,
        'ERR_PROMPT_KEY_REQUIRED',
      ])
    expect((await o.admin('PUT', `/prompt/${id}`, { baseUrl: `${served.urls.openai}/v2` })).status).toBe(200)
    const moved = await o.admin('PUT', `/prompt/${id}`, { baseUrl: 'https://mine.example.com/v1', apiKey: 'sk-mine' })
    expect(moved.status).toBe(200)
  })
})

describe('whoever tries an assistant', () => {
  test('reads its answer, hears its voice, and pays for the tokens', async () => {
    const o = await office()
    const voice = { voice: 'pt-BR-ElzaNeural', voiceKey: azure.key, voiceRegion: 'brazilsouth' }
    const { id } = (await o.admin('POST', '/prompt', { ...o.input, ...voice })).body
    const answer = (await o.admin('POST', `/prompt/${id}/test`, { text: 'Que horas abre?' })).body
    expect(answer).toMatchObject({ messages: [expect.stringContaining('6h às 20h')], transfer: null, failure: null })
    expect(Buffer.from(answer.voice, 'base64').toString('latin1', 0, 4)).toBe('OggS')
    expect(openai.asked[0]!.messages[0]!.content).toContain('Helena')
    const { inputTokens, outputTokens } = answer.usage
    expect((await o.admin('GET', '/prompt/usage')).body).toMatchObject({
      tokens: inputTokens + outputTokens,
      answers: 1,
      limit: 0,
    })
    const history = [
      { from: 'contact', text: 'oi' },
      { from: 'us', text: 'Olá!' },
    ]
    const handed = (await o.admin('POST', `/prompt/${id}/test`, { text: 'Quero uma pessoa', history })).body
    expect(handed.transfer).toEqual({ reason: 'O cliente pediu uma pessoa' })
    expect(
      openai.asked
        .at(-1)!
        .messages.slice(1, 3)
        .map(({ content }) => content),
    ).toEqual(['oi', 'Olá!'])
  })

  test('is told in a word what went wrong', async () => {
    const o = await office()
    const { id } = (await o.admin('POST', '/prompt', { ...o.input, apiKey: 'sk-wrong' })).body
    expect((await o.admin('POST', `/prompt/${id}/test`, { text: 'oi' })).body).toEqual({
      messages: [],
      failure: {
        ...{ why: 'credentials', says: '127.0.0.1 answers 401 (invalid_api_key)' },
        ...{ status: 401, code: 'invalid_api_key' },
      },
    })
  })

  test('is refused when the month’s tokens are used up, and when trying without end', async () => {
    const o = await office()
    const { id } = (await o.admin('POST', '/prompt', o.input)).body
    const usage = { model: 'x', inputTokens: 90_000, outputTokens: 10_000 }
    await o.admin('PUT', '/settings/promptMonthlyTokens', { value: '100000' })
    await countPromptUse(t.database.db, o.company.id, usage, t.clock.now)
    expect((await o.admin('POST', `/prompt/${id}/test`, { text: 'oi' })).body).toEqual({
      error: 'ERR_PROMPT_TOKENS',
      limit: 100_000,
    })
    await o.admin('PUT', '/settings/promptMonthlyTokens', { value: '0' })
    const replies = []
    for (let i = 0; i < 12; i++) replies.push((await o.admin('POST', `/prompt/${id}/test`, { text: 'oi' })).status)
    expect(replies.filter((status) => status === 200).length).toBeGreaterThanOrEqual(8)
    expect(replies.at(-1)).toBe(429)
  })

  test('finds the tokens of a month in the company’s time zone', async () => {
    const o = await office()
    const usage = { model: 'x', inputTokens: 5, outputTokens: 5 }
    const { db } = t.database
    // Two in the morning of the first in London is still the day before in São Paulo.
    await countPromptUse(db, o.company.id, usage, new Date('2026-12-01T02:00:00Z'))
    await countPromptUse(db, o.company.id, usage, new Date('2026-11-20T12:00:00Z'))
    expect(await promptUse(db, o.company.id, new Date('2026-11-22T12:00:00Z'))).toEqual({
      ...{ month: '2026-11-01', tokens: 20, answers: 2, limit: 0 },
    })
    expect(await promptUse(db, o.company.id, new Date('2026-12-01T03:00:00Z'))).toMatchObject({ tokens: 0 })
  })
})

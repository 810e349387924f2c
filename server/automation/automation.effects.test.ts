import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { automationDecisions } from '../../schema/automation/automation.table.ts'
import type { Effect } from '../../schema/effects.ts'
import { newId } from '../../schema/ids.ts'
import { integrations } from '../../schema/integrations/integrations.table.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { type FlowNode, newData } from '../../schema/flows/flows.graph.ts'
import type { FlowLogEntry } from '../../schema/flows/flows.log.ts'
import {
  flowCampaigns,
  flowFiles,
  flowLogs,
  flowRuns,
  flows,
  flowSecrets,
  flowVersions,
} from '../../schema/flows/flows.table.ts'
import type { MessageContent } from '../../schema/messages/messages.content.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { prompts, promptUsage } from '../../schema/prompts/prompts.table.ts'
import { roles } from '../../schema/roles/roles.table.ts'
import { MASK } from '../../schema/secrets.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { PIXEL } from '../../tests/example-data.ts'
import { fakeOpenAi, soundOf } from '../../tests/fakes/bots/openai.ts'
import { serveFakes } from '../../tests/fakes/bots/serve.ts'
import { fakeWebhook } from '../../tests/fakes/bots/webhook.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { createBots } from '../bots/bots.ask.ts'
import { createCommandRunner } from '../commands/run.ts'
import { openSecrets, sealedSecret } from '../flows/flow-secrets.queries.ts'
import { sealedSecrets } from '../integrations/integrations.queries.ts'
import { NotNow } from '../jobs/worker.ts'
import { createFileFetcher } from '../media/media.fetched.ts'
import { releaseFiles } from '../../tests/support/release-files.ts'
import { createLogger } from '../log.ts'

import { sealedKeys } from '../prompts/prompts.queries.ts'
import { createReceiver } from '../tickets/receive.ts'
import { createAnswers } from './automation.answer.ts'
import { automationEffects } from './automation.effects.ts'
import { wakeRuns } from './automation.runs.ts'
import { sweepAutomation } from './automation.sweep.ts'

/** A contact writes, a language model or another bot is asked, and its answer is said: all but WhatsApp is real. */

let t: TestApp
let openai: ReturnType<typeof fakeOpenAi>
let webhook: ReturnType<typeof fakeWebhook>
let served: ReturnType<typeof serveFakes<'openai' | 'webhook'>>
let receive: ReturnType<typeof createReceiver>
let effects: ReturnType<typeof automationEffects>
/** The same, with parts of it that a test breaks. */
let effectsWith: (values?: Partial<Parameters<typeof automationEffects>[0]>) => typeof effects
beforeAll(async () => {
  served = serveFakes({
    openai: { handle: (request, path) => openai.handle(request, path) },
    webhook: { handle: (request) => webhook.handle(request) },
  })
  t = await testApp({ publicUrl: 'https://balcao.example.test' })
  const { db, facts, rules, graphs, outside, sealer, media, links } = t.deps
  const log = createLogger({ level: 'silent' })
  const now = () => new Date()
  const shared = { db, now, facts, committed: () => undefined }
  receive = createReceiver({ ...shared, answers: createAnswers({ rules, graphs, log }) })
  const bots = createBots({ db, sealer, outside, now, sleep: async () => undefined })
  effectsWith = (values = {}) =>
    automationEffects({
      ...shared,
      rules,
      graphs,
      log,
      bots,
      media,
      outside,
      fetchFile: createFileFetcher({ media, outside }),
      maxMediaBytes: 1_000_000,
      openSecrets: (companyId, names, host) => openSecrets(db, sealer, companyId, names, host),
      mediaUrl: links.to,
      ...values,
    })
  effects = effectsWith()
})
beforeEach(() => {
  openai = fakeOpenAi()
  webhook = fakeWebhook()
})
afterAll(async () => {
  await t.close()
  await served.stop()
})

async function counter() {
  const company = await t.eg.company()
  const queue = await t.eg.queue(company.id, { name: 'Vendas' })
  const line = await t.eg.whatsapp(company.id, {})
  const contact = await t.eg.contact(company.id, { name: 'Ana Lima', nameSource: 'edited' })
  const { db } = t.database
  const connectionHas = (values: Partial<typeof whatsapps.$inferInsert>) =>
    db.update(whatsapps).set(values).where(eq(whatsapps.id, line.id))
  const write = (...texts: string[]) =>
    receive(texts.map((text) => t.eg.inbound(line, { number: contact.number, text })))
  const asked = () =>
    db
      .select()
      .from(jobs)
      .where(and(eq(jobs.companyId, company.id), eq(jobs.kind, 'automation.ask')))
      .orderBy(asc(jobs.id))
  /** Does the jobs that ask somebody, as the worker does. */
  const work = async () => {
    for (const job of await asked()) {
      const effect = { kind: job.kind, ...job.payload } as Extract<Effect, { kind: 'automation.ask' }>
      await effects['automation.ask'](effect, { companyId: company.id, attempt: 1, last: false })
      if (job.runAt <= new Date()) await db.delete(jobs).where(eq(jobs.id, job.id))
    }
  }
  const said = async () =>
    (
      await db
        .select()
        .from(messages)
        .where(and(eq(messages.companyId, company.id), eq(messages.fromMe, true)))
        .orderBy(asc(messages.createdAt), asc(messages.id))
    ).map(({ body }) => body)
  const ticket = async () => (await db.select().from(tickets).where(eq(tickets.companyId, company.id)))[0]!
  const notes = async () =>
    (await db.select().from(ticketNotes).where(eq(ticketNotes.companyId, company.id))).map(({ note }) => note)
  return { company, queue, line, contact, write, work, said, ticket, asked, connectionHas, notes }
}
const handOver = 'Vou chamar uma pessoa para continuar. Aguarde um momento, por favor.'
const refusedKey = 'O assistente não respondeu: o serviço recusou a chave.'

describe('an assistant', () => {
  async function withPrompt() {
    const made = await counter()
    const { db } = t.database
    const [prompt] = await db
      .insert(prompts)
      .values({
        ...{ companyId: made.company.id, name: 'Assistente', prompt: 'Você atende a padaria.', apiKey: '' },
        ...{ baseUrl: `${served.urls.openai}/v1`, model: 'local-model', queueId: made.queue.id },
      })
      .returning()
    await db
      .update(prompts)
      .set(sealedKeys(t.deps.sealer, prompt!.id, { apiKey: openai.key }))
      .where(eq(prompts.id, prompt!.id))
    await made.connectionHas({ promptId: prompt!.id })
    return { ...made, prompt: prompt! }
  }

  test('answers in the ticket, which says so, and what it used is counted', async () => {
    const { write, work, said, ticket, company, prompt } = await withPrompt()
    openai.state.say = () => 'Temos pão de queijo, sim!'
    await write('Tem pão de queijo?')
    expect(await ticket()).toMatchObject({ chatbot: true, promptId: prompt.id })
    await work()
    expect(await said()).toEqual(['Temos pão de queijo, sim!'])
    const [used] = await t.database.db.select().from(promptUsage).where(eq(promptUsage.companyId, company.id))
    expect(used).toMatchObject({ answers: 1 })
    expect(used!.tokens).toBeGreaterThan(12)
  })

  test('is asked once about messages that came together, with all of them', async () => {
    const { write, work, said } = await withPrompt()
    openai.state.say = () => 'Até as 18 h.'
    await write('Oi', 'Até que horas abrem?')
    await work()
    expect(await said()).toEqual(['Até as 18 h.'])
    expect(
      openai.asked
        .at(-1)!
        .messages.map(({ content }) => content)
        .slice(1),
    ).toEqual(['Oi', 'Até que horas abrem?'])
  })

  test('hands over to its queue, and is not asked again in that service', async () => {
    const { write, work, said, ticket, queue, notes } = await withPrompt()
    openai.state.say = () => ({ tool: 'transfer_to_queue', arguments: '{"reason":"quer uma pessoa"}' })
    await write('Quero falar com alguém')
    await work()
    expect(await ticket()).toMatchObject({ queueId: queue.id, status: 'pending', chatbot: false, promptId: null })
    await write('Alô?')
    await work()
    // The model found no words: the contact is told all the same, and whoever takes the ticket reads why.
    expect(await said()).toEqual([handOver])
    expect(await notes()).toEqual(['O assistente passou a conversa a uma pessoa: quer uma pessoa'])
    expect(openai.asked).toHaveLength(1)
  })

  test('that is broken gives the ticket to its queue, and the decision says why', async () => {
    const { write, work, ticket, queue, company, said, notes } = await withPrompt()
    openai.troubles.next({ status: 401 }, { status: 401 })
    await write('Oi')
    await work()
    expect(await ticket()).toMatchObject({ queueId: queue.id, chatbot: false })
    expect([await said(), await notes()]).toEqual([[handOver], [refusedKey]])
    const decisions = await t.database.db
      .select()
      .from(automationDecisions)
      .where(and(eq(automationDecisions.companyId, company.id), eq(automationDecisions.trigger, 'answer')))
    expect(decisions.map(({ steps }) => steps[0]!.why)).toEqual(['failed_credentials'])
  })

  test('says nothing where a person has come meanwhile', async () => {
    const { write, work, said, ticket, company } = await withPrompt()
    const agent = await t.eg.user(company.id, { profile: 'admin' })
    await write('Oi')
    const { db, now } = t.deps
    const run = createCommandRunner({ db, now, committed: () => undefined })
    await run(agent.who, { id: newId(), name: 'tickets.accept', input: { ticketId: (await ticket()).id } })
    await work()
    expect(await said()).toEqual([])
  })

  test('answers once however often its job runs', async () => {
    const { write, asked, said, company } = await withPrompt()
    await write('Oi')
    const [job] = await asked()
    const effect = { kind: job!.kind, ...job!.payload } as Extract<Effect, { kind: 'automation.ask' }>
    for (let i = 0; i < 2; i++)
      await effects['automation.ask'](effect, { companyId: company.id, attempt: i + 1, last: false })
    expect(await said()).toHaveLength(1)
  })
})

describe('a voice note', () => {
  async function withListener(values: Partial<typeof prompts.$inferInsert> = {}) {
    const made = await counter()
    const { db } = t.database
    const [prompt] = await db
      .insert(prompts)
      .values({
        ...{ companyId: made.company.id, name: 'Assistente', prompt: 'Você atende a padaria.', apiKey: '' },
        ...{ baseUrl: `${served.urls.openai}/v1`, model: 'local-model', transcriptionModel: 'local-whisper' },
        ...{ queueId: made.queue.id, ...values },
      })
      .returning()
    await db
      .update(prompts)
      .set(sealedKeys(t.deps.sealer, prompt!.id, { apiKey: openai.key }))
      .where(eq(prompts.id, prompt!.id))
    await made.connectionHas({ promptId: prompt!.id })
    const media = { mimetype: 'audio/ogg; codecs=opus', fileName: null, size: 900 }
    const speak = () =>
      receive([
        t.eg.inbound(made.line, {
          number: made.contact.number,
          content: { type: 'audio', media, voice: true, seconds: 2 },
        }),
      ])
    /** Its bytes have come, as `media.fetch` brings them. */
    const fetched = async () => {
      const file = await t.deps.media.put(made.company.id, await soundOf('Oi'), {
        ...{ name: 'voz.ogg', mimetype: 'audio/ogg', maxBytes: 1_000_000 },
      })
      await db
        .update(messages)
        .set({ mediaState: 'ready', mediaPath: file.path })
        .where(and(eq(messages.companyId, made.company.id), eq(messages.isVoice, true)))
    }
    return { ...made, speak, fetched }
  }

  test('is made into text once its file is there, and answered; later answers know what it said', async () => {
    const { speak, fetched, write, work, said, asked } = await withListener()
    openai.state.say = ({ messages: told }) => `Você disse: ${told.at(-1)!.content}`
    await speak()
    const [job] = await asked()
    const effect = { kind: job!.kind, ...job!.payload } as Extract<Effect, { kind: 'automation.ask' }>
    const context = { companyId: job!.companyId!, attempt: 1, last: false }
    expect(effects['automation.ask'](effect, context)).rejects.toBeInstanceOf(NotNow)
    await fetched()
    // A crash before its end does not have it listened to twice.
    await effects['automation.ask'](effect, context)
    await work()
    expect(await said()).toEqual(['Você disse: Quero dois pães de queijo'])
    expect(openai.heard).toMatchObject([{ model: 'local-whisper', language: 'pt', type: 'audio/ogg' }])
    await write('Quanto custa?')
    await work()
    expect(openai.asked.at(-1)!.messages.map(({ content }) => content)).toContain('Quero dois pães de queijo')
    expect(openai.heard).toHaveLength(1)
  })

  test('that comes before a text is understood with it, in one answer', async () => {
    const { speak, fetched, write, work, said } = await withListener()
    openai.state.say = () => 'Dois, anotado.'
    await speak()
    await fetched()
    await write('Para amanhã')
    await work()
    expect(await said()).toEqual(['Dois, anotado.'])
    const told = openai.asked.at(-1)!.messages.map(({ content }) => content)
    expect(told.slice(1)).toEqual(['Quero dois pães de queijo', 'Para amanhã'])
  })

  test('that no model listens to is told as what it is; one that its service refuses goes to people', async () => {
    const unheard = await withListener({ transcriptionModel: '' })
    openai.state.say = ({ messages: told }) => told.at(-1)!.content
    await unheard.speak()
    await unheard.fetched()
    await unheard.work()
    expect(await unheard.said()).toEqual(['[O cliente enviou uma mensagem de voz, que não pôde ser ouvida]'])
    const { speak, fetched, work, said, ticket, queue } = await withListener()
    openai.troubles.next({ status: 401 })
    await speak()
    await fetched()
    await work()
    expect([await said(), await ticket()]).toMatchObject([[handOver], { queueId: queue.id, chatbot: false }])
  })
})

const node = (id: string, type: FlowNode['type'], data: object, exits: Record<string, string>) => ({
  ...{ node: id, type, x: 0, y: 0, exits },
  data: { ...newData(type), ...data } as Record<string, unknown>,
})

describe('an assistant in a flow', () => {
  async function inFlow(data: object = {}, exits: Record<string, string> = {}) {
    const made = await counter()
    const { db } = t.database
    const [prompt] = await db
      .insert(prompts)
      .values({
        ...{ companyId: made.company.id, name: 'Assistente', prompt: 'Você atende a padaria.', apiKey: '' },
        ...{ baseUrl: `${served.urls.openai}/v1`, model: 'local-model', queueId: made.queue.id },
        ...{ transcriptionModel: 'local-whisper' },
      })
      .returning()
    await db
      .update(prompts)
      .set(sealedKeys(t.deps.sealer, prompt!.id, { apiKey: openai.key }))
      .where(eq(prompts.id, prompt!.id))
    const [flow] = await db.insert(flows).values({ companyId: made.company.id, name: 'Conversa' }).returning()
    const talk = { promptId: prompt!.id, talk: true, turns: 9, gatherSeconds: 4, ...data }
    const [version] = await db
      .insert(flowVersions)
      .values({
        ...{ companyId: made.company.id, flowId: flow!.id, number: 1 },
        nodes: [
          node('1', 'start', {}, { a: 'ai' }),
          node('ai', 'ai', talk, exits),
          node('failed', 'message', { text: 'Não deu' }, {}),
        ],
      })
      .returning()
    await db.update(flows).set({ versionId: version!.id }).where(eq(flows.id, flow!.id))
    await db.insert(flowCampaigns).values({
      ...{ companyId: made.company.id, name: 'x', flowId: flow!.id, whatsappId: made.line.id },
      ...{ phrase: 'oi', phraseKey: 'oi' },
    })
    /** Does the job that asks the model, as the worker does. */
    const think = async () => {
      const [job] = await db
        .select()
        .from(jobs)
        .where(and(eq(jobs.companyId, made.company.id), eq(jobs.kind, 'flows.ai')))
      const effect = { kind: job!.kind, ...job!.payload } as Extract<Effect, { kind: 'flows.ai' }>
      await effects['flows.ai'](effect, { companyId: made.company.id, attempt: 1, last: false })
      await db.delete(jobs).where(eq(jobs.id, job!.id))
    }
    /** The seconds in which more would belong to the answer are over. */
    const gathered = async () => {
      await db.update(flowRuns).set({
        // A second ago: the clock of Postgres is finer than that of the wake-up, which asks what is due by its own.
        ...{ wakeAt: sql`now() - interval '1 second'` },
        ...{ run: sql`jsonb_set(${flowRuns.run}, '{wait,until}', to_jsonb(0))` },
      })
      const { rules, graphs } = t.deps
      const deps = { db, rules, graphs, now: () => new Date(), log: createLogger({ level: 'silent' }) }
      await wakeRuns({ ...deps, committed: () => undefined }, [made.line.id])
    }
    const told = () =>
      openai.asked
        .at(-1)!
        .messages.map(({ role, content }) => `${role}: ${content}`)
        .slice(1)
    const decisions = () =>
      db
        .select()
        .from(automationDecisions)
        .where(and(eq(automationDecisions.companyId, made.company.id), eq(automationDecisions.trigger, 'timer')))
        .orderBy(asc(automationDecisions.createdAt))
    const send = (content: MessageContent) =>
      receive([t.eg.inbound(made.line, { number: made.contact.number, content })])
    return { ...made, prompt: prompt!, think, gathered, told, decisions, send }
  }

  test('is told each message of the contact once, also those that were gathered or written while it thought', async () => {
    const { write, think, gathered, told, said } = await inFlow()
    openai.state.say = () => 'Pois não?'
    await write('oi')
    await think()
    expect(told()).toEqual(['user: oi'])
    await write('quero')
    await write('pão')
    await gathered()
    await write('e bolo')
    await think()
    expect(told()).toEqual(['user: oi', 'assistant: Pois não?', 'user: quero\npão'])
    await think()
    expect(told()).toEqual([
      ...['user: oi', 'assistant: Pois não?', 'user: quero', 'user: pão'],
      ...['assistant: Pois não?', 'user: e bolo'],
    ])
    expect(await said()).toHaveLength(3)
  })

  test('is told of a picture, a place and a voice note without words as what they are', async () => {
    const { write, think, gathered, told, send, company, said } = await inFlow()
    openai.state.say = () => 'Recebi.'
    await write('oi')
    await think()
    const file = { fileName: null, size: 900 }
    await send({ type: 'image', media: { mimetype: 'image/png', ...file }, caption: '' })
    await t.database.db.update(messages).set({ mediaState: 'ready' }).where(eq(messages.companyId, company.id))
    await think()
    expect(told().at(-1)).toBe('user: [O cliente enviou uma imagem]')
    await send({ type: 'location', latitude: -23.5, longitude: -46.6, name: 'Padaria', thumbnail: null })
    await gathered()
    await think()
    expect(told().at(-1)).toBe('user: [O cliente enviou uma localização] Padaria -23.5, -46.6')
    const media = { mimetype: 'audio/ogg; codecs=opus', ...file }
    await send({ type: 'audio', media, voice: true, seconds: 2 })
    await t.database.db.update(messages).set({ mediaState: 'failed' }).where(eq(messages.isVoice, true))
    await think()
    expect(told().at(-1)).toBe('user: [O cliente enviou uma mensagem de voz, que não pôde ser ouvida]')
    expect(await said()).toEqual(['Recebi.', 'Recebi.', 'Recebi.', 'Recebi.'])
  })

  test('that fails gives the ticket to its queue, says so, and leaves a note and its reason', async () => {
    const { write, think, said, notes, ticket, queue, decisions } = await inFlow()
    openai.troubles.next({ status: 401 })
    await write('oi')
    await think()
    expect(await said()).toEqual([handOver])
    expect(await notes()).toEqual([refusedKey])
    expect(await ticket()).toMatchObject({ queueId: queue.id, status: 'pending', chatbot: false })
    const [decision] = await decisions()
    expect(decision!.steps).toMatchObject([{ step: 'flow', why: 'ai_failed', facts: { failure: 'credentials' } }])
    expect(decision!.messageId).not.toBeNull()
    // Nothing else answers in its place.
    await write('oi')
    expect(await said()).toEqual([handOver])
  })

  test('that the plan does not have is not asked: the flow goes on by its way for failures, and the trace says why', async () => {
    const { company, write, think, said, decisions } = await inFlow({}, { error: 'failed' })
    const { db } = t.deps
    await write('Oi')
    // The plan changed while the flow was under way.
    await db.update(plans).set({ useOpenAi: false }).where(eq(plans.id, company.planId!))
    t.deps.facts.forget(company.id)
    t.deps.rules.forget(company.id)
    await think()
    expect([openai.asked.length, await said()]).toEqual([0, ['Não deu']])
    expect((await decisions()).at(-1)!.steps.at(-1)).toMatchObject({
      why: 'plan_without_ai',
      facts: { failure: 'plan' },
    })
  })

  test('that fails where the flow has a way for it goes on there, and its reason is written down', async () => {
    const { write, think, said, notes, decisions, prompt } = await inFlow({}, { error: 'failed' })
    await t.database.db.delete(prompts).where(eq(prompts.id, prompt.id))
    await write('oi')
    await think()
    expect([await said(), await notes()]).toEqual([['Não deu'], []])
    expect((await decisions())[0]!.steps).toMatchObject([{ why: 'ai_failed', facts: { failure: 'gone' } }])
  })

  test('that hands over keeps the model’s reason; what an answer cost stands with the decision', async () => {
    const { write, think, gathered, said, notes, decisions, queue, ticket } = await inFlow()
    openai.state.say = () => 'Pois não?'
    await write('oi')
    await think()
    openai.state.say = () => ({ tool: 'transfer_to_queue', arguments: '{"reason":"quer trocar o pedido"}' })
    await write('quero uma pessoa')
    await gathered()
    await think()
    expect(await said()).toEqual(['Pois não?', handOver])
    expect(await notes()).toEqual(['O assistente passou a conversa a uma pessoa: quer trocar o pedido'])
    expect((await ticket()).queueId).toBe(queue.id)
    const results = (await decisions()).filter(({ steps }) => steps[0]!.why.startsWith('ai_'))
    expect(results.map(({ steps }) => steps[0]!.why)).toEqual(['ai_answered', 'ai_transferred'])
    expect(results[0]!.by).toMatchObject({ model: 'local-model', outputTokens: 12, nodes: ['ai'] })
    expect(results[1]!.steps[0]!.facts).toMatchObject({ reason: 'quer trocar o pedido' })
  })
})

describe('a call of a flow', () => {
  test('carries the secrets that it names, and nothing that is kept shows them', async () => {
    const { company, write, said, line, ticket } = await counter()
    const { db, sealer } = t.deps
    const secret = 's3cr"t/+='
    const heard: { url: string; key: string | null; body: unknown }[] = []
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const body = await request.text()
        heard.push({ url: request.url, key: request.headers.get('x-key'), body: JSON.parse(body) as unknown })
        return Response.json({ echo: request.headers.get('x-key'), again: body, at: request.url })
      },
    })
    const [flow] = await db.insert(flows).values({ companyId: company.id, name: 'Consulta' }).returning()
    const [version] = await db
      .insert(flowVersions)
      .values({
        ...{ companyId: company.id, flowId: flow!.id, number: 1 },
        nodes: [
          node('1', 'start', {}, { a: 'call' }),
          node(
            'call',
            'http',
            {
              ...{ method: 'POST', url: `http://127.0.0.1:${server.port}/?k={{secret:api}}` },
              headers: [{ name: 'x-key', value: '{{ secret:api }}' }],
              body: '{"key":"{{secret:api}}","who":"{{name}}"}',
              saves: [{ path: '', saveAs: 'all' }],
            },
            { success: 'told', error: 'failed' },
          ),
          node('told', 'message', { text: 'Ouvi {{all}}' }, {}),
          node('failed', 'message', { text: 'Não deu' }, {}),
        ],
      })
      .returning()
    await db.update(flows).set({ versionId: version!.id }).where(eq(flows.id, flow!.id))
    await db.insert(flowCampaigns).values({
      ...{ companyId: company.id, name: 'x', flowId: flow!.id, whatsappId: line.id },
      ...{ phrase: 'consulta', phraseKey: 'consulta' },
    })
    const call = async () => {
      await write('consulta')
      const [job] = await db
        .select()
        .from(jobs)
        .where(and(eq(jobs.companyId, company.id), eq(jobs.kind, 'flows.http')))
      const effect = { kind: job!.kind, ...job!.payload } as Extract<Effect, { kind: 'flows.http' }>
      await effects['flows.http'](effect, { companyId: company.id, attempt: 1, last: false })
      await db.delete(jobs).where(eq(jobs.id, job!.id))
      return job!
    }
    // Without it nobody is called.
    await call()
    expect([heard, await said()]).toEqual([[], ['Não deu']])
    await db.insert(flowSecrets).values({
      ...{ companyId: company.id, name: 'api', value: sealedSecret(sealer, company.id, 'api', secret) },
      hosts: ['api.outra.test'],
    })
    // Nor is anybody to whom it is not sent.
    await call()
    expect([heard, await said()]).toEqual([[], ['Não deu', 'Não deu']])
    await db
      .update(flowSecrets)
      .set({ hosts: [`127.0.0.1:${server.port}`] })
      .where(eq(flowSecrets.companyId, company.id))
    const job = await call()
    const url = `http://127.0.0.1:${server.port}/?k=${encodeURIComponent(secret)}`
    expect(heard).toEqual([{ url, key: secret, body: { key: secret, who: 'Ana Lima' } }])
    expect((await said()).at(-1)).toContain(`"echo":"${MASK}"`)
    const kept = [
      job,
      await said(),
      await db.select().from(automationDecisions).where(eq(automationDecisions.companyId, company.id)),
      await db.select().from(flowRuns).where(eq(flowRuns.companyId, company.id)),
      await db.select().from(flowLogs).where(eq(flowLogs.companyId, company.id)),
    ]
    expect(JSON.stringify(kept)).not.toContain('s3cr')

    // Afterwards the run is read, block by block, with what went out and came back.
    const admin = await t.login((await t.eg.user(company.id, { profile: 'admin' })).email)
    const read = async (path: string, token = admin) => t.call('GET', path, { token })
    const first = await read(`/flowbuilder/${flow!.id}/runs?limit=2`)
    expect(first.body.records).toMatchObject([
      { reason: 'done', versionNumber: 1, contact: { name: 'Ana Lima' }, ticket: { id: (await ticket()).id } },
      { reason: 'done' },
    ])
    const second = await read(`/flowbuilder/${flow!.id}/runs?limit=2&cursor=${first.body.nextCursor}`)
    expect([second.body.records.length, second.body.nextCursor]).toEqual([1, null])
    const runId = first.body.records[0].id as string
    const { body: run } = await read(`/flowbuilder/run/${runId}`)
    const short = run.entries.map((entry: FlowLogEntry) => [
      entry.event,
      entry.blocks.map(({ node: id, port }) => `${port ?? ''}>${id}`).join(' '),
      entry.calls
        .map(({ way, line, body }) => `${way} ${line} ${body}`)
        .join(' ')
        .replace(String(server.port), '1'),
      entry.ended,
    ])
    expect(short).toEqual([
      ['started', '>1 a>call', `out POST http://127.0.0.1:1/?${MASK} {"key":"${MASK}","who":"Ana Lima"}`, null],
      ['result', 'success>told', expect.stringContaining(`in HTTP 200 {"echo":"${MASK}"`), 'done'],
    ])
    expect(run.blocks).toContainEqual(
      expect.objectContaining({ node: 'told', type: 'message', flow: 'Consulta', words: 'Ouvi {{all}}' }),
    )
    const [decision] = await db
      .select()
      .from(automationDecisions)
      .where(and(eq(automationDecisions.companyId, company.id), eq(automationDecisions.trigger, 'timer')))
      .orderBy(desc(automationDecisions.createdAt))
    expect(decision!.by).toMatchObject({ runId })
    // Whoever sees no ticket of it sees no run; nor does an agent, or another company.
    const [own] = await db
      .insert(roles)
      .values({ companyId: company.id, name: 'Só os seus', permissions: ['automations:trace'], ticketScope: 'own' })
      .returning()
    const narrow = await t.login((await t.eg.user(company.id, { roleId: own!.id })).email)
    expect((await read(`/flowbuilder/${flow!.id}/runs`, narrow)).body.records).toEqual([])
    expect((await read(`/flowbuilder/run/${runId}`, narrow)).status).toBe(404)
    const agent = await t.login((await t.eg.user(company.id)).email)
    expect((await read(`/flowbuilder/run/${runId}`, agent)).status).toBe(403)
    const other = await t.eg.company()
    const stranger = await t.login((await t.eg.user(other.id, { profile: 'admin' })).email)
    expect((await read(`/flowbuilder/run/${runId}`, stranger)).status).toBe(404)
    // A role that hides numbers reads where it went, and nothing of what was said to services.
    const [masking] = await db
      .insert(roles)
      .values({
        ...{ companyId: company.id, name: 'Sem números', permissions: ['automations:trace'] as const },
        ...{ ticketScope: 'all' as const, maskNumbers: true },
      })
      .returning()
    const masked = await t.login((await t.eg.user(company.id, { roleId: masking!.id })).email)
    const hidden = (await read(`/flowbuilder/run/${runId}`, masked)).body.entries[0]
    expect(hidden).toMatchObject({ isHidden: true, calls: [{ way: 'out', line: '', body: '' }] })
    // It is kept for a bounded time.
    await db.update(flowLogs).set({ at: new Date(Date.now() - 31 * 24 * 3_600_000) })
    await sweepAutomation(t.database.sql)
    expect((await read(`/flowbuilder/run/${runId}`)).body.entries).toEqual([])
    await server.stop(true)
  })
})

describe('what a call of a flow led to is told as it was:', () => {
  const ways = { success: 'told', error: 'failed' }
  const refused = () => new Response('{"error":"db"}', { status: 500 })

  /** A flow that calls an address, with a way for failures or without, and the decision that stands behind the call. */
  async function called(answer: (() => Response) | null, exits: Record<string, string>) {
    const made = await counter()
    const { db } = t.deps
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer ?? refused })
    // Nobody is there: the address was somebody’s a moment ago.
    if (!answer) await server.stop(true)
    const [flow] = await db.insert(flows).values({ companyId: made.company.id, name: 'Consulta' }).returning()
    const [version] = await db
      .insert(flowVersions)
      .values({
        ...{ companyId: made.company.id, flowId: flow!.id, number: 1 },
        nodes: [
          node('1', 'start', {}, { a: 'call' }),
          node('call', 'http', { method: 'GET', url: `http://127.0.0.1:${server.port}/` }, exits),
          node('told', 'message', { text: 'Achei' }, {}),
          node('failed', 'message', { text: 'Não deu' }, {}),
        ],
      })
      .returning()
    await db.update(flows).set({ versionId: version!.id }).where(eq(flows.id, flow!.id))
    await db.insert(flowCampaigns).values({
      ...{ companyId: made.company.id, name: 'x', flowId: flow!.id, whatsappId: made.line.id },
      ...{ phrase: 'consulta', phraseKey: 'consulta' },
    })
    await made.write('consulta')
    const [job] = await db
      .select()
      .from(jobs)
      .where(and(eq(jobs.companyId, made.company.id), eq(jobs.kind, 'flows.http')))
    const effect = { kind: job!.kind, ...job!.payload } as Extract<Effect, { kind: 'flows.http' }>
    await effects['flows.http'](effect, { companyId: made.company.id, attempt: 1, last: false })
    await server.stop(true)
    const [decision] = await db
      .select()
      .from(automationDecisions)
      .where(and(eq(automationDecisions.companyId, made.company.id), eq(automationDecisions.trigger, 'timer')))
    return { step: decision!.steps.at(-1), said: await made.said() }
  }
  test('a 500 is an error of the service, whether the flow has a way for it or not', async () => {
    const went = await called(refused, ways)
    expect([went.step, went.said]).toMatchObject([{ why: 'call_refused', facts: { status: 500 } }, ['Não deu']])
    const ended = await called(refused, { success: 'told' })
    expect([ended.step, ended.said]).toMatchObject([{ why: 'call_refused', facts: { status: 500 } }, []])
  })

  test('a 200 is an answer; where nobody is there, the call failed', async () => {
    expect((await called(() => Response.json({}), ways)).step).toMatchObject({ why: 'result', facts: { status: 200 } })
    expect((await called(null, ways)).step).toMatchObject({ why: 'call_failed' })
  })
})

test('a flow sends a document that the company keeps, by its name and with its words, as often as it is asked for', async () => {
  const { company, line, write } = await counter()
  const { db } = t.deps
  const stored = await t.deps.media.put(company.id, new Blob(['%PDF-1.4\n%%EOF']).stream(), {
    ...{ name: 'Tabela.pdf', mimetype: 'application/pdf', maxBytes: 1_000, strict: true },
  })
  await db.insert(flowFiles).values({
    ...{ companyId: company.id, name: '0123456789ab-Tabela.pdf', mediaPath: stored.path, mediaName: 'Tabela.pdf' },
    ...{ mediaMime: 'application/pdf', mediaSize: stored.size },
  })
  const [flow] = await db.insert(flows).values({ companyId: company.id, name: 'Preços' }).returning()
  const data = { file: '0123456789ab-Tabela.pdf', name: 'Preços de maio.pdf', caption: 'Aqui está, {{firstName}}' }
  const nodes = [node('1', 'start', {}, { a: 'd' }), node('d', 'document', data, {})]
  const [version] = await db
    .insert(flowVersions)
    .values({ companyId: company.id, flowId: flow!.id, number: 1, nodes })
    .returning()
  await db.update(flows).set({ versionId: version!.id }).where(eq(flows.id, flow!.id))
  await db.insert(flowCampaigns).values({
    ...{ companyId: company.id, name: 'x', flowId: flow!.id, whatsappId: line.id },
    ...{ phrase: 'preços', phraseKey: 'precos' },
  })
  await write('preços')
  await write('preços')
  const sent = await db
    .select()
    .from(messages)
    .where(and(eq(messages.companyId, company.id), eq(messages.fromMe, true)))
  expect(sent.map(({ body, mediaType, mediaName, mediaPath }) => ({ body, mediaType, mediaName, mediaPath }))).toEqual(
    Array.from({ length: 2 }, () => ({
      ...{ body: 'Aqui está, Ana', mediaType: 'application', mediaName: 'Preços de maio.pdf', mediaPath: stored.path },
    })),
  )
})

describe('a file that a flow sends from an address', () => {
  const pdf = Buffer.from('%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF')
  const asPdf = (headers: object = {}) =>
    new Response(pdf, { headers: { 'content-type': 'application/pdf', ...headers } })

  /** A flow that sends what lies at the address that the contact's answer is, and what becomes of its job. */
  async function sending(answer: () => Response | Promise<Response>, url = '{{boleto_url}}') {
    const made = await counter()
    const { company, line, write } = made
    const { db } = t.deps
    let calls = 0
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => (calls++, answer()) })
    const [flow] = await db.insert(flows).values({ companyId: company.id, name: 'Boleto' }).returning()
    const [version] = await db
      .insert(flowVersions)
      .values({
        ...{ companyId: company.id, flowId: flow!.id, number: 1 },
        nodes: [
          node('1', 'start', {}, { a: 'ask' }),
          node('ask', 'question', { message: 'Onde?', kind: 'any', saveAs: 'boleto_url' }, { a: 'file' }),
          node('file', 'file', { url, caption: 'Boleto de {{firstName}}' }, { success: 'told', error: 'failed' }),
          node('told', 'message', { text: 'Enviado' }, {}),
          node('failed', 'message', { text: 'Não deu' }, {}),
        ],
      })
      .returning()
    await db.update(flows).set({ versionId: version!.id }).where(eq(flows.id, flow!.id))
    await db.insert(flowCampaigns).values({
      ...{ companyId: company.id, name: 'x', flowId: flow!.id, whatsappId: line.id },
      ...{ phrase: 'boleto', phraseKey: 'boleto' },
    })
    await write('boleto')
    const asks = async (address: string) => {
      await write(address)
      const [job] = await db
        .select()
        .from(jobs)
        .where(and(eq(jobs.companyId, company.id), eq(jobs.kind, 'flows.file')))
      return { kind: job!.kind, ...job!.payload } as Extract<Effect, { kind: 'flows.file' }>
    }
    const work = (effect: Extract<Effect, { kind: 'flows.file' }>, by = effects) =>
      by['flows.file'](effect, { companyId: company.id, attempt: 1, last: false })
    const sent = () =>
      db
        .select()
        .from(messages)
        .where(and(eq(messages.companyId, company.id), eq(messages.fromMe, true)))
        .orderBy(asc(messages.createdAt), asc(messages.id))
    const why = async () => {
      const [decision] = await db
        .select()
        .from(automationDecisions)
        .where(and(eq(automationDecisions.companyId, company.id), eq(automationDecisions.trigger, 'timer')))
      return decision!.steps.at(-1)
    }
    const loggedCalls = async () =>
      (await db.select().from(flowLogs).where(eq(flowLogs.companyId, company.id)).orderBy(asc(flowLogs.id))).flatMap(
        ({ entry }) => (entry as FlowLogEntry).calls,
      )
    const kept = () => [...new Bun.Glob(`company${company.id}/*`).scanSync(t.mediaRoot)]
    return {
      ...made,
      asks,
      work,
      sent,
      why,
      kept,
      read: loggedCalls,
      calls: () => calls,
      server,
      at: `http://127.0.0.1:${server.port}`,
    }
  }

  test('[FL95, FL96] is what its server calls it, of the type that it is, with its words; the read of the run shows no key', async () => {
    const shop = await sending(() => asPdf({ 'content-disposition': 'attachment; filename="Boleto maio.pdf"' }))
    await shop.work(await shop.asks(`${shop.at}/b?assinatura=s3cr3t`))
    const [, file, told] = await shop.sent()
    expect(file).toMatchObject({
      ...{ body: 'Boleto de Ana', mediaType: 'application', mediaState: 'ready', mediaName: 'Boleto maio.pdf' },
      ...{ mediaMime: 'application/pdf', mediaSize: pdf.length, isVoice: false },
    })
    expect(told!.body).toBe('Enviado')
    expect(Buffer.from(await new Response(await t.deps.media.read(file!.mediaPath!)).bytes()).equals(pdf)).toBe(true)
    expect(await shop.why()).toMatchObject({ why: 'file_fetched' })
    const read = await shop.read()
    expect(read).toMatchObject([
      { kind: 'file', way: 'out', line: `${shop.at}/b?${MASK}` },
      { kind: 'file', way: 'in', ok: true, line: 'Boleto maio.pdf' },
    ])
    expect(JSON.stringify([read, await shop.why()])).not.toContain('s3cr3t')
    await shop.server.stop(true)

    const photo = await sending(() => new Response(PIXEL, { headers: { 'content-type': 'image/png' } }))
    await photo.work(await photo.asks(`${photo.at}/foto.png`))
    expect((await photo.sent())[1]).toMatchObject({ mediaType: 'image', mediaName: 'foto.png', body: 'Boleto de Ana' })
    await photo.server.stop(true)
  })

  test('[FL95, FL96] that cannot be had takes the way for it, says why in a code that has words, and leaves no file', async () => {
    const page = '<!doctype html><html><body>Entre na sua conta</body></html>'
    const failures: [why: string, answer: () => Response, status?: number][] = [
      ['file_refused', () => new Response('não há', { status: 404 }), 404],
      [
        'file_too_large',
        () => new Response(Buffer.alloc(1_000_001, 'x'), { headers: { 'content-type': 'application/pdf' } }),
      ],
      ['file_page', () => new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } })],
      ['file_page', () => new Response(`\n${page}`, { headers: { 'content-type': 'application/pdf' } })],
      ['file_type', () => new Response(PIXEL, { headers: { 'content-type': 'application/pdf' } })],
      ['file_empty', () => new Response('', { headers: { 'content-type': 'application/pdf' } })],
    ]
    for (const [why, answer, status] of failures) {
      const shop = await sending(answer)
      await shop.work(await shop.asks(`${shop.at}/b.pdf`))
      expect(await shop.why()).toMatchObject({ why: 'file_failed', facts: { failure: why, ...(status && { status }) } })
      expect([why, (await shop.sent()).map(({ body }) => body), shop.kept()]).toEqual([why, ['Onde?', 'Não deu'], []])
      expect((await shop.read()).at(-1)).toMatchObject({
        way: 'in',
        ok: false,
        line: status ? `${why} ${status}` : why,
      })
      await shop.server.stop(true)
    }
  })

  test('[FL95, FL96] is asked for nowhere inside, and of nobody where no address stands', async () => {
    for (const [said, why] of [
      ['http://10.0.0.1/boleto.pdf', 'file_inside'],
      ['http://169.254.169.254/latest/meta-data', 'file_inside'],
      ['file:///etc/passwd', 'file_address'],
      ['amanhã', 'file_address'],
      ['https://ana:senha@a.example/b.pdf', 'file_address'],
    ] as const) {
      const shop = await sending(() => asPdf())
      await shop.work(await shop.asks(said))
      expect([said, (await shop.why())?.facts?.['failure'], shop.calls()]).toEqual([said, why, 0])
      expect((await shop.sent()).at(-1)!.body).toBe('Não deu')
      await shop.server.stop(true)
    }
    const blank = await sending(() => asPdf(), '{{nada}}')
    await blank.work(await blank.asks('x'))
    expect((await blank.why())?.facts).toMatchObject({ failure: 'file_no_address' })
    await blank.server.stop(true)
    // Nobody is there any more.
    const gone = await sending(() => asPdf())
    await gone.server.stop(true)
    await gone.work(await gone.asks(`${gone.at}/b.pdf`))
    expect((await gone.why())?.facts).toMatchObject({ failure: 'file_unreachable' })
  })

  test('[FL96] a secret of its address is sent to its host only, and a redirection inside is refused as the address is', async () => {
    const there = await sending(() => asPdf(), 'http://127.0.0.1:1/b.pdf?k={{secret:banco}}')
    const { db, sealer } = t.deps
    await db.insert(flowSecrets).values({
      ...{ companyId: there.company.id, name: 'banco', hosts: ['banco.example'] },
      value: sealedSecret(sealer, there.company.id, 'banco', 's3cr3t'),
    })
    const effect = await there.asks('x')
    expect(JSON.stringify(effect)).not.toContain('s3cr3t')
    await there.work(effect)
    expect((await there.why())?.facts).toMatchObject({ failure: 'file_secret' })
    await there.server.stop(true)
    const away = await sending(() => new Response(null, { status: 302, headers: { location: 'http://10.0.0.1/' } }))
    await away.work(await away.asks(`${away.at}/b.pdf`))
    expect((await away.why())?.facts).toMatchObject({ failure: 'file_inside' })
    await away.server.stop(true)
  })

  test('[FL96] killed between the fetch and the message, it is fetched again and sent once, though its server makes it anew', async () => {
    let made = 0
    const shop = await sending(
      () =>
        new Response(Buffer.concat([pdf, Buffer.from(String(made++))]), {
          headers: { 'content-type': 'application/pdf' },
        }),
    )
    const effect = await shop.asks(`${shop.at}/b.pdf`)
    const { rules } = t.deps
    const killed = effectsWith({ rules: { ...rules, of: () => Promise.reject(new Error('killed')) } })
    await expect(Promise.resolve(shop.work(effect, killed))).rejects.toThrow('killed')
    expect([(await shop.sent()).map(({ body }) => body), shop.kept().length]).toEqual([['Onde?'], 1])
    await shop.work(effect)
    await shop.work(effect)
    const sent = await shop.sent()
    expect([sent.map(({ body }) => body), shop.calls(), shop.kept().length]).toEqual([
      ['Onde?', 'Boleto de Ana', 'Enviado'],
      2,
      1,
    ])
    const where = and(eq(jobs.companyId, shop.company.id), eq(jobs.kind, 'whatsapp.send'))
    const leaving = await t.database.db.select().from(jobs).where(where)
    expect(leaving.filter(({ payload }) => payload['messageId'] === sent[1]!.id)).toHaveLength(1)
    await shop.server.stop(true)
  })

  test('[FL96] that comes when a person has taken over is sent to nobody, and not kept', async () => {
    let arrived = () => {}
    const shop = await sending(async () => {
      await new Promise<void>((resolve) => (arrived = resolve))
      return asPdf()
    })
    const working = shop.work(await shop.asks(`${shop.at}/b.pdf`))
    while (shop.calls() === 0) await Bun.sleep(1)
    await t.database.db.update(flowRuns).set({ endedAt: new Date() }).where(eq(flowRuns.companyId, shop.company.id))
    arrived()
    await working
    await releaseFiles(t)
    expect([(await shop.sent()).map(({ body }) => body), shop.kept()]).toEqual([['Onde?'], []])
    await shop.server.stop(true)
  })
})

describe('a program that takes our events', () => {
  async function withWebhook() {
    const made = await counter()
    const { db } = t.database
    const [integration] = await db
      .insert(integrations)
      .values({ companyId: made.company.id, type: 'webhook', name: 'n8n', urlN8N: served.urls.webhook })
      .returning()
    const own = { companyId: made.company.id, id: integration!.id }
    const sealed = await sealedSecrets(db, t.deps.sealer, own, { secret: webhook.secret }, new Date())
    await db.update(integrations).set(sealed).where(eq(integrations.id, integration!.id))
    await made.connectionHas({ integrationId: integration!.id })
    return made
  }

  test('is told of each message, signed, and what it answers is said', async () => {
    const { write, work, said } = await withWebhook()
    await write('Oi')
    await work()
    expect(await said()).toEqual(['Recebido!'])
    expect(webhook.received[0]!.event).toMatchObject({ type: 'message.received', data: { message: { text: 'Oi' } } })
  })

  test('is told where the file of a message is, once it is there, by a link that opens that file for an hour', async () => {
    const { write, work, line, contact, company } = await withWebhook()
    await write('Oi')
    await work()
    expect(webhook.received.at(-1)!.event).toMatchObject({ data: { message: { mediaUrl: null } } })
    const media = { mimetype: 'image/png', fileName: null, size: PIXEL.length }
    await receive([
      t.eg.inbound(line, { number: contact.number, content: { type: 'image', media, caption: 'Este bolo' } }),
    ])
    expect(work()).rejects.toBeInstanceOf(NotNow)
    const file = await t.deps.media.put(company.id, PIXEL, { name: 'a.png', mimetype: 'image/png', maxBytes: 1_000 })
    await t.database.db
      .update(messages)
      .set({ mediaState: 'ready', mediaPath: file.path })
      .where(and(eq(messages.companyId, company.id), eq(messages.mediaType, 'image')))
    await work()
    const { data } = webhook.received.at(-1)!.event as { data: { message: { text: string; mediaUrl: string } } }
    expect(data.message.text).toBe('Este bolo')
    const address = new URL(data.message.mediaUrl)
    expect([address.origin, address.pathname]).toEqual(['https://balcao.example.test', `/public/${file.path}`])
    const open = (path: string, link: string) => t.call('GET', `${path}?link=${encodeURIComponent(link)}`)
    const link = address.searchParams.get('link')!
    const shown = await open(address.pathname, link)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
    const other = await t.deps.media.put(company.id, Buffer.from('x'), { name: 'b', mimetype: '', maxBytes: 9 })
    const forged = link.replace(/^\d+/, (until) => String(Number(until) + 1))
    for (const [path, given] of [
      [`/public/${other.path}`, link],
      [address.pathname, forged],
      [address.pathname, 'x'],
      [address.pathname, ''],
    ] as const)
      expect((await open(path, given)).status).toBe(404)
    t.clock.advance(3_601_000)
    expect((await open(address.pathname, link)).status).toBe(404)
  })

  test('may hand over to a queue of the company, and to no other', async () => {
    const { write, work, ticket, queue } = await withWebhook()
    const foreign = await t.eg.queue((await t.eg.company()).id)
    webhook.state.answer = { messages: [], transferTo: { queueId: foreign.id } }
    await write('Oi')
    await work()
    expect((await ticket()).queueId).toBeNull()
    const second = await withWebhook()
    webhook.state.answer = { messages: [{ text: 'Um momento.' }], transferTo: { queueId: second.queue.id } }
    await second.write('Oi')
    await second.work()
    expect([await second.said(), (await second.ticket()).queueId]).toEqual([['Um momento.'], second.queue.id])
    expect(queue.id).not.toBe(second.queue.id)
  })

  test('that does not answer is told again later, and holds up nothing', async () => {
    const { write, work, said, asked } = await withWebhook()
    webhook.troubles.next({ status: 503 })
    await write('Oi')
    await work()
    const [again] = await asked()
    expect(again).toMatchObject({ lane: null, payload: { tries: 1 } })
    expect(again!.runAt.getTime()).toBeGreaterThan(Date.now() + 2_000)
    await write('Alô?')
    await t.database.db.delete(jobs).where(eq(jobs.id, again!.id))
    await work()
    expect(await said()).toEqual(['Recebido!'])
  })
})

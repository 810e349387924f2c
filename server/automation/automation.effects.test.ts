import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, asc, eq } from 'drizzle-orm'
import { automationDecisions } from '../../schema/automation/automation.table.ts'
import type { Effect } from '../../schema/effects.ts'
import { newId } from '../../schema/ids.ts'
import { integrations } from '../../schema/integrations/integrations.table.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { prompts, promptUsage } from '../../schema/prompts/prompts.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { fakeOpenAi } from '../../tests/fakes/bots/openai.ts'
import { serveFakes } from '../../tests/fakes/bots/serve.ts'
import { fakeWebhook } from '../../tests/fakes/bots/webhook.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { createBots } from '../bots/bots.ask.ts'
import { createCommandRunner } from '../commands/run.ts'
import { sealedSecrets } from '../integrations/integrations.queries.ts'
import { createLogger } from '../log.ts'

import { sealedKeys } from '../prompts/prompts.queries.ts'
import { createReceiver } from '../tickets/receive.ts'
import { createAnswers } from './automation.answer.ts'
import { automationEffects } from './automation.effects.ts'

/** A contact writes, a language model or another bot is asked, and its answer is said: all but WhatsApp is real. */

let t: TestApp
let openai: ReturnType<typeof fakeOpenAi>
let webhook: ReturnType<typeof fakeWebhook>
let served: ReturnType<typeof serveFakes<'openai' | 'webhook'>>
let receive: ReturnType<typeof createReceiver>
let effects: ReturnType<typeof automationEffects>
beforeAll(async () => {
  served = serveFakes({
    openai: { handle: (request, path) => openai.handle(request, path) },
    webhook: { handle: (request) => webhook.handle(request) },
  })
  t = await testApp()
  const { db, facts, rules, graphs, outside, sealer, media } = t.deps
  const log = createLogger({ level: 'silent' })
  const now = () => new Date()
  const shared = { db, now, facts, committed: () => undefined }
  receive = createReceiver({ ...shared, answers: createAnswers({ rules, graphs, log }) })
  const bots = createBots({ db, sealer, outside, now, sleep: async () => undefined })
  effects = automationEffects({ ...shared, rules, graphs, log, bots, media, outside, maxMediaBytes: 1_000_000 })
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
  return { company, queue, line, contact, write, work, said, ticket, asked, connectionHas }
}

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
    const { write, work, said, ticket, queue } = await withPrompt()
    openai.state.say = () => ({ tool: 'transfer_to_queue', arguments: '{"reason":"quer uma pessoa"}' })
    await write('Quero falar com alguém')
    await work()
    expect(await ticket()).toMatchObject({ queueId: queue.id, status: 'pending', chatbot: false, promptId: null })
    await write('Alô?')
    await work()
    expect(await said()).toEqual([])
    expect(openai.asked).toHaveLength(1)
  })

  test('that is broken gives the ticket to its queue, and the decision says why', async () => {
    const { write, work, ticket, queue, company } = await withPrompt()
    openai.troubles.next({ status: 401 }, { status: 401 })
    await write('Oi')
    await work()
    expect(await ticket()).toMatchObject({ queueId: queue.id, chatbot: false })
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

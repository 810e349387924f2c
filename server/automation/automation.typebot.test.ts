import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, asc, eq } from 'drizzle-orm'
import { automationDecisions } from '../../schema/automation/automation.table.ts'
import type { Effect } from '../../schema/effects.ts'
import { type FlowNode, newData } from '../../schema/flows/flows.graph.ts'
import type { FlowLogEntry } from '../../schema/flows/flows.log.ts'
import type { FlowRun } from '../../schema/flows/flows.run.ts'
import { flowCampaigns, flowLogs, flowRuns, flows, flowVersions } from '../../schema/flows/flows.table.ts'
import { newId } from '../../schema/ids.ts'
import { integrations } from '../../schema/integrations/integrations.table.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { PIXEL } from '../../tests/example-data.ts'
import { serveFakes } from '../../tests/fakes/bots/serve.ts'
import { fakeTypebot, sampleBots } from '../../tests/fakes/bots/typebot.ts'
import { releaseFiles } from '../../tests/support/release-files.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { createBots } from '../bots/bots.ask.ts'
import { createCommandRunner } from '../commands/run.ts'
import { createLogger } from '../log.ts'
import { createFileFetcher } from '../media/media.fetched.ts'
import { createReceiver } from '../tickets/receive.ts'
import { createAnswers } from './automation.answer.ts'
import { automationEffects } from './automation.effects.ts'

/** A flow hands a conversation to a typebot, and goes on behind it: all but WhatsApp is real, and Typebot is a fake. */

let t: TestApp
let typebot: ReturnType<typeof fakeTypebot>
let served: ReturnType<typeof serveFakes<'typebot' | 'files'>>
let receive: ReturnType<typeof createReceiver>
let effectsWith: (values?: Partial<Parameters<typeof automationEffects>[0]>) => ReturnType<typeof automationEffects>
beforeAll(async () => {
  served = serveFakes({
    typebot: { handle: (request, path) => typebot.handle(request, path) },
    files: { handle: () => new Response(PIXEL, { headers: { 'content-type': 'image/png' } }) },
  })
  t = await testApp({ publicUrl: 'https://balcao.example.test' })
  const { db, facts, rules, graphs, outside, sealer, media, links } = t.deps
  const log = createLogger({ level: 'silent' })
  const now = () => new Date()
  const shared = { db, now, facts, committed: () => undefined }
  receive = createReceiver({ ...shared, answers: createAnswers({ rules, graphs, log }) })
  effectsWith = (values = {}) =>
    automationEffects({
      ...{ ...shared, rules, graphs, log, media, outside, maxMediaBytes: 1_000_000, mediaUrl: links.to },
      bots: createBots({ db, sealer, outside, now, sleep: async () => undefined }),
      fetchFile: createFileFetcher({ media, outside }),
      openSecrets: async () => new Map(),
      ...values,
    })
})
beforeEach(() => {
  const { padaria } = sampleBots
  typebot = fakeTypebot({
    bots: {
      padaria: padaria!.slice(0, 2).concat({ say: 'Anotado: {{pedido}} para {{nomeDoBolo}}.' }),
      silent: sampleBots['silent']!,
      picture: [
        { say: { type: 'image', content: { url: `${served.urls.files}/sonho.png` } } },
        { say: 'Este é o sonho.' },
      ],
      waits: sampleBots['goes-on']!,
      person: [{ say: '#{"queueId":1,"userId":2}' }],
      long: Array.from({ length: 30 }, (_, n) => ({ say: `Linha ${n}` })),
    },
  })
})
afterAll(async () => {
  await t.close()
  await served.stop()
})

const node = (id: string, type: FlowNode['type'], data: object, exits: Record<string, string> = {}) => ({
  ...{ node: id, type, x: 0, y: 0, exits },
  data: { ...newData(type), ...data },
})
const handOver = 'Vou chamar uma pessoa para continuar. Aguarde um momento, por favor.'

/** A company whose flow leads `oi` to a typebot. */
async function counter(
  values: Partial<typeof integrations.$inferInsert> = {},
  { exits = { success: 'end', error: 'failed' }, before = [] as ReturnType<typeof node>[] } = {},
) {
  const { db } = t.database
  const company = await t.eg.company()
  const companyId = company.id
  const line = await t.eg.whatsapp(companyId, {})
  const contact = await t.eg.contact(companyId, { name: 'Ana Lima', nameSource: 'edited' })
  const [integration] = await db
    .insert(integrations)
    .values({
      ...{ companyId, type: 'typebot', name: 'Cardápio', projectName: 'Cardápio', urlN8N: served.urls.typebot },
      ...{ typebotSlug: 'padaria', typebotDelayMessage: 1_500, typebotKeywordFinish: 'sair', ...values },
    })
    .returning()
  const [flow] = await db.insert(flows).values({ companyId, name: 'Cardápio' }).returning()
  const [version] = await db
    .insert(flowVersions)
    .values({
      ...{ companyId, flowId: flow!.id, number: 1 },
      nodes: [
        node('1', 'start', {}, { a: before[0]?.node ?? 'bot' }),
        ...before,
        node('bot', 'typebot', { integrationId: integration!.id }, exits),
        node('end', 'message', { text: 'Até logo!' }),
        node('failed', 'message', { text: 'Não deu' }),
      ],
    })
    .returning()
  await db.update(flows).set({ versionId: version!.id }).where(eq(flows.id, flow!.id))
  await db.insert(flowCampaigns).values({
    ...{ companyId, name: 'x', flowId: flow!.id, whatsappId: line.id },
    ...{ phrase: 'oi', phraseKey: 'oi' },
  })
  const waiting = () =>
    db
      .select()
      .from(jobs)
      .where(and(eq(jobs.companyId, companyId), eq(jobs.kind, 'flows.typebot')))
      .orderBy(asc(jobs.id))
  /** Does the job that asks the typebot, as the worker does. @param keep it is found again, as after a crash */
  const ask = async (
    how: { keep?: true; with?: Partial<Parameters<typeof automationEffects>[0]> } = {},
  ): Promise<void> => {
    const [job] = await waiting()
    const effect = { kind: job!.kind, ...job!.payload } as Extract<Effect, { kind: 'flows.typebot' }>
    await effectsWith(how.with)['flows.typebot'](effect, { companyId, attempt: 1, last: false })
    if (!how.keep) await db.delete(jobs).where(eq(jobs.id, job!.id))
  }
  const write = (...texts: string[]) =>
    receive(texts.map((text) => t.eg.inbound(line, { number: contact.number, text })))
  const said = async () =>
    (
      await db
        .select()
        .from(messages)
        .where(and(eq(messages.companyId, companyId), eq(messages.fromMe, true)))
        .orderBy(asc(messages.createdAt), asc(messages.id))
    ).map(({ body }) => body)
  const ticket = async () => (await db.select().from(tickets).where(eq(tickets.companyId, companyId)))[0]!
  /** A person takes the conversation. */
  const accept = async () => {
    const agent = await t.eg.user(companyId, { profile: 'admin' })
    const does = createCommandRunner({ db, now: () => new Date(), committed: () => undefined })
    await does(agent.who, { id: newId(), name: 'tickets.accept', input: { ticketId: (await ticket()).id } })
  }
  const notes = async () =>
    (await db.select().from(ticketNotes).where(eq(ticketNotes.companyId, companyId))).map(({ note }) => note)
  const run = async () => (await db.select().from(flowRuns).where(eq(flowRuns.companyId, companyId)))[0]!
  const whys = async () =>
    (
      await db
        .select()
        .from(automationDecisions)
        .where(and(eq(automationDecisions.companyId, companyId), eq(automationDecisions.trigger, 'timer')))
        .orderBy(asc(automationDecisions.createdAt))
    ).flatMap(({ steps }) => steps.map(({ why, facts }) => [why, facts?.['failure'] ?? null]))
  const calls = async () =>
    (await db.select().from(flowLogs).where(eq(flowLogs.companyId, companyId)).orderBy(asc(flowLogs.id))).flatMap(
      ({ entry }) => (entry as FlowLogEntry).calls.map(({ way, ok, line: what, body }) => ({ way, ok, what, body })),
    )
  return {
    ...{ company, line, contact, integration: integration! },
    ask,
    waiting,
    write,
    said,
    ticket,
    accept,
    notes,
    run,
    whys,
    calls,
  }
}

const choices = '*1.* Pães\n*2.* Bolos por encomenda\n*3.* Falar com uma pessoa'

describe('a typebot in a flow', () => {
  test('[FL98] talks with the contact, and the flow goes on when it asks nothing more', async () => {
    const { write, ask, said, run, ticket, whys, waiting } = await counter()
    await write('oi')
    expect((await ticket()).chatbot).toBe(true)
    await ask()
    expect(await said()).toEqual(['Oi, Ana Lima! Aqui é a padaria.', choices])
    // As long between two of them as the integration says, as in a queue.
    const sends = await t.database.db
      .select()
      .from(jobs)
      .where(and(eq(jobs.companyId, (await ticket()).companyId), eq(jobs.kind, 'whatsapp.send')))
      .orderBy(asc(jobs.id))
    expect(sends.map(({ payload }) => (payload as { typingMs?: number }).typingMs ?? 0)).toEqual([0, 1_500])
    await write('2')
    await ask()
    expect((await said()).slice(2)).toEqual(['Anotado: Bolos por encomenda para .', 'Até logo!'])
    expect([(await run()).endedAt === null, await waiting()]).toEqual([false, []])
    expect(await whys()).toEqual([
      ['typebot_answered', null],
      ['typebot_finished', null],
    ])
    expect(typebot.continued).toMatchObject([{ message: { metadata: { replyId: 'itm-bolos' } } }])
  })

  test('[FL98] is given what the flow has asked for, and hears no answer that was the flow’s', async () => {
    const asks = node('q', 'question', { message: 'Para quem?', saveAs: 'nomeDoBolo' }, { a: 'n' })
    const number = node('n', 'set', { saveAs: 'number', value: '123' }, { a: 'bot' })
    const { write, ask, said, contact } = await counter({ typebotKeywordFinish: 'Bia' }, { before: [asks, number] })
    await write('oi')
    await write('Bia')
    await ask()
    expect(typebot.started).toMatchObject([
      { prefilledVariables: { nomeDoBolo: 'Bia', name: 'Ana Lima', number: contact.number } },
    ])
    expect(typebot.started[0]).not.toHaveProperty('message')
    await write('1')
    await ask()
    expect((await said()).at(-2)).toBe('Anotado: Pães para Bia.')
  })

  test('[FL98] is told one by one what the contact wrote meanwhile, until it asks nothing more', async () => {
    const { write, ask, said, waiting } = await counter({ typebotSlug: 'silent', typebotUnknownMessage: 'Hã?' })
    await write('oi')
    await write('um')
    await write('dois')
    // Its first question takes the message that began the flow.
    await ask()
    await ask()
    expect(typebot.started).toMatchObject([{ message: { text: 'oi' } }])
    expect(typebot.continued).toMatchObject([{ message: { text: 'um' } }])
    expect(await waiting()).toHaveLength(0)
    expect(await said()).toEqual(['Hã?', 'Hã?', 'Até logo!'])
  })

  test('[FL98] ends by the word of its integration, however it is written, without being asked again', async () => {
    const { write, ask, said } = await counter()
    await write('oi')
    await ask()
    await write(' SAIR')
    await ask()
    expect([typebot.continued, (await said()).at(-1)]).toEqual([[], 'Até logo!'])
  })

  test('[FL98] begins anew where its session has expired', async () => {
    const { write, ask, said } = await counter()
    await write('oi')
    await ask()
    await write('1')
    await ask({ with: { now: () => new Date(Date.now() + 90_000), bots: later() } })
    expect([typebot.started.length, typebot.continued.length]).toEqual([2, 0])
    expect((await said()).filter((text) => text === choices)).toHaveLength(2)
    function later() {
      const { db, sealer, outside } = t.deps
      return createBots({ db, sealer, outside, now: () => new Date(Date.now() + 90_000), sleep: async () => undefined })
    }
  })

  test('[FL98] that cannot be reached, refuses or is unknown leads the flow on by its way for that, and all say why', async () => {
    for (const [status, why, slug] of [
      [500, 'broken', 'padaria'],
      [403, 'credentials', 'padaria'],
      [0, 'typebot_unknown', 'nobody'],
    ] as const) {
      const { write, ask, said, notes, whys, calls, run } = await counter({ typebotSlug: slug })
      await write('oi')
      if (status) typebot.troubles.next({ status })
      await ask()
      expect([await said(), await notes()]).toEqual([['Não deu'], []])
      expect(await whys()).toEqual([['typebot_failed', why]])
      expect((await calls()).at(-1)).toMatchObject({ way: 'in', ok: false, what: `${why} ${status || 404}` })
      expect((await run()).endedAt).not.toBeNull()
    }
  })

  test('[FL98] that fails in the middle, with no way for that, leaves the contact to people, who read why', async () => {
    const { write, ask, said, notes, ticket } = await counter({}, { exits: { success: 'end' } as never })
    await write('oi')
    await ask()
    typebot.troubles.next({ status: 502 })
    await write('1')
    await ask()
    expect((await said()).at(-1)).toBe(handOver)
    expect(await notes()).toEqual(['O Typebot não continuou a conversa: o serviço falhou.'])
    expect(await ticket()).toMatchObject({ status: 'pending', chatbot: false })
    await write('oi')
    expect((await said()).at(-1)).toBe(handOver)
  })

  test('[FL98] that is gone, has become something else, or that the plan does not have is not asked', async () => {
    const { db } = t.deps
    const gone = await counter()
    await gone.write('oi')
    await db.delete(integrations).where(eq(integrations.id, gone.integration.id))
    await gone.ask()
    const other = await counter()
    await other.write('oi')
    await db.update(integrations).set({ type: 'webhook' }).where(eq(integrations.id, other.integration.id))
    await other.ask()
    const poor = await counter()
    await poor.write('oi')
    await db.update(plans).set({ useIntegrations: false }).where(eq(plans.id, poor.company.planId!))
    t.deps.facts.forget(poor.company.id)
    t.deps.rules.forget(poor.company.id)
    await poor.ask()
    expect([await gone.whys(), await other.whys(), await poor.whys()]).toEqual([
      [['typebot_failed', 'integration_gone']],
      [['typebot_failed', 'integration_gone']],
      [['plan_without_integrations', 'plan_integrations']],
    ])
    expect([typebot.started, await gone.said(), await other.said(), await poor.said()]).toEqual([
      ...[[], ['Não deu'], ['Não deu'], ['Não deu']],
    ])
  })

  test('[FL99] is asked no more when a person has taken over, and says nothing of what it had begun', async () => {
    const { write, ask, said, accept, run } = await counter()
    await write('oi')
    await ask()
    const before = await said()
    await write('1')
    await accept()
    await ask()
    expect([typebot.continued, await said()]).toEqual([[], before])
    expect((await run()).endedAt).not.toBeNull()
  })

  test('[FL99] says its answer once, although the server was killed before or after it was written down', async () => {
    const { write, ask, said } = await counter()
    await write('oi')
    // Killed when it had answered, and nothing was written down.
    const bots = createBots({ ...t.deps, db: t.deps.db, now: () => new Date(), sleep: async () => undefined })
    const killed = {
      ...bots,
      ask: async (...of: Parameters<typeof bots.ask>) => {
        await bots.ask(...of)
        throw new Error('killed')
      },
    }
    expect(await ask({ with: { bots: killed }, keep: true }).catch((error: Error) => error.message)).toBe('killed')
    expect(await said()).toEqual([])
    await ask({ keep: true })
    // Killed when all was written down and the job was not yet over.
    await ask()
    expect(await said()).toEqual(['Oi, Ana Lima! Aqui é a padaria.', choices])
    expect(typebot.started).toHaveLength(2)
    await write('1')
    await ask()
    expect((await said()).slice(2)).toEqual(['Anotado: Pães para .', 'Até logo!'])
  })

  test('[FL98] sends its files, waits as long as it says, and is bounded like all bots', async () => {
    const picture = await counter({ typebotSlug: 'picture' })
    await picture.write('oi')
    await picture.ask()
    expect(await picture.said()).toEqual(['sonho.png', 'Este é o sonho.', 'Até logo!'])
    const [sent] = await t.database.db
      .select()
      .from(messages)
      .where(and(eq(messages.companyId, picture.company.id), eq(messages.fromMe, true)))
      .orderBy(asc(messages.createdAt))
    expect(sent).toMatchObject({ mediaType: 'image', mediaState: 'ready' })
    const long = await counter({ typebotSlug: 'long' })
    await long.write('oi')
    await long.ask()
    // Twenty of its own, and no more before the contact writes.
    expect((await long.said()).filter((text) => text.startsWith('Linha'))).toHaveLength(20)
    expect(await long.notes()).toEqual(['O fluxo parou: enviou 20 mensagens sem resposta do contato.'])
  })

  test('[FL99] whose file nobody needs any more leaves none behind', async () => {
    const { write, ask, accept, run } = await counter({ typebotSlug: 'picture' })
    const { media } = t.deps
    await write('oi')
    const fetch = createFileFetcher({ media, outside: t.deps.outside })
    const paths: string[] = []
    const fetchFile: typeof fetch = async (...of) => {
      const file = await fetch(...of)
      paths.push(file.path)
      // A person comes while it is fetched.
      await accept()
      return file
    }
    await ask({ with: { fetchFile } })
    expect((await run()).endedAt).not.toBeNull()
    await releaseFiles(t)
    expect([paths.length, await media.find(paths[0]!)]).toEqual([1, undefined])
  })

  test('[FL98] gives the ticket to a queue and a person of the company, and to nobody of another', async () => {
    const made = await counter({ typebotSlug: 'person' })
    const queue = await t.eg.queue(made.company.id, { name: 'Vendas' })
    const person = await t.eg.user(made.company.id, { name: 'Bia' })
    const stranger = await counter({ typebotSlug: 'person' })
    typebot = fakeTypebot({ bots: { person: [{ say: `#{"queueId":${queue.id},"userId":${person.id}}` }] } })
    t.deps.rules.forget(made.company.id)
    await made.write('oi')
    await made.ask()
    expect(await made.ticket()).toMatchObject({ queueId: queue.id, userId: person.id, chatbot: false })
    expect(await made.whys()).toEqual([['typebot_transferred', null]])
    await stranger.write('oi')
    await stranger.ask()
    expect(await stranger.ticket()).toMatchObject({ queueId: null, userId: null, status: 'pending', chatbot: false })
  })

  test('[FL99] keeps its session with the run, apart from what a typebot of the queue remembers', async () => {
    const { write, ask, run } = await counter()
    await write('oi')
    await ask()
    expect(((await run()).run as FlowRun).wait).toMatchObject({ kind: 'reply', session: { id: 'ses1' } })
    await write('1')
    await ask()
    expect(JSON.stringify((await run()).run)).not.toContain('ses1')
  })
})

import { MINUTE_MS } from '../../schema/durations.ts'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, asc, eq, isNull } from 'drizzle-orm'
import { automationDecisions, automationStates } from '../../schema/automation/automation.table.ts'
import { phraseKey } from '../../schema/flows/flows.edits.inputs.ts'
import { type FlowNode, newGraph, newNode } from '../../schema/flows/flows.graph.ts'
import {
  flowCampaigns,
  flowDefaults,
  flowRuns,
  flows,
  flowTrails,
  flowVersions,
} from '../../schema/flows/flows.table.ts'
import { frozen } from '../../schema/flows/flows.rows.ts'
import { integrations } from '../../schema/integrations/integrations.table.ts'
import { newId } from '../../schema/ids.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { queueOptions } from '../../schema/queues/queue-options.table.ts'
import { queues as queuesTable } from '../../schema/queues/queues.table.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import { ticketEvents, tickets } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { examples } from '../../tests/example-data.ts'
import { testDatabase, type TestDatabase } from '../../tests/support/postgres.ts'
import { createCommandRunner, type RunCommand } from '../commands/run.ts'
import { createLogger } from '../log.ts'
import { companyFacts } from '../settings/settings.facts.ts'
import { createReceiver } from '../tickets/receive.ts'
import { createAnswers } from './automation.answer.ts'
import { rulesFacts } from './automation.facts.ts'
import { createGraphs } from './automation.graphs.ts'
import { type RunsDeps, reportToRun, wakeRuns } from './automation.runs.ts'
import { countTrails } from './automation.sweep.ts'

/** What contacts are told when no agent answers, through the pipeline and a real Postgres. */

let database: TestDatabase
let eg: ReturnType<typeof examples>
let clock = new Date('2026-11-20T12:00:00Z')
const later = (ms: number) => {
  clock = new Date(clock.getTime() + ms)
}
let receive: ReturnType<typeof createReceiver>
let deps: RunsDeps
let run: RunCommand

/** As after a restart: nothing is remembered but what stands in the database. */
function restart() {
  const { db } = database
  const shared = { db, now: () => clock, facts: companyFacts(db, 0), committed: () => undefined }
  const graphs = createGraphs()
  const log = createLogger({ level: 'silent' })
  const rules = rulesFacts(db, shared.facts, graphs, 0)
  receive = createReceiver({ ...shared, answers: createAnswers({ rules, graphs, log }) })
  deps = { ...shared, rules, graphs, log }
  run = createCommandRunner(shared)
}
beforeAll(async () => {
  database = await testDatabase()
  eg = examples(database.db)
  restart()
})
afterAll(() => database.close())

/** A company with a connection that offers these queues. */
async function counter(names: readonly string[], connection: Parameters<typeof eg.whatsapp>[1] = {}) {
  const company = await eg.company()
  const queues = []
  for (const [i, name] of names.entries())
    queues.push(await eg.queue(company.id, { name, orderQueue: i, greetingMessage: `Aqui é ${name}.` }))
  const line = await eg.whatsapp(company.id, {
    greetingMessage: 'Olá, {{firstName}}!',
    ...connection,
    queueIds: queues.map(({ id }) => id),
  })
  const contact = await eg.contact(company.id, { name: 'Ana Lima', nameSource: 'edited' })
  const inbound = (text: string, values = {}) => eg.inbound(line, { number: contact.number, text, ...values })
  const own = and(eq(messages.companyId, company.id), eq(messages.fromMe, true))
  /** What is said leaves at once. */
  const write = async (...texts: string[]) => {
    later(1_000)
    await receive(texts.map((text) => inbound(text)))
    await database.db.update(messages).set({ ack: 2 }).where(own)
  }
  const said = async () =>
    (await database.db.select().from(messages).where(own).orderBy(asc(messages.createdAt), asc(messages.id))).map(
      ({ body, isDeleted }) => (isDeleted ? `(taken back) ${body}` : body),
    )
  const ticket = async () =>
    (await database.db.select().from(tickets).where(eq(tickets.companyId, company.id)).orderBy(asc(tickets.id))).at(-1)!
  const decisions = () =>
    database.db
      .select()
      .from(automationDecisions)
      .where(eq(automationDecisions.companyId, company.id))
      .orderBy(asc(automationDecisions.createdAt), asc(automationDecisions.id))
  return { company, queues, line, contact, inbound, write, said, ticket, decisions }
}

const menu = 'Olá, Ana!\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte'

describe('a menu', () => {
  test('[A3] “2” and “obrigado” in one delivery choose the second queue; each message is answered by itself', async () => {
    const { write, said, ticket, queues, decisions } = await counter(['Vendas', 'Suporte'])
    await write('Oi')
    await write('2', 'obrigado')
    expect(await said()).toEqual([menu, 'Aqui é Suporte.'])
    expect(await ticket()).toMatchObject({ queueId: queues[1]!.id, status: 'pending', lastMessage: 'Aqui é Suporte.' })
    const ends = (await decisions()).map(({ steps }) => `${steps.at(-1)!.step}: ${steps.at(-1)!.why}`)
    expect(ends.toSorted()).toEqual(['menu: shown', 'queue_greeting: entered', 'silence: waits'])
  })

  test('the same message delivered twice is answered once', async () => {
    const { inbound, said } = await counter(['Vendas', 'Suporte'])
    const event = inbound('Oi')
    await receive([event])
    await receive([event])
    expect(await said()).toEqual([menu])
  })

  test('three wrong numbers are three menus, then silence, also after a restart; a number that is offered counts', async () => {
    const { write, said, ticket, queues } = await counter(['Vendas', 'Suporte'])
    await write('Oi')
    await write('9')
    restart()
    await write('8')
    await write('7')
    expect(await said()).toEqual([menu, menu, menu])
    await write('1')
    expect((await said()).at(-1)).toBe('Aqui é Vendas.')
    expect((await ticket()).queueId).toBe(queues[0]!.id)
  })

  test('that begins a flow which leads back to the menu ends: people have the ticket', async () => {
    const { company, queues, write, ticket } = await counter(['Vendas'], { greetingMessage: '' })
    const { db } = database
    const end = { ...newNode('end', 'e', 300, 0), data: { then: 'menu', message: 'De volta ao menu.' } } as FlowNode
    const begins = { ...newGraph().nodes[0]!, exits: { a: 'e' } } as FlowNode
    const [flow] = await db.insert(flows).values({ companyId: company.id, name: 'Volta' }).returning()
    const [version] = await db
      .insert(flowVersions)
      .values({ companyId: company.id, flowId: flow!.id, number: 1, nodes: frozen({ nodes: [begins, end] }) })
      .returning()
    await db.update(flows).set({ versionId: version!.id }).where(eq(flows.id, flow!.id))
    const [integration] = await db
      .insert(integrations)
      .values({ companyId: company.id, name: 'Fluxo', urlN8N: '', type: 'flowbuilder', flowId: flow!.id })
      .returning()
    await db.update(queuesTable).set({ integrationId: integration!.id }).where(eq(queuesTable.id, queues[0]!.id))
    const before = process.cpuUsage()
    await write('Oi')
    // A second for what takes a tenth of one: the machine may be busy.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000)
    expect(await ticket()).toMatchObject({ status: 'pending', unreadMessages: 1 })
    const [state] = await db.select().from(automationStates).where(eq(automationStates.companyId, company.id))
    expect(state).toMatchObject({ handedOver: true })
    const runs = await db.select().from(flowRuns).where(eq(flowRuns.companyId, company.id))
    expect([runs.length > 1 && runs.length < 20, runs.every(({ endedAt }) => endedAt !== null)]).toEqual([true, true])
  })

  test('the next service begins anew', async () => {
    const { write, said, ticket, company } = await counter(['Vendas', 'Suporte'], { maxUseBotQueues: 1 })
    const agent = await eg.user(company.id, { profile: 'admin' })
    await write('Oi')
    await write('?')
    expect(await said()).toEqual([menu])
    const { id } = await ticket()
    await run(agent.who, { id: newId(), name: 'tickets.resolve', input: { ticketId: id } })
    await write('Oi de novo')
    expect((await said()).filter((text) => text === menu)).toHaveLength(2)
  })

  test('[A14] who is served, or was, is not spoken to by bots; “#” asks for the menu again', async () => {
    const { write, said, ticket, company, queues } = await counter(['Vendas', 'Suporte'])
    const agent = await eg.user(company.id, { profile: 'admin' })
    const act = async (name: 'tickets.accept' | 'tickets.return') =>
      run(agent.who, { id: newId(), name, input: { ticketId: (await ticket()).id } })
    await write('Oi')
    await act('tickets.accept')
    await write('1')
    await act('tickets.return')
    await write('alguém?')
    expect(await said()).toEqual([menu])
    await write('#')
    await write('1')
    expect(await said()).toEqual([menu, menu, 'Aqui é Vendas.'])
    expect((await ticket()).queueId).toBe(queues[0]!.id)
  })

  test('who is answered on the phone itself meets no bot any more', async () => {
    const { write, inbound, said } = await counter(['Vendas', 'Suporte'])
    await write('Oi')
    later(1_000)
    await receive([inbound('Já vou, Ana', { fromMe: true })])
    await write('2')
    expect(await said()).toEqual([menu, 'Já vou, Ana'])
  })

  test('what came late is left to people, and what came a minute late is answered', async () => {
    const late = await counter(['Vendas', 'Suporte'])
    const sentAt = (ms: number) => ({ offline: true, sentAt: new Date(clock.getTime() - ms) })
    await receive([late.inbound('Oi', sentAt(11 * MINUTE_MS))])
    expect(await late.said()).toEqual([])
    const soon = await counter(['Vendas', 'Suporte'])
    await receive([soon.inbound('Oi', sentAt(MINUTE_MS))])
    expect(await soon.said()).toEqual([menu])
  })

  test('the timeline says which queue the contact chose', async () => {
    const { write, company } = await counter(['Vendas', 'Suporte'])
    await write('Oi')
    await write('2')
    const told = await database.db
      .select()
      .from(ticketEvents)
      .where(and(eq(ticketEvents.companyId, company.id), eq(ticketEvents.kind, 'chosen')))
    expect(told.map(({ data }) => data)).toEqual([{ queue: 'Suporte' }])
  })

  test('the options of a queue lead on and back, and to the menu', async () => {
    const { write, said, queues, company, ticket } = await counter(['Vendas', 'Suporte'])
    const option = { companyId: company.id, queueId: queues[0]!.id }
    await database.db.insert(queueOptions).values([
      { ...option, option: 1, title: 'Bolos', message: 'Temos bolos.' },
      { ...option, option: 2, title: 'Pães', message: 'Temos pães.' },
    ])
    await write('Oi')
    await write('1')
    expect((await ticket()).chatbot).toBe(true)
    await write('2')
    expect((await said()).slice(1)).toEqual([
      'Aqui é Vendas.\n\n*[ 1 ]* - Bolos\n*[ 2 ]* - Pães\n*[ # ]* - Menu inicial',
      'Temos pães.',
    ])
    expect((await ticket()).chatbot).toBe(false)
  })
})

test('a rule that fails costs no message', async () => {
  const { write, company, line } = await counter(['Vendas', 'Suporte'])
  const flow = await publish(company.id, 'Quebrado', [{ ...newNode('message', 'M', 0, 0), data: null as never }])
  await database.db
    .insert(flowCampaigns)
    .values({ companyId: company.id, name: 'x', flowId: flow.id, whatsappId: line.id, phrase: 'oi', phraseKey: 'oi' })
  await write('oi')
  const stored = await database.db.select().from(messages).where(eq(messages.companyId, company.id))
  expect(stored.map(({ body }) => body)).toContain('oi')
})

// ── flows ────────────────────────────────────────────────────────────────────────────────────

/** A flow whose start leads to the first of these nodes. */
async function publish(companyId: number, name: string, nodes: FlowNode[]) {
  const [start] = newGraph().nodes
  const all = [{ ...start!, exits: { a: nodes[0]!.id } }, ...nodes]
  const [flow] = await database.db.insert(flows).values({ companyId, name }).returning()
  const [version] = await database.db
    .insert(flowVersions)
    .values({
      ...{ companyId, flowId: flow!.id, number: 1 },
      nodes: all.map(({ id, type, x, y, data, exits }) => ({
        ...{ node: id, type, x, y, exits },
        data: data as unknown as Record<string, unknown>,
      })),
    })
    .returning()
  await database.db.update(flows).set({ versionId: version!.id }).where(eq(flows.id, flow!.id))
  return { ...flow!, versionId: version!.id }
}
const node = <T extends FlowNode['type']>(type: T, id: string, data: object, exits: Record<string, string> = {}) => {
  const made = newNode(type, id, 0, 0)
  return { ...made, data: { ...made.data, ...data }, exits } as FlowNode
}
const text = (id: string, words: string, next?: string) => node('message', id, { text: words }, next ? { a: next } : {})

describe('a flow', () => {
  async function withFlow(nodes: (queues: { id: number }[]) => FlowNode[], phrase = 'promoção') {
    const made = await counter(['Vendas', 'Suporte'])
    const flow = await publish(made.company.id, 'Promoção', nodes(made.queues))
    await database.db.insert(flowCampaigns).values({
      ...{ companyId: made.company.id, name: 'Promoção', flowId: flow.id, whatsappId: made.line.id },
      ...{ phrase, phraseKey: phraseKey(phrase) },
    })
    const active = () =>
      database.db
        .select()
        .from(flowRuns)
        .where(and(eq(flowRuns.companyId, made.company.id), isNull(flowRuns.endedAt)))
    return { ...made, flow, active }
  }
  const choose = (queues: { id: number }[]) => [
    node(
      'menu',
      'M',
      {
        message: 'Doce ou salgado?',
        options: [
          { number: 1, label: 'Doce' },
          { number: 2, label: 'Salgado' },
        ],
      },
      { a1: 'D', a2: 'Q' },
    ),
    text('D', 'Bolo, {{name}}!'),
    node('ticket', 'Q', { queueId: queues[1]!.id, message: '' }),
  ]

  test('begins by its phrase, waits at its menu over a restart, and its queue ends all that answers by itself', async () => {
    const { write, said, active, ticket, queues, company } = await withFlow(choose)
    await write('  PROMOÇÃO ')
    expect(await said()).toEqual(
      ['Doce ou salgado?\n\n*[ 1 ]* - Doce\n*[ 2 ]* - Salgado'].map(() => expect.stringContaining('Doce ou salgado?')),
    )
    expect(await active()).toHaveLength(1)
    expect((await ticket()).chatbot).toBe(true)
    restart()
    await write('2')
    expect(await active()).toHaveLength(0)
    expect(await ticket()).toMatchObject({ queueId: queues[1]!.id, status: 'pending', chatbot: false })
    const before = await said()
    await write('obrigada')
    expect(await said()).toEqual(before)
    // The timeline tells who chose: the contact never saw a menu of queues.
    const chosen = and(eq(ticketEvents.companyId, company.id), eq(ticketEvents.kind, 'chosen'))
    const told = await database.db.select().from(ticketEvents).where(chosen)
    expect(told.map(({ data }) => data)).toEqual([{ queue: queues[1]!.name, by: 'flow' }])
  })

  test('is left by the words that the company has set, and by no others', async () => {
    const { write, active, ticket, company, said } = await withFlow(choose)
    const chosen = [
      { companyId: company.id, key: 'flowStopWords', value: 'sair\nencerrar' },
      { companyId: company.id, key: 'flowMenuWords', value: 'voltar' },
    ]
    await database.db.insert(settings).values(chosen)
    await write('promoção')
    await write('parar')
    expect(await active()).toHaveLength(1)
    await write('Voltar!')
    expect([(await active()).length, (await ticket()).status]).toEqual([0, 'pending'])
    expect((await said()).at(-1)).toBe(menu)
    await write('promoção')
    await write('SAIR.')
    expect([(await active()).length, (await ticket()).status]).toEqual([0, 'closed'])
  })

  test('says a variable, ends, and its way is written down', async () => {
    const { write, said, company, active } = await withFlow(choose)
    await write('promoção')
    await write('1')
    expect((await said()).at(-1)).toBe('Bolo, Ana Lima!')
    expect(await active()).toHaveLength(0)
    const trails = await database.db.select().from(flowTrails).where(eq(flowTrails.companyId, company.id))
    expect(trails.flatMap(({ nodes }) => nodes)).toEqual(['1', 'M', 'D'])
  })

  test('its nodes count the runs that reached them, once each, and those that fell silent there', async () => {
    const { write, company, line } = await withFlow(() => [
      node(
        'menu',
        'M',
        { message: 'Doce?', options: [{ number: 1, label: 'Sim' }], timeoutSeconds: 60 },
        { timeout: 'T' },
      ),
      text('T', 'Até logo.'),
    ])
    await write('promoção')
    later(2 * MINUTE_MS)
    await wakeRuns(deps, [line.id])
    const counts = () =>
      database.sql`SELECT "node", "reached", "left" FROM flow_counts WHERE "companyId" = ${company.id} ORDER BY "node"`
    expect(await countTrails(database.sql)).toBeGreaterThan(0)
    const first = (await counts()).map((row) => [row.node, row.reached, row.left])
    expect(first).toEqual([
      ['1', 1, 0],
      ['M', 1, 0],
      ['T', 1, 0],
    ])
    await write('promoção')
    await countTrails(database.sql)
    expect((await counts()).map((row) => [row.node, row.reached])).toEqual([
      ['1', 2],
      ['M', 2],
      ['T', 1],
    ])
    expect(await countTrails(database.sql)).toBe(0)
  })

  test('an interval goes on once, when its time has come and its connection is open', async () => {
    const { write, said, line } = await withFlow(() => [
      text('A', 'Um momento…', 'I'),
      node('interval', 'I', { seconds: 60 }, { a: 'B' }),
      text('B', 'Pronto!'),
    ])
    await write('promoção')
    later(59_000)
    expect(await wakeRuns(deps, [line.id])).toBe(0)
    later(5_000)
    expect(await wakeRuns(deps, [])).toBe(0)
    const woken = await Promise.all([wakeRuns(deps, [line.id]), wakeRuns(deps, [line.id])])
    expect(woken.toSorted()).toEqual([0, 1])
    expect(await said()).toEqual(['Um momento…', 'Pronto!'])
  })

  test('ends when a person accepts, and what had not left is taken back', async () => {
    const { inbound, said, active, ticket, company, line } = await withFlow(() => [
      text('A', 'Um momento…', 'I'),
      node('interval', 'I', { seconds: 60 }, { a: 'B' }),
      text('B', 'Pronto!'),
    ])
    const agent = await eg.user(company.id, { profile: 'admin' })
    await receive([inbound('promoção')])
    await run(agent.who, { id: newId(), name: 'tickets.accept', input: { ticketId: (await ticket()).id } })
    expect(await active()).toHaveLength(0)
    later(2 * MINUTE_MS)
    expect(await wakeRuns(deps, [line.id])).toBe(0)
    expect(await said()).toEqual(['(taken back) Um momento…'])
    expect(await ticket()).toMatchObject({ lastMessage: '🚫', lastMessageDeleted: true })
  })

  test('a wait after a message is counted from when the message has left', async () => {
    const { write, active } = await withFlow(() => [
      node(
        'menu',
        'M',
        { message: 'Doce?', options: [{ number: 1, label: 'Sim' }], timeoutSeconds: 60 },
        { timeout: 'T' },
      ),
      text('T', 'Até logo.'),
    ])
    await write('promoção')
    const [before] = await active()
    const [job] = await database.db
      .select()
      .from(jobs)
      .where(and(eq(jobs.kind, 'whatsapp.send'), eq(jobs.companyId, before!.companyId)))
    const { flow } = job!.payload as { flow: { runId: string; n: number } }
    expect(flow.runId).toBe(before!.id)
    const left = clock.getTime() + 30_000
    await reportToRun(deps, flow.runId, { kind: 'left', n: flow.n, at: left }, 'left')
    const [after] = await active()
    expect(after!.wakeAt!.getTime() - before!.wakeAt!.getTime()).toBe(30_000)
  })

  test('a phrase begins another flow in its place, unless the flow waits for just that word', async () => {
    const { write, said, company, line, active } = await withFlow(choose)
    const other = await publish(company.id, 'Outro', [
      node('menu', 'X', { message: 'Outro?', options: [{ number: 1, label: 'Sim' }] }),
    ])
    await database.db.insert(flowCampaigns).values(
      ['cardápio', '1'].map((phrase) => ({
        ...{
          companyId: company.id,
          name: phrase,
          flowId: other.id,
          whatsappId: line.id,
          phrase,
          phraseKey: phraseKey(phrase),
        },
      })),
    )
    await write('promoção')
    await write('cardápio')
    expect((await active()).map(({ flowId }) => flowId)).toEqual([other.id])
    await write('promoção')
    await write('1')
    expect((await said()).at(-1)).toBe('Bolo, Ana Lima!')
  })

  test('the welcome meets who was never here, the default flow everybody else, once in a service', async () => {
    const { company, line, write, said } = await counter(['Vendas', 'Suporte'])
    const welcome = await publish(company.id, 'Boas-vindas', [text('A', 'Bem-vinda!')])
    const usual = await publish(company.id, 'Padrão', [text('A', 'De novo por aqui?')])
    await database.db
      .insert(flowDefaults)
      .values({ companyId: company.id, flowIdWelcome: welcome.id, flowIdNotPhrase: usual.id })
    await write('Oi')
    await write('Oi?')
    expect(await said()).toEqual(['De novo por aqui?', menu])
    later(1_000)
    await receive([eg.inbound(line, { number: '5511977776666', text: 'Olá' })])
    expect((await said()).at(-1)).toBe('Bem-vinda!')
  })

  test('a queue that is deleted while rules are remembered costs no answer: whoever is there takes the conversation', async () => {
    const made = await counter(['Vendas', 'Suporte'])
    const flow = await publish(made.company.id, 'fila', [
      node('ticket', 'Q', { queueId: made.queues[1]!.id, message: 'Vou chamar o suporte.' }),
    ])
    await database.db.insert(flowCampaigns).values({
      ...{ companyId: made.company.id, name: 'fila', flowId: flow.id, whatsappId: made.line.id },
      ...{ phrase: 'fila', phraseKey: phraseKey('fila') },
    })
    const rules = await deps.rules.of(made.company.id)
    await database.db.delete(queuesTable).where(eq(queuesTable.id, made.queues[1]!.id))
    const remembering = { ...deps.rules, of: async () => rules }
    const facts = companyFacts(database.db, 0)
    receive = createReceiver({ ...deps, facts, answers: createAnswers({ ...deps, rules: remembering }) })
    await made.write('fila')
    expect(await made.said()).toEqual(['Vou chamar o suporte.'])
    expect(await made.ticket()).toMatchObject({ status: 'pending', queueId: made.queues[0]!.id, chatbot: false })
    const [decision] = await made.decisions()
    expect(decision!.actions).toContainEqual({ kind: 'toQueue', queueId: made.queues[1]!.id, missing: true })
    restart()
  })

  test('gives the ticket to an agent, by name; one who is gone leaves it to whoever is there', async () => {
    const made = await counter(['Vendas', 'Suporte'])
    const agent = await eg.user(made.company.id, { name: 'Bruno' })
    const gone = await eg.user(made.company.id, { name: 'Carla' })
    for (const [phrase, userId] of [
      ['carla', gone.id],
      ['bruno', agent.id],
    ] as const) {
      const flow = await publish(made.company.id, phrase, [
        node('agent', 'G', { userId, message: `Vou chamar ${phrase}.` }),
      ])
      await database.db.insert(flowCampaigns).values({
        ...{ companyId: made.company.id, name: phrase, flowId: flow.id, whatsappId: made.line.id },
        ...{ phrase, phraseKey: phraseKey(phrase) },
      })
    }
    // What is known of the company is older than her going.
    const rules = await deps.rules.of(made.company.id)
    await database.db.delete(users).where(eq(users.id, gone.id))
    const remembering = { ...deps.rules, of: async () => rules }
    const facts = companyFacts(database.db, 0)
    receive = createReceiver({ ...deps, facts, answers: createAnswers({ ...deps, rules: remembering }) })
    await made.write('carla')
    expect(await made.said()).toEqual(['Vou chamar carla.'])
    expect(await made.ticket()).toMatchObject({ status: 'pending', userId: null, chatbot: false })
    const [decision] = await made.decisions()
    expect(decision!.actions).toContainEqual({ kind: 'toAgent', userId: gone.id, missing: true })
    // A person was promised: a phrase begins nothing before the contact asks for the menu.
    await made.write('bruno')
    expect(await made.said()).toEqual(['Vou chamar carla.'])
    await made.write('#')
    expect((await made.said()).at(-1)).toBe(menu)
    await made.write('bruno')
    expect(await made.ticket()).toMatchObject({ status: 'open', userId: agent.id })
    const told = await database.db
      .select()
      .from(ticketEvents)
      .where(and(eq(ticketEvents.companyId, made.company.id), eq(ticketEvents.kind, 'transferred')))
    expect(told.map(({ data }) => data)).toEqual([{ to: 'Bruno' }])
    restart()
  })

  test('one that is switched off begins for nobody', async () => {
    const { write, said, flow } = await withFlow(choose)
    await database.db.update(flows).set({ active: false }).where(eq(flows.id, flow.id))
    await write('promoção')
    expect(await said()).toEqual([menu])
  })
})

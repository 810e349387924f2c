import { MINUTE_MS } from '../../schema/durations.ts'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, asc, eq } from 'drizzle-orm'
import { automationDecisions } from '../../schema/automation/automation.table.ts'
import { phraseKey } from '../../schema/flows/flows.edits.inputs.ts'
import { dice, randomGraph } from '../../schema/flows/flows.fixture.ts'
import type { FlowGraph } from '../../schema/flows/flows.graph.ts'
import { nodeTypes } from '../../schema/flows/flows.inputs.ts'
import { frozen } from '../../schema/flows/flows.rows.ts'
import { flowCampaigns, flowDefaults, flowRuns, flows, flowVersions } from '../../schema/flows/flows.table.ts'
import type { ScheduleEntry } from '../../schema/hours/hours.open.ts'
import { newId } from '../../schema/ids.ts'
import { integrations } from '../../schema/integrations/integrations.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { prompts } from '../../schema/prompts/prompts.table.ts'
import { queueOptions } from '../../schema/queues/queue-options.table.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { isSoak } from '../../tests/support/dose.ts'
import { createCommandRunner, type RunCommand } from '../commands/run.ts'
import { createLogger } from '../log.ts'
import { createReceiver } from '../tickets/receive.ts'
import { createAnswers } from './automation.answer.ts'

/** Companies with anything set, and contacts who write anything: what is asked about beforehand is what happens. */

/** By their seeds: first those that lead everywhere, which is enough for a little dose. */
const LEADING = [5, 14, 17, 19, 30, 36, 52, 70]
const COMPANIES = [...LEADING, ...Array.from({ length: 80 }, (_, i) => i).filter((seed) => !LEADING.includes(seed))]
/** Where chance is to lead. */
const EVERYWHERE = [
  ...['may_answer agent', 'may_answer contact_without_bot', 'flow waited_for', 'phrase phrase', 'hours closed'],
  ...['hours told_already', 'connection_prompt asked', 'queue_prompt asked', 'options chosen', 'options unknown'],
  ...['queue_greeting entered', 'queue_hours closed', 'default_flow no_phrase', 'menu shown', 'greeting first'],
]
const MESSAGES = 25

let t: TestApp
let clock = new Date('2026-11-19T13:00:00Z')
let receive: ReturnType<typeof createReceiver>
let run: RunCommand
const failures: unknown[] = []
beforeAll(async () => {
  t = await testApp()
  const { facts, rules, graphs } = t.deps
  const log = createLogger({ level: 'error', pretty: false, write: (line) => void failures.push(line) })
  const answers = createAnswers({ rules, graphs, log })
  const shared = { db: t.database.db, now: () => clock, committed: () => undefined }
  receive = createReceiver({ ...shared, facts, answers })
  run = createCommandRunner(shared)
})
afterAll(() => t.close())

/** A company with a throw of the dice for each thing that can be set, and what its contact may write. */
async function anyCompany(seed: number) {
  const roll = dice(seed)
  // What flows are made of does not change what else is set.
  const drawing = dice(seed + 1_000_000)
  const { db } = t.database
  const one = <T>(list: readonly T[]): T => list[Math.floor(roll() * list.length)]!
  const maybe = (share = 0.5) => roll() < share
  const hours = (): ScheduleEntry[] =>
    maybe()
      ? []
      : ['wednesday', 'thursday', 'friday', 'saturday'].map((weekdayEn) => ({
          ...{ weekday: '', weekdayEn: weekdayEn as ScheduleEntry['weekdayEn'] },
          ...{ startTime: one(['', '08:00', '12:00']), endTime: one(['18:00', '12:00']) },
        }))
  const company = await t.eg.company({ schedules: hours() })
  const companyId = company.id
  for (const [key, value] of [
    ['scheduleType', one(['disabled', 'company', 'queue', 'queue'])],
    ['sendGreetingMessageOneQueues', one(['enabled', 'disabled'])],
  ] as const)
    await db.insert(settings).values({ companyId, key, value })

  // Chance of a run is not the same twice; what is asked elsewhere is no answer yet.
  const types = nodeTypes.filter((type) => type !== 'randomizer')
  const flowOf = async (name: string): Promise<number> => {
    const graph: FlowGraph = randomGraph(drawing, 10, types)
    const [flow] = await db.insert(flows).values({ companyId, name }).returning()
    const [version] = await db
      .insert(flowVersions)
      .values({ companyId, flowId: flow!.id, number: 1, nodes: frozen(graph) })
      .returning()
    await db.update(flows).set({ versionId: version!.id }).where(eq(flows.id, flow!.id))
    return flow!.id
  }
  const flowIds = maybe(0.6) ? [await flowOf('A'), await flowOf('B')] : []
  const bots: { promptId: number | null; integrationId: number | null }[] = [{ promptId: null, integrationId: null }]
  const [prompt] = await db.insert(prompts).values({ companyId, name: 'P', prompt: 'x', apiKey: '' }).returning()
  bots.push({ promptId: prompt!.id, integrationId: null })
  const [integration] = await db
    .insert(integrations)
    .values({
      ...{ companyId, name: 'I', urlN8N: '' },
      ...(flowIds.length > 0 ? { type: 'flowbuilder' as const, flowId: flowIds[0]! } : { type: 'webhook' as const }),
    })
    .returning()
  bots.push({ promptId: null, integrationId: integration!.id })

  const queues = []
  for (let i = 0; i < one([0, 1, 1, 2, 3]); i++) {
    const queue = await t.eg.queue(companyId, {
      ...{ name: `Fila ${i}`, orderQueue: i, schedules: hours(), outOfHoursMessage: one(['', 'Fechada.', 'Fechada.']) },
      ...{ greetingMessage: one(['', `Aqui é a fila ${i}.`]), ...one([bots[0]!, bots[0]!, ...bots]) },
      ...(maybe(0.3) && { mediaPath: 'company1/x.png', mediaName: 'x.png', mediaMime: 'image/png', mediaSize: 1 }),
    })
    queues.push(queue)
    const parents: (number | null)[] = [null]
    for (let n = 0; n < one([0, 0, 2, 4]); n++) {
      const [option] = await db
        .insert(queueOptions)
        .values({
          ...{ companyId, queueId: queue.id, parentId: one(parents), option: n + 1, title: `Opção ${n}` },
          message: one(['', `Sobre ${n}.`]),
        })
        .returning()
      parents.push(option!.id)
    }
  }
  const line = await t.eg.whatsapp(companyId, {
    ...{ greetingMessage: one(['', 'Olá!']), outOfHoursMessage: one(['', 'Voltamos logo.']), schedules: hours() },
    ...{ maxUseBotQueues: one([0, 1, 3]), timeUseBotQueues: one([0, 5]), ...one([bots[0]!, bots[0]!, ...bots]) },
    queueIds: queues.map(({ id }) => id),
  })
  if (flowIds.length > 0) {
    for (const phrase of ['promo', 'ajuda', ...(maybe(0.2) ? ['*'] : [])])
      await db.insert(flowCampaigns).values({
        ...{ companyId, name: phrase, flowId: one(flowIds), phrase, phraseKey: phraseKey(phrase) },
        whatsappId: one([null, line.id]),
      })
    const or = () => one([null, ...flowIds])
    await db.insert(flowDefaults).values({ companyId, flowIdWelcome: or(), flowIdNotPhrase: or() })
  }
  const contact = await t.eg.contact(companyId, { name: 'Ana', nameSource: 'edited', disableBot: maybe(0.15) })
  const admin = await t.eg.user(companyId, { profile: 'admin' })
  const token = await t.login(admin.email)
  return { companyId, line, contact, token, admin, one, maybe }
}

test('of hundreds of situations, what would happen is what happens, and asking writes nothing', async () => {
  const { db, sql } = t.database
  const written = async () =>
    (
      await sql`SELECT (SELECT count(*) FROM messages)::int AS m, (SELECT count(*) FROM tickets)::int AS t,
        (SELECT count(*) FROM ticket_events)::int AS e, (SELECT count(*) FROM automation_decisions)::int AS d,
        (SELECT count(*) FROM automation_states)::int AS s, (SELECT count(*) FROM flow_runs)::int AS r,
        (SELECT count(*) FROM flow_trails)::int AS w, (SELECT count(*) FROM jobs)::int AS j,
        (SELECT count(*) FROM ticket_notes)::int AS n, (SELECT count(*) FROM contacts)::int AS c`
    )[0]
  const met = new Set<string>()
  const begin = clock.getTime()
  for (const seed of COMPANIES) {
    if (!isSoak && !LEADING.includes(seed) && EVERYWHERE.every((step) => met.has(step))) break
    // A company meets the same with others before it and without.
    clock = new Date(begin + seed * 26 * 60 * MINUTE_MS)
    const { companyId, line, contact, token, admin, one, maybe } = await anyCompany(seed + 1)
    const own = and(eq(messages.companyId, companyId), eq(messages.fromMe, true))
    const said = () => db.select().from(messages).where(own).orderBy(asc(messages.createdAt), asc(messages.id))
    let count = 0
    for (let i = 0; i < MESSAGES; i++) {
      clock = new Date(clock.getTime() + one([1_000, MINUTE_MS, 6 * MINUTE_MS, 3 * 60 * MINUTE_MS]))
      const body = one(['Oi', '1', '1', '2', '3', '0', '#', 'promo', 'Ajuda', 'parar', '10', 'ana@example.test', 'x'])
      const before = await written()
      const asked = await t.call('POST', '/automations/preview', {
        token,
        body: { whatsappId: line.id, contactId: contact.id, body, at: clock.toISOString() },
      })
      const where = { seed, i, body }
      expect([where, asked.status]).toEqual([where, 200])
      expect(await written()).toEqual(before)
      const event = t.eg.inbound(line, { number: contact.number, text: body })
      await receive([event])
      const all = await said()
      const replies = all.slice(count).map(({ body: text, mediaName }) => [text, mediaName])
      count = all.length
      const foretold = (asked.body.replies as { body: string; file: { name: string } | null }[]).map(
        ({ body: text, file }) => [text || file!.name, file?.name ?? null],
      )
      expect([where, replies.toSorted()]).toEqual([where, foretold.toSorted()])
      const [stored] = await db.select().from(messages).where(eq(messages.wid, event.wid))
      const [ticket] = await db.select().from(tickets).where(eq(tickets.id, stored!.ticketId))
      const [active] = await db
        .select()
        .from(flowRuns)
        .where(and(eq(flowRuns.ticketId, ticket!.id)))
        .orderBy(asc(flowRuns.createdAt))
        .then((rows) => rows.filter(({ endedAt }) => endedAt === null))
      const { status, queueId, userId } = ticket!
      expect([where, { status, queueId, userId, flowId: active?.flowId ?? null }]).toMatchObject([
        where,
        (({ status: s, queueId: q, userId: u, flowId }) => ({ status: s, queueId: q, userId: u, flowId }))(
          asked.body.stateAfter,
        ),
      ])
      const [decision] = await db
        .select()
        .from(automationDecisions)
        .where(eq(automationDecisions.messageId, stored!.id))
      // Whoever is with an agent is decided about by nobody.
      if (decision) expect([where, decision.steps]).toEqual([where, asked.body.steps])
      else expect([where, asked.body.replies]).toEqual([where, []])
      const last = asked.body.steps.at(-1) as { step: string; why: string }
      met.add(`${last.step} ${last.why}`)
      const does = one([
        'nothing',
        'nothing',
        'nothing',
        'nothing',
        'tickets.accept',
        'tickets.return',
        'tickets.resolve',
      ])
      const fits = { 'tickets.accept': status === 'pending', 'tickets.return': status === 'open' }
      if (does === 'tickets.resolve' ? status === 'open' && maybe() : fits[does as keyof typeof fits])
        await run(admin.who, { id: newId(), name: does as 'tickets.accept', input: { ticketId: ticket!.id } })
    }
  }
  expect(failures).toEqual([])
  expect(EVERYWHERE.filter((step) => !met.has(step))).toEqual([])
}, 240_000)

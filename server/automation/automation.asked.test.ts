import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, asc, eq, or, sql } from 'drizzle-orm'
import { automationDecisions } from '../../schema/automation/automation.table.ts'
import type { Effect } from '../../schema/effects.ts'
import { newData } from '../../schema/flows/flows.graph.ts'
import { flowRuns, flows, type FlowVersion, flowVersions } from '../../schema/flows/flows.table.ts'
import { newId } from '../../schema/ids.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { createLogger } from '../log.ts'
import { ruleEffects } from '../rules/rules.effects.ts'
import { createReceiver } from '../tickets/receive.ts'
import { createAnswers } from './automation.answer.ts'
import { beginFlow } from './automation.runs.ts'

/** A flow that a person, or a rule, begins in a ticket. */
let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const QUESTION = 'Qual o seu bairro?'
const asks = { ...newData('question'), message: QUESTION, saveAs: 'bairro' } as unknown as Record<string, unknown>

async function office() {
  const { id: companyId } = await t.eg.company()
  const queue = await t.eg.queue(companyId)
  const agent = await t.eg.user(companyId, { name: 'Bruno', queueIds: [queue.id] })
  const admin = await t.eg.user(companyId, { profile: 'admin' })
  const [token, adminToken] = [await t.login(agent.email), await t.login(admin.email)]
  const line = await t.eg.whatsapp(companyId)
  const contact = await t.eg.contact(companyId, { name: 'Ana Lima' })
  const { db } = t.database
  const ticketOf = (values: Partial<Parameters<TestApp['eg']['ticket']>[1]> = {}) =>
    t.eg.ticket(companyId, {
      ...{ contactId: contact.id, whatsappId: line.id, queueId: queue.id, status: 'open', userId: agent.id },
      ...values,
    })
  const shared = { db, now: () => t.clock.now, facts: t.deps.facts, committed: () => undefined, events: t.deps.events }
  const { rules, graphs } = t.deps
  const log = createLogger({ level: 'silent' })
  const receive = createReceiver({ ...shared, answers: createAnswers({ rules, graphs, log }) })
  const publish = async (name = 'Endereço') => {
    const nodes: FlowVersion['nodes'] = [
      { node: '1', type: 'start', x: 0, y: 0, data: {}, exits: { a: 'q' } },
      { node: 'q', type: 'question', x: 9, y: 0, data: asks, exits: { a: 'm' } },
      { node: 'm', type: 'message', x: 9, y: 9, data: { text: 'Anotado: {{bairro}}' }, exits: {} },
    ]
    const [flow] = await db.insert(flows).values({ companyId, name }).returning()
    const [version] = await db
      .insert(flowVersions)
      .values({ companyId, flowId: flow!.id, number: 1, nodes })
      .returning()
    await db.update(flows).set({ versionId: version!.id }).where(eq(flows.id, flow!.id))
    rules.forget(companyId)
    return flow!.id
  }
  const macroOf = async (flowId: number, before: object[] = []) =>
    (
      await t.call('POST', '/macros', {
        token,
        body: { name: 'Pedir endereço', actions: [...before, { type: 'flow', flowId }] },
      })
    ).body
  const command = async (name: string, input: object) => {
    const id = newId()
    const { status, body } = await t.call('POST', '/commands', { token, body: { id, name, input } })
    return { id, status, body }
  }
  const waiting = () =>
    db
      .select()
      .from(jobs)
      .where(and(eq(jobs.companyId, companyId), or(eq(jobs.kind, 'flows.begin'), eq(jobs.kind, 'rules.ask'))))
      .orderBy(asc(jobs.id))
  const one = async ({ kind, payload }: typeof jobs.$inferSelect) => {
    const effect = { kind, ...payload } as Effect
    if (effect.kind === 'flows.begin') {
      const { ticketId, ...asked } = effect
      await beginFlow({ ...shared, rules, graphs, log }, companyId, ticketId, asked)
    } else if (effect.kind === 'rules.ask')
      await ruleEffects(shared)['rules.ask'](effect, { companyId, attempt: 1, last: false })
  }
  /** Does what waits, each twice, as after a crash. */
  const settle = async () => {
    for (let list = await waiting(); list.length > 0; list = await waiting())
      for (const job of list) {
        await one(job)
        await one(job)
        await db.delete(jobs).where(eq(jobs.id, job.id))
      }
  }
  const place = async (id: number) => {
    const [row] = await db.select().from(tickets).where(eq(tickets.id, id))
    return [row!.status, row!.userId, row!.chatbot]
  }
  const said = async () =>
    (
      await db
        .select()
        .from(messages)
        .where(and(eq(messages.companyId, companyId), eq(messages.fromMe, true)))
        .orderBy(asc(messages.createdAt))
    ).map(({ body }) => body)
  const whys = async () =>
    (
      await db
        .select()
        .from(automationDecisions)
        .where(and(eq(automationDecisions.companyId, companyId), eq(automationDecisions.trigger, 'asked')))
    ).map(({ steps }) => steps.map(({ why }) => why).join())
  const writes = (text: string) => receive([t.eg.inbound(line, { number: contact.number, text })])
  return {
    ...{
      companyId,
      queue,
      agent,
      admin,
      adminToken,
      contact,
      db,
      ticketOf,
      publish,
      macroOf,
      command,
      waiting,
      settle,
    },
    ...{ place, said, whys, writes },
  }
}

test('an agent leaves the contact to a flow by a macro: the ticket waits, the flow asks, and hears the answer', async () => {
  const o = await office()
  const [flowId, ticket] = [await o.publish(), await o.ticketOf()]
  const macro = await o.macroOf(flowId)
  const { status } = await o.command('macros.run', { macroId: macro.id, ticketId: ticket.id })
  // Shown as one with a bot at once, so that its queue does not give it to a colleague.
  expect([status, await o.place(ticket.id)]).toEqual([200, ['pending', null, true]])
  await o.settle()
  expect([await o.said(), await o.whys()]).toEqual([[QUESTION], ['asked_by_person']])
  // A person had served there; the flow is answered all the same.
  await o.writes('Vila Rica')
  expect(await o.said()).toEqual([QUESTION, 'Anotado: Vila Rica'])
})

test('a rule begins a flow, too, and says so', async () => {
  const o = await office()
  const [flowId, ticket] = [await o.publish(), await o.ticketOf({ status: 'pending', userId: null })]
  const { status } = await t.call('POST', '/rules', {
    token: o.adminToken,
    body: { name: 'Endereço', active: true, trigger: 'messageIn', actions: [{ type: 'flow', flowId }] },
  })
  await o.writes('Quero um bolo')
  await o.settle()
  expect([status, await o.said(), await o.whys()]).toEqual([200, [QUESTION], ['asked_by_rule']])
  expect(await o.place(ticket.id)).toEqual(['pending', null, true])
})

test('whoever takes the ticket before the flow has spoken has it, and the flow says nothing', async () => {
  const o = await office()
  const [flowId, ticket] = [await o.publish(), await o.ticketOf()]
  const macro = await o.macroOf(flowId)
  await o.command('macros.run', { macroId: macro.id, ticketId: ticket.id })
  await o.command('tickets.accept', { ticketId: ticket.id })
  await o.settle()
  expect([await o.said(), await o.whys()]).toEqual([[], ['asked_agent']])
  expect(await o.place(ticket.id)).toEqual(['open', o.agent.id, false])
})

test('taken back in time, the agent has the ticket as before and no flow begins', async () => {
  const o = await office()
  const [flowId, ticket] = [await o.publish(), await o.ticketOf()]
  const macro = await o.macroOf(flowId)
  const { id } = await o.command('macros.run', { macroId: macro.id, ticketId: ticket.id, undoable: true })
  expect(await o.place(ticket.id)).toEqual(['pending', null, true])
  const undone = await o.command('macros.undo', { ticketId: ticket.id, commandId: id })
  expect([undone.status, await o.place(ticket.id), await o.waiting()]).toEqual([200, ['open', o.agent.id, false], []])
})

test('a flow begins in place of the one that the contact is in', async () => {
  const o = await office()
  const [first, second, ticket] = [await o.publish(), await o.publish('Outro'), await o.ticketOf()]
  for (const flowId of [first, second]) {
    const macro = await o.macroOf(flowId)
    expect((await o.command('macros.run', { macroId: macro.id, ticketId: ticket.id })).status).toBe(200)
    await o.settle()
  }
  const runs = await o.db
    .select()
    .from(flowRuns)
    .where(eq(flowRuns.ticketId, ticket.id))
    .orderBy(asc(flowRuns.createdAt))
  expect(runs.map(({ flowId, reason }) => [flowId, reason])).toEqual([
    [first, 'takenOver'],
    [second, null],
  ])
})

test('where no flow may speak the macro is refused, and a flow that is switched off leaves the ticket to people', async () => {
  const o = await office()
  const [flowId, ticket] = [await o.publish(), await o.ticketOf()]
  const macro = await o.macroOf(flowId, [{ type: 'note', note: 'Nunca escrita' }])
  const { db } = o
  await db.execute(sql`UPDATE contacts SET "disableBot" = true WHERE id = ${o.contact.id}`)
  const refused = await o.command('macros.run', { macroId: macro.id, ticketId: ticket.id })
  expect([refused.status, refused.body.error, refused.body.step]).toEqual([409, 'ERR_NO_FLOW_HERE', 2])
  await db.execute(sql`UPDATE contacts SET "disableBot" = false WHERE id = ${o.contact.id}`)
  await db.update(flows).set({ active: false }).where(eq(flows.id, flowId))
  t.deps.rules.forget(o.companyId)
  await o.command('macros.run', { macroId: macro.id, ticketId: ticket.id })
  await o.settle()
  expect([await o.said(), await o.whys()]).toEqual([[], ['asked_switched_off']])
  expect(await o.place(ticket.id)).toEqual(['pending', null, false])
})

test('a flow of another company is not found, and one that macros and rules begin says so before it is deleted', async () => {
  const [o, stranger] = [await office(), await office()]
  const [flowId, foreign] = [await o.publish(), await stranger.publish()]
  expect((await o.macroOf(foreign)).error).toBe('ERR_NO_FLOW_FOUND')
  await t.call('POST', '/macros', {
    token: o.adminToken,
    body: { name: 'De todos', sharing: 'company', actions: [{ type: 'flow', flowId }] },
  })
  await t.call('POST', '/rules', {
    token: o.adminToken,
    body: { name: 'Regra', trigger: 'messageIn', actions: [{ type: 'flow', flowId }] },
  })
  const { body } = await t.call('GET', `/uses/flow/${flowId}`, { token: o.adminToken })
  expect(body.uses.map(({ kind, name }: { kind: string; name: string }) => [kind, name])).toEqual([
    ['macro', 'De todos'],
    ['rule', 'Regra'],
  ])
})

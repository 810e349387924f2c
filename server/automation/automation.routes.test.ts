import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { flow as drawing } from '../../schema/flows/flows.fixture.ts'
import { MOST_PARTS } from '../../schema/flows/flows.inputs.ts'
import { flowCampaigns, flows } from '../../schema/flows/flows.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { roles } from '../../schema/roles/roles.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { createLogger } from '../log.ts'
import { createReceiver } from '../tickets/receive.ts'
import { createAnswers } from './automation.answer.ts'

/** Why it was answered, and what would be: asked over HTTP. */

let t: TestApp
let receive: ReturnType<typeof createReceiver>
beforeAll(async () => {
  t = await testApp()
  const { facts, rules, graphs, now } = t.deps
  const answers = createAnswers({ rules, graphs, log: createLogger({ level: 'silent' }) })
  receive = createReceiver({ db: t.database.db, now, facts, answers, committed: () => undefined })
})
afterAll(() => t.close())

async function counter() {
  const company = await t.eg.company()
  const [sales, support] = [
    await t.eg.queue(company.id, { name: 'Vendas', orderQueue: 1, greetingMessage: 'Aqui é Vendas.' }),
    await t.eg.queue(company.id, { name: 'Suporte', orderQueue: 2 }),
  ]
  const queueIds = [sales.id, support.id]
  const line = await t.eg.whatsapp(company.id, { greetingMessage: 'Olá!', queueIds })
  const contact = await t.eg.contact(company.id)
  const write = (text: string) => receive([t.eg.inbound(line, { number: contact.number, text })])
  const as = async (profile: 'admin' | 'user') => {
    const { email } = await t.eg.user(company.id, { profile, queueIds, allTicket: true })
    const token = await t.login(email)
    return (method: string, path: string, body?: unknown) => t.call(method, path, { token, body })
  }
  const [admin, agent] = [await as('admin'), await as('user')]
  const messageOf = async (body: string) =>
    (
      await t.database.db
        .select()
        .from(messages)
        .where(and(eq(messages.companyId, company.id), eq(messages.body, body)))
    )[0]!.id
  return { company, line, contact, write, admin, agent, messageOf, sales }
}

test('an admin reads each rule that was asked, an agent how it ended', async () => {
  const { write, admin, agent, messageOf } = await counter()
  await write('Oi')
  const id = await messageOf('Oi')
  const whole = await admin('GET', `/messages/${id}/decision`)
  const { decisions } = whole.body
  expect(decisions).toHaveLength(1)
  expect(decisions[0].steps.map(({ step }: { step: string }) => step)).toEqual([
    ...['flow', 'phrase', 'welcome', 'menu_again', 'hours', 'connection_prompt', 'connection_integration'],
    ...['queue', 'default_flow', 'menu'],
  ])
  const short = await agent('GET', `/messages/${id}/decision`)
  expect(short.body.decisions[0].steps).toEqual([{ step: 'menu', result: 'matched', why: 'shown' }])
  // And of the answer itself.
  const reply = await messageOf('Olá!\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Suporte')
  expect((await admin('GET', `/messages/${reply}/decision`)).body.decisions[0].messageId).toBe(id)
})

test('what would be answered is what is answered, and asking writes nothing', async () => {
  const { admin, agent, write, line, contact, company } = await counter()
  const count = async () =>
    (
      await t.database.sql`SELECT (SELECT count(*) FROM messages)::int AS m, (SELECT count(*) FROM tickets)::int AS t,
      (SELECT count(*) FROM automation_decisions)::int AS d, (SELECT count(*) FROM automation_states)::int AS s`
    )[0]
  const said = () =>
    t.database.db
      .select({ id: messages.id, body: messages.body })
      .from(messages)
      .where(and(eq(messages.companyId, company.id), eq(messages.fromMe, true)))
  for (const text of ['Oi', '9', 'alô', '7', '2', 'obrigado', '#', '1', 'oi?', '#']) {
    const before = await count()
    const asked = await admin('POST', '/automations/preview', {
      ...{ whatsappId: line.id, contactId: contact.id, body: text },
    })
    expect(asked.status).toBe(200)
    expect(await count()).toEqual(before)
    const earlier = new Set((await said()).map(({ id }) => id))
    await write(text)
    const replies = (await said()).filter(({ id }) => !earlier.has(id)).map(({ body }) => body)
    expect(replies).toEqual(asked.body.replies.map(({ body }: { body: string }) => body))
  }
  expect((await agent('POST', '/automations/preview', { whatsappId: line.id, body: 'Oi' })).status).toBe(403)
})

test('a ticket that is out of sight does not show in what would be answered', async () => {
  const { company, line, write, contact, sales } = await counter()
  const { db } = t.database
  const [role] = await db
    .insert(roles)
    .values({ companyId: company.id, name: 'Robôs', permissions: ['automations:trace'], ticketScope: 'own' })
    .returning()
  const { email } = await t.eg.user(company.id, { roleId: role!.id, queueIds: [sales.id] })
  const token = await t.login(email)
  const ask = async (contactId?: number) => {
    const body = { whatsappId: line.id, body: '1', ...(contactId && { contactId }) }
    const { status, body: told } = await t.call('POST', '/automations/preview', { token, body })
    expect(status).toBe(200)
    return told
  }
  const unwritten = await t.eg.contact(company.id)
  const nothing = await ask(unwritten.id)
  const of = and(eq(tickets.companyId, company.id), eq(tickets.contactId, contact.id))
  await write('Oi')
  // In the menu of somebody else's ticket "1" is a choice; in a new one it is a greeting.
  expect(await ask(contact.id)).toEqual(nothing)
  const colleague = await t.eg.user(company.id)
  for (const status of ['open', 'closed'] as const) {
    await db.update(tickets).set({ status, userId: colleague.id, queueId: sales.id }).where(of)
    expect(await ask(contact.id)).toEqual(nothing)
  }
  const { body: me } = await t.call('GET', '/auth/me', { token })
  await db.update(tickets).set({ status: 'open', userId: me.id, queueId: sales.id }).where(of)
  expect((await ask(contact.id)).stateAfter).toMatchObject({ status: 'open', userId: me.id })
})

test('whether it is open is asked of a moment, and a moment that there is not is refused', async () => {
  const { admin, sales } = await counter()
  const ask = (body: object) => admin('POST', '/hours/test', body)
  expect((await ask({ queueId: sales.id })).body).toMatchObject({ open: true, source: 'none' })
  expect((await ask({ at: '2026-02-40T10:00:00Z' })).status).toBe(400)
})

test('a drawing that nobody has published answers as it would after publishing, and stays a drawing', async () => {
  const { admin, line, company } = await counter()
  const [flow] = await t.database.db.insert(flows).values({ companyId: company.id, name: 'Boas-vindas' }).returning()
  const phrase = {
    companyId: company.id,
    name: 'Bolo',
    flowId: flow!.id,
    phrase: 'bolo',
    phraseKey: 'bolo',
    status: true,
  }
  await t.database.db.insert(flowCampaigns).values(phrase)
  const nodes = drawing({ hi: ['message', { text: 'Qual sabor, {{firstName}}?' }, {}] }).nodes
  const ask = (more: object) =>
    admin('POST', '/automations/preview', { whatsappId: line.id, body: 'bolo', ...more }) as Promise<{
      status: number
      body: { replies: { body: string }[]; error?: string }
    }>
  expect((await ask({})).body.replies[0]!.body).toStartWith('Olá!')
  const told = await ask({ flow: { id: flow!.id, nodes } })
  expect(told.body.replies.map(({ body }) => body)).toEqual([expect.stringMatching(/^Qual sabor/)])
  expect((await ask({})).body.replies[0]!.body).toStartWith('Olá!')

  const stranger = await t.eg.company()
  const [foreign] = await t.database.db.insert(flows).values({ companyId: stranger.id, name: 'De outro' }).returning()
  expect(await ask({ flow: { id: foreign!.id, nodes } })).toMatchObject({
    status: 404,
    body: { error: 'ERR_NO_FLOW_FOUND' },
  })
  const broken = [{ ...nodes[1]!, data: { text: 7 } }]
  expect(await ask({ flow: { id: flow!.id, nodes: broken } })).toMatchObject({
    status: 400,
    body: { error: 'ERR_VALIDATION' },
  })
})

test('a drawing that would go round for ever is refused before it is tried, and named; one that waits on its way is tried', async () => {
  const { admin, line, company } = await counter()
  const { db } = t.database
  const [flow] = await db.insert(flows).values({ companyId: company.id, name: 'Volta' }).returning()
  await db.insert(flowCampaigns).values({
    ...{ companyId: company.id, name: 'Volta', flowId: flow!.id, phrase: 'volta', phraseKey: 'volta', status: true },
  })
  const ask = (nodes: unknown, id = flow!.id) =>
    admin('POST', '/automations/preview', { whatsappId: line.id, body: 'volta', flow: { id, nodes } })
  const rule = { of: 'text', key: '', operator: 'filled', value: '{{name}}'.repeat(20) } as const
  const rules = { mode: 'rules', match: 'all', rules: Array.from({ length: MOST_PARTS }, () => rule) } as const
  for (const nodes of [
    drawing({ c: ['condition', rules, { true: 'c', false: 'c' }] }).nodes,
    drawing({ m: ['message', { text: 'a' }, { a: 'n' }], n: ['message', { text: 'b' }, { a: 'm' }] }).nodes,
    drawing({ f: ['flow', { flowId: flow!.id }, { a: 'e' }], e: ['end'] }).nodes,
  ]) {
    const refused = await ask(nodes)
    expect(refused).toMatchObject({ status: 400, body: { error: 'ERR_FLOW_PROBLEMS' } })
    expect(['endlessLoop', 'flowItself']).toContain(refused.body.problems[0].code)
  }
  const waits = drawing({ q: ['question', { message: 'De novo?' }, { a: 'q' }] }).nodes
  expect((await ask(waits)).body.replies).toMatchObject([{ body: 'De novo?' }])
})

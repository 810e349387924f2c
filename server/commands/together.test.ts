import { afterAll, beforeAll, expect, test } from 'bun:test'
import { asc, eq } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import { newId } from '../../schema/ids.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import type { RunCommand } from './run.ts'
import { type Lined, mostTogether, runTogether, type Told } from './together.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp({})
})
afterAll(() => t.close())

/** An agent with so many open tickets. */
async function agentWith(count: number) {
  const company = await t.eg.company()
  const queue = await t.eg.queue(company.id)
  const whatsapp = await t.eg.whatsapp(company.id)
  const agent = await t.eg.user(company.id, { queueIds: [queue.id] })
  const tickets = []
  for (let i = 0; i < count; i++) {
    const contact = await t.eg.contact(company.id)
    const values = { contactId: contact.id, whatsappId: whatsapp.id, queueId: queue.id, userId: agent.id }
    tickets.push(await t.eg.ticket(company.id, { ...values, status: 'open' }))
  }
  const token = await t.login(agent.email)
  const batch = (commands: unknown) => t.call('POST', '/commands/batch', { token, body: { commands } })
  return { tickets, token, batch }
}

const saying = (ticketId: number, body: string) => ({
  id: newId(),
  name: 'messages.send',
  input: { id: newId(), ticketId, body },
  lane: `ticket/${ticketId}`,
})
const bodiesOf = async (ticketId: number) =>
  (
    await t.database.db
      .select({ body: messages.body })
      .from(messages)
      .where(eq(messages.ticketId, ticketId))
      .orderBy(asc(messages.createdAt), asc(messages.id))
  ).map(({ body }) => body)

test('[C9] commands that come together are done in the order of their ticket, once, however often they come', async () => {
  const { tickets, batch } = await agentWith(3)
  const commands = Array.from({ length: 30 }, (_, i) =>
    saying(tickets[i % 3]!.id, `says ${String(i).padStart(2, '0')}`),
  )
  const first = await batch(commands)
  expect(first.status).toBe(200)
  expect((first.body.results as Told[]).map(({ status }) => status)).toEqual(commands.map(() => 200))
  // An answer that was lost: all of it comes again, and is told the same.
  expect((await batch(commands)).body).toEqual(first.body)
  for (const [place, ticket] of tickets.entries()) {
    const said = await bodiesOf(ticket.id)
    expect(said).toEqual(commands.flatMap(({ input }, i) => (i % 3 === place ? [input.body] : [])))
  }
}, 60_000)

test('[C9] one that is refused, or nonsense, stops no other, and each has its own answer', async () => {
  const { tickets, batch } = await agentWith(1)
  const { id } = tickets[0]!
  const commands = [
    saying(id, 'one'),
    saying(2_000_000_000, 'to nobody'),
    { ...saying(id, 'short key'), id: 'x' },
    { ...saying(id, 'unknown'), name: 'messages.shout' },
    { ...saying(id, 'a file of others'), input: { ...saying(id, 'x').input, file: { path: 'company1/x' } } },
    null,
    [],
    saying(id, 'two'),
  ]
  const { status, body } = await batch(commands)
  expect(status).toBe(200)
  expect((body.results as { status: number; error?: string }[]).map((told) => [told.status, told.error])).toEqual([
    [200, undefined],
    [404, 'ERR_NO_TICKET_FOUND'],
    [400, 'ERR_VALIDATION'],
    [400, 'ERR_VALIDATION'],
    [400, 'ERR_FILE_REQUIRED'],
    [400, 'ERR_VALIDATION'],
    [400, 'ERR_VALIDATION'],
    [200, undefined],
  ])
  expect(await bodiesOf(id)).toEqual(['one', 'two'])
}, 60_000)

test('[C9] ten thousand commands in one request are refused at once, and none of them is done', async () => {
  const { tickets, token, batch } = await agentWith(1)
  const { id } = tickets[0]!
  const many = Array.from({ length: 10_000 }, () => ({ id: newId(), name: 'tickets.read', input: { ticketId: id } }))
  const began = performance.now()
  expect((await batch(many)).body.error).toBe('ERR_VALIDATION')
  expect(performance.now() - began).toBeLessThan(1_000)
  for (const wrong of [[], {}, null, 'x', many.slice(0, mostTogether + 1)])
    expect((await batch(wrong)).status).toBe(400)
  expect((await t.call('POST', '/commands/batch', { token, body: [] })).status).toBe(400)
  const within = many.slice(0, mostTogether).map(({ name, input }) => ({ id: newId(), name, input }))
  expect((await batch(within)).status).toBe(200)
  const long = Array.from({ length: 100 }, () => saying(id, 'a'.repeat(60_000)))
  expect((await batch(long)).status).toBe(413)
  expect(await bodiesOf(id)).toEqual([])
}, 60_000)

test('[C9] one that cannot be done for now holds back those behind it in its lane, and no other lane', async () => {
  const done: string[] = []
  const run: RunCommand = async (_who, { id }) => {
    await Bun.sleep(1)
    if (id === 'a2') throw new DomainError('ERR_UNAVAILABLE')
    if (id === 'b1') throw new Error('a defect')
    if (id === 'c1') throw new DomainError('ERR_TICKET_TAKEN')
    done.push(id)
    return { txid: '1', tables: [], result: {} }
  }
  const list = ['a1', 'b1', 'a2', 'c1', 'a3', 'b2', 'c2'].map<Lined>((id) => ({
    lane: id[0]!,
    call: { id, name: 'tickets.read', input: {} },
  }))
  const failed = () => new DomainError('INTERNAL_SERVER_ERROR')
  const told = await runTogether(run, {} as never, list, failed)
  expect(told.map(({ status }) => status)).toEqual([200, 500, 503, 409, 503, 503, 200])
  expect(done.sort()).toEqual(['a1', 'c2'])
})

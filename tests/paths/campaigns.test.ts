import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { newId } from '../../schema/ids.ts'
import { RETRIES_MS } from '../../schema/webhooks/webhooks.events.ts'
import { testDatabase, type TestDatabase } from '../support/postgres.ts'
import {
  adminEmail,
  adminPassword,
  type Api,
  type Arrived,
  type PhoneLine,
  type Stack,
  startStack,
  until,
} from '../support/stack.ts'

/**
 * Messages to many, and what programs are told, with a server that is killed in the middle of it. The server is the
 * whole product on a database that goes on, so that time can be moved between its lives.
 */
let database: TestDatabase
let stack: Stack
let api: Api & { token: string }
let whatsappId: number
const customer = { number: '551197200999', name: 'Vera' }
let ticketId: number

beforeAll(async () => {
  database = await testDatabase()
  stack = await startStack({ env: { DATABASE_URL: database.url, OUTBOUND_ALLOW: '127.0.0.1' } })
  api = await stack.login(adminEmail, adminPassword)
  ;({ id: whatsappId } = (await api('POST', '/whatsapp', { name: 'Main' })) as { id: number })
  await stack.pair(api, whatsappId)
  await stack.phone.contact(customer.number, customer.name)
  await stack.phone.write(customer.number, 'first')
  const { tickets } = await until(
    'a ticket',
    () => api('GET', '/tickets?showAll=true&status=pending') as Promise<{ tickets: { id: number }[] }>,
    (page) => page.tickets.length === 1,
  )
  ticketId = tickets[0]!.id
  await api('POST', '/commands', { id: newId(), name: 'tickets.accept', input: { ticketId } })
}, 120_000)
afterAll(async () => {
  await stack?.stop()
  await database?.close()
}, 60_000)

const textOf = ({ message }: Arrived) => message.conversation ?? message.extendedTextMessage?.text ?? ''
const settings = (values: object) => api('POST', '/campaign-settings', { settings: values })
let names = 0

/** A campaign to people whose phones exist, begun. */
async function begin(
  people: readonly string[],
  text: string,
  { before = async () => {} }: { before?: () => Promise<unknown> } = {},
): Promise<number> {
  const name = `Lista ${++names}`
  const list = (await api('POST', '/contact-lists', { name })) as { id: number }
  for (const [i, number] of people.entries()) {
    await stack.phone.contact(number, `Pessoa ${i}`)
    await api('POST', '/contact-list-items', { name: `Pessoa ${i}`, number, contactListId: list.id })
  }
  const values = { name, message1: text, whatsappId, contactListId: list.id }
  const { id } = (await api('POST', '/campaigns', values)) as { id: number }
  await before()
  await api('POST', `/campaigns/${id}/start`)
  return id
}
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => `5511972${100_000 + from + i}`)
const answer = (body: string) => {
  const input = { id: newId(), ticketId, body }
  return stack.sendUntilAnswered(api.token, { id: newId(), name: 'messages.send', input })
}
const left = async (id: number) => {
  const [row] = await database.sql<{ n: number }[]>`
    SELECT count(*)::int AS n FROM shippings WHERE "campaignId" = ${id} AND "sentAt" IS NOT NULL`
  return row!.n
}
const campaign = (id: number) =>
  api('GET', `/campaigns/${id}`) as Promise<{ status: string; pauseReason: string | null }>

test('a campaign whose server is killed again and again reaches each person once', async () => {
  await settings({ messageInterval: 0, longerIntervalAfter: 0, greaterInterval: 0 })
  const people = numbers(0, 60)
  const id = await begin(people, 'Natal {nome}')
  for (const part of [5, 20, 40]) {
    await until(
      `${part} messages on their way`,
      () => left(id),
      (n) => n >= part,
    )
    await stack.kill()
    await stack.start()
  }
  await until(
    'the end of the campaign',
    () => campaign(id),
    ({ status }) => status === 'FINALIZADA',
    120_000,
  )
  for (const [i, number] of people.entries()) {
    // A phone shows a repeated id once, so ids count, not arrivals.
    const got = new Map((await stack.phone.inbox(number)).map((one) => [one.id, textOf(one)]))
    expect([number, ...got.values()]).toEqual([number, `Natal Pessoa ${i}`])
  }
  const rows = await database.sql`SELECT DISTINCT "state" FROM shippings WHERE "campaignId" = ${id}`
  for (const { state } of rows) expect(['sent', 'delivered', 'read']).toContain(state)
  // Nobody has a ticket for it.
  expect(await database.sql`SELECT FROM tickets`).toHaveLength(1)
}, 240_000)

test('what an agent writes while a campaign runs leaves before it', async () => {
  const people = numbers(1_000, 120)
  const id = await begin(people, 'Aviso {nome}')
  await until(
    'the first messages',
    () => left(id),
    (n) => n >= 5,
  )
  await answer('já vejo isso para a senhora')
  await until(
    'the end of the campaign',
    () => campaign(id),
    ({ status }) => status === 'FINALIZADA',
    120_000,
  )
  const { threads } = (await stack.phone.call('GET', '/ctl/state')) as {
    threads: Record<string, { lines: PhoneLine[] }>
  }
  const lines = Object.values(threads).flatMap((thread) => thread.lines)
  const mine = lines.find(({ text }) => text === 'já vejo isso para a senhora')!
  const later = lines.filter(({ text, at }) => text.startsWith('Aviso ') && at > mine.at)
  // In one line with the campaign it would have been the last.
  expect(later.length).toBeGreaterThan(40)
}, 240_000)

test('error 463 at the fifth stops all campaigns of the connection: no sixth leaves, an agent’s answer does', async () => {
  await settings({ messageInterval: 1, longerIntervalAfter: 0, greaterInterval: 0 })
  const people = numbers(2_000, 8)
  const others = numbers(3_000, 3)
  const refuse = () => stack.phone.call('POST', `/ctl/contacts/${people[4]}`, { refuseWith: '463' })
  const id = await begin(people, 'Um {nome}', { before: refuse })
  const other = await begin(others, 'Outra {nome}')
  for (const one of [id, other])
    await until(
      'the stop',
      () => campaign(one),
      ({ status, pauseReason }) => status === 'PAUSADA' && pauseReason === 'refused',
      60_000,
    )
  await answer('a sua encomenda saiu')
  await until(
    'the answer at the customer',
    () => stack.phone.inbox(customer.number),
    (inbox) => inbox.some((one) => textOf(one) === 'a sua encomenda saiu'),
  )
  // Also after another start nothing of them leaves.
  await stack.kill()
  await stack.start()
  await until(
    'the link',
    () => api('GET', `/whatsapp/${whatsappId}`) as Promise<{ status: string }>,
    ({ status }) => status === 'CONNECTED',
  )
  await answer('posso ajudar em algo mais?')
  await until(
    'the next answer',
    () => stack.phone.inbox(customer.number),
    (inbox) => inbox.some((one) => textOf(one) === 'posso ajudar em algo mais?'),
  )
  const reached = await Promise.all(
    [...people, ...others].map(async (number) => (await stack.phone.inbox(number)).length),
  )
  expect(reached.slice(5, people.length)).toEqual([0, 0, 0])
  expect(await left(id)).toBe(5)
  for (const one of [id, other]) expect((await campaign(one)).status).toBe('PAUSADA')
}, 240_000)

test('while WhatsApp locks new chats a campaign waits, over a start of the server, too; an answer leaves, and lifted it goes on', async () => {
  // The test before stopped what goes to many here.
  await api('PUT', `/campaign-settings/lines/${whatsappId}`, { stopped: false })
  await settings({ messageInterval: 0, longerIntervalAfter: 0, greaterInterval: 0 })
  const { phones } = (await stack.phone.call('GET', '/ctl/state')) as { phones: { number: string }[] }
  const newChats = (lock: object | null) =>
    stack.phone.call('POST', `/ctl/phones/${phones[0]!.number}/new-chats`, { lock })
  const connection = () =>
    api('GET', `/whatsapp/${whatsappId}`) as Promise<{ status: string; newChatsLockedUntil: string | null }>
  const ends = Math.floor(Date.now() / 1_000) + 3_600
  const moment = new Date(ends * 1_000).toISOString()
  await newChats({ ends, type: 'BIZ_QUALITY' })
  await until('the lock', connection, ({ newChatsLockedUntil }) => newChatsLockedUntil === moment)
  const people = numbers(4_000, 5)
  const id = await begin(people, 'Depois {nome}')
  const waiting = async () =>
    ((await api('GET', `/campaigns/${id}`)) as { report: { waiting: object[] } }).report.waiting
  const held = [{ reason: 'locked', n: people.length, until: moment }]
  await until('the reason', waiting, (rows) => Bun.deepEquals(rows, held))
  await answer('só um instante')
  await until(
    'the answer at the customer',
    () => stack.phone.inbox(customer.number),
    (inbox) => inbox.some((one) => textOf(one) === 'só um instante'),
  )
  await stack.kill()
  await stack.start()
  await until('the link', connection, ({ status }) => status === 'CONNECTED')
  await until('the reason once more', waiting, (rows) => Bun.deepEquals(rows, held))
  expect(await left(id)).toBe(0)
  await newChats(null)
  await until(
    'the end',
    () => campaign(id),
    ({ status }) => status === 'FINALIZADA',
    60_000,
  )
  for (const number of people) expect((await stack.phone.inbox(number)).map(textOf)).toHaveLength(1)
}, 240_000)

test('a receiver that is down for three hours, of a server that is killed meanwhile, is told everything under the same ids', async () => {
  const seen: { id: string; body: string; headers: Record<string, string> }[] = []
  let how: 'hang' | 'down' | 'up' = 'hang'
  const receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const headers = Object.fromEntries(request.headers)
      seen.push({ id: headers['webhook-id']!, body: await request.text(), headers })
      if (how === 'hang') await new Promise(() => undefined)
      return new Response('', { status: how === 'up' ? 200 : 503 })
    },
  })
  /** So much later: what waits is due, what a process that died had taken up is free. */
  const pass = (ms: number) => database.sql`UPDATE webhook_deliveries SET
    "nextAt" = "nextAt" - ${`${ms} milliseconds`}::interval, "lockedUntil" = "lockedUntil" - ${`${ms} milliseconds`}::interval`
  const stored = () => database.sql<{ eventId: string; tries: number; state: string }[]>`
    SELECT "eventId", "tries", "state" FROM webhook_deliveries ORDER BY "id"`
  try {
    const { secret } = (await api('POST', '/webhooks', {
      url: `http://127.0.0.1:${receiver.port}/hook`,
      events: ['message.sent'],
    })) as { secret: string }
    for (let i = 1; i <= 12; i++) await answer(`aviso ${i}`)
    await until(
      'a call that nobody answers',
      async () => seen.length,
      (n) => n > 0,
    )
    await stack.kill()
    how = 'down'
    // While nobody delivers: what is being tried at that moment would be taken up a second time.
    await pass(120_000)
    await stack.start()
    await until('a delivery for each message', stored, (rows) => rows.length === 12)
    const events = (await stored()).map(({ eventId }) => eventId)
    // 5 s, 5 and 30 minutes, 2 hours: with a death between each.
    for (const [i, pause] of RETRIES_MS.slice(0, 4).entries()) {
      // The first pause is so short that some may be a try ahead before the last has had its first.
      await until(`try ${i + 1}`, stored, (rows) => rows.every(({ tries }) => tries >= i + 1), 60_000)
      await stack.kill()
      if (i === 3) how = 'up'
      await pass(pause * 1.1 + 120_000)
      await stack.start()
    }
    const last = await until('all of it', stored, (rows) => rows.every(({ state }) => state === 'delivered'), 60_000)
    // The first try after it is up again is the last.
    expect(last.map(({ tries }) => tries)).toEqual(events.map(() => 5))
    expect(last.map(({ eventId }) => eventId)).toEqual(events)
    expect([...new Set(seen.map(({ id }) => id))].sort()).toEqual([...events].sort())
    const final = new Map(seen.map((one) => [one.id, one]))
    for (const { headers, body } of final.values()) new Webhook(secret).verify(body, headers)
    const said = [...final.values()].map(
      ({ body }) => (JSON.parse(body) as { data: { message: { body: string } } }).data,
    )
    expect(new Set(said.map(({ message }) => message.body))).toEqual(
      new Set(Array.from({ length: 12 }, (_, i) => `aviso ${i + 1}`)),
    )
  } finally {
    await receiver.stop(true)
  }
}, 240_000)

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId, widOf } from '../../schema/ids.ts'
import { dose } from '../support/dose.ts'
import { testDatabase, type TestDatabase } from '../support/postgres.ts'
import { adminEmail, adminPassword, type Api, type Arrived, type Stack, startStack, until } from '../support/stack.ts'

/**
 * Three servers on one database, each killed in turn while contacts write, agents answer by whichever server is there,
 * messages are due at their time and a program is told of all of it. Afterwards everything is there once.
 */
const people = Array.from({ length: 3 }, (_, i) => ({ name: `Contact ${i}`, number: `551197300000${i}` }))
const rounds = dose(1, 8)

let database: TestDatabase
let servers: Stack[] = []
let api: Api & { token: string }
let whatsappId: number
const ticketOf = new Map<string, { ticketId: number; contactId: number }>()

/** What the program was told, by the event's id: a call that a dying server made may be made again. */
const told = new Map<string, string>()
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { type, data } = (await request.json()) as { type: string; data: { message?: { body?: string } } }
    told.set(request.headers.get('webhook-id') ?? '', `${type} ${data.message?.body}`)
    return new Response('')
  },
})

beforeAll(async () => {
  database = await testDatabase({ max: 3 })
  const env = {
    DATABASE_URL: database.url,
    JWT_SECRET: 'the-same-at-every-server-thirty-two-characters',
    ENCRYPTION_KEY: Buffer.alloc(32, 3).toString('base64'),
    OUTBOUND_ALLOW: '127.0.0.1',
  }
  const first = await startStack({ env })
  servers = [first, ...(await Promise.all([startStack({ env, beside: first }), startStack({ env, beside: first })]))]
  api = await first.login(adminEmail, adminPassword)
  whatsappId = ((await api('POST', '/whatsapp', { name: 'Main' })) as { id: number }).id
  await first.pair(api, whatsappId)
  await api('POST', '/webhooks', {
    url: `http://127.0.0.1:${receiver.port}/`,
    events: ['message.received', 'message.sent'],
  })
  for (const { number, name } of people) {
    await first.phone.contact(number, name)
    await first.phone.write(number, 'first')
  }
  const { tickets } = await until(
    'a ticket for each contact',
    () =>
      api('GET', '/tickets?showAll=true&status=pending') as Promise<{
        tickets: { id: number; contact: { id: number; number: string } }[]
      }>,
    (page) => page.tickets.length === people.length,
  )
  for (const { id: ticketId, contact } of tickets) {
    await api('POST', '/commands', { id: newId(), name: 'tickets.accept', input: { ticketId } })
    ticketOf.set(contact.number, { ticketId, contactId: contact.id })
  }
}, 180_000)
afterAll(async () => {
  for (const server of servers.toReversed()) await server.stop()
  await receiver.stop(true)
  await database?.close()
}, 90_000)

const textOf = ({ message }: Arrived) => message.conversation ?? message.extendedTextMessage?.text ?? ''

/** Sends a command by one server after the other, under one key, until one of them has answered. */
async function send(command: { id: string; name: string; input: unknown }): Promise<void> {
  for (let turn = Math.floor(Math.random() * 3); ; turn++) {
    const response = await fetch(`${servers[turn % 3]!.url}/commands`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${api.token}` },
      body: JSON.stringify(command),
      signal: AbortSignal.timeout(5_000),
    }).catch(() => undefined)
    if (response?.ok) return
    if (response && response.status < 500)
      throw new Error(`${command.name}: ${response.status} ${await response.text()}`)
    await Bun.sleep(20)
  }
}

/** The server whose link is up, by its place; -1 while none is. */
async function holder(): Promise<number> {
  const links = await Promise.all(
    servers.map(async (server) => {
      const health = (await server
        .as(api.token)('GET', '/health')
        .catch(() => undefined)) as { connections: { openHere: number } } | undefined
      return health?.connections.openHere === 1
    }),
  )
  return links.indexOf(true)
}
/** Waits until another one speaks. @returns how long that took, ms */
async function takenOver(from: number, since: number): Promise<number> {
  await until('another server to take over', holder, (at) => at !== -1 && at !== from, 60_000)
  return Date.now() - since
}

test('each of three servers is killed in turn under traffic, and stopped: nothing is lost, nothing doubled', async () => {
  const written = new Map<string, string>()
  const sent = new Map<string, { number: string; text: string }>()
  const due: string[] = []
  let going = true
  const traffic = people.flatMap(({ number }) => [
    (async () => {
      for (let i = 1; going; i++) {
        const text = `in ${number} ${i}`
        written.set(await servers[0]!.phone.write(number, text), text)
        await Bun.sleep(100 + Math.random() * 200)
      }
    })(),
    (async () => {
      for (let i = 1; going; i++) {
        const id = newId()
        const text = `out ${number} ${i}`
        sent.set(widOf(id), { number, text })
        const input = { id, ticketId: ticketOf.get(number)!.ticketId, body: text }
        await send({ id: newId(), name: 'messages.send', input })
        await Bun.sleep(100 + Math.random() * 200)
      }
    })(),
    (async () => {
      for (let i = 1; going; i++) {
        const body = `due ${number} ${i}`
        const sendAt = new Date(Date.now() + 1_000).toISOString()
        const { contactId } = ticketOf.get(number)!
        await send({ id: newId(), name: 'schedules.create', input: { id: newId(), contactId, body, sendAt } })
        due.push(body)
        await Bun.sleep(2_000)
      }
    })(),
  ])

  const killedMs: number[] = []
  const stoppedMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const left = new Set([0, 1, 2])
    for (const way of ['kill', 'kill', 'kill', 'end'] as const) {
      const speaking = await until('a server that speaks', holder, (found) => found !== -1, 60_000)
      await Bun.sleep(500 + Math.random() * 1_000)
      // Whoever speaks, unless it has been killed already; the last of them may not speak.
      const at = way === 'end' || left.has(speaking) ? speaking : [...left][0]!
      left.delete(at)
      const since = Date.now()
      const ended = servers[at]![way]()
      if (at === speaking) (way === 'kill' ? killedMs : stoppedMs).push(await takenOver(at, since))
      await ended
      await servers[at]!.start()
    }
  }
  going = false
  await Promise.all(traffic)
  process.stderr.write(
    `taken over from a killed server after ${killedMs.join(', ')} ms, from a stopped one after ${stoppedMs.join(', ')} ms; ${written.size} in, ${sent.size} out, ${due.length} due\n`,
  )

  const { sql } = database
  const stored = () => sql<{ wid: string; body: string }[]>`
    SELECT "wid", "body" FROM messages WHERE "whatsappId" = ${whatsappId} AND NOT "fromMe" AND "body" LIKE 'in %'`
  const rows = await until('every message', stored, (all) => all.length >= written.size, 60_000)
  expect(rows.map(({ wid, body }) => `${wid} ${body}`).sort()).toEqual(
    [...written].map(([wid, text]) => `${wid} ${text}`).sort(),
  )
  for (const { number } of people) {
    const own = [...sent].filter(([, message]) => message.number === number)
    const wanted = [...own.map(([, { text }]) => text), ...due.filter((body) => body.includes(number))].sort()
    // A phone shows a repeated id once, so ids count, not arrivals.
    const arrived = async () => {
      const all = new Map((await servers[0]!.phone.inbox(number)).map((one) => [one.id, textOf(one)]))
      return [...all.values()].filter((text) => /^(out|due) /.test(text)).sort()
    }
    await until(`all at ${number}`, arrived, (list) => list.length >= wanted.length, 60_000)
    expect(await arrived()).toEqual(wanted)
  }
  const all = [...written.values(), ...[...sent.values()].map(({ text }) => text), ...due]
  const heard = () =>
    [...told.values()].flatMap((line) => /^message\.(?:received|sent) ((?:in|out|due) .*)/.exec(line)?.[1] ?? [])
  await until(
    'the program to be told',
    async () => heard(),
    (texts) => texts.length >= all.length,
    60_000,
  )
  expect(heard().sort()).toEqual(all.sort())
}, 600_000)

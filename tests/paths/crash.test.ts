import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { newId, widOf } from '../../schema/ids.ts'
import { adminEmail, adminPassword, type Api, type Arrived, type Stack, startStack, until } from '../support/stack.ts'

/**
 * The server is killed without warning, again and again, while contacts write and an agent answers. Afterwards the
 * phones and the database must hold the same: nothing lost, nothing twice.
 */
const people = Array.from({ length: 4 }, (_, i) => ({ name: `Contact ${i}`, number: `551197000000${i}` }))
const kills = Number(process.env.CRASHES ?? 4)

let stack: Stack
let api: Api & { token: string }
let whatsappId: number
const ticketOf = new Map<string, number>()

beforeAll(async () => {
  stack = await startStack()
  api = await stack.login(adminEmail, adminPassword)
  whatsappId = ((await api('POST', '/whatsapp', { name: 'Main' })) as { id: number }).id
  await stack.pair(api, whatsappId)
  for (const { number, name } of people) {
    await stack.phone.contact(number, name)
    await stack.phone.write(number, 'first')
  }
  const tickets = await until(
    'a ticket for each contact',
    () =>
      api('GET', '/tickets?showAll=true&status=pending') as Promise<{
        tickets: { id: number; contact: { number: string } }[]
      }>,
    (page) => page.tickets.length === people.length,
  )
  for (const ticket of tickets.tickets) {
    await api('POST', '/commands', { id: newId(), name: 'tickets.accept', input: { ticketId: ticket.id } })
    ticketOf.set(ticket.contact.number, ticket.id)
  }
}, 180_000)
afterAll(() => stack?.stop(), 60_000)

const textOf = ({ message }: Arrived) => message.conversation ?? message.extendedTextMessage?.text ?? ''

test('a server that was killed speaks for its connections again as soon as it is back', async () => {
  await stack.kill()
  const { number } = people[0]!
  const wid = await stack.phone.write(number, 'while it was away')
  await stack.start()
  const sql = postgres(stack.databaseUrl, { max: 1 })
  try {
    const stored = () => sql`SELECT FROM messages WHERE "wid" = ${wid}`
    // A lease of another server would be waited for, which takes thirty seconds.
    await until('the message', stored, (rows) => rows.length === 1, 10_000)
  } finally {
    await sql.end()
  }
}, 60_000)

test(`killed ${kills} times under traffic both ways, the database and the phones hold every message once`, async () => {
  const written = new Map<string, string>()
  const sent = new Map<string, { number: string; text: string }>()
  let going = true

  const contactsWrite = people.map(async ({ number }) => {
    for (let i = 1; going; i++) {
      const text = `in ${number} ${i}`
      written.set(await stack.phone.write(number, text), text)
      await Bun.sleep(30 + Math.random() * 60)
    }
  })
  const agentAnswers = people.map(async ({ number }) => {
    for (let i = 1; going; i++) {
      const id = newId()
      const text = `out ${number} ${i}`
      sent.set(widOf(id), { number, text })
      await stack.sendUntilAnswered(api.token, {
        id: newId(),
        name: 'messages.send',
        input: { id, ticketId: ticketOf.get(number), body: text },
      })
      await Bun.sleep(30 + Math.random() * 60)
    }
  })

  for (let i = 0; i < kills; i++) {
    await Bun.sleep(300 + Math.random() * 2_000)
    await stack.kill()
    await stack.start()
  }
  // However slow the machine is, there has been traffic.
  await until(
    'traffic both ways',
    async () => Math.min(written.size, sent.size),
    (least) => least > 20,
    60_000,
  )
  going = false
  await Promise.all([...contactsWrite, ...agentAnswers])

  // What the contacts wrote, as the database has it.
  const sql = postgres(stack.databaseUrl, { max: 1 })
  try {
    const stored = () =>
      sql<{ wid: string; body: string; ticketId: number }[]>`
          SELECT "wid", "body", "ticketId" FROM messages WHERE "whatsappId" = ${whatsappId} AND NOT "fromMe" AND "body" LIKE 'in %'`
    await until('every inbound message', stored, (rows) => rows.length >= written.size, 60_000)
    const rows = await stored()
    expect(rows.map((r) => `${r.wid} ${r.body}`).sort()).toEqual(
      [...written].map(([wid, text]) => `${wid} ${text}`).sort(),
    )
    expect(new Set(rows.map((r) => r.ticketId)).size).toBe(people.length)

    // What we wrote, as the phones have it. A phone shows a repeated id once, so ids count, not arrivals.
    for (const { number } of people) {
      const wanted = [...sent].filter(([, s]) => s.number === number).map(([wid, s]) => `${wid} ${s.text}`)
      const arrived = async () =>
        [...new Set((await stack.phone.inbox(number)).map((m) => `${m.id} ${textOf(m)}`))].filter((m) =>
          m.includes(' out '),
        )
      await until(`every answer at ${number}`, arrived, (list) => list.length >= wanted.length, 60_000)
      expect((await arrived()).sort()).toEqual(wanted.sort())
    }
    const ours = () =>
      sql<
        { wid: string; ack: number }[]
      >`SELECT "wid", "ack" FROM messages WHERE "whatsappId" = ${whatsappId} AND "fromMe"`
    await until('a tick for every answer', ours, (all) => all.every((m) => m.ack >= 2), 60_000)
    expect((await ours()).map((m) => m.wid).sort()).toEqual([...sent.keys()].sort())
  } finally {
    await sql.end()
  }
}, 300_000)

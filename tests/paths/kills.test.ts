import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId, widOf } from '../../schema/ids.ts'
import { dose } from '../support/dose.ts'
import { testDatabase, type TestDatabase } from '../support/postgres.ts'
import { adminEmail, adminPassword, type Api, type Arrived, type Stack, startStack, until } from '../support/stack.ts'

/**
 * A hundred short lives: the server is killed half a second after each start, mostly before it has read what it missed.
 * What waits then grows from life to life, for WhatsApp brings all of it again each time. Nothing is lost, and
 * everybody is up to date a bounded time after the last start.
 *
 * The server is the whole product on a database that goes on: a life is a second and a half.
 */
const people = Array.from({ length: 3 }, (_, i) => ({ name: `Contact ${i}`, number: `551197100000${i}` }))
const kills = Number(process.env.KILLS ?? 100)
/**
 * From the end of the traffic: for the link, and for each message that waits. Measured on two cores: 3 ms for each on a
 * quiet machine, 18 ms with twenty other processes at work.
 */
const bound = (waiting: number) => 10_000 + 50 * waiting

let database: TestDatabase
let stack: Stack
let api: Api & { token: string }
const ticketOf = new Map<string, number>()

beforeAll(async () => {
  database = await testDatabase()
  stack = await startStack({ env: { DATABASE_URL: database.url } })
  api = await stack.login(adminEmail, adminPassword)
  const { id } = (await api('POST', '/whatsapp', { name: 'Main' })) as { id: number }
  await stack.pair(api, id)
  for (const { number, name } of people) {
    await stack.phone.contact(number, name)
    await stack.phone.write(number, 'first')
  }
  const { tickets } = await until(
    'a ticket for each contact',
    () =>
      api('GET', '/tickets?showAll=true&status=pending') as Promise<{
        tickets: { id: number; contact: { number: string } }[]
      }>,
    (page) => page.tickets.length === people.length,
  )
  for (const ticket of tickets) {
    await api('POST', '/commands', { id: newId(), name: 'tickets.accept', input: { ticketId: ticket.id } })
    ticketOf.set(ticket.contact.number, ticket.id)
  }
}, 120_000)
afterAll(async () => {
  await stack?.stop()
  await database?.close()
}, 60_000)

const textOf = ({ message }: Arrived) => message.conversation ?? message.extendedTextMessage?.text ?? ''

test(`killed up to ${kills} times in its first second, it is late at most: all is there a bounded time after`, async () => {
  const written = new Map<string, string>()
  const sent = new Map<string, { number: string; text: string }>()
  let going = true
  const pause = () => Bun.sleep(100 + Math.random() * 200)
  const traffic = people.flatMap(({ number }) => [
    (async () => {
      for (let i = 1; going; i++) {
        const text = `in ${number} ${i}`
        written.set(await stack.phone.write(number, text), text)
        await pause()
      }
    })(),
    (async () => {
      for (let i = 1; going; i++) {
        const id = newId()
        const text = `out ${number} ${i}`
        sent.set(widOf(id), { number, text })
        const input = { id, ticketId: ticketOf.get(number), body: text }
        await stack.sendUntilAnswered(api.token, { id: newId(), name: 'messages.send', input })
        await pause()
      }
    })(),
  ])
  // A machine on which a start takes seconds shows the same with fewer.
  const enough = Date.now() + dose(40_000, 150_000)
  let killed = 0
  for (; killed < kills && (killed < 20 || Date.now() < enough); killed++) {
    await Bun.sleep(200 + Math.random() * 600)
    await stack.kill()
    await stack.start()
  }
  going = false
  await Promise.all(traffic)

  const end = Date.now()
  const { sql } = database
  const stored = () => sql<{ wid: string; body: string }[]>`
    SELECT "wid", "body" FROM messages WHERE NOT "fromMe" AND "body" LIKE 'in %' ORDER BY "id"`
  const waiting = written.size - (await stored()).length
  const rows = await until('every message', stored, (all) => all.length >= written.size, bound(waiting))
  const lateMs = Date.now() - end
  process.stderr.write(
    `${killed} kills, ${written.size} written, ${waiting} waited at the end, the last for ${lateMs} ms\n`,
  )
  expect(rows.map(({ wid, body }) => `${wid} ${body}`).sort()).toEqual(
    [...written].map(([wid, text]) => `${wid} ${text}`).sort(),
  )
  for (const { number } of people) {
    // In the order in which they were written.
    const mine = rows.flatMap(({ body }) => (body.startsWith(`in ${number} `) ? [Number(body.split(' ')[2])] : []))
    expect(mine).toEqual(mine.map((_, i) => i + 1))
  }

  for (const { number } of people) {
    const wanted = [...sent].filter(([, s]) => s.number === number).map(([wid, s]) => `${wid} ${s.text}`)
    const arrived = async () =>
      [...new Set((await stack.phone.inbox(number)).map((m) => `${m.id} ${textOf(m)}`))].filter((m) =>
        m.includes(' out '),
      )
    await until(`every answer at ${number}`, arrived, (list) => list.length >= wanted.length, 60_000)
    expect((await arrived()).sort()).toEqual(wanted.sort())
  }
  // Nothing is parked, nothing waits.
  await until(
    'an empty journal',
    () => sql`SELECT FROM whatsapp_journal`,
    (left) => left.length === 0,
    30_000,
  )
}, 420_000)

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { BODY_LENGTH, TEXT_LENGTH } from '../../schema/messages/messages.text.ts'
import { expectWithstood, startTarget, type Target } from '../support/attack.ts'
import { adminEmail, adminPassword, type Api, until } from '../support/stack.ts'

let target: Target
let api: Api
beforeAll(async () => {
  target = await startTarget()
  api = await target.login(adminEmail, adminPassword)
  const { id } = (await api('POST', '/whatsapp', { name: 'Loja' })) as { id: number }
  await target.pair(api, id)
})
afterAll(() => target.stop())

interface Told {
  id: string
  body: string
}

/** What a contact of this number said, as the product has it; once `count` messages are there. */
async function saidBy(number: string, count: number): Promise<Told[]> {
  const tickets = () =>
    api('GET', `/tickets?showAll=true&searchParam=${number}`) as Promise<{ tickets: { id: number }[] }>
  const { tickets: found } = await until('the ticket', tickets, (page) => page.tickets.length > 0)
  const messages = () => api('GET', `/messages/${found[0]!.id}`) as Promise<{ messages: Told[] }>
  return (await until('the messages', messages, (page) => page.messages.length >= count)).messages
}

test('texts of 4 MB, with and without blanks, are received, kept up to their bound, and stop nothing', async () => {
  const number = '5511970000001'
  await target.phone.contact(number, 'Tomás Longo')
  const texts = ['a'.repeat(4_000_000), '*_'.repeat(2_000_000), 'palavra '.repeat(500_000), '\u0301'.repeat(1_000_000)]
  const cost = await target.under(async () => {
    for (const text of texts) await target.phone.write(number, text)
    return saidBy(number, texts.length)
  })
  expectWithstood(cost)
  expect(cost.result.map(({ body }) => body.length)).toEqual(texts.map(() => BODY_LENGTH))
  for (const [i, { id }] of cost.result.entries()) {
    const { body } = (await api('GET', `/messages/text/${id}`)) as Told
    expect(body).toBe(texts[i]!.slice(0, TEXT_LENGTH))
  }
})

test('a hundred texts as long as WhatsApp allows are indexed and searched without a long pause', async () => {
  const number = '5511970000002'
  await target.phone.contact(number, 'Lúcia Extensa')
  const cost = await target.under(async () => {
    for (let i = 0; i < 100; i++) await target.phone.write(number, `${i}`.padEnd(65_536, 'klmnopqrst'))
    await saidBy(number, 20)
    return (await api('GET', '/tickets?showAll=true&searchParam=klmnopqrstklm')) as { count: number }
  })
  // 6.5 MB at once: the server writes them for 0.8 to 2.1 s, on two cores of which other tests had one.
  expectWithstood(cost, { busyMs: 3_000 })
  expect(cost.result.count).toBe(1)
})

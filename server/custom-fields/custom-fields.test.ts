import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { newId } from '../../schema/ids.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

async function desk() {
  const company = await t.eg.company()
  const queue = await t.eg.queue(company.id)
  const ana = await t.eg.user(company.id, { queueIds: [queue.id] })
  const bia = await t.eg.user(company.id)
  const [admin, agent, stranger] = [
    await t.login((await t.eg.user(company.id, { profile: 'admin' })).email),
    await t.login(ana.email),
    await t.login(bia.email),
  ]
  const contact = await t.eg.contact(company.id)
  const ticket = await t.eg.ticket(company.id, {
    ...{ contactId: contact.id, queueId: queue.id, userId: ana.id, status: 'open' },
  })
  const define = async (body: object) =>
    (await t.call('POST', '/custom-fields', { token: admin, body: { entity: 'ticket', type: 'text', ...body } })).body
  const run = (token: string, name: string, input: object) =>
    t.call('POST', '/commands', { token, body: { id: newId(), name, input } })
  const stored = async () => (await t.database.db.select().from(tickets).where(eq(tickets.id, ticket.id)))[0]!
  return { company, admin, agent, stranger, contact, ticket, define, run, stored }
}

describe('a field', () => {
  test('has a key of its name, which stays when the name changes and which no other field has', async () => {
    const { admin, define } = await desk()
    const field = await define({ name: 'Número do pedido' })
    expect(field).toMatchObject({ key: 'numero_do_pedido', position: 1, uses: 0 })
    expect(await define({ name: 'Número do pedido', entity: 'contact' })).toMatchObject({ key: 'numero_do_pedido_2' })
    expect((await define({ name: 'Número do pedido' })).error).toBe('ERR_FIELD_NAME_TAKEN')
    const { body } = await t.call('PUT', `/custom-fields/${field.id}`, { token: admin, body: { name: 'Pedido' } })
    expect(body).toMatchObject({ name: 'Pedido', key: 'numero_do_pedido' })
  })

  test('that somebody has filled in is put aside when it is deleted, and comes back with its values; another goes', async () => {
    const { admin, agent, ticket, define, run, stored } = await desk()
    const [used, unused] = [await define({ name: 'Cor' }), await define({ name: 'Sobra' })]
    await run(agent, 'tickets.setFields', { ticketId: ticket.id, fields: { [used.id]: ' azul ' } })
    const gone = (id: number) => t.call('DELETE', `/custom-fields/${id}`, { token: admin })
    expect([(await gone(used.id)).body, (await gone(unused.id)).body]).toEqual([
      { archived: true },
      { archived: false },
    ])
    const listed = (await t.call('GET', '/custom-fields', { token: admin })).body.customFields
    expect(listed.map(({ name, uses }: { name: string; uses: number }) => [name, uses])).toEqual([['Cor', 1]])
    expect((await run(agent, 'tickets.setFields', { ticketId: ticket.id, fields: { [used.id]: 'x' } })).status).toBe(
      404,
    )
    await t.call('PUT', `/custom-fields/${used.id}`, { token: admin, body: { archived: false } })
    expect((await stored()).fields).toEqual({ [used.id]: 'azul' })
    expect((await run(agent, 'tickets.setFields', { ticketId: ticket.id, fields: { [used.id]: null } })).status).toBe(
      200,
    )
    expect((await stored()).fields).toEqual({})
  })

  test('keeps an option that somebody has, and offers it no more', async () => {
    const { admin, agent, ticket, define, run } = await desk()
    const options = [
      { id: 'a', label: 'Troca' },
      { id: 'b', label: 'Defeito' },
    ]
    const field = await define({ name: 'Motivo', type: 'choice', options })
    const fill = (value: string) =>
      run(agent, 'tickets.setFields', { ticketId: ticket.id, fields: { [field.id]: value } })
    expect((await fill('a')).status).toBe(200)
    expect((await fill('c')).body).toMatchObject({ error: 'ERR_FIELD_VALUE', reason: 'choice' })
    const { body } = await t.call('PUT', `/custom-fields/${field.id}`, {
      ...{ token: admin, body: { options: [{ id: 'd', label: 'Entrega' }] } },
    })
    expect(body.options).toEqual([
      { id: 'd', label: 'Entrega' },
      { id: 'a', label: 'Troca', archived: true },
    ])
  })

  test('is filled in by who sees the ticket, one beside the other; two who fill in two keep both', async () => {
    const { agent, stranger, ticket, define, run, stored } = await desk()
    const [a, b] = [await define({ name: 'A' }), await define({ name: 'B', type: 'number' })]
    await Promise.all([
      run(agent, 'tickets.setFields', { ticketId: ticket.id, fields: { [a.id]: 'x' } }),
      run(agent, 'tickets.setFields', { ticketId: ticket.id, fields: { [b.id]: 2.5 } }),
    ])
    expect((await stored()).fields).toEqual({ [a.id]: 'x', [b.id]: 2.5 })
    expect((await run(stranger, 'tickets.setFields', { ticketId: ticket.id, fields: { [a.id]: 'y' } })).status).toBe(
      404,
    )
  })
})

describe('a field that is required on closing', () => {
  test('is asked of people, of ticket and contact, and may be filled in with the same word', async () => {
    const { agent, contact, ticket, define, run, stored } = await desk()
    const own = await define({ name: 'Motivo', required: true })
    const theirs = await define({ name: 'CPF', entity: 'contact', required: true })
    const refused = await run(agent, 'tickets.resolve', { ticketId: ticket.id })
    expect(refused).toMatchObject({ status: 409, body: { error: 'ERR_FIELDS_REQUIRED', ids: [own.id, theirs.id] } })
    expect((await t.call('PUT', `/tickets/${ticket.id}`, { token: agent, body: { status: 'closed' } })).status).toBe(
      409,
    )
    const filled = { fields: { [own.id]: 'troca' }, contactFields: { [theirs.id]: '123' } }
    expect((await run(agent, 'tickets.resolve', { ticketId: ticket.id, ...filled })).status).toBe(200)
    expect(await stored()).toMatchObject({ status: 'closed', fields: { [own.id]: 'troca' } })
    expect((await t.call('GET', `/contacts/${contact.id}`, { token: agent })).body.fields).toEqual({
      [theirs.id]: '123',
    })
  })
})

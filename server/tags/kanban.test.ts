import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { newId } from '../../schema/ids.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { tags } from '../../schema/tags/tags.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

async function office() {
  const company = await t.eg.company()
  const queue = await t.eg.queue(company.id)
  const ana = await t.login((await t.eg.user(company.id, { queueIds: [queue.id] })).email)
  const supervisor = await t.login((await t.eg.user(company.id, { profile: 'supervisor' })).email)
  const tag = async (name: string, values: Partial<typeof tags.$inferInsert> = {}) => {
    const [row] = await t.database.db
      .insert(tags)
      .values({ companyId: company.id, name, color: '#123456', kanban: 1, ...values })
      .returning()
    return row!.id
  }
  const card = async (tagIds: number[], values: Partial<typeof tickets.$inferInsert> = {}) =>
    (
      await t.eg.ticket(company.id, {
        contactId: (await t.eg.contact(company.id)).id,
        queueId: queue.id,
        tagIds,
        ...values,
      })
    ).id
  const tagsOf = async (id: number) =>
    (await t.database.db.select({ tagIds: tickets.tagIds }).from(tickets).where(eq(tickets.id, id)))[0]!.tagIds
  return { company, queue, ana, supervisor, tag, card, tagsOf }
}

describe('the board', () => {
  test('a card that is moved leaves its lane and keeps its other tags, in one command', async () => {
    const { ana, tag, card, tagsOf } = await office()
    const [news, paid, urgent] = [await tag('Novo'), await tag('Pago'), await tag('Urgente', { kanban: 0 })]
    const id = await card([news, urgent])
    const move = (input: unknown) =>
      t.call('POST', '/commands', { token: ana, body: { id: newId(), name: 'tickets.setLane', input } })
    expect((await move({ ticketId: id, tagId: paid })).status).toBe(200)
    expect(await tagsOf(id)).toEqual([paid, urgent])
    expect((await move({ ticketId: id, tagId: null })).status).toBe(200)
    expect(await tagsOf(id)).toEqual([urgent])
    // A tag that is no lane is none to move into.
    expect((await move({ ticketId: id, tagId: urgent })).body.error).toBe('ERR_NO_TAG_FOUND')
  })

  test('old clients take the lane off and put another on; each does the half of it', async () => {
    const { ana, tag, card, tagsOf } = await office()
    const [news, paid, urgent] = [await tag('Novo'), await tag('Pago'), await tag('Urgente', { kanban: 0 })]
    const id = await card([news, urgent])
    const off = await t.call('DELETE', `/ticket-tags/${id}`, { token: ana })
    expect([off.status, off.body.tags.map((one: { id: number }) => one.id)]).toEqual([200, [urgent]])
    await t.call('PUT', `/ticket-tags/${id}/${paid}`, { token: ana })
    expect(await tagsOf(id)).toEqual([paid, urgent])
    await t.call('PUT', `/ticket-tags/${id}/${news}`, { token: ana })
    expect(await tagsOf(id)).toEqual([news, urgent])
    const other = await tag('VIP', { kanban: 0 })
    await t.call('PUT', `/ticket-tags/${id}/${other}`, { token: ana })
    expect(await tagsOf(id)).toEqual([news, urgent, other].sort((a, b) => a - b))
  })

  test('lists lanes from left to right, and the tickets that wait or are open, with their contact and tags', async () => {
    const { ana, queue, tag, card, company } = await office()
    const [b, a, z] = [await tag('B'), await tag('A'), await tag('Z', { laneOrder: 1 })]
    await tag('Sem quadro', { kanban: 0 })
    const lanes = (await t.call('GET', '/tags/kanban', { token: ana })).body.lista
    expect(lanes.map((lane: { id: number }) => lane.id)).toEqual([z, a, b])
    const [waits, closed] = [await card([a]), await card([a], { status: 'closed' })]
    const hidden = await card([a], { queueId: (await t.eg.queue(company.id)).id })
    const board = async (query: string) => (await t.call('GET', `/ticket/kanban${query}`, { token: ana })).body.tickets
    const found = await board(`?queueIds=[${queue.id}]&teste=true`)
    expect(found.map((one: { id: number }) => one.id)).toEqual([waits])
    expect(found[0]).toMatchObject({
      contact: { name: expect.any(String) },
      tags: [{ id: a, name: 'A', color: '#123456' }],
    })
    expect([closed, hidden].some((id) => JSON.stringify(found).includes(`"id":${id},"uuid"`))).toBe(false)
  })

  test('its lanes are for supervisors to make, to order and to bound', async () => {
    const { ana, supervisor, tag } = await office()
    const lane = await tag('Novo', { laneOrder: 2, laneLimit: 5 })
    const put = (token: string, body: unknown) => t.call('PUT', `/tags/${lane}`, { token, body })
    for (const body of [{ laneOrder: 1 }, { laneLimit: null }, { kanban: 0 }])
      expect([body, (await put(ana, body)).body.error]).toEqual([body, 'ERR_NO_PERMISSION'])
    // What stays as it is may be sent along.
    expect((await put(ana, { name: 'Novíssimo', kanban: 1, laneOrder: 2, laneLimit: 5 })).status).toBe(200)
    expect((await put(supervisor, { laneOrder: null, laneLimit: 9 })).body).toMatchObject({
      laneOrder: null,
      laneLimit: 9,
    })
    expect((await t.call('POST', '/tags', { token: ana, body: { name: 'Lane', laneLimit: 3 } })).body.error).toBe(
      'ERR_NO_PERMISSION',
    )
    expect((await t.call('DELETE', `/tags/${lane}`, { token: ana })).body.error).toBe('ERR_NO_PERMISSION')
  })

  test('is refused to a company whose plan leaves it out', async () => {
    const { company, ana, tag, card } = await office()
    const [lane, id] = [await tag('Novo'), await card([])]
    await t.database.db.update(plans).set({ useKanban: false }).where(eq(plans.id, company.planId!))
    for (const [method, path, body] of [
      ['GET', '/tags/kanban'],
      ['GET', '/ticket/kanban'],
      ['PUT', `/ticket-tags/${id}/${lane}`],
      ['DELETE', `/ticket-tags/${id}`],
      ['POST', '/commands', { id: newId(), name: 'tickets.setLane', input: { ticketId: id, tagId: lane } }],
    ] as const) {
      const reply = await t.call(method, path, { token: ana, body })
      expect([path, reply.status, reply.body]).toEqual([path, 403, { error: 'ERR_PLAN_FEATURE', feature: 'useKanban' }])
    }
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { messageTexts } from '../../schema/messages/messages.table.ts'
import { BODY_LENGTH } from '../../schema/messages/messages.text.ts'
import { tickets, ticketTrackings } from '../../schema/tickets/tickets.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  await t.eg.company()
})
afterAll(() => t.close())

/** A company with two queues, an admin, an agent of each queue, and a connection. */
async function office() {
  const { db } = t.database
  const company = await t.eg.company()
  const [sales, support] = [await t.eg.queue(company.id), await t.eg.queue(company.id)]
  const admin = await t.eg.user(company.id, { profile: 'admin' })
  const seller = await t.eg.user(company.id, { queueIds: [sales.id] })
  const helper = await t.eg.user(company.id, { queueIds: [support.id] })
  const whatsapp = await t.eg.whatsapp(company.id, { isDefault: true })
  return {
    db,
    company,
    sales,
    support,
    admin,
    seller,
    helper,
    whatsapp,
    asAdmin: await t.login(admin.email),
    asSeller: await t.login(seller.email),
    asHelper: await t.login(helper.email),
    ticket: (values: Parameters<TestApp['eg']['ticket']>[1] = {}) =>
      t.eg.ticket(company.id, { whatsappId: whatsapp.id, queueId: sales.id, ...values }),
  }
}
const idsOf = (reply: { body: { tickets: { id: number }[] } }) =>
  reply.body.tickets.map(({ id }) => id).sort((a, b) => a - b)
const list = async (token: string, query: Record<string, string> = {}) => {
  const reply = await t.call('GET', `/tickets?${new URLSearchParams(query)}`, { token })
  expect(reply.status).toBe(200)
  return reply
}

describe('the list of tickets', () => {
  test('shows an agent their own and the waiting ones of their queues, with everything a row shows', async () => {
    const o = await office()
    const tag = await t.call('POST', '/tags', { token: o.asAdmin, body: { name: 'urgente', color: '#ff0000' } })
    const mine = await o.ticket({
      status: 'open',
      userId: o.seller.id,
      tagIds: [tag.body.id],
      lastMessage: 'oi',
      unreadMessages: 2,
    })
    const waiting = await o.ticket()
    await o.ticket({ status: 'open', userId: o.admin.id })
    await o.ticket({ queueId: o.support.id })
    await o.ticket({ queueId: null })
    const reply = await list(o.asSeller)
    expect(idsOf(reply)).toEqual([mine.id, waiting.id])
    const row = reply.body.tickets.find((one: { id: number }) => one.id === mine.id)
    expect(row).toMatchObject({
      uuid: mine.uuid,
      status: 'open',
      lastMessage: 'oi',
      unreadMessages: 2,
      contact: { id: mine.contactId },
      queue: { id: o.sales.id, color: o.sales.color },
      user: { id: o.seller.id, name: o.seller.name },
      whatsapp: { id: o.whatsapp.id, name: o.whatsapp.name },
      tags: [{ id: tag.body.id, name: 'urgente', color: '#ff0000' }],
    })
    expect(reply.body).toMatchObject({ count: 2, hasMore: false })
  })

  test('shows tickets without a queue to those whose allTicket is enabled', async () => {
    const o = await office()
    const loose = await o.ticket({ queueId: null })
    const { email } = await t.eg.user(o.company.id, { allTicket: true })
    expect(idsOf(await list(await t.login(email)))).toEqual([loose.id])
  })

  test('a queue that is not the asker’s is not opened by asking for it', async () => {
    const o = await office()
    await o.ticket({ queueId: o.support.id })
    const mine = await o.ticket()
    expect(idsOf(await list(o.asSeller, { queueIds: JSON.stringify([o.support.id]) }))).toEqual([])
    expect(idsOf(await list(o.asSeller, { queueIds: JSON.stringify([o.support.id, o.sales.id]) }))).toEqual([mine.id])
  })

  test('show-all is for those who may, outside the closed tab and a search', async () => {
    const o = await office()
    const others = await o.ticket({ status: 'open', userId: o.admin.id })
    const closed = await o.ticket({ status: 'closed', userId: o.admin.id })
    expect(idsOf(await list(o.asSeller, { showAll: 'true', status: 'open' }))).toEqual([])
    expect(idsOf(await list(o.asSeller, { showAll: 'true', status: 'closed' }))).toEqual([closed.id])
    const tag = await t.call('POST', '/tags', { token: o.asAdmin, body: { name: 'urgente' } })
    const tagged = await o.ticket({ status: 'open', userId: o.admin.id, tagIds: [tag.body.id] })
    const byTag = { showAll: 'true', tags: JSON.stringify([tag.body.id]) }
    expect(idsOf(await list(o.asSeller, byTag))).toEqual([tagged.id])
    expect(idsOf(await list(o.asHelper, byTag))).toEqual([])
    await t.call('DELETE', `/tickets/${tagged.id}`, { token: o.asAdmin })
    const helpers = await o.ticket({ status: 'open', userId: o.helper.id })
    expect(idsOf(await list(o.asAdmin, { status: 'open' }))).toEqual([others.id])
    expect(idsOf(await list(o.asAdmin, { status: 'open', showAll: 'true' }))).toEqual([others.id, helpers.id])
  })

  test('finds by name without accents, by number as people write it, and by what was said', async () => {
    const o = await office()
    const jose = await t.eg.contact(o.company.id, { name: 'José da Silva', number: '5511987654321' })
    const ticket = await o.ticket({ contactId: jose.id })
    await t.eg.messageIn(ticket, { body: 'Preciso de um orçamento 100%' })
    await t.eg.messageIn(await o.ticket(), { body: 'outra coisa' })
    for (const searchParam of ['jose', 'JOSÉ DA', '98765-4321', '+55 (11) 98765', 'orcamento', '100%']) {
      expect([searchParam, idsOf(await list(o.asSeller, { searchParam }))]).toEqual([searchParam, [ticket.id]])
    }
    // What was found is told with the ticket, so that a list can show it.
    const [shown] = (await list(o.asSeller, { searchParam: 'ORCAMENTO' })).body.tickets
    expect(shown.found).toMatchObject({ body: expect.stringMatching(/orçamento/i), messageId: expect.any(String) })
    const [named] = (await list(o.asSeller, { searchParam: 'jose' })).body.tickets
    expect(named.found).toBeNull()
    for (const searchParam of ['%', '_', 'zzz', '\\', "'; DROP TABLE tickets; --"]) {
      expect(
        idsOf(await list(o.asSeller, { searchParam })).filter((id) => id === ticket.id).length,
      ).toBeLessThanOrEqual(searchParam === '%' ? 1 : 0)
    }
    expect(idsOf(await list(o.asHelper, { searchParam: 'jose', showAll: 'true' }))).toEqual([])
  })

  test('finds one letter in a name, two digits in a number, and only what the asker may see', async () => {
    const o = await office()
    const zoe = await t.eg.contact(o.company.id, { name: 'Zoé', number: '5521900004747' })
    const ticket = await o.ticket({ contactId: zoe.id })
    const hidden = await o.ticket({ contactId: zoe.id, queueId: o.support.id, status: 'closed' })
    for (const searchParam of ['é', 'Z', '47'])
      expect([searchParam, idsOf(await list(o.asSeller, { searchParam, showAll: 'true' }))]).toEqual([
        searchParam,
        [ticket.id],
      ])
    expect(idsOf(await list(o.asAdmin, { searchParam: 'z', showAll: 'true' }))).toEqual([ticket.id, hidden.id])
    expect(idsOf(await list(o.asSeller, { searchParam: 'q', showAll: 'true' }))).toEqual([])
  })

  test('a word that everybody says is looked for in the newest tickets, any other one in all', async () => {
    const o = await office()
    const first = await o.ticket({ status: 'closed', updatedAt: new Date('2026-01-01T12:00:00Z') })
    await t.eg.messageIn(first, { body: 'bom dia, o forno quebrou num dia bom', createdAt: first.updatedAt })
    // The ticket that changed last was written in first: the order is that of the tickets.
    await t.database.sql`
      WITH t AS (
        INSERT INTO tickets ("companyId", "contactId", "whatsappId", "queueId", status, "updatedAt")
        SELECT ${o.company.id}, ${first.contactId}, ${o.whatsapp.id}, CASE WHEN n = 1039 THEN ${o.support.id}::int ELSE ${o.sales.id}::int END,
          'closed', ${first.updatedAt.toISOString()}::timestamptz + n * interval '1 s' FROM generate_series(1, 1040) n
        RETURNING *)
      INSERT INTO messages (id, "companyId", "ticketId", "contactId", body, "createdAt")
      SELECT gen_random_uuid()::text, "companyId", id, "contactId", 'Bom diá', '2026-02-01'::timestamptz - id * interval '1 s' FROM t`
    const page = async (searchParam: string, pageNumber = 1, token = o.asSeller) => {
      const { body } = await list(token, { searchParam, showAll: 'true', pageNumber: String(pageNumber) })
      return { ids: body.tickets.map(({ id }: { id: number }) => id) as number[], hasMore: body.hasMore as boolean }
    }
    const seen = async () => ({
      'a page': await page('bom dia'),
      'the next one': await page('bom dia', 2),
      'a colleague’s': await page('bom dia', 1, o.asHelper),
      'a rare word': await page('forno'),
      'a rare order of letters that everybody writes': await page('dia bom'),
    })
    const found = await seen()
    const [last, ...others] = found['a page'].ids
    expect(others).toEqual(Array.from({ length: 39 }, (_, i) => last! - 2 - i))
    expect(found['the next one'].ids).toEqual(Array.from({ length: 40 }, (_, i) => last! - 41 - i))
    expect(found['a colleague’s']).toEqual({ ids: [last! - 1], hasMore: false })
    expect(found['a rare word']).toEqual({ ids: [first.id], hasMore: false })
    expect(found['a rare order of letters that everybody writes']).toEqual(found['a rare word'])
    expect((await page('bom dia', 26)).ids).toHaveLength(40)
    // As if the tables were of the size where it matters: among the newest by the index, and then one by one.
    try {
      await t.database.sql`UPDATE pg_class SET reltuples = 1e4 WHERE oid = 'messages'::regclass`
      expect(await seen()).toEqual(found)
      expect((await page('bom dia', 26)).ids).toHaveLength(40)
      await t.database.sql`UPDATE pg_class SET reltuples = 1e9 WHERE oid = 'messages'::regclass`
      expect(await seen()).toEqual(found)
      expect([await page('bom dia', 25), await page('bom dia', 26)]).toMatchObject([
        { ids: { length: 40 }, hasMore: false },
        { ids: [], hasMore: false },
      ])
    } finally {
      await t.database.sql`ANALYZE messages`
    }
  })

  test('any part of what was said is found, however long it is and wherever it stands', async () => {
    const o = await office()
    const said = async (body: string) => {
      const ticket = await o.ticket()
      await t.eg.messageIn(ticket, { body })
      return ticket.id
    }
    const cancel = await said('O cancelamento da Straße 12, nº 4711-B, por favor')
    // Longer than the parts in which a text is indexed, without a space, and with one.
    const letters = Array.from({ length: 600 }, (_, i) =>
      String(100_000 + i * 7).replace(/\d/g, (d) => 'klmnopqrst'[+d]!),
    ).join('')
    const solid = await said(letters)
    const words = await said(`${'x'.repeat(295)} aproximadamente ${'y'.repeat(281)} encaminhamos`)
    for (const searchParam of [
      'anc',
      'celam',
      'cancela',
      'CANCELAMENTO',
      'mento da',
      'strasse',
      'straße',
      'aße 12',
      '4711-b',
      'to dá st',
    ])
      expect([searchParam, idsOf(await list(o.asSeller, { searchParam }))]).toEqual([searchParam, [cancel]])
    for (const at of [0, 290, 297, 300, 599, 2_401, letters.length - 40, letters.length - 5].flatMap((at) => [
      at,
      at + 1,
    ]))
      for (const length of [5, 6, 7, 12, 33]) {
        const searchParam = letters.slice(at, at + length)
        expect([searchParam, idsOf(await list(o.asSeller, { searchParam }))]).toEqual([searchParam, [solid]])
      }
    for (const searchParam of ['aproximadamente', 'oximad', 'xxx apr', 'camin', 'encaminhamos', 'mente yyyy'])
      expect([searchParam, idsOf(await list(o.asSeller, { searchParam }))]).toEqual([searchParam, [words]])
    for (const searchParam of ['cancelamentos', 'cancemento', 'cel amento', 'mentoda', 'encamos', 'oximadax'])
      expect([searchParam, idsOf(await list(o.asSeller, { searchParam }))]).toEqual([searchParam, []])
  })

  test('what no index knows, such as another script, is found in the newest tickets', async () => {
    const o = await office()
    const ticket = await o.ticket()
    await t.eg.messageIn(ticket, { body: 'Добрый день !?! 👍🏽👍🏽👍🏽' })
    for (const searchParam of ['добрый', '!?!', '👍🏽👍🏽', 'й д'])
      expect([searchParam, idsOf(await list(o.asSeller, { searchParam }))]).toEqual([searchParam, [ticket.id]])
    expect(idsOf(await list(o.asHelper, { searchParam: 'добрый' }))).toEqual([])
    expect(idsOf(await list(o.asSeller, { searchParam: '???' }))).toEqual([])
  })

  test('filters by all tags, by users, by unread messages and by days of the company', async () => {
    const o = await office()
    const [one, two] = await Promise.all(
      ['primeira', 'segunda'].map((name) => t.call('POST', '/tags', { token: o.asAdmin, body: { name } })),
    )
    const both = await o.ticket({ tagIds: [one!.body.id, two!.body.id], unreadMessages: 1 })
    const single = await o.ticket({
      tagIds: [one!.body.id],
      createdAt: new Date('2026-03-11T02:30:00Z'),
      updatedAt: new Date('2026-03-11T03:30:00Z'),
    })
    expect(idsOf(await list(o.asSeller, { tags: JSON.stringify([one!.body.id, two!.body.id]) }))).toEqual([both.id])
    expect(idsOf(await list(o.asSeller, { withUnreadMessages: 'true' }))).toEqual([both.id])
    // 02:30 in Greenwich is still the tenth in São Paulo.
    expect(idsOf(await list(o.asSeller, { date: '2026-03-10' }))).toEqual([single.id])
    expect(idsOf(await list(o.asSeller, { updatedAt: '2026-03-10' }))).toEqual([])
    expect(idsOf(await list(o.asSeller, { updatedAt: '2026-03-11' }))).toEqual([single.id])
    const mine = await o.ticket({ status: 'open', userId: o.seller.id })
    expect(idsOf(await list(o.asAdmin, { users: JSON.stringify([o.seller.id]), showAll: 'true' }))).toEqual([mine.id])
  })

  test('comes 40 a page, newest change first, and counts what there is', async () => {
    const o = await office()
    const made = []
    for (let i = 0; i < 45; i++) made.push(await o.ticket({ updatedAt: new Date(Date.UTC(2026, 0, 1, 0, i)) }))
    const first = await list(o.asSeller, { status: 'pending' })
    expect(first.body).toMatchObject({ count: 45, hasMore: true })
    expect(first.body.tickets.map(({ id }: { id: number }) => id)).toEqual(
      made
        .slice(5)
        .reverse()
        .map(({ id }) => id),
    )
    const second = await list(o.asSeller, { status: 'pending', pageNumber: '2' })
    expect(second.body).toMatchObject({ hasMore: false })
    expect(second.body.tickets).toHaveLength(5)
    expect((await list(o.asSeller, { pageNumber: '900000' })).body.tickets).toEqual([])
  })

  test('refuses what it cannot mean', async () => {
    const o = await office()
    for (const query of [
      'queueIds=[1',
      'queueIds={}',
      'tags=["x"]',
      'users=[1.5]',
      'status=lost',
      'date=2026-02-31',
      'date=yesterday',
      'pageNumber=0',
      'pageNumber=x',
      'pageNumber=1e99',
    ]) {
      expect([query, (await t.call('GET', `/tickets?${query}`, { token: o.asSeller })).status]).toEqual([query, 400])
    }
  })
})

describe('one ticket', () => {
  test('is found by id and uuid by those who may see it, and by nobody else', async () => {
    const o = await office()
    const ticket = await o.ticket()
    for (const path of [`/tickets/${ticket.id}`, `/tickets/u/${ticket.uuid}`]) {
      expect((await t.call('GET', path, { token: o.asSeller })).body.id).toBe(ticket.id)
      expect(await t.call('GET', path, { token: o.asHelper })).toMatchObject({
        status: 404,
        body: { error: 'ERR_NO_TICKET_FOUND' },
      })
    }
    expect((await t.call('GET', '/tickets/u/not-a-uuid', { token: o.asSeller })).status).toBe(400)
    expect((await t.call('GET', '/tickets/2147483648', { token: o.asSeller })).status).toBe(400)
  })
})

describe('the wished state of a ticket', () => {
  const put = (token: string, id: number, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    t.call('PUT', `/tickets/${id}`, { token, body, headers })

  test('is reached by accepting, returning, resolving and reopening', async () => {
    const o = await office()
    const { id } = await o.ticket()
    expect((await put(o.asSeller, id, { status: 'open', userId: o.seller.id })).body).toMatchObject({
      status: 'open',
      user: { id: o.seller.id },
    })
    expect((await put(o.asSeller, id, { status: 'pending', userId: null })).body).toMatchObject({
      status: 'pending',
      userId: null,
    })
    await put(o.asSeller, id, {
      status: 'open',
      userId: o.seller.id,
      queueId: o.sales.id,
      useIntegration: null,
      promptId: null,
      integrationId: null,
    })
    expect(
      (await put(o.asSeller, id, { status: 'closed', userId: o.seller.id, queueId: o.sales.id, promptId: false })).body,
    ).toMatchObject({ status: 'closed', userId: o.seller.id })
    expect((await put(o.asSeller, id, { status: 'open', userId: o.seller.id })).body.status).toBe('open')
  })

  test('says nothing of the automation: what would start it is refused, and nothing is changed', async () => {
    const o = await office()
    const { id } = await o.ticket()
    for (const wish of [{ useIntegration: true }, { promptId: 7 }, { integrationId: 7 }])
      expect(await put(o.asSeller, id, { status: 'open', userId: o.seller.id, ...wish })).toMatchObject({
        status: 400,
        body: { error: 'ERR_VALIDATION', fields: [{ path: `body/${Object.keys(wish)[0]}` }] },
      })
    expect((await t.call('GET', `/tickets/${id}`, { token: o.asSeller })).body.status).toBe('pending')
    // Old clients send along what the ticket has.
    await t.database.db.update(tickets).set({ useIntegration: true, integrationId: 7 }).where(eq(tickets.id, id))
    expect(
      (await put(o.asSeller, id, { status: 'open', userId: o.seller.id, useIntegration: true, integrationId: 7 })).body,
    ).toMatchObject({ status: 'open', useIntegration: false, integrationId: null })
  })

  test('is reached by transferring, and who gave it away sees it no more', async () => {
    const o = await office()
    const { id } = await o.ticket({ status: 'open', userId: o.seller.id })
    const given = await put(o.asSeller, id, { queueId: o.support.id, userId: null })
    expect(given.status).toBe(200)
    expect((await t.call('GET', `/tickets/${id}`, { token: o.asSeller })).status).toBe(404)
    expect((await t.call('GET', `/tickets/${id}`, { token: o.asHelper })).body).toMatchObject({
      status: 'pending',
      queueId: o.support.id,
      userId: null,
    })
    await put(o.asHelper, id, { queueId: o.support.id, userId: o.helper.id })
    expect((await t.call('GET', `/tickets/${id}`, { token: o.asHelper })).body).toMatchObject({
      status: 'open',
      userId: o.helper.id,
    })
  })

  test('is refused when a colleague was first, when it is another’s, and when its queue is somebody else’s company', async () => {
    const o = await office()
    const { id } = await o.ticket({ status: 'open', userId: o.admin.id })
    expect((await put(o.asSeller, id, { status: 'open', userId: o.seller.id })).body.error).toBe('ERR_TICKET_TAKEN')
    expect((await put(o.asSeller, id, { status: 'closed' })).body.error).toBe('ERR_FORBIDDEN')
    const stranger = await office()
    expect((await put(o.asAdmin, id, { queueId: stranger.sales.id })).body.error).toBe('ERR_NO_QUEUE_FOUND')
    expect((await put(o.asAdmin, id, { queueId: o.support.id, userId: stranger.seller.id })).body.error).toBe(
      'ERR_NO_USER_FOUND',
    )
    expect((await put(o.asHelper, id, { status: 'closed' })).status).toBe(404)
  })

  test('asked for twice under one key is done once', async () => {
    const o = await office()
    const { id } = await o.ticket({ status: 'open', userId: o.seller.id })
    const headers = { 'idempotency-key': `resolve-${id}-once` }
    expect((await put(o.asSeller, id, { status: 'closed' }, headers)).status).toBe(200)
    await put(o.asSeller, id, { status: 'open' })
    expect((await put(o.asSeller, id, { status: 'closed' }, headers)).body.status).toBe('open')
    expect(
      (await put(o.asSeller, id, { status: 'closed' }, { 'idempotency-key': 'é'.normalize('NFD').slice(0, 1) })).status,
    ).toBe(400)
  })

  test('reopened twice under one key, also for a colleague, is told the same', async () => {
    const o = await office()
    const headers = { 'idempotency-key': 'reopened-once' }
    const mine = await o.ticket({ status: 'closed', userId: o.seller.id })
    for (const _ of [1, 2])
      expect(await put(o.asSeller, mine.id, { status: 'open', userId: o.seller.id }, headers)).toMatchObject({
        status: 200,
        body: { status: 'open', userId: o.seller.id },
      })
    const theirs = await o.ticket({ status: 'closed', userId: o.seller.id })
    for (const _ of [1, 2])
      expect(await put(o.asAdmin, theirs.id, { status: 'open', userId: o.seller.id }, headers)).toMatchObject({
        status: 200,
        body: { status: 'open', userId: o.seller.id },
      })
  })
})

describe('beginning a conversation', () => {
  test('gives an open ticket of the person on the default connection', async () => {
    const o = await office()
    const contact = await t.eg.contact(o.company.id)
    const made = await t.call('POST', '/tickets', {
      token: o.asSeller,
      body: { contactId: contact.id, queueId: o.sales.id, userId: o.seller.id, status: 'open', companyId: 999 },
    })
    expect(made.body).toMatchObject({
      status: 'open',
      userId: o.seller.id,
      whatsappId: o.whatsapp.id,
      companyId: o.company.id,
      contact: { id: contact.id },
    })
    const [tracking] = await o.db.select().from(ticketTrackings).where(eq(ticketTrackings.ticketId, made.body.id))
    expect(tracking).toMatchObject({ userId: o.seller.id, finishedAt: null })
  })

  test('with somebody whom a hidden ticket of others serves answers 409 with whose it is, and nothing else', async () => {
    const o = await office()
    const theirs = await o.ticket({
      status: 'open',
      queueId: o.support.id,
      userId: o.helper.id,
      lastMessage: 'um segredo',
    })
    const begin = (token: string) =>
      t.call('POST', '/tickets', { token, body: { contactId: theirs.contactId, queueId: o.sales.id } })
    const hidden = await begin(o.asSeller)
    expect(hidden.status).toBe(409)
    expect(JSON.parse(hidden.body.error)).toEqual({
      id: theirs.id,
      queue: { id: o.support.id, name: o.support.name, color: o.support.color },
      user: { id: o.helper.id, name: o.helper.name },
      userId: o.helper.id,
      queueId: o.support.id,
    })
    for (const token of [o.asHelper, o.asAdmin]) {
      const body = { contactId: theirs.contactId, queueId: o.support.id }
      const seen = await t.call('POST', '/tickets', { token, body })
      expect(JSON.parse(seen.body.error)).toMatchObject({ id: theirs.id, uuid: theirs.uuid, lastMessage: 'um segredo' })
    }
  })

  test('with somebody who has one already answers 409 with that one, user and queue included', async () => {
    const o = await office()
    const busy = await o.ticket({ status: 'open', userId: o.seller.id })
    const refused = await t.call('POST', '/tickets', {
      token: o.asAdmin,
      body: { contactId: busy.contactId, queueId: o.sales.id },
    })
    expect(refused.status).toBe(409)
    expect(JSON.parse(refused.body.error)).toMatchObject({
      id: busy.id,
      user: { name: o.seller.name },
      queue: { name: o.sales.name },
    })
  })

  test('twenty times at once with one contact makes one ticket', async () => {
    const o = await office()
    const contact = await t.eg.contact(o.company.id)
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        t.call('POST', '/tickets', { token: o.asSeller, body: { contactId: contact.id, queueId: o.sales.id } }),
      ),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    expect(await o.db.$count(tickets, eq(tickets.contactId, contact.id))).toBe(1)
  })

  /** Has Postgres do something at every ticket that is begun, also at one for which there is no room. */
  const atEveryInsert = async <T>(when: string, statement: string, work: () => Promise<T>): Promise<T> => {
    const { sql } = t.database
    await sql.unsafe(`CREATE FUNCTION at_insert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement} END $$`)
    await sql.unsafe(`CREATE TRIGGER at_insert ${when} EXECUTE FUNCTION at_insert()`)
    try {
      return await work()
    } finally {
      await sql.unsafe('DROP FUNCTION at_insert() CASCADE')
    }
  }

  test('with one person, by two colleagues at the same moment, gives one of them the ticket and tells the other of it', async () => {
    const o = await office()
    const contact = await t.eg.contact(o.company.id)
    const body = { contactId: contact.id, queueId: o.sales.id }
    const both = await Promise.all([
      t.call('POST', '/tickets', { token: o.asSeller, body }),
      t.call('POST', '/tickets', { token: o.asAdmin, body }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const made = both.find(({ status }) => status === 200)!.body
    const told = both.find(({ status }) => status === 409)!.body
    expect(JSON.parse(told.error)).toMatchObject({ id: made.id, userId: made.userId })
  })

  test('that cannot be stored says so, and leaves nothing behind', async () => {
    const o = await office()
    const contact = await t.eg.contact(o.company.id)
    const refusal = "RAISE unique_violation USING CONSTRAINT = 'tickets_one_active';"
    const refused = await atEveryInsert('BEFORE INSERT ON "tickets" FOR EACH ROW', refusal, () =>
      t.call('POST', '/tickets', { token: o.asSeller, body: { contactId: contact.id, queueId: o.sales.id } }),
    )
    expect([refused.status, refused.body]).toEqual([400, { error: 'ERR_CREATING_TICKET' }])
    expect(await o.db.$count(tickets, eq(tickets.contactId, contact.id))).toBe(0)
  })

  test('needs a queue of one’s own, a contact of the company and a connection', async () => {
    const o = await office()
    const stranger = await office()
    const contactId = (await t.eg.contact(o.company.id)).id
    const post = async (token: string, body: Record<string, unknown>) =>
      (await t.call('POST', '/tickets', { token, body })).body.error
    expect(await post(o.asSeller, { contactId })).toBe('ERR_QUEUE_REQUIRED')
    expect(await post(o.asSeller, { contactId, queueId: o.support.id })).toBe('ERR_NO_QUEUE_FOUND')
    expect(await post(o.asSeller, { contactId: 999_999, queueId: o.sales.id })).toBe('ERR_NO_CONTACT_FOUND')
    expect(await post(o.asSeller, { contactId, queueId: o.sales.id, whatsappId: stranger.whatsapp.id })).toBe(
      'ERR_NO_WAPP_FOUND',
    )
    expect(await post(o.asSeller, { contactId, queueId: o.sales.id, userId: stranger.seller.id })).toBe(
      'ERR_NO_USER_FOUND',
    )
    expect(await post(o.asSeller, { contactId, queueId: o.sales.id, userId: o.helper.id })).toBe('ERR_NO_PERMISSION')
    await t.call('DELETE', `/whatsapp/${o.whatsapp.id}`, { token: o.asAdmin })
    expect(await post(o.asSeller, { contactId, queueId: o.sales.id })).toBe('ERR_NO_DEF_WAPP_FOUND')
  })
})

test('only an admin deletes a ticket, with its messages', async () => {
  const o = await office()
  const ticket = await o.ticket({ status: 'open', userId: o.seller.id })
  const message = await t.eg.messageIn(ticket)
  expect((await t.call('DELETE', `/tickets/${ticket.id}`, { token: o.asSeller })).body.error).toBe('ERR_NO_PERMISSION')
  expect((await t.call('DELETE', `/tickets/${ticket.id}`, { token: o.asAdmin })).status).toBe(200)
  expect((await t.call('DELETE', `/messages/${message.id}`, { token: o.asAdmin })).status).toBe(404)
})

describe('a conversation', () => {
  test('comes 20 a page, newest page first, oldest first inside, and by what is older than a message', async () => {
    const o = await office()
    const ticket = await o.ticket({ status: 'open', userId: o.seller.id })
    for (let i = 0; i < 45; i++)
      await t.eg.messageIn(ticket, {
        body: `m${i}`,
        createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, Math.floor(i / 3))),
      })
    const page = async (query: string) => {
      const { body } = await t.call('GET', `/messages/${ticket.id}?${query}`, { token: o.asAdmin })
      return {
        bodies: body.messages.map((message: { body: string }) => message.body),
        hasMore: body.hasMore,
        first: body.messages[0]?.id,
      }
    }
    const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `m${from + i}`)
    const newest = await page('')
    expect(newest).toMatchObject({ bodies: numbers(25, 45), hasMore: true })
    expect(await page('pageNumber=3')).toMatchObject({ bodies: numbers(0, 5), hasMore: false })
    const older = await page(`before=${newest.first}`)
    expect(older).toMatchObject({ bodies: numbers(5, 25), hasMore: true })
    expect(await page(`before=${older.first}`)).toMatchObject({ bodies: numbers(0, 5), hasMore: false })
    const at = async (body: string) => {
      const { body: answer } = await t.call('GET', `/messages/search/${ticket.id}?searchParam=${body}`, {
        token: o.asAdmin,
      })
      return answer.found as { messageId: string; body: string }[]
    }
    await t.eg.messageIn(ticket, {
      id: 'lost',
      body: 'A Jabuticabeira',
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, 7)),
    })
    // Of one second with m21 to m23.
    expect(await at('jabuticabéira')).toMatchObject([{ messageId: 'lost', body: 'A Jabuticabeira' }])
    expect(await at('ja')).toEqual([])
    const { body: around } = await t.call('GET', `/messages/${ticket.id}?around=lost`, { token: o.asAdmin })
    const bodies = around.messages.map((message: { body: string }) => message.body)
    expect(bodies).toHaveLength(41)
    expect(bodies[20]).toBe('A Jabuticabeira')
    expect(around).toMatchObject({ hasMore: true, hasNewer: true })
    const after = await page(`after=${around.messages.at(-1).id}`)
    expect([after.bodies.at(-1), after.hasMore]).toEqual(['m44', false])
    expect(new Set([...bodies, ...after.bodies]).size).toBe(bodies.length + after.bodies.length)
    for (const edge of ['before', 'after', 'around'])
      expect((await t.call('GET', `/messages/${ticket.id}?${edge}=nothing`, { token: o.asAdmin })).status).toBe(404)
  })

  test('is marked read by its agent’s reading only', async () => {
    const o = await office()
    const ticket = await o.ticket({ status: 'open', userId: o.seller.id, unreadMessages: 1 })
    const message = await t.eg.messageIn(ticket)
    const unread = async () => (await o.db.select().from(tickets).where(eq(tickets.id, ticket.id)))[0]!.unreadMessages
    await t.call('GET', `/messages/${ticket.id}`, { token: o.asAdmin })
    expect(await unread()).toBe(1)
    await t.call('GET', `/messages/${ticket.id}`, { token: o.asSeller })
    expect(await unread()).toBe(0)
    expect((await t.call('PUT', `/messages/${message.id}`, { token: o.asSeller })).body).toMatchObject({
      id: message.id,
      read: true,
    })
  })

  test('shows the message answered to, but never one of another contact', async () => {
    const o = await office()
    const ticket = await o.ticket({ status: 'open', userId: o.seller.id })
    const asked = await t.eg.messageIn(ticket, { body: 'pergunta' })
    const elsewhere = await t.eg.messageIn(await o.ticket(), { body: 'segredo' })
    await t.eg.messageIn(ticket, { body: 'resposta', quotedMsgId: asked.id, createdAt: new Date(Date.now() + 1000) })
    await t.eg.messageIn(ticket, {
      body: 'estranho',
      quotedMsgId: elsewhere.id,
      createdAt: new Date(Date.now() + 2000),
    })
    const { messages } = (await t.call('GET', `/messages/${ticket.id}`, { token: o.asSeller })).body
    expect(messages.map((m: { quotedMsg: { body: string } | null }) => m.quotedMsg?.body ?? null)).toEqual([
      null,
      'pergunta',
      null,
    ])
  })

  test('is written in, once for each key, changed and taken back', async () => {
    const o = await office()
    const ticket = await o.ticket({ status: 'open', userId: o.seller.id })
    const post = (body: Record<string, unknown>) =>
      t.call('POST', `/messages/${ticket.id}`, {
        token: o.asSeller,
        body,
        headers: { 'idempotency-key': `write-once-${ticket.id}` },
      })
    const sent = await post({ body: 'bom dia', read: 1, fromMe: true, mediaUrl: '', quotedMsg: null })
    expect(sent.body.messages).toMatchObject([{ body: 'bom dia', fromMe: true, ack: 1, authorId: o.seller.id }])
    expect((await post({ body: 'bom dia', quotedMsg: null })).body.messages[0].id).toBe(sent.body.messages[0].id)
    expect((await post({ body: 'boa tarde' })).body.error).toBe('ERR_IDEMPOTENCY_MISMATCH')
    const { id } = sent.body.messages[0]
    expect(
      (await t.call('POST', `/messages/edit/${id}`, { token: o.asSeller, body: { body: 'boa tarde', read: 1 } })).body,
    ).toMatchObject({ body: 'boa tarde', isEdited: true })
    expect((await t.call('DELETE', `/messages/${id}`, { token: o.asSeller })).body).toMatchObject({ isDeleted: true })
    t.clock.advance(60 * 60_000)
    const token = await t.login(o.seller.email)
    expect((await t.call('POST', `/messages/edit/${id}`, { token, body: { body: 'tarde demais' } })).body.error).toBe(
      'ERR_EDITING_WAPP_MSG',
    )
    for (const body of [{ body: '   ' }, { body: 5 }, {}, [], 'x'])
      expect((await t.call('POST', `/messages/${ticket.id}`, { token, body })).status).toBe(400)
    expect((await t.call('POST', `/messages/${ticket.id}`, { token, body: { body: 'nul \0' } })).status).toBe(400)
    expect(
      (
        await t.call('POST', `/messages/${ticket.id}`, {
          token,
          raw: '{',
          headers: { 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(400)
  })

  test('that is long is sent, changed and read whole, while its row holds the beginning', async () => {
    const o = await office()
    const ticket = await o.ticket({ status: 'open', userId: o.seller.id })
    const long = `${'a lista de preços; '.repeat(3_000)}fim`
    const { body: sent } = await t.call('POST', `/messages/${ticket.id}`, { token: o.asSeller, body: { body: long } })
    const { id, body, isCut } = sent.messages[0]
    expect(body.length).toBe(BODY_LENGTH)
    expect(isCut).toBe(true)
    expect(body).toBe(`${long.slice(0, BODY_LENGTH - 1)}…`)
    const whole = async () => (await t.call('GET', `/messages/text/${id}`, { token: o.asSeller })).body
    expect(await whole()).toEqual({ id, body: long })
    const other = `${long.slice(0, -3)}outro fim`
    const edit = (text: string) => t.call('POST', `/messages/edit/${id}`, { token: o.asSeller, body: { body: text } })
    expect((await edit(other)).body).toMatchObject({ body, isEdited: true, isCut: true })
    expect((await whole()).body).toBe(other)
    // What reads like the beginning is another text, and all of it.
    expect((await edit(body)).body).toMatchObject({ body, isCut: false })
    expect((await whole()).body).toBe(body)
    expect((await edit('agora curta')).body.body).toBe('agora curta')
    expect((await whole()).body).toBe('agora curta')
    const kept = await t.database.db.select().from(messageTexts).where(eq(messageTexts.messageId, id))
    expect(kept).toEqual([])
  })

  test('is changed and taken back by who answers in it, not by a colleague who reads along', async () => {
    const o = await office()
    const colleague = await t.eg.user(o.company.id, { queueIds: [o.sales.id] })
    const ticket = await o.ticket({ status: 'open', userId: o.seller.id })
    const { id } = await t.eg.messageIn(ticket, { fromMe: true, authorId: o.seller.id, ack: 2 })
    const token = await t.login(colleague.email)
    for (const [method, path] of [
      ['POST', `/messages/edit/${id}`],
      ['DELETE', `/messages/${id}`],
    ] as const)
      expect(
        await t.call(method, path, { token, ...(method === 'POST' && { body: { body: 'outra coisa' } }) }),
      ).toMatchObject({
        status: 409,
        body: { error: 'ERR_TICKET_TAKEN' },
      })
    expect((await t.call('DELETE', `/messages/${id}`, { token: o.asAdmin })).body).toMatchObject({ isDeleted: true })
  })

  test('a message is taken back for as long as phones follow; one that never left at any time', async () => {
    const o = await office()
    const ticket = await o.ticket({ status: 'open', userId: o.seller.id })
    const at = (hours: number, ack: number) =>
      t.eg.messageIn(ticket, { fromMe: true, ack, createdAt: new Date(t.clock.now.getTime() - hours * 3_600_000) })
    const [young, old, unsent] = [await at(59, 4), await at(61, 4), await at(61, 0)]
    const takeBack = (id: string) => t.call('DELETE', `/messages/${id}`, { token: o.asAdmin })
    expect((await takeBack(young.id)).body.isDeleted).toBe(true)
    expect(await takeBack(old.id)).toMatchObject({ status: 404, body: { error: 'ERR_FETCH_WAPP_MSG' } })
    expect((await takeBack(unsent.id)).body.isDeleted).toBe(true)
  })
})

describe('notes and tags of a ticket', () => {
  test('a note is written and listed by those who see the ticket, deleted by its author or an admin', async () => {
    const o = await office()
    const ticket = await o.ticket()
    const note = await t.call('POST', '/ticket-notes', {
      token: o.asSeller,
      body: { ticketId: ticket.id, contactId: ticket.contactId, note: 'cliente antigo' },
    })
    expect(note.body).toMatchObject({ note: 'cliente antigo', user: { name: o.seller.name } })
    const listed = (token: string) =>
      t.call('GET', `/ticket-notes/list?ticketId=${ticket.id}&contactId=${ticket.contactId}`, { token })
    expect((await listed(o.asAdmin)).body).toMatchObject([{ id: note.body.id }])
    expect((await listed(o.asHelper)).body).toEqual([])
    const other = await t.eg.user(o.company.id, { queueIds: [o.sales.id] })
    expect(
      (await t.call('DELETE', `/ticket-notes/${note.body.id}`, { token: await t.login(other.email) })).body.error,
    ).toBe('ERR_NO_PERMISSION')
    expect((await t.call('DELETE', `/ticket-notes/${note.body.id}`, { token: o.asAdmin })).status).toBe(200)
    expect(
      (await t.call('POST', '/ticket-notes', { token: o.asSeller, body: { ticketId: ticket.id, note: 'x' } })).status,
    ).toBe(400)
  })

  test('tags are replaced together, counted, and taken off when deleted', async () => {
    const o = await office()
    const ticket = await o.ticket()
    const tag = (await t.call('POST', '/tags', { token: o.asSeller, body: { name: 'vip cliente', color: '#abcdef' } }))
      .body
    expect(
      (await t.call('POST', '/tags/sync', { token: o.asSeller, body: { ticketId: ticket.id, tags: [tag] } })).body.tags,
    ).toMatchObject([{ id: tag.id }])
    expect((await t.call('GET', '/tags', { token: o.asSeller })).body.tags).toMatchObject([
      { id: tag.id, userId: o.seller.id, ticketsCount: 1 },
    ])
    expect((await t.call('POST', '/tags', { token: o.asSeller, body: { name: 'vip cliente' } })).body.error).toBe(
      'ERR_TAG_NAME_ALREADY_EXISTS',
    )
    expect((await t.call('POST', '/tags', { token: o.asSeller, body: { name: 'quadro', kanban: 1 } })).body.error).toBe(
      'ERR_NO_PERMISSION',
    )
    expect((await t.call('DELETE', `/tags/${tag.id}`, { token: o.asSeller })).status).toBe(200)
    expect((await t.call('GET', `/tickets/${ticket.id}`, { token: o.asSeller })).body.tags).toEqual([])
  })
})

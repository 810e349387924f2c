import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { apiScopes } from '../../schema/api-keys/api-keys.scopes.ts'
import { apiKeys } from '../../schema/api-keys/api-keys.table.ts'
import { campaigns } from '../../schema/campaigns/campaigns.table.ts'
import { savedFilters } from '../../schema/filters/filters.table.ts'
import { newId } from '../../schema/ids.ts'
import { macros } from '../../schema/macros/macros.table.ts'
import { ruleRuns, rules } from '../../schema/rules/rules.table.ts'
import { slaPolicies } from '../../schema/sla-policies/sla-policies.table.ts'
import { cardsOf } from '../../schema/messages/messages.cards.ts'
import { placeOf } from '../../schema/messages/messages.content.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { unlike } from '../../tests/support/described.ts'

let t: TestApp
let companyId: number
let admin: string
let whatsappId: number
beforeAll(async () => {
  t = await testApp()
  companyId = (await t.eg.company()).id
  admin = await t.login((await t.eg.user(companyId, { profile: 'admin' })).email)
  whatsappId = (await t.eg.whatsapp(companyId, { status: 'CONNECTED', isDefault: true })).id
})
afterAll(() => t.close())

let names = 0
const keyWith = async (body: Record<string, unknown>) => {
  const made = await t.call('POST', '/api-keys', { token: admin, body: { name: `Chave ${++names}`, ...body } })
  if (made.status !== 200) throw new Error(JSON.stringify(made.body))
  return made.body as { id: number; key: string }
}
const v1 = (method: string, path: string, key: string, body?: unknown, headers: Record<string, string> = {}) =>
  t.call(method, `/api/v1${path}`, { token: key, body, headers })

describe('a key', () => {
  test('opens exactly the calls of its scopes: every scope against every call', async () => {
    const ticket = await t.eg.ticket(companyId, {
      contactId: (await t.eg.contact(companyId)).id,
      whatsappId,
      status: 'pending',
    })
    const message = await t.eg.messageIn(ticket)
    await t.eg.tag(companyId)
    await t.eg.queue(companyId)
    const contact = ticket.contactId
    const past = (await t.eg.ticket(companyId, { contactId: contact, whatsappId, status: 'closed' })).id
    const all = await keyWith({ scopes: apiScopes })
    const hook = { url: 'https://example.com/x', events: ['message.sent'] }
    const made = async (path: string, body: unknown) => (await v1('POST', path, all.key, body)).body.id as number
    const served = await t.eg.ticket(companyId, {
      ...{ contactId: (await t.eg.contact(companyId)).id, whatsappId, status: 'open' },
    })
    const own = await t.eg.messageIn(served, { fromMe: true, ack: 2 })
    const file = await t.deps.media.put(companyId, Buffer.from('%PDF-1.4 nota'), {
      ...{ name: 'nota.pdf', mimetype: 'application/pdf', maxBytes: 1_000 },
    })
    const received = await t.eg.messageIn(ticket, {
      ...{ mediaType: 'application', mediaState: 'ready', mediaPath: file.path, mediaName: 'nota.pdf' },
    })
    const tag = (await t.eg.tag(companyId)).id
    const [gone, alone] = [(await t.eg.contact(companyId)).id, (await t.eg.contact(companyId)).id]
    const campaign = (
      await t.database.db
        .insert(campaigns)

        .values({ companyId, whatsappId, name: 'Páscoa', message1: 'Oi', seed: 1 })
        .returning()
    )[0]!.id
    const webhook = await made('/webhooks', hook)
    const out = await made('/opt-outs', { number: '5511940001837', text: 'por telefone' })
    const [macro] = await t.database.db
      .insert(macros)
      .values({ companyId, name: 'Nota', sharing: 'company', actions: [{ type: 'note', note: 'pagou' }] })
      .returning()
    const [rule] = await t.database.db
      .insert(rules)
      .values({
        companyId,
        name: 'Nota',
        position: 1,
        trigger: 'messageIn',
        conditions: [],
        actions: [{ type: 'resolve' }],
      })
      .returning()
    const [view] = await t.database.db
      .insert(savedFilters)
      .values({ id: newId(), companyId, name: 'Todos', filter: {}, sharing: 'company' })
      .returning()
    // In the order in which they are made: what is taken away comes last.
    const calls: Record<string, [scope: string, path: string, body?: unknown]> = {
      'POST /messages': ['messages:send', '/messages', { number: '5511940001835', body: 'oi' }],
      'GET /messages': ['messages:read', '/messages?search=bolo'],
      'GET /messages/:id/file': ['messages:read', `/messages/${received.id}/file`],
      'PUT /messages/:id': ['messages:send', `/messages/${own.id}`, { body: 'melhor dito' }],
      'PUT /messages/:id/reaction': ['messages:send', `/messages/${own.id}/reaction`, { emoji: '👍' }],
      'DELETE /messages/:id': ['messages:send', `/messages/${own.id}`],
      'POST /tickets/:id/messages': ['messages:send', `/tickets/${ticket.id}/messages`, { body: 'oi' }],
      'POST /tickets/:id/typing': ['messages:send', `/tickets/${ticket.id}/typing`, { state: 'composing' }],
      'GET /tickets/:id/notes': ['tickets:read', `/tickets/${ticket.id}/notes`],
      'POST /tickets/:id/notes': ['tickets:write', `/tickets/${ticket.id}/notes`, { note: 'pagou' }],
      'GET /macros': ['tickets:read', '/macros'],
      'POST /macros/:id/run': ['tickets:write', `/macros/${macro!.id}/run`, { ticketId: ticket.id }],
      'GET /sla-policies': ['tickets:read', '/sla-policies'],
      'POST /tickets/:id/merge': ['tickets:write', `/tickets/${past}/merge`, { intoId: ticket.id }],
      'POST /tickets/:id/part': ['tickets:write', `/tickets/${past}/part`],
      'POST /tickets/:id/escalate': ['tickets:write', `/tickets/${ticket.id}/escalate`, { note: 'olha só' }],
      'DELETE /tickets/:id/escalate': ['tickets:write', `/tickets/${ticket.id}/escalate`],
      'GET /contacts/:id/timeline': ['tickets:read', `/contacts/${contact}/timeline`],
      'GET /rules': ['tickets:read', '/rules'],
      'GET /rules/:id/runs': ['tickets:read', `/rules/${rule!.id}/runs`],
      'GET /views': ['tickets:read', '/views'],
      'GET /views/:id/tickets': ['tickets:read', `/views/${view!.id}/tickets`],
      'POST /tags': ['tickets:write', '/tags', { name: 'Etiqueta de programa' }],
      'PUT /tags/:id': ['tickets:write', `/tags/${tag}`, { name: 'Outra etiqueta' }],
      'DELETE /tags/:id': ['tickets:write', `/tags/${tag}`],
      'POST /contacts/:id/merge': ['contacts:write', `/contacts/${alone}/merge`, { goneId: gone }],
      'DELETE /contacts/:id': ['contacts:write', `/contacts/${alone}`],
      'POST /numbers/check': ['contacts:read', '/numbers/check', { number: '5511940001835' }],
      'GET /groups': ['contacts:read', '/groups'],
      'GET /connections/:id': ['tickets:read', `/connections/${whatsappId}`],
      'GET /connections/:id/qr': ['connections:write', `/connections/${whatsappId}/qr`],
      'POST /connections/:id/start': ['connections:write', `/connections/${whatsappId}/start`],
      'GET /campaigns': ['campaigns:read', '/campaigns'],
      'GET /campaigns/:id': ['campaigns:read', `/campaigns/${campaign}`],
      'GET /campaigns/:id/people': ['campaigns:read', `/campaigns/${campaign}/people`],
      'POST /campaigns/:id/start': ['campaigns:send', `/campaigns/${campaign}/start`],
      'POST /campaigns/:id/pause': ['campaigns:send', `/campaigns/${campaign}/pause`],
      'POST /campaigns/:id/resume': ['campaigns:send', `/campaigns/${campaign}/resume`],
      'POST /campaigns/:id/cancel': ['campaigns:send', `/campaigns/${campaign}/cancel`],
      'GET /reports/service': ['reports:read', '/reports/service?from=2026-11-01&to=2026-11-30'],
      'GET /reports/:report': ['reports:read', '/reports/queues?from=2026-11-01&to=2026-11-30'],
      'GET /reports/:report/tickets': ['reports:read', '/reports/queues/tickets?figure=opened'],
      'GET /reports/costs': ['reports:read', '/reports/costs?by=agent'],
      'GET /messages/:id': ['messages:read', `/messages/${message.id}`],
      'GET /tickets/:id/messages': ['messages:read', `/tickets/${ticket.id}/messages`],
      'GET /tickets': ['tickets:read', '/tickets'],
      'GET /tickets/:id': ['tickets:read', `/tickets/${ticket.id}`],
      'PUT /tickets/:id': ['tickets:write', `/tickets/${ticket.id}`, { tagIds: [] }],
      'GET /contacts': ['contacts:read', '/contacts'],
      'GET /contacts/:id': ['contacts:read', `/contacts/${contact}`],
      'POST /contacts': ['contacts:write', '/contacts', { name: 'Ana', number: '5511940001836' }],
      'PUT /contacts/:id': ['contacts:write', `/contacts/${contact}`, { name: 'Ana' }],
      'GET /queues': ['tickets:read', '/queues'],
      'GET /custom-fields': ['tickets:read', '/custom-fields'],
      'GET /tags': ['tickets:read', '/tags'],
      'GET /users': ['tickets:read', '/users'],
      'GET /connections': ['tickets:read', '/connections'],
      'GET /opt-outs': ['contacts:read', '/opt-outs'],
      'POST /opt-outs': ['contacts:write', '/opt-outs', { number: '5511940001838', text: 'por telefone' }],
      'DELETE /opt-outs/:id': ['contacts:write', `/opt-outs/${out}`, { reason: 'quer de novo' }],
      'GET /webhooks': ['webhooks:write', '/webhooks'],
      'GET /webhooks/:id': ['webhooks:write', `/webhooks/${webhook}`],
      'POST /webhooks': ['webhooks:write', '/webhooks', hook],
      'PUT /webhooks/:id': ['webhooks:write', `/webhooks/${webhook}`, { active: true }],
      'POST /webhooks/:id/test': ['webhooks:write', `/webhooks/${webhook}/test`],
      'DELETE /webhooks/:id': ['webhooks:write', `/webhooks/${webhook}`],
    }
    const prefix = '/api/v1'
    const there = t.app.routes.flatMap(({ method, path }) =>
      path.startsWith(`${prefix}/`) ? `${method} ${path.slice(prefix.length)}` : [],
    )
    // A call that is new is tried with every scope, too.
    expect(Object.keys(calls).sort()).toEqual([...new Set(there)].sort())
    const described = (await t.call('GET', '/docs/json')).body
    for (const scope of apiScopes) {
      const { id, key } = await keyWith({ scopes: [scope] })
      for (const [name, [needed, path, body]] of Object.entries(calls)) {
        const reply = await v1(name.split(' ')[0]!, path, key, body)
        const expected = needed === scope ? 'done' : 'ERR_SCOPE'
        expect([scope, name, reply.status < 300 ? 'done' : reply.body.error]).toEqual([scope, name, expected])
        // A file is no JSON.
        if (needed === scope && name !== 'GET /messages/:id/file')
          expect([name, unlike(described, name.replace(' ', ' /api/v1'), reply)]).toEqual([name, []])
      }
      await t.call('DELETE', `/api-keys/${id}`, { token: admin })
    }
    await t.call('DELETE', `/api-keys/${all.id}`, { token: admin })
  })

  test('is shown once, kept as a hash, and opens nothing else', async () => {
    const { id, key } = await keyWith({ scopes: ['tickets:read'] })
    const told = JSON.stringify([
      (await t.call('GET', '/api-keys', { token: admin })).body,
      (await t.call('GET', `/api-keys/${id}`, { token: admin })).body,
      await t.database.db.select().from(apiKeys),
    ])
    expect([told.includes(key), told.includes(key.slice(0, 11))]).toEqual([false, true])
    expect((await t.call('GET', '/tickets', { token: key })).status).toBe(401)
    expect((await t.call('GET', '/api/v1/tickets', { token: admin })).body.error).toBe('ERR_API_KEY')
    expect((await t.call('GET', '/api/v1/tickets')).status).toBe(401)
  })

  test('that is revoked or expired, or comes from elsewhere, opens nothing', async () => {
    const { id, key } = await keyWith({ scopes: ['tickets:read'], ipAllow: ['203.0.113.0/24', '2001:db8::1'] })
    const from = (address: string) => v1('GET', '/tickets', key, undefined, { 'x-forwarded-for': address })
    expect((await from('203.0.113.9')).status).toBe(200)
    expect((await from('2001:db8::1')).status).toBe(200)
    expect([(await from('203.0.114.9')).body.error, (await v1('GET', '/tickets', key)).body.error]).toEqual([
      'ERR_API_KEY_ADDRESS',
      'ERR_API_KEY_ADDRESS',
    ])
    await t.call('DELETE', `/api-keys/${id}`, { token: admin })
    expect((await from('203.0.113.9')).body.error).toBe('ERR_API_KEY')
    const expiresAt = new Date(t.clock.now.getTime() + 60_000).toISOString()
    const short = await keyWith({ scopes: ['tickets:read'], expiresAt })
    expect((await v1('GET', '/tickets', short.key)).status).toBe(200)
    t.clock.advance(60_000)
    expect((await v1('GET', '/tickets', short.key)).body.error).toBe('ERR_API_KEY')
  })

  test('a company has twenty that work', async () => {
    const other = await t.eg.company()
    const token = await t.login((await t.eg.user(other.id, { profile: 'admin' })).email)
    const make = () => t.call('POST', '/api-keys', { token, body: { name: 'Chave', scopes: ['tickets:read'] } })
    const replies = await Promise.all(Array.from({ length: 22 }, make))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(20)
    const { id } = replies.find(({ status }) => status === 200)!.body
    await t.call('DELETE', `/api-keys/${id}`, { token })
    expect((await make()).status).toBe(200)
  })

  test('is told what is left of its minute, and when to come again', async () => {
    const limited = await testApp({ limitCalls: true })
    try {
      const company = await limited.eg.company()
      const token = await limited.login((await limited.eg.user(company.id, { profile: 'admin' })).email)
      const body = { name: 'Chave', scopes: ['tickets:read'], ratePerMinute: 3 }
      const { key } = (await limited.call('POST', '/api-keys', { token, body })).body
      const call = () => limited.call('GET', '/api/v1/tickets', { token: key })
      const first = await call()
      expect([first.headers.get('ratelimit-policy'), first.headers.get('ratelimit')]).toEqual([
        '"key";q=3;w=60',
        '"key";r=2;t=20',
      ])
      await call()
      await call()
      const refused = await call()
      expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('ratelimit')]).toEqual([
        429,
        '20',
        '"key";r=0;t=60',
      ])
      limited.clock.advance(20_000)
      expect((await call()).status).toBe(200)
    } finally {
      await limited.close()
    }
  })
})

describe('a program that polls', () => {
  /** Other tests have transactions open in the same Postgres: a page ends before them, and what lies behind comes later. */
  const until = async (ask: () => Promise<boolean>) => {
    const end = Date.now() + 30_000
    while (!(await ask()) && Date.now() < end) await Bun.sleep(50)
  }

  test('skips nothing, though transactions end in another order than they begin', async () => {
    const { key } = await keyWith({ scopes: ['tickets:read'], ratePerMinute: 60_000 })
    const contact = await t.eg.contact(companyId)
    const ids: number[] = []
    for (let i = 0; i < 7; i++)
      ids.push((await t.eg.ticket(companyId, { contactId: contact.id, whatsappId, status: 'closed' })).id)
    const seen: number[] = []
    let cursor: string | null = null
    const poll = async () => {
      for (;;) {
        const { body }: { body: { records: { id: number }[]; nextCursor: string | null; hasMore: boolean } } = await v1(
          'GET',
          `/tickets?limit=2${cursor ? `&cursor=${cursor}` : ''}`,
          key,
        )
        seen.push(...body.records.map(({ id }) => id))
        cursor = body.nextCursor
        if (!body.hasMore) return
      }
    }
    await until(async () => {
      await poll()
      return ids.every((id) => seen.includes(id))
    })
    expect(seen).toEqual(expect.arrayContaining(ids))
    // One begins first and ends last; what it changed lies before what others changed meanwhile.
    seen.length = 0
    const late = await t.database.sql.reserve()
    await late`BEGIN`
    await late`UPDATE tickets SET "lastMessage" = 'late', "updatedAt" = now() WHERE id = ${ids[0]!}`
    await t.database.db
      .update(tickets)
      .set({ lastMessage: 'soon', updatedAt: new Date() })
      .where(eq(tickets.id, ids[1]!))
    await poll()
    expect(seen).toEqual([])
    await late`COMMIT`
    late.release()
    await until(async () => {
      await poll()
      return seen.length >= 2
    })
    expect(seen).toEqual([ids[0]!, ids[1]!])
    await poll()
    expect(seen).toHaveLength(2)
  })

  test('begins where it wants to, and gives no cursor of its own making', async () => {
    const { key } = await keyWith({ scopes: ['contacts:read'], ratePerMinute: 60_000 })
    await t.database.db.execute(sql`UPDATE contacts SET "updatedAt" = '2020-01-01'`)
    const contact = await t.eg.contact(companyId, { number: '5511940007777', updatedAt: t.clock.now })
    const since = new Date(t.clock.now.getTime() - 1_000).toISOString()
    let found = await v1('GET', `/contacts?updatedSince=${since}`, key)
    await until(async () => {
      found = await v1('GET', `/contacts?updatedSince=${since}`, key)
      return found.body.records.length > 0
    })
    expect(found.body.records.map(({ id }: { id: number }) => id)).toEqual([contact.id])
    expect((await v1('GET', '/contacts?number=5511940007777', key)).body.records).toHaveLength(1)
    for (const cursor of ['x', 'MTIz', Buffer.from('1.1.99999999999').toString('base64url')])
      expect([cursor, (await v1('GET', `/contacts?cursor=${cursor}`, key)).body.error]).toEqual([
        cursor,
        'ERR_VALIDATION',
      ])
  })

  test('with a cursor of another Postgres, or of a day that this one has not reached, begins from the beginning', async () => {
    const { key } = await keyWith({ scopes: ['contacts:read'], ratePerMinute: 60_000 })
    let all = await v1('GET', '/contacts?limit=100', key)
    await until(async () => {
      all = await v1('GET', '/contacts?limit=100', key)
      return all.body.records.length > 0
    })
    const [postgres = '', change] = Buffer.from(all.body.nextCursor as string, 'base64url')
      .toString()
      .split('.')
    for (const place of [`1.${change}.2147483647`, `${postgres}.99999999999999.1`]) {
      const cursor = Buffer.from(place).toString('base64url')
      expect((await v1('GET', `/contacts?limit=100&cursor=${cursor}`, key)).body.records).toEqual(all.body.records)
    }
  })
})

describe('a program that writes', () => {
  test('of a file at an address the name is that of its server, else of the last address, with the ending of what it is', async () => {
    const pdf = () => new Response('%PDF-1.4', { headers: { 'content-type': 'application/pdf' } })
    const answers: Record<string, () => Response> = {
      '/ir': () => new Response(null, { status: 302, headers: { location: '/guardados/segunda%20via.pdf' } }),
      '/baixar': () =>
        new Response('%PDF-1.4', {
          headers: {
            'content-type': 'application/pdf',
            'content-disposition': 'attachment; filename="x.pdf"; filename*=UTF-8\'\'Boleto%20mar%C3%A7o.pdf',
          },
        }),
      '/gerar.php': () => new Response('%PDF-1.4', { headers: { 'content-type': 'application/octet-stream' } }),
    }
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url }) => answers[new URL(url).pathname]?.() ?? pdf(),
    })
    try {
      const { key } = await keyWith({ scopes: ['messages:send', 'messages:read'] })
      const nameAt = async (path: string) => {
        const mediaUrl = `http://127.0.0.1:${server.port}${path}`
        const { body } = await v1('POST', '/messages', key, { number: '5511940004444', mediaUrl })
        const told = await v1('GET', `/messages/${body.id}`, key)
        expect(told.body).toMatchObject({ media: { state: 'ready' } })
        return told.body.media.name
      }
      expect(await nameAt('/ir')).toBe('segunda via.pdf')
      expect(await nameAt('/baixar')).toBe('Boleto março.pdf')
      expect(await nameAt('/gerar.php')).toBe('gerar.pdf')
    } finally {
      await server.stop(true)
    }
  })

  test('sends to a number, once for a key, and a file from an address', async () => {
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response('%PDF-1.4 nota', { headers: { 'content-type': 'application/pdf' } }),
    })
    try {
      const { key } = await keyWith({ scopes: ['messages:send', 'messages:read'] })
      const headers = { 'idempotency-key': 'order-1-ready' }
      const body = { number: '5511940004444', body: 'Pronto' }
      const one = await v1('POST', '/messages', key, body, headers)
      expect([one.status, one.body]).toEqual([202, { id: expect.any(String), ticketId: expect.any(Number), ack: 1 }])
      expect((await v1('POST', '/messages', key, body, headers)).body).toEqual(one.body)
      const mediaUrl = `http://127.0.0.1:${server.port}/nota%20fiscal.pdf`
      const file = await v1('POST', '/messages', key, { number: '5511940004444', mediaUrl })
      const message = await v1('GET', `/messages/${file.body.id}`, key)
      expect(message.body.media).toMatchObject({ name: 'nota fiscal.pdf', mimetype: 'application/pdf', state: 'ready' })
      const inside = await v1('POST', '/messages', key, { number: '5511940004444', mediaUrl: 'http://10.0.0.1/x.pdf' })
      expect(inside.body.error).toBe('ERR_URL_FORBIDDEN')
      // Of what is refused no file stays behind; what an earlier call of the same key has sent does.
      const files = () => readdirSync(join(t.mediaRoot, `company${companyId}`)).length
      const before = files()
      for (const refused of [
        { number: '5511940000000', mediaUrl },
        { number: '5511940004444', mediaUrl, queueId: 2_000_000_000 },
      ])
        expect((await v1('POST', '/messages', key, refused)).status).toBeGreaterThanOrEqual(400)
      expect(files()).toBe(before)
      const again = { number: '5511940004444', mediaUrl }
      const sent = await v1('POST', '/messages', key, again, { 'idempotency-key': 'nota-fiscal-1' })
      const other = { ...again, body: 'Outra' }
      expect([
        sent.status,
        (await v1('POST', '/messages', key, other, { 'idempotency-key': 'nota-fiscal-1' })).status,
      ]).toEqual([202, 409])
      expect(files()).toBe(before + 1)
    } finally {
      await server.stop(true)
    }
  })

  test('moves tickets as an admin does', async () => {
    const { key } = await keyWith({ scopes: ['tickets:read', 'tickets:write'] })
    const queue = await t.eg.queue(companyId)
    const user = await t.eg.user(companyId)
    const tag = await t.eg.tag(companyId)
    const contact = await t.eg.contact(companyId)
    const { id } = await t.eg.ticket(companyId, { contactId: contact.id, whatsappId, status: 'pending' })
    const put = (body: unknown) => v1('PUT', `/tickets/${id}`, key, body)
    expect((await put({ queueId: queue.id, tagIds: [tag.id] })).body).toMatchObject({
      ...{ status: 'pending', queueId: queue.id, tagIds: [tag.id] },
    })
    expect((await put({ userId: user.id })).body).toMatchObject({ status: 'open', userId: user.id, queueId: queue.id })
    expect((await put({ status: 'pending' })).body).toMatchObject({ status: 'pending', userId: null })
    expect((await put({ status: 'closed' })).body).toMatchObject({ status: 'closed' })
    expect((await put({ queueId: 999_999 })).body.error).toBe('ERR_NO_QUEUE_FOUND')
  })

  test('runs a macro once for a key, all of it or nothing, and none of one person alone', async () => {
    const { key } = await keyWith({ scopes: ['tickets:read', 'tickets:write'] })
    const { db } = t.database
    const tag = await t.eg.tag(companyId)
    const actions = [
      { type: 'note' as const, note: 'Programa passou aqui' },
      { type: 'tag' as const, add: [tag.id], remove: [] },
    ]
    const made = async (values: Partial<typeof macros.$inferInsert>) =>
      (
        await db
          .insert(macros)
          .values({ companyId, name: 'M', sharing: 'company', actions, ...values })
          .returning()
      )[0]!
    const shared = await made({})
    const own = await made({ sharing: 'own', userId: (await t.eg.user(companyId)).id })
    const broken = await made({ actions: [...actions, { type: 'queue', queueId: 999_999 }] })
    const contact = await t.eg.contact(companyId)
    const { id } = await t.eg.ticket(companyId, { contactId: contact.id, whatsappId, status: 'pending' })
    const run = (macroId: number, more: object = {}, idempotencyKey?: string) =>
      t.call('POST', `/api/v1/macros/${macroId}/run`, {
        ...{ token: key, body: { ticketId: id, ...more } },
        ...(idempotencyKey && { headers: { 'idempotency-key': idempotencyKey } }),
      })
    const told = (await v1('GET', '/macros', key)).body.records as { id: number }[]
    expect(told.map((one) => one.id)).toContain(shared.id)
    expect(told.map((one) => one.id)).not.toContain(own.id)
    expect((await run(own.id)).body.error).toBe('ERR_NO_MACRO_FOUND')
    expect((await run(broken.id)).body).toMatchObject({ error: 'ERR_NO_QUEUE_FOUND', step: 3 })
    expect((await run(shared.id, { version: 9 })).body.error).toBe('ERR_MACRO_CHANGED')
    for (let times = 0; times < 2; times++)
      expect((await run(shared.id, {}, 'macro-once-1')).body).toMatchObject({ id, tagIds: [tag.id] })
    expect((await v1('GET', `/tickets/${id}/notes`, key)).body.records).toHaveLength(1)
  })

  test('reads what is promised and until when, calls a supervisor, merges two tickets of a contact and parts them', async () => {
    const { key } = await keyWith({ scopes: ['tickets:read', 'tickets:write'] })
    const { db } = t.database
    const [policy] = await db
      .insert(slaPolicies)
      .values({ companyId, name: 'Clientes', position: 1, active: false, firstAnswer: 15 })
      .returning()
    const told = (await v1('GET', '/sla-policies', key)).body.records as { id: number }[]
    expect(told.find(({ id }) => id === policy!.id)).toMatchObject({ firstAnswer: 15, resolution: null, active: false })
    const contact = await t.eg.contact(companyId)
    const of = { contactId: contact.id, whatsappId }
    const dueAt = new Date('2026-03-01T12:00:00Z')
    const due = { nextDueAt: dueAt, nextDueMetric: 'firstAnswer' as const, nextRiskAt: dueAt }
    const waiting = await t.eg.ticket(companyId, { ...of, status: 'pending', ...due })
    const past = await t.eg.ticket(companyId, { ...of, status: 'closed' })
    const at = `/tickets/${waiting.id}`
    expect((await v1('GET', at, key)).body).toMatchObject({
      ...{ nextDueAt: dueAt.toISOString(), nextDueMetric: 'firstAnswer', supervisorCalledAt: null, mergedIntoId: null },
    })
    const called = await v1('POST', `${at}/escalate`, key, { note: 'Pede desconto' })
    expect([called.status, typeof called.body.supervisorCalledAt]).toEqual([200, 'string'])
    expect((await v1('DELETE', `${at}/escalate`, key)).body.supervisorCalledAt).toBeNull()
    expect((await v1('POST', `/tickets/${past.id}/merge`, key, { intoId: waiting.id })).body.id).toBe(waiting.id)
    expect((await v1('GET', `/tickets/${past.id}`, key)).body.mergedIntoId).toBe(waiting.id)
    expect((await v1('POST', `/tickets/${past.id}/part`, key)).body).toMatchObject({ id: past.id, mergedIntoId: null })
    // Asked again, as after a lost answer, it is done already.
    expect((await v1('POST', `/tickets/${past.id}/part`, key)).body).toMatchObject({ id: past.id, mergedIntoId: null })
    const kinds = (await v1('GET', `/contacts/${contact.id}/timeline`, key)).body.records as { kind: string }[]
    expect(kinds.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['supervisor_called', 'supervisor_answered', 'merged', 'merged_into', 'parted']),
    )
  })

  test('reads rules, and what they did, the latest first and page by page', async () => {
    const { key } = await keyWith({ scopes: ['tickets:read'] })
    const { db } = t.database
    const [rule] = await db
      .insert(rules)
      .values({
        companyId,
        name: 'Nota',
        position: 9,
        trigger: 'messageIn',
        conditions: [],
        actions: [{ type: 'resolve' }],
      })
      .returning()
    const contact = await t.eg.contact(companyId)
    const ticket = await t.eg.ticket(companyId, { contactId: contact.id, whatsappId })
    for (const [n, result] of (['done', 'refused'] as const).entries())
      await db.insert(ruleRuns).values({
        ...{ id: `run-${rule!.id}-${n}`, companyId, ruleId: rule!.id, version: 1, ticketId: ticket.id, eventId: 'e' },
        ...{ trigger: 'messageIn', root: 'e', depth: 0, result, met: [], createdAt: new Date(Date.UTC(2026, 0, 1, n)) },
        outcome: result === 'done' ? { done: ['resolve'] } : { done: [], why: 'ERR_TICKET_TRANSITION', step: 1 },
      })
    const told = (await v1('GET', '/rules', key)).body.records as { id: number }[]
    expect(told.find(({ id }) => id === rule!.id)).toMatchObject({ name: 'Nota', active: false, trigger: 'messageIn' })
    const first = (await v1('GET', `/rules/${rule!.id}/runs?limit=1`, key)).body
    expect(first.records).toMatchObject([{ result: 'refused', why: 'ERR_TICKET_TRANSITION', ticketId: ticket.id }])
    const { body } = await v1('GET', `/rules/${rule!.id}/runs?limit=1&cursor=${first.nextCursor}`, key)
    expect([body.records[0].result, body.records[0].done, body.nextCursor]).toEqual(['done', ['resolve'], null])
    expect((await v1('GET', '/rules/999999/runs', key)).body.error).toBe('ERR_NO_RULE_FOUND')
  })

  test('reads the views that people share, and the tickets of one page by page', async () => {
    const { key } = await keyWith({ scopes: ['tickets:read'] })
    const { db } = t.database
    const tag = await t.eg.tag(companyId)
    const made = async (values: Partial<typeof savedFilters.$inferInsert>) =>
      (
        await db
          .insert(savedFilters)
          .values({ id: newId(), companyId, name: 'V', filter: { tagIds: [tag.id] }, sharing: 'company', ...values })
          .returning()
      )[0]!
    const shared = await made({})
    const own = await made({ sharing: 'own', userId: (await t.eg.user(companyId)).id })
    const mine = await made({ filter: { tagIds: [tag.id], mine: true } })
    const ids: number[] = []
    for (const status of ['pending', 'open', 'closed'] as const) {
      const contact = await t.eg.contact(companyId)
      const ticket = await t.eg.ticket(companyId, { contactId: contact.id, whatsappId, status, tagIds: [tag.id] })
      if (status !== 'closed') ids.push(ticket.id)
    }
    const views = (await v1('GET', '/views', key)).body.records as { id: string }[]
    expect(views.map((one) => one.id)).toContain(shared.id)
    for (const { id } of [own, mine]) {
      expect(views.map((one) => one.id)).not.toContain(id)
      expect((await v1('GET', `/views/${id}/tickets`, key)).body.error).toBe('ERR_NOT_FOUND')
    }
    const first = (await v1('GET', `/views/${shared.id}/tickets?limit=1`, key)).body
    const second = (await v1('GET', `/views/${shared.id}/tickets?limit=1&cursor=${first.nextCursor}`, key)).body
    expect([first, second].map(({ records, hasMore }) => [records.length, hasMore])).toEqual([
      [1, true],
      [1, false],
    ])
    expect([...first.records, ...second.records].map((one: { id: number }) => one.id)).toEqual(ids)
  })
})

describe('a program that serves', () => {
  test('fetches a file, answers in a ticket with a quote, and writes a place', async () => {
    const { key } = await keyWith({ scopes: ['messages:send', 'messages:read'], ratePerMinute: 60_000 })
    const contact = await t.eg.contact(companyId)
    const ticket = await t.eg.ticket(companyId, { contactId: contact.id, whatsappId, status: 'pending' })
    const { path } = await t.deps.media.put(companyId, Buffer.from('%PDF-1.4 nota'), {
      ...{ name: 'nota.pdf', mimetype: 'application/pdf', maxBytes: 1_000 },
    })
    const asked = await t.eg.messageIn(ticket, {
      mediaType: 'application',
      mediaState: 'pending',
      mediaName: 'nota.pdf',
    })
    const early = await v1('GET', `/messages/${asked.id}/file`, key)
    expect([early.status, early.body]).toMatchObject([404, { error: 'ERR_NO_FILE_FOUND', state: 'pending' }])
    await t.database.sql`UPDATE messages SET "mediaState" = 'ready', "mediaPath" = ${path} WHERE id = ${asked.id}`
    const file = await v1('GET', `/messages/${asked.id}/file`, key)
    expect([file.status, file.headers.get('content-disposition')]).toEqual([
      200,
      expect.stringContaining('filename="nota.pdf"'),
    ])
    const headers = { 'idempotency-key': 'answer-in-ticket-1' }
    const body = { body: 'Recebemos!', quotedMessageId: asked.id }
    const said = await v1('POST', `/tickets/${ticket.id}/messages`, key, body, headers)
    expect([said.status, said.body.ticketId]).toEqual([202, ticket.id])
    expect((await v1('POST', `/tickets/${ticket.id}/messages`, key, body, headers)).body).toEqual(said.body)
    const other = { ...body, body: 'Outra coisa' }
    expect((await v1('POST', `/tickets/${ticket.id}/messages`, key, other, headers)).body.error).toBe(
      'ERR_IDEMPOTENCY_MISMATCH',
    )
    expect((await v1('GET', `/messages/${said.body.id}`, key)).body).toMatchObject({
      ...{ body: 'Recebemos!', quotedMessageId: asked.id, fromMe: true },
    })
    const location = { latitude: -8.05, longitude: -34.9, name: 'Loja' }
    const place = await v1('POST', '/messages', key, { number: contact.number, location })
    const stored = await v1('GET', `/messages/${place.body.id}`, key)
    expect([place.body.ticketId, stored.body.type, placeOf(stored.body.body)]).toEqual([
      ticket.id,
      'locationMessage',
      location,
    ])
    const closed = await t.eg.ticket(companyId, { ...{ contactId: contact.id, whatsappId: null, status: 'closed' } })
    expect((await v1('POST', `/tickets/${closed.id}/messages`, key, { body: 'oi' })).body.error).toBe(
      'ERR_TICKET_NOT_OPEN',
    )
    expect(
      (await v1('POST', '/messages', key, { number: '5511940004321', body: 'x', quotedMessageId: asked.id })).body
        .error,
    ).toBe('ERR_NO_MESSAGE_FOUND')
  })

  test('sends cards of contacts and of names with numbers, in a ticket and to a number', async () => {
    const { key } = await keyWith({ scopes: ['messages:send', 'messages:read'], ratePerMinute: 60_000 })
    const [contact, hidden] = [await t.eg.contact(companyId, { name: 'Bia, a Avó' }), await t.eg.contact(companyId)]
    await t.database.sql`UPDATE contacts SET number = NULL, lid = '990001' WHERE id = ${hidden.id}`
    const cards = [{ contactId: contact.id }, { name: ' Davi ', number: '5511911112222' }]
    const asked = { number: contact.number, contacts: cards }
    const headers = { 'idempotency-key': 'cards-of-people-1' }
    const sent = await v1('POST', '/messages', key, asked, headers)
    const stored = (await v1('GET', `/messages/${sent.body.id}`, key)).body
    expect([sent.status, stored.type, cardsOf(stored.body)]).toEqual([
      ...[202, 'vcard'],
      [
        { name: 'Bia, a Avó', number: contact.number },
        { name: 'Davi', number: '5511911112222' },
      ],
    ])
    expect((await v1('POST', '/messages', key, asked, headers)).body).toEqual(sent.body)
    const other = { ...asked, contacts: cards.slice(1) }
    expect((await v1('POST', '/messages', key, other, headers)).body.error).toBe('ERR_IDEMPOTENCY_MISMATCH')
    const { ticketId } = sent.body
    const said = await v1('POST', `/tickets/${ticketId}/messages`, key, { contacts: cards.slice(0, 1) })
    expect((await v1('GET', `/messages/${said.body.id}`, key)).body.type).toBe('contactMessage')
    const [{ lastMessage } = { lastMessage: '' }] = await t.database.sql<{ lastMessage: string }[]>`
      SELECT "lastMessage" FROM tickets WHERE id = ${ticketId}`
    expect(lastMessage).toBe('👤 Bia, a Avó')
    const refused = async (contacts: unknown) =>
      (await v1('POST', '/messages', key, { number: contact.number, contacts })).body
    expect(await refused([{ contactId: hidden.id }])).toMatchObject({
      ...{ error: 'ERR_CONTACT_NO_NUMBER', contactId: hidden.id },
    })
    expect(await refused([{ contactId: 999_999 }])).toMatchObject({ error: 'ERR_NO_CONTACT_FOUND' })
    expect(await refused([])).toMatchObject({ error: 'ERR_VALIDATION' })
    expect(await refused([{ name: 'x', number: 'abc' }])).toMatchObject({ error: 'ERR_VALIDATION' })
  })

  test('sends a file in base64 or as a form, and what is refused leaves no file', async () => {
    const { key } = await keyWith({ scopes: ['messages:send', 'messages:read'], ratePerMinute: 60_000 })
    const file = { name: 'nota.pdf', mimetype: 'application/pdf', base64: btoa('%PDF-1.4 em base64') }
    const sent = await v1('POST', '/messages', key, { number: '5511940005555', body: 'A nota', file })
    const { media } = (await v1('GET', `/messages/${sent.body.id}`, key)).body
    expect(media).toMatchObject({ name: 'nota.pdf', mimetype: 'application/pdf', size: 18 })
    const form = new FormData()
    form.set('number', '5511940005555')
    form.append('medias', new File(['%PDF-1.4 um'], 'um.pdf', { type: 'application/pdf' }))
    form.append('medias', new File(['%PDF-1.4 dois'], 'dois.pdf', { type: 'application/pdf' }))
    const both = await t.call('POST', '/api/v1/messages', { token: key, form })
    expect([both.status, both.body.ids]).toEqual([202, [both.body.id, expect.any(String)]])
    const stored = async () => readdirSync(dirname(join(t.mediaRoot, media.url.slice('/public/'.length)))).length
    const before = await stored()
    const refused = { number: '5511940005555', file: { ...file, base64: btoa('%PDF-1.4 recusado') }, queueId: 999_999 }
    expect((await v1('POST', '/messages', key, refused)).body.error).toBe('ERR_NO_QUEUE_FOUND')
    expect((await v1('POST', '/messages', key, { ...refused, file: { ...file, base64: 'não é!' } })).status).toBe(400)
    expect(
      (
        await v1('POST', '/messages', key, {
          number: '5511940005555',
          body: 'x',
          location: { latitude: 91, longitude: 0 },
        })
      ).status,
    ).toBe(400)
    expect(await stored()).toBe(before)
  })

  test('finds messages by a text, case and accents aside, page by page', async () => {
    const { key } = await keyWith({ scopes: ['messages:read'], ratePerMinute: 60_000 })
    const contact = await t.eg.contact(companyId)
    const ticket = await t.eg.ticket(companyId, { contactId: contact.id, whatsappId, status: 'pending' })
    for (const body of ['Um rocambole', 'dois ROCÂMBOLES', 'nada', 'rocambole de novo'])
      await t.eg.messageIn(ticket, { body, createdAt: new Date(t.clock.now.getTime()) })
    const first = await v1('GET', '/messages?search=rocambole&limit=2', key)
    expect([first.body.records.length, first.body.hasMore]).toEqual([2, true])
    const rest = await v1('GET', `/messages?search=rocambole&limit=2&before=${first.body.records[1].id}`, key)
    expect([rest.body.records.length, rest.body.hasMore]).toEqual([1, false])
    expect((await v1('GET', `/messages?search=rocambole&ticketId=${ticket.id + 1}`, key)).body.records).toEqual([])
    expect((await v1('GET', '/messages?search=..!', key)).body.error).toBe('ERR_VALIDATION')
  })
})

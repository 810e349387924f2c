import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { migrationsFolder } from '../db/migrate.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { EffectOf } from '../../schema/effects.ts'
import { newId } from '../../schema/ids.ts'
import { aboutOf, retryIn, RETRIES_MS, webhookEvents } from '../../schema/webhooks/webhooks.events.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { causes } from '../../schema/webhooks/webhooks.causes.ts'
import { webhookDeliveries, webhookOutbox, webhooks } from '../../schema/webhooks/webhooks.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import type { Letter } from '../mail/mailer.ts'
import { webhookEffects } from './webhooks.effects.ts'

interface Told {
  id: string
  headers: Record<string, string>
  body: string
}

/** A program that is told things, and answers as the test says. */
function receiver() {
  const told: Told[] = []
  const state = { answer: (_told: Told): Response | Promise<Response> => new Response('ok') }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const body = await request.text()
      const headers = Object.fromEntries(request.headers)
      const one = { id: headers['webhook-id']!, headers, body }
      told.push(one)
      return state.answer(one)
    },
  })
  return { told, state, url: `http://127.0.0.1:${server.port}/hook`, stop: () => server.stop(true) }
}

let t: TestApp
let r: ReturnType<typeof receiver>
let token: string
let email: string
let companyId: number
let whatsappId: number
beforeEach(async () => {
  t = await testApp()
  r = receiver()
  companyId = (await t.eg.company()).id
  const admin = await t.eg.user(companyId, { profile: 'admin' })
  email = admin.email
  token = await t.login(email)
  whatsappId = (await t.eg.whatsapp(companyId, { token: 'line-token', status: 'CONNECTED', isDefault: true })).id
})
afterEach(async () => {
  await t.close()
  await r.stop()
})

const until = async (met: () => boolean | Promise<boolean>) => {
  const end = performance.now() + 20_000
  while (!(await met())) {
    if (performance.now() > end) throw new Error('it never came to that')
    await Bun.sleep(10)
  }
}
const make = async (events: string[], more: Record<string, unknown> = {}) => {
  const reply = await t.call('POST', '/webhooks', { token, body: { url: r.url, events, ...more } })
  expect([reply.status, reply.body.error]).toEqual([200, undefined])
  return reply.body as { id: number; secret: string }
}
const send = (number: string, body: string) =>
  t.call('POST', '/api/messages/send', { token: 'line-token', body: { number, body } })
const parsed = () => r.told.map(({ body }) => JSON.parse(body) as { type: string; data: any })
const row = async (id: number) => (await t.database.db.select().from(webhooks).where(eq(webhooks.id, id)))[0]!
const deliveries = () => t.database.db.select().from(webhookDeliveries).orderBy(webhookDeliveries.id)

describe('a webhook', () => {
  test('is told of what it chose, signed so that the published library verifies it', async () => {
    const { secret } = await make(['message.sent', 'ticket.created', 'contact.created'])
    await send('5511940001835', 'O seu bolo está pronto.')
    await until(() => r.told.length === 3)
    expect(
      parsed()
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['contact.created', 'message.sent', 'ticket.created'])
    for (const { headers, body } of r.told) {
      // The test's clock is the server's.
      expect(Number(headers['webhook-timestamp'])).toBe(Math.floor(t.clock.now.getTime() / 1_000))
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
      expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow()
    }
    const { data } = parsed().find(({ type }) => type === 'message.sent')!
    expect(data).toMatchObject({
      message: { body: 'O seu bolo está pronto.', fromMe: true, ack: 1, connectionId: whatsappId },
      ticket: { status: 'pending' },
      contact: { number: '5511940001835' },
    })
    await until(async () => (await deliveries()).every(({ state }) => state === 'delivered'))
    expect(await t.database.db.select().from(webhookOutbox)).toEqual([])
  })

  test('hears who moved a ticket, and from where to where', async () => {
    await make(['ticket.assigned', 'ticket.status_changed', 'ticket.tagged', 'ticket.transferred'])
    const ticketId = (await send('5511940001835', 'oi')).body.ticketId as number
    const tag = await t.eg.tag(companyId)
    await t.call('PUT', `/tickets/${ticketId}`, { token, body: { status: 'open' } })
    await t.call('POST', '/tags/sync', { token, body: { ticketId, tags: [tag.id] } })
    await until(() => r.told.length === 3)
    const me = (await t.call('GET', '/auth/me', { token })).body.id as number
    const of = (wanted: string) => parsed().find(({ type }) => type === wanted)?.data
    expect(of('ticket.status_changed')).toMatchObject({
      changes: { status: ['pending', 'open'], userId: [null, me] },
      actor: { type: 'user', id: me },
    })
    expect(of('ticket.assigned').ticket).toMatchObject({ id: ticketId, status: 'open', userId: me })
    expect(of('ticket.tagged').changes).toEqual({ tagIds: [[], [tag.id]] })
  })

  test('hears that a queue and a connection are gone, by what becomes of their tickets and messages', async () => {
    const queue = await t.eg.queue(companyId)
    const ticket = await t.eg.ticket(companyId, { queueId: queue.id, status: 'closed', whatsappId })
    const waiting = { ticketId: ticket.id, contactId: ticket.contactId, whatsappId }
    await t.eg.message(companyId, { ...waiting, fromMe: true, ack: 1 })
    await t.eg.message(companyId, { ...waiting, fromMe: false, mediaState: 'pending' })
    await make(['ticket.transferred', 'message.ack', 'message.file'])
    expect((await t.call('DELETE', `/queue/${queue.id}`, { token })).status).toBe(200)
    expect((await t.call('DELETE', `/whatsapp/${whatsappId}`, { token })).status).toBe(200)
    await until(() => r.told.length === 3)
    const of = (wanted: string) => parsed().find(({ type }) => type === wanted)?.data
    expect(of('ticket.transferred').changes).toEqual({ queueId: [queue.id, null] })
    expect(of('message.ack').message).toMatchObject({ ack: 0, fromMe: true })
    expect(of('message.file').message).toMatchObject({ fromMe: false })
  })

  test('hears of contacts and connections, whoever changes them', async () => {
    await make(['contact.updated', 'connection.status_changed'])
    const contact = await t.eg.contact(companyId, { name: 'Ana' })
    await t.database.db.update(contacts).set({ name: 'Ana Maria' }).where(eq(contacts.id, contact.id))
    // Nothing that is told has changed.
    await t.database.db.update(contacts).set({ activeOn: '2020-01-01' }).where(eq(contacts.id, contact.id))
    await t.database.db
      .update(whatsapps)
      .set({ status: 'DISCONNECTED', lastError: 'lost' })
      .where(eq(whatsapps.id, whatsappId))
    await until(() => r.told.length === 2)
    const byType = Object.fromEntries(parsed().map(({ type, data }) => [type, data]))
    expect(byType['contact.updated']).toMatchObject({
      contact: { name: 'Ana Maria' },
      changes: { name: ['Ana', 'Ana Maria'] },
    })
    expect(byType['connection.status_changed']).toMatchObject({ status: 'DISCONNECTED', reason: 'lost' })
  })

  test('hears of campaigns, and of who wants no more of them', async () => {
    await make(['campaign.started', 'campaign.paused', 'campaign.finished', 'contact.opted_out'])
    const contact = await t.eg.contact(companyId, { number: '5511940001835' })
    const { id } = (await t.call('POST', '/campaigns', { token, body: { name: 'Natal', message1: 'Oi', whatsappId } }))
      .body
    await t.call('POST', `/campaigns/${id}/start`, { token })
    await t.call('POST', `/campaigns/${id}/pause`, { token })
    for (const number of [contact.number!, '5511940001999'])
      await t.call('POST', '/opt-outs', { token, body: { number } })
    await until(() => r.told.length === 4)
    const of = (wanted: string) => parsed().flatMap(({ type, data }) => (type === wanted ? [data] : []))
    expect(of('campaign.started')).toMatchObject([
      { campaign: { id, name: 'Natal', status: 'EM_ANDAMENTO' }, counts: {}, reason: null },
    ])
    expect(of('campaign.paused')).toMatchObject([{ campaign: { status: 'PAUSADA' }, reason: 'hand' }])
    expect(
      of('contact.opted_out')
        .map(({ contact: who, optOut }) => [who?.id ?? null, optOut.number])
        .sort(),
    ).toEqual(
      [
        [contact.id, contact.number],
        [null, '5511940001999'],
      ].sort(),
    )
  })

  test('is told nothing of what was undone, of other queues, or of other companies', async () => {
    const queue = await t.eg.queue(companyId)
    const other = await t.eg.queue(companyId)
    await make(['message.sent'], { queueIds: [queue.id] })
    const inQueue = (queueId: number, number: string) =>
      t.call('POST', '/api/messages/send', { token: 'line-token', body: { number, body: 'oi', queueId } })
    await inQueue(other.id, '5511940001001')
    await t.database.db
      .transaction(async (tx) => {
        await tx.insert(contacts).values({ companyId, name: 'x', number: '5511940001009' })
        throw new Error('undone')
      })
      .catch(() => undefined)
    const stranger = await t.eg.company()
    await t.eg.whatsapp(stranger.id, { token: 'their-token', isDefault: true })
    await t.call('POST', '/api/messages/send', { token: 'their-token', body: { number: '5511940001002', body: 'oi' } })
    await inQueue(queue.id, '5511940001003')
    await until(() => r.told.length > 0)
    expect(parsed().map(({ data }) => data.contact.number)).toEqual(['5511940001003'])
  })

  test('that is down is told everything when it is up again, under the same ids', async () => {
    const { id } = await make(['message.sent'])
    r.state.answer = () => new Response('down', { status: 503 })
    for (let i = 0; i < 5; i++) await send(`551194000200${i}`, `${i}`)
    await until(async () => (await deliveries()).filter(({ tries }) => tries === 1).length === 5)
    const ids = new Set(r.told.map((one) => one.id))
    // 5 s, 5 and 30 minutes, 2 hours: each try waits for its time.
    for (const [i, pause] of RETRIES_MS.slice(0, 3).entries()) {
      t.clock.advance(pause * 1.1 + 1_000)
      await until(async () => (await deliveries()).every(({ tries }) => tries === i + 2))
    }
    expect((await row(id)).failingSince).not.toBeNull()
    r.state.answer = () => new Response('ok')
    t.clock.advance(RETRIES_MS[3]! * 1.1 + 1_000)
    await until(async () => (await deliveries()).every(({ state }) => state === 'delivered'))
    expect(new Set(r.told.map((one) => one.id))).toEqual(ids)
    await until(async () => (await row(id)).failingSince === null)
    token = await t.login(email)
    const [first] = (await t.call('GET', `/webhooks/${id}/deliveries?limit=1`, { token })).body.records
    expect(first.attempts).toHaveLength(5)
    expect(first.attempts[0]).toMatchObject({ status: 503, answer: 'down' })
  })

  test('is left alone for as long as it asks, and is not followed elsewhere', async () => {
    await make(['message.sent'])
    r.state.answer = () => new Response('', { status: 429, headers: { 'retry-after': '3600' } })
    await send('5511940001835', 'oi')
    await until(async () => (await deliveries())[0]?.tries === 1)
    expect((await deliveries())[0]!.nextAt!.getTime()).toBeGreaterThanOrEqual(t.clock.now.getTime() + 3_600_000)
    r.state.answer = () => new Response('', { status: 302, headers: { location: `${r.url}/elsewhere` } })
    t.clock.advance(3_700_000)
    await until(async () => (await deliveries())[0]?.tries === 2)
    expect((await deliveries())[0]).toMatchObject({ state: 'waiting' })
    expect(r.told).toHaveLength(2)
  })

  test('that says 410, or fails for five days, is switched off, its admins hear of it, and can switch it on again', async () => {
    const gone = await make(['message.sent'])
    r.state.answer = () => new Response('', { status: 410 })
    await send('5511940001835', 'oi')
    await until(async () => !(await row(gone.id)).active)
    expect(await row(gone.id)).toMatchObject({ disabledReason: 'gone' })
    await t.call('DELETE', `/webhooks/${gone.id}`, { token })
    const { id } = await make(['message.sent'])
    r.state.answer = () => new Response('', { status: 500 })
    await send('5511940001835', 'um')
    await until(async () => (await row(id)).failingSince !== null)
    t.clock.advance(5 * 24 * 3_600_000)
    await until(async () => !(await row(id)).active)
    expect((await row(id)).disabledReason).toBe('failing')
    expect(t.emitted.filter(({ name, action }) => name === 'webhook' && action === 'disabled')).toMatchObject([
      { payload: { webhookId: gone.id, reason: 'gone' } },
      { payload: { webhookId: id, reason: 'failing' } },
    ])
    const letters = await t.database.db.select().from(jobs).where(eq(jobs.kind, 'mail.webhookOff'))
    expect(letters.map(({ payload }) => [payload.webhookId, payload.reason])).toEqual([
      [gone.id, 'gone'],
      [id, 'failing'],
    ])
    const sent: Letter[] = []
    const mailer = { send: async (letter: Letter) => void sent.push(letter), stop: () => undefined }
    const tellAdmin = webhookEffects({
      ...{ db: t.database.db, mailer, publicUrl: 'https://balcao.example', now: () => t.clock.now },
      wake: () => undefined,
    })['mail.webhookOff']
    for (const { payload } of letters) await tellAdmin(payload as never, { companyId } as never)
    expect(sent.map(({ to }) => to)).toEqual([email, email])
    expect(sent[1]!.text).toContain('https://balcao.example/webhooks')
    // What stands behind the host may be a secret.
    expect(sent[0]!.text).toContain(new URL(r.url).origin)
    expect(sent[0]!.text).not.toContain('/hook')
    token = await t.login(email)
    const waiting = (await deliveries()).filter(({ state }) => state === 'waiting')
    r.state.answer = () => new Response('ok')
    await t.call('PUT', `/webhooks/${id}`, { token, body: { active: true } })
    t.clock.advance(24 * 3_600_000)
    await until(async () => (await deliveries()).every(({ state }) => state !== 'waiting'))
    expect(waiting.length).toBe(1)
  })

  test('signs with both secrets for a day after a rotation', async () => {
    const { id, secret } = await make(['message.sent'])
    const rotated = (await t.call('POST', `/webhooks/${id}/rotate`, { token })).body.secret as string
    expect(rotated).not.toBe(secret)
    await send('5511940001835', 'um')
    await until(() => r.told.length === 1)
    for (const one of [secret, rotated]) new Webhook(one).verify(r.told[0]!.body, r.told[0]!.headers)
    t.clock.advance(24 * 3_600_000 + 1)
    await send('5511940001835', 'dois')
    await until(() => r.told.length === 2)
    expect(r.told[1]!.headers['webhook-signature']!.split(' ')).toHaveLength(1)
    expect(JSON.stringify((await t.call('GET', '/webhooks', { token })).body)).not.toContain('whsec_')
  })

  test('is tried, and told again one delivery or all of a time, as the same event', async () => {
    const { id } = await make(['message.sent'])
    const tried = (await t.call('POST', `/webhooks/${id}/test`, { token })).body
    await until(() => r.told.length === 1)
    expect([parsed()[0]!.type, r.told[0]!.id]).toEqual(['webhook.test', tried.eventId])
    await send('5511940001835', 'oi')
    await until(async () => (await deliveries()).every(({ state }) => state === 'delivered') && r.told.length === 2)
    await t.call('POST', `/webhooks/${id}/deliveries/${tried.id}/replay`, { token })
    await until(() => r.told.length === 3)
    expect(r.told[2]).toMatchObject({ id: tried.eventId, body: r.told[0]!.body })
    const from = new Date(t.clock.now.getTime() - 1_000).toISOString()
    const to = new Date(t.clock.now.getTime() + 1_000).toISOString()
    await until(async () => (await deliveries()).every(({ state }) => state === 'delivered'))
    const replay = await t.call('POST', `/webhooks/${id}/replay`, { token, body: { from, to } })
    expect(replay.body).toEqual({ replayed: 2, isMore: false })
    await until(() => r.told.length === 5)
  })

  test('has an address outside, of which a company has ten', async () => {
    for (const url of ['http://example.com/hook', 'https://10.0.0.1/x', 'https://[::1]/x']) {
      const { status, body } = await t.call('POST', '/webhooks', { token, body: { url, events: ['message.sent'] } })
      expect([url, status, body.error]).toEqual([url, 400, 'ERR_URL_FORBIDDEN'])
    }
    for (let i = 0; i < 10; i++) await make(['message.sent'])
    const more = await t.call('POST', '/webhooks', { token, body: { url: r.url, events: ['message.sent'] } })
    expect(more.body).toEqual({ error: 'ERR_WEBHOOK_LIMIT', limit: 10 })
    const agent = await t.eg.user(companyId)
    expect((await t.call('GET', '/webhooks', { token: await t.login(agent.email) })).status).toBe(403)
  })

  test('that is slow keeps no other waiting', async () => {
    const stuck: (() => void)[] = []
    r.state.answer = () => new Promise<Response>((done) => stuck.push(() => done(new Response('late'))))
    const slowOne = await make(['message.sent'])
    const quick = receiver()
    try {
      await t.call('POST', '/webhooks', { token, body: { url: quick.url, events: ['message.sent'] } })
      for (let i = 0; i < 60; i++) await send('5511940001835', `${i}`)
      await until(() => quick.told.length === 60)
      const late = (await deliveries()).filter(
        ({ webhookId, state }) => webhookId === slowOne.id && state === 'waiting',
      )
      expect(late).toHaveLength(60)
    } finally {
      r.state.answer = () => new Response('ok')
      for (const let_ of stuck) let_()
      await quick.stop()
    }
    await until(async () => (await deliveries()).every(({ state }) => state === 'delivered'))
    expect(new Set(r.told.map(({ id }) => id)).size).toBe(60)
  })
})

test('a ticket that is put aside and taken up, to which a supervisor is called, and that goes into another, is told as changed', async () => {
  await make(['ticket.updated'])
  const contact = await t.eg.contact(companyId)
  const of = { contactId: contact.id, whatsappId }
  const ticket = await t.eg.ticket(companyId, { ...of, status: 'pending' })
  const past = await t.eg.ticket(companyId, { ...of, status: 'closed' })
  const does = async (name: string, input: object) => {
    const body = { id: newId(), name, input }
    expect((await t.call('POST', '/commands', { token, body })).body.error).toBeUndefined()
  }
  const ticketId = ticket.id
  await does('tickets.snooze', { ticketId, until: null })
  await does('tickets.wake', { ticketId })
  await does('tickets.callSupervisor', { ticketId, note: 'Olha só' })
  await does('tickets.answerCall', { ticketId })
  await does('tickets.merge', { ticketId: past.id, intoId: ticketId })
  await until(() => r.told.length >= 5)
  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  const changes = parsed().map(({ type, data }) => [type, data.ticket.id, data.changes])
  expect(changes).toHaveLength(5)
  for (const told of [
    ['ticket.updated', ticketId, { snoozedUntil: [null, instant] }],
    ['ticket.updated', ticketId, { snoozedUntil: [instant, null] }],
    ['ticket.updated', ticketId, { supervisorCalledAt: [null, instant] }],
    ['ticket.updated', ticketId, { supervisorCalledAt: [instant, null] }],
    ['ticket.updated', past.id, { mergedIntoId: [null, ticketId] }],
  ])
    expect(changes).toContainEqual(told)
})

test('a rule tells one webhook of its own choice, once, whatever that one has chosen to hear', async () => {
  const hook = await make(['contact.erased'])
  const other = await make(['contact.erased'])
  const rule = { name: 'Cancelamento', trigger: 'messageIn', actions: [{ type: 'webhook', webhookId: hook.id }] }
  const made = await t.call('POST', '/rules', { token, body: rule })
  expect(made.status).toBe(200)
  const contact = await t.eg.contact(companyId)
  const ticket = await t.eg.ticket(companyId, { contactId: contact.id, whatsappId, status: 'pending' })
  const message = await t.eg.messageIn(ticket, { body: 'Quero cancelar' })
  const tell = webhookEffects({
    ...{ db: t.database.db, mailer: undefined, publicUrl: undefined, now: () => t.clock.now },
    wake: () => t.deps.webhooks.look(),
  })['webhooks.rule']
  const { id, name, version } = made.body
  const effect: EffectOf<'webhooks.rule'> = {
    ...({ kind: 'webhooks.rule' } as const),
    ...{ webhookId: hook.id, ticketId: ticket.id, eventId: 'event:1:0' },
    ...{ rule: { id, name, version, trigger: 'messageIn' as const }, messageId: message.id },
  }
  const context = { companyId, attempt: 1, last: false }
  await tell(effect, context)
  await tell(effect, context)
  await until(() => r.told.length > 0)
  await until(async () => (await deliveries()).every(({ state }) => state === 'delivered'))
  expect((await deliveries()).map(({ webhookId, type, eventId }) => [webhookId, type, eventId])).toEqual([
    [hook.id, 'rule.acted', 'event:1:0'],
  ])
  expect(parsed()[0]!.data).toMatchObject({
    rule: { id, name: 'Cancelamento', trigger: 'messageIn' },
    ...{ ticket: { id: ticket.id }, contact: { id: contact.id }, message: { id: message.id, body: 'Quero cancelar' } },
  })
  // One that is off is told nothing, and a stranger's is nobody's.
  await t.call('PUT', `/webhooks/${other.id}`, { token, body: { active: false } })
  await tell({ ...effect, webhookId: other.id, eventId: 'event:2:0' }, context)
  await tell({ ...effect, eventId: 'event:3:0' }, { ...context, companyId: (await t.eg.company()).id })
  expect(await deliveries()).toHaveLength(1)
})

test('each event of the list is written down where it happens, read for who is told, and explained in the integrator’s guide', async () => {
  const text = (path: string) => Bun.file(new URL(path, import.meta.url)).text()
  const [reads, guide] = await Promise.all(['webhooks.expand.ts', '../../docs/integrator.md'].map(text))
  const migrations = [...new Bun.Glob('*.sql').scanSync(migrationsFolder)]
  const triggers = (await Promise.all(migrations.map((name) => Bun.file(join(migrationsFolder, name)).text()))).join()
  // Of the others decisions say it.
  const caught = webhookEvents.filter((event) => causes[event] === 'by a trigger')
  expect(caught.filter((event) => !triggers.includes(`'${event}'`))).toEqual([])
  expect(webhookEvents.filter((event) => !reads!.includes(`'${aboutOf(event)}'`))).toEqual([])
  expect(webhookEvents.filter((event) => !guide!.includes(`\`${event}\``))).toEqual([])
})

test('the pauses between tries, and the end of them', () => {
  expect(Array.from({ length: 10 }, (_, i) => retryIn(i + 1, null, 0))).toEqual([...RETRIES_MS, null])
  expect(retryIn(1, 60_000, 0)).toBe(60_000)
  expect(retryIn(1, 10 ** 12, 0)).toBe(24 * 3_600_000)
  expect(retryIn(2, null, 1)).toBe(330_000)
})

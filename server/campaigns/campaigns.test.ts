import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { campaigns, shippings, type PlanCursor } from '../../schema/campaigns/campaigns.table.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { contactListItems, contactLists } from '../../schema/contact-lists/contact-lists.table.ts'
import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { newId } from '../../schema/ids.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import type { InboundAck, InboundMessage } from '../../schema/messages/messages.inbound.ts'
import type { OutgoingMessage } from '../../schema/messages/messages.content.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { optOuts } from '../../schema/opt-outs/opt-outs.table.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import { tags } from '../../schema/tags/tags.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { cannot } from '../../schema/whatsapps/whatsapps.providers.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { until } from '../../tests/support/stack.ts'
import type { Change } from '../commands/apply.ts'
import { fileListOptions, fileLists } from '../../schema/files/files.table.ts'
import { loadAccess } from '../auth/auth.queries.ts'
import { NotNow } from '../jobs/worker.ts'
import type { JobChannel } from '../channels/channel.port.ts'
import { messageEffects } from '../messages/messages.effects.ts'
import { optOutEffects } from '../opt-outs/opt-outs.effects.ts'
import { sendDueSchedules } from '../schedules/schedules.due.ts'
import { createReceiver } from '../tickets/receive.ts'
import { nextPeople } from './campaigns.audience.ts'
import { createCampaignReplies } from './campaigns.answers.ts'
import { planCampaigns, startDue } from './campaigns.plan.ts'
import { createSender } from './campaigns.sender.ts'
import { createBulkFacts } from './campaigns.settings.queries.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const numberOf = (n: number) => `55119${String(80_000_000 + n)}`
const textOf = (message: OutgoingMessage) => (message.content.type === 'text' ? message.content.text : '')

/** A company with a connection, a list, and the parts of the server that send and hear. */
async function office({
  people = 3,
  guard = false,
  settings = {},
}: {
  people?: number
  guard?: boolean
  settings?: object
} = {}) {
  const { db } = t.database
  const company = await t.eg.company()
  const admin = await t.eg.user(company.id, { profile: 'admin' })
  const token = await t.login(admin.email)
  const line = await t.eg.whatsapp(company.id, { isDefault: true, status: 'CONNECTED' })
  const [list] = await db.insert(contactLists).values({ companyId: company.id, name: 'Clientes' }).returning()
  const add = (from: number, count: number, values: Partial<typeof contactListItems.$inferInsert> = {}) =>
    db.insert(contactListItems).values(
      Array.from({ length: count }, (_, i) => ({
        ...{ companyId: company.id, contactListId: list!.id, name: `Pessoa ${from + i}`, number: numberOf(from + i) },
        ...{ key: numberKey(numberOf(from + i)), isWhatsappValid: true, checkedAt: t.clock.now, ...values },
      })),
    )
  if (people > 0) await add(1, people)
  const sent: OutgoingMessage[] = []
  const told: Change[] = []
  const world: {
    open: boolean
    held: Set<string>
    onSend(message: OutgoingMessage): Promise<unknown>
    onCheck?: (number: string) => Promise<{ number: string } | null>
  } = {
    open: true,
    held: new Set(),
    onSend: async () => undefined,
  }
  const bulk = createBulkFacts(db, 0)
  const make = () =>
    createSender({
      clear: () => Promise.resolve(),
      ...{ db, now: () => t.clock.now, log: t.deps.log, facts: t.deps.facts, bulk },
      openConnections: () => [line.id],
      send: async (message) => {
        if (!world.open) throw new NotNow('closed')
        sent.push(message)
        await world.onSend(message)
      },
      ahead: async () => undefined,
      held: async (_, wids) => new Set(wids.filter((wid) => world.held.has(wid))),
      checkNumber: (_, number) => world.onCheck?.(number) ?? t.sessions.checkNumber(line.id, number),
      fileContent: async () => ({ type: 'text', text: 'file' }),
      changed: () => undefined,
      committed: (changes) => void told.push(...changes),
    })
  let sender = make()
  const planning = { db, now: () => t.clock.now, log: t.deps.log, changed: () => undefined }
  const receive = createReceiver({
    ...{ db, now: () => t.clock.now, facts: t.deps.facts, committed: () => undefined },
    bulk: createCampaignReplies({ bulk, changed: () => undefined, poke: () => undefined }),
  })
  const own = { companyId: company.id, whatsappId: line.id }
  const ack = (wid: string, level: number, error: string | null = null) =>
    receive([{ ...own, kind: 'ack', wid, ack: level, error } as InboundAck])
  let wids = 0
  const write = async (n: number, text: string, fromMe = false) => {
    const event: InboundMessage = {
      ...own,
      ...{
        kind: 'message',
        wid: `IN${company.id}-${++wids}`,
        chat: { kind: 'person', number: numberOf(n), lid: null },
      },
      ...{
        participant: null,
        fromMe,
        chatName: `Pessoa ${n}`,
        sentAt: t.clock.now,
        quotedWid: null,
        offline: false,
      },
      content: { type: 'text', text },
    }
    await receive([event])
    return event
  }
  await t.call('POST', '/campaign-settings', {
    token,
    body: { settings: { messageInterval: 5, longerIntervalAfter: 0, greaterInterval: 0, ...settings } },
  })
  const campaign = (values: object = {}) =>
    t
      .call('POST', '/campaigns', {
        token,
        body: {
          ...{ name: 'Natal', message1: 'Oi {nome}!', whatsappId: line.id, contactListId: list!.id, bulkGuard: guard },
          ...values,
        },
      })
      .then(({ body }) => body as { id: number; status: string })
  const start = async (id: number) => {
    const reply = await t.call('POST', `/campaigns/${id}/start`, { token })
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
    await planCampaigns(planning)
  }
  /** Steps until nothing is to be done; each message gets its tick at once, unless told otherwise. */
  const run = async ({ most = 10_000, answer = (m: OutgoingMessage) => ack(m.wid, 2) as Promise<unknown> } = {}) => {
    for (let steps = 0, quiet = 0; steps < most; steps++) {
      const before = sent.length
      const step = await sender.step(line.id)
      for (const message of sent.slice(before)) await answer(message)
      if (step.kind !== 'wait') quiet = 0
      else if (step.at === null || ++quiet > 50) return
      else t.clock.now = new Date(Math.max(step.at.getTime(), t.clock.now.getTime() + 1))
    }
  }
  const rows = (id: number) => db.select().from(shippings).where(eq(shippings.campaignId, id)).orderBy(shippings.id)
  const stored = async (id: number) => (await db.select().from(campaigns).where(eq(campaigns.id, id)))[0]!
  return {
    ...{
      company,
      token,
      line,
      list: list!,
      add,
      sent,
      told,
      world,
      planning,
      ack,
      write,
      campaign,
      start,
      run,
      rows,
      stored,
      receive,
    },
    step: () => sender.step(line.id),
    /** Time has passed, and tokens run out. */
    login: () => t.login(admin.email),
    /** A new process: it remembers nothing. */
    async reborn() {
      sender = make()
      await sender.recover(line.id)
    },
  }
}

describe('a campaign', () => {
  test('sends each person one message, at its pace, never early; then it is over, and no ticket was made', async () => {
    const o = await office({ people: 10 })
    const { id, status } = await o.campaign({ message2: 'Olá {nome}', weights: [1, 1, 0, 0, 0] })
    expect(status).toBe('INATIVA')
    await o.start(id)
    const times: number[] = []
    o.world.onSend = async () => times.push(t.clock.now.getTime())
    await o.run()
    expect(new Set(o.sent.map((m) => (m.to.kind === 'person' ? m.to.number : ''))).size).toBe(10)
    expect(o.sent).toHaveLength(10)
    const gaps = times.slice(1).map((at, i) => at - times[i]!)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4_500)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(6_500)
    expect((await o.stored(id)).status).toBe('FINALIZADA')
    expect((await t.database.db.select().from(tickets).where(eq(tickets.companyId, o.company.id))).length).toBe(0)
    expect((await t.database.db.select().from(contacts).where(eq(contacts.companyId, o.company.id))).length).toBe(0)
    const report = (await t.call('GET', `/campaigns/${id}`, { token: o.token })).body.report
    expect(report).toMatchObject({ valid: 10, left: 10, counts: { sent: 10 } })
    expect(report.variants.reduce((n: number, v: { sent: number }) => n + v.sent, 0)).toBe(10)
    // For people in their words, on the clocks of the company; for programs as it is stored.
    await t.database.db.update(companies).set({ timeZone: 'America/Manaus' }).where(eq(companies.id, o.company.id))
    const [first, second] = (await o.rows(id)).sort((a, b) => a.id - b.id)
    const sentAt = new Date('2026-07-02T01:05:00Z')
    await t.database.db.update(shippings).set({ sentAt }).where(eq(shippings.id, first!.id))
    const left = { state: 'skipped', reason: 'opted_out' } as const
    await t.database.db.update(shippings).set(left).where(eq(shippings.id, second!.id))
    const sheet = async (query: string) => {
      const { body } = await t.call('GET', `/campaigns/${id}/export?format=csv${query}`, { token: o.token })
      const [header, ...lines] = String(body).trimStart().split('\r\n')
      const [one, other] = lines.map((line) => line.split(','))
      return [header, one![2], one![5], other![2], other![3]]
    }
    expect(await sheet('')).toEqual([
      'name,number,state,reason,message,sent,delivered,read,replied',
      ...['sent', '2026-07-02T01:05:00.000Z', 'skipped', 'opted_out'],
    ])
    expect(await sheet('&language=es')).toEqual([
      'nombre,número,estado,motivo,mensaje,enviado,entregado,leído,respondido',
      ...['Enviado', '01/07/2026 21:05', 'Quedó fuera', 'Pidió no recibir mensajes'],
    ])
    expect((await sheet('&language=pt')).slice(1)).toEqual([
      ...['Enviada', '01/07/2026 21:05', 'Ficou de fora', 'Pediu para não receber'],
    ])
  })

  test('that was due while nobody was there is picked up', async () => {
    const o = await office()
    const { id, status } = await o.campaign({ scheduledAt: new Date(t.clock.now.getTime() + 60_000).toISOString() })
    expect(status).toBe('PROGRAMADA')
    t.clock.advance(3 * 24 * 3_600_000)
    await startDue(o.planning)
    expect((await o.stored(id)).status).toBe('EM_ANDAMENTO')
  })

  test('stops within one message when it is cancelled, and goes on only with what was not delivered', async () => {
    const o = await office({ people: 8 })
    const { id } = await o.campaign()
    await o.start(id)
    o.world.onSend = async () => {
      if (o.sent.length === 3) await t.call('POST', `/campaigns/${id}/cancel`, { token: o.token })
    }
    await o.run()
    expect(o.sent).toHaveLength(3)
    expect((await o.rows(id)).filter(({ state }) => state === 'cancelled')).toHaveLength(5)
    expect((await t.call('POST', `/campaigns/${id}/pause`, { token: o.token })).body).toMatchObject({
      error: 'ERR_CAMPAIGN_STATE',
      status: 'CANCELADA',
    })
    expect((await t.call('POST', `/campaigns/${id}/restart`, { token: o.token })).body.status).toBe('EM_ANDAMENTO')
    await o.run()
    expect(new Set(o.sent.map(({ wid }) => wid)).size).toBe(8)
    expect((await o.stored(id)).status).toBe('FINALIZADA')
  })

  test('without a pause takes several at once: each is asked about again, and none leaves after a cancel or a SAIR', async () => {
    const o = await office({ people: 8, settings: { messageInterval: 0 } })
    const { id } = await o.campaign()
    await o.start(id)
    o.world.onSend = async ({ wid }) => {
      if (o.sent.length === 1) await o.write(5, 'SAIR')
      if (o.sent.length === 3) await t.call('POST', `/campaigns/${id}/cancel`, { token: o.token })
      await o.ack(wid, 2)
    }
    await o.run()
    // It hands over beside the steps.
    while ((await o.rows(id)).some(({ ack }) => ack === 1)) await Bun.sleep(5)
    const states = async () => Object.groupBy(await o.rows(id), ({ state }) => state)
    // One may be on its way when it is cancelled.
    expect(o.sent.length).toBeLessThanOrEqual(4)
    const stopped = await states()
    expect(stopped.sent).toHaveLength(o.sent.length)
    expect(stopped.cancelled).toHaveLength(7 - o.sent.length)
    expect(stopped.skipped?.map(({ number, reason }) => [number, reason])).toEqual([[numberOf(5), 'opted_out']])
    o.world.onSend = ({ wid }) => o.ack(wid, 2)
    await t.call('POST', `/campaigns/${id}/restart`, { token: o.token })
    while ((await o.stored(id)).status !== 'FINALIZADA') await o.run()
    expect(new Set(o.sent.map(({ wid }) => wid)).size).toBe(7)
    expect(o.sent).toHaveLength(7)
    expect((await o.rows(id)).every(({ attempts, state }) => attempts === 1 || state === 'skipped')).toBe(true)
  })

  test('that was stopped while the process was down sends nothing of what it had taken; what the link has is the link’s', async () => {
    const o = await office({ people: 8, settings: { messageInterval: 0 } })
    const { id } = await o.campaign()
    await o.start(id)
    // It dies with all of them taken and the first on its way.
    o.world.onSend = () => new Promise(() => undefined)
    await o.step()
    while (o.sent.length === 0) await Bun.sleep(1)
    const [first] = o.sent
    o.world.held.add(first!.wid)
    o.world.onSend = async () => undefined
    await t.call('POST', `/campaigns/${id}/pause`, { token: o.token })
    await o.reborn()
    expect(o.sent).toHaveLength(1)
    const left = await o.rows(id)
    expect(left.filter(({ state }) => state === 'planned')).toHaveLength(7)
    expect(left.find(({ wid }) => wid === first!.wid)).toMatchObject({ state: 'sent', ack: 1 })
    await o.ack(first!.wid, 2)
    o.world.onSend = ({ wid }) => o.ack(wid, 2)
    await t.call('POST', `/campaigns/${id}/resume`, { token: o.token })
    while ((await o.stored(id)).status !== 'FINALIZADA') await o.run()
    expect(o.sent).toHaveLength(8)
    expect(new Set(o.sent.map(({ wid }) => wid)).size).toBe(8)
  })

  test('makes no pause shorter by taking several at once', async () => {
    const o = await office({
      people: 12,
      settings: { messageInterval: 0, longerIntervalAfter: 5, greaterInterval: 60 },
    })
    const { id } = await o.campaign()
    await o.start(id)
    o.world.onSend = ({ wid }) => o.ack(wid, 2)
    while ((await o.stored(id)).status !== 'FINALIZADA') await o.run()
    const times = (await o.rows(id)).map(({ sentAt }) => sentAt!.getTime()).sort((a, b) => a - b)
    expect(times).toHaveLength(12)
    for (const n of [5, 10]) expect(times[n]! - times[n - 1]!).toBeGreaterThanOrEqual(54_000)
  })

  test('of which the process died after taking a message sends that one again under its id, and nobody twice', async () => {
    const o = await office({ people: 6 })
    const { id } = await o.campaign()
    await o.start(id)
    await o.run({ most: 4 })
    // The bytes were on their way when it died: whether they left nobody knows.
    o.world.onSend = () => new Promise(() => undefined)
    t.clock.advance(60_000)
    void o.step()
    const before = o.sent.length
    while (o.sent.length === before) await Bun.sleep(1)
    const lost = o.sent.at(-1)!
    o.world.onSend = async () => undefined
    await o.reborn()
    expect(o.sent.at(-1)!.wid).toBe(lost.wid)
    await o.ack(lost.wid, 2)
    await o.run()
    expect(new Set(o.sent.map(({ wid }) => wid)).size).toBe(6)
    expect((await o.rows(id)).every(({ state }) => state === 'sent')).toBe(true)
  })

  test('waits while its connection is closed, and makes no burst afterwards', async () => {
    const o = await office({ people: 4 })
    const { id } = await o.campaign()
    await o.start(id)
    o.world.open = false
    await o.step()
    expect(o.sent).toHaveLength(0)
    t.clock.advance(3_600_000)
    o.world.open = true
    await o.reborn()
    expect(o.sent).toHaveLength(1)
    await o.ack(o.sent[0]!.wid, 2)
    expect((await o.step()).kind).toBe('sent')
    await o.ack(o.sent[1]!.wid, 2)
    expect((await o.step()).kind).toBe('wait')
  })

  test('is stopped by a word of WhatsApp: after error 463 nothing more leaves, until a person says so', async () => {
    const o = await office({ people: 8 })
    const { id } = await o.campaign()
    const other = await o.campaign({ name: 'Outra' })
    await o.start(id)
    await o.start(other.id)
    await o.run({ answer: (m) => (o.sent.length === 5 ? o.ack(m.wid, 0, '463') : o.ack(m.wid, 2)) })
    expect(o.sent).toHaveLength(5)
    expect(await o.stored(id)).toMatchObject({ status: 'PAUSADA', pauseReason: 'refused' })
    expect(await o.stored(other.id)).toMatchObject({ status: 'PAUSADA', pauseReason: 'refused' })
    t.clock.advance(7 * 24 * 3_600_000)
    await o.reborn()
    expect((await o.step()).kind).toBe('wait')
    expect(o.sent).toHaveLength(5)
    expect((await t.call('POST', `/campaigns/${id}/resume`, { token: await o.login() })).body.status).toBe(
      'EM_ANDAMENTO',
    )
    await o.run()
    expect(o.sent).toHaveLength(8)
  })

  test('what it would do dry is what it does: opted out, without WhatsApp and doubled people are left out', async () => {
    const o = await office({ people: 165 })
    await o.add(1_001, 10, { isWhatsappValid: false })
    await o.add(2_001, 20)
    for (let n = 2_001; n <= 2_020; n++)
      await t.call('POST', '/opt-outs', { token: o.token, body: { number: numberOf(n) } })
    const [tag] = await t.database.db
      .insert(tags)
      .values({ companyId: o.company.id, name: 'vip', color: '#112233' })
      .returning()
    for (let n = 1; n <= 5; n++) {
      const contact = await t.eg.contact(o.company.id, { number: numberOf(n) })
      await t.eg.ticket(o.company.id, {
        contactId: contact.id,
        whatsappId: o.line.id,
        status: 'closed',
        tagIds: [tag!.id],
      })
    }
    const { id } = await o.campaign({ tagListId: tag!.id, message2: 'Olá {nome}, {desconto}' })
    const dry = (await t.call('POST', `/campaigns/${id}/dry-run`, { token: o.token })).body
    expect(dry).toMatchObject({
      willReceive: 165,
      skipped: { opted_out: 20, not_on_whatsapp: 10, duplicate: 5 },
    })
    expect(dry.warnings).toContainEqual({ code: 'missing', names: ['desconto'] })
    const begun = t.clock.now.getTime()
    await o.start(id)
    await o.run()
    expect(o.sent).toHaveLength(165)
    const stored = await o.stored(id)
    expect(stored.duplicates).toBe(5)
    const took = t.clock.now.getTime() - begun
    const foretold = new Date(dry.endsAt).getTime() - begun
    expect(Math.abs(took - foretold) / foretold).toBeLessThan(0.02)
    const drawn = Map.groupBy(await o.rows(id), (row) => (row.state === 'sent' ? row.messageIndex : -1))
    for (const { index, n } of dry.variants) expect(drawn.get(index)?.length).toBe(n)
  })

  test('over the official API says what it will cost at most, and of whom nobody knows the price', async () => {
    const o = await office({ people: 4 })
    await o.add(1, 1, { number: '351912345678', key: numberKey('351912345678') })
    const { id } = await o.campaign()
    const plan = async () => (await t.call('POST', `/campaigns/${id}/dry-run`, { token: o.token })).body
    expect(await plan()).toMatchObject({ willReceive: 5, cost: null })
    await t.database.sql`UPDATE whatsapps SET "provider" = 'official' WHERE "id" = ${o.line.id}`
    expect((await plan()).cost).toEqual({
      ...{ currency: 'BRL', category: 'marketing', micros: 4 * 321_700, unpriced: 1 },
    })
    await t.database
      .sql`WITH made AS (INSERT INTO templates ("companyId", "whatsappId", "metaId", "name", "language", "category",
        "confirmedCategory", "status", "parts") VALUES (${o.company.id}, ${o.line.id}, '1', 'aviso', 'pt_BR', 'UTILITY', 'UTILITY',
        'APPROVED', ${JSON.stringify({ header: null, body: 'Oi', footer: '', buttons: [], named: false })}::text::jsonb) RETURNING "id")
      UPDATE campaigns SET "templateId" = (SELECT "id" FROM made) WHERE "id" = ${id}`
    expect((await plan()).cost).toMatchObject({ category: 'utility', micros: 4 * 35_000, unpriced: 1 })
  })

  test('asks about numbers that nobody has asked about, before it writes to them', async () => {
    const o = await office({ people: 0 })
    await o.add(1, 2, { isWhatsappValid: null, checkedAt: null })
    // The fake of the sessions knows no number that ends like this.
    await o.add(20_000, 1, { isWhatsappValid: null, checkedAt: null })
    const { id } = await o.campaign()
    await o.start(id)
    await o.run()
    expect(o.sent).toHaveLength(2)
    expect((await o.rows(id)).map(({ state, reason }) => [state, reason])).toEqual([
      ['sent', null],
      ['sent', null],
      ['skipped', 'not_on_whatsapp'],
    ])
  })

  test('asks about a number in both spellings before it says that it has no WhatsApp', async () => {
    const o = await office({ people: 0 })
    const unknown = { isWhatsappValid: null, checkedAt: null }
    // Written without its ninth digit; WhatsApp knows the first only with it, the last only without, and one not at all.
    const [short, long, nobody] = ['551188887001', '5511988887002', '551188880000']
    for (const number of [short, long, nobody]) await o.add(1, 1, { ...unknown, number, key: numberKey(number!) })
    const known = new Map([
      ['5511988887001', '5511988887001'],
      ['551188887002', '551188887002'],
    ])
    const asked: string[] = []
    o.world.onCheck = async (number) => {
      asked.push(number)
      const found = known.get(number)
      return found === undefined ? null : { number: found }
    }
    const { id } = await o.campaign()
    await o.start(id)
    await o.run()
    expect(o.sent.map(({ to }) => to.kind === 'person' && to.number)).toEqual([...known.values()])
    expect(asked).toEqual([short!, '5511988887001', long!, '551188887002', nobody!, '5511988880000'])
    expect((await o.rows(id)).at(-1)).toMatchObject({ state: 'skipped', reason: 'not_on_whatsapp' })
  })

  test('goes to the numbers as they are where the wire cannot be asked, and notes nothing of them', async () => {
    const o = await office({ people: 0 })
    const number = '5511988887003'
    await o.add(1, 1, { ...{ isWhatsappValid: null, checkedAt: null }, number, key: numberKey(number) })
    o.world.onCheck = () => Promise.reject(cannot('checkNumber'))
    const { id } = await o.campaign()
    await o.start(id)
    await o.run()
    expect(o.sent.map(({ to }) => to.kind === 'person' && to.number)).toEqual([number])
    const [item] = await t.database.db.select().from(contactListItems).where(eq(contactListItems.number, number))
    expect(item).toMatchObject({ isWhatsappValid: null, checkedAt: null })
  })

  test('counts ticks, and files an answer with the message that it answers to', async () => {
    const o = await office({ people: 2 })
    const queue = await t.eg.queue(o.company.id)
    const { id } = await o.campaign({ replyQueueId: queue.id })
    await o.start(id)
    await o.run()
    const [first] = await o.rows(id)
    await o.ack(first!.wid!, 3)
    await o.ack(first!.wid!, 4)
    await o.write(1, 'Quanto custa?')
    const [row] = await o.rows(id)
    expect(row).toMatchObject({ state: 'replied' })
    expect(row!.readAt).not.toBeNull()
    const [ticket] = await t.database.db.select().from(tickets).where(eq(tickets.companyId, o.company.id))
    expect(ticket).toMatchObject({ id: row!.ticketId!, status: 'pending', queueId: queue.id, unreadMessages: 1 })
    const said = await t.database.db
      .select()
      .from(messages)
      .where(eq(messages.ticketId, ticket!.id))
      .orderBy(messages.createdAt)
    expect(said.map(({ body, fromMe }) => [body, fromMe])).toEqual([
      ['Oi Pessoa 1!', true],
      ['Quanto custa?', false],
    ])
    await o.write(1, 'Alô?')
    expect((await t.database.db.select().from(messages).where(eq(messages.ticketId, ticket!.id))).length).toBe(3)
  })

  test('asks the rules that answer campaigns, once for each message of one', async () => {
    const o = await office({ people: 1 })
    const { db } = t.database
    const { status } = await t.call('POST', '/rules', {
      token: o.token,
      body: {
        name: 'Resposta',
        active: true,
        trigger: 'campaignReply',
        actions: [{ type: 'note', note: 'Respondeu' }],
      },
    })
    expect(status).toBe(200)
    const { id } = await o.campaign()
    await o.start(id)
    await o.run()
    await o.write(1, 'Quanto custa?')
    await o.write(1, 'Alô?')
    const asked = await db
      .select({ payload: jobs.payload })
      .from(jobs)
      .where(and(eq(jobs.companyId, o.company.id), eq(jobs.kind, 'rules.ask')))
    const mine = and(eq(messages.companyId, o.company.id), eq(messages.body, 'Quanto custa?'))
    const [first] = await db.select().from(messages).where(mine)
    expect(asked.map(({ payload }) => (payload as { event: object }).event)).toMatchObject([
      { trigger: 'campaignReply', messageId: first!.id },
    ])
  })

  test('that asks first writes to who answers, and to nobody else', async () => {
    const o = await office({ people: 3 })
    const { id } = await o.campaign({ confirmation: true, confirmationMessage1: 'Posso mandar, {nome}?' })
    await o.start(id)
    await o.run({ most: 12 })
    expect(o.sent.map(textOf)).toEqual([
      'Posso mandar, Pessoa 1?',
      'Posso mandar, Pessoa 2?',
      'Posso mandar, Pessoa 3?',
    ])
    await o.write(2, 'pode')
    await o.write(3, 'SAIR')
    t.clock.advance(20_000)
    await o.run({ most: 6 })
    expect(o.sent.map(textOf).slice(3)).toEqual(['Oi Pessoa 2!'])
    expect((await o.rows(id)).map(({ state, reason }) => [state, reason])).toEqual([
      ['planned', null],
      ['sent', null],
      ['skipped', 'opted_out'],
    ])
    t.clock.advance(8 * 24 * 3_600_000)
    await o.run()
    expect(await o.stored(id)).toMatchObject({ status: 'FINALIZADA' })
  })

  test('is guarded, if its company wishes: by hours, by new chats a day, by how the last ones went', async () => {
    // A Friday, 19:59 in São Paulo.
    t.clock.now = new Date('2030-03-01T22:59:00Z')
    const o = await office({ people: 30, guard: true })
    const { id } = await o.campaign()
    await o.start(id)
    const days: string[] = []
    o.world.onSend = async () => days.push(t.clock.now.toISOString().slice(0, 10))
    await o.run()
    const perDay = Object.fromEntries([...Map.groupBy(days, (day) => day)].map(([day, all]) => [day, all.length]))
    // Of the minute that was left of Friday, of Saturday; Sunday is closed.
    expect(Object.keys(perDay)[0]).toBe('2030-03-01')
    expect(perDay['2030-03-03']).toBeUndefined()
    expect(perDay['2030-03-01']).toBeLessThanOrEqual(13)
    expect(o.sent).toHaveLength(30)

    t.clock.now = new Date('2030-03-05T13:00:00Z')
    const bad = await office({ people: 40, guard: true })
    const risky = await bad.campaign()
    await t.database
      .sql`INSERT INTO bulk_lines ("whatsappId", "companyId", "newChatCap") VALUES (${bad.line.id}, ${bad.company.id}, 500)`
    await bad.start(risky.id)
    await bad.run({
      answer: (m) => (bad.sent.length % 4 === 0 ? bad.ack(m.wid, 0, '479') : bad.ack(m.wid, 2)),
    })
    expect(await bad.stored(risky.id)).toMatchObject({ status: 'PAUSADA', pauseReason: 'rate_failed' })
    expect(bad.sent).toHaveLength(20)
  })
})

describe('questions that ask first', () => {
  /** A Tuesday, 10:00 in São Paulo. */
  const morning = new Date('2030-03-05T13:00:00Z')
  const asking = { confirmation: true, confirmationMessage1: 'Posso mandar, {nome}?' }
  const asked = async (values: { people: number; line?: object; settings?: object }) => {
    t.clock.now = morning
    const o = await office({ people: values.people, guard: true, settings: { messageInterval: 0, ...values.settings } })
    const put = { token: o.token, body: { newChatCap: 5, ...values.line } }
    expect((await t.call('PUT', `/campaign-settings/lines/${o.line.id}`, put)).status).toBe(200)
    const { id } = await o.campaign(asking)
    const report = async () => (await t.call('GET', `/campaigns/${id}`, { token: await o.login() })).body.report
    /** Until something is waited for, or nobody is left whose turn it is. */
    const serve = async () => {
      for (let waits = 0; waits < 2; ) {
        const before = o.sent.length
        const step = await o.step()
        if (step.kind === 'sent') while (o.sent.length === before) await Bun.sleep(1)
        for (const message of o.sent.slice(before)) await o.ack(message.wid, 2)
        waits = step.kind === 'wait' ? waits + 1 : 0
      }
    }
    return { ...o, id, report, serve }
  }

  test('count as new chats of the day; who says yes is none, and is served at once', async () => {
    const o = await asked({ people: 8 })
    await o.start(o.id)
    await o.serve()
    expect(o.sent).toHaveLength(5)
    const tomorrow = '2030-03-06T03:00:00.000Z'
    expect((await o.report()).waiting).toEqual([
      { reason: 'new_chats', n: 3, until: tomorrow },
      { reason: 'answer', n: 5, until: '2030-03-12T13:00:00.000Z' },
    ])
    await o.write(3, 'pode')
    t.clock.advance(20_000)
    await o.serve()
    expect(o.sent.map(textOf).slice(5)).toEqual(['Oi Pessoa 3!'])
    const [line] = (await t.call('GET', '/campaign-settings/lines', { token: await o.login() })).body.records
    expect(line).toMatchObject({ sentToday: 6, newToday: 5 })
    t.clock.now = new Date('2030-03-06T13:00:00Z')
    await o.serve()
    expect(o.sent).toHaveLength(9)
  })

  test('are followed by what was asked about: it stands in the ticket as it leaves, with all its files', async () => {
    const o = await asked({ people: 1 })
    const { db } = t.database
    const { id: companyId } = o.company
    const [list] = await db.insert(fileLists).values({ companyId, name: 'Catálogo', message: 'Veja' }).returning()
    const file = { companyId, fileListId: list!.id, mediaMime: 'application/pdf' }
    await db.insert(fileListOptions).values([
      { ...file, name: 'Preços', position: 0, mediaPath: `${companyId}/precos`, mediaName: 'precos.pdf' },
      { ...file, name: 'Cores', position: 1, mediaPath: `${companyId}/cores`, mediaName: 'cores.pdf' },
    ])
    const put = await t.call('PUT', `/campaigns/${o.id}`, {
      ...{ token: o.token, body: { fileListId: list!.id, answersOpenTickets: true } },
    })
    expect(put.body).toMatchObject({ answersOpenTickets: true })
    await o.start(o.id)
    await o.serve()
    t.clock.advance(1_000)
    await o.write(1, 'quero')
    t.clock.advance(20_000)
    await o.serve()
    const said = await db.select().from(messages).where(eq(messages.companyId, companyId)).orderBy(messages.createdAt)
    expect(said.map(({ body, mediaName, fromMe }) => [body, mediaName, fromMe])).toEqual([
      ['Posso mandar, Pessoa 1?', null, true],
      ['quero', null, false],
      ['Veja', 'precos.pdf', true],
      ['Cores', 'cores.pdf', true],
      ['Oi Pessoa 1!', null, true],
    ])
    // Each has its tick, for the phone tells them by the same ids.
    expect(said.slice(2).map(({ wid, ack }) => [wid, ack])).toEqual(o.sent.slice(1).map(({ wid }) => [wid, 2]))
    const [ticket] = await db.select().from(tickets).where(eq(tickets.companyId, companyId))
    expect(ticket).toMatchObject({ lastMessage: 'Oi Pessoa 1!', lastMessageFromMe: true, unreadMessages: 1 })
    expect(o.told.filter(({ table }) => table === 'messages')).toHaveLength(3)
    // Nothing stands twice when they write again.
    await o.write(1, 'Obrigada')
    expect(await db.$count(messages, eq(messages.companyId, companyId))).toBe(6)
  })

  const ticketsOf = (o: { company: { id: number } }) =>
    t.database.db.select().from(tickets).where(eq(tickets.companyId, o.company.id))
  const saidIn = async (o: { company: { id: number } }) =>
    (
      await t.database.db
        .select()
        .from(messages)
        .where(eq(messages.companyId, o.company.id))
        .orderBy(messages.createdAt, messages.id)
    ).map(({ body, fromMe }) => [body, fromMe])

  test('[M13, M14] make no ticket by a yes or a no; what was asked and answered stands in the one that comes', async () => {
    const o = await asked({ people: 4, line: { newChatCap: 500 } })
    await o.start(o.id)
    await o.serve()
    t.clock.advance(1_000)
    const yes = await o.write(1, 'Sim!')
    await o.write(2, 'Não, obrigado')
    expect(await ticketsOf(o)).toEqual([])
    // WhatsApp tells it a second time.
    await o.receive([yes])
    expect(await ticketsOf(o)).toEqual([])
    t.clock.advance(20_000)
    await o.serve()
    expect(o.sent.map(textOf).slice(4)).toEqual(['Oi Pessoa 1!'])
    expect((await o.rows(o.id)).map(({ state, reason }) => [state, reason])).toEqual([
      ...[
        ['sent', null],
        ['skipped', 'declined'],
      ],
      ...[
        ['planned', null],
        ['planned', null],
      ],
    ])
    expect(await ticketsOf(o)).toEqual([])
    // They speak: a ticket, and all that was said until then in its order.
    t.clock.advance(60_000)
    await o.write(1, 'Quanto custa?')
    expect(await saidIn(o)).toEqual([
      ['Posso mandar, Pessoa 1?', true],
      ['Sim!', false],
      ['Oi Pessoa 1!', true],
      ['Quanto custa?', false],
    ])
    expect(await ticketsOf(o)).toMatchObject([{ status: 'pending', unreadMessages: 1, lastMessage: 'Quanto custa?' }])
    await o.receive([yes])
    expect(await saidIn(o)).toHaveLength(4)
    await o.write(2, 'Mas me liga amanhã')
    expect((await saidIn(o)).slice(-1)).toEqual([['Mas me liga amanhã', false]])
    expect((await saidIn(o)).map(([body]) => body)).toContain('Não, obrigado')
    expect((await o.rows(o.id))[1]).toMatchObject({ state: 'skipped', reason: 'declined' })
    expect(await ticketsOf(o)).toHaveLength(2)
  })

  test('[M13] whoever answers neither yes nor no is a person who speaks, and gets the message in their ticket', async () => {
    const o = await asked({ people: 3, line: { newChatCap: 500 } })
    await o.start(o.id)
    await o.serve()
    await o.write(1, 'Quem é?')
    await o.write(2, 'Não sei quem é')
    const [one, two] = await o.rows(o.id)
    expect(one).toMatchObject({ state: 'planned', confirmedAt: t.clock.now })
    expect(two).toMatchObject({ state: 'skipped', reason: 'declined' })
    expect((await ticketsOf(o)).map(({ id }) => id)).toEqual([one!.ticketId!, two!.ticketId!])
    // Their yes in a ticket that is open is filed there.
    const before = (await saidIn(o)).length
    await o.write(2, 'sim')
    expect(await saidIn(o)).toHaveLength(before + 1)
    expect(await ticketsOf(o)).toHaveLength(2)
  })

  test('[M14] who writes between the yes and the message has both in the ticket', async () => {
    const o = await asked({ people: 1 })
    await o.start(o.id)
    await o.serve()
    t.clock.advance(1_000)
    await o.write(1, 'pode')
    t.clock.advance(1)
    await o.write(1, 'é hoje?')
    t.clock.advance(20_000)
    await o.serve()
    expect(await saidIn(o)).toEqual([
      ['Posso mandar, Pessoa 1?', true],
      ['pode', false],
      ['é hoje?', false],
      ['Oi Pessoa 1!', true],
    ])
  })

  test('[M13] a yes to what an agent said since is for the agent', async () => {
    const o = await asked({ people: 1 })
    await o.start(o.id)
    await o.serve()
    t.clock.advance(1_000)
    await o.write(1, 'Marcamos às 9?', true)
    const { db } = t.database
    const closed = { status: 'closed', updatedAt: new Date(0) } as const
    await db.update(tickets).set(closed).where(eq(tickets.companyId, o.company.id))
    t.clock.advance(1_000)
    await o.write(1, 'sim')
    expect((await saidIn(o)).slice(-1)).toEqual([['sim', false]])
    expect((await ticketsOf(o)).map(({ status }) => status)).toContain('pending')
  })

  test('[M13] a yes to a paused campaign counts', async () => {
    const o = await asked({ people: 1 })
    await o.start(o.id)
    await o.serve()
    expect((await t.call('POST', `/campaigns/${o.id}/pause`, { token: o.token })).status).toBe(200)
    await o.write(1, 'sim')
    expect(await ticketsOf(o)).toEqual([])
    expect((await o.rows(o.id))[0]).toMatchObject({ state: 'planned', confirmedAt: t.clock.now })
  })

  test('come after the yes of another campaign', async () => {
    const o = await asked({ people: 3, line: { newChatCap: 500 }, settings: { messageInterval: 5 } })
    const second = await o.campaign({ ...asking, message1: 'Segunda' })
    await o.start(second.id)
    await o.serve()
    expect(o.sent).toHaveLength(1)
    await o.write(1, 'sim')
    await o.start(o.id)
    t.clock.advance(20_000)
    await o.serve()
    expect(o.sent.map(textOf).at(-1)).toBe('Segunda')
  })

  test('count in the messages of a day, and the report says until when it waits', async () => {
    const o = await asked({ people: 8, line: { newChatCap: 500, dailyCap: 4 } })
    await o.start(o.id)
    await o.serve()
    expect(o.sent).toHaveLength(4)
    expect((await o.report()).waiting[0]).toEqual({ reason: 'daily_cap', n: 4, until: '2030-03-06T03:00:00.000Z' })
    t.clock.now = new Date('2030-03-06T09:00:00Z')
    expect((await o.report()).waiting[0]).toMatchObject({ reason: 'hours', n: 4 })
  })

  test('count where they fail, and where their answer is that nothing more is wanted', async () => {
    const failing = await asked({ people: 40, line: { newChatCap: 500 } })
    await failing.start(failing.id)
    for (let n = 0; n < 60; n++) {
      const before = failing.sent.length
      if ((await failing.step()).kind === 'sent') while (failing.sent.length === before) await Bun.sleep(1)
      for (const { wid } of failing.sent.slice(before))
        await (failing.sent.length % 4 === 0 ? failing.ack(wid, 0, '479') : failing.ack(wid, 2))
    }
    expect(await failing.stored(failing.id)).toMatchObject({ status: 'PAUSADA', pauseReason: 'rate_failed' })
    expect(failing.sent).toHaveLength(20)

    const leaving = await asked({ people: 30, line: { newChatCap: 20 } })
    await leaving.start(leaving.id)
    await leaving.serve()
    for (const n of [4, 5]) await leaving.write(n, 'SAIR')
    expect(await leaving.report()).toMatchObject({ optedOut: 2 })
    t.clock.now = new Date('2030-03-06T13:00:00Z')
    await leaving.serve()
    expect(await leaving.stored(leaving.id)).toMatchObject({ status: 'PAUSADA', pauseReason: 'rate_opted_out' })
    expect(leaving.sent).toHaveLength(20)
  })

  test('that reach no phone for a day stop what guards its number', async () => {
    const o = await asked({ people: 30, line: { newChatCap: 20 } })
    await o.start(o.id)
    await o.serve()
    for (const { confirmationWid } of (await o.rows(o.id)).slice(0, 6)) await o.ack(confirmationWid!, 3)
    t.clock.now = new Date('2030-03-06T14:00:00Z')
    await o.serve()
    expect(await o.stored(o.id)).toMatchObject({ status: 'PAUSADA', pauseReason: 'rate_undelivered' })
  })

  test('are planned apart from the messages that follow a yes', async () => {
    const o = await asked({ people: 8 })
    const dry = (await t.call('POST', `/campaigns/${o.id}/dry-run`, { token: o.token })).body
    const perDay = (days: { n: number; answered: number }[]) => days.map(({ n, answered }) => [n, answered])
    expect(dry).toMatchObject({ willReceive: 8, sends: { questions: 8, messages: 8 } })
    expect([perDay(dry.days), perDay(dry.ifAllAnswer.days)]).toEqual([
      [
        [5, 0],
        [3, 0],
      ],
      [
        [10, 5],
        [6, 3],
      ],
    ])
    const plain = await o.campaign()
    expect((await t.call('POST', `/campaigns/${plain.id}/dry-run`, { token: o.token })).body).toMatchObject({
      ...{ sends: { questions: 0, messages: 8 }, ifAllAnswer: null },
    })
  })
})

describe('who wants no more messages', () => {
  test('says so with a word: gets one confirmation, no ticket, and nothing of any campaign; and comes back', async () => {
    const o = await office({ people: 4 })
    const { id } = await o.campaign()
    await o.start(id)
    await o.run({ most: 3 })
    const event = await o.write(4, ' Sair!! ')
    await o.receive([event])
    await o.write(4, 'parar')
    const said = () => t.database.db.select().from(jobs).where(eq(jobs.companyId, o.company.id))
    expect((await said()).filter(({ kind }) => kind === 'campaigns.say')).toHaveLength(1)
    expect((await t.database.db.select().from(tickets).where(eq(tickets.companyId, o.company.id))).length).toBe(0)
    await o.run()
    expect(o.sent.map((m) => (m.to.kind === 'person' ? m.to.number : ''))).not.toContain(numberOf(4))
    expect((await o.rows(id)).at(-1)).toMatchObject({ state: 'skipped', reason: 'opted_out' })
    await o.write(4, 'voltar')
    const [row] = await t.database.db.select().from(optOuts).where(eq(optOuts.companyId, o.company.id))
    expect(row!.revokedAt).not.toBeNull()
    // Redelivered, the old word takes nobody out again.
    await o.receive([event])
    expect((await t.database.db.select().from(optOuts).where(eq(optOuts.companyId, o.company.id))).length).toBe(1)
  })

  test('with signs that no text holds says it all the same', async () => {
    const o = await office({ people: 1 })
    await o.start((await o.campaign()).id)
    await o.run()
    await o.write(1, 'SAIR\u0000')
    expect(await t.database.db.select().from(optOuts).where(eq(optOuts.companyId, o.company.id))).toMatchObject([
      { text: 'SAIR' },
    ])
  })

  test('in a conversation with an agent the word is only a word', async () => {
    const o = await office({ people: 1 })
    await o.start((await o.campaign()).id)
    await o.run()
    await o.write(1, 'oi')
    t.clock.advance(60_000)
    const [ticket] = await t.database.db.select().from(tickets).where(eq(tickets.companyId, o.company.id))
    await t.eg.messageIn(ticket!, { body: 'Bom dia', fromMe: true, createdAt: t.clock.now })
    t.clock.advance(60_000)
    await o.write(1, 'sair')
    expect(await t.database.db.select().from(optOuts).where(eq(optOuts.companyId, o.company.id))).toEqual([])
    expect((await t.call('GET', `/opt-outs`, { token: o.token })).body.records).toEqual([])
  })

  test('are noted by hand and from a sheet, and let in again only for a reason', async () => {
    const o = await office({ people: 0 })
    const { token } = o
    const made = await t.call('POST', '/opt-outs', { token, body: { number: '5511912345678' } })
    expect(made.body).toMatchObject({ source: 'hand' })
    expect((await t.call('POST', '/opt-outs', { token, body: { number: '551134567801' } })).body.error).toBeUndefined()
    expect((await t.call('POST', '/opt-outs', { token, body: { number: '5511912345678' } })).body.error).toBe(
      'ERR_OPTED_OUT',
    )
    const form = new FormData()
    form.set('file', new Blob(['number\n5511912345678\n5511987651234\n12\n']), 'a.csv')
    const lines = await t.call('POST', '/opt-outs/import', { token, form })
    expect(String(lines.body)).toContain('"outcome":"created"')
    // However it is written: without Argentina's 9, without Mexico's 1, and each of two numbers of one person.
    const others = new FormData()
    const file = 'number\n+54 11 5123-9001\n+52 55 1234 9001\n551188889001.0\n11 94120-9001 ::: 11 94120-9002\n'
    others.set('file', new Blob([file]), 'b.csv')
    await t.call('POST', '/opt-outs/import', { token, form: others })
    const { whatsapp } = t.eg
    const line = await whatsapp(o.company.id, { token: `opt-${o.company.id}`, status: 'CONNECTED' })
    for (const number of ['5491151239001', '5215512349001', '5511988889001', '5511941209001', '5511941209002']) {
      const body = { number, body: 'Promoção', bulk: true }
      expect(await t.call('POST', '/api/messages/send', { token: line.token, body })).toMatchObject({ status: 409 })
    }
    expect((await t.call('DELETE', `/opt-outs/${made.body.id}`, { token, body: {} })).status).toBe(400)
    const gone = await t.call('DELETE', `/opt-outs/${made.body.id}`, { token, body: { reason: 'Pediu por telefone' } })
    expect(gone.body.reason).toBe('Pediu por telefone')
  })
})

test('the database knows who a number is as the product does', async () => {
  const numbers = ['5511988887001', '551188887001', '5511941207001', '5491151237001', '541151237001', '5215512347001']
  for (const number of [...numbers, '525512347001', '34986123456', '553486123456', '351912345678']) {
    const [row] = await t.database.sql`SELECT number_key(${number}) AS key`
    expect(row).toEqual({ key: numberKey(number) })
  }
})

describe('messages to many that are no campaign', () => {
  const byProgram = (o: Awaited<ReturnType<typeof office>>, n: number, bulk = true) =>
    t.call('POST', '/api/messages/send', { token: o.line.token, body: { number: numberOf(n), body: 'Promoção', bulk } })

  test('reach nobody who wants none: a program is refused, a schedule fails, an agent is warned and not stopped', async () => {
    const o = await office({ people: 0 })
    const contact = await t.eg.contact(o.company.id, { number: numberOf(1) })
    const ticket = await t.eg.ticket(o.company.id, { contactId: contact.id, whatsappId: o.line.id, status: 'open' })
    const state = () => t.call('GET', `/opt-outs/of/${contact.id}`, { token: o.token })
    expect((await state()).body).toEqual({ optedOut: false })
    // An agent notes it in the ticket, offline or not.
    const noted = { id: newId(), name: 'optOuts.note', input: { ticketId: ticket.id } }
    expect((await t.call('POST', '/commands', { token: o.token, body: noted })).status).toBe(200)
    const note = optOutEffects({ db: t.database.db, events: t.events, now: () => t.clock.now })['optOuts.note']
    const [job] = await t.database.db
      .select()
      .from(jobs)
      .where(and(eq(jobs.companyId, o.company.id), eq(jobs.kind, 'optOuts.note')))
    const payload = { kind: 'optOuts.note' as const, ...(job!.payload as { contactId: number; userId: number }) }
    // Twice does no harm.
    for (let i = 0; i < 2; i++) await note(payload, { companyId: o.company.id } as never)
    expect((await state()).body).toEqual({ optedOut: true })

    expect(await byProgram(o, 1)).toMatchObject({ status: 409, body: { error: 'ERR_OPTED_OUT' } })
    expect((await byProgram(o, 1, false)).status).toBe(200)
    expect((await byProgram(o, 2)).status).toBe(200)

    const sendAt = new Date(t.clock.now.getTime() + 60_000).toISOString()
    for (const [bulk, body] of [
      [true, 'Promoção de Natal'],
      [false, 'A sua encomenda'],
    ] as const)
      await t.call('POST', '/schedules', {
        token: o.token,
        body: { contactId: contact.id, body, sendAt, bulk, whatsappId: o.line.id },
      })
    t.clock.advance(120_000)
    const settled = await sendDueSchedules({
      ...{ db: t.database.db, now: () => t.clock.now, facts: t.deps.facts, committed: () => undefined },
      principalOf: async (tx, userId) => (await loadAccess(tx, userId))?.who,
    })
    expect(settled).toBe(2)
    const rows = await t.database.db.select().from(schedules).where(eq(schedules.companyId, o.company.id))
    expect(rows.map(({ bulk, status, error }) => [bulk, status, error]).sort()).toEqual([
      [false, 'ENVIADA', null],
      [true, 'ERRO', 'ERR_OPTED_OUT'],
    ])
  })

  test('stop, with the campaigns, when WhatsApp refuses one of them; a person lets them go on, and agents are never held', async () => {
    const o = await office({ people: 3 })
    const { db } = t.database
    const { id } = await o.campaign()
    await o.start(id)
    expect((await byProgram(o, 201)).status).toBe(200)
    const second = await byProgram(o, 202)
    const due = async (bulk: boolean) => {
      const contact = await t.eg.contact(o.company.id, { number: numberOf(bulk ? 301 : 302) })
      const sendAt = new Date(t.clock.now.getTime() + 60_000).toISOString()
      const body = { contactId: contact.id, body: 'Promoção', sendAt, bulk, whatsappId: o.line.id }
      const made = await t.call('POST', '/schedules', { token: o.token, body })
      expect(made.status).toBe(200)
    }
    const wids = await db
      .select({ id: messages.id, wid: messages.wid })
      .from(messages)
      .where(and(eq(messages.companyId, o.company.id), eq(messages.fromMe, true)))
      .orderBy(messages.createdAt, messages.id)
    await o.ack(wids[0]!.wid!, 0, '463')
    expect(await o.stored(id)).toMatchObject({ status: 'PAUSADA', pauseReason: 'refused' })

    // What is new is refused, and what is written does not leave.
    expect(await byProgram(o, 203)).toMatchObject({
      status: 409,
      body: { error: 'ERR_BULK_STOPPED', reason: 'refused' },
    })
    const plain = await byProgram(o, 204, false)
    expect(plain.status).toBe(200)
    const left: string[] = []
    const send = messageEffects({
      ...{ db, media: t.deps.media, tools: undefined as never, maxMediaBytes: 1, now: () => t.clock.now },
      channel: {
        send: async ({ messageId }: OutgoingMessage) => void left.push(messageId),
      } as unknown as JobChannel,
      committed: () => undefined,
    })['whatsapp.send']
    const context = { companyId: o.company.id, attempt: 1, last: false }
    const leave = (reply: { body: { id: string } }) =>
      send({ kind: 'whatsapp.send', messageId: reply.body.id, whatsappId: o.line.id, chat: 0 }, context)
    await leave(second as { body: { id: string } })
    await leave(plain as { body: { id: string } })
    expect(left).toEqual([plain.body.id])
    const [failed] = await db.select().from(messages).where(eq(messages.id, second.body.id))
    expect(failed).toMatchObject({ ack: 0, ackError: 'bulk_stopped' })

    for (const bulk of [true, false]) await due(bulk)
    t.clock.advance(120_000)
    const settle = () =>
      sendDueSchedules({
        ...{ db, now: () => t.clock.now, facts: t.deps.facts, committed: () => undefined },
        principalOf: async (tx, userId) => (await loadAccess(tx, userId))?.who,
      })
    expect(await settle()).toBe(2)
    const rows = await db.select().from(schedules).where(eq(schedules.companyId, o.company.id))
    expect(rows.map(({ bulk, status, error }) => [bulk, status, error]).sort()).toEqual([
      [false, 'ENVIADA', null],
      [true, 'ERRO', 'ERR_BULK_STOPPED'],
    ])

    const lines = async () => (await t.call('GET', '/campaign-settings/lines', { token: o.token })).body.records
    expect(await lines()).toMatchObject([{ stopReason: 'refused' }])
    const on = { token: o.token, body: { stopped: false } }
    expect((await t.call('PUT', `/campaign-settings/lines/${o.line.id}`, on)).status).toBe(200)
    expect(await lines()).toMatchObject([{ stopReason: null, dailyCap: null }])
    expect((await byProgram(o, 203)).status).toBe(200)
    // Campaigns are resumed one by one.
    expect((await o.stored(id)).status).toBe('PAUSADA')
  })

  test('share the caps of their connection with its campaigns', async () => {
    t.clock.now = new Date('2030-03-12T13:00:00Z')
    const o = await office({ people: 8, guard: true })
    await t.call('PUT', `/campaign-settings/lines/${o.line.id}`, {
      token: o.token,
      body: { newChatCap: 10, dailyCap: 5 },
    })
    for (let n = 101; n <= 103; n++) expect((await byProgram(o, n)).status).toBe(200)
    await byProgram(o, 104, false)
    const [line] = (await t.call('GET', '/campaign-settings/lines', { token: o.token })).body.records
    expect(line).toMatchObject({ dailyCap: 5, mostToday: 5, sentToday: 3, newToday: 3, mostNewToday: 10 })
    const { id } = await o.campaign()
    const { days } = (await t.call('POST', `/campaigns/${id}/dry-run`, { token: o.token })).body
    expect(days.map(({ n }: { n: number }) => n)).toEqual([2, 5, 1])
    await o.start(id)
    const sentOn: string[] = []
    o.world.onSend = async () => sentOn.push(t.clock.now.toISOString().slice(0, 10))
    await o.run()
    expect([...Map.groupBy(sentOn, (day) => day).values()].map((all) => all.length)).toEqual([2, 5, 1])
  })

  test('are what a word to leave answers to', async () => {
    const o = await office({ people: 0 })
    await byProgram(o, 1)
    t.clock.advance(60_000)
    await o.write(1, 'SAIR')
    const [row] = await t.database.db.select().from(optOuts).where(eq(optOuts.companyId, o.company.id))
    expect(row).toMatchObject({ source: 'word', number: numberOf(1), revokedAt: null })
    expect(await byProgram(o, 1)).toMatchObject({ status: 409 })
  })
})

test('programs note who wants no messages, read it as it changes, and take it back for a reason', async () => {
  const o = await office({ people: 0 })
  const made = await t.call('POST', '/api-keys', {
    token: o.token,
    body: { name: 'CRM', scopes: ['contacts:read', 'contacts:write'] },
  })
  const token = made.body.key as string
  const out = await t.call('POST', '/api/v1/opt-outs', { token, body: { number: numberOf(7), text: 'Pediu na loja' } })
  expect(out).toMatchObject({ status: 201, body: { source: 'api', number: numberOf(7), revokedAt: null } })
  const again = await t.call('POST', '/api/v1/opt-outs', { token, body: { number: numberOf(7) } })
  expect(again).toMatchObject({ status: 200, body: { id: out.body.id } })
  // A list with a cursor tells a change only when no older transaction of this whole Postgres is open.
  type Page = { records: unknown[]; nextCursor: string }
  const read = (query: string) => async () => (await t.call('GET', `/api/v1/opt-outs${query}`, { token })).body as Page
  const told = ({ records }: Page) => records.length === 1
  const page = await until('the opt-out', read(''), told)
  const back = await t.call('DELETE', `/api/v1/opt-outs/${out.body.id}`, { token, body: { reason: 'Pediu de novo' } })
  expect(back.body).toMatchObject({ reason: 'Pediu de novo' })
  const next = await until('its taking back', read(`?cursor=${page.nextCursor}`), told)
  expect(next.records).toMatchObject([{ id: out.body.id, reason: 'Pediu de novo' }])
})

test('what may be written of a campaign follows from its stored row', async () => {
  const o = await office()
  const { id } = await o.campaign()
  const put = (body: object) => t.call('PUT', `/campaigns/${id}`, { token: o.token, body })
  const soon = new Date(t.clock.now.getTime() + 50 * 60_000).toISOString()
  expect((await put({ name: 'Outro nome', scheduledAt: soon, status: 'FINALIZADA' })).body.status).toBe('PROGRAMADA')
  expect((await put({ name: 'Tarde' })).body.error).toBe('ERR_CAMPAIGN_STATE')
  await t.call('POST', `/campaigns/${id}/cancel`, { token: o.token })
  expect((await put({ name: 'Não', message1: 'Novo texto' })).body).toMatchObject({
    name: 'Outro nome',
    message1: 'Novo texto',
    status: 'CANCELADA',
  })
  await t.call('POST', `/campaigns/${id}/restart`, { token: o.token })
  expect((await t.call('DELETE', `/campaigns/${id}`, { token: o.token })).body.error).toBe('ERR_CAMPAIGN_RUNNING')
  const agent = await t.eg.user(o.company.id)
  expect((await t.call('GET', '/campaigns', { token: await t.login(agent.email) })).body.error).toBe(
    'ERR_NO_PERMISSION',
  )
})

test('a date that has passed is refused where it is written, and begins nothing', async () => {
  const o = await office()
  const at = (ms: number) => new Date(t.clock.now.getTime() + ms).toISOString()
  const refused = { error: 'ERR_CAMPAIGN_DATE' }
  expect(await o.campaign({ scheduledAt: at(-120_000) })).toMatchObject(refused)
  expect(await o.campaign({ scheduledAt: '2020-01-01 09:00:00' })).toMatchObject(refused)
  expect(await t.database.db.$count(campaigns, eq(campaigns.companyId, o.company.id))).toBe(0)
  // Who writes "now" means the minute that is on the clock.
  expect(await o.campaign({ scheduledAt: at(-30_000) })).toMatchObject({ status: 'PROGRAMADA' })

  const { id } = await o.campaign()
  const put = async (body: object) => (await t.call('PUT', `/campaigns/${id}`, { token: o.token, body })).body
  expect(await put({ name: 'Tarde', scheduledAt: at(-120_000) })).toMatchObject(refused)
  expect(await o.stored(id)).toMatchObject({ name: 'Natal', status: 'INATIVA', scheduledAt: null })
  // What stands is not asked about again, though its time has passed meanwhile.
  const scheduledAt = at(-120_000)
  await t.database.db
    .update(campaigns)
    .set({ scheduledAt: new Date(scheduledAt), status: 'CANCELADA' })
    .where(eq(campaigns.id, id))
  expect(await put({ message1: 'Novo texto', scheduledAt })).toMatchObject({ message1: 'Novo texto' })
  await t.database.db.update(campaigns).set({ status: 'INATIVA' }).where(eq(campaigns.id, id))
  expect(await put({ name: 'Depois', scheduledAt })).toMatchObject({ name: 'Depois', status: 'PROGRAMADA' })
})

test('a campaign that ends with nothing sent says why', async () => {
  const o = await office({ people: 2 })
  const soon = new Date(t.clock.now.getTime() + 60_000).toISOString()
  const alone = await o.campaign({ scheduledAt: soon, whatsappId: null })
  const empty = await o.campaign({ scheduledAt: soon, contactListId: null })
  const whole = await o.campaign()
  t.clock.advance(120_000)
  await startDue(o.planning)
  for (let tick = 0; tick < 2; tick++) await planCampaigns(o.planning)
  const report = async ({ id }: { id: number }) => {
    const { body } = await t.call('GET', `/campaigns/${id}`, { token: o.token })
    return { status: body.status, ...body.report }
  }
  const noConnection = { state: 'cancelled', reason: 'no_connection' }
  expect(await report(alone)).toMatchObject({
    ...{ status: 'FINALIZADA', endReason: 'no_connection', valid: 0 },
    failures: [{ ...noConnection, n: 2 }],
  })
  expect(await o.rows(alone.id)).toMatchObject([noConnection, noConnection])
  const csv = await t.call('GET', `/campaigns/${alone.id}/export?format=csv&language=pt`, { token: o.token })
  expect(String(csv.body)).toContain('Cancelada,A campanha terminou sem conexão')
  expect(await report(empty)).toMatchObject({ status: 'FINALIZADA', endReason: 'no_people', failures: [] })
  await o.start(whole.id)
  expect(await report(whole)).toMatchObject({ status: 'EM_ANDAMENTO', endReason: null })
  await o.run()
  expect(await report(whole)).toMatchObject({ status: 'FINALIZADA', endReason: null, left: 2 })
})

test('the report tells its hours as moments, which each screen shows on its own clock', async () => {
  const o = await office({ people: 2 })
  // Its hours begin at the half of everybody else's.
  await t.database.db.update(companies).set({ timeZone: 'Asia/Kolkata' }).where(eq(companies.id, o.company.id))
  const { id } = await o.campaign()
  await o.start(id)
  await o.run()
  const [first, second] = await o.rows(id)
  const sent = (row: { id: number } | undefined, at: string) =>
    t.database.db
      .update(shippings)
      .set({ sentAt: new Date(at) })
      .where(eq(shippings.id, row!.id))
  await sent(first, '2026-07-02T01:05:00Z')
  await sent(second, '2026-07-02T01:35:00Z')
  expect((await t.call('GET', `/campaigns/${id}`, { token: o.token })).body.report.hours).toEqual([
    { hour: '2026-07-02T00:30:00Z', sent: 1, replied: 0 },
    { hour: '2026-07-02T01:30:00Z', sent: 1, replied: 0 },
  ])
})

test('a campaign whose text would lose its end with its variables does not begin, and says so before anybody gets it', async () => {
  const o = await office()
  const variables = [{ key: 'l', value: 'x'.repeat(500) }]
  await t.call('POST', '/campaign-settings', { token: o.token, body: { settings: { variables } } })
  const { id } = await o.campaign({ message1: '{l}'.repeat(1_000) })
  const start = () => t.call('POST', `/campaigns/${id}/start`, { token: o.token })
  expect((await start()).body.error).toBe('ERR_CAMPAIGN_TEXT_LONG')
  expect((await o.stored(id)).status).toBe('INATIVA')
  expect(await o.rows(id)).toEqual([])
  // A question that nobody is asked is in nobody's way.
  await t.call('PUT', `/campaigns/${id}`, {
    ...{ token: o.token, body: { message1: 'Oi', confirmationMessage1: '{l}'.repeat(1_000), confirmation: true } },
  })
  expect((await start()).body.error).toBe('ERR_CAMPAIGN_TEXT_LONG')
  await t.call('PUT', `/campaigns/${id}`, { token: o.token, body: { confirmation: false } })
  expect((await start()).body.status).toBe('EM_ANDAMENTO')
})

test('[M15] a campaign that the clock begins, or that runs as its variables grow, stands still before a text is cut, and says why', async () => {
  const o = await office()
  const { db } = t.database
  const variable = (value: string) =>
    t.call('POST', '/campaign-settings', { token: o.token, body: { settings: { variables: [{ key: 'l', value }] } } })
  const move = (id: number, wish: string) => t.call('POST', `/campaigns/${id}/${wish}`, { token: o.token })
  await variable('x'.repeat(500))
  const scheduledAt = new Date(t.clock.now.getTime() + 2 * 3_600_000)
  const [long, short] = [
    await o.campaign({ message1: '{l}'.repeat(1_000), scheduledAt }),
    await o.campaign({ message1: 'Oi', scheduledAt }),
  ]
  await db
    .update(campaigns)
    .set({ scheduledAt: new Date(t.clock.now.getTime() - 1_000) })
    .where(eq(campaigns.companyId, o.company.id))
  await startDue(o.planning)
  const paused = { status: 'PAUSADA', pauseReason: 'too_long' }
  expect(await o.stored(long.id)).toMatchObject({ ...paused, startedAt: null })
  expect(await o.stored(short.id)).toMatchObject({ status: 'EM_ANDAMENTO' })
  await planCampaigns(o.planning)
  expect(await o.rows(long.id)).toEqual([])
  expect((await move(long.id, 'resume')).body.error).toBe('ERR_CAMPAIGN_TEXT_LONG')
  // Shorter words let it go on; and longer ones stop it again, before anybody gets half of it.
  await move(short.id, 'cancel')
  await variable('x')
  expect((await move(long.id, 'resume')).body.status).toBe('EM_ANDAMENTO')
  await planCampaigns(o.planning)
  await variable('x'.repeat(500))
  await o.run()
  expect(o.sent).toEqual([])
  expect(await o.stored(long.id)).toMatchObject(paused)
})

test('the preview for a contact is what they get', async () => {
  const o = await office({ people: 6 })
  const { id } = await o.campaign({ message1: 'A {nome}', message2: 'B {nome}', message3: 'C {nome} {email}' })
  const shown = new Map<string, string>()
  for (let n = 1; n <= 6; n++) {
    const contact = await t.eg.contact(o.company.id, { name: `Pessoa ${n}`, number: numberOf(n) })
    const { body } = await t.call('GET', `/campaigns/${id}/preview?contactId=${contact.id}`, { token: o.token })
    shown.set(numberOf(n), body.body)
  }
  await o.start(id)
  await o.run()
  for (const message of o.sent)
    expect(textOf(message)).toBe(shown.get(message.to.kind === 'person' ? message.to.number! : '')!)
})

test('the preview for a contact knows of an opt-out by any address, as the sender does', async () => {
  const o = await office({ people: 0 })
  const { id } = await o.campaign()
  const contact = await t.eg.contact(o.company.id, { name: 'Ana', number: numberOf(1), lid: '99887766' })
  const reason = async () =>
    (await t.call('GET', `/campaigns/${id}/preview?contactId=${contact.id}`, { token: o.token })).body.skipReason
  expect(await reason()).toBeNull()
  const values = { companyId: o.company.id, text: '', source: 'word' as const }
  await t.database.db.insert(optOuts).values({ ...values, number: '', lid: '99887766', key: 'lid:99887766' })
  expect(await reason()).toBe('opted_out')
})

test('a campaign counts before its start whom it would address without a name, and addresses nobody by a number', async () => {
  const o = await office({ people: 2 })
  await o.add(3, 2, { name: numberOf(3) })
  const values = {
    message1: 'Olá {{nome}}!',
    confirmation: true,
    confirmationMessage1: 'Posso, {{firstName}}? {cupom}',
  }
  const { id } = await o.campaign(values)
  const dry = (await t.call('POST', `/campaigns/${id}/dry-run`, { token: o.token })).body
  expect(dry.warnings).toContainEqual({ code: 'nameless', n: 2 })
  expect(dry.warnings).toContainEqual({ code: 'missing', names: ['cupom'] })
  const variables = [{ key: 'l', value: 'x'.repeat(500) }]
  await t.call('POST', '/campaign-settings', { token: o.token, body: { settings: { variables } } })
  const long = await o.campaign({ message1: '{l}'.repeat(1_333) })
  const told = (await t.call('POST', `/campaigns/${long.id}/dry-run`, { token: o.token })).body
  expect(told.warnings).toContainEqual({ code: 'too_long' })
  const nameless = await t.eg.contact(o.company.id, { name: numberOf(3), number: numberOf(3) })
  const preview = await t.call('GET', `/campaigns/${id}/preview?contactId=${nameless.id}`, { token: o.token })
  expect(preview.body).toMatchObject({
    body: 'Olá !',
    confirmation: 'Posso, ? ',
    missing: ['firstName', 'cupom', 'nome'],
  })
})

test('segments find contacts by what they have in common, and say how many', async () => {
  const o = await office({ people: 0 })
  const queue = await t.eg.queue(o.company.id)
  const contact = await t.eg.contact(o.company.id, { number: numberOf(1) })
  await t.eg.contact(o.company.id, { number: numberOf(2) })
  await t.eg.ticket(o.company.id, { contactId: contact.id, whatsappId: o.line.id, queueId: queue.id, status: 'closed' })
  const make = (match: string, rules: object[]) =>
    t.call('POST', '/segments', { token: o.token, body: { name: `S ${match} ${rules.length}`, match, rules } })
  expect((await make('all', [{ kind: 'queue', queueId: queue.id }])).body.count).toBe(1)
  const any = await make('any', [
    { kind: 'queue', queueId: queue.id },
    { kind: 'lastContact', when: 'within', days: 3_000 },
  ])
  expect(any.body.count).toBe(2)
  const { id } = await o.campaign({ contactListId: null, segmentIds: [any.body.id] })
  expect((await t.call('POST', `/campaigns/${id}/dry-run`, { token: o.token })).body.willReceive).toBe(2)
})

test('nobody is left out while a campaign gathers its people and one of its segments is deleted', async () => {
  const o = await office({ people: 0 })
  const made = [1, 2, 3].map(async (n) => {
    const queue = await t.eg.queue(o.company.id)
    const contact = await t.eg.contact(o.company.id, { number: numberOf(n) })
    await t.eg.ticket(o.company.id, {
      contactId: contact.id,
      whatsappId: o.line.id,
      queueId: queue.id,
      status: 'closed',
    })
    const body = { name: `S ${n}`, match: 'all', rules: [{ kind: 'queue', queueId: queue.id }] }
    return (await t.call('POST', '/segments', { token: o.token, body })).body.id as number
  })
  const segmentIds = (await Promise.all(made)).sort((a, b) => a - b)
  const audience = { companyId: o.company.id, contactListId: null, tagListId: null, segmentIds }
  const found: string[] = []
  let cursor: PlanCursor | null = { source: 0, after: 0 }
  while (cursor) {
    const { people, next } = await nextPeople(t.database.db, audience, cursor, t.clock.now)
    found.push(...people.map(({ number }) => number))
    // The first is gone once it was read.
    if (found.length === 1) await t.call('DELETE', `/segments/${segmentIds[0]}`, { token: o.token })
    cursor = next
  }
  expect(found.sort()).toEqual([1, 2, 3].map(numberOf))
})

describe('while WhatsApp lets a connection begin no chats', () => {
  const lock = (id: number, newChatsLockedUntil: Date | null) =>
    t.database.db.update(whatsapps).set({ newChatsLockedUntil }).where(eq(whatsapps.id, id))
  const inHours = (hours: number) => new Date(t.clock.now.getTime() + hours * 3_600_000)
  const numbersOf = (sent: readonly OutgoingMessage[]) =>
    sent.map(({ to }) => (to.kind === 'person' ? to.number : '')).sort()
  /** What has WhatsApp's word. */
  const told = new Set<OutgoingMessage>()
  /** Steps until two in a row have nothing to do; the clock stands. */
  const serve = async (o: Awaited<ReturnType<typeof office>>, answer = (wid: string) => o.ack(wid, 2)) => {
    for (let waits = 0; waits < 2; ) {
      const { kind } = await o.step()
      // Without a pause they are handed over beside the line.
      await Bun.sleep(kind === 'sent' ? 1 : 0)
      const untold = o.sent.filter((message) => !told.has(message))
      for (const message of untold) await answer(message.wid)
      for (const message of untold) told.add(message)
      const leaving = await t.database.db.$count(
        shippings,
        and(eq(shippings.whatsappId, o.line.id), eq(shippings.ack, 1)),
      )
      waits = kind === 'wait' && leaving === 0 ? waits + 1 : 0
    }
  }
  const report = async (o: Awaited<ReturnType<typeof office>>, id: number) =>
    (await t.call('GET', `/campaigns/${id}`, { token: await o.login() })).body.report

  for (const guard of [false, true])
    test(`[M16] a campaign ${guard ? 'with' : 'without'} caps serves whoever wrote to it, says until when the others wait, and goes on by itself`, async () => {
      // A Tuesday, 10:00 in São Paulo.
      t.clock.now = new Date('2030-03-05T13:00:00Z')
      const o = await office({ people: 4, guard, settings: { messageInterval: 0 } })
      await o.write(2, 'oi')
      // They wrote to the company over another number of it: for this one they are strangers.
      const other = await t.eg.whatsapp(o.company.id, { status: 'CONNECTED' })
      const stranger = await t.eg.contact(o.company.id, { number: numberOf(3) })
      const ticket = await t.eg.ticket(o.company.id, { contactId: stranger.id, whatsappId: other.id, status: 'closed' })
      await t.eg.message(o.company.id, {
        ...{ ticketId: ticket.id, contactId: stranger.id, whatsappId: other.id },
        fromMe: false,
        body: 'oi',
      })
      const until = inHours(1)
      await lock(o.line.id, until)
      const { id } = await o.campaign()
      await o.start(id)
      await serve(o)
      expect(numbersOf(o.sent)).toEqual([numberOf(2)])
      expect((await report(o, id)).waiting).toEqual([{ reason: 'locked', n: 3, until: until.toISOString() }])
      expect((await o.stored(id)).status).toBe('EM_ANDAMENTO')
      // Also for the process after this one.
      await o.reborn()
      await serve(o)
      expect(o.sent).toHaveLength(1)
      t.clock.now = until
      await serve(o)
      expect(numbersOf(o.sent)).toEqual([1, 2, 3, 4].map(numberOf))
      expect((await o.stored(id)).status).toBe('FINALIZADA')
    })

  test('[M16] a lock that is lifted is over at once, and who writes meanwhile is served at once', async () => {
    const o = await office({ people: 3, settings: { messageInterval: 0 } })
    await lock(o.line.id, inHours(48))
    const { id } = await o.campaign()
    await o.start(id)
    await serve(o)
    expect(o.sent).toHaveLength(0)
    await o.write(2, 'oi')
    await serve(o)
    expect(numbersOf(o.sent)).toEqual([numberOf(2)])
    await lock(o.line.id, null)
    await serve(o)
    expect(o.sent).toHaveLength(3)
  })

  test('what was taken before the lock does not leave; after it, it does under its id', async () => {
    const o = await office({ people: 8, settings: { messageInterval: 0 } })
    const { id } = await o.campaign()
    await o.start(id)
    o.world.onSend = () => (o.sent.length === 2 ? lock(o.line.id, inHours(1)) : Promise.resolve())
    await serve(o)
    // The one that was being asked about when it came may be on its way.
    expect(o.sent.length).toBeLessThanOrEqual(3)
    t.clock.now = inHours(2)
    await serve(o)
    expect(new Set(o.sent.map(({ wid }) => wid)).size).toBe(8)
    expect(o.sent).toHaveLength(8)
  })

  test('[M16] a refusal is one person’s: what is known to end does not stop the line', async () => {
    const o = await office({ people: 6, settings: { messageInterval: 0 } })
    const { id } = await o.campaign()
    await o.start(id)
    const until = inHours(1)
    o.world.onSend = () => lock(o.line.id, until)
    await serve(o, (wid) => o.ack(wid, 0, '463'))
    expect(await o.stored(id)).toMatchObject({ status: 'EM_ANDAMENTO', pauseReason: null })
    expect((await o.rows(id)).some(({ state, reason }) => state === 'failed' && reason === '463')).toBe(true)
    t.clock.now = until
    await serve(o)
    expect(new Set(numbersOf(o.sent)).size).toBe(6)
    expect((await o.stored(id)).status).toBe('FINALIZADA')
  })

  test('a program is refused for strangers with the moment, on either way in, and nothing is kept; whom it knows it writes to', async () => {
    const o = await office({ people: 0 })
    await o.write(1, 'oi')
    const until = inHours(1)
    await lock(o.line.id, until)
    const send = (n: number, key?: string) =>
      t.call('POST', '/api/messages/send', {
        token: o.line.token,
        body: { number: numberOf(n), body: 'O seu pedido saiu' },
        ...(key && { headers: { 'idempotency-key': key } }),
      })
    const refusal = { status: 409, body: { error: 'ERR_NEW_CHATS_HELD', by: 'lock', until: until.toISOString() } }
    expect(await send(2)).toMatchObject(refusal)
    expect(await send(2, 'pedido-2')).toMatchObject(refusal)
    expect((await send(1)).status).toBe(200)
    const made = { name: 'Pedidos', scopes: ['messages:send'] }
    const { body: key } = await t.call('POST', '/api-keys', { token: o.token, body: made })
    const v1 = (n: number) =>
      t.call('POST', '/api/v1/messages', { token: key.key, body: { number: numberOf(n), body: 'O seu pedido saiu' } })
    expect(await v1(2)).toMatchObject(refusal)
    expect((await v1(1)).status).toBe(202)
    const kept = await t.database.db.select().from(contacts).where(eq(contacts.companyId, o.company.id))
    expect(kept.map(({ number }) => number)).toEqual([numberOf(1)])
    // The same key is not used up by a refusal.
    t.clock.now = until
    expect((await send(2, 'pedido-2')).status).toBe(200)
  })

  test('a cap that is used up refuses until its period ends, and a warning refuses nobody', async () => {
    const o = await office({ people: 0 })
    const newChatsCycleEndsAt = inHours(5)
    const cap = (newChatsCapState: 'SECOND_WARNING' | 'CAPPED') =>
      t.database.db
        .update(whatsapps)
        .set({ newChatsQuota: 50, newChatsUsed: 50, newChatsCapState, newChatsCycleEndsAt })
        .where(eq(whatsapps.id, o.line.id))
    const send = (n: number) =>
      t.call('POST', '/api/messages/send', { token: o.line.token, body: { number: numberOf(n), body: 'Oi' } })
    await cap('SECOND_WARNING')
    expect((await send(1)).status).toBe(200)
    await cap('CAPPED')
    expect(await send(2)).toMatchObject({
      status: 409,
      body: { error: 'ERR_NEW_CHATS_HELD', by: 'cap', until: newChatsCycleEndsAt.toISOString() },
    })
  })

  test('an agent who opens a conversation with a stranger is told the moment; with whom wrote, or over another connection, it opens', async () => {
    const o = await office({ people: 0 })
    await o.write(1, 'oi')
    const { db } = t.database
    await db.update(tickets).set({ status: 'closed' }).where(eq(tickets.companyId, o.company.id))
    const [known] = await db.select().from(contacts).where(eq(contacts.companyId, o.company.id))
    const stranger = await t.eg.contact(o.company.id, { number: numberOf(2) })
    const other = await t.eg.whatsapp(o.company.id, { status: 'CONNECTED' })
    const until = inHours(1)
    await lock(o.line.id, until)
    const open = (contactId: number, whatsappId: number) =>
      t.call('POST', '/tickets', { token: o.token, body: { contactId, whatsappId, status: 'open' } })
    expect(await open(stranger.id, o.line.id)).toMatchObject({
      status: 409,
      body: { error: 'ERR_NEW_CHATS_HELD', by: 'lock', until: until.toISOString() },
    })
    expect((await open(known!.id, o.line.id)).status).toBe(200)
    expect((await open(stranger.id, other.id)).status).toBe(200)
  })

  test('schedules to strangers wait with the moment, however long, and are sent when it is over; others are sent on time', async () => {
    const o = await office({ people: 0 })
    await o.write(1, 'oi')
    const { db } = t.database
    const [known] = await db.select().from(contacts).where(eq(contacts.companyId, o.company.id))
    const strangers = await Promise.all([2, 3].map((n) => t.eg.contact(o.company.id, { number: numberOf(n) })))
    const until = inHours(72)
    await lock(o.line.id, until)
    const sendAt = new Date(t.clock.now.getTime() + 60_000).toISOString()
    for (const [contactId, bulk, whatsappId] of [
      [known!.id, true, o.line.id],
      [strangers[0]!.id, true, o.line.id],
      [strangers[1]!.id, false, null],
    ])
      expect(
        (
          await t.call('POST', '/schedules', {
            token: o.token,
            body: { contactId, body: 'Promoção', sendAt, bulk, whatsappId },
          })
        ).status,
      ).toBe(200)
    const settle = () =>
      sendDueSchedules({
        ...{ db, now: () => t.clock.now, facts: t.deps.facts, committed: () => undefined },
        principalOf: async (tx, userId) => (await loadAccess(tx, userId))?.who,
      })
    const states = async () =>
      (await db.select().from(schedules).where(eq(schedules.companyId, o.company.id)).orderBy(schedules.contactId)).map(
        ({ status, error, waitsUntil }) => [status, error, waitsUntil],
      )
    t.clock.advance(120_000)
    expect(await settle()).toBe(3)
    expect(await states()).toEqual([
      ['ENVIADA', null, null],
      ['PENDENTE', null, until],
      ['PENDENTE', null, until],
    ])
    // They are not looked at again and again, and a day later they are not late.
    t.clock.advance(48 * 3_600_000)
    expect(await settle()).toBe(0)
    // Whoever writes has a chat.
    await o.write(3, 'oi')
    expect(await settle()).toBe(1)
    await lock(o.line.id, null)
    expect(await settle()).toBe(1)
    expect((await states()).map(([status]) => status)).toEqual(['ENVIADA', 'ENVIADA', 'ENVIADA'])
  })

  test('what a program said to many, and had not left, waits; what agents say leaves', async () => {
    const o = await office({ people: 0 })
    const bulk = await t.call('POST', '/api/messages/send', {
      token: o.line.token,
      body: { number: numberOf(1), body: 'Promoção', bulk: true },
    })
    await lock(o.line.id, inHours(1))
    const left: string[] = []
    const send = messageEffects({
      ...{ db: t.database.db, media: t.deps.media, tools: undefined as never, maxMediaBytes: 1 },
      ...{ now: () => t.clock.now, committed: () => undefined },
      channel: {
        send: async ({ messageId }: OutgoingMessage) => void left.push(messageId),
      } as unknown as JobChannel,
    })['whatsapp.send']
    const leave = (by: 'agent' | 'many') =>
      send(
        { kind: 'whatsapp.send', messageId: bulk.body.id, whatsappId: o.line.id, chat: 0, by },
        { companyId: o.company.id, attempt: 1, last: false },
      )
    expect(leave('many')).rejects.toBeInstanceOf(NotNow)
    await leave('agent')
    await o.write(1, 'oi')
    await leave('many')
    expect(left).toEqual([bulk.body.id, bulk.body.id])
  })
})

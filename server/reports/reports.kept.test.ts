import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { nextLeaving, toldDays } from '../../schema/reports/reports.rhythm.ts'
import { ticketTrackings } from '../../schema/tickets/tickets.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import type { Letter } from '../mail/mailer.ts'
import { reportEffects, sendDueReports } from './reports.mail.ts'

/** Reports that are kept under a name, taken out as files, and sent by mail. */
let t: TestApp
const mail = { host: '127.0.0.1', port: 9, from: 'balcao@example.test' } as never
beforeAll(async () => {
  t = await testApp({ mail, publicUrl: 'https://balcao.example' })
})
afterAll(() => t.close())
beforeEach(() => {
  // A Thursday, 10 o'clock in São Paulo.
  t.clock.now = new Date('2026-01-15T13:00:00Z')
})

async function office() {
  const { id: companyId } = await t.eg.company()
  const queue = await t.eg.queue(companyId, { name: '=cmd|calc' })
  const admin = await t.eg.user(companyId, { profile: 'admin', name: 'Helena' })
  const supervisor = await t.eg.user(companyId, { profile: 'supervisor' })
  const agent = await t.eg.user(companyId)
  const [adminToken, supervisorToken, agentToken] = [
    await t.login(admin.email),
    await t.login(supervisor.email),
    await t.login(agent.email),
  ]
  const ticket = await t.eg.ticket(companyId, { queueId: queue.id })
  await t.database.db
    .update(ticketTrackings)
    .set({ createdAt: new Date('2026-01-14T13:00:00Z') })
    .where(eq(ticketTrackings.ticketId, ticket.id))
  const call = (method: string, path: string, body?: object, token = adminToken) =>
    t.call(method, path, { token, ...(body && { body }) })
  return { companyId, queue, admin, supervisor, agent, supervisorToken, agentToken, ticket, call }
}

test('a view is one’s own, until it is shared; others do not see it, and only who may share changes a shared one', async () => {
  const o = await office()
  const names = async (token?: string) =>
    (await o.call('GET', '/report-views', undefined, token)).body.records.map(({ name }: { name: string }) => name)
  const input = { name: ' Vendas ', report: 'queues', query: { range: 'lastMonth', queueIds: [o.queue.id] } }
  const { body: view } = await o.call('POST', '/report-views', input)
  expect(view).toMatchObject({ name: 'Vendas', isShared: false, query: input.query })
  expect(await names()).toEqual(['Vendas'])
  expect(await names(o.supervisorToken)).toEqual([])
  expect((await o.call('DELETE', `/report-views/${view.id}`, undefined, o.supervisorToken)).status).toBe(404)
  expect((await o.call('PUT', `/report-views/${view.id}`, { isShared: true })).body.isShared).toBe(true)
  expect(await names(o.supervisorToken)).toEqual(['Vendas'])
  expect((await o.call('GET', '/report-views', undefined, o.agentToken)).status).toBe(403)
  expect(
    (await o.call('POST', '/report-views', { ...input, query: { range: 'custom', from: '2026-02-31' } })).status,
  ).toBe(400)
  expect((await o.call('DELETE', `/report-views/${view.id}`, undefined, o.supervisorToken)).status).toBe(200)
  expect(await names()).toEqual([])
})

test('each table is a file in the reader’s language, and no cell is a formula', async () => {
  const o = await office()
  const path = '/reports/queues/export?from=2026-01-14&to=2026-01-15'
  const csv = await o.call('GET', `${path}&format=csv&language=pt`)
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="queues-2026-01-14-2026-01-15.csv"')
  const [header, row, total] = String(csv.body).replace('\uFEFF', '').split('\r\n')
  expect(header).toStartWith('Fila,Iniciados,Reabertos,Encerrados,Mensagens recebidas')
  expect(row).toStartWith("'=cmd|calc,1,0,0")
  expect(total).toStartWith('Total,1,0,0')
  const plain = await o.call('GET', `${path}&format=csv`)
  expect(String(plain.body).replace('\uFEFF', '')).toStartWith(`key,name,opened,reopened`)
  for (const [format, begin] of [
    ['xlsx', 'PK'],
    ['pdf', '%PDF-'],
  ] as const) {
    const { status, headers, body } = await o.call('GET', `${path}&format=${format}&language=es`)
    expect([format, status, String(body).slice(0, begin.length)]).toEqual([format, 200, begin])
    expect(headers.get('cache-control')).toBe('no-store')
  }
  expect((await o.call('GET', path, undefined, o.agentToken)).status).toBe(403)
  const [entry] = await t.database.sql`SELECT entity, action FROM audit_entries WHERE "companyId" = ${o.companyId}
    AND action = 'export' LIMIT 1`
  expect(entry).toMatchObject({ entity: 'report', action: 'export' })
})

test('a report leaves by mail at its hour, once, to each reader who may read reports', async () => {
  const o = await office()
  const userIds = [o.supervisor.id, o.agent.id]
  const input = {
    name: 'Filas de ontem',
    report: 'queues',
    query: { range: 'last30' },
    every: 'day',
    hour: 8,
    format: 'csv',
  }
  const { body: made } = await o.call('POST', '/report-schedules', { ...input, userIds })
  // Tomorrow at eight in São Paulo.
  expect(made.nextAt).toBe('2026-01-16T11:00:00.000Z')
  expect(await sendDueReports(t.database.db, new Date('2026-01-15T12:00:00Z'))).toBe(0)
  await o.call('PUT', `/report-schedules/${made.id}`, { hour: 11 })
  t.clock.now = new Date('2026-01-15T14:00:00Z')
  const due = await Promise.all([1, 2].map(() => sendDueReports(t.database.db, t.clock.now)))
  expect(due[0]! + due[1]!).toBe(1)
  expect(await sendDueReports(t.database.db, t.clock.now)).toBe(0)
  const waiting = await t.database.db.select().from(jobs).where(eq(jobs.companyId, o.companyId))
  const mails = waiting.filter(({ kind }) => kind === 'mail.report')
  expect(mails).toHaveLength(2)
  const sent: Letter[] = []
  const handler = reportEffects({
    ...{ db: t.database.db, now: () => t.clock.now, publicUrl: 'https://balcao.example' },
    mailer: { send: async (letter) => void sent.push(letter), stop: () => undefined },
    principalOf: (userId) => t.deps.auth.principalOf(userId),
  })['mail.report']
  for (const { payload } of mails)
    await handler(
      { kind: 'mail.report', ...(payload as { scheduleId: number; userId: number; from: string; to: string }) },
      {
        ...{ companyId: o.companyId, attempt: 1, last: false },
      },
    )
  // The agent may read none.
  expect(sent.map(({ to }) => to)).toEqual([o.supervisor.email])
  expect(sent[0]!.subject).toBe('Filas de ontem · 2026-01-14')
  expect(sent[0]!.attachments![0]!.filename).toBe('queues-2026-01-14-2026-01-14.csv')
  expect(sent[0]!.attachments![0]!.content.toString()).toContain('Total,1,')
  const again = await t.login(o.admin.email)
  expect((await o.call('DELETE', `/report-schedules/${made.id}`, undefined, again)).status).toBe(200)
})

test('nobody outside the company gets a mail, nor more than twenty people', async () => {
  const o = await office()
  const stranger = await t.eg.user((await t.eg.company()).id)
  const input = { name: 'x', report: 'queues', query: { range: 'last30' }, every: 'week', hour: 8, format: 'pdf' }
  const status = async (userIds: number[]) => (await o.call('POST', '/report-schedules', { ...input, userIds })).status
  expect(await status([o.admin.id, stranger.id])).toBe(404)
  expect(await status(Array.from({ length: 21 }, (_, n) => n + 1))).toBe(400)
  expect(await status([])).toBe(400)
  expect(await status([o.admin.id])).toBe(200)
})

test('without a mail server nothing is scheduled', async () => {
  const { deps } = t
  const config = deps.config as { mail?: unknown }
  const before = config.mail
  config.mail = undefined
  try {
    const o = await office()
    const { status, body } = await o.call('POST', '/report-schedules', {
      ...{ name: 'x', report: 'queues', query: { range: 'last30' }, every: 'week', hour: 8, format: 'pdf' },
      userIds: [o.admin.id],
    })
    expect([status, body.error]).toEqual([400, 'ERR_NO_MAIL'])
    expect((await o.call('GET', '/report-schedules')).body.hasMail).toBe(false)
  } finally {
    config.mail = before
  }
})

test('a day, a week and a month are told of when they are over, by the company’s clock', () => {
  const zone = 'America/Sao_Paulo'
  const next = (every: 'day' | 'week' | 'month', now: string) =>
    nextLeaving({ every, hour: 8 }, zone, new Date(now)).toISOString()
  // Thursday before and after eight.
  expect(next('day', '2026-01-15T10:59:00Z')).toBe('2026-01-15T11:00:00.000Z')
  expect(next('day', '2026-01-15T11:00:00Z')).toBe('2026-01-16T11:00:00.000Z')
  expect(next('week', '2026-01-15T13:00:00Z')).toBe('2026-01-19T11:00:00.000Z')
  expect(next('week', '2026-01-19T11:00:00Z')).toBe('2026-01-26T11:00:00.000Z')
  expect(next('month', '2026-01-15T13:00:00Z')).toBe('2026-02-01T11:00:00.000Z')
  expect(next('month', '2026-12-01T11:00:00Z')).toBe('2027-01-01T11:00:00.000Z')
  expect(toldDays('day', '2026-01-15')).toEqual({ from: '2026-01-14', to: '2026-01-14' })
  expect(toldDays('week', '2026-01-19')).toEqual({ from: '2026-01-12', to: '2026-01-18' })
  expect(toldDays('month', '2026-03-01')).toEqual({ from: '2026-02-01', to: '2026-02-28' })
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq, inArray } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { noticeOf } from '../../schema/invoices/invoices.notice.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { pushSubscriptions } from '../../schema/push/push.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { startJobWorker } from '../jobs/worker.ts'
import type { Letter } from '../mail/mailer.ts'
import type { PushPayload } from '../push/push.sender.ts'
import { noticeEffects, notifyDue } from './invoices.notices.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  expect((await t.eg.company({ dueDate: '2031-05-20' })).id).toBe(OPERATOR_COMPANY_ID)
})
afterAll(() => t.close())

const DUE = '2031-05-20'
const noon = (day: string) => new Date(`${day}T15:00:00Z`)
const tell = (at: Date) => {
  t.clock.now = at
  return notifyDue(t.database.db, at)
}
const letters = async (companyId: number) =>
  (await t.database.db.select().from(jobs).where(eq(jobs.companyId, companyId)).orderBy(jobs.id)).filter(
    ({ kind }) => kind === 'mail.dueSoon' || kind === 'push.dueSoon',
  )

/** Does the jobs that wait, as the server does, and says what left. */
async function work(companyId: number) {
  const sent: Letter[] = []
  const pushed: PushPayload[] = []
  const worker = startJobWorker({
    sql: t.database.sql,
    log: t.deps.log,
    handlers: noticeEffects({
      db: t.database.db,
      mailer: { send: async (letter) => void sent.push(letter), stop: () => undefined },
      push: {
        send: async (_, payload) => {
          pushed.push(payload)
          return 'sent'
        },
      },
      publicUrl: 'https://balcao.example',
      now: () => t.clock.now,
    }) as Parameters<typeof startJobWorker>[0]['handlers'],
    openConnections: () => [],
    pollMs: 10,
  })
  for (const end = Date.now() + 20_000; (await letters(companyId)).length > 0 && Date.now() < end; ) await Bun.sleep(10)
  await worker.stop()
  return { sent, pushed }
}
const paysBy = async (dueDate = DUE) => {
  const company = await t.eg.company({ dueDate, timeZone: 'America/Sao_Paulo' })
  const admin = await t.eg.user(company.id, { profile: 'admin', name: 'Ana' })
  await t.eg.user(company.id, { profile: 'user' })
  return { companyId: company.id, admin }
}

test('each notice has its days; what was missed is told later, and nothing on the last day or by night', () => {
  const company = { id: 2, status: true, dueDate: DUE, timeZone: 'America/Sao_Paulo' }
  const on = (day: number, hour = 15) => noticeOf(company, new Date(Date.UTC(2031, 4, day, hour)))
  expect([11, 12, 13, 14, 16, 17, 18, 19, 20, 21].map((day) => on(day))).toEqual([
    null,
    null,
    7,
    7,
    7,
    3,
    3,
    1,
    null,
    null,
  ])
  // Eight in the morning there is eleven here; in the evening it ends at nine.
  expect([10, 11, 23].map((hour) => on(13, hour))).toEqual([null, 7, 7])
  expect(noticeOf(company, new Date('2031-05-14T00:00:00Z'))).toBeNull()
  expect(noticeOf({ ...company, status: false }, noon('2031-05-19'))).toBeNull()
  expect(noticeOf({ ...company, dueDate: null }, noon('2031-05-19'))).toBeNull()
  expect(noticeOf({ ...company, id: OPERATOR_COMPANY_ID }, noon('2031-05-19'))).toBeNull()
})

test('admins get a letter seven, three and one days before, once each, whatever is started again', async () => {
  const { companyId, admin } = await paysBy()
  const got: string[] = []
  for (let day = 10; day <= 22; day++) {
    const at = noon(`2031-05-${day}`)
    await tell(at)
    // Two servers, and one that begins again before its jobs are done.
    await Promise.all([tell(at), tell(at)])
    const { sent } = await work(companyId)
    await tell(at)
    expect(await letters(companyId)).toEqual([])
    got.push(...sent.map(({ to, subject }) => `${day} ${to} ${subject}`))
  }
  expect(got).toEqual([
    `13 ${admin.email} A assinatura vence em 7 dias`,
    `17 ${admin.email} A assinatura vence em 3 dias`,
    `19 ${admin.email} A assinatura vence amanhã`,
  ])
})

test('who may pay by a role is told as admins are, and nobody who may only look', async () => {
  const { companyId, admin } = await paysBy()
  const by = async (permissions: string[]) => {
    const [role] = await t.database.sql<{ id: number }[]>`
      INSERT INTO roles ("companyId", name, permissions) VALUES (${companyId}, ${permissions.join()}, ${permissions}) RETURNING id`
    return t.eg.user(companyId, { roleId: role!.id })
  }
  const payer = await by(['invoices:pay'])
  await by(['dashboard:view'])
  await tell(noon('2031-05-13'))
  const { sent } = await work(companyId)
  expect(sent.map(({ to }) => to).sort()).toEqual([admin.email, payer.email].sort())
})

test('a crash between the notice and its jobs loses neither: both are written, or none', async () => {
  const { companyId } = await paysBy()
  await t.database.sql`ALTER TABLE jobs RENAME TO jobs_away`
  await expect(tell(noon('2031-05-13'))).rejects.toThrow()
  await t.database.sql`ALTER TABLE jobs_away RENAME TO jobs`
  expect(await letters(companyId)).toEqual([])
  await tell(noon('2031-05-13'))
  expect(await letters(companyId)).toHaveLength(1)
  await work(companyId)
})

test('who pays before the letter leaves gets none, and is told again of the next day that comes', async () => {
  const { companyId } = await paysBy()
  await tell(noon('2031-05-13'))
  const renew = (dueDate: string) =>
    t.database.db
      .update(companies)
      .set({ dueDate })
      .where(inArray(companies.id, [companyId]))
  await renew('2031-06-20')
  expect((await work(companyId)).sent).toEqual([])
  await tell(noon('2031-06-13'))
  const { sent } = await work(companyId)
  expect(sent).toMatchObject([{ subject: 'A assinatura vence em 7 dias' }])
  expect(sent[0]!.text).toContain('20 de junho de 2031')
  expect(sent[0]!.text).toContain('https://balcao.example/financeiro')
})

test('the browsers of admins are told, too, and nobody else’s', async () => {
  const { companyId, admin } = await paysBy('2031-08-20')
  t.clock.now = noon('2031-08-17')
  const agent = await t.eg.user(companyId, { profile: 'user' })
  for (const email of [admin.email, agent.email]) {
    await t.login(email)
    const [session] = await t.database.sql<{ id: number }[]>`
      SELECT s.id FROM sessions s JOIN users u ON u.id = s."userId" WHERE u.email = ${email}`
    const [user] = await t.database.sql<{ id: number }[]>`SELECT id FROM users WHERE email = ${email}`
    await t.database.db.insert(pushSubscriptions).values({
      ...{ companyId, userId: user!.id, sessionId: session!.id },
      ...{ endpoint: `https://push.example/${email}`, p256dh: 'k', auth: 'a' },
    } as typeof pushSubscriptions.$inferInsert)
  }
  await tell(noon('2031-08-17'))
  const { sent, pushed } = await work(companyId)
  expect(sent.map(({ to }) => to)).toEqual([admin.email])
  expect(pushed).toMatchObject([{ invoices: true, body: 'A assinatura vence em 3 dias' }])
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { seedOperator } from '../auth/seed-operator.ts'
import { writeSetting } from '../settings/settings.changes.ts'

let t: TestApp
let planId: number
beforeAll(async () => {
  t = await testApp()
  await seedOperator(t.database.db, { email: 'operador@example.test', password: 'operador1' }, t.deps.sealer)
  const offered = { users: 3, connections: 1, queues: 2, value: '49.90' }
  const [plan] = await t.database.db
    .insert(plans)
    .values({ name: 'Básico', ...offered })
    .returning()
  await t.database.db.insert(plans).values({ name: 'Ouro', ...offered, value: '99.90' })
  planId = plan!.id
})
afterAll(() => t.close())

const allow = (value: string) =>
  writeSetting(t.database.db, t.deps.sealer, OPERATOR_COMPANY_ID, 'allowregister', value, t.clock.now)
beforeEach(async () => {
  t.clock.now = new Date('2026-11-21T02:00:00Z')
  await allow('enabled')
})

let serial = 0
const wish = (values: Record<string, unknown> = {}) => ({
  name: `Padaria ${++serial}`,
  email: `dona${serial}@example.test`,
  password: 'segredo',
  phone: '(11) 98765-4321',
  planId,
  ...values,
})
const signUp = (body: Record<string, unknown>) => t.call('POST', '/companies/cadastro', { body })
const count = async () => [await t.database.db.$count(companies), await t.database.db.$count(users)]

describe('signing up', () => {
  test('makes a company on trial, its admin and its settings; what only the server decides is not listened to', async () => {
    const body = wish({ email: 'Maria@Example.test', dueDate: '2099-01-01', status: 'f', campaignsEnabled: false })
    const { status, body: made } = await signUp({ ...body, recurrence: 'ANUAL' })
    expect(status).toBe(200)
    const [company] = await t.database.db.select().from(companies).where(eq(companies.id, made.company.id))
    expect(company).toMatchObject({
      name: body['name'],
      email: 'maria@example.test',
      phone: '11987654321',
      planId,
      recurrence: 'MENSAL',
      status: true,
      // It is still the 20th in São Paulo.
      dueDate: '2026-11-23',
    })
    const kept = await t.database.db.select().from(settings).where(eq(settings.companyId, company!.id))
    expect(kept.find(({ key }) => key === 'campaignsEnabled')?.value).toBe('true')
    expect(kept.find(({ key }) => key === 'CheckMsgIsGroup')?.value).toBe('enabled')

    const { body: session } = await t.call('POST', '/auth/login', {
      body: { email: 'maria@example.test', password: 'segredo' },
    })
    expect(session.user).toMatchObject({ profile: 'admin', super: false, company: { id: company!.id } })
    expect(JSON.stringify(made)).not.toContain('argon2')
  })

  test('gives as many days as the operator says, and no more', async () => {
    await writeSetting(t.database.db, t.deps.sealer, OPERATOR_COMPANY_ID, 'trial', '7', t.clock.now)
    const { body } = await signUp(wish({ email: 'sete@example.test' }))
    expect(body.company.dueDate).toBe('2026-11-27')
    const login = () => t.call('POST', '/auth/login', { body: { email: 'sete@example.test', password: 'segredo' } })
    t.clock.now = new Date('2026-11-28T02:59:00Z')
    expect((await login()).status).toBe(200)
    t.clock.now = new Date('2026-11-28T03:01:00Z')
    // Its admin comes in to pay.
    expect((await login()).body.user.company).toMatchObject({ isOver: true, dueDate: '2026-11-27' })
  })

  test('asks for the name of the person, and calls a trial a trial until somebody pays or the operator gives another day', async () => {
    const email = 'lia@example.test'
    const { body: made } = await signUp(wish({ email, userName: 'Lia Prado' }))
    const login = await t.call('POST', '/auth/login', { body: { email, password: 'segredo' } })
    expect(login.body.user).toMatchObject({ name: 'Lia Prado', company: { onTrial: true } })
    const { token } = login.body
    const { body: subscription } = await t.call('GET', '/subscription', { token })
    expect(subscription).toMatchObject({ onTrial: true, operatorEmail: 'operador@example.test' })
    // What else is to be had, and not what it has; nor the plan of the first start, which nobody has offered.
    expect(subscription.offered.map(({ name }: { name: string }) => name)).toEqual(['Ouro'])
    // How much is used is told before a form is filled in for nothing.
    const { body: room } = await t.call('GET', `/companies/listPlan/${made.company.id}`, { token })
    expect(room).toMatchObject({ plan: { users: 3, queues: 2 }, used: { users: 1, connections: 0, queues: 0 } })
    // Older clients count the days that are left of it.
    const { body: own } = await t.call('GET', `/companies/${made.company.id}`, { token })
    expect(own).toMatchObject({ trialExpiration: own.dueDate, email })
    await t.database.db.update(companies).set({ dueDate: '2026-12-23' }).where(eq(companies.id, made.company.id))
    expect((await t.call('GET', '/auth/me', { token })).body.company).toMatchObject({ onTrial: false })
    expect((await t.call('GET', '/subscription', { token })).body.onTrial).toBe(false)
  })

  test('is refused where the operator does not take companies', async () => {
    await allow('disabled')
    const before = await count()
    expect(await signUp(wish())).toMatchObject({ status: 403, body: { error: 'ERR_USER_CREATION_DISABLED' } })
    expect(await count()).toEqual(before)
  })

  test('with a name or an e-mail that is taken, whatever their case, makes nothing of it', async () => {
    const first = wish()
    await signUp(first)
    const before = await count()
    const name = String(first['name']).toUpperCase()
    expect(await signUp(wish({ name }))).toMatchObject({ status: 409, body: { error: 'ERR_COMPANY_ALREADY_EXISTS' } })
    const email = String(first['email']).toUpperCase()
    expect(await signUp(wish({ email }))).toMatchObject({ status: 409, body: { error: 'ERR_DUPLICATED_EMAIL' } })
    expect(await count()).toEqual(before)
  })

  test('twice at the same moment makes one company', async () => {
    const same = wish()
    const replies = await Promise.all([signUp(same), signUp(same), signUp(same)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('needs a plan that is offered, and says what is wrong with the rest', async () => {
    const [internal] = await t.database.db.insert(plans).values({ name: 'Da casa', useInternal: false }).returning()
    for (const id of [internal!.id, 2_000_000_000])
      expect(await signUp(wish({ planId: id }))).toMatchObject({ status: 404, body: { error: 'ERR_NO_PLAN_FOUND' } })
    const wrongs = [
      { name: 'x' },
      { name: '  ' },
      { email: 'dona' },
      { password: '1234' },
      { password: 'x'.repeat(129) },
      { phone: '119876543210' },
      { planId: undefined },
    ]
    for (const wrong of wrongs)
      expect([wrong, (await signUp(wish(wrong))).body.error]).toEqual([wrong, 'ERR_VALIDATION'])
  })

  test('may be tried so often from one address', async () => {
    const from = { 'x-forwarded-for': '203.0.113.7' }
    const once = (planId: number) => t.call('POST', '/companies/cadastro', { body: wish({ planId }), headers: from })
    for (let i = 0; i < 20; i++) expect((await once(2_000_000_000)).status).toBe(404)
    expect(await once(planId)).toMatchObject({ status: 429, body: { error: 'ERR_TOO_MANY_ATTEMPTS' } })
  }, 20_000)
})

test('the plans that are offered are shown without a login, cheapest first, and internal ones are not', async () => {
  for (const path of ['/plans/list', '/plans/register']) {
    const { status, body } = await t.call('GET', path)
    expect(status).toBe(200)
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['Básico', 'Ouro'])
  }
})

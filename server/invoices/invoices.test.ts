import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, desc, eq, sql } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { charges, invoices, paymentAccounts } from '../../schema/invoices/invoices.table.ts'
import { brCode } from '../../schema/invoices/invoices.pix.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { MASK } from '../../schema/secrets.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { makeDueInvoices } from './invoices.due.ts'

let t: TestApp
let operator: string
let planId: number
beforeAll(async () => {
  t = await testApp()
  operator = await t.login((await t.eg.user((await t.eg.company()).id, { profile: 'admin', super: true })).email)
  const [plan] = await t.database.db
    .insert(plans)
    .values({ name: 'Ouro', users: 3, connections: 1, queues: 2, value: '99.90' })
    .returning()
  planId = plan!.id
})
afterAll(() => t.close())

const START = new Date('2026-11-22T12:00:00Z')
beforeEach(() => {
  t.clock.now = START
})

/** A company on the plan, its admin and the invoice of its due date. */
async function customer(dueDate = '2026-11-25', values: Partial<typeof companies.$inferInsert> = {}) {
  const company = await t.eg.company({ planId, dueDate, ...values })
  const admin = await t.eg.user(company.id, { profile: 'admin' })
  await makeDueInvoices(t.deps, company.id)
  const token = await t.login(admin.email)
  const list = async () => (await t.call('GET', '/invoices/all', { token })).body.invoices
  const [invoice] = await list()
  const dueNow = async () => {
    const [row] = await t.database.db.select().from(companies).where(eq(companies.id, company.id))
    return row!.dueDate
  }
  return { company, admin, token, invoiceId: invoice?.id as number, list, dueNow }
}
const payer = { firstName: 'Maria da Silva', address2: 'Rua A, 1', city: 'Recife', zipcode: '50000-000', country: 'BR' }
const pay = (token: string, invoiceId: number, more: object = {}) =>
  t.call('POST', '/subscription', { token, body: { invoiceId, ...payer, ...more } })
const asOperator = (method: string, path: string, body?: unknown) => t.call(method, path, { token: operator, body })
const ownKey = { provider: 'pix', pixKey: 'Caixa@Operador.test', pixName: 'Operador Ltda', pixCity: 'São Paulo' }

describe('invoices', () => {
  test('are made once for each due date, also by two servers at the same moment', async () => {
    const { company, list } = await customer()
    await Promise.all(Array.from({ length: 5 }, () => makeDueInvoices(t.deps)))
    expect(await list()).toMatchObject([
      { detail: 'Ouro', value: '99.90', dueDate: '2026-11-25', months: 1, status: 'open', paidAt: null },
    ])
    expect(await t.database.db.$count(invoices, eq(invoices.companyId, company.id))).toBe(1)
  })

  test('stand there as soon as somebody signs up, and when the operator moves the due date', async () => {
    const { company, token, list } = await customer('2027-06-01')
    expect(await list()).toEqual([])
    await asOperator('PUT', `/companies/${company.id}`, { dueDate: '2026-11-30' })
    expect((await list())[0]).toMatchObject({ dueDate: '2026-11-30' })
    expect((await t.call('GET', `/invoices/${(await list())[0].id}`, { token })).body).toMatchObject({ detail: 'Ouro' })
  })

  test('are for admins alone, and found by number and detail', async () => {
    const { company, token, invoiceId } = await customer()
    const agent = await t.login((await t.eg.user(company.id)).email)
    for (const path of ['/invoices/all', `/invoices/${invoiceId}`, '/subscription'])
      expect((await t.call('GET', path, { token: agent })).body.error).toBe('ERR_NO_PERMISSION')
    expect((await pay(agent, invoiceId)).body.error).toBe('ERR_NO_PERMISSION')
    const found = async (search: string) =>
      (await t.call('GET', `/invoices/all?searchParam=${search}`, { token })).body.invoices.length
    expect([await found(String(invoiceId)), await found('OUR'), await found('prata')]).toEqual([1, 1, 0])
  })

  test('of many years are read page by page from an index', async () => {
    const { company, token } = await customer()
    await t.database.db.execute(sql`
      INSERT INTO invoices ("companyId", detail, value, "dueDate", months, status)
      SELECT ${company.id}, 'Ouro', 99.90, DATE '1700-01-01' + n, 1, 'paid' FROM generate_series(1, 100000) n`)
    await t.database.db.execute(sql`ANALYZE invoices`)
    const plan = await t.database.db.execute(sql`EXPLAIN SELECT * FROM invoices
      WHERE "companyId" = ${company.id} ORDER BY "dueDate" DESC LIMIT 21`)
    expect(JSON.stringify(plan)).toContain('Index Scan Backward using invoices_due')
    const first = (await t.call('GET', '/invoices/all', { token })).body
    const second = (await t.call('GET', '/invoices/all?pageNumber=2', { token })).body
    expect([first.invoices.length, first.hasMore, second.invoices.length]).toEqual([20, true, 20])
    expect(first.invoices.at(-1).dueDate > second.invoices[0].dueDate).toBe(true)
  }, 60_000)
})

describe('without a provider', () => {
  test('the checkout says that nothing is set up', async () => {
    const { token, invoiceId } = await customer()
    expect((await t.call('GET', '/subscription', { token })).body.provider).toBeNull()
    expect((await pay(token, invoiceId)).body.error).toBe('ERR_NO_PAYMENT')
  })
})

describe('the operator’s own Pix key', () => {
  beforeAll(async () => {
    expect((await asOperator('PUT', '/invoices/provider', ownKey)).body).toMatchObject({
      ...{ provider: 'pix', pixKey: 'caixa@operador.test', isSet: true, webhook: null },
    })
  })

  test('is refused when it is none, or when something is missing', async () => {
    for (const [wrong, field] of [
      [{ pixKey: 'padaria' }, 'pixKey'],
      [{ pixCity: ' ' }, 'pixCity'],
      [{ provider: 'asaas' }, 'asaasKey'],
      [{ provider: 'efi' }, 'efiClientId'],
      [{ provider: 'efi', efiCertificate: 'no certificate' }, 'efiCertificate'],
      [{ asaasBaseUrl: 'http://10.0.0.1/' }, 'asaasBaseUrl'],
    ] as const)
      expect([wrong, (await asOperator('PUT', '/invoices/provider', { ...ownKey, ...wrong })).body]).toEqual([
        wrong,
        { error: 'ERR_PAYMENT_FIELD', field },
      ])
  })

  test('makes the code of an invoice, at the invoice’s price, and remembers who pays', async () => {
    const { token, invoiceId } = await customer()
    const reply = await pay(token, invoiceId, { price: 1, document: '529.982.247-25', plan: '{}', cardNumber: '4111' })
    expect(reply.body).toEqual({
      qrcode: {
        qrcode: brCode(
          { key: 'caixa@operador.test', name: 'Operador Ltda', city: 'São Paulo' },
          '99.90',
          `FATURA${invoiceId}`,
        ),
      },
      valor: { original: '99.90' },
      expiresAt: null,
      provider: 'pix',
      invoice: { id: invoiceId, dueDate: '2026-11-25' },
    })
    expect((await t.call('GET', '/subscription', { token })).body).toMatchObject({
      payer: { ...payer, document: '52998224725' },
      plan: { name: 'Ouro', users: 3, price: { value: '99.90', months: 1 } },
      used: { users: 1, connections: 0 },
    })
    // Another tab gets the same one.
    await Promise.all([pay(token, invoiceId), pay(token, invoiceId)])
    expect(await t.database.db.$count(charges, eq(charges.invoiceId, invoiceId))).toBe(1)
    expect((await pay(token, invoiceId, { document: '111.111.111-11' })).body).toEqual({
      ...{ error: 'ERR_PAYMENT_FIELD', field: 'document' },
    })
  })

  test('is confirmed by the operator: the company goes on, once, however often it is said', async () => {
    const { company, token, invoiceId, list, dueNow } = await customer()
    await pay(token, invoiceId)
    const said = await Promise.all(Array.from({ length: 4 }, () => asOperator('PUT', `/invoices/${invoiceId}/paid`)))
    expect(said.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect(await dueNow()).toBe('2026-12-25')
    expect(await list()).toMatchObject([{ status: 'paid', paidVia: 'operator' }])
    expect((await pay(token, invoiceId)).body.error).toBe('ERR_INVOICE_SETTLED')
    expect(
      t.emitted.filter(
        ({ name, action, companyId }) => name === 'payment' && action === 'CONCLUIDA' && companyId === company.id,
      ),
    ).toMatchObject([{ payload: { company: { id: company.id, dueDate: '2026-12-25' } } }])
    // The next one comes in its time.
    await makeDueInvoices(t.deps)
    expect(await list()).toHaveLength(1)
    t.clock.now = new Date('2026-12-06T12:00:00Z')
    await makeDueInvoices(t.deps)
    const [next] = await t.database.db
      .select()
      .from(invoices)
      .where(eq(invoices.companyId, company.id))
      .orderBy(desc(invoices.dueDate))
    expect(next).toMatchObject({ status: 'open', dueDate: '2026-12-25' })
  })

  test('is no use for a cancelled invoice, and its due date is not billed again', async () => {
    const { token, invoiceId, list, dueNow } = await customer()
    expect((await asOperator('PUT', `/invoices/${invoiceId}/cancelled`)).body.status).toBe('cancelled')
    await makeDueInvoices(t.deps)
    expect((await list()).map(({ status }: { status: string }) => status)).toEqual(['cancelled'])
    expect((await pay(token, invoiceId)).body.error).toBe('ERR_INVOICE_SETTLED')
    expect((await asOperator('PUT', `/invoices/${invoiceId}/paid`)).body.error).toBe('ERR_INVOICE_SETTLED')
    expect(await dueNow()).toBe('2026-11-25')
  })

  test('is changed by the operator alone', async () => {
    const { company, token, invoiceId } = await customer()
    for (const [method, path, body] of [
      ['GET', `/invoices?companyId=${company.id}`],
      ['PUT', `/invoices/${invoiceId}/paid`],
      ['PUT', `/invoices/${invoiceId}/cancelled`],
      ['PUT', `/invoices/${invoiceId}/refunded`],
      ['GET', '/invoices/provider'],
      ['PUT', '/invoices/provider', ownKey],
    ] as const)
      expect([path, (await t.call(method, path, { token, body })).body.error]).toEqual([path, 'ERR_NO_SUPER'])
    expect((await asOperator('GET', `/invoices?companyId=${company.id}`)).body.invoices).toHaveLength(1)
  })
})

describe('money that the operator gives back', () => {
  beforeAll(() => asOperator('PUT', '/invoices/provider', ownKey))

  test('takes back the month that it bought, never in less than three days', async () => {
    const { company, invoiceId, list, dueNow } = await customer()
    expect((await asOperator('PUT', `/invoices/${invoiceId}/refunded`)).body.error).toBe('ERR_INVOICE_SETTLED')
    await asOperator('PUT', `/invoices/${invoiceId}/paid`)
    expect((await asOperator('PUT', `/invoices/${invoiceId}/refunded`)).body.status).toBe('refunded')
    expect(await dueNow()).toBe('2026-11-25')
    const told = (await list()).map(({ status, dueDate }: { status: string; dueDate: string }) => [status, dueDate])
    expect(told).toEqual([
      ['open', '2026-11-25'],
      ['refunded', '2026-11-25'],
    ])
    expect(t.emitted.filter(({ name, companyId }) => name === 'payment' && companyId === company.id)).toContainEqual(
      expect.objectContaining({ action: 'invoice' }),
    )
    // The admins are told as before each last day.
    const { invoiceId: late, dueNow: lateDue } = await customer('2026-11-23')
    await asOperator('PUT', `/invoices/${late}/paid`)
    await asOperator('PUT', `/invoices/${late}/refunded`)
    expect(await lateDue()).toBe('2026-11-25')
  })

  test('gives the end of the month back, too', async () => {
    const { company, invoiceId } = await customer('2027-01-31')
    t.clock.now = new Date('2027-01-20T12:00:00Z')
    await makeDueInvoices(t.deps, company.id)
    const rows = () =>
      t.database.db.select().from(invoices).where(eq(invoices.companyId, company.id)).orderBy(invoices.id)
    expect(invoiceId).toBeUndefined()
    await t.deps.payments.markPaid((await rows())[0]!.id)
    t.clock.now = new Date('2027-02-15T12:00:00Z')
    await makeDueInvoices(t.deps, company.id)
    await t.deps.payments.markPaid((await rows())[1]!.id)
    await t.deps.payments.markRefunded((await rows())[1]!.id)
    const [row] = await t.database.db.select().from(companies).where(eq(companies.id, company.id))
    expect(row).toMatchObject({ dueDate: '2027-02-28', dueDay: 31 })
  })
})

describe('an invoice that is not paid yet', () => {
  beforeAll(() => asOperator('PUT', '/invoices/provider', ownKey))
  const told = async (list: () => Promise<any[]>) =>
    (await list()).map(({ detail, value, months, status }) => [detail, value, months, status])
  const newPlan = async (name: string, value: string) =>
    (await t.database.db.insert(plans).values({ name, value }).returning())[0]!.id

  test('costs what the company’s plan costs now', async () => {
    const { company, token, invoiceId, list } = await customer()
    await pay(token, invoiceId)
    const change = (body: object) => asOperator('PUT', `/companies/${company.id}`, body)
    await change({ planId: await newPlan('Diamante', '149.90') })
    expect(await told(list)).toEqual([['Diamante', '149.90', 1, 'open']])
    await change({ recurrence: 'TRIMESTRAL' })
    expect(await told(list)).toEqual([['Diamante', '449.70', 3, 'open']])
    expect((await pay(token, invoiceId)).body.valor.original).toBe('449.70')
    // What is paid stays what it was.
    await asOperator('PUT', `/invoices/${invoiceId}/paid`)
    await change({ planId })
    expect(await told(list)).toEqual([['Diamante', '449.70', 3, 'paid']])
  })

  test('follows the plan’s own price and name, for all who have it; charges of the same price stay', async () => {
    const planId = await newPlan('Básico', '50.00')
    const one = await customer('2026-11-25', { planId })
    const two = await customer('2026-11-26', { planId, recurrence: 'ANUAL' })
    const other = await customer()
    await pay(one.token, one.invoiceId)
    await asOperator('PUT', `/plans/${planId}`, { name: 'Essencial' })
    expect(await told(one.list)).toEqual([['Essencial', '50.00', 1, 'open']])
    expect(await t.database.db.select().from(charges).where(eq(charges.invoiceId, one.invoiceId))).toMatchObject([
      { status: 'open' },
    ])
    await asOperator('PUT', `/plans/${planId}`, { value: '60.00' })
    expect(await told(one.list)).toEqual([['Essencial', '60.00', 1, 'open']])
    expect(await told(two.list)).toEqual([['Essencial', '720.00', 12, 'open']])
    expect(await told(other.list)).toEqual([['Ouro', '99.90', 1, 'open']])
    expect(
      t.emitted.filter(({ name, companyId }) => name === 'payment' && companyId === two.company.id),
    ).toContainEqual(expect.objectContaining({ action: 'invoice' }))
    // Also where nobody has told it.
    await t.database.db.update(plans).set({ value: '70.00' }).where(eq(plans.id, planId))
    await makeDueInvoices(t.deps)
    expect(await told(one.list)).toEqual([['Essencial', '70.00', 1, 'open']])
  })

  test('is not to be paid while the plan costs nothing, and is there again with its price', async () => {
    const planId = await newPlan('Cortesia', '10.00')
    const untouched = await customer('2026-11-25', { planId })
    const begun = await customer('2026-11-25', { planId })
    await pay(begun.token, begun.invoiceId)
    // What the operator is asked before.
    const unpaid = async (which: string) => (await asOperator('GET', `/invoices/unpaid?${which}`)).body
    expect(await unpaid(`planId=${planId}`)).toEqual({ open: 2, begun: 1 })
    expect(await unpaid(`companyId=${untouched.company.id}`)).toEqual({ open: 1, begun: 0 })
    expect(await unpaid(`companyId=${begun.company.id}`)).toEqual({ open: 1, begun: 1 })
    await asOperator('PUT', `/plans/${planId}`, { value: 0 })
    expect(await unpaid(`planId=${planId}`)).toEqual({ open: 0, begun: 0 })
    expect(await told(untouched.list)).toEqual([])
    expect(await told(begun.list)).toEqual([['Cortesia', '10.00', 1, 'cancelled']])
    await asOperator('PUT', `/plans/${planId}`, { value: '12.00' })
    await makeDueInvoices(t.deps)
    expect(await told(untouched.list)).toEqual([['Cortesia', '12.00', 1, 'open']])
  })
})

describe('a due date at the end of a month', () => {
  beforeAll(() => asOperator('PUT', '/invoices/provider', ownKey))
  const payments = async (company: { id: number }, days: string[]) => {
    const due: (string | null)[] = []
    for (const day of days) {
      t.clock.now = new Date(`${day}T12:00:00Z`)
      await makeDueInvoices(t.deps, company.id)
      const [open] = await t.database.db
        .select()
        .from(invoices)
        .where(and(eq(invoices.companyId, company.id), eq(invoices.status, 'open')))
      await t.deps.payments.markPaid(open!.id)
      const [row] = await t.database.db.select().from(companies).where(eq(companies.id, company.id))
      due.push(row!.dueDate)
    }
    return due
  }
  const change = (id: number, body: object) => {
    // When the operator's login is still good.
    t.clock.now = START
    return asOperator('PUT', `/companies/${id}`, body)
  }

  test('is the end of the next ones, too, however short the month between', async () => {
    const { company } = await customer('2027-01-31')
    expect(await payments(company, ['2027-01-20', '2027-02-20', '2027-03-20'])).toEqual([
      ...['2027-02-28', '2027-03-31', '2027-04-30'],
    ])
    const quarter = (await customer('2027-11-30', { recurrence: 'TRIMESTRAL' })).company
    expect(await payments(quarter, ['2027-11-20', '2028-02-20'])).toEqual(['2028-02-29', '2028-05-30'])
    const year = (await customer('2028-02-29', { recurrence: 'ANUAL' })).company
    expect(await payments(year, ['2028-02-20', '2029-02-20', '2030-02-20', '2031-02-20'])).toEqual([
      ...['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
    ])
  })

  test('is counted anew from a day that the operator writes, and from the day of who pays late', async () => {
    const { company } = await customer('2027-01-31')
    await payments(company, ['2027-01-20'])
    expect((await change(company.id, { dueDate: '2027-02-27' })).body).toMatchObject({ dueDay: null })
    expect(await payments(company, ['2027-02-20'])).toEqual(['2027-03-27'])
    const late = (await customer('2027-01-31')).company
    expect(await payments(late, ['2027-01-20', '2027-03-05', '2027-03-20'])).toEqual([
      ...['2027-02-28', '2027-04-05', '2027-05-05'],
    ])
  })

  test('stays it when the operator gives a month, and when a form sends the same date again', async () => {
    const { company } = await customer('2027-01-31')
    expect((await change(company.id, { dueDate: '2027-02-28', dueDay: 31 })).body).toMatchObject({ dueDay: 31 })
    await change(company.id, { name: `Padaria ${company.id}`, dueDate: '2027-02-28' })
    expect(await payments(company, ['2027-02-20'])).toEqual(['2027-03-31'])
    for (const wrong of [{ dueDate: '2027-02-27', dueDay: 31 }, { dueDay: 31 }, { dueDate: null, dueDay: 3 }])
      expect([wrong, (await change(company.id, wrong)).body.error]).toEqual([wrong, 'ERR_VALIDATION'])
    expect((await change(company.id, { dueDate: null })).body).toMatchObject({ dueDate: null, dueDay: null })
  })
})

describe('a due date that the operator moves', () => {
  beforeAll(() => asOperator('PUT', '/invoices/provider', ownKey))
  const move = (companyId: number, dueDate: string | null) => asOperator('PUT', `/companies/${companyId}`, { dueDate })
  const told = async (list: () => Promise<{ dueDate: string; status: string }[]>) =>
    (await list()).map(({ dueDate, status }) => [dueDate, status])

  test('by a whole recurrence leaves nothing to pay for the time that was given', async () => {
    const { company, token, invoiceId, list, dueNow } = await customer()
    await pay(token, invoiceId)
    await move(company.id, '2026-12-25')
    expect(await told(list)).toEqual([['2026-11-25', 'cancelled']])
    // What the company still sees on another screen renews nothing more.
    expect((await pay(token, invoiceId)).body.error).toBe('ERR_INVOICE_SETTLED')
    expect((await asOperator('PUT', `/invoices/${invoiceId}/paid`)).body.error).toBe('ERR_INVOICE_SETTLED')
    expect(await dueNow()).toBe('2026-12-25')
    expect(await t.database.db.$count(charges, and(eq(charges.invoiceId, invoiceId), eq(charges.status, 'open')))).toBe(
      0,
    )
    expect(t.emitted.filter(({ name, companyId }) => name === 'payment' && companyId === company.id)).toContainEqual(
      expect.objectContaining({ action: 'invoice', payload: {} }),
    )
  })

  test('by some days takes its invoice along: nobody is billed twice for one month', async () => {
    const { company, token, invoiceId, list, dueNow } = await customer()
    await move(company.id, '2026-11-30')
    await makeDueInvoices(t.deps)
    expect(await told(list)).toEqual([['2026-11-30', 'open']])
    await move(company.id, '2026-11-28')
    expect(await told(list)).toEqual([['2026-11-28', 'open']])
    expect((await pay(token, invoiceId)).status).toBe(200)
    await asOperator('PUT', `/invoices/${invoiceId}/paid`)
    expect(await dueNow()).toBe('2026-12-28')
  })

  test('to a day whose invoice was cancelled leaves the open one where it is', async () => {
    const { company, invoiceId, list } = await customer()
    await asOperator('PUT', `/invoices/${invoiceId}/cancelled`)
    await move(company.id, '2026-11-30')
    await move(company.id, '2026-11-25')
    expect(await told(list)).toEqual([
      ['2026-11-30', 'open'],
      ['2026-11-25', 'cancelled'],
    ])
  })

  test('away for good cancels what was to be paid, and no payment brings it back', async () => {
    const { company, list, dueNow } = await customer()
    await move(company.id, null)
    expect(await told(list)).toEqual([['2026-11-25', 'cancelled']])
    expect(await dueNow()).toBeNull()
  })

  test('beside a payment renews once, whoever of both comes first', async () => {
    for (let n = 0; n < 5; n++) {
      const { company, invoiceId, list, dueNow } = await customer()
      await Promise.all([move(company.id, '2026-12-25'), asOperator('PUT', `/invoices/${invoiceId}/paid`)])
      expect(await dueNow()).toBe('2026-12-25')
      expect((await list())[0].status).not.toBe('open')
    }
  })
})

describe('a company whose time is over', () => {
  beforeAll(() => asOperator('PUT', '/invoices/provider', ownKey))

  test('lets its admins in to pay and to nothing else, and works again when it is paid', async () => {
    const { company, admin, invoiceId } = await customer('2026-11-24')
    const agent = await t.eg.user(company.id)
    t.clock.now = new Date('2026-11-26T12:00:00Z')
    t.deps.auth.forget()
    const login = await t.call('POST', '/auth/login', { body: { email: admin.email, password: 'segredo1' } })
    expect([login.status, login.body.user.company.isOver]).toEqual([200, true])
    const { token } = login.body
    expect((await t.call('POST', '/auth/login', { body: { email: agent.email, password: 'segredo1' } })).status).toBe(
      402,
    )
    for (const path of ['/invoices/all', `/invoices/${invoiceId}`, '/subscription', '/auth/me'])
      expect([path, (await t.call('GET', path, { token })).status]).toEqual([path, 200])
    expect((await t.call('GET', '/subscription', { token })).body).toMatchObject({ isOver: true, openInvoices: 1 })
    for (const path of ['/tickets', '/contacts', '/settings', '/users', '/auth/sessions', `/companies/${company.id}`])
      expect([path, (await t.call('GET', path, { token })).status]).toEqual([path, 402])
    // To hear when it may work again; to see anything, it gets none.
    for (const [use, status] of [
      [{ for: 'events' }, 200],
      [{ for: 'sync' }, 402],
      [{ for: 'media', path: `${company.id}/a.png` }, 402],
    ] as const)
      expect([use.for, (await t.call('POST', '/auth/passes', { token, body: use })).status]).toEqual([use.for, status])
    expect((await pay(token, invoiceId)).status).toBe(200)

    await t.deps.payments.markPaid(invoiceId)
    expect((await t.call('GET', '/tickets', { token })).status).toBe(200)
    const { body } = await t.call('GET', '/auth/me', { token })
    expect(body.company).toMatchObject({ isOver: false, dueDate: '2026-12-26' })
    expect((await t.call('POST', '/auth/login', { body: { email: agent.email, password: 'segredo1' } })).status).toBe(
      200,
    )
  })

  test('that the operator has switched off is let in for nothing', async () => {
    const { company, admin } = await customer('2026-11-24')
    await asOperator('PUT', `/companies/${company.id}`, { status: false })
    expect(await t.call('POST', '/auth/login', { body: { email: admin.email, password: 'segredo1' } })).toMatchObject({
      ...{ status: 402, body: { error: 'ERR_COMPANY_OFF' } },
    })
  })
})

test('keys are sealed where they are kept, shown to nobody, and not sent to another address', async () => {
  const asaas = { provider: 'asaas', asaasKey: '$aact_secret', asaasBaseUrl: 'http://127.0.0.1:1/v3' }
  // Nobody answers there, so it is not kept.
  expect((await asOperator('PUT', '/invoices/provider', asaas)).body.error).toBe('ERR_PAYMENT_PROVIDER')
  const kept = await asOperator('PUT', '/invoices/provider', { ...ownKey, asaasKey: '$aact_secret' })
  expect(kept.body.asaasKey).toBe(MASK)
  const [row] = await t.database.db.select().from(paymentAccounts)
  expect(JSON.stringify(row)).not.toContain('aact_secret')
  expect(JSON.stringify((await asOperator('GET', '/invoices/provider')).body)).not.toContain('aact_secret')
  expect((await asOperator('PUT', '/invoices/provider', { ...asaas, asaasKey: MASK })).body).toEqual({
    ...{ error: 'ERR_PAYMENT_FIELD', field: 'asaasKey' },
  })
})

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { charges, invoices } from '../../schema/invoices/invoices.table.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { serveFakes } from '../../tests/fakes/bots/serve.ts'
import { fakeAsaasPayments } from '../../tests/fakes/payments/asaas.ts'
import { fakeEfi } from '../../tests/fakes/payments/efi.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { until } from '../../tests/support/stack.ts'
import { makeCertificate } from '../../tests/support/certificate.ts'
import { parseAllowed } from '../outside/addresses.ts'
import { createOutside } from '../outside/outside.ts'
import { createPayments } from './invoices.charges.ts'
import { makeDueInvoices } from './invoices.due.ts'
import { providerFor } from './invoices.providers.ts'
import { readAccount } from './invoices.account.ts'
import { NotNow } from '../jobs/worker.ts'
import { PaymentFailed } from './invoices.call.ts'
import { companyEffects } from '../companies/companies.removal.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'

let t: TestApp
let operator: string
let planId: number
let efi: ReturnType<typeof fakeEfi>
let asaas: ReturnType<typeof fakeAsaasPayments>
let fakes: ReturnType<typeof serveFakes<'asaas'>>
const certificate = makeCertificate('efi')
const START = new Date('2026-11-22T12:00:00Z')

beforeAll(async () => {
  const outside = createOutside({ allow: [parseAllowed('127.0.0.1')], resolve: async () => [], ca: certificate.cert })
  t = await testApp({ publicUrl: 'https://balcao.test', outside })
  operator = await t.login((await t.eg.user((await t.eg.company()).id, { profile: 'admin', super: true })).email)
  efi = fakeEfi({ certificate, now: () => t.clock.now })
  asaas = fakeAsaasPayments({ today: () => t.clock.now.toISOString().slice(0, 10) })
  fakes = serveFakes({ asaas })
  const [plan] = await t.database.db.insert(plans).values({ name: 'Ouro', value: '99.90' }).returning()
  planId = plan!.id
})
afterAll(async () => {
  await t.close()
  await efi.stop()
  await fakes.stop()
})
beforeEach(async () => {
  t.clock.now = START
  // What other tests left open is asked about in none but their own.
  await t.database.db.update(charges).set({ checkAt: null })
  await t.database.db.delete(jobs)
})

const efiAccount = () => ({
  ...{ provider: 'efi', efiClientId: efi.clientId, efiClientSecret: efi.clientSecret, efiBaseUrl: efi.url },
  ...{ efiCertificate: certificate.cert + certificate.key, pixKey: 'caixa@operador.test' },
})
const asaasAccount = () => ({ provider: 'asaas', asaasKey: asaas.key, asaasBaseUrl: `${fakes.urls.asaas}/v3` })
const save = (body: object) => t.call('PUT', '/invoices/provider', { token: operator, body })
const secret = async () => (await readAccount(t.database.db, t.deps.sealer))!.webhookSecret

async function customer(document = '529.982.247-25') {
  const company = await t.eg.company({ planId, dueDate: '2026-11-25' })
  const token = await t.login((await t.eg.user(company.id, { profile: 'admin' })).email)
  await makeDueInvoices(t.deps, company.id)
  const [invoice] = await t.database.db.select().from(invoices).where(eq(invoices.companyId, company.id))
  const id = invoice!.id
  const payer = { firstName: 'Maria', address2: 'Rua A', city: 'Recife', zipcode: '50000-000', country: 'BR', document }
  const pay = () => t.call('POST', '/subscription', { token, body: { invoiceId: id, ...payer } })
  const state = async () => {
    const [row] = await t.database.db
      .select({ due: companies.dueDate, status: invoices.status })
      .from(invoices)
      .innerJoin(companies, eq(companies.id, invoices.companyId))
      .where(eq(invoices.id, id))
    return [row!.due, row!.status]
  }
  const chargeRows = () => t.database.db.select().from(charges).where(eq(charges.invoiceId, id)).orderBy(charges.id)
  return { company, id, pay, state, chargeRows }
}
/** Does the jobs that take charges back, as the worker would. @returns of which charges */
async function takeBacks() {
  const rows = await t.database.db.delete(jobs).where(eq(jobs.kind, 'invoices.takeBack')).returning()
  for (const { kind, payload, companyId } of rows) {
    // The operator's: they stay when a company goes.
    expect(companyId).toBe(OPERATOR_COMPANY_ID)
    await t.deps.payments.takeBack({ kind, ...payload } as Parameters<typeof t.deps.payments.takeBack>[0])
  }
  return rows.map(({ payload }) => payload.ref as string)
}
const removal = (companyId: number) =>
  companyEffects({ db: t.database.db, media: t.deps.media, events: t.events, forgetSession: async () => undefined })[
    'companies.remove'
  ]({ kind: 'companies.remove', removedId: companyId }, { companyId: OPERATOR_COMPANY_ID, attempt: 1, last: false })
const minutes = (count: number) => t.clock.advance(count * 60_000)
const open = ['2026-11-25', 'open']
const renewed = ['2026-12-25', 'paid']

describe('Efí', () => {
  const hook = async (body: unknown, word?: string, path = '/payments/efi') =>
    t.call('POST', `${path}?hmac=${word ?? (await secret())}&ignorar=`, { body })
  beforeAll(async () => {
    expect((await save(efiAccount())).body).toMatchObject({ provider: 'efi', isTold: true })
  })
  afterEach(() => efi.forgetTokens())

  test('is told where to call, and its keys are tried before they are kept', async () => {
    expect(efi.hooks.at(-1)).toEqual({
      chave: 'caixa@operador.test',
      webhookUrl: `https://balcao.test/payments/efi?hmac=${await secret()}&ignorar=`,
    })
    expect((await save({ ...efiAccount(), efiClientSecret: 'wrong' })).body).toMatchObject({
      ...{ error: 'ERR_PAYMENT_PROVIDER', why: 'credentials', fields: ['efiClientId', 'efiClientSecret'] },
      answer: '401',
    })
    // The keys are taken, and the Pix key is somebody else's.
    efi.troubles.next('none', { status: 400, body: '{"nome":"chave_invalida"}' })
    expect((await save(efiAccount())).body).toMatchObject({
      ...{ why: 'refused', answer: '400 chave_invalida', fields: ['pixKey'] },
    })
    expect((await save({ ...efiAccount(), efiBaseUrl: 'https://127.0.0.1:1' })).body).toMatchObject({
      ...{ why: 'unreachable', answer: 'ECONNREFUSED', fields: ['efiBaseUrl'] },
    })
    const other = makeCertificate('other')
    // It hangs up on a certificate that is not its customer's.
    expect((await save({ ...efiAccount(), efiCertificate: other.cert + other.key })).body).toMatchObject({
      ...{ error: 'ERR_PAYMENT_PROVIDER', why: 'certificate', fields: ['efiCertificate'] },
    })
    // What looks like a certificate is read, and the key must be its own.
    for (const efiCertificate of [
      certificate.cert,
      certificate.cert + other.key,
      (certificate.cert + certificate.key).replaceAll('M', 'A'),
    ])
      expect((await save({ ...efiAccount(), efiCertificate })).body).toEqual({
        ...{ error: 'ERR_PAYMENT_FIELD', field: 'efiCertificate' },
      })
  })

  test('gives one charge for two tabs, for an hour, and a new one after it', async () => {
    const { company, id, pay, state, chargeRows } = await customer()
    const [one, two] = await Promise.all([pay(), pay()])
    expect(one!.body.qrcode.qrcode).toContain('qrcodespix.test')
    expect(two!.body).toEqual(one!.body)
    expect(one!.body).toMatchObject({ valor: { original: '99.90' }, expiresAt: '2026-11-22T13:00:00.000Z' })
    expect(await chargeRows()).toHaveLength(1)
    minutes(61)
    const payer = {
      firstName: 'Maria',
      address2: 'Rua A',
      district: '',
      city: 'Recife',
      state: '',
      zipcode: '5',
      document: '',
    }
    const next = await t.deps.payments.charge(company.id, id, { ...payer, country: 'BR' })
    expect(next.charge.expiresAt).toEqual(new Date('2026-11-22T14:01:00Z'))
    expect((await chargeRows()).map(({ status }) => status)).toEqual(['ended', 'open'])
    // What ran out and was paid in its last minute is found out all the same.
    efi.paid((await chargeRows())[0]!.ref)
    await t.deps.payments.check()
    expect(await state()).toEqual(renewed)
  })

  test('a webhook, told twice and by both paths, renews once', async () => {
    const { pay, state, chargeRows } = await customer()
    await pay()
    const [charge] = await chargeRows()
    const told = efi.paid(charge!.ref)
    const replies = await Promise.all([hook(told), hook(told), hook(told, undefined, '/payments/efi/pix')])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    await t.deps.payments.check()
    expect(await state()).toEqual(renewed)
    await hook(told)
    await t.deps.payments.check()
    expect(await state()).toEqual(renewed)
  })

  test('a forged webhook is asked about and changes nothing, one without the word is not listened to', async () => {
    const { pay, state, chargeRows } = await customer()
    await pay()
    const [charge] = await chargeRows()
    const forged = { pix: [{ txid: charge!.ref, valor: '99.90', endToEndId: 'E1' }] }
    expect((await hook(forged, 'guess')).status).toBe(401)
    expect((await hook(forged)).status).toBe(200)
    expect((await hook({ evento: 'teste_webhook' })).status).toBe(200)
    for (const odd of [null, [], { pix: 'x' }, { pix: [null, { txid: 7 }, { txid: 'x' }] }])
      expect((await hook(odd)).status).toBe(200)
    await t.deps.payments.check()
    expect(await state()).toEqual(open)
  })

  test('a lost webhook is made good by asking, also after a failure of theirs', async () => {
    const { pay, state, chargeRows } = await customer()
    await pay()
    efi.paid((await chargeRows())[0]!.ref)
    await t.deps.payments.check()
    expect(await state()).toEqual(open)
    minutes(1)
    efi.troubles.next({ status: 503 })
    await t.deps.payments.check()
    expect(await state()).toEqual(open)
    minutes(5)
    await t.deps.payments.check()
    expect(await state()).toEqual(renewed)
  })

  test('what was paid while the server was away for days is found, also when the first question has no answer', async () => {
    await save(efiAccount())
    const { pay, state, chargeRows } = await customer()
    await pay()
    const [charge] = await chargeRows()
    efi.paid(charge!.ref)
    t.clock.advance(3 * 86_400_000)
    efi.troubles.next({ status: 503 })
    await t.deps.payments.check()
    expect((await state())[1]).toBe('open')
    minutes(15)
    await t.deps.payments.check()
    expect((await state())[1]).toBe('paid')
  })

  test('money that went back before anybody asked renews nothing, and the operator sees it', async () => {
    await save(efiAccount())
    const { pay, state, chargeRows } = await customer()
    await pay()
    const [charge] = await chargeRows()
    efi.paid(charge!.ref)
    efi.returned(charge!.ref)
    minutes(1)
    await t.deps.payments.check()
    expect(await state()).toEqual(['2026-11-25', 'open'])
    expect(await chargeRows()).toMatchObject([{ status: 'short', paidValue: '0.00' }])
    // It was not to be: the money stays.
    efi.returned(charge!.ref, 'NAO_REALIZADO')
    await t.deps.payments.notified([charge!.ref])
    await t.deps.payments.check()
    expect((await state())[1]).toBe('paid')
  })

  describe('money that goes back after it has paid', () => {
    const paid = async () => {
      const one = await customer()
      await one.pay()
      const [charge] = await one.chargeRows()
      await hook(efi.paid(charge!.ref))
      await t.deps.payments.check()
      expect(await one.state()).toEqual(renewed)
      return { ...one, ref: charge!.ref, chargeId: charge!.id }
    }
    const list = async (id: number) =>
      ((await t.call('GET', `/invoices?companyId=${id}`, { token: operator })).body.invoices as any[]).map(
        ({ status, dueDate, oddMoney }) => [status, dueDate, oddMoney],
      )

    test('takes back the time that it bought, once, says so to the operator, and is billed again', async () => {
      const { company, ref, state } = await paid()
      const told = efi.returned(ref)
      const replies = await Promise.all([hook(told), hook(told), hook(told, undefined, '/payments/efi/pix')])
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
      await t.deps.payments.check()
      expect(await state()).toEqual(['2026-11-25', 'refunded'])
      expect(await list(company.id)).toEqual([
        ['open', '2026-11-25', null],
        ['refunded', '2026-11-25', 'returned'],
      ])
      const { body } = await t.call('GET', '/invoices/odd-money', { token: operator })
      expect(body.records[0]).toMatchObject({
        ...{ status: 'returned', paidValue: '0.00', value: '99.90', company: { id: company.id } },
        invoice: { status: 'refunded' },
      })
      await hook(told)
      await t.deps.payments.check()
      expect(await state()).toEqual(['2026-11-25', 'refunded'])
      expect(
        (await t.call('PUT', `/invoices/odd-money/${body.records[0].id}/resolved`, { token: operator })).status,
      ).toBe(200)
      expect(await list(company.id)).toEqual([
        ['open', '2026-11-25', null],
        ['refunded', '2026-11-25', null],
      ])
    })

    test('locks nobody out: there are three days, and the invoice that was to come is due then', async () => {
      const { company, ref, state } = await paid()
      t.clock.now = new Date('2026-12-10T12:00:00Z')
      await makeDueInvoices(t.deps, company.id)
      efi.returned(ref)
      efi.forgetTokens()
      await t.deps.payments.notified([ref])
      await t.deps.payments.check()
      expect(await state()).toEqual(['2026-12-13', 'refunded'])
      const rows = await t.database.db.select().from(invoices).where(eq(invoices.companyId, company.id))
      expect(rows.map(({ status, dueDate }) => [status, dueDate])).toContainEqual(['open', '2026-12-13'])
      expect(rows).toHaveLength(2)
    })

    test('takes nothing from who has been given time since, by a payment or the operator', async () => {
      const { company, ref, state } = await paid()
      await t.call('PUT', `/companies/${company.id}`, { token: operator, body: { dueDate: '2027-01-05' } })
      efi.returned(ref)
      await t.deps.payments.notified([ref])
      await t.deps.payments.check()
      expect(await state()).toEqual(['2027-01-05', 'refunded'])
      expect((await list(company.id)).at(-1)).toEqual(['refunded', '2026-11-25', 'returned'])
    })

    test('in part leaves the invoice paid, and the rest is watched when the operator has seen it', async () => {
      const { company, ref, state, chargeId } = await paid()
      await hook(efi.returned(ref, 'DEVOLVIDO', '30.00'))
      await t.deps.payments.check()
      expect(await state()).toEqual(renewed)
      expect(await list(company.id)).toEqual([['paid', '2026-11-25', 'returned']])
      await t.call('PUT', `/invoices/odd-money/${chargeId}/resolved`, { token: operator })
      expect(await list(company.id)).toEqual([['paid', '2026-11-25', null]])
      efi.returned(ref)
      await t.deps.payments.notified([ref])
      await t.deps.payments.check()
      expect(await state()).toEqual(['2026-11-25', 'refunded'])
    })

    test('counts when it is there, not while it may yet stay', async () => {
      const { ref, state } = await paid()
      for (const status of ['EM_PROCESSAMENTO', 'NAO_REALIZADO']) {
        await hook(efi.returned(ref, status))
        await t.deps.payments.check()
        expect(await state()).toEqual(renewed)
      }
    })

    test('is found by asking where nobody has told of it', async () => {
      const { ref, state } = await paid()
      efi.returned(ref)
      t.clock.advance(25 * 3_600_000)
      efi.forgetTokens()
      await t.deps.payments.check()
      expect((await state())[1]).toBe('refunded')
    })

    test('of a payment that the operator gave back by hand is no news', async () => {
      const { company, id, ref, state } = await paid()
      const back = () => t.call('PUT', `/invoices/${id}/refunded`, { token: operator })
      const said = await Promise.all([back(), back(), back()])
      expect(said.map(({ status }) => status).sort()).toEqual([200, 409, 409])
      expect(await state()).toEqual(['2026-11-25', 'refunded'])
      await hook(efi.returned(ref))
      await t.deps.payments.check()
      expect(await list(company.id)).toEqual([
        ['open', '2026-11-25', null],
        ['refunded', '2026-11-25', null],
      ])
    })

    test('that had paid too much, or twice, is dealt with by that', async () => {
      const { id, pay, state, chargeRows } = await customer()
      await pay()
      await t.deps.payments.markPaid(id)
      const [charge] = await chargeRows()
      await hook(efi.paid(charge!.ref))
      await t.deps.payments.check()
      expect(await chargeRows()).toMatchObject([{ status: 'surplus' }])
      await hook(efi.returned(charge!.ref))
      await t.deps.payments.check()
      expect(await chargeRows()).toMatchObject([{ status: 'resolved', paidValue: '0.00' }])
      expect(await state()).toEqual(renewed)
    })

    test('beside the next payment leaves the company with what it has paid for', async () => {
      for (let n = 0; n < 4; n++) {
        const { company, ref, id } = await paid()
        t.clock.now = new Date('2026-12-10T12:00:00Z')
        efi.forgetTokens()
        await makeDueInvoices(t.deps, company.id)
        const rows = await t.database.db.select().from(invoices).where(eq(invoices.companyId, company.id))
        const next = rows.find(({ status }) => status === 'open')!
        efi.returned(ref)
        await t.deps.payments.notified([ref])
        await Promise.all([t.deps.payments.check(), t.deps.payments.markPaid(next.id)])
        const [row] = await t.database.db.select().from(companies).where(eq(companies.id, company.id))
        // Whoever was first: the month after the day that counted then.
        expect(['2027-01-25', '2027-01-13']).toContain(row!.dueDate!)
        const states = await t.database.db.select().from(invoices).where(eq(invoices.companyId, company.id))
        expect(states.find((one) => one.id === id)!.status).toBe('refunded')
        expect(states.find((one) => one.id === next.id)!.status).toBe('paid')
        t.clock.now = START
      }
    })
  })

  describe('a charge that nobody is to pay any more', () => {
    const dearer = async () =>
      (await t.database.db.insert(plans).values({ name: 'Diamante', value: '149.90' }).returning())[0]!.id
    const change = (id: number, body: object) => t.call('PUT', `/companies/${id}`, { token: operator, body })

    test('is taken back at the service, whatever has ended it', async () => {
      const byHand = await customer()
      await byHand.pay()
      await t.deps.payments.markPaid(byHand.id)
      const cancelled = await customer()
      await cancelled.pay()
      await t.deps.payments.cancel(cancelled.id)
      const refs = [(await byHand.chargeRows())[0]!.ref, (await cancelled.chargeRows())[0]!.ref]
      expect((await takeBacks()).sort()).toEqual(refs.sort())
      for (const ref of refs) expect(efi.cobs.get(ref)!.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR')
      // Nothing is left to ask about.
      for (const one of [byHand, cancelled])
        expect(await one.chargeRows()).toMatchObject([{ status: 'ended', checkAt: null }])
    })

    test('of another plan makes room for one of the new price at the next payment', async () => {
      const { company, pay, state, chargeRows } = await customer()
      await pay()
      const planId = await dearer()
      await change(company.id, { planId })
      const next = await pay()
      expect(next.body.valor.original).toBe('149.90')
      const [first, second] = await chargeRows()
      expect([first!.status, second!.status]).toEqual(['ended', 'open'])
      expect(await takeBacks()).toEqual([first!.ref])
      expect(efi.cobs.get(first!.ref)!.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR')
      await hook(efi.paid(second!.ref))
      await t.deps.payments.check()
      expect(await state()).toEqual(renewed)
    })

    test('and that was paid just before buys what it was made for', async () => {
      const { company, id, pay, state, chargeRows } = await customer()
      await pay()
      const [charge] = await chargeRows()
      efi.paid(charge!.ref)
      await change(company.id, { recurrence: 'ANUAL' })
      const [dear] = await t.database.db.select().from(invoices).where(eq(invoices.id, id))
      expect(dear).toMatchObject({ value: '1198.80', months: 12, status: 'open' })
      // The service refuses to take it back, and says why.
      expect(await takeBacks()).toEqual([charge!.ref])
      expect(await state()).toEqual(renewed)
      const [paid] = await t.database.db.select().from(invoices).where(eq(invoices.id, id))
      expect(paid).toMatchObject({ value: '99.90', months: 1, status: 'paid' })
    })

    test('is taken back with its company, also when that is gone, and while it is in the making', async () => {
      const { company, pay, chargeRows } = await customer()
      await pay()
      const [charge] = await chargeRows()
      const other = await customer()
      // The row is there, and the service has not answered yet.
      efi.troubles.next({ status: 502 })
      await other.pay()
      const [late] = await other.chargeRows()
      for (const { id } of [company, other.company])
        expect((await t.call('DELETE', `/companies/${id}`, { token: operator })).status).toBe(200)
      await removal(company.id)
      await removal(other.company.id)
      expect(await t.database.db.$count(charges, eq(charges.ref, charge!.ref))).toBe(0)
      efi.cobs.delete(late!.ref)
      const waiting = await t.database.db.select().from(jobs).where(eq(jobs.kind, 'invoices.takeBack'))
      expect(waiting.map(({ payload }) => payload.ref).sort()).toEqual([charge!.ref, late!.ref].sort())
      const take = (ref: string) =>
        t.deps.payments.takeBack({
          ...{ kind: 'invoices.takeBack', ...waiting.find(({ payload }) => payload.ref === ref)!.payload },
        } as Parameters<typeof t.deps.payments.takeBack>[0])
      await take(charge!.ref)
      // And once more, as after a crash.
      await take(charge!.ref)
      expect(efi.cobs.get(charge!.ref)!.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR')
      await expect(take(late!.ref)).rejects.toThrow('in the making')
      minutes(6)
      await take(late!.ref)
    })

    test('and that a company has paid in its last moment stands in the operator’s log', async () => {
      const { company, id, pay, chargeRows } = await customer()
      await pay()
      const [charge] = await chargeRows()
      expect((await t.call('DELETE', `/companies/${company.id}`, { token: operator })).status).toBe(200)
      efi.paid(charge!.ref)
      await removal(company.id)
      const [job] = await t.database.db.select().from(jobs).where(eq(jobs.kind, 'invoices.takeBack'))
      await takeBacks()
      // And once more, as after a crash before the job was done.
      const { kind, payload } = job!
      await t.deps.payments.takeBack({ kind, ...payload } as Parameters<typeof t.deps.payments.takeBack>[0])
      const log = await t.call('GET', '/audit?entity=invoice&limit=2', { token: operator })
      expect(log.body.records.filter(({ entityId }: { entityId: string }) => entityId === String(id))).toHaveLength(1)
      expect(log.body.records[0]).toMatchObject({
        ...{ action: 'refused', entityId: String(id), actorKind: 'system' },
        after: { company: { id: company.id }, provider: 'efi', ref: charge!.ref, paidValue: '99.90' },
      })
      // What had waited for the operator before goes on there, too.
      const short = await customer()
      await short.pay()
      await hook(efi.paid((await short.chargeRows())[0]!.ref, '9.90'))
      await t.deps.payments.check()
      expect((await t.call('DELETE', `/companies/${short.company.id}`, { token: operator })).status).toBe(200)
      await removal(short.company.id)
      const later = await t.call('GET', '/audit?entity=invoice&limit=1', { token: operator })
      expect(later.body.records[0]).toMatchObject({
        ...{ entityId: String(short.id), after: { status: 'short', paidValue: '9.90' } },
      })
    })

    /** What a job that takes a charge back is given. */
    const jobOf = async (ref: string) => {
      const rows = await t.database.db.select().from(jobs).where(eq(jobs.kind, 'invoices.takeBack'))
      const { kind, payload } = rows.find((row) => row.payload.ref === ref)!
      return { kind, ...payload } as Parameters<typeof t.deps.payments.takeBack>[0]
    }
    const noted = async (id: number) =>
      ((await t.call('GET', '/audit?entity=invoice&limit=5', { token: operator })).body.records as any[]).filter(
        ({ entityId, action }) => entityId === String(id) && action === 'refused',
      )

    test('is taken back when the service can be reached again, though that may be days later', async () => {
      const { company, pay, chargeRows } = await customer()
      await pay()
      const [charge] = await chargeRows()
      expect((await t.call('DELETE', `/companies/${company.id}`, { token: operator })).status).toBe(200)
      await removal(company.id)
      const job = await jobOf(charge!.ref)
      for (const days of [0, 1, 3]) {
        t.clock.now = new Date(START.getTime() + days * 86_400_000)
        efi.forgetTokens()
        efi.troubles.next({ status: 503 })
        // No try is counted: otherwise the job would have been given up within minutes.
        await expect(t.deps.payments.takeBack(job)).rejects.toBeInstanceOf(NotNow)
      }
      expect(efi.cobs.get(charge!.ref)!.status).toBe('ATIVA')
      await t.deps.payments.takeBack(job)
      expect(efi.cobs.get(charge!.ref)!.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR')
      // A service that has gone for good is not asked for ever.
      t.clock.now = new Date(START.getTime() + 40 * 86_400_000)
      efi.forgetTokens()
      efi.troubles.next({ status: 503 })
      await expect(t.deps.payments.takeBack(job)).rejects.toBeInstanceOf(PaymentFailed)
    })

    test('and that was paid stands in the log also when the company goes while the service answers', async () => {
      const { company, id, pay, chargeRows } = await customer()
      await pay()
      const [charge] = await chargeRows()
      expect((await t.call('DELETE', `/companies/${company.id}`, { token: operator })).status).toBe(200)
      efi.paid(charge!.ref)
      const job = await jobOf(charge!.ref)
      const real = providerFor({ outside: t.deps.outside, now: t.deps.now })
      let asked = 0
      const server = createPayments({
        ...{ ...t.deps, renewed: () => {} },
        providerOf: (name, account) => {
          const provider = real(name, account)!
          const status: typeof provider.status = async (ref) => {
            const told = await provider.status(ref)
            // First it says why it does not take the charge back, then what was paid.
            if (++asked === 2) await removal(company.id)
            return told
          }
          return { ...provider, status }
        },
      })
      await server.takeBack(job)
      expect(asked).toBeGreaterThan(1)
      expect(await noted(id)).toMatchObject([{ after: { ref: charge!.ref, paidValue: '99.90' } }])
    })

    test('and that turns out to be paid in the moment in which the company goes is noted before it goes', async () => {
      const { company, id, pay, chargeRows } = await customer()
      await pay()
      const [charge] = await chargeRows()
      expect((await t.call('DELETE', `/companies/${company.id}`, { token: operator })).status).toBe(200)
      const { db, sql } = t.database
      let going: Promise<void> | undefined
      // Another server has its answer, and has not committed yet.
      await db.transaction(async (tx) => {
        await tx.select().from(invoices).where(eq(invoices.id, id)).for('update')
        await tx.update(charges).set({ status: 'surplus', paidValue: '99.90' }).where(eq(charges.id, charge!.id))
        going = removal(company.id)
        await until(
          'a removal that waits for it',
          () => sql`SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid)
            WHERE NOT l.granted AND a.datname = current_database()`,
          (waiting) => waiting.length > 0,
        )
      })
      await going
      expect(await noted(id)).toMatchObject([{ after: { status: 'surplus', paidValue: '99.90' } }])
    })

    test('cannot be begun by who pays while the company is being deleted', async () => {
      for (let n = 0; n < 4; n++) {
        const { company, id, pay } = await customer()
        await Promise.all([pay(), t.call('DELETE', `/companies/${company.id}`, { token: operator })])
        await takeBacks()
        const [invoice] = await t.database.db.select().from(invoices).where(eq(invoices.id, id))
        expect(invoice!.status).toBe('cancelled')
        const open = await t.database.db.select().from(charges).where(eq(charges.invoiceId, id))
        for (const { ref, status } of open) {
          expect(status).toBe('ended')
          expect(efi.cobs.get(ref)?.status).not.toBe('ATIVA')
        }
      }
    })
  })

  test('too little money renews nothing, and the operator sees it', async () => {
    const { company, pay, state, chargeRows } = await customer()
    await pay()
    await hook(efi.paid((await chargeRows())[0]!.ref, '9.90'))
    await t.deps.payments.check()
    expect(await state()).toEqual(open)
    expect((await chargeRows())[0]).toMatchObject({ status: 'short', paidValue: '9.90' })
    const { body } = await t.call('GET', `/invoices?companyId=${company.id}`, { token: operator })
    expect(body.invoices[0].oddMoney).toBe('short')
  })

  test('money for an invoice that was settled meanwhile renews nothing more, and the operator sees it', async () => {
    const { company, id, pay, state, chargeRows } = await customer()
    await pay()
    await t.deps.payments.markPaid(id)
    await hook(efi.paid((await chargeRows())[0]!.ref))
    await t.deps.payments.check()
    expect(await state()).toEqual(renewed)
    const { body } = await t.call('GET', `/invoices?companyId=${company.id}`, { token: operator })
    expect(body.invoices[0].oddMoney).toBe('surplus')
  })

  test('all of it waits for the operator in one list, of all companies, until it is dealt with', async () => {
    const waiting = async () =>
      (await t.call('GET', '/invoices/odd-money', { token: operator })).body.records as { id: number; status: string }[]
    const counted = async () => (await t.call('GET', '/operator/system', { token: operator })).body.oddMoney
    const before = await counted()
    const one = await customer()
    await one.pay()
    efi.paid((await one.chargeRows())[0]!.ref, '9.90')
    const two = await customer()
    await two.pay()
    await t.call('PUT', `/companies/${two.company.id}`, { token: operator, body: { dueDate: '2026-12-25' } })
    efi.paid((await two.chargeRows())[0]!.ref)
    minutes(1)
    await t.deps.payments.check()
    expect((await waiting()).slice(0, 2)).toMatchObject([
      {
        ...{ status: 'surplus', provider: 'efi', value: '99.90', paidValue: '99.90' },
        ...{ company: { id: two.company.id }, invoice: { id: two.id, status: 'cancelled' } },
      },
      { status: 'short', paidValue: '9.90', company: { id: one.company.id }, invoice: { id: one.id, status: 'open' } },
    ])
    expect(await counted()).toBe(before + 2)
    const { body } = await t.call('GET', '/invoices/odd-money?limit=1', { token: operator })
    expect(body.records).toHaveLength(1)
    const rest = await t.call('GET', `/invoices/odd-money?cursor=${body.nextCursor}&limit=1`, { token: operator })
    expect(rest.body.records).toMatchObject([{ company: { id: one.company.id } }])

    const resolve = (id: number, token = operator) => t.call('PUT', `/invoices/odd-money/${id}/resolved`, { token })
    const stranger = await t.login((await t.eg.user(two.company.id, { profile: 'admin' })).email)
    const [surplus] = await waiting()
    expect((await resolve(surplus!.id, stranger)).body.error).toBe('ERR_NO_SUPER')
    expect((await t.call('GET', '/invoices/odd-money', { token: stranger })).body.error).toBe('ERR_NO_SUPER')
    expect((await resolve(surplus!.id)).status).toBe(200)
    expect((await resolve(surplus!.id)).status).toBe(404)
    expect(await counted()).toBe(before + 1)
    // Told once more, it is no news, and the company has what the operator gave it.
    await t.deps.payments.notified([(await two.chargeRows())[0]!.ref])
    await t.deps.payments.check()
    expect(await counted()).toBe(before + 1)
    expect(await two.state()).toEqual(['2026-12-25', 'cancelled'])
  })

  test('a charge whose answer was lost, and that somebody paid all the same, is found', async () => {
    const { pay, state, chargeRows } = await customer()
    efi.troubles.next({ status: 502 })
    expect((await pay()).status).toBe(502)
    const [charge] = await chargeRows()
    // It was made there, and told by mail, say.
    const cob = { txid: charge!.ref, status: 'ATIVA', valor: '99.90', chave: 'x', expiracao: 3_600, pix: [] } as const
    efi.cobs.set(charge!.ref, { ...cob, criacao: t.clock.now.toISOString(), pix: [] })
    efi.paid(charge!.ref)
    await t.deps.payments.check()
    expect(await state()).toEqual(open)
    minutes(6)
    await t.deps.payments.check()
    expect(await state()).toEqual(renewed)
  })

  test('a question that the server did not live to hear the answer of is asked again, the last one, too', async () => {
    const { pay, state, chargeRows } = await customer()
    await pay()
    const [charge] = await chargeRows()
    efi.paid(charge!.ref)
    t.clock.advance(3 * 86_400_000)
    // It was asked about so often that this is the last time.
    await t.database.db.update(charges).set({ checks: 6 }).where(eq(charges.id, charge!.id))
    efi.forgetTokens()
    // It is killed while it asks: nothing of what follows an answer happens.
    const asking = Promise.withResolvers<void>()
    const killed = createPayments({
      ...{ ...t.deps, renewed: () => {} },
      providerOf: () => ({ status: () => (asking.resolve(), new Promise<never>(() => undefined)) }) as never,
    })
    void killed.check()
    await asking.promise
    await t.deps.payments.check()
    expect((await state())[1]).toBe('open')
    minutes(15)
    await t.deps.payments.check()
    expect((await state())[1]).toBe('paid')
  })

  test('an answer that was lost is asked for again, and is the same charge', async () => {
    const { pay, chargeRows } = await customer()
    // The token, then the charge: it is made, and its answer does not arrive.
    efi.troubles.next('none', { status: 502 })
    expect((await pay()).body.error).toBe('ERR_PAYMENT_PROVIDER')
    expect((await pay()).status).toBe(200)
    expect(await chargeRows()).toHaveLength(1)
  })

  test('two servers that hear of the same money renew once', async () => {
    const { pay, state, chargeRows } = await customer()
    await pay()
    const [charge] = await chargeRows()
    efi.paid(charge!.ref)
    const deps = { ...t.deps, providerOf: providerFor({ outside: t.deps.outside, now: t.deps.now }), renewed: () => {} }
    const servers = [createPayments(deps), createPayments(deps), createPayments(deps)]
    await servers[0]!.notified([charge!.ref])
    await Promise.all(servers.map((server) => server.check()))
    expect(await state()).toEqual(renewed)
  })
})

describe('Asaas', () => {
  const hook = async (body: unknown, word?: string) =>
    t.call('POST', '/payments/asaas', { body, headers: { 'asaas-access-token': word ?? (await secret()) } })
  beforeAll(async () => {
    expect((await save({ ...asaasAccount(), asaasKey: 'wrong' })).body.why).toBe('credentials')
    expect((await save(asaasAccount())).body).toMatchObject({
      ...{ provider: 'asaas', isTold: false },
      webhook: { url: 'https://balcao.test/payments/asaas', token: await secret() },
    })
  })

  test('wants a CPF or CNPJ that is one', async () => {
    for (const document of ['', '111.111.111-11'])
      expect((await (await customer(document)).pay()).body).toEqual({ error: 'ERR_PAYMENT_FIELD', field: 'document' })
  })

  test('makes one payment for its customer, however often it is asked, and a webhook renews once', async () => {
    const { pay, state, chargeRows } = await customer()
    const first = await pay()
    expect(first.body).toMatchObject({ valor: { original: '99.90' }, provider: 'asaas' })
    expect((await pay()).body).toEqual(first.body)
    const [charge] = await chargeRows()
    const own = asaas.payments.filter(({ externalReference }) => externalReference === charge!.ref)
    expect(own).toMatchObject([{ value: 99.9, dueDate: '2026-11-25' }])
    const told = asaas.paid(own[0]!)
    expect((await hook(told, 'guess')).status).toBe(401)
    for (let i = 0; i < 3; i++) expect((await hook(told)).status).toBe(200)
    await t.deps.payments.check()
    expect(await state()).toEqual(renewed)
  })

  test('makes one payment for two tabs at once, also on two servers', async () => {
    const { company, id, chargeRows } = await customer()
    const payer = { firstName: 'Maria', address2: 'Rua A', city: 'Recife', zipcode: '5', document: '529.982.247-25' }
    const { outside, now } = t.deps
    const serverBy = (by: Pick<typeof outside, 'fetch'>) => {
      const server = createPayments({ ...t.deps, providerOf: providerFor({ outside: by, now }), renewed: () => {} })
      return () => server.charge(company.id, id, { ...payer, district: '', state: '', country: 'BR' })
    }
    const quick = serverBy(outside)
    let other: ReturnType<typeof quick> | undefined
    // It has looked and found none; before it makes one, the other server has made one, from the look to the code.
    const slow = serverBy({
      fetch: async (address, call) => {
        if (call?.method === 'POST' && String(address).endsWith('/payments')) await (other ??= quick())
        return outside.fetch(address, call)
      },
    })
    const shown = await slow()
    expect(shown.charge.copyPaste).toBe((await other!).charge.copyPaste)
    const [charge] = await chargeRows()
    const own = asaas.payments.filter(({ externalReference }) => externalReference === charge!.ref)
    expect(own.map((payment) => `00020126asaas.test/${payment.id}`)).toEqual([shown.charge.copyPaste!])
  })

  test('shows nobody a code of the account that the operator had before', async () => {
    const [kept, lost] = [await customer(), await customer()]
    const before = [await kept.pay(), await lost.pay()]
    // By the clock it is asked about more and more seldom, once a day in the end.
    minutes(2)
    await t.deps.payments.check()
    // The new account knows the one charge, as after a key that was only changed, and not the other.
    const { ref } = (await lost.chargeRows())[0]!
    asaas.payments.find(({ externalReference }) => externalReference === ref)!.externalReference = 'of-another-account'
    expect((await save({ ...asaasAccount(), asaasBaseUrl: `${fakes.urls.asaas}/v3/` })).status).toBe(200)
    await t.deps.payments.check()
    expect((await kept.pay()).body).toEqual(before[0]!.body)
    const next = await lost.pay()
    expect(next.body.qrcode.qrcode).not.toBe(before[1]!.body.qrcode.qrcode)
    expect((await lost.chargeRows()).map(({ status }) => status)).toEqual(['ended', 'open'])
  })

  test('money that goes back takes back what it bought; a part of it is for the operator', async () => {
    const { company, pay, state, chargeRows } = await customer()
    await pay()
    const [charge] = await chargeRows()
    const payment = asaas.payments.find(({ externalReference }) => externalReference === charge!.ref)!
    const told = async (body: unknown) => {
      expect((await hook(body)).status).toBe(200)
      await t.deps.payments.check()
    }
    await told(asaas.paid(payment))
    expect(await state()).toEqual(renewed)
    for (const status of ['PENDING', 'CANCELLED'] as const) {
      await told(asaas.refunded(payment, payment.value, status))
      expect(await state()).toEqual(renewed)
    }
    await told(asaas.refunded(payment, 30))
    expect(await state()).toEqual(renewed)
    expect(await chargeRows()).toMatchObject([{ status: 'returned', paidValue: '69.90' }])
    await told(asaas.refunded(payment))
    expect(await state()).toEqual(['2026-11-25', 'refunded'])
    const { body } = await t.call('GET', '/invoices/odd-money?limit=1', { token: operator })
    expect(body.records).toMatchObject([{ status: 'returned', paidValue: '0.00', company: { id: company.id } }])
  })

  test('a charge that nobody is to pay any more is deleted there; one that was paid is settled', async () => {
    const one = await customer()
    await one.pay()
    const two = await customer()
    await two.pay()
    const [[first], [second]] = [await one.chargeRows(), await two.chargeRows()]
    asaas.paid(asaas.payments.find(({ externalReference }) => externalReference === second!.ref)!)
    await t.deps.payments.cancel(one.id)
    await t.deps.payments.cancel(two.id)
    expect((await takeBacks()).sort()).toEqual([first!.ref, second!.ref].sort())
    expect(asaas.payments.some(({ externalReference }) => externalReference === first!.ref)).toBe(false)
    expect(await two.chargeRows()).toMatchObject([{ status: 'surplus', paidValue: '99.90' }])
  })

  test('is not believed when it tells of money that is not there', async () => {
    const { pay, state, chargeRows } = await customer()
    await pay()
    await hook({
      event: 'PAYMENT_RECEIVED',
      payment: { externalReference: (await chargeRows())[0]!.ref, status: 'RECEIVED' },
    })
    await t.deps.payments.check()
    expect(await state()).toEqual(open)
  })
})

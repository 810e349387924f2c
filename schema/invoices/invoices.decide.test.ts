import { describe, expect, test } from 'bun:test'
import type { ServerDecision } from '../command.ts'
import { before, now } from '../example-facts.fixture.ts'
import { type ChargeEvent, chargeAfter, chargeTransitions } from './charges.transition.ts'
import {
  askForPayment,
  cancelInvoice,
  endBilling,
  endCharges,
  followDueDate,
  followPrice,
  moneyReported,
  type Payer,
  payInvoice,
  refundInvoice,
} from './invoices.decide.ts'
import { type Charge, chargeStatuses, type Invoice, invoiceStatuses } from './invoices.table.ts'
import { type InvoiceEvent, invoiceAfter, invoiceTransitions } from './invoices.transition.ts'

const company: Payer = { id: 2, name: 'Padaria', dueDate: '2026-01-20', dueDay: 20, timeZone: 'America/Sao_Paulo' }
const invoice = (values: Partial<Invoice> = {}): Invoice => ({
  ...{ id: 1, companyId: 2, detail: 'Plano', value: '100.00', dueDate: '2026-01-20', months: 1, status: 'open' },
  ...{ paidAt: null, paidVia: null, boughtFrom: null, boughtUntil: null, createdAt: now, updatedAt: before(60_000) },
  ...values,
})
const charge = (values: Partial<Charge> = {}): Charge => ({
  ...{ id: 7, companyId: 2, invoiceId: 1, provider: 'efi', ref: 'r7', copyPaste: 'pix', value: '100.00', months: 1 },
  ...{ status: 'open', paidValue: null, expiresAt: null, checkAt: null, checks: 0 },
  ...{ createdAt: before(60_000), updatedAt: before(60_000) },
  ...values,
})
const told = (paidCents: number, returningCents = 0, settles = true) =>
  ({ type: 'told', paidCents, returningCents, settles }) as const

const invoiceEvents: { [T in InvoiceEvent['type']]: Extract<InvoiceEvent, { type: T }> } = {
  pay: {
    ...{ type: 'pay', via: 'efi', asked: { value: '100.00', months: 1 } },
    bought: { boughtFrom: '2026-01-20', boughtUntil: '2026-02-20' },
  },
  refund: { type: 'refund' },
  cancel: { type: 'cancel' },
  reprice: { type: 'reprice', price: { detail: 'Maior', value: '120.00', months: 1 } },
  redate: { type: 'redate', dueDate: '2026-01-25' },
}
const chargeEvents: { [T in ChargeEvent['type']]: Extract<ChargeEvent, { type: T }> } = {
  made: { type: 'made', copyPaste: 'code', expiresAt: null },
  end: { type: 'end' },
  gone: { type: 'gone' },
  told: told(10_000),
  takenBack: { type: 'takenBack' },
  refunded: { type: 'refunded' },
  resolve: { type: 'resolve' },
  ask: { type: 'ask' },
  hear: { type: 'hear' },
  asked: { type: 'asked', checkAt: now },
}

/** What is decided, as the rows are afterwards. */
function after<T extends Invoice | Charge>(row: T, table: 'invoices' | 'charges', { rows }: ServerDecision): T {
  return rows.reduce<T>(
    (is, change) =>
      change.table === table && change.op === 'update' && !('where' in change) && change.ids.some((id) => id === is.id)
        ? { ...is, ...change.values }
        : is,
    row,
  )
}
const statusesOf = (table: 'invoices' | 'charges', { rows }: ServerDecision) =>
  rows.flatMap((row) =>
    row.table === table && row.op === 'update' && !('where' in row) && 'status' in row.values
      ? [row.values.status]
      : [],
  )

/** The same numbers each time. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

test('[I1] each event in each status of an invoice', () => {
  const found = invoiceStatuses.map((status) => [
    status,
    Object.values(invoiceEvents).map((event) => {
      const patch = invoiceAfter(invoice({ status }), event, now)
      return patch && (patch.status ?? status)
    }),
  ])
  expect(Object.keys(invoiceEvents)).toEqual(['pay', 'refund', 'cancel', 'reprice', 'redate'])
  expect(Object.fromEntries(found)).toEqual({
    open: ['paid', null, 'cancelled', 'open', 'open'],
    paid: [null, 'refunded', null, null, null],
    cancelled: [null, null, null, null, null],
    refunded: [null, null, null, null, null],
  })
  expect(Object.keys(invoiceTransitions).sort()).toEqual([...invoiceStatuses].sort())
})

test('[I2] whatever happens in whatever order, paid becomes nothing but refunded, and what is final stays', () => {
  const roll = dice(1)
  const events = Object.values(invoiceEvents)
  const met = new Set<string>()
  for (let life = 0; life < 300; life++) {
    let is = invoice()
    for (let step = 0; step < 12; step++) {
      const next = { ...is, ...invoiceAfter(is, events[roll(events.length)]!, now) }
      if (next.status !== is.status) met.add(`${is.status} ${next.status}`)
      if (is.status !== 'open') expect(next).toEqual(is.status === 'paid' ? { ...is, ...statusOf(next) } : is)
      is = next
    }
  }
  expect([...met].sort()).toEqual(['open cancelled', 'open paid', 'paid refunded'])
})
const statusOf = ({ status, updatedAt }: Invoice) => ({ status, updatedAt })

test('[I3] an invoice is paid once, by what was asked for, and buys its months once', () => {
  const asked = charge({ value: '90.00', months: 3 })
  const paid = payInvoice({ invoice: invoice(), charges: [asked], company }, 'efi', now, asked)!
  expect(paid.renewal).toEqual({ companyId: 2, invoiceId: 1, dueDate: '2026-04-20' })
  expect(paid.decision.subscription).toEqual({ dueDate: '2026-04-20', dueDay: 20, updatedAt: now })
  const is = after(invoice(), 'invoices', paid.decision)
  expect(is).toMatchObject({ status: 'paid', value: '90.00', months: 3, boughtFrom: '2026-01-20' })
  expect(payInvoice({ invoice: is, charges: [], company }, 'operator', now)).toBeNull()
})

describe('[I4] a refund', () => {
  const paid = invoice({ status: 'paid', boughtFrom: '2026-01-20', boughtUntil: '2026-02-20' })
  const none = { open: [], taken: [paid] }

  test('takes back the time that was bought, once', () => {
    const back = refundInvoice({ invoice: paid, company: { ...company, dueDate: '2026-02-20' }, billing: none }, now)!
    expect(back.decision.subscription).toMatchObject({ dueDate: '2026-01-20', dueDay: 20 })
    const is = after(paid, 'invoices', back.decision)
    expect(is.status).toBe('refunded')
    expect(refundInvoice({ invoice: is, company, billing: none }, now)).toBeNull()
  })

  test('leaves alone what was bought or given since', () => {
    const later = { ...company, dueDate: '2026-03-20' }
    expect(refundInvoice({ invoice: paid, company: later, billing: none }, now)!.decision.subscription).toBeUndefined()
  })

  test('takes what is still to be paid along, onto the date that is free again', () => {
    const next = invoice({ id: 2, dueDate: '2026-02-20' })
    const billing = { open: [{ invoice: next, charges: [] }], taken: [paid, next] }
    const back = refundInvoice({ invoice: paid, company: { ...company, dueDate: '2026-02-20' }, billing }, now)!
    expect(after(next, 'invoices', back.decision)).toMatchObject({ status: 'open', dueDate: '2026-01-20' })
  })
})

test('[I5] what is not paid yet costs what the plan costs now, and charges of another price are taken back', () => {
  const billed = { invoice: invoice(), charges: [charge()], company }
  const renamed = followPrice(billed, { detail: 'Novo', value: '100.00', months: 1 }, now)
  expect([statusesOf('charges', renamed), renamed.operatorEffects ?? []]).toEqual([[], []])
  const dearer = followPrice(billed, { detail: 'Plano', value: '120.00', months: 1 }, now)
  expect(after(billed.invoice, 'invoices', dearer).value).toBe('120.00')
  expect(statusesOf('charges', dearer)).toEqual(['ended'])
  expect(followPrice({ ...billed, charges: [] }, null, now).rows).toEqual([
    { table: 'invoices', op: 'delete', ids: [1] },
  ])
  expect(statusesOf('invoices', followPrice(billed, null, now))).toEqual(['cancelled'])
  expect(followPrice({ ...billed, invoice: invoice({ status: 'paid' }), charges: [] }, null, now).rows).toEqual([])
})

test('[I6] what is not paid yet follows the due date, unless its time was given or the date is billed', () => {
  const open = [{ invoice: invoice(), charges: [charge()] }]
  const taken = [{ id: 1, dueDate: '2026-01-20' }]
  const to = (dueDate: string | null, billed = taken) => {
    const { decision, isChanged } = followDueDate({ open, taken: billed, company }, dueDate, now)
    const { status, dueDate: is } = after(invoice(), 'invoices', decision)
    return [status, is, isChanged]
  }
  expect(to('2026-01-25')).toEqual(['open', '2026-01-25', true])
  expect(to('2026-02-20')).toEqual(['cancelled', '2026-01-20', true])
  expect(to(null)).toEqual(['cancelled', '2026-01-20', true])
  expect(to('2026-01-25', [...taken, { id: 2, dueDate: '2026-01-25' }])).toEqual(['open', '2026-01-20', false])
})

test('[I7] each event in each status of a charge', () => {
  const found = chargeStatuses.map((status) => [
    status,
    Object.fromEntries(
      Object.entries(chargeEvents).flatMap(([type, event]) => {
        const is = charge({ status, copyPaste: null, checkAt: before(0), paidValue: '100.00' })
        const patch = chargeAfter(is, type === 'told' && status !== 'open' ? told(0) : event, now)
        return Object.keys(patch).length > 0 ? [[type, patch.status ?? 'as it is']] : []
      }),
    ),
  ])
  const asked = { ask: 'as it is', hear: 'as it is', asked: 'as it is' }
  expect(Object.fromEntries(found)).toEqual({
    open: { ...asked, made: 'as it is', end: 'ended', gone: 'ended', told: 'paid' },
    ended: { ...asked, gone: 'ended', told: 'short', takenBack: 'as it is' },
    short: { ...asked, told: 'short', resolve: 'resolved' },
    paid: { ...asked, told: 'returned', refunded: 'resolved' },
    returned: { ...asked, told: 'returned', refunded: 'resolved', resolve: 'paid' },
    surplus: { ...asked, told: 'resolved', resolve: 'resolved' },
    resolved: { ask: 'as it is', asked: 'as it is' },
  })
  expect(Object.keys(chargeTransitions).sort()).toEqual([...chargeStatuses].sort())
})

test('[I8] whatever happens in whatever order, money that was seen is not forgotten, and what is dealt with stays so', () => {
  const roll = dice(2)
  const met = new Set<string>()
  for (let life = 0; life < 500; life++) {
    let is = charge({ copyPaste: roll(2) ? null : 'pix' })
    for (let step = 0; step < 15; step++) {
      const types = Object.keys(chargeEvents) as ChargeEvent['type'][]
      const type = types[roll(types.length)]!
      const event = type === 'told' ? told(roll(3) * 5_000, roll(2) * 5_000, roll(2) === 0) : chargeEvents[type]
      const next = { ...is, ...chargeAfter(is, event, now) }
      if (next.status !== is.status) met.add(`${is.status} ${next.status}`)
      if (is.paidValue !== null) expect(['open', 'ended']).not.toContain(next.status)
      if (is.status === 'resolved') expect([next.status, next.paidValue]).toEqual([is.status, is.paidValue])
      is = next
    }
  }
  // A charge that is short is never paid back into silence, and none becomes payable again.
  expect([...met].filter((way) => / (open|ended)$/.test(way))).toEqual(['open ended'])
})

test('[I9] enough money pays an open invoice; too little, or for one that needs none, waits for the operator', () => {
  const says = (cents: number, settles: boolean, status: Charge['status'] = 'open') =>
    chargeAfter(charge({ status }), told(cents, 0, settles), now)
  expect(says(10_000, true)).toMatchObject({ status: 'paid', paidValue: '100.00' })
  expect(says(10_001, false)).toMatchObject({ status: 'surplus', paidValue: '100.01' })
  expect(says(9_999, true)).toMatchObject({ status: 'short', paidValue: '99.99', checkAt: null })
  expect(says(10_000, true, 'ended').status).toBe('paid')
  expect(says(10_000, true, 'short').status).toBe('paid')
})

test('[I10] money is counted once, however often and in which order services tell of it', () => {
  const roll = dice(3)
  const ends = new Set<string>()
  for (let life = 0; life < 400; life++) {
    let bill = invoice()
    let payer = company
    let all = [charge({ id: 7 }), charge({ id: 8, status: 'ended' }), charge({ id: 9, status: 'ended' })]
    let bought = 0
    let givenBack = 0
    const steps = roll(12)
    for (let step = 0; step < steps; step++) {
      const billing = { open: bill.status === 'open' ? [{ invoice: bill, charges: all }] : [], taken: [bill] }
      const one = all[roll(3)]!
      const facts = { invoice: bill, company: payer, charges: all.filter(({ status }) => status === 'open'), billing }
      const act = roll(6)
      const done =
        act < 4
          ? moneyReported({ ...facts, charge: one }, { paidCents: roll(3) * 5_000 + roll(2), returningCents: 0 }, now)
          : act === 4
            ? payInvoice(facts, 'operator', now)
            : refundInvoice(facts, now)
      if (!done) continue
      if ('renewal' in done && done.renewal) bought++
      const was = bill
      bill = after(bill, 'invoices', done.decision)
      if (was.status === 'paid' && bill.status === 'refunded') givenBack++
      all = all.map((row) => after(row, 'charges', done.decision))
      payer = { ...payer, ...done.decision.subscription }
      // What has paid an invoice is one charge at most, or the operator's word.
      expect(all.filter(({ status }) => status === 'paid').length).toBeLessThanOrEqual(1)
    }
    expect([0, 1]).toContain(bought)
    expect(givenBack).toBeLessThanOrEqual(bought)
    expect(bill.status).toBe(bought === 0 ? 'open' : givenBack === 0 ? 'paid' : 'refunded')
    ends.add(bill.status)
  }
  expect(ends.size).toBe(3)
})

describe('[I11] money that went back', () => {
  const paid = invoice({ status: 'paid', boughtFrom: '2026-01-20', boughtUntil: '2026-02-20' })
  const by = charge({ status: 'paid', paidValue: '100.00' })
  const facts = {
    ...{ invoice: paid, charges: [], company: { ...company, dueDate: '2026-02-20' } },
    billing: { open: [], taken: [paid] },
  }
  const went = (one: Charge, kept: number, returningCents = 0) => {
    const done = moneyReported({ ...facts, charge: one }, { paidCents: kept, returningCents }, now)
    return [after(one, 'charges', done.decision).status, after(paid, 'invoices', done.decision).status, done.refund]
  }

  test('as a whole refunds its invoice', () => {
    expect(went(by, 0)).toEqual(['returned', 'refunded', { companyId: 2, invoiceId: 1, dueDate: '2026-01-20' }])
  })
  test('in part waits for the operator, and the invoice stays paid', () => {
    expect(went(by, 4_000)).toEqual(['returned', 'paid', { companyId: 2, invoiceId: 1 }])
  })
  test('has not gone while it is on its way', () => {
    expect(went(by, 0, 10_000)).toEqual(['paid', 'paid', undefined])
  })
  test('was too much, or bought nothing, and nobody needs to know', () => {
    expect(went({ ...by, paidValue: '150.00' }, 10_000)).toEqual(['paid', 'paid', undefined])
    expect(went({ ...by, status: 'surplus' }, 0)).toEqual(['resolved', 'paid', undefined])
    expect(went({ ...by, status: 'surplus' }, 4_000)).toEqual(['surplus', 'paid', undefined])
  })
})

test('[I12] what the operator has dealt with waits no more; of what went back in part the rest is watched on', () => {
  const dealt = (values: Partial<Charge>) => {
    const is = charge({ checkAt: now, ...values })
    const { status, checkAt } = { ...is, ...chargeAfter(is, { type: 'resolve' }, now) }
    return [status, checkAt]
  }
  expect(dealt({ status: 'short', paidValue: '50.00' })).toEqual(['resolved', null])
  expect(dealt({ status: 'surplus', paidValue: '100.00' })).toEqual(['resolved', null])
  expect(dealt({ status: 'returned', paidValue: '0.00' })).toEqual(['resolved', null])
  expect(dealt({ status: 'returned', paidValue: '40.00' })).toEqual(['paid', now])
})

describe('[I13] the charge that is shown', () => {
  const asking = { id: 20, ref: 'new', provider: 'efi' as const, ownCode: null }
  const ask = (open: Charge[]) => askForPayment({ invoice: invoice(), charges: open, company }, asking, now)

  test('is the open one, while it is good', () => {
    expect(ask([charge()])).toMatchObject({ charge: { id: 7 }, decision: { rows: [] } })
  })
  test.each<[string, Partial<Charge>]>([
    ['another price', { value: '90.00' }],
    ['other months', { months: 3 }],
    ['another service', { provider: 'asaas' }],
    ['its end near', { expiresAt: new Date(now.getTime() + 30_000) }],
  ])('makes room for a new one where it has %s', (_, values) => {
    const { charge: made, decision } = ask([charge(values)])
    expect(made).toMatchObject({ id: 20, ref: 'new', value: '100.00', status: 'open' })
    expect(statusesOf('charges', decision)).toEqual(['ended'])
    expect(decision.rows.at(-1)).toMatchObject({ table: 'charges', op: 'insert' })
  })
  test('is taken back by its service when its invoice is settled, unless nobody can pay it', () => {
    const refs = (decision: ServerDecision) => decision.operatorEffects?.map((effect) => 'ref' in effect && effect.ref)
    const of = (values: Partial<Charge>) => refs(endCharges([charge(values)], company, now))
    expect(of({})).toEqual(['r7'])
    expect(of({ provider: 'pix' })).toEqual([])
    expect(of({ expiresAt: before(1) })).toEqual([])
    expect(of({ status: 'paid' })).toEqual([])
    expect(refs(cancelInvoice({ invoice: invoice(), charges: [charge()], company }, now)!)).toEqual(['r7'])
    // A company that goes: what may have been paid at the last moment is asked about, and nothing twice.
    const unended = [charge({ checkAt: now }), charge({ id: 8, ref: 'r8', status: 'ended', checkAt: now })]
    expect(refs(endBilling([invoice()], unended, company, now))).toEqual(['r7', 'r8'])
  })
})

test('[I14] to be asked about changes nothing but when a charge is asked about next', () => {
  for (const status of chargeStatuses)
    for (const type of ['ask', 'hear', 'asked', 'takenBack'] as const)
      for (const key of Object.keys(chargeAfter(charge({ status, checkAt: now }), chargeEvents[type], now)))
        expect(['checkAt', 'checks']).toContain(key)
})

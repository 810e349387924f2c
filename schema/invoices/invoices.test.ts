import { describe, expect, test } from 'bun:test'
import { nextCheck } from './invoices.checks.ts'
import { invoiceDue, invoiceState, renewedUntil } from './invoices.due.ts'
import { pixKeyOf } from './invoices.inputs.ts'
import { brCode, crc16 } from './invoices.pix.ts'

const company = {
  ...{ id: 2, status: true, dueDate: '2026-12-11', timeZone: 'America/Sao_Paulo' },
  ...{ dueDay: null, recurrence: 'MENSAL' as const },
}
const plan = { name: 'Ouro', value: '99.90' }
const at = (text: string) => new Date(text)

describe('an invoice', () => {
  test('is due when fewer than 20 days are left in the company’s own time zone', () => {
    // Still the 21st in São Paulo: 20 days.
    expect(invoiceDue(company, plan, at('2026-11-22T02:59:00Z'))).toBeNull()
    expect(invoiceDue(company, plan, at('2026-11-22T03:00:00Z'))).toEqual({
      ...{ detail: 'Ouro', value: '99.90', dueDate: '2026-12-11', months: 1 },
    })
    expect(invoiceDue({ ...company, dueDate: '2026-01-01' }, plan, at('2026-11-22T12:00:00Z'))?.dueDate).toBe(
      '2026-01-01',
    )
  })

  test('asks for as many months as the company pays at once', () => {
    expect(invoiceDue({ ...company, recurrence: 'ANUAL' }, plan, at('2026-12-01T12:00:00Z'))).toMatchObject({
      ...{ value: '1198.80', months: 12 },
    })
  })

  test('is made for nobody who has no end, no price, no plan, is switched off, or runs the platform', () => {
    const now = at('2026-12-01T12:00:00Z')
    expect(invoiceDue({ ...company, dueDate: null }, plan, now)).toBeNull()
    expect(invoiceDue({ ...company, status: false }, plan, now)).toBeNull()
    expect(invoiceDue({ ...company, id: 1 }, plan, now)).toBeNull()
    expect(invoiceDue(company, { ...plan, value: '0.00' }, now)).toBeNull()
    expect(invoiceDue(company, null, now)).toBeNull()
  })

  test('is overdue from the day after its due date', () => {
    const open = { status: 'open' as const, dueDate: '2026-12-11' }
    expect(invoiceState(open, '2026-12-11')).toBe('open')
    expect(invoiceState(open, '2026-12-12')).toBe('overdue')
    expect(invoiceState({ ...open, status: 'paid' }, '2027-01-01')).toBe('paid')
    expect(invoiceState({ ...open, status: 'cancelled' }, '2027-01-01')).toBe('cancelled')
  })
})

describe('a renewal', () => {
  test('follows the due date when it is paid in time, also on its last day', () => {
    expect(renewedUntil(company, 1, at('2026-11-25T12:00:00Z'))).toEqual({ dueDate: '2027-01-11', dueDay: 11 })
    expect(renewedUntil(company, 1, at('2026-12-12T02:59:00Z'))).toEqual({ dueDate: '2027-01-11', dueDay: 11 })
    expect(renewedUntil({ ...company, dueDate: '2027-01-31' }, 1, at('2027-01-20T12:00:00Z'))).toEqual({
      ...{ dueDate: '2027-02-28', dueDay: 31 },
    })
    // The short month between is no reason to end three days earlier from then on.
    expect(renewedUntil({ ...company, dueDate: '2027-02-28', dueDay: 31 }, 1, at('2027-02-20T12:00:00Z'))).toEqual({
      ...{ dueDate: '2027-03-31', dueDay: 31 },
    })
  })

  test('begins on the day of payment when it is late, because nobody could work in between', () => {
    expect(renewedUntil(company, 1, at('2026-12-12T03:00:00Z'))).toEqual({ dueDate: '2027-01-12', dueDay: 12 })
    expect(renewedUntil({ ...company, dueDate: '2025-01-31', dueDay: 31 }, 12, at('2026-12-20T12:00:00Z'))).toEqual({
      ...{ dueDate: '2027-12-20', dueDay: 20 },
    })
  })
})

describe('the Pix code', () => {
  test('has the checksum of the published examples', () => {
    const published =
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000 5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304'
    expect(crc16(published.replace(' ', ''))).toBe('1D3D')
    expect(crc16('123456789')).toBe('29B1')
  })

  test('says key, amount, name and city so that every bank reads them', () => {
    const code = brCode(
      { key: '52998224725', name: 'Padaria São João & Filhos Ltda', city: 'São José dos Campos' },
      '99.90',
      'FATURA12',
    )
    expect(code).toBe(
      '00020126330014br.gov.bcb.pix0111529982247255204000053039865405' +
        '99.90' +
        '5802BR5925PADARIA SAO JOAO FILHOS L6015SAO JOSE DOS CA' +
        '62120508FATURA126304' +
        crc16(code.slice(0, -4)),
    )
    expect(/^[\x20-\x7e]+$/.test(code)).toBe(true)
  })

  test('takes the keys that banks know, and no other text', () => {
    expect(pixKeyOf(' 529.982.247-25 ')).toBe('52998224725')
    expect(pixKeyOf('+55 (11) 98765-4321')).toBe('+5511987654321')
    expect(pixKeyOf('Caixa@Padaria.test')).toBe('caixa@padaria.test')
    expect(pixKeyOf('123E4567-E12B-12D1-A456-426655440000')).toBe('123e4567-e12b-12d1-a456-426655440000')
    for (const wrong of ['', '529.982.247-24', '11987654321x', 'padaria']) expect(pixKeyOf(wrong)).toBeUndefined()
  })
})

test('a charge is asked about after 1, 5, 15 and 60 minutes, and for a day after it ran out', () => {
  const createdAt = at('2026-11-22T12:00:00Z')
  const charge = { createdAt, expiresAt: at('2026-11-22T13:00:00Z') }
  const minutes: number[] = []
  let now = createdAt
  for (let checks = 0; ; checks++) {
    const next = nextCheck(charge, checks, now)
    if (!next) break
    minutes.push((next.getTime() - createdAt.getTime()) / 60_000)
    now = next
  }
  expect(minutes.slice(0, 6)).toEqual([1, 5, 15, 60, 75, 240])
  expect(minutes.at(-1)! <= 2_900).toBe(true)
  // After a night without a server it is asked soon, not for each time that was missed.
  const morning = at('2026-11-23T08:00:00Z')
  expect(nextCheck(charge, 1, morning)).toEqual(at('2026-11-23T08:01:00Z'))
  expect(nextCheck({ createdAt, expiresAt: null }, 60, morning)).toBeNull()
})

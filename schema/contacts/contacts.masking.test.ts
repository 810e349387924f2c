import { describe, expect, test } from 'bun:test'
import type { Rights } from '../permissions.ts'
import { hidesNumbers, isMasked, maskedNumber, maskedValue, numberPattern, readableBy } from './contacts.masking.ts'
import { withCountry } from './contacts.phone.ts'

const role = (maskNumbers: boolean): Rights => ({
  profile: 'user',
  role: { id: 1, permissions: [], ticketScope: 'all', maskNumbers },
})
const reader = role(true)

test('of a number its beginning and its last four digits are told, never the middle', () => {
  expect(maskedNumber('5511987651835')).toBe('+55 11 9••••-1835')
  expect(maskedNumber('+55 (11) 3456-1835')).toBe('+55 11 3•••-1835')
  expect(maskedNumber('351912345678')).toBe('+35 ••••••-5678')
  expect(maskedNumber('1234567')).toBe('+12 •-4567')
  expect(maskedNumber('123')).toBe('••••')
  expect(maskedNumber(maskedNumber('5511987651835'))).not.toMatch(/8765/)
})

describe('what is told to whom a role hides numbers', () => {
  test('holds no number of a contact, however deep, nor a name that is one', () => {
    const createdAt = new Date()
    const told = {
      tickets: [{ id: 5511987651835, createdAt, contact: { name: '5511987651835', number: '5511987651835' } }],
      message: { participantNumber: '351912345678', participantName: '+351 912 345 678', body: 'Ligue 11 98765-1835' },
    }
    expect(maskedValue(told)).toEqual({
      tickets: [{ id: 5511987651835, createdAt, contact: { name: '+55 11 9••••-1835', number: '+55 11 9••••-1835' } }],
      message: {
        participantNumber: '+35 ••••••-5678',
        participantName: '+35 ••••••-5678',
        body: 'Ligue 11 98765-1835',
      },
    })
    expect(told.tickets[0]!.contact.number).toBe('5511987651835')
  })

  test('holds none in the midst of a name, and leaves dates and documents there', () => {
    for (const [name, told] of [
      ['Eva 5511987651835', 'Eva +55 11 9••••-1835'],
      ['Eva (11) 98765-1835 casa', 'Eva 11 9••••-1835 casa'],
      ['Zé +351 912 345 678', 'Zé +35 ••••••-5678'],
      ['Natal 2024-12-25 10:30', 'Natal 2024-12-25 10:30'],
      ['Loja 12.345.678/0001-95', 'Loja 12.345.678/0001-95'],
    ] as [string, string][])
      expect(maskedValue({ name })).toEqual({ name: told })
  })

  test('holds no eight digits of the number beside which a name stands, however they are set apart', () => {
    const number = '5511987651835'
    for (const [name, told] of [
      ['Ana 98765-1835', 'Ana •••••-1835'],
      ['Ana (98765) 1835', 'Ana (•••••) 1835'],
      ['Ana 9 8765 - 1835 casa', 'Ana • •••• - 1835 casa'],
      ['Ana 9.8.7.6.5.1.8.3.5', 'Ana •.•.•.•.•.1.8.3.5'],
      ['Ana 87651835', 'Ana ••••1835'],
      ['Ana 11987651', 'Ana •••••••1'],
      ['Ana 0 98765/1835', 'Ana 0 •••••/1835'],
      ['Ana 5511987651835 x 11987651835', 'Ana +55 11 9••••-1835 x 11 9••••-1835'],
      ['Ana 2024-12-25', 'Ana 2024-12-25'],
      ['Ana 8765-183', 'Ana 8765-183'],
      ['Ana 98765-9999', 'Ana 98765-9999'],
    ] as [string, string][])
      for (const [key, beside] of [
        ['name', 'number'],
        ['contactName', 'contactNumber'],
        ['participantName', 'participantNumber'],
        ['goneName', 'goneNumber'],
        ['title', 'number'],
      ] as const)
        expect(maskedValue({ [key]: name, [beside]: number })).toEqual({ [key]: told, [beside]: '+55 11 9••••-1835' })
    expect(maskedValue({ name: 'Zé 912 345-678', number: '351912345678' }).name).toBe('Zé ••• ••5-678')
  })

  test('where nobody says the number, as in a row of which only the name changed, holds nothing that may be one', () => {
    for (const [name, told] of [
      ['Ana 98765-1835', 'Ana •••••-1835'],
      ['Ana 3456-1835', 'Ana ••••-1835'],
      ['Natal 25.12.2024', 'Natal 25.12.2024'],
      ['Natal 25122024', 'Natal 25122024'],
      ['Natal 20241225', 'Natal 20241225'],
      ['Natal 2024-12-25 10:30', 'Natal 2024-12-25 10:30'],
      ['Loja 32.345.678/0001-95', 'Loja 32.345.678/0001-95'],
    ] as [string, string][])
      for (const row of [{ name }, { name, number: null }, { name, number: '' }])
        expect(maskedValue(row).name).toBe(told)
  })

  test('holds none in what a campaign says to somebody', () => {
    const told = { number: '5511987651835', body: 'Confirme: 5511987651835 ou (11) 98765-1835', confirmation: 'Sim?' }
    expect(maskedValue(told)).toEqual({
      number: '+55 11 9••••-1835',
      body: 'Confirme: +55 11 9••••-1835 ou 11 9••••-1835',
      confirmation: 'Sim?',
    })
    const message = { body: 'Ligue 11 98765-1835', contact: { number: '5511987651835' } }
    expect((maskedValue(message) as typeof message).body).toBe('Ligue 11 98765-1835')
  })

  test('leaves names, the company’s own telephones, and short numbers alone, and is the same value then', () => {
    const told = {
      ...{ name: 'Ana 2', number: '12', version: { number: 3 }, none: { number: null } },
      whatsapp: { name: 'Balcão', number: '5511940000001' },
    }
    expect(maskedValue(told)).toBe(told)
    const response = new Response('{"number":"5511987651835"}')
    expect(maskedValue(response)).toBe(response)
  })

  test('is hidden in cards of people, whatever else stands there', () => {
    const card = (more: string) =>
      `BEGIN:VCARD\nVERSION:3.0\nFN:Davi; o padeiro\n${more}\nNOTE:ou 11 98765-1835\nEND:VCARD`.replace(';', '\\;')
    const body = `${card('TEL;type=CELL;waid=5511987651835:+55 11 98765-1835')}\n${card('item1.TEL:\n +5511987651835')}`
    expect(maskedValue({ mediaType: 'vcard', body })).toEqual({
      mediaType: 'vcard',
      body: [
        ...['BEGIN:VCARD', 'VERSION:3.0', 'FN:Davi\\; o padeiro', 'TEL:+55 11 9••••-1835', 'END:VCARD'],
        ...['BEGIN:VCARD', 'VERSION:3.0', 'FN:Davi\\; o padeiro', 'END:VCARD'],
      ].join('\n'),
    })
    // What is no card is what was written.
    const text = { mediaType: 'chat', body: card('TEL:1') }
    expect(maskedValue(text)).toBe(text)
  })

  test('is whole for everybody else', () => {
    const told = { number: '5511987651835' }
    for (const who of [role(false), { profile: 'user' } as const, { profile: 'admin', role: null } as const]) {
      expect(hidesNumbers(who)).toBe(false)
      expect(readableBy(who, told)).toBe(told)
    }
    expect(readableBy(reader, told)).toEqual({ number: '+55 11 9••••-1835' })
  })
})

test('a hidden number is looked for by its end alone, and is none when it is typed', () => {
  const anywhere = (text: string) => `%${text}%`
  expect(numberPattern(role(false), '876', anywhere)).toBe('%876%')
  expect(numberPattern(reader, '1835', anywhere)).toBe('%1835')
  // Neither a longer piece nor a guess at all of it tells whether it was right.
  for (const typed of ['51835', '5511987651835', '5511900001835'])
    expect(numberPattern(reader, typed, anywhere)).toBe('%1835')
  expect(isMasked(maskedNumber('5511987651835'))).toBe(true)
  expect(withCountry('+55 11 9••••-1835', '55')).toBe('')
})

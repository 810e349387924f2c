import { expect, test } from 'bun:test'
import { type CallingCode, callingCodeIn, numberKey, numberVariants, withCountry } from './contacts.phone.ts'

const typedIn = (code: CallingCode, typed: Record<string, string>) =>
  expect(Object.fromEntries(Object.keys(typed).map((one) => [one, withCountry(one, code)]))).toEqual(typed)

test('a number typed as in Brazil gets its country; with a plus, or with a country, it stays', () => {
  typedIn('55', {
    '(11) 98888-7766': '5511988887766',
    '11988887766': '5511988887766',
    '(11) 3456-7890': '551134567890',
    '5511988887766': '5511988887766',
    '+351 912 345 678': '351912345678',
    '351912345678': '351912345678',
    '+21 98888-7766': '21988887766',
    '12025550123': '12025550123',
    '120363041234567890': '120363041234567890',
  })
})

test('elsewhere a number as long as those of the company’s country is one of there', () => {
  typedIn('351', { '912 345 678': '351912345678', '351912345678': '351912345678', '+5511988887766': '5511988887766' })
  typedIn('598', { '99 123 456': '59899123456', '099123456': '59899123456', '59899123456': '59899123456' })
  typedIn('1', { '(202) 555-0123': '12025550123', '12025550123': '12025550123', '11988887766': '11988887766' })
})

test('whoever signs up writes numbers of the country whose clock they have; Brazil where that says nothing', () => {
  const zones = {
    'America/Argentina/Cordoba': '54',
    'America/Bogota': '57',
    'Europe/Lisbon': '351',
    'America/Manaus': '55',
    'Asia/Tokyo': '55',
    'America/Lima2': '55',
  }
  expect(Object.fromEntries(Object.keys(zones).map((zone) => [zone, callingCodeIn(zone)]))).toEqual(zones)
})

test('a person is one, with Brazil’s ninth digit, Argentina’s 9 and Mexico’s 1 or without', () => {
  const pairs = [
    ['5511988887001', '551188887001'],
    ['5491151237001', '541151237001'],
    ['5215512347001', '525512347001'],
  ] as const
  for (const [long, short] of pairs) {
    expect([numberKey(long), numberKey(short)]).toEqual([short, short])
    expect([numberVariants(long), numberVariants(short)]).toEqual([
      [long, short],
      [short, long],
    ])
  }
})

test('numbers that only look alike are two people', () => {
  // A landline of Spain and an old mobile of Brazil; landlines; a mobile that never had eight digits.
  for (const alone of ['34986123456', '551133337001', '5511941207001', '351912345678'])
    expect([numberKey(alone), numberVariants(alone)]).toEqual([alone, [alone]])
  expect(numberKey('553486123456')).not.toBe(numberKey('34986123456'))
})

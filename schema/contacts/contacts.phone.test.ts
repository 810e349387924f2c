import { expect, test } from 'bun:test'
import { withCountry } from './contacts.phone.ts'

test('a number typed as in Brazil gets its country; with a plus, or with a country, it stays', () => {
  const typed: Record<string, string> = {
    '(11) 98888-7766': '5511988887766',
    '11988887766': '5511988887766',
    '(11) 3456-7890': '551134567890',
    '5511988887766': '5511988887766',
    '+351 912 345 678': '351912345678',
    '351912345678': '351912345678',
    '+21 98888-7766': '21988887766',
    '12025550123': '12025550123',
    '120363041234567890': '120363041234567890',
  }
  expect(Object.fromEntries(Object.keys(typed).map((one) => [one, withCountry(one)]))).toEqual(typed)
})

import { expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { phoneDigits, phoneMask, phoneTyped, signUpFields } from './companies.inputs.ts'

test('a phone is shown as people write it, however much of it is typed', () => {
  const typed = ['', '1', '11', '119', '11987', '1132654321', '11987654321', '119876543210']
  expect(typed.map(phoneMask)).toEqual([
    ...['', '(1', '(11', '(11) 9', '(11) 987'],
    ...['(11) 3265-4321', '(11) 98765-4321', '(11) 98765-4321'],
  ])
  expect(phoneDigits('(11) 98765-4321')).toBe('11987654321')
})

test('a phone can be typed and taken back key by key', () => {
  let field = ''
  for (const key of '11987654321') field = phoneTyped(field + key, field)
  expect(field).toBe('(11) 98765-4321')
  for (let keys = 0; field !== ''; keys++) {
    field = phoneTyped(field.slice(0, -1), field)
    expect(keys).toBeLessThan(15)
  }
})

test('eleven digits are a phone, twelve are not', () => {
  const fits = (phone: string) => Value.Check(signUpFields.phone, phone)
  expect(['', '(11) 98765-4321', '11987654321', '119876543210'].map(fits)).toEqual([true, true, true, false])
})

test('a name is two characters that can be seen', () => {
  const fits = (name: string) => Value.Check(signUpFields.name, name)
  expect(['Oi', 'Padaria São José', 'Pão & Cia', 'a', 'a ', '   ', 'x'.repeat(51)].map(fits)).toEqual([
    ...[true, true, true],
    ...[false, false, false, false],
  ])
})

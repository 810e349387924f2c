import { expect, test } from 'bun:test'
import { hueOf, initials } from './avatar-text.ts'

test('initials are those of the first and the last name', () => {
  expect(initials('Ana Maria Souza')).toBe('AS')
  expect(initials('érica')).toBe('É')
})
test('emoji and punctuation before a name are skipped', () => {
  expect(initials('🌸 Flor (loja)')).toBe('F')
})
test('a bare number shows its last two digits, and nothing shows a question mark', () => {
  expect(initials('+55 11 98888-7766')).toBe('66')
  expect(initials('')).toBe('?')
})
test('the same name always has the same colour', () => {
  expect(hueOf('Ana')).toBe(hueOf('Ana'))
  expect(hueOf('Ana')).toBeGreaterThanOrEqual(0)
  expect(hueOf('Ana')).toBeLessThan(360)
})

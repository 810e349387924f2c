import { expect, test } from 'bun:test'
import { isSameSecret } from './same-secret.ts'

test('a secret is right only where it is the whole one, and an empty one is nobody’s', () => {
  expect(isSameSecret('abc', 'abc')).toBe(true)
  expect(isSameSecret(new Uint8Array([97, 98, 99]), 'abc')).toBe(true)
  for (const given of ['', 'ab', 'abcd', 'abC']) expect(isSameSecret(given, 'abc')).toBe(false)
  expect(isSameSecret('', '')).toBe(false)
})

test('letters that take two bytes are refused as others are', () => {
  // As many letters, and more bytes: a comparison of bytes of equal length throws.
  expect(isSameSecret('ééé', 'abc')).toBe(false)
})

import { expect, test } from 'bun:test'
import { tokenExpiresAt } from './token.ts'

const token = (payload: string) => `h.${Buffer.from(payload).toString('base64url')}.s`

test('a token says when it ends', () => {
  expect(tokenExpiresAt(token('{"exp":1700000000,"name":"Ação?>"}'))).toBe(1_700_000_000_000)
})
test('a token that says nothing, or is none, ends at no known time', () => {
  expect(tokenExpiresAt(token('{}'))).toBeNull()
  expect(tokenExpiresAt(token('null'))).toBeNull()
  expect(tokenExpiresAt('rubbish')).toBeNull()
  expect(tokenExpiresAt('a.%%%.c')).toBeNull()
})

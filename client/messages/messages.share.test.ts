import { expect, test } from 'bun:test'
import { numberTyped } from './messages.share.ts'

test('a number is read with its country, and one that lacks a part is none', () => {
  for (const text of ['(11) 98765-4321', '+55 11 98765-4321', '5511987654321'])
    expect([text, numberTyped(text, '55')]).toEqual([text, '5511987654321'])
  expect(numberTyped('+351 912 345 678', '55')).toBe('351912345678')
  for (const text of ['98765-4321', '123', '', 'Rua A', '+1', '+55 11 9••••-4321'])
    expect([text, numberTyped(text, '55')]).toEqual([text, undefined])
})

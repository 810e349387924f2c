import { expect, test } from 'bun:test'
import { newId, uuidv7From, widOf } from './ids.ts'

test('an id carries its time, its version and its variant', () => {
  const id = uuidv7From(0x0123456789ab, new Uint8Array(10).fill(0xff))
  expect(id).toBe('01234567-89ab-7fff-bfff-ffffffffffff')
})

test('ids made within one millisecond rise, so what arrives together stays in order', () => {
  const ids = Array.from({ length: 10_000 }, newId)
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('the WhatsApp id follows from ours and differs between messages', () => {
  const ids = Array.from({ length: 10_000 }, newId)
  expect(new Set(ids.map(widOf)).size).toBe(ids.length)
  expect(widOf(ids[0]!)).toBe(widOf(ids[0]!))
  expect(widOf(ids[0]!)).toMatch(/^3EB0[0-9A-F]{18}$/)
})

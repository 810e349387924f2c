import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { createSealer } from './seal.ts'

const sealer = createSealer(randomBytes(32))

test('what is sealed opens with its key, in its place', () => {
  const plain = randomBytes(5_000)
  expect(sealer.open(sealer.seal(plain, 'key/1/session/a'), 'key/1/session/a').equals(plain)).toBe(true)
})

test('it opens neither elsewhere, nor with another key, nor after one bit changed', () => {
  const sealed = sealer.seal(Buffer.from('ratchet'), 'key/1/session/a')
  expect(() => sealer.open(sealed, 'key/2/session/a')).toThrow()
  expect(() => createSealer(randomBytes(32)).open(sealed, 'key/1/session/a')).toThrow()
  const bent = Buffer.from(sealed)
  bent[bent.length - 1]! ^= 1
  expect(() => sealer.open(bent, 'key/1/session/a')).toThrow()
  expect(() => sealer.open(Buffer.from([9, ...sealed.subarray(1)]), 'key/1/session/a')).toThrow('unknown version')
})

test('the same words never look the same', () => {
  expect(sealer.seal(Buffer.from('oi'), 'x').equals(sealer.seal(Buffer.from('oi'), 'x'))).toBe(false)
})

test('a key of the wrong length is refused at the start', () => {
  expect(() => createSealer(randomBytes(16))).toThrow('32 bytes')
})

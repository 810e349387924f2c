import { expect, test } from 'bun:test'
import { encode } from 'uqr'
import { qrPath } from './qr.ts'

test('the path draws exactly the dark modules of the code', () => {
  const text = '2@abcdefghij,key,identity,secret'
  const { size, path } = qrPath(text)
  const drawn = Array.from({ length: size }, () => new Array<boolean>(size).fill(false))
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let at = Number(x); at < Number(x) + Number(width); at++) drawn[Number(y)]![at] = true
  }
  expect(drawn).toEqual(encode(text, { ecc: 'L', border: 4 }).data)
})

test('a quiet zone of four modules surrounds the code', () => {
  const { size, path } = qrPath('x')
  const xs = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].flatMap(([, x, , width]) => [
    Number(x),
    Number(x) + Number(width),
  ])
  expect(Math.min(...xs)).toBe(4)
  expect(Math.max(...xs)).toBe(size - 4)
})

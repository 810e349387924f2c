import { describe, expect, test } from 'bun:test'
import { isWhole, type PastChunk, withChunks } from './whatsapps.cloud-past.ts'

const chunk = (phase: number, order: number | null, progress: number): PastChunk => ({ phase, order, progress })
const own = [chunk(0, 1, 10), chunk(0, 2, 30), chunk(1, 1, 60), chunk(1, 2, 80), chunk(2, 1, 100)]
const through = own.map((one, i) => ({ ...one, order: i + 1 }))

/** Orders in which five things come. */
function* orders<T>(all: readonly T[]): Generator<T[]> {
  if (all.length === 0) yield []
  for (const [i, first] of all.entries())
    for (const rest of orders([...all.slice(0, i), ...all.slice(i + 1)])) yield [first, ...rest]
}

describe('a phone’s history', () => {
  for (const [name, chunks] of [
    ['places counted in each phase', own],
    ['places counted through all', through],
  ] as const)
    test(`is told when its last chunk has come, in whatever order, however often, with ${name}`, () => {
      for (const order of orders(chunks)) {
        let told = {}
        for (const [i, one] of order.entries()) {
          told = withChunks(withChunks(told, [one]), [one])
          if (i === order.length - 1) expect(isWhole(told)).toBe(true)
        }
      }
    })

  test('is not told by a chunk that says so, while one before it is missing', () => {
    for (const missing of own)
      if (missing.progress < 100 && missing.phase + missing.order! !== 2)
        expect([
          missing,
          isWhole(
            withChunks(
              {},
              through.filter((_, i) => own[i] !== missing),
            ),
          ),
        ]).toEqual([missing, false])
    expect(isWhole(withChunks({}, [chunk(0, 1, 20), chunk(1, 1, 60), chunk(1, 3, 100)]))).toBe(false)
    expect(isWhole(withChunks({}, own.slice(0, -1)))).toBe(false)
  })

  test('is told by the word alone where chunks have no place', () => {
    expect(isWhole(withChunks({}, [chunk(0, null, 55)]))).toBe(false)
    expect(isWhole(withChunks({}, [chunk(0, null, 55), chunk(1, null, 100)]))).toBe(true)
  })

  test('of which each phase says its own end is told when each has', () => {
    const ends = [chunk(0, 1, 100), chunk(1, 1, 50), chunk(1, 2, 100), chunk(2, 1, 100)]
    expect(isWhole(withChunks({}, ends))).toBe(true)
    expect(
      isWhole(
        withChunks(
          {},
          ends.filter(({ progress, phase }) => phase !== 1 || progress < 100),
        ),
      ),
    ).toBe(false)
  })
})

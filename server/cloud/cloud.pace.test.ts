import { expect, test } from 'bun:test'
import { createPace } from './cloud.pace.ts'

test('to one contact forty-five leave at once, and then one in six seconds; others do not wait', () => {
  let now = 0
  const pace = createPace({ coexistence: false, time: () => now })
  for (let n = 0; n < 45; n++) expect(pace.take('ana')).toBe(0)
  expect(pace.take('ana')).toBe(6_000)
  expect(pace.take('caio')).toBe(0)
  now = 6_000
  expect(pace.take('ana')).toBe(0)
  expect(pace.take('ana')).toBe(6_000)
})

test('a number speaks eighty times a second, and twenty where the Business app shares it', () => {
  for (const [coexistence, most] of [
    [false, 80],
    [true, 20],
  ] as const) {
    let now = 0
    const pace = createPace({ coexistence, time: () => now })
    let gone = 0
    for (let n = 0; n < 200; n++) if (pace.take(`contact ${n}`) === 0) gone++
    expect(gone).toBe(most)
    now = 1_000
    for (let n = 0; n < 200; n++) if (pace.take(`other ${n}`) === 0) gone++
    expect(gone).toBe(2 * most)
  }
})

test('a number that the service lets go faster speaks a thousand times a second, and as before when it no longer may', () => {
  let now = 0
  const pace = createPace({ coexistence: false, time: () => now })
  const leave = () => {
    let count = 0
    while (pace.take(`contact ${now} ${count}`) === 0) count++
    return count
  }
  pace.may('HIGH')
  expect(leave()).toBe(1_000)
  now += 60_000
  pace.may('STANDARD')
  expect(leave()).toBe(80)
  const shared = createPace({ coexistence: true, time: () => now })
  shared.may('HIGH')
  expect(Array.from({ length: 30 }, (_, i) => shared.take(`${i}`)).filter((wait) => wait === 0)).toHaveLength(20)
})

test('who was too fast with a contact waits 1, 4, 16, 64 seconds, with that contact alone, until one is taken', () => {
  let now = 0
  const pace = createPace({ coexistence: false, time: () => now })
  const waits = [1_000, 4_000, 16_000, 64_000]
  for (const wait of waits) {
    expect(pace.tooFastTo('ana')).toBe(wait)
    expect(pace.take('ana')).toBe(wait)
    expect(pace.take('caio')).toBe(0)
    now += wait
  }
  expect(pace.take('ana')).toBe(0)
  pace.went('ana')
  expect(pace.tooFastTo('ana')).toBe(1_000)
})

test('who was too fast as a whole waits for all', () => {
  let now = 0
  const pace = createPace({ coexistence: false, time: () => now })
  expect(pace.tooFast()).toBe(1_000)
  expect(pace.take('caio')).toBe(1_000)
  expect(pace.tooFast()).toBe(2_000)
  now = 2_000
  expect(pace.take('caio')).toBe(0)
})

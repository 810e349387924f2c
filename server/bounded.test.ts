import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { OutOfBounds, runBounded } from './bounded.ts'

const script = join(import.meta.dir, 'bounded.fixture.ts')
const run = (order: string, bounds: Partial<Parameters<typeof runBounded>[2]> = {}) =>
  runBounded<unknown>(script, order, { ms: 20_000, memory: 200_000_000, ...bounds })
const ended = (order: string, bounds?: Parameters<typeof run>[1]) =>
  run(order, bounds).then(
    () => 'answered',
    (error: unknown) => (error instanceof OutOfBounds ? error.what : error),
  )

test('a bounded process answers what it made', async () => {
  expect(await run('hello')).toBe('hello')
})

test('one that takes too long, too much memory, or breaks is ended, and it is said which', async () => {
  expect(await ended('stand still', { ms: 1_000 })).toBe('time')
  expect(await ended('take memory')).toBe('memory')
  expect(await ended('crash')).toBe('crash')
  expect(await ended('fail')).toBe('crash')
})

test('it has no secrets of ours to tell', async () => {
  process.env.JWT_SECRET_OF_A_TEST = 'secret'
  try {
    expect(await run('environment')).not.toContain('JWT_SECRET_OF_A_TEST')
  } finally {
    delete process.env.JWT_SECRET_OF_A_TEST
  }
})

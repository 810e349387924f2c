import { expect, test } from 'bun:test'
import { Crowded, createFairQueue } from './fair-queue.ts'

const work = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, end: resolve }
}

test('so many work at once and so many wait; one more is told so', async () => {
  const turns = createFairQueue({ atOnce: 2, waiting: 1, eachAtOnce: 2, eachWaiting: 1 })
  const [a, b] = [work(), work()]
  const first = turns.take(1, () => a.promise)
  const second = turns.take(2, () => b.promise)
  let begun = false
  const third = turns.take(3, async () => void (begun = true))
  await expect(turns.take(4, async () => undefined)).rejects.toBeInstanceOf(Crowded)
  expect(begun).toBe(false)
  a.end()
  await Promise.all([first, third])
  expect(begun).toBe(true)
  b.end()
  await second
})

test('a company that fills its own places leaves those of others alone', async () => {
  const turns = createFairQueue({ atOnce: 2, waiting: 3, eachAtOnce: 1, eachWaiting: 1 })
  const mine = work()
  const begun: string[] = []
  const first = turns.take(1, () => mine.promise)
  const second = turns.take(1, async () => void begun.push('mine, again'))
  await expect(turns.take(1, async () => undefined)).rejects.toBeInstanceOf(Crowded)
  await turns.take(2, async () => void begun.push("another's"))
  mine.end()
  await Promise.all([first, second])
  expect(begun).toEqual(["another's", 'mine, again'])
})

test('work that fails gives its place back, and a held place comes back once', async () => {
  const turns = createFairQueue({ atOnce: 1, waiting: 0, eachAtOnce: 1, eachWaiting: 0 })
  await expect(turns.take(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const leave = turns.hold(1)
  expect(() => turns.hold(2)).toThrow(Crowded)
  leave()
  leave()
  turns.hold(2)
  expect(() => turns.hold(1)).toThrow(Crowded)
})

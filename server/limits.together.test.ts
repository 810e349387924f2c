import { expect, test } from 'bun:test'
import { createAttempts } from './auth/attempts.ts'
import { createPasses } from './auth/passes.ts'
import type { Between } from './between.ts'
import { createElsewhere } from './events/elsewhere.ts'
import { createLimiters } from './limits.together.ts'

/** Servers that hear each other at once. */
function servers(count: number): Between[] {
  const all = Array.from({ length: count }, () => new Map<string, ((word: unknown) => void)[]>())
  return all.map((own) => ({
    tell(topic, word) {
      const sent = JSON.parse(JSON.stringify(word)) as unknown
      for (const other of all) if (other !== own) for (const listener of other.get(topic) ?? []) listener(sent)
    },
    hear: (topic, listener) => void own.set(topic, [...(own.get(topic) ?? []), listener]),
  }))
}

test('whoever calls one server after the other has one limit over all of them', async () => {
  let time = 0
  const limiters = servers(3).map((between) =>
    createLimiters(between, () => time)('calls', { burst: 30, perSecond: 1 }),
  )
  let given = 0
  for (let round = 0; round < 20; round++) {
    for (const limiter of limiters) if (limiter.take('somebody') === 0) given++
    // They tell each other four times a second.
    await Bun.sleep(300)
    if (given >= 30 && round > 12) break
  }
  // As many as one server gives, and what was under way.
  expect(given).toBeLessThanOrEqual(32)
  expect(given).toBeGreaterThanOrEqual(28)
  expect(limiters.map((limiter) => limiter.take('somebody') > 0)).toEqual([true, true, true])
  expect(limiters.map((limiter) => limiter.take('another'))).toEqual([0, 0, 0])
  time += 60_000
  expect(limiters[1]!.take('somebody')).toBe(0)
}, 20_000)

test('a password that was tried at one server counts at the others, and a right one forgives there, too', () => {
  const attempts = servers(3).map((between) => createAttempts({ topic: 'sign-in', between }))
  const count = { name: 'somebody@example.com', most: 4 }
  const now = new Date('2026-11-30T12:00:00Z')
  for (const at of [0, 1, 2, 0]) attempts[at]!.begin([count], now)
  for (const one of attempts) expect(() => one.begin([count], now)).toThrow()
  attempts[1]!.succeeded([count])
  attempts[2]!.begin([count], now)
  expect(() => attempts[0]!.begin([count], now)).toThrow()
  attempts[0]!.forget([count])
  attempts[1]!.begin([count], now)
  expect(attempts[2]!.failures(count, now)).toBe(1)
})

test('a pass that opened a socket at one server opens none at another', async () => {
  const now = () => new Date('2026-11-30T12:00:00Z')
  const [one, two] = servers(2).map((between) =>
    createPasses('a secret of thirty-two characters or more', now, between),
  )
  const pass = await one!.give({ userId: 1, tokenVersion: 0 }, { for: 'sync' })
  expect((await two!.take(pass, { for: 'sync' })).userId).toBe(1)
  await expect(one!.take(pass, { for: 'sync' })).rejects.toMatchObject({ code: 'ERR_SESSION_EXPIRED' })
})

test('who is at another server is known here, also to a server that began later, and not when that one is gone', () => {
  let time = 0
  const [a, b, c] = servers(3)
  const here = new Set([7])
  const first = createElsewhere(
    a!,
    () => [...here],
    () => time,
  )
  const second = createElsewhere(
    b!,
    () => [],
    () => time,
  )
  expect(second.has(7)).toBe(true)
  first.came(8)
  expect([second.has(8), first.has(8)]).toEqual([true, false])
  first.went(7)
  here.delete(7)
  here.add(8)
  expect(second.has(7)).toBe(false)
  const third = createElsewhere(
    c!,
    () => [],
    () => time,
  )
  expect([third.has(8), third.has(7)]).toEqual([true, false])
  // Killed: it says nothing more.
  time += 200_000
  expect(third.has(8)).toBe(false)
  first.all([...Array(1_200).keys()])
  expect([second.has(0), second.has(1_199), second.has(1_200)]).toEqual([true, true, false])
  first.ends()
  expect(second.has(0)).toBe(false)
})

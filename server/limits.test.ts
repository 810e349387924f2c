import { describe, expect, test } from 'bun:test'
import { mostTogether } from './commands/together.ts'
import { createLimiter, limits } from './limits.ts'

describe('a bucket', () => {
  test('gives what it holds at once, then as fast as it fills', () => {
    let now = 0
    const limiter = createLimiter({ burst: 3, perSecond: 2 }, () => now)
    expect([1, 2, 3, 4].map(() => limiter.take('a'))).toEqual([0, 0, 0, 1])
    expect(limiter.take('b')).toBe(0)
    now = 500
    expect([limiter.take('a'), limiter.take('a')]).toEqual([0, 1])
    now = 60_000
    expect([1, 2, 3, 4].map(() => limiter.take('a'))).toEqual([0, 0, 0, 1])
  })

  test('is not emptied by what is refused', () => {
    let now = 0
    const limiter = createLimiter({ burst: 1, perSecond: 1 }, () => now)
    limiter.take('a')
    for (let i = 0; i < 1_000; i++) expect(limiter.take('a')).toBe(1)
    now = 1_000
    expect(limiter.take('a')).toBe(0)
  })

  test('says how long something dear has to wait', () => {
    const limiter = createLimiter({ burst: 10, perSecond: 2 }, () => 0)
    expect(limiter.take('a', 8)).toBe(0)
    expect(limiter.take('a', 8)).toBe(3)
  })

  test('of a million addresses takes no more memory than of a few, and the busy stay known', () => {
    const limiter = createLimiter({ burst: 2, perSecond: 0.001 }, () => 0, 1_000)
    limiter.take('busy')
    limiter.take('busy')
    for (let i = 0; i < 900; i++) limiter.take(`address ${i}`)
    expect(limiter.take('busy')).toBeGreaterThan(0)
    for (let i = 0; i < 1_000_000; i++) limiter.take(`address ${i}`)
    expect(limiter.size()).toBe(1_000)
  })
})

describe('nobody who works is told to wait', () => {
  /** Seconds that somebody waits in all, whose calls come each second as `calls` says, for an hour. */
  const waits = (limit: { burst: number; perSecond: number }, calls: (second: number) => number) => {
    let now = 0
    const limiter = createLimiter(limit, () => now)
    let wait = 0
    for (let second = 0; second < 3_600; second++) {
      now = second * 1_000
      for (let n = calls(second); n > 0; n--) wait += limiter.take('it')
    }
    return wait
  }
  const agents = 200

  test('200 agents behind one address, who all come back at once, with a program that sends 300 messages a second', () => {
    expect(waits(limits.office, (second) => 300 + agents * (second === 0 ? 100 : 2))).toBe(0)
    expect(waits(limits.user, (second) => (second === 0 ? 100 : 2))).toBe(0)
  })

  test('the same office fetches a new client', () => {
    const files = 120
    expect(waits(limits.files, (second) => (second === 0 ? agents * files : 0))).toBe(0)
  })

  test('and logs in, each in the same minute, with all that the login page asks', () => {
    expect(waits(limits.stranger, (second) => (second < 60 ? Math.ceil((agents * 10) / 60) : 0))).toBe(0)
  })

  test('an agent with six tabs, who opens conversations full of pictures', () => {
    expect(waits(limits.user, (second) => (second === 0 ? 6 * 100 : second % 10 === 0 ? 200 : 1))).toBe(0)
  })

  test('a browser that was away, with 500 actions and then as many again', () => {
    const requests = Math.ceil(500 / mostTogether)
    expect(waits(limits.user, (second) => (second < 2 ? requests : 0))).toBe(0)
    expect(waits(limits.commands, (second) => (second < 2 ? 500 : 0))).toBe(0)
    // One by one, as older clients do.
    expect(waits(limits.user, (second) => (second < 2 ? 500 : 0))).toBe(0)
  })
})

import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { silenceMs, watchHeartbeat } from './heartbeat.ts'

let said: string[]
beforeEach(() => {
  said = []
  jest.useFakeTimers()
})
afterEach(() => jest.useRealTimers())

const watched = () =>
  watchHeartbeat({ everyMs: silenceMs, ask: () => said.push('asked'), gone: () => said.push('gone') })

test('a line on which something is heard is asked nothing', () => {
  const pulse = watched()
  for (let at = 0; at < 10; at++) {
    pulse.received()
    jest.advanceTimersByTime(18_000)
  }
  expect(said).toEqual([])
  pulse.stop()
})

test('a silent line is asked; one that answers is kept', () => {
  const pulse = watched()
  jest.advanceTimersByTime(18_000)
  expect(said).toEqual(['asked'])
  pulse.received()
  jest.advanceTimersByTime(18_000)
  expect(said).toEqual(['asked'])
  pulse.stop()
})

test('one that does not answer in time is gone, which is said once', () => {
  watched()
  jest.advanceTimersByTime(36_000)
  expect(said).toEqual(['asked', 'gone'])
  jest.advanceTimersByTime(180_000)
  expect(said).toEqual(['asked', 'gone'])
})

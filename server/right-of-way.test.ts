import { expect, test } from 'bun:test'
import { createRightOfWay } from './right-of-way.ts'

test('crowds wait until WhatsApp has what agents wrote', async () => {
  const way = createRightOfWay({ mostMs: 60_000, patienceMs: 60_000 })
  await way.clear()
  way.begins('a')
  way.begins('b')
  let cleared = false
  const waiting = way.clear().then(() => void (cleared = true))
  way.ends('a')
  way.ends('somebody else’s')
  await Bun.sleep(5)
  expect(cleared).toBe(false)
  way.ends('b')
  await waiting
  await way.clear()
})

test('nobody waits for good: neither for a message that never arrives, nor for agents who never cease to write', async () => {
  const way = createRightOfWay({ mostMs: 30, patienceMs: 10 })
  way.begins('lost')
  await way.clear()
  await Bun.sleep(40)
  let at = ''
  await Promise.all([way.clear().then(() => (at ||= 'clear')), Bun.sleep(5).then(() => (at ||= 'later'))])
  expect(at).toBe('clear')
  way.begins('one after the other')
  const waited = way.clear()
  way.begins('next')
  way.ends('one after the other')
  await waited
})

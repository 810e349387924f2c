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

test('crowds of other servers hold still, too, and are told no more often than is of use', async () => {
  const listeners = new Map<number, (word: unknown) => void>()
  let told = 0
  const server = (n: number) =>
    createRightOfWay({
      ...{ mostMs: 60_000, patienceMs: 20 },
      between: {
        tell: (topic, word) => {
          expect(topic).toBe('way')
          told++
          for (const [other, listener] of listeners) if (other !== n) listener(word)
        },
        hear: (_topic, listener) => void listeners.set(n, listener),
      },
    })
  const [mine, other] = [server(1), server(2)]
  const isClear = async (way: typeof mine) => {
    const began = performance.now()
    await way.clear()
    return performance.now() - began < 15
  }
  expect(await isClear(other)).toBe(true)
  for (let n = 0; n < 100; n++) mine.begins(`message ${n}`)
  expect(told).toBe(1)
  expect(await isClear(other)).toBe(false)
  // An end here says nothing of what is under way there.
  other.begins('x')
  other.ends('x')
  expect(await isClear(other)).toBe(false)
})

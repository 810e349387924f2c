import { expect, test } from 'bun:test'
import { createGate } from './gate.ts'

/** A gate before a wire that remembers what left, and writes that end when told to. */
function eg() {
  const left: string[] = []
  const wire = {
    send(data: Uint8Array, done?: () => void) {
      left.push(Buffer.from(data).toString())
      done?.()
    },
  }
  const gate = createGate()
  gate.guard(wire)
  return {
    gate,
    left,
    send: (text: string) => new Promise<void>((sent) => wire.send(Buffer.from(text), () => sent())),
  }
}

test('with nothing to be written, a frame leaves at once', async () => {
  const { left, send } = eg()
  await send('hello')
  expect(left).toEqual(['hello'])
})

test('a frame leaves when all that was read before it is durable, and not for what was read after it', async () => {
  const { gate, left, send } = eg()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  gate.hold(first.promise)
  await send('receipt 1')
  gate.hold(second.promise)
  await send('receipt 2')
  expect(left).toEqual([])
  first.resolve()
  await first.promise
  expect(left).toEqual(['receipt 1'])
  // Frames are numbered on the wire: none may overtake.
  await send('answer')
  expect(left).toEqual(['receipt 1'])
  second.resolve()
  await second.promise
  expect(left).toEqual(['receipt 1', 'receipt 2', 'answer'])
  await send('later')
  expect(left.at(-1)).toBe('later')
})

test('after a write that failed, nothing leaves any more', async () => {
  const { gate, left, send } = eg()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  gate.hold(first.promise)
  gate.hold(second.promise)
  await send('receipt')
  first.reject(new Error('disk full'))
  await first.promise.catch(() => undefined)
  second.resolve()
  await second.promise
  await send('answer')
  expect(left).toEqual([])
})

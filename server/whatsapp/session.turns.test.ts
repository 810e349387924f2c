import { expect, test } from 'bun:test'
import { createFairQueue, type Turns } from './session.turns.ts'

/** Takes a turn that lasts until it is told to end. */
function turn(turns: Turns, said: string[], name: string, isOwn = false) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = turns.take(isOwn, async () => {
    said.push(name)
    await promise
  })
  return async () => {
    resolve()
    await done
  }
}
/** Until everything that could begin has begun. */
const settled = async () => {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

test('an agent’s message waits for nobody; the others go two at a time in their order, and not beside it', async () => {
  const turns = createFairQueue({ patienceMs: 60_000 })
  const said: string[] = []
  const ends = ['a', 'b', 'c', 'd'].map((name) => turn(turns, said, name))
  await settled()
  expect(said).toEqual(['a', 'b'])
  const endAgent = turn(turns, said, 'agent', true)
  await settled()
  expect(said).toEqual(['a', 'b', 'agent'])
  await ends[0]!()
  await settled()
  expect(said).toEqual(['a', 'b', 'agent'])
  await endAgent()
  await settled()
  expect(said).toEqual(['a', 'b', 'agent', 'c'])
  for (const end of ends.slice(1)) {
    await end()
    await settled()
  }
  expect(said).toEqual(['a', 'b', 'agent', 'c', 'd'])
})

test('agents who write without a pause do not hold up the others for good', async () => {
  const turns = createFairQueue({ patienceMs: 20 })
  const said: string[] = []
  const endAgent = turn(turns, said, 'agent', true)
  const end = turn(turns, said, 'campaign')
  await settled()
  expect(said).toEqual(['agent'])
  await end()
  expect(said).toEqual(['agent', 'campaign'])
  await endAgent()
})

test('what fails gives its turn away', async () => {
  const turns = createFairQueue({ together: 1 })
  await expect(turns.take(false, () => Promise.reject(new Error('the line is down')))).rejects.toThrow(
    'the line is down',
  )
  await expect(turns.take(true, () => Promise.reject(new Error('again')))).rejects.toThrow('again')
  expect(await turns.take(false, async () => 'sent')).toBe('sent')
})

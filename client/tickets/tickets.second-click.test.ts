import { afterAll, expect, spyOn, test } from 'bun:test'

/** A page of one place, at which something stands; frames and time go on when the test says so. */
let now = 0
let there: object = { name: 'Aceitar' }
const frames: (() => void)[] = []
let press: (event: object) => void = () => undefined
Object.assign(globalThis, {
  document: { elementFromPoint: () => there },
  window: { addEventListener: (_name: string, heard: typeof press) => (press = heard) },
  requestAnimationFrame: (frame: () => void) => frames.push(frame),
})
const clock = spyOn(performance, 'now').mockImplementation(() => now)
afterAll(() => {
  clock.mockRestore()
  for (const name of ['document', 'window', 'requestAnimationFrame']) Reflect.deleteProperty(globalThis, name)
})
const { accepting, isSecondClick } = await import('./tickets.second-click.ts')

function pass(ms: number): void {
  now += ms
  for (const frame of frames.splice(0)) frame()
}
const pressThere = () => press({ clientX: 100, clientY: 100, timeStamp: now })

test('a second press on “Aceitar” gives nothing back, also where accepting takes long; a later one counts', () => {
  pressThere()
  const accepted = accepting()
  pass(16)
  // A busy machine: half a minute until the conversation is the agent's and stands where it was pressed.
  pass(30_000)
  accepted()
  there = { name: 'Devolver' }
  pass(16)
  pressThere()
  expect(isSecondClick()).toBe(true)
  // Whoever has had the time to read what stands there means it.
  pass(400)
  pass(200)
  pressThere()
  expect(isSecondClick()).toBe(false)
})

test('what comes later than five seconds after the ticket was accepted was not pressed for it', () => {
  there = { name: 'Aceitar' }
  pressThere()
  accepting()()
  pass(16)
  pass(5_000)
  there = { name: 'Devolver' }
  pressThere()
  expect(isSecondClick()).toBe(false)
})

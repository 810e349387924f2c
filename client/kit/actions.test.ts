import { afterEach, expect, test } from 'bun:test'
import { addActions, runWhenOffered } from './actions.ts'

const stops: (() => void)[] = []
afterEach(() => stops.splice(0).forEach((stop) => stop()))

test('an action of a screen that is not there yet runs when the screen comes, once', async () => {
  let runs = 0
  const ran = Promise.withResolvers<void>()
  const action = { id: 'tickets.new', label: 'New', group: 'Tickets', run: () => (runs++, ran.resolve()) }
  runWhenOffered('tickets.new')
  expect(runs).toBe(0)
  stops.push(addActions([{ ...action, id: 'tickets.search' }]), addActions([action]), addActions([action]))
  await ran.promise
  await new Promise((done) => setTimeout(done, 5))
  expect(runs).toBe(1)
})

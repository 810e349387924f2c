import { expect, test } from 'bun:test'
import { whenReplaced } from './when-replaced.ts'

/** A page's workers: `take` puts one in charge, and `tell` says so, which some engines do later. */
function page() {
  const events = new EventTarget()
  const container = {
    controller: null as ServiceWorker | null,
    addEventListener: events.addEventListener.bind(events) as ServiceWorkerContainer['addEventListener'],
  }
  return {
    container,
    take: (worker: object) => void (container.controller = worker as ServiceWorker),
    tell: () => events.dispatchEvent(new Event('controllerchange')),
  }
}

test('the first worker of a page is no new version, also where the page sees it before it is told', () => {
  const { container, take, tell } = page()
  let replaced = 0
  const [first, second] = [{}, {}]
  take(first)
  whenReplaced(container, () => replaced++)
  tell()
  expect(replaced).toBe(0)
  take(second)
  tell()
  expect(replaced).toBe(1)
})

test('a worker that comes to a page without any is no new version, and the one after it is', () => {
  const { container, take, tell } = page()
  let replaced = 0
  whenReplaced(container, () => replaced++)
  take({})
  tell()
  expect(replaced).toBe(0)
  take({})
  tell()
  expect(replaced).toBe(1)
})

import { expect, test } from 'bun:test'
import { inPlace } from './inbox.held-rows.ts'

const row = (id: number, text = '') => ({ id, text })

test('rows that nobody moves are shown as they are, further ones below them too', () => {
  expect(inPlace([row(1), row(2)], [row(1, 'new'), row(2), row(3)])).toBeNull()
  expect(inPlace([], [row(1)])).toBeNull()
})

test('a row that left stays where it was, marked as gone; one that came above waits; the others show what is new', () => {
  const still = inPlace([row(1), row(2), row(3)], [row(4), row(1, 'new'), row(3)])
  expect(still?.rows).toEqual([row(1, 'new'), row(2), row(3)])
  expect([...still!.gone]).toEqual([2])
})

test('rows that changed places keep them', () => {
  expect(inPlace([row(1), row(2)], [row(2, 'new'), row(1)])?.rows).toEqual([row(1), row(2, 'new')])
})

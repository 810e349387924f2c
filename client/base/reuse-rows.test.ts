import { expect, test } from 'bun:test'
import { reuseRows } from './reuse-rows.ts'

const key = (row: { id: number }) => row.id

test('rows that say the same keep their identity, changed ones do not', () => {
  const before = [
    { id: 1, ack: 2, at: new Date(5), tags: [1] },
    { id: 2, ack: 1, at: new Date(6), tags: [] },
  ]
  const after = reuseRows(
    before,
    [
      { id: 1, ack: 2, at: new Date(5), tags: [1] },
      { id: 2, ack: 3, at: new Date(6), tags: [] },
    ],
    key,
  )
  expect(after[0]).toBe(before[0]!)
  expect(after[1]).not.toBe(before[1]!)
  expect(after[1]!.ack).toBe(3)
})
test('an equal list is the list from before', () => {
  const before = [{ id: 1, reactions: [{ emoji: '👍', by: 'me' }] }]
  expect(reuseRows(before, [{ id: 1, reactions: [{ emoji: '👍', by: 'me' }] }], key)).toBe(before)
})
test('a list in another order is another list of the same rows', () => {
  const before = [{ id: 1 }, { id: 2 }]
  const after = reuseRows(before, [{ id: 2 }, { id: 1 }], key)
  expect(after).not.toBe(before)
  expect(after[0]).toBe(before[1]!)
})
test('a shortened list or array is seen as a change', () => {
  const before = [
    { id: 1, tags: [1, 2] },
    { id: 2, tags: [] as number[] },
  ]
  expect(
    reuseRows(
      before,
      [
        { id: 1, tags: [1] },
        { id: 2, tags: [] },
      ],
      key,
    )[0],
  ).not.toBe(before[0]!)
  expect(reuseRows(before, [before[0]!], key)).toHaveLength(1)
})

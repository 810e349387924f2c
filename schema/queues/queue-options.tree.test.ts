import { expect, test } from 'bun:test'
import { below, branch, depthOf, heightOf, numbered } from './queue-options.tree.ts'

const tree = [
  { id: 1, parentId: null, option: 2 },
  { id: 2, parentId: null, option: 1 },
  { id: 3, parentId: 1, option: 1 },
  { id: 4, parentId: 3, option: 1 },
  { id: 5, parentId: 1, option: 2 },
]
const ids = (options: { id: number }[]) => options.map(({ id }) => id)

test('a level is in the order of its numbers', () => {
  expect(ids(below(tree, null))).toEqual([2, 1])
  expect(ids(below(tree, 1))).toEqual([3, 5])
})

test('a branch is an option and all that is under it', () => {
  expect(ids(branch(tree, 1)).sort()).toEqual([1, 3, 4, 5])
  expect(ids(branch(tree, 2))).toEqual([2])
  expect(branch(tree, 9)).toEqual([])
})

test('levels are counted from both ends', () => {
  expect([depthOf(tree, null), depthOf(tree, 1), depthOf(tree, 4)]).toEqual([0, 1, 3])
  expect([heightOf(tree, 1), heightOf(tree, 3), heightOf(tree, 4)]).toEqual([3, 2, 1])
})

test('rows that name each other do not keep it for ever', () => {
  const circle = [
    { id: 1, parentId: 2, option: 1 },
    { id: 2, parentId: 1, option: 1 },
  ]
  expect(ids(branch(circle, 1))).toEqual([1, 2])
  expect(depthOf(circle, 1)).toBeGreaterThan(1)
})

test('an option that is put somewhere takes its number, and those behind it move along', () => {
  const level = [10, 11, 12].map((id, i) => ({ id, option: i + 1 }))
  expect(numbered(level, 12, 1)).toEqual([
    { id: 12, option: 1 },
    { id: 10, option: 2 },
    { id: 11, option: 3 },
  ])
  expect(numbered(level, 10, 99)).toEqual([
    { id: 11, option: 1 },
    { id: 12, option: 2 },
    { id: 10, option: 3 },
  ])
  // One from elsewhere, at the end where no number is wished.
  expect(numbered(level, 20)).toEqual([{ id: 20, option: 4 }])
  expect(numbered(level, 20, 0)[0]).toEqual({ id: 20, option: 1 })
  expect(numbered(level, 11, 2)).toEqual([])
})

test('what is left of a level has no gap', () => {
  const left = [
    { id: 10, option: 1 },
    { id: 12, option: 3 },
    { id: 13, option: 3 },
  ]
  expect(numbered(left, null)).toEqual([{ id: 12, option: 2 }])
})

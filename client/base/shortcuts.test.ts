import { expect, test } from 'bun:test'
import { pressed } from './shortcuts.ts'
import type { Shortcut } from './shortcuts.ts'

const shortcut = (keys: string): Shortcut => ({ keys, label: keys, run: () => undefined })
const all = [shortcut('?'), shortcut('g t'), shortcut('g c'), shortcut('n')]

test('one key runs at once', () => {
  expect(pressed(all, null, '?')).toEqual({ run: all[0]! })
})
test('the first key of a sequence waits for its second', () => {
  expect(pressed(all, null, 'g')).toEqual({ held: 'g' })
  expect(pressed(all, 'g', 'c')).toEqual({ run: all[2]! })
})
test('a key that does not complete the sequence counts by itself', () => {
  expect(pressed(all, 'g', 'n')).toEqual({ run: all[3]! })
  expect(pressed(all, 'g', 'x')).toBe('nothing')
})
test('a screen that registers the same keys later takes them over', () => {
  const taken = shortcut('n')
  expect(pressed([...all, taken], null, 'n')).toEqual({ run: taken })
})

import { expect, test } from 'bun:test'
import { isComposing } from './is-composing.ts'

test('the Enter that ends a character of several keys is none of ours, in whichever way the browser says so', () => {
  expect(isComposing({ isComposing: true, keyCode: 229 })).toBe(true)
  expect(isComposing({ isComposing: true, keyCode: 13 })).toBe(true)
  expect(isComposing({ isComposing: false, keyCode: 229 })).toBe(true)
  expect(isComposing({ isComposing: false, keyCode: 13 })).toBe(false)
})

import { describe, expect, test } from 'bun:test'
import { asked, literally, selected } from './selection.ts'

const files = [
  { path: 'schema/tickets/tickets.moves.test.ts', text: `test('a closed ticket is opened again', …)` },
  { path: 'server/messages/messages.routes.test.ts', text: `test('what a contact (a child) writes is kept', …)` },
  { path: 'tests/e2e/tickets.spec.ts', text: `test('an agent accepts', …)` },
]

describe('what bun run test is asked for', () => {
  test('nothing asks for everything, once, on a machine as it is', () => {
    expect(asked([])).toEqual({ words: '', again: 1, busy: false })
    expect(selected('', files).files).toHaveLength(3)
  })
  test('words, how often, and a busy machine, in any order', () => {
    expect(asked(['--busy', 'a', 'closed', '--again', '20', 'ticket'])).toEqual({
      ...{ words: 'a closed ticket', again: 20, busy: true },
    })
  })
  test('what cannot be meant is said in words', () => {
    expect(() => asked(['--again'])).toThrow('a whole number from 1 to 1000')
    expect(() => asked(['--again', '0'])).toThrow('a whole number from 1 to 1000')
    expect(() => asked(['--agian', '20'])).toThrow('--agian is not known')
  })
  test('a noun asks for its folders and files', () => {
    expect(selected('tickets', files)).toEqual({
      files: ['schema/tickets/tickets.moves.test.ts', 'tests/e2e/tickets.spec.ts'],
    })
  })
  test('a path asks for that file', () => {
    expect(selected('server/messages/messages.routes.test.ts', files).files).toEqual([files[1]!.path])
  })
  test('other words ask for the tests in whose title they stand, whatever signs are among them', () => {
    expect(selected('a contact (a child)', files)).toEqual({ files: [files[1]!.path], title: 'a contact (a child)' })
    expect(new RegExp(literally('a contact (a child)')).test('what a contact (a child) writes')).toBe(true)
    expect(selected('nothing like it', files).files).toEqual([])
    expect(selected('kept', [{ path: 'a.test.ts', text: 'const kept = 1' }]).files).toEqual([])
  })
})

import { expect, test } from 'bun:test'
import { ruleProblems } from './rules.ts'

const page = { path: 'a/SPEC.md', text: 'Tickets\n- T1 A ticket waits.\n- T2 It is taken\n  by one.\n' }
/** Written in pieces, so that the check of this repository does not take it for a title. */
const titled = (ids: string) => ({ path: 'a.test.ts', text: `test('${'['}${ids}] a ticket', () => {})` })

test('rules that stand in titles of tests are no problem, alone or together', () => {
  expect(ruleProblems([page], [titled('T1, T2')])).toEqual([])
  expect(ruleProblems([page], [titled('T1'), titled('T2')])).toEqual([])
})

test('a rule without a test, an id without a rule, and an id that stands twice are told with their places', () => {
  expect(ruleProblems([page], [titled('T1')])).toEqual(['a/SPEC.md:3 T2 stands in the title of no test'])
  expect(ruleProblems([page], [titled('T1, T2, T9')])).toEqual(['a.test.ts:1 T9 is the id of no rule'])
  const other = { path: 'b/SPEC.md', text: '- T1 Tabs.' }
  expect(ruleProblems([page, other], [titled('T1, T2')])).toEqual([
    'b/SPEC.md:1 T1 is the id of another rule: a/SPEC.md:2',
  ])
})

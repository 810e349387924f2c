import { expect, test } from 'bun:test'
import { scheduleProblems } from './schedules.problems.ts'

const now = new Date(2026, 10, 27, 13, 20, 30)
const schedule = { body: 'Seu pedido chegou', sendAt: '2026-11-27T14:00', contactId: 1 }
const problems = (changed: Partial<typeof schedule>) => scheduleProblems({ ...schedule, ...changed }, now)

test('a message is scheduled for a moment to come; the minute that is on the clock counts as now', () => {
  expect(problems({})).toEqual({})
  expect(problems({ sendAt: '2026-11-27T13:20' })).toEqual({})
  expect(problems({ sendAt: '2026-11-27T13:19' })).toEqual({ sendAt: 'past' })
  expect(problems({ sendAt: '2020-01-01T10:00' })).toEqual({ sendAt: 'past' })
  expect(problems({ sendAt: '' })).toEqual({ sendAt: 'required' })
})

test('a schedule needs a contact and a text', () => {
  expect(scheduleProblems({ ...schedule, body: ' ', contactId: undefined }, now)).toEqual({
    body: 'short',
    contact: 'required',
  })
})

test('a text for a time at which the window will have closed needs a template; what a template lacks is said', () => {
  const now = new Date(2026, 10, 30, 12)
  const given = { body: 'Seu pedido está pronto', sendAt: '2026-12-02T09:00', contactId: 1 }
  const closing = { at: new Date(2026, 11, 1, 9) }
  expect(scheduleProblems({ ...given, windowEnd: null }, now)).toEqual({})
  expect(scheduleProblems({ ...given, windowEnd: closing }, now)).toEqual({ body: 'closed' })
  expect(scheduleProblems({ ...given, windowEnd: { at: null } }, now)).toEqual({ body: 'closed' })
  expect(scheduleProblems({ ...given, sendAt: '2026-11-30T20:00', windowEnd: closing }, now)).toEqual({})
  const by = (isChosen: boolean, missing: string[]) =>
    scheduleProblems({ ...given, body: '', windowEnd: closing, template: { isChosen, missing } }, now)
  expect(by(false, [])).toEqual({ template: 'required' })
  expect(by(true, ['body.1'])).toEqual({ template: 'values' })
  expect(by(true, [])).toEqual({})
})

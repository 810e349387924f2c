import { expect, test } from 'bun:test'
import { talkWindow } from './messages.window.ts'

const at = (time: string) => Date.parse(`2026-11-29T${time}:00Z`)
const heard = (time: string) => ({ receivedAt: new Date(at(time)), adAt: null, adAnsweredAt: null })
const never = { receivedAt: null, adAt: null, adAnsweredAt: null }
const nextDay = (time: string) => new Date(`2026-11-30T${time}:00Z`)

test('one may write until a day after the contact’s last message; in the last hour the seconds are counted', () => {
  const facts = heard('14:20')
  expect(talkWindow(facts, true, at('14:20'))).toEqual({ is: 'open', until: nextDay('14:20'), isEnding: false })
  expect(talkWindow(facts, true, nextDay('13:20').getTime())).toMatchObject({ isEnding: false })
  expect(talkWindow(facts, true, nextDay('13:21').getTime())).toMatchObject({ is: 'open', isEnding: true })
  expect(talkWindow(facts, true, nextDay('14:20').getTime() - 1)).toMatchObject({ is: 'open', isEnding: true })
  expect(talkWindow(facts, true, nextDay('14:20').getTime())).toEqual({ is: 'closed', since: nextDay('14:20') })
})

test('a message of theirs opens it again at once', () => {
  const closed = nextDay('15:00').getTime()
  expect(talkWindow(heard('14:20'), true, closed)?.is).toBe('closed')
  expect(talkWindow({ ...never, receivedAt: new Date(closed) }, true, closed)?.is).toBe('open')
})

test('who has never written cannot be written to', () =>
  expect(talkWindow(never, true, at('12:00'))).toEqual({ is: 'closed', since: null }))

test('where a colleague’s conversations are not known here nothing is closed: the server knows', () => {
  expect(talkWindow(never, false, at('12:00'))).toBeNull()
  expect(talkWindow(heard('10:00'), false, nextDay('11:00').getTime())).toBeNull()
  expect(talkWindow(heard('10:00'), false, at('11:00'))?.is).toBe('open')
})

test('an ad that was answered opens three days', () => {
  const facts = { ...heard('10:00'), adAt: new Date(at('10:00')), adAnsweredAt: new Date(at('10:05')) }
  expect(talkWindow(facts, true, nextDay('11:00').getTime())).toMatchObject({
    ...{ is: 'open', until: new Date('2026-12-02T10:00:00Z') },
  })
})

import { expect, test } from 'bun:test'
import { HOUR_MS } from '../durations.ts'
import { closedWindow, windowEnd, type WindowFacts } from './messages.window.ts'

const noon = new Date('2026-11-29T12:00:00Z')
const after = (hours: number) => new Date(noon.getTime() + hours * HOUR_MS)
const facts = (more: Partial<WindowFacts> = {}): WindowFacts => ({
  receivedAt: null,
  adAt: null,
  adAnsweredAt: null,
  ...more,
})

test('one may answer for 24 hours after the contact’s last message, to the second', () => {
  const heard = facts({ receivedAt: noon })
  expect(windowEnd(heard)).toEqual(after(24))
  expect(closedWindow(heard, new Date(after(24).getTime() - 1))).toBeNull()
  expect(closedWindow(heard, after(24))).toEqual({ closedAt: after(24) })
})

test('who has never written may not be written to', () => {
  expect(closedWindow(facts(), noon)).toEqual({ closedAt: null })
})

test('who came by an ad and was answered within a day may be written to for 72 hours', () => {
  const came = { receivedAt: noon, adAt: noon }
  expect(windowEnd(facts({ ...came, adAnsweredAt: after(24) }))).toEqual(after(72))
  expect(windowEnd(facts({ ...came, adAnsweredAt: after(25) }))).toEqual(after(24))
  expect(windowEnd(facts(came))).toEqual(after(24))
  expect(windowEnd(facts({ receivedAt: after(60), adAt: noon, adAnsweredAt: after(1) }))).toEqual(after(84))
})

import { expect, test } from 'bun:test'
import { newChatsLamp } from './whatsapps.new-chats.ts'

const now = Date.parse('2026-11-29T17:00:00Z')
const until = '2026-11-29T17:20:00.000Z'
const cap = { newChatsQuota: 50, newChatsUsed: 45, newChatsCycleEndsAt: '2026-11-30T03:00:00.000Z' }

test('the lamp is on while a lock lasts, with its moment and what it is for', () => {
  const locked = { newChatsLockedUntil: until, newChatsLockKind: 'BIZ_QUALITY' }
  expect(newChatsLamp(locked, now)).toEqual({
    ...{ held: { by: 'lock', until: new Date(until) }, cause: 'quality', use: null },
  })
  expect(newChatsLamp(locked, Date.parse(until))).toBeNull()
  const cause = (newChatsLockKind: string | null) => newChatsLamp({ ...locked, newChatsLockKind }, now)?.cause
  expect(cause('BIZ_COMMERCE_VIOLATION_DRUGS')).toBe('commerce')
  expect(cause('WEB_COMPANION_ONLY')).toBe('device')
  expect([cause(null), cause('A_NEW_WORD')]).toEqual([null, null])
})

test('it is on when the cap comes near or is used up, and off while WhatsApp warns of nothing', () => {
  expect(newChatsLamp({ ...cap, newChatsCapState: 'NONE' }, now)).toBeNull()
  expect(newChatsLamp({}, now)).toBeNull()
  const use = { used: 45, quota: 50, until: new Date(cap.newChatsCycleEndsAt) }
  expect(newChatsLamp({ ...cap, newChatsCapState: 'FIRST_WARNING' }, now)).toEqual({ held: null, cause: null, use })
  expect(newChatsLamp({ ...cap, newChatsCapState: 'CAPPED' }, now)).toEqual({
    ...{ held: { by: 'cap', until: use.until }, cause: null, use },
  })
  expect(newChatsLamp({ ...cap, newChatsCapState: 'CAPPED' }, use.until.getTime())).toBeNull()
})

import { expect, test } from 'bun:test'
import { heldFor, type NewChatFacts, newChatHold, newChatUse, noNewChatFacts } from './whatsapps.new-chats.ts'

const at = (hour: number, minute = 0) => new Date(Date.UTC(2026, 10, 29, hour, minute))
const locked: NewChatFacts = { ...noNewChatFacts, newChatsLockedUntil: at(14, 20), newChatsLockKind: 'BIZ_QUALITY' }
const capped: NewChatFacts = {
  ...noNewChatFacts,
  ...{ newChatsQuota: 50, newChatsUsed: 50, newChatsCapState: 'CAPPED', newChatsCycleEndsAt: at(18) },
}

test('a lock holds who has never written to the connection, and nobody else, until its moment', () => {
  expect(heldFor(locked, false, at(14))).toEqual({ by: 'lock', until: at(14, 20) })
  expect(heldFor(locked, true, at(14))).toBeNull()
  expect(heldFor(locked, false, at(14, 20))).toBeNull()
  expect(heldFor(noNewChatFacts, false, at(14))).toBeNull()
})

test('a cap that is used up holds until its period ends; a warning holds nobody', () => {
  expect(newChatHold(capped, at(14))).toEqual({ by: 'cap', until: at(18) })
  expect(newChatHold(capped, at(18))).toBeNull()
  expect(newChatHold({ ...capped, newChatsCycleEndsAt: null }, at(14))).toBeNull()
  for (const newChatsCapState of ['NONE', 'FIRST_WARNING', 'SECOND_WARNING', null] as const)
    expect(newChatHold({ ...capped, newChatsCapState }, at(14))).toBeNull()
})

test('where both hold, the one that lasts longer is told', () => {
  const both = { ...capped, newChatsLockedUntil: at(14, 20) }
  expect(newChatHold(both, at(14))).toEqual({ by: 'cap', until: at(18) })
  expect(newChatHold({ ...both, newChatsLockedUntil: at(20) }, at(14))).toEqual({ by: 'lock', until: at(20) })
  expect(newChatHold({ ...both, newChatsLockedUntil: at(13) }, at(14))).toEqual({ by: 'cap', until: at(18) })
})

test('how much of the cap is used is told while its period lasts', () => {
  expect(newChatUse(capped, at(14))).toEqual({ used: 50, quota: 50, until: at(18) })
  expect(newChatUse(capped, at(18))).toBeNull()
  expect(newChatUse(locked, at(14))).toBeNull()
})

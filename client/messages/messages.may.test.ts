import { expect, test } from 'bun:test'
import { EDIT_WINDOW_MS, REVOKE_WINDOW_MS } from '../../schema/messages/messages.own.ts'
import { offersOf } from '../../schema/whatsapps/whatsapps.providers.ts'
import { canEdit, canTakeBack } from './messages.may.ts'

const now = 1_800_000_000_000
const own = { fromMe: true, isDeleted: false, mediaType: 'chat', ack: 2, createdAt: now - 60_000 } as const
const device = offersOf(undefined)

test('an own young text may be edited and taken back, where the connection offers it', () => {
  expect([canEdit(own, device, now), canTakeBack(own, device, now)]).toEqual([true, true])
  const nobodys = offersOf('telepathy')
  expect([canEdit(own, nobodys, now), canTakeBack(own, nobodys, now)]).toEqual([false, false])
  expect(canEdit(own, { edit: false }, now)).toBe(false)
  expect(canTakeBack(own, { revoke: false }, now)).toBe(false)
})

test('what is old, of others, or no text, may not be edited', () => {
  for (const values of [
    { createdAt: now - EDIT_WINDOW_MS },
    { fromMe: false },
    { mediaType: 'image' as const },
    { ack: 0 },
    { isDeleted: true },
  ])
    expect(canEdit({ ...own, ...values }, device, now)).toBe(false)
  expect(canTakeBack({ ...own, createdAt: now - REVOKE_WINDOW_MS }, device, now)).toBe(false)
  expect(canTakeBack({ ...own, createdAt: now - REVOKE_WINDOW_MS, ack: 0 }, device, now)).toBe(true)
})

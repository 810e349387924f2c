import { describe, expect, test } from 'bun:test'
import type { ConnectionStatus } from '../../schema/whatsapps/whatsapps.table.ts'
import { groupedCode, linkAfter, linkAtStart } from './whatsapps.link.ts'
import type { Link } from './whatsapps.link.ts'

describe('linking a phone', () => {
  const walk = (...sessions: [ConnectionStatus, string][]) => {
    let link = linkAtStart
    return sessions.map(([status, qrcode]) => {
      link = linkAfter(link, { of: 'session', session: { id: 1, status, qrcode }, live: true, now: 0 })
      return link.step
    })
  }

  test('a session that has not begun yet is being prepared, not expired', () =>
    expect(walk(['DISCONNECTED', ''], ['OPENING', ''], ['qrcode', 'a'])).toEqual(['preparing', 'preparing', 'scan']))

  test('a scanned code goes through pairing, also while WhatsApp restarts the link', () =>
    expect(walk(['qrcode', 'a'], ['PAIRING', ''], ['OPENING', ''], ['CONNECTED', ''])).toEqual([
      'scan',
      'pairing',
      'pairing',
      'done',
    ]))

  test('asking for a new code starts over', () =>
    expect(walk(['qrcode', 'a'], ['PENDING', ''], ['qrcode', 'b'])).toEqual(['scan', 'preparing', 'scan']))

  test('a session that cannot begin has ended, and says so instead of being prepared for ever', () =>
    expect(walk(['DISCONNECTED', ''], ['OPENING', ''], ['DISCONNECTED', ''])).toEqual([
      'preparing',
      'preparing',
      'expired',
    ]))

  test('a session that still stands after the server has begun it has ended', () => {
    const disconnected = { of: 'session', session: { id: 1, status: 'DISCONNECTED', qrcode: '' }, live: false } as const
    const begun = linkAfter(linkAfter(linkAtStart, { ...disconnected, now: 0 }), { of: 'answered' })
    expect(begun.step).toBe('preparing')
    expect(linkAfter(begun, { ...disconnected, now: 5_000 }).step).toBe('expired')
  })

  test('a code that nobody scanned has expired, and a new one may be asked for', () =>
    expect(walk(['qrcode', 'a'], ['DISCONNECTED', ''])).toEqual(['scan', 'expired']))
})

describe('the time that a code has left', () => {
  const shown = (link: Link, qrcode: string, live: boolean, now: number) =>
    linkAfter(link, { of: 'session', session: { id: 1, status: 'qrcode', qrcode }, live, now })

  test('the first code lives a minute, those after it 20 seconds', () => {
    const first = shown(linkAtStart, 'a', true, 1_000)
    expect(first.endsAt).toBe(61_000)
    expect(shown(first, 'b', true, 61_000).endsAt).toBe(81_000)
  })

  test('a code that was there before the dialog opened has an unknown end; the next one is known', () => {
    const found = shown(linkAtStart, 'a', false, 1_000)
    expect(found.endsAt).toBeNull()
    expect(shown(found, 'b', true, 5_000).endsAt).toBe(25_000)
  })

  test('hearing of the same code again does not prolong it', () =>
    expect(shown(shown(linkAtStart, 'a', true, 0), 'a', true, 30_000).endsAt).toBe(60_000))
})

test('a pairing code is read in two groups', () => {
  expect(groupedCode('ABCD1234')).toBe('ABCD-1234')
  expect(groupedCode('ABCD-1234')).toBe('ABCD-1234')
})

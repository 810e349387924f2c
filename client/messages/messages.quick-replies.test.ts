import { describe, expect, test } from 'bun:test'
import { findQuickReplies, quickLabel, quickQuery, type QuickReply } from './messages.quick-replies.ts'

const reply = (id: number, shortcode: string, message: string): QuickReply => ({
  id,
  shortcode,
  message,
  isGeneral: false,
  mediaPath: null,
  mediaName: null,
  mediaMime: null,
})

describe('quick replies', () => {
  test('are looked for from the second character on, in a text that begins with a slash', () => {
    expect(['/', 'oi/p', '', '/p', '/Pão', '/p\nx'].map(quickQuery)).toEqual([null, null, null, 'p', 'pao', null])
  })
  test('are found by name before text, whatever the accents', () => {
    const replies = [reply(1, 'troca', 'O pão voltou'), reply(2, 'opao', 'x'), reply(3, 'pão', 'y'), reply(4, 'z', 'z')]
    expect(findQuickReplies(replies, 'pao').map(({ id }) => id)).toEqual([3, 2, 1])
  })
  test('are shown in one line of at most 35 characters', () => {
    expect(quickLabel({ shortcode: 'oi', message: 'Bom\ndia' })).toBe('oi – Bom dia')
    const long = quickLabel({ shortcode: 'pix', message: 'A nossa chave é o CNPJ da padaria, 👩‍🍳👩‍🍳👩‍🍳' })
    expect([...long]).toHaveLength(35)
    expect(long.endsWith('…')).toBe(true)
  })
})

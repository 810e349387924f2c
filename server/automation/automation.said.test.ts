import { expect, test } from 'bun:test'
import type { Message } from '../../schema/messages/messages.table.ts'
import { wordsOf } from './automation.said.ts'

const told = (message: Partial<Message>) =>
  wordsOf({
    message: { mediaType: 'chat', body: '', mediaName: null, isVoice: false, about: null, ...message } as Message,
    transcript: null,
  })

test('an assistant hears what somebody sent, and never as if they had typed it', () => {
  expect(told({ mediaType: 'poll', body: 'Quando?\n• Hoje' })).toBe('[O cliente enviou uma enquete] Quando?\n• Hoje')
  expect(told({ mediaType: 'view_once' })).toContain('visualização única, que não pôde ser visto]')
  expect(told({ mediaType: 'phone_only' })).toBe('[O cliente enviou algo que não é texto]')
  const ad = { is: 'ad' as const, title: 'Pão de mel', text: '', url: null }
  expect(told({ mediaType: 'ad', body: 'Pão de mel', about: ad })).toBe(
    '[O cliente veio do anúncio “Pão de mel”, sem escrever nada]',
  )
})

test('an assistant hears from which ad somebody came, and what they answer', () => {
  const ad = { is: 'ad' as const, title: 'Pão de mel', text: '', url: null }
  expect(told({ body: 'Quero', about: ad })).toBe('[O cliente veio do anúncio “Pão de mel”] Quero')
  expect(told({ body: 'Quero', about: { is: 'status', text: 'Broa' } })).toBe(
    '[Em resposta ao nosso status “Broa”] Quero',
  )
  expect(told({ body: 'Essa', about: { is: 'quote', text: 'Qual?' } })).toBe('[Em resposta a “Qual?”] Essa')
})

import { expect, test } from 'bun:test'
import type { InboundMessage } from '../../schema/messages/messages.inbound.ts'
import type { Choice } from '../../schema/messages/messages.offer.ts'
import { fromCloud } from './from-cloud.ts'
import { toCloud } from './to-cloud.ts'

const choice = (label: string, answer = label): Choice => ({ label, answer })
const many = (n: number, label: (i: number) => string = (i) => `Fila ${i}`) =>
  Array.from({ length: n }, (_, i) => choice(label(i + 1)))
interface Asked {
  type: string
  text?: { body: string }
  interactive?: { type: string; body: { text: string }; action: Record<string, unknown> }
}
const asked = (choices: Choice[], words = 'Escolha') => {
  const offer = { words, button: 'Ver opções', choices }
  const text = `${words}\n\n1 e 2`
  const about = { to: { number: '5511' }, callback: 'c', contextId: undefined, file: undefined }
  return toCloud({ type: 'text', text, offer }, about) as unknown as Asked
}
const formOf = (choices: Choice[], words?: string) => {
  const { type, interactive } = asked(choices, words)
  return interactive?.type ?? type
}

test('up to three short choices are buttons, up to ten are a list, and what is larger than that is a text with numbers', () => {
  expect(asked([choice('Vendas'), choice('Menu inicial', '#')]).interactive).toEqual({
    ...{ type: 'button', body: { text: 'Escolha' } },
    action: {
      buttons: [
        { type: 'reply', reply: { id: '=Vendas', title: 'Vendas' } },
        { type: 'reply', reply: { id: '=#', title: 'Menu inicial' } },
      ],
    },
  })
  expect(asked([choice('Financeiro e cobrança de boletos'), choice('Bolos')]).interactive).toEqual({
    ...{ type: 'list', body: { text: 'Escolha' } },
    action: {
      button: 'Ver opções',
      sections: [
        {
          rows: [
            {
              ...{ id: '=Financeiro e cobrança de boletos', title: 'Financeiro e cobrança d…' },
              description: 'Financeiro e cobrança de boletos',
            },
            { id: '=Bolos', title: 'Bolos' },
          ],
        },
      ],
    },
  })
  const forms: [Choice[], string, string?][] = [
    [many(3), 'button'],
    [many(3), 'list', 'a'.repeat(1_025)],
    [[choice('Bolo', '1'), choice('Bolo', '2')], 'list'],
    [many(4), 'list'],
    [many(10), 'list'],
    [many(11), 'text'],
    [many(2, (i) => `${i}${'a'.repeat(19)}`), 'button'],
    [many(2, (i) => `${i}${'a'.repeat(20)}`), 'list'],
    [many(2, (i) => `${i}${'a'.repeat(71)}`), 'list'],
    [many(2, (i) => `${i}${'a'.repeat(72)}`), 'text'],
    [many(2, (i) => (i === 1 ? '' : 'Bolo')), 'text'],
    [[], 'text'],
  ]
  for (const [choices, form, words] of forms)
    expect([choices.length, formOf(choices, words)]).toEqual([choices.length, form])
  expect(asked(many(11)).text).toEqual({ body: 'Escolha\n\n1 e 2' })
})

test('no title is longer than the service takes, and none ends in half an emoji', () => {
  const rows = (label: string) =>
    (asked([choice(label)]).interactive!.action['sections'] as { rows: { title: string }[] }[])[0]!.rows
  for (const label of ['a'.repeat(30), `${'a'.repeat(22)}🍰 de chocolate`, `${'á '.repeat(15)}fim`])
    for (const { title } of rows(label)) {
      expect(title.length).toBeLessThanOrEqual(24)
      expect(title.isWellFormed()).toBe(true)
    }
})

test('what is pressed is read as it was shown, and heard as what it says', () => {
  const facts = { companyId: 1, whatsappId: 2, portfolio: '7', now: new Date('2026-11-29T12:00:00Z') }
  const heard = (interactive: object): unknown[] => {
    const message = { from: '5511987654321', id: 'wamid.A', timestamp: '1764417600', type: 'interactive', interactive }
    const [update] = fromCloud('messages', { contacts: [], messages: [message] }, facts)
    const { content, pressed } = (update as { event: InboundMessage }).event
    return [content, pressed]
  }
  const text = (said: string) => ({ type: 'text', text: said })
  expect(heard({ type: 'button_reply', button_reply: { id: '=#', title: 'Menu inicial' } })).toEqual([
    ...[text('Menu inicial'), '#'],
  ])
  const long = { id: '=2', title: 'Financeiro e cobrança…', description: 'Financeiro e cobrança de boletos' }
  expect(heard({ type: 'list_reply', list_reply: long })).toEqual([text(long.description), '2'])
  // Of another program's menu, over the same number, people read what it says.
  expect(heard({ type: 'list_reply', list_reply: { id: '2', title: 'Bolos', description: 'por encomenda' } })).toEqual([
    ...[text('Bolos\npor encomenda'), undefined],
  ])
})

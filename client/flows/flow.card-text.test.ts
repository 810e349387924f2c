import { expect, test } from 'bun:test'
import { i18n } from '@lingui/core'
import { plainTexts } from '../../tests/support/lingui.ts'
import type { FlowNode } from '../../schema/flows/flows.graph.ts'
import { newData, newNode } from '../../schema/flows/flows.graph.ts'
import type { NodeData, NodeType } from '../../schema/flows/flows.inputs.ts'

await plainTexts()
const { cardText } = await import('./flow.card-text.ts')

const names = {
  queue: (id: number) => (id === 3 ? 'Vendas' : undefined),
  tag: (id: number) => (id === 7 ? 'VIP' : undefined),
  user: (id: number) => (id === 5 ? 'Ana Souza' : undefined),
  flow: (id: number) => (id === 2 ? 'Boletos' : undefined),
  prompt: (id: number) => (id === 4 ? 'Luna' : undefined),
}
const says = <T extends NodeType>(type: T, data: Partial<NodeData[T]>) =>
  cardText({ ...newNode(type, 'n', 0, 0), data: { ...newData(type), ...data } } as unknown as FlowNode, names, i18n)

test('a card names the operator of a comparison', () => {
  expect(says('condition', { key: 'idade', condition: 2, value: '18' })).toBe('idade ≥ 18')
  const rules = [
    { of: 'variable', key: 'idade', operator: 'atLeast', value: '18' } as const,
    { of: 'text', key: '', operator: 'contains', value: 'pix' } as const,
    { of: 'contact', key: 'email', operator: 'empty', value: '' } as const,
    { of: 'ticket', key: 'tag', operator: 'equals', value: '7' } as const,
  ]
  expect(says('condition', { mode: 'rules', rules }).split('\n')).toEqual([
    'idade é ao menos 18',
    'Última mensagem contém pix',
    'email está vazio',
    'Etiqueta é igual a VIP',
  ])
})

test('a card names queue, person, tag, flow and assistant, and by its number what is not known', () => {
  expect(says('ticket', { queueId: 3 })).toBe('Vendas')
  expect(says('hours', { of: 'queue', queueId: 3 })).toBe('Horário da fila Vendas')
  expect(says('hours', { of: 'queue', queueId: null })).toBe('Horário da fila')
  expect(says('agent', { userId: 5 })).toBe('Ana Souza')
  expect(says('tag', { tagId: 7, action: 'remove' })).toBe('− VIP')
  expect(says('flow', { flowId: 2 })).toBe('Boletos')
  expect(says('ai', { promptId: 4, instructions: 'Seja breve' })).toBe('Luna\nSeja breve')
  expect(says('ai', { promptId: null, instructions: 'Seja breve' })).toBe('Seja breve')
  expect(says('ai', { promptId: 9 })).toBe('#9')
})

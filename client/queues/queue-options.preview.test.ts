import { expect, test } from 'bun:test'
import { walk } from './queue-options.preview.ts'

const option = (id: number, parentId: number | null, number: number, title: string, message = '') => ({
  ...{ id, queueId: 1, parentId, option: number, title, message, mediaName: null, mediaMime: null },
})
const queue = { id: 1, name: 'Financeiro', greetingMessage: 'Oi, {{firstName}}!', fileName: null }
const company = { name: 'Padaria', language: 'pt' as const, timeZone: 'America/Sao_Paulo' }
const now = new Date('2026-01-15T12:00:00Z')
const tree = [
  option(1, null, 1, 'Boleto', 'Qual boleto?'),
  option(2, null, 2, 'Outros', 'Um instante.'),
  { ...option(3, 1, 1, 'Deste mês', 'Aqui está.'), mediaName: 'boleto.pdf' },
  option(4, 1, 2, 'Atrasado', 'Já vemos.'),
]

test('a trial says word by word what a contact would read', () => {
  expect(walk(queue, tree, company, ['1', '1'], now).map(({ text, file }) => file ?? text)).toEqual([
    'Oi, Ana!\n\n*[ 1 ]* - Boleto\n*[ 2 ]* - Outros\n*[ # ]* - Menu inicial',
    '1',
    'Qual boleto?\n\n*[ 1 ]* - Deste mês\n*[ 2 ]* - Atrasado\n*[ 0 ]* - Voltar\n*[ # ]* - Menu inicial',
    '1',
    'boleto.pdf',
    'Aqui está.',
  ])
})

test('a queue without options greets and waits for a person', () => {
  expect(walk(queue, [], company, ['1'], now)).toEqual([
    { from: 'us', text: 'Oi, Ana!', file: null },
    { from: 'contact', text: '1', file: null },
  ])
})

import { expect, test } from 'bun:test'
import { i18n } from '@lingui/core'
import { plainTexts } from '../../tests/support/lingui.ts'
import { newNode, NEXT } from '../../schema/flows/flows.graph.ts'

await plainTexts()
const { problemText } = await import('./flow.problem-words.ts')

test('an exit that leads nowhere is named where a block has several', () => {
  const at = (type: 'hours' | 'message', port: string) => {
    const node = newNode(type, 'n1', 0, 0)
    return problemText({ code: 'unconnected', severity: 'warning', nodeId: node.id, port }, i18n, node)
  }
  expect(at('hours', 'open')).toBe('A saída “Aberto” não leva a lugar nenhum: o fluxo termina aí')
  expect(at('hours', 'closed')).toBe('A saída “Fechado” não leva a lugar nenhum: o fluxo termina aí')
  expect(at('message', NEXT)).toBe('Uma saída não leva a lugar nenhum: o fluxo termina aí')
})

test('a block that is one file asks for it, and one with several parts to take the empty ones out', () => {
  const missing = { code: 'fileMissing', severity: 'error', nodeId: '1' } as const
  expect(problemText(missing, i18n)).toBe('Escolha o arquivo')
  expect(problemText({ ...missing, part: 0 }, i18n)).toBe('Remova os cartões vazios (Imagem, Áudio e Vídeo)')
})

test('a text that is missing is told as a part of its block', () => {
  const missing = { code: 'textEmpty', severity: 'error', nodeId: '1' } as const
  expect(problemText(missing, i18n)).toBe('Um campo obrigatório está vazio')
  expect(problemText({ ...missing, part: 0 }, i18n)).toBe('Campos de mensagem vazios!')
})

import { expect, test } from 'bun:test'
import { type FlowNodeOf, newNode } from '../../schema/flows/flows.graph.ts'
import { fieldsOf, namesIn, requestOf } from './flow.call.ts'

const call = {
  ...newNode('http', 'h', 0, 0),
  data: {
    ...{ method: 'POST', url: 'https://api.example.com/{{cpf}}?n={{name}}', saves: [], saveStatusAs: '' },
    headers: [{ name: 'Authorization', value: 'Bearer {{secret:chave}}' }],
    body: '{"cpf":"{{cpf}}"}',
  },
} as unknown as FlowNodeOf<'http'>

test('a call is tried as the flow would make it, with the values that were given, and secrets stay names', () => {
  expect(namesIn(call.data)).toEqual(['cpf', 'name'])
  expect(requestOf(call, { cpf: '1"2', name: 'Ana Lima' })).toEqual({
    method: 'POST',
    url: ['https://api.example.com/', '1%222', '?n=', 'Ana%20Lima'],
    headers: [{ name: 'Authorization', value: ['Bearer ', { secret: 'chave' }] }],
    body: ['{"cpf":"', '1\\"2', '"}'],
  })
})

test('every value of an answer is offered with the path that keeps it', () => {
  expect(fieldsOf({ faturas: [{ valor: 9.5, 'data de': 'x' }], total: 0, aviso: null })).toEqual([
    { path: 'faturas', value: '[{"valor":9.5,"data de":"x"}]', name: 'faturas' },
    { path: 'faturas[0].valor', value: '9.5', name: 'valor' },
    { path: 'faturas[0].data de', value: 'x', name: 'data_de' },
    { path: 'total', value: '0', name: 'total' },
    { path: 'aviso', value: '', name: 'aviso' },
  ])
  expect(fieldsOf('<html>')).toEqual([{ path: '', value: '<html>', name: 'resposta' }])
})

import { expect, test } from 'bun:test'
import { calledBefore, findCalled } from './mentions.called.ts'

const named = (...names: string[]) => names.map((name, at) => ({ id: at + 1, name }))
const callable = {
  users: named('Ana Souza', 'Bruno Tavares', 'Márcia Vendramini', 'Sandra Alves'),
  queues: named('Vendas', 'Financeiro'),
  ownId: 1,
}
const found = (query: string) => findCalled(callable, query).map(({ kind, name }) => `${kind} ${name}`)

test('somebody is being called from an @ at the begin of a word to the caret, and an address calls nobody', () => {
  expect(calledBefore('Pode ver, @már', 14)).toEqual({ from: 10, query: 'mar' })
  expect(calledBefore('@', 1)).toEqual({ from: 0, query: '' })
  expect(calledBefore('@Ana depois', 4)).toEqual({ from: 0, query: 'ana' })
  expect(calledBefore('ana@loja.example', 16)).toBeNull()
  expect(calledBefore('@Ana\ndepois', 11)).toBeNull()
})

test('people and queues are suggested by the begin of any of their names, without accents, whole names first; nobody themselves', () => {
  expect(found('ven')).toEqual(['queue Vendas', 'user Márcia Vendramini'])
  expect(found('marc')).toEqual(['user Márcia Vendramini'])
  expect(found('a')).toEqual(['user Sandra Alves'])
  expect(found('xyz')).toEqual([])
  expect(found('')).not.toContain('user Ana Souza')
})

test('of many at most six are suggested', () => {
  const many = named(...Array.from({ length: 40 }, (_, at) => `Carla ${at}`))
  expect(findCalled({ users: many, queues: many, ownId: 0 }, 'carla')).toHaveLength(6)
})

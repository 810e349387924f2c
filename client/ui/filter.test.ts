import { describe, expect, test } from 'bun:test'
import { filterByText, matches } from './filter.ts'

describe('searching in a list', () => {
  test('accents and capitals do not matter, on either side', () => {
    expect(matches('São João', 'sao joao')).toBe(true)
    expect(matches('Sao Joao', 'JOÃO')).toBe(true)
  })
  test('words may come in any order, but all must be there', () => {
    expect(matches('Ana Maria Souza', 'souza ana')).toBe(true)
    expect(matches('Ana Maria Souza', 'ana silva')).toBe(false)
  })
  test('an empty query shows everything in its order', () => {
    expect(filterByText(['b', 'a'], '  ', (x) => x)).toEqual(['b', 'a'])
  })
  test('what begins with the query comes before what contains it', () => {
    expect(filterByText(['Pós-venda', 'Suporte', 'Vendas'], 'venda', (x) => x)).toEqual(['Vendas', 'Pós-venda'])
  })
})

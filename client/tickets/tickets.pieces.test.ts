import { expect, test } from 'bun:test'
import { pieceOf, placesIn } from './tickets.pieces.ts'

test('the piece around what was looked for, as it was written, without accents, case and markup being asked for', () => {
  expect(pieceOf('Não chegou o *Boleto* de maio', 'boleto')).toEqual({
    before: 'Não chegou o ',
    match: 'Boleto',
    after: ' de maio',
  })
  expect(pieceOf('São João', 'joao')).toEqual({ before: 'São ', match: 'João', after: '' })
  // One sign that is folded into two.
  expect(pieceOf('Straße nova', 'strasse')).toEqual({ before: '', match: 'Straße', after: ' nova' })
  expect(pieceOf('nada disso', 'boleto')).toBeNull()
  expect(pieceOf('nada', '  ')).toBeNull()
})

test('all places are found, those that overlap once, up to as many as are asked for', () => {
  const found = (text: string, wanted: string, most = 9) =>
    placesIn(text, wanted, most).map(({ from, to }) => text.slice(from, to))
  expect(found('Pão 🥖 e PAO, pao.', 'pão')).toEqual(['Pão', 'PAO', 'pao'])
  expect(found('Pão 🥖 e PAO, pao.', 'pão', 2)).toEqual(['Pão', 'PAO'])
  expect(found('Straße, STRASSE', 'ss')).toEqual(['ß', 'SS'])
  expect(found('aaaaa', 'aa')).toEqual(['aa', 'aa'])
  expect(found('ßß', 's')).toEqual(['ß', 'ß'])
  expect(found('', 'a')).toEqual([])
})

test('of a long text what stands before the match is cut, so that the match is in sight', () => {
  const piece = pieceOf(`${'palavra '.repeat(20)}agulha no palheiro`, 'agulha')!
  expect(piece.before).toHaveLength(25)
  expect(piece.before.startsWith('…')).toBe(true)
  expect(piece.match).toBe('agulha')
})

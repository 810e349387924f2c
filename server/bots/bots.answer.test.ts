import { describe, expect, test } from 'bun:test'
import { fileOf, piecesOf, saidOf } from './bots.answer.ts'

describe('a long text of a bot', () => {
  test('is cut after a paragraph, else a line, a sentence, a word, and only then within a word', () => {
    expect(piecesOf('um dois.\n\ntres quatro', 16)).toEqual(['um dois.', 'tres quatro'])
    expect(piecesOf('um dois,\ntres quatro', 16)).toEqual(['um dois,', 'tres quatro'])
    expect(piecesOf('Um dois. Tres quatro', 16)).toEqual(['Um dois.', 'Tres quatro'])
    expect(piecesOf('Um dois, tres quatro', 16)).toEqual(['Um dois, tres', 'quatro'])
    expect(piecesOf('umdoistresquatrocinco', 16)).toEqual(['umdoistresquatro', 'cinco'])
    // A seam near the beginning would make a message of a word.
    expect(piecesOf('Um.\n\nDois tres quatro', 16)).toEqual(['Um.\n\nDois tres', 'quatro'])
  })

  test('loses no word and splits no character', () => {
    for (const text of ['', 'a', 'x '.repeat(900), '😀'.repeat(700), '\n'.repeat(500), 'a. b! c? '.repeat(300)]) {
      const pieces = piecesOf(text, 101)
      expect(pieces.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''))
      expect(pieces.every((one) => one.length <= 101 && one.isWellFormed())).toBe(true)
    }
  })

  test('follows its file where it is too long for a caption', () => {
    const url = 'https://example.test/a.pdf'
    expect(fileOf(url, 'document', 'Segue')).toEqual([{ mediaUrl: url, type: 'document', caption: 'Segue' }])
    const words = 'palavra '.repeat(200).trim()
    expect(fileOf(url, 'document', words)).toEqual([{ mediaUrl: url, type: 'document' }, { text: words }])
    expect(fileOf(url, 'document', undefined)).toEqual([{ mediaUrl: url, type: 'document' }])
    expect(saidOf('  ')).toEqual([])
  })
})

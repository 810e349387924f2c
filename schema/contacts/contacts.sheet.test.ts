import { describe, expect, test } from 'bun:test'
import {
  asText,
  columnLetter,
  columnsOf,
  guessMapping,
  importPatch,
  mappedColumns,
  numberKey,
  numberVariants,
  readRow,
} from './contacts.sheet.ts'

const columns = columnsOf(['Nome', 'Número', 'E-mail', 'Cidade'])!

describe('the header', () => {
  test('is understood in three languages, with or without accents', () => {
    for (const header of [
      ['name', 'number', 'email'],
      ['NOME', 'numero', 'E-mail'],
      ['Nombre', ' Número ', 'correo'],
      ['contato', 'WhatsApp', 'Mail'],
    ])
      expect(columnsOf(header)).toEqual({ name: 0, number: 1, email: 2, extra: [] })
  })
  test('gives every other column to the extra information, and needs a number', () => {
    expect(columns.extra).toEqual([{ column: 3, name: 'Cidade' }])
    expect(columnsOf(['Nome', 'Cidade'])).toBeNull()
  })
})

describe('a sheet that nobody has explained', () => {
  test('has its column names below the titles', () => {
    const lines = [['Clientes 2026', ''], [], ['Cliente', 'Fone', 'Cidade'], ['Ana', '11 98888-7777', 'Santos']]
    expect(guessMapping(lines)).toEqual({ headerLine: 3, name: 0, number: 1, email: null, extra: [2] })
  })
  test('is understood by what its columns hold where their names say nothing', () => {
    const people = [
      ['1', 'Ana Lima', 'ana@x.com', '11 98888-7777'],
      ['2', 'Bia', '', '5521988887777'],
    ]
    expect(guessMapping(people)).toEqual({ headerLine: 0, name: 1, number: 3, email: 2, extra: [] })
    expect(guessMapping([['Código', 'Quem', 'Onde', 'Aparelho'], ...people])).toEqual({
      ...{ headerLine: 1, name: 1, number: 3, email: 2 },
      extra: [0],
    })
  })
  test('has no number where none is to be seen', () => {
    expect(
      guessMapping([
        ['Nome', 'Cidade'],
        ['Ana', 'Santos'],
      ]),
    ).toMatchObject({ headerLine: 1, name: 0, number: null })
    expect(guessMapping([])).toMatchObject({ number: null })
  })
  test('is read as somebody says; a column without a name has its letter', () => {
    const said = { headerLine: 0, name: null, number: 1, email: null, extra: [0, 27] }
    expect(mappedColumns(['', ''], said)?.extra).toEqual([
      { column: 0, name: 'A' },
      { column: 27, name: 'AB' },
    ])
    expect(mappedColumns(['a'], { ...said, number: null })).toBeNull()
    expect([0, 25, 26, 701, 702].map(columnLetter)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA'])
  })
})

describe('a row', () => {
  const row = (number: string, country = '') => readRow(['Ana', number, '', ''], columns, country)
  test('keeps only the digits of its number', () => {
    expect(row('+55 (11) 98888-7777')).toMatchObject({ contact: { number: '5511988887777' } })
  })
  test('gets the country only where it was asked for and is missing', () => {
    expect(row('11 98888-7777')).toMatchObject({ contact: { number: '11988887777' } })
    expect(row('11 98888-7777', '55')).toMatchObject({ contact: { number: '5511988887777' } })
    expect(row('+351 912345678', '55')).toMatchObject({ contact: { number: '351912345678' } })
    expect(row('5511988887777', '55')).toMatchObject({ contact: { number: '5511988887777' } })
  })
  test('gets the country where it is as long as numbers are there', () => {
    expect(row('912 345 678', '351')).toMatchObject({ contact: { number: '351912345678' } })
    expect(row('912 345 678', '55')).toMatchObject({ contact: { number: '912345678' } })
    expect(row('011 98888-7777', '55')).toMatchObject({ contact: { number: '5511988887777' } })
  })
  test('is refused with its reason', () => {
    expect(row('')).toMatchObject({ reason: 'number_missing' })
    expect(row('5,51199E+12')).toMatchObject({ reason: 'number' })
    expect(row('1234567')).toMatchObject({ reason: 'number' })
    expect(row('1234567890123456')).toMatchObject({ reason: 'number' })
    expect(readRow(['Ana', '5511988887777', 'ana@', ''], columns, '')).toMatchObject({ reason: 'email' })
    expect(readRow(['A'.repeat(101), '5511988887777', '', ''], columns, '')).toMatchObject({ reason: 'name' })
  })
})

describe('a row for a contact that is there already', () => {
  const known = {
    name: 'Ana',
    nameSource: 'push' as const,
    email: '',
    extraInfo: [{ id: 'a', name: 'Cidade', value: 'Santos' }],
  }
  const row = {
    name: 'Ana Lima',
    number: '1',
    email: 'ana@x.com',
    extra: [
      { name: 'cidade', value: 'Campinas' },
      { name: 'CPF', value: '1' },
    ],
  }
  test('fills what is empty', () => {
    expect(importPatch(known, row, 'fill', () => 'new')).toEqual({
      email: 'ana@x.com',
      extraInfo: [...known.extraInfo, { id: 'new', name: 'CPF', value: '1' }],
    })
    expect(importPatch({ ...known, nameSource: 'number' }, row, 'fill', () => 'new').name).toBe('Ana Lima')
  })
  test('wins, or does nothing, where that was chosen', () => {
    expect(importPatch(known, row, 'replace', () => 'new')).toEqual({
      name: 'Ana Lima',
      nameSource: 'edited',
      email: 'ana@x.com',
      extraInfo: [
        { id: 'a', name: 'Cidade', value: 'Campinas' },
        { id: 'new', name: 'CPF', value: '1' },
      ],
    })
    expect(importPatch(known, row, 'keep', () => 'new')).toEqual({})
  })
  test('that only says what empty cells say changes nothing', () => {
    expect(importPatch(known, { ...row, name: '', email: '', extra: [] }, 'replace', () => 'new')).toEqual({})
  })
})

test('one number written in four ways has one key, and a landline is no mobile number', () => {
  expect(new Set(['5511988887777', '551188887777', '11988887777', '1188887777'].map(numberKey)).size).toBe(1)
  expect(numberKey('551133334444')).not.toBe(numberKey('551143334444'))
  expect(numberVariants('5511988887777')).toEqual(['5511988887777', '551188887777'])
  expect(numberVariants('551188887777')).toEqual(['551188887777', '5511988887777'])
  expect(numberVariants('551133334444')).toEqual(['551133334444'])
  expect(numberVariants('351912345678')).toEqual(['351912345678'])
})

test('a cell that would be a formula is text', () => {
  expect(['=1+1', '+55', '-1', '@a', 'Ana'].map(asText)).toEqual(["'=1+1", "'+55", "'-1", "'@a", 'Ana'])
})

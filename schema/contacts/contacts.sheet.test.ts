import { describe, expect, test } from 'bun:test'
import {
  asText,
  columnLetter,
  columnsOf,
  guessMapping,
  fieldsInRow,
  importPatch,
  mappedColumns,
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
      expect(columnsOf(header)).toEqual({
        ...{ name: 0, moreNames: [], number: 1, moreNumbers: [] },
        email: 2,
        extra: [],
      })
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
  test('gets the country where it is missing; where none is put before it, it is nobody’s', () => {
    expect(row('11 98888-7777')).toMatchObject({ reason: 'number' })
    expect(row('11 98888-7777', '55')).toMatchObject({ contact: { number: '5511988887777' } })
    expect(row('+351 912345678', '55')).toMatchObject({ contact: { number: '351912345678' } })
    expect(row('5511988887777', '55')).toMatchObject({ contact: { number: '5511988887777' } })
  })
  test('gets the country where it is as long as numbers are there', () => {
    expect(row('912 345 678', '351')).toMatchObject({ contact: { number: '351912345678' } })
    expect(row('912 345 678', '55')).toMatchObject({ reason: 'number' })
    expect(row('011 98888-7777', '55')).toMatchObject({ contact: { number: '5511988887777' } })
  })
  test('is refused with its reason', () => {
    expect(row('')).toMatchObject({ reason: 'number_missing' })
    expect(row('5,51199E+12')).toMatchObject({ reason: 'number' })
    expect(row('1234567')).toMatchObject({ reason: 'number' })
    expect(row('1234567890123456')).toMatchObject({ reason: 'number' })
    expect(row('11 98888-7777 / 7778', '55')).toMatchObject({ reason: 'numbers' })
  })
  test('loses a field that cannot be kept, and not the person', () => {
    expect(readRow(['Ana', '5511988887777', 'ana@', ''], columns, '')).toMatchObject({
      contact: { name: 'Ana', number: '5511988887777', email: '' },
      reason: 'email',
    })
    expect(readRow(['A'.repeat(101), '5511988887777', 'a@b.co', ''], columns, '')).toMatchObject({
      contact: { name: 'A'.repeat(100), email: 'a@b.co' },
      reason: 'name',
    })
  })
})

describe('an address book', () => {
  const google = [
    ...['First Name', 'Middle Name', 'Last Name', 'Labels', 'E-mail 1 - Value', 'E-mail 2 - Value'],
    ...['Phone 1 - Label', 'Phone 1 - Value', 'Phone 2 - Label', 'Phone 2 - Value'],
  ]
  const read = (cells: string[], header = google) => readRow(cells, columnsOf(header)!, '55')
  test('of Google gives the whole name, the first of several numbers, and the second where the first is empty', () => {
    expect(
      read(['Rita', '', 'Prado', '', 'r@x.test', '', 'Mobile', '+55 11 94120-3001', 'Work', '11 3456-7001']),
    ).toEqual({
      contact: {
        ...{ name: 'Rita Prado', number: '5511941203001', others: ['551134567001'], email: 'r@x.test' },
        extra: [
          { name: 'Phone 1 - Label', value: 'Mobile' },
          { name: 'Phone 2 - Label', value: 'Work' },
          { name: 'Phone 2 - Value', value: '11 3456-7001' },
        ],
      },
    })
    expect(
      read(['Davi', 'M.', 'Reis', '', '', '', '', '+55 11 94120-3002 ::: +55 11 94120-3003', '', '']),
    ).toMatchObject({
      contact: { name: 'Davi M. Reis', number: '5511941203002', others: ['5511941203003'] },
    })
    expect(read(['Lia', '', '', '', '', '', '', '', '', '11 94120-3004'])).toMatchObject({
      contact: { name: 'Lia', number: '5511941203004', others: [] },
    })
    expect(read(['Só nome', '', '', '', '', '', '', '', '', ''])).toMatchObject({ reason: 'number_missing' })
  })
  test('of Outlook asks for the mobile number first', () => {
    const header = ['First Name', 'Middle Name', 'Last Name', 'Home Phone', 'Mobile Phone', 'E-mail Address']
    expect(read(['Rui', '', 'Sá', '11 3456-7002', '11 94120-3005', ''], header)).toMatchObject({
      contact: { name: 'Rui Sá', number: '5511941203005', others: ['551134567002'] },
    })
    expect(read(['Rui', '', 'Sá', '11 3456-7002', '', ''], header)).toMatchObject({
      contact: { number: '551134567002' },
    })
  })
  test('with a whole name beside its parts gives it once', () => {
    const header = ['Name', 'Given Name', 'Family Name', 'Phone 1 - Value']
    expect(read(['Rita Prado', 'Rita', 'Prado', '11 94120-3001'], header)).toMatchObject({
      contact: { name: 'Rita Prado' },
    })
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
    others: [],
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

test('a cell that would be a formula is text', () => {
  expect(['=1+1', '+55', '-1', '@a', 'Ana'].map(asText)).toEqual(["'=1+1", "'+55", "'-1", "'@a", 'Ana'])
})

describe('columns that are called as fields of the company’s own', () => {
  const field = {
    id: 7,
    entity: 'contact' as const,
    key: 'valor',
    name: 'Valor médio',
    type: 'number' as const,
    options: [],
  }
  const extra = [
    { name: 'valor MEDIO', value: '1.234,5' },
    { name: 'Cidade', value: 'Lins' },
    { name: 'valor', value: '9' },
  ]
  test('fill them, by name or key; what a field cannot read, or has already, stays extra information', () => {
    expect(fieldsInRow([field], extra, 'pt')).toEqual({ fields: { 7: 1234.5 }, extra: extra.slice(1) })
    const strange = [{ name: 'Valor médio', value: 'muito' }]
    expect(fieldsInRow([field], strange, 'pt')).toEqual({ fields: {}, extra: strange })
    expect(fieldsInRow([], extra, 'pt')).toEqual({ fields: {}, extra })
  })
  test('change a contact that is there as the rest of its row does', () => {
    const known = { name: 'Ana', nameSource: 'edited' as const, email: '', extraInfo: [], fields: { 7: 1, 8: 'x' } }
    const row = { name: '', number: '1', others: [], email: '', extra: [], fields: { 7: 2, 9: 'novo' } }
    const patch = (mode: 'fill' | 'replace' | 'keep') => importPatch(known, row, mode, () => 'new')
    expect(patch('fill')).toEqual({ fields: { 7: 1, 8: 'x', 9: 'novo' } })
    expect(patch('replace')).toEqual({ fields: { 7: 2, 8: 'x', 9: 'novo' } })
    expect(patch('keep')).toEqual({})
  })
})

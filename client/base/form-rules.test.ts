import { Type } from '@sinclair/typebox'
import { describe, expect, test } from 'bun:test'
import { email, nullable, password, personName } from '../../schema/inputs.ts'
import { problemsOf, trimmed } from './form-rules.ts'

const schema = Type.Object({ name: personName, email, password, minutes: Type.Integer({ minimum: 0, maximum: 10 }) })
const good = { name: 'Ana', email: 'ana@loja.test', password: 'segredo', minutes: 5 }

describe('a form is measured with the rules of the server', () => {
  test('a good form has no problems', () => expect(problemsOf(schema, good)).toEqual({}))

  test('an empty field is missing rather than too short', () =>
    expect(problemsOf(schema, { ...good, name: '', email: '' })).toEqual({
      name: { kind: 'required' },
      email: { kind: 'required' },
    }))

  test('a name of one letter is too short, one of 51 too long', () => {
    expect(problemsOf(schema, { ...good, name: 'A' })).toEqual({ name: { kind: 'tooShort', limit: 2 } })
    expect(problemsOf(schema, { ...good, name: 'A'.repeat(51) })).toEqual({ name: { kind: 'tooLong', limit: 50 } })
  })

  test('an address without a domain has the wrong form', () =>
    expect(problemsOf(schema, { ...good, email: 'ana@loja' })).toEqual({ email: { kind: 'format' } }))

  test('numbers out of bounds name the bound; a number that is none has the wrong form', () => {
    expect(problemsOf(schema, { ...good, minutes: 11 })).toEqual({ minutes: { kind: 'tooLarge', limit: 10 } })
    expect(problemsOf(schema, { ...good, minutes: -1 })).toEqual({ minutes: { kind: 'tooSmall', limit: 0 } })
    expect(problemsOf(schema, { ...good, minutes: Number.NaN })).toEqual({ minutes: { kind: 'format' } })
  })

  test('a problem inside a list is found by its place', () =>
    expect(
      problemsOf(Type.Object({ rows: Type.Array(Type.Object({ name: personName })) }), {
        rows: [{ name: 'Ana' }, { name: 'B' }],
      }),
    ).toEqual({
      'rows.1.name': { kind: 'tooShort', limit: 2 },
    }))
})

test('blanks around texts do not count, except in a password', () =>
  expect(trimmed({ name: ' Ana ', password: ' x ', rows: [{ value: ' 1' }], id: 3, none: null })).toEqual({
    name: 'Ana',
    password: ' x ',
    rows: [{ value: '1' }],
    id: 3,
    none: null,
  }))

test('of a field that may be empty, the broken bound is told', () => {
  const order = Type.Object({ order: nullable(Type.Integer({ minimum: 0, maximum: 10 })) })
  expect(problemsOf(order, { order: null })).toEqual({})
  expect(problemsOf(order, { order: 11 })).toEqual({ order: { kind: 'tooLarge', limit: 10 } })
  expect(problemsOf(order, { order: 1.5 })).toEqual({ order: { kind: 'format' } })
})

test('a name of blanks says nothing', () => {
  expect(problemsOf(schema, { name: '   ', email: 'a@b.c', password: '12345', minutes: 1 })).toEqual({
    name: { kind: 'format' },
  })
})

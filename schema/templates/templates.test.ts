import { describe, expect, test } from 'bun:test'
import { DAY_MS } from '../durations.ts'
import { partsOf, templateFaults } from './templates.check.ts'
import { demandEditable, editableFrom, editsWith } from './templates.edit.ts'
import type { NewTemplate } from './templates.inputs.ts'
import {
  missingValues,
  placeIn,
  shownTemplate,
  slotsOf,
  templateAbout,
  templateText,
  type TemplateValues,
} from './templates.parts.ts'
import { demandSendable, stopOf } from './templates.state.ts'

const order: NewTemplate = {
  ...{ whatsappId: 1, name: 'pedido_pronto', language: 'pt_BR', category: 'UTILITY' },
  header: 'Pedido {{1}}',
  body: 'Olá, {{1}}! Seu pedido {{2}} está pronto.',
  footer: 'Padaria Sol',
  buttons: [
    { kind: 'reply', text: 'Obrigado' },
    { kind: 'url', text: 'Acompanhar', url: 'https://padaria.example/p/{{1}}' },
  ],
  examples: { 'header.1': '42', 'body.1': 'Ana', 'body.2': '42', 'button.1': '42' },
}
const with_ = (more: Partial<NewTemplate>) => templateFaults({ ...order, ...more }).map((f) => `${f.path} ${f.code}`)

describe('a new template', () => {
  test('that the service takes has no faults', () => expect(templateFaults(order)).toEqual([]))

  test('numbers its variables from 1, or names all of them', () => {
    expect(with_({ body: 'Olá, {{1}}! Pedido {{3}} pronto.', examples: { ...order.examples, 'body.3': '4' } })).toEqual(
      ['body variables'],
    )
    expect(with_({ body: 'Olá, {{1}} e {{nome}}!' })).toContain('body variables')
    expect(with_({ body: 'Olá, {{ nome }}, tudo bem?' })).toContain('body variables')
    const named = { body: 'Olá, {{nome}}! Tudo bem?', header: null, buttons: [], examples: { 'body.nome': 'Ana' } }
    expect(with_(named)).toEqual([])
    expect(partsOf({ ...order, ...named }).named).toBe(true)
  })

  test('neither opens nor closes with a variable, nor has two side by side', () => {
    expect(with_({ body: '{{1}}, seu pedido {{2}} está pronto.' })).toEqual(['body variable_first'])
    expect(with_({ body: 'Olá, {{1}}! Seu pedido é o {{2}}' })).toEqual(['body variable_last'])
    expect(with_({ body: 'Olá, {{1}} {{2}}, está pronto.' })).toEqual(['body variables_adjacent'])
  })

  test('shows an example of each variable', () => {
    expect(with_({ examples: {} })).toEqual([
      'examples.header.1 example',
      'examples.body.1 example',
      'examples.body.2 example',
      'examples.button.1 example',
    ])
  })

  test('has one variable in its header and none in its footer; marks and emojis stay out of the header', () => {
    expect(with_({ header: '{{1}} e {{2}}' })).toContain('header header_variables')
    expect(with_({ header: 'Pedido *pronto*' })).toContain('header header_signs')
    expect(with_({ header: 'Pronto 🎉' })).toContain('header header_signs')
    expect(with_({ footer: 'Até {{1}}' })).toContain('footer footer_variables')
  })

  test('has at most two addresses, a telephone and a code, each with its own words', () => {
    const url = (text: string, address = 'https://padaria.example') => ({ kind: 'url' as const, text, url: address })
    const bare = { header: null, examples: { 'body.1': 'Ana', 'body.2': '42' } }
    expect(with_({ ...bare, buttons: [url('a'), url('b'), url('c')] })).toEqual(['buttons.2 too_many_urls'])
    expect(with_({ ...bare, buttons: [url('a'), url('A')] })).toEqual(['buttons.1 button_twice'])
    expect(with_({ ...bare, buttons: [url('a', 'padaria')] })).toEqual(['buttons.0 url'])
    expect(with_({ ...bare, buttons: [url('a', 'https://x.example/{{1}}/p')] })).toEqual([
      'buttons.0 url_variable',
      'examples.button.0 example',
    ])
    const phone = { kind: 'phone' as const, text: 'Ligar', number: 'ramal 3' }
    expect(with_({ ...bare, buttons: [phone] })).toEqual(['buttons.0 phone'])
  })
})

describe('a message by a template', () => {
  const parts = partsOf(order)
  const values = { 'header.1': '42', 'body.1': ' Ana\nMaria ', 'body.2': '42', 'button.1': '42' }

  test('names what is filled in, part by part', () => {
    expect(slotsOf(parts).map(({ key }) => key)).toEqual(['header.1', 'body.1', 'body.2', 'button.1'])
    expect(missingValues(parts, { 'body.1': 'Ana', 'body.2': '  ' }).map(({ key }) => key)).toEqual([
      'header.1',
      'body.2',
      'button.1',
    ])
  })

  test('is shown as its reader sees it; a value has no line breaks', () => {
    expect(shownTemplate(parts, values)).toEqual({
      place: '',
      header: 'Pedido 42',
      body: 'Olá, Ana Maria! Seu pedido 42 está pronto.',
      footer: 'Padaria Sol',
      buttons: ['Obrigado', 'Acompanhar'],
    })
    expect(templateText(parts, values)).toBe(
      '*Pedido 42*\n\nOlá, Ana Maria! Seu pedido 42 está pronto.\n\n_Padaria Sol_',
    )
    expect(templateText(parts, {})).toContain('Olá, {{1}}!')
  })

  test('whose header is a place wants its point, name and address, and shows them', () => {
    const there = { ...parts, header: { kind: 'location' as const } }
    const [point, name, address] = ['-8.05, -34.9', 'Loja', ' Rua A,\n10']
    const filled = { ...values, 'place.point': point, 'place.name': name, 'place.address': address }
    const missing = (given: TemplateValues) => missingValues(there, given).map(({ key }) => key)
    expect(missing(filled)).toEqual([])
    expect(missing({ 'body.1': 'a', 'body.2': 'b', 'button.1': 'c' })).toEqual([
      ...['place.point', 'place.name', 'place.address'],
    ])
    expect(missing({ ...filled, 'place.point': 'Rua A' })).toEqual(['place.point'])
    // What stands for a value is known later.
    expect(missing({ ...filled, 'place.point': '{{mapa}}' })).toEqual([])
    expect(templateText(there, filled)).toStartWith('📍 Loja, Rua A, 10\n\nOlá, Ana Maria!')
    const { values: kept } = templateAbout({ ...order, parts: there }, filled)
    expect(placeIn(kept)).toEqual({ latitude: -8.05, longitude: -34.9, name: 'Loja', address: 'Rua A, 10' })
  })

  test('remembers by what it is sent, and nothing that is no variable', () => {
    const about = templateAbout({ ...order, parts }, { ...values, 'body.9': 'x' })
    expect(about).toMatchObject({ is: 'template', name: 'pedido_pronto', language: 'pt_BR', named: false })
    expect(about.values).toEqual({ 'header.1': '42', 'body.1': 'Ana Maria', 'body.2': '42', 'button.1': '42' })
  })
})

test('what is not approved, became dearer unseen, or cannot be said yet sends nothing, with its reason', () => {
  const good = {
    ...{ status: 'APPROVED', category: 'UTILITY', confirmedCategory: 'UTILITY', isStrange: false },
    parts: partsOf(order),
  }
  expect(stopOf(good)).toBeNull()
  expect(stopOf({ ...good, status: 'PENDING' })).toBe('pending')
  expect(stopOf({ ...good, status: 'PAUSED' })).toBe('paused')
  expect(stopOf({ ...good, status: 'DISABLED' })).toBe('disabled')
  expect(stopOf({ ...good, status: 'A_NEW_WORD' })).toBe('disabled')
  expect(stopOf({ ...good, category: 'MARKETING' })).toBe('drift')
  expect(stopOf({ ...good, category: 'MARKETING', confirmedCategory: 'MARKETING' })).toBeNull()
  // What became cheaper needs nobody's yes.
  expect(stopOf({ ...good, category: 'UTILITY', confirmedCategory: 'MARKETING' })).toBeNull()
  expect(stopOf({ ...good, parts: { ...good.parts, header: { kind: 'location' } } })).toBeNull()
  expect(stopOf({ ...good, parts: { ...good.parts, header: { kind: 'image' } } })).toBeNull()
  expect(stopOf({ ...good, isStrange: true })).toBe('strange')
  expect(() => demandSendable({ ...good, status: 'REJECTED' })).toThrow('ERR_TEMPLATE_STOPPED')
})

test('an approved template may be changed once a day, and ten times in thirty days', () => {
  const now = new Date('2026-11-30T12:00:00Z')
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()
  expect(editableFrom({ edits: [] }, now)).toBeNull()
  expect(editableFrom({ edits: [ago(1.1)] }, now)).toBeNull()
  expect(editableFrom({ edits: [ago(0.5)] }, now)?.toISOString()).toBe(ago(-0.5))
  const ten = Array.from({ length: 10 }, (_, n) => ago(29 - 2 * n))
  expect(editableFrom({ edits: ten }, now)?.toISOString()).toBe(ago(-1))
  expect(editableFrom({ edits: [...ten.slice(1), ago(31)] }, now)).toBeNull()
  const one = { status: 'APPROVED', isStrange: false, edits: [ago(40), ago(2)] }
  expect(editsWith(one, now)).toEqual([ago(2), now.toISOString()])
  expect(editsWith({ ...one, status: 'PAUSED' }, now)).toBe(one.edits)
  expect(() => demandEditable({ ...one, status: 'PENDING' }, now)).toThrow('ERR_TEMPLATE_STOPPED')
})

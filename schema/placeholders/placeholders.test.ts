import type { Language } from '../languages.ts'
import { describe, expect, test } from 'bun:test'
import { fieldWords } from '../custom-fields/custom-fields.values.ts'
import {
  fillPlaceholders,
  mayGrowTooLong,
  type PlaceholderFacts,
  periodGreeting,
  placeholderNames,
  placeholderParts,
} from './placeholders.ts'

const facts: PlaceholderFacts = {
  now: new Date('2026-03-06T02:04:05Z'),
  timeZone: 'America/Sao_Paulo',
  language: 'pt',
  contact: { name: 'Ana Maria Lima', number: '5511987654321', email: 'ana@example.com' },
  ticket: { id: 42 },
  user: { name: 'Bruno' },
  queue: { name: 'Vendas' },
  connection: { name: 'Loja' },
  company: { name: 'Padaria' },
}

describe('a text to a contact', () => {
  test('says who and when, on the company’s wall', () => {
    expect(fillPlaceholders('{{ms}}, {{firstName}}! ({{name}}) {{hora}} · {{protocol}} · {{date}}', facts)).toBe(
      'Boa noite, Ana! (Ana Maria Lima) 23:04:05 · 20260305-42 · 05/03/2026',
    )
    expect(
      fillPlaceholders('{{gretting}} {{ticket}} {{user}} {{queue}} {{connection}} {{company}} {{number}}', facts),
    ).toBe('Boa noite 42 Bruno Vendas Loja Padaria 5511987654321')
  })
  test('a text falls into its words and its variables', () => {
    expect(placeholderParts('{{ms}}, {{ firstName }}! Até {{{date}}}')).toEqual([
      { key: 'ms' },
      ', ',
      { key: 'firstName' },
      '! Até {',
      { key: 'date' },
      '}',
    ])
    expect(placeholderParts('Sem nada')).toEqual(['Sem nada'])
    expect(placeholderParts('')).toEqual([])
    expect(placeholderParts('{{a}}{{b}}')).toEqual([{ key: 'a' }, { key: 'b' }])
  })
  test('says fields of the company’s own by their keys; one that is empty, or not there, is nothing', () => {
    const choice = { options: [{ id: 'o1', label: 'Troca' }] }
    const field = (id: number, entity: 'contact' | 'ticket', key: string, type: 'choice' | 'date' | 'text') => ({
      ...{ id, entity, key, name: key, type, options: [] },
      ...(type === 'choice' ? choice : {}),
    })
    const own = [
      field(1, 'ticket', 'motivo', 'choice'),
      field(2, 'contact', 'nasceu', 'date'),
      field(3, 'contact', 'cpf', 'text'),
    ]
    const fields = fieldWords(own, { ticket: { 1: 'o1' }, contact: { 2: '1990-03-31' } }, 'pt')
    const said = '{{field.motivo}} {{ FIELD.nasceu }}[{{field.cpf}}{{field.nada}}]'
    expect(fillPlaceholders(said, { ...facts, fields })).toBe('Troca 31/03/1990[]')
    expect(fillPlaceholders(said, facts)).toBe(' []')
    expect([65, 66].map((times) => mayGrowTooLong('{{field.cpf}}'.repeat(times)))).toEqual([false, true])
  })
  test('greets by the hour, in the company’s language', () => {
    const at = (hour: number, language: Language = 'pt') =>
      periodGreeting({ now: new Date(Date.UTC(2026, 2, 5, hour)), timeZone: 'UTC', language })
    expect([0, 5, 6, 11, 12, 17, 18, 23].map((hour) => at(hour))).toEqual([
      'Boa madrugada',
      'Boa madrugada',
      'Bom dia',
      'Bom dia',
      'Boa tarde',
      'Boa tarde',
      'Boa noite',
      'Boa noite',
    ])
    expect([at(8, 'en'), at(8, 'es')]).toEqual(['Good morning', 'Buenos días'])
    expect(fillPlaceholders('{{date}}', { ...facts, language: 'en' })).toBe('05/03/2026')
  })
  test('leaves out what nobody knows, and never the rest', () => {
    expect(fillPlaceholders('a{{nothing}}b {{ }} {{queue}}.', { ...facts, queue: null })).toBe('ab  .')
    expect(fillPlaceholders('{nome} {{ FIRSTNAME }} {{', facts)).toBe('{nome} Ana {{')
    const bare = { now: facts.now, timeZone: 'UTC', language: 'pt' as const }
    for (const name of placeholderNames) expect(fillPlaceholders(`{{${name}}}`, bare)).not.toMatch(/undefined|null|\{/)
    expect(fillPlaceholders('{{protocol}}', bare)).toBe('20260306020405')
  })
  test('addresses nobody by a number', () => {
    for (const name of ['5511970606845', '+55 (11) 97060-6845', '+55 11 9••••-6845'])
      expect(fillPlaceholders('Olá {{firstName}}{{name}}!', { ...facts, contact: { name } })).toBe('Olá !')
  })
  test('that no message would hold is told to whoever fills it in: nobody gets its beginning', () => {
    const long = { ...facts, contact: { name: 'Ana', email: `${'a'.repeat(242)}@example.com` } }
    expect(fillPlaceholders('{{email}}'.repeat(258), long)).toHaveLength(258 * 254)
    expect(fillPlaceholders('{{email}}'.repeat(259), long)).toBeNull()
    expect(fillPlaceholders('x'.repeat(65_536), facts)).toHaveLength(65_536)
    expect(fillPlaceholders('x'.repeat(65_537), facts)).toBeNull()
    expect([258, 259].map((times) => mayGrowTooLong('{{ Email }}'.repeat(times)))).toEqual([false, true])
    expect([65_436, 65_437].map((length) => mayGrowTooLong(`${'x'.repeat(length)}{{name}}{{nobody}}`))).toEqual([
      false,
      true,
    ])
  })
  test('does not read a contact’s own name as a placeholder, and escapes nothing', () => {
    const contact = { name: '{{company}} <b>&$&' }
    expect(fillPlaceholders('{{name}}', { ...facts, contact })).toBe('{{company}} <b>&$&')
  })
})

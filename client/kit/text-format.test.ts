import { describe, expect, test } from 'bun:test'
import { firstNameOf } from '../../schema/placeholders/placeholders.ts'
import { plain } from '../../schema/plain.ts'
import { initials } from '../ui/avatar-text.ts'
import { matches } from '../ui/filter.ts'
import { parseCards, parsePlace } from '../messages/messages.parts.ts'
import { phoneText } from './phone-text.ts'
import { folded, isJumbo, linksIn, parseText } from './text-format.ts'
import { plainText, type TextNode } from './text-tree.ts'
import { splitSignature } from './signature.ts'

const text = (value: string) => ({ type: 'text', text: value }) as const

describe('formatting as on the phone', () => {
  test('bold, italic and strike', () => {
    expect(parseText('um *dois* _três_ ~quatro~')).toEqual([
      text('um '),
      { type: 'bold', children: [text('dois')] },
      text(' '),
      { type: 'italic', children: [text('três')] },
      text(' '),
      { type: 'strike', children: [text('quatro')] },
    ])
  })
  test('marks nest', () => {
    expect(parseText('*_a_*')).toEqual([{ type: 'bold', children: [{ type: 'italic', children: [text('a')] }] }])
  })
  test('marks inside words and lonely marks stay characters', () => {
    for (const plain of ['arquivo_de_teste', '2*3*4', '5 * 4', '* a', 'snake_case', '*'])
      expect(parseText(plain)).toEqual([text(plain)])
  })
  test('bold does not run over a line', () => {
    expect(parseText('*a\nb*')).toEqual([text('*a\nb*')])
  })
  test('the signature is bold and what follows is not', () => {
    expect(parseText('*Ana*:\nOi')).toEqual([{ type: 'bold', children: [text('Ana')] }, text(':\nOi')])
  })
  test('inside code nothing is a mark', () => {
    expect(parseText('veja ```*x*``` e `_y_`')).toEqual([
      text('veja '),
      { type: 'code', text: '*x*' },
      text(' e '),
      { type: 'code', text: '_y_' },
    ])
  })
})

describe('links', () => {
  test('an address ends before the punctuation of its sentence', () => {
    expect(parseText('Veja https://a.example/b_c_d?x=1.')).toEqual([
      text('Veja '),
      { type: 'link', text: 'https://a.example/b_c_d?x=1', href: 'https://a.example/b_c_d?x=1' },
      text('.'),
    ])
  })
  test('addresses without a scheme and mail addresses become links', () => {
    expect(parseText('www.a.example')).toEqual([{ type: 'link', text: 'www.a.example', href: 'https://www.a.example' }])
    expect(parseText('ana@a.example')).toEqual([{ type: 'link', text: 'ana@a.example', href: 'mailto:ana@a.example' }])
  })
  test('the addresses of the web in a text are listed, each once, and no others', () => {
    expect(linksIn('*veja https://a.example/x*, www.b.example, ana@a.example e https://a.example/x')).toEqual([
      'https://a.example/x',
      'https://www.b.example',
    ])
    expect(linksIn('javascript:alert(1) `https://a.example`')).toEqual([])
  })
  const phones = (source: string) =>
    parseText(source).flatMap((node) => (node.type === 'phone' ? [[node.text, node.digits]] : []))
  test('telephone numbers are known as people write them, in Brazil without the country', () => {
    expect(parseText('Liga (11) 98765-4321, tá?')).toEqual([
      text('Liga '),
      { type: 'phone', text: '(11) 98765-4321', digits: '5511987654321' },
      text(', tá?'),
    ])
    for (const [written, digits] of [
      ['11987654321', '5511987654321'],
      ['11 98765 4321', '5511987654321'],
      ['5511987654321', '5511987654321'],
      ['55 11 98765-4321', '5511987654321'],
      ['(11) 3456-7890', '551134567890'],
      ['+55 11 98765-4321', '5511987654321'],
      ['+351 912 345 678', '351912345678'],
      ['+1 (202) 555-0123', '12025550123'],
    ])
      expect(phones(`meu número é ${written}.`)).toEqual([[written!, digits!]])
    expect(phones('(11) 98765-4321 ou (21) 99876-5432')).toHaveLength(2)
  })
  test('documents, orders, prices, dates and bar codes are no telephone numbers', () => {
    for (const other of [
      'CPF 123.456.789-00',
      'CNPJ 12.345.678/0001-90',
      'pedido 48213',
      'R$ 1.234.567,89',
      '2026-11-23 10:15',
      '23/11/2026',
      '23793.38128 60000.000003 00000.000400 1 84340000010000',
      '23793381286000000000300000000400184340000010000',
      'abc11987654321',
      '11987654321@s.example',
      '3456-7890',
    ])
      expect([other, phones(other)]).toEqual([other, []])
  })
  test('no other scheme ever does', () => {
    for (const evil of ['javascript:alert(1)', 'data:text/html,x', 'vbscript:x'])
      expect(parseText(evil)).toEqual([text(evil)])
  })
  test('a link inside bold is both', () => {
    expect(parseText('*https://a.example/x*')).toEqual([
      { type: 'bold', children: [{ type: 'link', text: 'https://a.example/x', href: 'https://a.example/x' }] },
    ])
  })
})

test('a preview has no marks and one line', () => {
  expect(plainText('*Ana*:\n  _oi_')).toBe('Ana: oi')
})
describe('what strangers write', () => {
  /** Each of them had been read in time that grows with the square of its length by some pattern, or could be. */
  const texts: Record<string, (n: number) => string> = {
    letters: (n) => 'a'.repeat(n),
    stars: (n) => '*'.repeat(n),
    'stars before letters': (n) => '*a'.repeat(n / 2),
    'stars that close nothing': (n) => 'a* '.repeat(n / 3),
    'stars and addresses': (n) => '*http://'.repeat(n / 8),
    'addresses in stars': (n) => '*http://*'.repeat(n / 9),
    underscores: (n) => '_'.repeat(n),
    'underscores and blanks': (n) => '_ '.repeat(n / 2),
    tildes: (n) => '~'.repeat(n),
    'all marks in turn': (n) => '*_~'.repeat(n / 3),
    backticks: (n) => '`'.repeat(n),
    'backticks before letters': (n) => '`a\n'.repeat(n / 3),
    fences: (n) => '``` '.repeat(n / 4),
    addresses: (n) => 'https://a.example/b '.repeat(n / 20),
    'addresses without an end': (n) => 'http://'.repeat(n / 7),
    'an address of punctuation': (n) => `*http://*${'.'.repeat(n)}`,
    'beginnings of addresses': (n) => `${'www.!'.repeat(n / 5)}`,
    'mail addresses': (n) => 'a@b.c '.repeat(n / 6),
    'at signs': (n) => 'a@'.repeat(n / 2),
    'a mail name without an end': (n) => 'a.b-c_'.repeat(n / 6),
    'a host without an end': (n) => `a@${'b.'.repeat(n / 2)}`,
    'combining marks': (n) => `a${'\u0301\u0489'.repeat(n / 2)}`,
    'marks of direction': (n) => '\u202e\u2067'.repeat(n / 2),
    lines: (n) => '\n'.repeat(n),
    'lines and marks': (n) => '*\n'.repeat(n / 2),
    blanks: (n) => ' '.repeat(n),
    emoji: (n) => '👩‍👩‍👧'.repeat(n / 8),
    'the beginning of a signature': (n) => `*${'a'.repeat(n)}`,
    'cards without an end': (n) => 'BEGIN:VCARD\n'.repeat(n / 12),
    'cards and ends': (n) => `${'END:VCARD'.repeat(n / 18)}${'BEGIN:VCARD'.repeat(n / 22)}`,
    'a card of semicolons': (n) => `BEGIN:VCARD\nORG:${';a'.repeat(n / 2)}\nEND:VCARD`,
    'bars of a place': (n) => '|https://'.repeat(n / 9),
    'a picture of a place': (n) => `data:image/png;base64,${'A'.repeat(n)}`,
  }
  /** Everything of the client that reads a text of a stranger. */
  const readers: Record<string, (text: string) => unknown> = {
    parseText,
    plainText,
    isJumbo,
    folded,
    splitSignature,
    parseCards,
    parsePlace,
    phoneText,
    initials,
    plain,
    filterWords: (text) => matches('algo', text),
    firstNameOf,
  }

  test.each(Object.keys(readers))('%s takes four times as long for four times the text', (name) => {
    const read = readers[name]!
    const msOf = (text: string) => {
      let best = Infinity
      for (let i = 0; i < 5; i++) {
        const begin = performance.now()
        read(text)
        best = Math.min(best, performance.now() - begin)
      }
      return best
    }
    for (const [what, make] of Object.entries(texts)) {
      msOf(make(4_000))
      // A millisecond at least: below it a pause of the machine is more than the work.
      const [once, four, sixteen] = [4_000, 16_000, 64_000].map((n) => Math.max(1, msOf(make(n))))
      // With the square of the length it would be 16 and 256 times.
      expect([what, four! < 32 * once!, sixteen! < 64 * once!]).toEqual([what, true, true])
    }
  })

  test('no text becomes more pieces than a page can draw', () => {
    const count = (nodes: TextNode[]): number =>
      nodes.reduce((sum, node) => sum + 1 + ('children' in node ? count(node.children) : 0), 0)
    for (const [what, make] of Object.entries(texts)) {
      const nodes = parseText(make(65_536))
      expect([what, count(nodes) <= 2_100]).toEqual([what, true])
    }
  })

  test('a text with more marks than a person makes keeps all of its words', () => {
    const flat = (nodes: TextNode[]): string =>
      nodes.map((node) => ('children' in node ? flat(node.children) : node.text)).join('')
    expect(flat(parseText('*a* '.repeat(3_000)))).toBe(`${'a '.repeat(1_000)}${'*a* '.repeat(2_000)}`)
  })
})

describe('a long text', () => {
  test('is folded after so many letters or lines, between words', () => {
    expect(folded('palavra '.repeat(1_000))).toMatch(/^(palavra ){100,}palavra$/)
    expect(folded('a\n'.repeat(1_000))!.split('\n')).toHaveLength(24)
    expect(folded('x'.repeat(65_000))!.length).toBe(1_200)
  })
  test('that is little longer than its beginning is not', () => {
    expect(folded('palavra '.repeat(160))).toBeNull()
    expect(folded('a\n'.repeat(26))).toBeNull()
    expect(folded('')).toBeNull()
  })
})

test('up to three emoji alone are shown large', () => {
  expect(isJumbo('👍')).toBe(true)
  expect(isJumbo('👩‍👩‍👧 🇧🇷')).toBe(true)
  expect(isJumbo('👍👍👍👍')).toBe(false)
  expect(isJumbo('ok 👍')).toBe(false)
  expect(isJumbo('12')).toBe(false)
})

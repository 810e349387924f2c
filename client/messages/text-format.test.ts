import { describe, expect, test } from 'bun:test'
import { isJumbo, parseText, plainText } from './text-format.ts'

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
test('a very long text with many marks is parsed in no time', () => {
  const started = performance.now()
  parseText('*a _b '.repeat(4000))
  expect(performance.now() - started).toBeLessThan(1500)
})
test('up to three emoji alone are shown large', () => {
  expect(isJumbo('👍')).toBe(true)
  expect(isJumbo('👩‍👩‍👧 🇧🇷')).toBe(true)
  expect(isJumbo('👍👍👍👍')).toBe(false)
  expect(isJumbo('ok 👍')).toBe(false)
  expect(isJumbo('12')).toBe(false)
})

import { expect, test } from 'bun:test'
import { inflateSync } from 'node:zlib'
import type { Report } from './reports.queries.ts'
import { fileOf } from './reports.export.ts'

/** What a reader of the file finds written: the signs of its fonts, by what they stand for. */
function lettersOf(pdf: Buffer): Set<string> {
  const letters = new Set<string>()
  for (let at = 0; ; ) {
    const begin = pdf.indexOf('stream\n', at)
    const end = pdf.indexOf('endstream', begin)
    if (begin < 0 || end < 0) return letters
    at = end + 9
    let text: string
    try {
      text = inflateSync(pdf.subarray(begin + 7, end)).toString('latin1')
    } catch {
      continue
    }
    if (!text.includes('begincmap')) continue
    for (const [, list = ''] of text.matchAll(/\[([^\]]*)\]/g))
      for (const [, hex = ''] of list.matchAll(/<([0-9a-fA-F ]+)>/g))
        for (const code of hex.replaceAll(' ', '').match(/.{4}/g) ?? [])
          letters.add(String.fromCharCode(Number.parseInt(code, 16)))
  }
}

async function drawn(names: readonly (string | null)[], company = 'Balcão'): Promise<Set<string>> {
  const told: Report = {
    figures: ['opened', 'closeP90'],
    rows: names.map((name, i) => ({ key: String(i + 1), name, values: { opened: 1, closeP90: 60 } })),
    total: { opened: names.length, closeP90: 60 },
    hasMore: false,
  }
  const days = { from: '2026-01-01', to: '2026-01-31' }
  const file = await fileOf({ companyId: 1, company, report: 'agents', days, told, language: 'pt' }, 'pdf')
  const bytes = Buffer.from(await file.arrayBuffer())
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(bytes.subarray(-6).toString().trim()).toBe('%%EOF')
  return lettersOf(bytes)
}

test('names are written in their own letters', async () => {
  const names = ['João “Ção”', 'Łukasz Žižek', 'Юлия Щукина', 'Ελένη', 'Nguyễn Thị', 'محمد', 'שלום', 'Գոռ', 'გიორგი']
  const letters = await drawn(names, 'Ömer Şahin Ticaret')
  // Arabic is written in joined forms, which stand for the same letters.
  const missing = names.flatMap((name) => [...name.normalize('NFC')].filter((one) => one !== ' ' && !letters.has(one)))
  expect(missing).toEqual([])
  expect(['Ş', 'Ö'].filter((one) => !letters.has(one))).toEqual([])
}, 60_000)

test('a name that cannot be written is told apart by its number, and nothing breaks', async () => {
  const odd = ['王小明', '😀', 'Ana 😀 👩‍👩‍👧', '\u0000\u202E\uFEFF', '', '\uD800', null, '🇧🇷 x'.repeat(40)]
  const letters = await drawn(odd, '株式会社')
  for (const one of ['▯', '(', '1', 'A', 'x']) expect([one, letters.has(one)]).toEqual([one, true])
  expect(letters.has('?')).toBe(false)
}, 60_000)

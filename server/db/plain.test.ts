import { afterAll, beforeAll, expect, test } from 'bun:test'
import { plain } from '../../schema/plain.ts'
import { testDatabase, type TestDatabase } from '../../tests/support/postgres.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.close())

/** Each text, as the database folds it. */
async function inSql(texts: readonly string[]): Promise<string[]> {
  const rows = await database.sql<{ folded: string }[]>`
    SELECT plain(text) AS folded FROM unnest(${[...texts]}::text[]) WITH ORDINALITY AS given (text, n) ORDER BY n`
  return rows.map(({ folded }) => folded)
}

/** Two old letters, of which the database knows only the small ones. */
const isOdd = (sign: string) => sign === 'Ƕ' || sign === 'Ƞ'

const signs = (...ranges: readonly (readonly [number, number])[]) =>
  ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)))

test.each<[string, string[]]>([
  [
    'Latin letters',
    signs([0x20, 0x7e], [0xa0, 0x24f], [0x1e00, 0x1e99], [0x1ea0, 0x1ef9]).filter((sign) => !isOdd(sign)),
  ],
  [
    'letters with marks of their own',
    signs([0x61, 0x7a]).flatMap((a) => signs([0x300, 0x362]).map((mark) => a + mark)),
  ],
  ['Greek and Cyrillic', signs([0x386, 0x3ce], [0x400, 0x52f], [0x1f00, 0x1f15])],
  ['quotes, dashes, dots', signs([0x2010, 0x2027])],
  [
    'letters of fancy fonts',
    [...signs([0xff01, 0xff5e], [0x1d400, 0x1d454], [0xfb00, 0xfb06]), ...'ℬℰℱℋℐℒℳℛℯℊℴℂℍℕℙℚℝℤ'],
  ],
  [
    'other scripts',
    signs([0x5d0, 0x64a], [0x904, 0x939], [0xe01, 0xe3a], [0x3041, 0x30fe], [0x4e00, 0x4e80], [0xac00, 0xac80]),
  ],
  ['emoji and signs', signs([0x1f300, 0x1f6ff], [0x2190, 0x21ff], [0x2600, 0x27bf])],
])('%s are folded as the database folds them', async (_, texts) => {
  const folded = await inSql(texts)
  const other = texts.flatMap((text, i) => (plain(text) === folded[i] ? [] : [`${text} ${folded[i]} ${plain(text)}`]))
  expect(other).toEqual([])
})

test('what people write is folded as the database folds it', async () => {
  const texts = [
    ...[
      'São João do Araguaia',
      'AVIÃO',
      'Ção\u0303 à-toa',
      'El Niño año',
      '¿Qué? ¡Sí!',
      'Straße GROẞ',
      'Łódź ŻÓŁĆ',
      'İstanbul ısı',
    ],
    ...[
      'Bjørnstad Ærø Œuvre',
      'Nguyễn Thị Hồng',
      'Ελλάδα ΟΔΟΣ',
      'Ещё Йод Їжак',
      '“d’água” – 10×½…',
      '𝓜𝓪𝓻𝓲𝓪 🌸 Ｌｏｊａ ﬁm',
      'مَرْحَبًا',
      'हिन्दी',
      '안녕',
      '𠮷野家',
    ],
    ...['', ' \t\n', 'e\u0301\u0301', '\u0301', '👩‍👩‍👧', '№ 5 ™ ²'.slice(2)],
  ]
  expect(texts.map(plain)).toEqual(await inSql(texts))
})

/**
 * What stands for the letters and signs that are not a plain letter with marks, as `unaccent` of Postgres has it. Small
 * letters only: the text is in small letters by then.
 */
const others = new Map<string, string>()
for (const [stands, signs] of Object.entries({
  ...{
    a: 'ªⱥ',
    b: 'ƀɓƃ',
    c: 'ƈȼ',
    d: 'ðđɖɗƌȡ',
    e: 'ɛɇ',
    f: 'ƒ',
    g: 'ɠǥ',
    h: 'ħ',
    i: 'ıɩɨ',
    j: 'ȷɉ',
    k: 'ƙ',
    l: 'łŀƚȴ',
  },
  ...{ n: 'ŋɲƞȵ', o: 'øº', p: 'ƥ', q: 'ĸ', r: 'ɍ', s: 'ſȿ', t: 'ŧƫƭʈȶⱦ', u: 'ʉ', v: 'ʋ', y: 'ƴɏ', z: 'ƶȥɀ', μ: 'µ' },
  ...{
    ae: 'æ',
    oe: 'œ',
    ss: 'ß',
    th: 'þ',
    ij: 'ĳ',
    "'n": 'ŉ',
    hv: 'ƕ',
    oi: 'ƣ',
    dz: 'ǆǳ',
    lj: 'ǉ',
    nj: 'ǌ',
    db: 'ȸ',
    qp: 'ȹ',
  },
  ...{ "'": '‘’‛′', '"': '“”‟″', ',': '‚', ',,': '„', '<': '‹', '>': '›', '<<': '«', '>>': '»', '||': '‖' },
  ...{ '-': '\u00ad‐‑‒–—―−', '.': '․', '..': '‥', '...': '…', '!': '¡', '?': '¿', '!!': '‼', '/': '⁄÷' },
  ...{ '*': '×', '+/-': '±', '(c)': '©', '(r)': '®', ' 1/4': '¼', ' 1/2': '½', ' 3/4': '¾' },
}))
  for (const sign of signs) others.set(sign, stands)

/** The signs that anything stands for: letters with marks, those of fancy fonts, marks and punctuation. */
const foldable =
  /[\u00a1-\u03ff\u0451\u1e00-\u1fff\u2010-\u2044\u2100-\u2149\u2212ⱥⱦ\ufb00-\ufb06\uff01-\uff5e\u{1d400}-\u{1d6a3}]/gu
const mark = /[\u0300-\u0362]/g
const known = new Map<string, string>()

function plainSign(sign: string): string {
  let plain = known.get(sign)
  if (plain === undefined) known.set(sign, (plain = others.get(sign) ?? withoutMarks(sign)))
  return plain
}

function withoutMarks(sign: string): string {
  const letter = sign.normalize('NFD').replace(mark, '')
  if (/^[a-zα-ωе]?$/.test(letter)) return letter
  const font = sign.normalize('NFKD').toLowerCase()
  // A sign of its own that is drawn as a word, such as that of a trade mark, is none.
  return /^[a-z]$|^f[fil]+$|^st$/.test(font) || /[\uff01-\uff5e]/.test(sign) ? font : sign
}

/**
 * Small letters without their marks: what people type when they look for "São João" is "sao joao". The same as the
 * function `plain` of migration 0001 for what people write with the letters of Latin, Greek and Cyrillic; the signs of
 * other scripts stay as they are. Texts that were folded by the two can be compared.
 */
export const plain = (text: string): string =>
  /[^\0-\x7f]/.test(text) ? text.replaceAll('Σ', 'σ').toLowerCase().replace(foldable, plainSign) : text.toLowerCase()

/**
 * A drawing without anything that runs, loads or leads elsewhere. It is read tag by tag, and only what is known to draw
 * is written again: what is not understood is not there.
 */

const elements = new Set(
  (
    'svg g path rect circle ellipse line polyline polygon text tspan defs linearGradient radialGradient stop clipPath ' +
    'mask title desc symbol use pattern style'
  ).split(' '),
)
const attributes = new Set(
  (
    'id class d x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy width height viewBox preserveAspectRatio points transform ' +
    'fill fill-rule fill-opacity stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray ' +
    'stroke-dashoffset stroke-opacity opacity clip-path clip-rule mask gradientUnits gradientTransform spreadMethod ' +
    'offset stop-color stop-opacity patternUnits patternTransform clipPathUnits maskUnits font-family font-size ' +
    'font-weight font-style text-anchor letter-spacing style href xlink:href version'
  ).split(' '),
)

/** A value that names nothing outside the drawing. */
function isHarmless(name: string, value: string): boolean {
  if (name === 'href' || name === 'xlink:href') return /^#[\w-]+$/.test(value)
  if (/[\\@<]|javascript:|expression/i.test(value)) return false
  return value
    .toLowerCase()
    .split('url(')
    .slice(1)
    .every((rest) => /^\s*["']?#/.test(rest))
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
/** Of what a file of ours may hold; others stay as they are written. */
const read = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')

interface Tag {
  name: string
  closes: boolean
  isEmpty: boolean
  attributes: [string, string][]
}

/** The tag between `<` and `>`; undefined for what is none. */
function tagOf(inside: string): Tag | undefined {
  const closes = inside.startsWith('/')
  const isEmpty = inside.endsWith('/')
  const body = inside.slice(closes ? 1 : 0, isEmpty ? -1 : undefined)
  const name = /^[A-Za-z][\w:.-]*/.exec(body)?.[0]
  if (!name) return undefined
  return { name, closes, isEmpty, attributes: attributesOf(body.slice(name.length)) }
}

/** The names and values between quotes; what has no value is left out. Read once from left to right. */
function attributesOf(text: string): [string, string][] {
  const found: [string, string][] = []
  for (let at = 0; ; ) {
    const equals = text.indexOf('=', at)
    if (equals === -1) return found
    const key = text.slice(at, equals).trim().split(/\s/).at(-1) ?? ''
    let start = equals + 1
    while (start < text.length && text[start]!.trim() === '') start++
    const quote = text[start]
    if (quote !== '"' && quote !== "'") {
      at = start
      continue
    }
    const end = text.indexOf(quote, start + 1)
    if (end === -1) return found
    found.push([key, read(text.slice(start + 1, end))])
    at = end + 1
  }
}

/** Where the tag that begins at `from` ends: a `>` in quotes is none. */
function endOf(text: string, from: number): number {
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const char = text[at]!
    if (quote) quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '>') return at
  }
  return -1
}

/** @returns the drawing, cleaned; undefined for what is none */
export function cleanSvg(text: string): string | undefined {
  // Entities of one's own can hide anything, and grow without end.
  if (/<!ENTITY/i.test(text)) return undefined
  let out = ''
  /** Names of the open elements that are kept. */
  const open: string[] = []
  /** Depth inside an element that is left out with all it holds. */
  let dropped = 0
  for (let at = 0; at < text.length; ) {
    const start = text.indexOf('<', at)
    const words = text.slice(at, start === -1 ? undefined : start)
    const inside = open.at(-1)
    if (dropped === 0 && words.trim() !== '' && inside) {
      const said = read(words)
      if (
        inside === 'style' ? isHarmless('style', said) && !/[<&]/.test(said) : /^(text|tspan|title|desc)$/.test(inside)
      )
        out += inside === 'style' ? said : escaped(said)
    }
    if (start === -1) break
    if (text.startsWith('<!--', start)) {
      const end = text.indexOf('-->', start)
      if (end === -1) return undefined
      at = end + 3
      continue
    }
    const end = endOf(text, start)
    if (end === -1) return undefined
    at = end + 1
    const tag = tagOf(text.slice(start + 1, end))
    // A declaration, or an instruction.
    if (!tag) continue
    if (tag.closes) {
      if (dropped > 0) dropped--
      else if (open.at(-1) === tag.name) out += `</${open.pop()!}>`
      else return undefined
      continue
    }
    if (dropped > 0 || !elements.has(tag.name)) {
      if (!tag.isEmpty) dropped++
      continue
    }
    // One drawing, and nothing beside it.
    if (open.length === 0 && (tag.name !== 'svg' || out !== '')) return undefined
    const kept = tag.attributes.filter(([name, value]) => attributes.has(name) && isHarmless(name, value))
    const isRoot = open.length === 0
    const spaces = isRoot ? ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"' : ''
    out += `<${tag.name}${spaces}${kept.map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')}${tag.isEmpty ? '/' : ''}>`
    if (!tag.isEmpty) open.push(tag.name)
  }
  return open.length === 0 && dropped === 0 && out !== '' ? out : undefined
}

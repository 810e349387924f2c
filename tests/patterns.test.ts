import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from '@babel/core'
import { extractUrlFromText, isJidGroup, jidDecode, jidNormalizedUser } from '@whiskeysockets/baileys'
import { createTokens } from '../server/auth/tokens.ts'
import { parseJson } from '../server/http/json.ts'
import { networkOf } from '../server/network.ts'
import { readMultipart } from '../server/media/multipart.ts'
import { isAddress } from '../server/outside/addresses.ts'
import { parseColumnList, parseTableName } from '../sync/shape-server/tables.ts'

/**
 * Every pattern of what runs on the server takes time that grows as its text does. They are found in the source, so a
 * new one is measured without being named anywhere: on texts made of what the pattern itself looks for.
 */
const root = join(import.meta.dir, '..')

/** These read only what the operator, the system or this repository wrote. */
const trusted = [
  /^server\/(config|launch|prepare|main)\.ts$/,
  /^server\/db\//,
  /^server\/whatsapp\/baileys\.mute\.ts$/,
  /^sync\/shape-server\/main\.ts$/,
  /\.vite\.ts$/,
]

/** Patterns that are put together while the program runs: what uses them is measured instead. */
const builtWhileRunning: Record<string, (text: string) => unknown> = {
  'schema/inputs.ts': () => undefined, // those of `patterned`, which are found where they stand
  'sync/shape-server/tables.ts': (text) => attempt(() => parseTableName(text)),
}

/** What reads a stranger's text by other means, or by a library's patterns. */
const tokens = createTokens('a secret of thirty-two characters or more')
const readers: [string, (text: string) => unknown][] = [
  ['a part of a form', (text) => firstPart(`content-disposition: form-data;${text.replace(/[\r\n]/g, '')}`)],
  ['a form', (text) => firstPart('content-disposition: form-data; name="a"', text)],
  ['JSON', (text) => attempt(() => parseJson(Buffer.from(text), 'body'))],
  ['an access token', (text) => tokens.readAccess(text, new Date()).catch(() => undefined)],
  ['an address of the internet', (text) => [networkOf(text), isAddress(text)]],
  ['a URL', (text) => attempt(() => new URL(`http://${text}`))],
  ['a query', (text) => new URLSearchParams(text).get('token')],
  ['a JID of WhatsApp', (text) => [jidDecode(text), jidNormalizedUser(text), isJidGroup(text)]],
  ['the first link of a text to WhatsApp', (text) => extractUrlFromText(text)],
  ['a column list', (text) => attempt(() => parseColumnList(text))],
]

interface Pattern {
  place: string
  regex: RegExp
}

const patterns: Pattern[] = []
const builders = new Set<string>()
for (const folder of ['schema', 'server', 'sync']) {
  for (const path of new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync({ cwd: root })) {
    if (path.includes('.test.') || trusted.some((name) => name.test(path))) continue
    const source = readFileSync(join(root, path), 'utf8')
    const syntax = parseSync(source, {
      configFile: false,
      babelrc: false,
      parserOpts: { sourceType: 'module', plugins: path.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] },
    })
    visit(syntax, (node) => {
      const place = `${path}:${node.loc?.start.line}`
      if (node.type === 'RegExpLiteral') patterns.push({ place, regex: new RegExp(node.pattern!, node.flags) })
      else if (node.type === 'ObjectProperty' && node.key?.name === 'pattern' && node.value?.type === 'StringLiteral')
        patterns.push({ place, regex: new RegExp(node.value.value!) })
      else if (/^(New|Call)Expression$/.test(node.type) && node.callee?.name === 'RegExp') builders.add(path)
    })
  }
}

interface Node {
  type: string
  loc?: { start: { line: number } }
  pattern?: string
  flags?: string
  key?: { name?: string }
  value?: { type?: string; value?: string }
  callee?: { name?: string }
}

function visit(node: unknown, meet: (node: Node) => void): void {
  if (Array.isArray(node)) for (const one of node) visit(one, meet)
  else if (node && typeof node === 'object') {
    if (typeof (node as Node).type === 'string') meet(node as Node)
    for (const [key, value] of Object.entries(node)) if (key !== 'loc' && typeof value === 'object') visit(value, meet)
  }
}

function attempt(work: () => unknown): void {
  try {
    work()
  } catch {
    // Refused, which is an answer, too.
  }
}

const firstPart = (head: string, body = 'x') =>
  readMultipart(
    new Request('http://localhost', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: `--b\r\n${head}\r\n\r\n${body}\r\n--b--\r\n`,
    }),
  )
    .next()
    .catch(() => undefined)

/** Texts of any length that a careless pattern reads again and again: runs of what it looks for, and an end that it does not. */
function hostile(source: string): ((length: number) => string)[] {
  const named = source
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/\\([sSdDwWbBnrt0])/g, (_, name: string) => ({ s: ' ', d: '1', w: 'a', n: '\n', r: '\r' })[name] ?? ' ')
    .replaceAll('\\', '')
  const own = [...named].filter((letter) => !/[()[\]^$*+?|a-z0-9]/i.test(letter))
  const letters = [...new Set([...'a ', ...own, ...'1.@"', ...named])].slice(0, 24)
  const pairs = (most: number) =>
    letters.slice(0, most).flatMap((a) => letters.slice(0, most).map((b) => (a === b ? a : a + b)))
  const words = [...new Set(named.split(/[()[\]^$*+?|]|\{\d/))].filter((word) => word.length > 1 && word.length < 40)
  const ends = ['', '!', '\n', '"', '\0a']
  const starts = ['', 'a', ...words.slice(0, 6)]
  const made: ((length: number) => string)[] = []
  for (const letter of letters)
    for (const start of starts) for (const end of ends) made.push((length) => start + letter.repeat(length) + end)
  for (const piece of [...words, ...pairs(8)])
    for (const end of ['', '!', ...letters.slice(0, 5)])
      for (const start of ['', ...words.slice(0, 2), ...pairs(5)])
        made.push((length) => start + piece.repeat(Math.ceil(length / piece.length)) + end)
  return made
}

/** Milliseconds of processor time, of this thread and its helpers; the shortest of several. */
async function cost(work: () => unknown, times: number): Promise<number> {
  let best = Infinity
  for (let i = 0; i < times; i++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}

const LENGTH = 500
/** Four times the text may take four times as long; the square would be sixteen. */
const MOST_GROWTH = 9
/** Below this, nothing can be told from growth, and nobody has to wait: the square of 8,000 letters takes ten times as long. */
const NOTHING_MS = 4

/** The square of 2,000 letters takes ten times as long. */
const SUSPICIOUS_MS = 0.3

/** @returns what it grew by, where that is more than the text did */
async function growthOf(run: (text: string) => unknown, text: (length: number) => string): Promise<string | undefined> {
  const short = text(LENGTH * 4)
  short.charCodeAt(0)
  const begin = performance.now()
  await run(short)
  // Most are done before a clock that counts processor time has moved.
  if (performance.now() - begin < SUSPICIOUS_MS) return undefined
  let before = 0
  for (const factor of [1, 4, 16]) {
    const long = text(LENGTH * factor)
    // The flat rope, before the clock runs.
    long.charCodeAt(0)
    let now = await cost(() => run(long), 1)
    if (now > NOTHING_MS && now > before * MOST_GROWTH) {
      now = await cost(() => run(long), 5)
      const again = text((LENGTH * factor) / 4)
      const quarter = Math.max(await cost(() => run(again), 5), 0.05)
      if (now > NOTHING_MS && now > quarter * MOST_GROWTH)
        return `${long.length} letters ${JSON.stringify(long.slice(0, 12))}…${JSON.stringify(long.slice(-4))} take ${now.toFixed(1)} ms, a quarter of it ${quarter.toFixed(1)} ms`
    }
    before = now
  }
  return undefined
}

const steep = async (run: (text: string) => unknown, source: string): Promise<string | undefined> => {
  for (const text of hostile(source)) {
    const found = await growthOf(run, text)
    if (found) return found
  }
  return undefined
}

describe('time grows as the text does', () => {
  test('the measure tells a square from a line', async () => {
    const square = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
    expect(await steep((text) => square.test(text), square.source)).toMatch(/take/)
    const trailing = /\s+$/
    expect(await steep((text) => trailing.test(text), trailing.source)).toMatch(/take/)
    const line = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/
    expect(await steep((text) => line.test(text), line.source)).toBeUndefined()
  })

  test.each(patterns.map(({ place, regex }) => [place, regex] as const))('%s', async (_place, regex) => {
    const run = (text: string) => {
      regex.lastIndex = 0
      return /[gy]/.test(regex.flags) ? text.replace(regex, '') : regex.test(text)
    }
    expect(await steep(run, regex.source)).toBeUndefined()
  })

  test('a pattern that is put together while the program runs has its user measured', async () => {
    expect([...builders].sort()).toEqual(Object.keys(builtWhileRunning).sort())
    for (const [place, use] of Object.entries(builtWhileRunning))
      expect(await steep(use, ';name="\\\\" *.a_$'), place).toBeUndefined()
  })

  test.each(readers)('%s', async (_name, read) => {
    expect(await steep(read, ';name="\\\\"--b\\r*.@:a_[{<(,$&=%https://a.b')).toBeUndefined()
  })
})

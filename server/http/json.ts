import { DomainError } from '../../schema/errors.ts'

/** Objects and lists inside each other. Nothing that we take goes deeper than ten. */
const MOST_DEEP = 32
/** Values of a body, whatever their kind. */
const MOST_VALUES = 50_000

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const opens = (byte: number) => byte === 0x7b || byte === 0x5b
const closes = (byte: number) => byte === 0x7d || byte === 0x5d

/**
 * JSON of a stranger. What walks through it later may do so by recursion and in one go, for its depth and its number of
 * values are bounded; and all of its text can be stored.
 * @throws DomainError `ERR_VALIDATION`, whose `path` begins with `path`
 */
export function parseJson(bytes: Uint8Array, path: string): unknown {
  const bad = (message: string) => new DomainError('ERR_VALIDATION', { fields: [{ path, message }] })
  let depth = 0
  let values = 1
  let hasEscape = false
  for (let i = 0, quoted = false; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (byte === BACKSLASH) {
      hasEscape = true
      i++
    } else if (byte === QUOTE) quoted = !quoted
    else if (quoted) continue
    else if (opens(byte)) {
      depth++
      values++
      if (depth > MOST_DEEP) throw bad('nested too deep')
    } else if (closes(byte)) depth--
    else if (byte === COMMA) values++
  }
  if (values > MOST_VALUES) throw bad('too many values')
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  } catch {
    throw bad('unreadable')
  }
  // Only an escape can write either of what is refused.
  const wrong = hasEscape ? wrongText(value, path) : undefined
  if (wrong) throw new DomainError('ERR_VALIDATION', { fields: [wrong] })
  return value
}

/** The first text, or name of a field, that Postgres cannot store. */
function wrongText(value: unknown, path: string): { path: string; message: string } | undefined {
  if (typeof value === 'string') {
    if (value.includes('\0')) return { path, message: 'NUL is not a character' }
    return value.isWellFormed() ? undefined : { path, message: 'half a character' }
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const found = wrongText(name, path) ?? wrongText(inner, `${path}/${name.slice(0, 100)}`)
    if (found) return found
  }
  return undefined
}

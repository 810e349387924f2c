/**
 * A parameter of Content-Disposition; browsers write `%22` for a quote and bytes of UTF-8 as they are. Read from left to
 * right, each character once: a pattern for this starts anew at every semicolon.
 */
export function parameter(disposition: string, name: string): string | undefined {
  let at = disposition.indexOf(';')
  while (at >= 0) {
    const equals = disposition.indexOf('=', at)
    if (equals < 0) return undefined
    const key = disposition
      .slice(at + 1, equals)
      .trim()
      .toLowerCase()
    let value = ''
    let next = equals + 1
    if (disposition[next] === '"') {
      for (next++; next < disposition.length && disposition[next] !== '"'; next++) {
        if (disposition[next] === '\\') next++
        value += disposition[next] ?? ''
      }
      if (next >= disposition.length) return undefined
      next++
    } else {
      // Blanks belong in quotes, which not every server knows.
      const end = disposition.indexOf(';', next)
      value = disposition.slice(next, end < 0 ? undefined : end).trim()
      next = end < 0 ? disposition.length : end
    }
    if (key === name) return value.replaceAll('%22', '"').replaceAll('%0D', '').replaceAll('%0A', '')
    at = disposition.indexOf(';', next)
  }
  return undefined
}

/** Bytes as people read them: `0 B`, `12 kB`, `1,4 MB`, with the given language's decimal mark. */
export function fileSize(bytes: number, locale: string): string {
  const units = ['B', 'kB', 'MB', 'GB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: unit >= 2 && value < 10 ? 1 : 0 }).format(value)} ${units[unit]}`
}

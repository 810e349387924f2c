import { plain } from '../../schema/plain.ts'

/** True when every word of the query begins a word of the text or stands inside it. An empty query matches all. */
export function matches(text: string, query: string): boolean {
  const haystack = plain(text)
  return plain(query)
    .trim()
    .split(/\s+/)
    .every((word) => haystack.includes(word))
}

/** Those that match, the ones that begin with the query first; otherwise in the given order. */
export function filterByText<T>(items: readonly T[], query: string, textOf: (item: T) => string): T[] {
  const wanted = plain(query).trim()
  if (!wanted) return [...items]
  const hits = items.filter((item) => matches(textOf(item), wanted))
  const begins = (item: T) => plain(textOf(item)).trim().startsWith(wanted)
  return [...hits.filter(begins), ...hits.filter((item) => !begins(item))]
}

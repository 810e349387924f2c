import type { Messages } from '@lingui/core'

/**
 * Lets zero take the plural, as one writes in Brazil: "0 respostas". The rules of Unicode, by which Lingui chooses, count
 * it with one. Changes the texts in place; a text that has words of its own for zero keeps them.
 */
export function zeroIsPlural(texts: Messages): Messages {
  for (const text of Object.values(texts)) visit(text)
  return texts
}

/** Of a compiled text: words, and parts `[name, kind, cases]`, of which each case is such a text again. */
function visit(text: unknown): void {
  if (!Array.isArray(text)) return
  for (const part of text) {
    if (!Array.isArray(part)) continue
    const [, kind, cases] = part as [string, string?, Record<string, unknown>?]
    if (typeof cases !== 'object' || cases === null) continue
    if (kind === 'plural' && cases['0'] === undefined && cases['other'] !== undefined) cases['0'] = cases['other']
    Object.values(cases).forEach(visit)
  }
}

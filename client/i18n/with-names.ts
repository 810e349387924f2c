import type { Messages } from '@lingui/core'

/** The parts of a plural's form: its number, and what stands around it. */
const piecesOf = (form: string): string[] => form.split(/(#)/).filter(Boolean)

/**
 * Compiles a text whose places to fill are names and plurals of plain words: `Olá, {name}` is `['Olá, ', ['name'], '']`.
 * What the build leaves out of the Portuguese catalogue is compiled by this as it is shown (`client/vite.config.ts`).
 * Zero takes the plural, as `zero.ts` has it of the others.
 */
export function withNames(message: string): Exclude<Messages[string], string> {
  const parts: unknown[] = []
  const found = message.split(/\{(\w+)(?:, plural, one \{([^{}]*)\} other \{([^{}]*)\})?\}/)
  for (let at = 0; at < found.length; at += 4) {
    const [text, name, one, other] = found.slice(at, at + 4)
    parts.push(text)
    if (other !== undefined) {
      const many = piecesOf(other)
      parts.push([name, 'plural', { 0: many, one: piecesOf(one!), other: many }])
    } else if (name !== undefined) parts.push([name])
  }
  return parts as Exclude<Messages[string], string>
}

/** The rules of the pages named `SPEC.md`, and the tests that hold them. */

/** A file of the repository, read. */
export interface ReadFile {
  path: string
  text: string
}

/** A rule begins a line of a page: `- T4 A closed ticket …`. */
const ruleLine = /^- ([A-Z]{1,3}\d{1,3}) /
/** A test names its rules at the beginning of its title: `'[T4] …'`, `'[C4, C9] …'`. */
const namedRules = /['"`]\[([A-Z]{1,3}\d{1,3}(?:, [A-Z]{1,3}\d{1,3})*)\] /g

/**
 * Where the rules and the tests do not fit together: an id that stands twice on the pages, a rule that no title of a
 * test names, an id in a title that no page knows. One line each.
 */
export function ruleProblems(pages: readonly ReadFile[], tests: readonly ReadFile[]): string[] {
  const rules = new Map<string, string>()
  const problems: string[] = []
  for (const { path, text } of pages)
    for (const [index, line] of text.split('\n').entries()) {
      const id = ruleLine.exec(line)?.[1]
      if (!id) continue
      const place = `${path}:${index + 1}`
      if (rules.has(id)) problems.push(`${place} ${id} is the id of another rule: ${rules.get(id)}`)
      else rules.set(id, place)
    }
  const tested = new Set<string>()
  for (const { path, text } of tests)
    for (const [index, line] of text.split('\n').entries())
      for (const [, ids] of line.matchAll(namedRules))
        for (const id of ids!.split(', ')) {
          tested.add(id)
          if (!rules.has(id)) problems.push(`${path}:${index + 1} ${id} is the id of no rule`)
        }
  for (const [id, place] of rules) if (!tested.has(id)) problems.push(`${place} ${id} stands in the title of no test`)
  return problems
}

import type { TObject } from '@sinclair/typebox'
import { type ValueError, Value, ValueErrorType } from '@sinclair/typebox/value'

/** What is wrong with one field, without words. */
export type Problem =
  | { kind: 'required' }
  | { kind: 'tooShort' | 'tooLong' | 'tooSmall' | 'tooLarge'; limit: number }
  | { kind: 'format' }

/**
 * Measures form values against the schema that the server measures them with.
 *
 * @returns the first problem of each wrong field by its path, `schedules.0.startTime`; empty when all is well
 */
export function problemsOf(schema: TObject, values: unknown): Record<string, Problem> {
  const problems: Record<string, Problem> = {}
  for (const error of Value.Errors(schema, values)) {
    const path = error.path.slice(1).replaceAll('/', '.')
    if (path in problems) continue
    problems[path] = problemOf(error)
  }
  return problems
}

function problemOf({ type, value, schema, errors }: ValueError): Problem {
  // A field left empty is missing, whatever else the rule says about its length or form.
  if (value === '' || value === undefined || value === null) return { kind: 'required' }
  const limit = (name: string) => Number(schema[name])
  if (typeof value === 'string') {
    if (value.length < limit('minLength')) return { kind: 'tooShort', limit: limit('minLength') }
    if (value.length > limit('maxLength')) return { kind: 'tooLong', limit: limit('maxLength') }
  }
  switch (type) {
    // A number or nothing: the bound that the number breaks says more than that it is not nothing.
    case ValueErrorType.Union: {
      const problems = errors.flatMap((ofVariant) => [...ofVariant].map(problemOf))
      return problems.find(({ kind }) => kind !== 'format') ?? { kind: 'format' }
    }
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return { kind: 'tooSmall', limit: limit('minimum') }
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return { kind: 'tooLarge', limit: limit('maximum') }
    default:
      return { kind: 'format' }
  }
}

/**
 * A copy whose texts have no blanks around them. Passwords are taken as they are typed.
 */
export function trimmed<T>(values: T): T {
  if (typeof values === 'string') return values.trim() as T
  if (Array.isArray(values)) return values.map((value: unknown) => trimmed(value)) as T
  if (typeof values !== 'object' || values === null) return values
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      /password$/i.test(key) ? (value as unknown) : trimmed(value as unknown),
    ]),
  ) as T
}

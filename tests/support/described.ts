import { FormatRegistry, Kind, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

FormatRegistry.Set('date-time', (text) => new Date(text).toISOString() === text)

/**
 * Where an answer is not as `/docs/json` describes it, its status included.
 * @param name method and path of the call, as the routes have them
 */
export function unlike(description: any, name: string, { status, body }: { status: number; body: unknown }): string[] {
  const [method, path] = name.split(' ') as [string, string]
  const call = description.paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()]
  const schema = call.responses[status]?.content?.['application/json']?.schema
  if (schema === undefined) return [`nothing is said of ${status}`]
  return [...Value.Errors(checkable(schema, description), body)].map(({ path: at, message }) => `${at}: ${message}`)
}

/** A schema of the description as TypeBox checks it: what is named elsewhere is put in, and nothing more is allowed. */
function checkable(schema: any, description: any): TSchema {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map((one) => checkable(one, description)) as never
  if (schema.$ref) return checkable(description.components.schemas[schema.$ref.split('/').at(-1)], description)
  const inside = Object.fromEntries(Object.entries(schema).map(([key, one]) => [key, checkable(one, description)]))
  const kind = {
    object: 'Object',
    array: 'Array',
    string: 'String',
    integer: 'Integer',
    number: 'Number',
    boolean: 'Boolean',
    null: 'Null',
  }
  return {
    ...inside,
    ...(schema.type === 'object' && { additionalProperties: false }),
    // Anything is allowed where nothing is said.
    [Kind]: schema.anyOf ? 'Union' : (kind[schema.type as keyof typeof kind] ?? 'Any'),
  } as never
}

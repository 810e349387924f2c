import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testApp } from '../../tests/support/app.ts'

/** A schema of the description, as far as a client reads it. */
interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}
interface Operation {
  operationId?: string
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[]
  requestBody?: { content: Record<string, { schema?: Schema }> }
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>
}
interface Description {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

/** What generators make of a schema: enums become unions, numbers numbers, and what says nothing is unknown. */
function typeOf(schema: Schema | undefined): string {
  if (!schema) return 'unknown'
  if (schema.$ref) return schema.$ref.split('/').at(-1)!
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  const some = schema.anyOf ?? schema.oneOf
  if (some) return some.map((one) => `(${typeOf(one)})`).join(' | ')
  if (schema.allOf) return schema.allOf.map((one) => `(${typeOf(one)})`).join(' & ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')
  if (schema.type === 'array') return `(${typeOf(schema.items)})[]`
  if (schema.type === 'object' || schema.properties) {
    const fields = Object.entries(schema.properties ?? {}).map(
      ([name, of]) => `${JSON.stringify(name)}${schema.required?.includes(name) ? '' : '?'}: ${typeOf(of)}`,
    )
    const more = schema.additionalProperties
    if (fields.length === 0) return `Record<string, ${typeof more === 'object' ? typeOf(more) : 'unknown'}>`
    return `{ ${fields.join('; ')} }`
  }
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'string' || schema.type === 'boolean' || schema.type === 'null') return schema.type
  return 'unknown'
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** One function for each call of programs, named by its operation id. */
function clientOf({ paths, components }: Description): { source: string; names: string[] } {
  const names: string[] = []
  const calls = Object.entries(paths).flatMap(([path, of]) =>
    Object.entries(of).flatMap(([method, { operationId, parameters = [], requestBody, responses }]) => {
      if (!path.startsWith('/api/v1/') || !methods.includes(method)) return []
      names.push(operationId ?? `${method} ${path}`)
      const fields = parameters
        .filter((one) => one.in === 'path' || one.in === 'query')
        .map(
          (one) => `${JSON.stringify(one.name)}${one.required || one.in === 'path' ? '' : '?'}: ${typeOf(one.schema)}`,
        )
      const body = requestBody?.content['application/json']?.schema
      if (body) fields.push(`body: ${typeOf(body)}`)
      const answer = Object.entries(responses ?? {}).find(([status]) => status.startsWith('2'))?.[1]
      const told = typeOf(answer?.content?.['application/json']?.schema)
      return [`  ${operationId}(given: { ${fields.join('; ')} }): Promise<${told}>`]
    }),
  )
  const types = Object.entries(components?.schemas ?? {}).map(([name, schema]) => `type ${name} = ${typeOf(schema)}`)
  return { source: `${types.join('\n')}\nexport interface Client {\n${calls.join('\n')}\n}\n`, names }
}

test('a client that is generated from the description compiles: calls have good names, enums are enums and numbers numbers', async () => {
  const t = await testApp()
  const folder = await mkdtemp(join(tmpdir(), 'balcao-client-'))
  try {
    const { source, names } = clientOf((await t.call('GET', '/docs/json')).body)
    expect(names.length).toBeGreaterThan(40)
    expect(names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([])
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    await Bun.write(join(folder, 'client.ts'), source)
    await Bun.write(join(folder, 'program.ts'), program)
    const run = Bun.spawn(
      [
        process.execPath,
        'x',
        'tsc',
        '--noEmit',
        '--strict',
        '--skipLibCheck',
        '--target',
        'esnext',
        '--module',
        'esnext',
      ]
        .concat(['--moduleResolution', 'bundler', '--allowImportingTsExtensions', '--ignoreConfig'])
        .concat([join(folder, 'program.ts')]),
      { cwd: join(import.meta.dir, '../..'), stdout: 'pipe', stderr: 'pipe' },
    )
    expect([await new Response(run.stdout).text(), await run.exited]).toEqual(['', 0])
  } finally {
    await rm(folder, { recursive: true })
    await t.close()
  }
}, 60_000)

/** What an integrator writes with it; each expected error is one that the description has to make. */
const program = `import type { Client } from './client.ts'
export async function work(client: Client): Promise<void> {
  const sent = await client.sendMessage({ body: { number: '5511940001836', body: 'oi' } })
  const ticket: number = sent.ticketId
  const { records } = await client.listTickets({ limit: 50 })
  const id: number = records[0]!.id
  const status: 'open' | 'pending' | 'closed' = records[0]!.status
  await client.showTyping({ id, body: { state: 'composing' } })
  // @ts-expect-error of a state that there is not
  await client.showTyping({ id, body: { state: 'digitando' } })
  // @ts-expect-error a number is no text
  await client.listTickets({ limit: 'muitos' })
  // @ts-expect-error a place is needed in the address
  await client.listNotes({})
  console.log(ticket, id, status)
}
`

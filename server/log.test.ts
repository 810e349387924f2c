import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { readable } from './log.ts'

/** What a process of its own writes with the logger: standard output of this one belongs to the test runner. */
async function written(code: string): Promise<string> {
  const script = `const { createLogger } = await import(${JSON.stringify(join(import.meta.dir, 'log.ts'))})
    const log = createLogger({ pretty: false })
    ${code}`
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
  return new Response(child.stdout).text()
}

test('secrets are not written, at the top of a line or inside a fact', async () => {
  const text = await written(`log.info({ password: 'hunter22', user: { token: 'abc123', name: 'Ana' } }, 'login')`)
  expect(text).not.toContain('hunter22')
  expect(text).not.toContain('abc123')
  expect(JSON.parse(text)).toMatchObject({ msg: 'login', user: { name: 'Ana' } })
})

test('the values of a statement that failed are not written, wherever the error is wrapped: they are people’s', async () => {
  const text = await written(`const { DrizzleQueryError } = await import('drizzle-orm/errors')
    const failure = new DrizzleQueryError('UPDATE users SET "passwordHash" = $1', ['hunter22', 'a long\\nletter'], new Error('the database is away'))
    log.error({ err: failure }, 'a request failed')
    log.error({ err: new Error('not stored', { cause: failure }) }, 'a job failed')`)
  for (const line of text.trim().split('\n')) {
    expect(line).toContain('passwordHash')
    expect(line).toContain('the database is away')
    expect(line).not.toContain('hunter22')
    expect(line).not.toContain('letter')
  }
})

test('for a person a line is one line, with the part, the facts and an error below', async () => {
  const json = await written(`log.child({ part: 'sync' }).error({ rows: 3, err: new Error('gone') }, 'stopped')`)
  const [line = '', ...stack] = readable(json.trim()).split('\n')
  expect(line).toMatch(/^\d\d:\d\d:\d\d\.\d{3} ERROR sync: stopped rows=3$/)
  expect(stack[0]).toBe('Error: gone')
})

test('a line has its moment in UTC, and no text of anybody breaks out of it', async () => {
  const before = Date.now()
  const evil = 'x\n{"level":50,"msg":"forged"}\u001b[2J'
  const json = await written(
    `log.info({ path: ${JSON.stringify(evil)}, err: new Error(${JSON.stringify(evil)}) }, 'a call')`,
  )
  expect(json.trim().split('\n')).toHaveLength(1)
  const { time, path } = JSON.parse(json) as { time: number; path: string }
  expect([path, time >= before - 1_000 && time <= Date.now()]).toEqual([evil, true])
  const [line = '', ...stack] = readable(json.trim()).split('\n')
  expect(line).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info a call path="x\\n\{.*\\u001b\[2J"$/)
  expect(stack.join('')).not.toContain('\u001b')
})

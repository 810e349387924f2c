import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiScopes } from '../schema/api-keys/api-keys.scopes.ts'
import { signatureOf, newWebhookSecret } from '../server/signing.ts'
import { type TestApp, testApp } from './support/app.ts'

/** The examples of the guide are run as they stand there. */
const guide = readFileSync(join(import.meta.dir, '..', 'docs', 'integrator.md'), 'utf8')
const first = guide.slice(guide.indexOf('## A first message'), guide.indexOf('## A first webhook'))
const webhook = guide.slice(guide.indexOf('## A first webhook'), guide.indexOf('## Keys'))
const example = (text: string, language: string) => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(text)![1]!

let t: TestApp
let env: Record<string, string>
beforeAll(async () => {
  t = await testApp()
  const company = await t.eg.company()
  await t.eg.whatsapp(company.id, { isDefault: true, status: 'CONNECTED' })
  const admin = await t.login((await t.eg.user(company.id, { profile: 'admin' })).email)
  const { body } = await t.call('POST', '/api-keys', {
    token: admin,
    body: { name: 'O guia', scopes: [...apiScopes] },
  })
  t.app.listen({ hostname: '127.0.0.1', port: 0 })
  env = { BALCAO: `http://127.0.0.1:${t.app.server!.port}`, KEY: body.key, PATH: process.env.PATH ?? '' }
})
afterAll(async () => {
  await t.app.server?.stop(true)
  await t.close()
})

const run = async (command: string[]) => {
  const process_ = Bun.spawn(command, { env, stdout: 'pipe', stderr: 'pipe' })
  const said = await new Response(process_.stdout).text()
  const complaint = await new Response(process_.stderr).text()
  expect([await process_.exited, complaint]).toEqual([0, ''])
  return said
}

const answers: string[] = []
for (const [language, command] of [
  ['sh', (text: string) => ['sh', '-c', text]],
  ['js', (text: string) => [process.execPath, '-e', text]],
  ['python', (text: string) => ['python3', '-c', text]],
] as const) {
  const program = command('')[0]!
  test.skipIf(Bun.which(program) === null || (language === 'sh' && Bun.which('curl') === null))(
    `the first message in ${language} is sent, and is the same message as in the others`,
    async () => {
      const said = await run(command(example(first, language)))
      answers.push(/"id":"([^"]+)"/.exec(said)![1]!)
      expect(new Set(answers).size).toBe(1)
    },
    30_000,
  )
}

test('the first webhook tells a signed event from a forged one', async () => {
  const secret = newWebhookSecret()
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const port = String(probe.port)
  await probe.stop(true)
  const server = Bun.spawn([process.execPath, '-e', example(webhook, 'js')], {
    env: { ...env, SECRET: secret, PORT: port },
    stdout: 'ignore',
    stderr: 'inherit',
  })
  try {
    const body = JSON.stringify({ type: 'webhook.test', timestamp: new Date().toISOString(), data: {} })
    const at = Math.floor(Date.now() / 1_000)
    const post = async (signature: string) => {
      for (;;) {
        const answer = await fetch(`http://127.0.0.1:${port}`, {
          method: 'POST',
          body,
          headers: { 'webhook-id': 'x', 'webhook-timestamp': String(at), 'webhook-signature': signature },
        }).catch(() => undefined)
        if (answer) return answer.status
        await Bun.sleep(20)
      }
    }
    expect(await post(`v1,x ${signatureOf(secret, 'x', at, body)}`)).toBe(204)
    expect(await post(signatureOf(newWebhookSecret(), 'x', at, body))).toBe(401)
  } finally {
    server.kill()
    await server.exited
  }
}, 30_000)

test('the guide tells of every live event', () => {
  const bus = readFileSync(join(import.meta.dir, '..', 'server', 'events', 'bus.ts'), 'utf8')
  const names = [
    ...bus.slice(bus.indexOf('type EventName'), bus.indexOf('interface')).matchAll(/\| ['`]([\w-]+?)-?['`$]/g),
  ]
  const live = guide.slice(guide.indexOf('## Live events'))
  expect(names.length).toBeGreaterThan(30)
  expect(
    [...new Set(names.map(([, name]) => name!))].filter((name) => !new RegExp(`\`${name}[\`-]`).test(live)),
  ).toEqual([])
})

test('the workflow for n8n is whole', () => {
  const flow = JSON.parse(readFileSync(join(import.meta.dir, '..', 'schema', 'external', 'n8n.json'), 'utf8')) as {
    nodes: { name: string }[]
    connections: Record<string, { main: { node: string }[][] }>
  }
  const names = flow.nodes.map(({ name }) => name)
  for (const [from, { main }] of Object.entries(flow.connections))
    expect([from, ...main.flat().map(({ node }) => node)].filter((name) => !names.includes(name))).toEqual([])
})

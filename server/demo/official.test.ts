import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Stack, startStack, until } from '../../tests/support/stack.ts'
import { type DemoCloud, linkOfficial } from './official.ts'

/** The demo's official number: the server as `bun run demo` starts it, beside the simulated service as a process of its own. */
const login = { email: 'admin@padaria.test', password: 'balcao123' }
let cloud: DemoCloud
let service: Bun.Subprocess<'ignore', 'pipe', 'inherit'>
let stack: Stack
const folder = mkdtempSync(join(tmpdir(), 'demo-cloud-'))
async function startService(): Promise<void> {
  const main = join(import.meta.dir, '..', '..', 'tests', 'fakes', 'cloud-api', 'main.ts')
  const env = { ...process.env, CLOUD_STATE: join(folder, 'state.json') }
  service = Bun.spawn([process.execPath, '--no-orphans', main], { stdio: ['ignore', 'pipe', 'inherit'], env })
  const { value } = await service.stdout.getReader().read()
  cloud = JSON.parse(Buffer.from(value!).toString()) as DemoCloud
}
beforeAll(async () => {
  await startService()
  const env = { CLOUD_API_URL: cloud.apiUrl, OUTBOUND_ALLOW: '127.0.0.1' }
  stack = await startStack({ demo: true, fast: true, env })
}, 120_000)
afterAll(async () => {
  await stack.stop()
  service.kill()
  await service.exited
  rmSync(folder, { recursive: true })
}, 60_000)

interface Shown {
  people: { id: string; name: string; lines: { by: string; text: string; choices?: string[] }[] }[]
}

test('the demo has an official number: two have written, one without a number, and a campaign by a template runs', async () => {
  await linkOfficial(stack.url, cloud, login)
  // As at a later start.
  await linkOfficial(stack.url, cloud, login)
  const api = await stack.login(login.email, login.password)
  const lines = (await api('GET', '/whatsapp')) as { name: string; provider: string }[]
  expect(lines.filter(({ provider }) => provider === 'official')).toHaveLength(1)
  const waiting = async () =>
    (
      (await api('GET', '/tickets?showAll=true&status=pending')) as {
        tickets: { contact: { name: string; number: unknown } }[]
      }
    ).tickets
  const found = await until('both customers', waiting, (rows) =>
    ['Marta Queiroz', 'Lia'].every((name) => rows.some(({ contact }) => contact.name === name)),
  )
  expect(found.find(({ contact }) => contact.name === 'Lia')!.contact.number).toBeNull()
  const { records } = (await api('GET', '/campaigns')) as { records: { name: string; status: string }[] }
  expect(records.find(({ name }) => name.startsWith('Cestas'))).toMatchObject({
    status: expect.stringMatching(/EM_ANDAMENTO|FINALIZADA/),
  })
  // Whoever plays a customer sees what the bakery says, and presses it.
  const shown = async () => (await (await fetch(`${cloud.pageUrl}/state`)).json()) as Shown
  const linesOf = ({ people }: Shown) => people.find(({ name }) => name === 'Marta Queiroz')!.lines
  const menu = (await until('a menu', shown, (now) => linesOf(now).some(({ choices = [] }) => choices.length > 0)))!
  const [choice] = linesOf(menu).findLast(({ choices = [] }) => choices.length > 0)!.choices!
  const before = linesOf(menu).length
  await fetch(`${cloud.pageUrl}/say`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ person: menu.people[0]!.id, text: choice, pressed: 'yes' }),
  })
  await until('the answer to it', shown, (now) => linesOf(now).length > before + 1)
}, 90_000)

test('a template that somebody made is there after the demo starts again, and ids go on', async () => {
  interface Made {
    id: string
    name: string
  }
  const templates = async (method: string, body?: object) => {
    const answer = await fetch(`${cloud.apiUrl}/v26.0/${cloud.accountId}/message_templates`, {
      method,
      headers: { authorization: `Bearer ${cloud.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await answer.json()) as { id: string; data: Made[] }
  }
  const text = { type: 'BODY', text: 'Voltamos a abrir na segunda.' }
  const made = { name: 'aviso', language: 'pt_BR', category: 'UTILITY', components: [text] }
  const { id } = await templates('POST', made)
  service.kill()
  await service.exited
  await startService()
  const { data } = await templates('GET')
  expect(data.filter(({ name }) => name === 'aviso').map((one) => one.id)).toEqual([id])
  expect(data.filter(({ name }) => name === 'pedido_pronto')).toHaveLength(1)
  const next = await templates('POST', { ...made, name: 'outro_aviso' })
  expect(data.map((one) => one.id)).not.toContain(next.id)
}, 60_000)

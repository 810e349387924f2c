import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Stack, startStack, until } from '../../tests/support/stack.ts'
import { type DemoCloud, linkOfficial } from './official.ts'

/** The demo's official number: the server as `bun run demo` starts it, beside the simulated service as a process of its own. */
const login = { email: 'admin@padaria.test', password: 'balcao123' }
let cloud: DemoCloud
let service: Bun.Subprocess<'ignore', 'pipe', 'inherit'>
let stack: Stack
beforeAll(async () => {
  const main = join(import.meta.dir, '..', '..', 'tests', 'fakes', 'cloud-api', 'main.ts')
  service = Bun.spawn([process.execPath, '--no-orphans', main], { stdio: ['ignore', 'pipe', 'inherit'] })
  const { value } = await service.stdout.getReader().read()
  cloud = JSON.parse(Buffer.from(value!).toString()) as DemoCloud
  const env = { CLOUD_API_URL: cloud.apiUrl, OUTBOUND_ALLOW: '127.0.0.1' }
  stack = await startStack({ demo: true, fast: true, env })
}, 120_000)
afterAll(async () => {
  await stack.stop()
  service.kill()
  await service.exited
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

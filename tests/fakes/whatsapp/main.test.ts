import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { trustLoopback } from '../../../server/whatsapp/baileys.ts'
import { until } from '../../../server/whatsapp/sessions.fixture.ts'
import { Driver } from './driver.ts'
import type { FakeWhatsapp } from './server.ts'

const place = mkdtempSync(join(tmpdir(), 'balcao-fake-'))
const children: { kill(signal: 'SIGKILL'): void }[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(place, { recursive: true, force: true })
})

interface Line {
  wsUrl: string
  certKey: string
  phoneUrl: string
}
interface State {
  qrs: number
  phones: { number: string; devices: { online: boolean }[] }[]
  contacts: { number: string; name: string }[]
  threads: Record<string, { lines: { id: string; by: string; text: string; state: string }[] }>
}

async function launch(port = '0') {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'main.ts')], {
    env: { ...process.env, FAKE_PORT: port, FAKE_STATE: place },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  children.push(child)
  const { value } = await child.stdout.getReader().read()
  const line = JSON.parse(new TextDecoder().decode(value)) as Line
  const url = (path: string) => `${line.phoneUrl}ctl/${path}`
  return {
    ...line,
    stop: async () => {
      child.kill('SIGTERM')
      await child.exited
    },
    state: async () => (await (await fetch(url('state'))).json()) as State,
    post: async (path: string, body: unknown, type = 'application/json') => {
      const response = await fetch(url(path), {
        method: 'POST',
        headers: { 'content-type': type },
        body: JSON.stringify(body),
      })
      return { status: response.status, body: (await response.json()) as Record<string, string> }
    },
  }
}

test('another process can link, write, read and find everything again after a restart', async () => {
  const first = await launch()
  trustLoopback(first.wsUrl, Buffer.from(first.certKey, 'base64'))
  expect(await (await fetch(first.phoneUrl)).text()).toContain('<title>Celulares simulados')

  const ana = (await first.post('contacts', { name: 'Ana', number: '+55 21 98888-0001' })).body.number!
  expect((await first.post('contacts', { name: 'Ana 2', number: ana })).status).toBe(409)
  expect((await first.post('contacts', { name: 'x', number: '1' }, 'text/plain')).status).toBe(415)
  expect((await first.post('contacts/999/messages', { text: 'oi' })).status).toBe(404)
  expect((await first.post('scan', { qr: 'nonsense' })).status).toBe(400)
  expect((await first.post('nothing', {})).status).toBe(404)

  const driver = new Driver({ wsUrl: first.wsUrl } as FakeWhatsapp)
  driver.start((qr) => void first.post('scan', { qr }))
  await driver.on('connection.update', ({ connection }) => connection === 'open')
  const { number: phone } = (await first.state()).phones[0]!
  const said = (await first.post(`contacts/${ana}/messages`, { text: 'Bom dia' })).body.id!
  const heard = await driver.message(said)
  expect(heard.message?.conversation).toBe('Bom dia')
  await driver.sock.readMessages([heard.key])
  const answer = await driver.send(`${ana}@s.whatsapp.net`, { text: 'Bom dia, Ana' })
  const thread = () => first.state().then(({ threads }) => threads[`${phone}/${ana}`]!.lines)
  await until(async () => (await thread()).length === 2 && (await thread())[0]!.state === 'read', 'both lines')
  await first.post(`contacts/${ana}/read`, {})
  await driver.on('messages.update', (updates) =>
    updates.find((u) => u.key.id === answer.key.id && u.update.status === 4),
  )
  await driver.stop()
  await first.stop()

  const second = await launch(new URL(first.phoneUrl).port)
  expect(second.certKey).toBe(first.certKey)
  const state = await second.state()
  expect(state.contacts.map((c) => c.name)).toContain('Ana')
  expect(state.threads[`${phone}/${ana}`]!.lines.map((l) => [l.by, l.text, l.state])).toEqual([
    ['contact', 'Bom dia', 'read'],
    ['business', 'Bom dia, Ana', 'read'],
  ])
  driver.start()
  const later = (await second.post(`contacts/${ana}/messages`, { text: 'Ainda aí?' })).body.id!
  expect((await driver.message(later)).message?.conversation).toBe('Ainda aí?')
  await driver.stop()
  await second.stop()
}, 30_000)

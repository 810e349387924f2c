/**
 * A simulated official API as a process of its own, for the demo: one number, its templates, and a page on which people write
 * to it and press buttons. Of what it holds the templates outlive it, where it is told a file; the rest is gone with it.
 *
 *     PAGE_PORT    port of the page, 0 for any (default)
 *     CLOUD_STATE  file of the templates
 *
 * Prints one line of JSON when it listens, see `DemoCloud`.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DemoCloud } from '../../../server/demo/official.ts'
import { type FakeApp, FakeCloudApi, type FakePerson, type FakeState } from './server.ts'

const fake = await FakeCloudApi.open()
fake.keepsWindow = true
// Every answer has its price, or nothing of it would be seen.
fake.invoice.free = 0
fake.statuses = ['sent', 'delivered', 'read']
const app: FakeApp = { id: '700001', secret: 'secret-of-the-demo' }
fake.apps.set(app.id, app)
const account = '100001'
const number = fake.number(account)
fake.numbers.delete(number.id)
Object.assign(number, { id: '900001', display: '+55 11 3100-0001' })
fake.numbers.set(number.id, number)
const token = 'EAA-of-the-demo'
fake.tokens.set(token, {
  ...{ app, accounts: [account], isValid: true },
  scopes: ['whatsapp_business_messaging', 'whatsapp_business_management'],
})
fake.template(account, {
  ...{ name: 'pedido_pronto', category: 'UTILITY' },
  components: [
    {
      type: 'BODY',
      text: 'Olá, {{1}}! O seu pedido está pronto. Pode buscar até as 19h.',
      example: { body_text: [['Ana']] },
    },
    { type: 'FOOTER', text: 'Padaria Balcão' },
  ],
})
fake.template(account, {
  ...{ name: 'cesta_de_natal', category: 'MARKETING' },
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'Cestas de Natal' },
    {
      type: 'BODY',
      text: 'Oi, {{1}}! As cestas de Natal chegaram. Quer reservar a sua?',
      example: { body_text: [['Ana']] },
    },
    { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Quero reservar' }] },
  ],
})
const stateFile = process.env.CLOUD_STATE
if (stateFile) keepIn(stateFile)
const people: FakePerson[] = [
  fake.person('5511920100001', 'Marta Queiroz'),
  fake.person('5511920100002', 'Davi Leal'),
  // Somebody who hides their number.
  Object.assign(fake.person('5511920100003', 'Lia'), { username: 'lia.doces', isHidden: true }),
]

/** Takes up what an earlier process left there, and writes there what changes. */
function keepIn(file: string): void {
  let written = ''
  try {
    written = readFileSync(file, 'utf8')
    fake.takeUp(JSON.parse(written) as FakeState)
  } catch (error) {
    // The first time there is none.
    if ((error as { code?: string }).code !== 'ENOENT') throw error
  }
  const write = () => {
    const now = JSON.stringify(fake.kept())
    if (now === written) return
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, now)
    renameSync(`${file}.new`, file)
    written = now
  }
  setInterval(write, 250).unref()
  process.on('SIGTERM', () => {
    write()
    process.exit(0)
  })
}

interface Line {
  by: 'them' | 'us'
  text: string
  choices?: string[]
}
/** What each has said and got, in its order. */
const threads = new Map(people.map((person) => [person.userId, { said: [] as Line[], seen: 0 }]))

type Part = Record<string, unknown>
const partOf = (value: unknown): Part => (typeof value === 'object' && value !== null ? (value as Part) : {})

/** A message of ours as its reader sees it. */
function lineOf(payload: Part): Line {
  const type = String(payload['type'])
  const part = partOf(payload[type])
  if (type === 'text') return { by: 'us', text: String(part['body']) }
  if (type === 'template') {
    const known = (fake.templates.get(account) ?? []).find(({ name }) => name === part['name'])
    const texts = (part['components'] as { type: string; parameters: { text?: string }[] }[] | undefined) ?? []
    const said = (kind: string) => {
      const text = known?.components.find((one) => one['type'] === kind)?.['text']
      const given = texts.find((one) => one.type.toUpperCase() === kind)?.parameters ?? []
      return typeof text === 'string'
        ? text.replaceAll(/\{\{(\d+)\}\}/g, (_, n: string) => given[Number(n) - 1]?.text ?? '')
        : ''
    }
    const buttons = (known?.components.find((one) => one['type'] === 'BUTTONS')?.['buttons'] ?? []) as {
      text: string
    }[]
    const text = ['HEADER', 'BODY', 'FOOTER'].map(said).filter(Boolean).join('\n')
    return { by: 'us', text, choices: buttons.map((button) => button.text) }
  }
  if (type === 'interactive') {
    const action = partOf(part['action'])
    const buttons = (action['buttons'] as { reply: { title: string } }[] | undefined) ?? []
    const sections = (action['sections'] as { rows: { title: string }[] }[] | undefined) ?? []
    const choices = [
      ...buttons.map(({ reply }) => reply.title),
      ...sections.flatMap(({ rows }) => rows.map(({ title }) => title)),
    ]
    return { by: 'us', text: String(partOf(part['body'])['text'] ?? ''), choices }
  }
  if (type === 'location') return { by: 'us', text: `📍 ${String(part['name'] ?? '')}` }
  if (type === 'contacts') {
    const cards = payload['contacts'] as { name: { formatted_name: string } }[]
    return { by: 'us', text: `👤 ${cards.map(({ name }) => name.formatted_name).join(', ')}` }
  }
  return { by: 'us', text: `[${type}] ${String(part['caption'] ?? '')}` }
}

const threadOf = (person: FakePerson): Line[] => {
  const thread = threads.get(person.userId)!
  for (const { payload } of person.inbox.slice(thread.seen)) thread.said.push(lineOf(payload))
  thread.seen = person.inbox.length
  return thread.said
}
const stateOf = () => ({
  number: number.display,
  people: people.map((person) => ({
    id: person.userId,
    name: person.name,
    hint: person.isHidden ? `@${person.username}` : `+${person.number}`,
    lines: threadOf(person),
  })),
})

const page = await Bun.file(join(import.meta.dir, 'page.html')).text()
const web = Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PAGE_PORT ?? 0),
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/') return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } })
    if (pathname === '/state') return Response.json(stateOf())
    if (request.method !== 'POST') return new Response('', { status: 404 })
    // Other pages of the browser have no business here.
    if (request.headers.get('content-type') !== 'application/json') return new Response('', { status: 415 })
    const body = (await request.json()) as Record<string, string>
    if (pathname === '/callback')
      return Response.json({ taken: await fake.setCallback(app, body['url'] ?? '', body['verifyToken'] ?? '') })
    const person = people.find(({ userId }) => userId === body['person'])
    const text = (body['text'] ?? '').slice(0, 4_000)
    if (pathname !== '/say' || !person || !text.trim()) return new Response('', { status: 404 })
    const shown = threadOf(person)
    const last = person.inbox.at(-1)
    shown.push({ by: 'them', text })
    const isMenu = last?.payload['type'] === 'interactive' && lineOf(last.payload).choices?.includes(text)
    // A button of a template is told as such, one of a menu as a choice.
    if (isMenu) await fake.presses(person, number, text)
    else if (body['pressed']) await fake.says(person, number, { type: 'button', button: { payload: text, text } })
    else await fake.text(person, number, text)
    return Response.json({})
  },
})

const greeting: DemoCloud = {
  apiUrl: fake.url,
  pageUrl: `http://localhost:${web.port}`,
  ...{ phoneNumberId: number.id, accountId: account, token, appSecret: app.secret },
}
process.stdout.write(`${JSON.stringify(greeting)}\n`)

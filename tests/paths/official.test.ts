import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type FlowNode, newData, newGraph, newNode, optionPort } from '../../schema/flows/flows.graph.ts'
import { newId } from '../../schema/ids.ts'
import { FakeCloudApi, type FakeNumber, type FakePerson } from '../fakes/cloud-api/server.ts'
import { dose } from '../support/dose.ts'
import { testDatabase, type TestDatabase } from '../support/postgres.ts'
import { adminEmail, adminPassword, type Api, type Stack, startStack, until } from '../support/stack.ts'

/** The whole product with a number of the official API: what is written there, what is answered, and a server that is killed meanwhile. */
/** What was asked for and not called for when the server died waits two minutes for its state: too long for every run. */
const kills = dose(0, 200)
/** Whose message waits so is silent until the end: so often other people begin to write. */
const KILLS_OF_EACH = 20
/** On a machine with other work a start takes longer than here: so long, and the kills that were until then are told. */
const KILLING_MS = 45 * 60_000
let fake: FakeCloudApi
let database: TestDatabase
let stack: Stack
let api: Api & { token: string }
let number: FakeNumber
let connection: { id: number }
beforeAll(async () => {
  fake = await FakeCloudApi.open()
  database = await testDatabase()
  stack = await startStack({
    env: { DATABASE_URL: database.url, CLOUD_API_URL: fake.url, OUTBOUND_ALLOW: '127.0.0.1' },
  })
  api = await stack.login(adminEmail, adminPassword)
  const app = fake.app()
  number = fake.number()
  const official = {
    ...{ phoneNumberId: number.id, accountId: number.account, token: fake.token(app, [number.account]) },
    ...{ appSecret: app.secret, verifyToken: 'a-word-of-ours' },
  }
  connection = (await api('POST', '/whatsapp', { name: 'Oficial', provider: 'official', official })) as { id: number }
  const { webhookPath } = (await api('GET', `/whatsapp/${connection.id}/official`)) as { webhookPath: string }
  expect(await fake.setCallback(app, `${stack.url}${webhookPath}`, 'a-word-of-ours')).toBe(true)
  await api('POST', `/whatsapp/${connection.id}/official/subscribe`)
}, 120_000)
afterAll(async () => {
  await stack?.stop()
  await database?.close()
  await fake?.stop()
}, 60_000)

interface TicketRow {
  id: number
  status: string
  contactId: number
  contact: { number: string | null; name: string }
}
const ticketsOf = async (status: string) =>
  ((await api('GET', `/tickets?showAll=true&status=${status}`)) as { tickets: TicketRow[] }).tickets
const ticketWith = async (person: FakePerson, status: string) =>
  (
    await until(
      `a ticket with ${person.number}`,
      () => ticketsOf(status),
      (rows) => rows.some(({ contact }) => contact.number === person.number),
    )
  ).find(({ contact }) => contact.number === person.number)!
interface Row {
  id: string
  wid: string
  body: string
  ack: number
  ackError: string | null
  mediaUrl: string | null
  mediaState: string
  reactions: unknown[]
  quotedMsgId: string | null
}
const messagesIn = async (ticketId: number) =>
  ((await api('GET', `/messages/${ticketId}`)) as { messages: Row[] }).messages
const command = (name: string, input: unknown) => stack.sendUntilAnswered(api.token, { id: newId(), name, input })
const own = async (ticketId: number, id: string) => (await messagesIn(ticketId)).find((row) => row.id === id)
const textsOf = ({ inbox }: FakePerson) =>
  inbox.flatMap(({ payload }) => (payload['text'] as { body: string } | undefined)?.body ?? [])

test('it is connected, shows its number, and offers what its wire can', async () => {
  const row = (await until(
    'the connection',
    () => api('GET', `/whatsapp/${connection.id}`) as Promise<{ status: string; number: string }>,
    ({ status }) => status === 'CONNECTED',
  )) as { number: string }
  expect(row.number).toBe(number.display.replaceAll(/\D/g, ''))
  expect(await api('GET', `/whatsapp/${connection.id}/health`)).toMatchObject({ state: 'open', lastError: null })
}, 60_000)

test('a customer writes, is answered with a quote, reacts; a picture comes, and a refusal says why', async () => {
  const ana = fake.person()
  const asked = await fake.text(ana, number, 'Tem bolo de fubá?')
  const { id: ticketId, contact } = await ticketWith(ana, 'pending')
  expect(contact.name).toBe('Ana')
  await command('tickets.accept', { ticketId })
  const question = (await messagesIn(ticketId)).find(({ wid }) => wid === asked)!
  const answer = newId()
  await command('messages.send', { id: answer, ticketId, body: 'Tem sim', quotedMsgId: question.id })
  await until(
    'its delivery',
    () => own(ticketId, answer),
    (row) => row?.ack === 3,
  )
  expect(ana.inbox[0]!.payload).toMatchObject({ context: { message_id: asked }, biz_opaque_callback_data: answer })
  const { wamid } = ana.inbox[0]!
  await fake.says(ana, number, { type: 'reaction', reaction: { message_id: wamid, emoji: '❤️' } })
  await fake.text(ana, number, 'Quero dois', { context: { from: number.display, id: wamid } })
  await fake.says(ana, number, { type: 'image', image: fake.file(Buffer.from('a picture'), 'image/jpeg') })
  const rows = await until(
    'all of it',
    () => messagesIn(ticketId),
    (found) => found.some(({ body }) => body === 'Quero dois') && found.some(({ mediaUrl }) => mediaUrl !== null),
  )
  expect(rows.find(({ id }) => id === answer)!.reactions).toMatchObject([{ emoji: '❤️', by: ana.number }])
  expect(rows.find(({ body }) => body === 'Quero dois')!.quotedMsgId).toBe(answer)

  ana.refuseWith = 131047
  const late = newId()
  await command('messages.send', { id: late, ticketId, body: 'Ainda quer?' })
  const refused = await until(
    'the refusal',
    () => own(ticketId, late),
    (row) => row?.ack === 0,
  )
  expect(refused!.ackError).toBe('cloud_window_closed:131047')
}, 60_000)

test('a customer who hides their number is served from the first message to the last', async () => {
  const bia = Object.assign(fake.person(undefined, 'Bia'), { isHidden: true, username: 'bia.doces' })
  const { number: phone } = bia
  const asked = await fake.text(bia, number, 'Vocês entregam?')
  const theirs = (rows: TicketRow[]) => rows.find(({ contact }) => contact.name === 'Bia')
  const ticket = theirs(
    await until(
      'their ticket',
      () => ticketsOf('pending'),
      (rows) => theirs(rows) !== undefined,
    ),
  )!
  expect(ticket.contact.number).toBeNull()
  const { id: ticketId, contactId } = ticket
  await command('tickets.accept', { ticketId })
  const answer = newId()
  const question = (await messagesIn(ticketId)).find(({ wid }) => wid === asked)!
  await command('messages.send', { id: answer, ticketId, body: 'Sim, {{name}}', quotedMsgId: question.id })
  await until(
    'its delivery',
    () => own(ticketId, answer),
    (row) => row?.ack === 3,
  )
  expect(bia.inbox[0]!.payload).toMatchObject({ recipient: bia.userId, context: { message_id: asked } })
  expect(bia.inbox[0]!.payload).not.toHaveProperty('to')
  const { wamid } = bia.inbox[0]!
  await fake.says(bia, number, { type: 'reaction', reaction: { message_id: wamid, emoji: '❤️' } })
  await until(
    'the heart',
    () => own(ticketId, answer),
    (row) => row?.reactions.length === 1,
  )
  await command('messages.react', { messageId: question.id, emoji: '👍' })
  await until(
    'ours',
    () => Promise.resolve(fake.asked),
    (all) => all.some(({ type, recipient }) => type === 'reaction' && recipient === bia.userId),
  )

  // They are found, and nothing is shown in place of the number.
  const found = (await api('GET', '/contacts?searchParam=bia.doces')) as { contacts: { id: number; number: null }[] }
  expect(found.contacts).toMatchObject([{ id: contactId, number: null, username: 'bia.doces' }])

  // Moved without a word of the numbers, and still one contact; then they are asked, and give it.
  await fake.moves(bia, number, `55119${String(70_000_000 + ticketId)}`)
  await fake.text(bia, number, 'Mudei de aparelho')
  await until(
    'what they wrote',
    () => messagesIn(ticketId),
    (rows) => rows.some(({ body }) => body === 'Mudei de aparelho'),
  )
  const asking = newId()
  await command('messages.send', { id: asking, ticketId, body: 'Qual é o seu número?', asksNumber: true })
  await until(
    'the question',
    () => own(ticketId, asking),
    (row) => row?.ack === 3,
  )
  expect(bia.inbox.at(-1)!.payload).toMatchObject({
    ...{ recipient: bia.userId, type: 'interactive' },
    interactive: { type: 'request_contact_info', body: { text: 'Qual é o seu número?' } },
  })
  await fake.givesNumber(bia, number)
  const contact = () => api('GET', `/contacts/${contactId}`) as Promise<{ number: string | null }>
  await until('the number', contact, (row) => row.number === bia.number)
  expect(bia.number).not.toBe(phone)
  const last = newId()
  await command('messages.send', { id: last, ticketId, body: 'Obrigado' })
  await until(
    'the last word',
    () => own(ticketId, last),
    (row) => row?.ack === 3,
  )
  expect(bia.inbox.at(-1)!.payload).toMatchObject({ to: `+${bia.number}` })
  await command('tickets.resolve', { ticketId })
  expect((await ticketsOf('closed')).filter((row) => row.contactId === contactId)).toHaveLength(1)
}, 60_000)

test('the menus of queues are pressed: what is pressed counts as what stands on it', async () => {
  const [app, own] = [fake.app(), fake.number()]
  const official = {
    ...{ phoneNumberId: own.id, accountId: own.account, token: fake.token(app, [own.account]) },
    ...{ appSecret: app.secret, verifyToken: 'a-word-of-ours' },
  }
  const queue = async (name: string, color: string) =>
    (
      (await api('POST', '/queue', { name, color, greetingMessage: `Aqui é ${name}.` })) as {
        id: number
      }
    ).id
  const sales = await queue('Vendas', '#112233')
  const money = await queue('Financeiro e cobrança', '#112234')
  const line = {
    name: 'Menus',
    provider: 'official',
    official,
    queueIds: [sales, money],
    greetingMessage: 'Olá, {{firstName}}!',
  }
  const { id } = (await api('POST', '/whatsapp', line)) as { id: number }
  const { webhookPath } = (await api('GET', `/whatsapp/${id}/official`)) as { webhookPath: string }
  expect(await fake.setCallback(app, `${stack.url}${webhookPath}`, 'a-word-of-ours')).toBe(true)
  await api('POST', `/whatsapp/${id}/official/subscribe`)
  const eva = fake.person(undefined, 'Eva Dias')
  await fake.text(eva, own, 'oi')
  await until(
    'the menu',
    () => Promise.resolve(eva.inbox.length),
    (n) => n === 1,
  )
  expect(eva.inbox[0]!.payload).toMatchObject({
    type: 'interactive',
    interactive: { type: 'list', body: { text: 'Olá, Eva!' } },
  })
  await fake.presses(eva, own, 'Financeiro e cobrança')
  await until(
    'its greeting',
    () => Promise.resolve(textsOf(eva)),
    (said) => said.includes('Aqui é Financeiro e cobrança.'),
  )
  const { id: ticketId } = await ticketWith(eva, 'pending')
  // People read both as words.
  const bodies = (await messagesIn(ticketId)).map(({ body }) => body)
  expect(bodies).toEqual([
    ...['oi', 'Olá, Eva!\n\n*[ 1 ]* - Vendas\n*[ 2 ]* - Financeiro e cobrança', 'Financeiro e cobrança'],
    'Aqui é Financeiro e cobrança.',
  ])
  const { queueId } = (await api('GET', `/tickets/${ticketId}`)) as { queueId: number }
  expect(queueId).toBe(money)
}, 60_000)

test('a flow’s menu is pressed, and the flow goes on by what stands on the button; words still count, too', async () => {
  const [app, own] = [fake.app(), fake.number()]
  const official = {
    ...{ phoneNumberId: own.id, accountId: own.account, token: fake.token(app, [own.account]) },
    ...{ appSecret: app.secret, verifyToken: 'a-word-of-ours' },
  }
  const says = (id: string, text: string) => ({ ...newNode('message', id, 600, 0), data: { text } }) as FlowNode
  const options = [
    { number: 1, label: 'Fazer um pedido' },
    { number: 2, label: 'Falar com alguém' },
  ]
  const menu = {
    ...newNode('menu', 'm1', 300, 0),
    data: { ...newData('menu'), message: 'O que deseja?', options },
    exits: { [optionPort(1)]: 'a1', [optionPort(2)]: 'a2' },
  } as FlowNode
  const nodes = [
    { ...newGraph().nodes[0]!, exits: { a: 'm1' } },
    menu,
    { ...says('a1', 'Qual bolo?'), exits: { a: 'm2' } },
    says('a2', 'Já chamo.'),
    {
      ...menu,
      id: 'm2',
      data: { ...menu.data, message: 'De quê?' },
      exits: { [optionPort(1)]: 'a2', [optionPort(2)]: 'a2' },
    },
  ]
  const { id: flowId } = (await api('POST', '/flowbuilder', { name: 'Balcão', nodes })) as { id: number }
  await api('POST', `/flowbuilder/${flowId}/publish`)
  await api('POST', '/flowdefault', { flowIdWelcome: flowId, flowIdPhrase: null })
  const made = { name: 'Fluxo', provider: 'official', official }
  const { id } = (await api('POST', '/whatsapp', made)) as { id: number }
  const { webhookPath } = (await api('GET', `/whatsapp/${id}/official`)) as { webhookPath: string }
  expect(await fake.setCallback(app, `${stack.url}${webhookPath}`, 'a-word-of-ours')).toBe(true)
  await api('POST', `/whatsapp/${id}/official/subscribe`)
  const lia = fake.person(undefined, 'Lia Souza')
  const got = (n: number) =>
    until(
      `${n} messages`,
      () => Promise.resolve(lia.inbox.length),
      (length) => length === n,
    )
  await fake.text(lia, own, 'oi')
  await got(1)
  expect(lia.inbox[0]!.payload).toMatchObject({
    type: 'interactive',
    interactive: { type: 'button', body: { text: 'O que deseja?' } },
  })
  await fake.presses(lia, own, 'Fazer um pedido')
  await got(3)
  expect(lia.inbox.slice(1).map(({ payload }) => payload)).toMatchObject([
    { type: 'text', text: { body: 'Qual bolo?' } },
    { type: 'interactive', interactive: { type: 'button', body: { text: 'De quê?' } } },
  ])
  // What is typed in the place of a press is the same.
  await fake.text(lia, own, '2')
  await got(4)
  expect(textsOf(lia)).toEqual(['Qual bolo?', 'Já chamo.'])
  await api('PUT', '/flowdefault', { flowIdWelcome: null, flowIdPhrase: null })
}, 60_000)

test('a phone that shares its number brings its conversations and names along, quietly, when the webhook is there', async () => {
  const [app, shared] = [fake.app(), fake.number()]
  const [rui, days] = ['5511955550001', 86_400_000]
  const line = (id: string, fromMe: boolean, ago: number, message: Record<string, unknown>) => ({
    ...{ id, fromMe, at: Date.now() - ago * days, message },
  })
  const text = (body: string) => ({ type: 'text', text: { body } })
  const many = Array.from({ length: 250 }, (_, i) => line(`wamid.P${i}`, i % 2 === 1, 100 - i / 4, text(`dia ${i}`)))
  const image = line('wamid.PI', false, 2, { type: 'image', image: fake.file(Buffer.from('a cake'), 'image/jpeg') })
  shared.past = { asked: [], book: new Map([[rui, 'Rui Alves']]), threads: new Map([[rui, [...many, image]]]) }
  const official = {
    ...{ phoneNumberId: shared.id, accountId: shared.account, token: fake.token(app, [shared.account]) },
    ...{ appSecret: app.secret, verifyToken: 'a-word-of-ours', coexistence: true },
  }
  const { id } = (await api('POST', '/whatsapp', { name: 'Celular', provider: 'official', official })) as { id: number }
  interface Shown {
    webhookPath: string
    history: { state: string; progress: number; count: number; waiting: number; askedAt: string }
  }
  const shown = () => api('GET', `/whatsapp/${id}/official`) as Promise<Shown>
  const { webhookPath, history } = await shown()
  expect(history).toEqual({ state: null, progress: 0, count: 0, waiting: 0, askedAt: null } as never)
  expect(await fake.setCallback(app, `${stack.url}${webhookPath}`, 'a-word-of-ours')).toBe(true)
  await api('POST', `/whatsapp/${id}/official/subscribe`)
  expect(shared.past.asked).toEqual(['smb_app_state_sync', 'history'])
  // The last piece counts before its job is over.
  const isOver = ({ history: { state, count, waiting } }: Shown) => state === 'told' && count === 251 && waiting === 0
  const end = await until('the end of it', shown, isOver)
  expect(end.history).toMatchObject({ progress: 100, waiting: 0, askedAt: expect.any(String) })
  const { id: ticketId, contact } = await ticketWith({ number: rui } as FakePerson, 'closed')
  expect(contact.name).toBe('Rui Alves')
  const newest = await until(
    'the picture',
    () => messagesIn(ticketId),
    (rows) => rows.some(({ wid, mediaUrl }) => wid === 'wamid.PI' && mediaUrl !== null),
  )
  expect(newest.at(-1)).toMatchObject({ wid: 'wamid.PI', ack: 1 })
  // Each is given once: whoever subscribes again asks for nothing.
  await api('POST', `/whatsapp/${id}/official/subscribe`)
  expect(shared.past.asked).toHaveLength(2)
}, 60_000)

test('killed again and again, under doubles, shuffles and lost answers, nothing is lost and nothing doubled at the contact', async () => {
  const tickets = new Map<FakePerson, number>()
  /** Under one key, also where a sign-in ends between two tries. */
  const toldOnce = async (name: string, input: unknown) => {
    for (const id = newId(); ; await Bun.sleep(50))
      try {
        return await stack.sendUntilAnswered(api.token, { id, name, input })
      } catch (error) {
        if (!/ERR_(?:SESSION|TOKEN)_EXPIRED/.test(String(error))) throw error
      }
  }
  const [said, heard] = [new Map<FakePerson, string[]>(), new Map<FakePerson, string[]>()]
  const noted = (in_: Map<FakePerson, string[]>, person: FakePerson, text: string) =>
    in_.set(person, [...(in_.get(person) ?? []), text])
  /** Three people with whom somebody begins to talk, until it is said that it is enough. */
  async function begin() {
    fake.copies = 1
    const people = [fake.person(), fake.person(), fake.person()]
    for (const person of people) await fake.text(person, number, 'oi')
    for (const person of people) {
      const { id: ticketId } = await ticketWith(person, 'pending')
      await command('tickets.accept', { ticketId })
      tickets.set(person, ticketId)
    }
    fake.copies = 2
    let going = true
    const talk = people.map(async (person) => {
      for (let n = 0; going; n++) {
        if (n % 3 === 0) fake.troubles.push('lost')
        const text = `resposta ${n} a ${person.number}`
        await toldOnce('messages.send', { id: newId(), ticketId: tickets.get(person)!, body: text })
        noted(said, person, text)
        const question = `pergunta ${n} de ${person.number}`
        noted(heard, person, question)
        await fake.text(person, number, question)
      }
    })
    const end = async () => {
      for (const person of people)
        await until(
          'some words',
          async () => said.get(person)?.length ?? 0,
          (count) => count >= 8,
        )
      going = false
      await Promise.all(talk)
    }
    return end
  }
  const begun = Date.now()
  let killed = 0
  do {
    const end = await begin()
    const last = Math.min(kills, killed + KILLS_OF_EACH)
    for (; killed < last && Date.now() - begun < KILLING_MS; killed++) {
      await Bun.sleep(700)
      await stack.kill()
      await stack.start()
    }
    // A sign-in is good for a quarter of an hour.
    api = await stack.login(adminEmail, adminPassword)
    await end()
  } while (killed < kills && Date.now() - begun < KILLING_MS)
  fake.copies = 1
  const answers = [...said.values()].flat().length
  const minutes = Math.round((Date.now() - begun) / 60_000)
  if (kills > 0) process.stdout.write(`${killed} kills in ${minutes} minutes, ${answers} answers\n`)
  for (const [person, ticketId] of tickets) {
    await until(
      `the last answer to ${person.number}`,
      async () => textsOf(person),
      (texts) => said.get(person)!.every((text) => texts.includes(text)),
      // What was noted and perhaps sent when the server died waits two minutes for its status, and what is behind it, too.
      180_000 + killed * 2_000,
    )
    expect(textsOf(person)).toEqual(said.get(person)!)
    const questions = await until(
      `the last question of ${person.number}`,
      async () => allBodies(ticketId),
      (bodies) => heard.get(person)!.every((text) => bodies.includes(text)),
    )
    expect(questions.filter((body) => body.startsWith('pergunta'))).toHaveLength(heard.get(person)!.length)
    expect(new Set(questions).size).toBe(questions.length)
  }
}, 4_500_000)

async function allBodies(ticketId: number): Promise<string[]> {
  const rows = await database.sql<{ body: string }[]>`
    SELECT "body" FROM messages WHERE "ticketId" = ${ticketId} AND NOT "fromMe" ORDER BY "createdAt", "id"`
  return rows.map(({ body }) => body)
}

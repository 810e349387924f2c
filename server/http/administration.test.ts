import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { MASK } from '../../schema/secrets.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import { newId } from '../../schema/ids.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { PASSWORD, type TestApp, testApp } from '../../tests/support/app.ts'
import { addJobs } from '../jobs/queue.ts'
import { readSecrets } from '../settings/settings.queries.ts'
import { sweepJobs } from '../jobs/sweep.ts'

let t: TestApp
let operator: string
beforeAll(async () => {
  t = await testApp()
  const first = await t.eg.company()
  operator = await t.login((await t.eg.user(first.id, { profile: 'admin', super: true })).email)
})
afterAll(() => t.close())

async function office(limits = { users: 20, connections: 20, queues: 20 }) {
  const { db } = t.database
  const company = await t.eg.company({ plan: limits })
  const admin = await t.eg.user(company.id, { profile: 'admin' })
  const agent = await t.eg.user(company.id)
  return { db, company, admin, agent, asAdmin: await t.login(admin.email), asAgent: await t.login(agent.email) }
}
type Office = Awaited<ReturnType<typeof office>>
const calls = (token: string) => ({
  get: (path: string) => t.call('GET', path, { token }),
  post: (path: string, body: unknown = {}) => t.call('POST', path, { token, body }),
  put: (path: string, body: unknown = {}) => t.call('PUT', path, { token, body }),
  delete: (path: string) => t.call('DELETE', path, { token }),
})

describe('users', () => {
  const newUser = (values: Record<string, unknown> = {}) => ({
    name: 'Ana',
    email: `ana${Math.random()}@example.test`,
    password: PASSWORD,
    profile: 'user',
    queueIds: [],
    ...values,
  })

  test('are made by admins, with queues, and can log in', async () => {
    const o = await office()
    const queue = await t.eg.queue(o.company.id)
    const made = await calls(o.asAdmin).post(
      '/users',
      newUser({ email: 'Nova@Example.test', queueIds: [queue.id], companyId: 1, super: true }),
    )
    expect(made.body).toMatchObject({
      email: 'nova@example.test',
      profile: 'user',
      super: false,
      companyId: o.company.id,
      queues: [{ id: queue.id }],
    })
    expect(made.body.passwordHash).toBeUndefined()
    await t.login('nova@example.test')
    expect((await calls(o.asAgent).post('/users', newUser())).body.error).toBe('ERR_NO_PERMISSION')
    expect((await calls(o.asAdmin).post('/users', newUser({ email: 'NOVA@example.test' }))).body.error).toBe(
      'ERR_DUPLICATED_EMAIL',
    )
  })

  test('with a wrong field are refused, and the password is not repeated in the answer', async () => {
    const o = await office()
    const other = await office()
    const foreign = await t.eg.queue(other.company.id)
    for (const values of [
      { name: 'A' },
      { name: 'A'.repeat(51) },
      { email: 'x' },
      { password: '1234' },
      { password: 'x'.repeat(129) },
      { profile: 'root' },
      { queueIds: ['x'] },
      { name: 'a\0b' },
    ]) {
      const refused = await calls(o.asAdmin).post('/users', newUser({ password: 'qwertzuiop', ...values }))
      expect([values, refused.status, refused.body.error]).toEqual([values, 400, 'ERR_VALIDATION'])
      expect(JSON.stringify(refused.body)).not.toContain('qwertzuiop')
    }
    expect((await calls(o.asAdmin).post('/users', newUser({ queueIds: [foreign.id] }))).body.error).toBe(
      'ERR_NO_QUEUE_FOUND',
    )
  })

  test('beyond the plan are refused with the number, also when two come at once', async () => {
    const o = await office({ users: 3, connections: 0, queues: 0 })
    const replies = await Promise.all([1, 2, 3].map(() => calls(o.asAdmin).post('/users', newUser())))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.find(({ status }) => status === 400)!.body).toEqual({
      error: 'ERR_PLAN_LIMIT',
      limit: 3,
      what: 'users',
    })
  })

  test('see tickets without a queue by the words that older clients know', async () => {
    const o = await office()
    const { post, put, get } = calls(o.asAdmin)
    const { body: made } = await post('/users', newUser())
    expect(made.allTicket).toBe('desabled')
    expect((await put(`/users/${made.id}`, { allTicket: 'enabled' })).body.allTicket).toBe('enabled')
    expect((await get(`/users/${made.id}`)).body.allTicket).toBe('enabled')
    expect((await put(`/users/${made.id}`, { allTicket: 'desabled' })).body.allTicket).toBe('desabled')
    expect((await put(`/users/${made.id}`, { allTicket: true })).status).toBe(400)
    expect((await get('/auth/me')).body).toMatchObject({ allTicket: 'desabled' })
  })

  test('change their own name and password, but not their own rights', async () => {
    const o = await office()
    const queue = await t.eg.queue(o.company.id)
    const self = `/users/${o.agent.id}`
    const mine = (await calls(o.asAgent).get(self)).body
    expect((await calls(o.asAgent).put(self, { ...mine, name: 'Novo Nome', password: '' })).body.name).toBe('Novo Nome')
    for (const values of [{ profile: 'admin' }, { allTicket: 'enabled' }, { queueIds: [queue.id] }]) {
      expect((await calls(o.asAgent).put(self, values)).body.error).toBe('ERR_NO_PERMISSION')
    }
    expect((await calls(o.asAgent).put(`/users/${o.admin.id}`, { name: 'Xxx' })).body.error).toBe('ERR_NO_PERMISSION')
    const next = { password: 'outra senha', currentPassword: PASSWORD }
    expect((await calls(o.asAgent).put(self, next)).status).toBe(200)
    expect((await calls(o.asAgent).get('/auth/me')).status).toBe(401)
    await t.login(o.agent.email, 'outra senha')
  })

  test('say their current password when they change it, or their own e-mail; admins change others’ without', async () => {
    const o = await office()
    const asked = { status: 400, body: { error: 'ERR_CURRENT_PASSWORD_REQUIRED' } }
    for (const [user, token] of [
      [o.agent, o.asAgent],
      [o.admin, o.asAdmin],
    ] as const) {
      const self = `/users/${user.id}`
      const email = `novo.${user.email}`
      for (const values of [{ email }, { password: 'outra senha' }, { email, currentPassword: '' }])
        expect(await calls(token).put(self, values)).toMatchObject(asked)
      expect(await calls(token).put(self, { email, currentPassword: 'errada' })).toMatchObject({
        status: 400,
        body: { error: 'ERR_CURRENT_PASSWORD' },
      })
      // What older clients send when only the name changes.
      const unchanged = { name: 'Outro Nome', email: user.email.toUpperCase(), password: '' }
      expect((await calls(token).put(self, unchanged)).status).toBe(200)
      expect((await calls(token).put(self, { email, currentPassword: PASSWORD })).body.email).toBe(email)
    }
    const others = { email: `de.novo.${o.agent.email}`, password: 'dada pelo admin' }
    expect((await calls(o.asAdmin).put(`/users/${o.agent.id}`, others)).status).toBe(200)
    await t.login(others.email, others.password)
  })

  test('cannot try passwords on a session that stands open', async () => {
    const o = await office()
    const put = (currentPassword: string) =>
      calls(o.asAgent).put(`/users/${o.agent.id}`, { password: 'outra senha', currentPassword })
    for (let i = 0; i < 8; i++) expect((await put(`errada ${i}`)).status).toBe(400)
    expect((await put(PASSWORD)).status).toBe(429)
  })

  test('cannot ask which e-mails exist in other companies, neither by taking them nor by making users', async () => {
    const { agent: foreign } = await office()
    const o = await office()
    const take = () => calls(o.asAgent).put(`/users/${o.agent.id}`, { email: foreign.email, currentPassword: PASSWORD })
    for (let i = 0; i < 10; i++) expect((await take()).body.error).toBe('ERR_DUPLICATED_EMAIL')
    expect(await take()).toMatchObject({ status: 429, body: { error: 'ERR_TOO_MANY_ATTEMPTS' } })
    const make = (email: string) => calls(o.asAdmin).post('/users', newUser({ email }))
    for (let i = 0; i < 10; i++) expect((await make(foreign.email)).body.error).toBe('ERR_DUPLICATED_EMAIL')
    expect((await make(foreign.email)).status).toBe(429)
  })

  test('are found by e-mail by admins only, who see it', async () => {
    const o = await office()
    const search = async (token: string) =>
      (await calls(token).get(`/users?searchParam=${encodeURIComponent(o.admin.email)}`)).body
    expect(await search(o.asAdmin)).toMatchObject({ count: 1, users: [{ id: o.admin.id }] })
    expect(await search(o.asAgent)).toMatchObject({ count: 0, users: [] })
  })

  test('given another queue see its tickets with the next call', async () => {
    const o = await office()
    const queue = await t.eg.queue(o.company.id)
    const ticket = await t.eg.ticket(o.company.id, { queueId: queue.id })
    expect((await calls(o.asAgent).get(`/tickets/${ticket.id}`)).status).toBe(404)
    await calls(o.asAdmin).put(`/users/${o.agent.id}`, { queueIds: [queue.id] })
    expect((await calls(o.asAgent).get(`/tickets/${ticket.id}`)).status).toBe(200)
    await calls(o.asAdmin).put(`/users/${o.agent.id}`, { queueIds: [] })
    expect((await calls(o.asAgent).get(`/tickets/${ticket.id}`)).status).toBe(404)
  })

  test('that are deleted leave their open tickets waiting; oneself and the last admin stay', async () => {
    const o = await office()
    const ticket = await t.eg.ticket(o.company.id, { status: 'open', userId: o.agent.id })
    expect((await calls(o.asAdmin).delete(`/users/${o.admin.id}`)).body.error).toBe('ERR_DELETE_SELF')
    expect((await calls(o.asAdmin).put(`/users/${o.admin.id}`, { profile: 'user' })).body.error).toBe('ERR_LAST_ADMIN')
    expect((await calls(o.asAdmin).delete(`/users/${o.agent.id}`)).status).toBe(200)
    const [row] = await o.db.select().from(tickets).where(eq(tickets.id, ticket.id))
    expect(row).toMatchObject({ status: 'pending', userId: null })
    expect((await calls(o.asAgent).get('/tickets')).status).toBe(401)
  })

  test('do not see each other’s e-mail, and admins do', async () => {
    const o = await office()
    const found = (reply: { body: { users: { id: number; email?: string }[] } }) =>
      reply.body.users.find(({ id }) => id === o.admin.id)!.email
    expect(found(await calls(o.asAgent).get('/users?searchParam=user'))).toBeUndefined()
    expect(found(await calls(o.asAdmin).get('/users/?searchParam=USER&pageNumber=1'))).toBe(o.admin.email)
    expect((await calls(o.asAgent).get('/users/list')).body).toHaveLength(2)
  })
})

describe('queues', () => {
  const queue = (values: Record<string, unknown> = {}) => ({
    name: 'Vendas',
    color: '#AABBCC',
    greetingMessage: 'Olá',
    ...values,
  })

  test('have a name and a colour of their own', async () => {
    const o = await office()
    const made = await calls(o.asAdmin).post('/queue', queue())
    expect(made.body).toMatchObject({ name: 'Vendas', color: '#aabbcc' })
    expect((await calls(o.asAdmin).post('/queue', queue({ name: 'Outra' }))).body.error).toBe(
      'ERR_QUEUE_COLOR_ALREADY_EXISTS',
    )
    expect((await calls(o.asAdmin).post('/queue', queue({ color: '#000000' }))).body.error).toBe(
      'ERR_QUEUE_NAME_ALREADY_EXISTS',
    )
    for (const values of [
      { name: 'V' },
      { color: 'red' },
      { color: '#12345' },
      { schedules: [{ weekdayEn: 'someday' }] },
      { orderQueue: -1 },
    ]) {
      expect((await calls(o.asAdmin).post('/queue', queue({ name: 'Xyz', color: '#010203', ...values }))).status).toBe(
        400,
      )
    }
    expect((await calls(o.asAgent).post('/queue', queue({ name: 'Xyz', color: '#010203' }))).status).toBe(403)
  })

  test('are taken from older clients, which write nothing as an empty text, and connections and users as false', async () => {
    const o = await office()
    const { post, put } = calls(o.asAdmin)
    const none = { integrationId: '', promptId: '' }
    const made = await post('/queue', queue({ orderQueue: '', ...none }))
    expect(made.body).toMatchObject({ orderQueue: null, integrationId: null, promptId: null })
    expect((await put(`/queue/${made.body.id}`, { orderQueue: '7' })).body.orderQueue).toBe(7)
    expect((await put(`/queue/${made.body.id}`, { orderQueue: 'x' })).body.error).toBe('ERR_VALIDATION')
    const line = await post('/whatsapp', { name: 'Loja', transferQueueId: '', ...none, promptId: false })
    expect(line.body).toMatchObject({ transferQueueId: null, integrationId: null, promptId: null })
    const person = { name: 'Nina', email: `${crypto.randomUUID()}@example.test`, password: 'segredo1' }
    expect((await post('/users', { ...person, whatsappId: false })).body.whatsappId).toBeNull()
  })

  test('that are deleted leave tickets without a queue', async () => {
    const o = await office()
    const { id } = (await calls(o.asAdmin).post('/queue', queue())).body
    const ticket = await t.eg.ticket(o.company.id, { queueId: id })
    expect((await calls(o.asAdmin).delete(`/queue/${id}`)).status).toBe(200)
    expect((await calls(o.asAdmin).get(`/tickets/${ticket.id}`)).body.queueId).toBeNull()
    expect((await calls(o.asAdmin).get(`/queue/${id}`)).status).toBe(404)
  })

  test('beyond the plan are refused', async () => {
    const o = await office({ users: 9, connections: 9, queues: 0 })
    expect((await calls(o.asAdmin).post('/queue', queue())).body).toEqual({
      error: 'ERR_PLAN_LIMIT',
      limit: 0,
      what: 'queues',
    })
  })
})

describe('contacts', () => {
  const contact = (values: Record<string, unknown> = {}) => ({
    name: 'Maria',
    number: '+55 (11) 98765-4321',
    email: '',
    ...values,
  })

  test('are made from a number as people write it; one that exists is answered instead', async () => {
    const o = await office()
    const made = await calls(o.asAgent).post('/contacts', contact({ extraInfo: [{ name: 'cpf', value: '1' }] }))
    expect(made.body).toMatchObject({ number: '5511987654321', extraInfo: [{ name: 'cpf', value: '1' }] })
    const again = await calls(o.asAgent).post('/contacts', contact({ name: 'Outra' }))
    expect(again).toMatchObject({
      status: 200,
      body: { alreadyExists: true, id: made.body.id, existingContact: { id: made.body.id } },
    })
    for (const values of [
      { name: 'M' },
      { number: '123' },
      { number: 'abcdefghijk' },
      { email: 'x' },
      { number: '1'.repeat(30) },
    ]) {
      expect((await calls(o.asAgent).post('/contacts', contact(values))).status).toBe(400)
    }
  })

  test('whose number WhatsApp does not know are refused while a connection is open', async () => {
    const o = await office()
    const whatsapp = await t.eg.whatsapp(o.company.id, { status: 'CONNECTED' })
    expect((await calls(o.asAgent).post('/contacts', contact({ number: '5511900000000' }))).body.error).toBe(
      'ERR_WAPP_INVALID_CONTACT',
    )
    expect((await calls(o.asAgent).post('/contacts', contact({ number: '5511900000001' }))).status).toBe(200)
    expect(t.asked).toContainEqual(['checkNumber', whatsapp.id, '5511900000001'])
  })

  test('whom no open connection can ask about are kept as typed', async () => {
    const o = await office()
    await t.eg.whatsapp(o.company.id, { status: 'CONNECTED', provider: 'telepathy' as never })
    const before = t.asked.length
    expect((await calls(o.asAgent).post('/contacts', contact({ number: '5511900010000' }))).status).toBe(200)
    expect(t.asked).toHaveLength(before)
  })

  test('keep the name somebody gave them, and cannot take another’s number', async () => {
    const o = await office()
    const one = await t.eg.contact(o.company.id)
    const two = await t.eg.contact(o.company.id)
    await calls(o.asAgent).put(`/contacts/${one.id}`, { name: 'Dona Maria', disableBot: true })
    const [row] = await o.db.select().from(contacts).where(eq(contacts.id, one.id))
    expect(row).toMatchObject({ name: 'Dona Maria', nameSource: 'edited', disableBot: true })
    expect((await calls(o.asAgent).put(`/contacts/${one.id}`, { number: two.number })).body.error).toBe(
      'ERR_DUPLICATED_CONTACT',
    )
  })

  test('say over which connection they were last spoken to', async () => {
    const o = await office()
    const [one, two] = [await t.eg.whatsapp(o.company.id), await t.eg.whatsapp(o.company.id)]
    const { id } = await t.eg.contact(o.company.id)
    const shown = async () => {
      const one = (await calls(o.asAdmin).get(`/contacts/${id}`)).body.whatsapp
      expect((await calls(o.asAdmin).get('/contacts')).body.contacts[0].whatsapp).toEqual(one)
      return one
    }
    expect(await shown()).toBeNull()
    for (const [i, { id: whatsappId }] of [one, two].entries())
      await t.eg.ticket(o.company.id, { contactId: id, whatsappId, updatedAt: new Date(Date.UTC(2026, 2, 2 - i)) })
    expect(await shown()).toEqual({ id: one.id, name: one.name })
  })

  test('are found by the day on which they came, on the company’s wall', async () => {
    const o = await office()
    const came = async (at: string) => (await t.eg.contact(o.company.id, { createdAt: new Date(at) })).id
    // São Paulo is three hours behind.
    const evening = await came('2026-03-11T02:59:00Z')
    const night = await came('2026-03-11T03:00:00Z')
    const next = await came('2026-03-12T12:00:00Z')
    const found = async (query: string) =>
      (await t.call('GET', `/contacts?${query}`, { token: o.asAdmin })).body.contacts
        .map(({ id }: { id: number }) => id)
        .sort((a: number, b: number) => a - b)
    expect(await found('date=2026-03-10')).toEqual([evening])
    expect(await found('date=2026-03-11')).toEqual([night])
    expect(await found('dateStart=2026-03-11&dateEnd=2026-03-12')).toEqual([night, next])
  })

  test('are narrowed by what one of their tickets is, as far as the person sees it, and put in order', async () => {
    const o = await office()
    const queue = await t.eg.queue(o.company.id)
    const whatsapp = await t.eg.whatsapp(o.company.id)
    const tag = await t.eg.tag(o.company.id)
    const come = async (name: string, day: number) =>
      (
        await t.eg.contact(o.company.id, {
          name,
          activeOn: `2026-03-0${day}`,
          createdAt: new Date(Date.UTC(2026, 1, 9 - day)),
        })
      ).id
    const [ana, bia, caio] = [await come('Ana', 1), await come('Bia', 3), await come('Caio', 2)]
    const about = { queueId: queue.id, whatsappId: whatsapp.id, tagIds: [tag.id] }
    await t.eg.ticket(o.company.id, { contactId: ana, status: 'open', userId: o.admin.id, ...about })
    await t.eg.ticket(o.company.id, { contactId: bia, status: 'closed', userId: o.admin.id, ...about })
    await t.eg.ticket(o.company.id, {
      contactId: bia,
      status: 'pending',
      userId: null,
      queueId: null,
      whatsappId: whatsapp.id,
    })
    const found = async (query: string, token = o.asAdmin) =>
      (await t.call('GET', `/contacts?${query}`, { token })).body.contacts.map(({ id }: { id: number }) => id)
    expect(await found(`tags=[${tag.id}]`)).toEqual([ana, bia])
    expect(await found(`queueIds=[${queue.id}]&sort=active`)).toEqual([bia, ana])
    expect(await found(`whatsappIds=[${whatsapp.id}]&isServed=true&sort=created`)).toEqual([ana, bia])
    // All of it is said of one ticket.
    expect(await found(`tags=[${tag.id}]&isServed=true`)).toEqual([ana])
    expect(await found('sort=active')).toEqual([bia, caio, ana])
    expect(await found('hasEmail=true')).toEqual([])
    await t.database.db.update(contacts).set({ email: 'bia@casa.test' }).where(eq(contacts.id, bia))
    expect(await found('hasEmail=true')).toEqual([bia])
    expect(await found('hasEmail=false&sort=active')).toEqual([caio, ana])
    // Made at midnight in London, which is the evening before where the company is.
    expect(await found('dateStart=2026-02-07&dateEnd=2026-02-07')).toEqual([ana])
    expect(await found('dateStart=2026-02-06&sort=created')).toEqual([ana, caio])
    // Who does not see the ticket is not told of it.
    expect(await found(`tags=[${tag.id}]`, o.asAgent)).toEqual([])
    expect((await t.call('GET', '/contacts?sort=number', { token: o.asAdmin })).status).toBe(400)
  })

  test('are listed 30 a page by name, found without accents, and deleted by admins only', async () => {
    const o = await office()
    for (let i = 0; i < 31; i++) await t.eg.contact(o.company.id, { name: `João ${String(i).padStart(2, '0')}` })
    const page = (await calls(o.asAgent).get('/contacts?searchParam=joao')).body
    expect(page).toMatchObject({ count: 31, hasMore: true })
    expect(page.contacts).toHaveLength(30)
    expect((await calls(o.asAgent).get('/contacts?pageNumber=2')).body.contacts).toMatchObject([{ name: 'João 30' }])
    expect((await calls(o.asAgent).get('/contacts/list')).body).toHaveLength(31)
    const { id } = page.contacts[0]
    expect((await calls(o.asAgent).delete(`/contacts/${id}`)).body.error).toBe('ERR_NO_PERMISSION')
    expect((await calls(o.asAdmin).delete(`/contacts/${id}`)).status).toBe(200)
    expect((await calls(o.asAdmin).get(`/contacts/${id}`)).status).toBe(404)
  })
})

describe('connections', () => {
  const make = async (o: Office, values: Record<string, unknown> = {}) =>
    calls(o.asAdmin).post('/whatsapp', { name: `Con ${Math.random()}`, ...values })

  test('of a company have one default, whatever happens to it', async () => {
    const o = await office()
    const one = (await make(o)).body
    const two = (await make(o)).body
    expect([one.isDefault, two.isDefault]).toEqual([true, false])
    expect(t.asked).toContainEqual(['start', one.id])
    expect((await calls(o.asAdmin).put(`/whatsapp/${one.id}`, { isDefault: false })).body.error).toBe(
      'ERR_NO_OTHER_WHATSAPP',
    )
    await calls(o.asAdmin).put(`/whatsapp/${two.id}`, { isDefault: true })
    const defaults = async () =>
      (await o.db.select().from(whatsapps).where(eq(whatsapps.companyId, o.company.id)))
        .filter((row) => row.isDefault)
        .map((row) => row.id)
    expect(await defaults()).toEqual([two.id])
    await calls(o.asAdmin).delete(`/whatsapp/${two.id}`)
    expect(await defaults()).toEqual([one.id])
    expect(t.asked).toContainEqual(['forget', two.id])
  })

  test('that are deleted leave nothing waiting for them: what had not left has failed, and its work is swept', async () => {
    const o = await office()
    const { id } = (await make(o)).body
    const ticket = await t.eg.ticket(o.company.id, { whatsappId: id, status: 'open', userId: o.agent.id })
    const waiting = await t.eg.messageIn(ticket, { fromMe: true, ack: 1 })
    const offered = await t.eg.messageIn(ticket, { mediaType: 'image', mediaState: 'pending' })
    const sent = await t.eg.messageIn(ticket, { fromMe: true, ack: 2 })
    await addJobs(o.db, o.company.id, [
      { kind: 'whatsapp.send', messageId: waiting.id, whatsappId: id, chat: ticket.contactId },
    ])
    await calls(o.asAdmin).delete(`/whatsapp/${id}`)
    const row = async ({ id: messageId }: { id: string }) =>
      (await o.db.select().from(messages).where(eq(messages.id, messageId)))[0]!
    expect(await row(waiting)).toMatchObject({ ack: 0, ackError: 'ERR_NO_WAPP_FOUND' })
    expect(await row(offered)).toMatchObject({ ack: 1, mediaState: 'failed' })
    expect(await row(sent)).toMatchObject({ ack: 2, ackError: null })
    const retry = { id: newId(), name: 'messages.retry', input: { messageId: waiting.id } }
    expect((await calls(o.asAgent).post('/commands', retry)).body.error).toBe('ERR_SENDING_WAPP_MSG')
    await sweepJobs(t.database.sql)
    expect(await o.db.$count(jobs, eq(jobs.whatsappId, id))).toBe(0)
  })

  test('have their last words under the name that older clients know', async () => {
    const o = await office()
    const { post, put, get } = calls(o.asAdmin)
    const { body: made } = await post('/whatsapp', { name: 'Vendas', complationMessage: 'Até logo' })
    expect(made).toMatchObject({ complationMessage: 'Até logo' })
    expect((await put(`/whatsapp/${made.id}`, { complationMessage: 'Até breve' })).body).toMatchObject({
      complationMessage: 'Até breve',
    })
    const { body } = await get(`/whatsapp/${made.id}`)
    expect([body.complationMessage, 'completionMessage' in body]).toEqual(['Até breve', false])
    const [row] = await o.db.select().from(whatsapps).where(eq(whatsapps.id, made.id))
    expect(row!.completionMessage).toBe('Até breve')
  })

  test('need a greeting with several queues, and a name of their own', async () => {
    const o = await office()
    const queueIds = [(await t.eg.queue(o.company.id)).id, (await t.eg.queue(o.company.id)).id]
    expect((await make(o, { queueIds })).body.error).toBe('ERR_WAPP_GREETING_REQUIRED')
    const made = await make(o, { name: 'Loja', queueIds, greetingMessage: 'Olá' })
    expect(made.body.queueIds).toEqual(queueIds)
    expect((await make(o, { name: 'Loja' })).body.error).toBe('ERR_WAPP_NAME_ALREADY_EXISTS')
    expect((await calls(o.asAdmin).put(`/whatsapp/${made.body.id}`, { greetingMessage: ' ' })).body.error).toBe(
      'ERR_WAPP_GREETING_REQUIRED',
    )
  })

  test('have a token that the server makes: whether a chosen one is good elsewhere is not to be learned', async () => {
    const o = await office()
    const { asAdmin } = await office()
    const token = 'escolhido-pelo-admin-1'
    const theirs = await t.eg.whatsapp(o.company.id, { token })
    const refusal = { error: 'ERR_VALIDATION', fields: [{ path: 'body/token', message: 'made by the server' }] }
    for (const chosen of [token, 'que-ninguem-ainda-tem-1']) {
      const answer = await calls(asAdmin).post('/whatsapp', { name: 'Nova', token: chosen })
      expect(answer).toMatchObject({ status: 400, body: refusal })
    }
    const made = (await calls(asAdmin).post('/whatsapp', { name: 'Nova', token: '' })).body
    expect(made.token).toMatch(/^[\w-]{32}$/)
    const put = (values: object) => calls(asAdmin).put(`/whatsapp/${made.id}`, values)
    expect((await put({ name: 'Renomeada', token: made.token })).body).toMatchObject({ token: made.token })
    expect((await put({ token: theirs.token })).body).toEqual(refusal)
  })

  test('speak for good over the wire that they were made with, and there is no other than those that are known', async () => {
    const o = await office()
    const { post, put, get } = calls(o.asAdmin)
    const wrong = await post('/whatsapp', { name: 'Nova', provider: 'telepathy' })
    expect([wrong.status, wrong.body.error]).toEqual([400, 'ERR_VALIDATION'])
    const made = (await post('/whatsapp', { name: 'Nova', provider: 'stable' })).body
    expect(made.provider).toBe('stable')
    expect((await post('/whatsapp', { name: 'Outra' })).body.provider).toBe('beta')
    expect((await put(`/whatsapp/${made.id}`, { name: 'Renomeada', provider: 'stable' })).status).toBe(200)
    const moved = await put(`/whatsapp/${made.id}`, { provider: 'beta' })
    expect(moved).toMatchObject({ status: 400, body: { fields: [{ path: 'body/provider', message: 'for good' }] } })
    expect((await get(`/whatsapp/${made.id}`)).body).toMatchObject({ name: 'Renomeada', provider: 'stable' })
  })

  test('show token and QR to admins only, and their buttons work for admins only', async () => {
    const o = await office()
    const { id } = await t.eg.whatsapp(o.company.id, { qrcode: 'scan me' })
    for (const path of ['/whatsapp', `/whatsapp/${id}`]) {
      const seen = JSON.stringify((await calls(o.asAgent).get(path)).body)
      expect(seen).not.toMatch(/token|scan me/)
      expect(JSON.stringify((await calls(o.asAdmin).get(path)).body)).toMatch(/token.*|scan me/)
    }
    const buttons = [
      ['POST', 'start'],
      ['PUT', 'newQr'],
      ['DELETE', 'logout'],
    ] as const
    for (const [method, asked] of buttons) {
      expect((await t.call(method, `/whatsappsession/${id}`, { token: o.asAgent })).status).toBe(403)
      expect((await t.call(method, `/whatsappsession/${id}`, { token: o.asAdmin })).status).toBe(200)
      expect(t.asked).toContainEqual([asked, id])
    }
    expect(
      (await calls(o.asAdmin).post(`/whatsappsession/${id}/pairing-code`, { number: '+55 11 98765-4321' })).body,
    ).toEqual({ code: 'ABCD1234' })
    expect((await calls(o.asAgent).post('/whatsapp-restart')).status).toBe(403)
    expect((await calls(o.asAdmin).post('/whatsapp-restart/')).status).toBe(200)
    expect(t.asked).toContainEqual(['restartAll', o.company.id])
    expect(
      t.emitted.filter(({ name, payload }) => name === 'whatsapp' && /token|scan me/.test(JSON.stringify(payload))),
    ).toEqual([])
  })
})

describe('settings', () => {
  test('have defaults, are read by all, changed by admins, and take only what they know', async () => {
    const o = await office()
    const valueOf = async (key: string) =>
      (await calls(o.asAgent).get('/settings')).body.find((one: { key: string }) => one.key === key)?.value
    expect(await valueOf('userRating')).toBe('disabled')
    expect((await calls(o.asAdmin).put('/settings/userRating', { key: 'userRating', value: 'enabled' })).body).toEqual({
      key: 'userRating',
      value: 'enabled',
    })
    expect(await valueOf('userRating')).toBe('enabled')
    expect((await calls(o.asAgent).put('/settings/userRating', { value: 'disabled' })).status).toBe(403)
    expect((await calls(o.asAdmin).put('/settings/userRating', { value: 'perhaps' })).status).toBe(400)
    expect((await calls(o.asAdmin).put('/settings/nothing', { value: 'x' })).body.error).toBe('ERR_NO_SETTING_FOUND')
    expect((await calls(o.asAdmin).put('/settings/constructor', { value: 'x' })).body.error).toBe(
      'ERR_NO_SETTING_FOUND',
    )
    expect((await calls((await office()).asAgent).get('/settings')).body).toContainEqual({
      key: 'userRating',
      value: 'disabled',
    })
  })

  test('of the operator are the operator’s alone, and three are public', async () => {
    const o = await office()
    expect((await calls(o.asAdmin).put('/settings/trial', { value: '7' })).body.error).toBe('ERR_NO_SUPER')
    expect((await calls(operator).put('/settings/trial', { value: '7' })).status).toBe(200)
    expect((await t.call('GET', '/settings/trial')).body).toEqual({ key: 'trial', value: '7' })
    expect((await t.call('GET', '/settings/asaas')).status).toBe(404)
  })

  test('that are keys of a billing system are each company’s own, sealed, and shown to nobody', async () => {
    const o = await office()
    const other = await office()
    const keys = () => readSecrets(o.db, t.deps.sealer, o.company.id, ['asaas', 'ipixc', 'tokenixc'])
    const masked = (await calls(o.asAdmin).put('/settings/asaas', { value: 'very secret' })).body.value
    expect(masked).toBe(MASK)
    await calls(o.asAdmin).put('/settings/asaas', { value: masked })
    expect(await keys()).toEqual({ asaas: 'very secret', ipixc: '', tokenixc: '' })
    const stored = await o.db.select().from(settings).where(eq(settings.companyId, o.company.id))
    expect(JSON.stringify(stored)).not.toContain('very secret')
    expect((await calls(o.asAdmin).get('/settings')).body).toContainEqual({ key: 'asaas', value: masked })
    expect((await calls(operator).get('/settings')).body).toContainEqual({ key: 'asaas', value: '' })
    expect((await calls(other.asAdmin).get('/settings')).body).toContainEqual({ key: 'asaas', value: '' })
    expect((await calls(o.asAgent).put('/settings/asaas', { value: 'x' })).body.error).toBe('ERR_NO_PERMISSION')
    expect(JSON.stringify(t.emitted)).not.toContain('very secret')
  })

  test('that name a billing system’s server are public addresses, and its keys go with the address', async () => {
    const o = await office()
    const keys = () => readSecrets(o.db, t.deps.sealer, o.company.id, ['ipixc', 'tokenixc'])
    for (const value of ['http://10.0.0.1', '192.168.0.1', 'file:///etc/passwd', 'http://169.254.169.254/'])
      expect([value, (await calls(o.asAdmin).put('/settings/ipixc', { value })).body.error]).toEqual([
        value,
        'ERR_ADDRESS_REFUSED',
      ])
    await calls(o.asAdmin).put('/settings/ipixc', { value: 'ixc.example.com' })
    await calls(o.asAdmin).put('/settings/tokenixc', { value: '7:token' })
    await calls(o.asAdmin).put('/settings/ipixc', { value: 'ixc.example.com' })
    expect(await keys()).toEqual({ ipixc: 'ixc.example.com', tokenixc: '7:token' })
    // Or whoever changes the address would be sent the key.
    await calls(o.asAdmin).put('/settings/ipixc', { value: 'mine.example.com' })
    expect(await keys()).toEqual({ ipixc: 'mine.example.com', tokenixc: '' })
  })
})

describe('the plan and the hours of a company', () => {
  test('are shown to their own, and plans that are offered to everybody', async () => {
    const o = await office()
    const other = await office()
    expect((await calls(o.asAgent).get(`/companies/listPlan/${o.company.id}`)).body.plan).toMatchObject({
      users: 20,
      useKanban: true,
    })
    expect((await calls(o.asAdmin).get(`/companies/listPlan/${other.company.id}`)).status).toBe(404)
    expect((await calls(operator).get(`/companies/listPlan/${other.company.id}`)).status).toBe(200)
    expect((await t.call('GET', '/plans/list')).body.length).toBeGreaterThan(1)
    const schedules = [{ weekday: 'Segunda', weekdayEn: 'monday', startTime: '08:00', endTime: '18:00' }]
    expect((await calls(o.asAdmin).put(`/companies/${o.company.id}/schedules`, { schedules })).body.schedules).toEqual(
      schedules,
    )
    expect((await calls(o.asAdmin).put(`/companies/${other.company.id}/schedules`, { schedules })).status).toBe(404)
    expect((await calls(o.asAgent).put(`/companies/${o.company.id}/schedules`, { schedules })).status).toBe(403)
    expect(
      (
        await calls(o.asAdmin).put(`/companies/${o.company.id}/schedules`, {
          schedules: [{ ...schedules[0], endTime: '25:00' }],
        })
      ).status,
    ).toBe(400)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { grantable } from '../../schema/permissions.ts'
import { contactListItems, contactLists } from '../../schema/contact-lists/contact-lists.table.ts'
import { campaigns, shippings } from '../../schema/campaigns/campaigns.table.ts'
import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'

/** Somebody whose role hides numbers, in a company where one contact is known by number only. */
let t: TestApp
beforeAll(async () => {
  t = await testApp()
  await t.eg.company()
})
afterAll(() => t.close())

const number = '5511987651835'
const masked = '+55 11 9••••-1835'
/** What nobody may read of it, however it is written; so long that no random id holds it. */
const secret = /1198765|98765.?1835/

async function office() {
  const { db } = t.database
  const company = await t.eg.company()
  const admin = await t.eg.user(company.id, { profile: 'admin' })
  const asAdmin = await t.login(admin.email)
  const made = await t.call('POST', '/roles', {
    token: asAdmin,
    body: { name: 'Sem números', permissions: [...grantable], ticketScope: 'all', maskNumbers: true },
  })
  expect(made.status).toBe(200)
  const reader = await t.eg.user(company.id, { roleId: made.body.id })
  const whatsapp = await t.eg.whatsapp(company.id, { number: '5511940000001', status: 'CONNECTED' })
  const contact = await t.eg.contact(company.id, { name: number, number, email: 'eva@x.test' })
  const ticket = await t.eg.ticket(company.id, { contactId: contact.id, whatsappId: whatsapp.id, status: 'open' })
  await t.eg.message(company.id, {
    ...{ ticketId: ticket.id, contactId: contact.id, body: 'Bom dia' },
    ...{ participantName: number, participantNumber: number, reactions: [{ emoji: '👍', by: number }] },
  })
  const [list] = await db.insert(contactLists).values({ companyId: company.id, name: 'Natal' }).returning()
  const [item] = await db
    .insert(contactListItems)
    .values({ companyId: company.id, contactListId: list!.id, name: 'Eva', number, key: numberKey(number) })
    .returning()
  const campaign = await t.call('POST', '/campaigns', {
    token: asAdmin,
    body: { name: 'Natal', whatsappId: whatsapp.id, contactListId: list!.id, message1: 'Boas festas' },
  })
  expect(campaign.status).toBe(200)
  const campaignId = campaign.body.id as number
  await db.insert(shippings).values({
    ...{ companyId: company.id, campaignId, name: number, number, key: number },
  })
  await t.call('POST', '/opt-outs', { token: asAdmin, body: { number } })
  return {
    company,
    contact,
    ticket,
    list: list!,
    item: item!,
    campaignId,
    asAdmin,
    asReader: await t.login(reader.email),
  }
}

describe('to somebody whose role hides numbers', () => {
  test('no answer of the server tells one', async () => {
    const { contact, ticket, list, item, campaignId, asAdmin, asReader } = await office()
    const paths = [
      ...t.app.routes
        .filter(({ method, path }) => method === 'GET' && !/[:*]/.test(path) && !/^\/(?:docs|public|auth)/.test(path))
        .map(({ path }) => path),
      ...[`/contacts/${contact.id}`, `/tickets/${ticket.id}`, `/tickets/u/${ticket.uuid}`, `/messages/${ticket.id}`],
      ...[`/contact-list-items?contactListId=${list.id}`, `/contact-list-items/${item.id}`],
      ...[`/campaigns/${campaignId}/recipients`, `/campaigns/${campaignId}/export?format=csv`],
      ...['/contacts/export?format=csv', '/contacts?searchParam=1835', '/tickets?searchParam=1835&showAll=true'],
    ]
    const told: string[] = []
    for (const path of paths) {
      const whole = await t.call('GET', path, { token: asAdmin })
      const reply = await t.call('GET', path, { token: asReader })
      const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
      expect([path, secret.test(text)]).toEqual([path, false])
      if (JSON.stringify(whole.body).includes(number) && reply.status === 200) told.push(path)
      if (told.at(-1) === path) expect([path, text]).toEqual([path, expect.stringContaining('••••-1835')])
    }
    // The places where a number would have stood; fewer would mean that the test looks past them.
    expect(told).toEqual(
      expect.arrayContaining([
        ...['/contacts/', '/contacts/list', '/ticket/kanban', `/contacts/${contact.id}`, `/tickets/${ticket.id}`],
        ...[`/messages/${ticket.id}`, '/contacts/export?format=csv', '/opt-outs/'],
        ...[`/campaigns/${campaignId}/recipients`, `/campaigns/${campaignId}/export?format=csv`],
        ...[`/contact-list-items/${item.id}`, '/contacts?searchParam=1835', '/tickets?searchParam=1835&showAll=true'],
      ]),
    )
    // The company's own telephone is no secret.
    expect(JSON.stringify((await t.call('GET', '/whatsapp', { token: asReader })).body)).toContain('5511940000001')
  })

  test('a number is found by its end, and read out neither piece by piece nor by guessing', async () => {
    const { asReader, company, contact, list } = await office()
    const schedule = { companyId: company.id, contactId: contact.id, body: 'Olá', sendAt: t.clock.now }
    await t.database.db.insert(schedules).values({ id: crypto.randomUUID(), ...schedule })
    const found = async (path: string, of: string) =>
      ((await t.call('GET', path, { token: asReader })).body[of] as unknown[]).length
    /** What somebody types, and how many numbers, names and texts answer to it. */
    const answers = async (digits: string) => ({
      contacts: await found(`/contacts?searchParam=${digits}`, 'contacts'),
      tickets: await found(`/tickets?searchParam=${digits}&showAll=true`, 'tickets'),
      optOuts: await found(`/opt-outs?searchParam=${digits}`, 'records'),
      items: await found(`/contact-list-items?contactListId=${list.id}&searchParam=${digits}`, 'contacts'),
    })
    const one = { contacts: 1, tickets: 1, optOuts: 1, items: 1 }
    const none = { contacts: 0, tickets: 0, optOuts: 0, items: 0 }
    expect(await answers('1835')).toEqual(one)
    expect(await answers('8765')).toEqual(none)
    // A wrong guess is answered as the right one is.
    expect([await answers('51835'), await answers('91835')]).toEqual([one, one])
    expect([await answers(number), await answers('5511900001835')]).toEqual([one, one])
    // Schedules are found by names only, and this one is a number.
    for (const digits of ['1835', '8765', number])
      expect([digits, await found(`/schedules?searchParam=${digits}`, 'schedules')]).toEqual([digits, 0])
  })

  test('nor by typing one number after the other', async () => {
    const { asReader, asAdmin } = await office()
    const type = async (token: string, of: number) =>
      (await t.call('POST', '/contacts', { token, body: { name: 'Eva', number: `55119876${of}` } })).status
    const told = await Promise.all(Array.from({ length: 70 }, (_, i) => type(asReader, 50_000 + i)))
    expect(told.filter((status) => status === 429)).toHaveLength(10)
    expect(await type(asReader, 51_835)).toBe(429)
    // Whoever reads numbers may type as many as they like.
    expect(await type(asAdmin, 51_835)).toBe(200)
  })

  test('nor wherever else one is typed: all of it counts together', async () => {
    const { asReader, asAdmin, list, item } = await office()
    const of = (n: number) => `55119876${50_000 + n}`
    const ways: ((n: number) => [string, string, object])[] = [
      (n) => ['POST', '/contacts', { name: 'Eva', number: of(n) }],
      (n) => ['POST', '/contact-list-items', { name: 'Eva', number: of(n), contactListId: list.id }],
      (n) => ['PUT', `/contact-list-items/${item.id}`, { number: of(n) }],
      (n) => ['POST', '/opt-outs', { number: of(n) }],
    ]
    const type = async (token: string, way: number, n: number) => {
      const [method, path, body] = ways[way]!(n)
      return (await t.call(method, path, { token, body })).status
    }
    for (let n = 0; n < 60; n++) expect([n, await type(asReader, n % ways.length, n)]).not.toEqual([n, 429])
    for (const way of ways.keys()) expect([way, await type(asReader, way, 70 + way)]).toEqual([way, 429])
    for (const way of ways.keys()) expect([way, await type(asAdmin, way, 80 + way)]).toEqual([way, 200])
  })

  test('nor by a sheet of guesses, of whatever it is, also where nothing would be written', async () => {
    const { asReader, asAdmin, list } = await office()
    const tell = async (token: string, path: string) => {
      const form = new FormData()
      form.set('file', new Blob([`name,number\nEva,${number}`]), 'a.csv')
      return (await t.call('POST', path, { token, form })).status
    }
    for (const path of ['/contacts/import', '/opt-outs/import', `/contact-lists/${list.id}/upload`])
      for (const as of [`${path}?dryRun=true`, path]) {
        expect([as, await tell(asReader, as)]).toEqual([as, 403])
        expect([as, await tell(asAdmin, as)]).toEqual([as, 200])
      }
  })

  test('nor by a count that one number decides', async () => {
    const { asReader, asAdmin, list, campaignId, company } = await office()
    const rules = [{ kind: 'list', contactListId: list.id }]
    const count = async (token: string) =>
      (await t.call('POST', '/segments/count', { token, body: { match: 'all', rules } })).body.count
    const dryRun = async (token: string) => (await t.call('POST', `/campaigns/${campaignId}/dry-run`, { token })).body
    expect([await count(asAdmin), await count(asReader)]).toEqual([1, null])
    expect((await dryRun(asAdmin)).skipped).toEqual({ opted_out: 1 })
    expect((await dryRun(asReader)).error).toBe('ERR_FEW_PEOPLE')
    // Among many it is one of them.
    for (let n = 0; n < 25; n++) {
      const other = String(5_511_940_000_000 + n)
      const row = { companyId: company.id, contactListId: list.id, name: 'Rui', number: other, key: numberKey(other) }
      await t.database.db.insert(contactListItems).values(row)
      await t.eg.contact(company.id, { name: 'Rui', number: other })
    }
    expect([await count(asAdmin), await count(asReader)]).toEqual([26, 26])
    const told = await dryRun(asReader)
    expect([told.willReceive, told.skipped]).toEqual([25, {}])
  })

  test('nor by the place of a name that is a number among those that somebody makes up', async () => {
    const { asReader, company, list } = await office()
    const names = ['5511900000000', 'Ana', '5511999999999']
    for (const name of names) {
      await t.eg.contact(company.id, { name })
      const key = crypto.randomUUID()
      await t.database.db
        .insert(contactListItems)
        .values({ companyId: company.id, contactListId: list.id, name, number: key, key })
    }
    await t.eg.contact(company.id, { name: '5511950000000' })
    // As they came, whatever their digits are.
    const order = ['Ana', '+55 11 9••••-1835', '+55 11 9••••-0000', '+55 11 9••••-9999', '+55 11 9••••-0000']
    const told = async (path: string, of?: string) => {
      const { body } = await t.call('GET', path, { token: asReader })
      return (of ? body[of] : body).map(({ name }: { name: string }) => name)
    }
    expect(await told('/contacts', 'contacts')).toEqual(order)
    expect(await told('/contacts/list')).toEqual(order)
    expect(await told(`/contact-list-items?contactListId=${list.id}`, 'contacts')).toEqual([
      ...['Ana', 'Eva', '+55 11 9••••-0000', '+55 11 9••••-9999'],
    ])
  })

  test('none stands in what a refusal tells, in a campaign’s words, nor in what a drawing would say', async () => {
    const { asReader, contact, ticket, campaignId, item, company } = await office()
    const tell = async (method: string, path: string, body?: unknown) => {
      const answer = await t.call(method, path, { token: asReader, body })
      return { status: answer.status, text: JSON.stringify(answer.body) }
    }
    const again = { contactId: contact.id, whatsappId: ticket.whatsappId, queueId: null, userId: null, status: 'open' }
    await t.database.db
      .update(campaigns)
      .set({ message1: 'Seu número é {numero}, {nome}?', status: 'INATIVA' })
      .where(eq(campaigns.id, campaignId))
    const queueIds = [(await t.eg.queue(company.id)).id, (await t.eg.queue(company.id)).id]
    const line = await t.eg.whatsapp(company.id, { greetingMessage: 'O seu número é {{number}}?', queueIds })
    const other = await t.eg.contact(company.id, { name: 'Rui', number: '5511987651836' })
    const asked = {
      'a second ticket': await tell('POST', '/tickets', again),
      'a campaign’s preview': await tell('GET', `/campaigns/${campaignId}/preview?contactId=${contact.id}`),
      'a contact that is there': await tell('POST', '/contacts', { name: 'Eva', number }),
      'somebody who is on the list': await tell('POST', '/contact-list-items', {
        ...{ contactListId: item.contactListId, name: 'Eva', number },
      }),
      duplicates: await tell('GET', '/contacts/duplicates'),
      'what would be answered': await tell('POST', '/automations/preview', {
        ...{ whatsappId: line.id, contactId: other.id, body: 'oi' },
      }),
    }
    expect(asked['a second ticket'].status).toBe(409)
    expect(asked['a campaign’s preview'].text).toContain('••••-1835')
    expect(asked['what would be answered'].text).toContain('••••-1836')
    for (const [what, { text }] of Object.entries(asked)) expect([what, secret.test(text)]).toEqual([what, false])
  })

  test('no text that the server fills in may be made to say them', async () => {
    const { asReader, asAdmin, campaignId, company } = await office()
    const queue = await t.eg.queue(company.id)
    const line = await t.eg.whatsapp(company.id)
    for (const [method, path, body] of [
      ['PUT', `/queue/${queue.id}`, { greetingMessage: 'Você é {{ Number }}?' }],
      ['PUT', `/whatsapp/${line.id}`, { greetingMessage: 'Olá, {{number}}' }],
      ['PUT', `/campaigns/${campaignId}`, { message1: 'Confirme {numero}' }],
    ] as const) {
      const refused = await t.call(method, path, { token: asReader, body })
      expect([path, refused.status, refused.body.error]).toEqual([path, 403, 'ERR_NUMBERS_HIDDEN'])
      expect([path, (await t.call(method, path, { token: asAdmin, body })).status]).toEqual([path, 200])
    }
  })

  test('saving what is shown changes neither number nor name, and what is left of a number is none', async () => {
    const { contact, item, asReader } = await office()
    const body = { name: masked, number: masked, email: 'nova@x.test' }
    expect((await t.call('PUT', `/contacts/${contact.id}`, { token: asReader, body })).status).toBe(200)
    const [stored] = await t.database.db.select().from(contacts).where(eq(contacts.id, contact.id))
    expect(stored).toMatchObject({ name: number, number, email: 'nova@x.test' })
    await t.database.db.update(contactListItems).set({ name: number }).where(eq(contactListItems.id, item.id))
    await t.call('PUT', `/contact-list-items/${item.id}`, { token: asReader, body: { name: masked, number: masked } })
    const [kept] = await t.database.db.select().from(contactListItems).where(eq(contactListItems.id, item.id))
    expect(kept).toMatchObject({ name: number, number })
    for (const path of ['/contacts', '/opt-outs'])
      expect((await t.call('POST', path, { token: asReader, body: { name: 'Novo', number: masked } })).body.error).toBe(
        'ERR_NUMBER_UNCLEAR',
      )
  })

  test('a number is shown on request where the role allows it, and the audit log remembers who asked', async () => {
    const { contact, company, asReader, asAdmin } = await office()
    const shown = await t.call('POST', `/contacts/${contact.id}/reveal`, { token: asReader })
    expect([shown.status, shown.body]).toEqual([200, { number }])
    const { records } = (await t.call('GET', '/audit?action=reveal', { token: asAdmin })).body
    expect(records).toMatchObject([{ entity: 'contacts', entityId: String(contact.id), action: 'reveal' }])
    expect(JSON.stringify(records)).not.toMatch(secret)
    const agent = await t.eg.user(company.id, {})
    const token = await t.login(agent.email)
    expect((await t.call('POST', `/contacts/${contact.id}/reveal`, { token })).body.error).toBe('ERR_NO_PERMISSION')
  })

  test('keys for programs stay closed, and nobody else’s numbers can be opened', async () => {
    const { asReader, company } = await office()
    for (const path of ['/api-keys', '/webhooks', '/flowbuilder', '/flowsecret'])
      expect((await t.call('GET', path, { token: asReader })).body.error).toBe('ERR_NO_PERMISSION')
    const open = { name: 'Com números', permissions: [], ticketScope: 'own' }
    expect((await t.call('POST', '/roles', { token: asReader, body: open })).body.error).toBe('ERR_ROLE_GRANT')
    const hidden = { ...open, maskNumbers: true }
    expect((await t.call('POST', '/roles', { token: asReader, body: hidden })).status).toBe(200)
    const colleague = await t.eg.user(company.id, {})
    expect(
      (await t.call('PUT', `/users/${colleague.id}`, { token: asReader, body: { password: 'segredo9' } })).status,
    ).toBe(403)
  })
})

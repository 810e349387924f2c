import { MINUTE_MS } from '../../schema/durations.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { newId } from '../../schema/ids.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { roles } from '../../schema/roles/roles.table.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { PIXEL } from '../../tests/example-data.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { releaseFiles } from '../../tests/support/release-files.ts'
import { loadAccess } from '../auth/auth.queries.ts'
import { companyFacts } from '../settings/settings.facts.ts'
import { type DueDeps, sendDueSchedules } from './schedules.due.ts'
import { scheduleEmitter } from './schedules.events.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  await t.database.db.delete(schedules)
})

const file = (bytes: Uint8Array<ArrayBuffer> | Buffer<ArrayBuffer>, type: string, name: string) => {
  const made = new FormData()
  made.set('file', new Blob([bytes], { type }), name)
  return made
}
const at = (ms: number) => new Date(t.clock.now.getTime() + ms)

async function office(values: Parameters<TestApp['eg']['company']>[0] = {}) {
  const company = await t.eg.company(values)
  const whatsapp = await t.eg.whatsapp(company.id, { isDefault: true })
  const contact = await t.eg.contact(company.id, { name: 'Ana Lima' })
  const agent = await t.eg.user(company.id, { name: 'Bruno' })
  const admin = await t.eg.user(company.id, { profile: 'admin' })
  return { company, whatsapp, contact, agent, token: await t.login(agent.email), admin: await t.login(admin.email) }
}
type Office = Awaited<ReturnType<typeof office>>

async function schedule({ company, contact, agent }: Office, values: Partial<typeof schedules.$inferInsert> = {}) {
  const [row] = await t.database.db
    .insert(schedules)
    .values({
      id: newId(),
      companyId: company.id,
      contactId: contact.id,
      userId: agent.id,
      body: 'Olá!',
      sendAt: at(-MINUTE_MS),
      ...values,
    })
    .returning()
  return row!
}
const deps = (): DueDeps => ({
  db: t.database.db,
  now: () => t.clock.now,
  facts: companyFacts(t.database.db, 0),
  principalOf: async (tx, userId) => (await loadAccess(tx, userId))?.who,
  committed: () => undefined,
})
const stored = async (id: string) => (await t.database.db.select().from(schedules).where(eq(schedules.id, id)))[0]!
const said = (contactId: number) => t.database.db.select().from(messages).where(eq(messages.contactId, contactId))
const ticketsOf = (contactId: number) =>
  t.database.db.select().from(tickets).where(eq(tickets.contactId, contactId)).orderBy(tickets.id)

describe('a schedule is due', () => {
  test('its message is stored and sent once, whoever looks at the same time, and its state says so', async () => {
    const here = await office({ name: 'Padaria Sol' })
    const { id } = await schedule(here, { body: 'Oi {{firstName}}, aqui é {{user}} da {{company}} {{nada}}.' })
    const both = await Promise.all([sendDueSchedules(deps()), sendDueSchedules(deps()), sendDueSchedules(deps())])
    expect(both.reduce((a, b) => a + b)).toBe(1)
    expect(await sendDueSchedules(deps())).toBe(0)
    const [message, ...more] = await said(here.contact.id)
    expect(more).toEqual([])
    expect(message).toMatchObject({
      body: 'Oi Ana, aqui é Bruno da Padaria Sol .',
      fromMe: true,
      ack: 1,
      authorId: here.agent.id,
    })
    expect(await stored(id)).toMatchObject({ status: 'ENVIADA', sentAt: t.clock.now, error: null })
    const due = await t.database.db.select().from(jobs).where(eq(jobs.companyId, here.company.id))
    expect(due.map((job) => [job.kind, job.payload.messageId])).toEqual([['whatsapp.send', message!.id]])
  })

  test('it tells its author no number that their role hides', async () => {
    const here = await office()
    const { db } = t.database
    const values = { companyId: here.company.id, name: 'Sem números', ticketScope: 'all' as const, maskNumbers: true }
    const [role] = await db.insert(roles).values(values).returning()
    await db.update(users).set({ roleId: role!.id }).where(eq(users.id, here.agent.id))
    await db.update(contacts).set({ number: '5511987651835' }).where(eq(contacts.id, here.contact.id))
    await schedule(here, { body: 'Seu número é {{number}}, {{firstName}}?' })
    await sendDueSchedules(deps())
    expect((await said(here.contact.id))[0]!.body).toBe('Seu número é +55 11 9••••-1835, Ana?')
  })

  test('what fell due while nobody was there is sent late, up to a day; after that it failed, and says why', async () => {
    const here = await office()
    const late = await schedule(here, { sendAt: at(-24 * 60 * MINUTE_MS) })
    const tooLate = await schedule(here, { sendAt: at(-24 * 60 * MINUTE_MS - 1) })
    const early = await schedule(here, { sendAt: at(1) })
    await sendDueSchedules(deps())
    expect((await stored(late.id)).status).toBe('ENVIADA')
    expect(await stored(tooLate.id)).toMatchObject({ status: 'ERRO', error: 'ERR_SCHEDULE_LATE', sentAt: null })
    expect((await stored(early.id)).status).toBe('PENDENTE')
    expect(await said(here.contact.id)).toHaveLength(1)
  })

  test('a crash between two of them repeats neither: message and state are one', async () => {
    const here = await office()
    const { id } = await schedule(here)
    const broken: DueDeps = {
      ...deps(),
      db: Object.assign(Object.create(t.database.db) as typeof t.database.db, {
        transaction: (work: (tx: never) => Promise<unknown>) =>
          t.database.db.transaction(async (tx) => {
            await work(tx as never)
            throw new Error('the process dies here')
          }),
      }),
    }
    await expect(sendDueSchedules(broken)).rejects.toThrow('dies here')
    expect([(await said(here.contact.id)).length, (await stored(id)).status]).toEqual([0, 'PENDENTE'])
    await sendDueSchedules(deps())
    expect([(await said(here.contact.id)).length, (await stored(id)).status]).toEqual([1, 'ENVIADA'])
  })

  test('one that cannot be settled does not keep the others waiting', async () => {
    const here = await office()
    const bad = await schedule(here, { sendAt: at(-5 * MINUTE_MS), body: 'quebra' })
    const good = await schedule(here)
    let asked = 0
    const picky: DueDeps = {
      ...deps(),
      facts: {
        ...companyFacts(t.database.db, 0),
        // Asked for the oldest first.
        of: (companyId) => {
          if (asked++ === 0) throw new Error('no')
          return companyFacts(t.database.db, 0).of(companyId)
        },
      },
    }
    await expect(sendDueSchedules(picky)).rejects.toThrow('no')
    expect([(await stored(bad.id)).status, (await stored(good.id)).status]).toEqual(['PENDENTE', 'ENVIADA'])
  })

  test('it leaves by its own connection, else the default one, else the contact’s last one; else it failed', async () => {
    const here = await office()
    const second = await t.eg.whatsapp(here.company.id)
    await schedule(here, { whatsappId: second.id })
    await schedule(here)
    await sendDueSchedules(deps())
    expect((await said(here.contact.id)).map((m) => m.whatsappId).sort()).toEqual([here.whatsapp.id, second.id].sort())

    const bare = await t.eg.company()
    const only = await t.eg.whatsapp(bare.id)
    const known = await t.eg.contact(bare.id)
    const unknown = await t.eg.contact(bare.id)
    await t.eg.ticket(bare.id, { contactId: known.id, whatsappId: only.id, status: 'closed' })
    const there = { ...here, company: bare, contact: known, agent: await t.eg.user(bare.id, { allTicket: true }) }
    const sent = await schedule(there)
    const lost = await schedule({ ...there, contact: unknown })
    await sendDueSchedules(deps())
    expect(await stored(sent.id)).toMatchObject({ status: 'ENVIADA' })
    expect((await said(known.id))[0]!.whatsappId).toBe(only.id)
    expect(await stored(lost.id)).toMatchObject({ status: 'ERRO', error: 'ERR_NO_DEF_WAPP_FOUND' })
  })

  test('it is kept in the active ticket as it is; else in a closed one, which waits for nobody', async () => {
    const here = await office()
    const { company, whatsapp, contact } = here
    await schedule(here)
    await sendDueSchedules(deps())
    const [made] = await ticketsOf(contact.id)
    expect(made).toMatchObject({ status: 'closed', unreadMessages: 0, lastMessage: 'Olá!', lastMessageFromMe: true })

    t.clock.advance(119 * MINUTE_MS)
    await schedule(here)
    await sendDueSchedules(deps())
    expect(await ticketsOf(contact.id)).toHaveLength(1)
    t.clock.advance(121 * MINUTE_MS)
    await schedule(here)
    await sendDueSchedules(deps())
    expect((await ticketsOf(contact.id)).map((ticket) => ticket.status)).toEqual(['closed', 'closed'])

    const busy = await t.eg.contact(company.id)
    const open = await t.eg.ticket(company.id, {
      contactId: busy.id,
      whatsappId: whatsapp.id,
      status: 'open',
      userId: here.agent.id,
      unreadMessages: 2,
    })
    await schedule({ ...here, contact: busy })
    await sendDueSchedules(deps())
    const [after, ...others] = await ticketsOf(busy.id)
    expect(others).toEqual([])
    expect(after).toMatchObject({ id: open.id, status: 'open', userId: here.agent.id, unreadMessages: 2 })
  })

  describe('its author may have lost the right to answer meanwhile', () => {
    /** A contact whose one ticket on the connection is as given, and a due message of the agent's to them. */
    async function due(here: Office, ticket: Parameters<TestApp['eg']['ticket']>[1], by: { id: number } | null) {
      const contact = await t.eg.contact(here.company.id)
      const made = await t.eg.ticket(here.company.id, {
        contactId: contact.id,
        whatsappId: here.whatsapp.id,
        ...ticket,
      })
      const { id } = await schedule({ ...here, contact }, { userId: by?.id ?? null })
      await sendDueSchedules(deps())
      const { status, error } = await stored(id)
      return { id, status, error, messages: await said(contact.id), tickets: await ticketsOf(contact.id), made }
    }

    test('a colleague is answering: it is not sent, and says so', async () => {
      const here = await office()
      const queue = await t.eg.queue(here.company.id)
      const [author, colleague] = [
        await t.eg.user(here.company.id, { queueIds: [queue.id] }),
        await t.eg.user(here.company.id, { queueIds: [queue.id] }),
      ]
      const taken = await due(here, { status: 'open', queueId: queue.id, userId: colleague.id }, author)
      expect(taken).toMatchObject({ status: 'ERRO', error: 'ERR_TICKET_TAKEN', messages: [] })
      const supervisor = await t.eg.user(here.company.id, { profile: 'supervisor' })
      for (const [ticket, by] of [
        [{ status: 'open', queueId: queue.id, userId: author.id }, author],
        [{ status: 'open', queueId: null, userId: author.id }, author],
        [{ status: 'pending', queueId: queue.id, userId: null }, author],
        [{ status: 'open', queueId: queue.id, userId: colleague.id }, supervisor],
      ] as const) {
        const sent = await due(here, ticket, by)
        expect([sent.status, sent.messages.length]).toEqual(['ENVIADA', 1])
      }
    })

    test('the conversation is another queue’s, or the author is gone: it is not sent, and says so', async () => {
      const here = await office()
      const queue = await t.eg.queue(here.company.id)
      for (const by of [here.agent, null]) {
        const hidden = await due(here, { status: 'pending', queueId: queue.id, userId: null }, by)
        expect(hidden).toMatchObject({ status: 'ERRO', error: 'ERR_SCHEDULE_AUTHOR', messages: [] })
      }
      const gone = await due(here, { status: 'closed', queueId: null, userId: null }, null)
      expect(gone).toMatchObject({ status: 'ERRO', error: 'ERR_SCHEDULE_AUTHOR', messages: [] })
    })

    test('a closed conversation that they may not see is not written into: it begins one of their own', async () => {
      const here = await office()
      const queue = await t.eg.queue(here.company.id)
      const closed = await due(here, { status: 'closed', queueId: queue.id, userId: null }, here.agent)
      expect(closed.status).toBe('ENVIADA')
      expect(closed.tickets).toMatchObject([
        { id: closed.made.id, lastMessage: '' },
        { status: 'closed', userId: here.agent.id, lastMessage: 'Olá!' },
      ])
    })

    test('who manages others and sets it anew answers for it from then on', async () => {
      const here = await office()
      const queue = await t.eg.queue(here.company.id)
      const { id } = await due(here, { status: 'pending', queueId: queue.id, userId: null }, here.agent)
      const sendAt = at(MINUTE_MS).toISOString()
      // The author themselves may try again, and is told the same.
      await t.call('PUT', `/schedules/${id}`, { token: here.token, body: { sendAt: at(0).toISOString() } })
      await sendDueSchedules(deps())
      expect(await stored(id)).toMatchObject({ status: 'ERRO', userId: here.agent.id })
      const set = await t.call('PUT', `/schedules/${id}`, { token: here.admin, body: { sendAt } })
      expect(set.body).toMatchObject({ status: 'PENDENTE', error: null })
      t.clock.advance(2 * MINUTE_MS)
      await sendDueSchedules(deps())
      expect(await stored(id)).toMatchObject({ status: 'ENVIADA' })
      expect((await stored(id)).userId).not.toBe(here.agent.id)
    })
  })

  test('a picture goes with it, and stays with the message when the schedule is deleted', async () => {
    const here = await office()
    const { id } = await schedule(here, { sendAt: at(MINUTE_MS) })
    const upload = await t.call('POST', `/schedules/${id}/media-upload`, {
      token: here.token,
      form: file(PIXEL, 'image/png', 'a b.png'),
    })
    expect(upload.body).toMatchObject({ mediaName: 'a_b.png', mediaMime: 'image/png' })
    t.clock.advance(2 * MINUTE_MS)
    await sendDueSchedules(deps())
    const [message] = await said(here.contact.id)
    expect(message).toMatchObject({
      mediaType: 'image',
      mediaState: 'ready',
      body: 'Olá!',
      mediaPath: upload.body.mediaPath,
    })
    expect((await t.call('DELETE', `/schedules/${id}`, { token: here.token })).status).toBe(200)
    await releaseFiles(t)
    expect(await t.deps.media.find(upload.body.mediaPath)).toBeDefined()
  })

  test('a picture that was not sent goes with its schedule, whichever way that is deleted', async () => {
    const here = await office()
    const { token } = here
    const withPicture = async () => {
      const { id } = await schedule(here, { sendAt: at(MINUTE_MS) })
      const form = file(PIXEL, 'image/png', 'a.png')
      const { body } = await t.call('POST', `/schedules/${id}/media-upload`, { token, form })
      return { id, path: String(body.mediaPath) }
    }
    const [first, second] = [await withPicture(), await withPicture()]
    await t.call('DELETE', `/schedules/${first.id}`, { token })
    const command = { id: newId(), name: 'schedules.delete', input: { id: second.id } }
    expect((await t.call('POST', '/commands', { token, body: command })).status).toBe(200)
    expect(await releaseFiles(t)).toEqual([first.path, second.path])
    for (const { path } of [first, second]) expect(await t.deps.media.find(path)).toBeUndefined()
  })

  test('a picture that is replaced or taken off goes by a job of the same commit', async () => {
    const here = await office()
    const { id } = await schedule(here, { sendAt: at(MINUTE_MS) })
    const place = `/schedules/${id}/media-upload`
    const upload = async () =>
      String(
        (await t.call('POST', place, { token: here.token, form: file(PIXEL, 'image/png', 'a.png') })).body.mediaPath,
      )
    const [first, second] = [await upload(), await upload()]
    // A process that dies here does not leave what was to be deleted.
    expect(await releaseFiles(t)).toEqual([first])
    expect((await t.call('DELETE', place, { token: here.token })).body.mediaPath).toBeNull()
    expect(await releaseFiles(t)).toEqual([second])
    for (const path of [first, second]) expect(await t.deps.media.find(path)).toBeUndefined()
  })

  test('of pictures that come at the same moment only the one that is shown stays', async () => {
    const here = await office()
    const { id } = await schedule(here, { sendAt: at(MINUTE_MS) })
    const uploads = await Promise.all(
      ['a.png', 'b.png', 'c.png'].map((name) =>
        t.call('POST', `/schedules/${id}/media-upload`, { token: here.token, form: file(PIXEL, 'image/png', name) }),
      ),
    )
    expect(uploads.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await releaseFiles(t)).toHaveLength(2)
    expect(await t.deps.media.find((await stored(id)).mediaPath!)).toBeDefined()
  })

  test('a picture that was not sent goes with its contact', async () => {
    const here = await office()
    const { id } = await schedule(here, { sendAt: at(MINUTE_MS) })
    const form = file(PIXEL, 'image/png', 'a.png')
    const { body } = await t.call('POST', `/schedules/${id}/media-upload`, { token: here.token, form })
    expect((await t.call('DELETE', `/contacts/${here.contact.id}`, { token: here.admin })).status).toBe(200)
    // By a job of the same commit: a process that dies here does not leave what was to be deleted.
    expect(await releaseFiles(t)).toEqual([body.mediaPath])
    expect(await t.deps.media.find(body.mediaPath)).toBeUndefined()
  })

  test('a picture that was sent stays with its schedule when the ticket is deleted, and goes with the contact', async () => {
    const here = await office()
    const { id } = await schedule(here, { sendAt: at(MINUTE_MS) })
    const form = file(PIXEL, 'image/png', 'a.png')
    const { body } = await t.call('POST', `/schedules/${id}/media-upload`, { token: here.token, form })
    t.clock.advance(2 * MINUTE_MS)
    await sendDueSchedules(deps())
    const [message] = await said(here.contact.id)
    const release = async (path: string) => {
      expect((await t.call('DELETE', path, { token: here.admin })).status).toBe(200)
      expect(new Set(await releaseFiles(t))).toEqual(new Set([body.mediaPath]))
      return (await t.deps.media.find(body.mediaPath)) !== undefined
    }
    expect(await release(`/tickets/${message!.ticketId}`)).toBe(true)
    expect(await release(`/contacts/${here.contact.id}`)).toBe(false)
  })

  test('a company that does not pay, or whose plan has no schedules, sends none', async () => {
    const { db } = t.database
    const [unpaid, without, off] = [await office(), await office(), await office()]
    await db.update(companies).set({ dueDate: '2020-01-01' }).where(eq(companies.id, unpaid.company.id))
    await db.update(plans).set({ useSchedules: false }).where(eq(plans.id, without.company.planId!))
    await db.update(companies).set({ status: false }).where(eq(companies.id, off.company.id))
    const rows = [await schedule(unpaid), await schedule(without), await schedule(off)]
    await sendDueSchedules(deps())
    const states = await Promise.all(rows.map(({ id }) => stored(id)))
    expect(states.map(({ status, error }) => [status, error])).toEqual([
      ['ERRO', 'ERR_SUBSCRIPTION_EXPIRED'],
      ['ERRO', 'ERR_PLAN_FEATURE'],
      ['ERRO', 'ERR_COMPANY_OFF'],
    ])
    expect(await said(unpaid.contact.id)).toEqual([])
  })
})

describe('schedules over REST', () => {
  const wish = ({ contact }: Office) => ({
    body: 'Até amanhã',
    contactId: contact.id,
    sendAt: '2099-03-05T14:00:00-03:00',
  })

  test('are made, read, searched, changed and deleted by their owner; colleagues see nothing, admins everything', async () => {
    const here = await office()
    const { token, admin } = here
    const made = await t.call('POST', '/schedules', { token, body: wish(here) })
    expect(made.body).toMatchObject({
      status: 'PENDENTE',
      sendAt: '2099-03-05T17:00:00.000Z',
      contact: { name: 'Ana Lima' },
      user: { name: 'Bruno' },
    })
    const { id } = made.body
    const other = await t.login((await t.eg.user(here.company.id)).email)
    expect((await t.call('GET', `/schedules/${id}`, { token: other })).status).toBe(404)
    expect((await t.call('PUT', `/schedules/${id}`, { token: other, body: { body: 'outro' } })).status).toBe(404)
    expect((await t.call('GET', '/schedules', { token: other })).body).toEqual({
      schedules: [],
      count: 0,
      hasMore: false,
    })
    const list = async (search: string) =>
      (await t.call('GET', `/schedules?searchParam=${search}`, { token: admin })).body.count
    expect([await list('amanha'), await list('lima'), await list('nada')]).toEqual([1, 1, 0])
    const changed = await t.call('PUT', `/schedules/${id}`, {
      token,
      body: { body: 'Até logo', sendAt: '2099-03-06T08:30' },
    })
    // A time without a zone is the company's.
    expect(changed.body).toMatchObject({ body: 'Até logo', sendAt: '2099-03-06T11:30:00.000Z' })
    expect((await t.call('DELETE', `/schedules/${id}`, { token })).body).toEqual({})
    expect((await t.call('GET', `/schedules/${id}`, { token })).body.error).toBe('ERR_NO_SCHEDULE_FOUND')
  })

  test('are listed as they matter: what is to be sent by its time, then what was sent, the latest first', async () => {
    const here = await office()
    const HOUR = 60 * MINUTE_MS
    for (const [body, ms, status] of [
      ['sent long ago', -9 * HOUR, 'ENVIADA'],
      ['in two hours', 2 * HOUR, 'PENDENTE'],
      ['sent just now', -1 * HOUR, 'ENVIADA'],
      ['failed', -5 * HOUR, 'ERRO'],
      ['in an hour', HOUR, 'PENDENTE'],
    ] as const)
      await schedule(here, { body, sendAt: at(ms), status })
    const bodies = async (query: string) =>
      (await t.call('GET', `/schedules?${query}`, { token: here.token })).body.schedules.map(
        (row: { body: string }) => row.body,
      )
    expect(await bodies('')).toEqual(['failed', 'in an hour', 'in two hours', 'sent just now', 'sent long ago'])
    const range = new URLSearchParams({ dateStart: at(-2 * HOUR).toISOString(), dateEnd: at(2 * HOUR).toISOString() })
    expect(await bodies(String(range))).toEqual(['in an hour', 'sent just now'])
    expect((await t.call('GET', '/schedules?dateStart=ontem', { token: here.token })).status).toBe(400)
  })

  test('are told to their author alone, whether made by REST or in a browser, and when they were sent', async () => {
    const here = await office()
    t.emitted.length = 0
    const heard = async (count: number) => {
      for (let i = 0; i < 100 && t.emitted.length < count; i++) await Bun.sleep(10)
      return t.emitted.splice(0).map(({ name, action, payload, audience }) => {
        const { schedule, scheduleId } = payload as { schedule?: { id: string; status: string }; scheduleId?: string }
        return [name, action, schedule?.id ?? scheduleId, schedule?.status, audience?.userId]
      })
    }
    const wish = { contactId: here.contact.id, body: 'bom dia', sendAt: at(MINUTE_MS).toISOString() }
    const { id } = (await t.call('POST', '/schedules', { token: here.token, body: wish })).body
    expect(await heard(1)).toEqual([['schedule', 'create', id, 'PENDENTE', here.agent.id]])
    const own = newId()
    const command = (name: string, input: unknown) =>
      t.call('POST', '/commands', { token: here.token, body: { id: newId(), name, input } })
    await command('schedules.create', { ...wish, id: own })
    await command('schedules.delete', { id: own })
    expect(await heard(2)).toContainEqual(['schedule', 'delete', own, undefined, undefined])
    t.clock.advance(MINUTE_MS)
    const tell = scheduleEmitter({ db: t.database.db, events: t.events, log: t.deps.log })
    await sendDueSchedules({ ...deps(), committed: tell })
    expect(await heard(1)).toEqual([['schedule', 'update', id, 'ENVIADA', here.agent.id]])
  })

  test('the same request twice makes one', async () => {
    const here = await office()
    const headers = { 'idempotency-key': 'agenda-0001' }
    const [a, b] = [
      await t.call('POST', '/schedules', { token: here.token, body: wish(here), headers }),
      await t.call('POST', '/schedules', { token: here.token, body: wish(here), headers }),
    ]
    expect(a.body.id).toBe(b.body.id)
    expect((await t.call('GET', '/schedules', { token: here.token })).body.count).toBe(1)
  })

  test('what was sent stays as it is', async () => {
    const here = await office()
    const { id } = await schedule(here, { status: 'ENVIADA', sentAt: t.clock.now })
    const { token } = here
    const replies = [
      await t.call('PUT', `/schedules/${id}`, { token, body: { body: 'outra coisa' } }),
      await t.call('POST', `/schedules/${id}/media-upload`, { token, form: file(PIXEL, 'image/png', 'a.png') }),
      await t.call('DELETE', `/schedules/${id}/media-upload`, { token }),
    ]
    expect(replies.map((reply) => reply.body.error)).toEqual([
      'ERR_SCHEDULE_SENT',
      'ERR_SCHEDULE_SENT',
      'ERR_SCHEDULE_SENT',
    ])
  })

  test('[AG6] a text that its variables may make longer than a message is refused, and never sent in part', async () => {
    const here = await office()
    const { token } = here
    const body = '{{email}}'.repeat(300)
    const { id } = await schedule(here)
    for (const [method, path, wrong] of [
      ['POST', '/schedules', { ...wish(here), body }],
      ['PUT', `/schedules/${id}`, { body }],
    ] as const) {
      const refused = await t.call(method, path, { token, body: wrong })
      expect([refused.status, refused.body.error]).toEqual([400, 'ERR_TEXT_LONG'])
    }
    // As one that was kept before.
    const email = `${'a'.repeat(242)}@example.com`
    await t.database.db.update(contacts).set({ email }).where(eq(contacts.id, here.contact.id))
    await t.database.db
      .update(schedules)
      .set({ body, sendAt: at(-1) })
      .where(eq(schedules.id, id))
    await sendDueSchedules(deps())
    expect(await stored(id)).toMatchObject({ status: 'ERRO', error: 'ERR_TEXT_LONG' })
    expect(await said(here.contact.id)).toEqual([])
  })

  test('bad input is named', async () => {
    const here = await office()
    const { token } = here
    for (const wrong of [
      { body: 'oi' },
      { body: '     ' },
      { sendAt: 'amanhã' },
      { sendAt: '2099-02-31T10:00' },
      { sendAt: '2099-13-01T10:00:00Z' },
      { contactId: 'x' },
    ])
      expect([
        wrong,
        (await t.call('POST', '/schedules', { token, body: { ...wish(here), ...wrong } })).body.error,
      ]).toEqual([wrong, 'ERR_VALIDATION'])
    expect(
      (await t.call('POST', '/schedules', { token, body: { ...wish(here), contactId: 2_000_000_000 } })).body.error,
    ).toBe('ERR_NO_CONTACT_FOUND')
    const { id } = await schedule(here)
    const pdf = file(Buffer.from('%PDF-1.4 x'), 'application/pdf', 'a.pdf')
    expect((await t.call('POST', `/schedules/${id}/media-upload`, { token, form: pdf })).body.error).toBe(
      'ERR_FILE_TYPE',
    )
  })

  test('a plan without schedules refuses them everywhere: REST and commands', async () => {
    const here = await office()
    const { token, contact } = here
    const { id } = await schedule(here)
    await t.database.db.update(plans).set({ useSchedules: false }).where(eq(plans.id, here.company.planId!))
    const input = { id: newId(), contactId: contact.id, body: 'Até amanhã', sendAt: '2099-03-05T14:00:00Z' }
    const replies = [
      await t.call('GET', '/schedules', { token }),
      await t.call('GET', `/schedules/${id}`, { token }),
      await t.call('POST', '/schedules', { token, body: wish(here) }),
      await t.call('PUT', `/schedules/${id}`, { token, body: { body: 'outra coisa' } }),
      await t.call('DELETE', `/schedules/${id}`, { token }),
      await t.call('POST', `/schedules/${id}/media-upload`, { token, form: file(PIXEL, 'image/png', 'a.png') }),
      await t.call('POST', '/commands', { token, body: { id: newId(), name: 'schedules.create', input } }),
    ]
    expect(replies.map(({ status, body }) => [status, body.error])).toEqual(
      replies.map(() => [403, 'ERR_PLAN_FEATURE']),
    )
  })
})

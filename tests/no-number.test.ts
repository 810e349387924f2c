import { describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { campaigns } from '../schema/campaigns/campaigns.table.ts'
import { contactAliases } from '../schema/contacts/aliases.table.ts'
import { contacts } from '../schema/contacts/contacts.table.ts'
import { jobs } from '../schema/jobs/jobs.table.ts'
import type { InboundMessage } from '../schema/messages/messages.inbound.ts'
import type { OutgoingMessage } from '../schema/messages/messages.content.ts'
import { optOuts } from '../schema/opt-outs/opt-outs.table.ts'
import { grantable } from '../schema/permissions.ts'
import { placeholderValue } from '../schema/placeholders/placeholders.ts'
import { tickets } from '../schema/tickets/tickets.table.ts'
import { webhookOutbox } from '../schema/webhooks/webhooks.table.ts'
import { whatsapps } from '../schema/whatsapps/whatsapps.table.ts'
import { cloudNumbers } from '../schema/whatsapps/cloud-store.table.ts'
import { createCampaignReplies } from '../server/campaigns/campaigns.answers.ts'
import { campaignEffects } from '../server/campaigns/campaigns.effects.ts'
import { createBulkFacts } from '../server/campaigns/campaigns.settings.queries.ts'
import { notePreferences } from '../server/opt-outs/opt-outs.changes.ts'
import { createReceiver } from '../server/tickets/receive.ts'
import type { TestApp } from './support/app.ts'
import { attempts, type World } from './support/attempts.ts'
import { betweenCompanies } from './support/between-companies.ts'

/**
 * Somebody of whom only a user name and an id of the official API are known, in every place where contacts are shown or
 * something is done with them.
 */
let t: TestApp
let world: World
betweenCompanies((app, both) => {
  t = app
  world = both
})

const ID = 'BR.HIDDENPERSON1'
/** What no answer may say of somebody without a number; nor the id by which the service knows them. */
const wrong =
  /undefined|NaN|\[object|tel:(?!\d)|wa\.me\/(?!\d)|HIDDENPERSON|@s\.whatsapp\.net|"number":""|"contactNumber":""/

/** What is no answer about people, and the log, which tells rows as they are stored. */
const elsewhere = /^GET \/(?:docs\/viewer\.js|audit\/?)$/

/** The company's contact has no number any more, and its connection is official. */
async function hide() {
  const { db } = t.database
  const { contact, whatsapp, company } = world.owned
  await db.update(whatsapps).set({ number: '551133330000' }).where(eq(whatsapps.id, whatsapp.id))
  await db.update(contacts).set({ number: null, lid: null, username: 'ana.p' }).where(eq(contacts.id, contact.id))
  await db.delete(contactAliases).where(eq(contactAliases.contactId, contact.id))
  await db
    .insert(contactAliases)
    .values({ companyId: company.id, contactId: contact.id, kind: 'bsuid', scope: '7', value: ID, since: new Date(0) })
  return { db, contact, whatsapp, company, companyId: company.id }
}

describe('somebody without a number', () => {
  test('is shown by every route as what is known of them, to an admin, to who reads numbers in part, and to programs', async () => {
    await hide()
    const { user, company, programs } = world.owned
    const admin = await t.login(user.email)
    const made = await t.call('POST', '/roles', {
      token: admin,
      body: { name: 'Sem números', permissions: [...grantable], ticketScope: 'all', maskNumbers: true },
    })
    const reader = await t.eg.user(company.id, { roleId: (made.body as { id: number }).id })
    const people = { admin, reader: await t.login(reader.email) }
    const found: string[] = []
    let answered = 0
    for (const [route, tries] of Object.entries(attempts(world))) {
      if (!route.startsWith('GET ') || elsewhere.test(route)) continue
      for (const { path } of tries)
        for (const [name, token] of Object.entries(people)) {
          const isProgram = path.startsWith('/api/v1')
          const reply = await t.call('GET', path, { token: isProgram ? programs.key : token })
          if (reply.status === 200) answered++
          const said = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? '')
          const [odd] = wrong.exec(said) ?? []
          if (reply.status >= 500 || odd) found.push(`${name} ${path}: ${reply.status} ${odd ?? ''}`)
        }
    }
    expect(answered).toBeGreaterThan(160)
    expect(found).toEqual([])
  }, 120_000)

  test('is found by their user name, exported without a word for nothing, and has no card to send', async () => {
    const { contact } = await hide()
    const token = await t.login(world.owned.user.email)
    const search = (await t.call('GET', '/contacts?searchParam=%40ana.p', { token })).body as {
      contacts: { id: number }[]
    }
    expect(search.contacts.map(({ id }) => id)).toEqual([contact.id])
    const sheet = String((await t.call('GET', '/contacts/export?format=csv', { token })).body)
    expect(sheet).not.toMatch(/null|undefined|HIDDEN/)
    const key = world.owned.programs.key
    const contactCard = { number: '5511940001111', contacts: [{ contactId: contact.id }] }
    expect((await t.call('POST', '/api/v1/messages', { token: key, body: contactCard })).body).toMatchObject({
      error: 'ERR_CONTACT_NO_NUMBER',
    })
  })

  test('leaves no hole in a text that would say their number', () => {
    const facts = { contact: { name: 'Ana', number: null } } as Parameters<typeof placeholderValue>[1]
    expect(['name', 'number'].map((key) => placeholderValue(key, facts))).toEqual(['Ana', ''])
  })

  test('opts out with a word, is told so by their id, and gets nothing to many', async () => {
    const { db, contact, whatsapp, companyId } = await hide()
    await db.delete(optOuts).where(eq(optOuts.companyId, companyId))
    await db.update(campaigns).set({ startedAt: t.clock.now }).where(eq(campaigns.companyId, companyId))
    await db.update(tickets).set({ status: 'closed' }).where(eq(tickets.companyId, companyId))
    await db
      .insert(cloudNumbers)
      .values({
        ...{ companyId, whatsappId: whatsapp.id, phoneNumberId: '900', accountId: '7', token: '', appSecret: '' },
        ...{ verifyToken: '', hook: 'hook', appMark: 'mark', version: 'v26.0' },
      })
      .onConflictDoNothing()
    const receive = createReceiver({
      ...{ db, now: () => t.clock.now, facts: t.deps.facts, committed: () => undefined },
      bulk: createCampaignReplies({
        bulk: createBulkFacts(db, 0),
        ...{ changed: () => undefined, poke: () => undefined },
      }),
    })
    const write = (wid: string, text: string) =>
      receive([
        {
          ...{ companyId, whatsappId: whatsapp.id, kind: 'message', wid, participant: null, fromMe: false },
          chat: { kind: 'person', number: null, lid: null, bsuid: { portfolio: '7', id: ID, parent: null } },
          ...{ chatName: null, sentAt: t.clock.now, quotedWid: null, offline: false, content: { type: 'text', text } },
        } as InboundMessage,
      ])
    await write('OUT1', 'sair')
    const entries = () => db.select().from(optOuts).where(eq(optOuts.companyId, companyId))
    expect(await entries()).toMatchObject([{ number: '', lid: String(contact.id), revokedAt: null }])
    const said = await db
      .select()
      .from(jobs)
      .where(and(eq(jobs.companyId, companyId), eq(jobs.kind, 'campaigns.say')))
    expect(said).toHaveLength(1)
    const out: OutgoingMessage[] = []
    const effects = campaignEffects({ db, send: async (message) => void out.push(message) })
    await effects['campaigns.say'](said[0]!.payload as never, { companyId, attempt: 1, last: false } as never)
    expect(out).toMatchObject([{ to: { kind: 'person', number: null, bsuid: { portfolio: '7', id: ID } } }])
    // Programs and the screen know of it.
    const token = await t.login(world.owned.user.email)
    expect((await t.call('GET', `/opt-outs/of/${contact.id}`, { token })).body).toEqual({ optedOut: true })
    const body = { contactId: contact.id, whatsappId: whatsapp.id, body: 'Promoção', bulk: true }
    expect((await t.call('POST', '/api/v1/messages', { token: world.owned.programs.key, body })).body).toMatchObject({
      ...{ error: 'ERR_OPTED_OUT', contactId: contact.id },
    })
    const list = (await t.call('GET', '/opt-outs', { token })).body as { records: { name: string | null }[] }
    expect(list.records[0]).toMatchObject({ number: '', name: expect.stringMatching(/./) })
    await write('BACK1', 'voltar')
    expect((await entries())[0]!.revokedAt).not.toBeNull()
  })

  test('who stops marketing at WhatsApp itself is noted by their id, and comes back', async () => {
    const { db, contact, whatsapp, companyId } = await hide()
    await db.delete(optOuts).where(eq(optOuts.companyId, companyId))
    const told = { companyId, whatsappId: whatsapp.id, number: null, bsuid: { portfolio: '7', id: ID } }
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 30, 12, minute))
    await notePreferences(db, [{ ...told, wants: false, at: at(0) }])
    await notePreferences(db, [{ ...told, bsuid: { portfolio: '7', id: 'BR.NOBODY' }, wants: false, at: at(0) }])
    const entries = () => db.select().from(optOuts).where(eq(optOuts.companyId, companyId))
    expect(await entries()).toMatchObject([{ lid: String(contact.id), source: 'whatsapp', revokedAt: null }])
    await notePreferences(db, [{ ...told, wants: true, at: at(1) }])
    expect((await entries())[0]!.revokedAt).not.toBeNull()
  })

  test('is told to webhooks without a number, not with an empty one', async () => {
    const { db, contact, companyId } = await hide()
    await db.update(contacts).set({ name: 'Ana P.' }).where(eq(contacts.id, contact.id))
    const rows = await db.select().from(webhookOutbox).where(eq(webhookOutbox.companyId, companyId))
    expect(JSON.stringify(rows)).not.toMatch(wrong)
    const key = world.owned.programs.key
    expect((await t.call('GET', `/api/v1/contacts/${contact.id}`, { token: key })).body).toMatchObject({
      ...{ name: 'Ana P.', number: null },
    })
  })
})

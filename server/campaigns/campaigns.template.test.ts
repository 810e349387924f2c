import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { campaigns, shippings } from '../../schema/campaigns/campaigns.table.ts'
import { contactAliases } from '../../schema/contacts/aliases.table.ts'
import { contactListItems, contactLists } from '../../schema/contact-lists/contact-lists.table.ts'
import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import { DomainError } from '../../schema/errors.ts'
import type { OutgoingMessage } from '../../schema/messages/messages.content.ts'
import { optOuts } from '../../schema/opt-outs/opt-outs.table.ts'
import { tags } from '../../schema/tags/tags.table.ts'
import { templates } from '../../schema/templates/templates.table.ts'
import { cloudNumbers } from '../../schema/whatsapps/cloud-store.table.ts'
import { cannot } from '../../schema/whatsapps/whatsapps.providers.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { GiveUp } from '../jobs/worker.ts'
import { notePreferences } from '../opt-outs/opt-outs.changes.ts'
import { planCampaigns } from './campaigns.plan.ts'
import { createSender } from './campaigns.sender.ts'
import { stopRefused } from './campaigns.stop.ts'
import { createBulkFacts } from './campaigns.settings.queries.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  // The first company is the operator's.
  await t.eg.company()
})
afterAll(() => t.close())

const numberOf = (n: number) => `55119${String(70_000_000 + n)}`

/** A company with an official number, a template, and three people on a list. */
async function office() {
  const { db } = t.database
  const company = await t.eg.company()
  const token = await t.login((await t.eg.user(company.id, { profile: 'admin' })).email)
  const line = await t.eg.whatsapp(company.id, { provider: 'official', status: 'CONNECTED' })
  const [list] = await db.insert(contactLists).values({ companyId: company.id, name: 'Clientes' }).returning()
  await db.insert(contactListItems).values(
    [1, 2, 3].map((n) => ({
      ...{ companyId: company.id, contactListId: list!.id, name: `Pessoa ${n}`, number: numberOf(n) },
      ...{ key: numberKey(numberOf(n)), isWhatsappValid: true, checkedAt: t.clock.now },
    })),
  )
  const [template] = await db
    .insert(templates)
    .values({
      ...{ companyId: company.id, whatsappId: line.id, metaId: '1', name: 'promo', language: 'pt_BR' },
      ...{ category: 'MARKETING', confirmedCategory: 'MARKETING', status: 'APPROVED' },
      parts: {
        ...{ named: false, header: null, footer: 'Padaria Sol', buttons: [], examples: {} },
        body: 'Oi, {{1}}! Hoje tem bolo.',
      },
    })
    .returning()
  const sent: OutgoingMessage[] = []
  const world = { onSend: async (_message: OutgoingMessage): Promise<unknown> => undefined }
  const sender = createSender({
    ...{ db, now: () => t.clock.now, log: t.deps.log, facts: t.deps.facts, bulk: createBulkFacts(db, 0) },
    clear: () => Promise.resolve(),
    openConnections: () => [line.id],
    send: async (message) => {
      await world.onSend(message)
      sent.push(message)
    },
    ahead: async () => undefined,
    held: async () => new Set(),
    checkNumber: async () => {
      throw cannot('checkNumber')
    },
    fileContent: async () => ({ type: 'text', text: 'file' }),
    ...{ changed: () => undefined, committed: () => undefined },
  })
  await t.call('POST', '/campaign-settings', {
    token,
    body: { settings: { messageInterval: 0, longerIntervalAfter: 0, greaterInterval: 0 } },
  })
  const call = async (method: string, path: string, body?: object) => (await t.call(method, path, { token, body })).body
  const make = (more: object = {}) =>
    call('POST', '/campaigns', {
      ...{ name: 'Bolo', whatsappId: line.id, contactListId: list!.id, bulkGuard: false },
      ...{ templateId: template!.id, templateValues: { 'body.1': '{nome}' }, ...more },
    })
  const set = (more: Partial<typeof templates.$inferInsert>) =>
    db.update(templates).set(more).where(eq(templates.id, template!.id))
  const run = async (id: number) => {
    const begun = await call('POST', `/campaigns/${id}/start`)
    if (begun.error) return begun
    await planCampaigns({ db, now: () => t.clock.now, log: t.deps.log, changed: () => undefined })
    for (let i = 0; i < 40; i++) {
      const done = await sender.step(line.id)
      await Bun.sleep(5)
      if (done.kind === 'wait' && done.at === null) break
    }
    return begun
  }
  const now = async (id: number) => (await db.select().from(campaigns).where(eq(campaigns.id, id)))[0]!
  const people = (id: number) => db.select().from(shippings).where(eq(shippings.campaignId, id)).orderBy(shippings.id)
  return { company, line, template: template!, sent, world, call, make, set, run, now, people, sender }
}

test('a campaign over an official number goes by its template, filled for each person', async () => {
  const o = await office()
  const made = await o.make({ message1: 'qualquer outra coisa', confirmation: true })
  expect(made).toMatchObject({ message1: 'Oi, {nome}! Hoje tem bolo.\n\n_Padaria Sol_', confirmation: false })
  expect((await o.call('GET', `/campaigns/${made.id}/preview`)).body).toContain('Oi, Ana Souza!')
  expect(await o.call('POST', `/campaigns/${made.id}/dry-run`)).toMatchObject({ willReceive: 3 })
  await o.run(made.id)
  expect(o.sent.map(({ content }) => content)).toEqual(
    [1, 2, 3].map((n) => ({
      type: 'template',
      text: `Oi, Pessoa ${n}! Hoje tem bolo.\n\n_Padaria Sol_`,
      template: {
        ...{ is: 'template', name: 'promo', language: 'pt_BR', named: false },
        ...{ values: { 'body.1': `Pessoa ${n}` }, buttons: [] },
      },
    })),
  )
})

test('[M17] without a template that may be sent it does not begin; while it runs it pauses, and says why', async () => {
  const o = await office()
  const bare = await o.make({ templateId: null, templateValues: {}, message1: 'Oi' })
  expect(await o.run(bare.id)).toMatchObject({ error: 'ERR_CAMPAIGN_TEMPLATE' })
  expect(await o.make({ templateValues: {} })).toMatchObject({ error: 'ERR_TEMPLATE_VALUES', missing: ['body.1'] })
  const made = await o.make()
  await o.set({ status: 'PENDING' })
  expect(await o.run(made.id)).toMatchObject({ error: 'ERR_CAMPAIGN_TEMPLATE' })
  await o.set({ status: 'APPROVED' })
  for (const [changed, reason] of [
    [{ status: 'PAUSED' }, 'template_paused'],
    [{ status: 'DISABLED' }, 'template_stopped'],
    [{ status: 'APPROVED', confirmedCategory: 'UTILITY' }, 'template_drift'],
  ] as const) {
    const one = await o.make()
    await o.call('POST', `/campaigns/${one.id}/start`)
    await o.set(changed)
    await planCampaigns({ db: t.database.db, now: () => t.clock.now, log: t.deps.log, changed: () => undefined })
    await o.sender.step(o.line.id)
    expect(await o.now(one.id)).toMatchObject({ status: 'PAUSADA', pauseReason: reason })
    await o.set({ status: 'APPROVED', confirmedCategory: 'MARKETING' })
    await o.call('POST', `/campaigns/${one.id}/cancel`)
  }
  expect(o.sent).toEqual([])
})

test('[M19] what the official API refuses of the whole number, or of the template, pauses what goes to many', async () => {
  const o = await office()
  const stopped = (refused: Parameters<typeof stopRefused>[2]) =>
    t.database.db.transaction((tx) => stopRefused(tx, o.line.id, refused, t.clock.now))
  for (const [refused, reason] of [
    [{ failure: 'spam' }, 'service_spam'],
    [{ failure: 'account_limited' }, 'service_limited'],
    [{ failure: 'setup' }, 'service_setup'],
    [{ failure: 'withdrawn' }, 'service_withdrawn'],
    [{ failure: 'template', template: 'promo' }, 'template_stopped'],
  ] as const) {
    const made = await o.make()
    await o.call('POST', `/campaigns/${made.id}/start`)
    await stopped({ failure: 'template', template: 'outro' })
    expect(await o.now(made.id)).toMatchObject({ status: 'EM_ANDAMENTO' })
    expect(await stopped(refused)).toMatchObject([{ id: made.id }])
    expect(await o.now(made.id)).toMatchObject({ status: 'PAUSADA', pauseReason: reason })
    // A person says that it goes on.
    expect(await o.call('POST', `/campaigns/${made.id}/resume`)).toMatchObject({ status: 'EM_ANDAMENTO' })
    await o.call('POST', `/campaigns/${made.id}/cancel`)
  }
})

test('[M20] whom the service keeps it from is not tried again; who failed otherwise is', async () => {
  const o = await office()
  o.world.onSend = async ({ to }) => {
    if (to.kind === 'person' && to.number === numberOf(1)) throw new GiveUp('cloud_ecosystem:131049')
    if (to.kind === 'person' && to.number === numberOf(2)) throw new GiveUp('cloud_experiment:130472')
    if (to.kind === 'person' && to.number === numberOf(3)) throw new GiveUp('cloud_media:131053')
  }
  const made = await o.make()
  await o.run(made.id)
  o.world.onSend = async () => undefined
  await o.call('POST', `/campaigns/${made.id}/retry`)
  for (let i = 0; i < 20 && o.sent.length === 0; i++) await o.sender.step(o.line.id)
  expect((await o.people(made.id)).map(({ state, reason }) => [state, reason])).toEqual([
    ['failed', 'cloud_ecosystem:131049'],
    ['failed', 'cloud_experiment:130472'],
    ['sent', null],
  ])
})

test('who does not get it for a reason of the service is told so in the report', async () => {
  const o = await office()
  o.world.onSend = async ({ to }) => {
    if (to.kind === 'person' && to.number === numberOf(2)) throw new GiveUp('cloud_stopped_marketing:131050')
    if (to.kind === 'person' && to.number === numberOf(3)) throw new DomainError('ERR_CHANNEL_REFUSED', { reason: 'x' })
  }
  const made = await o.make()
  await o.run(made.id)
  expect((await o.people(made.id)).map(({ state, reason }) => [state, reason])).toEqual([
    ['sent', null],
    ['failed', 'cloud_stopped_marketing:131050'],
    ['failed', 'x'],
  ])
})

test('[M18] whose own words leave the template empty, or name no place for its header, is left out, as its dry run says', async () => {
  const o = await office()
  const place = { named: false, header: { kind: 'location' as const }, footer: null, buttons: [], examples: {} }
  await o.set({ parts: { ...place, body: 'Estamos aqui, {{1}}' } })
  await t.database.db
    .update(contactListItems)
    .set({ name: '-23.55, -46.63' })
    .where(eq(contactListItems.number, numberOf(2)))
  const values = { 'place.point': '{nome}', 'place.name': 'Padaria', 'place.address': 'Rua 1', 'body.1': '{nome}' }
  const made = await o.make({ templateValues: values })
  expect(await o.call('POST', `/campaigns/${made.id}/dry-run`)).toMatchObject({
    ...{ willReceive: 1, skipped: { no_values: 2 } },
  })
  await o.run(made.id)
  expect(o.sent.map(({ to }) => (to.kind === 'person' ? to.number : null))).toEqual([numberOf(2)])
  const people = await o.people(made.id)
  expect(people.map(({ state, reason }) => reason ?? state)).toEqual(['no_values', 'sent', 'no_values'])

  const words = await office()
  await words.set({ parts: { ...place, header: null, body: 'Seu e-mail é {{1}}' } })
  const empty = await words.make({ templateValues: { 'body.1': '{email}' } })
  expect(await words.call('POST', `/campaigns/${empty.id}/dry-run`)).toMatchObject({ willReceive: 0 })
  await words.run(empty.id)
  expect(words.sent).toEqual([])
})

test('who stops marketing is out, and back only from what the service had said', async () => {
  const o = await office()
  const { db } = t.database
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute))
  const told = (number: string, wants: boolean, minute: number) =>
    notePreferences(db, [{ companyId: o.company.id, whatsappId: o.line.id, number, wants, at: at(minute) }])
  const standing = async (number: string) => {
    const own = and(eq(optOuts.companyId, o.company.id), eq(optOuts.key, numberKey(number)))
    const rows = await db.select().from(optOuts).where(own)
    return rows.map(({ source, revokedAt }) => [source, revokedAt === null])
  }
  await told(numberOf(1), false, 1)
  await told(numberOf(1), false, 1)
  expect(await standing(numberOf(1))).toEqual([['whatsapp', true]])
  const made = await o.make()
  await o.run(made.id)
  expect((await o.people(made.id)).map(({ state }) => state)).toEqual(['skipped', 'sent', 'sent'])
  await told(numberOf(1), true, 5)
  expect(await standing(numberOf(1))).toEqual([['whatsapp', false]])
  // Told late: they have come back since.
  await told(numberOf(1), false, 3)
  expect(await standing(numberOf(1))).toEqual([['whatsapp', false]])
  await o.call('POST', '/opt-outs', { number: numberOf(2) })
  await told(numberOf(2), false, 6)
  await told(numberOf(2), true, 7)
  expect(await standing(numberOf(2))).toEqual([['hand', true]])
})

test('who has no number gets it by their id over the official number, once, and nobody asks about them', async () => {
  const o = await office()
  const { db } = t.database
  const { id: companyId } = o.company
  await db.insert(cloudNumbers).values({
    ...{ companyId, whatsappId: o.line.id, phoneNumberId: `9${o.line.id}`, accountId: '7', token: '', appSecret: '' },
    ...{ verifyToken: '', hook: `hook${o.line.id}`, appMark: 'mark', version: 'v26.0' },
  })
  const [tag] = await db.insert(tags).values({ companyId, name: 'VIP', color: '#000000' }).returning()
  const person = async (name: string, id: string | null) => {
    const contact = await t.eg.contact(companyId, { name, number: null, username: name.toLowerCase() })
    await t.eg.ticket(companyId, { contactId: contact.id, whatsappId: o.line.id, status: 'closed', tagIds: [tag!.id] })
    const alias = { companyId, contactId: contact.id, kind: 'bsuid' as const, scope: '7', value: id ?? '' }
    if (id) await db.insert(contactAliases).values({ ...alias, since: new Date(0) })
    return contact
  }
  const [ana] = [await person('Ana', 'BR.ANA'), await person('Caio', null)]
  const made = await o.make({ contactListId: null, tagListId: tag!.id })
  expect(await o.call('POST', `/campaigns/${made.id}/dry-run`)).toMatchObject({
    willReceive: 1,
    skipped: { no_number: 1 },
  })
  const preview = await o.call('GET', `/campaigns/${made.id}/preview?contactId=${ana.id}`)
  expect(preview).toMatchObject({ number: null, skipReason: null, body: expect.stringContaining('Oi, Ana!') })
  await o.run(made.id)
  expect(o.sent).toMatchObject([
    {
      to: { kind: 'person', number: null, bsuid: { portfolio: '7', id: 'BR.ANA' } },
      content: { type: 'template', template: { values: { 'body.1': 'Ana' } } },
    },
  ])
  expect(await o.people(made.id)).toMatchObject([
    { name: 'Ana', number: '', lid: String(ana.id), state: 'sent' },
    { name: 'Caio', state: 'skipped', reason: 'no_number' },
  ])
  // Who wants no more gets none of the next.
  await notePreferences(db, [
    {
      companyId,
      whatsappId: o.line.id,
      number: null,
      bsuid: { portfolio: '7', id: 'BR.ANA' },
      wants: false,
      at: t.clock.now,
    },
  ])
  const rules = [
    { kind: 'lastCampaign', when: 'within', days: 7 },
    { kind: 'tag', tagId: tag!.id },
  ]
  expect(await o.call('POST', '/segments/count', { match: 'all', rules })).toEqual({ count: 1 })
  const next = await o.make({ contactListId: null, tagListId: tag!.id })
  await o.run(next.id)
  expect(o.sent).toHaveLength(1)
})

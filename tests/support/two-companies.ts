import { phraseKey } from '../../schema/flows/flows.edits.inputs.ts'
import { apiScopes } from '../../schema/api-keys/api-keys.scopes.ts'
import { webhookDeliveries } from '../../schema/webhooks/webhooks.table.ts'
import { makeApiKey } from '../../server/api-keys/api-keys.writes.ts'
import { makeWebhook } from '../../server/webhooks/webhooks.writes.ts'
import { quickMessages } from '../../schema/quick-messages/quick-messages.table.ts'
import { roles } from '../../schema/roles/roles.table.ts'
import { savedFilters } from '../../schema/filters/filters.table.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import { eq } from 'drizzle-orm'
import { announcements } from '../../schema/announcements/announcements.table.ts'
import { fileListOptions, fileLists } from '../../schema/files/files.table.ts'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { newId } from '../../schema/ids.ts'
import { chatMessages, chats, chatUserId, chatUsers } from '../../schema/chats/chats.table.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { bulkLines, bulkSends, campaigns, campaignSettings, shippings } from '../../schema/campaigns/campaigns.table.ts'
import { contactListItems, contactLists } from '../../schema/contact-lists/contact-lists.table.ts'
import { contactAliases } from '../../schema/contacts/aliases.table.ts'
import { contactMerges } from '../../schema/contacts/merges.table.ts'
import {
  flowCampaigns,
  flowDefaults,
  flowFiles,
  flowNodes,
  flows,
  flowSecrets,
  flowVersions,
} from '../../schema/flows/flows.table.ts'
import { invoices } from '../../schema/invoices/invoices.table.ts'
import { integrations } from '../../schema/integrations/integrations.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import { prompts, promptUsage } from '../../schema/prompts/prompts.table.ts'
import { erasures, privacyExports, privacyRequests } from '../../schema/privacy/privacy.table.ts'
import { pushSubscriptions } from '../../schema/push/push.table.ts'
import { queueOptions } from '../../schema/queues/queue-options.table.ts'
import { optOuts } from '../../schema/opt-outs/opt-outs.table.ts'
import { segments } from '../../schema/segments/segments.table.ts'
import { reportSchedules, reportViews } from '../../schema/reports/reports.table.ts'
import { ruleRuns, rules } from '../../schema/rules/rules.table.ts'
import { slaClocks, slaPolicies } from '../../schema/sla-policies/sla-policies.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import { macros } from '../../schema/macros/macros.table.ts'
import { customFields } from '../../schema/custom-fields/custom-fields.table.ts'
import { tags } from '../../schema/tags/tags.table.ts'
import { templates } from '../../schema/templates/templates.table.ts'
import { ticketEvents, tickets, ticketTrackings } from '../../schema/tickets/tickets.table.ts'
import { userQueues, users } from '../../schema/users/users.table.ts'
import { whatsappQueues, whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { changedAccount, writeAccount } from '../../server/invoices/invoices.account.ts'
import { sealedSecret } from '../../server/flows/flow-secrets.queries.ts'
import { sealedKeys } from '../../server/prompts/prompts.queries.ts'
import { PIXEL } from '../example-data.ts'
import type { TestApp } from './app.ts'

/** In every text of the company that must stay unseen. */
export const MARK = 'alfa-secreto'

const tables: PgTable[] = [
  bulkLines,
  bulkSends,
  pushSubscriptions,
  chatMessages,
  chats,
  chatUsers,
  contacts,
  campaigns,
  campaignSettings,
  shippings,
  optOuts,
  segments,
  slaPolicies,
  slaClocks,
  contactListItems,
  contactLists,
  contactAliases,
  contactMerges,
  fileLists,
  fileListOptions,
  flowCampaigns,
  flowDefaults,
  flowFiles,
  flowNodes,
  flows,
  flowVersions,
  integrations,
  invoices,
  macros,
  rules,
  ruleRuns,
  messages,
  prompts,
  promptUsage,
  queueOptions,
  queues,
  quickMessages,
  schedules,
  settings,
  tags,
  customFields,
  templates,
  ticketEvents,
  ticketNotes,
  tickets,
  ticketTrackings,
  userQueues,
  users,
  whatsappQueues,
  whatsapps,
]

/** A chat of these people, in which the first of them has written. */
async function chatOf(db: TestApp['database']['db'], companyId: number, userIds: readonly number[], text: string) {
  const [chat] = await db
    .insert(chats)
    .values({ companyId, title: text, ownerId: userIds[0]!, lastMessage: text })
    .returning()
  const chatId = chat!.id
  await db
    .insert(chatUsers)
    .values(userIds.map((userId) => ({ id: chatUserId(chatId, userId), companyId, chatId, userId })))
  const messageId = newId()
  await db.insert(chatMessages).values({ id: messageId, companyId, chatId, senderId: userIds[0]!, message: text })
  return { id: chatId, messageId }
}

/** A flow that was published once, with a phrase that begins it and a file that it sends. */
export async function flowOf({ database, deps }: TestApp, companyId: number, text: string) {
  const { db } = database
  const [flow] = await db.insert(flows).values({ companyId, name: text }).returning()
  const flowId = flow!.id
  const file = await deps.media.put(companyId, PIXEL, { name: 'a.png', mimetype: 'image/png', maxBytes: 1_000 })
  const fileName = `${text}.png`
  await db.insert(flowFiles).values({
    companyId,
    name: fileName,
    mediaPath: file.path,
    mediaName: fileName,
    mediaMime: 'image/png',
    mediaSize: PIXEL.length,
  })
  const start = { node: '1', type: 'start', x: 0, y: 0, data: {}, exits: { a: 'm1' } }
  const said = { node: 'm1', type: 'message', x: 300, y: 0, data: { text }, exits: {} }
  for (const node of [start, said])
    await db.insert(flowNodes).values({ id: `${flowId}:${node.node}`, companyId, flowId, ...node })
  const [version] = await db
    .insert(flowVersions)
    .values({ companyId, flowId, number: 1, nodes: [start, said], note: text })
    .returning()
  await db.update(flows).set({ versionId: version!.id }).where(eq(flows.id, flowId))
  const [campaign] = await db
    .insert(flowCampaigns)
    .values({ companyId, name: text, flowId, phrase: text, phraseKey: phraseKey(text) })
    .returning()
  await db.insert(flowDefaults).values({ companyId, flowIdWelcome: flowId }).onConflictDoNothing()
  // One for a company, which keeps a hundred at most.
  const value = sealedSecret(deps.sealer, companyId, 'key', text.repeat(3))
  const [secret] = await db
    .insert(flowSecrets)
    .values({ companyId, name: 'key', value })
    .onConflictDoUpdate({ target: [flowSecrets.companyId, flowSecrets.name], set: { value } })
    .returning()
  return {
    ...{ id: flowId, versionId: version!.id, campaignId: campaign!.id, secretId: secret!.id },
    ...{ fileName, path: file.path },
  }
}

/** What a company owes the operator, who takes it by a Pix key. */
export async function invoiceOf(
  { database: { db } }: TestApp,
  companyId: number,
  text: string,
  dueDate = '2026-12-01',
) {
  const [invoice] = await db
    .insert(invoices)
    .values({ companyId, detail: text, value: '99.90', dueDate, months: 1 })
    .returning()
  return invoice!.id
}

/** A contact list with somebody on it. */
export async function contactListOf({ database: { db } }: TestApp, companyId: number, text: string) {
  const [list] = await db.insert(contactLists).values({ companyId, name: text }).returning()
  const [item] = await db
    .insert(contactListItems)
    .values({ companyId, contactListId: list!.id, name: text, number: '5511911113333', key: '1111113333' })
    .returning()
  return { id: list!.id, itemId: item!.id }
}

/** A campaign with somebody who gets it, somebody who wants none, and a segment. */
async function campaignOf({ database: { db } }: TestApp, companyId: number, text: string) {
  const [campaign] = await db.insert(campaigns).values({ companyId, name: text, message1: text, seed: 1 }).returning()
  const campaignId = campaign!.id
  const person = { companyId, name: text, number: '5511911113333', key: '1111113333' }
  await db.insert(shippings).values({ ...person, campaignId, body: text })
  const [optOut] = await db
    .insert(optOuts)
    .values({ companyId, number: '5511911114444', key: '1111114444', source: 'hand', text })
    .returning()
  const [segment] = await db
    .insert(segments)
    .values({ companyId, name: text, rules: [{ kind: 'field', name: text, value: text }] })
    .returning()
  await db.insert(campaignSettings).values({ companyId, key: 'optOutReply', value: text })
  return { id: campaignId, optOutId: optOut!.id, segmentId: segment!.id }
}

/** An assistant and an integration, which lead nowhere. */
async function botsOf({ database, deps }: TestApp, companyId: number, queueId: number, text: string) {
  const { db } = database
  const nowhere = 'http://127.0.0.1:1'
  const [prompt] = await db
    .insert(prompts)
    .values({ companyId, name: `${text} prompt`, prompt: text.repeat(5), apiKey: '', queueId, baseUrl: nowhere })
    .returning()
  await db
    .update(prompts)
    .set(sealedKeys(deps.sealer, prompt!.id, { apiKey: `sk-${text}` }))
    .where(eq(prompts.id, prompt!.id))
  const [integration] = await db
    .insert(integrations)
    .values({ companyId, type: 'typebot', name: `${text} bot`, urlN8N: nowhere, typebotSlug: text })
    .returning()
  await db.insert(promptUsage).values({ companyId, month: '2026-11-01', tokens: 7_777, answers: 3 })
  return { promptId: prompt!.id, integrationId: integration!.id }
}

/** An option of a queue that sends a file. */
async function optionOf({ database, deps }: TestApp, companyId: number, queueId: number, text: string) {
  const file = await deps.media.put(companyId, Buffer.from(`%PDF-1.4 option ${text}`), {
    name: 'a.pdf',
    mimetype: 'application/pdf',
    maxBytes: 1_000,
  })
  const [option] = await database.db
    .insert(queueOptions)
    .values({ companyId, queueId, option: 1, title: text, message: text, mediaPath: file.path, mediaName: 'a.pdf' })
    .returning()
  return { id: option!.id, file }
}

/** A list with one file. */
export async function fileListOf({ database, deps }: TestApp, companyId: number, text: string) {
  const { path } = await deps.media.put(companyId, PIXEL, { name: 'a.png', mimetype: 'image/png', maxBytes: 1_000 })
  const [list] = await database.db.insert(fileLists).values({ companyId, name: text, message: text }).returning()
  const file = { mediaPath: path, mediaName: 'a.png', mediaMime: 'image/png', mediaSize: PIXEL.length }
  const [option] = await database.db
    .insert(fileListOptions)
    .values({ companyId, fileListId: list!.id, name: text, position: 0, ...file })
    .returning()
  return { id: list!.id, optionId: option!.id, path }
}

/** What programs of the company have: a key with every scope, and a webhook that leads nowhere. */
async function programsOf({ database: { db }, deps }: TestApp, companyId: number, userId: number, text: string) {
  const input = { name: `${text} key`, scopes: [...apiScopes], ratePerMinute: 60_000 }
  const { key, row } = await makeApiKey(db, { companyId, userId }, input, deps.now())
  const url = `https://${text.toLowerCase().replace(/[^a-z]/g, '')}.invalid/${text}`
  const hook = await makeWebhook(
    db,
    deps.sealer,
    companyId,
    { url, events: ['ticket.rated'], active: false },
    deps.now(),
  )
  const [delivery] = await db
    .insert(webhookDeliveries)
    .values({ companyId, webhookId: hook.row.id, eventId: text, type: 'webhook.test', payload: text, state: 'failed' })
    .returning()
  return { key, keyId: row.id, webhookId: hook.row.id, deliveryId: delivery!.id }
}

/** A company with one row of everything, each holding `MARK`; and the people of another one. */
export async function twoCompanies(t: TestApp) {
  const { deps } = t
  const { db } = t.database
  // The first company is the operator's and has rights of its own.
  await t.eg.company()
  const company = await t.eg.company({ name: `${MARK} company` })
  const companyId = company.id
  const queue = await t.eg.queue(companyId, { name: `${MARK} queue`, greetingMessage: MARK })
  const whatsapp = await t.eg.whatsapp(companyId, {
    name: `${MARK} connection`,
    token: `${MARK}-token`,
    isDefault: true,
    status: 'CONNECTED',
  })
  await db.insert(whatsappQueues).values({ companyId, whatsappId: whatsapp.id, queueId: queue.id })
  const user = await t.eg.user(companyId, {
    name: `${MARK} user`,
    email: `${MARK}@example.test`,
    profile: 'admin',
    queueIds: [queue.id],
  })
  const agent = await t.eg.user(companyId, { name: `${MARK} agent` })
  const contact = await t.eg.contact(companyId, { name: `${MARK} contact`, number: '5511911112222' })
  const [field] = await db
    .insert(customFields)
    .values({ companyId, entity: 'ticket', name: `${MARK} campo`, key: 'campo', type: 'text' })
    .returning()
  const [tag] = await db
    .insert(tags)
    .values({ companyId, name: `${MARK} tag`, color: '#123456' })
    .returning()
  const ticket = await t.eg.ticket(companyId, {
    contactId: contact.id,
    queueId: queue.id,
    userId: user.id,
    whatsappId: whatsapp.id,
    status: 'open',
    lastMessage: MARK,
    tagIds: [tag!.id],
    unreadMessages: 1,
  })
  const file = await t.deps.media.put(companyId, Buffer.from(`%PDF-1.4 ${MARK}`), {
    name: 'a.pdf',
    mimetype: 'application/pdf',
    maxBytes: 1_000,
  })
  const quickFile = await t.deps.media.put(companyId, Buffer.from(`%PDF-1.4 quick ${MARK}`), {
    name: 'a.pdf',
    mimetype: 'application/pdf',
    maxBytes: 1_000,
  })
  const picture = await t.deps.media.put(companyId, Buffer.from(MARK), {
    name: 'a.jpg',
    mimetype: 'image/jpeg',
    maxBytes: 1_000,
    area: 'contacts',
  })
  const message = await t.eg.messageIn(ticket, {
    body: MARK,
    mediaPath: file.path,
    mediaState: 'ready',
    mediaName: `${MARK}.pdf`,
    mediaMime: 'application/pdf',
  })
  const own = await t.eg.messageIn(ticket, { body: `${MARK} own`, fromMe: true })
  await db
    .insert(contactAliases)
    .values({ companyId, contactId: contact.id, kind: 'bsuid', scope: '1', value: `BR.${MARK}`, since: new Date(0) })
  const [merge] = await db
    .insert(contactMerges)
    .values({
      companyId,
      keptId: contact.id,
      before: { kept: {}, after: {}, gone: { name: MARK }, ticketIds: [], scheduleIds: [], joined: [] },
    })
    .returning()
  const pushEndpoint = `https://push.example.test/${MARK}`
  const session = await t.eg.session(user)
  const passkey = await t.eg.passkey(user, { name: MARK })
  await db.insert(pushSubscriptions).values({
    companyId,
    userId: user.id,
    sessionId: session.id,
    endpoint: pushEndpoint,
    p256dh: MARK,
    auth: MARK,
  })
  const scheduleId = newId()
  await db.insert(schedules).values({
    id: scheduleId,
    companyId,
    contactId: contact.id,
    userId: user.id,
    body: MARK,
    sendAt: new Date('2099-01-01'),
  })
  const filterId = newId()
  const [role] = await db.insert(roles).values({ companyId, name: MARK }).returning({ id: roles.id })
  await db.insert(savedFilters).values({ id: filterId, companyId, userId: user.id, name: MARK, filter: {} })
  const [macro] = await db
    .insert(macros)
    .values({
      ...{ companyId, userId: user.id, name: MARK, shortcut: MARK, sharing: 'company' },
      actions: [{ type: 'note', note: MARK }],
    })
    .returning({ id: macros.id })
  const [rule] = await db
    .insert(rules)
    .values({
      ...{ companyId, name: MARK, position: 1, trigger: 'messageIn' },
      conditions: [{ kind: 'words', words: [MARK], not: false }],
      actions: [{ type: 'note', note: MARK }],
    })
    .returning({ id: rules.id })
  await db.insert(ruleRuns).values({
    ...{ id: `${MARK}:${rule!.id}`, companyId, ruleId: rule!.id, version: 1, ticketId: ticket.id, eventId: MARK },
    ...{ trigger: 'messageIn', root: MARK, depth: 0, result: 'done', met: [], outcome: { done: ['note'] } },
  })
  const [privacyExport] = await db
    .insert(privacyExports)
    .values({ id: newId(), companyId, contactId: contact.id, userId: user.id, state: 'failed', error: MARK })
    .returning({ id: privacyExports.id })
  const [erasure] = await db
    .insert(erasures)
    .values({ id: newId(), companyId, contactId: contact.id, reason: MARK, hashes: [MARK], state: 'done' })
    .returning({ id: erasures.id })
  const [privacyRequest] = await db
    .insert(privacyRequests)
    .values({
      ...{ companyId, subject: MARK, kind: 'access', law: 'lgpd', note: MARK },
      ...{ receivedAt: '2026-01-02', dueAt: '2026-01-17' },
    })
    .returning({ id: privacyRequests.id })
  const [quickMessage] = await db
    .insert(quickMessages)
    .values({
      companyId,
      userId: user.id,
      shortcode: `${MARK}-short`,
      message: MARK,
      isGeneral: true,
      mediaPath: quickFile.path,
      mediaName: 'a.pdf',
      mediaMime: 'application/pdf',
    })
    .returning()
  const [template] = await db
    .insert(templates)
    .values({
      ...{ companyId, whatsappId: whatsapp.id, metaId: '1', name: MARK, language: 'pt_BR', status: 'APPROVED' },
      ...{ category: 'UTILITY', confirmedCategory: 'UTILITY' },
      parts: { named: false, header: null, body: MARK, footer: null, buttons: [], examples: {} },
    })
    .returning({ id: templates.id })
  const noteId = newId()
  await db
    .insert(ticketNotes)
    .values({ id: noteId, companyId, ticketId: ticket.id, contactId: contact.id, userId: user.id, note: MARK })
  await db.insert(settings).values({ companyId, key: 'userRating', value: 'enabled' })
  const chat = await chatOf(db, companyId, [user.id, agent.id], MARK)
  const flow = await flowOf(t, companyId, MARK)
  const bots = await botsOf(t, companyId, queue.id, MARK)
  const programs = await programsOf(t, companyId, user.id, MARK)
  const option = await optionOf(t, companyId, queue.id, MARK)
  const contactList = await contactListOf(t, companyId, MARK)
  const campaign = await campaignOf(t, companyId, MARK)

  const fileList = await fileListOf(t, companyId, MARK)
  const invoiceId = await invoiceOf(t, companyId, MARK)
  const account = { provider: 'pix' as const, pixKey: 'caixa@example.test', pixName: 'Operador', pixCity: 'Recife' }
  await writeAccount(
    db,
    deps.sealer,
    changedAccount(null, account, () => true),
    deps.now(),
  )
  // It fits no ticket, so that nothing moves by itself here.
  const [slaPolicy] = await db
    .insert(slaPolicies)
    .values({ companyId, name: MARK, position: 1, firstAnswer: 10, contactField: { name: MARK, value: MARK } })
    .returning()
  await db.insert(slaClocks).values({
    ...{ id: newId(), companyId, ticketId: ticket.id, policyId: slaPolicy!.id, metric: 'firstAnswer', minutes: 10 },
    ...{ startedAt: deps.now(), metAt: deps.now(), endedAt: deps.now(), tookMs: 60_000 },
  })
  const kept = { companyId, userId: user.id, name: MARK, report: 'queues', query: { range: 'last30' as const } }
  const [reportView] = await db
    .insert(reportViews)
    .values({ ...kept, isShared: true })
    .returning({ id: reportViews.id })
  const [reportSchedule] = await db
    .insert(reportSchedules)
    .values({ ...kept, every: 'day', hour: 8, format: 'csv', userIds: [user.id], nextAt: new Date('2099-01-01') })
    .returning({ id: reportSchedules.id })
  const [announcement] = await db
    .insert(announcements)
    .values({ title: MARK, text: MARK, companyIds: [companyId] })
    .returning()

  const other = await t.eg.company()
  const stranger = await t.eg.user(other.id, { profile: 'admin', allTicket: true })
  const otherQueue = await t.eg.queue(other.id)
  const otherWhatsapp = await t.eg.whatsapp(other.id, { isDefault: true })
  const otherContact = await t.eg.contact(other.id)
  const otherTicket = await t.eg.ticket(other.id, {
    contactId: otherContact.id,
    queueId: otherQueue.id,
    userId: stranger.id,
    whatsappId: otherWhatsapp.id,
    status: 'open',
  })

  return {
    owned: {
      company,
      queue,
      whatsapp,
      user,
      agent,
      contact,
      field: field!,
      tag: tag!,
      ticket,
      message,
      own,
      noteId,
      mergeId: merge!.id,
      pushEndpoint,
      sessionId: session.id,
      passkey,
      roleId: role!.id,
      scheduleId,
      filterId,
      quickMessage: quickMessage!,
      macroId: macro!.id,
      ruleId: rule!.id,
      exportId: privacyExport!.id,
      erasureId: erasure!.id,
      requestId: privacyRequest!.id,
      templateId: template!.id,
      chat,
      flow,
      bots,
      programs,
      option,
      contactList,
      campaign,
      slaPolicyId: slaPolicy!.id,
      reportViewId: reportView!.id,
      reportScheduleId: reportSchedule!.id,
      quickFile,
      fileList,
      invoiceId,
      announcementId: announcement!.id,
      file,
      picture,
    },
    stranger: {
      user: stranger,
      company: other,
      queue: otherQueue,
      whatsapp: otherWhatsapp,
      contact: otherContact,
      ticket: otherTicket,
      chat: await chatOf(db, other.id, [stranger.id], 'notes to myself'),
      flow: await flowOf(t, other.id, 'other flow'),
      bots: await botsOf(t, other.id, otherQueue.id, 'other'),
      programs: await programsOf(t, other.id, stranger.id, 'other'),
      option: await optionOf(t, other.id, otherQueue.id, 'other'),
      token: await t.login(stranger.email),
    },
    /** Every row of the company, and its file, as text. */
    async snapshot(): Promise<string> {
      const rows: unknown[] = [await db.select().from(companies).where(eq(companies.id, companyId))]
      for (const table of tables) {
        const { columns, name } = getTableConfig(table)
        const column = columns.find((candidate) => candidate.name === 'companyId')!
        const found = await db.select().from(table).where(eq(column, companyId))
        rows.push([name, found.map((row) => JSON.stringify(row)).sort()])
      }
      const kept = await Promise.all(
        [file, quickFile, option.file, picture].map(async ({ path }) =>
          new Response(await t.deps.media.read(path)).text(),
        ),
      )
      return JSON.stringify([rows, kept])
    },
  }
}

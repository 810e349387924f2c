import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, eq, ne } from 'drizzle-orm'
import { apiKeys } from '../schema/api-keys/api-keys.table.ts'
import { webhookDeliveries, webhooks } from '../schema/webhooks/webhooks.table.ts'
import { makeApiKey } from '../server/api-keys/api-keys.writes.ts'
import { makeWebhook } from '../server/webhooks/webhooks.writes.ts'
import { catalog } from '../schema/catalog.ts'
import { companies } from '../schema/companies/companies.table.ts'
import { invoices } from '../schema/invoices/invoices.table.ts'
import { errorStatus } from '../schema/errors.ts'
import { savedFilters } from '../schema/filters/filters.table.ts'
import { newId } from '../schema/ids.ts'
import { ticketNotes } from '../schema/notes/notes.table.ts'
import { integrations } from '../schema/integrations/integrations.table.ts'
import { prompts } from '../schema/prompts/prompts.table.ts'
import { plans } from '../schema/plans/plans.table.ts'
import { queueOptions } from '../schema/queues/queue-options.table.ts'
import { macros } from '../schema/macros/macros.table.ts'
import { quickMessages } from '../schema/quick-messages/quick-messages.table.ts'
import { templates } from '../schema/templates/templates.table.ts'
import { schedules } from '../schema/schedules/schedules.table.ts'
import { settingKeys } from '../schema/settings/settings.keys.ts'
import { settings } from '../schema/settings/settings.table.ts'
import { campaignStatuses } from '../schema/campaigns/campaigns.state.ts'
import { campaigns } from '../schema/campaigns/campaigns.table.ts'
import { optOuts } from '../schema/opt-outs/opt-outs.table.ts'
import { segments } from '../schema/segments/segments.table.ts'
import { rules } from '../schema/rules/rules.table.ts'
import { reportSchedules, reportViews } from '../schema/reports/reports.table.ts'
import { slaPolicies } from '../schema/sla-policies/sla-policies.table.ts'
import { sessions } from '../schema/users/sessions.table.ts'
import { users } from '../schema/users/users.table.ts'
import { PIXEL } from './example-data.ts'
import { type CallOptions, type Reply, type TestApp, testApp } from './support/app.ts'
import { dose } from './support/dose.ts'
import { contactListOf, fileListOf, flowOf, invoiceOf, MARK, twoCompanies } from './support/two-companies.ts'

/**
 * Every call of the published description, by an admin and by an agent, with input that is right, nearly right and
 * absurd. Whatever comes: no 5xx, a code for every refusal, nothing of another company, and its rows stay as they were.
 */
let t: TestApp
let world: Awaited<ReturnType<typeof twoCompanies>>
beforeAll(async () => {
  t = await testApp()
  world = await twoCompanies(t)
})
afterAll(() => t.close())

const seed = Number(process.env.FUZZ_SEED ?? 20_261_121)
const TRIES_PER_CALL = dose(6, 40)
/** So often, until a call was understood. */
const MOST_TRIES = 1_000

interface Schema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  description?: string
  format?: string
}
interface Call {
  parameters?: { name: string; in: string; schema: Schema; required?: boolean }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  security?: unknown[]
}

/** Mulberry32: the same input again for the same seed. */
function randomOf(state: number) {
  let s = state
  return () => {
    s = (s + 0x6d2b79f5) | 0
    let x = Math.imul(s ^ (s >>> 15), 1 | s)
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x
    return ((x ^ (x >>> 14)) >>> 0) / 4_294_967_296
  }
}
const random = randomOf(seed)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!

const texts = [
  '',
  ' ',
  'a',
  'abc',
  '5511987654321',
  'Olá, mundo',
  '0',
  '-1',
  '1e9',
  '2147483648',
  '99999999999999999999',
  'null',
  'true',
  '[]',
  '[1,2]',
  '{"a":1}',
  '"',
  "'",
  '\\',
  '%',
  '_',
  '\0',
  'x\0y',
  '\ud800',
  'meia \udc00 letra',
  '🙂'.repeat(30),
  'é'.repeat(5_000),
  '../../etc/passwd',
  "' OR 1=1 --",
  '<script>',
  '2026-02-30',
  '2026-03-10',
  '2099-01-01T10:00:00Z',
  '2099-13-01T10:00:00Z',
  '#abcdef',
  '#ABC',
  'a@b.co',
  '5511987654321',
  'open',
  'closed',
  'enabled',
  'monday',
  '08:00',
  'Segredo12',
  newId(),
  '__proto__',
  'constructor',
  'NaN',
  'https://bot.example.com/hook',
  'Infinity',
  '\r\nx: y',
]

type Id = string | number
/** By kind: rows of the caller's company, made anew for every call, and rows of the other one. */
type Ids = Record<string, { own: Id; foreign: Id }>

/** What a parameter or a field of this name is an id of. */
const kindOfField: Record<string, string> = {
  contactId: 'contact',
  keptId: 'contact',
  goneId: 'otherContact',
  queueId: 'queue',
  queueIds: 'queue',
  transferQueueId: 'queue',
  whatsappId: 'whatsapp',
  userId: 'user',
  users: 'user',
  ticketId: 'ticket',
  tags: 'tag',
  tagIds: 'tag',
  tagId: 'tag',
  messageId: 'message',
  quotedMsgId: 'message',
  quotedMsg: 'message',
  quotedMessageId: 'message',
  before: 'message',
  chatId: 'chat',
  flowId: 'flow',
  idFlow: 'flow',
  flowIdWelcome: 'flow',
  flowIdPhrase: 'flow',
  versionId: 'flowVersion',
  deliveryId: 'delivery',
  planId: 'plan',
  contactListId: 'contactList',
  invoiceId: 'invoice',
  segmentIds: 'segment',
  replyQueueId: 'queue',
  tagListId: 'tag',
  templateId: 'template',
  fileListId: 'fileList',
  companyId: 'company',
  uuid: 'uuid',
  key: 'setting',
  path: 'path',
  value: 'settingValue',
}
const kindOfPath: Record<string, string> = {
  companies: 'company',
  users: 'user',
  queue: 'queue',
  'queue-options': 'option',
  plans: 'plan',
  contacts: 'contact',
  whatsapp: 'whatsapp',
  whatsappsession: 'whatsapp',
  tags: 'tag',
  'custom-fields': 'customField',
  tickets: 'ticket',
  messages: 'message',
  'ticket-notes': 'note',
  prompt: 'prompt',
  queueIntegration: 'integration',
  'quick-messages': 'quickMessage',
  macros: 'macro',
  rules: 'rule',
  views: 'view',
  templates: 'template',
  schedules: 'schedule',
  chats: 'chat',
  flowbuilder: 'flow',
  flowcampaign: 'flowCampaign',
  flowsecret: 'flowSecret',
  'api-keys': 'apiKey',
  webhooks: 'webhook',
  files: 'fileList',
  campaigns: 'campaign',
  connections: 'whatsapp',
  'contact-lists': 'contactList',
  'contact-list-items': 'contactListItem',
  segments: 'segment',
  'sla-policies': 'slaPolicy',
  'report-views': 'reportView',
  'report-schedules': 'reportSchedule',
  'opt-outs': 'optOut',
  invoices: 'invoice',
  uses: 'queue',
}

/** The token of the connection that was made last: any other may have been deleted by a call that guessed its number. */
let lineToken: string

/** Rows of the caller's company to be changed and deleted by the next call, beside those that must stay untouched. */
async function restock(stranger: (typeof world)['stranger'], agentId: number): Promise<Ids> {
  const { owned } = world
  const { db } = t.database
  const companyId = stranger.company.id
  const queue = await t.eg.queue(companyId)
  const whatsapp = await t.eg.whatsapp(companyId)
  lineToken = whatsapp.token
  await db.transaction((tx) =>
    t.deps.official.set(tx, companyId, whatsapp.id, {
      ...{
        phoneNumberId: String(whatsapp.id),
        accountId: '1',
        token: 'EAAtoken',
        appSecret: 'a secret',
        verifyToken: 'a word',
      },
    }),
  )
  const colleague = await t.eg.user(companyId, { queueIds: [queue.id] })
  await t.database
    .sql`INSERT INTO user_queues ("companyId", "userId", "queueId") VALUES (${companyId}, ${agentId}, ${queue.id})`
  const contact = await t.eg.contact(companyId)
  const otherContact = await t.eg.contact(companyId)
  const tag = await t.eg.tag(companyId)
  const ticket = await t.eg.ticket(companyId, {
    contactId: contact.id,
    queueId: queue.id,
    whatsappId: whatsapp.id,
    ...pick([{ status: 'open' as const, userId: pick([stranger.user.id, agentId]) }, { status: 'pending' as const }]),
  })
  const file = await t.deps.media.put(companyId, Buffer.from('own'), {
    name: 'a.txt',
    mimetype: 'text/plain',
    maxBytes: 1_000,
  })
  await t.eg.messageIn(ticket, { mediaPath: file.path, mediaState: 'ready', mediaMime: 'text/plain' })
  const message = await t.eg.messageIn(ticket, {
    ...{ fromMe: random() < 0.5, read: random() < 0.5 },
    ...pick([{}, { mediaPath: file.path, mediaState: 'ready' as const, mediaMime: 'text/plain' }]),
  })
  const chat = await t.eg.chat(companyId, [stranger.user.id, colleague.id])
  const flow = await flowOf(t, companyId, `a flow ${ticket.id}`)
  const fileList = await fileListOf(t, companyId, `a list ${ticket.id}`)
  const note = newId()
  const schedule = newId()
  await db.insert(ticketNotes).values({
    id: note,
    companyId,
    ticketId: ticket.id,
    contactId: contact.id,
    userId: agentId,
    note: 'a note',
  })
  await db.insert(schedules).values({
    id: schedule,
    companyId,
    contactId: contact.id,
    userId: agentId,
    body: 'a schedule',
    sendAt: new Date('2099-01-01'),
  })
  const [quick] = await db
    .insert(quickMessages)
    .values({ companyId, userId: agentId, shortcode: `s${ticket.id}`, message: 'a reply' })
    .returning()
  const [macro] = await db
    .insert(macros)
    .values({
      companyId,
      userId: agentId,
      name: 'a macro',
      sharing: 'company',
      actions: [{ type: 'note', note: 'a note' }],
    })
    .returning()
  const [view] = await db
    .insert(savedFilters)
    .values({ id: newId(), companyId, userId: agentId, name: 'a view', filter: {}, sharing: 'company' })
    .returning()
  // A company may have fifty.
  await db.delete(rules).where(eq(rules.companyId, companyId))
  const [rule] = await db
    .insert(rules)
    .values({
      ...{ companyId, name: 'a rule', position: 1, trigger: 'messageIn', conditions: [] },
      actions: [{ type: 'note', note: 'a note' }],
    })
    .returning()
  const [template] = await db
    .insert(templates)
    .values({
      ...{ companyId, whatsappId: whatsapp.id, metaId: '1', name: `t${ticket.id}`, language: 'pt_BR' },
      ...{ status: 'APPROVED', category: 'UTILITY', confirmedCategory: 'UTILITY' },
      parts: { named: false, header: null, body: 'Olá', footer: null, buttons: [], examples: {} },
    })
    .returning()
  // Whoever tries them finds nobody there.
  const nowhere = 'http://127.0.0.1:1'
  const [prompt] = await db
    .insert(prompts)
    .values({
      companyId,
      name: `Prompt ${ticket.id}`,
      prompt: 'x'.repeat(60),
      apiKey: '',
      baseUrl: nowhere,
      queueId: queue.id,
    })
    .returning()
  const [integration] = await db
    .insert(integrations)
    .values({
      companyId,
      type: pick(['webhook', 'typebot']),
      name: `Bot ${ticket.id}`,
      urlN8N: nowhere,
      typebotSlug: 'x',
    })
    .returning()
  // Of each kind there are only so many.
  await db.delete(webhooks).where(and(eq(webhooks.companyId, companyId), ne(webhooks.id, stranger.programs.webhookId)))
  await db.delete(apiKeys).where(and(eq(apiKeys.companyId, companyId), ne(apiKeys.id, stranger.programs.keyId)))
  const key = await makeApiKey(
    db,
    { companyId, userId: agentId },
    { name: 'Chave', scopes: ['tickets:read'] },
    t.clock.now,
  )
  const given = { url: 'https://nowhere.invalid/', events: ['ticket.rated' as const] }
  const hook = await makeWebhook(db, t.deps.sealer, companyId, given, t.clock.now)
  const [delivery] = await db
    .insert(webhookDeliveries)
    .values({
      companyId,
      webhookId: hook.row.id,
      eventId: newId(),
      type: 'webhook.test',
      payload: '{}',
      state: 'failed',
    })
    .returning()
  const [option] = await db
    .insert(queueOptions)
    .values({ companyId, queueId: queue.id, option: 1, title: 'Boleto' })
    .returning()
  const contactList = await contactListOf(t, companyId, `a list ${ticket.id}`)
  await db.delete(invoices).where(eq(invoices.companyId, companyId))
  const invoiceId = await invoiceOf(t, companyId, 'Ouro')
  const [campaign] = await db
    .insert(campaigns)
    .values({
      ...{ companyId, name: `a campaign ${ticket.id}`, message1: 'Olá', seed: 1, status: pick(campaignStatuses) },
      ...{ whatsappId: whatsapp.id, contactListId: contactList.id },
    })
    .returning()
  const [segment] = await db
    .insert(segments)
    .values({ companyId, name: `a segment ${ticket.id}`, rules: [{ kind: 'tag', tagId: tag.id }] })
    .returning()
  // A company may have fifty.
  await db.delete(slaPolicies).where(eq(slaPolicies.companyId, companyId))
  const [slaPolicy] = await db
    .insert(slaPolicies)
    .values({ companyId, name: `a policy ${ticket.id}`, position: 1, firstAnswer: 1 + Math.floor(random() * 60) })
    .returning()
  // It may have twenty, and a hundred.
  await db.delete(reportViews).where(eq(reportViews.companyId, companyId))
  await db.delete(reportSchedules).where(eq(reportSchedules.companyId, companyId))
  const kept = { companyId, name: `a report ${ticket.id}`, report: 'queues', query: { range: 'last30' as const } }
  const [reportView] = await db
    .insert(reportViews)
    .values({ ...kept, isShared: true })
    .returning()
  const [reportSchedule] = await db
    .insert(reportSchedules)
    .values({
      ...kept,
      every: 'day',
      hour: 8,
      format: 'csv',
      userIds: [stranger.user.id],
      nextAt: new Date('2099-01-01'),
    })
    .returning()
  const leaver = `1170${String(ticket.id).padStart(7, '0')}`
  const [optOut] = await db
    .insert(optOuts)
    .values({ companyId, number: `55${leaver}`, key: leaver, source: 'hand', text: 'SAIR' })
    .returning()
  const ids: Ids = {
    contactList: { own: contactList.id, foreign: owned.contactList.id },
    contactListItem: { own: contactList.itemId, foreign: owned.contactList.itemId },
    campaign: { own: campaign!.id, foreign: owned.campaign.id },
    segment: { own: segment!.id, foreign: owned.campaign.segmentId },
    slaPolicy: { own: slaPolicy!.id, foreign: owned.slaPolicyId },
    reportView: { own: reportView!.id, foreign: owned.reportViewId },
    reportSchedule: { own: reportSchedule!.id, foreign: owned.reportScheduleId },
    invoice: { own: invoiceId, foreign: owned.invoiceId },
    optOut: { own: optOut!.id, foreign: owned.campaign.optOutId },
    option: { own: option!.id, foreign: owned.option.id },
    company: { own: companyId, foreign: owned.company.id },
    user: { own: colleague.id, foreign: owned.user.id },
    queue: { own: queue.id, foreign: owned.queue.id },
    whatsapp: { own: whatsapp.id, foreign: owned.whatsapp.id },
    contact: { own: contact.id, foreign: owned.contact.id },
    otherContact: { own: otherContact.id, foreign: owned.contact.id },
    tag: { own: tag.id, foreign: owned.tag.id },
    ticket: { own: ticket.id, foreign: owned.ticket.id },
    uuid: { own: ticket.uuid, foreign: owned.ticket.uuid },
    message: { own: message.id, foreign: pick([owned.message.id, owned.own.id]) },
    note: { own: note, foreign: owned.noteId },
    schedule: { own: schedule, foreign: owned.scheduleId },
    quickMessage: { own: quick!.id, foreign: owned.quickMessage.id },
    view: { own: view!.id, foreign: owned.filterId },
    macro: { own: macro!.id, foreign: owned.macroId },
    rule: { own: rule!.id, foreign: owned.ruleId },
    template: { own: template!.id, foreign: owned.templateId },
    prompt: { own: prompt!.id, foreign: owned.bots.promptId },
    integration: { own: integration!.id, foreign: owned.bots.integrationId },
    fileList: { own: fileList.id, foreign: owned.fileList.id },
    chat: { own: chat.id, foreign: owned.chat.id },
    flow: { own: flow.id, foreign: owned.flow.id },
    flowVersion: { own: flow.versionId, foreign: owned.flow.versionId },
    flowSecret: { own: flow.secretId, foreign: owned.flow.secretId },
    flowCampaign: { own: flow.campaignId, foreign: owned.flow.campaignId },
    apiKey: { own: key.row.id, foreign: owned.programs.keyId },
    webhook: { own: hook.row.id, foreign: owned.programs.webhookId },
    delivery: { own: delivery!.id, foreign: owned.programs.deliveryId },
    plan: { own: stranger.company.planId!, foreign: owned.company.planId! },
    path: { own: file.path, foreign: owned.file.path },
    setting: { own: pick(settingKeys), foreign: 'asaas' },
    settingValue: { own: 'enabled', foreign: 'disabled' },
  }
  // Whatever the call before made of the caller.
  await db
    .update(users)
    .set({
      profile: 'admin',
      super: false,
      name: 'Stranger',
      email: 'stranger@example.test',
      allTicket: true,
      tokenVersion: 7,
    })
    .where(eq(users.id, stranger.user.id))
  await db.update(users).set({ profile: 'user', tokenVersion: 7 }).where(eq(users.id, agentId))
  for (const id of [stranger.user.id, agentId]) {
    await db.delete(sessions).where(eq(sessions.userId, id))
    await t.eg.session({ id, companyId: stranger.company.id, tokenVersion: 7 })
  }
  t.deps.auth.forget()
  return ids
}

/**
 * Input for a schema, with ids of both companies where ids belong.
 * @param wild how much of it is not as it should be: 0 nothing, 1 about a fifth
 */
function maker(ids: Ids, wild: number) {
  const all = Object.values(ids).flatMap(({ own, foreign }) => [own, foreign])
  const numbers = all.filter((id) => typeof id === 'number')
  const idOf = (kind: string | undefined): Id => {
    const known = kind === undefined ? undefined : ids[kind]
    if (!known) return pick(all)
    return random() < wild * 0.3 ? pick([known.foreign, pick(all)]) : known.own
  }
  const deep = (): unknown => {
    let value: unknown = 'x'
    for (let i = 0; i < 3_000; i++) value = i % 2 ? [value] : { a: value }
    return value
  }
  const absurd = (): unknown =>
    pick<() => unknown>([
      () => pick(texts),
      () => pick(all),
      () => null,
      () => true,
      () => [],
      () => ({}),
      () => deep(),
      () => -1,
      () => 0,
      () => 1.5,
      () => 1e308,
      () => 2 ** 31,
      () => 2 ** 53,
      () => 'x'.repeat(70_000),
      () => Array.from({ length: 600 }, (_, i) => i),
      () =>
        JSON.parse(`{"__proto__":{"x":1},"id":${JSON.stringify(pick(all))},"constructor":{"prototype":1}}`) as unknown,
      () => [pick(all), pick(texts)],
    ])()

  const text = ({ pattern, minLength = 0, maxLength = 1_000 }: Schema): string => {
    const fits = (candidate: string) =>
      candidate.length >= minLength &&
      candidate.length <= maxLength &&
      (!pattern || new RegExp(pattern).test(candidate))
    const fit = [
      ...texts,
      `Nome ${random().toString(36).slice(2, 8)}`,
      `${newId()}@b.co`,
      '(11) 98765-4321',
      'A'.repeat(85),
      'A'.repeat(25),
    ]
      .map((candidate) => (pattern ? candidate : candidate.padEnd(Math.min(minLength, 50), 'a')))
      .filter(fits)
    return fit.length > 0 && random() >= wild * 0.15 ? pick(fit) : pick(texts)
  }

  function fitting(schema: Schema | undefined, name?: string, depth = 0): unknown {
    if (!schema || depth > 6 || random() < wild * 0.06) return absurd()
    if ('const' in schema) return schema.const
    if (schema.enum) return pick(schema.enum)
    const kind = name === undefined ? undefined : kindOfField[name]
    // In an address a number is text anyway.
    if (schema.anyOf) return fitting(pick(schema.anyOf.filter(({ format }) => format !== 'numeric')), name, depth + 1)
    switch (Array.isArray(schema.type) ? pick(schema.type) : schema.type) {
      case 'object': {
        const made: Record<string, unknown> = {}
        for (const [key, value] of Object.entries(schema.properties ?? {}))
          if (schema.required?.includes(key) ? random() >= wild * 0.03 : random() < 0.6)
            made[key] = fitting(value, key === 'id' && kind ? name : key, depth + 1)
        if (random() < wild * 0.15) made[pick(['companyId', 'super', 'id', 'extra'])] = absurd()
        return made
      }
      case 'array':
        return Array.from({ length: Math.floor(random() * 3) }, () => fitting(schema.items, name, depth + 1))
      case 'integer':
      case 'number':
        return kind ? idOf(kind) : random() < 0.3 ? pick(numbers) : Math.floor((schema.minimum ?? 0) + random() * 100)
      case 'boolean':
        return random() < 0.5
      case 'null':
        return null
      default:
        if (schema.description?.includes('JSON list')) return JSON.stringify([idOf(kind)])
        return kind && random() >= wild * 0.2 ? String(idOf(kind)) : text(schema)
    }
  }
  return { fitting, idOf, absurd }
}
type Maker = ReturnType<typeof maker>

/** As much of a sound as it is recognised by. */
const SOUND = Buffer.concat([Buffer.from('OggS\0\x02'), Buffer.alloc(22), Buffer.from('OpusHead'), Buffer.alloc(40)])

/** A form as browsers and programs send them, with files of every kind and fields of any. */
function form(schema: Schema | undefined, make: Maker): FormData {
  const made = new FormData()
  const files = [
    new File([PIXEL], 'a.png', { type: 'image/png' }),
    new File(['name,number\nAna,5511987654321'], 'a.csv', { type: 'text/csv' }),
    new File([SOUND], 'a.ogg', { type: 'audio/ogg' }),
    new File(['%PDF-1.4'], '../../a.pdf', { type: 'application/pdf' }),
    new File([''], 'empty.txt', { type: 'text/plain' }),
    new File(['<svg onload="x">'], 'é'.repeat(300), { type: 'image/svg+xml' }),
    new File(['x'], 'a\0b\r\n.txt', { type: '' }),
  ]
  for (const [key, value] of Object.entries(schema?.properties ?? { file: { type: 'string', format: 'binary' } })) {
    const isFile = JSON.stringify(value).includes('binary')
    for (let i = 0; i < pick([1, 1, 1, 0, 2]); i++) {
      if (isFile) made.append(key, pick([files[0]!, files[0]!, ...files]))
      else made.append(key, key === 'command' ? JSON.stringify(commandBody(make)) : String(make.fitting(value, key)))
    }
  }
  if (random() < 0.1) made.append(pick(['x', '__proto__', '', 'body']), pick(texts).toWellFormed())
  return made
}

/** A command of the catalogue. */
function commandBody({ fitting, idOf }: Maker): unknown {
  const [name, command] = pick(Object.entries(catalog))
  const input = fitting(command.input as Schema)
  const changed = /^(notes|schedules)\.(delete|update)$/.exec(name)?.[1]
  const id = changed ? idOf(changed === 'notes' ? 'note' : 'schedule') : newId()
  const takesId = 'id' in (command.input as Schema).properties!
  if (takesId && typeof input === 'object' && random() < 0.8) return { id: newId(), name, input: { ...input, id } }
  return { id: newId(), name, input }
}

/** What a call is sent besides its address. */
function content(name: string, call: Call, make: Maker): CallOptions {
  const schema = call.requestBody?.content['application/json']?.schema
  const ofForm = call.requestBody?.content['multipart/form-data']?.schema
  const right = () => {
    if (name === 'POST /commands') return commandBody(make)
    if (name === 'POST /commands/batch' && random() < 0.7) return { commands: [1, 2, 3].map(() => commandBody(make)) }
    return make.fitting(schema) ?? null
  }
  const takesKey = call.parameters?.some((one) => one.name === 'Idempotency-Key') === true
  const key = () => ({ 'idempotency-key': pick(['!', 'x'.repeat(500), newId(), 'once-and-again']) })
  const headers = random() < (takesKey ? 0.6 : 0.2) ? key() : {}
  const kind = random()
  if (!call.requestBody) return kind < 0.9 ? { headers } : { headers, body: make.absurd() }
  if (ofForm && (kind < 0.45 || !schema)) return { headers, form: form(ofForm, make) }
  if (kind < 0.85) return { headers, body: right() }
  const type = pick([
    'application/json; charset=latin1',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'x',
    '',
  ])
  const garbage = [
    '',
    '{',
    '[',
    'null',
    '"x"',
    '\0',
    '{"a":',
    'x=1',
    '['.repeat(50_000),
    '--x\r\n\r\n',
    '{"a":1,"a":2}',
  ]
  return {
    headers: { ...headers, 'content-type': type },
    raw: pick([
      ...garbage,
      JSON.stringify(right()),
      new Uint8Array([0xff, 0xfe, 0x7b, 0x22, 0xc3]),
      `{"name":"${'x'.repeat(2_100_000)}"}`,
    ]),
  }
}

test(`no input breaks a call (seed ${seed})`, async () => {
  const { stranger } = world
  const { db } = t.database
  // Limits of a plan would make an end of it.
  await db
    .update(plans)
    .set({ users: 100_000, connections: 100_000, queues: 100_000 })
    .where(eq(plans.id, stranger.company.planId!))
  const [operator] = await db.select({ id: companies.id }).from(companies).orderBy(companies.id).limit(1)
  await db.insert(settings).values({ companyId: operator!.id, key: 'allowregister', value: 'enabled' })
  const agent = await t.eg.user(stranger.company.id, { allTicket: true })
  const tokenOf = (userId: number, profile: 'admin' | 'user') =>
    t.deps.tokens.signAccess(
      { userId, companyId: stranger.company.id, name: 'x', profile, tokenVersion: 7 },
      t.clock.now,
    )
  const tokens = [await tokenOf(stranger.user.id, 'admin'), await tokenOf(agent.id, 'user')] as const
  const tokenFor = () => pick([tokens[0], tokens[0], tokens[0], tokens[1], tokens[1], undefined, 'x.y.z'])

  const tokenAt = (path: string) =>
    path.startsWith('/api/messages')
      ? pick([lineToken, lineToken, tokens[0]])
      : path.startsWith('/api/v1')
        ? pick([stranger.programs.key, stranger.programs.key, stranger.programs.key, tokens[0]])
        : tokenFor()
  const before = await world.snapshot()
  const { body: description } = await t.call('GET', '/docs/json')
  const understood = new Map<string, number>()
  const keyed = new Set<string>()
  const takingKeys = new Set<string>()
  let calls = 0
  for (const [path, methods] of Object.entries(description.paths as Record<string, Record<string, Call>>)) {
    if (path === '/events') continue
    for (const [method, call] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`
      understood.set(name, 0)
      const takesKey = call.parameters?.some((one) => one.name === 'Idempotency-Key') === true
      if (takesKey) takingKeys.add(name)
      let ids: Ids = {}
      const least = path === '/commands' ? 10 * TRIES_PER_CALL : TRIES_PER_CALL
      const isTried = () => (understood.get(name)! > 0 || beyondLuck.has(name)) && (keyed.has(name) || !takesKey)
      for (let i = 0; i < least || (!isTried() && i < MOST_TRIES); i++) {
        // What is there may have been deleted, and a session ended.
        if (i % 8 === 0) ids = await restock(stranger, agent.id)
        const make = maker(ids, pick([0, 0.3, 1, 3]))
        const query = new URLSearchParams()
        let address = path
        for (const parameter of call.parameters ?? []) {
          // Beside the others of its router, which take a ticket's number, this one takes a message.
          const ofMessage = path === '/messages/{ticketId}/decision' && parameter.name === 'ticketId'
          const kind = ofMessage
            ? 'message'
            : parameter.name === 'id'
              ? kindOfPath[path.replace('/api/v1/', '/').split('/')[1]!]
              : undefined
          const value = kind && random() < 0.95 ? make.idOf(kind) : make.fitting(parameter.schema, parameter.name)
          const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
          if (parameter.in === 'path')
            address = address.replace(
              `{${parameter.name}}`,
              encodeURIComponent((text.slice(0, 3_000) || 'x').toWellFormed()).replaceAll(
                '%2F',
                random() < 0.5 ? '/' : '%2F',
              ),
            )
          else if (parameter.in === 'query' && random() < 0.35) query.append(parameter.name, text.slice(0, 3_000))
        }
        if (random() < 0.05) query.append('pageNumber', '2')
        const sent = content(name, call, make)
        const reply: Reply = await t.call(name.split(' ')[0]!, `${address}?${query}`, {
          token: tokenAt(path),
          ...sent,
          // Sign-ups are limited by address.
          headers: { 'x-forwarded-for': `10.0.0.${Math.floor(random() * 250)}`, ...sent.headers },
        })
        calls++
        const answer = JSON.stringify(reply.body) ?? ''
        const told = `${name} ${address}?${query} ${describe(sent)} → ${reply.status} ${answer.slice(0, 300)}`
        if (reply.status >= 500 || answer.includes(MARK)) throw new Error(told)
        if (reply.status >= 400 && !isFailure(reply)) throw new Error(`no code: ${told}`)
        if (answer.includes('"Idempotency-Key"')) keyed.add(name)
        if (answer.includes('"Idempotency-Key"') && !takesKey) throw new Error(`a key that is not described: ${told}`)
        if (reply.status < 400) understood.set(name, understood.get(name)! + 1)
      }
    }
  }
  expect(await world.snapshot()).toBe(before)
  expect(calls).toBeGreaterThan(dose(1_200, 8_000))
  // Each was understood at least once: otherwise only its door was tried.
  const never = [...understood].filter(([, times]) => times === 0).map(([name]) => name)
  expect(never.filter((name) => !beyondLuck.has(name))).toEqual([])
  expect([...keyed].sort()).toEqual([...takingKeys].sort())
}, 900_000)

/** Need a key, a password, a code, a cookie, a browser's push service, a merge, an invitation, a flow's run or an official number before them. */
const beyondLuck = new Set([
  ...['POST /templates/', 'POST /templates/sample', 'POST /templates/refresh', 'PUT /templates/{id}'],
  'DELETE /templates/{id}',
  // A day that there is, and a country's two letters; then a row of that.
  ...['POST /message-prices', 'DELETE /message-prices/{id}'],
  // Two tickets of one contact, and that they have become one.
  ...['POST /tickets/{id}/merge', 'POST /tickets/{id}/part'],
  ...['POST /api/v1/tickets/{id}/merge', 'POST /api/v1/tickets/{id}/part'],
  // A mail server, and a figure of the report.
  ...['POST /report-schedules/', 'PUT /report-schedules/{id}', 'GET /api/v1/reports/{report}/tickets'],
  'GET /reports/{report}/tickets',
  'POST /auth/login',
  'POST /auth/2fa/verify',
  'POST /auth/2fa/setup',
  'POST /auth/2fa/enable',
  'POST /auth/2fa/disable',
  'POST /auth/passkey/enter',
  'POST /auth/passkeys/begin',
  'POST /auth/passkeys/',
  'PUT /auth/passkeys/{id}',
  'POST /auth/passkeys/{id}/remove',
  'DELETE /auth/sessions/{id}',
  'POST /auth/refresh_token',
  'POST /auth/oidc/begin',
  'GET /auth/oidc/callback',
  'PUT /auth/oidc/provider',
  'POST /auth/oidc/provider/domains',
  'POST /forgetpassword/{email}',
  'POST /resetpasswords',
  'POST /resetpasswords/{email}/{token}/{newPassword}',
  'POST /contacts/merges/{id}/undo',
  // The contact's very name; a day to come with a reason; what has been begun.
  ...['POST /contacts/{id}/erase', 'PUT /contacts/{id}/hold', 'GET /privacy/erasures/{id}'],
  ...['GET /privacy/exports/{id}', 'POST /privacy/exports/{id}/cancel', 'GET /privacy/retention'],
  ...['POST /privacy/requests/', 'GET /privacy/requests/{id}', 'PUT /privacy/requests/{id}'],
  'POST /users/{id}/invitation',
  'GET /flowbuilder/run/{runId}',
  'POST /push/subscriptions',
  'POST /queueIntegration/testSession',
  // The operator's alone.
  'GET /companies/',
  'GET /companies/list',
  'POST /companies/',
  'PUT /companies/{id}',
  'DELETE /companies/{id}',
  'GET /companies/{id}/users',
  'POST /companies/{id}/impersonate',
  'POST /companies/{id}/invitation',
  'GET /plans/{id}',
  'POST /plans/',
  'PUT /plans/{id}',
  'DELETE /plans/{id}',
  'POST /settings/media-upload',
  'DELETE /settings/media-upload',
  // Of the built client.
  'GET /manifest.webmanifest',
  'POST /helps/',
  'PUT /helps/{id}',
  'DELETE /helps/{id}',
  'GET /announcements/{id}',
  'GET /announcements/audience',
  'POST /announcements/',
  'PUT /announcements/{id}',
  'DELETE /announcements/{id}',
  'POST /announcements/{id}/media-upload',
  'DELETE /announcements/{id}/media-upload',
  'GET /invoices/',
  'PUT /invoices/{id}/paid',
  'PUT /invoices/{id}/cancelled',
  'PUT /invoices/{id}/refunded',
  'GET /invoices/provider',
  'PUT /invoices/provider',
  'GET /invoices/unpaid',
  'GET /invoices/totals',
  'GET /invoices/odd-money',
  'PUT /invoices/odd-money/{id}/resolved',
  'GET /operator/system',
  'GET /operator/usage',
  'GET /operator/connections',
  'GET /operator/domains',
  'PUT /operator/domains',
  'GET /operator/plan-warnings',
  'GET /operator/usage/companies',
  'GET /operator/usage/companies/{id}',
  'GET /operator/jobs',
  'POST /operator/jobs/{id}/retry',
  'DELETE /operator/jobs/{id}',
  // By a secret of the operator's.
  'GET /metrics',
  // The official API does not answer here.
  'POST /whatsapp/{id}/official/subscribe',
  'POST /whatsapp/{id}/official/history',
  'POST /whatsapp/{id}/official/register',
  // By a signature, or a word, that the official API has.
  'GET /cloud-api/{hook}',
  'POST /cloud-api/{hook}',
  'POST /payments/efi',
  'POST /payments/efi/pix',
  'POST /payments/asaas',
])

/**
 * `{error: CODE}`; or, for a conversation that exists, the ticket as JSON text, of which a hidden one shows its id; or
 * `"exist"` for the name of a flow that is taken.
 */
const isFailure = ({ status, body }: Reply) =>
  (status === 402 && body === 'exist') ||
  Object.hasOwn(errorStatus, body?.error) ||
  (status === 409 && typeof JSON.parse(body?.error)?.id === 'number')

/** The content of a call for whoever reads of its failure. */
function describe({ body, form, raw, headers }: CallOptions): string {
  const given = body ?? (form ? [...form].map(([key, value]) => [key, String(value)]) : raw)
  return `${JSON.stringify(headers)} ${JSON.stringify(given)?.slice(0, 800)}`
}

import { type TSchema, Type } from '@sinclair/typebox'
import {
  apiCampaign,
  apiConnection,
  apiContact,
  apiCosts,
  apiDelivery,
  apiField,
  apiMessage,
  apiNote,
  apiOptOut,
  apiQueue,
  apiRecipient,
  apiReport,
  apiMacro,
  apiPolicy,
  apiRule,
  apiRuleRun,
  apiTag,
  apiView,
  apiTicket,
  apiUser,
  apiWebhook,
} from '../../schema/external/external.rows.ts'
import { shippingStates } from '../../schema/campaigns/campaigns.state.ts'
import { figureKeys } from '../../schema/reports/reports.figures.ts'
import { ruleTriggers } from '../../schema/rules/rules.triggers.ts'
import { aboutOf, deliveredTypes } from '../../schema/webhooks/webhooks.events.ts'
import type { EventDataOf } from '../../schema/webhooks/webhooks.payload.ts'
import { rows } from './docs.rows.ts'

// What the description shows beside the routes: an example of each call that programs make, and the events of webhooks.

const at = '2026-11-22T12:00:00.000Z'
const times = { createdAt: at, updatedAt: at }
const message = {
  ...{ id: 'f4765a69-1d5e-8a2c-9b77-2f0c3d1e5a10', ticketId: 361, contactId: 301, connectionId: 1, fromMe: true },
  ...{ userId: null, type: 'chat', body: 'O seu bolo está pronto.', isCut: false, media: null, ack: 3, ackError: null },
  ...{ isEdited: false, isDeleted: false, quotedMessageId: null, about: null, ...times },
}
const ticket = {
  ...{ id: 361, uuid: '312a6d47-93c1-4f6e-8a53-5f8c1b7f2e90', status: 'pending', contactId: 301, connectionId: 1 },
  ...{ queueId: 2, userId: null, unreadMessages: 0, lastMessage: 'O seu bolo está pronto.', lastMessageAt: at },
  ...{ isGroup: false, tagIds: [7], snoozedUntil: null, fields: { pedido: 'A-1029' }, ...times },
  ...{ nextDueAt: at, nextDueMetric: 'firstAnswer', supervisorCalledAt: null, mergedIntoId: null },
}
const contact = {
  ...{ id: 301, name: 'Vanessa Pacheco', number: '5511940001835', lid: null, username: null, email: '' },
  isGroup: false,
  ...{ disableBot: false, extraInfo: [{ name: 'Cidade', value: 'Recife' }], fields: { desde: '2024-03-01' }, ...times },
}
const queue = { id: 2, name: 'Vendas', color: '#16a34a', ...times }
const tag = { id: 7, name: 'Orçamento', color: '#2563eb', kanban: false, ...times }
const field = {
  ...{ id: 3, entity: 'ticket', key: 'pedido', name: 'Pedido', type: 'text', options: [] },
  ...{ help: '', required: true, ...times },
}
const user = { id: 4, name: 'Ana', email: 'ana@example.com', profile: 'user', online: true, ...times }
const connection = { id: 1, name: 'Loja', number: '551130001000', status: 'CONNECTED', isDefault: true, ...times }
const optOut = {
  ...{ id: 12, number: '5511940001835', source: 'api', text: 'Pediu por telefone', createdAt: at },
  ...{ revokedAt: null, reason: null },
}
const webhook = {
  ...{ id: 5, url: 'https://example.com/balcao', events: ['message.received'], queueIds: [], active: true },
  ...{ disabledReason: null, failingSince: null, ...times },
}
const delivery = {
  ...{ id: 88, webhookId: 5, eventId: '0193b4a1-0c2d-7c11-9a6e-7f1f2f0b5a01', type: 'webhook.test', state: 'waiting' },
  ...{ payload: '{"type":"webhook.test",…}', attempts: [], tries: 0, nextAt: at, deliveredAt: null, createdAt: at },
}
const key = {
  ...{ id: 9, name: 'Loja virtual', prefix: 'bk_9fJ2kQ0a', scopes: ['messages:send'], ipAllow: [] },
  ...{ ratePerMinute: 120, expiresAt: null, lastUsedAt: null, lastIp: null, revokedAt: null, createdAt: at },
}
const macro = {
  ...{ id: 4, name: 'Encomenda pronta', shortcut: 'pronta', version: 2, createdAt: at, updatedAt: at },
  actions: [{ type: 'message', body: 'O seu pedido está pronto!' }, { type: 'resolve' }],
}
const policy = {
  ...{ id: 3, name: 'Clientes', position: 1, active: true, queueIds: [2], tagIds: [], firstAnswer: 15 },
  ...{ nextAnswer: 30, resolution: null, calendar: 'company', warnAt: 80, createdAt: at, updatedAt: at },
}
const happening = {
  ...{ id: '0193b4a2-8f10-7a44-8d21-3c0e1f9a7b88', ticketId: 361, kind: 'resolved', userId: 7, data: {} },
  createdAt: at,
}
const rule = {
  ...{ id: 2, name: 'Quer cancelar', position: 1, active: true, version: 3, trigger: 'messageIn' },
  actions: [{ type: 'queue', queueId: 5 }],
  ...{ lately: { done: 12, blocked: 0, refused: 1 }, createdAt: at, updatedAt: at },
}
const ruleRun = {
  ...{ id: '0193b4a2-7c10-7a44-8d21-3c0e1f9a7b77:2', ruleId: 2, version: 3, ticketId: 361, trigger: 'messageIn' },
  ...{ result: 'done', done: ['queue'], why: null, createdAt: at },
}
const view = { id: '0193b4a2-6e10-7a44-8d21-3c0e1f9a7b66', name: 'Atrasados', color: '#dc2626' }
const sharedView = { ...view, sharing: 'company', queueIds: [], createdAt: at }
const note = { id: '0193b4a2-5d10-7a44-8d21-3c0e1f9a7b55', ticketId: 361, contactId: 301, userId: null }
const written = { ...note, note: 'Pagou pelo site', createdAt: at }
const campaign = {
  ...{ id: 3, name: 'Páscoa', status: 'EM_ANDAMENTO', connectionId: 1, scheduledAt: null, startedAt: at },
  ...{ completedAt: null, counts: { planned: 120, delivered: 80 } },
}
const sentNow = { id: message.id, ticketId: 361, ack: 1 }
const page = (record: unknown) => ({ records: [record], nextCursor: 'NDgyMTcuMzYx', hasMore: false })
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const reached = {
  ...{ phoneNumberId: '106540352242922', accountId: '102290129340398', token: 'EAAG…', appSecret: '0a1b2c3d…' },
  ...{ verifyToken: 'a-word-of-yours', version: 'v26.0', coexistence: false },
}
const officialState = {
  ...{ failure: null, refused: null, code: null, details: '', missing: [], appId: '670843887433847' },
  ...{ number: '+55 11 3000-1000', name: 'Loja', quality: 'GREEN', throughput: 'STANDARD', canSend: 'AVAILABLE' },
  ...{ limit: 'TIER_2K', problems: [], isSubscribed: true, portfolioId: '506914307656634' },
  webhook: { address: 'https://balcao.example/cloud-api/4Zt1…', isHere: true, missing: [] },
}
const officialShown = {
  ...{ phoneNumberId: reached.phoneNumberId, accountId: reached.accountId, version: 'v26.0', coexistence: true },
  ...{
    quality: 'GREEN',
    history: { state: 'coming', progress: 55, count: 18_230, waiting: 4, askedAt: at },
    webhookPath: '/cloud-api/8kJ2mQx0…',
    ignored: [{ reason: 'no_number', count: 3, lastAt: at }],
  },
}
const price = { market: 'BR', category: 'service', currency: 'BRL', since: '2026-10-01', micros: 35_000 }
const sum = { micros: 391_700_000, messages: 2_300, charged: 2_200, free: 98, unknown: 2, unpriced: 0 }
const costs = {
  ...{ from: '2026-11-01', to: '2026-11-30', by: 'agent', currency: 'BRL', total: sum },
  ...{ rows: [{ key: '4', name: 'Ana', ...sum }], hasMore: false },
}
const sent = { number: '5511940001835', body: 'O seu bolo está pronto.' }
const promised = {
  ...{ name: 'Loja', queueIds: [2], firstAnswer: 15, nextAnswer: 30, resolution: 480, calendar: 'company', warnAt: 80 },
  escalate: { userIds: [4], queueId: null },
}
const reportView = {
  ...{ id: 4, userId: 2, name: 'Vendas, mês passado', isShared: true, report: 'queues' },
  query: { range: 'lastMonth', queueIds: [3] },
  ...{ createdAt: at, updatedAt: at },
}
const asksReport = { report: 'queues', query: { range: 'lastMonth', queueIds: [3] } }
const reportSchedule = {
  ...{ id: 5, userId: 2, name: 'Vendas, toda segunda', active: true, ...asksReport },
  ...{ every: 'week', hour: 8, format: 'pdf', userIds: [2, 7] },
  ...{ nextAt: '2026-11-23T11:00:00.000Z', sentAt: null, createdAt: at, updatedAt: at },
}
const behind = {
  ...{ figure: 'opened', from: '2026-11-01', to: '2026-11-30', count: 412, nextCursor: '1795390800000000.901' },
  records: [
    {
      ...{ id: '901', ticketId: 77, uuid: '5d7f1c52-3c7b-4f6e-9d0c-7f5f0a3c1b2e', status: 'closed' },
      ...{ contact: { id: 12, name: 'Ana Lima' }, queueId: 3, userId: 2, whatsappId: 1 },
      ...{ openedAt: at, closedAt: at, at, value: null, rate: null, comment: null },
    },
  ],
}
const slaPolicy = {
  ...{ id: 1, companyId: 2, position: 1, active: true, tagIds: [], contactField: null },
  ...{ ...promised, ...times },
}
const hook = { url: 'https://example.com/balcao', events: ['message.received', 'message.ack'] }

/** What is sent, by method and path. */
export const requests: Readonly<Record<string, unknown>> = {
  'POST /api/messages/send': sent,
  'POST /api/v1/messages': sent,
  'PUT /api/v1/tickets/{id}': { queueId: 2, tagIds: [7] },
  'POST /api/v1/tickets/{id}/messages': { body: 'Já chego!', quotedMessageId: message.id },
  'POST /api/v1/tickets/{id}/typing': { state: 'composing' },
  'POST /api/v1/tickets/{id}/notes': { note: 'Pagou pelo site' },
  'POST /api/v1/macros/{id}/run': { ticketId: 361, version: 2 },
  'POST /api/v1/tickets/{id}/merge': { intoId: 361 },
  'POST /api/v1/tickets/{id}/escalate': { note: 'Pede desconto' },
  'PUT /api/v1/messages/{id}': { body: 'O bolo está pronto.' },
  'PUT /api/v1/messages/{id}/reaction': { emoji: '👍' },
  'POST /api/v1/tags': { name: 'Orçamento', color: '#2563eb' },
  'PUT /api/v1/tags/{id}': { name: 'Orçamento pronto' },
  'POST /api/v1/contacts/{id}/merge': { goneId: 302 },
  'POST /api/v1/numbers/check': { number: '5511940001835' },
  'POST /api/v1/contacts': { name: 'Vanessa Pacheco', number: '5511940001835' },
  'PUT /api/v1/contacts/{id}': { email: 'vanessa@example.com' },
  'POST /api/v1/opt-outs': { number: '5511940001835', text: 'Pediu por telefone' },
  'DELETE /api/v1/opt-outs/{id}': { reason: 'Voltou a pedir' },
  'POST /api/v1/webhooks': hook,
  'PUT /api/v1/webhooks/{id}': { active: true },
  'POST /whatsapp-official/check': reached,
  'PUT /whatsapp/{id}/official': { token: 'EAAG…', version: 'v26.0' },
  'POST /whatsapp/{id}/official/check': {},
  'POST /whatsapp/{id}/official/register': { pin: '123456' },
  'POST /message-prices': { market: 'BR', category: 'service', currency: 'BRL', since: '2026-11-01', micros: 35_000 },
  'POST /report-views/': { name: 'Vendas, mês passado', isShared: true, ...asksReport },
  'PUT /report-views/{id}': { name: 'Vendas' },
  'POST /report-schedules/': {
    ...{ name: 'Vendas, toda segunda', ...asksReport, every: 'week', hour: 8, format: 'pdf', userIds: [2, 7] },
  },
  'PUT /report-schedules/{id}': { hour: 7 },
  'POST /sla-policies/': promised,
  'PUT /sla-policies/{id}': { firstAnswer: 10 },
  'POST /sla-policies/{id}/test': { startedAt: at },
  'POST /webhooks/': hook,
  'PUT /webhooks/{id}': { active: true },
  'POST /webhooks/{id}/replay': { from: '2026-11-22T09:00:00Z', to: '2026-11-22T12:00:00Z' },
  'POST /api-keys/': { name: 'Loja virtual', scopes: ['messages:send'] },
  'PUT /api-keys/{id}': { ratePerMinute: 600 },
}

/** What is answered. */
export const examples: Readonly<Record<string, unknown>> = {
  'POST /api/messages/send': { mensagem: 'Mensagem enviada', id: message.id, ticketId: 361 },
  'POST /api/v1/messages': { id: message.id, ticketId: 361, ack: 1 },
  'GET /api/v1/messages': { records: [message], hasMore: false },
  'GET /api/v1/messages/{id}': message,
  'PUT /api/v1/messages/{id}': { ...message, body: 'O bolo está pronto.', isEdited: true },
  'DELETE /api/v1/messages/{id}': { ...message, isDeleted: true },
  'PUT /api/v1/messages/{id}/reaction': message,
  'POST /api/v1/tickets/{id}/messages': sentNow,
  'POST /api/v1/tickets/{id}/typing': {},
  'GET /api/v1/tickets/{id}/notes': { records: [written] },
  'POST /api/v1/tickets/{id}/notes': written,
  'GET /api/v1/macros': { records: [macro] },
  'POST /api/v1/macros/{id}/run': ticket,
  'GET /api/v1/sla-policies': { records: [policy] },
  'POST /api/v1/tickets/{id}/merge': ticket,
  'POST /api/v1/tickets/{id}/part': ticket,
  'POST /api/v1/tickets/{id}/escalate': { ...ticket, supervisorCalledAt: at },
  'DELETE /api/v1/tickets/{id}/escalate': ticket,
  'GET /api/v1/contacts/{id}/timeline': { records: [happening], nextCursor: null },
  'GET /api/v1/rules': { records: [rule] },
  'GET /api/v1/rules/{id}/runs': { records: [ruleRun], nextCursor: null },
  'GET /api/v1/views': { records: [sharedView] },
  'GET /api/v1/views/{id}/tickets': page(ticket),
  'POST /api/v1/tags': tag,
  'PUT /api/v1/tags/{id}': tag,
  'DELETE /api/v1/tags/{id}': {},
  'DELETE /api/v1/contacts/{id}': {},
  'POST /api/v1/contacts/{id}/merge': contact,
  'POST /api/v1/numbers/check': { exists: true, number: '5511940001835' },
  'GET /api/v1/groups': page({ ...contact, name: 'Entregas', number: null, isGroup: true }),
  'GET /api/v1/connections/{id}': connection,
  'GET /api/v1/connections/{id}/qr': { status: 'qrcode', qr: '2@Zk…' },
  'POST /api/v1/connections/{id}/start': connection,
  'GET /api/v1/campaigns': page({ ...campaign, counts: undefined }),
  'GET /api/v1/campaigns/{id}': campaign,
  'POST /api/v1/campaigns/{id}/start': campaign,
  'POST /api/v1/campaigns/{id}/pause': campaign,
  'POST /api/v1/campaigns/{id}/resume': campaign,
  'POST /api/v1/campaigns/{id}/cancel': campaign,
  'GET /api/v1/reports/costs': costs,
  'GET /costs': { ...costs, by: undefined },
  'GET /costs/month': {
    ...{ month: '2026-11', currency: 'BRL', soFar: sum, forecast: { micros: 620_400_000, days: 21 } },
    freeTier: [{ whatsappId: 1, name: 'Loja', used: 812, of: 1_000, level: 80 }],
  },
  'GET /message-prices': { prices: [{ id: null, ...price, of: 'given' }] },
  'POST /message-prices': { id: 7, companyId: 2, ...price, createdAt: at },
  'DELETE /message-prices/{id}': {},
  'POST /whatsapp-official/check': officialState,
  'POST /whatsapp/{id}/official/check': officialState,
  'POST /whatsapp/{id}/official/subscribe': officialState,
  'POST /whatsapp/{id}/official/history': officialShown,
  'POST /whatsapp/{id}/official/register': officialState,
  'GET /whatsapp/{id}/official': officialShown,
  'PUT /whatsapp/{id}/official': officialShown,
  'GET /api/v1/tickets': page(ticket),
  'GET /api/v1/tickets/{id}': ticket,
  'PUT /api/v1/tickets/{id}': ticket,
  'GET /api/v1/tickets/{id}/messages': page(message),
  'GET /api/v1/contacts': page(contact),
  'GET /api/v1/contacts/{id}': contact,
  'POST /api/v1/contacts': contact,
  'PUT /api/v1/contacts/{id}': contact,
  'GET /api/v1/queues': page(queue),
  'GET /api/v1/tags': page(tag),
  'GET /api/v1/custom-fields': { records: [field] },
  'GET /api/v1/users': page(user),
  'GET /api/v1/connections': page(connection),
  'GET /api/v1/opt-outs': page(optOut),
  'POST /api/v1/opt-outs': optOut,
  'DELETE /api/v1/opt-outs/{id}': { ...optOut, revokedAt: at, reason: 'Voltou a pedir' },
  'GET /api/v1/webhooks': { records: [webhook] },
  'GET /api/v1/webhooks/{id}': webhook,
  'POST /api/v1/webhooks': { ...webhook, secret },
  'PUT /api/v1/webhooks/{id}': webhook,
  'DELETE /api/v1/webhooks/{id}': {},
  'POST /api/v1/webhooks/{id}/test': delivery,
  'GET /sla-policies/': { records: [slaPolicy], nextCursor: null },
  'GET /sla-policies/{id}': slaPolicy,
  'POST /sla-policies/': slaPolicy,
  'PUT /sla-policies/{id}': { ...slaPolicy, firstAnswer: 10 },
  'DELETE /sla-policies/{id}': {},
  'POST /sla-policies/{id}/test': {
    dueAts: {
      ...{ firstAnswer: '2026-11-22T12:15:00.000Z', nextAnswer: '2026-11-22T12:30:00.000Z' },
      resolution: '2026-11-23T12:00:00.000Z',
    },
  },
  'GET /reports/{report}': {
    ...{ report: 'queues', from: '2026-11-01', to: '2026-11-30', isWhole: true, made: 1 },
    figures: [
      { key: 'opened', unit: 'count' },
      { key: 'answerP50', unit: 'seconds' },
    ],
    rows: [{ key: '3', name: 'Vendas', values: { opened: 412, answerP50: 184 } }],
    ...{ total: { opened: 412, answerP50: 184 }, hasMore: false },
  },
  'GET /reports/{report}/tickets': behind,
  'GET /report-views/': { records: [reportView] },
  'POST /report-views/': reportView,
  'PUT /report-views/{id}': reportView,
  'DELETE /report-views/{id}': {},
  'GET /report-schedules/': { records: [reportSchedule], hasMail: true },
  'POST /report-schedules/': reportSchedule,
  'PUT /report-schedules/{id}': { ...reportSchedule, hour: 7 },
  'DELETE /report-schedules/{id}': {},
  'GET /webhooks/': { records: [webhook] },
  'GET /webhooks/{id}': webhook,
  'POST /webhooks/': { ...webhook, secret },
  'PUT /webhooks/{id}': webhook,
  'DELETE /webhooks/{id}': {},
  'POST /webhooks/{id}/rotate': { secret },
  'POST /webhooks/{id}/test': delivery,
  'POST /webhooks/{id}/replay': { replayed: 12, isMore: false },
  'GET /webhooks/{id}/deliveries': { records: [delivery], nextCursor: null },
  'POST /webhooks/{id}/deliveries/{deliveryId}/replay': delivery,
  'GET /api-keys/': { records: [key] },
  'GET /api-keys/{id}': key,
  'POST /api-keys/': { ...key, key: 'bk_9fJ2kQ0a…' },
  'PUT /api-keys/{id}': key,
  'DELETE /api-keys/{id}': {},
}

const plain = ({ $id: _id, ...schema }: TSchema) => schema
const ref = (name: string) => Type.Unsafe<unknown>({ $ref: `#/components/schemas/${name}` })
const changes = Type.Record(Type.String(), Type.Unknown(), { description: 'By field: before and after' })
const eventData: Record<keyof EventDataOf, TSchema> = {
  message: Type.Object({ message: ref('Message'), ticket: ref('Ticket'), contact: ref('Contact') }),
  ticket: Type.Object({
    ticket: ref('Ticket'),
    changes,
    actor: Type.Union([Type.Object({ type: Type.Literal('user'), id: Type.Integer() }), Type.Null()]),
  }),
  contact: Type.Object({ contact: ref('Contact'), changes }),
  optOut: Type.Object({
    contact: Type.Union([ref('Contact'), Type.Null()], { description: 'Null where nobody has ever talked with them' }),
    optOut: ref('OptOut'),
  }),
  campaign: Type.Object({
    campaign: ref('Campaign'),
    counts: Type.Record(Type.String(), Type.Integer(), { description: 'People by how far each is' }),
    reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it is paused' }),
  }),
  connection: Type.Object({
    connection: Type.Object({ id: Type.Integer(), name: Type.String(), number: Type.String() }),
    status: Type.String(),
    reason: Type.Union([Type.String(), Type.Null()]),
  }),
  webhook: Type.Object({ webhookId: Type.Integer() }),
  rule: Type.Object({
    rule: Type.Object({
      ...{ id: Type.Integer(), name: Type.String(), version: Type.Integer() },
      trigger: Type.Union(ruleTriggers.map((one) => Type.Literal(one))),
    }),
    ...{ ticket: ref('Ticket'), contact: ref('Contact') },
    message: Type.Union([ref('Message'), Type.Null()], {
      description: 'What was written, where the rule answers that',
    }),
  }),
}

/** The things that `/api/v1` and webhooks tell of, and the rows that the screens read. */
export const told = {
  Message: plain(apiMessage),
  Ticket: plain(apiTicket),
  Contact: plain(apiContact),
  Queue: plain(apiQueue),
  Tag: plain(apiTag),
  Macro: plain(apiMacro),
  SlaPolicy: plain(apiPolicy),
  Rule: plain(apiRule),
  RuleRun: plain(apiRuleRun),
  View: plain(apiView),
  CustomField: plain(apiField),
  User: plain(apiUser),
  Connection: plain(apiConnection),
  OptOut: plain(apiOptOut),
  Note: plain(apiNote),
  Recipient: plain(apiRecipient),
  Report: plain(apiReport),
  Costs: plain(apiCosts),
  Campaign: plain(apiCampaign),
  Webhook: plain(apiWebhook),
  Delivery: plain(apiDelivery),
  ...rows,
}

const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()])
const figureValues = Type.Object(
  Object.fromEntries(figureKeys.map((key) => [key, Type.Optional(orNull(Type.Number()))])),
  { description: 'Those of the report; null where there is nothing to measure' },
)
const apiFigures = Type.Object({
  ...{ report: Type.String(), from: Type.String(), to: Type.String(), isWhole: Type.Boolean(), made: Type.Number() },
  figures: Type.Array(Type.Object({ key: Type.String(), unit: Type.String() })),
  rows: Type.Array(
    Type.Object({ key: Type.String(), name: Type.Union([Type.String(), Type.Null()]), values: figureValues }),
  ),
  ...{ total: figureValues, hasMore: Type.Boolean() },
})
const apiBehind = Type.Object({
  ...{ figure: Type.String(), from: Type.String(), to: Type.String(), count: Type.Integer() },
  records: Type.Array(
    Type.Object({
      ...{ id: Type.String(), ticketId: orNull(Type.Integer()), uuid: orNull(Type.String()) },
      ...{ status: orNull(Type.String()), contact: Type.Object({ id: orNull(Type.Integer()), name: Type.String() }) },
      ...{ queueId: orNull(Type.Integer()), userId: orNull(Type.Integer()), whatsappId: orNull(Type.Integer()) },
      ...{ openedAt: orNull(Type.String()), closedAt: orNull(Type.String()), at: orNull(Type.String()) },
      ...{ value: orNull(Type.Number()), rate: orNull(Type.Integer()), comment: orNull(Type.String()) },
    }),
  ),
  nextCursor: Type.Union([Type.String(), Type.Null()], { description: 'Null at the end' }),
})
const pages = (name: string) =>
  Type.Object({
    records: Type.Array(ref(name)),
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Ask with it again, also after the last page',
    }),
    hasMore: Type.Boolean(),
  })
const messageId = Type.String({ description: 'Of the message' })
const hookWithSecret = Type.Composite([
  plain(apiWebhook) as typeof apiWebhook,
  Type.Object({ secret: Type.String({ description: 'Told this once' }) }),
])

/** What a call answers: the schema, and the statuses where they are others than 200. */
interface Answer {
  schema: TSchema
  statuses?: readonly number[]
}

/** A page of what a screen lists. */
const counted = (name: string, row: TSchema, more = {}) =>
  Type.Object({ [name]: Type.Array(row), count: Type.Integer(), hasMore: Type.Boolean(), ...more })
const foundIn = Type.Object({ messageId, body: Type.String(), at: Type.String({ format: 'date-time' }) })
const foundTicket = Type.Composite([
  rows.TicketRow,
  Type.Object({ found: Type.Optional(Type.Union([foundIn, Type.Null()])) }),
])
const madeContact = Type.Composite([
  rows.ContactRow,
  Type.Object({ alreadyExists: Type.Optional(Type.Boolean()), existingContact: Type.Optional(ref('ContactRow')) }),
])
const keyOnce = Type.Composite([rows.ApiKey, Type.Object({ key: Type.String({ description: 'Told this once' }) })])
const secretOnce = Type.Object({ secret: Type.String({ description: 'Told this once' }) })
const empty = Type.Object({})
const sentNowShape = Type.Object({
  id: messageId,
  ids: Type.Optional(Type.Array(messageId, { description: 'Where several files made several messages' })),
  ticketId: Type.Integer(),
  ack: Type.Integer(),
})
const countedCampaign = Type.Composite([
  plain(apiCampaign) as typeof apiCampaign,
  Type.Object({
    counts: Type.Object(Object.fromEntries(shippingStates.map((state) => [state, Type.Optional(Type.Integer())])), {
      description: 'People by how far each is',
    }),
  }),
])

/**
 * What programs may build on: the answer of each call that they make with a key or with a connection's token. And what
 * the screens are answered about the same things, which may change with them.
 */
export const answers: Readonly<Record<string, Answer>> = {
  'POST /api/messages/send': {
    schema: Type.Object({
      mensagem: Type.String(),
      id: messageId,
      ids: Type.Optional(Type.Array(messageId, { description: 'Where several files made several messages' })),
      ticketId: Type.Integer(),
    }),
  },
  'POST /api/v1/messages': {
    statuses: [202],
    schema: sentNowShape,
  },
  'POST /api/v1/tickets/{id}/messages': { statuses: [202], schema: sentNowShape },
  'POST /api/v1/tickets/{id}/typing': { schema: empty },
  'GET /api/v1/tickets/{id}/notes': { schema: Type.Object({ records: Type.Array(ref('Note')) }) },
  'POST /api/v1/tickets/{id}/notes': { statuses: [201], schema: ref('Note') },
  'GET /api/v1/messages': { schema: Type.Object({ records: Type.Array(ref('Message')), hasMore: Type.Boolean() }) },
  'PUT /api/v1/messages/{id}': { schema: ref('Message') },
  'DELETE /api/v1/messages/{id}': { schema: ref('Message') },
  'PUT /api/v1/messages/{id}/reaction': { schema: ref('Message') },
  'GET /api/v1/macros': { schema: Type.Object({ records: Type.Array(ref('Macro')) }) },
  'POST /api/v1/macros/{id}/run': { schema: ref('Ticket') },
  'GET /api/v1/sla-policies': { schema: Type.Object({ records: Type.Array(ref('SlaPolicy')) }) },
  'POST /api/v1/tickets/{id}/merge': { schema: ref('Ticket') },
  'POST /api/v1/tickets/{id}/part': { schema: ref('Ticket') },
  'POST /api/v1/tickets/{id}/escalate': { schema: ref('Ticket') },
  'DELETE /api/v1/tickets/{id}/escalate': { schema: ref('Ticket') },
  'GET /api/v1/contacts/{id}/timeline': {
    schema: Type.Object({
      records: Type.Array(
        Type.Object({
          ...{ id: Type.String(), ticketId: Type.Integer(), kind: Type.String(), createdAt: Type.String() },
          userId: orNull(Type.Integer()),
          data: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()])),
        }),
      ),
      nextCursor: Type.Union([Type.String(), Type.Null()], { description: 'Null behind the last' }),
    }),
  },
  'GET /api/v1/rules': { schema: Type.Object({ records: Type.Array(ref('Rule')) }) },
  'GET /api/v1/rules/{id}/runs': {
    schema: Type.Object({
      records: Type.Array(ref('RuleRun')),
      nextCursor: Type.Union([Type.String(), Type.Null()], { description: 'Null behind the last' }),
    }),
  },
  'GET /api/v1/views': { schema: Type.Object({ records: Type.Array(ref('View')) }) },
  'GET /api/v1/views/{id}/tickets': { schema: pages('Ticket') },
  'POST /api/v1/tags': { statuses: [201], schema: ref('Tag') },
  'PUT /api/v1/tags/{id}': { schema: ref('Tag') },
  'DELETE /api/v1/tags/{id}': { schema: empty },
  'DELETE /api/v1/contacts/{id}': { schema: empty },
  'POST /api/v1/contacts/{id}/merge': { schema: ref('Contact') },
  'POST /api/v1/numbers/check': {
    schema: Type.Object({
      exists: Type.Boolean(),
      number: Type.Union([Type.String(), Type.Null()], { description: 'As WhatsApp writes it' }),
    }),
  },
  'GET /api/v1/groups': { schema: pages('Contact') },
  'GET /api/v1/connections/{id}': { schema: ref('Connection') },
  'GET /api/v1/connections/{id}/qr': {
    schema: Type.Object({ status: Type.String(), qr: Type.Union([Type.String(), Type.Null()]) }),
  },
  'POST /api/v1/connections/{id}/start': { schema: ref('Connection') },
  'GET /api/v1/campaigns': { schema: pages('Campaign') },
  'GET /api/v1/campaigns/{id}': { schema: countedCampaign },
  'POST /api/v1/campaigns/{id}/start': { schema: countedCampaign },
  'POST /api/v1/campaigns/{id}/pause': { schema: countedCampaign },
  'POST /api/v1/campaigns/{id}/resume': { schema: countedCampaign },
  'POST /api/v1/campaigns/{id}/cancel': { schema: countedCampaign },
  'GET /api/v1/campaigns/{id}/people': {
    schema: Type.Object({
      records: Type.Array(ref('Recipient')),
      nextCursor: Type.Union([Type.Integer(), Type.Null()], { description: 'Null at the end' }),
    }),
  },
  'GET /api/v1/reports/service': { schema: ref('Report') },
  'GET /api/v1/reports/costs': { schema: ref('Costs') },
  'GET /api/v1/reports/{report}': { schema: apiFigures },
  'GET /api/v1/reports/{report}/tickets': { schema: apiBehind },
  'GET /api/v1/messages/{id}': { schema: ref('Message') },
  'GET /api/v1/tickets': { schema: pages('Ticket') },
  'GET /api/v1/tickets/{id}': { schema: ref('Ticket') },
  'PUT /api/v1/tickets/{id}': { schema: ref('Ticket') },
  'GET /api/v1/tickets/{id}/messages': { schema: pages('Message') },
  'GET /api/v1/contacts': { schema: pages('Contact') },
  'GET /api/v1/contacts/{id}': { schema: ref('Contact') },
  'POST /api/v1/contacts': { statuses: [200, 201], schema: ref('Contact') },
  'PUT /api/v1/contacts/{id}': { schema: ref('Contact') },
  'GET /api/v1/queues': { schema: pages('Queue') },
  'GET /api/v1/tags': { schema: pages('Tag') },
  'GET /api/v1/custom-fields': { schema: Type.Object({ records: Type.Array(ref('CustomField')) }) },
  'GET /api/v1/users': { schema: pages('User') },
  'GET /api/v1/connections': { schema: pages('Connection') },
  'GET /api/v1/opt-outs': { schema: pages('OptOut') },
  'POST /api/v1/opt-outs': { statuses: [200, 201], schema: ref('OptOut') },
  'DELETE /api/v1/opt-outs/{id}': { schema: ref('OptOut') },
  'GET /api/v1/webhooks': { schema: Type.Object({ records: Type.Array(ref('Webhook')) }) },
  'GET /api/v1/webhooks/{id}': { schema: ref('Webhook') },
  'POST /api/v1/webhooks': { statuses: [201], schema: hookWithSecret },
  'PUT /api/v1/webhooks/{id}': { schema: ref('Webhook') },
  'DELETE /api/v1/webhooks/{id}': { schema: empty },
  'POST /api/v1/webhooks/{id}/test': { schema: ref('Delivery') },
  'GET /webhooks/': { schema: Type.Object({ records: Type.Array(ref('Webhook')) }) },
  'GET /webhooks/{id}': { schema: ref('Webhook') },
  'POST /webhooks/': { schema: hookWithSecret },
  'PUT /webhooks/{id}': { schema: ref('Webhook') },
  'DELETE /webhooks/{id}': { schema: empty },
  'POST /webhooks/{id}/rotate': { schema: secretOnce },
  'POST /webhooks/{id}/test': { schema: ref('Delivery') },
  'POST /webhooks/{id}/replay': { schema: Type.Object({ replayed: Type.Integer(), isMore: Type.Boolean() }) },
  'GET /webhooks/{id}/deliveries': {
    schema: Type.Object({
      records: Type.Array(ref('Delivery')),
      nextCursor: Type.Union([Type.String(), Type.Null()]),
    }),
  },
  'POST /webhooks/{id}/deliveries/{deliveryId}/replay': { schema: ref('Delivery') },
  'GET /api-keys/': { schema: Type.Object({ records: Type.Array(ref('ApiKey')) }) },
  'GET /api-keys/{id}': { schema: ref('ApiKey') },
  'POST /api-keys/': { schema: keyOnce },
  'PUT /api-keys/{id}': { schema: ref('ApiKey') },
  'DELETE /api-keys/{id}': { schema: empty },
  'GET /tickets/': { schema: counted('tickets', foundTicket) },
  'GET /tickets/{id}': { schema: ref('TicketRow') },
  'GET /tickets/u/{uuid}': { schema: ref('TicketRow') },
  'POST /tickets/': { schema: ref('TicketRow') },
  'PUT /tickets/{id}': { schema: ref('TicketRow') },
  'GET /contacts/': { schema: counted('contacts', ref('ContactRow')) },
  'GET /contacts/{id}': { schema: ref('ContactRow') },
  'POST /contacts/': { schema: madeContact },
  'PUT /contacts/{id}': { schema: ref('ContactRow') },
  'DELETE /contacts/{id}': { schema: empty },
  'GET /messages/{ticketId}': {
    schema: counted('messages', ref('MessageRow'), {
      hasNewer: Type.Optional(Type.Boolean({ description: 'Around a message' })),
      ticket: ref('TicketRow'),
    }),
  },
  'POST /messages/{ticketId}': { schema: Type.Object({ messages: Type.Array(ref('MessageRow')) }) },
  'POST /messages/edit/{id}': { schema: ref('MessageRow') },
  'PUT /messages/{id}': { schema: ref('MessageRow') },
  'DELETE /messages/{id}': { schema: ref('MessageRow') },
}

const header = (name: string, description: string) => ({
  ...{ name, in: 'header', required: true, description },
  schema: { type: 'string' },
})
const headers = [
  header('webhook-id', 'Of the event: the same at every try'),
  header('webhook-timestamp', 'Of the try, in seconds'),
  header(
    'webhook-signature',
    '`v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`; two for a day after a rotation',
  ),
]

/** The events, as OpenAPI describes them. */
export const described = Object.fromEntries(
  deliveredTypes.map((type) => [
    type,
    {
      post: {
        tags: ['events'],
        summary: type,
        security: [],
        parameters: headers,
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: Type.Object({
                type: Type.Literal(type),
                timestamp: Type.String({ format: 'date-time' }),
                data: eventData[aboutOf(type)],
              }),
            },
          },
        },
        responses: {
          '2XX': { description: 'Taken' },
          '410': { description: 'No more: the webhook is switched off' },
          default: { description: 'Tried again after 5 s, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours' },
        },
      },
    },
  ]),
)

import { type Static, Type } from '@sinclair/typebox'
import { campaignStatuses, shippingStates } from '../campaigns/campaigns.state.ts'
import type { Campaign } from '../campaigns/campaigns.table.ts'
import type { Contact } from '../contacts/contacts.table.ts'
import { type CustomField, fieldEntities, fieldTypes } from '../custom-fields/custom-fields.table.ts'
import { byKey, type KeyedValues } from '../custom-fields/custom-fields.values.ts'
import { nullable } from '../inputs.ts'
import { mediaTypes } from '../messages/messages.content.ts'
import { type Message, mediaStates } from '../messages/messages.table.ts'
import type { TicketNote } from '../notes/notes.table.ts'
import { type OptOut, optOutSources } from '../opt-outs/opt-outs.table.ts'
import type { Queue } from '../queues/queues.table.ts'
import type { Tag } from '../tags/tags.table.ts'
import { type Ticket, ticketStatuses } from '../tickets/tickets.table.ts'
import { ruleAction, ticketActions } from '../actions/actions.inputs.ts'
import type { SavedFilter } from '../filters/filters.table.ts'
import type { Macro } from '../macros/macros.table.ts'
import { type Rule, ruleResults, type RuleRun } from '../rules/rules.table.ts'
import { ruleTriggers } from '../rules/rules.triggers.ts'
import { type SlaPolicy, slaCalendars } from '../sla-policies/sla-policies.table.ts'
import { slaMetrics } from '../sla-policies/sla.metrics.ts'
import { profiles, type User } from '../users/users.table.ts'
import { deliveryStates } from '../webhooks/webhooks.table.ts'
import { webhookEvents } from '../webhooks/webhooks.events.ts'
import { connectionStatuses, type Whatsapp } from '../whatsapps/whatsapps.table.ts'

/**
 * What programs are told of each thing, by `/api/v1` and by webhooks alike. Fields are only ever added.
 */

const id = Type.Integer()
const text = Type.String()
const when = Type.String({ format: 'date-time' })
const maybe = nullable
/** One of a few words: generated clients make an enumeration of it. */
const among = <T extends string>(words: readonly T[], more = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: [...words], ...more })

export const apiMessage = Type.Object(
  {
    id: text,
    ticketId: id,
    contactId: id,
    connectionId: maybe(id),
    fromMe: Type.Boolean(),
    /** The colleague who wrote it. */
    userId: maybe(id),
    type: among(mediaTypes),
    body: text,
    /** There is more of it than `body` holds. */
    isCut: Type.Boolean(),
    media: maybe(
      Type.Object({
        url: maybe(text),
        name: maybe(text),
        mimetype: maybe(text),
        size: maybe(id),
        state: among(mediaStates),
      }),
    ),
    ack: Type.Integer({
      ...{ minimum: 0, maximum: 5 },
      description: '0 failed, 1 waits, 2 at WhatsApp, 3 at the phone, 4 read, 5 played',
    }),
    ackError: maybe(text),
    isEdited: Type.Boolean(),
    isDeleted: Type.Boolean(),
    quotedMessageId: maybe(text),
    about: maybe(
      Type.Object(
        {
          is: among(['ad', 'status', 'quote', 'pix', 'template']),
          title: Type.Optional(text),
          text: Type.Optional(text),
          url: Type.Optional(maybe(text)),
          merchant: Type.Optional(text),
          keyType: Type.Optional(text),
          key: Type.Optional(text),
          name: Type.Optional(text),
          language: Type.Optional(text),
          named: Type.Optional(Type.Boolean()),
          values: Type.Optional(Type.Record(Type.String(), text)),
          buttons: Type.Optional(Type.Array(text)),
        },
        {
          description:
            'The ad that somebody pressed, the status or message that they answer, the Pix key they sent, or the template of ours',
        },
      ),
    ),
    createdAt: when,
    updatedAt: when,
  },
  { $id: 'Message' },
)
/** The company's own fields. */
const keyed = Type.Unsafe<KeyedValues>(
  Type.Object(
    {},
    {
      additionalProperties: Type.Union([text, Type.Number(), Type.Boolean(), Type.Null()]),
      description:
        'The company’s own fields that are in use, by their keys; of a choice what it is called, null is empty',
    },
  ),
)
export const apiField = Type.Object(
  {
    ...{ id, entity: among(fieldEntities), key: text, name: text, type: among(fieldTypes) },
    options: Type.Array(Type.Object({ id: text, label: text }), { description: 'Of a choice, what may be chosen' }),
    ...{ help: text, required: Type.Boolean({ description: 'A person closes no ticket while it is empty' }) },
    ...{ createdAt: when, updatedAt: when },
  },
  { $id: 'CustomField' },
)
export const apiTicket = Type.Object(
  {
    ...{
      id,
      uuid: text,
      status: among(ticketStatuses),
      contactId: id,
      connectionId: maybe(id),
      queueId: maybe(id),
      userId: maybe(id),
    },
    ...{ unreadMessages: id, lastMessage: text, lastMessageAt: when, isGroup: Type.Boolean(), tagIds: Type.Array(id) },
    snoozedUntil: nullable(
      Type.String({
        format: 'date-time',
        description: 'It lies aside until then; in the year 9999 where only an answer of the contact wakes it',
      }),
    ),
    nextDueAt: nullable(
      Type.String({ format: 'date-time', description: 'When the nearest promise to its contact is broken, or was' }),
    ),
    nextDueMetric: maybe(among(slaMetrics)),
    supervisorCalledAt: nullable(
      Type.String({ format: 'date-time', description: 'Since when a supervisor is called to it' }),
    ),
    mergedIntoId: nullable(Type.Integer({ description: 'What was said in it went on in that ticket' })),
    fields: keyed,
    ...{ createdAt: when, updatedAt: when },
  },
  { $id: 'Ticket' },
)
export const apiContact = Type.Object(
  {
    ...{ id, name: text, number: maybe(text), lid: maybe(text), username: maybe(text) },
    ...{ email: text, isGroup: Type.Boolean() },
    disableBot: Type.Boolean(),
    extraInfo: Type.Array(Type.Object({ name: text, value: text })),
    fields: keyed,
    ...{ createdAt: when, updatedAt: when },
  },
  { $id: 'Contact' },
)
export const apiQueue = Type.Object({ id, name: text, color: text, createdAt: when, updatedAt: when }, { $id: 'Queue' })
export const apiTag = Type.Object(
  { id, name: text, color: text, kanban: Type.Boolean(), createdAt: when, updatedAt: when },
  { $id: 'Tag' },
)
/** What is done with a ticket by one call; `actions` as `POST /macros` takes them. */
export const apiMacro = Type.Object(
  {
    ...{ id, name: text, shortcut: text, version: Type.Integer(), actions: ticketActions },
    ...{ createdAt: when, updatedAt: when },
  },
  { $id: 'Macro' },
)
/** What is done by itself after something has happened to a ticket; `lately` counts seven days. */
export const apiRule = Type.Object(
  {
    ...{ id, name: text, position: Type.Integer(), active: Type.Boolean(), version: Type.Integer() },
    ...{ trigger: among(ruleTriggers), actions: Type.Array(ruleAction) },
    lately: Type.Object({ done: Type.Integer(), blocked: Type.Integer(), refused: Type.Integer() }),
    ...{ createdAt: when, updatedAt: when },
  },
  { $id: 'Rule' },
)
/** What is promised to some contacts; null: nothing of that kind. Minutes of the hours by which it counts. */
export const apiPolicy = Type.Object(
  {
    ...{ id, name: text, position: Type.Integer(), active: Type.Boolean() },
    /** Of tickets in one of these queues, with one of these tags; empty: any. */
    ...{ queueIds: Type.Array(id), tagIds: Type.Array(id) },
    ...{ firstAnswer: maybe(Type.Integer()), nextAnswer: maybe(Type.Integer()), resolution: maybe(Type.Integer()) },
    ...{ calendar: among(slaCalendars), warnAt: Type.Integer() },
    ...{ createdAt: when, updatedAt: when },
  },
  { $id: 'SlaPolicy' },
)
/** That a rule was asked about an event, and what came of it. */
export const apiRuleRun = Type.Object(
  {
    ...{ id: text, ruleId: id, version: Type.Integer(), ticketId: id },
    ...{ trigger: among(ruleTriggers), result: among(ruleResults) },
    /** Types of the actions that were done. */
    done: Type.Array(text),
    /** Why it was kept from acting, or refused. */
    why: maybe(text),
    createdAt: when,
  },
  { $id: 'RuleRun' },
)
/** Conditions of the list of tickets that people share under a name. */
export const apiView = Type.Object(
  {
    ...{ id: text, name: text, color: maybe(text) },
    sharing: among(['company', 'queues']),
    /** For whose people it is, where it is shared with queues. */
    queueIds: Type.Array(id),
    createdAt: when,
  },
  { $id: 'View' },
)
export const apiUser = Type.Object(
  { id, name: text, email: text, profile: among(profiles), online: Type.Boolean(), createdAt: when, updatedAt: when },
  { $id: 'User' },
)
export const apiConnection = Type.Object(
  {
    id,
    name: text,
    number: text,
    status: among(connectionStatuses),
    isDefault: Type.Boolean(),
    createdAt: when,
    updatedAt: when,
  },
  { $id: 'Connection' },
)

export const apiNote = Type.Object(
  {
    ...{ id: text, ticketId: id, contactId: id },
    /** The colleague who wrote it; null for a program. */
    userId: maybe(id),
    ...{ note: text, createdAt: when },
    /** Whom it calls. */
    mentions: Type.Array(Type.Object({ kind: among(['user', 'queue']), id, name: text })),
  },
  { $id: 'Note' },
)
export const apiOptOut = Type.Object(
  {
    ...{ id, number: text },
    source: among(optOutSources),
    text,
    createdAt: when,
    /** From when on they want messages again. */
    revokedAt: maybe(when),
    reason: maybe(text),
  },
  { $id: 'OptOut' },
)
export const apiCampaign = Type.Object(
  {
    ...{ id, name: text, status: among(campaignStatuses), connectionId: maybe(id) },
    ...{ scheduledAt: maybe(when), startedAt: maybe(when), completedAt: maybe(when) },
  },
  { $id: 'Campaign' },
)

export const apiWebhook = Type.Object(
  {
    ...{ id, url: text, events: Type.Array(among(webhookEvents)) },
    /** Of messages and tickets only those in these queues; empty: all. */
    queueIds: Type.Array(id),
    active: Type.Boolean(),
    /** Why the server has switched it off: `gone` (410) or `failing`. */
    disabledReason: maybe(text),
    /** Since when nothing has arrived. */
    failingSince: maybe(when),
    ...{ createdAt: when, updatedAt: when },
  },
  { $id: 'Webhook' },
)
export const apiDelivery = Type.Object(
  {
    ...{ id, webhookId: id },
    /** The `webhook-id`: the same at every try. */
    eventId: text,
    type: text,
    /** The body as it is sent and signed. */
    payload: text,
    state: among(deliveryStates),
    attempts: Type.Array(Type.Object({ at: when, status: maybe(id), ms: id, answer: text })),
    tries: id,
    ...{ nextAt: maybe(when), deliveredAt: maybe(when), createdAt: when },
  },
  { $id: 'Delivery' },
)

/** One person of a campaign. */
export const apiRecipient = Type.Object(
  {
    ...{ id, name: text, number: text, state: among(shippingStates), reason: maybe(text), body: maybe(text) },
    ...{ ticketId: maybe(id), sentAt: maybe(when), deliveredAt: maybe(when), readAt: maybe(when) },
    ...{ repliedAt: maybe(when), optedOutAt: maybe(when) },
  },
  { $id: 'Recipient' },
)
const average = maybe(Type.Number({ description: 'Minutes' }))
/** What a span of days was like. */
export const apiReport = Type.Object(
  {
    ...{ from: text, to: text, timeZone: text },
    /** Tickets that are served, and that wait, now. */
    ...{ open: id, pending: id },
    /** Of the services that began in these days. */
    ...{ finished: id, averageServiceMinutes: average, averageWaitMinutes: average },
    users: Type.Array(
      Type.Object({
        ...{ id, name: text, services: id, averageServiceMinutes: average },
        rating: maybe(Type.Number({ description: 'The mean of 1 to 3' })),
      }),
    ),
  },
  { $id: 'Report' },
)

const sums = {
  micros: Type.Integer({ description: 'Millionths of the currency; rounded by nobody' }),
  messages: Type.Integer({ description: 'All that were delivered' }),
  ...{ charged: id, free: id },
  unknown: Type.Integer({ description: 'WhatsApp has not said what they are charged as' }),
  unpriced: Type.Integer({ description: 'Charged, without a price, and not in `micros`' }),
}
export const apiCosts = Type.Object(
  {
    ...{ from: text, to: text, by: text, currency: text },
    total: Type.Object(sums),
    rows: Type.Array(Type.Object({ key: maybe(text), name: maybe(text), ...sums })),
    hasMore: Type.Boolean({ description: 'There are more rows; the dearest are here' }),
  },
  { $id: 'Costs' },
)

export type ApiOptOut = Static<typeof apiOptOut>
export type ApiCampaign = Static<typeof apiCampaign>
export type ApiMessage = Static<typeof apiMessage>
export type ApiTicket = Static<typeof apiTicket>
export type ApiContact = Static<typeof apiContact>

const iso = (at: Date): string => at.toISOString()
const times = (row: { createdAt: Date; updatedAt: Date }) => ({
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
})

export const toApiMessage = (m: Message): ApiMessage => ({
  ...{ id: m.id, ticketId: m.ticketId, contactId: m.contactId, connectionId: m.whatsappId, fromMe: m.fromMe },
  ...{ userId: m.authorId, type: m.mediaType, body: m.body, isCut: m.isCut },
  media:
    m.mediaState === 'none'
      ? null
      : {
          ...{ url: m.mediaPath && `/public/${m.mediaPath}`, name: m.mediaName, mimetype: m.mediaMime },
          ...{ size: m.mediaSize, state: m.mediaState },
        },
  ...{ ack: m.ack, ackError: m.ackError, isEdited: m.isEdited, isDeleted: m.isDeleted },
  quotedMessageId: m.quotedMsgId,
  about: m.about,
  ...times(m),
})

export const toApiTicket = (t: Ticket, fields: readonly CustomField[]): ApiTicket => ({
  ...{ id: t.id, uuid: t.uuid, status: t.status, contactId: t.contactId, connectionId: t.whatsappId },
  ...{ queueId: t.queueId, userId: t.userId, unreadMessages: t.unreadMessages, lastMessage: t.lastMessage },
  ...{ lastMessageAt: iso(t.lastMessageAt), isGroup: t.isGroup, tagIds: t.tagIds },
  snoozedUntil: t.snoozedUntil && iso(t.snoozedUntil),
  ...{ nextDueAt: t.nextDueAt && iso(t.nextDueAt), nextDueMetric: t.nextDueMetric },
  supervisorCalledAt: t.supervisorCalledAt && iso(t.supervisorCalledAt),
  mergedIntoId: t.mergedIntoId,
  fields: byKey(fields, 'ticket', t.fields),
  ...times(t),
})

export const toApiField = (f: CustomField): Static<typeof apiField> => ({
  ...{ id: f.id, entity: f.entity, key: f.key, name: f.name, type: f.type, help: f.help, required: f.required },
  options: f.options.filter(({ archived }) => !archived).map(({ id, label }) => ({ id, label })),
  ...times(f),
})

export const toApiContact = (c: Contact, fields: readonly CustomField[]): ApiContact => ({
  ...{ id: c.id, name: c.name, number: c.number, lid: c.lid, username: c.username },
  ...{ email: c.email, isGroup: c.isGroup },
  ...{ disableBot: c.disableBot, extraInfo: c.extraInfo.map(({ name, value }) => ({ name, value })) },
  fields: byKey(fields, 'contact', c.fields),
  ...times(c),
})

export const toApiNote = (n: TicketNote): Static<typeof apiNote> => ({
  ...{ id: n.id, ticketId: n.ticketId, contactId: n.contactId, userId: n.userId || null, note: n.note },
  createdAt: iso(n.createdAt),
  mentions: n.mentions,
})

export const toApiOptOut = (o: OptOut): ApiOptOut => ({
  ...{ id: o.id, number: o.number, source: o.source, text: o.text, createdAt: iso(o.createdAt), reason: o.reason },
  revokedAt: o.revokedAt && iso(o.revokedAt),
})
export const toApiCampaign = (c: Campaign): ApiCampaign => ({
  ...{ id: c.id, name: c.name, status: c.status, connectionId: c.whatsappId },
  scheduledAt: c.scheduledAt && iso(c.scheduledAt),
  startedAt: c.startedAt && iso(c.startedAt),
  completedAt: c.completedAt && iso(c.completedAt),
})

export const toApiQueue = (q: Queue): Static<typeof apiQueue> => ({
  ...{ id: q.id, name: q.name, color: q.color },
  ...times(q),
})
export const toApiTag = (t: Tag): Static<typeof apiTag> => ({
  ...{ id: t.id, name: t.name, color: t.color, kanban: t.kanban === 1 },
  ...times(t),
})
export const toApiMacro = (m: Macro): Static<typeof apiMacro> => ({
  ...{ id: m.id, name: m.name, shortcut: m.shortcut, version: m.version, actions: m.actions },
  ...times(m),
})
export const toApiRule = (r: Rule & Pick<Static<typeof apiRule>, 'lately'>): Static<typeof apiRule> => ({
  ...{ id: r.id, name: r.name, position: r.position, active: r.active, version: r.version },
  ...{ trigger: r.trigger, actions: r.actions, lately: r.lately, ...times(r) },
})
export const toApiPolicy = (p: SlaPolicy): Static<typeof apiPolicy> => ({
  ...{ id: p.id, name: p.name, position: p.position, active: p.active, queueIds: p.queueIds, tagIds: p.tagIds },
  ...{ firstAnswer: p.firstAnswer, nextAnswer: p.nextAnswer, resolution: p.resolution },
  ...{ calendar: p.calendar, warnAt: p.warnAt, ...times(p) },
})
export const toApiRuleRun = (r: RuleRun): Static<typeof apiRuleRun> => ({
  ...{ id: r.id, ruleId: r.ruleId, version: r.version, ticketId: r.ticketId, trigger: r.trigger, result: r.result },
  ...{ done: r.outcome.done, why: r.outcome.why ?? null, createdAt: iso(r.createdAt) },
})
export const toApiView = (v: SavedFilter): Static<typeof apiView> => ({
  ...{ id: v.id, name: v.name, color: v.color, queueIds: v.queueIds },
  sharing: v.sharing === 'queues' ? 'queues' : 'company',
  createdAt: iso(v.createdAt),
})
export const toApiUser = (u: User): Static<typeof apiUser> => ({
  ...{ id: u.id, name: u.name, email: u.email, profile: u.profile, online: u.online },
  ...times(u),
})
export const toApiConnection = (w: Whatsapp): Static<typeof apiConnection> => ({
  ...{ id: w.id, name: w.name, number: w.number, status: w.status, isDefault: w.isDefault },
  ...times(w),
})

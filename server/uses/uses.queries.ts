import { and, asc, eq, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { campaigns } from '../../schema/campaigns/campaigns.table.ts'
import { contactLists } from '../../schema/contact-lists/contact-lists.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError, type ErrorCode } from '../../schema/errors.ts'
import { fileLists } from '../../schema/files/files.table.ts'
import { flowCampaigns, flowDefaults, flows } from '../../schema/flows/flows.table.ts'
import { macros } from '../../schema/macros/macros.table.ts'
import type { Permission, Principal } from '../../schema/permissions.ts'
import { integrations } from '../../schema/integrations/integrations.table.ts'
import { prompts } from '../../schema/prompts/prompts.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { quickMessages } from '../../schema/quick-messages/quick-messages.table.ts'
import type { RuleCondition } from '../../schema/rules/rules.inputs.ts'
import { rules } from '../../schema/rules/rules.table.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import { waitingStatuses } from '../../schema/schedules/schedules.transition.ts'
import { segments } from '../../schema/segments/segments.table.ts'
import { templates } from '../../schema/templates/templates.table.ts'
import { tags } from '../../schema/tags/tags.table.ts'
import { users } from '../../schema/users/users.table.ts'
import {
  becomes,
  blockFields,
  campaignWithout,
  comparedAs,
  type Use,
  type UsedNoun,
  type UseKind,
} from '../../schema/uses/uses.ts'
import { webhooks } from '../../schema/webhooks/webhooks.table.ts'
import { whatsappQueues, whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db, Tx } from '../db/database.ts'

/** Places of one kind that are looked up. */
const MOST = 1_000

const nouns = {
  queue: { table: queues, missing: 'ERR_NO_QUEUE_FOUND', deletedWith: 'queues:write' },
  user: { table: users, missing: 'ERR_NO_USER_FOUND', deletedWith: 'users:write' },
  tag: { table: tags, missing: 'ERR_NO_TAG_FOUND', deletedWith: null },
  contactList: { table: contactLists, missing: 'ERR_NO_CONTACT_LIST_FOUND', deletedWith: 'campaigns:write' },
  fileList: { table: fileLists, missing: 'ERR_NO_FILE_LIST_FOUND', deletedWith: 'files:write' },
  prompt: { table: prompts, missing: 'ERR_NO_PROMPT_FOUND', deletedWith: 'automations:write' },
  integration: { table: integrations, missing: 'ERR_NO_INTEGRATION_FOUND', deletedWith: 'automations:write' },
  segment: { table: segments, missing: 'ERR_NO_SEGMENT_FOUND', deletedWith: 'campaigns:write' },
  flow: { table: flows, missing: 'ERR_NO_FLOW_FOUND', deletedWith: 'automations:write' },
  connection: {
    ...{ table: whatsapps, missing: 'ERR_NO_WAPP_FOUND' },
    deletedWith: 'connections-page:editOrDeleteConnection',
  },
  webhook: { table: webhooks, missing: 'ERR_NO_WEBHOOK_FOUND', deletedWith: 'webhooks:write' },
} as const satisfies Record<UsedNoun, { table: unknown; missing: ErrorCode; deletedWith: Permission | null }>

/** Without which of them nobody deletes it; null: everybody may. */
export const deletedWith = (noun: UsedNoun): Permission | null => nouns[noun].deletedWith

/** What is to be deleted. @throws DomainError of its noun, where the company has none of that id */
export async function demandUsed(db: Db, who: Principal, noun: UsedNoun, id: number) {
  const { table, missing } = nouns[noun]
  const [row] = await db
    .select({ id: table.id, name: 'url' in table ? table.url : table.name })
    .from(table)
    .where(and(eq(table.companyId, who.companyId), eq(table.id, id)))
  if (!row) throw new DomainError(missing)
  return row
}

/** Every place of the company that names it, by kind and name. */
export async function usesOf(
  db: Db | Tx,
  companyId: number,
  noun: UsedNoun,
  used: { id: number; name: string },
): Promise<Use[]> {
  const found = await Promise.all([
    flowsWith(db, companyId, noun, used),
    campaignsWith(db, companyId, noun, used.id),
    noun === 'queue' || noun === 'tag' || noun === 'contactList' ? segmentsWith(db, companyId, noun, used.id) : [],
    noun === 'queue' || noun === 'prompt' || noun === 'integration'
      ? connectionsWith(db, companyId, noun, used.id)
      : [],
    noun === 'prompt' ? named(db, 'queue', noun, queues, eq(queues.promptId, used.id), companyId) : [],
    noun === 'integration' ? named(db, 'queue', noun, queues, eq(queues.integrationId, used.id), companyId) : [],
    noun === 'queue' ? named(db, 'assistant', noun, prompts, eq(prompts.queueId, used.id), companyId) : [],
    noun === 'user' ? ofUser(db, companyId, used.id) : [],
    noun === 'queue' ? webhooksWith(db, companyId, used.id) : [],
    noun === 'flow' ? beginningFlow(db, companyId, used.id) : [],
    noun === 'connection' ? ofConnection(db, companyId, used.id) : [],
    noun === 'queue' || noun === 'tag' || noun === 'user' || noun === 'flow'
      ? macrosWith(db, companyId, noun, used.id)
      : [],
    noun in askedFor ? rulesWith(db, companyId, noun as keyof typeof askedFor, used.id) : [],
  ])
  return found.flat()
}

async function named(
  db: Db | Tx,
  kind: Exclude<UseKind, 'campaign'>,
  noun: UsedNoun,
  table:
    | typeof queues
    | typeof prompts
    | typeof segments
    | typeof whatsapps
    | typeof flows
    | typeof flowCampaigns
    | typeof integrations
    | typeof users
    | typeof templates
    | typeof macros
    | typeof rules,
  where: SQL | undefined,
  companyId: number,
): Promise<Use[]> {
  const rows = await db
    .select({ id: table.id, name: table.name })
    .from(table)
    .where(and(eq(table.companyId, companyId), where))
    .orderBy(asc(table.name), asc(table.id))
    .limit(MOST)
  return rows.map(({ id, name }) => ({ kind, id, name, becomes: becomes(noun, kind) }))
}

/** Drafts, what is published, and older versions in which somebody still is. */
async function flowsWith(db: Db | Tx, companyId: number, noun: UsedNoun, used: { id: number; name: string }) {
  const fields = blockFields[noun]
  if (fields.length === 0) return []
  const key = comparedAs[noun]
  const vars = JSON.stringify({ key, values: [String(used.id), used.name] })
  const holds = (type: SQL, data: SQL) => {
    const named = fields.map((one) => sql`(${type} = ${one.type} AND ${data}->>${one.field} = ${String(used.id)})`)
    const compared = key
      ? [
          sql`(${type} = 'condition' AND jsonb_path_exists(${data}, '$.**.rules[*] ? (@.of == "ticket" && @.key == $key && @.value == $values[*])', ${vars}::jsonb))`,
        ]
      : []
    return or(...named, ...compared)
  }
  const where = or(
    sql`EXISTS (SELECT FROM flow_nodes n WHERE n."flowId" = ${flows.id} AND (${holds(sql`n."type"`, sql`n."data"`)}))`,
    sql`EXISTS (SELECT FROM flow_versions v, jsonb_array_elements(v."nodes") e
      WHERE v."flowId" = ${flows.id} AND (${holds(sql`e->>'type'`, sql`(e->'data')`)})
      AND (v."id" = ${flows.versionId} OR v."id" IN (SELECT r."versionId" FROM flow_runs r WHERE r."flowId" = ${flows.id} AND r."endedAt" IS NULL)))`,
  )
  // A flow that leads to itself goes with its block.
  return named(db, 'flow', noun, flows, noun === 'flow' ? and(where, ne(flows.id, used.id)) : where, companyId)
}

/** The field of a campaign that names it. */
export const campaignFields = {
  contactList: 'contactListId',
  tag: 'tagListId',
  fileList: 'fileListId',
  queue: 'replyQueueId',
} as const satisfies Partial<Record<UsedNoun, keyof typeof campaigns.$inferSelect>>

function campaignsNaming(noun: UsedNoun, id: number): SQL | null {
  if (noun === 'user' || noun === 'prompt' || noun === 'integration' || noun === 'flow' || noun === 'webhook')
    return null
  if (noun === 'segment') return sql`${id} = ANY(${campaigns.segmentIds})`
  if (noun === 'connection') return eq(campaigns.whatsappId, id)
  return eq(campaigns[campaignFields[noun]], id)
}

/** Of campaigns that are over nothing becomes anything. */
async function campaignsWith(db: Db | Tx, companyId: number, noun: UsedNoun, id: number): Promise<Use[]> {
  const naming = campaignsNaming(noun, id)
  if (!naming) return []
  const rows = await db
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.companyId, companyId), naming, ne(campaigns.status, 'FINALIZADA')))
    .orderBy(asc(campaigns.name), asc(campaigns.id))
    .limit(MOST)
  return rows.map(({ id: campaignId, name, status, plannedAt }) => ({
    ...{ kind: 'campaign', id: campaignId, name },
    becomes: campaignWithout(noun, { status, isPlanned: plannedAt !== null }),
  }))
}

const ruleOf = {
  queue: (id: number) => ({ kind: 'queue', queueId: id }),
  tag: (id: number) => ({ kind: 'tag', tagId: id }),
  contactList: (id: number) => ({ kind: 'list', contactListId: id }),
}

const segmentsWith = (db: Db | Tx, companyId: number, noun: keyof typeof ruleOf, id: number) =>
  named(
    db,
    'segment',
    noun,
    segments,
    sql`${segments.rules} @> ${JSON.stringify([ruleOf[noun](id)])}::jsonb`,
    companyId,
  )

const actionOf = {
  queue: (id: number) => ({ type: 'queue', queueId: id }),
  tag: (id: number) => ({ type: 'tag', add: [id] }),
  user: (id: number) => ({ type: 'assign', to: id }),
  flow: (id: number) => ({ type: 'flow', flowId: id }),
  webhook: (id: number) => ({ type: 'webhook', webhookId: id }),
}

/** Own ones of others are nobody's to read, and go unnamed here, too. */
const macrosWith = (db: Db | Tx, companyId: number, noun: keyof typeof actionOf, id: number) =>
  named(
    db,
    'macro',
    noun,
    macros,
    and(ne(macros.sharing, 'own'), sql`${macros.actions} @> ${JSON.stringify([actionOf[noun](id)])}::jsonb`),
    companyId,
  )

const askedFor = {
  queue: ['queue'],
  tag: ['tag', 'tagAdded'],
  user: ['user'],
  connection: ['connection'],
  flow: [],
  webhook: [],
} as const satisfies Partial<Record<UsedNoun, readonly RuleCondition['kind'][]>>

/** What they do with it, and what they ask about it. */
function rulesWith(db: Db | Tx, companyId: number, noun: keyof typeof askedFor, id: number) {
  const holds = (column: AnyPgColumn, wanted: object) => sql`${column} @> ${JSON.stringify([wanted])}::jsonb`
  const does =
    noun === 'connection'
      ? []
      : [actionOf[noun](id), ...(noun === 'tag' ? [{ type: 'tag', remove: [id] }] : [])].map((action) =>
          holds(rules.actions, action),
        )
  const asks = askedFor[noun].map((kind) => holds(rules.conditions, { kind, ids: [id] }))
  return named(db, 'rule', noun, rules, or(...does, ...asks), companyId)
}

const connectionsWith = (db: Db | Tx, companyId: number, noun: 'queue' | 'prompt' | 'integration', id: number) =>
  named(
    db,
    'connection',
    noun,
    whatsapps,
    noun === 'prompt'
      ? eq(whatsapps.promptId, id)
      : noun === 'integration'
        ? eq(whatsapps.integrationId, id)
        : or(
            eq(whatsapps.transferQueueId, id),
            sql`EXISTS (SELECT FROM ${whatsappQueues} WHERE ${whatsappQueues.whatsappId} = ${whatsapps.id} AND ${whatsappQueues.queueId} = ${id})`,
          ),
    companyId,
  )

/** What begins a flow: a phrase, a default, an integration, and where that integration answers. */
async function beginningFlow(db: Db | Tx, companyId: number, flowId: number): Promise<Use[]> {
  const bots = db
    .select({ id: integrations.id })
    .from(integrations)
    .where(and(eq(integrations.companyId, companyId), eq(integrations.flowId, flowId)))
  const [defaults, ...found] = await Promise.all([
    db.select().from(flowDefaults).where(eq(flowDefaults.companyId, companyId)),
    named(db, 'phrase', 'flow', flowCampaigns, eq(flowCampaigns.flowId, flowId), companyId),
    named(db, 'integration', 'flow', integrations, eq(integrations.flowId, flowId), companyId),
    named(db, 'connection', 'flow', whatsapps, inArray(whatsapps.integrationId, bots), companyId),
    named(db, 'queue', 'flow', queues, inArray(queues.integrationId, bots), companyId),
  ])
  const byItself = (kind: 'firstFlow' | 'defaultFlow', id: number | null | undefined): Use[] =>
    id === flowId ? [{ kind, id: companyId, name: '', becomes: becomes('flow', kind) }] : []
  return [
    ...byItself('firstFlow', defaults[0]?.flowIdWelcome),
    ...byItself('defaultFlow', defaults[0]?.flowIdNotPhrase),
    ...found.flat(),
  ]
}

async function ofConnection(db: Db | Tx, companyId: number, id: number): Promise<Use[]> {
  const offered = db
    .select({ id: whatsappQueues.queueId })
    .from(whatsappQueues)
    .where(and(eq(whatsappQueues.companyId, companyId), eq(whatsappQueues.whatsappId, id)))
  const found = await Promise.all([
    named(db, 'phrase', 'connection', flowCampaigns, eq(flowCampaigns.whatsappId, id), companyId),
    schedulesWith(db, companyId, 'connection', eq(schedules.whatsappId, id)),
    named(db, 'user', 'connection', users, eq(users.whatsappId, id), companyId),
    named(db, 'queue', 'connection', queues, inArray(queues.id, offered), companyId),
    named(db, 'template', 'connection', templates, eq(templates.whatsappId, id), companyId),
  ])
  return found.flat()
}

/** What is still to be sent, by its contact. */
async function schedulesWith(db: Db | Tx, companyId: number, noun: UsedNoun, where: SQL): Promise<Use[]> {
  const rows = await db
    .select({ id: schedules.id, name: contacts.name })
    .from(schedules)
    .innerJoin(contacts, eq(contacts.id, schedules.contactId))
    .where(and(eq(schedules.companyId, companyId), where, inArray(schedules.status, waitingStatuses)))
    .orderBy(asc(schedules.sendAt))
    .limit(MOST)
  return rows.map((row) => ({ kind: 'schedule', ...row, becomes: becomes(noun, 'schedule') }))
}

async function ofUser(db: Db | Tx, companyId: number, userId: number): Promise<Use[]> {
  const [scheduled, quick] = await Promise.all([
    schedulesWith(db, companyId, 'user', eq(schedules.userId, userId)),
    db
      .select({ id: quickMessages.id, name: quickMessages.shortcode })
      .from(quickMessages)
      .where(
        and(
          eq(quickMessages.companyId, companyId),
          eq(quickMessages.userId, userId),
          eq(quickMessages.isGeneral, false),
        ),
      )
      .orderBy(asc(quickMessages.shortcode))
      .limit(MOST),
  ])
  return [
    ...scheduled,
    ...quick.map((row): Use => ({ kind: 'quickMessage', ...row, becomes: becomes('user', 'quickMessage') })),
  ]
}

async function webhooksWith(db: Db | Tx, companyId: number, queueId: number): Promise<Use[]> {
  const rows = await db
    .select({ id: webhooks.id, name: webhooks.url })
    .from(webhooks)
    .where(and(eq(webhooks.companyId, companyId), sql`${queueId} = ANY(${webhooks.queueIds})`))
    .orderBy(asc(webhooks.id))
    .limit(MOST)
  return rows.map((row) => ({ kind: 'webhook', ...row, becomes: becomes('queue', 'webhook') }))
}

/** What was changed because something goes. */
export interface LetGo {
  campaignIds: number[]
  webhookIds: number[]
}

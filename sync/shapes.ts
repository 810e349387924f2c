import { getTableColumns, getTableName } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { chatMessages, chats, chatUsers } from '../schema/chats/chats.table.ts'
import { companies } from '../schema/companies/companies.table.ts'
import { contacts } from '../schema/contacts/contacts.table.ts'
import { macros } from '../schema/macros/macros.table.ts'
import { mentions } from '../schema/mentions/mentions.table.ts'
import { customFields } from '../schema/custom-fields/custom-fields.table.ts'
import { messages } from '../schema/messages/messages.table.ts'
import { drafts } from '../schema/drafts/drafts.table.ts'
import { savedFilters } from '../schema/filters/filters.table.ts'
import { flowNodes, flows } from '../schema/flows/flows.table.ts'
import { quickMessages } from '../schema/quick-messages/quick-messages.table.ts'
import { schedules } from '../schema/schedules/schedules.table.ts'
import { ticketNotes } from '../schema/notes/notes.table.ts'
import { can, type Principal, ticketSight } from '../schema/permissions.ts'
import type { PlanFeature } from '../schema/plans/plans.features.ts'
import { queues } from '../schema/queues/queues.table.ts'
import { publicSettingKeys } from '../schema/settings/settings.keys.ts'
import { settings } from '../schema/settings/settings.table.ts'
import { tags } from '../schema/tags/tags.table.ts'
import { templates } from '../schema/templates/templates.table.ts'
import { sightText } from '../schema/tickets/tickets.sight.ts'
import { ticketEvents, tickets } from '../schema/tickets/tickets.table.ts'
import { userQueues, users } from '../schema/users/users.table.ts'
import { whatsappQueues, whatsapps } from '../schema/whatsapps/whatsapps.table.ts'

/**
 * The closed catalogue of what is synced: which rows and columns of which table reach whom. The server builds every
 * request to the shape service from this file; a browser only names a shape. The browser makes its tables from it.
 */

/** The oldest moment that a browser keeps; the same for a week, so that shapes live that long. */
export interface Bounds {
  since: Date
}

export interface ShapeFilter {
  /** A boolean expression over the table's own columns, with $1, $2 … */
  where: string
  params: string[]
}

export interface ShapeDefinition {
  table: PgTable
  /** Column names; the primary key is always among them. */
  columns: readonly string[]
  primaryKey: readonly string[]
  /** What the company's plan must include, or nobody gets a row; the server asks. */
  feature?: PlanFeature
  /** Its rows hold telephone numbers of contacts, which some roles hide. */
  hasNumbers?: true
  filter(who: Principal, bounds: Bounds): ShapeFilter
}

const company = (who: Principal): ShapeFilter => ({ where: '"companyId" = $1', params: [String(who.companyId)] })

/** Rows of the company whose ticket the person may see, over the given columns. */
function ticketScope(who: Principal, queueId: string, userId: string): ShapeFilter {
  const { where, params } = company(who)
  const visible = sightText(ticketSight(who), { queueId, userId }, (value) => `$${params.push(String(value))}`)
  return { where: visible === null ? where : `${where} AND (${visible})`, params }
}

/** `filter` and one more condition, whose `?` becomes the next parameter. */
const also = (filter: ShapeFilter, condition: string, value: string): ShapeFilter => ({
  where: `${filter.where} AND ${condition.replace('?', `$${filter.params.length + 1}`)}`,
  params: [...filter.params, value],
})

/**
 * The same rows, for those whose role hides numbers: a shape of its own, so that who gets the role, or loses it, is told
 * to fetch the rows again.
 */
export const hiddenNumbersOf = ({ where, params }: ShapeFilter): ShapeFilter => ({ where: `${where} AND TRUE`, params })

/** None of those rows; still found by its company, as every filter is. */
export const nothingOf = ({ where, params }: ShapeFilter): ShapeFilter => ({ where: `${where} AND FALSE`, params })

/** Rows that one person keeps for themselves. */
const own = (who: Principal): ShapeFilter => ({
  where: '"companyId" = $1 AND "userId" = $2',
  params: [String(who.companyId), String(who.userId)],
})

/** Own views, and those that are shared with the person: all of these for who shares them. */
function views(who: Principal): ShapeFilter {
  if (can(who, 'views:share'))
    return { where: `"companyId" = $1 AND ("userId" = $2 OR "sharing" <> 'own')`, params: own(who).params }
  const { params } = own(who)
  const queues = who.queueIds.map(
    (id) => ` OR ("sharing" = 'queues' AND $${params.push(String(id))} = ANY("queueIds"))`,
  )
  return { where: `"companyId" = $1 AND ("userId" = $2 OR "sharing" = 'company'${queues.join('')})`, params }
}

/** Own macros, and those that are shared with the person. */
function macrosOf(who: Principal): ShapeFilter {
  const { params } = own(who)
  const queues = who.queueIds.map(
    (id) => ` OR ("sharing" = 'queues' AND $${params.push(String(id))} = ANY("queueIds"))`,
  )
  return { where: `"companyId" = $1 AND ("userId" = $2 OR "sharing" = 'company'${queues.join('')})`, params }
}

/** Rows of the company's chats that the person is in. */
const memberOf = (who: Principal): ShapeFilter => ({
  where: '"companyId" = $1 AND $2 = ANY("memberIds")',
  params: [String(who.companyId), String(who.userId)],
})

/** What answers in an agent's place is for those who write it. */
const automations = (who: Principal): ShapeFilter =>
  can(who, 'automations:write') ? company(who) : nothingOf(company(who))

const columnsOf = <T extends PgTable, const E extends string & keyof T['$inferSelect'] = never>(
  table: T,
  except: readonly E[] = [],
) =>
  Object.values(getTableColumns(table))
    .map((column: PgColumn) => column.name)
    .filter((name) => !(except as readonly string[]).includes(name)) as Exclude<string & keyof T['$inferSelect'], E>[]

export const shapes = {
  companies: {
    table: companies,
    columns: ['id', 'name', 'dueDate', 'timeZone', 'language', 'schedules', 'holidays', 'status'],
    primaryKey: ['id'],
    filter: (who) => ({ where: '"id" = $1', params: [String(who.companyId)] }),
  },
  settings: {
    table: settings,
    columns: columnsOf(settings),
    primaryKey: ['companyId', 'key'],
    filter: (who) => ({
      where: `"companyId" = $1 AND "key" IN (${publicSettingKeys.map((_, i) => `$${i + 2}`).join(', ')})`,
      params: [String(who.companyId), ...publicSettingKeys],
    }),
  },
  queues: {
    table: queues,
    columns: ['id', 'companyId', 'name', 'color', 'orderQueue', 'schedules', 'assignment', 'whenAway'],
    primaryKey: ['id'],
    filter: company,
  },
  users: {
    table: users,
    columns: ['id', 'companyId', 'name', 'profile', 'online', 'whatsappId', 'awayAt', 'awayUntil'],
    primaryKey: ['id'],
    filter: company,
  },
  userQueues: { table: userQueues, columns: columnsOf(userQueues), primaryKey: ['userId', 'queueId'], filter: company },
  whatsapps: {
    table: whatsapps,
    columns: ['id', 'companyId', 'name', 'number', 'status', 'provider', 'isDefault', 'lastError', 'updatedAt'],
    primaryKey: ['id'],
    filter: company,
  },
  whatsappQueues: {
    table: whatsappQueues,
    columns: columnsOf(whatsappQueues),
    primaryKey: ['whatsappId', 'queueId'],
    filter: company,
  },
  tags: { table: tags, columns: columnsOf(tags, ['userId']), primaryKey: ['id'], filter: company },
  customFields: { table: customFields, columns: columnsOf(customFields), primaryKey: ['id'], filter: company },
  contacts: {
    table: contacts,
    columns: columnsOf(contacts, ['nameSource', 'numberAt']),
    primaryKey: ['id'],
    hasNumbers: true,
    filter: (who, { since }) => also(company(who), '"activeOn" >= ?', since.toISOString().slice(0, 10)),
  },
  tickets: {
    table: tickets,
    columns: columnsOf(tickets),
    primaryKey: ['id'],
    filter: (who, { since }) =>
      also(ticketScope(who, 'queueId', 'userId'), `("status" <> 'closed' OR "updatedAt" >= ?)`, since.toISOString()),
  },
  messages: {
    table: messages,
    columns: columnsOf(messages),
    primaryKey: ['id'],
    hasNumbers: true,
    filter: (who, { since }) =>
      also(ticketScope(who, 'queueScope', 'userScope'), '"createdAt" >= ?', since.toISOString()),
  },
  ticketNotes: {
    table: ticketNotes,
    columns: columnsOf(ticketNotes),
    primaryKey: ['id'],
    filter: (who, { since }) =>
      also(ticketScope(who, 'queueScope', 'userScope'), '"createdAt" >= ?', since.toISOString()),
  },
  /** Those who are called, of tickets that they see. */
  mentions: {
    table: mentions,
    columns: columnsOf(mentions),
    primaryKey: ['id'],
    filter: (who, { since }) => {
      const seen = ticketScope(who, 'queueScope', 'userScope')
      return also(also(seen, '"userId" = ?', String(who.userId)), '"createdAt" >= ?', since.toISOString())
    },
  },
  ticketEvents: {
    table: ticketEvents,
    columns: columnsOf(ticketEvents),
    primaryKey: ['id'],
    filter: (who, { since }) =>
      also(ticketScope(who, 'queueScope', 'userScope'), '"createdAt" >= ?', since.toISOString()),
  },
  /** Whoever writes to contacts chooses among them. */
  templates: { table: templates, columns: columnsOf(templates), primaryKey: ['id'], filter: company },
  /** Own replies and the company's general ones. */
  quickMessages: {
    table: quickMessages,
    columns: columnsOf(quickMessages),
    primaryKey: ['id'],
    filter: (who) => ({
      where: '"companyId" = $1 AND ("isGeneral" IS TRUE OR "userId" = $2)',
      params: [String(who.companyId), String(who.userId)],
    }),
  },
  /** Own ones; all of the company's for those who see all tickets. */
  schedules: {
    table: schedules,
    columns: columnsOf(schedules),
    primaryKey: ['id'],
    feature: 'useSchedules',
    filter: (who, { since }) =>
      also(can(who, 'tickets-manager:showall') ? company(who) : own(who), '"sendAt" >= ?', since.toISOString()),
  },
  drafts: { table: drafts, columns: columnsOf(drafts), primaryKey: ['id'], filter: own },
  macros: { table: macros, columns: columnsOf(macros), primaryKey: ['id'], filter: macrosOf },
  savedFilters: { table: savedFilters, columns: columnsOf(savedFilters), primaryKey: ['id'], filter: views },
  chats: {
    table: chats,
    columns: columnsOf(chats),
    primaryKey: ['id'],
    feature: 'useInternalChat',
    filter: memberOf,
  },
  /** Own ones only: a message changes the count of every other member, and would go to each of them for each of them. */
  chatUsers: {
    table: chatUsers,
    columns: columnsOf(chatUsers),
    primaryKey: ['id'],
    feature: 'useInternalChat',
    filter: own,
  },
  chatMessages: {
    table: chatMessages,
    columns: columnsOf(chatMessages, ['memberIds']),
    primaryKey: ['id'],
    feature: 'useInternalChat',
    filter: (who, { since }) => also(memberOf(who), '"createdAt" >= ?', since.toISOString()),
  },
  flows: { table: flows, columns: columnsOf(flows), primaryKey: ['id'], filter: automations },
  flowNodes: { table: flowNodes, columns: columnsOf(flowNodes), primaryKey: ['id'], filter: automations },
} as const satisfies Record<string, ShapeDefinition>

export type ShapeName = keyof typeof shapes
type Stored<S extends ShapeName> = (typeof shapes)[S]['table']['$inferSelect']
/** A row as a browser holds it: what is synced of the table. */
export type SyncedRow<S extends ShapeName> = Pick<
  Stored<S>,
  Extract<(typeof shapes)[S]['columns'][number], keyof Stored<S>>
>
export const shapeNames = Object.keys(shapes) as ShapeName[]

/**
 * Changes whenever a browser's tables would: the replica's name carries it, and the server refuses a browser whose
 * tables are older than its own.
 */
export const shapesVersion = hash(
  JSON.stringify(
    shapeNames.map((name) => {
      const shape = shapes[name] as ShapeDefinition
      return [name, getTableName(shape.table), shape.primaryKey, typesOf(shape)]
    }),
  ),
)

/** The columns of a shape as a browser has them, each with its type. */
export function typesOf({ table, columns }: ShapeDefinition): [name: string, type: string][] {
  const all = Object.values(getTableColumns(table)) as PgColumn[]
  return all.filter((c) => columns.includes(c.name)).map((c) => [c.name, c.getSQLType()])
}

/** FNV-1a, 8 hex digits: a name, not a secret. */
function hash(text: string): string {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return (h >>> 0).toString(16).padStart(8, '0')
}

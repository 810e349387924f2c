import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import {
  answersNothing,
  type AutomationRules,
  type OptionRules,
  type QueueRules,
} from '../../schema/automation/automation.rules.ts'
import { blank, type Memory } from '../../schema/automation/automation.state.ts'
import { type AutomationState, automationStates } from '../../schema/automation/automation.table.ts'
import type { FlowSource } from '../../schema/automation/automation.turn.ts'
import { isSubscribed } from '../../schema/companies/companies.subscription.ts'
import { leavingWords } from '../../schema/flows/flows.leaving.ts'
import type { FlowGraph } from '../../schema/flows/flows.graph.ts'
import { type FlowRun, versionsOf as versionsIn } from '../../schema/flows/flows.run.ts'
import { flowCampaigns, flowDefaults, flowRuns, type FlowRunRow, flows } from '../../schema/flows/flows.table.ts'
import { integrations } from '../../schema/integrations/integrations.table.ts'
import { storedFile } from '../../schema/messages/messages.own.ts'
import type { Principal } from '../../schema/permissions.ts'
import { prompts } from '../../schema/prompts/prompts.table.ts'
import { queueOptions } from '../../schema/queues/queue-options.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { tags } from '../../schema/tags/tags.table.ts'
import { contacts, type Contact } from '../../schema/contacts/contacts.table.ts'
import { type Ticket, tickets, ticketTrackings } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { whatsappQueues, whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { type Cached, cached } from '../cached.ts'
import { fieldsOf } from '../commands/fields.ts'
import type { CompanyConfig, CompanyFacts } from '../settings/settings.facts.ts'
import { templatePlace, templatesNamed } from '../templates/templates.queries.ts'
import { type Graphs, type Version, versionsOf } from './automation.graphs.ts'

/** What the admins of a company have set, for each of its connections. */
export interface CompanyRules {
  companyId: number
  company: CompanyConfig
  /** Undefined for a connection that is not the company's. */
  of(whatsappId: number, now: Date): AutomationRules | undefined
  /** Whether nothing could answer on this connection: then nobody is asked. */
  isSilent(whatsappId: number, now: Date): boolean
  /** The flows that can begin. */
  flows: FlowSource
  versions: ReadonlyMap<number, Version>
}

export type RulesFacts = Cached<CompanyRules>

export const rulesFacts = (db: Db, facts: CompanyFacts, graphs: Graphs, ttlMs?: number): RulesFacts =>
  cached(async (companyId) => load(db, companyId, await facts.of(companyId), graphs), ttlMs)

/** The same as it is at this moment, read where the transaction reads: nothing of it is remembered. */
export const rulesNow = (tx: Tx, { companyId, company }: CompanyRules, graphs: Graphs): Promise<CompanyRules> =>
  load(tx, companyId, company, graphs)

/** The version of a drawing that nobody has published; no row has this id. */
const UNPUBLISHED = 0

/**
 * The same as if this drawing were the version of the flow that contacts meet; nothing is remembered.
 * @returns undefined for a flow that the company does not have
 */
export async function rulesWithDrawing(
  db: Db,
  company: CompanyConfig,
  companyId: number,
  graphs: Graphs,
  drawing: { id: number; graph: FlowGraph },
): Promise<CompanyRules | undefined> {
  const [flow] = await db
    .select({ id: flows.id })
    .from(flows)
    .where(and(eq(flows.companyId, companyId), eq(flows.id, drawing.id)))
  return flow && load(db, companyId, company, graphs, drawing)
}

/** The hook of routes that change what answers by itself: it answers by it from now on. */
export const forgetsRules =
  ({ rules }: { rules: RulesFacts }) =>
  ({ who, request }: { who: Principal; request: Request }): void => {
    if (request.method !== 'GET') rules.forget(who.companyId)
  }

async function load(
  db: Db | Tx,
  companyId: number,
  company: CompanyConfig,
  graphs: Graphs,
  drawing?: { id: number; graph: FlowGraph },
): Promise<CompanyRules> {
  const [
    connections,
    offered,
    queueRows,
    optionRows,
    phraseRows,
    [defaults],
    flowRows,
    promptRows,
    integrationRows,
    tagRows,
    fieldRows,
  ] = await Promise.all([
    db
      .select({
        id: whatsapps.id,
        name: whatsapps.name,
        greetingMessage: whatsapps.greetingMessage,
        outOfHoursMessage: whatsapps.outOfHoursMessage,
        schedules: whatsapps.schedules,
        promptId: whatsapps.promptId,
        integrationId: whatsapps.integrationId,
        maxUseBotQueues: whatsapps.maxUseBotQueues,
        timeUseBotQueues: whatsapps.timeUseBotQueues,
      })
      .from(whatsapps)
      .where(eq(whatsapps.companyId, companyId)),
    db
      .select({ whatsappId: whatsappQueues.whatsappId, queueId: whatsappQueues.queueId })
      .from(whatsappQueues)
      .innerJoin(queues, eq(queues.id, whatsappQueues.queueId))
      .where(eq(whatsappQueues.companyId, companyId))
      .orderBy(sql`${queues.orderQueue} ASC NULLS LAST`, asc(queues.id)),
    db.select().from(queues).where(eq(queues.companyId, companyId)),
    db
      .select()
      .from(queueOptions)
      .where(eq(queueOptions.companyId, companyId))
      .orderBy(asc(queueOptions.option), asc(queueOptions.id)),
    db
      .select()
      .from(flowCampaigns)
      .where(and(eq(flowCampaigns.companyId, companyId), eq(flowCampaigns.status, true))),
    db.select().from(flowDefaults).where(eq(flowDefaults.companyId, companyId)),
    db
      .select({ id: flows.id, versionId: flows.versionId, active: flows.active })
      .from(flows)
      .where(and(eq(flows.companyId, companyId), isNotNull(flows.versionId))),
    db.select({ id: prompts.id, queueId: prompts.queueId }).from(prompts).where(eq(prompts.companyId, companyId)),
    integrationsOf(db, companyId),
    db.select({ id: tags.id, name: tags.name }).from(tags).where(eq(tags.companyId, companyId)),
    fieldsOf(db, companyId),
  ])
  const optionsOf = Map.groupBy(optionRows, (row) => row.queueId)
  const versionOf = new Map(flowRows.filter(({ active }) => active).map(({ id, versionId }) => [id, versionId!]))
  const startable: { has(id: number): boolean } = versionOf
  const versions: Map<number, Version> = await graphs.of(db, companyId, [...versionOf.values()])
  if (drawing) {
    versionOf.set(drawing.id, UNPUBLISHED)
    const [drawn] = await versionsOf(db, companyId, [drawing.graph])
    versions.set(UNPUBLISHED, drawn!)
  }
  const startableId = (id: number | null | undefined) => (id != null && startable.has(id) ? id : null)
  const { settings } = company
  const leaving = { stop: leavingWords(settings.flowStopWords), menu: leavingWords(settings.flowMenuWords) }
  const shared = {
    ...(fieldRows.length > 0 && { fields: fieldRows }),
    queues: new Map(queueRows.map((row) => [row.id, queueRules(row, optionsOf.get(row.id) ?? [])])),
    phrases: phraseRows.filter(({ flowId }) => startable.has(flowId)),
    welcomeFlowId: startableId(defaults?.flowIdWelcome),
    defaultFlowId: startableId(defaults?.flowIdNotPhrase),
    promptIds: new Set(company.planLacks.includes('useOpenAi') ? [] : promptRows.map(({ id }) => id)),
    promptQueues: new Map(promptRows.flatMap(({ id, queueId }) => (queueId === null ? [] : [[id, queueId] as const]))),
    integrations: new Map(
      company.planLacks.includes('useIntegrations')
        ? []
        : integrationRows.map(({ id, type, flowId }) => [id, { type, flowId: startableId(flowId) }]),
    ),
  }
  const queueIdsOf = Map.groupBy(offered, (row) => row.whatsappId)
  const byId = new Map(connections.map((row) => [row.id, row]))
  const of = (whatsappId: number, now: Date): AutomationRules | undefined => {
    const connection = byId.get(whatsappId)
    if (!connection) return undefined
    return {
      ...shared,
      company: {
        name: company.name,
        language: company.language,
        timeZone: company.timeZone,
        schedules: company.schedules,
        holidays: company.holidays,
        scheduleType: settings.scheduleType,
        leaving,
        greetsAlone: settings.sendGreetingMessageOneQueues === 'enabled',
        isSubscribed: isSubscribed(company.subscription, now),
      },
      connection: { ...connection, queueIds: (queueIdsOf.get(whatsappId) ?? []).map(({ queueId }) => queueId) },
    }
  }
  return {
    companyId,
    company,
    of,
    isSilent: (whatsappId, now) => {
      // Who is in a flow that was switched off goes on in it.
      const rules = flowRows.length === 0 ? of(whatsappId, now) : undefined
      return rules !== undefined && answersNothing(rules)
    },
    flows: flowSource(versions, { versionOf, tags: tagRows, people: new Map() }),
    versions,
  }
}

const integrationsOf = (db: Db | Tx, companyId: number) =>
  db
    .select({ id: integrations.id, type: integrations.type, flowId: integrations.flowId })
    .from(integrations)
    .where(eq(integrations.companyId, companyId))

/** What phones and browsers record is sent as what it is: a voice note. Music comes as something else. */
const fileOf = (row: Parameters<typeof storedFile>[0]) =>
  storedFile(row, { voice: /^audio\/(ogg|webm)\b/.test(row.mediaMime ?? '') })

const queueRules = (row: typeof queues.$inferSelect, options: (typeof queueOptions.$inferSelect)[]): QueueRules => ({
  id: row.id,
  name: row.name,
  greetingMessage: row.greetingMessage,
  file: fileOf(row),
  outOfHoursMessage: row.outOfHoursMessage,
  schedules: row.schedules,
  promptId: row.promptId,
  integrationId: row.integrationId,
  options: options.map((option): OptionRules => {
    const { id, parentId, option: number, title, message } = option
    return { id, parentId, option: number, title, message, file: fileOf(option) }
  }),
})

/** Versions of flows, as the engine needs them. */
function flowSource(
  versions: ReadonlyMap<number, Version>,
  known: Pick<FlowSource, 'versionOf' | 'tags' | 'people'>,
): FlowSource {
  return {
    ...known,
    graphs: {
      versions: Object.fromEntries([...versions].map(([id, { graph }]) => [String(id), graph])),
      live: Object.fromEntries([...known.versionOf].map(([flowId, id]) => [flowId, String(id)])),
    },
    fileOf(name) {
      for (const { files } of versions.values()) {
        const file = files.get(name)
        if (file) return file
      }
      return null
    },
  }
}

/**
 * The flows that can begin, those in which the runs of these services stand, and the people whom any of them names, as
 * they are now.
 *
 * @param hold until the transaction ends, so that no ticket is given to who is gone
 * @param alsoNamed people whom an answer names, of any company
 */
export async function flowsFor(
  tx: Tx | Db,
  own: CompanyRules,
  graphs: Graphs,
  services: ReadonlyMap<number, ServiceFacts>,
  { hold, alsoNamed = [] }: { hold: boolean; alsoNamed?: readonly number[] },
): Promise<FlowSource> {
  const stoodIn = [...services.values()].flatMap(({ run }) => (run ? versionsIn(run.run as FlowRun).map(Number) : []))
  const missing = stoodIn.filter((id) => !own.versions.has(id))
  const { companyId } = own
  const versions =
    missing.length === 0 ? own.versions : new Map([...own.versions, ...(await graphs.of(tx, companyId, missing))])
  const named = [...new Set([...versions.values()].flatMap(({ agents }) => agents).concat(alsoNamed))]
  const people = named.length === 0 ? own.flows.people : await peopleOf(tx, companyId, named, hold)
  const templateOf = await templatesFor(tx, companyId, versions)
  if (versions === own.versions && people === own.flows.people && !templateOf) return own.flows
  const { versionOf, tags } = own.flows
  const source =
    versions === own.versions ? { ...own.flows, people } : flowSource(versions, { versionOf, tags, people })
  return templateOf ? { ...source, templateOf } : source
}

/** Message templates that these versions name, as they are now on each connection; undefined where they name none. */
async function templatesFor(
  db: Tx | Db,
  companyId: number,
  versions: ReadonlyMap<number, Version>,
): Promise<FlowSource['templateOf']> {
  const named = [...versions.values()].flatMap(({ templates }) => templates)
  if (named.length === 0) return undefined
  const rows = await templatesNamed(db, companyId, named)
  const known = new Map(rows.map((row) => [templatePlace(row), row]))
  return (whatsappId, name, language) => known.get(templatePlace({ whatsappId, name, language }))
}

/** The names of those of them whom the company has. */
async function peopleOf(tx: Tx | Db, companyId: number, ids: readonly number[], hold: boolean) {
  const found = tx
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(and(eq(users.companyId, companyId), inArray(users.id, [...ids])))
    .orderBy(asc(users.id))
    .$dynamic()
  const rows = await (hold ? found.for('key share') : found)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** What is remembered of a ticket's service, and the flow that its contact is in. */
export interface ServiceFacts {
  ticket: Ticket
  contact: Contact
  serviceId: number | null
  wasServed: boolean
  memory: Memory
  run: FlowRunRow | null
}

/** Of each of these tickets, which must be locked. */
export async function serviceFacts(tx: Tx | Db, ticketIds: readonly number[]): Promise<Map<number, ServiceFacts>> {
  const rows = await tx
    .select({
      ticket: tickets,
      contact: contacts,
      service: { id: ticketTrackings.id, startedAt: ticketTrackings.startedAt },
      state: automationStates,
      run: flowRuns,
    })
    .from(tickets)
    .innerJoin(contacts, eq(contacts.id, tickets.contactId))
    .leftJoin(ticketTrackings, and(eq(ticketTrackings.ticketId, tickets.id), isNull(ticketTrackings.finishedAt)))
    .leftJoin(automationStates, eq(automationStates.ticketId, tickets.id))
    .leftJoin(flowRuns, and(eq(flowRuns.ticketId, tickets.id), isNull(flowRuns.endedAt)))
    .where(inArray(tickets.id, [...ticketIds]))
  return new Map(
    rows.map(({ ticket, contact, service, state, run }) => {
      const serviceId = service?.id ?? null
      // What is remembered of an earlier service counts no more.
      const isOfNow = state !== null && state.serviceId === serviceId
      return [
        ticket.id,
        {
          ticket,
          contact,
          serviceId,
          wasServed: isServed(service?.startedAt ?? null, isOfNow ? state : null),
          memory: isOfNow ? memoryOf(state) : blank,
          run,
        },
      ]
    }),
  )
}

/** Whether a person has the service in hand, or had it since the contact asked for the menu. */
function isServed(startedAt: Date | null, state: AutomationState | null): boolean {
  if (state?.answeredByPhone) return true
  return startedAt !== null && !(state?.menuAskedAt && state.menuAskedAt > startedAt)
}

function memoryOf(state: AutomationState): Memory {
  const { ticketId: _ticket, companyId: _company, serviceId: _service, ...memory } = state
  return memory
}

import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { announcements } from '../../schema/announcements/announcements.table.ts'
import { apiKeys } from '../../schema/api-keys/api-keys.table.ts'
import { type AuditEntity, lineOf, namedBy, type NamedThing } from '../../schema/audit/audit.nouns.ts'
import type { AuditEntry } from '../../schema/audit/audit.table.ts'
import { campaigns } from '../../schema/campaigns/campaigns.table.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { contactLists } from '../../schema/contact-lists/contact-lists.table.ts'
import { fileLists } from '../../schema/files/files.table.ts'
import { flowCampaigns, flows, flowSecrets, flowVersions } from '../../schema/flows/flows.table.ts'
import { helps } from '../../schema/helps/helps.table.ts'
import { integrations } from '../../schema/integrations/integrations.table.ts'
import { invoices } from '../../schema/invoices/invoices.table.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { prompts } from '../../schema/prompts/prompts.table.ts'
import { queueOptions } from '../../schema/queues/queue-options.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { roles } from '../../schema/roles/roles.table.ts'
import { segments } from '../../schema/segments/segments.table.ts'
import { tags } from '../../schema/tags/tags.table.ts'
import { passkeys } from '../../schema/users/passkeys.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { webhooks } from '../../schema/webhooks/webhooks.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db } from '../db/database.ts'

/** Where a thing is called what. */
interface Source {
  table: PgTable
  id: PgColumn
  name: PgColumn | SQL<string>
  /** Whose it is; a plan is offered to everybody, what else has none is the operator's. */
  owner: PgColumn | 'everybody' | 'operator'
}

const owned = (table: PgTable & { id: PgColumn; companyId: PgColumn }, name: PgColumn | SQL<string>): Source => ({
  table,
  id: table.id,
  name,
  owner: table.companyId,
})

const sources: Partial<Record<NamedThing, Source>> = {
  user: owned(users, users.name),
  role: owned(roles, roles.name),
  queue: owned(queues, queues.name),
  queueOption: owned(queueOptions, queueOptions.title),
  connection: owned(whatsapps, whatsapps.name),
  tag: owned(tags, tags.name),
  prompt: owned(prompts, prompts.name),
  integration: owned(integrations, integrations.name),
  flow: owned(flows, flows.name),
  flowVersion: owned(flowVersions, sql<string>`${flowVersions.number}::text`),
  phrase: owned(flowCampaigns, flowCampaigns.name),
  flowSecret: owned(flowSecrets, flowSecrets.name),
  apiKey: owned(apiKeys, apiKeys.name),
  webhook: owned(webhooks, webhooks.url),
  campaign: owned(campaigns, campaigns.name),
  segment: owned(segments, segments.name),
  contactList: owned(contactLists, contactLists.name),
  fileList: owned(fileLists, fileLists.name),
  passkey: owned(passkeys, passkeys.name),
  invoice: owned(invoices, invoices.detail),
  company: { table: companies, id: companies.id, name: companies.name, owner: companies.id },
  plan: { table: plans, id: plans.id, name: plans.name, owner: 'everybody' },
  announcement: { table: announcements, id: announcements.id, name: announcements.title, owner: 'operator' },
  help: { table: helps, id: helps.id, name: helps.title, owner: 'operator' },
}

/** What things are called now, by `queue:3`. What is gone, or is another company's, is not there. */
export type AuditNames = Record<string, string>

const idOf = (value: unknown): number | undefined => {
  const id =
    typeof value === 'number' ? value : typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : 0
  return Number.isSafeInteger(id) && id > 0 && id < 2 ** 31 ? id : undefined
}

/** The things that an entry names by their ids. */
function namedIn({ entity, entityId, before, after }: AuditEntry): [NamedThing, number][] {
  const found: [NamedThing, unknown][] = [
    [entity as AuditEntity, entityId],
    ['connection', lineOf(entityId)],
  ]
  for (const side of [before, after])
    for (const [field, value] of Object.entries(side ?? {})) {
      const thing = namedBy[field]
      if (thing) for (const one of Array.isArray(value) ? value : [value]) found.push([thing, one])
    }
  return found.flatMap(([thing, value]) => {
    const id = idOf(value)
    return id === undefined ? [] : [[thing, id]]
  })
}

/**
 * The entries of a page with the names of what they are about. Nothing is looked up outside the company whose log it
 * is; the operator's own tells also of companies, as it always did by their ids.
 */
export async function withNames<E extends AuditEntry>(
  db: Db,
  companyId: number,
  entries: E[],
): Promise<(E & { names: AuditNames })[]> {
  const wanted = new Map<NamedThing, Set<number>>()
  const of = entries.map(namedIn)
  for (const [thing, id] of of.flat()) wanted.set(thing, (wanted.get(thing) ?? new Set()).add(id))
  const operator = companyId === OPERATOR_COMPANY_ID
  const known = new Map<string, string>()
  await Promise.all(
    [...wanted].map(async ([thing, ids]) => {
      const source = sources[thing]
      if (!source || (source.owner === 'operator' && !operator)) return
      const { table, id, name, owner } = source
      const everyone = typeof owner === 'string' || (thing === 'company' && operator)
      const rows = await db
        .select({ id, name })
        .from(table)
        .where(and(inArray(id, [...ids]), everyone ? undefined : eq(owner, companyId)))
      for (const row of rows) known.set(`${thing}:${String(row.id)}`, String(row.name))
    }),
  )
  return entries.map((entry, index) => ({
    ...entry,
    names: Object.fromEntries(
      of[index]!.flatMap(([thing, id]) => {
        const name = known.get(`${thing}:${id}`)
        return name === undefined ? [] : [[`${thing}:${id}`, name]]
      }),
    ),
  }))
}

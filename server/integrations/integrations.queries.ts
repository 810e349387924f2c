import { DAY_MS } from '../../schema/durations.ts'
import { and, asc, eq, ilike, or, type SQL, sql } from 'drizzle-orm'
import { type BillingSystemName, billingSystems } from '../../schema/integrations/integrations.inputs.ts'
import { type Integration, integrations, type IntegrationType } from '../../schema/integrations/integrations.table.ts'
import { MASK } from '../../schema/secrets.ts'
import type { BillingSettings } from '../bots/bots.billing.ts'
import type { DialogflowSettings } from '../bots/bots.dialogflow.ts'
import type { TypebotSettings } from '../bots/bots.typebot.ts'
import type { WebhookSettings } from '../bots/bots.webhook.ts'
import type { Db, Tx } from '../db/database.ts'
import { openText, type Sealer, sealText } from '../seal.ts'
import { readSecrets } from '../settings/settings.queries.ts'
import { anywhere } from '../tickets/tickets.queries.ts'

export const INTEGRATIONS_PER_PAGE = 20
/** What a picker is given, which asks for no page. */
const MOST_INTEGRATIONS = 500

/** An integration as it is shown: of its secrets only whether they are set. */
export type IntegrationRow = ReturnType<typeof shown>

function shown(row: Integration) {
  const { options: _options, ...rest } = row
  return {
    ...rest,
    jsonContent: row.jsonContent && MASK,
    secret: row.secret && MASK,
    billingSystem: billingSystemOf(row),
  }
}

const billingSystemOf = ({ options }: Pick<Integration, 'options'>): BillingSystemName | null =>
  billingSystems.find((system) => system === options.billingSystem) ?? null

/** @param pageNumber undefined: all of them */
export async function listIntegrations(
  db: Db,
  companyId: number,
  { search, pageNumber }: { search?: string | undefined; pageNumber?: number | undefined } = {},
) {
  const where = and(
    eq(integrations.companyId, companyId),
    search
      ? or(
          sql`plain(${integrations.name}) LIKE plain(${anywhere(search)})`,
          ilike(integrations.type, anywhere(search)) as SQL,
        )
      : undefined,
  )
  const limit = pageNumber === undefined ? MOST_INTEGRATIONS : INTEGRATIONS_PER_PAGE
  const [rows, count] = await Promise.all([
    db
      .select()
      .from(integrations)
      .where(where)
      .orderBy(asc(sql`lower(${integrations.name})`), asc(integrations.id))
      .limit(limit + 1)
      .offset(((pageNumber ?? 1) - 1) * limit),
    db.$count(integrations, where),
  ])
  return { queueIntegrations: rows.slice(0, limit).map(shown), count, hasMore: rows.length > limit }
}

async function load(db: Db | Tx, companyId: number, id: number): Promise<Integration | undefined> {
  const [row] = await db
    .select()
    .from(integrations)
    .where(and(eq(integrations.companyId, companyId), eq(integrations.id, id)))
  return row
}

export async function findIntegration(db: Db, companyId: number, id: number): Promise<IntegrationRow | undefined> {
  const row = await load(db, companyId, id)
  return row && shown(row)
}

// ── secrets ──────────────────────────────────────────────────────────────────────────────────

const placeOf = (id: number, key: 'jsonContent' | 'secret') => `queue_integrations:${id}:${key}`

/** How long the secret before is good as well, so that whoever checks it has time to change it, too. */
const BOTH_MS = DAY_MS

/** What `secret` holds, sealed. */
interface KeptSecret {
  secret: string
  /** The one before, until then. */
  before?: string
  until?: number
}

const openSecret = (sealer: Sealer, row: Integration): KeptSecret | undefined =>
  row.secret ? (JSON.parse(openText(sealer, row.secret, placeOf(row.id, 'secret'))) as KeptSecret) : undefined

/** The secrets that were written anew, as the row keeps them; a mask leaves the one before. */
export async function sealedSecrets(
  db: Db | Tx,
  sealer: Sealer,
  { companyId, id }: { companyId: number; id: number },
  given: { jsonContent?: string | undefined; secret?: string | undefined },
  now: Date,
): Promise<{ jsonContent?: string; secret?: string }> {
  const sealed: { jsonContent?: string; secret?: string } = {}
  const { jsonContent, secret } = given
  if (jsonContent !== undefined && jsonContent !== MASK)
    sealed.jsonContent = sealText(sealer, jsonContent.trim(), placeOf(id, 'jsonContent'))
  if (secret !== undefined && secret !== MASK) {
    const row = await load(db, companyId, id)
    const before = row && openSecret(sealer, row)
    const kept: KeptSecret = {
      secret,
      ...(before && before.secret !== secret && { before: before.secret, until: now.getTime() + BOTH_MS }),
    }
    sealed.secret = secret === '' ? '' : sealText(sealer, JSON.stringify(kept), placeOf(id, 'secret'))
  }
  return sealed
}

/** What an integration is asked with, its secrets in clear: for the adapters, and for nothing else. */
export type OpenIntegration =
  | { type: 'typebot'; name: string; settings: TypebotSettings }
  | { type: 'n8n' | 'webhook'; name: string; settings: WebhookSettings }
  | { type: 'dialogflow'; name: string; settings: DialogflowSettings }
  | { type: 'billing'; name: string; settings: BillingSettings }
  | { type: 'flowbuilder'; name: string; flowId: number | null }

/** @param asaasBase for tests */
export async function openIntegration(
  db: Db | Tx,
  sealer: Sealer,
  companyId: number,
  id: number,
  now: Date,
  asaasBase = '',
): Promise<OpenIntegration | undefined> {
  const row = await load(db, companyId, id)
  if (!row) return undefined
  const { name, urlN8N } = row
  const kinds: Record<IntegrationType, () => OpenIntegration | Promise<OpenIntegration>> = {
    typebot: () => ({ type: 'typebot', name, settings: row }),
    n8n: () => webhook('n8n'),
    webhook: () => webhook('webhook'),
    dialogflow: () => ({
      type: 'dialogflow',
      name,
      settings: {
        projectName: row.projectName,
        jsonContent: openText(sealer, row.jsonContent, placeOf(id, 'jsonContent')),
        language: row.language,
      },
    }),
    billing: async () => ({
      type: 'billing',
      name,
      settings: await billingOf(db, sealer, companyId, billingSystemOf(row) ?? 'asaas', asaasBase),
    }),
    flowbuilder: () => ({ type: 'flowbuilder', name, flowId: row.flowId }),
  }
  const webhook = (type: 'n8n' | 'webhook'): OpenIntegration => {
    const kept = openSecret(sealer, row)
    const before = kept?.before && (kept.until ?? 0) > now.getTime() ? [kept.before] : []
    return { type, name, settings: { urlN8N, secrets: kept ? [kept.secret, ...before] : [] } }
  }
  return kinds[row.type]()
}

/** The company's own keys of its billing system. */
async function billingOf(
  db: Db | Tx,
  sealer: Sealer,
  companyId: number,
  system: BillingSystemName,
  asaasBase: string,
): Promise<BillingSettings> {
  if (system === 'asaas') {
    const { asaas } = await readSecrets(db, sealer, companyId, ['asaas'])
    // The keys of its sandbox say so themselves.
    const sandbox = asaas.startsWith('$aact_hmlg_') ? 'https://api-sandbox.asaas.com/v3' : ''
    return { system, apiKey: asaas, baseUrl: asaasBase || sandbox }
  }
  if (system === 'ixc') {
    const { ipixc, tokenixc } = await readSecrets(db, sealer, companyId, ['ipixc', 'tokenixc'])
    return { system, address: ipixc, token: tokenixc }
  }
  const keys = await readSecrets(db, sealer, companyId, ['ipmkauth', 'clientidmkauth', 'clientsecretmkauth'])
  return { system, address: keys.ipmkauth, clientId: keys.clientidmkauth, clientSecret: keys.clientsecretmkauth }
}

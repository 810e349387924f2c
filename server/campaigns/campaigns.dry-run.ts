import { and, eq } from 'drizzle-orm'
import { forecast, type NeverReason } from '../../schema/campaigns/campaigns.forecast.ts'
import {
  confirmationsOf,
  draw,
  isSpokenName,
  hasLongText,
  messagesOf,
  missingIn,
} from '../../schema/campaigns/campaigns.message.ts'
import { bulkLines, type Campaign } from '../../schema/campaigns/campaigns.table.ts'
import { isLacking } from '../../schema/campaigns/campaigns.template.ts'
import type { SkipReason } from '../../schema/campaigns/campaigns.state.ts'
import { dayIn } from '../../schema/companies/companies.subscription.ts'
import { marketOf } from '../../schema/costs/costs.market.ts'
import { MOST_ITEMS } from '../../schema/contact-lists/contact-lists.inputs.ts'
import type { CampaignWarning } from '../../schema/campaigns/campaigns.warnings.ts'
import { hasWindow } from '../../schema/whatsapps/whatsapps.providers.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { campaignCostOf } from '../costs/costs.campaign.queries.ts'
import type { Db } from '../db/database.ts'
import type { CompanyConfig } from '../settings/settings.facts.ts'
import { templateFor } from './campaigns.template.queries.ts'
import { nextPeople } from './campaigns.audience.ts'
import { allowanceOf, usedToday } from './campaigns.bulk.queries.ts'
import { campaignSettingsOf } from './campaigns.settings.queries.ts'

const neverCodes = {
  hours: 'never_open',
  daily_cap: 'never_daily_cap',
  new_chats: 'never_new_chats',
  too_long: 'never_ends',
} as const satisfies Record<NeverReason, CampaignWarning['code']>

/** Names that are told as missing. */
const MOST_MISSING = 20

/** What would become of a campaign that began at `start`: counted by the functions that send it, and nothing is written. */
export async function dryRun(db: Db, campaign: Campaign, company: CompanyConfig, start: Date) {
  const settings = await campaignSettingsOf(db, campaign.companyId)
  const seen = new Set<string>()
  const skipped: Partial<Record<SkipReason | 'duplicate', number>> = {}
  const variants = new Map<number, number>()
  const markets = new Map<string, number>()
  const missing = new Set<string>()
  const missingOf = new Map<string, ReturnType<typeof missingIn>>()
  const template = await templateFor(db, campaign)
  let willReceive = 0
  let newChats = 0
  let unchecked = 0
  let nameless = 0
  for (let cursor: { source: number; after: number } | null = { source: 0, after: 0 }; cursor !== null; ) {
    const { people, next } = await nextPeople(db, campaign, cursor, start)
    for (const person of people) {
      if (seen.has(person.key)) {
        skipped.duplicate = (skipped.duplicate ?? 0) + 1
        continue
      }
      if (seen.size >= MOST_ITEMS) {
        skipped.too_many = (skipped.too_many ?? 0) + 1
        continue
      }
      seen.add(person.key)
      if (person.skip) {
        skipped[person.skip] = (skipped[person.skip] ?? 0) + 1
        continue
      }
      if (template && isLacking(template, campaign.templateValues, person, settings.variables)) {
        skipped.no_values = (skipped.no_values ?? 0) + 1
        continue
      }
      willReceive++
      const market = marketOf(person.number || null, null)
      markets.set(market, (markets.get(market) ?? 0) + 1)
      if (person.isNewChat) newChats++
      if (!person.checkedAt) unchecked++
      const { messageIndex, text, confirmation } = draw(campaign, person.key)
      variants.set(messageIndex, (variants.get(messageIndex) ?? 0) + 1)
      const lacking = [text, ...(campaign.confirmation && confirmation !== null ? [confirmation] : [])].flatMap(
        (one) => {
          if (!missingOf.has(one)) missingOf.set(one, missingIn(one, settings.variables))
          return missingOf.get(one)!(person)
        },
      )
      if (lacking.some(isSpokenName)) nameless++
      for (const name of lacking) if (missing.size < MOST_MISSING && !isSpokenName(name)) missing.add(name)
    }
    cursor = next
  }
  const today = dayIn(company.timeZone, start)
  const [[line], used, [connection]] = await Promise.all([
    db
      .select()
      .from(bulkLines)
      .where(eq(bulkLines.whatsappId, campaign.whatsappId ?? 0)),
    usedToday(db, campaign.whatsappId ?? 0, { today, timeZone: company.timeZone }),
    db
      .select({ status: whatsapps.status, provider: whatsapps.provider })
      .from(whatsapps)
      .where(and(eq(whatsapps.companyId, campaign.companyId), eq(whatsapps.id, campaign.whatsappId ?? 0))),
  ])
  const cost = hasWindow(connection?.provider)
    ? await campaignCostOf(db, campaign.companyId, markets, {
        // Without a template nothing is sent; it is the dearest kind until one is chosen.
        category: template?.category.toLowerCase() ?? 'marketing',
        day: today,
      })
    : null
  const asks = campaign.confirmation && confirmationsOf(campaign).some((text) => text !== null)
  const facts = {
    people: willReceive,
    newChats,
    pace: settings,
    seed: campaign.seed,
    sends: campaign.sends,
    start,
    timeZone: company.timeZone,
    guard: campaign.bulkGuard ? { hours: settings.hours, ...allowanceOf(line, settings, used) } : null,
  }
  // Who answers, and when, nobody knows: at least the questions leave, and at most a message to each who was asked.
  const plan = forecast(facts)
  const ifAllAnswer = asks ? forecast({ ...facts, allAnswer: true }) : null
  const texts = messagesOf(campaign)
  const hasContent = texts.some((text) => text !== null) || campaign.mediaPath !== null || campaign.fileListId !== null
  const warnings: CampaignWarning[] = [
    ...(connection ? [] : [{ code: 'no_connection' as const }]),
    ...(connection && connection.status !== 'CONNECTED' ? [{ code: 'connection_closed' as const }] : []),
    ...(hasContent ? [] : [{ code: 'no_message' as const }]),
    ...(willReceive === 0 ? [{ code: 'nobody' as const }] : []),
    ...(unchecked > 0 ? [{ code: 'unchecked' as const, n: unchecked }] : []),
    ...(hasLongText(campaign, settings.variables) ? [{ code: 'too_long' as const }] : []),
    ...(nameless > 0 ? [{ code: 'nameless' as const, n: nameless }] : []),
    ...(missing.size > 0 ? [{ code: 'missing' as const, names: [...missing] }] : []),
    ...(willReceive > 0 && plan.never ? [{ code: neverCodes[plan.never] }] : []),
    ...(campaign.bulkGuard ? [] : [{ code: 'no_guard' as const }]),
  ]
  return {
    willReceive,
    skipped,
    /** How many leave at most; `days` and the end are of the questions where the campaign asks first. */
    sends: { questions: asks ? willReceive : 0, messages: willReceive },
    ...plan,
    ifAllAnswer: ifAllAnswer && { days: ifAllAnswer.days, endsAt: ifAllAnswer.endsAt, never: ifAllAnswer.never },
    variants: [...variants].sort(([a], [b]) => a - b).map(([index, n]) => ({ index, n, text: texts[index] ?? '' })),
    /** Null where the wire costs nothing. */
    cost,
    warnings,
  }
}

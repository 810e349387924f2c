import { Elysia, t } from 'elysia'
import { draw, fill } from '../../schema/campaigns/campaigns.message.ts'
import { isLacking } from '../../schema/campaigns/campaigns.template.ts'
import { countFor, FEWEST_COUNTED } from '../../schema/contacts/contacts.masking.ts'
import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import { DomainError } from '../../schema/errors.ts'
import { optOutKey } from '../../schema/opt-outs/opt-outs.transition.ts'
import type { Principal } from '../../schema/permissions.ts'
import { findContact } from '../contacts/contacts.queries.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'
import { addressOn } from '../contacts/contacts.address.queries.ts'
import { addressOf } from '../opt-outs/opt-outs.queries.ts'
import { optedOut } from './campaigns.bulk.queries.ts'
import { dryRun } from './campaigns.dry-run.ts'
import { campaignSettingsOf } from './campaigns.settings.queries.ts'
import { templateFor } from './campaigns.template.queries.ts'
import { campaignCalls } from './campaigns.calls.routes.ts'

const tags = ['campaigns']

/**
 * What would become of a campaign, as `who` may learn it: a list of guesses would say which of them are somebody's.
 * @throws DomainError `ERR_FEW_PEOPLE`
 */
function planFor<P extends { willReceive: number; skipped: Partial<Record<string, number>> }>(
  who: Principal,
  plan: P,
): P {
  const skipped = Object.entries(plan.skipped) as [string, number][]
  const all = skipped.reduce((sum, [, n]) => sum + n, plan.willReceive)
  if (countFor(who, all) === null) throw new DomainError('ERR_FEW_PEOPLE', { least: FEWEST_COUNTED })
  return { ...plan, skipped: Object.fromEntries(skipped.filter(([, n]) => countFor(who, n) !== null)) }
}

/** By their number, or over an official connection by their id. */
async function isReached(
  db: AppDeps['db'],
  contact: { id: number; number: string | null; isGroup: boolean },
  whatsappId: number | null,
) {
  if (contact.number) return true
  const place = whatsappId === null ? null : await addressOn(db, { ...contact, lid: null }, whatsappId)
  return place?.kind === 'person' && place.bsuid != null
}

/** What would become of a campaign: who would get it, and what. */
export function campaignPlan(deps: AppDeps) {
  const { db, now, facts } = deps
  const { allowed, need } = campaignCalls(deps)

  return new Elysia({ prefix: '/campaigns' })
    .use(authed(deps))
    .post(
      '/:id/dry-run',
      async ({ who, params }) => {
        await allowed(who)
        const campaign = await need(who, params.id)
        const at = now()
        const start = campaign.scheduledAt && campaign.scheduledAt > at ? campaign.scheduledAt : at
        return planFor(who, await dryRun(db, campaign, await facts.of(who.companyId), start))
      },
      {
        params: idParams,
        detail: { tags, summary: 'Who would get it, when, and who not and why; nothing is written' },
      },
    )
    .get(
      '/:id/preview',
      async ({ who, params, query }) => {
        await allowed(who)
        const campaign = await need(who, params.id)
        const contact =
          query.contactId === undefined ? undefined : await findContact(db, who.companyId, { id: query.contactId })
        if (query.contactId !== undefined && !contact) throw new DomainError('ERR_NO_CONTACT_FOUND')
        const person = contact
          ? { name: contact.name, number: contact.number ?? '', email: contact.email }
          : { name: 'Ana Souza', number: '5511912345678', email: 'ana@example.com' }
        const { variables } = await campaignSettingsOf(db, who.companyId)
        // By all that the sender knows of them, not by the number alone.
        const address = contact && (await addressOf(db, who.companyId, contact.id))
        const key = address ? optOutKey(address) : numberKey(person.number)
        const { messageIndex, text, confirmation } = draw(campaign, key)
        const { body, missing } = fill(text, person, variables)
        const asked = campaign.confirmation && confirmation !== null ? fill(confirmation, person, variables) : null
        const template = await templateFor(db, campaign)
        const out = address && (await optedOut(db, who.companyId, [address]))(address)
        return {
          number: person.number || null,
          messageIndex,
          body,
          confirmation: asked?.body ?? null,
          media: campaign.mediaPath
            ? { path: campaign.mediaPath, name: campaign.mediaName, mimetype: campaign.mediaMime }
            : null,
          skipReason: out
            ? 'opted_out'
            : contact && !(await isReached(db, contact, campaign.whatsappId))
              ? 'no_number'
              : template && isLacking(template, campaign.templateValues, person, variables)
                ? 'no_values'
                : null,
          missing: [...new Set([...(asked?.missing ?? []), ...missing])],
        }
      },
      {
        params: idParams,
        query: t.Object({ contactId: t.Optional(idParams.properties.id) }),
        detail: { tags, summary: 'What a contact would get, word for word; without one, an example' },
      },
    )
}

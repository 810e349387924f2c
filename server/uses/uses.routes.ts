import { Elysia, t } from 'elysia'
import { hidesNumbers } from '../../schema/contacts/contacts.masking.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import { seenWith, usesView, usedNouns } from '../../schema/uses/uses.ts'
import { demandFeature } from '../commands/plan-features.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'
import { deletedWith, demandUsed, usesOf } from './uses.queries.ts'

/** Where something is used, for who is about to delete it. */
export function whereUsedRoutes(deps: AppDeps) {
  const { db } = deps
  return new Elysia().use(authed(deps)).get(
    '/uses/:noun/:id',
    async ({ who, params: { noun, id } }) => {
      const permission = deletedWith(noun)
      if (permission) demand(who, permission)
      if (noun === 'segment') await demandFeature(db, who.companyId, 'useCampaigns')
      if (noun === 'webhook') await demandFeature(db, who.companyId, 'useExternalApi')
      const used = await demandUsed(db, who, noun, id)
      const [all, may] = await Promise.all([usesOf(db, who.companyId, noun, used), mayOf(who)])
      return usesView(all, may)
    },
    {
      params: t.Object({ noun: t.Union(usedNouns.map((noun) => t.Literal(noun))), ...idParams.properties }),
      detail: {
        tags: ['queues'],
        summary: 'Where something is used, and what becomes of those places when it is deleted',
        description:
          'For who may delete it. `others` counts the places that they may not see, and those beyond twenty of a kind. With ' +
          '`isRefused` a campaign is at work with it, and the deletion would be refused.',
      },
    },
  )

  /** A plan without campaigns has screens of none. */
  async function mayOf(who: Principal) {
    const has = (feature: Parameters<typeof demandFeature>[2]) =>
      demandFeature(db, who.companyId, feature).then(
        () => true,
        () => false,
      )
    const hasCampaigns = await has('useCampaigns')
    return (permission: Parameters<typeof can>[1]) =>
      can(who, permission) &&
      (permission !== 'campaigns:write' || hasCampaigns) &&
      // What is scheduled is called by its contact, and that name may hold the number.
      (permission !== seenWith.schedule || !hidesNumbers(who))
  }
}

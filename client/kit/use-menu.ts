import { useEffect } from 'react'
import { runsPlatform } from '../../schema/companies/companies.subscription.ts'
import { can } from '../../schema/permissions.ts'
import { local } from '../base/local.ts'
import { menu, sideScreens } from './menu.ts'
import type { MenuItem } from './menu.ts'
import { usePlan } from '../session/plan.ts'
import { screenNeeds } from './screen-needs.ts'
import { usePrincipal } from '../session/session.tsx'

/** The menu items that the user's rights and the company's plan leave. */
export function useMenu(): readonly MenuItem[] {
  const principal = usePrincipal()
  const includes = usePlan()
  const isPlatform = runsPlatform(principal)
  const shown = menu
    .filter(
      ({ path, plan, operator, customer }) =>
        (!screenNeeds[path] || can(principal, screenNeeds[path])) &&
        (!plan || includes(plan)) &&
        (!operator || principal.super) &&
        (!customer || !isPlatform),
    )
    .map((item) => (isPlatform && item.operatorGroup ? { ...item, group: item.operatorGroup } : item))
  // Older clients on the same address show campaigns only where this stands.
  const campaigns = shown.some(({ path }) => path === '/campaigns')
  useEffect(() => (campaigns ? local.set('cshow', 'true') : local.remove('cshow')), [campaigns])
  return shown
}

/** The screens beside the menu that the user's rights and the company's plan leave. */
export function useSideScreens(): typeof sideScreens {
  const principal = usePrincipal()
  const includes = usePlan()
  return sideScreens.filter(({ needs, plan }) => can(principal, needs) && (!plan || includes(plan)))
}

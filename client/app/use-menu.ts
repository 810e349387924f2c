import { can } from '../../schema/permissions.ts'
import { menu } from './menu.ts'
import type { MenuItem } from './menu.ts'
import { usePlan } from './plan.ts'
import { usePrincipal } from './session.tsx'

/** The menu items that the user's rights and the company's plan leave. */
export function useMenu(): readonly MenuItem[] {
  const principal = usePrincipal()
  const includes = usePlan()
  return menu.filter(
    ({ needs, plan, operator }) =>
      (!needs || can(principal, needs)) && (!plan || includes(plan)) && (!operator || principal.super),
  )
}

import { Outlet, useMatches } from '@tanstack/react-router'
import { can, type Permission } from '../../schema/permissions.ts'
import { usePrincipal } from './session.tsx'
import { useTurnedAway } from './turned-away.ts'

/** The screen of the address, to those who hold what its route needs; others are told so and led to the first screen. */
export function PermittedOutlet() {
  const who = usePrincipal()
  const needs = useMatches({ select: (matches) => matches.at(-1)?.staticData.needs })
  const isAllowed = needs === undefined || can(who, needs)
  useTurnedAway(isAllowed)
  return isAllowed ? <Outlet /> : null
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Without it one does not enter the screen. */
    needs?: Permission | undefined
  }
}

import type { ReactNode } from 'react'
import { usePrincipal } from './session.tsx'
import { useTurnedAway } from './turned-away.ts'

/** Shows a screen to the operator only; others are told so and led to the first screen. */
export function OperatorGate({ children }: { children: ReactNode }) {
  const isOperator = usePrincipal().super
  useTurnedAway(isOperator)
  return isOperator ? children : null
}

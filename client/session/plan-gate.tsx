import type { ReactNode } from 'react'
import type { PlanFeature } from '../../schema/plans/plans.features.ts'
import { usePlanFeature } from './plan.ts'
import { useTurnedAway } from './turned-away.ts'

/** Shows a screen only where the company's plan includes it; elsewhere it says so and goes to the first screen. */
export function PlanGate({ feature, children }: { feature: PlanFeature; children: ReactNode }) {
  const included = usePlanFeature(feature)
  useTurnedAway(included)
  return included ? children : null
}

import { useEffect } from 'react'
import type { PlanFeature } from '../../schema/plans/plans.features.ts'
import { api } from './api.ts'
import { local } from '../base/local.ts'
import { session } from './session-store.ts'
import { useUser } from './session.tsx'
import { createStore, useStore } from '../base/store.ts'

type Features = Readonly<Partial<Record<PlanFeature, boolean>>>

/** Kept for the next visit without a network; goes with the session. */
const key = 'balcao.plan'
const plan = createStore<{ companyId: number; features: Features } | null>(read())
let askedFor: number | null = null

function read(): { companyId: number; features: Features } | null {
  try {
    return JSON.parse(local.get(key) ?? 'null') as ReturnType<typeof plan.get>
  } catch {
    return null
  }
}

session.onEnd(() => {
  askedFor = null
  plan.set(null)
})

/**
 * What the company's plan includes, as a question; asked of the server once for each visit. Hides only: the server
 * refuses by itself. While the plan is unknown, everything is shown; a company without a plan has everything.
 */
export function usePlan(): (feature: PlanFeature) => boolean {
  const { companyId } = useUser()
  const known = useStore(plan)
  useEffect(() => {
    if (askedFor === companyId) return
    askedFor = companyId
    const ask = async () => {
      try {
        const company = await api.get<{ plan: Features | null }>(`/companies/listPlan/${companyId}`)
        if (askedFor !== companyId) return
        const next = { companyId, features: company.plan ?? {} }
        local.set(key, JSON.stringify(next))
        plan.set(next)
      } catch {
        // Without a network the plan of the last visit holds; the next screen asks again.
        askedFor = null
      }
    }
    void ask()
  }, [companyId])
  return (feature) => (known?.companyId === companyId ? known.features[feature] !== false : true)
}

export const usePlanFeature = (feature: PlanFeature): boolean => usePlan()(feature)

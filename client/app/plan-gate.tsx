import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import type { PlanFeature } from '../../schema/plans/plans.features.ts'
import { toast } from '../ui/toaster.tsx'
import { usePlanFeature } from './plan.ts'

const leaveAfterMs = 1_000

/** Shows a screen only where the company's plan includes it; elsewhere it says so and goes to the first screen. */
export function PlanGate({ feature, children }: { feature: PlanFeature; children: ReactNode }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const included = usePlanFeature(feature)
  useEffect(() => {
    if (included) return
    toast.error(t`Esta empresa não possui permissão para acessar essa página! Estamos lhe redirecionando.`, {
      id: 'plan',
    })
    const timer = setTimeout(() => void navigate({ to: '/', replace: true }), leaveAfterMs)
    return () => clearTimeout(timer)
  }, [included, navigate, t])
  return included ? children : null
}

import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { toast } from '../ui/toaster.tsx'
import { usePrincipal } from './session.tsx'

const leaveAfterMs = 1_000

/** Shows a screen to the operator only; others are told so and led to the first screen. */
export function OperatorGate({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const isOperator = usePrincipal().super
  useEffect(() => {
    if (isOperator) return
    toast.error(t`Esta empresa não possui permissão para acessar essa página! Estamos lhe redirecionando.`, {
      id: 'operator',
      duration: 3_000,
    })
    const timer = setTimeout(() => void navigate({ to: '/', replace: true }), leaveAfterMs)
    return () => clearTimeout(timer)
  }, [isOperator, navigate, t])
  return isOperator ? children : null
}

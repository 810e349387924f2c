import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { toast } from '../ui/toaster.tsx'

const leaveAfterMs = 1_000
const saidForMs = 3_000

/** Where a screen is not for whoever came, says so and leads to the first screen. */
export function useTurnedAway(isAllowed: boolean): void {
  const { t } = useLingui()
  const navigate = useNavigate()
  useEffect(() => {
    if (isAllowed) return
    toast.error(t`Esta empresa não possui permissão para acessar essa página! Estamos lhe redirecionando.`, {
      id: 'turned-away',
      duration: saidForMs,
    })
    const timer = setTimeout(() => void navigate({ to: '/', replace: true }), leaveAfterMs)
    return () => clearTimeout(timer)
  }, [isAllowed, navigate, t])
}

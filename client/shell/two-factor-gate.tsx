import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { onDemand } from '../base/late.tsx'
import { useUser } from '../session/session.tsx'

const TwoFactorShell = onDemand(() => import('./two-factor-shell.tsx'))

/**
 * Around everything that a session shows. Who has to switch two-factor on first gets nothing but that: the server refuses
 * whatever else would be asked for.
 */
export function TwoFactorGate({ children }: { children: ReactNode }) {
  const { twoFactor } = useUser()
  const [opened] = useState(() => Date.now())
  // The session may hear that it is on before the codes for when the phone is gone were kept: they are shown only once.
  const [hasCodes, setHasCodes] = useState(false)
  const requiredFrom = twoFactor?.enabled ? null : (twoFactor?.requiredFrom ?? null)
  const isDue = requiredFrom !== null && new Date(requiredFrom).getTime() <= opened
  if (!isDue && !hasCodes) return children
  return (
    <Suspense fallback={null}>
      <TwoFactorShell onCodes={() => setHasCodes(true)} onDone={() => setHasCodes(false)} />
    </Suspense>
  )
}

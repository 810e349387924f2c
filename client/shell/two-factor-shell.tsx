import { useEffect } from 'react'
import { Brand } from '../kit/brand.tsx'
import { refreshUser } from '../session/session.tsx'
import { TwoFactorSetup } from '../account/two-factor-dialogs.tsx'

/** It may have been switched on in another browser, or the company asks for it no longer. */
const lookMs = 30_000

const look = () => refreshUser().catch(() => undefined)

/** Two-factor to be switched on before anything else: there is no socket to hear by, and nothing to go to. */
export default function TwoFactorShell({ onCodes, onDone }: { onCodes: () => void; onDone: () => void }) {
  useEffect(() => {
    void look()
    const timer = setInterval(() => void look(), lookMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <>
      <header className="flex h-13 items-center border-b bg-card px-3">
        <Brand place="interno" className="min-w-0" />
      </header>
      <TwoFactorSetup orKey onCodes={onCodes} onDone={() => void look().then(onDone)} />
    </>
  )
}

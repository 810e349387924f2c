import { Trans, useLingui } from '@lingui/react/macro'
import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { dateText } from '../i18n/dates.ts'
import { ClosableNotice } from './closable-notice.tsx'
import { refreshUser, useUser } from './session.tsx'
import { TwoFactorSetup } from './two-factor-dialogs.tsx'

/** Above the screen while two-factor is asked of somebody who has not switched it on; after the grace nothing else is to be had. */
export default function TwoFactorNotice() {
  const { i18n } = useLingui()
  const { twoFactor } = useUser()
  const [open, setOpen] = useState(false)
  const [closed, setClosed] = useState(false)
  const [opened] = useState(() => new Date())
  const requiredFrom = twoFactor?.enabled ? null : (twoFactor?.requiredFrom ?? null)
  const isDue = requiredFrom !== null && new Date(requiredFrom) <= opened
  // The session may hear that it is on before the codes for when the phone is gone were kept: they are shown only once.
  const [isStaying, setStaying] = useState(isDue)
  if (isDue && !isStaying) setStaying(true)
  const done = async () => {
    setOpen(false)
    await refreshUser().catch(() => undefined)
    setStaying(false)
  }
  if (isStaying) return <TwoFactorSetup orKey onDone={() => void done()} />
  const day = requiredFrom && dateText(i18n.locale, new Date(requiredFrom), 'fullDate')
  return (
    <>
      {day && !closed && (
        <ClosableNotice icon={ShieldAlert} onClose={() => setClosed(true)}>
          <Trans>Sua empresa pede a verificação em duas etapas a partir de {day}.</Trans>{' '}
          <button type="button" className="focus-ring rounded-sm underline" onClick={() => setOpen(true)}>
            <Trans>Ativar agora</Trans>
          </button>
        </ClosableNotice>
      )}
      {open && <TwoFactorSetup orKey onClose={() => setOpen(false)} onDone={() => void done()} />}
    </>
  )
}

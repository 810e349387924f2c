import { Trans, useLingui } from '@lingui/react/macro'
import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { dateText } from '../i18n/dates.ts'
import { ClosableNotice } from '../kit/closable-notice.tsx'
import { refreshUser, useUser } from '../session/session.tsx'
import { TwoFactorSetup } from '../account/two-factor-dialogs.tsx'

/** Above the screen while two-factor is asked of somebody who has not switched it on and still may wait. */
export default function TwoFactorNotice() {
  const { i18n } = useLingui()
  const { twoFactor } = useUser()
  const [open, setOpen] = useState(false)
  const [closed, setClosed] = useState(false)
  const requiredFrom = twoFactor?.enabled ? null : (twoFactor?.requiredFrom ?? null)
  const done = async () => {
    setOpen(false)
    await refreshUser().catch(() => undefined)
  }
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

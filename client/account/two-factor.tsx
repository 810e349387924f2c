import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorLine } from '../ui/error-state.tsx'
import { LoadingBlock } from '../ui/skeleton.tsx'
import { errorText } from '../session/error-text.ts'
import { useFetched } from '../session/fetched.ts'
import { refreshUser } from '../session/session.tsx'
import { TwoFactorOff, TwoFactorSetup } from './two-factor-dialogs.tsx'

export interface TwoFactorState {
  enabled: boolean
  recoveryLeft: number
  /** Keys of devices, each of which is a second step, too. */
  passkeys: number
  /** ISO instant; null where nobody asks for it. */
  requiredFrom: string | null
}

/** In one's profile: whether a login needs a code of an app, too. */
export function TwoFactor() {
  const { t } = useLingui()
  const { data, error, reload } = useFetched<TwoFactorState>('/auth/2fa')
  const [open, setOpen] = useState<'setup' | 'off'>()
  const done = () => {
    setOpen(undefined)
    reload()
    void refreshUser().catch(() => undefined)
  }
  return (
    <section aria-label={t`Verificação em duas etapas`} className="flex flex-col gap-3 border-t pt-4">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h3 className="flex flex-wrap items-center gap-2 text-sm font-semibold">
            <Trans>Verificação em duas etapas</Trans>
            {data?.enabled && (
              <Badge tone="success">
                <Trans>Ativa</Trans>
              </Badge>
            )}
          </h3>
          <p className="text-xs text-muted-foreground">
            {data?.enabled ? (
              <Plural
                value={data.recoveryLeft}
                one="Resta # código de recuperação."
                other="Restam # códigos de recuperação."
              />
            ) : (
              <Trans>Além da senha, um código de um aplicativo no celular.</Trans>
            )}
          </p>
        </div>
        {!data && !error && <LoadingBlock className="h-8 w-20" />}
        {data && !data.enabled && (
          <Button variant="outline" size="sm" onClick={() => setOpen('setup')}>
            <ShieldCheck />
            <Trans>Ativar</Trans>
          </Button>
        )}
        {data?.enabled && (data.requiredFrom === null || data.passkeys > 0) && (
          <Button variant="outline" size="sm" onClick={() => setOpen('off')}>
            <Trans>Desativar</Trans>
          </Button>
        )}
      </div>
      {error && !data && <ErrorLine onRetry={reload}>{errorText(error)}</ErrorLine>}
      {open === 'setup' && <TwoFactorSetup onClose={() => setOpen(undefined)} onDone={done} />}
      {open === 'off' && <TwoFactorOff onClose={() => setOpen(undefined)} onDone={done} />}
    </section>
  )
}

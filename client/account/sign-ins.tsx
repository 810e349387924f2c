import { Trans, useLingui } from '@lingui/react/macro'
import { Monitor, Smartphone } from 'lucide-react'
import { dateText } from '../i18n/dates.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorLine } from '../ui/error-state.tsx'
import { LoadingBlock } from '../ui/skeleton.tsx'
import { useState } from 'react'
import { api } from '../session/api.ts'
import { errorText } from '../session/error-text.ts'
import { toastError } from '../session/failure.tsx'
import { useFetched } from '../session/fetched.ts'
import type { Device } from '../session/session-store.ts'
import { useDeviceText } from './sign-in-words.ts'

/** As `GET /auth/sessions` tells of them, the latest first. */
interface SignIn {
  id: number
  current: boolean
  device: Device | null
  address: string | null
  createdAt: string
  /** The operator, who acted in one's name. */
  operator: { name: string; reason: string } | null
  endedBy: 'logout' | 'remote' | 'elsewhere' | 'password' | 'copied' | 'expired' | null
}

const isOpen = ({ endedBy }: SignIn) => endedBy === null

/** So many say whether somebody else was here; more make a dialog of a profile. */
const shown = 5

/** Where and when one was signed in: who finds a stranger among them changes the password. */
export function SignIns() {
  const { t } = useLingui()
  const { data, error, reload } = useFetched<{ sessions: SignIn[] }>('/auth/sessions')
  return (
    <section aria-label={t`Acessos à sua conta`} className="flex flex-col gap-3 border-t pt-4">
      <div>
        <h3 className="text-sm font-semibold">
          <Trans>Acessos à sua conta</Trans>
        </h3>
        <p className="text-xs text-muted-foreground">
          <Trans>Não reconhece algum? Troque a sua senha.</Trans>
        </p>
      </div>
      {!data && !error && <LoadingBlock className="h-10" />}
      {error && !data && <ErrorLine onRetry={reload}>{errorText(error)}</ErrorLine>}
      {data && (
        <ul className="flex flex-col gap-3">
          {[...data.sessions.filter(isOpen), ...data.sessions.filter((one) => !isOpen(one))]
            .slice(0, shown)
            .map((signIn) => (
              <Line key={signIn.id} of={signIn} onEnded={reload} />
            ))}
        </ul>
      )}
    </section>
  )
}

function Line({ of, onEnded }: { of: SignIn; onEnded: () => void }) {
  const [busy, setBusy] = useState(false)
  const end = async () => {
    setBusy(true)
    try {
      await api.delete(`/auth/sessions/${of.id}`)
      onEnded()
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  const { t, i18n } = useLingui()
  const deviceText = useDeviceText()
  const Icon = of.device?.system === 'Android' || of.device?.system === 'iOS' ? Smartphone : Monitor
  const ends = {
    logout: t`Encerrado ao sair`,
    remote: t`Encerrado por você, de outro lugar`,
    elsewhere: t`Encerrado por outro acesso`,
    password: t`Encerrado por uma nova senha`,
    copied: t`Encerrado por segurança`,
    expired: t`Expirado`,
  }
  return (
    <li className="flex items-start gap-3">
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 text-sm">
          {of.operator ? <Trans>Suporte: {of.operator.name}</Trans> : deviceText(of.device)}
          {of.current && (
            <Badge tone="success">
              <Trans>Este acesso</Trans>
            </Badge>
          )}
        </p>
        <p className="text-xs break-words text-muted-foreground">
          {[dateText(i18n.locale, Date.parse(of.createdAt), 'moment'), of.address].filter(Boolean).join(' · ')}
        </p>
        {of.operator && <p className="text-xs wrap-anywhere text-muted-foreground">{of.operator.reason}</p>}
        {of.endedBy && <p className="text-xs text-muted-foreground">{ends[of.endedBy]}</p>}
      </div>
      {isOpen(of) && !of.current && (
        <Button
          variant="outline"
          size="sm"
          busy={busy}
          aria-label={t`Encerrar o acesso de ${deviceText(of.device)}`}
          onClick={() => void end()}
        >
          <Trans>Encerrar</Trans>
        </Button>
      )}
    </li>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { Eye, PencilLine } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { session } from '../session/session-store.ts'
import { logout, useUser } from '../session/session.tsx'

/** Above everything while the operator acts for somebody: in whose name, whether that changes anything, how long yet. */
export default function ActingBanner() {
  const { t } = useLingui()
  const { name, company, acting } = useUser()
  const [now, setNow] = useState(() => Date.now())
  const [ending, setEnding] = useState(false)
  const left = Math.max(0, Math.ceil(((acting ? Date.parse(acting.until) : 0) - now) / 1_000))
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (left === 0) void session.end('expired')
  }, [left])
  if (!acting) return null
  const Icon = acting.readOnly ? Eye : PencilLine
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  return (
    <section
      aria-label={t`Acesso do suporte`}
      title={acting.reason}
      className="pointer-events-auto relative z-60 flex shrink-0 items-center gap-x-3 bg-foreground py-1 pr-2 pl-4 text-sm text-background"
    >
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-0 flex-1">
        <span className="font-medium wrap-anywhere">
          <Trans>
            Em nome de {name} · {company.name}
          </Trans>
        </span>{' '}
        <span className="whitespace-nowrap">
          · {acting.readOnly ? t`só para ler` : t`com alterações`}
          {' · '}
          <span role="timer" aria-label={t`Tempo restante`} className="tabular-nums">
            {time}
          </span>
        </span>
      </p>
      <Button
        size="sm"
        variant="secondary"
        busy={ending}
        onClick={() => {
          setEnding(true)
          void logout()
        }}
      >
        <Trans>Encerrar</Trans>
      </Button>
    </section>
  )
}

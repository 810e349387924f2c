import { Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck, RefreshCw, TriangleAlert } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { phoneText } from '../kit/phone-text.ts'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Spinner } from '../ui/spinner.tsx'
import {
  healthParts,
  limits,
  permits,
  qualities,
  throughputs,
  useFailureText,
  useRefusalText,
} from './whatsapps.official-words.ts'
import { type CloudState, official } from './whatsapps.official.queries.ts'

export interface Asked {
  state: CloudState | null
  /** Why it could not be asked. */
  failure: unknown
  isAsking: boolean
  ask: () => void
  /** What an answer to something else told. */
  told: (state: CloudState) => void
}

/** What the service says of a connection's number: asked once when it is shown, and again on demand. */
export function useService(id: number): Asked {
  const [state, setState] = useState<CloudState | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [attempt, setAttempt] = useState(0)
  const [isAsking, setAsking] = useState(true)
  useEffect(() => {
    let isWanted = true
    setAsking(true)
    official
      .checkOf(id)
      .then(
        (found) => {
          if (!isWanted) return
          setState(found)
          setFailure(null)
        },
        (error: unknown) => isWanted && setFailure(error),
      )
      .finally(() => isWanted && setAsking(false))
    return () => {
      isWanted = false
    }
  }, [id, attempt])
  const ask = useCallback(() => setAttempt((before) => before + 1), [])
  const show = useCallback((next: CloudState) => {
    setState(next)
    setFailure(null)
  }, [])
  return { state, failure, isAsking, ask, told: show }
}

/** The number as the service sees it, or why it refuses. */
export function ServiceState({ asked: { state, failure, isAsking, ask } }: { asked: Asked }) {
  const { t } = useLingui()
  const refusal = useRefusalText()
  const failureText = useFailureText()
  const wordIn = (words: typeof qualities, word: string | null) => {
    const known = word === null ? undefined : words[word]
    return known ? t(known) : (word ?? '—')
  }
  const problem = failure === null ? state && refusal(state) : failureText(failure)
  return (
    <div className="flex flex-col gap-3">
      {problem ? (
        <Outcome tone="bad">{problem}</Outcome>
      ) : state ? (
        <>
          <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm sm:grid-cols-3">
            <Fact label={<Trans>Número</Trans>}>{state.number ? phoneText(state.number.replace(/\D/g, '')) : '—'}</Fact>
            <Fact label={<Trans>Nome na Meta</Trans>}>{state.name ?? '—'}</Fact>
            <Fact label={<Trans>Pode enviar</Trans>} tone={state.canSend === 'BLOCKED' ? 'bad' : undefined}>
              {wordIn(permits, state.canSend)}
            </Fact>
            <Fact label={<Trans>Qualidade</Trans>} tone={state.quality === 'RED' ? 'bad' : undefined}>
              {wordIn(qualities, state.quality)}
            </Fact>
            <Fact label={<Trans>Velocidade</Trans>}>{wordIn(throughputs, state.throughput)}</Fact>
            <Fact label={<Trans>Clientes novos por dia</Trans>}>{wordIn(limits, state.limit)}</Fact>
            <Fact label={<Trans>Avisos da Meta</Trans>} tone={state.isSubscribed === false ? 'bad' : undefined}>
              {state.isSubscribed === null ? '—' : state.isSubscribed ? t`Ligados` : t`Desligados`}
            </Fact>
            <Fact label={<Trans>Webhook</Trans>} tone={state.webhook?.isHere === false ? 'bad' : undefined}>
              {state.webhook === null
                ? '—'
                : state.webhook.isHere
                  ? t`Chega a este servidor`
                  : state.webhook.address === null
                    ? t`Sem endereço`
                    : t`Vai para outro endereço`}
            </Fact>
          </dl>
          {state.problems.map(({ of, code, cause, remedy }) => {
            const about = wordIn(healthParts, of)
            return (
              <Outcome key={`${of}/${code}/${cause}`} tone="bad">
                <span className="font-medium">{about}</span>: {cause} {remedy} {code !== null && `(${code})`}
              </Outcome>
            )
          })}
        </>
      ) : (
        <p role="status" className="flex items-center gap-2 text-sm text-muted-foreground">
          <Spinner />
          <Trans>Perguntando à Meta…</Trans>
        </p>
      )}
      {(problem || state) && (
        <Button variant="outline" size="sm" className="self-start" busy={isAsking} onClick={ask}>
          <RefreshCw />
          <Trans>Verificar de novo</Trans>
        </Button>
      )}
    </div>
  )
}

function Fact({ label, tone, children }: { label: ReactNode; tone?: 'bad' | undefined; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted-foreground">{label}</dt>
      <dd className={cn('font-medium wrap-anywhere', tone === 'bad' && 'text-destructive-soft-foreground')}>
        {children}
      </dd>
    </div>
  )
}

/** What came of something that was asked of the service. */
export function Outcome({ tone, children }: { tone: 'good' | 'bad'; children: ReactNode }) {
  const Icon = tone === 'good' ? CircleCheck : TriangleAlert
  return (
    <p
      role={tone === 'good' ? 'status' : 'alert'}
      className={cn(
        'flex items-start gap-2 rounded-md px-3 py-2 text-sm wrap-anywhere',
        tone === 'good'
          ? 'bg-success-soft text-success-soft-foreground'
          : 'bg-destructive-soft text-destructive-soft-foreground',
      )}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0">{children}</span>
    </p>
  )
}

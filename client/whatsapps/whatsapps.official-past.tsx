import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { dateText } from '../i18n/dates.ts'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { useFailureText } from './whatsapps.official-words.ts'
import { Outcome } from './whatsapps.official-state.tsx'
import { official, type OfficialPast, useOfficial } from './whatsapps.official.queries.ts'

/** While more of it is on its way. */
const LOOK_MS = 3_000

const isOnItsWay = ({ state, waiting }: OfficialPast) => state === 'asked' || state === 'coming' || waiting > 0

/** The conversations and the contact book of the phone that shares the number: how far they have come, and asking for them. */
export function PhonePast({ id, past }: { id: number; past: OfficialPast }) {
  const failureText = useFailureText()
  const { reload } = useOfficial(id, isOnItsWay(past) ? LOOK_MS : false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const ask = async () => {
    setBusy(true)
    setRefusal(null)
    await official.askPast(id).catch((error: unknown) => setRefusal(failureText(error)))
    reload()
    setBusy(false)
  }
  const mayAsk = past.state === null || past.state === 'late' || past.state === 'refused'
  return (
    <div className="flex flex-col gap-3 text-sm">
      <State past={past} />
      {mayAsk && (
        <Button variant="outline" size="sm" className="self-start" busy={busy} onClick={() => void ask()}>
          {past.state === null ? <Trans>Trazer do celular</Trans> : <Trans>Pedir de novo</Trans>}
        </Button>
      )}
      {refusal && <Outcome tone="bad">{refusal}</Outcome>}
    </div>
  )
}

function State({ past }: { past: OfficialPast }) {
  const { i18n } = useLingui()
  const { state, count, waiting, askedAt } = past
  const isTold = state === 'told' && waiting === 0
  if (state === 'coming' || waiting > 0) return <Progress past={past} />
  if (isTold)
    return (
      <Outcome tone="good">
        <Trans>Tudo o que o celular compartilhou está aqui.</Trans>{' '}
        <Plural value={count} one="# mensagem trazida." other="# mensagens trazidas." />
      </Outcome>
    )
  if (state === 'asked')
    return (
      <p role="status" className="flex items-start gap-2 text-muted-foreground">
        <Spinner className="mt-0.5" />
        <span>
          <Trans>Pedido à Meta em {askedAt ? dateText(i18n.locale, new Date(askedAt), 'date', 'time') : '—'}.</Trans>{' '}
          <Trans>O que o celular tem começa a chegar em alguns minutos e pode levar horas.</Trans>
        </span>
      </p>
    )
  if (state === 'declined')
    return (
      <p>
        <Trans>No celular foi escolhido não compartilhar as conversas anteriores. As novas chegam normalmente.</Trans>
      </p>
    )
  if (state === 'late')
    return (
      <Outcome tone="bad">
        <Trans>A Meta só atende esse pedido nas primeiras 24 horas depois que o número é ligado.</Trans>
      </Outcome>
    )
  if (state === 'refused')
    return (
      <Outcome tone="bad">
        <Trans>A Meta recusou o pedido das conversas do celular.</Trans>
      </Outcome>
    )
  return (
    <p className="text-muted-foreground">
      <Trans>
        As conversas dos últimos 180 dias e os contatos do celular podem ser trazidos uma vez, nas primeiras 24 horas
        depois que o número é ligado. Ninguém é avisado e nada fica como não lido.
      </Trans>
    </p>
  )
}

function Progress({ past: { progress, count, waiting } }: { past: OfficialPast }) {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span role="status">
          {progress < 100 ? (
            <Trans>A Meta já enviou {progress}% das conversas.</Trans>
          ) : (
            <Trans>A Meta enviou tudo. Guardando o que falta.</Trans>
          )}
        </span>
        <span className="text-muted-foreground tabular-nums">
          <Plural value={count} one="# mensagem trazida" other="# mensagens trazidas" />
        </span>
      </div>
      <div
        role="progressbar"
        aria-label={t`Conversas do celular`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={progress}
        aria-busy={waiting > 0}
        className="h-2 overflow-hidden rounded-full bg-muted"
      >
        <div className="h-full rounded-full bg-primary" style={{ width: `${progress}%` }} />
      </div>
    </div>
  )
}

import { dateText } from '../i18n/dates.ts'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useParams } from '@tanstack/react-router'
import { Download, OctagonX, Pause, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { CampaignMove } from '../../schema/campaigns/campaigns.state.ts'
import { mayMove } from '../../schema/campaigns/campaigns.transition.ts'
import { errorText } from '../session/error-text.ts'
import { toastError } from '../session/failure.tsx'
import { useFetched } from '../session/fetched.ts'
import { PlanGate } from '../session/plan-gate.tsx'
import { useCompanyEvent } from '../session/use-event.ts'
import { CancelDialog } from './campaigns.cancel-dialog.tsx'
import { CampaignsLink } from './campaigns.link.tsx'
import { saveBlob } from '../kit/media.ts'
import { Button } from '../ui/button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Page, PageCard } from '../ui/page.tsx'
import { LoadingBlock } from '../ui/skeleton.tsx'
import { campaigns } from './campaigns.queries.ts'
import type { Campaign, CampaignReport } from './campaigns.queries.ts'
import { Recipients } from './campaigns.recipients.tsx'
import { CampaignStatusBadge, useEndWords, usePauseWords, useReasonWords, useWaitWords } from './campaigns.words.tsx'

/** The last ticks come a moment after the last message. */
const RELOAD_AFTER_MS = 5_000

export default function CampaignReportScreen() {
  return (
    <PlanGate feature="useCampaigns">
      <Report />
    </PlanGate>
  )
}

function Report() {
  const { t, i18n } = useLingui()
  const id = Number(useParams({ strict: false }).id)
  const { data, error, loading, reload } = useFetched<Campaign & { report: CampaignReport }>(`/campaigns/${id}`)
  const reasonWords = useReasonWords()
  const pauseWords = usePauseWords()
  const endWords = useEndWords()
  const waitWords = useWaitWords()
  const [cancelling, setCancelling] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useCompanyEvent('campaign', (event) => {
    const { record } = event as { record?: { id: number; status: string } }
    if (record?.id !== id) return
    reload()
    if (record.status !== 'FINALIZADA') return
    clearTimeout(timer.current)
    timer.current = setTimeout(reload, RELOAD_AFTER_MS)
  })
  const move = async (wish: CampaignMove) => {
    try {
      await campaigns.move(id, wish)
      reload()
    } catch (failure) {
      toastError(failure)
    }
  }
  const save = async () => {
    try {
      saveBlob(await campaigns.export(id, i18n.locale), `${t`campanha`}-${id}.xlsx`)
    } catch (failure) {
      toastError(failure)
    }
  }
  const report = data?.report
  const percent = report && report.valid > 0 ? Math.round((report.delivered / report.valid) * 100) : 0
  const pause = data?.status === 'PAUSADA' ? pauseWords(data.pauseReason) : null

  return (
    <Page
      title={data ? t`Relatório: ${data.name}` : t`Relatório da campanha`}
      actions={
        <>
          <CampaignsLink />
          <Button variant="outline" disabled={!data} onClick={() => void save()}>
            <Download />
            <Trans>Exportar</Trans>
          </Button>
          {data?.status === 'EM_ANDAMENTO' && (
            <Button variant="outline" onClick={() => void move('pause')}>
              <Pause />
              <Trans>Pausar</Trans>
            </Button>
          )}
          {data?.status === 'PAUSADA' && (
            <Button onClick={() => void move('resume')}>
              <Play />
              <Trans>Retomar</Trans>
            </Button>
          )}
          {data && mayMove(data.status, 'cancel') && (
            <Button
              variant="outline"
              onClick={() => (data.status === 'PROGRAMADA' ? setCancelling(true) : void move('cancel'))}
            >
              <OctagonX />
              <Trans>Cancelar campanha</Trans>
            </Button>
          )}
          {data?.status === 'FINALIZADA' && report && report.counts.failed > 0 && (
            <Button variant="outline" onClick={() => void move('retry')}>
              <Trans>Tentar de novo o que falhou</Trans>
            </Button>
          )}
        </>
      }
    >
      {!data && error && !loading && (
        <PageCard>
          <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
        </PageCard>
      )}
      {!data && !error && <LoadingBlock className="h-64 w-full" />}
      {data && report && (
        <div className="flex flex-col gap-4">
          <PageCard className="flex flex-col gap-3 p-4">
            <div className="flex flex-wrap items-center gap-3 text-sm">
              <CampaignStatusBadge status={data.status} />
              <span className="text-muted-foreground tabular-nums">
                <Trans>
                  Entregues: {i18n.number(report.delivered)} de{' '}
                  <Plural value={report.valid} one="# contato válido" other="# contatos válidos" />
                </Trans>
              </span>
            </div>
            <div
              role="progressbar"
              aria-label={t`Progresso da campanha`}
              aria-valuenow={percent}
              aria-valuemin={0}
              aria-valuemax={100}
              className="h-2 overflow-hidden rounded-full bg-secondary"
            >
              <div className="h-full rounded-full bg-primary" style={{ width: `${percent}%` }} />
            </div>
            {report.endReason && <p className="text-sm text-warning-soft-foreground">{endWords(report.endReason)}</p>}
            {pause && <p className="text-sm text-warning-soft-foreground">{pause}</p>}
          </PageCard>
          <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
            <Figure label={<Trans>Contatos válidos</Trans>} n={report.valid} />
            {data.confirmation && (
              <>
                <Figure label={<Trans>Confirmações pedidas</Trans>} n={report.asked} />
                <Figure label={<Trans>Confirmações recebidas</Trans>} n={report.confirmed} />
              </>
            )}
            <Figure label={<Trans>Enviadas</Trans>} n={report.left} />
            <Figure label={<Trans context="mensagens de uma campanha">Entregues</Trans>} n={report.delivered} />
            <Figure label={<Trans>Lidas</Trans>} n={report.read} />
            <Figure label={<Trans>Respondidas</Trans>} n={report.replied} />
            <Figure label={<Trans>Falharam</Trans>} n={report.counts.failed} />
            <Figure label={<Trans>Ficaram de fora</Trans>} n={report.counts.skipped + report.duplicates} />
            <Figure label={<Trans>Descadastros</Trans>} n={report.optedOut} />
          </dl>
          <p className="text-sm text-muted-foreground">
            <Trans>
              Conexão: {data.whatsapp?.name ?? '—'}. Lista: {data.contactList?.name ?? '—'}. Concluída:{' '}
              {data.completedAt ? dateText(i18n.locale, new Date(data.completedAt), 'date', 'time') : '—'}
            </Trans>
          </p>
          {report.variants.length > 0 && (
            <Part title={t`Por mensagem`} note={report.isDifferent ? undefined : t`Nenhuma diferença comprovada`}>
              {report.variants.map((variant) => (
                <li key={variant.index} className="flex flex-wrap gap-x-4 border-b px-4 py-2.5 text-sm last:border-b-0">
                  <span className="min-w-0 flex-1 basis-full truncate sm:basis-0">
                    {variant.text || `#${variant.index + 1}`}
                  </span>
                  <span className="text-muted-foreground tabular-nums">
                    <Plural value={variant.sent} one="# enviada" other="# enviadas" />,{' '}
                    <Plural value={variant.read} one="# lida" other="# lidas" />,{' '}
                    <Plural value={variant.replied} one="# resposta" other="# respostas" /> (
                    {Math.round(variant.replies.low * 100)}–{Math.round(variant.replies.high * 100)}%)
                  </span>
                </li>
              ))}
            </Part>
          )}
          {report.hours.length > 0 && (
            <Part title={t`Por hora`}>
              {report.hours.map((one) => (
                <li
                  key={one.hour}
                  className="flex justify-between border-b px-4 py-2 text-sm tabular-nums last:border-b-0"
                >
                  <span>{dateText(i18n.locale, new Date(one.hour), 'dayMonth', 'time')}</span>
                  <span className="text-muted-foreground">
                    <Plural value={one.sent} one="# enviada" other="# enviadas" />,{' '}
                    <Plural value={one.replied} one="# resposta" other="# respostas" />
                  </span>
                </li>
              ))}
            </Part>
          )}
          {report.waiting.length > 0 && (
            <Part title={t`Quem ainda espera`}>
              {report.waiting.map(({ reason, n, until }) => (
                <li key={reason} className="flex justify-between gap-4 border-b px-4 py-2 text-sm last:border-b-0">
                  <span>
                    {waitWords(reason)}
                    {until && (
                      <span className="text-muted-foreground">
                        {' · '}
                        <Trans>até {dateText(i18n.locale, new Date(until), 'date', 'time')}</Trans>
                      </span>
                    )}
                  </span>
                  <span className="tabular-nums">{i18n.number(n)}</span>
                </li>
              ))}
            </Part>
          )}
          {report.failures.length > 0 && (
            <Part title={t`Por que não receberam`}>
              {report.failures.map(({ state, reason, n }) => (
                <li
                  key={`${state} ${reason ?? ''}`}
                  className="flex justify-between border-b px-4 py-2 text-sm last:border-b-0"
                >
                  <span>{reasonWords(reason)}</span>
                  <span className="tabular-nums">{i18n.number(n)}</span>
                </li>
              ))}
            </Part>
          )}
          <Recipients id={id} report={report} />
        </div>
      )}
      {data && cancelling && <CancelDialog campaign={data} onClose={() => setCancelling(false)} onCancelled={reload} />}
    </Page>
  )
}

function Figure({ label, n }: { label: ReactNode; n: number }) {
  const { i18n } = useLingui()
  return (
    <div className="rounded-xl border bg-card p-4 shadow-xs">
      <dt className="text-xs text-muted-foreground">{label}</dt>
      <dd className="text-2xl font-semibold tabular-nums">{i18n.number(n)}</dd>
    </div>
  )
}

function Part({ title, note, children }: { title: string; note?: string | undefined; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-2 text-sm font-semibold">
        {title} {note && <span className="font-normal text-muted-foreground">· {note}</span>}
      </h2>
      <PageCard>
        <ul>{children}</ul>
      </PageCard>
    </section>
  )
}

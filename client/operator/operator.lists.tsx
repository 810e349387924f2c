import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import type { ListSource } from '../kit/data-list.tsx'
import { succeeds } from '../kit/row-actions.tsx'
import { dateText } from '../i18n/dates.ts'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Select } from '../ui/select.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { StatusBadge, useProblemText } from '../whatsapps/whatsapps.words.tsx'
import { operator, useConnections, useFailedJobs, usePlanWarnings } from './operator.queries.ts'
import type { FailedJob, OperatorConnection, PlanWarning } from './operator.queries.ts'

const useMoment = () => {
  const { i18n } = useLingui()
  return (at: string | null) => (at === null ? '—' : dateText(i18n.locale, new Date(at), 'moment'))
}

/** Connections of all companies; those that should be linked and are not, first of all. */
export function ConnectionsList() {
  const { t } = useLingui()
  const [state, setState] = useState<'broken' | 'all'>('broken')
  const source = useConnections(state)
  const moment = useMoment()
  const problem = useProblemText()
  const name = (row: OperatorConnection) => (
    <span className="flex min-w-0 flex-col">
      <span className="truncate font-medium">{row.name}</span>
      <span className="truncate text-xs text-muted-foreground">{row.company.name}</span>
    </span>
  )
  const trouble = ({ lastError, status }: OperatorConnection) => (status === 'CONNECTED' ? null : problem(lastError))
  const waits = ({ jobs }: OperatorConnection) => (
    <span className="flex flex-wrap items-center gap-1.5 tabular-nums">
      {jobs.waiting === 0 ? t`nenhum espera` : <Plural value={jobs.waiting} one="# espera" other="# esperam" />}
      {jobs.failed > 0 && (
        <Badge tone="destructive">
          <Plural value={jobs.failed} one="# falhou" other="# falharam" />
        </Badge>
      )}
    </span>
  )
  return (
    <div className="flex flex-col gap-3">
      <Select
        aria-label={t`Quais conexões`}
        className="w-64 max-w-full"
        value={state}
        onChange={setState}
        options={[
          { value: 'broken', label: t`As que precisam de alguém` },
          { value: 'all', label: t`Todas` },
        ]}
      />
      <DataList
        label={t`Conexões de todas as empresas`}
        source={source}
        empty={
          <EmptyState
            icon={CircleCheck}
            title={
              state === 'broken' ? <Trans>Nenhuma conexão precisa de alguém</Trans> : <Trans>Nenhuma conexão</Trans>
            }
          />
        }
        columns={[
          { id: 'name', header: <Trans>Conexão</Trans>, cell: name, className: 'wrap-anywhere' },
          {
            id: 'status',
            header: <Trans>Situação</Trans>,
            cell: (row) => (
              <span className="flex flex-col items-start gap-1">
                <StatusBadge status={row.status} />
                <span className="text-xs text-muted-foreground">{trouble(row)}</span>
              </span>
            ),
          },
          {
            id: 'in',
            header: <Trans>Última recebida</Trans>,
            cell: (row) => moment(row.lastMessageInAt),
            className: 'tabular-nums max-lg:hidden',
          },
          {
            id: 'out',
            header: <Trans>Última enviada</Trans>,
            cell: (row) => moment(row.lastMessageOutAt),
            className: 'tabular-nums max-lg:hidden',
          },
          { id: 'jobs', header: <Trans>Trabalhos</Trans>, cell: waits },
        ]}
        card={(row) => (
          <div className="flex flex-col gap-2">
            <div className="flex items-start justify-between gap-2">
              {name(row)}
              <StatusBadge status={row.status} />
            </div>
            {trouble(row) && <p className="text-sm text-muted-foreground">{trouble(row)}</p>}
            <p className="text-xs text-muted-foreground tabular-nums">
              <Trans>
                Recebeu: {moment(row.lastMessageInAt)} · enviou: {moment(row.lastMessageOutAt)}
              </Trans>
            </p>
            <div className="text-xs">{waits(row)}</div>
          </div>
        )}
      />
    </div>
  )
}

/** Jobs that were given up: tried again, or forgotten. */
export function FailedJobs({ onChanged }: { onChanged: () => void }) {
  const { t } = useLingui()
  const source = useFailedJobs()
  const offline = useReadOnly({})
  const moment = useMoment()
  const [forgotten, setForgotten] = useState<FailedJob | null>(null)
  const changed = () => {
    source.reload()
    onChanged()
  }
  const retry = ({ id, kind }: FailedJob) =>
    succeeds(() => operator.retry(id), t`${kind}: será tentado de novo`, changed)
  const what = (row: FailedJob) => (
    <span className="flex min-w-0 flex-col">
      <code className="text-xs">{row.kind}</code>
      <span className="truncate text-xs text-muted-foreground">{row.company?.name ?? '—'}</span>
    </span>
  )
  const error = (row: FailedJob) => <span className="text-sm break-words">{row.error ?? '—'}</span>
  const actions = (row: FailedJob) => {
    const { id, kind, mayRetry } = row
    return (
      <div className="flex justify-end gap-1">
        {mayRetry && (
          <Tooltip content={t`Tentar de novo`}>
            <Button
              variant="ghost"
              size="icon"
              className="text-muted-foreground hover:text-foreground"
              disabled={offline}
              aria-label={t`Tentar ${kind} ${id} de novo`}
              onClick={() => void retry(row)}
            >
              <RotateCcw />
            </Button>
          </Tooltip>
        )}
        <Tooltip content={t`Esquecer`}>
          <Button
            variant="destructive-ghost"
            size="icon"
            className="not-hover:text-muted-foreground"
            disabled={offline}
            aria-label={t`Esquecer ${kind} ${id}`}
            onClick={() => setForgotten(row)}
          >
            <Trash2 />
          </Button>
        </Tooltip>
      </div>
    )
  }
  return (
    <>
      <DataList
        label={t`Trabalhos que falharam`}
        source={source}
        empty={<EmptyState icon={CircleCheck} title={<Trans>Nenhum trabalho falhou</Trans>} />}
        columns={[
          { id: 'kind', header: <Trans>Trabalho</Trans>, cell: what },
          { id: 'error', header: <Trans>Erro</Trans>, cell: error },
          {
            id: 'attempts',
            header: <Trans>Tentativas</Trans>,
            cell: ({ attempts }) => attempts,
            className: 'tabular-nums',
          },
          {
            id: 'at',
            header: <Trans>Desistiu em</Trans>,
            cell: ({ failedAt }) => moment(failedAt),
            className: 'tabular-nums',
          },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions },
        ]}
        card={(row) => (
          <div className="flex flex-col gap-2">
            {what(row)}
            {error(row)}
            <div className="flex items-end justify-between gap-2">
              <p className="text-xs text-muted-foreground tabular-nums">{moment(row.failedAt)}</p>
              {actions(row)}
            </div>
          </div>
        )}
      />
      {forgotten && (
        <ConfirmDialog
          open
          onOpenChange={() => setForgotten(null)}
          destructive
          title={<Trans>Esquecer este trabalho?</Trans>}
          confirmLabel={<Trans>Esquecer</Trans>}
          onConfirm={() => succeeds(() => operator.forget(forgotten.id), t`${forgotten.kind}: esquecido`, changed)}
        >
          <p>
            <Trans>O que ele devia fazer não será feito.</Trans>
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Companies that use at least four fifths of what their plan allows. */
export function PlanWarnings() {
  const { t } = useLingui()
  const { data, ...rest } = usePlanWarnings()
  const source: ListSource<PlanWarning & { id: string }> = {
    ...rest,
    data: data?.records.map((row) => ({ ...row, id: `${row.company.id} ${row.what}` })),
  }
  const words = { users: t`Usuários`, connections: t`Conexões`, queues: t`Filas` }
  const used = ({ used: has, limit }: PlanWarning) => (
    <Badge tone={has >= limit ? 'destructive' : 'warning'} size="md" className="tabular-nums">
      {has >= limit ? (
        <Trans>
          {has} de {limit}: no limite
        </Trans>
      ) : (
        <Trans>
          {has} de {limit}
        </Trans>
      )}
    </Badge>
  )
  return (
    <DataList
      label={t`Planos no limite`}
      source={source}
      empty={<EmptyState icon={CircleCheck} title={<Trans>Nenhuma empresa está perto do limite do plano</Trans>} />}
      columns={[
        {
          id: 'company',
          header: <Trans>Empresa</Trans>,
          cell: ({ company }) => <span className="font-medium">{company.name}</span>,
        },
        { id: 'plan', header: <Trans>Plano</Trans>, cell: ({ plan }) => plan },
        { id: 'what', header: <Trans>O quê</Trans>, cell: ({ what }) => words[what] },
        { id: 'used', header: <Trans>Em uso</Trans>, cell: used },
      ]}
      card={(row) => (
        <div className="flex items-start justify-between gap-2">
          <div className="min-w-0">
            <p className="truncate font-medium">{row.company.name}</p>
            <p className="truncate text-sm text-muted-foreground">
              {row.plan} · {words[row.what]}
            </p>
          </div>
          {used(row)}
        </div>
      )}
    />
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ChevronRight, History } from 'lucide-react'
import { useState } from 'react'
import { FailureText } from '../session/failure.tsx'
import { dateText } from '../i18n/dates.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Dialog, DialogBody, DialogContent } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { RunSteps } from './flow-run.steps.tsx'
import { endWords } from './flow-runs.words.ts'
import { type FlowListRow, useRuns } from './flows.queries.ts'

/** Who went through a flow lately, and what it did for each. */
export function RunsDialog({ flow, onClose }: { flow: FlowListRow; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t`Últimas execuções`} description={flow.name}>
        <DialogBody>
          <Runs flowId={flow.id} onLeave={onClose} />
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}

function Runs({ flowId, onLeave }: { flowId: number; onLeave: () => void }) {
  const { t, i18n } = useLingui()
  const { data, error, hasMore, loadMore, loading, reload } = useRuns(flowId)
  const [openId, setOpenId] = useState<string | null>(null)
  if (!data) {
    if (error)
      return (
        <ErrorState onRetry={reload} className="py-8">
          <FailureText error={error} />
        </ErrorState>
      )
    return (
      <div role="status" aria-label={t`Carregando as execuções`} className="flex flex-col gap-3 py-2">
        <Skeleton className="h-9 w-full" />
        <Skeleton className="h-9 w-full" />
        <Skeleton className="h-9 w-full" />
      </div>
    )
  }
  if (data.length === 0)
    return (
      <EmptyState icon={History} title={<Trans>Ninguém passou por este fluxo</Trans>} className="py-8">
        <Trans>Quando um contato entrar nele, cada passo aparece aqui.</Trans>
      </EmptyState>
    )
  return (
    <>
      <ul aria-label={t`Últimas execuções`} className="flex flex-col divide-y">
        {data.map(({ id, contact, startedAt, reason, versionNumber, ticket }) => {
          const isOpen = id === openId
          const name = contact.name || t`Contato sem nome`
          return (
            <li key={id} className="py-1">
              <button
                type="button"
                aria-expanded={isOpen}
                onClick={() => setOpenId(isOpen ? null : id)}
                className="focus-ring flex min-h-11 w-full items-center gap-2 rounded-md px-1 text-left text-sm hover:bg-muted"
              >
                <ChevronRight
                  aria-hidden="true"
                  className={cn('size-4 shrink-0 transition-transform', isOpen && 'rotate-90')}
                />
                <span className="flex min-w-0 flex-1 flex-col">
                  <span className="truncate font-medium">{name}</span>
                  <span className="text-xs text-muted-foreground tabular-nums">
                    {dateText(i18n.locale, new Date(startedAt), 'moment')} · <Trans>versão {versionNumber}</Trans>
                  </span>
                </span>
                <Badge tone={reason ? 'neutral' : 'info'} className="max-w-[45%] truncate">
                  {reason ? i18n._(endWords[reason]) : <Trans>Ainda em andamento</Trans>}
                </Badge>
              </button>
              {isOpen && (
                <div className="flex flex-col gap-3 py-2 pl-7">
                  <RunSteps id={id} onLeave={onLeave} />
                  <Link
                    to="/tickets/$uuid"
                    params={{ uuid: ticket.uuid }}
                    onClick={onLeave}
                    className="focus-ring w-fit rounded-sm text-[0.8125rem] text-primary-soft-foreground hover:underline touch:min-h-11"
                  >
                    <Trans>Abrir o atendimento</Trans>
                  </Link>
                </div>
              )}
            </li>
          )
        })}
      </ul>
      {hasMore && (
        <Button variant="outline" className="mt-3 w-full" busy={loading} onClick={loadMore}>
          <Trans>Carregar mais</Trans>
        </Button>
      )}
    </>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Clock, Plus, Timer, Waypoints } from 'lucide-react'
import { useState } from 'react'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { MoreActions } from '../kit/more-actions.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { useCan } from '../session/session.tsx'
import { trying } from '../automation/automation.try.ts'
import { usePlanRoom } from '../plans/plans.room.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { UsesList } from '../uses/uses.list.tsx'
import { QueueDialog } from './queues.dialog.tsx'
import { queues, useQueues } from './queues.queries.ts'
import type { Queue } from './queues.queries.ts'

export default function QueuesScreen() {
  const { t } = useLingui()
  const source = useQueues()
  const offline = useReadOnly(source)
  const mayWrite = useCan('queues:write')
  const mayTry = useCan('automations:trace')
  const mayPromise = useCan('sla:write')
  const { edited, removed, create, edit, remove, close } = useRowOverlay<Queue>(source.data)
  const [tab, setTab] = useState<'data' | 'options'>('data')

  const { whereRoom, full } = usePlanRoom('queues')
  const add = mayWrite && (
    <Button disabled={offline} onClick={() => whereRoom(() => (setTab('data'), create()))}>
      <Plus />
      <Trans>Adicionar fila</Trans>
    </Button>
  )
  const swatch = (queue: Queue) => (
    <span className="flex items-center gap-2 font-mono text-xs text-muted-foreground">
      <span
        aria-hidden="true"
        className="size-5 rounded-md ring-1 ring-black/10 ring-inset dark:ring-white/15"
        style={{ background: queue.color }}
      />
      {queue.color}
    </span>
  )
  const actions = (queue: Queue) => (
    <RowActions
      name={queue.name}
      disabled={offline}
      onEdit={() => (setTab('data'), edit(queue))}
      onRemove={() => remove(queue)}
    />
  )

  return (
    <Page
      title={t`Filas`}
      actions={
        <>
          {mayPromise && (
            <Button asChild variant="outline">
              <Link to="/sla-policies">
                <Timer />
                <Trans>Prazos</Trans>
              </Link>
            </Button>
          )}
          <MoreActions
            actions={[mayTry && { icon: Clock, label: t`Testar horário`, run: () => trying.set('hours') }]}
          />
          {add}
        </>
      }
    >
      <DataList
        label={t`Filas`}
        source={source}
        empty={
          <EmptyState icon={Waypoints} title={<Trans>Nenhuma fila</Trans>} action={add}>
            <Trans>Filas separam os atendimentos por assunto: vendas, suporte, financeiro…</Trans>
          </EmptyState>
        }
        columns={[
          {
            id: 'id',
            header: <Trans>ID</Trans>,
            cell: (queue) => queue.id,
            className: 'w-16 text-muted-foreground tabular-nums',
          },
          {
            id: 'name',
            header: <Trans>Nome</Trans>,
            cell: (queue) => <span className="font-medium">{queue.name}</span>,
            className: 'wrap-anywhere',
          },
          { id: 'color', header: <Trans>Cor</Trans>, cell: swatch },
          {
            id: 'orderQueue',
            header: <Trans>Ordem</Trans>,
            cell: (queue) => queue.orderQueue ?? '—',
            className: 'tabular-nums',
          },
          {
            id: 'greetingMessage',
            header: <Trans>Saudação</Trans>,
            cell: (queue) => <p className="max-w-md truncate text-muted-foreground">{queue.greetingMessage || '—'}</p>,
            className: 'max-lg:hidden',
          },
          ...(mayWrite ? [{ id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions }] : []),
        ]}
        card={(queue) => (
          <div className="flex items-start gap-3">
            <span
              aria-hidden="true"
              className="mt-0.5 size-5 shrink-0 rounded-md ring-1 ring-black/10 ring-inset dark:ring-white/15"
              style={{ background: queue.color }}
            />
            <div className="flex min-w-0 flex-1 flex-col gap-0.5">
              <p className="truncate font-medium">{queue.name}</p>
              {queue.orderQueue !== null && (
                <p className="text-xs text-muted-foreground tabular-nums">
                  <Trans>Ordem {queue.orderQueue}</Trans>
                </p>
              )}
            </div>
            {mayWrite && <div className="-mt-2 -mr-2">{actions(queue)}</div>}
          </div>
        )}
      />
      {full}
      {edited !== undefined && (
        <QueueDialog
          key={edited?.id ?? 'new'}
          queue={edited}
          tab={tab}
          taken={(source.data ?? [])
            .filter((queue) => queue.id !== edited?.id)
            .map((queue) => queue.color.toLowerCase())}
          onClose={close}
          onSaved={(queue, goOn) => {
            source.reload()
            // After the dialog has closed.
            if (goOn) setTimeout(() => edit(queue))
            setTab(goOn ? 'options' : 'data')
          }}
        />
      )}
      {removed && (
        <RemoveDialog
          name={removed.name}
          uses={<UsesList noun="queue" id={removed.id} />}
          remove={() => queues.remove(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>Os atendimentos dela ficam sem fila e mantêm o histórico.</Trans>
        </RemoveDialog>
      )}
    </Page>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { Blocks, MessageCircleQuestion, Plus, SearchX } from 'lucide-react'
import { useState } from 'react'
import { useBotFailure } from '../kit/bot-failures.ts'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { PlanGate } from '../session/plan-gate.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { useCan } from '../session/session.tsx'
import { TryDialog, type TryLine } from '../prompts/prompts.try-dialog.tsx'
import { useQueues } from '../queues/queues.queries.ts'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { UsesList } from '../uses/uses.list.tsx'
import { IntegrationDialog } from './integrations.dialog.tsx'
import { type Integration, integrations, useIntegrations } from './integrations.queries.ts'
import { type IntegrationKind, useKinds } from './integrations.words.ts'

export default function IntegrationsScreen() {
  return (
    <PlanGate feature="useIntegrations">
      <Integrations />
    </PlanGate>
  )
}

function Integrations() {
  const { t } = useLingui()
  const { search, setSearch, settled } = useSearchText()
  const source = useIntegrations(settled)
  const offline = useReadOnly(source)
  const mayWrite = useCan('automations:write')
  const { edited, removed, create, edit, remove, close } = useRowOverlay<Integration>(source.data)
  const [tried, setTried] = useState<Integration>()

  const add = mayWrite && (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Adicionar integração</Trans>
    </Button>
  )
  const actions = (row: Integration) => (
    <RowActions
      name={row.name}
      disabled={offline}
      onEdit={() => edit(row)}
      onRemove={() => remove(row)}
      more={[
        row.type !== 'flowbuilder' && {
          ...{ icon: MessageCircleQuestion, label: t`Testar`, name: t`Testar ${row.name}`, disabled: offline },
          run: () => setTried(row),
        },
      ]}
    />
  )

  return (
    <Page
      title={t`Integrações`}
      actions={add}
      toolbar={<SearchInput value={search} onChange={setSearch} label={t`Buscar integração`} />}
    >
      <DataList
        label={t`Integrações`}
        source={source}
        empty={
          search ? (
            <EmptyState icon={SearchX} title={<Trans>Nenhuma integração encontrada</Trans>}>
              <Trans>Nenhuma integração tem “{search}” no nome ou no tipo.</Trans>
            </EmptyState>
          ) : (
            <EmptyState icon={Blocks} title={<Trans>Nenhuma integração</Trans>} action={add}>
              <Trans>Robôs de outros sistemas que respondem no lugar de um atendente: Typebot, Dialogflow, n8n…</Trans>
            </EmptyState>
          )
        }
        columns={[
          {
            id: 'id',
            header: <Trans>ID</Trans>,
            cell: (row) => row.id,
            className: 'w-16 text-muted-foreground tabular-nums',
          },
          {
            id: 'name',
            header: <Trans>Nome</Trans>,
            cell: (row) => <span className="font-medium">{row.name}</span>,
            className: 'wrap-anywhere',
          },
          { id: 'type', header: <Trans>Tipo</Trans>, cell: (row) => <Kind type={row.type} />, className: 'w-56' },
          ...(mayWrite
            ? [{ id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-36' }]
            : []),
        ]}
        card={(row) => (
          <div className="flex items-start gap-3">
            <div className="flex min-w-0 flex-1 flex-col gap-1.5">
              <p className="truncate font-medium">{row.name}</p>
              <Kind type={row.type} />
            </div>
            {mayWrite && <div className="-mt-2 -mr-2">{actions(row)}</div>}
          </div>
        )}
      />
      {edited !== undefined && <IntegrationDialog integration={edited} onClose={close} onSaved={source.reload} />}
      {removed && (
        <RemoveDialog
          name={removed.name}
          uses={<UsesList noun="integration" id={removed.id} />}
          remove={() => integrations.remove(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>O que já foi conversado fica nos atendimentos.</Trans>
        </RemoveDialog>
      )}
      {tried && <TryIntegration integration={tried} onClose={() => setTried(undefined)} />}
    </Page>
  )
}

function Kind({ type }: { type: IntegrationKind }) {
  const { label, icon: Icon, tile } = useKinds()[type]
  return (
    <span className="flex min-w-0 items-center gap-2 text-sm">
      <span aria-hidden="true" className={cn('flex size-6 shrink-0 items-center justify-center rounded-md', tile)}>
        <Icon className="size-3.5" />
      </span>
      <span className="truncate">{label}</span>
    </span>
  )
}

function TryIntegration({ integration, onClose }: { integration: Integration; onClose: () => void }) {
  const { t } = useLingui()
  const queues = useQueues().data ?? []
  const failureText = useBotFailure()
  const ask = async (text: string, _lines: readonly TryLine[], isFirst: boolean): Promise<TryLine[]> => {
    const { messages, transferTo, stop, variables, failure } = await integrations.try(integration.id, text, isFirst)
    const answer: TryLine[] = messages.map((message) => ({
      from: 'bot',
      text: 'text' in message ? message.text : [message.mediaUrl, message.caption].filter(Boolean).join('\n'),
    }))
    const note = (words: string, isFailure?: true) =>
      answer.push({ from: 'note', text: words, ...(isFailure && { isFailure }) })
    if (transferTo) {
      const { queueId } = transferTo
      const queue = queues.find(({ id }) => id === queueId)
      if (queueId !== null && !queue) note(t`Pede a fila ${queueId}, que não existe`, true)
      else note(queue ? t`Passa o atendimento para ${queue.name}` : t`Passa o atendimento para um atendente`)
    }
    for (const [name, value] of Object.entries(variables ?? {})) note(`${name} = ${value}`)
    if (stop) note(t`O robô termina aqui`)
    if (failure) note(failureText(failure), true)
    else if (answer.length === 0) note(t`O robô não responde nada`)
    return answer
  }
  return (
    <TryDialog
      title={t`Testar ${integration.name}`}
      description={
        integration.type === 'n8n' || integration.type === 'webhook' ? (
          <Trans>O endereço é chamado de verdade, com um contato de teste.</Trans>
        ) : (
          <Trans>O robô é chamado de verdade, com um contato de teste.</Trans>
        )
      }
      ask={ask}
      onClose={onClose}
    />
  )
}

import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { BookOpen, Download, History, KeyRound, Plus, Send, Webhook as WebhookIcon } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { toastError } from '../session/failure.tsx'
import { MoreActions } from '../kit/more-actions.tsx'
import { PlanGate } from '../session/plan-gate.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { ShownOnce } from '../kit/shown-once.tsx'
import { saveBlob } from '../kit/media.ts'
import { UsesList } from '../uses/uses.list.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { toast } from '../ui/toaster.tsx'
import { WebhookDialog } from './webhooks.dialog.tsx'
import { WebhookLog } from './webhooks.log.tsx'
import { useWebhooks, type Webhook, webhooks } from './webhooks.queries.ts'

export default function WebhooksScreen() {
  return (
    <PlanGate feature="useExternalApi">
      <Webhooks />
    </PlanGate>
  )
}

function Webhooks() {
  const { t } = useLingui()
  const source = useWebhooks()
  const offline = useReadOnly(source)
  const { edited, removed, create, edit, remove, close } = useRowOverlay<Webhook>(source.data)
  const [secret, setSecret] = useState<string>()
  const [logged, setLogged] = useState<Webhook>()

  const add = (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Adicionar webhook</Trans>
    </Button>
  )
  const workflow = async () => {
    const { default: nodes } = await import('../../schema/external/n8n.json')
    saveBlob(new Blob([JSON.stringify(nodes, null, 2)], { type: 'application/json' }), 'balcao-n8n.json')
  }
  const test = async (row: Webhook) => {
    try {
      await webhooks.test(row.id)
      toast.success(t`Evento de teste enviado`)
      setLogged(row)
    } catch (error) {
      toastError(error)
    }
  }
  const rotate = async (row: Webhook) => {
    try {
      setSecret((await webhooks.rotate(row.id)).secret)
    } catch (error) {
      toastError(error)
    }
  }
  const state = (row: Webhook) =>
    row.disabledReason === 'gone' ? (
      <Badge tone="destructive">
        <Trans>Desligado: o endereço respondeu 410</Trans>
      </Badge>
    ) : row.disabledReason === 'failing' ? (
      <Badge tone="destructive">
        <Trans>Desligado: falhou por 5 dias</Trans>
      </Badge>
    ) : !row.active ? (
      <Badge>
        <Trans>Desligado</Trans>
      </Badge>
    ) : row.failingSince ? (
      <Badge tone="warning">
        <Trans>Falhando</Trans>
      </Badge>
    ) : (
      <Badge tone="success">
        <Trans>Ligado</Trans>
      </Badge>
    )
  const actions = (row: Webhook) => {
    const action = (label: string, icon: LucideIcon, run: () => void) => ({
      ...{ icon, label, name: `${label}: ${row.url}`, disabled: offline, run },
    })
    return (
      <RowActions
        name={row.url}
        disabled={offline}
        onEdit={() => edit(row)}
        onRemove={() => remove(row)}
        more={[
          action(t`Ver entregas`, History, () => setLogged(row)),
          action(t`Enviar teste`, Send, () => void test(row)),
          action(t`Trocar o segredo`, KeyRound, () => void rotate(row)),
        ]}
      />
    )
  }
  const events = (row: Webhook) => <Plural value={row.events.length} one="# evento" other="# eventos" />

  return (
    <Page
      title={t`Webhooks`}
      description={<Trans>Outros sistemas sabem na hora o que acontece aqui.</Trans>}
      actions={
        <>
          <MoreActions
            actions={[
              {
                ...{ icon: BookOpen, label: t`Referência da API` },
                link: ({ children, ...props }) => (
                  <a {...props} href="/docs" target="_blank" rel="noreferrer">
                    {children}
                  </a>
                ),
              },
              { icon: Download, label: t`Fluxo para o n8n`, run: () => void workflow() },
            ]}
          />
          {add}
        </>
      }
    >
      <DataList
        label={t`Webhooks`}
        source={source}
        empty={
          <EmptyState icon={WebhookIcon} title={<Trans>Nenhum webhook</Trans>} action={add}>
            <Trans>Cada mensagem, atendimento ou contato que muda é enviado ao endereço, assinado.</Trans>
          </EmptyState>
        }
        columns={[
          {
            id: 'url',
            header: <Trans>Endereço</Trans>,
            cell: (row) => <span className="font-medium break-all">{row.url}</span>,
            className: 'wrap-anywhere',
          },
          { id: 'events', header: <Trans>Eventos</Trans>, cell: events, className: 'w-32 text-muted-foreground' },
          { id: 'state', header: <Trans>Situação</Trans>, cell: state, className: 'w-64' },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-56' },
        ]}
        card={(row) => (
          <div className="flex flex-col gap-2">
            <p className="font-medium break-all">{row.url}</p>
            <div className="flex flex-wrap items-center gap-2">
              {state(row)}
              <span className="text-xs text-muted-foreground">{events(row)}</span>
            </div>
            {actions(row)}
          </div>
        )}
      />
      {edited !== undefined && (
        <WebhookDialog
          webhook={edited}
          onClose={close}
          onSaved={(made) => {
            source.reload()
            setSecret(made)
          }}
        />
      )}
      {removed && (
        <RemoveDialog
          name={removed.url}
          uses={<UsesList noun="webhook" id={removed.id} />}
          remove={() => webhooks.remove(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>O que ainda espera não é mais entregue, e o registro some.</Trans>
        </RemoveDialog>
      )}
      {logged && <WebhookLog webhook={logged} offline={offline} onClose={() => setLogged(undefined)} />}
      {secret !== undefined && (
        <ShownOnce title={t`O segredo do webhook`} text={secret} onClose={() => setSecret(undefined)}>
          <Trans>Com ele se confere a assinatura. Guarde-o agora: não será mostrado outra vez.</Trans>
        </ShownOnce>
      )}
    </Page>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { BookOpen, KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { PlanGate } from '../session/plan-gate.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { ShownOnce } from '../kit/shown-once.tsx'
import { dateText } from '../i18n/dates.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { ApiKeyDialog } from './api-keys.dialog.tsx'
import { type ApiKey, apiKeys, useApiKeys } from './api-keys.queries.ts'

export default function ApiKeysScreen() {
  return (
    <PlanGate feature="useExternalApi">
      <ApiKeys />
    </PlanGate>
  )
}

const isOver = ({ revokedAt, expiresAt }: ApiKey) =>
  revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now())

function ApiKeys() {
  const { t, i18n } = useLingui()
  const source = useApiKeys()
  const offline = useReadOnly(source)
  const { edited, removed, create, edit, remove, close } = useRowOverlay<ApiKey>(source.data)
  const [made, setMade] = useState<string>()

  const add = (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Criar chave</Trans>
    </Button>
  )
  const when = (at: string | null) => (at === null ? undefined : dateText(i18n.locale, new Date(at), 'moment'))
  const state = (key: ApiKey) =>
    key.revokedAt !== null ? (
      <Badge tone="destructive">
        <Trans>Revogada</Trans>
      </Badge>
    ) : isOver(key) ? (
      <Badge tone="warning">
        <Trans>Vencida</Trans>
      </Badge>
    ) : (
      <Badge tone="success">
        <Trans>Ativa</Trans>
      </Badge>
    )
  const name = (key: ApiKey) => (
    <span className="flex min-w-0 flex-col gap-0.5">
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate font-medium">{key.name}</span>
        {state(key)}
      </span>
      <code className="font-mono text-xs text-muted-foreground">{key.prefix}…</code>
    </span>
  )
  const used = (key: ApiKey) => (
    <span className="text-muted-foreground tabular-nums">
      {when(key.lastUsedAt) ?? <Trans>Nunca usada</Trans>}
      {key.lastIp && <span className="block text-xs">{key.lastIp}</span>}
    </span>
  )
  const scopes = (key: ApiKey) => (
    <span className="flex flex-wrap gap-1">
      {key.scopes.map((scope) => (
        <Badge key={scope} tone="outline">
          <code>{scope}</code>
        </Badge>
      ))}
    </span>
  )
  const actions = (key: ApiKey) =>
    key.revokedAt === null && (
      <RowActions name={key.name} disabled={offline} onEdit={() => edit(key)} onRemove={() => remove(key)} />
    )

  return (
    <Page
      title={t`Chaves de API`}
      description={<Trans>Cada programa com a sua chave: só o que ela permite, e só enquanto vale.</Trans>}
      actions={
        <>
          <Button asChild variant="outline">
            <a href="/docs" target="_blank" rel="noreferrer">
              <BookOpen />
              <Trans>Referência da API</Trans>
            </a>
          </Button>
          {add}
        </>
      }
    >
      <DataList
        label={t`Chaves de API`}
        source={source}
        empty={
          <EmptyState icon={KeyRound} title={<Trans>Nenhuma chave</Trans>} action={add}>
            <Trans>Uma chave deixa um programa enviar mensagens, ler atendimentos e mudar contatos.</Trans>
          </EmptyState>
        }
        columns={[
          { id: 'name', header: <Trans>Nome</Trans>, cell: name, className: 'wrap-anywhere' },
          { id: 'scopes', header: <Trans>Permissões</Trans>, cell: scopes },
          { id: 'used', header: <Trans>Último uso</Trans>, cell: used, className: 'w-44' },
          {
            id: 'rate',
            header: <Trans>Por minuto</Trans>,
            cell: (key) => key.ratePerMinute,
            className: 'w-28 tabular-nums text-muted-foreground',
          },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-28' },
        ]}
        card={(key) => (
          <div className="flex items-start gap-3">
            <div className="flex min-w-0 flex-1 flex-col gap-1.5">
              {name(key)}
              {scopes(key)}
              <span className="text-xs">{used(key)}</span>
            </div>
            <div className="-mt-2 -mr-2">{actions(key)}</div>
          </div>
        )}
      />
      {edited !== undefined && (
        <ApiKeyDialog
          apiKey={edited}
          onClose={close}
          onSaved={(key) => {
            source.reload()
            setMade(key)
          }}
        />
      )}
      {removed && (
        <RemoveDialog
          name={removed.name}
          remove={() => apiKeys.revoke(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>A chave é revogada: em um segundo ela não abre mais nada.</Trans>
        </RemoveDialog>
      )}
      {made !== undefined && (
        <ShownOnce title={t`A nova chave`} text={made} onClose={() => setMade(undefined)}>
          <Trans>Guarde-a agora: ela não será mostrada outra vez.</Trans>
        </ShownOnce>
      )}
    </Page>
  )
}

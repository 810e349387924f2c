import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import {
  ArrowDownLeft,
  ArrowUpRight,
  Check,
  KeyRound,
  LayoutTemplate,
  MessageCircleQuestion,
  Plus,
  QrCode,
  RefreshCw,
  RotateCcw,
  Smartphone,
  TriangleAlert,
  Unplug,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { kindOf, offersOf } from '../../schema/whatsapps/whatsapps.providers.ts'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { toastError } from '../session/failure.tsx'
import { MoreActions } from '../kit/more-actions.tsx'
import { RemoveDialog, RowActions, succeeds } from '../kit/row-actions.tsx'
import { useCan } from '../session/session.tsx'
import { trying } from '../automation/automation.try.ts'
import { dateText } from '../i18n/dates.ts'
import { phoneText } from '../kit/phone-text.ts'
import { usePlanRoom } from '../plans/plans.room.tsx'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { toast } from '../ui/toaster.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { UsesList } from '../uses/uses.list.tsx'
import { msOf } from '../replica/rows.ts'
import { ConnectionDialog } from './whatsapps.dialog.tsx'
import { LinkDialog } from './whatsapps.link-dialog.tsx'
import { NewChatsLine } from './whatsapps.new-chats.tsx'
import { OfficialDialog } from './whatsapps.official-dialog.tsx'
import { connections, useConnections } from './whatsapps.queries.ts'
import type { Connection } from './whatsapps.queries.ts'
import { sessionControls } from './whatsapps.status.ts'
import { StatusBadge, useProblemText } from './whatsapps.words.tsx'

function useMoment() {
  const { i18n } = useLingui()
  return (at: string) => dateText(i18n.locale, msOf(at), 'date', 'time')
}

/** What is open above the list. */
type Overlay =
  | { kind: 'create' }
  | { kind: 'edit' | 'remove' | 'disconnect' | 'newQr'; connection: Connection }
  | { kind: 'link'; connection: Connection }
  | { kind: 'setUp'; connection: { id: number; name: string }; verifyToken?: string }

export default function ConnectionsScreen() {
  const { t } = useLingui()
  const moment = useMoment()
  const source = useConnections()
  const offline = useReadOnly(source)
  const mayAdd = useCan('connections-page:addConnection')
  const mayControl = useCan('connections-page:actionButtons')
  const mayTry = useCan('automations:trace')
  const mayEdit = useCan('connections-page:editOrDeleteConnection')
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const [restarting, setRestarting] = useState(false)
  const close = () => setOverlay(null)

  const restartAll = async () => {
    setRestarting(true)
    toast.warning(t`Aguarde... reiniciando...`)
    try {
      await connections.restartAll()
    } catch (error) {
      toastError(error)
    }
    source.reload()
    setRestarting(false)
  }

  const newQr = async (connection: Connection) => {
    try {
      await connections.newQr(connection.id)
      setOverlay({ kind: 'link', connection })
    } catch (error) {
      toastError(error)
    }
  }

  const { whereRoom, full } = usePlanRoom('connections')
  const addButton = mayAdd && (
    <Button disabled={offline} onClick={() => whereRoom(() => setOverlay({ kind: 'create' }))}>
      <Plus />
      <Trans>Adicionar conexão</Trans>
    </Button>
  )
  /** Leads to how it is doing, for those who may see that. */
  const name = (connection: Connection) =>
    mayControl ? (
      <Link
        to="/connections/$id"
        params={{ id: String(connection.id) }}
        className="focus-ring rounded-sm underline decoration-muted-foreground/40 underline-offset-4 hover:decoration-current"
      >
        {connection.name}
      </Link>
    ) : (
      connection.name
    )
  const status = (connection: Connection) => (
    <StatusBadge status={connection.status} pair={offersOf(connection.provider).pair} />
  )
  const session = (connection: Connection) => (
    <SessionButtons
      connection={connection}
      disabled={offline}
      onLink={() => setOverlay({ kind: 'link', connection })}
      onAsk={(kind) =>
        kind === 'newQr' && !connection.number ? void newQr(connection) : setOverlay({ kind, connection })
      }
      onDone={source.reload}
    />
  )
  const actions = (connection: Connection) => (
    <RowActions
      name={connection.name}
      disabled={offline}
      more={[
        offersOf(connection.provider).templates && {
          ...{
            icon: LayoutTemplate,
            label: t`Modelos de mensagem`,
            name: t`Modelos de mensagem de ${connection.name}`,
          },
          disabled: false,
          link: (props: object) => (
            <Link to="/connections/$id/templates" params={{ id: String(connection.id) }} {...props} />
          ),
        },
        kindOf(connection.provider) === 'api' && {
          ...{ icon: KeyRound, label: t`API oficial`, name: t`API oficial de ${connection.name}`, disabled: offline },
          run: () => setOverlay({ kind: 'setUp', connection }),
        },
      ]}
      onEdit={() => setOverlay({ kind: 'edit', connection })}
      onRemove={() => setOverlay({ kind: 'remove', connection })}
    />
  )

  return (
    <Page
      title={t`Conexões`}
      actions={
        <>
          <MoreActions
            actions={[
              mayTry && {
                ...{ icon: MessageCircleQuestion, label: t`O que responderia?` },
                run: () => trying.set('reply'),
              },
              mayAdd && {
                ...{ icon: RefreshCw, label: t`Reiniciar conexões`, disabled: offline, busy: restarting },
                run: () => void restartAll(),
              },
            ]}
          />
          {addButton}
        </>
      }
    >
      <DataList
        label={t`Conexões`}
        source={source}
        empty={
          <EmptyState icon={Smartphone} title={<Trans>Nenhuma conexão</Trans>} action={addButton}>
            <Trans>
              Uma conexão é um número de WhatsApp da empresa. Adicione a primeira e leia o QR com o celular.
            </Trans>
          </EmptyState>
        }
        columns={[
          {
            id: 'name',
            header: <Trans>Nome</Trans>,
            cell: (c) => <span className="font-medium">{name(c)}</span>,
            className: 'wrap-anywhere',
          },
          {
            id: 'number',
            header: <Trans>Número</Trans>,
            cell: (c) => phoneText(c.number) || <span className="text-muted-foreground">—</span>,
            className: 'whitespace-nowrap tabular-nums',
          },
          {
            id: 'status',
            header: <Trans>Status</Trans>,
            cell: (c) => (
              <div className="flex flex-col items-start gap-1 py-1">
                {status(c)}
                <Health connection={c} />
              </div>
            ),
          },
          ...(mayControl ? [{ id: 'session', header: <Trans>Sessão</Trans>, cell: session }] : []),
          {
            id: 'updatedAt',
            header: <Trans>Última atualização</Trans>,
            cell: (c) => <time dateTime={c.updatedAt}>{moment(c.updatedAt)}</time>,
            className: 'whitespace-nowrap tabular-nums text-muted-foreground',
          },
          {
            id: 'isDefault',
            header: <Trans>Padrão</Trans>,
            cell: (c) =>
              c.isDefault && <Check role="img" aria-label={t`Conexão padrão`} className="size-4 text-success" />,
          },
          ...(mayEdit
            ? [
                {
                  id: 'actions',
                  header: <span className="sr-only">{t`Ações`}</span>,
                  cell: actions,
                  className: 'text-right',
                },
              ]
            : []),
        ]}
        card={(c) => (
          <div className="flex flex-col gap-3">
            <div className="flex items-start gap-2">
              <div className="min-w-0 flex-1">
                <p className="flex items-center gap-2 font-medium">
                  <span className="truncate">{name(c)}</span>
                  {c.isDefault && (
                    <Badge tone="outline">
                      <Trans>Padrão</Trans>
                    </Badge>
                  )}
                </p>
                {c.number && <p className="text-sm text-muted-foreground tabular-nums">{phoneText(c.number)}</p>}
              </div>
              {mayEdit && <div className="-mt-2 -mr-2">{actions(c)}</div>}
            </div>
            <div className="flex flex-col items-start gap-1.5">
              {status(c)}
              <Health connection={c} />
              <p className="text-xs text-muted-foreground">
                <Trans>Atualizada em {moment(c.updatedAt)}</Trans>
              </p>
            </div>
            {mayControl && session(c)}
          </div>
        )}
      />
      {full}
      {overlay?.kind === 'create' && (
        <ConnectionDialog
          id={null}
          onClose={close}
          onSaved={(connection, made) => {
            source.reload()
            if (offersOf(connection.provider).pair) setOverlay({ kind: 'link', connection })
            else if (made && mayEdit) setOverlay({ kind: 'setUp', connection, ...made })
          }}
        />
      )}
      {overlay?.kind === 'edit' && (
        <ConnectionDialog id={overlay.connection.id} onClose={close} onSaved={source.reload} />
      )}
      {overlay?.kind === 'link' && <LinkDialog connection={overlay.connection} onClose={close} />}
      {overlay?.kind === 'setUp' && (
        <OfficialDialog
          connection={overlay.connection}
          verifyToken={overlay.verifyToken}
          onClose={() => {
            close()
            source.reload()
          }}
        />
      )}
      {overlay?.kind === 'remove' && (
        <RemoveDialog
          name={overlay.connection.name}
          uses={<UsesList noun="connection" id={overlay.connection.id} />}
          remove={() => connections.remove(overlay.connection.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>O número deixa de receber e enviar mensagens por aqui. Os atendimentos dela permanecem.</Trans>
        </RemoveDialog>
      )}
      <ConfirmDialog
        open={overlay?.kind === 'disconnect'}
        onOpenChange={close}
        destructive
        title={<Trans>Desconectar {overlay?.kind === 'disconnect' ? overlay.connection.name : ''}?</Trans>}
        confirmLabel={<Trans>Desconectar</Trans>}
        onConfirm={() =>
          overlay?.kind === 'disconnect' &&
          succeeds(() => connections.disconnect(overlay.connection.id), t`Conexão desconectada`, source.reload)
        }
      >
        {overlay?.kind === 'disconnect' && !offersOf(overlay.connection.provider).pair ? (
          <Trans>Nenhuma mensagem entra ou sai por ela até que alguém a conecte de novo.</Trans>
        ) : (
          <Trans>O celular será desvinculado. Para voltar a atender, será preciso ler um novo QR.</Trans>
        )}
      </ConfirmDialog>
      <ConfirmDialog
        open={overlay?.kind === 'newQr'}
        onOpenChange={close}
        title={<Trans>Gerar um novo QR?</Trans>}
        confirmLabel={<Trans>Gerar novo QR</Trans>}
        onConfirm={async () => {
          if (overlay?.kind === 'newQr') await newQr(overlay.connection)
          // The linking dialog has taken this one's place; after a failure this one stays.
          return false
        }}
      >
        <Trans>O vínculo anterior é esquecido e o celular precisa ler o novo código.</Trans>
      </ConfirmDialog>
    </Page>
  )
}

/** The last error in words, and when messages last came in and went out. */
function Health({ connection }: { connection: Connection }) {
  const { lastError, lastMessageInAt, lastMessageOutAt } = connection
  const { t } = useLingui()
  const moment = useMoment()
  const problem = useProblemText()(lastError)
  return (
    <>
      {problem && (
        <p className="flex max-w-xs items-start gap-1 text-xs text-destructive-soft-foreground">
          <TriangleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0" />
          {problem}
        </p>
      )}
      <NewChatsLine state={connection} />
      {(lastMessageInAt || lastMessageOutAt) && (
        <p className="flex flex-wrap gap-x-3 text-xs text-muted-foreground tabular-nums">
          {lastMessageInAt && (
            <LastMessage icon={ArrowDownLeft} label={t`Última mensagem recebida`}>
              {moment(lastMessageInAt)}
            </LastMessage>
          )}
          {lastMessageOutAt && (
            <LastMessage icon={ArrowUpRight} label={t`Última mensagem enviada`}>
              {moment(lastMessageOutAt)}
            </LastMessage>
          )}
        </p>
      )}
    </>
  )
}

function SessionButtons({
  connection,
  disabled,
  onLink,
  onAsk,
  onDone,
}: {
  connection: Connection
  disabled: boolean
  onLink: () => void
  /** What asks first, because it undoes the link to the phone. */
  onAsk: (kind: 'disconnect' | 'newQr') => void
  onDone: () => void
}) {
  const [starting, setStarting] = useState(false)
  const start = async () => {
    setStarting(true)
    try {
      await connections.start(connection.id)
    } catch (error) {
      toastError(error)
    }
    setStarting(false)
    onDone()
  }
  return (
    <div className="flex flex-wrap gap-2">
      {sessionControls(connection.status, offersOf(connection.provider)).map((control) => {
        switch (control) {
          case 'qr':
            return (
              <Button key={control} size="sm" onClick={onLink}>
                <QrCode />
                <Trans>QR CODE</Trans>
              </Button>
            )
          case 'start':
            return (
              <Button
                key={control}
                variant="outline"
                size="sm"
                busy={starting}
                disabled={disabled}
                onClick={() => void start()}
              >
                <RotateCcw />
                <Trans>Tentar de novo</Trans>
              </Button>
            )
          case 'newQr':
            return (
              <Button key={control} variant="outline" size="sm" disabled={disabled} onClick={() => onAsk('newQr')}>
                <QrCode />
                <Trans>Novo QR CODE</Trans>
              </Button>
            )
          case 'disconnect':
            return (
              <Button key={control} variant="outline" size="sm" disabled={disabled} onClick={() => onAsk('disconnect')}>
                <Unplug />
                <Trans>Desconectar</Trans>
              </Button>
            )
          case 'connecting':
            return (
              <Button key={control} variant="outline" size="sm" disabled>
                <RefreshCw className="animate-spin" />
                <Trans>Conectando</Trans>
              </Button>
            )
        }
      })}
    </div>
  )
}

/** When something last passed, behind a sign that says in which direction. */
function LastMessage({ icon: Icon, label, children }: { icon: LucideIcon; label: string; children: ReactNode }) {
  return (
    <Tooltip content={label}>
      <span tabIndex={0} className="focus-ring inline-flex items-center gap-1 rounded-sm">
        <Icon aria-hidden="true" className="size-3.5" />
        <span className="sr-only">{label}</span>
        {children}
      </span>
    </Tooltip>
  )
}

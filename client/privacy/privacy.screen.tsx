import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { FileCheck2, Inbox, Plus } from 'lucide-react'
import { useState } from 'react'
import { erasedKinds } from '../../schema/privacy/privacy.kinds.ts'
import { dateText } from '../i18n/dates.ts'
import { CopyButton } from '../kit/copy-button.tsx'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { RowActions } from '../kit/row-actions.tsx'
import { useDirectory } from '../replica/directory.ts'
import { useToday } from '../session/company-day.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogContent } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { type ErasureRow, privacy, type RequestRow, useErasures, useRequests } from './privacy.queries.ts'
import { RequestDialog } from './privacy.request-dialog.tsx'
import { PrivacyTerms } from './privacy.terms.tsx'
import { PrivacyText } from './privacy.text.tsx'
import { usePrivacyWords } from './privacy.words.ts'
import { toastError } from '../session/failure.tsx'

/** For whoever answers for people's data: what was asked, what was erased, what is kept for how long, and how it is told. */
export default function PrivacyScreen() {
  const { t } = useLingui()
  const sections = [
    { id: 'requests', label: t`Pedidos`, content: <Requests /> },
    { id: 'erasures', label: t`Apagados`, content: <Erasures /> },
    { id: 'terms', label: t`Prazos e números`, content: <PrivacyTerms /> },
    { id: 'text', label: t`Texto de privacidade`, content: <PrivacyText /> },
  ]
  return (
    <Page
      title={t`Privacidade`}
      description={
        <Trans>O que a lei dá a cada pessoa sobre os seus dados, e o que a empresa guarda por quanto tempo.</Trans>
      }
    >
      <Tabs defaultValue="requests" className="flex flex-col gap-5">
        <TabsList aria-label={t`Partes da privacidade`}>
          {sections.map(({ id, label }) => (
            <TabsTrigger key={id} value={id}>
              {label}
            </TabsTrigger>
          ))}
        </TabsList>
        {sections.map(({ id, content }) => (
          <TabsContent key={id} value={id}>
            {content}
          </TabsContent>
        ))}
      </Tabs>
    </Page>
  )
}

const dayText = (locale: string, day: string) => dateText(locale, new Date(`${day}T12:00:00`), 'fullDate')

function Requests() {
  const { t, i18n } = useLingui()
  const words = usePrivacyWords()
  const source = useRequests()
  const offline = useReadOnly({})
  const [editing, setEditing] = useState<RequestRow | 'new' | null>(null)
  const now = useToday()
  const add = (
    <Button disabled={offline} onClick={() => setEditing('new')}>
      <Plus />
      <Trans>Registrar pedido</Trans>
    </Button>
  )
  const nameOf = (row: RequestRow) => row.contactName ?? (row.subject || t`Pessoa apagada`)
  const due = (row: RequestRow) => {
    const day = dayText(i18n.locale, row.dueAt)
    if (row.state !== 'open') return <span className="text-muted-foreground">{day}</span>
    const days = Math.round((Date.parse(row.dueAt) - Date.parse(now)) / 86_400_000)
    return (
      <span className="flex flex-col items-start gap-0.5">
        <span className="tabular-nums">{day}</span>
        <Badge tone={days < 0 ? 'destructive' : days <= 3 ? 'warning' : 'neutral'}>
          {days < 0 ? (
            <Plural value={-days} one="# dia de atraso" other="# dias de atraso" />
          ) : days === 0 ? (
            <Trans>Hoje</Trans>
          ) : (
            <Plural value={days} one="Falta # dia" other="Faltam # dias" />
          )}
        </Badge>
      </span>
    )
  }
  const state = (row: RequestRow) => (
    <Badge tone={row.state === 'open' ? 'info' : row.state === 'done' ? 'success' : 'outline'}>
      {words.states[row.state]}
    </Badge>
  )
  const actions = (row: RequestRow) => (
    <RowActions
      name={nameOf(row)}
      disabled={offline}
      onEdit={() => setEditing(row)}
      more={[
        row.state === 'open' && {
          icon: FileCheck2,
          label: t`Marcar como atendido`,
          name: t`Marcar como atendido: ${nameOf(row)}`,
          disabled: offline,
          run: () => void privacy.changeRequest(row.id, { state: 'done' }).catch(toastError).then(source.reload),
        },
      ]}
    />
  )
  return (
    <div className="flex flex-col gap-4">
      {/* An empty list offers it by itself. */}
      {source.data?.length !== 0 && <div className="flex justify-end">{add}</div>}
      <DataList
        label={t`Pedidos de pessoas`}
        source={source}
        empty={
          <EmptyState icon={Inbox} title={<Trans>Nenhum pedido</Trans>} action={add}>
            <Trans>
              Quando alguém pedir para ver, corrigir ou apagar os seus dados, anote aqui: o prazo é contado sozinho.
            </Trans>
          </EmptyState>
        }
        columns={[
          {
            id: 'who',
            header: <Trans>Quem</Trans>,
            cell: (row) => <span className="font-medium">{nameOf(row)}</span>,
            className: 'wrap-anywhere',
          },
          { id: 'kind', header: <Trans>Pedido</Trans>, cell: (row) => words.requests[row.kind] },
          {
            id: 'receivedAt',
            header: <Trans>Recebido</Trans>,
            cell: (row) => dayText(i18n.locale, row.receivedAt),
            className: 'tabular-nums text-muted-foreground',
          },
          { id: 'due', header: <Trans>Responder até</Trans>, cell: due },
          { id: 'state', header: <Trans>Situação</Trans>, cell: state },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-28' },
        ]}
        card={(row) => (
          <div className="flex items-start gap-3">
            <div className="flex min-w-0 flex-1 flex-col items-start gap-1.5">
              <span className="font-medium wrap-anywhere">{nameOf(row)}</span>
              <span className="text-sm text-muted-foreground">{words.requests[row.kind]}</span>
              <span className="text-sm">{due(row)}</span>
              {state(row)}
            </div>
            {actions(row)}
          </div>
        )}
      />
      {editing && (
        <RequestDialog
          request={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onSaved={source.reload}
        />
      )}
    </div>
  )
}

function Erasures() {
  const { t, i18n } = useLingui()
  const source = useErasures()
  const { userName } = useNames()
  const [shown, setShown] = useState<ErasureRow | null>(null)
  const whenOf = (row: ErasureRow) => dateText(i18n.locale, new Date(row.createdAt), 'date', 'time')
  const state = (row: ErasureRow) =>
    row.state === 'done' ? (
      <Badge tone="success">
        <Trans>Apagado</Trans>
      </Badge>
    ) : (
      <Badge tone="warning">
        <Trans>Apagando</Trans>
      </Badge>
    )
  const more = (row: ErasureRow) => (
    <Button variant="outline" size="sm" onClick={() => setShown(row)} aria-label={t`Prova de ${whenOf(row)}`}>
      <Trans>Prova</Trans>
    </Button>
  )
  return (
    <>
      <DataList
        label={t`Pessoas apagadas`}
        source={source}
        empty={
          <EmptyState icon={FileCheck2} title={<Trans>Ninguém foi apagado</Trans>}>
            <Trans>Apague os dados de uma pessoa na lista de contatos, em Privacidade. A prova fica aqui.</Trans>
          </EmptyState>
        }
        columns={[
          { id: 'when', header: <Trans>Quando</Trans>, cell: whenOf, className: 'whitespace-nowrap tabular-nums' },
          {
            id: 'contact',
            header: <Trans>Contato</Trans>,
            cell: (row) => `#${row.contactId}`,
            className: 'tabular-nums',
          },
          { id: 'who', header: <Trans>Por quem</Trans>, cell: (row) => userName(row.userId) },
          { id: 'reason', header: <Trans>Motivo</Trans>, cell: (row) => row.reason, className: 'wrap-anywhere' },
          { id: 'state', header: <Trans>Situação</Trans>, cell: state },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: more, className: 'w-24' },
        ]}
        card={(row) => (
          <div className="flex items-center gap-3">
            <div className="flex min-w-0 flex-1 flex-col items-start gap-1 text-sm">
              <span className="font-medium tabular-nums">{whenOf(row)}</span>
              <span className="wrap-anywhere text-muted-foreground">{row.reason}</span>
              {state(row)}
            </div>
            {more(row)}
          </div>
        )}
      />
      {shown && <Proof row={shown} by={userName(shown.userId)} onClose={() => setShown(null)} />}
    </>
  )
}

function useNames() {
  const { t } = useLingui()
  const { users } = useDirectory()
  return {
    userName: (id: number | null) =>
      id === null ? t`Restauração de uma cópia` : (users.byId.get(id)?.name ?? `#${id}`),
  }
}

function Proof({ row, by, onClose }: { row: ErasureRow; by: string; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const { kinds } = usePrivacyWords()
  const moment = (iso: string | null) => (iso === null ? '—' : dateText(i18n.locale, new Date(iso), 'moment'))
  const lines: [string, string][] = [
    [t`Contato`, `#${row.contactId}`],
    [t`Motivo`, row.reason],
    [t`Pedido por`, by],
    [t`Começou`, moment(row.createdAt)],
    [t`Terminou`, moment(row.finishedAt)],
    ...erasedKinds.flatMap((kind): [string, string][] =>
      row.counts[kind] ? [[kinds[kind], row.counts[kind].toLocaleString(i18n.locale)]] : [],
    ),
    ['SHA-256', row.proof ?? '—'],
  ]
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t`Prova de que foi apagado`} description={t`Nada aqui diz de quem eram os dados.`}>
        <DialogBody className="flex flex-col gap-4">
          <dl className="divide-y rounded-lg border px-3.5 text-sm">
            {lines.map(([what, value]) => (
              <div key={what} className="flex justify-between gap-4 py-2">
                <dt className="min-w-20 text-muted-foreground">{what}</dt>
                <dd className="min-w-0 text-right tabular-nums wrap-anywhere">{value}</dd>
              </div>
            ))}
          </dl>
          <CopyButton className="self-start" text={lines.map((line) => line.join(': ')).join('\n')}>
            <Trans>Copiar</Trans>
          </CopyButton>
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { Megaphone, Paperclip, Plus, SearchX } from 'lucide-react'
import { stateOf } from '../../schema/announcements/announcements.audience.ts'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { useNow } from '../base/now.ts'
import { OperatorGate } from '../session/operator-gate.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { AnnouncementDialog } from './announcements.dialog.tsx'
import { announcements, useWrittenAnnouncements } from './announcements.queries.ts'
import type { WrittenAnnouncement } from './announcements.queries.ts'
import { usePriorityNames } from './announcements.words.ts'

/** Where the operator writes what companies are told. */
export default function AnnouncementsScreen() {
  return (
    <OperatorGate>
      <Announcements />
    </OperatorGate>
  )
}

function Announcements() {
  const { t } = useLingui()
  const { search, setSearch, settled } = useSearchText()
  const source = useWrittenAnnouncements(settled)
  const offline = useReadOnly({})
  const { edited, removed, create, edit, remove, close } = useRowOverlay<WrittenAnnouncement>(source.data)
  const add = (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Adicionar comunicado</Trans>
    </Button>
  )
  const now = useNow()
  const actions = (row: WrittenAnnouncement) => {
    const isKept = row.isVisit && (row.endsAt === null || Date.parse(row.endsAt) > now)
    if (isKept)
      return (
        <span className="text-xs text-muted-foreground">
          <Trans>Aviso de acesso: fica como está</Trans>
        </span>
      )
    return (
      <RowActions
        name={row.title}
        disabled={offline}
        {...(!row.isVisit && { onEdit: () => edit(row) })}
        onRemove={() => remove(row)}
      />
    )
  }
  return (
    <Page
      title={t`Comunicados`}
      actions={add}
      toolbar={<SearchInput value={search} onChange={setSearch} label={t`Buscar comunicado`} />}
    >
      <DataList
        label={t`Comunicados`}
        source={source}
        empty={
          search ? (
            <EmptyState icon={SearchX} title={<Trans>Nenhum comunicado encontrado</Trans>} />
          ) : (
            <EmptyState icon={Megaphone} title={<Trans>Nenhum comunicado</Trans>} action={add}>
              <Trans>
                O que você escrever aqui aparece no megafone de todas as empresas, ou das que você escolher.
              </Trans>
            </EmptyState>
          )
        }
        columns={[
          {
            id: 'title',
            header: <Trans>Título</Trans>,
            cell: (row) => <span className="font-medium">{row.title}</span>,
            className: 'wrap-anywhere',
          },
          {
            id: 'priority',
            header: <Trans>Prioridade</Trans>,
            cell: (row) => <Priority row={row} />,
            className: 'w-32',
          },
          {
            id: 'media',
            header: <Trans>Anexo</Trans>,
            cell: (row) => <Attached row={row} />,
            className: 'w-48 text-muted-foreground',
          },
          { id: 'status', header: <Trans>Situação</Trans>, cell: (row) => <Status row={row} />, className: 'w-36' },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-28' },
        ]}
        card={(row) => (
          <div className="flex items-center gap-3">
            <div className="flex min-w-0 flex-1 flex-col gap-1.5">
              <span className="truncate text-sm font-medium">{row.title}</span>
              <span className="flex flex-wrap items-center gap-1.5">
                <Priority row={row} />
                <Status row={row} />
              </span>
            </div>
            <div className="-mr-2">{actions(row)}</div>
          </div>
        )}
      />
      {edited !== undefined && <AnnouncementDialog row={edited} onClose={close} onSaved={source.reload} />}
      {removed && (
        <RemoveDialog
          name={removed.title}
          remove={() => announcements.remove(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>Ninguém mais o vê.</Trans>
        </RemoveDialog>
      )}
    </Page>
  )
}

function Priority({ row }: { row: WrittenAnnouncement }) {
  const words = usePriorityNames()
  const tones = { 1: 'destructive', 2: 'warning', 3: 'neutral' } as const
  return <Badge tone={tones[row.priority]}>{words[row.priority]}</Badge>
}

function Status({ row }: { row: WrittenAnnouncement }) {
  const { t } = useLingui()
  const now = useNow()
  const moment = (text: string | null) => (text === null ? null : new Date(text))
  const state = stateOf({ ...row, startsAt: moment(row.startsAt), endsAt: moment(row.endsAt) }, new Date(now))
  const words = { off: t`Inativo`, later: t`Agendado`, shown: t`Ativo`, over: t`Encerrado` }
  const tones = { off: 'outline', later: 'info', shown: 'success', over: 'neutral' } as const
  return <Badge tone={tones[state]}>{words[state]}</Badge>
}

function Attached({ row }: { row: WrittenAnnouncement }) {
  if (!row.mediaPath) return <Trans>Sem anexo</Trans>
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Paperclip aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="truncate">{row.mediaName}</span>
    </span>
  )
}

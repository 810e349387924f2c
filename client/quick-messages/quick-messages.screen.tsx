import { Trans, useLingui } from '@lingui/react/macro'
import { Paperclip, Plus, SearchX, Zap } from 'lucide-react'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { useCan } from '../session/session.tsx'
import { TemplateText } from '../placeholders/placeholders.text.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { QuickMessageDialog } from './quick-messages.dialog.tsx'
import { quickMessages, useQuickMessages } from './quick-messages.queries.ts'
import type { QuickMessage } from './quick-messages.queries.ts'

export default function QuickMessagesScreen() {
  const { t } = useLingui()
  const any = useCan('quick-messages:any')
  const { search, setSearch, settled } = useSearchText()
  const source = useQuickMessages(settled)
  const offline = useReadOnly(source)
  const { edited, removed, create, edit, remove, close } = useRowOverlay<QuickMessage>(source.data)

  const add = (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Nova resposta</Trans>
    </Button>
  )
  const name = (row: QuickMessage) => (
    <span className="flex min-w-0 flex-wrap items-center gap-2">
      <span className="min-w-0 font-medium wrap-anywhere">/{row.shortcode}</span>
      {!row.status && (
        <Badge tone="outline">
          <Trans>Inativa</Trans>
        </Badge>
      )}
    </span>
  )
  const text = (row: QuickMessage) => (
    <span className="line-clamp-2 wrap-anywhere whitespace-pre-wrap text-muted-foreground">
      <TemplateText text={row.message} />
    </span>
  )
  const attachment = (row: QuickMessage) =>
    row.mediaName ? (
      <span className="flex min-w-0 items-center gap-1.5">
        <Paperclip aria-hidden="true" className="size-3.5 shrink-0 text-muted-foreground" />
        <span className="truncate">{row.mediaName}</span>
      </span>
    ) : (
      <span className="text-muted-foreground">
        <Trans>Sem anexo</Trans>
      </span>
    )
  const sharing = (row: QuickMessage) =>
    row.isGeneral ? (
      <Badge tone="primary">
        <Trans>Geral</Trans>
      </Badge>
    ) : (
      <Badge tone="neutral">
        <Trans>Pessoal</Trans>
      </Badge>
    )
  const actions = (row: QuickMessage) =>
    // Those for everybody are for admins and supervisors to change.
    (any || !row.isGeneral) && (
      <RowActions name={`/${row.shortcode}`} disabled={offline} onEdit={() => edit(row)} onRemove={() => remove(row)} />
    )

  return (
    <Page
      title={t`Respostas rápidas`}
      actions={add}
      toolbar={<SearchInput value={search} onChange={setSearch} label={t`Buscar resposta rápida`} />}
    >
      <DataList
        label={t`Respostas rápidas`}
        source={source}
        empty={
          search ? (
            <EmptyState icon={SearchX} title={<Trans>Nenhuma resposta rápida encontrada</Trans>}>
              <Trans>Nenhuma resposta rápida tem “{search}” no atalho ou na mensagem.</Trans>
            </EmptyState>
          ) : (
            <EmptyState icon={Zap} title={<Trans>Nenhuma resposta rápida</Trans>} action={add}>
              <Trans>Textos prontos que se chamam na conversa com / e um atalho: horários, endereço, pagamento…</Trans>
            </EmptyState>
          )
        }
        columns={[
          { id: 'shortcode', header: <Trans>Atalho</Trans>, cell: name, className: 'wrap-anywhere w-52' },
          { id: 'message', header: <Trans>Mensagem</Trans>, cell: text },
          { id: 'mediaName', header: <Trans>Anexo</Trans>, cell: attachment, className: 'w-56 max-w-56' },
          { id: 'isGeneral', header: <Trans>Geral</Trans>, cell: sharing, className: 'w-28' },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-28' },
        ]}
        card={(row) => (
          <div className="flex items-start gap-2">
            <div className="flex min-w-0 flex-1 flex-col gap-1.5">
              <span className="flex flex-wrap items-center gap-2">
                {name(row)}
                {sharing(row)}
              </span>
              <span className="text-sm">{text(row)}</span>
              {row.mediaName && <span className="text-xs">{attachment(row)}</span>}
            </div>
            <div className="-mt-1 -mr-2">{actions(row)}</div>
          </div>
        )}
      />
      {edited !== undefined && <QuickMessageDialog row={edited} onClose={close} onSaved={source.reload} />}
      {removed && (
        <RemoveDialog
          name={`/${removed.shortcode}`}
          remove={() => quickMessages.remove(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          {removed.isGeneral && <Trans>Ninguém da empresa poderá mais usá-la.</Trans>}
        </RemoveDialog>
      )}
    </Page>
  )
}

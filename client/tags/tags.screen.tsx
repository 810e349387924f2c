import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Columns3, Plus, SearchX, Tags } from 'lucide-react'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { useCan } from '../session/session.tsx'
import { Badge, ColorTag } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { UsesList } from '../uses/uses.list.tsx'
import { TagDialog } from './tags.dialog.tsx'
import { tags, useTags } from './tags.queries.ts'
import type { Tag } from './tags.queries.ts'

export default function TagsScreen() {
  const { t } = useLingui()
  const mayKanban = useCan('tags:kanban')
  const { search, setSearch, settled } = useSearchText()
  const source = useTags(settled)
  const offline = useReadOnly(source)
  const { edited, removed, create, edit, remove, close } = useRowOverlay<Tag>(source.data)

  const add = (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Adicionar etiqueta</Trans>
    </Button>
  )
  const chip = (tag: Tag) => (
    <span className="flex min-w-0 items-center gap-2.5">
      <ColorTag color={tag.color} className="text-sm font-medium text-foreground">
        {tag.name}
      </ColorTag>
      {tag.kanban === 1 && (
        <Badge tone="outline">
          <Columns3 aria-hidden="true" />
          <Trans>Kanban</Trans>
        </Badge>
      )}
    </span>
  )
  const actions = (tag: Tag) => (
    <RowActions
      name={tag.name}
      disabled={offline}
      onEdit={() => edit(tag)}
      onRemove={tag.kanban === 1 && !mayKanban ? undefined : () => remove(tag)}
    />
  )

  return (
    <Page
      title={t`Etiquetas`}
      actions={add}
      toolbar={<SearchInput value={search} onChange={setSearch} label={t`Buscar etiqueta`} />}
    >
      <DataList
        label={t`Etiquetas`}
        source={source}
        empty={
          search ? (
            <EmptyState icon={SearchX} title={<Trans>Nenhuma etiqueta encontrada</Trans>}>
              <Trans>Nenhuma etiqueta tem “{search}” no nome.</Trans>
            </EmptyState>
          ) : (
            <EmptyState icon={Tags} title={<Trans>Nenhuma etiqueta</Trans>} action={add}>
              <Trans>Etiquetas marcam os atendimentos, para achá-los depois: orçamento, urgente, retornar…</Trans>
            </EmptyState>
          )
        }
        columns={[
          { id: 'name', header: <Trans>Nome</Trans>, cell: chip, className: 'wrap-anywhere' },
          {
            id: 'ticketsCount',
            header: <Trans>Atendimentos</Trans>,
            cell: (tag) => tag.ticketsCount ?? '—',
            className: 'w-40 tabular-nums text-muted-foreground',
          },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-28' },
        ]}
        card={(tag) => (
          <div className="flex items-center gap-3">
            <div className="flex min-w-0 flex-1 flex-col gap-0.5">
              {chip(tag)}
              {tag.ticketsCount !== undefined && (
                <span className="text-xs text-muted-foreground tabular-nums">
                  <Plural value={tag.ticketsCount} one="# atendimento" other="# atendimentos" />
                </span>
              )}
            </div>
            <div className="-mr-2">{actions(tag)}</div>
          </div>
        )}
      />
      {edited !== undefined && <TagDialog tag={edited} onClose={close} onSaved={source.reload} />}
      {removed && (
        <RemoveDialog
          name={removed.name}
          uses={<UsesList noun="tag" id={removed.id} />}
          remove={() => tags.remove(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>Ela sai dos atendimentos que a têm.</Trans>
        </RemoveDialog>
      )}
    </Page>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, SearchX, ListChecks } from 'lucide-react'
import { useActionWords } from '../actions/actions.words.tsx'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { useQueues } from '../replica/directory.ts'
import { useCan } from '../session/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { MacroDialog } from './macros.dialog.tsx'
import { macros, useMacros } from './macros.queries.ts'
import type { MacroRow } from './macros.rows.ts'
import { useSharingWords } from './macros.words.ts'

export default function MacrosScreen() {
  const { t } = useLingui()
  const any = useCan('macros:write')
  const { search, setSearch, settled } = useSearchText()
  const source = useMacros(settled)
  const offline = useReadOnly(source)
  const { edited, removed, create, edit, remove, close } = useRowOverlay<MacroRow>(source.data)
  const { sentence } = useActionWords()
  const sharings = useSharingWords()
  const queues = useQueues()

  const add = (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Nova macro</Trans>
    </Button>
  )
  const name = (row: MacroRow) => (
    <span className="flex min-w-0 flex-col gap-0.5">
      <span className="min-w-0 font-medium wrap-anywhere">{row.name}</span>
      {row.shortcut && <span className="text-xs text-muted-foreground">/{row.shortcut}</span>}
    </span>
  )
  const steps = (row: MacroRow) => (
    <ol className="flex min-w-0 list-inside list-decimal flex-col gap-0.5 text-muted-foreground">
      {row.actions.map((action, index) => (
        <li key={index} className="truncate">
          {sentence(action)}
        </li>
      ))}
    </ol>
  )
  const sharing = (row: MacroRow) => (
    <Badge tone={row.sharing === 'own' ? 'neutral' : 'primary'}>
      {row.sharing === 'queues'
        ? row.queueIds.map((id) => queues.byId.get(id)?.name ?? '—').join(', ') || '—'
        : sharings[row.sharing]}
    </Badge>
  )
  const actions = (row: MacroRow) =>
    // Those that others have, too, are for admins and supervisors to change.
    (any || row.sharing === 'own') && (
      <RowActions name={row.name} disabled={offline} onEdit={() => edit(row)} onRemove={() => remove(row)} />
    )

  return (
    <Page
      title={t`Macros`}
      actions={add}
      toolbar={<SearchInput value={search} onChange={setSearch} label={t`Buscar macro`} />}
    >
      <DataList
        label={t`Macros`}
        source={source}
        empty={
          search ? (
            <EmptyState icon={SearchX} title={<Trans>Nenhuma macro encontrada</Trans>}>
              <Trans>Nenhuma macro tem “{search}” no nome ou no atalho.</Trans>
            </EmptyState>
          ) : (
            <EmptyState icon={ListChecks} title={<Trans>Nenhuma macro</Trans>} action={add}>
              <Trans>
                Várias ações com um só comando: enviar uma mensagem, etiquetar, passar a outra fila, resolver…
              </Trans>
            </EmptyState>
          )
        }
        columns={[
          { id: 'name', header: <Trans>Nome</Trans>, cell: name, className: 'wrap-anywhere w-52' },
          { id: 'steps', header: <Trans>O que faz</Trans>, cell: steps, className: 'max-w-0' },
          { id: 'sharing', header: <Trans>Quem pode usar</Trans>, cell: sharing, className: 'w-44' },
          { id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-28' },
        ]}
        card={(row) => (
          <div className="flex items-start gap-2">
            <div className="flex min-w-0 flex-1 flex-col gap-1.5">
              <span className="flex flex-wrap items-center gap-2">
                {name(row)}
                {sharing(row)}
              </span>
              <span className="text-sm">{steps(row)}</span>
            </div>
            <div className="-mt-1 -mr-2">{actions(row)}</div>
          </div>
        )}
      />
      {edited !== undefined && <MacroDialog row={edited} onClose={close} onSaved={source.reload} />}
      {removed && (
        <RemoveDialog
          name={removed.name}
          remove={() => macros.remove(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          {removed.sharing !== 'own' && <Trans>Ninguém mais poderá usá-la.</Trans>}
        </RemoveDialog>
      )}
    </Page>
  )
}

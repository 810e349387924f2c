import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Files, Plus, SearchX } from 'lucide-react'
import { DataList, useReadOnly } from '../kit/data-list.tsx'
import { RemoveDialog, RowActions, useRowOverlay } from '../kit/row-actions.tsx'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { useCan } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { UsesList } from '../uses/uses.list.tsx'
import { FileListDialog } from './files.dialog.tsx'
import { type FileList, fileLists, useFileLists } from './files.queries.ts'

/** Lists of files that are sent together. */
export default function FilesScreen() {
  const { t } = useLingui()
  const { search, setSearch, settled } = useSearchText()
  const source = useFileLists(settled)
  const offline = useReadOnly({})
  const mayWrite = useCan('files:write')
  const { edited, removed, create, edit, remove, close } = useRowOverlay<FileList>(source.data)
  const add = mayWrite && (
    <Button disabled={offline} onClick={create}>
      <Plus />
      <Trans>Adicionar lista</Trans>
    </Button>
  )
  const actions = (list: FileList) =>
    mayWrite && (
      <RowActions name={list.name} disabled={offline} onEdit={() => edit(list)} onRemove={() => remove(list)} />
    )
  const count = ({ options }: FileList) => <Plural value={options.length} one="# arquivo" other="# arquivos" />
  return (
    <Page
      title={t`Listas de arquivos`}
      actions={add}
      toolbar={<SearchInput value={search} onChange={setSearch} label={t`Buscar lista`} />}
    >
      <DataList
        label={t`Listas de arquivos`}
        source={source}
        empty={
          search ? (
            <EmptyState icon={SearchX} title={<Trans>Nenhuma lista encontrada.</Trans>} />
          ) : (
            <EmptyState icon={Files} title={<Trans>Nenhuma lista de arquivos</Trans>} action={add}>
              <Trans>
                Catálogo, contrato, tabela de preços: o que vai junto numa conversa, numa resposta rápida ou numa
                campanha.
              </Trans>
            </EmptyState>
          )
        }
        columns={[
          {
            id: 'name',
            header: <Trans>Nome</Trans>,
            cell: (list) => (
              <span className="flex min-w-0 flex-col">
                <span className="truncate font-medium">{list.name}</span>
                <span className="truncate text-xs text-muted-foreground">{list.message}</span>
              </span>
            ),
          },
          { id: 'options', header: <Trans>Arquivos</Trans>, cell: count, className: 'w-32 text-muted-foreground' },
          ...(mayWrite
            ? [{ id: 'actions', header: <span className="sr-only">{t`Ações`}</span>, cell: actions, className: 'w-28' }]
            : []),
        ]}
        card={(list) => (
          <div className="flex items-center gap-3">
            <div className="flex min-w-0 flex-1 flex-col gap-0.5">
              <span className="truncate text-sm font-medium">{list.name}</span>
              <span className="text-xs text-muted-foreground tabular-nums">{count(list)}</span>
            </div>
            <div className="-mr-2">{actions(list)}</div>
          </div>
        )}
      />
      {edited !== undefined && <FileListDialog list={edited} onClose={close} onSaved={source.reload} />}
      {removed && (
        <RemoveDialog
          name={removed.name}
          uses={<UsesList noun="fileList" id={removed.id} />}
          remove={() => fileLists.remove(removed.id)}
          onRemoved={source.reload}
          onClose={close}
        >
          <Trans>Os arquivos dela vão junto. O que já foi enviado fica nas conversas.</Trans>
        </RemoveDialog>
      )}
    </Page>
  )
}

import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Files } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { errorText } from '../session/error-text.ts'
import { toastError } from '../session/failure.tsx'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { useUser } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { fileOf, type ListedFile, useFileLists } from './files.queries.ts'

const isThere = ({ path }: ListedFile) => path !== null

/**
 * The lists to choose from, and their files where only one is wanted. What is chosen is fetched before it is told.
 */
export default function FileListChoice({
  single = false,
  onChosen,
}: {
  /** One file instead of a whole list. */
  single?: boolean
  onChosen: (files: readonly File[], message: string) => void
}) {
  const { t } = useLingui()
  const user = useUser()
  const { search, setSearch, settled } = useSearchText()
  const { data, error, loading, hasMore, loadMore, reload } = useFileLists(settled)
  const [fetching, setFetching] = useState(false)
  const choose = async (options: readonly ListedFile[], message: string) => {
    setFetching(true)
    try {
      const files = await Promise.all(options.map((option) => fileOf(user.id, option)))
      onChosen(
        files.filter((file) => file !== null),
        message,
      )
    } catch (failure) {
      toastError(failure)
    } finally {
      setFetching(false)
    }
  }
  const lists = data?.filter(({ options }) => options.some(isThere))
  return (
    <div className="flex flex-col gap-2">
      <SearchInput value={search} onChange={setSearch} label={t`Buscar lista`} />
      {fetching || (!data && !error) ? (
        <p role="status" className="flex items-center gap-2 p-2 text-sm text-muted-foreground">
          <Spinner />
          {fetching ? <Trans>Buscando os arquivos…</Trans> : <Trans>Carregando…</Trans>}
        </p>
      ) : error && !data ? (
        <div className="flex flex-col items-start gap-2 p-2 text-sm">
          {errorText(error)}
          <Button variant="outline" size="sm" onClick={reload}>
            <Trans>Tentar de novo</Trans>
          </Button>
        </div>
      ) : !lists || lists.length === 0 ? (
        <p className="p-2 text-sm text-muted-foreground">
          {search ? (
            <Trans>Nenhuma lista encontrada.</Trans>
          ) : (
            <Trans>
              Nenhuma lista com arquivos ainda. Faça uma em{' '}
              <Link to="/files" className="font-medium underline">
                Listas de arquivos
              </Link>
              .
            </Trans>
          )}
        </p>
      ) : (
        <ul aria-label={t`Listas de arquivos`} className="flex max-h-72 flex-col overflow-y-auto">
          {lists.map(({ id, name, message, options }) => {
            const there = options.filter(isThere)
            if (single)
              return (
                <li key={id} className="flex flex-col">
                  <p className="px-2 pt-2 pb-1 text-xs font-medium text-muted-foreground">{name}</p>
                  {there.map((option) => (
                    <Choice key={option.id} onClick={() => void choose([option], message)} name={option.name} />
                  ))}
                </li>
              )
            return (
              <li key={id} className="flex flex-col">
                <Choice
                  onClick={() => void choose(there, message)}
                  name={name}
                  more={<Plural value={there.length} one="# arquivo" other="# arquivos" />}
                />
              </li>
            )
          })}
        </ul>
      )}
      {hasMore && (
        <Button variant="ghost" size="sm" busy={loading} onClick={loadMore}>
          <Trans>Mostrar mais</Trans>
        </Button>
      )}
    </div>
  )
}

function Choice({ name, more, onClick }: { name: string; more?: ReactNode; onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="focus-ring flex min-h-9 items-center gap-2 rounded-md px-2 text-left text-sm hover:bg-accent touch:min-h-11"
    >
      <Files aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {more && <span className="shrink-0 text-xs text-muted-foreground tabular-nums">{more}</span>}
    </button>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { WifiOff } from 'lucide-react'
import { memo, useEffect, useRef, useState } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { PageCard } from '../ui/page.tsx'
import { usePieces } from '../ui/pieces.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '../ui/table.tsx'
import type { ApiError } from '../session/api.ts'
import { useConnectionState } from '../session/connection-state.ts'
import { errorText } from '../session/error-text.ts'
import { useKeptFocus } from './kept-focus.ts'
import { isFirstScreenShown } from '../base/late.tsx'
import { narrowQuery, useMedia } from '../ui/use-media.ts'

export interface Column<Row> {
  id: string
  header: ReactNode
  cell: (row: Row) => ReactNode
  className?: string
}

/** What a list needs to know of where its rows come from; `Fetched` and `Pages` have it. */
export interface ListSource<Row> {
  data: readonly Row[] | undefined
  error: ApiError | null
  loading: boolean
  /** The rows are those of the search before; they grow pale when it takes long. */
  stale?: boolean
  reload: () => void
  hasMore?: boolean
  loadMore?: () => void
  /** The rows are this computer's copy, because the server cannot be reached. */
  offline?: boolean
}

/**
 * Whether nothing may be changed now. This computer's copy lacks fields: what is edited there must not be saved over
 * what the server has.
 */
export function useReadOnly({ offline }: Pick<ListSource<unknown>, 'offline'>): boolean {
  return useConnectionState() === 'offline' || offline === true
}

/**
 * Rows with what belongs to showing them: while they load, when they cannot be had, when there are none, when more
 * can be had. A table where there is room, one card for each row on a phone.
 */
export function DataList<Row extends { id: number | string }>({
  label,
  source,
  columns,
  card,
  rowClassName,
  onOpen,
  empty,
}: {
  /** Accessible name. */
  label: string
  source: ListSource<Row>
  columns: readonly Column<Row>[]
  card: (row: Row) => ReactNode
  /** A colour of the whole row. */
  rowClassName?: (row: Row) => string | undefined
  /** A click on a row, beside its links and buttons; the keyboard has one of these for the same. */
  onOpen?: (row: Row) => void
  empty: ReactNode
}) {
  const { data, error, loading } = source
  const kept = useKeptFocus(data)
  if (!data) {
    if (error && !loading) {
      return (
        <PageCard>
          <ErrorState title={<Trans>Não foi possível carregar a lista de registros</Trans>} onRetry={source.reload}>
            {errorText(error)}
          </ErrorState>
        </PageCard>
      )
    }
    return <LoadingRows label={label} />
  }
  return (
    <>
      {source.offline && <OfflineCopy />}
      {data.length === 0 ? (
        <>
          <PageCard>{empty}</PageCard>
          <ListEnd source={source} />
        </>
      ) : (
        <Rows {...{ label, source, columns, card, rowClassName, onOpen, kept }} rows={data} />
      )}
    </>
  )
}

function Rows<Row extends { id: number | string }>({
  label,
  source,
  rows,
  columns,
  card,
  rowClassName,
  onOpen,
  kept,
}: {
  label: string
  source: ListSource<Row>
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  card: (row: Row) => ReactNode
  rowClassName: ((row: Row) => string | undefined) | undefined
  onOpen: ((row: Row) => void) | undefined
  kept: ReturnType<typeof useKeptFocus>
}) {
  const narrow = useMedia(narrowQuery)
  // The first rows that the app shows come in small pieces, between which the page answers; later ones at once.
  const [isFirst] = useState(() => !isFirstScreenShown())
  const count = usePieces(rows.length, isFirst)
  const drawn = count === null ? rows : rows.slice(0, count)
  const stale = source.stale || undefined
  const pale = stale && 'opacity-60 transition-opacity delay-300'
  const opening = (row: Row) =>
    onOpen && {
      onClick: (event: MouseEvent<HTMLElement>) => isBeside(event) && onOpen(row),
    }
  return (
    <>
      {narrow ? (
        <ul
          ref={kept.list}
          onFocus={kept.onFocus}
          aria-label={label}
          aria-busy={stale}
          className={cn('flex flex-col gap-2.5', pale)}
        >
          {drawn.map((row) => (
            <li
              key={row.id}
              data-row={row.id}
              className={cn('rounded-xl border bg-card p-4 shadow-xs', onOpen && 'cursor-pointer', rowClassName?.(row))}
              {...opening(row)}
            >
              <Card row={row} card={card} />
            </li>
          ))}
        </ul>
      ) : (
        <PageCard ref={kept.list} onFocus={kept.onFocus} aria-busy={stale} className={cn(pale)}>
          <Table aria-label={label}>
            <TableHead className="[&_tr]:border-b!">
              <TableRow>
                {columns.map((column) => (
                  <TableHeader key={column.id} className={column.className}>
                    {column.header}
                  </TableHeader>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {drawn.map((row) => (
                <TableRow
                  key={row.id}
                  data-row={row.id}
                  className={cn(onOpen && 'cursor-pointer', rowClassName?.(row))}
                  {...opening(row)}
                >
                  <Cells row={row} columns={columns} />
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </PageCard>
      )}
      {count === null && <ListEnd source={source} />}
    </>
  )
}

/** Whether a click was meant for the row: on none of what it holds, in no menu of it, and at the end of no selection. */
function isBeside({ target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false
  return target.closest('a, button, input, label') === null && (getSelection()?.isCollapsed ?? true)
}

// Drawn again when what they show changes, or the screen says it otherwise; not for each piece that comes below them.
const Card = memo(function Card<Row>({ row, card }: { row: Row; card: (row: Row) => ReactNode }) {
  return card(row)
}) as <Row>(props: { row: Row; card: (row: Row) => ReactNode }) => ReactNode

const Cells = memo(function Cells<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return columns.map((column) => (
    <TableCell key={column.id} className={column.className}>
      {column.cell(row)}
    </TableCell>
  ))
}) as <Row>(props: { row: Row; columns: readonly Column<Row>[] }) => ReactNode

/** The end of a list: asks for the next page when it comes within 100 px of being seen. */
function ListEnd<Row>({ source: { hasMore, loadMore, loading, error, reload, offline } }: { source: ListSource<Row> }) {
  const mark = useRef<HTMLDivElement>(null)
  const latest = useRef(loadMore)
  useEffect(() => {
    latest.current = loadMore
  })
  useEffect(() => {
    if (!mark.current || !hasMore) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && latest.current?.(),
      {
        // The margin counts only for the element that scrolls, which is the page's content, not the window.
        root: mark.current.closest('.overflow-y-auto'),
        rootMargin: '100px',
      },
    )
    observer.observe(mark.current)
    return () => observer.disconnect()
    // Observed anew after each page: a short page leaves the mark in sight, and it would not "enter" again.
  }, [hasMore, loading])
  if (error && !offline) {
    return (
      <p role="alert" className="flex items-center justify-center gap-3 py-4 text-sm text-muted-foreground">
        {errorText(error)}
        <Button variant="outline" size="sm" onClick={reload}>
          <Trans>Tentar de novo</Trans>
        </Button>
      </p>
    )
  }
  if (!hasMore) return null
  return (
    <div ref={mark} className="flex h-14 items-center justify-center text-muted-foreground">
      {loading && <Spinner />}
    </div>
  )
}

export function LoadingRows({ label }: { label: string }) {
  const { t } = useLingui()
  return (
    <PageCard aria-busy="true" aria-label={t`Carregando: ${label}`} role="status">
      {Array.from({ length: 5 }, (_, index) => (
        <div key={index} className="flex h-13 items-center gap-6 border-b px-5 last:border-b-0">
          <Skeleton className="h-3.5 w-40" />
          <Skeleton className="h-3.5 flex-1 max-sm:hidden" />
          <Skeleton className="h-3.5 w-24" />
        </div>
      ))}
    </PageCard>
  )
}

/** Tells that rows are the copy of this computer. */
export function OfflineCopy({ className }: { className?: string }) {
  return (
    <p
      role="status"
      className={cn(
        'mb-3 flex items-center gap-2 rounded-lg bg-warning-soft px-3.5 py-2.5 text-sm text-warning-soft-foreground',
        className,
      )}
    >
      <WifiOff aria-hidden="true" className="size-4 shrink-0" />
      <Trans>Sem conexão com o servidor: esta é a cópia deste computador. Para mudar algo, é preciso a rede.</Trans>
    </p>
  )
}

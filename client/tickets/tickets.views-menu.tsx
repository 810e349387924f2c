import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, EllipsisVertical, Pencil, Trash2, Users } from 'lucide-react'
import { Suspense, useState } from 'react'
import { late } from '../base/late.tsx'
import { useStore } from '../base/store.ts'
import { useActions } from '../kit/actions.ts'
import { openView } from '../kit/open-view.ts'
import { useRows } from '../replica/live-rows.ts'
import { useReplica } from '../replica/replica.tsx'
import { perform } from '../session/perform.ts'
import { useCan, usePrincipal } from '../session/session.tsx'
import { offerUndo } from '../session/undo.ts'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '../ui/dropdown-menu.tsx'
import { ViewMark } from './tickets.view-mark.tsx'
import { storedFilter, ticketViews, viewCounts, type ViewRow } from './tickets.views.ts'

const ViewDialog = late(() => import('./tickets.view-dialog.tsx'))

const none: readonly ViewRow[] = []

/** The views in the side menu, each with how many tickets it holds now. Nothing while there are none. */
export default function ViewsMenu({ rail, onNavigate }: { rail: boolean; onNavigate?: (() => void) | undefined }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const who = usePrincipal()
  const isInbox = useLocation({ select: ({ pathname }) => pathname.startsWith('/tickets') })
  const { rows: views = none } = useRows(ticketViews)
  const { rows: counted } = useRows(views.length > 0 && !rail ? viewCounts(views, who) : null, { keepPrevious: true })
  const opened = useStore(openView)
  const [editing, setEditing] = useState<ViewRow | null>(null)
  const open = (view: ViewRow) => {
    openView.set(view.id)
    // Over a phone's screen lies the menu, and under it perhaps a conversation.
    if (!isInbox || onNavigate) void navigate({ to: '/tickets' })
    onNavigate?.()
  }
  const group = t`Lista de atendimentos`
  useActions(
    views.map((view) => {
      const { id, name } = view
      return { id: `view:${id}`, label: t`Visão: ${name}`, group, run: () => open(view) }
    }),
  )
  const changes = useViewChanges(views)
  if (rail || views.length === 0) return null
  return (
    <div className="mb-3">
      {/* The list is called so. No heading: it would stand above the screen's own, as no other group of the menu does. */}
      <p aria-hidden="true" className="mb-0.5 px-2.5 py-1 text-xs font-medium text-muted-foreground">
        <Trans>Visões</Trans>
      </p>
      <ul aria-label={t`Visões`} className="flex flex-col gap-px">
        {views.map((view, at) => (
          <Line
            key={view.id}
            view={view}
            count={counted?.[0]?.counts[at]}
            isOpen={isInbox && view.id === opened}
            changes={changes}
            onOpen={() => open(view)}
            onEdit={() => setEditing(view)}
          />
        ))}
      </ul>
      <Suspense fallback={null}>
        {editing && <ViewDialog view={editing} filter={editing.filter} onClose={() => setEditing(null)} />}
      </Suspense>
    </div>
  )
}

type Changes = ReturnType<typeof useViewChanges>

/** What can be done with views, each in its group: own ones, and shared ones. */
function useViewChanges(views: readonly ViewRow[]) {
  const { t } = useLingui()
  const replica = useReplica()
  const mayShare = useCan('views:share')
  const groupOf = (view: ViewRow) => views.filter(({ sharing }) => (sharing === 'own') === (view.sharing === 'own'))
  /** In which order its group stands then; null where it cannot move so. */
  const moved = (view: ViewRow, by: 1 | -1): string[] | null => {
    const ids = groupOf(view).map(({ id }) => id)
    const from = ids.indexOf(view.id)
    const other = ids[from + by]
    if (other === undefined) return null
    ids.splice(from, 1)
    ids.splice(from + by, 0, view.id)
    return ids
  }
  return {
    mayChange: (view: ViewRow) => view.sharing === 'own' || mayShare,
    canMove: (view: ViewRow, by: 1 | -1) => moved(view, by) !== null,
    move: (view: ViewRow, by: 1 | -1) => {
      const ids = moved(view, by)
      if (ids) void perform(replica, 'filters.order', { ids })
    },
    remove: async (view: ViewRow) => {
      const { id, name, filter, ...kept } = view
      const order = groupOf(view).map((one) => one.id)
      const wasOpen = openView.get() === id
      if (!(await perform(replica, 'filters.delete', { id }))) return
      if (wasOpen) openView.set(null)
      offerUndo(t`Visão ${name} excluída`, () => {
        void (async () => {
          if (!(await perform(replica, 'filters.save', { id, name, filter: storedFilter(filter), ...kept }))) return
          await perform(replica, 'filters.order', { ids: order })
        })()
      })
    },
  }
}

function Line({
  view,
  count,
  isOpen,
  changes,
  onOpen,
  onEdit,
}: {
  view: ViewRow
  /** Undefined until it was counted. */
  count: number | undefined
  isOpen: boolean
  changes: Changes
  onOpen: () => void
  onEdit: () => void
}) {
  const { t } = useLingui()
  const { name } = view
  const mayChange = changes.mayChange(view)
  return (
    <li className="group/view relative">
      <button
        type="button"
        aria-current={isOpen ? 'true' : undefined}
        aria-keyshortcuts={mayChange ? 'Alt+ArrowUp Alt+ArrowDown' : undefined}
        onClick={onOpen}
        onKeyDown={(event) => {
          if (!mayChange || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
          event.preventDefault()
          changes.move(view, event.key === 'ArrowUp' ? -1 : 1)
        }}
        className={cn(
          'focus-ring flex h-8 w-full items-center gap-2.5 rounded-md pr-2.5 pl-2.5 text-left text-sm font-medium outline-offset-[-2px] transition-colors touch:h-11',
          mayChange && 'touch:pr-12',
          isOpen
            ? 'bg-sidebar-accent text-foreground'
            : 'text-muted-foreground hover:bg-sidebar-accent hover:text-foreground',
        )}
      >
        <ViewMark color={view.color} />
        <span className="min-w-0 flex-1 truncate">{name}</span>
        {view.sharing !== 'own' && (
          <Users role="img" aria-label={t`Compartilhada`} className="size-3.5 shrink-0 text-muted-foreground" />
        )}
        {count !== undefined && (
          <span
            className={cn(
              'min-w-4.5 shrink-0 text-right text-xs text-muted-foreground tabular-nums',
              mayChange && 'pointer-fine:group-focus-within/view:invisible pointer-fine:group-hover/view:invisible',
            )}
          >
            <span aria-hidden="true">{count}</span>
            <span className="sr-only">{plural(count, { one: '# atendimento', other: '# atendimentos' })}</span>
          </span>
        )}
      </button>
      {mayChange && (
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={t`Ações de ${name}`}
              className="absolute top-0.5 right-0.5 text-muted-foreground touch:top-0 touch:right-0 pointer-fine:opacity-0 pointer-fine:group-focus-within/view:opacity-100 pointer-fine:group-hover/view:opacity-100 pointer-fine:data-[state=open]:opacity-100"
            >
              <EllipsisVertical />
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent align="start">
            <DropdownMenuItem onSelect={onEdit}>
              <Pencil />
              <Trans>Editar</Trans>
            </DropdownMenuItem>
            <DropdownMenuItem disabled={!changes.canMove(view, -1)} onSelect={() => changes.move(view, -1)}>
              <ArrowUp />
              <Trans>Mover para cima</Trans>
            </DropdownMenuItem>
            <DropdownMenuItem disabled={!changes.canMove(view, 1)} onSelect={() => changes.move(view, 1)}>
              <ArrowDown />
              <Trans>Mover para baixo</Trans>
            </DropdownMenuItem>
            <DropdownMenuItem destructive onSelect={() => void changes.remove(view)}>
              <Trash2 />
              <Trans>Excluir</Trans>
            </DropdownMenuItem>
          </DropdownMenuContent>
        </DropdownMenu>
      )}
    </li>
  )
}

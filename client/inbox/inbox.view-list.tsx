import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Inbox, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { can } from '../../schema/permissions.ts'
import { viewOf } from '../../schema/tickets/tickets.list.ts'
import { openView } from '../kit/open-view.ts'
import { useRows } from '../replica/live-rows.ts'
import { usePrincipal } from '../session/session.tsx'
import { ViewMark } from '../tickets/tickets.view-mark.tsx'
import { ticketViews, viewCounts, type ViewRow } from '../tickets/tickets.views.ts'
import { CountBadge } from '../ui/badge.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { ListSkeleton, TicketList } from './inbox.list.tsx'
import { type ListProps, useWhere, useWindowed } from './inbox.windowed.ts'

/** What a view holds, in the place of the tabs' lists; one that is there no longer gives the place back. */
export default function ViewList({ id, ...props }: ListProps & { id: string }) {
  const { t } = useLingui()
  const { rows } = useRows(ticketViews)
  const view = rows?.find((row) => row.id === id)
  // One that was saved this moment is not among the rows yet.
  const [wasThere, setThere] = useState(false)
  if (view && !wasThere) setThere(true)
  const isGone = wasThere && !view
  useEffect(() => {
    if (isGone) openView.set(null)
  }, [isGone])
  return view ? <View view={view} {...props} /> : <ListSkeleton label={t`Visões`} />
}

function View({ view, ...props }: ListProps & { view: ViewRow }) {
  const { t } = useLingui()
  const who = usePrincipal()
  const where = useWhere(viewOf(view.filter, who))
  const { tickets, stale, error, grow } = useWindowed(where, view.filter.order)
  const { rows: counted } = useRows(viewCounts([view], who))
  const count = counted?.[0]?.counts[0] ?? 0
  return (
    <div role="tabpanel" aria-label={view.name} className="flex min-h-0 flex-1 flex-col">
      {/* On a phone its chip says so, and takes it off. */}
      <div className="flex h-11 shrink-0 items-center gap-2 border-b pr-2 pl-4 max-md:hidden">
        <ViewMark color={view.color} />
        <h2 className="min-w-0 truncate text-sm font-medium">{view.name}</h2>
        <CountBadge
          count={count}
          tone="neutral"
          label={plural(count, { one: '# atendimento', other: '# atendimentos' })}
        />
        <span className="flex-1" />
        <IconButton label={t`Fechar a visão`} onClick={() => openView.set(null)}>
          <X />
        </IconButton>
      </div>
      <TicketList
        {...props}
        where={where}
        tickets={tickets}
        stale={stale}
        error={error}
        showAgent={!view.filter.mine && can(who, 'tickets-manager:showall')}
        label={view.name}
        empty={
          <EmptyState icon={Inbox} title={t`Nada nesta visão`}>
            <Trans>Atendimentos que se encaixam nela aparecem aqui.</Trans>
          </EmptyState>
        }
        onEndReached={grow}
      />
    </div>
  )
}

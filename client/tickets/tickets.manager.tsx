import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Archive, type LucideIcon, CloudOff, Inbox, MessageSquarePlus, Search, SearchX } from 'lucide-react'
import { memo, Suspense, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { can } from '../../schema/permissions.ts'
import { afterwards, late } from '../app/late.tsx'
import { local } from '../app/local.ts'
import { useMedia } from '../app/use-media.ts'
import { useSettled } from '../app/use-settled.ts'
import { usePrincipal } from '../app/session.tsx'
import { useActions } from '../palette/actions.ts'
import { CountBadge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { Switch } from '../ui/switch.tsx'
import { Tabs, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { FilterChips } from './tickets.filter-chips.tsx'
import { useFetchedTickets } from './tickets.fetched.ts'
import { useFoundMessages } from './tickets.found-messages.ts'
import { useRows } from '../app/live-rows.ts'
import { lastAccepted } from './tickets.use-actions.tsx'
import { noNarrowing } from './tickets.saved-filters.ts'
import { TicketList } from './tickets.list.tsx'
import { wantRow } from './tickets.row-focus.ts'
import {
  isSearching,
  isWithin,
  mergeTickets,
  ticketCounts,
  ticketList,
  ticketPage,
  ticketSearch,
  type ListFilter,
  type ListNarrowing,
  type TicketRow,
  type TicketSearch,
} from './tickets.rows.ts'
import { useOnline } from '../app/use-online.ts'

const TicketFilterButton = afterwards(() => import('./tickets.filter.tsx'))
const SearchFields = late(() => import('./tickets.search-fields.tsx'))

type MainTab = 'open' | 'closed' | 'search'

/** The left side of the tickets screen: what is mine, what waits, what is closed, and the search. */
export const TicketManager = memo(function TicketManager({
  onNewTicket,
  onSpy,
  onReopen,
}: {
  onNewTicket: () => void
  onSpy: (ticket: TicketRow) => void
  onReopen: () => void
}) {
  const { t } = useLingui()
  const who = usePrincipal()
  const managesAll = can(who, 'tickets-manager:showall')
  // Where there is room for one of list and conversation, there is room for one row of tabs.
  const onePane = useMedia('(width < 768px)')
  const [tab, setTab] = useState<MainTab>('open')
  const [openTab, setOpenTab] = useState<'open' | 'pending'>('open')
  useEffect(() => lastAccepted.subscribe(() => lastAccepted.get() !== null && setOpenTab('open')), [])
  const [showAll, setShowAll] = useKept('balcao.tickets.show-all', who.profile === 'admin')
  const [narrowing, setNarrowing] = useState<ListNarrowing>(noNarrowing)
  const [search, setSearch] = useState<TicketSearch>({ text: '', tagIds: [], userIds: [] })
  const all = managesAll && showAll
  const shared = { showAll: all, ...narrowing }
  const { rows: counted } = useRows(ticketCounts(shared, who))
  const counts = counted?.[0] ?? { open: 0, pending: 0 }
  const { open: openCount, pending: pendingCount } = counts

  const show = (next: MainTab, within = openTab) => {
    setTab(next)
    setOpenTab(within)
    wantRow({ to: 'list' })
  }
  const group = t`Lista de atendimentos`
  useActions([
    { id: 'tickets.new', label: t`Novo atendimento`, group, shortcut: 'n', run: onNewTicket },
    { id: 'tickets.search', label: t`Buscar atendimentos`, group, shortcut: '/', run: () => setTab('search') },
    { id: 'tickets.open', label: t`Mostrar em atendimento`, group, shortcut: '1', run: () => show('open', 'open') },
    { id: 'tickets.pending', label: t`Mostrar quem aguarda`, group, shortcut: '2', run: () => show('open', 'pending') },
    { id: 'tickets.closed', label: t`Mostrar os resolvidos`, group, shortcut: '3', run: () => show('closed') },
  ])

  const setText = (text: string) => {
    setSearch({ ...search, text })
    // Emptying the box ends the search, unless tags or users still say what is looked for.
    if (text === '' && search.text !== '' && search.tagIds.length === 0 && search.userIds.length === 0) setTab('open')
  }

  return (
    <section aria-label={t`Atendimentos`} className="flex h-full min-h-0 flex-col bg-card">
      <Tabs
        value={onePane && tab === 'open' ? openTab : tab}
        onValueChange={(next) => {
          const isWithin = onePane && (next === 'open' || next === 'pending')
          if (isWithin) setOpenTab(next)
          setTab(isWithin ? 'open' : (next as MainTab))
        }}
        className="flex min-h-0 flex-1 flex-col"
      >
        <div className="flex h-13 shrink-0 items-center gap-1 border-b pr-2 pl-4 max-md:pl-1">
          <TabsList
            aria-label={t`Listas de atendimentos`}
            // Two names with their numbers, two icons and the two buttons beside them share the width of a phone.
            className="h-full min-w-0 flex-1 border-b-0 max-md:gap-0 max-md:[&>button]:gap-1 max-md:[&>button]:px-1.5 max-md:[&>button]:text-[0.8125rem] max-md:[&>button:has(>svg)]:px-2 [&>button]:h-full"
          >
            {onePane ? (
              <OpenTabs open={openCount} pending={pendingCount} />
            ) : (
              <TabsTrigger value="open">
                <Trans>Abertos</Trans>
              </TabsTrigger>
            )}
            <TabsTrigger value="closed">
              <OnTab icon={Archive} isIcon={onePane}>
                <Trans>Resolvidos</Trans>
              </OnTab>
            </TabsTrigger>
            <TabsTrigger value="search">
              <OnTab icon={Search} isIcon={onePane}>
                <Trans>Busca</Trans>
              </OnTab>
            </TabsTrigger>
          </TabsList>
          {tab !== 'search' && <TicketFilterButton value={narrowing} onChange={setNarrowing} all={all} />}
          <Tooltip content={t`Novo atendimento`}>
            <Button
              variant="ghost"
              size="icon"
              aria-label={t`Novo atendimento`}
              aria-keyshortcuts="n"
              onClick={onNewTicket}
            >
              <MessageSquarePlus />
            </Button>
          </Tooltip>
        </div>

        {tab !== 'search' && <FilterChips value={narrowing} onChange={setNarrowing} />}
        {tab === 'open' && (
          <div role="tabpanel" aria-label={t`Abertos`} className="flex min-h-0 flex-1 flex-col">
            <Tabs
              value={openTab}
              onValueChange={(next) => setOpenTab(next as 'open' | 'pending')}
              className={onePane && !managesAll ? 'hidden' : 'px-3 pt-2.5 pb-1.5'}
            >
              {!onePane && (
                <TabsList look="pill" aria-label={t`Atendimentos abertos`}>
                  <OpenTabs open={openCount} pending={pendingCount} />
                </TabsList>
              )}
              {managesAll && (
                <label className="not-first:mt-2 flex items-center justify-between gap-3 px-1 text-xs text-muted-foreground">
                  <Trans>Mostrar todos</Trans>
                  <Switch checked={showAll} onCheckedChange={setShowAll} />
                </label>
              )}
            </Tabs>
            <LiveList
              key={openTab}
              filter={{ tab: openTab, ...shared }}
              label={openTab === 'open' ? t`Em atendimento` : t`Aguardando`}
              onSpy={onSpy}
              onReopen={onReopen}
              empty={
                openTab === 'open' ? (
                  <EmptyState icon={Inbox} title={t`Nenhum atendimento em andamento`}>
                    {pendingCount > 0 ? (
                      <Trans>Há atendimentos aguardando. Aceite um para começar.</Trans>
                    ) : (
                      <Trans>Quando um contato escrever, o atendimento aparece em Aguardando.</Trans>
                    )}
                  </EmptyState>
                ) : (
                  <EmptyState icon={Inbox} title={t`Ninguém aguardando`}>
                    <Trans>Novas conversas das suas filas aparecem aqui.</Trans>
                  </EmptyState>
                )
              }
            />
          </div>
        )}
        {tab === 'closed' && (
          <div role="tabpanel" aria-label={t`Resolvidos`} className="flex min-h-0 flex-1 flex-col">
            <ClosedList filter={{ tab: 'closed', showAll: true, ...narrowing }} onSpy={onSpy} onReopen={onReopen} />
          </div>
        )}
        {tab === 'search' && (
          <div role="tabpanel" aria-label={t`Busca`} className="flex min-h-0 flex-1 flex-col">
            <Suspense fallback={<div className="h-[5.75rem] border-b" />}>
              <SearchFields search={search} onText={setText} onChange={setSearch} />
            </Suspense>
            <SearchList search={search} onSpy={onSpy} onReopen={onReopen} />
          </div>
        )}
      </Tabs>
    </section>
  )
})

/** The name of a tab, or an icon for it where there is no room. */
function OnTab({ icon: Icon, isIcon, children }: { icon: LucideIcon; isIcon: boolean; children: ReactNode }) {
  if (!isIcon) return children
  return (
    <>
      <Icon aria-hidden="true" className="size-4.5" />
      <span className="sr-only">{children}</span>
    </>
  )
}

/** What the agent has, and what waits. */
function OpenTabs({ open: openCount, pending: pendingCount }: { open: number; pending: number }) {
  return (
    <>
      <TabsTrigger value="open">
        <Trans>Atendendo</Trans>
        {/* On the smallest phones the number of what waits is the one that is needed. */}
        <span className="inline-flex max-[24rem]:sr-only">
          <CountBadge
            count={openCount}
            tone="neutral"
            label={plural(openCount, { one: '# atendimento', other: '# atendimentos' })}
          />
        </span>
      </TabsTrigger>
      <TabsTrigger value="pending">
        <Trans>Aguardando</Trans>
        <CountBadge
          count={pendingCount}
          tone={pendingCount > 0 ? 'solid' : 'neutral'}
          label={plural(pendingCount, { one: '# atendimento', other: '# atendimentos' })}
        />
      </TabsTrigger>
    </>
  )
}

interface ListProps {
  onSpy: (ticket: TicketRow) => void
  onReopen: () => void
}

/** By half of what is there, at least a page: whoever scrolls through thousands has them read a dozen times, not a hundred. */
const grown = (limit: number) => limit + Math.max(ticketPage, Math.floor(limit / 2))

/** A list whose window grows when its end comes near. */
function useWindowed(filter: ListFilter) {
  const who = usePrincipal()
  const key = JSON.stringify(filter)
  const [asked, setAsked] = useState({ key, limit: ticketPage })
  const limit = asked.key === key ? asked.limit : ticketPage
  const { rows, error } = useRows(ticketList(filter, who, limit))
  // While the larger window is read, the smaller one stays on the screen.
  const [shown, setShown] = useState<{ key: string; rows: readonly TicketRow[] } | null>(null)
  if (rows && (shown?.rows !== rows || shown.key !== key)) setShown({ key, rows })
  const tickets = rows ?? (shown?.key === key ? shown.rows : undefined)
  const complete = rows !== undefined && rows.length < limit
  const grow = () => {
    if (rows && rows.length >= limit) setAsked({ key, limit: grown(limit) })
  }
  return { tickets, error, complete, grow }
}

function LiveList({
  filter,
  label,
  empty,
  ...props
}: ListProps & { filter: ListFilter; label: string; empty: ReactNode }) {
  const { tickets, error, grow } = useWindowed(filter)
  return (
    <TicketList
      {...props}
      tickets={tickets}
      error={error}
      showAgent={filter.showAll}
      label={label}
      empty={empty}
      onEndReached={grow}
    />
  )
}

/** Closed tickets: those of the replica, then what the server has beyond it. */
function ClosedList({ filter, ...props }: ListProps & { filter: ListFilter }) {
  const { t } = useLingui()
  const online = useOnline()
  const { tickets: local, error, complete, grow } = useWindowed(filter)
  const { queueIds, tagIds, userIds, whatsappIds, unreadOnly, unansweredOnly } = filter
  const realQueues = queueIds.filter((id) => id !== 0)
  const fetched = useFetchedTickets({
    status: 'closed',
    showAll: true,
    queueIds: listed(realQueues),
    tags: listed(tagIds ?? []),
    users: listed(userIds ?? []),
  })
  const further = useMemo(
    // The server knows some of it only, and goes by its own rights.
    () =>
      fetched.tickets.filter((ticket) =>
        isWithin(ticket, { queueIds, tagIds, userIds, whatsappIds, unreadOnly, unansweredOnly }),
      ),
    [fetched.tickets, queueIds, tagIds, userIds, whatsappIds, unreadOnly, unansweredOnly],
  )
  const tickets = useMemo(() => local && mergeTickets(local, further), [local, further])
  return (
    <TicketList
      {...props}
      tickets={tickets}
      error={error}
      showAgent
      label={t`Resolvidos`}
      empty={
        <EmptyState icon={Archive} title={t`Nada resolvido ainda`}>
          <Trans>Atendimentos resolvidos ficam aqui e podem ser reabertos.</Trans>
        </EmptyState>
      }
      footer={
        <ServerNote online={online} loading={fetched.loading} failed={fetched.failed} onRetry={fetched.loadMore} />
      }
      onEndReached={() => {
        if (!complete) grow()
        else if (online && !fetched.failed) fetched.loadMore()
      }}
    />
  )
}

/** The replica's answers at once, the server's added when they come. */
function SearchList({ search: typed, ...props }: ListProps & { search: TicketSearch }) {
  const { t } = useLingui()
  const online = useOnline()
  const settledText = useSettled(typed.text, 500)
  // What is cleared disappears at once; what is typed waits for the pause.
  const text = (typed.text === '' ? '' : settledText).trim().toLowerCase()
  const search = { ...typed, text }
  const active = isSearching(search)
  const [limit, setLimit] = useState(ticketPage)
  const found = useFoundMessages(text)
  const byMessage = useMemo(() => found.map(({ ticketId }) => ticketId), [found])
  // While a longer text is looked up, the answers to the shorter one stay.
  const {
    rows: local,
    previous,
    error,
  } = useRows(active ? ticketSearch(search, byMessage, limit) : null, {
    keepPrevious: true,
  })
  const fetched = useFetchedTickets(
    active && online
      ? { showAll: true, searchParam: text || undefined, tags: listed(search.tagIds), users: listed(search.userIds) }
      : null,
  )
  const { loadMore, found: foundElsewhere } = fetched
  const pieces = useMemo(() => {
    const byTicket = new Map(found.map((message) => [message.ticketId, message]))
    const elsewhere = new Map(foundElsewhere.map((message) => [message.ticketId, message]))
    return text === '' ? null : { text, byTicket, elsewhere }
  }, [found, foundElsewhere, text])
  const asked = JSON.stringify([text, search.tagIds, search.userIds])
  useEffect(() => {
    if (active && online) loadMore()
    // One first page for each question; further pages come with scrolling.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [asked, active, online])

  const tickets = useMemo(
    () => (active ? mergeTickets(local ?? [], fetched.tickets) : []),
    [active, local, fetched.tickets],
  )
  const waiting = active && (!local || previous || fetched.loading)

  return (
    <>
      <p role="status" className="sr-only">
        {active && !waiting ? plural(tickets.length, { one: '# encontrado', other: '# encontrados' }) : ''}
      </p>
      <TicketList
        {...props}
        tickets={tickets}
        error={error}
        showAgent
        label={t`Resultados da busca`}
        pieces={pieces}
        empty={
          !active ? (
            <EmptyState icon={Search} title={t`Buscar atendimentos`}>
              <Trans>Por nome, número, texto das mensagens ou etiquetas, também nos resolvidos.</Trans>
            </EmptyState>
          ) : waiting ? (
            <p className="flex items-center justify-center gap-2 py-14 text-sm text-muted-foreground">
              <Spinner />
              <Trans>Buscando…</Trans>
            </p>
          ) : (
            <EmptyState icon={SearchX} title={t`Nada encontrado`}>
              {online ? (
                <Trans>Tente outro nome, parte do número ou menos palavras.</Trans>
              ) : (
                <Trans>Sem rede, a busca vê só o que está neste navegador.</Trans>
              )}
            </EmptyState>
          )
        }
        footer={
          active && tickets.length > 0 ? (
            <ServerNote online={online} loading={fetched.loading} failed={fetched.failed} onRetry={loadMore} />
          ) : undefined
        }
        onEndReached={() => {
          if (!active) return
          if (local && !previous && local.length >= limit) setLimit(grown(limit))
          if (online && !fetched.failed) loadMore()
        }}
      />
    </>
  )
}

const listed = (ids: readonly number[]) => (ids.length > 0 ? ids : undefined)

/** What the server still has to say about the list above. */
function ServerNote({
  online,
  loading,
  failed,
  onRetry,
}: {
  online: boolean
  loading: boolean
  failed: boolean
  onRetry: () => void
}) {
  if (online && !loading && !failed) return null
  return (
    <p className="flex min-h-9 shrink-0 items-center justify-center gap-2 border-t px-3 py-1.5 text-xs text-muted-foreground">
      {!online ? (
        <>
          <CloudOff aria-hidden="true" className="size-3.5" />
          <Trans>Sem rede: só o que está neste navegador</Trans>
        </>
      ) : loading ? (
        <>
          <Spinner className="size-3.5" />
          <Trans>Buscando no servidor…</Trans>
        </>
      ) : (
        <>
          <Trans>O servidor não respondeu.</Trans>
          <Button variant="link" size="sm" onClick={onRetry}>
            <Trans>Tentar de novo</Trans>
          </Button>
        </>
      )}
    </p>
  )
}

/** A switch that the device remembers for the person. */
function useKept(key: string, initial: boolean): [boolean, (next: boolean) => void] {
  const [value, setValue] = useState(() => {
    const stored = local.get(key)
    return stored === null ? initial : stored === 'on'
  })
  return [
    value,
    (next) => {
      local.set(key, next ? 'on' : 'off')
      setValue(next)
    },
  ]
}

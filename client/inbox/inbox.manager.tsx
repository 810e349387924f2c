import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { AlarmClock, Archive, type LucideIcon, Inbox, MessageSquarePlus, Search } from 'lucide-react'
import { memo, Suspense, useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { can } from '../../schema/permissions.ts'
import { afterwards, late } from '../base/late.tsx'
import { local } from '../base/local.ts'
import { useMedia } from '../ui/use-media.ts'
import { usePrincipal } from '../session/session.tsx'
import { useActions } from '../kit/actions.ts'
import { cn } from '../ui/cn.ts'
import { CountBadge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Tabs, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { useRows } from '../replica/live-rows.ts'
import { lastAccepted } from '../tickets/tickets.use-actions.tsx'
import ViewChips from '../tickets/tickets.filter-chips.tsx'
import { showAllKey } from '../tickets/tickets.first-rows.ts'
import { noNarrowing } from '../tickets/tickets.no-narrowing.ts'
import { openView } from '../kit/open-view.ts'
import { useStore } from '../base/store.ts'
import { ListSkeleton, TicketList } from './inbox.list.tsx'
import { wantRow } from '../tickets/tickets.row-focus.ts'
import { type ListFilter, type ListNarrowing, orderOf, tabOf } from '../../schema/tickets/tickets.list.ts'
import { type TicketCounts, ticketCounts, type TicketRow } from '../tickets/tickets.rows.ts'
import type { TicketSearch } from '../tickets/tickets.search.ts'
import { type ListProps, useWhere, useWindowed } from './inbox.windowed.ts'

const TicketFilterButton = afterwards(() => import('../tickets/tickets.filter.tsx'))
const ShowAll = afterwards(() => import('./inbox.show-all.tsx'))
const SearchFields = late(() => import('./inbox.search-fields.tsx'))
const SearchList = late(() => import('./inbox.search-list.tsx'))
const ViewList = late(() => import('./inbox.view-list.tsx'))
const ClosedList = late(() => import('./inbox.closed-list.tsx'))

type MainTab = 'open' | 'closed' | 'search'
type OpenTab = 'open' | 'pending' | 'snoozed'

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
  const [chosenTab, setOpenTab] = useState<OpenTab>('open')
  useEffect(() => lastAccepted.subscribe(() => lastAccepted.get() !== null && setOpenTab('open')), [])
  const [showAll, setShowAll] = useKept(showAllKey, who.profile === 'admin')
  const [narrowing, setNarrowing] = useState<ListNarrowing>(noNarrowing)
  const [search, setSearch] = useState<TicketSearch>({ text: '', tagIds: [], userIds: [] })
  const all = managesAll && showAll
  const viewId = useStore(openView)
  /** Null while a view stands in the place of the tabs. */
  const shown = viewId === null ? tab : null
  const shared = { showAll: all, ...narrowing }
  const { rows: counted } = useRows(ticketCounts(shared, who))
  const counts = counted?.[0] ?? { open: 0, pending: 0, snoozed: 0, promised: false }
  const { pending: pendingCount, snoozed: snoozedCount } = counts
  // What lies aside has a place only while something does.
  const isEmptied = chosenTab === 'snoozed' && counted !== undefined && snoozedCount === 0
  // Nor does it come back under somebody's hands when the next one is put aside.
  if (isEmptied) setOpenTab('open')
  const openTab = isEmptied ? 'open' : chosenTab
  const [dueFirst, setDueFirst] = useKept('balcao.tickets.due-first', false)
  const isCrowded = onePane && snoozedCount > 0

  const choose = (next: MainTab) => {
    openView.set(null)
    setTab(next)
  }
  const show = (next: MainTab, within = openTab) => {
    choose(next)
    setOpenTab(within)
    wantRow({ to: 'list' })
  }
  const searchField = useRef<HTMLInputElement>(null)
  const openSearch = () => {
    choose('search')
    // It takes the focus by itself where it was not there yet.
    searchField.current?.focus()
    searchField.current?.select()
  }
  const group = t`Lista de atendimentos`
  useActions([
    { id: 'tickets.new', label: t`Novo atendimento`, group, shortcut: 'n', run: onNewTicket },
    { id: 'tickets.search', label: t`Buscar atendimentos`, group, shortcut: '/', run: openSearch },
    { id: 'tickets.open', label: t`Mostrar em atendimento`, group, shortcut: '1', run: () => show('open', 'open') },
    { id: 'tickets.pending', label: t`Mostrar quem aguarda`, group, shortcut: '2', run: () => show('open', 'pending') },
    { id: 'tickets.closed', label: t`Mostrar os resolvidos`, group, shortcut: '3', run: () => show('closed') },
    {
      id: 'tickets.snoozed',
      label: t`Mostrar os adiados`,
      group,
      shortcut: '4',
      when: snoozedCount > 0,
      run: () => show('open', 'snoozed'),
    },
  ])

  const setText = (text: string) => {
    setSearch({ ...search, text })
    // Emptying the box ends the search, unless tags or users still say what is looked for.
    if (text === '' && search.text !== '' && search.tagIds.length === 0 && search.userIds.length === 0) setTab('open')
  }

  return (
    <section aria-label={t`Atendimentos`} className="flex h-full min-h-0 flex-col bg-card">
      <Tabs
        value={shown === null ? '' : onePane && shown === 'open' ? openTab : shown}
        onValueChange={(next) => {
          const isWithin = onePane && (next === 'open' || next === 'pending' || next === 'snoozed')
          if (isWithin) setOpenTab(next)
          choose(isWithin ? 'open' : (next as MainTab))
        }}
        className="flex min-h-0 flex-1 flex-col"
      >
        <div
          // With large letters the width of a phone is that of few of them, and the two buttons are as large as a finger.
          className="@container/tabs flex h-13 shrink-0 items-center gap-1 border-b pr-2 pl-4 max-md:pl-1 max-md:@max-[21.5rem]/tabs:[&>button]:size-[44px]"
        >
          <TabsList
            aria-label={t`Listas de atendimentos`}
            // Two names with their numbers, two icons and the two buttons beside them share the width of a phone.
            className={cn(
              'h-full min-w-0 flex-1 border-b-0 max-md:gap-0 max-md:[&>button]:gap-1 max-md:[&>button]:px-1.5 max-md:[&>button]:text-[0.8125rem] max-md:[&>button:has(>svg)]:px-2 [&>button]:h-full max-md:@max-[21.5rem]/tabs:[&>button]:min-w-0 max-md:@max-[21.5rem]/tabs:[&>button]:px-1 max-md:@max-[21.5rem]/tabs:[&>button:has(>svg)]:shrink-0 max-md:@max-[21.5rem]/tabs:[&>button]:text-[0.6875rem] max-md:@max-[21.5rem]/tabs:[&>button:has(>svg)]:px-1',
              // A third name would push the icons out of sight.
              isCrowded &&
                '[&>button]:min-w-0 max-md:[&>button]:px-1 max-md:[&>button]:text-[0.75rem] max-md:[&>button:has(>svg)]:shrink-0 max-md:[&>button:has(>svg)]:px-1.5',
            )}
          >
            {onePane ? (
              <OpenTabs counts={counts} isCrowded={isCrowded} />
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
          {shown !== 'search' && shown !== null && (
            <TicketFilterButton
              value={narrowing}
              onChange={setNarrowing}
              all={all}
              onSaved={openView.set}
              dueFirst={counts.promised ? { value: dueFirst, onChange: setDueFirst } : undefined}
            />
          )}
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

        {/* Where there is room for it, the side menu has them. */}
        {onePane && shown !== 'search' && (
          <ViewChips isOn={({ id }) => id === viewId} onChoose={(row) => openView.set(row?.id ?? null)} />
        )}
        {viewId !== null && (
          <Suspense fallback={<ListSkeleton label={t`Visões`} />}>
            <ViewList key={viewId} id={viewId} onSpy={onSpy} onReopen={onReopen} />
          </Suspense>
        )}
        {shown === 'open' && (
          <div role="tabpanel" aria-label={t`Abertos`} className="flex min-h-0 flex-1 flex-col">
            <Tabs
              value={openTab}
              onValueChange={(next) => setOpenTab(next as OpenTab)}
              className={onePane && !managesAll ? 'hidden' : 'px-3 pt-2.5 pb-1.5'}
            >
              {!onePane && (
                <TabsList look="pill" aria-label={t`Atendimentos abertos`}>
                  <OpenTabs counts={counts} isCrowded={false} />
                </TabsList>
              )}
              {managesAll && (
                <div className="h-4.5 not-first:mt-2">
                  <ShowAll value={showAll} onChange={setShowAll} />
                </div>
              )}
            </Tabs>
            <LiveList
              key={openTab}
              filter={{
                tab: openTab,
                ...shared,
                ...(openTab !== 'snoozed' && counts.promised && dueFirst && { order: 'due' }),
              }}
              label={openTab === 'open' ? t`Em atendimento` : openTab === 'pending' ? t`Aguardando` : t`Adiados`}
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
        {shown === 'closed' && (
          <div role="tabpanel" aria-label={t`Resolvidos`} className="flex min-h-0 flex-1 flex-col">
            <Suspense fallback={<ListSkeleton label={t`Resolvidos`} />}>
              <ClosedList filter={{ tab: 'closed', showAll: true, ...narrowing }} onSpy={onSpy} onReopen={onReopen} />
            </Suspense>
          </div>
        )}
        {shown === 'search' && (
          <div role="tabpanel" aria-label={t`Busca`} className="flex min-h-0 flex-1 flex-col">
            <Suspense fallback={<div className="h-[5.75rem] border-b" />}>
              <SearchFields search={search} fieldRef={searchField} onText={setText} onChange={setSearch} />
              <SearchList search={search} onSpy={onSpy} onReopen={onReopen} />
            </Suspense>
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

/** What the agent has, what waits, and, where there is any, what lies aside. */
function OpenTabs({
  counts: { open: openCount, pending: pendingCount, snoozed },
  isCrowded,
}: {
  counts: TicketCounts
  /** They share the width of a phone with the other lists. */
  isCrowded: boolean
}) {
  const { t } = useLingui()
  return (
    <>
      <TabsTrigger value="open">
        <span className="truncate">
          <Trans>Atendendo</Trans>
        </span>
        {/* Where there is least room, the number of what waits is the one that is needed. */}
        <span className={isCrowded ? 'sr-only' : 'inline-flex @max-[23rem]/tabs:sr-only'}>
          <CountBadge
            count={openCount}
            tone="neutral"
            label={plural(openCount, { one: '# atendimento', other: '# atendimentos' })}
          />
        </span>
      </TabsTrigger>
      <TabsTrigger value="pending">
        <span className="truncate">
          <Trans>Aguardando</Trans>
        </span>
        <CountBadge
          count={pendingCount}
          tone={pendingCount > 0 ? 'solid' : 'neutral'}
          label={plural(pendingCount, { one: '# atendimento', other: '# atendimentos' })}
        />
      </TabsTrigger>
      {snoozed > 0 && (
        <TabsTrigger value="snoozed" title={t`Adiados`}>
          <AlarmClock aria-hidden="true" className="size-4" />
          <span className="sr-only">{t`Adiados`}</span>
          <span className="inline-flex @max-[23rem]/tabs:sr-only">
            <CountBadge
              count={snoozed}
              tone="neutral"
              label={plural(snoozed, { one: '# atendimento', other: '# atendimentos' })}
            />
          </span>
        </TabsTrigger>
      )}
    </>
  )
}

function LiveList({
  filter,
  label,
  empty,
  ...props
}: ListProps & { filter: ListFilter; label: string; empty: ReactNode }) {
  const where = useWhere(tabOf(filter, usePrincipal()))
  const { tickets, stale, error, grow } = useWindowed(
    where,
    orderOf({ order: filter.order, snoozed: filter.tab === 'snoozed' }),
  )
  return (
    <TicketList
      {...props}
      where={where}
      tickets={tickets}
      stale={stale}
      error={error}
      showAgent={filter.showAll}
      label={label}
      empty={empty}
      onEndReached={grow}
    />
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

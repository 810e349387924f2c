import { useLingui } from '@lingui/react/macro'
import {
  createContext,
  Suspense,
  use,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useReplica } from '../replica/replica.tsx'
import { focusQuietly } from '../base/by-finger.ts'
import { isFocusLost } from '../base/focus-lost.ts'
import { session } from '../session/session-store.ts'
import { endsSequence, useListedForRow } from '../base/shortcuts.ts'
import { usePrincipal } from '../session/session.tsx'
import { afterFirstScreen, firstScreenShown, isFirstScreenShown, late } from '../base/late.tsx'
import { useActions } from '../kit/actions.ts'
import { newestMessages } from '../messages/messages.rows.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { VirtualList, type VirtualListHandle } from '../ui/virtual-list.tsx'
import { useDirectory, type TagRow } from '../replica/directory.ts'
import { useDrafts } from '../tickets/tickets.drafts.ts'
import { prefetchRows } from '../replica/live-rows.ts'
import { actionsFor, type TicketAction } from '../tickets/tickets.actions.ts'
import { type Arrival, isNews, useArrivals } from './inbox.arrivals.ts'
import { openAt } from '../messages/messages.open-at.ts'
import type { FoundMessage, Replica } from '../../sync/client/replica.types.ts'
import type { Piece } from '../tickets/tickets.pieces.ts'
import { useContactName } from '../tickets/tickets.words.ts'
import { type Found, TicketItem } from '../tickets/tickets.item.tsx'
import { useStill } from './inbox.held-rows.ts'
import { opensOnClick, ticketByUuid, type TicketRow } from '../tickets/tickets.rows.ts'
import { useRowFocus } from '../tickets/tickets.row-focus.ts'
import { isSecondClick } from '../tickets/tickets.second-click.ts'
import { snoozing, useTicketActions } from '../tickets/tickets.use-actions.tsx'
import type { TicketCondition } from '../../schema/tickets/tickets.list.ts'
import { clearSelection } from '../tickets/tickets.selection.ts'
import type { BulkBarHandle } from './inbox.bulk-bar.tsx'
import { useSelecting } from './inbox.use-selecting.ts'

const BulkBar = late(() => import('./inbox.bulk-bar.tsx'))

/** The uuid of the ticket that is open. A context, so that opening another draws the lists' items again and no more. */
export const SelectedTicket = createContext<string | null>(null)

/** The ticket that was chosen last, as its list shows it: it can be opened with this before the replica has said a word. */
export const chosenTicket: { current: TicketRow | null } = { current: null }
session.onEnd(() => {
  chosenTicket.current = null
})

/** Further tickets are asked for when the end is this near, px: more than a window, so that nobody arrives there first. */
const endWithin = 1200

/** Of an item without tags, px. */
const itemHeight = 78

/** A row that the keyboard goes to is drawn within so many frames. */
const framesToDraw = 30

/** The same keys as in the open conversation, for the row that the keyboard is at. */
const moves = { a: 'accept', d: 'return', e: 'resolve', o: 'reopen', h: 'snooze' } as const

/** What is in sight is read ahead once the list has been at rest for this long, ms: the pointer comes with its click. */
const readAheadMs = 150
/** Whether the first rows are on their way: those that are shown are of the last time, or the server's. */
const useIsFilling = (replica: Replica): boolean =>
  useSyncExternalStore(
    (listener) => replica.status.subscribe(listener),
    () => replica.status.get().state === 'loading',
  )

/** Between one conversation and the next, ms: what is clicked meanwhile does not stand in line behind all of them. */
const readAheadPauseMs = 20

/**
 * Tickets as a list that is moved through with j and k or the arrows, opened with Enter; `a` accepts.
 * One item takes part in the tab order.
 */
export function TicketList({
  tickets: found,
  stale = false,
  error,
  showAgent,
  label,
  empty,
  footer,
  pieces = null,
  where = null,
  onEndReached,
  onSpy,
  onReopen,
}: {
  /** Undefined while the first rows are awaited. */
  tickets: readonly TicketRow[] | undefined
  /** They are what the list had some time ago; the keyboard waits for what it has now. */
  stale?: boolean
  error: Error | null
  showAgent: boolean
  label: string
  /** Shown where there is nothing to list. */
  empty: ReactNode
  /** Under the list, such as "looking on the server". */
  footer?: ReactNode
  /** What was looked for, and the message of each ticket that says it. */
  pieces?: FoundPieces | null
  /** Of what `tickets` are the first: all of it can be chosen, whatever is drawn. Without it only what the list has. */
  where?: readonly TicketCondition[] | null
  onEndReached: () => void
  onSpy: (ticket: TicketRow) => void
  /** The ticket that is open already was chosen again. */
  onReopen: () => void
}) {
  const { t } = useLingui()
  const replica = useReplica()
  const who = usePrincipal()
  const directory = useDirectory()
  const drafts = useDrafts()
  const actions = useTicketActions()
  const handle = useRef<VirtualListHandle>(null)
  const region = useRef<HTMLDivElement>(null)
  const [focusedId, setFocusedId] = useState<number | null>(null)
  const selectedUuid = use(SelectedTicket)
  const canSpy = can(who, 'tickets:spy')
  const { rows: tickets, gone, pointed } = useStill(found)
  const allowed = useAllowed()
  const allowedOf = (ticket: TicketRow) => (gone.has(ticket.id) ? nothingAllowed : allowed(ticket))
  const tagsOf = useTagsOf(directory.tags.byId)
  const order = useMemo(() => (tickets ?? []).flatMap(({ id }) => (gone.has(id) ? [] : [id])), [tickets, gone])
  const selecting = useSelecting(order, can(who, 'tickets:bulk'), where === null)
  const bulkBar = useRef<BulkBarHandle>(null)
  const arrivals = useArrivals(found)
  const foundIn = useFoundIn(pieces)
  const manyConnections = directory.connections.list.length > 1
  const senderOf = (arrival: Arrival) =>
    arrival.userId === who.userId ? '' : (directory.users.byId.get(arrival.userId ?? 0)?.name ?? t`Um colega`)

  const open = useCallback(
    (ticket: TicketRow) => {
      if (isSecondClick()) return
      const said = pieces?.byTicket.get(ticket.id) ?? pieces?.elsewhere.get(ticket.id)
      if (said && opensOnClick(ticket)) openAt(said, pieces?.text)
      if (ticket.uuid === selectedUuid) onReopen()
      else if (opensOnClick(ticket)) {
        chosenTicket.current = ticket
        actions.open(ticket)
      }
    },
    [actions, selectedUuid, onReopen, pieces],
  )
  const focused = useCallback((ticket: TicketRow) => setFocusedId(ticket.id), [])
  const prefetch = useCallback(
    (ticket: TicketRow) => {
      prefetchRows(replica, newestMessages(ticket.id))
      prefetchRows(replica, ticketByUuid(ticket.uuid))
      // What is scheduled stands under the messages: a moment later it would push them up.
      void afterFirstScreen
        .then(() => import('../schedules/schedules.rows.ts'))
        .then(({ schedulesOfContact }) => prefetchRows(replica, schedulesOfContact(ticket.contactId)))
        .catch(() => undefined)
    },
    [replica],
  )
  const act = useCallback(
    (action: 'accept' | 'return' | 'resolve' | 'reopen' | 'snooze' | 'wake' | 'spy', ticket: TicketRow) => {
      if (isSecondClick()) return
      if (action === 'spy') onSpy(ticket)
      else if (action === 'snooze') snoozing.set(ticket)
      else void actions[action](ticket)
    },
    [actions, onSpy],
  )

  // The first rows that the app shows are drawn in small pieces, between which the page answers; later ones at once.
  const [atOnce] = useState(isFirstScreenShown)
  const drawn = useDeferredValue(tickets !== undefined, false) || atOnce
  useEffect(() => {
    if (drawn) firstScreenShown()
  }, [drawn])

  // Between two movements of the list, the conversations in sight are read ahead.
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isFilling = useIsFilling(replica)
  const readAhead = useCallback(() => {
    clearTimeout(resting.current)
    // Each of them would be answered again with every piece that comes.
    if (isFilling) return
    resting.current = setTimeout(() => {
      const list = handle.current
      if (!list || !tickets) return
      const first = list.findItemIndex(list.scrollOffset)
      const last = list.findItemIndex(list.scrollOffset + list.viewportSize)
      const inSight = tickets.slice(first, last + 1).filter(opensOnClick)
      const next = () => {
        const ticket = inSight.shift()
        if (!ticket) return
        prefetchRows(replica, newestMessages(ticket.id))
        resting.current = setTimeout(next, readAheadPauseMs)
      }
      next()
    }, readAheadMs)
  }, [replica, tickets, isFilling])
  useEffect(() => {
    readAhead()
    return () => clearTimeout(resting.current)
  }, [readAhead])

  const focusing = useRef(0)
  useEffect(() => () => cancelAnimationFrame(focusing.current), [])
  const step = useRef<(by: 1 | -1) => void>(() => undefined)
  const group = t`Lista de atendimentos`
  useActions([
    { id: 'tickets.next', label: t`Próximo atendimento da lista`, group, shortcut: 'j', run: () => step.current(1) },
    {
      id: 'tickets.previous',
      label: t`Atendimento anterior da lista`,
      group,
      shortcut: 'k',
      run: () => step.current(-1),
    },
  ])

  const atKeyboard =
    tickets?.find((ticket) => ticket.id === focusedId) ??
    tickets?.find((ticket) => ticket.uuid === selectedUuid) ??
    tickets?.[0]
  const tabId = atKeyboard?.id ?? null
  const isOffered = (ticket: TicketRow, move: TicketAction) =>
    // Who has not accepted it neither gives it back nor resolves it by one key.
    allowedOf(ticket).has(move) && (move === 'accept' || move === 'reopen' || ticket.status === 'open')
  const moveLabels = {
    accept: t`Aceitar, com o foco na lista`,
    return: t`Devolver, com o foco na lista`,
    resolve: t`Resolver, com o foco na lista`,
    reopen: t`Reabrir, com o foco na lista`,
    snooze: t`Adiar, com o foco na lista`,
  }
  const choosing = [
    { keys: 'x', label: t`Selecionar, com o foco na lista`, group },
    { keys: 'Shift+↓', label: t`Selecionar também o próximo, com o foco na lista`, group },
  ]
  useListedForRow(can(who, 'tickets:bulk') && atKeyboard ? choosing : [])
  useListedForRow(
    Object.entries(moves).flatMap(([keys, move]) =>
      atKeyboard && isOffered(atKeyboard, move) ? [{ keys, label: moveLabels[move], group }] : [],
    ),
  )

  // Where the conversation covers the list, the way back to it.
  const focusBack = () => document.querySelector<HTMLElement>('[data-back]')?.focus()
  const focusTab = () =>
    [...(region.current?.closest('section')?.querySelectorAll<HTMLElement>('[role="tab"][data-state="active"]') ?? [])]
      .at(-1)
      ?.focus()
  const held = useRef<number>(null)
  const focusRow = useRef<(id: number | null, focus: boolean) => void>(() => undefined)
  useRowFocus(drawn && !stale ? tickets : undefined, selectedUuid, region, held, focusRow)
  const isShown = () => region.current?.checkVisibility() === true
  focusRow.current = (_, focus) => {
    held.current = null
    if (focus) (isShown() ? focusTab : focusBack)()
  }

  if (error && !tickets)
    return <ErrorState>{t`Os atendimentos guardados neste navegador não puderam ser lidos.`}</ErrorState>
  if (!tickets) return <ListSkeleton label={label} />
  // The rows are known and come with the next drawing: a skeleton would only flash.
  if (!drawn) return <div role="status" aria-busy="true" aria-label={label} className="min-h-0 flex-1" />
  if (tickets.length === 0)
    return (
      <div ref={region} className="min-h-0 flex-1 overflow-y-auto">
        {empty}
        {footer}
      </div>
    )

  const focusAt = (index: number, focus = true) => {
    const ticket = tickets[Math.min(Math.max(index, 0), tickets.length - 1)]
    if (!ticket) return
    setFocusedId(ticket.id)
    if (!focus) return
    handle.current?.scrollToIndex(tickets.indexOf(ticket), { align: 'nearest' })
    prefetch(ticket)
    // What was scrolled into sight exists only after the list has drawn it, and is hidden until it was measured.
    const from = document.activeElement
    const take = (framesLeft: number) => {
      focusing.current = requestAnimationFrame(() => {
        // Somebody has gone elsewhere meanwhile.
        const { activeElement } = document
        if (activeElement !== from && !isFocusLost() && !region.current?.contains(activeElement)) return
        const item = region.current?.querySelector<HTMLElement>(`[data-item="${ticket.id}"]`)
        focusQuietly(item)
        if (framesLeft > 0 && (!item || document.activeElement !== item)) take(framesLeft - 1)
      })
    }
    cancelAnimationFrame(focusing.current)
    take(framesToDraw)
  }
  // From elsewhere on the page the keys first lead to the list, then along it.
  step.current = (by) => focusAt(tickets.findIndex((ticket) => ticket.id === tabId) + (focusedId === tabId ? by : 0))
  focusRow.current = (id, focus) => {
    held.current = null
    if (focus && !isShown()) focusBack()
    focusAt(
      tickets.findIndex((ticket) => ticket.id === (id ?? tabId)),
      focus && isShown(),
    )
  }
  /** The keys that have to do with choosing several; answers whether this was one. */
  const choose = (event: KeyboardEvent, at: number): boolean => {
    const here = tickets[at]
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp'
    const { own } = selecting
    if (!here || !own) return false
    if (event.key === 'x' && !event.shiftKey) own.toggle(here.id)
    else if (event.shiftKey && isArrow) {
      const next = tickets[at + (event.key === 'ArrowDown' ? 1 : -1)]
      if (!selecting.isSelecting) own.toggle(here.id)
      if (!next) return true
      own.rangeTo(next.id)
      focusAt(tickets.indexOf(next))
    } else if (!selecting.isSelecting) return false
    else if (event.key === 'Escape') clearSelection()
    else return bulkBar.current?.press(event) === true
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isAll = event.key === 'a' && (event.ctrlKey || event.metaKey)
    // `g e` goes to a screen: its second key does not resolve the ticket that the keyboard is at.
    if ((event.ctrlKey || event.metaKey || event.altKey || endsSequence(event)) && !(isAll && selecting.isSelecting))
      return
    const at = tickets.findIndex((ticket) => ticket.id === tabId)
    const here = tickets[at]
    const steps: Record<string, () => void> = {
      ArrowDown: () => focusAt(at + 1),
      j: () => focusAt(at + 1),
      ArrowUp: () => focusAt(at - 1),
      k: () => focusAt(at - 1),
      Home: () => focusAt(0),
      End: () => focusAt(tickets.length - 1),
    }
    // The keyboard has gone on to the next one: a key that is held means this one only.
    for (const [key, move] of Object.entries(moves))
      if (here && isOffered(here, move))
        steps[key] = () => !event.repeat && (move === 'snooze' ? snoozing.set(here) : void actions[move](here))
    const isChoice = choose(event, at)
    const take = isChoice ? () => undefined : steps[event.key]
    if (!take) return
    event.preventDefault()
    event.stopPropagation()
    take()
  }

  const list = (
    <div
      ref={region}
      onKeyDown={onKeyDown}
      onPointerMove={pointed}
      onPointerDown={pointed}
      onFocus={({ target }) => {
        const id = region.current?.contains(target) && target.closest<HTMLElement>('[data-item]')?.dataset.item
        held.current = id ? Number(id) : null
      }}
      // Not called for a row that goes with the keyboard at it.
      onBlur={() => {
        held.current = null
      }}
      {...selecting.own?.handlers}
      className="flex min-h-0 flex-1 flex-col"
    >
      <VirtualList
        items={tickets}
        itemKey={(ticket) => ticket.id}
        label={label}
        onEndReached={onEndReached}
        threshold={endWithin}
        itemHeight={itemHeight}
        inPieces={!atOnce}
        onScroll={readAhead}
        ref={handle}
        className="min-h-0 flex-1 overflow-x-clip py-1"
      >
        {(ticket) => {
          const arrival = arrivals.get(ticket.id)
          const isNew = arrival !== undefined && isNews(ticket, arrival)
          return (
            <TicketItem
              ticket={ticket}
              queue={ticket.queueId === null ? undefined : directory.queues.byId.get(ticket.queueId)}
              connection={ticket.whatsappId === null ? undefined : directory.connections.byId.get(ticket.whatsappId)}
              agent={ticket.userId === null ? undefined : directory.users.byId.get(ticket.userId)}
              tags={tagsOf(ticket)}
              // In the open one it stands in the field.
              draft={ticket.uuid === selectedUuid ? '' : (drafts?.get(ticket.id) ?? '')}
              allowed={allowedOf(ticket)}
              selected={ticket.uuid === selectedUuid}
              chosen={selecting.isSelecting ? selecting.chosen.has(ticket.id) : null}
              tabbable={ticket.id === tabId}
              showAgent={showAgent && ticket.userId !== who.userId}
              showConnection={manyConnections}
              found={pieces && foundIn(ticket)}
              sentBy={isNew ? senderOf(arrival) : ''}
              sentNote={isNew ? arrival.note : ''}
              canSpy={canSpy}
              onOpen={open}
              onFocus={focused}
              onHover={prefetch}
              onAction={act}
            />
          )
        }}
      </VirtualList>
      {footer}
    </div>
  )
  return (
    <>
      {list}
      {selecting.isSelecting && selecting.own && (
        <Suspense fallback={null}>
          <BulkBar ref={bulkBar} ids={selecting.chosen} shown={tickets} where={where} onAll={selecting.own.all} />
        </Suspense>
      )}
    </>
  )
}

/** The same set for the same ticket, so that items are not drawn again for it. */
function useAllowed() {
  const who = usePrincipal()
  const key = JSON.stringify(who)
  const cache = useMemo(() => {
    const asked = JSON.parse(key) as Principal
    return { asked, byTicket: new WeakMap<TicketRow, ReadonlySet<TicketAction>>() }
  }, [key])
  return (ticket: TicketRow): ReadonlySet<TicketAction> => {
    let allowed = cache.byTicket.get(ticket)
    if (!allowed) cache.byTicket.set(ticket, (allowed = actionsFor(ticket, cache.asked)))
    return allowed
  }
}

/** Where a text was found. */
interface FoundPieces {
  text: string
  /** The piece of a text around the first place where another stands. */
  pieceOf: (text: string, wanted: string) => Piece | null
  /** In this browser. */
  byTicket: ReadonlyMap<number, FoundMessage>
  /** By the server, which shows them where this browser does not reach so far back. */
  elsewhere: ReadonlyMap<number, FoundMessage>
}

/** What a search result shows: the same object for the same ticket and text, so that items are not drawn again. */
function useFoundIn(pieces: FoundPieces | null) {
  const nameOf = useContactName()
  const cache = useMemo(() => ({ pieces, nameOf, byTicket: new WeakMap<TicketRow, Found>() }), [pieces, nameOf])
  return (ticket: TicketRow): Found => {
    let found = cache.byTicket.get(ticket)
    if (!found) {
      const said = cache.pieces?.byTicket.get(ticket.id) ?? cache.pieces?.elsewhere.get(ticket.id)
      const text = cache.pieces?.text ?? ''
      const pieceOf = (body: string) => cache.pieces?.pieceOf(body, text) ?? null
      found = {
        name: pieceOf(cache.nameOf(ticket)),
        said: pieceOf(said ? said.body : ticket.lastMessage),
        at: said?.at ?? null,
      }
      cache.byTicket.set(ticket, found)
    }
    return found
  }
}

const nothingAllowed: ReadonlySet<TicketAction> = new Set()

const noTags: readonly TagRow[] = []

function useTagsOf(byId: ReadonlyMap<number, TagRow>) {
  const cache = useMemo(() => ({ byId, lists: new WeakMap<TicketRow, readonly TagRow[]>() }), [byId])
  return (ticket: TicketRow): readonly TagRow[] => {
    if (ticket.tagIds.length === 0) return noTags
    let tags = cache.lists.get(ticket)
    if (!tags) cache.lists.set(ticket, (tags = ticket.tagIds.flatMap((id) => cache.byId.get(id) ?? [])))
    return tags
  }
}

/** The list while its rows, or its script, are on their way. */
export function ListSkeleton({ label }: { label: string }) {
  return (
    <div role="status" aria-busy="true" aria-label={label} className="flex flex-col gap-1 p-2">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className="flex items-start gap-2.5 px-3 py-2.5" style={{ opacity: 1 - index * 0.1 }}>
          <Skeleton className="size-9 rounded-full" />
          <div className="flex-1 space-y-2 pt-0.5">
            <Skeleton className="h-3 w-2/5" />
            <Skeleton className="h-3 w-4/5" />
            <Skeleton className="h-2.5 w-1/3" />
          </div>
        </div>
      ))}
    </div>
  )
}

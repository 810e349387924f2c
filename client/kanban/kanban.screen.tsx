import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { laneOf } from '../../schema/tags/tags.lane.ts'
import { useDirectory } from '../replica/directory.ts'
import { useRows } from '../replica/live-rows.ts'
import { perform } from '../session/perform.ts'
import { PlanGate } from '../session/plan-gate.tsx'
import { useReplica } from '../replica/replica.tsx'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { useCan } from '../session/session.tsx'
import ViewChips from '../tickets/tickets.filter-chips.tsx'
import TicketFilterButton from '../tickets/tickets.filter.tsx'
import { useFoundByMessage } from '../tickets/tickets.found-messages.ts'
import type { ListNarrowing } from '../../schema/tickets/tickets.list.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { boardTickets, mostCards } from '../tickets/tickets.search.ts'
import { noNarrowing } from '../tickets/tickets.no-narrowing.ts'
import { normal, sameNarrowing } from '../tickets/tickets.views.ts'
import { useContactName } from '../tickets/tickets.words.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { Page } from '../ui/page.tsx'
import { toast } from '../ui/toaster.tsx'
import type { VirtualListHandle } from '../ui/virtual-list.tsx'
import { attachDrag } from './kanban.drag.ts'
import { KanbanLane } from './kanban.lane.tsx'
import { laneIdOf, laneKey, useCards, useLanes } from './kanban.lanes.ts'

const noRows: readonly TicketRow[] = []

/** What waits and what is open, in lanes by tag. */
export default function KanbanScreen() {
  return (
    <PlanGate feature="useKanban">
      <Kanban />
    </PlanGate>
  )
}

function Kanban() {
  const { t } = useLingui()
  const [narrowing, setNarrowing] = useState<ListNarrowing>(noNarrowing)
  const { search, setSearch, settled } = useSearchText()
  // What is cleared comes back at once; what is typed waits for the pause.
  const text = search === '' ? '' : settled
  const also = useFoundByMessage(text)
  const { rows, error } = useRows(boardTickets(narrowing, text, also), { keepPrevious: true })
  return (
    <Page
      title={t`Kanban`}
      actions={<TicketFilterButton value={narrowing} onChange={setNarrowing} all={useCan('tickets-manager:showall')} />}
      toolbar={
        <>
          <SearchInput value={search} onChange={setSearch} label={t`Buscar atendimentos`} />
          <ViewChips
            isOn={({ filter }) => sameNarrowing(filter, narrowing)}
            onChoose={(view) => setNarrowing(view ? normal(view.filter) : noNarrowing)}
          />
        </>
      }
      className="flex flex-col overflow-hidden px-0 pb-0 sm:px-0"
    >
      {error && !rows ? (
        <ErrorState>{t`Os atendimentos guardados neste navegador não puderam ser lidos.`}</ErrorState>
      ) : (
        <Board tickets={rows} />
      )}
    </Page>
  )
}

/** A card that the keyboard holds, and the lane that it is over. */
interface Picked {
  ticketId: number
  over: number | null
}

function Board({ tickets: found }: { tickets: readonly TicketRow[] | undefined }) {
  const { t } = useLingui()
  const replica = useReplica()
  const navigate = useNavigate()
  const directory = useDirectory()
  // Without the tags nobody knows which lanes there are, and in which a card is.
  const tickets = directory.tags.isKnown ? found : undefined
  const nameOf = useContactName()
  const mayKanban = useCan('tags:kanban')
  const lanes = useLanes(directory.tags.list)
  const cards = useCards(tickets, lanes)
  const scroller = useRef<HTMLDivElement>(null)
  const handles = useRef(new Map<string, VirtualListHandle>())
  const [focusedId, setFocusedId] = useState<number | null>(null)
  const [picked, setPicked] = useState<Picked | null>(null)
  const [said, say] = useState('')
  /** Moved by the keyboard: takes the focus again where it now is. */
  const toFocus = useRef<{ ticketId: number; laneId: number | null } | null>(null)

  const move = useCallback(
    async (ticket: TicketRow, laneId: number | null) => {
      const from = laneOf(
        ticket.tagIds,
        lanes.flatMap(({ id }) => (id === null ? [] : [{ id }])),
      )
      if (from === laneId) return
      if (!(await perform(replica, 'tickets.setLane', { ticketId: ticket.id, tagId: laneId }))) return
      if (from !== null) toast.success(t`Ticket Tag Removido!`)
      if (laneId !== null) toast.success(t`Ticket Tag Adicionado com Sucesso!`)
    },
    [lanes, replica, t],
  )
  const moved = useCallback((ticket: TicketRow, laneId: number | null) => void move(ticket, laneId), [move])
  const focused = useCallback((ticket: TicketRow) => setFocusedId(ticket.id), [])

  // The pointer asks for what is true when it drops, not when it was put down.
  const latest = useRef({ tickets, move })
  useEffect(() => {
    latest.current = { tickets, move }
  })
  useEffect(() => {
    const board = scroller.current
    if (!board) return
    const mark = (lane: string | null) => {
      for (const element of board.querySelectorAll<HTMLElement>('[data-lane]')) {
        if (element.dataset['lane'] === lane) element.dataset['over'] = ''
        else delete element.dataset['over']
      }
    }
    return attachDrag(board, {
      onStart: () => setPicked(null),
      onOver: mark,
      onCancel: () => undefined,
      onDrop: (ticketId, lane) => {
        const ticket = latest.current.tickets?.find(({ id }) => id === ticketId)
        if (ticket) void latest.current.move(ticket, laneIdOf(lane))
      },
    })
  }, [])

  const listOf = (laneId: number | null) => cards.get(laneId) ?? noRows
  const laneIndexOf = (ticketId: number) =>
    lanes.findIndex(({ id }) => listOf(id).some((ticket) => ticket.id === ticketId))
  const focusCard = useCallback((laneId: number | null, index: number, ticketId: number) => {
    const key = laneKey(laneId)
    setFocusedId(ticketId)
    const lane = scroller.current?.querySelector<HTMLElement>(`[data-lane="${key}"]`)
    lane?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    // A lane that was beside the window, or empty, and a card that was out of sight, exist some frames later; a list that
    // is new draws its cards a second time when it is measured.
    let frames = 40
    let held = 0
    const attempt = () => {
      const card = lane?.querySelector<HTMLElement>(`[data-card="${ticketId}"]`)
      if (!card) handles.current.get(key)?.scrollToIndex(index, { align: 'nearest' })
      else if (document.activeElement === card) held++
      else if (held === 0 || document.activeElement === document.body) card.focus({ preventScroll: true })
      else return
      if (held < 5 && frames-- > 0) requestAnimationFrame(attempt)
    }
    handles.current.get(key)?.scrollToIndex(index, { align: 'nearest' })
    requestAnimationFrame(attempt)
  }, [])
  useEffect(() => {
    if (toFocus.current === null) return
    const { ticketId, laneId } = toFocus.current
    const index = (cards.get(laneId) ?? noRows).findIndex((ticket) => ticket.id === ticketId)
    if (index < 0) return
    toFocus.current = null
    focusCard(laneId, index, ticketId)
  }, [cards, focusCard])

  const laneName = (id: number | null) => lanes.find((lane) => lane.id === id)?.name ?? ''
  const cancel = () => {
    setPicked(null)
    say(t`Cancelado. O cartão ficou onde estava.`)
  }
  const carry = (held: Picked, key: string, ticket: TicketRow, at: number): boolean => {
    const over = lanes.findIndex(({ id }) => id === held.over)
    const to = { ArrowLeft: over - 1, ArrowRight: over + 1, Home: 0, End: lanes.length - 1 }[key]
    if (to !== undefined) {
      const lane = lanes[Math.min(Math.max(to, 0), lanes.length - 1)]!
      const [place, count] = [lanes.indexOf(lane) + 1, lanes.length]
      setPicked({ ...held, over: lane.id })
      scroller.current
        ?.querySelector(`[data-lane="${laneKey(lane.id)}"]`)
        ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      const { name } = lane
      say(t`Sobre ${name}, coluna ${place} de ${count}`)
    } else if (key === ' ' || key === 'Enter') {
      setPicked(null)
      const name = laneName(held.over)
      if (lanes[at]?.id === held.over) return (say(t`Solto onde estava, em ${name}`), true)
      say(t`Solto em ${name}`)
      toFocus.current = { ticketId: ticket.id, laneId: held.over }
      void move(ticket, held.over)
    } else if (key === 'Escape') cancel()
    // Held, a card goes nowhere else.
    return key !== 'Tab'
  }
  const walk = (key: string, ticket: TicketRow, at: number): boolean => {
    const list = listOf(lanes[at]!.id)
    const row = list.indexOf(ticket)
    const go = (lane: number, index: number) => {
      const target = lanes[lane]
      const there = target && listOf(target.id)
      const next = there?.[Math.min(Math.max(index, 0), there.length - 1)]
      if (target && there && next) focusCard(target.id, there.indexOf(next), next.id)
    }
    /** The next lane that holds a card. */
    const beside = (step: 1 | -1) => {
      let lane = at + step
      while (lanes[lane] && listOf(lanes[lane]!.id).length === 0) lane += step
      return lane
    }
    const keys: Record<string, () => void> = {
      ArrowDown: () => go(at, row + 1),
      ArrowUp: () => go(at, row - 1),
      ArrowRight: () => go(beside(1), row),
      ArrowLeft: () => go(beside(-1), row),
      Home: () => go(at, 0),
      End: () => go(at, list.length - 1),
      Enter: () => void navigate({ to: '/tickets/$uuid', params: { uuid: ticket.uuid } }),
      ' ': () => {
        const { id } = lanes[at]!
        const [name, lane] = [nameOf(ticket), laneName(id)]
        setPicked({ ticketId: ticket.id, over: id })
        say(t`${name} na mão, em ${lane}. Setas para os lados escolhem a coluna, espaço solta, Esc cancela.`)
      },
    }
    keys[key]?.()
    return keys[key] !== undefined
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return
    const ticketId = Number(event.target.dataset['card'])
    const at = ticketId ? laneIndexOf(ticketId) : -1
    const ticket = lanes[at] && listOf(lanes[at].id).find(({ id }) => id === ticketId)
    if (!ticket) return
    const taken = picked ? carry(picked, event.key, ticket, at) : walk(event.key, ticket, at)
    if (!taken) return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <>
      <p role="status" aria-live="assertive" className="sr-only">
        {said}
      </p>
      <p id="kanban-keys" className="sr-only">
        <Trans>Espaço pega o cartão, Enter abre a conversa, as setas vão a outros cartões.</Trans>
      </p>
      {tickets && lanes.length === 1 && (
        <p className="mx-4 mb-3 rounded-md bg-info-soft px-3 py-2 text-sm text-info-soft-foreground sm:mx-6">
          {mayKanban ? (
            <Trans>
              O quadro ainda não tem colunas. Em{' '}
              <Link to="/tags" className="font-medium underline">
                Etiquetas
              </Link>
              , marque as que devem ser colunas do kanban.
            </Trans>
          ) : (
            <Trans>O quadro ainda não tem colunas. Um supervisor pode criá-las a partir das etiquetas.</Trans>
          )}
        </p>
      )}
      {tickets && tickets.length >= mostCards && (
        <p className="mx-4 mb-3 text-xs text-muted-foreground sm:mx-6">
          <Trans>O quadro mostra os {mostCards} atendimentos que mudaram por último. Um filtro mostra os outros.</Trans>
        </p>
      )}
      <div
        ref={scroller}
        role="region"
        aria-label={t`Quadro`}
        onKeyDown={onKeyDown}
        onBlur={(event) => {
          if (picked && !event.currentTarget.contains(event.relatedTarget) && document.hasFocus()) cancel()
        }}
        className="relative flex min-h-0 flex-1 gap-3 overflow-x-auto overflow-y-hidden px-4 pb-4 max-sm:snap-x max-sm:snap-mandatory max-sm:scroll-px-4 sm:px-6"
      >
        {lanes.map((lane) => {
          const list = listOf(lane.id)
          const hasFocus = list.some(({ id }) => id === focusedId)
          return (
            <KanbanLane
              key={lane.id}
              lane={lane}
              lanes={lanes}
              tickets={list}
              directory={directory}
              tabId={hasFocus ? focusedId : (list[0]?.id ?? null)}
              pickedId={picked && list.some(({ id }) => id === picked.ticketId) ? picked.ticketId : null}
              over={picked !== null && picked.over === lane.id}
              loading={tickets === undefined}
              onFocus={focused}
              onMove={moved}
              ref={handleOf(handles.current, laneKey(lane.id))}
            />
          )
        })}
      </div>
    </>
  )
}

const setters = new WeakMap<Map<string, VirtualListHandle>, Map<string, (handle: VirtualListHandle | null) => void>>()

/** The same function for the same lane, so that lanes are not drawn again for it. */
function handleOf(handles: Map<string, VirtualListHandle>, key: string) {
  let known = setters.get(handles)
  if (!known) setters.set(handles, (known = new Map()))
  let setter = known.get(key)
  if (!setter)
    known.set(
      key,
      (setter = (handle) => {
        if (handle) handles.set(key, handle)
        else handles.delete(key)
      }),
    )
  return setter
}

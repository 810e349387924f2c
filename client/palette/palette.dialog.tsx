import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { Dialog as DialogPrimitive } from 'radix-ui'
import { Suspense, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { onDemand } from '../base/late.tsx'
import { useQueues } from '../replica/directory.ts'
import { useRows } from '../replica/live-rows.ts'
import { useNow } from '../base/now.ts'
import { openAt } from '../messages/messages.open-at.ts'
import { useFetchedTickets } from '../tickets/tickets.fetched.ts'
import { useFoundMessages } from '../tickets/tickets.found-messages.ts'
import { Marked } from '../tickets/tickets.marked.tsx'
import { pieceOf } from '../tickets/tickets.pieces.ts'
import { useOnline } from '../replica/use-online.ts'
import { useSettled } from '../base/use-settled.ts'
import type { RowsState } from '../replica/rows.ts'
import { Keys } from '../kit/shortcuts-dialog.tsx'
import { type Contact, peopleSaying } from '../contacts/contacts.rows.ts'
import { contactHint, useContactLabel } from '../kit/contact-label.ts'
import { ticketSearch } from '../tickets/tickets.search.ts'
import { listTime, useContactName } from '../tickets/tickets.words.ts'
import { Command } from '../ui/command.tsx'
import type { CommandItem } from '../ui/command.tsx'
import { filterByText } from '../ui/filter.ts'
import { overlayClasses } from '../ui/panel.ts'
import { ReturnFocus } from '../ui/return-focus.tsx'
import { useOffered } from '../kit/actions.ts'
import type { Action, Early } from '../kit/actions.ts'

const NewTicketDialog = onDemand(async () => ({
  default: (await import('../tickets/tickets.new-dialog.tsx')).NewTicketDialog,
}))

/** Long enough not to search for every letter of a word that is typed in one go. */
const typingMs = 90
/** The server is asked when somebody has stopped typing. */
const serverMs = 250
const mostTickets = 6
const mostContacts = 5

/** A search field over everything that can be done or gone to from here. */
export default function PaletteDialog({
  open,
  early,
  onOpenChange,
}: {
  open: boolean
  /** What was typed before there was a field. */
  early: { readonly current: Early }
  onOpenChange: (open: boolean) => void
}) {
  const { t } = useLingui()
  const [contact, setContact] = useState<Contact | null>(null)
  return (
    <>
      <DialogPrimitive.Root open={open} onOpenChange={onOpenChange}>
        <DialogPrimitive.Portal>
          <DialogPrimitive.Overlay className={overlayClasses} />
          <DialogPrimitive.Content
            aria-describedby={undefined}
            className="fixed inset-x-2 top-[8vh] z-50 mx-auto max-w-xl rounded-xl border bg-popover p-1 text-popover-foreground shadow-overlay outline-none data-[state=open]:animate-in data-[state=open]:duration-100 data-[state=open]:fade-in-0"
          >
            <ReturnFocus />
            <DialogPrimitive.Title className="sr-only">{t`Comandos`}</DialogPrimitive.Title>
            <Choices early={early} onDone={() => onOpenChange(false)} onContact={setContact} />
          </DialogPrimitive.Content>
        </DialogPrimitive.Portal>
      </DialogPrimitive.Root>
      <Suspense fallback={null}>
        {contact && <NewTicketDialog with={contact} onClose={() => setContact(null)} />}
      </Suspense>
    </>
  )
}

function Choices({
  early,
  onDone,
  onContact,
}: {
  early: { readonly current: Early }
  onDone: () => void
  onContact: (contact: Contact) => void
}) {
  const { t, i18n } = useLingui()
  const labelOf = useContactLabel()
  const queues = useQueues()
  const statuses = { pending: t`aguardando`, open: t`aberto`, closed: t`resolvido` }
  const navigate = useNavigate()
  const nameOf = useContactName()
  const now = useNow()
  const offered = useOffered()
  const [query, setQuery] = useState(() => early.current.text)
  /** Enter was pressed before there was anything to choose. */
  const [isEntered, setEntered] = useState(() => early.current.isEntered)
  const typed = query.trim().toLowerCase()
  const text = useSettled(typed, typingMs)
  const searched = text.length >= 2
  // While the next answers are awaited, the last ones stay: the list must not jump with every letter.
  const said = useFoundMessages(searched ? text : '')
  const also = useMemo(() => said.slice(0, mostTickets).map(({ ticketId }) => ticketId), [said])
  const local = useRows(searched ? ticketSearch({ text, tagIds: [], userIds: [] }, also, mostTickets) : null, {
    keepPrevious: true,
  })
  const { rows: localTickets = [] } = local
  // What this browser does not have stands below, once the server has answered.
  const online = useOnline()
  const asked = useSettled(text, serverMs)
  const isAsked = online && asked.length >= 3 && asked === text
  const fetched = useFetchedTickets(isAsked ? { showAll: true, searchParam: asked } : null)
  const askServer = useEffectEvent(fetched.loadMore)
  useEffect(() => {
    if (isAsked) askServer()
  }, [isAsked, asked])
  const foundTickets = useMemo(
    () =>
      [...localTickets, ...fetched.tickets.filter(({ id }) => !localTickets.some((ticket) => ticket.id === id))].slice(
        0,
        mostTickets,
      ),
    [localTickets, fetched.tickets],
  )
  const saidIn = (ticketId: number) =>
    said.find((message) => message.ticketId === ticketId) ??
    fetched.found.find((message) => message.ticketId === ticketId)
  const people = useRows(searched ? peopleSaying(text, mostContacts) : null, { keepPrevious: true })
  const { rows: foundContacts = [] } = people
  const [tickets, contacts] = searched && typed.length >= 2 ? [foundTickets, foundContacts] : [[], []]

  const inOrder = [...new Set([...offered].sort((a, b) => rank(a) - rank(b)).map(({ group }) => group))]
  const actions = inOrder.flatMap((group) => offered.filter((action) => action.group === group))
  const matching = filterByText(actions, query, ({ label, keywords }) => `${label} ${keywords ?? ''}`)
  // What was typed may be the beginning of something in a later group: that group comes first.
  const groups = [...new Set(matching.map(({ group }) => group))]
  const items: CommandItem[] = [
    ...groups.flatMap((group) =>
      matching
        .filter((action) => action.group === group)
        .map(({ id, label, shortcut }) => ({
          id: `action:${id}`,
          label,
          group,
          ...(shortcut && {
            hint: (
              <span className="flex gap-0.5">
                <Keys keys={shortcut} />
              </span>
            ),
          }),
        })),
    ),
    ...tickets.map((ticket) => {
      const message = saidIn(ticket.id)
      const label = nameOf(ticket)
      const queue = queues.byId.get(ticket.queueId ?? 0)?.name
      const [name, piece] = [pieceOf(label, text), pieceOf(message?.body ?? ticket.lastMessage, text)]
      return {
        id: `ticket:${ticket.uuid}`,
        label,
        content: (
          <span className="min-w-0 flex-1">
            <span className="block truncate">{name ? <Marked piece={name} /> : label}</span>
            {piece && (
              <span dir="auto" className="block truncate text-xs text-muted-foreground">
                <Marked piece={piece} />
              </span>
            )}
          </span>
        ),
        // On a phone the words that were found need the room.
        hint: (
          <>
            <span className="max-sm:hidden">#{ticket.id} · </span>
            {statuses[ticket.status]}
            {queue && <span className="max-sm:hidden"> · {queue}</span>}
            {' · '}
            {listTime(message?.at ?? ticket.updatedAt, now, i18n.locale)}
          </>
        ),
        group: t`Atendimentos`,
      }
    }),
    ...contacts.map((row) => ({
      id: `contact:${row.id}`,
      label: labelOf(row),
      hint: contactHint(row),
      group: t`Escrever para o contato`,
    })),
  ]
  const choose = (id: string) => {
    const [kind, key] = [id.slice(0, id.indexOf(':')), id.slice(id.indexOf(':') + 1)]
    onDone()
    // After the palette has given the focus back: what opens next takes it from there.
    setTimeout(() => {
      if (kind === 'action') offered.find((action) => action.id === key)?.run()
      if (kind === 'ticket') {
        const ticket = tickets.find(({ uuid }) => uuid === key)
        const said = ticket && saidIn(ticket.id)
        if (said) openAt(said, text)
        void navigate({ to: '/tickets/$uuid', params: { uuid: key } })
      }
      const row = kind === 'contact' && contacts.find((one) => String(one.id) === key)
      if (row) onContact(row)
    })
  }
  // Nothing will come before what stands first now, or instead of nothing.
  const isAnswered = (state: RowsState<object>) => !searched || (state.rows !== undefined && !state.previous)
  const isServerAnswered =
    asked === text && (!isAsked || fetched.failed || !fetched.hasMore || fetched.tickets.length > 0)
  const isFound =
    matching.length > 0 ||
    (typed === text && isAnswered(local) && isAnswered(people) && (tickets.length > 0 || isServerAnswered))
  const chooseFirst = useEffectEvent(() => {
    setEntered(false)
    if (items[0]) choose(items[0].id)
  })
  useEffect(() => {
    if (isEntered && isFound) chooseFirst()
  }, [isEntered, isFound])
  return (
    <Command
      label={t`Comandos, atendimentos e contatos`}
      placeholder={t`O que você quer fazer?`}
      items={items}
      filter={false}
      query={query}
      onQueryChange={(next) => {
        setQuery(next)
        setEntered(false)
      }}
      onNothing={() => setEntered(true)}
      loading={typed !== text || fetched.loading}
      listClassName="max-h-[min(60vh,28rem)]"
      onSelect={choose}
    />
  )
}

/** What is nearest comes first: the open ticket, its list, what can be done anywhere, and where one can go. */
function rank({ id }: Action): number {
  if (id.startsWith('ticket.')) return 0
  if (id.startsWith('tickets.')) return 1
  return id.startsWith('go:') ? 3 : 2
}

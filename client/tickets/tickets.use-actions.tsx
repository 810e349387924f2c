import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { CommandInput } from '../../schema/catalog.ts'
import { DomainError } from '../../schema/errors.ts'
import type { OutboxEntry, Replica } from '../../sync/client/replica.types.ts'
import { api, ApiError } from '../session/api.ts'
import { useReplica } from '../replica/replica.tsx'
import { session } from '../session/session-store.ts'
import { createStore } from '../base/store.ts'
import { toast } from '../ui/toaster.tsx'
import { toastError } from '../session/failure.tsx'
import { perform } from '../session/perform.ts'
import { offerUndo } from '../session/undo.ts'
import { closing, type Filled, mayMissFields } from './tickets.closing.ts'
import { wantRow } from './tickets.row-focus.ts'
import { accepting } from './tickets.second-click.ts'
import type { TicketRow } from './tickets.rows.ts'

type Move = 'accept' | 'return' | 'resolve' | 'reopen' | 'transfer' | 'snooze' | 'wake'
type Wish = {
  status?: TicketRow['status']
  queueId?: number | null
  userId?: number | null
  whatsappId?: number | null
  note?: string
  snoozedUntil?: string | null
  keep?: boolean
}

/** What `PUT /tickets/:id` is told for a move. */
const wishes: Record<Exclude<Move, 'transfer' | 'snooze'>, Wish> = {
  accept: { status: 'open' },
  return: { status: 'pending' },
  resolve: { status: 'closed' },
  reopen: { status: 'open' },
  wake: { snoozedUntil: null },
}

/**
 * Moves a ticket; answers whether it was taken, or by which command. A ticket that the replica does not hold (long closed, of another
 * queue) cannot be judged here and is moved by the server directly.
 */
async function move<M extends Move>(
  replica: Replica,
  ticket: TicketRow,
  type: M,
  input: CommandInput<`tickets.${M}`>,
  wish: Wish,
): Promise<OutboxEntry | boolean> {
  try {
    return await replica.mutate(`tickets.${type}`, input)
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'ERR_NO_TICKET_FOUND') return refused(ticket, error)
  }
  try {
    const { fields, contactFields } = input as Filled
    if (fields) await api.put(`/tickets/${ticket.id}/fields`, { fields })
    if (contactFields) await api.put(`/contacts/${ticket.contactId}/fields`, { fields: contactFields })
    await api.put(`/tickets/${ticket.id}`, wish)
    return true
  } catch (error) {
    return refused(ticket, error)
  }
}

/** Says why it was not done; what is missing before a ticket is closed is asked for. */
function refused(ticket: TicketRow, error: unknown): false {
  if ((error instanceof DomainError || error instanceof ApiError) && error.code === 'ERR_FIELDS_REQUIRED')
    closing.set(ticket)
  else toastError(error)
  return false
}

/** The ticket that was accepted last: the lists follow it. */
export const lastAccepted = createStore<string | null>(null)
session.onEnd(() => lastAccepted.set(null))
/** Tickets that this tab sent on or gave back a moment ago: that they are out of sight is no surprise. */
const sentOn = new Map<string, number>()
const sentOnMs = 10_000
export const markSentOn = ({ uuid }: Pick<TicketRow, 'uuid'>) => void sentOn.set(uuid, Date.now())
export const isSentOn = (uuid: string): boolean => Date.now() - (sentOn.get(uuid) ?? -Infinity) < sentOnMs
session.onEnd(() => sentOn.clear())

/** The ticket for which somebody is choosing until when it is put aside. */
export const snoozing = createStore<TicketRow | null>(null)
session.onEnd(() => snoozing.set(null))

/** The moves of a ticket's life as buttons call them; each says where the agent goes afterwards. */
export function useTicketActions() {
  const { t } = useLingui()
  const replica = useReplica()
  const navigate = useNavigate()
  return useMemo(() => {
    const open = (ticket: Pick<TicketRow, 'uuid'>) =>
      void navigate({ to: '/tickets/$uuid', params: { uuid: ticket.uuid } })
    // Only who is looking at the ticket is led away from it. The keyboard goes on where the ticket was in the list.
    const leave = (ticket: TicketRow, isFollowed = true) => {
      wantRow({ to: 'leaving', id: ticket.id, uuid: ticket.uuid, was: isFollowed ? ticket : null })
      if (location.pathname.includes(ticket.uuid)) void navigate({ to: '/tickets', replace: true })
    }
    /** Moves a ticket away from the agent, who may take that back for a moment. */
    const leaving = async <M extends 'return' | 'resolve' | 'snooze'>(
      ticket: TicketRow,
      type: M,
      said: string,
      input: CommandInput<`tickets.${M}`>,
      wish: Wish,
    ) => {
      const ticketId = ticket.id
      const wasOpen = location.pathname.includes(ticket.uuid)
      markSentOn(ticket)
      const done = move(replica, ticket, type, input, wish)
      const withdraw = offerUndo(said, () => {
        void done.then(async (taken) => {
          if (typeof taken !== 'object') return
          if (!(await perform(replica, 'tickets.undo', { ticketId, commandId: taken.id }))) return
          if (wasOpen) open(ticket)
          else wantRow({ to: 'coming', id: ticketId })
        })
      })
      const taken = await done
      // What the server did by itself it does at once.
      if (typeof taken !== 'object') withdraw()
      if (taken === false) return void sentOn.delete(ticket.uuid)
      leave(ticket, taken !== true)
      if (taken === true) toast.success(said)
    }
    /** Closes it, with what was asked for. */
    const close = (ticket: TicketRow, filled: Filled = {}) =>
      leaving(
        ...([ticket, 'resolve', t`Atendimento resolvido`] as const),
        ...([
          { ticketId: ticket.id, undoable: true, unread: ticket.unreadMessages, ...filled },
          wishes.resolve,
        ] as const),
      )
    return {
      open,
      leave,
      /** Assigns the ticket to the agent and makes it the current one. */
      accept: async (ticket: TicketRow) => {
        const accepted = accepting()
        const isMine = await move(replica, ticket, 'accept', { ticketId: ticket.id }, wishes.accept)
        accepted()
        if (!isMine) return
        lastAccepted.set(ticket.uuid)
        open(ticket)
      },
      return: (ticket: TicketRow) =>
        leaving(
          ...([ticket, 'return', t`Atendimento devolvido à fila`] as const),
          ...([{ ticketId: ticket.id, undoable: true }, wishes.return] as const),
        ),
      /** Closes it; what the company wants to know before is asked for first. */
      resolve: async (ticket: TicketRow) => {
        if (mayMissFields(ticket)) closing.set(ticket)
        else await close(ticket)
      },
      close,
      /** Puts it aside until a moment, or with null until the contact answers. */
      snooze: (ticket: TicketRow, until: string | null, more: { keep?: boolean; note?: string }) =>
        leaving(
          ...([ticket, 'snooze', t`Atendimento adiado`] as const),
          { ticketId: ticket.id, until, ...more, undoable: true },
          { snoozedUntil: until ?? 'answer', ...more },
        ),
      wake: async (ticket: TicketRow) => {
        if (await move(replica, ticket, 'wake', { ticketId: ticket.id }, wishes.wake))
          toast.success(t`Atendimento reativado`)
      },
      reopen: async (ticket: TicketRow) => {
        if (await move(replica, ticket, 'reopen', { ticketId: ticket.id }, wishes.reopen)) open(ticket)
      },
      /** Answers whether it was taken; where the agent goes is up to the dialog. */
      transfer: async (
        ticket: TicketRow,
        to: { queueId: number; userId: number | null; whatsappId: number | null; note?: string },
      ) => {
        markSentOn(ticket)
        return (await move(replica, ticket, 'transfer', { ticketId: ticket.id, ...to }, to)) !== false
      },
    }
  }, [replica, navigate, t])
}

export type TicketActions = ReturnType<typeof useTicketActions>

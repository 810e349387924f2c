import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useReplica } from '../replica/replica.tsx'
import { perform } from '../session/perform.ts'
import { offerUndo } from '../session/undo.ts'
import type { TicketRow } from './tickets.rows.ts'

/** Two tickets of a contact become one, and one becomes two again; the agent goes where the conversation is. */
export function useMergeTickets() {
  const { t } = useLingui()
  const replica = useReplica()
  const navigate = useNavigate()
  return useMemo(() => {
    const open = ({ uuid }: Pick<TicketRow, 'uuid'>) => void navigate({ to: '/tickets/$uuid', params: { uuid } })
    const part = async (from: Pick<TicketRow, 'id' | 'uuid'>, intoId: number, mergeId: string) => {
      if (await perform(replica, 'tickets.part', { ticketId: from.id, intoId, mergeId })) open(from)
    }
    return {
      part,
      merge: async (from: TicketRow, into: TicketRow) => {
        const done = await perform(replica, 'tickets.merge', { ticketId: from.id, intoId: into.id })
        if (!done) return
        open(into)
        offerUndo(t`Atendimento #${from.id} juntado a este`, () => void part(from, into.id, done.id))
      },
    }
  }, [replica, navigate, t])
}

import { useCallback } from 'react'
import { useReplica } from '../replica/replica.tsx'
import { useDraft } from '../replica/use-draft.ts'
import { useDrafts } from '../tickets/tickets.drafts.ts'

/** The text being written in a ticket: kept over reloads and on the person's other devices. See {@link useDraft}. */
export function useTicketDraft(ticketId: number): ReturnType<typeof useDraft> {
  const replica = useReplica()
  const drafts = useDrafts()
  const share = useCallback(
    // A ticket that was taken away meanwhile keeps no draft; nothing is lost that could still be sent.
    (body: string) => replica.mutate('drafts.set', { ticketId, body }),
    [replica, ticketId],
  )
  return useDraft({ ticketId }, { body: drafts && (drafts.get(ticketId) ?? ''), share: share })
}

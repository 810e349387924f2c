import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { BulkAction } from '../../schema/tickets/tickets.bulk.ts'
import { useReplica } from '../replica/replica.tsx'
import { perform } from '../session/perform.ts'
import { offerUndo } from '../session/undo.ts'
import { toast } from '../ui/toaster.tsx'
import { tagsBack } from './tickets.bulk-plan.ts'
import { wantRow } from './tickets.row-focus.ts'
import type { TicketRow } from './tickets.rows.ts'
import { clearSelection } from './tickets.selection.ts'
import { markSentOn } from './tickets.use-actions.tsx'

/** With these a ticket leaves the agent, or their list. */
const leaves = new Set<BulkAction['type']>(['return', 'resolve', 'transfer', 'snooze'])

/** Who resolves has seen so much of each: what its contact says until the server hears of it keeps it open. */
const asSeen = (action: BulkAction, tickets: readonly TicketRow[]): BulkAction =>
  action.type === 'resolve'
    ? { ...action, unread: Object.fromEntries(tickets.map(({ id, unreadMessages }) => [id, unreadMessages])) }
    : action

/**
 * Does one thing with several tickets by one command, which is taken back as one. Says `said` in this very frame, and
 * answers whether it was taken.
 */
export function useBulk() {
  const replica = useReplica()
  const navigate = useNavigate()
  return useMemo(() => {
    const back = async (tickets: readonly TicketRow[], action: BulkAction, commandId: string) => {
      if (action.type === 'tag')
        for (const { ids, action: again } of tagsBack(tickets, action))
          await perform(replica, 'tickets.bulk', { ids, action: again })
      else await perform(replica, 'tickets.undoBulk', { ids: tickets.map(({ id }) => id), commandId })
    }
    return async (tickets: readonly TicketRow[], action: BulkAction, said: string): Promise<boolean> => {
      const ids = tickets.map(({ id }) => id)
      // What waits of it can be taken back until the server does it; what was read is read.
      const isTakenBack = action.type !== 'read'
      const undoable = isTakenBack && action.type !== 'tag'
      const at = (document.activeElement as HTMLElement | null)?.dataset['item']
      const focused = tickets.find(({ id }) => String(id) === at)
      if (leaves.has(action.type)) tickets.forEach(markSentOn)
      const done = perform(replica, 'tickets.bulk', {
        ids,
        action: asSeen(action, tickets),
        ...(undoable && { undoable }),
      })
      const withdraw = isTakenBack
        ? offerUndo(said, () => {
            void done.then(async (taken) => {
              if (!taken) return
              await back(tickets, action, taken.id)
              wantRow({ to: 'coming', id: focused?.id ?? ids[0]! })
            })
          })
        : () => undefined
      const taken = await done
      if (!taken) {
        withdraw()
        return false
      }
      clearSelection()
      if (!isTakenBack) toast.success(said)
      // The keyboard goes on where the row was; from the bar, which goes, to the list.
      wantRow(focused ? { to: 'leaving', id: focused.id, uuid: focused.uuid, was: focused } : { to: 'list' })
      const isAway = leaves.has(action.type) && tickets.some(({ uuid }) => location.pathname.includes(uuid))
      if (isAway) void navigate({ to: '/tickets', replace: true })
      return true
    }
  }, [replica, navigate])
}

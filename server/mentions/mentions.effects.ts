import { and, eq } from 'drizzle-orm'
import { mentionId } from '../../schema/mentions/mentions.commands.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import { canSeeTicket, type Principal } from '../../schema/permissions.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { applyDecision } from '../commands/apply.ts'
import type { Db } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import { addJobs } from '../jobs/queue.ts'
import type { Handlers } from '../jobs/worker.ts'
import { calledPeople } from './mentions.queries.ts'

/**
 * Writes down whom a note calls, and has those told who see the ticket. Whoever does not see it has the row all the same,
 * out of their sight: it comes when the ticket does.
 */
export function mentionEffects({
  db,
  events,
  principalOf,
  wake,
}: {
  db: Db
  events: Pick<Events, 'emit'>
  principalOf(userId: number): Promise<Principal | null>
  /** Jobs were written. */
  wake(): void
}): Pick<Handlers, 'notes.mentioned'> {
  return {
    'notes.mentioned': async ({ noteId }, { companyId }) => {
      const [row] = await db
        .select({ note: ticketNotes, ticket: tickets })
        .from(ticketNotes)
        .innerJoin(tickets, eq(tickets.id, ticketNotes.ticketId))
        .where(and(eq(ticketNotes.companyId, companyId), eq(ticketNotes.id, noteId)))
      if (!row) return
      const { note, ticket } = row
      const idsOf = (kind: 'user' | 'queue') => note.mentions.flatMap((one) => (one.kind === kind ? [one.id] : []))
      const people = await calledPeople(db, companyId, { userIds: idsOf('user'), queueIds: idsOf('queue') })
      // Nobody has to be told what they wrote themselves.
      if (note.userId !== null) people.delete(note.userId)
      if (people.size === 0) return
      await db.transaction(async (tx) => {
        await applyDecision(tx, companyId, {
          rows: [...people].map(([userId, queueId]) => ({
            table: 'mentions',
            op: 'insert',
            values: {
              ...{ id: mentionId(noteId, userId), companyId, noteId, ticketId: ticket.id, userId, queueId },
              ...{ byUserId: note.userId, createdAt: note.createdAt },
            },
          })),
          effects: [],
        })
        await addJobs(tx, companyId, [{ kind: 'push.notify', noteId }])
      })
      wake()
      const seeing: number[] = []
      for (const userId of people.keys()) {
        const who = await principalOf(userId)
        if (who && canSeeTicket(who, ticket)) seeing.push(userId)
      }
      if (seeing.length === 0) return
      events.emit({
        ...{ companyId, name: 'mention', action: 'create' },
        payload: { noteId, ticketId: ticket.id },
        audience: { userIds: seeing },
      })
    },
  }
}

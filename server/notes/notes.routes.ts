import { and, desc, eq } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { clientId } from '../../schema/inputs.ts'
import { postedNote } from '../../schema/notes/notes.inputs.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { commandKey, rowIdFor } from '../http/commands.routes.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed } from '../http/guard.ts'
import { queryId } from '../http/inputs.ts'
import { visibleTo } from '../tickets/tickets.queries.ts'

const tags = ['ticket-notes']
const MOST_NOTES = 500

/** What colleagues tell each other about a ticket. */
export function noteRoutes(deps: AppDeps) {
  const { db, runCommand } = deps
  const select = () =>
    db
      .select({
        id: ticketNotes.id,
        note: ticketNotes.note,
        mentions: ticketNotes.mentions,
        ticketId: ticketNotes.ticketId,
        contactId: ticketNotes.contactId,
        userId: ticketNotes.userId,
        createdAt: ticketNotes.createdAt,
        user: { id: users.id, name: users.name },
      })
      .from(ticketNotes)
      .innerJoin(tickets, eq(tickets.id, ticketNotes.ticketId))
      .leftJoin(users, eq(users.id, ticketNotes.userId))

  return new Elysia({ prefix: '/ticket-notes' })
    .use(authed(deps))
    .get(
      '/list',
      ({ who, query }) =>
        select()
          .where(
            and(
              visibleTo(who),
              query.ticketId ? eq(ticketNotes.ticketId, query.ticketId) : undefined,
              query.contactId ? eq(ticketNotes.contactId, query.contactId) : undefined,
            ),
          )
          .orderBy(desc(ticketNotes.createdAt), desc(ticketNotes.id))
          .limit(MOST_NOTES),
      {
        query: t.Object({ ticketId: queryId, contactId: queryId }),
        detail: { tags, summary: 'Notes of a ticket or of a contact, newest first' },
      },
    )
    .post(
      '/',
      async ({ who, body, request }) => {
        const key = commandKey(request)
        const id = body.id ?? rowIdFor(who, key)
        const outcome = await runCommand(who, {
          id: key,
          name: 'notes.create',
          input: { id, ticketId: body.ticketId, note: body.note, ...(body.mentions && { mentions: body.mentions }) },
        })
        const [note] = await select().where(
          and(visibleTo(who), eq(ticketNotes.id, (outcome.result as { id: string }).id)),
        )
        if (!note) throw new DomainError('ERR_NO_NOTE_FOUND')
        return note
      },
      {
        body: postedNote,
        detail: { tags, summary: 'Write a note' },
      },
    )
    .delete(
      '/:id',
      async ({ who, params, request }) => {
        await runCommand(who, { id: commandKey(request), name: 'notes.delete', input: { id: params.id } })
        return {}
      },
      { params: t.Object({ id: clientId }), detail: { tags, summary: 'Delete a note: its author, or an admin' } },
    )
}

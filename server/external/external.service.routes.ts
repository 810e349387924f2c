import { and, asc, eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { changedProgramTag, newProgramTag, programNote, programTyping } from '../../schema/external/external.inputs.ts'
import { toApiNote, toApiTag } from '../../schema/external/external.rows.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import { type Tag, tags } from '../../schema/tags/tags.table.ts'
import { rowIdFor } from '../http/commands.routes.ts'
import type { AppDeps } from '../http/deps.ts'
import { idParams } from '../http/inputs.ts'
import { removeTag } from '../tags/tags.changes.ts'
import { DEFAULT_COLOR, emitTags } from '../tags/tags.routes.ts'
import { emitLetGo } from '../uses/uses.events.ts'
import { asAdmin, commandKeyOf, needs, programs } from './external.programs.routes.ts'
import { ticketOf } from './external.queries.ts'

const MOST_NOTES = 500

/** What programs do in a ticket beside writing to the contact: notes, typing, and the tags that tickets have. */
export const programServiceRoutes = (deps: AppDeps) => new Elysia().use(notesAndTyping(deps)).use(ticketTags(deps))

function notesAndTyping(deps: AppDeps) {
  const { db, runCommand, sessions } = deps

  return new Elysia()
    .use(programs(deps))
    .post(
      '/tickets/:id/typing',
      async ({ of, params, body }) => {
        const ticket = await ticketOf(db, of('messages:send'), params.id)
        if (ticket.status === 'closed') throw new DomainError('ERR_TICKET_NOT_OPEN', { ticketId: ticket.id })
        if (ticket.whatsappId === null) throw new DomainError('ERR_NO_WAPP_FOUND')
        await sessions.presence(ticket.whatsappId, ticket.contactId, body.state)
        return {}
      },
      {
        params: idParams,
        body: programTyping,
        detail: needs(
          'showTyping',
          'messages:send',
          'Show the contact that somebody is typing, or has stopped',
          'WhatsApp takes it away after some 25 seconds.',
        ),
      },
    )
    .get(
      '/tickets/:id/notes',
      async ({ of, params }) => {
        const companyId = of('tickets:read')
        const ticket = await ticketOf(db, companyId, params.id)
        const notes = await db
          .select()
          .from(ticketNotes)
          .where(and(eq(ticketNotes.companyId, companyId), eq(ticketNotes.ticketId, ticket.id)))
          .orderBy(asc(ticketNotes.createdAt), asc(ticketNotes.id))
          .limit(MOST_NOTES)
        return { records: notes.map(toApiNote) }
      },
      {
        params: idParams,
        detail: needs('listNotes', 'tickets:read', 'Notes of a ticket, which its contact never sees'),
      },
    )
    .post(
      '/tickets/:id/notes',
      async ({ caller, of, params, body, request, set }) => {
        const companyId = of('tickets:write')
        const key = commandKeyOf(caller, request)
        const { result } = await runCommand(asAdmin(caller), {
          ...{ id: key, name: 'notes.create' },
          input: { id: rowIdFor(asAdmin(caller), key), ticketId: params.id, ...body },
        })
        const [note] = await db
          .select()
          .from(ticketNotes)
          .where(and(eq(ticketNotes.companyId, companyId), eq(ticketNotes.id, (result as { id: string }).id)))
        if (!note) throw new DomainError('ERR_NO_NOTE_FOUND')
        set.status = 201
        return toApiNote(note)
      },
      {
        params: idParams,
        body: programNote,
        detail: needs('createNote', 'tickets:write', 'Write a note for the colleagues'),
      },
    )
}

function ticketTags(deps: AppDeps) {
  const { db, now } = deps

  /** @throws DomainError `ERR_NO_TAG_FOUND` */
  const tagOf = async (companyId: number, id: number): Promise<Tag> => {
    const [tag] = await db
      .select()
      .from(tags)
      .where(and(eq(tags.companyId, companyId), eq(tags.id, id)))
    if (!tag) throw new DomainError('ERR_NO_TAG_FOUND')
    return tag
  }

  return new Elysia()
    .use(programs(deps))
    .post(
      '/tags',
      async ({ of, body, set }) => {
        const companyId = of('tickets:write')
        const [tag] = await db
          .insert(tags)
          .values({ companyId, name: body.name.trim(), color: body.color ?? DEFAULT_COLOR })
          .returning()
        emitTags(deps, companyId, 'create', { tag })
        set.status = 201
        return toApiTag(tag!)
      },
      { body: newProgramTag, detail: needs('createTag', 'tickets:write', 'Make a tag') },
    )
    .put(
      '/tags/:id',
      async ({ of, params, body }) => {
        const companyId = of('tickets:write')
        const { id } = await tagOf(companyId, params.id)
        await db
          .update(tags)
          .set({ ...body, ...(body.name && { name: body.name.trim() }), updatedAt: now() })
          .where(and(eq(tags.companyId, companyId), eq(tags.id, id)))
        const tag = await tagOf(companyId, id)
        emitTags(deps, companyId, 'update', { tag })
        return toApiTag(tag)
      },
      {
        params: idParams,
        body: changedProgramTag,
        detail: needs('updateTag', 'tickets:write', 'Change a tag'),
      },
    )
    .delete(
      '/tags/:id',
      async ({ of, params }) => {
        const companyId = of('tickets:write')
        const { id } = await tagOf(companyId, params.id)
        const gone = await removeTag(db, companyId, id, deps.now())
        emitTags(deps, companyId, 'delete', { tagId: id })
        await emitLetGo(deps, companyId, gone)
        return {}
      },
      { params: idParams, detail: needs('deleteTag', 'tickets:write', 'Delete a tag, and take it off its tickets') },
    )
}

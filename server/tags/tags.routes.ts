import { and, eq } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import { changedTag, newTag, type TagInput, ticketTags } from '../../schema/tags/tags.inputs.ts'
import { tags } from '../../schema/tags/tags.table.ts'
import { commandKey } from '../http/commands.routes.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed } from '../http/guard.ts'
import { idParams, pageQuery, searchParam } from '../http/inputs.ts'
import { findTicket } from '../tickets/tickets.queries.ts'
import { emitLetGo } from '../uses/uses.events.ts'
import { allTags, findTag, listTags } from './tags.queries.ts'
import { removeTag } from './tags.changes.ts'

const docs = ['tags']
/** Of a tag for which none was chosen. */
export const DEFAULT_COLOR = '#A4CCCC'

/** Tells a company of a change of its tags; older clients hear of tags by the name of users. */
export function emitTags(
  { events }: Pick<AppDeps, 'events'>,
  companyId: number,
  action: string,
  payload: Record<string, unknown>,
) {
  for (const name of ['tag', 'user'] as const) events.emit({ companyId, name, action, payload })
}

/** Labels of tickets. */
export function tagRoutes(deps: AppDeps) {
  const { db, runCommand, now } = deps

  const need = async (who: Principal, id: number) => {
    const tag = await findTag(db, who.companyId, id)
    if (!tag) throw new DomainError('ERR_NO_TAG_FOUND')
    return tag
  }
  type Lane = Pick<TagInput, 'kanban' | 'laneOrder' | 'laneLimit'>
  const noLane: Lane = { kanban: 0, laneOrder: null, laneLimit: null }
  const demandKanban = (who: Principal, before: Lane, wished: Partial<Lane>) => {
    const changes = (key: keyof Lane) => wished[key] !== undefined && wished[key] !== before[key]
    if ((changes('kanban') || changes('laneOrder') || changes('laneLimit')) && !can(who, 'tags:kanban'))
      throw new DomainError('ERR_NO_PERMISSION')
  }
  const emit = (who: Principal, action: string, payload: Record<string, unknown>) =>
    emitTags(deps, who.companyId, action, payload)

  return new Elysia({ prefix: '/tags' })
    .use(authed(deps))
    .get(
      '/',
      ({ who, query }) =>
        listTags(db, who.companyId, { search: query.searchParam?.trim(), pageNumber: query.pageNumber ?? 1 }),
      { query: pageQuery, detail: { tags: docs, summary: 'Tags by name, 20 a page, with how many tickets have them' } },
    )
    .get('/list', ({ who, query }) => allTags(db, who.companyId, query.searchParam?.trim()), {
      query: t.Object({ searchParam }),
      detail: { tags: docs, summary: 'All tags' },
    })
    .get('/:id', ({ who, params }) => need(who, params.id), {
      params: idParams,
      detail: { tags: docs, summary: 'One tag' },
    })
    .post(
      '/sync',
      async ({ who, body, request }) => {
        const tagIds = [...new Set(body.tags.map((tag) => (typeof tag === 'number' ? tag : tag.id)))]
        await runCommand(who, {
          id: commandKey(request),
          name: 'tickets.setTags',
          input: { ticketId: body.ticketId, tagIds },
        })
        return findTicket(db, who, { id: body.ticketId })
      },
      {
        body: ticketTags,
        detail: { tags: docs, summary: 'Replace a ticket’s tags' },
      },
    )
    .post(
      '/',
      async ({ who, body }) => {
        demandKanban(who, noLane, body)
        const [row] = await db
          .insert(tags)
          .values({
            companyId: who.companyId,
            name: body.name.trim(),
            color: body.color ?? DEFAULT_COLOR,
            kanban: body.kanban ?? 0,
            laneOrder: body.laneOrder ?? null,
            laneLimit: body.laneLimit ?? null,
            userId: who.userId,
          })
          .returning({ id: tags.id })
        const tag = await need(who, row!.id)
        emit(who, 'create', { tag })
        return tag
      },
      {
        body: newTag,
        detail: { tags: docs, summary: 'Make a tag' },
      },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        const before = await need(who, params.id)
        demandKanban(who, before, body)
        await db
          .update(tags)
          .set({ ...body, ...(body.name && { name: body.name.trim() }), updatedAt: now() })
          .where(and(eq(tags.companyId, who.companyId), eq(tags.id, params.id)))
        const tag = await need(who, params.id)
        emit(who, 'update', { tag })
        return tag
      },
      {
        params: idParams,
        body: changedTag,
        detail: { tags: docs, summary: 'Change a tag' },
      },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        const tag = await need(who, params.id)
        demandKanban(who, noLane, tag)
        const gone = await removeTag(db, who.companyId, tag.id, now())
        emit(who, 'delete', { tagId: tag.id })
        await emitLetGo(deps, who.companyId, gone)
        return {}
      },
      { params: idParams, detail: { tags: docs, summary: 'Delete a tag, and take it off its tickets' } },
    )
}

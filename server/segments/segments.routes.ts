import { and, asc, eq, sql } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { countFor } from '../../schema/contacts/contacts.masking.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import { changedSegment, countedSegment, newSegment } from '../../schema/segments/segments.inputs.ts'
import { type Segment, segments } from '../../schema/segments/segments.table.ts'
import { demandFeature } from '../commands/plan-features.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'
import { segmentWhere } from './segments.queries.ts'

const tags = ['campaigns']
/** A company has a few dozen. */
const MOST = 200

/** People who have something in common, for campaigns. */
export function segmentRoutes(deps: AppDeps) {
  const { db, events, now } = deps
  const emit = (companyId: number) => events.emit({ companyId, name: 'campaign', action: 'segments' })
  const allowed = async (who: Principal) => {
    demand(who, 'campaigns:write')
    await demandFeature(db, who.companyId, 'useCampaigns')
  }
  const count = (companyId: number, { match, rules }: Pick<Segment, 'match' | 'rules'>) =>
    db.$count(
      contacts,
      and(
        eq(contacts.companyId, companyId),
        eq(contacts.isGroup, false),
        // Who hides their number is reached over an official connection.
        sql`(${contacts.number} IS NOT NULL OR EXISTS (SELECT FROM contact_aliases a
          WHERE a."contactId" = ${contacts.id} AND a."kind" = 'bsuid' AND a."until" IS NULL))`,
        segmentWhere(companyId, match, rules, now()),
      ),
    )
  const need = async (who: Principal, id: number) => {
    await allowed(who)
    const [row] = await db
      .select()
      .from(segments)
      .where(and(eq(segments.companyId, who.companyId), eq(segments.id, id)))
    if (!row) throw new DomainError('ERR_NO_SEGMENT_FOUND')
    return row
  }
  const counted = async (who: Principal, row: Segment) => ({
    ...row,
    count: countFor(who, await count(row.companyId, row)),
  })

  return new Elysia({ prefix: '/segments' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who }) => {
        await allowed(who)
        const records = await db
          .select()
          .from(segments)
          .where(eq(segments.companyId, who.companyId))
          .orderBy(asc(segments.name), asc(segments.id))
          .limit(MOST)
        return { records, hasMore: false }
      },
      { detail: { tags, summary: 'Segments by name' } },
    )
    .get('/:id', async ({ who, params }) => counted(who, await need(who, params.id)), {
      params: idParams,
      detail: {
        tags,
        summary: 'One segment, and how many people are in it now; null where a role hides numbers and they are few',
      },
    })
    .post(
      '/count',
      async ({ who, body }) => {
        await allowed(who)
        return { count: countFor(who, await count(who.companyId, body)) }
      },
      { body: countedSegment, detail: { tags, summary: 'How many people these rules find now; nothing is stored' } },
    )
    .post(
      '/',
      async ({ who, body }) => {
        await allowed(who)
        const [row] = await db
          .insert(segments)
          .values({ ...body, name: body.name.trim(), companyId: who.companyId })
          .returning()
        emit(who.companyId)
        return counted(who, row!)
      },
      { body: newSegment, detail: { tags, summary: 'Make a segment' } },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        await need(who, params.id)
        const [row] = await db
          .update(segments)
          .set({ ...body, ...(body.name && { name: body.name.trim() }), updatedAt: now() })
          .where(and(eq(segments.companyId, who.companyId), eq(segments.id, params.id)))
          .returning()
        if (!row) throw new DomainError('ERR_NO_SEGMENT_FOUND')
        emit(who.companyId)
        return counted(who, row)
      },
      { params: idParams, body: changedSegment, detail: { tags, summary: 'Change a segment' } },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        await need(who, params.id)
        await db.delete(segments).where(and(eq(segments.companyId, who.companyId), eq(segments.id, params.id)))
        emit(who.companyId)
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a segment' } },
    )
}

import { asc, eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { demandOwn, isShownTo, shownOf } from '../../schema/announcements/announcements.audience.ts'
import {
  type AnnouncementInput,
  announcementPictures,
  changedAnnouncement,
  newAnnouncement,
} from '../../schema/announcements/announcements.inputs.ts'
import { type Announcement, announcements } from '../../schema/announcements/announcements.table.ts'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { DomainError } from '../../schema/errors.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demandSuper } from '../http/guard.ts'
import { idParams, pageQuery } from '../http/inputs.ts'
import { fileColumns, fileForm, noFile, takeFile } from '../http/upload-one.ts'
import { releaseFiles } from '../media/media.usage.ts'
import { findAnnouncement, listAnnouncements } from './announcements.queries.ts'

const tags = ['announcements']
/** So many to choose from; more are reached by their plan. */
const MOST_NAMED = 2_000

/** What the operator tells companies. */
export const announcementRoutes = (deps: AppDeps) =>
  new Elysia().use(reading(deps)).use(writing(deps)).use(pictures(deps))

/** What is told, and who can be. */
function reading(deps: AppDeps) {
  const { db, now } = deps
  return new Elysia({ prefix: '/announcements' })
    .use(authed(deps))
    .get(
      '/',
      ({ who, query }) =>
        listAnnouncements(db, {
          reader: who.super ? null : who,
          search: query.searchParam?.trim(),
          pageNumber: query.pageNumber ?? 1,
          now: now(),
        }),
      {
        query: pageQuery,
        detail: {
          tags,
          summary: 'What the caller is told, the most urgent first, 20 a page; all there are to the operator',
        },
      },
    )
    .get(
      '/list',
      ({ who, query }) =>
        listAnnouncements(db, {
          reader: who,
          search: query.searchParam?.trim(),
          pageNumber: query.pageNumber ?? 1,
          now: now(),
        }),
      { query: pageQuery, detail: { tags, summary: 'What the caller is told now, also to the operator' } },
    )
    .get(
      '/audience',
      async ({ who }) => {
        demandSuper(who)
        const named = (table: typeof companies | typeof plans) =>
          db
            .select({ id: table.id, name: table.name })
            .from(table as typeof plans)
            .orderBy(asc(table.name))
            .limit(MOST_NAMED)
        const [ofCompanies, ofPlans] = await Promise.all([named(companies), named(plans)])
        return { companies: ofCompanies, plans: ofPlans }
      },
      { detail: { tags, summary: 'The companies and plans that may be told something; the operator' } },
    )
}

/** What those need who write: the operator's routes. */
function announcementCalls({ db, events, now }: AppDeps) {
  const need = async (id: number): Promise<Announcement> => {
    const row = await findAnnouncement(db, id)
    if (!row) throw new DomainError('ERR_NO_ANNOUNCEMENT_FOUND')
    return row
  }
  /** One that the operator may change. */
  const needOwn = async (id: number, change: 'rewrite' | 'remove' = 'rewrite') => {
    const row = await need(id)
    demandOwn(row, change, now())
    return row
  }
  /** Its words go to companies of which everybody is told; all others are told to forget it, and to ask again. */
  const emit = async (action: 'create' | 'update' | 'delete', row: Announcement) => {
    const all = await db.select({ id: companies.id, planId: companies.planId }).from(companies)
    for (const { id: companyId, planId } of all) {
      const isForAll = row.profiles.length === 0 && isShownTo(row, { companyId, planId, profile: 'user' }, now())
      events.emit({
        companyId,
        name: 'announcement',
        ...(action !== 'delete' && isForAll
          ? { action, payload: { record: shownOf(row) } }
          : { action: 'delete', payload: { id: row.id } }),
      })
    }
  }
  return { need, needOwn, emit }
}

function writing(deps: AppDeps) {
  const { db, now } = deps
  const { need, needOwn, emit } = announcementCalls(deps)

  const columns = (body: Partial<AnnouncementInput>, before?: Announcement) => {
    const { startsAt, endsAt, title, ...others } = body
    const changed = {
      ...others,
      ...(title !== undefined && { title: title.trim() }),
      ...(startsAt !== undefined && { startsAt: startsAt === null ? null : realMoment(startsAt, 'startsAt') }),
      ...(endsAt !== undefined && { endsAt: endsAt === null ? null : realMoment(endsAt, 'endsAt') }),
      updatedAt: now(),
    }
    const { startsAt: from, endsAt: to } = { ...before, ...changed }
    if (from && to && to <= from)
      throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/endsAt', message: 'after startsAt' }] })
    return changed
  }

  return new Elysia({ prefix: '/announcements' })
    .use(authed(deps))
    .get(
      '/:id',
      ({ who, params }) => {
        demandSuper(who)
        return need(params.id)
      },
      { params: idParams, detail: { tags, summary: 'One announcement; the operator' } },
    )
    .post(
      '/',
      async ({ who, body }) => {
        demandSuper(who)
        const { title, text, ...given } = body
        const [made] = await db
          .insert(announcements)
          .values({ ...columns(given), title: title.trim(), text, createdAt: now() })
          .returning()
        await emit('create', made!)
        return made!
      },
      { body: newAnnouncement, detail: { tags, summary: 'Tell something; the operator' } },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        demandSuper(who)
        const before = await needOwn(params.id)
        await db.update(announcements).set(columns(body, before)).where(eq(announcements.id, params.id))
        const row = await need(params.id)
        await emit('update', row)
        return row
      },
      {
        params: idParams,
        body: changedAnnouncement,
        detail: { tags, summary: 'Change an announcement; the operator' },
      },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        demandSuper(who)
        const row = await needOwn(params.id, 'remove')
        await db.transaction(async (tx) => {
          const gone = await tx
            .delete(announcements)
            .where(eq(announcements.id, row.id))
            .returning({ path: announcements.mediaPath })
          await releaseFiles(
            tx,
            OPERATOR_COMPANY_ID,
            gone.map(({ path }) => path),
          )
        })
        await emit('delete', row)
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Take an announcement back; the operator' } },
    )
}

/** The picture of one. */
function pictures(deps: AppDeps) {
  const { db, media, config, now } = deps
  const { need, needOwn, emit } = announcementCalls(deps)

  const setFile = async (id: number, file: ReturnType<typeof fileColumns> | typeof noFile) => {
    await db.transaction(async (tx) => {
      const [last] = await tx
        .select({ path: announcements.mediaPath })
        .from(announcements)
        .where(eq(announcements.id, id))
        .for('update')
      if (!last) throw new DomainError('ERR_NO_ANNOUNCEMENT_FOUND')
      await tx
        .update(announcements)
        .set({ ...file, updatedAt: now() })
        .where(eq(announcements.id, id))
      await releaseFiles(tx, OPERATOR_COMPANY_ID, [last.path])
    })
    const row = await need(id)
    await emit('update', row)
    return row
  }

  return new Elysia({ prefix: '/announcements' })
    .use(authed(deps))
    .post(
      '/:id/media-upload',
      async ({ who, params, request }) => {
        demandSuper(who)
        await needOwn(params.id)
        const place = {
          media,
          companyId: OPERATOR_COMPANY_ID,
          maxBytes: config.maxUploadBytes,
          only: announcementPictures,
        }
        return takeFile(request, place, (file) => setFile(params.id, fileColumns(file)))
      },
      {
        params: idParams,
        detail: {
          tags,
          summary: 'Its picture (png, jpg), in place of the one before; the operator',
          requestBody: fileForm,
        },
      },
    )
    .delete(
      '/:id/media-upload',
      async ({ who, params }) => {
        demandSuper(who)
        await needOwn(params.id)
        return setFile(params.id, noFile)
      },
      { params: idParams, detail: { tags, summary: 'Take its picture off; the operator' } },
    )
}

function realMoment(text: string, field: string): Date {
  const at = new Date(text)
  if (Number.isNaN(at.getTime()))
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: `body/${field}`, message: 'a moment' }] })
  return at
}

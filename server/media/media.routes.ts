import { and, eq } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { Elysia, t } from 'elysia'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { DomainError } from '../../schema/errors.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { can, canSeeTicket, type Principal } from '../../schema/permissions.ts'
import { fileListOptions } from '../../schema/files/files.table.ts'
import { quickMessages } from '../../schema/quick-messages/quick-messages.table.ts'
import { queueOptions } from '../../schema/queues/queue-options.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import type { Db } from '../db/database.ts'
import { callerAddress } from '../http/caller.ts'
import type { AppDeps } from '../http/deps.ts'
import { bearerOf } from '../http/guard.ts'
import { announcedPicture } from '../announcements/announcements.queries.ts'
import { findFlowFile } from '../flows/flows.queries.ts'
import { exportedFile } from '../privacy/privacy.queries.ts'
import { answerFile } from './media.answer.ts'
import { parseMediaPath } from './media.port.ts'
import { servedType } from './media-types.ts'

/**
 * `GET /public/…`: files, for whoever may see the ticket they belong to; pictures of contacts for the company; what flows
 * send for those who draw them. A bot that is told of a message fetches its file by a link.
 */
export function mediaRoutes({ auth, config, db, links, media, passes, now }: AppDeps) {
  return new Elysia().get(
    '/public/*',
    async ({ request, server, params, query }) => {
      const path = params['*']
      const asked = async () => {
        if (query.link !== undefined) return links.isGood(query.link, path) ? describeLinked(db, path) : undefined
        const holder = query.pass === undefined ? undefined : await passes.take(query.pass, { for: 'media', path })
        const allow = { address: callerAddress(request, server, config.trustProxy) }
        const { who } = await (holder
          ? auth.again(holder.userId, holder.tokenVersion, allow)
          : auth.byToken(bearerOf(request), allow))
        return describe(db, who, path, now())
      }
      const owner = await asked()
      if (!owner) throw new DomainError('ERR_NO_FILE_FOUND')
      return answerFile(request, media, owner, query.download === '1')
    },
    {
      query: t.Object({
        pass: t.Optional(t.String({ maxLength: 2_000 })),
        link: t.Optional(t.String({ maxLength: 100 })),
        download: t.Optional(t.String({ maxLength: 1 })),
      }),
      detail: { tags: ['media'], summary: 'A file, for whoever may see its ticket' },
    },
  )
}

interface Described {
  name: string
  mimetype: string
  /** Where it lies in the store. */
  path: string
}

/** A file that `who` may have; undefined for everything else, whatever the reason. */
async function describe(db: Db, who: Principal, path: string, now: Date): Promise<Described | undefined> {
  const place = parseMediaPath(path)
  // It lies with the operator's company, and is for whoever is told.
  const announced = place?.companyId === OPERATOR_COMPANY_ID && (await announcedPicture(db, who, path, now))
  if (announced) return { name: announced.name ?? 'file', mimetype: servedType(announced.mimetype), path }
  if (!place && !path.includes('/')) return flowFile(db, who, path)
  if (!place || place.companyId !== who.companyId) return undefined
  if (place.area === 'contacts') return { name: 'picture', mimetype: pictureType(path), path }
  const rows = await db
    .select({
      name: messages.mediaName,
      mimetype: messages.mediaMime,
      queueId: tickets.queueId,
      userId: tickets.userId,
    })
    .from(messages)
    .innerJoin(tickets, eq(tickets.id, messages.ticketId))
    .where(and(eq(messages.mediaPath, path), eq(messages.companyId, who.companyId)))
  const row =
    rows.find((ticket) => canSeeTicket(who, ticket)) ??
    (await attached(db, who, path)) ??
    (path.endsWith('.zip') ? await exportedFile(db, who, path, now) : undefined)
  return row && { name: row.name ?? 'file', mimetype: servedType(row.mimetype), path }
}

/** The file of a message, for who was given a link to it. */
async function describeLinked(db: Db, path: string): Promise<Described | undefined> {
  const [row] = await db
    .select({ name: messages.mediaName, mimetype: messages.mediaMime })
    .from(messages)
    .where(and(eq(messages.mediaPath, path), eq(messages.isDeleted, false)))
    .limit(1)
  return row && { name: row.name ?? 'file', mimetype: servedType(row.mimetype), path }
}

/** The file that nodes of flows know by this name: for those who draw them. */
async function flowFile(db: Db, who: Principal, name: string): Promise<Described | undefined> {
  if (!can(who, 'automations:write')) return undefined
  const file = await findFlowFile(db, who.companyId, name)
  if (!file?.mediaPath) return undefined
  return {
    name: file.mediaName ?? name,
    mimetype: servedType(file.mediaMime),
    path: file.mediaPath,
  }
}

/** The file of a quick message, a schedule, a queue, an option or a file list: for the company, whose people may be going to send it. */
async function attached(db: Db, { companyId }: Principal, path: string) {
  const from = (
    table: typeof quickMessages | typeof schedules | typeof queues | typeof queueOptions | typeof fileListOptions,
  ) =>
    db
      .select({ name: table.mediaName, mimetype: table.mediaMime })
      .from(table as typeof quickMessages)
      .where(and(eq(table.companyId, companyId), eq(table.mediaPath, path)))
  const [row] = await unionAll(
    from(quickMessages),
    from(schedules),
    from(queues),
    from(queueOptions),
    from(fileListOptions),
  ).limit(1)
  return row
}

const pictureType = (path: string) =>
  ({ png: 'image/png', webp: 'image/webp', gif: 'image/gif' })[path.split('.').at(-1) ?? ''] ?? 'image/jpeg'

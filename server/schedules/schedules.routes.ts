import { and, eq, sql } from 'drizzle-orm'
import { Elysia, type Static, t } from 'elysia'
import type { CommandName } from '../../schema/catalog.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { clientId } from '../../schema/inputs.ts'
import type { Principal } from '../../schema/permissions.ts'
import { momentOrWallTime, postedSchedule, putSchedule } from '../../schema/schedules/schedules.inputs.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import { fileKindOf } from '../../schema/templates/templates.parts.ts'
import { scheduleAfter } from '../../schema/schedules/schedules.transition.ts'
import { applyDecision } from '../commands/apply.ts'
import { demandFeature } from '../commands/plan-features.ts'
import { commandKey, rowIdFor } from '../http/commands.routes.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed } from '../http/guard.ts'
import { pageQuery } from '../http/inputs.ts'
import { fileColumns, fileForm, noFile, takeFile } from '../http/upload-one.ts'
import { releaseFiles } from '../media/media.usage.ts'
import { findTemplate } from '../templates/templates.queries.ts'
import { emitSchedule } from './schedules.events.ts'
import { findSchedule, listSchedules, type ScheduleRow } from './schedules.queries.ts'

const tags = ['schedules']
const params = t.Object({ id: clientId })
const headerTypes = {
  image: ['image/png', 'image/jpeg'],
  video: ['video/mp4', 'video/3gpp'],
  document: ['application/pdf'],
} as const

/** Messages to be sent at a time; what writes them is the commands that browsers use, too. */
export const scheduleRoutes = (deps: AppDeps) => new Elysia().use(scheduled(deps)).use(pictures(deps))

/** What both parts of the routes need. */
function scheduleCalls({ db }: AppDeps) {
  const allowed = (who: Principal) => demandFeature(db, who.companyId, 'useSchedules')
  const need = async (who: Principal, id: string): Promise<ScheduleRow> => {
    const row = await findSchedule(db, who, id)
    if (!row) throw new DomainError('ERR_NO_SCHEDULE_FOUND')
    return row
  }
  return { allowed, need }
}

function scheduled(deps: AppDeps) {
  const { db, runCommand } = deps
  const { allowed, need } = scheduleCalls(deps)

  const moment = async (companyId: number, text: string): Promise<string> => {
    if (!/(Z|[+-]\d{2}:\d{2})$/.test(text)) {
      const [row] = await db
        .select({ at: sql<string>`(${text}::timestamp AT TIME ZONE ${companies.timeZone})::text` })
        .from(companies)
        .where(eq(companies.id, companyId))
      return new Date(row!.at).toISOString()
    }
    const at = new Date(text)
    if (Number.isNaN(at.getTime()))
      throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/sendAt', message: 'not a time' }] })
    return at.toISOString()
  }
  const run = (who: Principal, request: Request, name: CommandName, input: Record<string, unknown>) =>
    runCommand(who, { id: commandKey(request), name, input })

  return new Elysia({ prefix: '/schedules' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who, query }) => {
        await allowed(who)
        return listSchedules(db, who, {
          search: query.searchParam?.trim(),
          pageNumber: query.pageNumber ?? 1,
          ...(query.dateStart && { from: new Date(await moment(who.companyId, query.dateStart)) }),
          ...(query.dateEnd && { to: new Date(await moment(who.companyId, query.dateEnd)) }),
        })
      },
      {
        query: t.Object({
          ...pageQuery.properties,
          dateStart: t.Optional(momentOrWallTime),
          dateEnd: t.Optional(momentOrWallTime),
        }),
        detail: {
          tags,
          summary:
            'Own schedules, all of them for supervisors and admins: first what is to be sent, then what was; 20 a page, or all from `dateStart` to before `dateEnd`',
        },
      },
    )
    .get(
      '/:id',
      async ({ who, params }) => {
        await allowed(who)
        return need(who, params.id)
      },
      { params, detail: { tags, summary: 'One schedule' } },
    )
    .post(
      '/',
      async ({ who, body, request }) => {
        const id = rowIdFor(who, commandKey(request))
        const key = request.headers.get('idempotency-key') ?? id
        await runCommand(who, {
          id: key,
          name: 'schedules.create',
          input: {
            id,
            contactId: body.contactId,
            ...(body.body !== undefined && { body: body.body }),
            ...byTemplate(body),
            sendAt: await moment(who.companyId, body.sendAt),
            ...(body.whatsappId !== undefined && { whatsappId: body.whatsappId }),
            ...(body.bulk !== undefined && { bulk: body.bulk }),
          },
        })
        return need(who, id)
      },
      {
        body: postedSchedule,
        detail: {
          tags,
          summary: 'Have a message sent at a time',
          description:
            'A text (`body`), or a template of an official connection (`templateId`, `templateValues`), which alone is sent ' +
            'outside the 24 hours: a text that is due when they are over fails with `ERR_WINDOW_CLOSED`.',
        },
      },
    )
    .put(
      '/:id',
      async ({ who, params, body, request }) => {
        await run(who, request, 'schedules.update', {
          id: params.id,
          ...(body.contactId !== undefined && { contactId: body.contactId }),
          ...(body.body !== undefined && { body: body.body }),
          ...byTemplate(body),
          ...(body.sendAt !== undefined && { sendAt: await moment(who.companyId, body.sendAt) }),
          ...(body.whatsappId !== undefined && { whatsappId: body.whatsappId }),
          ...(body.bulk !== undefined && { bulk: body.bulk }),
        })
        return need(who, params.id)
      },
      {
        params,
        body: putSchedule,
        detail: { tags, summary: 'Change what was not sent yet' },
      },
    )
    .delete(
      '/:id',
      async ({ who, params, request }) => {
        await run(who, request, 'schedules.delete', { id: params.id })
        return {}
      },
      { params, detail: { tags, summary: 'Delete a schedule; what was sent stays sent' } },
    )
}

/** The template that it is said by, as far as it is named. */
const byTemplate = ({
  templateId,
  templateValues,
}: Pick<Static<typeof putSchedule>, 'templateId' | 'templateValues'>) => ({
  ...(templateId !== undefined && { templateId }),
  ...(templateValues !== undefined && { templateValues }),
})

/** The picture that goes with one. */
function pictures(deps: AppDeps) {
  const { db, media, config, events, now } = deps
  const { allowed, need } = scheduleCalls(deps)

  const setFile = async (who: Principal, before: ScheduleRow, file: ReturnType<typeof fileColumns> | typeof noFile) => {
    const one = and(eq(schedules.companyId, who.companyId), eq(schedules.id, before.id))
    await db.transaction(async (tx) => {
      // It may be sent at this very moment, then its file is the message's; or another one may have come.
      const [last] = await tx
        .select({ status: schedules.status, path: schedules.mediaPath })
        .from(schedules)
        .where(one)
        .for('update')
      if (!last) throw new DomainError('ERR_NO_SCHEDULE_FOUND')
      const values = scheduleAfter(last, { type: 'file', file }, now())
      if (!values) throw new DomainError('ERR_SCHEDULE_SENT')
      await applyDecision(tx, who.companyId, {
        rows: [{ table: 'schedules', op: 'update', ids: [before.id], values }],
        effects: [],
      })
      await releaseFiles(tx, who.companyId, [last.path])
    })
    const row = await need(who, before.id)
    emitSchedule(events, 'update', row)
    return row
  }

  /** Beside a text a picture; beside a template whose header is a file, that. */
  const takenBy = async ({ companyId, templateId }: ScheduleRow): Promise<readonly string[]> => {
    const template = templateId === null ? undefined : await findTemplate(db, companyId, templateId)
    return headerTypes[(template && fileKindOf(template.parts)) ?? 'image']
  }

  return new Elysia({ prefix: '/schedules' })
    .use(authed(deps))
    .post(
      '/:id/media-upload',
      async ({ who, params, request }) => {
        await allowed(who)
        const before = await need(who, params.id)
        if (before.status === 'ENVIADA') throw new DomainError('ERR_SCHEDULE_SENT')
        return takeFile(
          request,
          { media, companyId: who.companyId, maxBytes: config.maxUploadBytes, only: await takenBy(before) },
          (file) => setFile(who, before, fileColumns(file)),
        )
      },
      {
        params,
        detail: {
          tags,
          summary: 'Attach a picture (png, jpg, jpeg), or the file that the header of its template wants',
          requestBody: fileForm,
        },
      },
    )
    .delete(
      '/:id/media-upload',
      async ({ who, params }) => {
        await allowed(who)
        return setFile(who, await need(who, params.id), noFile)
      },
      { params, detail: { tags, summary: 'Take the picture off' } },
    )
}

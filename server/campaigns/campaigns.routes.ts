import { eq, sql } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { changedCampaign, newCampaign, textFields } from '../../schema/campaigns/campaigns.inputs.ts'
import { campaignSettingsInput, changedBulkLine } from '../../schema/campaigns/campaigns.settings.ts'
import { type CampaignMove, isTooLate } from '../../schema/campaigns/campaigns.state.ts'
import type { Campaign } from '../../schema/campaigns/campaigns.table.ts'
import { newCampaignRow } from '../../schema/campaigns/campaigns.transition.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { contactLists } from '../../schema/contact-lists/contact-lists.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { fileLists } from '../../schema/files/files.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { segments } from '../../schema/segments/segments.table.ts'
import { missingValues, templateText } from '../../schema/templates/templates.parts.ts'
import { applyDecision } from '../commands/apply.ts'
import { demandOwned, demandRows } from '../commands/owned.ts'
import { demandFeature } from '../commands/plan-features.ts'
import { audit } from '../audit/audit.changes.ts'
import type { Db } from '../db/database.ts'
import type { AppDeps } from '../http/deps.ts'
import { findTemplate } from '../templates/templates.queries.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams, pageQuery } from '../http/inputs.ts'
import { fileColumns, fileForm, noFile, takeFile } from '../http/upload-one.ts'
import { campaignCalls } from './campaigns.calls.routes.ts'
import { campaignPeople } from './campaigns.people.routes.ts'
import { campaignPlan } from './campaigns.plan.routes.ts'
import { linesOf } from './campaigns.lines.queries.ts'
import { writeLine } from './campaigns.lines.writes.ts'
import { moveCampaign } from './campaigns.moves.ts'
import { firstShippings, listCampaigns, reportOf, reserveCampaignId } from './campaigns.queries.ts'
import { campaignSettingsOf } from './campaigns.settings.queries.ts'
import { writeCampaignSettings } from './campaigns.settings.writes.ts'

const tags = ['campaigns']
type Posted = Partial<typeof newCampaign.static>

/** Messages to many. */
export const campaignRoutes = (deps: AppDeps) =>
  new Elysia()
    .use(campaignMoves(deps))
    .use(campaigns(deps))
    .use(campaignFiles(deps))
    .use(campaignPlan(deps))
    .use(campaignPeople(deps))

/** What a campaign is told to do. */
function campaignMoves(deps: AppDeps) {
  const { allowed, shown } = campaignCalls(deps)
  const move = async (who: Principal, id: number, wish: CampaignMove) => {
    await allowed(who, 'campaigns:send')
    await moveCampaign(deps, who.companyId, id, wish)
    return shown(who, id, 'update')
  }
  const moving = (wish: CampaignMove, summary: string) => ({ wish, detail: { tags, summary } })
  const moves = [
    moving('start', 'Begin now, also what has no date'),
    moving('cancel', 'Stop within one message'),
    moving('restart', 'Go on with a cancelled campaign: only what was not delivered'),
    moving('pause', 'Stand still'),
    moving('resume', 'Go on; also where a rule or WhatsApp itself stopped it'),
    moving('retry', 'Try again what failed'),
  ]

  const app = new Elysia({ prefix: '/campaigns' }).use(authed(deps))
  for (const { wish, detail } of moves)
    app.post(`/:id/${wish}`, ({ who, params }) => move(who, params.id, wish), { params: idParams, detail })
  return app
}

function campaigns(deps: AppDeps) {
  const { db, events, now, facts } = deps
  const { allowed, need, shown, change } = campaignCalls(deps)

  return new Elysia({ prefix: '/campaigns' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who, query }) => {
        await allowed(who)
        return listCampaigns(db, who.companyId, {
          search: query.searchParam?.trim(),
          pageNumber: query.pageNumber ?? 1,
        })
      },
      { query: pageQuery, detail: { tags, summary: 'Campaigns, the latest first, 20 a page' } },
    )
    .get(
      '/:id',
      async ({ who, params }) => {
        await allowed(who)
        const record = await shown(who, params.id)
        const { timeZone } = await facts.of(who.companyId)
        const [report, shipping] = await Promise.all([
          reportOf(db, record, { timeZone, now: now() }),
          firstShippings(db, record.id),
        ])
        return { ...record, report, shipping }
      },
      {
        params: idParams,
        detail: { tags, summary: 'One campaign with its report and its first thousand people' },
      },
    )
    .post(
      '/',
      async ({ who, body }) => {
        await allowed(who)
        const values = await valuesOf(db, who.companyId, body)
        if (isTooLate(values.scheduledAt ?? null, null, now())) throw new DomainError('ERR_CAMPAIGN_DATE')
        const seed = crypto.getRandomValues(new Int32Array(1))[0]!
        const id = await db.transaction(async (tx) => {
          const id = await reserveCampaignId(tx)
          await applyDecision(tx, who.companyId, newCampaignRow({ ...values, id, seed }, who))
          return id
        })
        return shown(who, id, 'create')
      },
      { body: newCampaign, detail: { tags, summary: 'Make a campaign; with a date it is scheduled' } },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        await allowed(who)
        const before = await need(who, params.id)
        const values = await valuesOf(db, who.companyId, body, before)
        await change(who, params.id, { type: 'write', values })
        return shown(who, params.id, 'update')
      },
      {
        params: idParams,
        body: changedCampaign,
        detail: { tags, summary: 'Change a campaign, as far as its stored status allows' },
      },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        await allowed(who)
        await change(who, params.id, { type: 'remove' })
        events.emit({ companyId: who.companyId, name: 'campaign', action: 'delete', payload: { id: params.id } })
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a campaign that is not at work' } },
    )
}

/** The file that goes with one. */
function campaignFiles(deps: AppDeps) {
  const { media, config } = deps
  const { allowed, need, shown, change } = campaignCalls(deps)
  const setFile = async (who: Principal, id: number, file: ReturnType<typeof fileColumns> | typeof noFile) => {
    await change(who, id, { type: 'file', file })
    return shown(who, id, 'update')
  }

  return new Elysia({ prefix: '/campaigns' })
    .use(authed(deps))
    .post(
      '/:id/media-upload',
      async ({ who, params, request }) => {
        await allowed(who)
        await need(who, params.id)
        return takeFile(request, { media, companyId: who.companyId, maxBytes: config.maxUploadBytes }, (file) =>
          setFile(who, params.id, fileColumns(file)),
        )
      },
      { params: idParams, detail: { tags, summary: 'Set the file that goes with it', requestBody: fileForm } },
    )
    .delete(
      '/:id/media-upload',
      async ({ who, params }) => {
        await allowed(who)
        return setFile(who, params.id, noFile)
      },
      { params: idParams, detail: { tags, summary: 'Take the file off' } },
    )
}

/**
 * What is written, with ids that are the company's own.
 * @throws DomainError of what is not there, `ERR_TEMPLATE_VALUES`, or `ERR_VALIDATION` for a
 * date that is none
 */
async function valuesOf(
  db: Db,
  companyId: number,
  body: Posted,
  before: Pick<Campaign, 'templateId' | 'templateValues'> | null = null,
): Promise<Partial<Campaign>> {
  const { scheduledAt, name, ...rest } = body
  const values = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, typeof value === 'string' && !value.trim() ? null : value]),
  ) as Partial<Campaign>
  await demandOwned(db, companyId, 'whatsapps', [values.whatsappId])
  await demandRows(db, companyId, contactLists, [values.contactListId], 'ERR_NO_CONTACT_LIST_FOUND')
  await demandOwned(db, companyId, 'tags', [values.tagListId])
  await demandOwned(db, companyId, 'queues', [values.replyQueueId])
  await demandRows(db, companyId, segments, values.segmentIds ?? [], 'ERR_NO_SEGMENT_FOUND')
  await demandRows(db, companyId, fileLists, [values.fileListId], 'ERR_NO_FILE_FOUND')
  return {
    ...values,
    ...(await saidByTemplate(db, companyId, values, before)),
    ...(name !== undefined && { name: name.trim() }),
    ...(scheduledAt !== undefined && { scheduledAt: await momentOf(db, companyId, scheduledAt) }),
  }
}

/**
 * What a campaign by a template says besides: its texts are the template's, and nobody else's.
 * @throws ERR_NO_TEMPLATE_FOUND, ERR_TEMPLATE_VALUES
 */
async function saidByTemplate(
  db: Db,
  companyId: number,
  values: Partial<Campaign>,
  before: Pick<Campaign, 'templateId' | 'templateValues'> | null,
): Promise<Partial<Campaign>> {
  const templateId = values.templateId === undefined ? (before?.templateId ?? null) : values.templateId
  if (templateId === null) return {}
  const template = await findTemplate(db, companyId, templateId)
  if (!template) throw new DomainError('ERR_NO_TEMPLATE_FOUND')
  const templateValues = values.templateValues ?? before?.templateValues ?? {}
  const missing = missingValues(template.parts, templateValues).map(({ key }) => key)
  if (missing.length > 0) throw new DomainError('ERR_TEMPLATE_VALUES', { missing })
  const none = Object.fromEntries(textFields.map((field) => [field, null]))
  return {
    ...none,
    ...{ templateValues, message1: templateText(template.parts, templateValues), confirmation: false },
    ...{ fileListId: null },
  }
}

/** A moment, or a time by the company's clocks. */
async function momentOf(db: Db, companyId: number, text: string | null): Promise<Date | null> {
  if (!text) return null
  if (/(Z|[+-]\d{2}:\d{2})$/.test(text)) {
    const at = new Date(text)
    if (!Number.isNaN(at.getTime())) return at
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/scheduledAt', message: 'not a time' }] })
  }
  const [row] = await db
    .select({ at: sql<string>`(${text}::timestamp AT TIME ZONE ${companies.timeZone})::text` })
    .from(companies)
    .where(eq(companies.id, companyId))
  return new Date(row!.at)
}

/** What a company has set for all its campaigns. */
export function campaignSettingRoutes(deps: AppDeps) {
  const { db, now, events, facts } = deps
  const allowed = async (who: Principal) => {
    demand(who, 'campaigns:write')
    await demandFeature(db, who.companyId, 'useCampaigns')
  }
  const all = async (companyId: number) =>
    Object.entries(await campaignSettingsOf(db, companyId)).map(([key, value]) => ({
      key,
      value: JSON.stringify(value),
    }))
  const lines = async (companyId: number) =>
    linesOf(db, companyId, await campaignSettingsOf(db, companyId), {
      now: now(),
      timeZone: (await facts.of(companyId)).timeZone,
    })
  return new Elysia({ prefix: '/campaign-settings' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who }) => {
        await allowed(who)
        return all(who.companyId)
      },
      { detail: { tags, summary: 'Settings of campaigns: keys, and values as JSON' } },
    )
    .get(
      '/lines',
      async ({ who }) => {
        await allowed(who)
        return { records: await lines(who.companyId) }
      },
      { detail: { tags, summary: 'What each connection may send to many today, and has sent' } },
    )
    .put(
      '/lines/:id',
      async ({ who, params, body }) => {
        await allowed(who)
        // Whoever lets it go on sends.
        if (body.stopped === false) demand(who, 'campaigns:send')
        await writeLine(db, who.companyId, params.id, body, now())
        await audit(db, {
          ...{ companyId: who.companyId, action: 'update', entity: 'campaignSetting' },
          ...{ id: `line ${params.id}`, facts: body },
        })
        events.emit({ companyId: who.companyId, name: 'campaign', action: 'settings' })
        return (await lines(who.companyId)).find(({ id }) => id === params.id)
      },
      {
        params: idParams,
        body: changedBulkLine,
        detail: {
          tags,
          summary: 'Change what a connection may send to many a day',
          description: '`stopped: false` lets it go on after WhatsApp stopped it: campaigns are resumed one by one.',
        },
      },
    )
    .post(
      '/',
      async ({ who, body }) => {
        await allowed(who)
        const { variables, ...values } = body.settings
        await writeCampaignSettings(
          db,
          who.companyId,
          {
            ...values,
            // A key that is there already is not added.
            ...(variables && {
              variables: variables.filter(({ key }, i) => variables.findIndex((one) => one.key === key) === i),
            }),
          },
          now(),
        )
        events.emit({ companyId: who.companyId, name: 'campaign', action: 'settings' })
        return all(who.companyId)
      },
      {
        body: t.Object({ settings: campaignSettingsInput }),
        detail: { tags, summary: 'Change settings of campaigns' },
      },
    )
}

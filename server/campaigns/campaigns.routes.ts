import { and, eq, inArray, sql } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { writeXlsxStream } from 'hucre/xlsx'
import { changedCampaign, newCampaign, recipientsQuery } from '../../schema/campaigns/campaigns.inputs.ts'
import { draw, fill } from '../../schema/campaigns/campaigns.message.ts'
import { campaignSettingsInput, changedBulkLine } from '../../schema/campaigns/campaigns.settings.ts'
import { type CampaignMove, isTooLate } from '../../schema/campaigns/campaigns.state.ts'
import type { Campaign } from '../../schema/campaigns/campaigns.table.ts'
import { type CampaignEvent, changeCampaign, newCampaignRow } from '../../schema/campaigns/campaigns.transition.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { contactLists } from '../../schema/contact-lists/contact-lists.table.ts'
import { countFor, FEWEST_COUNTED } from '../../schema/contacts/contacts.masking.ts'
import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import { DomainError } from '../../schema/errors.ts'
import { type Language, wordIn } from '../../schema/languages.ts'
import { fileLists } from '../../schema/files/files.table.ts'
import type { Permission, Principal } from '../../schema/permissions.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { segments } from '../../schema/segments/segments.table.ts'
import { tags as tagTable } from '../../schema/tags/tags.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { applyDecision } from '../commands/apply.ts'
import { demandFeature } from '../commands/plan-features.ts'
import { findContact } from '../contacts/contacts.queries.ts'
import {
  type ColumnNames,
  csvOf,
  headerOf,
  momentWriter,
  sheetLanguage,
  sheetResponse,
} from '../contacts/contacts.sheets.ts'
import { audit } from '../audit/audit.changes.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams, pageQuery, queryId } from '../http/inputs.ts'
import { fileColumns, fileForm, noFile, takeFile } from '../http/upload-one.ts'
import { releaseFiles } from '../media/media.usage.ts'
import { linesOf } from './campaigns.lines.queries.ts'
import { writeLine } from './campaigns.lines.writes.ts'
import { moveCampaign } from './campaigns.moves.ts'
import { dryRun } from './campaigns.dry-run.ts'
import {
  allRecipients,
  firstShippings,
  findCampaign,
  listCampaigns,
  lockCampaign,
  recipientsOf,
  reportOf,
  reserveCampaignId,
  storedCampaign,
} from './campaigns.queries.ts'
import { campaignSettingsOf } from './campaigns.settings.queries.ts'
import { writeCampaignSettings } from './campaigns.settings.writes.ts'
import { reasonWords, stateWords } from './campaigns.words.ts'

const tags = ['campaigns']
const columns: ColumnNames = {
  name: ['nome', 'nombre', 'name'],
  number: ['número', 'número', 'number'],
  state: ['situação', 'estado', 'state'],
  reason: ['motivo', 'motivo', 'reason'],
  message: ['mensagem', 'mensaje', 'message'],
  sent: ['enviada', 'enviado', 'sent'],
  delivered: ['entregue', 'entregado', 'delivered'],
  read: ['lida', 'leído', 'read'],
  replied: ['respondida', 'respondido', 'replied'],
}

/** In a person's language states and reasons are words, and moments those of the company's clocks. */
async function* linesIn(
  language: Language | undefined,
  timeZone: string,
  recipients: ReturnType<typeof allRecipients>,
): AsyncGenerator<string[]> {
  const moment = momentWriter(language, timeZone)
  for await (const { name, number, state, reason, body, ...row } of recipients)
    yield [
      ...[name, number],
      language ? wordIn(stateWords[state], language) : state,
      language && reason ? wordIn(reasonWords(reason), language) : (reason ?? ''),
      body ?? '',
      ...[row.sentAt, row.deliveredAt, row.readAt, row.repliedAt].map(moment),
    ]
}

/**
 * What would become of a campaign, as `who` may learn it: a list of guesses would say which of them are somebody's.
 * @throws DomainError `ERR_FEW_PEOPLE`
 */
function planFor<P extends { willReceive: number; skipped: Partial<Record<string, number>> }>(
  who: Principal,
  plan: P,
): P {
  const skipped = Object.entries(plan.skipped) as [string, number][]
  const all = skipped.reduce((sum, [, n]) => sum + n, plan.willReceive)
  if (countFor(who, all) === null) throw new DomainError('ERR_FEW_PEOPLE', { least: FEWEST_COUNTED })
  return { ...plan, skipped: Object.fromEntries(skipped.filter(([, n]) => countFor(who, n) !== null)) }
}

type Posted = Partial<typeof newCampaign.static>

/** Messages to many. */
export function campaignRoutes(deps: AppDeps) {
  const { db, events, now, media, config, facts } = deps

  const allowed = async (who: Principal, permission: Permission = 'campaigns:write') => {
    demand(who, permission)
    await demandFeature(db, who.companyId, 'useCampaigns')
  }
  const need = async (who: Principal, id: number): Promise<Campaign> => {
    const campaign = await storedCampaign(db, who.companyId, id)
    if (!campaign) throw new DomainError('ERR_NO_CAMPAIGN_FOUND')
    return campaign
  }
  const shown = async (who: Principal, id: number, action?: 'create' | 'update') => {
    const record = await findCampaign(db, who.companyId, id)
    if (!record) throw new DomainError('ERR_NO_CAMPAIGN_FOUND')
    if (action) events.emit({ companyId: who.companyId, name: 'campaign', action, payload: { record } })
    return record
  }

  /** What is written, with ids that are the company's own. */
  const valuesOf = async (who: Principal, body: Posted): Promise<Partial<Campaign>> => {
    const { scheduledAt, name, ...rest } = body
    const values = Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [key, typeof value === 'string' && !value.trim() ? null : value]),
    ) as Partial<Campaign>
    const own = async (
      table:
        | typeof whatsapps
        | typeof contactLists
        | typeof tagTable
        | typeof queues
        | typeof segments
        | typeof fileLists,
      ids: readonly (number | null | undefined)[],
      error: ConstructorParameters<typeof DomainError>[0],
    ) => {
      const asked = [...new Set(ids.filter((id) => typeof id === 'number'))]
      if (asked.length === 0) return
      const found = await db.$count(table, and(eq(table.companyId, who.companyId), inArray(table.id, asked)))
      if (found !== asked.length) throw new DomainError(error)
    }
    await own(whatsapps, [values.whatsappId], 'ERR_NO_WAPP_FOUND')
    await own(contactLists, [values.contactListId], 'ERR_NO_CONTACT_LIST_FOUND')
    await own(tagTable, [values.tagListId], 'ERR_NO_TAG_FOUND')
    await own(queues, [values.replyQueueId], 'ERR_NO_QUEUE_FOUND')
    await own(segments, values.segmentIds ?? [], 'ERR_NO_SEGMENT_FOUND')
    await own(fileLists, [values.fileListId], 'ERR_NO_FILE_FOUND')
    return {
      ...values,
      ...(name !== undefined && { name: name.trim() }),
      ...(scheduledAt !== undefined && { scheduledAt: await moment(who.companyId, scheduledAt) }),
    }
  }
  const moment = async (companyId: number, text: string | null): Promise<Date | null> => {
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

  /** What a person does with a campaign. The file that nothing shows any more is let go. */
  const change = (who: Principal, id: number, event: CampaignEvent) =>
    db.transaction(async (tx) => {
      const campaign = await lockCampaign(tx, who.companyId, id)
      const { decision } = changeCampaign(campaign, event, now())
      await applyDecision(tx, who.companyId, decision)
      if (event.type === 'file' || event.type === 'remove') await releaseFiles(tx, who.companyId, [campaign.mediaPath])
    })

  const setFile = async (who: Principal, id: number, file: ReturnType<typeof fileColumns> | typeof noFile) => {
    await change(who, id, { type: 'file', file })
    return shown(who, id, 'update')
  }

  return app
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
        const values = await valuesOf(who, body)
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
        await need(who, params.id)
        const values = await valuesOf(who, body)
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
    .post(
      '/:id/dry-run',
      async ({ who, params }) => {
        await allowed(who)
        const campaign = await need(who, params.id)
        const at = now()
        const start = campaign.scheduledAt && campaign.scheduledAt > at ? campaign.scheduledAt : at
        return planFor(who, await dryRun(db, campaign, await facts.of(who.companyId), start))
      },
      {
        params: idParams,
        detail: { tags, summary: 'Who would get it, when, and who not and why; nothing is written' },
      },
    )
    .get(
      '/:id/preview',
      async ({ who, params, query }) => {
        await allowed(who)
        const campaign = await need(who, params.id)
        const contact =
          query.contactId === undefined ? undefined : await findContact(db, who.companyId, { id: query.contactId })
        if (query.contactId !== undefined && !contact) throw new DomainError('ERR_NO_CONTACT_FOUND')
        const person = contact
          ? { name: contact.name, number: contact.number ?? '', email: contact.email }
          : { name: 'Ana Souza', number: '5511912345678', email: 'ana@example.com' }
        const { variables } = await campaignSettingsOf(db, who.companyId)
        const { messageIndex, text, confirmation } = draw(campaign, numberKey(person.number))
        const { body, missing } = fill(text, person, variables)
        const asked = campaign.confirmation && confirmation !== null ? fill(confirmation, person, variables) : null
        const [out] = contact
          ? await db.execute(
              sql`SELECT FROM opt_outs WHERE "companyId" = ${who.companyId} AND "revokedAt" IS NULL AND "key" = ${numberKey(person.number)}`,
            )
          : []
        return {
          number: person.number,
          messageIndex,
          body,
          confirmation: asked?.body ?? null,
          media: campaign.mediaPath
            ? { path: campaign.mediaPath, name: campaign.mediaName, mimetype: campaign.mediaMime }
            : null,
          skipReason: out ? 'opted_out' : contact && !contact.number ? 'no_number' : null,
          missing: [...new Set([...(asked?.missing ?? []), ...missing])],
        }
      },
      {
        params: idParams,
        query: t.Object({ contactId: t.Optional(idParams.properties.id) }),
        detail: { tags, summary: 'What a contact would get, word for word; without one, an example' },
      },
    )
    .get(
      '/:id/recipients',
      async ({ who, params, query }) => {
        await allowed(who)
        await need(who, params.id)
        return recipientsOf(db, who.companyId, params.id, query)
      },
      {
        params: idParams,
        query: t.Object({ ...recipientsQuery.properties, cursor: queryId }),
        detail: { tags, summary: 'Its people, 40 a page, and how far each is' },
      },
    )
    .get(
      '/:id/export',
      async ({ who, params, query }) => {
        await allowed(who)
        const campaign = await need(who, params.id)
        const header = headerOf(columns, query.language)
        const { timeZone } = await facts.of(who.companyId)
        const rows = linesIn(query.language, timeZone, allRecipients(db, who, campaign.id))
        const format = query.format ?? 'xlsx'
        await audit(db, { companyId: who.companyId, action: 'export', entity: 'campaign', id: campaign.id })
        const sheet =
          format === 'csv'
            ? csvOf(header, rows)
            : writeXlsxStream(rows, { name: 'Campaign', columns: header.map((text) => ({ header: text, width: 20 })) })
        return sheetResponse(sheet, { name: `campaign-${campaign.id}`, format })
      },
      {
        params: idParams,
        query: t.Object({
          format: t.Optional(t.Union([t.Literal('xlsx'), t.Literal('csv')])),
          language: sheetLanguage,
        }),
        detail: { tags, summary: 'All its people as a spreadsheet' },
      },
    )
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

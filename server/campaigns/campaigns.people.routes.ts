import { Elysia, t } from 'elysia'
import { writeXlsxStream } from 'hucre/xlsx'
import { recipientsQuery } from '../../schema/campaigns/campaigns.inputs.ts'
import { type Language, wordIn } from '../../schema/languages.ts'
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
import { authed } from '../http/guard.ts'
import { idParams, queryId } from '../http/inputs.ts'
import { allRecipients, recipientsOf } from './campaigns.queries.ts'
import { reasonWords, stateWords } from './campaigns.words.ts'
import { campaignCalls } from './campaigns.calls.routes.ts'

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

/** Whom a campaign is for, and how far each is. */
export function campaignPeople(deps: AppDeps) {
  const { db, facts } = deps
  const { allowed, need } = campaignCalls(deps)

  return new Elysia({ prefix: '/campaigns' })
    .use(authed(deps))
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

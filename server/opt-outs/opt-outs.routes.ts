import { and, desc, eq, getTableColumns, or, sql } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { importChoices } from '../../schema/contacts/contacts.inputs.ts'
import { numberPattern } from '../../schema/contacts/contacts.masking.ts'
import { newOptOut, revokedOptOut } from '../../schema/opt-outs/opt-outs.inputs.ts'
import { optOuts } from '../../schema/opt-outs/opt-outs.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { audit } from '../audit/audit.changes.ts'
import { optedOut } from '../campaigns/campaigns.bulk.queries.ts'
import { demandFeature } from '../commands/plan-features.ts'
import { isKnownAs } from '../contacts/contacts.address.queries.ts'
import { typedNumber } from '../contacts/contacts.typed.queries.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams, pageQuery } from '../http/inputs.ts'
import { fileForm } from '../http/upload-one.ts'
import { answerImport, importDescription } from '../http/uploaded-sheet.ts'
import { anywhere } from '../tickets/tickets.queries.ts'
import { importOptOuts } from './opt-outs.import.ts'
import { addressOf } from './opt-outs.queries.ts'
import { optOutCalls } from './opt-outs.changes.ts'

const tags = ['campaigns']
const PER_PAGE = 40

/** Of whom no number is known, what their contact is called; null for everybody else. See `lidOf`. */
const nameSql = sql<string | null>`CASE WHEN opt_outs."number" = '' THEN (SELECT contacts."name" FROM contacts
  WHERE contacts."companyId" = opt_outs."companyId" AND ${isKnownAs(sql`opt_outs."lid"`)}
  ORDER BY contacts."lid" IS NULL LIMIT 1) END`

/** People who want no messages to many. */
export function optOutRoutes(deps: AppDeps) {
  const { db, now, log, typedNumbers } = deps
  const allowed = async (who: Principal) => {
    demand(who, 'opt-outs:write')
    await demandFeature(db, who.companyId, 'useCampaigns')
  }
  const calls = optOutCalls(deps)

  return new Elysia({ prefix: '/opt-outs' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who, query }) => {
        await allowed(who)
        const page = query.pageNumber ?? 1
        const search = query.searchParam?.trim()
        const digits = search?.replace(/\D/g, '') ?? ''
        const where = and(
          eq(optOuts.companyId, who.companyId),
          search
            ? or(
                digits ? sql`${optOuts.number} LIKE ${numberPattern(who, digits, anywhere)}` : undefined,
                sql`plain(${optOuts.text}) LIKE plain(${anywhere(search)})`,
              )
            : undefined,
        )
        const rows = await db
          .select({ ...getTableColumns(optOuts), name: nameSql })
          .from(optOuts)
          .where(where)
          .orderBy(sql`${optOuts.revokedAt} IS NOT NULL`, desc(optOuts.id))
          .limit(PER_PAGE + 1)
          .offset((page - 1) * PER_PAGE)
        return {
          records: rows.slice(0, PER_PAGE),
          hasMore: rows.length > PER_PAGE,
          count: await db.$count(optOuts, where),
        }
      },
      { query: pageQuery, detail: { tags, summary: 'Opt-outs, those that count first, 40 a page' } },
    )
    .get(
      '/of/:contactId',
      async ({ who, params }) => {
        await demandFeature(db, who.companyId, 'useCampaigns')
        const contact = await addressOf(db, who.companyId, params.contactId)
        const isOut = await optedOut(db, who.companyId, [contact])
        return { optedOut: isOut(contact) }
      },
      {
        params: t.Object({ contactId: idParams.properties.id }),
        detail: { tags, summary: 'Whether a contact wants no messages to many: for who writes to them' },
      },
    )
    .post(
      '/',
      async ({ who, body }) => {
        await allowed(who)
        typedNumbers.count(who)
        const number = await typedNumber(db, who.companyId, body.number)
        return calls.note(who.companyId, { ...body, number, source: 'hand', userId: who.userId })
      },
      { body: newOptOut, detail: { tags, summary: 'Note that somebody wants no messages to many' } },
    )
    .delete(
      '/:id',
      async ({ who, params, body }) => {
        await allowed(who)
        return calls.revoke(who.companyId, params.id, { userId: who.userId, reason: body.reason })
      },
      {
        params: idParams,
        body: revokedOptOut,
        detail: { tags, summary: 'Take it back, for a reason; the entry stays' },
      },
    )
    .post(
      '/import',
      async ({ who, query, request }) => {
        await allowed(who)
        return answerImport({
          ...{ request, db, who, query, log },
          work: (reading) => importOptOuts(db, who, reading, now),
          begun: () => audit(db, { companyId: who.companyId, action: 'import', entity: 'optOuts' }),
          ended: async () => calls.tell(who.companyId),
        })
      },
      {
        query: t.Omit(importChoices, ['mode']),
        detail: {
          tags,
          summary: 'Opt-outs from a spreadsheet (xlsx, xls, csv; a form with one file)',
          description: importDescription,
          requestBody: fileForm,
        },
      },
    )
}

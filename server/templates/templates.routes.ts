import { and, eq } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import { partsOf, templateFaults } from '../../schema/templates/templates.check.ts'
import { newTemplate, refreshedTemplates } from '../../schema/templates/templates.inputs.ts'
import { templates } from '../../schema/templates/templates.table.ts'
import { demandOffer } from '../../schema/whatsapps/whatsapps.providers.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams, pageQuery, queryId } from '../http/inputs.ts'
import { needWhatsapp } from '../whatsapps/whatsapps.queries.ts'
import { fetchTemplates } from './templates.effects.ts'
import { findTemplate, listTemplates } from './templates.queries.ts'

const tags = ['templates']

/** Message templates of official connections. Whoever writes to contacts reads them. */
export function templateRoutes(deps: AppDeps) {
  const { db, events, now } = deps
  const need = async (who: Principal, id: number) => {
    const row = await findTemplate(db, who.companyId, id)
    if (!row) throw new DomainError('ERR_NO_TEMPLATE_FOUND')
    return row
  }
  /** @throws ERR_NO_WAPP_FOUND, ERR_CHANNEL_CANNOT where the connection has none */
  const needConnection = async (who: Principal, id: number) => {
    const row = await needWhatsapp(db, who.companyId, id)
    demandOffer(row.provider, 'templates')
    return row.id
  }
  const emit = (who: Principal) => events.emit({ companyId: who.companyId, name: 'template', action: 'reload' })

  return new Elysia({ prefix: '/templates' })
    .use(authed(deps))
    .get(
      '/',
      ({ who, query }) =>
        listTemplates(db, who.companyId, {
          ...{ whatsappId: query.whatsappId, search: query.searchParam?.trim(), pageNumber: query.pageNumber ?? 1 },
        }),
      {
        query: t.Object({ ...pageQuery.properties, whatsappId: queryId }),
        detail: { tags, summary: 'Message templates by name, 20 a page; of one connection where that is named' },
      },
    )
    .post(
      '/',
      async ({ who, body }) => {
        demand(who, 'templates:write')
        const whatsappId = await needConnection(who, body.whatsappId)
        const fields = templateFaults(body).map(({ path, code }) => ({ path: `body/${path}`, message: code }))
        if (fields.length > 0) throw new DomainError('ERR_VALIDATION', { fields })
        const { name, language, category } = body
        const parts = partsOf(body)
        const same = and(
          ...[eq(templates.whatsappId, whatsappId), eq(templates.name, name), eq(templates.language, language)],
        )
        if ((await db.$count(templates, same)) > 0) throw new DomainError('ERR_TEMPLATE_ALREADY_EXISTS')
        const made = await deps.templates.makeTemplate(whatsappId, { name, language, category, parts })
        const values = {
          ...{ companyId: who.companyId, whatsappId, name, language, parts, ...made, updatedAt: now() },
          // Where the service calls it dearer at once, that is confirmed like any other change.
          confirmedCategory: category,
        }
        const [row] = await db
          .insert(templates)
          .values({ ...values, createdAt: now() })
          // A fetch was quicker.
          .onConflictDoUpdate({ target: [templates.whatsappId, templates.name, templates.language], set: values })
          .returning()
        emit(who)
        return row!
      },
      { body: newTemplate, detail: { tags, summary: 'Have the official API look at a new message template' } },
    )
    .post(
      '/refresh',
      async ({ who, body }) => {
        demand(who, 'templates:write')
        const whatsappId = await needConnection(who, body.whatsappId)
        const fetching = { db, events, now, channel: deps.templates, poke: () => undefined }
        await fetchTemplates(fetching, who.companyId, whatsappId)
        return { count: await db.$count(templates, eq(templates.whatsappId, whatsappId)) }
      },
      { body: refreshedTemplates, detail: { tags, summary: 'Fetch the templates of a connection anew' } },
    )
    .post(
      '/:id/confirm',
      async ({ who, params }) => {
        demand(who, 'templates:write')
        const { id, category } = await need(who, params.id)
        const [row] = await db
          .update(templates)
          .set({ confirmedCategory: category, updatedAt: now() })
          .where(and(eq(templates.id, id), eq(templates.category, category)))
          .returning()
        if (!row) throw new DomainError('ERR_NO_TEMPLATE_FOUND')
        emit(who)
        return row
      },
      {
        params: idParams,
        detail: {
          tags,
          summary: 'Send by it although its category has become a dearer one',
          description: 'Until then nothing is sent by it (`ERR_TEMPLATE_STOPPED` with `drift`).',
        },
      },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        demand(who, 'templates:write')
        const { id, whatsappId, metaId, name } = await need(who, params.id)
        await deps.templates.dropTemplate(whatsappId, { metaId, name })
        await db.delete(templates).where(eq(templates.id, id))
        emit(who)
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a template, also at the official API' } },
    )
}

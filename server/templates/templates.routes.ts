import { and, eq } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import { partsOf, templateFaults } from '../../schema/templates/templates.check.ts'
import { demandEditable, editsWith } from '../../schema/templates/templates.edit.ts'
import { changedTemplate, newTemplate, refreshedTemplates } from '../../schema/templates/templates.inputs.ts'
import { templates } from '../../schema/templates/templates.table.ts'
import { demandOffer } from '../../schema/whatsapps/whatsapps.providers.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams, pageQuery, queryId } from '../http/inputs.ts'
import { fileForm, takeFile } from '../http/upload-one.ts'
import { needWhatsapp } from '../whatsapps/whatsapps.queries.ts'
import { fetchSoon } from './templates.changes.ts'
import { fetchTemplates } from './templates.effects.ts'
import { findTemplate, listTemplates } from './templates.queries.ts'

const tags = ['templates']
const SAMPLES = ['image/png', 'image/jpeg', 'video/mp4', 'video/3gpp', 'application/pdf'] as const

/** Message templates of official connections. Whoever writes to contacts reads them. */
export const templateRoutes = (deps: AppDeps) => new Elysia().use(keeping(deps)).use(changing(deps))

/** What both parts of the routes need. */
function templateCalls({ db, events }: AppDeps) {
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

  return { need, needConnection, emit }
}

function keeping(deps: AppDeps) {
  const { db, events, now } = deps
  const { needConnection, need, emit } = templateCalls(deps)
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
        const handle = body.headerFile?.handle
        const made = await deps.templates.makeTemplate(whatsappId, { name, language, category, parts, handle })
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

/** What is looked at anew, and the examples of files that are shown with it. */
function changing(deps: AppDeps) {
  const { db, now, media, config } = deps
  const { needConnection, need, emit } = templateCalls(deps)
  return new Elysia({ prefix: '/templates' })
    .use(authed(deps))
    .post(
      '/sample',
      async ({ who, query, request }) => {
        demand(who, 'templates:write')
        const whatsappId = await needConnection(who, query.whatsappId)
        const taking = { media, companyId: who.companyId, maxBytes: config.maxUploadBytes, only: SAMPLES }
        return takeFile(request, taking, async ({ path, name, mimetype, size }) => {
          const handle = await deps.templates.sampleFile(whatsappId, { mediaPath: path, name, mimetype, size })
          // Only the service keeps it.
          await media.delete(path)
          return { handle }
        })
      },
      {
        query: t.Object({ whatsappId: idParams.properties.id }),
        detail: {
          tags,
          summary: 'Bring an example of a header’s file to the official API',
          description: 'The `handle` goes into `headerFile` of a template that is made or changed.',
          requestBody: fileForm,
        },
      },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        demand(who, 'templates:write')
        const before = await need(who, params.id)
        const { id, whatsappId, metaId, name, language } = before
        demandEditable(before, now())
        const fields = templateFaults(body).map(({ path, code }) => ({ path: `body/${path}`, message: code }))
        if (fields.length > 0) throw new DomainError('ERR_VALIDATION', { fields })
        const parts = partsOf(body)
        // Of an approved one the category stays.
        const category = before.status === 'APPROVED' ? before.category : body.category
        const handle = body.headerFile?.handle
        await deps.templates.changeTemplate(whatsappId, metaId, { name, language, category, parts, handle })
        const at = now()
        // Whoever looks at it there says what it is from now on.
        await db
          .update(templates)
          .set({
            parts,
            category,
            status: 'PENDING',
            reason: null,
            advice: null,
            edits: editsWith(before, at),
            updatedAt: at,
          })
          .where(eq(templates.id, id))
        await fetchSoon(db, who.companyId, whatsappId, at)
        emit(who)
        return need(who, id)
      },
      {
        params: idParams,
        body: changedTemplate,
        detail: {
          tags,
          summary: 'Change a template; the official API looks at it anew',
          description:
            'An approved one once a day and ten times in 30 days (`ERR_TEMPLATE_EDITED` with `at`), and not its category; one ' +
            'that is looked at now not at all (`ERR_TEMPLATE_STOPPED`).',
        },
      },
    )
}

import { DomainError } from '../../schema/errors.ts'
import {
  type AskedTemplate,
  refusedField,
  type TemplateField,
  type ServiceTemplate,
} from '../../schema/templates/templates.service.ts'
import { cloudFailureOf } from '../../schema/whatsapps/whatsapps.cloud-failures.ts'
import type { HasTemplates } from '../channels/channel.port.ts'
import { isRecord } from '../outside/outside.call.ts'
import type { CloudStore } from './cloud.store.ts'
import { TEMPLATE_FIELDS, templateFrom, toCloudTemplate } from './from-cloud.templates.ts'
import { type Graph, GraphError, GraphSilence } from './graph.ts'

const PER_PAGE = 100
/** An account has 6,000 at most. */
const MOST_PAGES = 60

interface Deps {
  store: CloudStore
  graph: Graph
  localMedia<T>(mediaPath: string, work: (file: string) => Promise<T>): Promise<T>
}

/** Templates of accounts. They are asked for with the connection's own token, also while its line is down. */
export function createCloudTemplates({ store, graph, localMedia }: Deps): HasTemplates {
  const need = async (whatsappId: number) => {
    const account = await store.account(whatsappId)
    if (!account) throw new DomainError('ERR_CLOUD_UNSET', { whatsappId })
    return account
  }
  return {
    async templates(whatsappId) {
      const account = await need(whatsappId)
      const found: ServiceTemplate[] = []
      let after = ''
      for (let page = 0; page < MOST_PAGES; page++) {
        const path = `${account.accountId}/message_templates?fields=${TEMPLATE_FIELDS}&limit=${PER_PAGE}${after && `&after=${encodeURIComponent(after)}`}`
        const answer = await graph.call(account, path).catch(refuse)
        const data = Array.isArray(answer['data']) ? (answer['data'] as unknown[]) : []
        found.push(...data.flatMap((given) => templateFrom(given) ?? []))
        after = cursorIn(answer)
        if (!after) break
      }
      return found
    },
    async makeTemplate(whatsappId, template) {
      const account = await need(whatsappId)
      const answer = await graph
        .call(account, `${account.accountId}/message_templates`, { method: 'POST', body: toCloudTemplate(template) })
        .catch((error: unknown) => refuseTemplate(error, template))
      const { id, status, category } = answer
      return {
        metaId: typeof id === 'number' || typeof id === 'string' ? String(id) : '',
        status: typeof status === 'string' ? status : 'PENDING',
        category: typeof category === 'string' ? category : template.category,
      }
    },
    async changeTemplate(whatsappId, metaId, template) {
      const account = await need(whatsappId)
      // By its name it is known there, and a name is for good; so is the language.
      const { name: _name, language: _language, ...body } = toCloudTemplate(template)
      await graph
        .call(account, metaId, { method: 'POST', body })
        .catch((error: unknown) => refuseTemplate(error, template))
    },
    async sampleFile(whatsappId, { mediaPath, name, mimetype, size }) {
      const account = await need(whatsappId)
      const about = await graph
        .call(account, `debug_token?input_token=${encodeURIComponent(account.token)}`)
        .catch(refuse)
      const appId = isRecord(about['data']) ? about['data']['app_id'] : undefined
      if (typeof appId !== 'string' || !/^\d{1,32}$/.test(appId))
        throw new DomainError('ERR_CLOUD_REFUSED', { failure: 'token', code: null, details: '' })
      const asked = new URLSearchParams({ file_name: name, file_length: String(size), file_type: mimetype })
      const begun = await graph.call(account, `${appId}/uploads?${asked.toString()}`, { method: 'POST' }).catch(refuse)
      const upload = String(begun['id'])
      if (!/^upload:[\w?=&:+/.%-]{1,2000}$/.test(upload)) return refuse(new GraphSilence(true))
      const { h: handle } = await localMedia(mediaPath, (path) =>
        graph.call(account, upload, { method: 'POST', file: Bun.file(path, { type: mimetype }) }),
      ).catch(refuse)
      return typeof handle === 'string' ? handle : refuse(new GraphSilence(true))
    },
    async dropTemplate(whatsappId, { metaId, name }) {
      const account = await need(whatsappId)
      const which = `hsm_id=${encodeURIComponent(metaId)}&name=${encodeURIComponent(name)}`
      await graph
        .call(account, `${account.accountId}/message_templates?${which}`, { method: 'DELETE' })
        .catch((error: unknown) => {
          if (!(error instanceof GraphError && error.subcode === GONE)) refuse(error)
        })
    },
  }
}

/** The service has no such template. */
const GONE = 2593002

/** Where the next page begins; empty for the last one. */
function cursorIn({ paging }: Record<string, unknown>): string {
  if (!isRecord(paging) || typeof paging['next'] !== 'string') return ''
  const cursors = isRecord(paging['cursors']) ? paging['cursors'] : {}
  return typeof cursors['after'] === 'string' ? cursors['after'] : ''
}

function refuse(error: unknown): never {
  if (error instanceof GraphError)
    throw new DomainError('ERR_CLOUD_REFUSED', {
      ...{ failure: cloudFailureOf(error.code, error.status), code: error.code ?? null, details: error.details },
    })
  if (error instanceof GraphSilence)
    throw new DomainError('ERR_CLOUD_REFUSED', { failure: 'passing', code: null, details: '' })
  throw error
}

/** Whatever is wrong with the token or the pace is not the template's fault. */
function refuseTemplate(error: unknown, { parts }: AskedTemplate): never {
  if (!(error instanceof GraphError)) return refuse(error)
  const failure = cloudFailureOf(error.code, error.status)
  if (failure !== 'request' && failure !== 'template' && failure !== 'unknown') return refuse(error)
  const field: TemplateField | null = refusedField(error.subcode) ?? (parts.header || parts.footer ? null : 'body')
  throw new DomainError('ERR_TEMPLATE_REFUSED', {
    field,
    code: error.subcode ?? error.code ?? null,
    details: error.details,
  })
}

import type { CommandName } from '../../schema/catalog.ts'
import { newId } from '../../schema/ids.ts'
import { MASK } from '../../schema/secrets.ts'
import { PIXEL } from '../example-data.ts'
import { PASSWORD } from './app.ts'
import { MARK, type twoCompanies } from './two-companies.ts'

/**
 * A call of every route and every command, as somebody would make it who knows all the ids of another company. Its input
 * is good, so that what is refused is refused for who asks and what they ask for.
 */
export type World = Awaited<ReturnType<typeof twoCompanies>>

/** A call of a route. */
export interface Attempt {
  path: string
  body?: unknown
  form?: FormData
  /** What the stranger must hear; a list must merely not show anything. */
  answer: 404 | 'nothing of theirs'
}

/** What a browser would answer, by a key that is not one's own. */
const signedBy = (id: string) => ({
  ...{ id, rawId: id, type: 'public-key' },
  response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' },
})

/** How a stranger calls each route with the ids of the other company. */
export function attempts(world: World): Record<string, Attempt[]> {
  const { owned, stranger } = world
  const {
    company,
    queue,
    whatsapp,
    user,
    agent,
    contact,
    tag,
    ticket,
    message,
    own,
    noteId,
    file,
    picture,
    mergeId,
    pushEndpoint,
    chat,
    flow,
    option,
    contactList,
    campaign,
  } = owned
  const missing = (path: string, body?: unknown): Attempt => ({ path, body, answer: 404 })
  const quiet = (path: string, body?: unknown): Attempt => ({ path, body, answer: 'nothing of theirs' })
  const { quickMessage, quickFile, scheduleId, bots, programs } = owned
  const assistant = { name: 'Assistente', prompt: 'Você atende. '.repeat(5), apiKey: 'sk-x' }
  const list = `companyId=${company.id}`
  const form = () => {
    const made = new FormData()
    made.set('body', 'x')
    made.set('medias', new Blob(['text'], { type: 'text/plain' }), 'a.txt')
    return made
  }
  const sheet = () => {
    const made = new FormData()
    made.set('file', new Blob([`name,number\nIntruso,${contact.number}`]), 'a.csv')
    return made
  }
  const photo = () => {
    const made = new FormData()
    made.set('medias', new Blob([PIXEL], { type: 'image/png' }), 'a.png')
    return made
  }
  const upload = (path: string): Attempt => {
    const made = new FormData()
    made.set('file', new Blob([PIXEL], { type: 'image/png' }), 'a.png')
    return { path, form: made, answer: 404 }
  }
  const range = `initialDate=2000-01-01&finalDate=2099-01-01&${list}`
  return {
    'GET /health': [quiet('/health')],
    'GET /version': [quiet('/version')],
    'GET /metrics': [quiet('/metrics')],
    'GET /invoices/totals': [quiet('/invoices/totals')],
    'GET /invoices/unpaid': [quiet(`/invoices/unpaid?companyId=${company.id}`)],
    'GET /invoices/odd-money': [quiet('/invoices/odd-money')],
    'PUT /invoices/odd-money/:id/resolved': [quiet('/invoices/odd-money/1/resolved')],
    'GET /operator/system': [quiet('/operator/system')],
    'GET /operator/usage': [quiet('/operator/usage')],
    'GET /operator/usage/companies': [quiet('/operator/usage/companies')],
    'GET /operator/usage/companies/:id': [quiet(`/operator/usage/companies/${company.id}`)],
    'GET /operator/connections': [quiet('/operator/connections')],
    'GET /operator/domains': [quiet('/operator/domains')],
    'PUT /operator/domains': [quiet('/operator/domains', { companyId: company.id, domain: 'x.test', proven: true })],
    'GET /operator/plan-warnings': [quiet('/operator/plan-warnings')],
    'GET /operator/jobs': [quiet('/operator/jobs')],
    'POST /operator/jobs/:id/retry': [quiet('/operator/jobs/1/retry')],
    'DELETE /operator/jobs/:id': [quiet('/operator/jobs/1')],
    'GET /docs': [quiet('/docs')],
    'GET /docs/json': [quiet('/docs/json')],
    'GET /docs/page.js': [quiet('/docs/page.js')],
    'GET /docs/viewer.js': [quiet('/docs/viewer.js')],
    'GET /docs/viewer.css': [quiet('/docs/viewer.css')],
    'GET /docs/page.css': [quiet('/docs/page.css')],
    'POST /auth/passes/': [
      quiet('/auth/passes', { for: 'media', path: 'company1/x.png' }),
      quiet('/auth/passes', { for: 'sync' }),
    ],
    'POST /auth/login': [quiet('/auth/login', { email: user.email, password: 'guess' })],
    'POST /auth/refresh_token': [quiet('/auth/refresh_token')],
    'GET /auth/me': [quiet(`/auth/me?${list}`)],
    'POST /auth/2fa/verify': [quiet('/auth/2fa/verify', { challenge: 'x', code: '123456' })],
    'GET /auth/2fa/': [quiet(`/auth/2fa?${list}&userId=${user.id}`)],
    'POST /auth/2fa/setup': [quiet('/auth/2fa/setup', { userId: user.id, currentPassword: 'x' })],
    'POST /auth/2fa/enable': [quiet('/auth/2fa/enable', { userId: user.id, code: '123456' })],
    'POST /auth/2fa/disable': [quiet('/auth/2fa/disable', { userId: user.id, currentPassword: 'x', code: '123456' })],
    'POST /auth/passkey/begin': [quiet('/auth/passkey/begin', {}), quiet('/auth/passkey/begin', { challenge: 'x' })],
    'POST /auth/passkey/enter': [quiet('/auth/passkey/enter', { response: signedBy(owned.passkey.credentialId) })],
    'GET /auth/passkeys/': [quiet(`/auth/passkeys?${list}&userId=${user.id}`)],
    'POST /auth/passkeys/begin': [quiet('/auth/passkeys/begin', { userId: user.id, currentPassword: 'x' })],
    'POST /auth/passkeys/': [quiet('/auth/passkeys', { name: 'x', response: {} })],
    'PUT /auth/passkeys/:id': [missing(`/auth/passkeys/${owned.passkey.id}`, { name: 'Intruso' })],
    'POST /auth/passkeys/:id/remove': [
      missing(`/auth/passkeys/${owned.passkey.id}/remove`, { currentPassword: PASSWORD }),
    ],
    'DELETE /auth/sessions/:id': [missing(`/auth/sessions/${owned.sessionId}`)],
    'GET /auth/sessions': [quiet(`/auth/sessions?${list}&userId=${user.id}`)],
    'GET /settings/trial': [quiet('/settings/trial')],
    'GET /settings/allowregister': [quiet('/settings/allowregister')],
    'GET /settings/viewregister': [quiet('/settings/viewregister')],
    'GET /settings/': [quiet(`/settings/?${list}`)],
    'PUT /settings/:key': [quiet('/settings/userRating', { value: 'disabled', companyId: company.id })],
    'GET /plans/list': [quiet('/plans/list')],
    'GET /plans/register': [quiet('/plans/register')],
    'POST /companies/cadastro': [
      quiet('/companies/cadastro', {
        name: company.name,
        email: user.email,
        password: 'segredo',
        planId: company.planId,
        companyId: company.id,
      }),
    ],
    'GET /forgetpassword': [quiet('/forgetpassword')],
    'POST /forgetpassword/:email': [quiet(`/forgetpassword/${user.email}`)],
    'POST /resetpasswords': [
      quiet('/resetpasswords', { email: user.email, token: 'ABCD-2345', newPassword: 'Segredo12' }),
    ],
    'POST /resetpasswords/:email/:token/:newPassword': [quiet(`/resetpasswords/${user.email}/ABCD-2345/Segredo12`)],
    'GET /roles/': [quiet(`/roles?${list}`)],
    'POST /roles/': [quiet('/roles', { name: 'Intruso', companyId: company.id })],
    'PUT /roles/:id': [missing(`/roles/${owned.roleId}`, { name: 'Intruso' })],
    'DELETE /roles/:id': [missing(`/roles/${owned.roleId}`)],
    'GET /auth/oidc/': [quiet(`/auth/oidc?company=${company.id}`)],
    'POST /auth/oidc/begin': [quiet('/auth/oidc/begin', { email: user.email })],
    'GET /auth/oidc/callback': [quiet('/auth/oidc/callback?code=x&state=y')],
    'GET /auth/oidc/provider': [quiet(`/auth/oidc/provider?${list}`)],
    'PUT /auth/oidc/provider': [
      quiet('/auth/oidc/provider', {
        companyId: company.id,
        issuer: 'https://me:x@idp.example',
        clientId: 'x',
        domains: ['x.test'],
        roleRules: [{ group: 'x', profile: 'user', roleId: owned.roleId }],
        ssoOnly: true,
        breakGlassUserId: user.id,
      }),
    ],
    'POST /auth/oidc/provider/domains': [missing('/auth/oidc/provider/domains', { domain: 'x.test' })],
    'DELETE /auth/oidc/provider': [quiet(`/auth/oidc/provider?${list}`)],
    'GET /companies/:id/users': [quiet(`/companies/${company.id}/users`)],
    'POST /companies/:id/impersonate': [
      quiet(`/companies/${company.id}/impersonate`, { userId: user.id, reason: 'curiosidade pura' }),
    ],
    'POST /companies/:id/invitation': [quiet(`/companies/${company.id}/invitation`)],
    'GET /companies/listPlan/:id': [missing(`/companies/listPlan/${company.id}`)],
    'PUT /companies/:id/schedules': [missing(`/companies/${company.id}/schedules`, { schedules: [] })],
    'PUT /companies/:id/region': [missing(`/companies/${company.id}/region`, { timeZone: 'UTC', language: 'en' })],
    'GET /companies/': [quiet(`/companies?searchParam=${MARK}`)],
    'GET /companies/list': [quiet('/companies/list')],
    'GET /companies/:id': [missing(`/companies/${company.id}`)],
    'POST /companies/': [
      quiet('/companies', { name: 'Intrusa', email: 'intrusa@example.test', planId: company.planId ?? 1 }),
    ],
    'PUT /companies/:id': [quiet(`/companies/${company.id}`, { name: 'Intrusa', status: false })],
    'DELETE /companies/:id': [quiet(`/companies/${company.id}`)],
    'GET /manifest.webmanifest': [quiet('/manifest.webmanifest')],
    'GET /branding': [quiet('/branding')],
    'GET /branding/:place': [quiet('/branding/favicon')],
    'POST /settings/media-upload': [{ ...upload('/settings/media-upload?ref=login'), answer: 'nothing of theirs' }],
    'DELETE /settings/media-upload': [quiet('/settings/media-upload?ref=login')],
    'GET /plans/all': [quiet('/plans/all')],
    'GET /plans/:id': [quiet('/plans/1')],
    'POST /plans/': [quiet('/plans', { name: 'Intruso' })],
    'PUT /plans/:id': [quiet('/plans/1', { users: 1_000 })],
    'DELETE /plans/:id': [quiet('/plans/1')],
    'GET /users/': [quiet(`/users/?${list}&searchParam=${MARK}`)],
    'GET /users/list': [quiet(`/users/list?${list}`)],
    'GET /users/:id': [missing(`/users/${user.id}`)],
    'POST /users/': [
      quiet('/users', {
        name: 'Intruso',
        email: 'intruso@example.test',
        password: 'segredo',
        companyId: company.id,
        profile: 'admin',
      }),
      missing('/users', { name: 'Intruso', email: 'intruso2@example.test', password: 'segredo', queueIds: [queue.id] }),
      missing('/users', {
        name: 'Intruso',
        email: 'intruso3@example.test',
        password: 'segredo',
        whatsappId: whatsapp.id,
      }),
    ],
    'PUT /users/:id': [
      missing(`/users/${agent.id}`, { name: 'Intruso', password: 'segredo' }),
      missing(`/users/${stranger.user.id}`, { queueIds: [queue.id] }),
      missing(`/users/${stranger.user.id}`, { whatsappId: whatsapp.id }),
      missing(`/users/${stranger.user.id}`, { skillIds: [tag.id] }),
    ],
    'PUT /users/:id/away': [missing(`/users/${agent.id}/away`, { away: true })],
    'POST /users/:id/invitation': [missing(`/users/${agent.id}/invitation`)],
    'DELETE /users/:id/2fa': [missing(`/users/${agent.id}/2fa`)],
    'DELETE /users/:id': [missing(`/users/${agent.id}`)],
    'GET /queue/': [quiet(`/queue?${list}`)],
    'GET /queue/:id': [missing(`/queue/${queue.id}`)],
    'POST /queue/': [
      quiet('/queue', { name: 'Deles', color: '#999999', companyId: company.id }),
      missing('/queue', { name: 'Com robô', color: '#989898', promptId: bots.promptId }),
    ],
    'PUT /queue/:id': [
      missing(`/queue/${queue.id}`, { name: 'Intruso' }),
      missing(`/queue/${stranger.queue.id}`, { integrationId: bots.integrationId }),
    ],
    'DELETE /queue/:id': [missing(`/queue/${queue.id}`)],
    'POST /queue/:id/media-upload': [upload(`/queue/${queue.id}/media-upload`)],
    'DELETE /queue/:id/media-upload': [missing(`/queue/${queue.id}/media-upload`)],
    'GET /queue-options/': [
      quiet(`/queue-options?queueId=${queue.id}&${list}`),
      quiet(`/queue-options?queueId=${stranger.queue.id}&parentId=${option.id}`),
    ],
    'GET /queue-options/:id': [missing(`/queue-options/${option.id}`)],
    'POST /queue-options/': [
      missing('/queue-options', { title: 'Intruso', queueId: queue.id, parentId: option.id }),
      missing('/queue-options', { title: 'Intruso', queueId: stranger.queue.id, parentId: option.id }),
    ],
    'PUT /queue-options/:id': [
      missing(`/queue-options/${option.id}`, { title: 'Intruso' }),
      missing(`/queue-options/${stranger.option.id}`, { parentId: option.id }),
      missing(`/queue-options/${stranger.option.id}`, { queueId: queue.id }),
    ],
    'DELETE /queue-options/:id': [missing(`/queue-options/${option.id}`)],
    'POST /queue-options/:id/media-upload': [upload(`/queue-options/${option.id}/media-upload`)],
    'DELETE /queue-options/:id/media-upload': [missing(`/queue-options/${option.id}/media-upload`)],
    'GET /contacts/': [quiet(`/contacts?${list}&searchParam=${MARK}`)],
    'GET /contacts/list': [quiet(`/contacts/list?${list}`)],
    'GET /contacts/export': [quiet(`/contacts/export?format=csv&${list}`)],
    'POST /contacts/import': [{ path: '/contacts/import', form: sheet(), answer: 'nothing of theirs' }],
    'GET /contacts/duplicates': [quiet(`/contacts/duplicates?${list}`)],
    'POST /contacts/merge': [
      missing('/contacts/merge', { keptId: stranger.contact.id, goneId: contact.id }),
      missing('/contacts/merge', { keptId: contact.id, goneId: stranger.contact.id }),
    ],
    'POST /contacts/merges/:id/undo': [missing(`/contacts/merges/${mergeId}/undo`)],
    'GET /contacts/:id': [missing(`/contacts/${contact.id}`)],
    'GET /contacts/:id/timeline': [missing(`/contacts/${contact.id}/timeline`)],
    'POST /contacts/': [quiet('/contacts', { name: 'Mesmo número', number: contact.number, companyId: company.id })],
    'PUT /contacts/:id': [missing(`/contacts/${contact.id}`, { name: 'Intruso' })],
    'POST /contacts/:id/reveal': [missing(`/contacts/${contact.id}/reveal`)],
    'DELETE /contacts/:id': [missing(`/contacts/${contact.id}`)],
    'GET /push/key': [quiet('/push/key')],
    'POST /push/subscriptions': [
      quiet('/push/subscriptions', {
        endpoint: pushEndpoint,
        keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
      }),
    ],
    'DELETE /push/subscriptions': [quiet('/push/subscriptions', { endpoint: pushEndpoint })],
    'GET /push/preferences': [quiet(`/push/preferences?${list}`)],
    'PUT /push/preferences': [
      quiet('/push/preferences', { enabled: false, quietFrom: '22:00', quietTo: '07:00', companyId: company.id }),
    ],
    'GET /whatsapp': [quiet(`/whatsapp?${list}`)],
    'GET /whatsapp/:id': [missing(`/whatsapp/${whatsapp.id}`)],
    'POST /whatsapp': [
      quiet('/whatsapp', { name: 'Deles', companyId: company.id, isDefault: true }),
      missing('/whatsapp', { name: 'Com fila', queueIds: [queue.id] }),
      missing('/whatsapp', { name: 'Com destino', transferQueueId: queue.id }),
    ],
    'PUT /whatsapp/:id': [
      missing(`/whatsapp/${whatsapp.id}`, { name: 'Intruso' }),
      missing(`/whatsapp/${stranger.whatsapp.id}`, { queueIds: [queue.id] }),
      missing(`/whatsapp/${stranger.whatsapp.id}`, { promptId: bots.promptId }),
      missing(`/whatsapp/${stranger.whatsapp.id}`, { integrationId: bots.integrationId }),
    ],
    'POST /whatsapp-official/check': [quiet('/whatsapp-official/check', {})],
    'POST /whatsapp/:id/official/check': [missing(`/whatsapp/${whatsapp.id}/official/check`, {})],
    'GET /whatsapp/:id/official': [missing(`/whatsapp/${whatsapp.id}/official`)],
    'PUT /whatsapp/:id/official': [missing(`/whatsapp/${whatsapp.id}/official`, { version: 'v25.0' })],
    'POST /whatsapp/:id/official/subscribe': [missing(`/whatsapp/${whatsapp.id}/official/subscribe`)],
    'POST /whatsapp/:id/official/register': [missing(`/whatsapp/${whatsapp.id}/official/register`, { pin: '123456' })],
    'GET /cloud-api/:hook': [missing('/cloud-api/guess?hub.mode=subscribe&hub.challenge=1&hub.verify_token=guess')],
    'POST /cloud-api/:hook': [missing('/cloud-api/guess', { object: 'whatsapp_business_account', entry: [] })],
    'POST /whatsapp/:id/token': [missing(`/whatsapp/${whatsapp.id}/token`)],
    'DELETE /whatsapp/:id': [missing(`/whatsapp/${whatsapp.id}`)],
    'POST /whatsappsession/:id': [missing(`/whatsappsession/${whatsapp.id}`)],
    'PUT /whatsappsession/:id': [missing(`/whatsappsession/${whatsapp.id}`)],
    'DELETE /whatsappsession/:id': [missing(`/whatsappsession/${whatsapp.id}`)],
    'POST /whatsappsession/:id/pairing-code': [
      missing(`/whatsappsession/${whatsapp.id}/pairing-code`, { number: '5511999998888' }),
    ],
    'POST /whatsapp-restart': [quiet('/whatsapp-restart', { companyId: company.id })],
    'GET /tags/': [quiet(`/tags?${list}&searchParam=${MARK}`)],
    'GET /tags/list': [quiet(`/tags/list?${list}`)],
    'GET /tags/:id': [missing(`/tags/${tag.id}`)],
    'POST /tags/': [quiet('/tags', { name: 'Deles', companyId: company.id })],
    'PUT /tags/:id': [missing(`/tags/${tag.id}`, { name: 'Intruso' })],
    'DELETE /tags/:id': [missing(`/tags/${tag.id}`)],
    'GET /templates/': [quiet(`/templates?whatsappId=${whatsapp.id}`), quiet(`/templates?searchParam=${MARK}`)],
    'POST /templates/': [
      missing('/templates', {
        ...{ whatsappId: whatsapp.id, name: 'intruso', language: 'pt_BR', category: 'UTILITY' },
        ...{ header: null, body: 'Olá', footer: null, buttons: [], examples: {} },
      }),
    ],
    'POST /templates/sample': [upload(`/templates/sample?whatsappId=${whatsapp.id}`)],
    'PUT /templates/:id': [
      missing(`/templates/${owned.templateId}`, {
        ...{ category: 'UTILITY', header: null, body: 'Olá', footer: null, buttons: [], examples: {} },
      }),
    ],
    'POST /templates/refresh': [missing('/templates/refresh', { whatsappId: whatsapp.id })],
    'POST /templates/:id/confirm': [missing(`/templates/${owned.templateId}/confirm`)],
    'DELETE /templates/:id': [missing(`/templates/${owned.templateId}`)],
    'POST /tags/sync': [
      missing('/tags/sync', { ticketId: ticket.id, tags: [] }),
      missing('/tags/sync', { ticketId: stranger.ticket.id, tags: [tag.id] }),
    ],
    'GET /contact-lists/': [quiet(`/contact-lists?${list}`)],
    'GET /contact-lists/list': [quiet(`/contact-lists/list?${list}`)],
    'GET /contact-lists/sample': [quiet('/contact-lists/sample')],
    'GET /contact-lists/:id': [missing(`/contact-lists/${contactList.id}`)],
    'POST /contact-lists/': [quiet('/contact-lists', { name: 'Deles', companyId: company.id })],
    'PUT /contact-lists/:id': [missing(`/contact-lists/${contactList.id}`, { name: 'Intruso' })],
    'DELETE /contact-lists/:id': [missing(`/contact-lists/${contactList.id}`)],
    'POST /contact-lists/:id/upload': [{ path: `/contact-lists/${contactList.id}/upload`, form: sheet(), answer: 404 }],
    'POST /contact-lists/:id/check': [missing(`/contact-lists/${contactList.id}/check`)],
    'DELETE /contact-lists/:id/check': [missing(`/contact-lists/${contactList.id}/check`)],
    'GET /campaigns/': [quiet(`/campaigns?${list}`)],
    'GET /campaigns/:id': [missing(`/campaigns/${campaign.id}`)],
    'POST /campaigns/': [
      quiet('/campaigns', { name: 'Deles', companyId: company.id }),
      missing('/campaigns', { name: 'Deles', whatsappId: whatsapp.id }),
      missing('/campaigns', { name: 'Deles', contactListId: contactList.id }),
      missing('/campaigns', { name: 'Deles', tagListId: tag.id }),
      missing('/campaigns', { name: 'Deles', replyQueueId: queue.id }),
      missing('/campaigns', { name: 'Deles', segmentIds: [campaign.segmentId] }),
    ],
    'PUT /campaigns/:id': [missing(`/campaigns/${campaign.id}`, { name: 'Intruso' })],
    'DELETE /campaigns/:id': [missing(`/campaigns/${campaign.id}`)],
    'POST /campaigns/:id/media-upload': [upload(`/campaigns/${campaign.id}/media-upload`)],
    'DELETE /campaigns/:id/media-upload': [missing(`/campaigns/${campaign.id}/media-upload`)],
    ...Object.fromEntries(
      ['start', 'cancel', 'restart', 'pause', 'resume', 'retry', 'dry-run'].map((wish) => [
        `POST /campaigns/:id/${wish}`,
        [missing(`/campaigns/${campaign.id}/${wish}`)],
      ]),
    ),
    'GET /campaigns/:id/preview': [missing(`/campaigns/${campaign.id}/preview?contactId=${contact.id}`)],
    'GET /campaigns/:id/recipients': [missing(`/campaigns/${campaign.id}/recipients`)],
    'GET /campaigns/:id/export': [missing(`/campaigns/${campaign.id}/export?format=csv`)],
    'GET /campaign-settings/': [quiet(`/campaign-settings?${list}`)],
    'POST /campaign-settings/': [
      quiet('/campaign-settings', { settings: { messageInterval: 1 }, companyId: company.id }),
    ],
    'GET /campaign-settings/lines': [quiet('/campaign-settings/lines')],
    'PUT /campaign-settings/lines/:id': [missing(`/campaign-settings/lines/${whatsapp.id}`, { dailyCap: 5 })],
    'GET /sla-policies/': [quiet(`/sla-policies?${list}`)],
    'GET /sla-policies/:id': [missing(`/sla-policies/${owned.slaPolicyId}`)],
    'POST /sla-policies/': [
      missing('/sla-policies', { name: 'Intruso', queueIds: [queue.id] }),
      missing('/sla-policies', { name: 'Intruso', tagIds: [tag.id] }),
      missing('/sla-policies', { name: 'Intruso', escalate: { userIds: [user.id], queueId: null } }),
      missing('/sla-policies', { name: 'Intruso', escalate: { userIds: [], queueId: queue.id } }),
    ],
    'PUT /sla-policies/:id': [missing(`/sla-policies/${owned.slaPolicyId}`, { name: 'Intruso' })],
    'DELETE /sla-policies/:id': [missing(`/sla-policies/${owned.slaPolicyId}`)],
    'POST /sla-policies/:id/test': [
      missing(`/sla-policies/${owned.slaPolicyId}/test`, { startedAt: '2026-11-22T12:00:00Z' }),
    ],
    'GET /reports/sla': [quiet('/reports/sla?from=2026-01-01&to=2026-12-31')],
    'POST /segments/count': [quiet('/segments/count', { match: 'any', rules: [{ kind: 'tag', tagId: tag.id }] })],
    'GET /segments/': [quiet(`/segments?${list}`)],
    'GET /segments/:id': [missing(`/segments/${campaign.segmentId}`)],
    'POST /segments/': [
      quiet('/segments', {
        name: 'Deles',
        match: 'any',
        rules: [
          { kind: 'list', contactListId: contactList.id },
          { kind: 'tag', tagId: tag.id },
        ],
      }),
    ],
    'PUT /segments/:id': [missing(`/segments/${campaign.segmentId}`, { name: 'Intruso' })],
    'DELETE /segments/:id': [missing(`/segments/${campaign.segmentId}`)],
    'GET /opt-outs/': [quiet(`/opt-outs?${list}`)],
    'GET /opt-outs/of/:contactId': [missing(`/opt-outs/of/${contact.id}`)],
    'POST /opt-outs/': [quiet('/opt-outs', { number: '5511911114444', companyId: company.id })],
    'DELETE /opt-outs/:id': [missing(`/opt-outs/${campaign.optOutId}`, { reason: 'Intruso' })],
    'POST /opt-outs/import': [{ path: '/opt-outs/import', form: sheet(), answer: 'nothing of theirs' }],
    'GET /contact-list-items/': [missing(`/contact-list-items?contactListId=${contactList.id}&${list}`)],
    'GET /contact-list-items/:id': [missing(`/contact-list-items/${contactList.itemId}`)],
    'POST /contact-list-items/': [
      missing('/contact-list-items', { name: 'Intruso', number: '5511900001111', contactListId: contactList.id }),
    ],
    'PUT /contact-list-items/:id': [missing(`/contact-list-items/${contactList.itemId}`, { name: 'Intruso' })],
    'DELETE /contact-list-items/:id': [missing(`/contact-list-items/${contactList.itemId}`)],
    'GET /tickets/': [
      quiet(`/tickets?${list}&showAll=true`),
      quiet(`/tickets?showAll=true&queueIds=[${queue.id}]`),
      quiet(`/tickets?showAll=true&users=[${user.id}]`),
      quiet(`/tickets?showAll=true&tags=[${tag.id}]`),
      quiet(`/tickets?showAll=true&searchParam=${MARK}`),
    ],
    'GET /tickets/:id': [missing(`/tickets/${ticket.id}`)],
    'GET /tickets/u/:uuid': [missing(`/tickets/u/${ticket.uuid}`)],
    'POST /tickets/bulk': [quiet('/tickets/bulk', { ids: [ticket.id], action: { type: 'accept' } })],
    'POST /tickets/': [
      missing('/tickets', { contactId: contact.id, queueId: stranger.queue.id }),
      missing('/tickets', { contactId: stranger.contact.id, queueId: queue.id }),
      missing('/tickets', { contactId: stranger.contact.id, queueId: stranger.queue.id, userId: user.id }),
      missing('/tickets', { contactId: stranger.contact.id, queueId: stranger.queue.id, whatsappId: whatsapp.id }),
    ],
    'PUT /tickets/:id': [
      missing(`/tickets/${ticket.id}`, { status: 'closed' }),
      missing(`/tickets/${stranger.ticket.id}`, { queueId: queue.id }),
      missing(`/tickets/${stranger.ticket.id}`, { queueId: stranger.queue.id, userId: user.id }),
      missing(`/tickets/${stranger.ticket.id}`, { whatsappId: whatsapp.id }),
    ],
    'POST /tickets/:id/merge': [
      missing(`/tickets/${ticket.id}/merge`, { intoId: stranger.ticket.id }),
      missing(`/tickets/${stranger.ticket.id}/merge`, { intoId: ticket.id }),
    ],
    'POST /tickets/:id/part': [missing(`/tickets/${ticket.id}/part`)],
    'POST /tickets/:id/escalate': [missing(`/tickets/${ticket.id}/escalate`, { note: 'oi' })],
    'DELETE /tickets/:id/escalate': [missing(`/tickets/${ticket.id}/escalate`)],
    'DELETE /tickets/:id': [missing(`/tickets/${ticket.id}`)],
    'GET /messages/:ticketId': [
      missing(`/messages/${ticket.id}`),
      missing(`/messages/${stranger.ticket.id}?before=${message.id}`),
      missing(`/messages/${stranger.ticket.id}?around=${message.id}`),
    ],
    'GET /messages/search/:ticketId': [missing(`/messages/search/${ticket.id}?searchParam=${MARK}`)],
    'GET /messages/text/:id': [missing(`/messages/text/${message.id}`)],
    'POST /messages/:ticketId': [
      missing(`/messages/${ticket.id}`, { body: 'oi' }),
      { path: `/messages/${ticket.id}`, form: form(), answer: 404 },
      quiet(`/messages/${stranger.ticket.id}`, { body: 'oi', quotedMsg: { id: message.id } }),
    ],
    'POST /messages/edit/:id': [missing(`/messages/edit/${own.id}`, { body: 'oi' })],
    'PUT /messages/:id': [missing(`/messages/${message.id}`)],
    'DELETE /messages/:id': [missing(`/messages/${own.id}`)],
    'GET /ticket-notes/list': [
      quiet(`/ticket-notes/list?ticketId=${ticket.id}&contactId=${contact.id}`),
      quiet('/ticket-notes/list'),
    ],
    'GET /mentions/': [quiet('/mentions')],
    'POST /mentions/read': [quiet('/mentions/read', { ids: [`${noteId}:${user.id}`] })],
    'POST /ticket-notes/': [missing('/ticket-notes', { ticketId: ticket.id, contactId: contact.id, note: 'oi oi' })],
    'DELETE /ticket-notes/:id': [missing(`/ticket-notes/${noteId}`)],
    'GET /macros/': [quiet(`/macros?${list}&searchParam=${MARK}`)],
    'GET /macros/list': [quiet(`/macros/list?${list}`)],
    'GET /macros/:id': [missing(`/macros/${owned.macroId}`)],
    'POST /macros/': [
      missing('/macros', { name: 'x', actions: [{ type: 'tag', add: [tag.id], remove: [] }] }),
      missing('/macros', { name: 'x', actions: [{ type: 'queue', queueId: queue.id }] }),
      missing('/macros', { name: 'x', actions: [{ type: 'assign', to: agent.id }] }),
      missing('/macros', { name: 'x', actions: [{ type: 'field', fieldId: owned.field.id, value: 'x' }] }),
    ],
    'PUT /macros/:id': [missing(`/macros/${owned.macroId}`, { name: 'Intruso' })],
    'DELETE /macros/:id': [missing(`/macros/${owned.macroId}`)],
    'POST /macros/:id/run': [missing(`/macros/${owned.macroId}/run`, { ticketId: stranger.ticket.id })],
    'GET /quick-messages/': [quiet(`/quick-messages?${list}&userId=${user.id}`)],
    'GET /quick-messages/list': [quiet(`/quick-messages/list?${list}&userId=${user.id}`)],
    'GET /quick-messages/:id': [missing(`/quick-messages/${quickMessage.id}`)],
    'POST /quick-messages/': [
      quiet('/quick-messages', { shortcode: 'x', message: 'x', companyId: company.id, userId: user.id }),
    ],
    'PUT /quick-messages/:id': [missing(`/quick-messages/${quickMessage.id}`, { message: 'oi' })],
    'DELETE /quick-messages/:id': [missing(`/quick-messages/${quickMessage.id}`)],
    'POST /quick-messages/:id/media-upload': [upload(`/quick-messages/${quickMessage.id}/media-upload`)],
    'DELETE /quick-messages/:id/media-upload': [missing(`/quick-messages/${quickMessage.id}/media-upload`)],
    'GET /schedules/': [quiet(`/schedules?${list}&searchParam=${MARK}`)],
    'GET /schedules/:id': [missing(`/schedules/${scheduleId}`)],
    'POST /schedules/': [
      missing('/schedules', { body: 'oi oi', contactId: contact.id, sendAt: '2099-01-01T00:00:00Z' }),
      missing('/schedules', {
        body: 'oi oi',
        contactId: stranger.contact.id,
        whatsappId: whatsapp.id,
        sendAt: '2099-01-01T00:00:00Z',
      }),
    ],
    'PUT /schedules/:id': [missing(`/schedules/${scheduleId}`, { body: 'oi oi' })],
    'DELETE /schedules/:id': [missing(`/schedules/${scheduleId}`)],
    'POST /schedules/:id/media-upload': [upload(`/schedules/${scheduleId}/media-upload`)],
    'DELETE /schedules/:id/media-upload': [missing(`/schedules/${scheduleId}/media-upload`)],
    'GET /wall/': [quiet(`/wall?queueIds=[${queue.id}]`), quiet('/wall')],
    'GET /dashboard/': [quiet(`/dashboard?days=90&${list}`)],
    'GET /dashboard/first-steps': [quiet('/dashboard/first-steps')],
    'DELETE /dashboard/first-steps': [quiet(`/dashboard/first-steps?userId=${user.id}`)],
    'GET /costs': [quiet(`/costs?by=ticket&from=2026-01-01&to=2026-12-31&${list}`)],
    'GET /costs/month': [quiet(`/costs/month?${list}`)],
    'GET /message-prices': [quiet(`/message-prices?${list}`)],
    'POST /message-prices': [
      quiet('/message-prices', {
        ...{ market: 'BR', category: 'service', currency: 'BRL', since: '2026-11-01', micros: 1 },
        companyId: company.id,
      }),
    ],
    'DELETE /message-prices/:id': [missing('/message-prices/999999')],
    'GET /dashboard/ticketsUsers': [quiet(`/dashboard/ticketsUsers?${range}`)],
    'GET /dashboard/ticketsDay': [quiet(`/dashboard/ticketsDay?${range}`)],
    'GET /messages/:ticketId/decision': [missing(`/messages/${message.id}/decision`)],
    'POST /hours/test': [
      missing('/hours/test', { queueId: queue.id }),
      missing('/hours/test', { whatsappId: whatsapp.id }),
      quiet('/hours/test', {}),
    ],
    'POST /automations/preview': [
      missing('/automations/preview', { whatsappId: whatsapp.id, body: 'oi' }),
      missing('/automations/preview', { whatsappId: stranger.whatsapp.id, contactId: contact.id, body: 'oi' }),
    ],
    'GET /prompt/': [quiet(`/prompt?searchParam=${MARK}&${list}`), quiet('/prompt')],
    'GET /prompt/usage': [quiet(`/prompt/usage?${list}`)],
    'GET /prompt/:id': [missing(`/prompt/${bots.promptId}`)],
    'POST /prompt/': [
      missing('/prompt', { ...assistant, queueId: queue.id }),
      quiet('/prompt', { ...assistant, queueId: stranger.queue.id, companyId: company.id }),
    ],
    'PUT /prompt/:id': [
      missing(`/prompt/${bots.promptId}`, { name: 'Intruso' }),
      missing(`/prompt/${stranger.bots.promptId}`, { queueId: queue.id }),
    ],
    'DELETE /prompt/:id': [missing(`/prompt/${bots.promptId}`)],
    'POST /prompt/:id/test': [missing(`/prompt/${bots.promptId}/test`, { text: 'oi' })],
    'GET /queueIntegration/': [
      quiet(`/queueIntegration?searchParam=${MARK}&${list}`),
      quiet('/queueIntegration?pageNumber=1'),
    ],
    'GET /queueIntegration/:id': [missing(`/queueIntegration/${bots.integrationId}`)],
    'POST /queueIntegration/': [
      missing('/queueIntegration', { type: 'flowbuilder', name: 'Intruso', flowId: owned.flow.id }),
      quiet('/queueIntegration', { type: 'n8n', name: 'Deles', urlN8N: 'https://x.test', companyId: company.id }),
    ],
    'PUT /queueIntegration/:id': [
      missing(`/queueIntegration/${bots.integrationId}`, { name: 'Intruso' }),
      missing(`/queueIntegration/${stranger.bots.integrationId}`, { flowId: owned.flow.id }),
    ],
    'DELETE /queueIntegration/:id': [missing(`/queueIntegration/${bots.integrationId}`)],
    'POST /queueIntegration/testSession': [
      missing('/queueIntegration/testSession', {
        ...{ projectName: 'x-y-z', jsonContent: MASK, language: 'pt', id: bots.integrationId },
      }),
    ],
    'POST /queueIntegration/:id/test': [missing(`/queueIntegration/${bots.integrationId}/test`, { text: 'oi' })],
    'GET /announcements/': [quiet(`/announcements?searchParam=${MARK}`)],
    'GET /announcements/list': [quiet(`/announcements/list?searchParam=${MARK}`)],
    'GET /announcements/audience': [quiet('/announcements/audience')],
    'GET /announcements/:id': [quiet(`/announcements/${owned.announcementId}`)],
    'POST /announcements/': [quiet('/announcements', { title: 'x', text: 'x' })],
    'PUT /announcements/:id': [quiet(`/announcements/${owned.announcementId}`, { title: 'Intruso' })],
    'DELETE /announcements/:id': [quiet(`/announcements/${owned.announcementId}`)],
    'POST /announcements/:id/media-upload': [
      { ...upload(`/announcements/${owned.announcementId}/media-upload`), answer: 'nothing of theirs' },
    ],
    'DELETE /announcements/:id/media-upload': [quiet(`/announcements/${owned.announcementId}/media-upload`)],
    'GET /helps/': [quiet('/helps')],
    'GET /helps/list': [quiet('/helps/list')],
    'POST /helps/': [quiet('/helps', { title: 'x', video: 'dQw4w9WgXcQ' })],
    'PUT /helps/:id': [quiet('/helps/1', { title: 'Intruso' })],
    'DELETE /helps/:id': [quiet('/helps/1')],
    'GET /files/': [quiet(`/files?${list}&searchParam=${MARK}`)],
    'GET /files/:id': [missing(`/files/${owned.fileList.id}`)],
    'POST /files/': [quiet('/files', { name: 'Deles', message: 'x', companyId: company.id, options: [] })],
    'PUT /files/:id': [missing(`/files/${owned.fileList.id}`, { name: 'Intruso', options: [] })],
    'DELETE /files/:id': [missing(`/files/${owned.fileList.id}`)],
    'POST /files/uploadList/:id': [upload(`/files/uploadList/${owned.fileList.id}`)],
    'GET /uses/:noun/:id': [
      missing(`/uses/queue/${queue.id}`),
      missing(`/uses/tag/${tag.id}`),
      missing(`/uses/contactList/${contactList.id}`),
      missing(`/uses/fileList/${owned.fileList.id}`),
      missing(`/uses/prompt/${bots.promptId}`),
      missing(`/uses/integration/${bots.integrationId}`),
      missing(`/uses/segment/${campaign.segmentId}`),
      missing(`/uses/flow/${flow.id}`),
      missing(`/uses/connection/${whatsapp.id}`),
    ],
    'GET /tags/kanban': [quiet(`/tags/kanban?${list}`)],
    'GET /ticket/kanban': [quiet(`/ticket/kanban?queueIds=[${queue.id}]&${list}`)],
    'PUT /ticket-tags/:ticketId/:tagId': [
      missing(`/ticket-tags/${ticket.id}/${tag.id}`),
      missing(`/ticket-tags/${stranger.ticket.id}/${tag.id}`),
    ],
    'DELETE /ticket-tags/:ticketId': [missing(`/ticket-tags/${ticket.id}`)],
    'GET /subscription': [quiet(`/subscription?${list}`)],
    'POST /subscription': [
      missing('/subscription', {
        ...{
          invoiceId: owned.invoiceId,
          firstName: 'Intruso',
          address2: 'Rua A, 1',
          city: 'Recife',
          zipcode: '50000-000',
        },
        ...{ country: 'BR', price: 0.01, companyId: company.id },
      }),
    ],
    'GET /invoices/all': [
      quiet(`/invoices/all?${list}&searchParam=${MARK}`),
      quiet(`/invoices/all?searchParam=${owned.invoiceId}`),
    ],
    'GET /invoices/:id': [missing(`/invoices/${owned.invoiceId}`)],
    'GET /invoices/': [quiet(`/invoices?${list}`)],
    'PUT /invoices/:id/paid': [quiet(`/invoices/${owned.invoiceId}/paid`)],
    'PUT /invoices/:id/cancelled': [quiet(`/invoices/${owned.invoiceId}/cancelled`)],
    'PUT /invoices/:id/refunded': [quiet(`/invoices/${owned.invoiceId}/refunded`)],
    'GET /invoices/provider': [quiet('/invoices/provider')],
    'PUT /invoices/provider': [
      quiet('/invoices/provider', {
        provider: 'pix',
        pixKey: 'intruso@example.test',
        pixName: 'Intruso',
        pixCity: 'X',
      }),
    ],
    'POST /payments/efi': [quiet('/payments/efi?hmac=guess', { pix: [{ txid: 'a'.repeat(32) }] })],
    'POST /payments/efi/pix': [quiet('/payments/efi/pix?hmac=', { pix: [{ txid: 'a'.repeat(32) }] })],
    'POST /payments/asaas': [quiet('/payments/asaas', { payment: { externalReference: 'a'.repeat(32) } })],
    'GET /chats/': [quiet(`/chats?${list}&searchParam=${MARK}`)],
    'POST /chats/': [
      missing('/chats', { title: 'oi', users: [user.id] }),
      quiet('/chats', { title: 'oi', users: [stranger.user.id], companyId: company.id, ownerId: user.id }),
    ],
    'PUT /chats/:id': [
      missing(`/chats/${chat.id}`, { title: 'oi', users: [user.id] }),
      missing(`/chats/${stranger.chat.id}`, { title: 'oi', users: [user.id] }),
    ],
    'DELETE /chats/:id': [missing(`/chats/${chat.id}`)],
    'GET /chats/:id/messages': [
      missing(`/chats/${chat.id}/messages`),
      missing(`/chats/${stranger.chat.id}/messages?before=${chat.messageId}`),
    ],
    'POST /chats/:id/messages': [
      missing(`/chats/${chat.id}/messages`, { message: 'oi' }),
      quiet(`/chats/${stranger.chat.id}/messages`, { id: chat.messageId, message: 'oi' }),
    ],
    'POST /chats/:id/read': [missing(`/chats/${chat.id}/read`, { userId: user.id })],
    'GET /flowbuilder': [quiet(`/flowbuilder?${list}&searchParam=${MARK}`)],
    'POST /flowbuilder': [
      quiet('/flowbuilder', { name: 'Deles', companyId: company.id, id: flow.id }),
      quiet('/flowbuilder', { name: 'Deles também', nodes: [{ id: 'x', flowId: flow.id }] }),
    ],
    'PUT /flowbuilder': [missing('/flowbuilder', { flowId: flow.id, name: 'Intruso', active: false })],
    'DELETE /flowbuilder/:id': [missing(`/flowbuilder/${flow.id}`)],
    'POST /flowbuilder/duplicate': [missing('/flowbuilder/duplicate', { flowId: flow.id })],
    'GET /flowbuilder/flow/:id': [missing(`/flowbuilder/flow/${flow.id}`)],
    'POST /flowbuilder/flow': [missing('/flowbuilder/flow', { idFlow: flow.id, nodes: [], connections: [] })],
    // A secret of theirs has no name here.
    'POST /flowbuilder/call': [
      quiet('/flowbuilder/call', { method: 'GET', url: 'https://x.test/{{secret:CHAVE}}', headers: [], body: '' }),
    ],
    'POST /flowbuilder/img': [{ path: '/flowbuilder/img', form: photo(), answer: 'nothing of theirs' }],
    'POST /flowbuilder/audio': [{ path: '/flowbuilder/audio', form: photo(), answer: 'nothing of theirs' }],
    'POST /flowbuilder/content': [{ path: '/flowbuilder/content', form: photo(), answer: 'nothing of theirs' }],
    'POST /flowbuilder/:id/publish': [missing(`/flowbuilder/${flow.id}/publish`)],
    'GET /flowbuilder/:id/versions': [missing(`/flowbuilder/${flow.id}/versions`)],
    'GET /flowbuilder/:id/versions/:versionId': [
      missing(`/flowbuilder/${flow.id}/versions/${flow.versionId}`),
      missing(`/flowbuilder/${stranger.flow.id}/versions/${flow.versionId}`),
    ],
    'POST /flowbuilder/:id/versions/:versionId/restore': [
      missing(`/flowbuilder/${flow.id}/versions/${flow.versionId}/restore`),
      missing(`/flowbuilder/${stranger.flow.id}/versions/${flow.versionId}/restore`, { publish: true }),
    ],
    'GET /flowbuilder/:id/known': [missing(`/flowbuilder/${flow.id}/known`)],
    'GET /flowbuilder/:id/counts': [missing(`/flowbuilder/${flow.id}/counts`)],
    'GET /flowbuilder/:id/runs': [missing(`/flowbuilder/${flow.id}/runs`)],
    'GET /flowbuilder/run/:runId': [missing(`/flowbuilder/run/${newId()}`)],
    'GET /flowcampaign': [quiet(`/flowcampaign?${list}`)],
    'GET /flowcampaign/:id': [missing(`/flowcampaign/${flow.campaignId}`)],
    'POST /flowcampaign': [
      missing('/flowcampaign', { name: 'x', phrase: 'x', flowId: flow.id }),
      missing('/flowcampaign', { name: 'x', phrase: 'x', flowId: stranger.flow.id, whatsappId: whatsapp.id }),
    ],
    'PUT /flowcampaign': [
      missing('/flowcampaign', { id: flow.campaignId, status: false }),
      missing('/flowcampaign', { id: stranger.flow.campaignId, flowId: flow.id }),
      missing('/flowcampaign', { id: stranger.flow.campaignId, whatsappId: whatsapp.id }),
    ],
    'DELETE /flowcampaign/:id': [missing(`/flowcampaign/${flow.campaignId}`)],
    'GET /flowdefault': [quiet(`/flowdefault?${list}`)],
    'GET /flowsecret': [quiet(`/flowsecret?${list}`)],
    'POST /flowsecret': [quiet('/flowsecret', { name: 'intruso', value: 'segredo', companyId: company.id })],
    'PUT /flowsecret/:id': [missing(`/flowsecret/${flow.secretId}`, { value: 'segredo' })],
    'DELETE /flowsecret/:id': [missing(`/flowsecret/${flow.secretId}`)],
    'POST /flowdefault': [missing('/flowdefault', { flowIdWelcome: flow.id, flowIdPhrase: null })],
    'PUT /flowdefault': [
      missing('/flowdefault', { flowIdWelcome: null, flowIdPhrase: flow.id }),
      quiet('/flowdefault', { flowIdWelcome: null, flowIdPhrase: null, companyId: company.id }),
    ],
    // By the stranger's own connection, whose token is asked for.
    'POST /api/messages/send': [
      missing('/api/messages/send', { number: contact.number, body: 'oi', queueId: queue.id }),
      missing('/api/messages/send', { number: contact.number, body: 'oi', userId: user.id }),
      quiet('/api/messages/send', { number: contact.number, body: 'oi', companyId: company.id }),
    ],
    'GET /audit/': [quiet(`/audit?${list}`), quiet(`/audit?userId=${user.id}`)],
    'GET /audit/export': [quiet(`/audit/export?${list}`), quiet('/audit/export')],
    'GET /audit/verify': [quiet(`/audit/verify?${list}`)],
    'GET /api-keys/': [quiet(`/api-keys?${list}`)],
    'GET /api-keys/:id': [missing(`/api-keys/${programs.keyId}`)],
    'POST /api-keys/': [quiet('/api-keys', { name: 'Deles', scopes: ['tickets:read'], companyId: company.id })],
    'PUT /api-keys/:id': [missing(`/api-keys/${programs.keyId}`, { name: 'Intruso' })],
    'DELETE /api-keys/:id': [missing(`/api-keys/${programs.keyId}`)],
    'GET /webhooks/': [quiet(`/webhooks?${list}`)],
    'GET /webhooks/:id': [missing(`/webhooks/${programs.webhookId}`)],
    'POST /webhooks/': [
      quiet('/webhooks', { url: 'https://x.test', events: ['message.sent'], companyId: company.id }),
      missing('/webhooks', { url: 'https://x.test', events: ['message.sent'], queueIds: [queue.id] }),
    ],
    'PUT /webhooks/:id': [
      missing(`/webhooks/${programs.webhookId}`, { active: false }),
      missing(`/webhooks/${stranger.programs.webhookId}`, { queueIds: [queue.id] }),
    ],
    'DELETE /webhooks/:id': [missing(`/webhooks/${programs.webhookId}`)],
    'POST /webhooks/:id/rotate': [missing(`/webhooks/${programs.webhookId}/rotate`)],
    'POST /webhooks/:id/test': [missing(`/webhooks/${programs.webhookId}/test`)],
    'POST /webhooks/:id/replay': [
      missing(`/webhooks/${programs.webhookId}/replay`, { from: '2000-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' }),
    ],
    'GET /webhooks/:id/deliveries': [missing(`/webhooks/${programs.webhookId}/deliveries`)],
    'POST /webhooks/:id/deliveries/:deliveryId/replay': [
      missing(`/webhooks/${programs.webhookId}/deliveries/${programs.deliveryId}/replay`),
      missing(`/webhooks/${stranger.programs.webhookId}/deliveries/${programs.deliveryId}/replay`),
    ],
    // By the stranger's own key, which has every scope.
    'POST /api/v1/messages': [
      missing('/api/v1/messages', { number: contact.number, body: 'oi', whatsappId: whatsapp.id }),
      missing('/api/v1/messages', { number: contact.number, body: 'oi', queueId: queue.id }),
    ],
    'GET /api/v1/messages': [quiet('/api/v1/messages?search=segredo')],
    'GET /api/v1/messages/:id/file': [missing(`/api/v1/messages/${message.id}/file`)],
    'PUT /api/v1/messages/:id': [missing(`/api/v1/messages/${message.id}`, { body: 'Intruso' })],
    'DELETE /api/v1/messages/:id': [missing(`/api/v1/messages/${message.id}`)],
    'PUT /api/v1/messages/:id/reaction': [missing(`/api/v1/messages/${message.id}/reaction`, { emoji: '👍' })],
    'POST /api/v1/tickets/:id/messages': [
      missing(`/api/v1/tickets/${ticket.id}/messages`, { body: 'oi' }),
      missing(`/api/v1/tickets/${stranger.ticket.id}/messages`, { body: 'oi', quotedMessageId: message.id }),
    ],
    'POST /api/v1/tickets/:id/typing': [missing(`/api/v1/tickets/${ticket.id}/typing`, { state: 'composing' })],
    'GET /api/v1/tickets/:id/notes': [missing(`/api/v1/tickets/${ticket.id}/notes`)],
    'POST /api/v1/tickets/:id/notes': [missing(`/api/v1/tickets/${ticket.id}/notes`, { note: 'Intruso' })],
    'POST /api/v1/tags': [quiet('/api/v1/tags', { name: 'Outra etiqueta' })],
    'PUT /api/v1/tags/:id': [missing(`/api/v1/tags/${tag.id}`, { name: 'Intruso' })],
    'DELETE /api/v1/tags/:id': [missing(`/api/v1/tags/${tag.id}`)],
    'DELETE /api/v1/contacts/:id': [missing(`/api/v1/contacts/${contact.id}`)],
    'POST /api/v1/contacts/:id/merge': [
      missing(`/api/v1/contacts/${contact.id}/merge`, { goneId: stranger.contact.id }),
      missing(`/api/v1/contacts/${stranger.contact.id}/merge`, { goneId: contact.id }),
    ],
    'POST /api/v1/numbers/check': [
      missing('/api/v1/numbers/check', { number: contact.number, whatsappId: whatsapp.id }),
    ],
    'GET /api/v1/groups': [quiet('/api/v1/groups')],
    'GET /api/v1/connections/:id': [missing(`/api/v1/connections/${whatsapp.id}`)],
    'GET /api/v1/connections/:id/qr': [missing(`/api/v1/connections/${whatsapp.id}/qr`)],
    'POST /api/v1/connections/:id/start': [missing(`/api/v1/connections/${whatsapp.id}/start`)],
    'GET /api/v1/campaigns': [quiet('/api/v1/campaigns')],
    'GET /api/v1/campaigns/:id': [missing(`/api/v1/campaigns/${campaign.id}`)],
    'GET /api/v1/campaigns/:id/people': [missing(`/api/v1/campaigns/${campaign.id}/people`)],
    'POST /api/v1/campaigns/:id/start': [missing(`/api/v1/campaigns/${campaign.id}/start`)],
    'POST /api/v1/campaigns/:id/pause': [missing(`/api/v1/campaigns/${campaign.id}/pause`)],
    'POST /api/v1/campaigns/:id/resume': [missing(`/api/v1/campaigns/${campaign.id}/resume`)],
    'POST /api/v1/campaigns/:id/cancel': [missing(`/api/v1/campaigns/${campaign.id}/cancel`)],
    'GET /api/v1/reports/service': [quiet('/api/v1/reports/service?from=2026-11-01&to=2026-11-30')],
    'GET /api/v1/reports/costs': [quiet('/api/v1/reports/costs?by=ticket&from=2026-11-01&to=2026-11-30')],
    'GET /api/v1/messages/:id': [missing(`/api/v1/messages/${message.id}`)],
    'GET /api/v1/tickets': [quiet('/api/v1/tickets?limit=100')],
    'GET /api/v1/tickets/:id': [missing(`/api/v1/tickets/${ticket.id}`)],
    'GET /api/v1/tickets/:id/messages': [missing(`/api/v1/tickets/${ticket.id}/messages`)],
    'PUT /api/v1/tickets/:id': [
      missing(`/api/v1/tickets/${ticket.id}`, { status: 'closed' }),
      missing(`/api/v1/tickets/${stranger.ticket.id}`, { queueId: queue.id }),
      missing(`/api/v1/tickets/${stranger.ticket.id}`, { userId: user.id }),
      missing(`/api/v1/tickets/${stranger.ticket.id}`, { tagIds: [tag.id] }),
    ],
    'GET /api/v1/contacts': [quiet(`/api/v1/contacts?number=${contact.number}`), quiet('/api/v1/contacts')],
    'GET /api/v1/contacts/:id': [missing(`/api/v1/contacts/${contact.id}`)],
    'POST /api/v1/contacts': [quiet('/api/v1/contacts', { name: 'Mesmo número', number: contact.number })],
    'PUT /api/v1/contacts/:id': [missing(`/api/v1/contacts/${contact.id}`, { name: 'Intruso' })],
    'GET /api/v1/queues': [quiet('/api/v1/queues')],
    'GET /api/v1/tags': [quiet('/api/v1/tags')],
    'GET /api/v1/users': [quiet('/api/v1/users')],
    'GET /api/v1/connections': [quiet('/api/v1/connections')],
    'GET /api/v1/opt-outs': [quiet('/api/v1/opt-outs')],
    'POST /api/v1/opt-outs': [quiet('/api/v1/opt-outs', { number: '5511911115555' })],
    'DELETE /api/v1/opt-outs/:id': [missing(`/api/v1/opt-outs/${campaign.optOutId}`, { reason: 'Intruso' })],
    'GET /api/v1/webhooks': [quiet('/api/v1/webhooks')],
    'GET /api/v1/webhooks/:id': [missing(`/api/v1/webhooks/${programs.webhookId}`)],
    'POST /api/v1/webhooks': [
      missing('/api/v1/webhooks', { url: 'https://x.test', events: ['message.sent'], queueIds: [queue.id] }),
    ],
    'PUT /api/v1/webhooks/:id': [missing(`/api/v1/webhooks/${programs.webhookId}`, { active: false })],
    'DELETE /api/v1/webhooks/:id': [missing(`/api/v1/webhooks/${programs.webhookId}`)],
    'POST /api/v1/webhooks/:id/test': [missing(`/api/v1/webhooks/${programs.webhookId}/test`)],
    'GET /whatsapp/:id/health': [missing(`/whatsapp/${whatsapp.id}/health`)],
    'POST /commands': Object.entries(commandInputs(world)).flatMap(([name, inputs]) =>
      inputs.map((input) => missing('/commands', { id: newId(), name, input })),
    ),
    'POST /commands/batch': Object.entries(commandInputs(world)).flatMap(([name, inputs]) =>
      inputs.map((input) => quiet('/commands/batch', { commands: [{ id: newId(), name, input }] })),
    ),
    'GET /public/*': [file, quickFile, option.file, picture, flow, owned.fileList, { path: flow.fileName }].flatMap(
      ({ path }) => [
        missing(`/public/${path}`),
        missing(`/public/company${stranger.company.id}/../${path}`),
        missing(`/public/${path.replace('/', '%2f')}`),
      ],
    ),
    'GET /events': [],
    'DELETE /auth/logout': [quiet('/auth/logout')],
  }
}

/** The same for every command of the catalogue. */
export function commandInputs(world: World): Record<CommandName, unknown[]> {
  const { ticket, tag, queue, user, whatsapp, message, own, noteId, contact, scheduleId, filterId, chat, flow } =
    world.owned
  const { templateId, field } = world.owned
  const mine = world.stranger.ticket.id
  const ticketId = ticket.id
  return {
    'tickets.accept': [{ ticketId }],
    'tickets.return': [{ ticketId }],
    'tickets.resolve': [{ ticketId }],
    'tickets.reopen': [{ ticketId }],
    'tickets.undo': [{ ticketId, commandId: newId() }],
    'tickets.callSupervisor': [{ ticketId, note: 'Intruso' }],
    'tickets.answerCall': [{ ticketId }],
    'users.setAway': [{ userId: user.id, away: true }],
    'tickets.snooze': [{ ticketId, until: null }],
    'tickets.wake': [{ ticketId }],
    'tickets.read': [{ ticketId }],
    'tickets.merge': [
      { ticketId, intoId: mine },
      { ticketId: mine, intoId: ticketId },
    ],
    'tickets.part': [{ ticketId, intoId: mine, mergeId: newId() }],
    'tickets.transfer': [
      { ticketId, queueId: world.stranger.queue.id },
      { ticketId: mine, queueId: queue.id },
      { ticketId: mine, queueId: world.stranger.queue.id, userId: user.id },
      { ticketId: mine, queueId: world.stranger.queue.id, whatsappId: whatsapp.id },
    ],
    'tickets.setTags': [
      { ticketId, tagIds: [] },
      { ticketId: mine, tagIds: [tag.id] },
    ],
    'tickets.setFields': [
      { ticketId, fields: {} },
      { ticketId: mine, fields: { [field.id]: 'oi' } },
    ],
    'contacts.setFields': [
      { contactId: contact.id, fields: {} },
      { contactId: world.stranger.contact.id, fields: { [field.id]: 'oi' } },
    ],
    'tickets.setLane': [
      { ticketId, tagId: null },
      { ticketId: mine, tagId: tag.id },
    ],
    // Of what is not theirs they say so, ticket by ticket: `server/tickets/tickets.bulk.test.ts`.
    'tickets.bulk': [],
    'tickets.undoBulk': [],
    'macros.run': [
      { macroId: world.owned.macroId, ticketId: mine },
      { macroId: world.owned.macroId, ticketId },
    ],
    'macros.undo': [{ ticketId, commandId: newId() }],
    'messages.send': [{ id: newId(), ticketId, body: 'oi' }],
    'messages.edit': [{ messageId: own.id, body: 'oi' }],
    'messages.delete': [{ messageId: own.id }],
    'messages.undelete': [{ messageId: own.id, commandId: newId() }],
    'messages.react': [{ messageId: message.id, emoji: '👍' }],
    'messages.retry': [{ messageId: own.id }],
    'messages.sendTemplate': [
      { id: newId(), ticketId, templateId, values: {} },
      { id: newId(), ticketId: mine, templateId, values: {} },
    ],
    'notes.create': [{ id: newId(), ticketId, note: 'oi oi' }],
    'notes.delete': [{ id: noteId }],
    // What is not one's own is passed over.
    'mentions.read': [],
    'schedules.create': [
      { id: newId(), contactId: contact.id, body: 'oi oi', sendAt: '2099-01-01T00:00:00Z' },
      {
        id: newId(),
        contactId: world.stranger.contact.id,
        body: 'oi oi',
        sendAt: '2099-01-01T00:00:00Z',
        whatsappId: whatsapp.id,
      },
    ],
    'schedules.update': [{ id: scheduleId, body: 'oi oi' }],
    'schedules.delete': [{ id: scheduleId }],
    'drafts.set': [{ ticketId, body: 'oi' }],
    // Their id is as good as any other: the row is one's own.
    'filters.save': [],
    'filters.delete': [{ id: filterId }],
    'chats.send': [{ id: newId(), chatId: chat.id, message: 'oi' }],
    'chats.read': [{ chatId: chat.id }],
    'optOuts.note': [{ ticketId }],
    'flows.edit': [{ flowId: flow.id, operations: [{ op: 'remove', node: '1', rev: 1 }] }],
  }
}

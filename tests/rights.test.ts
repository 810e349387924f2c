import { describe, expect, test } from 'bun:test'
import { can, grantable, type Permission } from '../schema/permissions.ts'
import { roles } from '../schema/roles/roles.table.ts'
import type { Profile } from '../schema/users/users.table.ts'
import { shapeNames } from '../sync/shapes.ts'
import { PASSWORD, type TestApp } from './support/app.ts'
import { type Attempt, attempts, type World } from './support/attempts.ts'
import { betweenCompanies } from './support/between-companies.ts'
import { rowsOf } from './support/rows.ts'

/**
 * Every route × each kind of person. The calls are those of `attempts`, whose input is good and whose ids are another
 * company's: who is let in is told that nothing is there, who is not is refused before. A new route fails here until
 * somebody has said whom it is for.
 */
let t: TestApp
let world: World
betweenCompanies((app, both) => {
  t = app
  world = both
})

/** Permission → the routes that ask for it. */
const needed: Partial<Record<Permission, readonly string[]>> = {
  'settings:write': [
    'PUT /settings/:key',
    'PUT /companies/:id/region',
    'POST /message-prices',
    'DELETE /message-prices/:id',
  ],
  'tickets:bulk': ['POST /tickets/bulk'],
  'roles:write': ['POST /roles/', 'PUT /roles/:id', 'DELETE /roles/:id'],
  'security:write': [
    'GET /auth/oidc/provider',
    'PUT /auth/oidc/provider',
    'POST /auth/oidc/provider/domains',
    'DELETE /auth/oidc/provider',
  ],
  'company:schedules': ['PUT /companies/:id/schedules'],
  'users:write': [
    'POST /users/',
    'POST /users/:id/invitation',
    'DELETE /users/:id/2fa',
    'DELETE /users/:id/provider',
    'DELETE /users/:id',
  ],
  'queues:write': [
    'POST /queue/',
    'PUT /queue/:id',
    'DELETE /queue/:id',
    'POST /queue/:id/media-upload',
    'DELETE /queue/:id/media-upload',
    'GET /queue-options/',
    'GET /queue-options/:id',
    'POST /queue-options/',
    'PUT /queue-options/:id',
    'DELETE /queue-options/:id',
    'POST /queue-options/:id/media-upload',
    'DELETE /queue-options/:id/media-upload',
  ],
  'contacts:export': ['GET /contacts/export'],
  'contacts:import': ['POST /contacts/import'],
  'contacts:merge': ['GET /contacts/duplicates', 'POST /contacts/merge', 'POST /contacts/merges/:id/undo'],
  'contacts:reveal': ['POST /contacts/:id/reveal'],
  'contacts-page:deleteContact': ['DELETE /contacts/:id'],
  'connections-page:addConnection': ['POST /whatsapp', 'POST /whatsapp-restart', 'POST /whatsapp-official/check'],
  'connections-page:editOrDeleteConnection': [
    'PUT /whatsapp/:id',
    'DELETE /whatsapp/:id',
    'GET /whatsapp/:id/official',
    'PUT /whatsapp/:id/official',
    'POST /whatsapp/:id/official/check',
    'POST /whatsapp/:id/official/subscribe',
    'POST /whatsapp/:id/official/history',
    'POST /whatsapp/:id/official/register',
  ],
  'fields:write': [
    'POST /custom-fields',
    'PUT /custom-fields/order',
    'PUT /custom-fields/:id',
    'DELETE /custom-fields/:id',
  ],
  'templates:write': [
    'POST /templates/',
    'POST /templates/sample',
    'PUT /templates/:id',
    'POST /templates/refresh',
    'POST /templates/:id/confirm',
    'DELETE /templates/:id',
  ],
  'connections:token': ['POST /whatsapp/:id/token'],
  'connections-page:actionButtons': [
    'POST /whatsappsession/:id',
    'PUT /whatsappsession/:id',
    'DELETE /whatsappsession/:id',
    'POST /whatsappsession/:id/pairing-code',
    'GET /whatsapp/:id/health',
  ],
  'files:write': ['POST /files/', 'PUT /files/:id', 'DELETE /files/:id', 'POST /files/uploadList/:id'],
  'campaigns:write': [
    'GET /contact-lists/',
    'GET /contact-lists/list',
    'GET /contact-lists/sample',
    'GET /contact-lists/:id',
    'POST /contact-lists/',
    'PUT /contact-lists/:id',
    'DELETE /contact-lists/:id',
    'POST /contact-lists/:id/check',
    'DELETE /contact-lists/:id/check',
    'GET /contact-list-items/',
    'GET /contact-list-items/:id',
    'POST /contact-list-items/',
    'PUT /contact-list-items/:id',
    'DELETE /contact-list-items/:id',
    'GET /campaigns/',
    'GET /campaigns/:id',
    'POST /campaigns/',
    'PUT /campaigns/:id',
    'DELETE /campaigns/:id',
    'POST /campaigns/:id/media-upload',
    'DELETE /campaigns/:id/media-upload',
    'POST /campaigns/:id/dry-run',
    'GET /campaigns/:id/preview',
    'GET /campaigns/:id/recipients',
    'GET /campaigns/:id/export',
    'GET /campaign-settings/',
    'POST /campaign-settings/',
    'GET /campaign-settings/lines',
    'PUT /campaign-settings/lines/:id',
    'POST /segments/count',
    'GET /segments/',
    'GET /segments/:id',
    'POST /segments/',
    'PUT /segments/:id',
    'DELETE /segments/:id',
  ],
  'campaigns:send': [
    'POST /campaigns/:id/start',
    'POST /campaigns/:id/cancel',
    'POST /campaigns/:id/restart',
    'POST /campaigns/:id/pause',
    'POST /campaigns/:id/resume',
    'POST /campaigns/:id/retry',
  ],
  'sla:write': [
    'GET /sla-policies/',
    'GET /sla-policies/:id',
    'POST /sla-policies/',
    'PUT /sla-policies/:id',
    'DELETE /sla-policies/:id',
    'POST /sla-policies/:id/test',
  ],
  'privacy:write': [
    'POST /contacts/:id/export',
    'GET /contacts/:id/exports',
    'GET /contacts/:id/erase-preview',
    'POST /contacts/:id/erase',
    'GET /contacts/:id/hold',
    'PUT /contacts/:id/hold',
    'GET /privacy/exports/:id',
    'POST /privacy/exports/:id/cancel',
    'GET /privacy/erasures',
    'GET /privacy/erasures/:id',
    'GET /privacy/requests/',
    'GET /privacy/requests/:id',
    'POST /privacy/requests/',
    'PUT /privacy/requests/:id',
    'GET /privacy/retention',
  ],
  'rules:write': [
    'GET /rules/',
    'GET /rules/:id',
    'GET /rules/:id/runs',
    'POST /rules/',
    'PUT /rules/:id',
    'DELETE /rules/:id',
    'POST /rules/dry-run',
  ],
  'opt-outs:write': ['GET /opt-outs/', 'POST /opt-outs/', 'DELETE /opt-outs/:id'],
  'wall:read': ['GET /wall/'],
  'reports:read': [
    'GET /reports/:report',
    'GET /reports/:report/tickets',
    'GET /report-views/',
    'POST /report-views/',
    'PUT /report-views/:id',
    'DELETE /report-views/:id',
  ],
  'reports:export': [
    'GET /reports/:report/export',
    'GET /report-schedules/',
    'POST /report-schedules/',
    'PUT /report-schedules/:id',
    'DELETE /report-schedules/:id',
  ],
  'ticket-options:deleteTicket': ['DELETE /tickets/:id'],
  'tickets:merge': ['POST /tickets/:id/merge', 'POST /tickets/:id/part'],
  'dashboard:view': [
    'GET /dashboard/',
    'GET /dashboard/ticketsUsers',
    'GET /dashboard/ticketsDay',
    'GET /costs',
    'GET /costs/month',
    'GET /message-prices',
  ],
  'drawer-admin-items:view': ['GET /dashboard/first-steps', 'DELETE /dashboard/first-steps'],
  'automations:trace': ['POST /automations/preview', 'GET /flowbuilder/:id/runs', 'GET /flowbuilder/run/:runId'],
  'automations:write': [
    'GET /prompt/usage',
    'GET /prompt/:id',
    'POST /prompt/',
    'PUT /prompt/:id',
    'DELETE /prompt/:id',
    'POST /prompt/:id/test',
    'GET /queueIntegration/:id',
    'POST /queueIntegration/',
    'PUT /queueIntegration/:id',
    'DELETE /queueIntegration/:id',
    'POST /queueIntegration/testSession',
    'POST /queueIntegration/:id/test',
    'GET /flowbuilder',
    'POST /flowbuilder',
    'PUT /flowbuilder',
    'DELETE /flowbuilder/:id',
    'POST /flowbuilder/duplicate',
    'GET /flowbuilder/flow/:id',
    'POST /flowbuilder/flow',
    'POST /flowbuilder/img',
    'POST /flowbuilder/audio',
    'POST /flowbuilder/content',
    'POST /flowbuilder/:id/publish',
    'GET /flowbuilder/:id/versions',
    'GET /flowbuilder/:id/versions/:versionId',
    'POST /flowbuilder/:id/versions/:versionId/restore',
    'GET /flowbuilder/:id/known',
    'GET /flowbuilder/:id/counts',
    'POST /flowbuilder/call',
    'GET /flowcampaign',
    'GET /flowcampaign/:id',
    'POST /flowcampaign',
    'PUT /flowcampaign',
    'DELETE /flowcampaign/:id',
    'GET /flowdefault',
    'GET /flowsecret',
    'POST /flowsecret',
    'PUT /flowsecret/:id',
    'DELETE /flowsecret/:id',
    'POST /flowdefault',
    'PUT /flowdefault',
  ],
  'invoices:pay': ['GET /subscription', 'POST /subscription', 'GET /invoices/all', 'GET /invoices/:id'],
  'audit:read': ['GET /audit/', 'GET /audit/export', 'GET /audit/verify'],
  'api-keys:write': [
    'GET /api-keys/',
    'GET /api-keys/:id',
    'POST /api-keys/',
    'PUT /api-keys/:id',
    'DELETE /api-keys/:id',
  ],
  'webhooks:write': [
    'GET /webhooks/',
    'GET /webhooks/:id',
    'POST /webhooks/',
    'PUT /webhooks/:id',
    'DELETE /webhooks/:id',
    'POST /webhooks/:id/rotate',
    'POST /webhooks/:id/test',
    'POST /webhooks/:id/replay',
    'GET /webhooks/:id/deliveries',
    'POST /webhooks/:id/deliveries/:deliveryId/replay',
  ],
}

/** For the operator. */
const operators: readonly string[] = [
  'GET /invoices/unpaid',
  'GET /invoices/totals',
  'GET /invoices/odd-money',
  'PUT /invoices/odd-money/:id/resolved',
  'GET /operator/system',
  'GET /operator/usage',
  'GET /operator/usage/companies',
  'GET /operator/usage/companies/:id',
  'GET /operator/connections',
  'GET /operator/domains',
  'PUT /operator/domains',
  'GET /operator/plan-warnings',
  'GET /operator/jobs',
  'POST /operator/jobs/:id/retry',
  'DELETE /operator/jobs/:id',
  'GET /companies/:id/users',
  'POST /companies/:id/impersonate',
  'POST /companies/:id/invitation',
  'GET /companies/',
  'GET /companies/list',
  'POST /companies/',
  'PUT /companies/:id',
  'DELETE /companies/:id',
  'POST /settings/media-upload',
  'DELETE /settings/media-upload',
  'GET /plans/:id',
  'POST /plans/',
  'PUT /plans/:id',
  'DELETE /plans/:id',
  'GET /announcements/audience',
  'GET /announcements/:id',
  'POST /announcements/',
  'PUT /announcements/:id',
  'DELETE /announcements/:id',
  'POST /announcements/:id/media-upload',
  'DELETE /announcements/:id/media-upload',
  'POST /helps/',
  'PUT /helps/:id',
  'DELETE /helps/:id',
  'GET /invoices/',
  'PUT /invoices/:id/paid',
  'PUT /invoices/:id/cancelled',
  'PUT /invoices/:id/refunded',
  'GET /invoices/provider',
  'PUT /invoices/provider',
]

/** For everybody who is signed in; within, rows are seen and changed by rules of their own. */
const everybodys: readonly string[] = [
  'POST /auth/passes/',
  'GET /auth/me',
  'GET /auth/2fa/',
  'POST /auth/2fa/setup',
  'POST /auth/2fa/enable',
  'POST /auth/2fa/disable',
  'GET /auth/passkeys/',
  'POST /auth/passkeys/begin',
  'POST /auth/passkeys/',
  'PUT /auth/passkeys/:id',
  'POST /auth/passkeys/:id/remove',
  'DELETE /auth/sessions/:id',
  'GET /auth/sessions',
  'GET /settings/',
  'GET /companies/listPlan/:id',
  'GET /companies/:id',
  'GET /privacy/erased',
  'GET /plans/all',
  'GET /users/',
  'GET /users/list',
  'GET /users/:id',
  'GET /queue/',
  'GET /queue/:id',
  'GET /contacts/',
  'GET /contacts/list',
  'GET /contacts/:id',
  'GET /contacts/:id/timeline',
  'POST /contacts/',
  'PUT /contacts/:id',
  'GET /push/key',
  'POST /push/subscriptions',
  'DELETE /push/subscriptions',
  'GET /push/preferences',
  'PUT /push/preferences',
  'GET /whatsapp',
  'GET /whatsapp/:id',
  'GET /custom-fields',
  'GET /custom-fields/:id',
  'PUT /tickets/:id/fields',
  'PUT /contacts/:id/fields',
  'GET /tags/',
  'GET /tags/list',
  'GET /tags/:id',
  'POST /tags/',
  'PUT /tags/:id',
  'DELETE /tags/:id',
  'POST /tags/sync',
  'GET /templates/',
  'GET /opt-outs/of/:contactId',
  'GET /sync/first',
  'GET /tickets/',
  'GET /tickets/:id',
  'GET /tickets/u/:uuid',
  'POST /tickets/',
  'PUT /tickets/:id',
  'POST /tickets/:id/escalate',
  'DELETE /tickets/:id/escalate',
  'GET /messages/:ticketId',
  'GET /messages/search/:ticketId',
  'GET /messages/text/:id',
  'POST /messages/:ticketId',
  'POST /messages/edit/:id',
  'PUT /messages/:id',
  'DELETE /messages/:id',
  'GET /ticket-notes/list',
  'GET /mentions/',
  'POST /mentions/read',
  'POST /ticket-notes/',
  'DELETE /ticket-notes/:id',
  'GET /macros/',
  'GET /macros/list',
  'GET /macros/:id',
  'POST /macros/',
  'PUT /macros/:id',
  'DELETE /macros/:id',
  'POST /macros/:id/run',
  'GET /quick-messages/',
  'GET /quick-messages/list',
  'GET /quick-messages/:id',
  'POST /quick-messages/',
  'PUT /quick-messages/:id',
  'DELETE /quick-messages/:id',
  'POST /quick-messages/:id/media-upload',
  'DELETE /quick-messages/:id/media-upload',
  'GET /schedules/',
  'GET /schedules/:id',
  'POST /schedules/',
  'PUT /schedules/:id',
  'DELETE /schedules/:id',
  'POST /schedules/:id/media-upload',
  'DELETE /schedules/:id/media-upload',
  'GET /messages/:ticketId/decision',
  'POST /hours/test',
  'GET /prompt/',
  'GET /queueIntegration/',
  'GET /announcements/',
  'GET /announcements/list',
  'GET /helps/',
  'GET /helps/list',
  'GET /files/',
  'GET /files/:id',
  'GET /tags/kanban',
  'GET /ticket/kanban',
  'PUT /ticket-tags/:ticketId/:tagId',
  'DELETE /ticket-tags/:ticketId',
  'GET /chats/',
  'POST /chats/',
  'PUT /chats/:id',
  'DELETE /chats/:id',
  'GET /chats/:id/messages',
  'POST /chats/:id/messages',
  'POST /chats/:id/read',
  'POST /commands/batch',
  'GET /public/*',
]

/** Asked for more than one, or for one according to what is sent: `roles.matrix.test.ts` and the commands' own tests. */
const others: readonly string[] = [
  ...['GET /roles/', 'PUT /users/:id', 'PUT /users/:id/away', 'POST /commands'],
  ...['POST /contact-lists/:id/upload', 'POST /opt-outs/import', 'GET /uses/:noun/:id'],
]

/** Calls that ask for a second permission, too. */
const besides: Readonly<Record<string, Permission>> = {
  'DELETE /flowcampaign/:id': 'contacts-page:deleteContact',
  'DELETE /contact-list-items/:id': 'contacts-page:deleteContact',
}

/** What nobody has whose role hides numbers. */
const tellNumbers: readonly string[] = [
  ...['connections:token', 'api-keys:write', 'webhooks:write', 'automations:write', 'contacts:import'],
]

/** Before, or without, being signed in; programs have keys. */
const open =
  /^(GET \/(auth\/oidc\/(callback)?|health(\/live|\/ready)?|version|metrics|branding.*|manifest\.webmanifest|docs.*|plans\/(list|register)|forgetpassword|settings\/(trial|allowregister|viewregister)|events|cloud-api.*)|POST \/(auth\/oidc\/begin|auth\/(login|refresh_token|2fa\/verify|passkey\/(begin|enter))|companies\/cadastro|forgetpassword.*|resetpasswords.*|payments.*|cloud-api.*)|DELETE \/auth\/logout|.* \/api\/.*)$/

/** A person of the stranger's company, with these permissions alone. */
async function withRole(permissions: readonly Permission[], maskNumbers = false): Promise<string> {
  const companyId = world.stranger.company.id
  const [role] = await t.database.db
    .insert(roles)
    .values({ companyId, name: crypto.randomUUID(), permissions: [...permissions], ticketScope: 'all', maskNumbers })
    .returning({ id: roles.id })
  return t.login((await t.eg.user(companyId, { roleId: role!.id })).email, PASSWORD)
}

type Answer = 'in' | 'no' | 'operator'

/** What the route says to who asks: refused for who they are, or anything else. */
async function asks(route: string, { path, body, form }: Attempt, token: string): Promise<Answer> {
  const reply = await t.call(route.split(' ')[0]!, path, { token, body, ...(form && { form }) })
  const error = reply.body?.error as string | undefined
  return error === 'ERR_NO_SUPER' ? 'operator' : error === 'ERR_NO_PERMISSION' ? 'no' : 'in'
}

describe('each route', () => {
  test('is said to be for somebody', () => {
    const said = [...Object.values(needed).flat(), ...operators, ...everybodys, ...others]
    const routes = [...new Set(t.app.routes.map(({ method, path }) => `${method} ${path}`))]
    expect(said.sort()).toEqual(routes.filter((route) => !route.startsWith('OPTIONS') && !open.test(route)).sort())
  })

  test('lets in who has what it asks for, and nobody else', async () => {
    const companyId = world.stranger.company.id
    const by = async (profile: Profile) => t.login((await t.eg.user(companyId, { profile })).email, PASSWORD)
    const profiles = { user: await by('user'), supervisor: await by('supervisor'), admin: await by('admin') }
    const [nothing, all] = [await withRole([]), await withRole(grantable)]
    const hiding = await withRole(grantable, true)
    const tries = attempts(world)
    const wrong: string[] = []
    const see = async (route: string, kind: string, token: string, expected: (answer: Answer) => boolean) => {
      for (const attempt of tries[route]!) {
        const answer = await asks(route, attempt, token)
        if (!expected(answer)) wrong.push(`${route} (${attempt.path}): ${kind} is answered “${answer}”`)
      }
    }
    for (const [permission, routes] of Object.entries(needed) as [Permission, readonly string[]][]) {
      const alone = await withRole([permission])
      const without = await withRole(grantable.filter((one) => one !== permission))
      for (const route of routes) {
        const second = besides[route]
        const enough = second ? await withRole([permission, second]) : alone
        await see(
          route,
          `${[permission, second].filter(Boolean).join(' with ')} alone`,
          enough,
          (answer) => answer !== 'no',
        )
        if (second) await see(route, `${permission} alone`, alone, (answer) => answer === 'no')
        await see(route, `all but ${permission}`, without, (answer) => answer === 'no')
        await see(route, 'who has nothing', nothing, (answer) => answer === 'no')
        const isKept = tellNumbers.includes(permission)
        await see(route, 'who may see no numbers', hiding, (answer) => (answer === 'no') === isKept)
        for (const [profile, token] of Object.entries(profiles) as [Profile, string][]) {
          const may = can({ profile, role: null }, permission)
          await see(route, profile, token, (answer) => (answer === 'no') !== may)
        }
      }
    }
    for (const route of operators) {
      await see(route, 'who has all', all, (answer) => answer === 'operator')
      await see(route, 'an admin', profiles.admin, (answer) => answer === 'operator')
    }
    for (const route of everybodys) await see(route, 'who has nothing', nothing, (answer) => answer === 'in')
    expect(wrong).toEqual([])
  }, 180_000)
})

describe('somebody whose role hides numbers', () => {
  /** Those of the company's contacts, lists, campaigns and opt-outs, in any spelling. */
  const secret = /1111[^\d•]?(?:2222|3333|4444)/

  test('is told none by any route that reads, nor by any row', async () => {
    const { company, user } = world.owned
    const [role] = await t.database.db
      .insert(roles)
      .values({
        companyId: company.id,
        name: 'Mascarado',
        permissions: [...grantable],
        ticketScope: 'all',
        maskNumbers: true,
      })
      .returning({ id: roles.id })
    const token = await t.login((await t.eg.user(company.id, { roleId: role!.id })).email, PASSWORD)
    const asAdmin = await t.login(user.email, PASSWORD)
    const hidden: string[] = []
    const look = async (what: string, ask: (as: string) => Promise<string>) => {
      const [whole, told] = [await ask(asAdmin), await ask(token)]
      expect([what, secret.exec(told)?.[0] ?? null]).toEqual([what, null])
      if (secret.test(whole) && told.includes('••••')) hidden.push(what)
    }
    for (const [route, tries] of Object.entries(attempts(world))) {
      if (!route.startsWith('GET ') || open.test(route)) continue
      for (const { path } of tries) {
        const mine = path.replace(`companyId=${company.id}`, '')
        await look(route, async (as) => JSON.stringify((await t.call('GET', mine, { token: as })).body))
      }
    }
    for (const name of shapeNames)
      await look(name, async (as) => (await rowsOf(t)(as, `/sync/shape/${name}?offset=-1`)).text)
    // Where they would have stood; fewer would mean that the test looks past them.
    expect([...new Set(hidden)].sort()).toEqual([
      ...['GET /campaigns/:id', 'GET /campaigns/:id/export', 'GET /campaigns/:id/preview'],
      ...['GET /campaigns/:id/recipients', 'GET /contact-list-items/', 'GET /contact-list-items/:id'],
      ...['GET /contacts/', 'GET /contacts/:id', 'GET /contacts/export', 'GET /contacts/list'],
      ...['GET /messages/:ticketId', 'GET /opt-outs/', 'GET /schedules/', 'GET /schedules/:id'],
      ...[
        'GET /sync/first',
        'GET /ticket/kanban',
        'GET /tickets/',
        'GET /tickets/:id',
        'GET /tickets/u/:uuid',
        'contacts',
      ],
    ])
  }, 120_000)
})

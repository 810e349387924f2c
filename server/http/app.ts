import { Elysia } from 'elysia'
import { actAs, asCall, callIs } from '../actor.ts'
import { announcementRoutes } from '../announcements/announcements.routes.ts'
import { auditRoutes } from '../audit/audit.routes.ts'
import { automationRoutes } from '../automation/automation.routes.ts'
import { passkeyRoutes } from '../auth/passkeys.routes.ts'
import { twoFactorRoutes } from '../auth/two-factor.routes.ts'
import { authRoutes } from '../auth/auth.routes.ts'
import { impersonationRoutes } from '../auth/impersonation.routes.ts'
import { passRoutes } from '../auth/passes.routes.ts'
import { passwordResetRoutes } from '../auth/password-reset.routes.ts'
import { campaignRoutes, campaignSettingRoutes } from '../campaigns/campaigns.routes.ts'
import { chatRoutes } from '../chats/chats.routes.ts'
import { contactListItemRoutes, contactListRoutes } from '../contact-lists/contact-lists.routes.ts'
import { operatorRoutes } from '../companies/companies.operator.routes.ts'
import { planRoutes } from '../plans/plans.routes.ts'
import { brandingRoutes } from '../companies/branding.routes.ts'
import { companyRoutes } from '../companies/companies.routes.ts'
import { contactRoutes } from '../contacts/contacts.routes.ts'
import { costRoutes } from '../costs/costs.routes.ts'
import { dashboardRoutes } from '../dashboard/dashboard.routes.ts'
import { eventRoutes } from '../events/events.routes.ts'
import { doing } from '../heartbeat.ts'
import { integrationRoutes } from '../integrations/integrations.routes.ts'
import { apiKeyRoutes } from '../api-keys/api-keys.routes.ts'
import { wallRoutes } from '../wall/wall.routes.ts'
import { webhookRoutes } from '../webhooks/webhooks.routes.ts'
import { apiV1Routes } from '../external/external.v1.routes.ts'
import { externalRoutes } from '../external/external.routes.ts'
import { mediaRoutes } from '../media/media.routes.ts'
import { flowCampaignRoutes } from '../flows/flow-campaigns.routes.ts'
import { flowDefaultRoutes } from '../flows/flow-defaults.routes.ts'
import { flowSecretRoutes } from '../flows/flow-secrets.routes.ts'
import { flowRoutes } from '../flows/flows.routes.ts'
import { fileListRoutes } from '../files/files.routes.ts'
import { helpRoutes } from '../helps/helps.routes.ts'
import { kanbanRoutes } from '../tags/kanban.routes.ts'
import { invoiceRoutes, operatorInvoiceRoutes } from '../invoices/invoices.routes.ts'
import { paymentWebhookRoutes } from '../invoices/invoices.webhooks.routes.ts'
import { macroRoutes } from '../macros/macros.routes.ts'
import { messageRoutes } from '../messages/messages.routes.ts'
import { mentionRoutes } from '../mentions/mentions.routes.ts'
import { noteRoutes } from '../notes/notes.routes.ts'
import { privacyRoutes } from '../privacy/privacy.routes.ts'
import { promptRoutes } from '../prompts/prompts.routes.ts'
import { oidcRoutes } from '../oidc/oidc.routes.ts'
import { optOutRoutes } from '../opt-outs/opt-outs.routes.ts'
import { pushRoutes } from '../push/push.routes.ts'
import { queueOptionRoutes } from '../queues/queue-options.routes.ts'
import { queueRoutes } from '../queues/queues.routes.ts'
import { quickMessageRoutes } from '../quick-messages/quick-messages.routes.ts'
import { roleRoutes } from '../roles/roles.routes.ts'
import { scheduleRoutes } from '../schedules/schedules.routes.ts'
import { segmentRoutes } from '../segments/segments.routes.ts'
import { reportScheduleRoutes, reportViewRoutes } from '../reports/reports.kept.routes.ts'
import { reportRoutes } from '../reports/reports.routes.ts'
import { ruleRoutes } from '../rules/rules.routes.ts'
import { slaPolicyRoutes } from '../sla-policies/sla-policies.routes.ts'
import { productName } from '../settings/settings.queries.ts'
import { settingRoutes } from '../settings/settings.routes.ts'
import { customFieldRoutes } from '../custom-fields/custom-fields.routes.ts'
import { tagRoutes } from '../tags/tags.routes.ts'
import { templateRoutes } from '../templates/templates.routes.ts'
import { firstRoutes } from '../tickets/tickets.first.routes.ts'
import { ticketRoutes } from '../tickets/tickets.routes.ts'
import { whereUsedRoutes } from '../uses/uses.routes.ts'
import { userRoutes } from '../users/users.routes.ts'
import { cloudRoutes, cloudWebhookRoutes } from '../whatsapps/whatsapps.cloud.routes.ts'
import { whatsappRoutes } from '../whatsapps/whatsapps.routes.ts'
import { whatsappSessionRoutes } from '../whatsapps/whatsapps.session.routes.ts'
import { FORM_ROOM, readBody } from './body.ts'
import { createClientFiles } from './client-files.ts'
import { commandRoutes } from './commands.routes.ts'
import { callerAddress } from './caller.ts'
import type { AppDeps, Health } from './deps.ts'
import { docsRoutes } from './docs.ts'
import { errorAnswers } from './errors.ts'
import { createGate } from './gate.ts'
import { healthRoutes } from './health.routes.ts'
import { createMetrics } from './metrics.ts'
import { requestIdOf } from './request-id.ts'
import { operatorDayRoutes } from '../operator/operator.routes.ts'

/** Browsers send short frames over either socket; a longer one closes it. */
const MAX_FRAME_BYTES = 65_536

/** Everything that is spoken over HTTP, not yet listening. */
export function createApp(deps: AppDeps) {
  const isEncrypted = deps.config.publicUrl?.startsWith('https:') === true
  // Only where the operator says that people come by https: a browser would ask for nothing else for a year.
  const headers = { ...securityHeaders, ...(isEncrypted && { 'strict-transport-security': 'max-age=31536000' }) }
  const client =
    deps.clientDir === undefined
      ? undefined
      : createClientFiles(deps.clientDir, () => productName(deps.db), deps.clientsBeside)
  // Nobody is refused here, so whoever asks at the same time is told the same.
  let asked: Promise<Health> | undefined
  const healthNow = () => (asked ??= deps.health().finally(() => (asked = undefined)))
  const metrics = createMetrics({ ...deps, health: healthNow })
  const gate = createGate(deps, (request) => client?.isFile(request) ?? false)
  return (
    new Elysia({
      serve: {
        maxRequestBodySize: deps.config.maxUploadBytes + FORM_ROOM,
        // A second server on the same port is told so, instead of taking half of the requests; `web.ts` lets one share it.
        reusePort: false,
        development: false,
      },
      websocket: {
        maxPayloadLength: MAX_FRAME_BYTES,
        // A ping after 18 s of silence; who does not answer it in about as long is gone.
        idleTimeout: 34,
        sendPings: true,
        // Who does not read for that long is cut off and asks again; otherwise frames would be left out silently.
        closeOnBackpressureLimit: true,
      },
    })
      .wrap(
        (handle) =>
          (...call: unknown[]): unknown =>
            asCall(() => handle(...call)),
      )
      .onRequest(async ({ request, server, set }) => {
        Object.assign(set.headers, headers)
        const requestId = requestIdOf(request)
        set.headers['x-request-id'] = requestId
        if (deps.leaving?.()) set.headers['connection'] = 'close'
        callIs(requestId)
        actAs({ kind: 'visitor', ip: callerAddress(request, server, deps.config.trustProxy) })
        await gate.check(request, server, set.headers)
        // `/tickets` is a screen when a person goes there, and a call when the app asks.
        if (client?.isNavigation(request)) return client.answer(request, 'screen')
      })
      // Before the answers to errors: what no route knows may be a file of the client.
      .onError(async ({ code, request }) => (code === 'NOT_FOUND' ? client?.answer(request, 'file') : undefined))
      .onParse(({ request, route }) => {
        doing(`${request.method} ${route}`)
        return readBody(request, route, deps.config.maxUploadBytes)
      })
      .onTransform(({ request, route }) => doing(`${request.method} ${route}`))
      .onAfterResponse(({ request, route, set }) => metrics.answered(request, Number(set.status ?? 200), route))
      .use(errorAnswers(deps.log))
      .use(healthRoutes(deps, healthNow))
      .get(
        '/metrics',
        async ({ request, set }) => {
          const { text, type } = await metrics.tell(request)
          set.headers['content-type'] = type
          set.headers['cache-control'] = 'no-store'
          return text
        },
        { detail: { tags: ['server'], summary: 'Figures for Prometheus, to the token of METRICS_TOKEN' } },
      )
      .get('/version', () => ({ version: deps.version }), { detail: { tags: ['server'], summary: 'The version' } })
      .use(docsRoutes(deps.version, () => productName(deps.db)))
      .use(authRoutes(deps))
      .use(passRoutes(deps))
      .use(passwordResetRoutes(deps))
      .use(settingRoutes(deps))
      .use(companyRoutes(deps))
      .use(userRoutes(deps))
      .use(queueRoutes(deps))
      .use(queueOptionRoutes(deps))
      .use(contactRoutes(deps))
      .use(pushRoutes(deps))
      .use(whatsappRoutes(deps))
      .use(whatsappSessionRoutes(deps))
      .use(tagRoutes(deps))
      .use(ticketRoutes(deps))
      .use(messageRoutes(deps))
      .use(noteRoutes(deps))
      .use(quickMessageRoutes(deps))
      .use(scheduleRoutes(deps))
      .use(dashboardRoutes(deps))
      .use(costRoutes(deps))
      .use(moreRoutes(deps))
      .use(botRoutes(deps))
      .use(chatRoutes(deps))
      .use(commandRoutes(deps))
      .use(programRoutes(deps))
      .use(mediaRoutes(deps))
      .use(eventRoutes(deps))
  )
}

/** What programs use. Of its type nothing is needed here: with it, the app's is deeper than the compiler goes. */
const programRoutes = (deps: AppDeps) =>
  new Elysia()
    .use(externalRoutes(deps))
    .use(apiV1Routes(deps))
    .use(apiKeyRoutes(deps))
    .use(webhookRoutes(deps))
    .use(cloudRoutes(deps))
    .use(cloudWebhookRoutes(deps)) as unknown as Elysia

export type App = ReturnType<typeof createApp>

/** Apart, and as an app of no particular type: the types of all routes in one chain are too deep for the compiler. */
const moreRoutes = (deps: AppDeps): Elysia =>
  new Elysia()
    .use(firstRoutes(deps))
    .use(twoFactorRoutes(deps))
    .use(passkeyRoutes(deps))
    .use(impersonationRoutes(deps))
    .use(oidcRoutes(deps))
    .use(roleRoutes(deps))
    .use(macroRoutes(deps))
    .use(ruleRoutes(deps))
    .use(customFieldRoutes(deps))
    .use(mentionRoutes(deps))
    .use(wallRoutes(deps))
    .use(auditRoutes(deps))
    .use(announcementRoutes(deps))
    .use(contactListRoutes(deps))
    .use(contactListItemRoutes(deps))
    .use(campaignRoutes(deps))
    .use(campaignSettingRoutes(deps))
    .use(segmentRoutes(deps))
    .use(slaPolicyRoutes(deps))
    .use(reportRoutes(deps))
    .use(reportViewRoutes(deps))
    .use(reportScheduleRoutes(deps))
    .use(optOutRoutes(deps))
    .use(fileListRoutes(deps))
    .use(helpRoutes(deps))
    .use(kanbanRoutes(deps))
    .use(operatorRoutes(deps))
    .use(operatorDayRoutes(deps))
    .use(brandingRoutes(deps))
    .use(planRoutes(deps))
    .use(operatorInvoiceRoutes(deps))
    .use(invoiceRoutes(deps))
    .use(paymentWebhookRoutes(deps)) as unknown as Elysia

/** What answers in an agent's place; apart for the same reason. */
const botRoutes = (deps: AppDeps): Elysia =>
  new Elysia()
    .use(flowRoutes(deps))
    .use(flowCampaignRoutes(deps))
    .use(flowDefaultRoutes(deps))
    .use(flowSecretRoutes(deps))
    .use(automationRoutes(deps))
    .use(privacyRoutes(deps))
    .use(promptRoutes(deps))
    .use(integrationRoutes(deps))
    .use(templateRoutes(deps))
    .use(whereUsedRoutes(deps)) as unknown as Elysia

/** Of every answer; pages, files of the client and files of messages say what of it is otherwise with them. */
const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

import { Elysia } from 'elysia'
import { announcementRoutes } from '../announcements/announcements.routes.ts'
import { authRoutes } from '../auth/auth.routes.ts'
import { passwordResetRoutes } from '../auth/password-reset.routes.ts'
import { automationRoutes } from '../automations/automations.routes.ts'
import { chatRoutes } from '../chats/chats.routes.ts'
import { companyRoutes } from '../companies/companies.routes.ts'
import { contactRoutes } from '../contacts/contacts.routes.ts'
import { dashboardRoutes } from '../dashboard/dashboard.routes.ts'
import { eventRoutes } from '../events/events.routes.ts'
import { mediaRoutes } from '../media/media.routes.ts'
import { messageRoutes } from '../messages/messages.routes.ts'
import { noteRoutes } from '../notes/notes.routes.ts'
import { pushRoutes } from '../push/push.routes.ts'
import { queueRoutes } from '../queues/queues.routes.ts'
import { quickMessageRoutes } from '../quick-messages/quick-messages.routes.ts'
import { scheduleRoutes } from '../schedules/schedules.routes.ts'
import { settingRoutes } from '../settings/settings.routes.ts'
import { tagRoutes } from '../tags/tags.routes.ts'
import { ticketRoutes } from '../tickets/tickets.routes.ts'
import { userRoutes } from '../users/users.routes.ts'
import { whatsappRoutes } from '../whatsapps/whatsapps.routes.ts'
import { MAX_JSON_BYTES, readBody } from './body.ts'
import { createClientFiles } from './client-files.ts'
import { commandRoutes } from './commands.routes.ts'
import type { AppDeps } from './deps.ts'
import { docsRoutes } from './docs.ts'
import { errorAnswers } from './errors.ts'

/** Browsers send short frames over either socket; a longer one closes it. */
const MAX_FRAME_BYTES = 65_536

/** Bytes beside the file in an upload: field names, the caption, delimiters. */
const FORM_ROOM = 2_000_000

/** Everything that is spoken over HTTP, not yet listening. */
export function createApp(deps: AppDeps) {
  const client = deps.clientDir === undefined ? undefined : createClientFiles(deps.clientDir)
  return (
    new Elysia({
      serve: {
        maxRequestBodySize: deps.config.maxUploadBytes + FORM_ROOM,
        // A second server on the same port is told so, instead of taking half of the requests.
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
      .onRequest(async ({ request, set }) => {
        Object.assign(set.headers, securityHeaders)
        const length = Number(request.headers.get('content-length') ?? 0)
        const most = (request.headers.get('content-type') ?? '').startsWith('multipart/')
          ? deps.config.maxUploadBytes + FORM_ROOM
          : MAX_JSON_BYTES
        if (length > most) {
          set.status = 413
          return { error: 'ERR_BODY_TOO_LARGE', limit: most }
        }
        // `/tickets` is a screen when a person goes there, and a call when the app asks.
        if (client?.isNavigation(request)) return client.answer(request, 'screen')
      })
      // Before the answers to errors: what no route knows may be a file of the client.
      .onError(async ({ code, request }) => (code === 'NOT_FOUND' ? client?.answer(request, 'file') : undefined))
      .onParse(({ request, route }) => readBody(request, route))
      .use(errorAnswers(deps.log))
      .get(
        '/health',
        async ({ set }) => {
          const health = await deps.health()
          set.status = health.ok ? 200 : 503
          set.headers['cache-control'] = 'no-store'
          return health
        },
        { detail: { tags: ['server'], summary: 'What is up' } },
      )
      .get('/version', () => ({ version: deps.version }), { detail: { tags: ['server'], summary: 'The version' } })
      .use(docsRoutes(deps.version))
      .use(authRoutes(deps))
      .use(passwordResetRoutes(deps))
      .use(settingRoutes(deps))
      .use(companyRoutes(deps))
      .use(userRoutes(deps))
      .use(queueRoutes(deps))
      .use(contactRoutes(deps))
      .use(pushRoutes(deps))
      .use(whatsappRoutes(deps))
      .use(tagRoutes(deps))
      .use(ticketRoutes(deps))
      .use(messageRoutes(deps))
      .use(noteRoutes(deps))
      .use(quickMessageRoutes(deps))
      .use(scheduleRoutes(deps))
      .use(dashboardRoutes(deps))
      .use(announcementRoutes(deps))
      .use(automationRoutes(deps))
      .use(chatRoutes(deps))
      .use(commandRoutes(deps))
      .use(mediaRoutes(deps))
      .use(eventRoutes(deps))
  )
}

export type App = ReturnType<typeof createApp>

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

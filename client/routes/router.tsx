import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { can } from '../../schema/permissions.ts'
import { backClosesFront } from '../kit/back.ts'
import { isActingTab } from '../base/local.ts'
import { NotFoundScreen } from '../shell/not-found.tsx'
import { Root } from '../shell/root.tsx'
import { ScreenError } from '../shell/screen-error.tsx'
import { screenNeeds } from '../kit/screen-needs.ts'
import { ScreenPending } from '../kit/screen-pending.tsx'
import { principalOf, session } from '../session/session-store.ts'

const root = createRootRoute({ component: Root, notFoundComponent: NotFoundScreen })

const publicArea = createRoute({
  getParentRoute: () => root,
  id: 'public',
  beforeLoad: () => {
    if (session.get()) throw redirect({ to: '/' })
  },
})

const privateArea = createRoute({
  getParentRoute: () => root,
  id: 'private',
  beforeLoad: ({ location }) => {
    const company = session.get()?.user.company
    // The server answers nothing else.
    if (company?.isOver && location.pathname !== '/financeiro') throw redirect({ to: '/financeiro' })
    if (company) return
    const from = location.href === '/' ? undefined : location.href
    throw redirect({ to: '/login', search: from ? { from } : {} })
  },
  component: lazyRouteComponent(() => import('../shell/layout.tsx'), 'Layout'),
})

const login = createRoute({
  getParentRoute: () => publicArea,
  path: '/login',
  // Only paths of our own: an address in a link must not send people elsewhere after login. The key is always answered,
  // because what is not answered stays as it came.
  validateSearch: (search: Record<string, unknown>): { from?: string | undefined; company?: number | undefined } => ({
    from: typeof search['from'] === 'string' && /^\/(?![/\\])/.test(search['from']) ? search['from'] : undefined,
    company: companySearch({ companyId: search['company'] }).companyId,
  }),
  component: lazyRouteComponent(() => import('../auth/login.screen.tsx')),
})

/** Old links carry a company's id; it is passed on from one of these screens to the other, and nothing depends on it. */
const companySearch = (search: Record<string, unknown>): { companyId?: number | undefined } => {
  const id = Number(search['companyId'])
  return { companyId: Number.isInteger(id) && id > 0 ? id : undefined }
}

const signUp = createRoute({
  getParentRoute: () => publicArea,
  path: '/signup',
  validateSearch: companySearch,
  component: lazyRouteComponent(() => import('../auth/signup.screen.tsx')),
})

const forgetPassword = createRoute({
  getParentRoute: () => publicArea,
  path: '/forgetpsw',
  validateSearch: companySearch,
  component: lazyRouteComponent(() => import('../auth/forget-password.screen.tsx')),
})

const invitation = createRoute({
  getParentRoute: () => publicArea,
  path: '/invitation',
  component: lazyRouteComponent(() => import('../auth/invitation.screen.tsx')),
})

const home = createRoute({
  getParentRoute: () => privateArea,
  path: '/',
  beforeLoad: () => {
    const user = session.get()?.user
    if (!user || !can(principalOf(user), screenNeeds['/']!)) throw redirect({ to: '/tickets' })
  },
  component: lazyRouteComponent(() => import('../dashboard/dashboard.screen.tsx')),
})

const needed = (path: string) => ({ needs: screenNeeds[path] })

/** A private screen: its path, and where its default export lives. */
function screen<const P extends string>(path: P, load: Parameters<typeof lazyRouteComponent>[0]) {
  return createRoute({
    getParentRoute: () => privateArea,
    path,
    component: lazyRouteComponent(load),
    staticData: needed(path),
  })
}

// One line per screen; its menu entry is in kit/menu.ts, what one must hold in app/screen-needs.ts.
const tickets = screen('/tickets', async () => {
  // Whoever comes to a conversation sees it in the first drawing: no wait is shown between the screen and it.
  const isConversation = location.pathname.startsWith('/tickets/')
  if (isConversation) void import('../inbox/inbox.pane.tsx').catch(() => undefined)
  const module = await import('../inbox/inbox.screen.tsx')
  if (isConversation) await module.TicketPane.fetch().catch(() => undefined)
  return module
})
const chats = screen('/chats', () => import('../chats/chats.screen.tsx'))
const contacts = screen('/contacts', () => import('../contacts/contacts.screen.tsx'))
const kanban = screen('/kanban', () => import('../kanban/kanban.screen.tsx'))
const fileLists = screen('/files', () => import('../files/files.screen.tsx'))
const tasks = screen('/todolist', () => import('../todo/todo.screen.tsx'))
const helps = screen('/helps', () => import('../helps/helps.screen.tsx'))
const announcements = screen('/announcements', () => import('../announcements/announcements.screen.tsx'))
const operator = screen('/operator', () => import('../operator/operator.screen.tsx'))
const invoices = screen('/financeiro', () => import('../invoices/invoices.screen.tsx'))
const subscription = screen('/subscription', () => import('../subscription/subscription.screen.tsx'))
const tags = screen('/tags', () => import('../tags/tags.screen.tsx'))
const connections = screen('/connections', () => import('../whatsapps/whatsapps.screen.tsx'))
const connection = screen('/connections/$id', () => import('../whatsapps/whatsapps.health.screen.tsx'))
const connectionTemplates = screen('/connections/$id/templates', () => import('../templates/templates.screen.tsx'))
const queues = screen('/queues', () => import('../queues/queues.screen.tsx'))
const prompts = screen('/prompts', () => import('../prompts/prompts.screen.tsx'))
const integrations = screen('/queue-integration', () => import('../integrations/integrations.screen.tsx'))
const audit = screen('/audit', () => import('../audit/audit.screen.tsx'))
const apiKeys = screen('/api-keys', () => import('../api-keys/api-keys.screen.tsx'))
const webhooks = screen('/webhooks', () => import('../webhooks/webhooks.screen.tsx'))
const messagesApi = screen('/messages-api', () => import('../external/external.screen.tsx'))
const customFields = screen('/custom-fields', () => import('../custom-fields/custom-fields.screen.tsx'))
const roles = screen('/roles', () => import('../roles/roles.screen.tsx'))
const users = screen('/users', () => import('../users/users.screen.tsx'))
const flows = screen('/flowbuilders', () => import('../flows/flows.screen.tsx'))
const flow = createRoute({
  getParentRoute: () => privateArea,
  path: '/flowbuilder/$id',
  // The block that is shown first.
  validateSearch: (search: Record<string, unknown>): { node?: string | undefined } => ({
    node: typeof search['node'] === 'string' ? search['node'] : undefined,
  }),
  component: lazyRouteComponent(() => import('../flows/flow.screen.tsx')),
  staticData: needed('/flowbuilder/$id'),
})
const flowDefaults = screen('/flowdefault', () => import('../flows/flow-defaults.screen.tsx'))
const flowCampaigns = screen('/phrase-lists', () => import('../flows/flow-campaigns.screen.tsx'))
const settings = createRoute({
  getParentRoute: () => privateArea,
  path: '/settings',
  /** One of its tabs, and the setting that was asked for. */
  validateSearch: ({ tab, key }: Record<string, unknown>): { tab?: string | undefined; key?: string | undefined } => ({
    tab: typeof tab === 'string' ? tab : undefined,
    key: typeof key === 'string' && /^\w+$/.test(key) ? key : undefined,
  }),
  component: lazyRouteComponent(() => import('../settings/settings.screen.tsx')),
  staticData: needed('/settings'),
})
const contactLists = screen('/contact-lists', () => import('../contact-lists/contact-lists.screen.tsx'))
const contactListItems = screen(
  '/contact-lists/$id/contacts',
  () => import('../contact-lists/contact-list-items.screen.tsx'),
)
const campaigns = screen('/campaigns', () => import('../campaigns/campaigns.screen.tsx'))
const campaignReport = screen('/campaign/$id/report', () => import('../campaigns/campaigns.report.screen.tsx'))
const campaignSettings = screen('/campaigns-config', () => import('../campaigns/campaigns.settings.screen.tsx'))
const slaPolicies = screen('/sla-policies', () => import('../sla-policies/sla-policies.screen.tsx'))
const segments = screen('/segments', () => import('../segments/segments.screen.tsx'))
const optOuts = screen('/opt-outs', () => import('../campaigns/opt-outs.screen.tsx'))

const reports = createRoute({
  getParentRoute: () => privateArea,
  path: '/reports',
  // The screen reads it: what that takes is no part of the first one.
  validateSearch: (search: Record<string, unknown>): Record<string, unknown> => search,
  component: lazyRouteComponent(() => import('../reports/reports.screen.tsx')),
  staticData: needed('/reports'),
})
const wall = createRoute({
  getParentRoute: () => privateArea,
  path: '/wall',
  /** Only these queues. */
  validateSearch: ({ queues }: Record<string, unknown>): { queues?: number[] | undefined } => ({
    queues: Array.isArray(queues) ? queues.filter((id): id is number => Number.isInteger(id)) : undefined,
  }),
  component: lazyRouteComponent(() => import('../wall/wall.screen.tsx')),
  staticData: needed('/wall'),
})
const macros = screen('/macros', () => import('../macros/macros.screen.tsx'))
const privacy = screen('/privacy', () => import('../privacy/privacy.screen.tsx'))
const rules = screen('/rules', () => import('../rules/rules.screen.tsx'))
const rule = screen('/rules/$id', () => import('../rules/rule.screen.tsx'))
const quickMessages = screen('/quick-messages', () => import('../quick-messages/quick-messages.screen.tsx'))
const schedules = createRoute({
  getParentRoute: () => privateArea,
  path: '/schedules',
  // Opens the dialog that schedules a message for this contact.
  validateSearch: (search: Record<string, unknown>): { contactId?: number | undefined } => {
    const id = Number(search['contactId'])
    return { contactId: Number.isInteger(id) && id > 0 ? id : undefined }
  },
  component: lazyRouteComponent(() => import('../schedules/schedules.screen.tsx')),
})

// Without a component of its own: the tickets screen stays mounted and reads the uuid from its params.
const ticket = createRoute({ getParentRoute: () => tickets, path: '$uuid' })
const chat = createRoute({ getParentRoute: () => chats, path: '$uuid' })

const routeTree = root.addChildren([
  publicArea.addChildren([login, signUp, forgetPassword, invitation]),
  privateArea.addChildren([
    home,
    tickets.addChildren([ticket]),
    chats.addChildren([chat]),
    contacts,
    kanban,
    fileLists,
    tasks,
    helps,
    announcements,
    operator,
    subscription,
    invoices,
    tags,
    quickMessages,
    macros,
    privacy,
    rules,
    rule,
    schedules,
    connections,
    connection,
    connectionTemplates,
    queues,
    prompts,
    integrations,
    messagesApi,
    apiKeys,
    audit,
    customFields,
    roles,
    webhooks,
    users,
    flows,
    flow,
    flowDefaults,
    flowCampaigns,
    contactLists,
    contactListItems,
    campaigns,
    campaignReport,
    campaignSettings,
    optOuts,
    segments,
    slaPolicies,
    settings,
    reports,
    wall,
  ]),
])

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenError,
  defaultPendingComponent: ScreenPending,
  defaultNotFoundComponent: NotFoundScreen,
})
backClosesFront(router.history)

// A session that begins or ends, or whose company may not work any more, here or in another tab, sends the browser where the guards above say.
const standing = () => `${session.get()?.id} ${session.get()?.user.company.isOver === true}`
let known = standing()
session.subscribe(() => {
  const now = standing()
  if (now === known) return
  known = now
  // Where the operator's acting ends, the page is loaded anew in a moment. A screen that begins to load before that is
  // broken off by it, and the router answers a broken load with a reload of its own, which would win.
  if (isActingTab && !session.get()) return
  void router.invalidate()
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

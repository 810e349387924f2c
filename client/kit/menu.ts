import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  BadgeCheck,
  Blocks,
  BotMessageSquare,
  CalendarClock,
  ChartColumn,
  CircleQuestionMark,
  Columns3,
  Code,
  ContactRound,
  Files,
  Gauge,
  KeyRound,
  ListChecks,
  LayoutDashboard,
  ListTodo,
  ListTree,
  Megaphone,
  MessageCircle,
  MessageSquareQuote,
  MessagesSquare,
  Receipt,
  Route,
  ScrollText,
  Settings,
  Smartphone,
  Tags,
  Users,
  Waypoints,
  Webhook,
  Workflow,
  Zap,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { Permission } from '../../schema/permissions.ts'
import type { PlanFeature } from '../../schema/plans/plans.features.ts'

/** Under which heading it stands, in this order; the first has none. */
export const menuGroups = ['work', 'automation', 'team', 'programs', 'company', 'platform'] as const
export type MenuGroup = (typeof menuGroups)[number]

export const menuGroupNames: Record<Exclude<MenuGroup, 'work'>, MessageDescriptor> = {
  automation: msg`Automação`,
  team: msg({ message: 'Canais e equipe', context: 'grupo do menu' }),
  programs: msg({ message: 'Programas', context: 'grupo do menu' }),
  company: msg({ message: 'Empresa', context: 'grupo do menu' }),
  platform: msg({ message: 'Plataforma', context: 'grupo do menu' }),
}

export interface MenuItem {
  path: string
  label: MessageDescriptor
  icon: LucideIcon
  /** Shown only where the company's plan includes it. */
  plan?: PlanFeature
  /** Shown to the operator only. */
  operator?: true
  /** Not of the operator's own company, which pays nothing to itself. */
  customer?: true
  group: MenuGroup
  /** Under which heading the operator's company has it, where it is about the platform there. */
  operatorGroup?: MenuGroup
  /** Second key of the shortcut that goes there: G, then this. */
  key: string
}

/** The side menu, in order. One line per screen; the route is in `routes/router.tsx`, and who sees it in `screen-needs.ts`. */
export const menu: readonly MenuItem[] = [
  { path: '/', label: msg`Painel`, icon: LayoutDashboard, group: 'work', key: 'p' },
  { path: '/reports', label: msg`Relatórios`, icon: ChartColumn, group: 'work', key: '6' },
  { path: '/tickets', label: msg`Atendimentos`, icon: MessagesSquare, group: 'work', key: 't' },
  {
    path: '/chats',
    label: msg`Chat interno`,
    icon: MessageCircle,
    plan: 'useInternalChat',
    group: 'work',
    key: 'h',
  },
  { path: '/kanban', label: msg`Kanban`, icon: Columns3, plan: 'useKanban', group: 'work', key: 'k' },
  { path: '/contacts', label: msg`Contatos`, icon: ContactRound, group: 'work', key: 'c' },
  { path: '/tags', label: msg`Etiquetas`, icon: Tags, group: 'work', key: 'e' },
  { path: '/quick-messages', label: msg`Respostas rápidas`, icon: Zap, group: 'work', key: 'r' },
  { path: '/macros', label: msg`Macros`, icon: ListChecks, group: 'work', key: '4' },
  { path: '/rules', label: msg`Regras`, icon: ListTree, group: 'work', key: '5' },
  { path: '/files', label: msg`Listas de arquivos`, icon: Files, group: 'work', key: 'b' },
  { path: '/todolist', label: msg`Tarefas`, icon: ListTodo, group: 'work', key: 'y' },
  {
    path: '/schedules',
    label: msg`Agendamentos`,
    icon: CalendarClock,
    plan: 'useSchedules',
    group: 'work',
    key: 'a',
  },
  {
    path: '/flowbuilders',
    label: msg`Fluxos de conversa`,
    icon: Workflow,
    group: 'automation',
    key: 'o',
  },
  {
    path: '/phrase-lists',
    label: msg`Frases`,
    icon: MessageSquareQuote,
    group: 'automation',
    key: 'l',
  },
  {
    path: '/flowdefault',
    label: msg`Fluxos padrões`,
    icon: Route,
    group: 'automation',
    key: 'd',
  },
  {
    path: '/campaigns',
    label: msg`Campanhas`,
    icon: Megaphone,
    plan: 'useCampaigns',
    group: 'automation',
    key: 'g',
  },
  {
    path: '/connections',
    label: msg`Conexões`,
    icon: Smartphone,
    group: 'team',
    key: 'w',
  },
  {
    path: '/queues',
    label: msg`Filas`,
    icon: Waypoints,
    group: 'team',
    key: 'f',
  },
  {
    path: '/prompts',
    label: msg`Assistentes de IA`,
    icon: BotMessageSquare,
    plan: 'useOpenAi',
    group: 'automation',
    key: 'i',
  },
  {
    path: '/queue-integration',
    label: msg`Integrações`,
    icon: Blocks,
    plan: 'useIntegrations',
    group: 'automation',
    key: 'n',
  },
  {
    path: '/messages-api',
    label: msg`API de mensagens`,
    icon: Code,
    plan: 'useExternalApi',
    group: 'programs',
    key: 'm',
  },
  {
    path: '/api-keys',
    label: msg`Chaves de API`,
    icon: KeyRound,
    plan: 'useExternalApi',
    group: 'programs',
    key: 'q',
  },
  {
    path: '/webhooks',
    label: msg`Webhooks`,
    icon: Webhook,
    plan: 'useExternalApi',
    group: 'programs',
    key: 'x',
  },
  {
    path: '/users',
    label: msg`Usuários`,
    icon: Users,
    group: 'team',
    key: 'u',
  },
  {
    path: '/audit',
    label: msg`Auditoria`,
    icon: ScrollText,
    group: 'company',
    key: '2',
  },
  {
    path: '/operator',
    label: msg`Operação`,
    icon: Gauge,
    operator: true,
    group: 'platform',
    key: '3',
  },
  {
    path: '/announcements',
    label: msg`Comunicados`,
    icon: Megaphone,
    operator: true,
    group: 'platform',
    key: 'v',
  },
  {
    path: '/subscription',
    label: msg`Assinatura`,
    icon: BadgeCheck,
    customer: true,
    group: 'company',
    key: 'z',
  },
  {
    path: '/financeiro',
    label: msg`Financeiro`,
    icon: Receipt,
    group: 'company',
    operatorGroup: 'platform',
    // The letters are used up.
    key: '1',
  },
  {
    path: '/settings',
    label: msg`Configurações`,
    icon: Settings,
    group: 'company',
    key: 's',
  },
  { path: '/helps', label: msg`Ajuda`, icon: CircleQuestionMark, group: 'work', key: 'j' },
]

/**
 * Screens that stand in no menu, because another screen leads to them: the palette knows them by their names, and the
 * menu shows the place that they are beneath.
 */
export const sideScreens: readonly (Pick<MenuItem, 'path' | 'label' | 'plan'> & {
  needs: Permission
  beneath: string
})[] = [
  { path: '/wall', label: msg`Painel de parede`, needs: 'wall:read', beneath: '/' },
  { path: '/roles', label: msg`Papéis`, needs: 'roles:write', beneath: '/users' },
  { path: '/sla-policies', label: msg`Prazos de atendimento`, needs: 'sla:write', beneath: '/queues' },
  { path: '/privacy', label: msg`Privacidade`, needs: 'privacy:write', beneath: '/settings' },
  { path: '/custom-fields', label: msg`Campos próprios`, needs: 'fields:write', beneath: '/settings' },
  {
    path: '/contact-lists',
    label: msg`Listas de contatos`,
    plan: 'useCampaigns',
    needs: 'campaigns:write',
    beneath: '/campaigns',
  },
  { path: '/segments', label: msg`Segmentos`, plan: 'useCampaigns', needs: 'campaigns:write', beneath: '/campaigns' },
  { path: '/opt-outs', label: msg`Descadastros`, plan: 'useCampaigns', needs: 'opt-outs:write', beneath: '/campaigns' },
  {
    path: '/campaigns-config',
    label: msg`Configurações de campanhas`,
    plan: 'useCampaigns',
    needs: 'campaigns:write',
    beneath: '/campaigns',
  },
]

/** Screens of one thing, whose list has an address of another beginning. */
const ofOne: readonly { path: string; beneath: string }[] = [
  { path: '/campaign', beneath: '/campaigns' },
  { path: '/flowbuilder', beneath: '/flowbuilders' },
]

/** The path of the menu's item that a screen outside the menu is beneath; `undefined` for those that stand in it. */
export function menuPathOf(pathname: string): string | undefined {
  return [...sideScreens, ...ofOne].find(({ path }) => pathname === path || pathname.startsWith(`${path}/`))?.beneath
}

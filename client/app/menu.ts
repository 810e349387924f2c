import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  BadgeCheck,
  Blocks,
  BotMessageSquare,
  CalendarClock,
  CircleQuestionMark,
  Columns3,
  Code,
  ContactRound,
  Files,
  Gauge,
  KeyRound,
  LayoutDashboard,
  ListTodo,
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

export interface MenuItem {
  path: string
  label: MessageDescriptor
  icon: LucideIcon
  /** Shown only to those who hold it. */
  needs?: Permission
  /** Shown only where the company's plan includes it. */
  plan?: PlanFeature
  /** Shown to the operator only. */
  operator?: true
  group: 'work' | 'administration'
  /** Second key of the shortcut that goes there: G, then this. */
  key: string
}

/** The side menu, in order. One line per screen; the route is in `routes/router.tsx`. */
export const menu: readonly MenuItem[] = [
  { path: '/', label: msg`Painel`, icon: LayoutDashboard, needs: 'dashboard:view', group: 'work', key: 'p' },
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
    needs: 'automations:write',
    group: 'administration',
    key: 'o',
  },
  {
    path: '/phrase-lists',
    label: msg`Frases`,
    icon: MessageSquareQuote,
    needs: 'automations:write',
    group: 'administration',
    key: 'l',
  },
  {
    path: '/flowdefault',
    label: msg`Fluxos padrões`,
    icon: Route,
    needs: 'automations:write',
    group: 'administration',
    key: 'd',
  },
  {
    path: '/campaigns',
    label: msg`Campanhas`,
    icon: Megaphone,
    needs: 'campaigns:write',
    plan: 'useCampaigns',
    group: 'administration',
    key: 'g',
  },
  {
    path: '/connections',
    label: msg`Conexões`,
    icon: Smartphone,
    needs: 'drawer-admin-items:view',
    group: 'administration',
    key: 'w',
  },
  {
    path: '/queues',
    label: msg`Filas`,
    icon: Waypoints,
    needs: 'drawer-admin-items:view',
    group: 'administration',
    key: 'f',
  },
  {
    path: '/prompts',
    label: msg`Assistentes de IA`,
    icon: BotMessageSquare,
    needs: 'drawer-admin-items:view',
    plan: 'useOpenAi',
    group: 'administration',
    key: 'i',
  },
  {
    path: '/queue-integration',
    label: msg`Integrações`,
    icon: Blocks,
    needs: 'drawer-admin-items:view',
    plan: 'useIntegrations',
    group: 'administration',
    key: 'n',
  },
  {
    path: '/messages-api',
    label: msg`API de mensagens`,
    icon: Code,
    needs: 'drawer-admin-items:view',
    plan: 'useExternalApi',
    group: 'administration',
    key: 'm',
  },
  {
    path: '/api-keys',
    label: msg`Chaves de API`,
    icon: KeyRound,
    needs: 'api-keys:write',
    plan: 'useExternalApi',
    group: 'administration',
    key: 'q',
  },
  {
    path: '/webhooks',
    label: msg`Webhooks`,
    icon: Webhook,
    needs: 'webhooks:write',
    plan: 'useExternalApi',
    group: 'administration',
    key: 'x',
  },
  {
    path: '/users',
    label: msg`Usuários`,
    icon: Users,
    needs: 'drawer-admin-items:view',
    group: 'administration',
    key: 'u',
  },
  {
    path: '/audit',
    label: msg`Auditoria`,
    icon: ScrollText,
    needs: 'audit:read',
    group: 'administration',
    key: '2',
  },
  {
    path: '/operator',
    label: msg`Operação`,
    icon: Gauge,
    operator: true,
    group: 'administration',
    key: '3',
  },
  {
    path: '/announcements',
    label: msg`Comunicados`,
    icon: Megaphone,
    operator: true,
    group: 'administration',
    key: 'v',
  },
  {
    path: '/subscription',
    label: msg`Assinatura`,
    icon: BadgeCheck,
    needs: 'invoices:pay',
    group: 'administration',
    key: 'z',
  },
  {
    path: '/financeiro',
    label: msg`Financeiro`,
    icon: Receipt,
    needs: 'invoices:pay',
    group: 'administration',
    // The letters are used up.
    key: '1',
  },
  {
    path: '/settings',
    label: msg`Configurações`,
    icon: Settings,
    needs: 'drawer-admin-items:view',
    group: 'administration',
    key: 's',
  },
  { path: '/helps', label: msg`Ajuda`, icon: CircleQuestionMark, group: 'work', key: 'j' },
]

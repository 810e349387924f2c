import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  CalendarClock,
  ContactRound,
  LayoutDashboard,
  MessageCircle,
  MessagesSquare,
  Settings,
  Smartphone,
  Tags,
  Users,
  Waypoints,
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
  { path: '/contacts', label: msg`Contatos`, icon: ContactRound, group: 'work', key: 'c' },
  { path: '/tags', label: msg`Etiquetas`, icon: Tags, group: 'work', key: 'e' },
  { path: '/quick-messages', label: msg`Respostas rápidas`, icon: Zap, group: 'work', key: 'r' },
  {
    path: '/schedules',
    label: msg`Agendamentos`,
    icon: CalendarClock,
    plan: 'useSchedules',
    group: 'work',
    key: 'a',
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
    path: '/users',
    label: msg`Usuários`,
    icon: Users,
    needs: 'drawer-admin-items:view',
    group: 'administration',
    key: 'u',
  },
  {
    path: '/settings',
    label: msg`Configurações`,
    icon: Settings,
    needs: 'drawer-admin-items:view',
    group: 'administration',
    key: 's',
  },
]

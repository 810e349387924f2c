import type { ComponentType, ReactNode } from 'react'
import { afterwards } from '../base/late.tsx'
import Palette from '../palette/palette.background.tsx'

/**
 * Where the shell gives room to features. The shell imports no feature; this file, being a route file, may.
 * Use `afterwards(() => import(…))`, so that none of it delays the first screen.
 */

/** Mounted, invisible, in every private screen: what must run whether or not its own screen is open. */
export const background: readonly ComponentType[] = [
  afterwards(() => import('../whatsapps/whatsapps.badge.tsx')),
  // Its keys count from the first moment: what comes late would leave them to the browser.
  Palette,
  afterwards(() => import('../palette/palette.undo-bar.tsx')),
  afterwards(() => import('../automation/automation.background.tsx')),
  afterwards(() => import('../settings/settings.background.tsx')),
  afterwards(() => import('../webhooks/webhooks.badge.tsx')),
  afterwards(() => import('../privacy/privacy.background.tsx')),
  afterwards(() => import('../sla-policies/sla-policies.notices.tsx')),
  afterwards(() => import('../tickets/tickets.closing.background.tsx')),
]

/** In the side menu, after the group with this name. */
export const afterMenuGroup: Readonly<
  Record<string, ComponentType<{ rail: boolean; onNavigate?: (() => void) | undefined }>>
> = { work: afterwards(() => import('../tickets/tickets.views-menu.tsx')) }

/**
 * In the top bar, between refresh and profile: buttons with their own popovers (ticket notifications…). `room` says
 * where the place kept for one differs from an icon's.
 */
export const topBar: readonly { Item: ComponentType<{ room?: ReactNode }>; room?: string }[] = [
  { Item: afterwards(() => import('../palette/palette.button.tsx')), room: 'lg:w-20 max-sm:hidden' },
  { Item: afterwards(() => import('../notifications/notifications.popover.tsx')) },
  { Item: afterwards(() => import('../announcements/announcements.popover.tsx')) },
  { Item: afterwards(() => import('../chats/chats.popover.tsx')) },
]

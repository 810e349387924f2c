import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { Fragment, useEffect, useRef, useState } from 'react'
import { cn } from '../ui/cn.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { api } from '../session/api.ts'
import { Brand, BrandMark } from '../kit/brand.tsx'
import { afterPaint } from '../base/after-paint.ts'
import { useMenuBadges } from '../base/menu-badges.ts'
import { keys, local } from '../base/local.ts'
import { menuGroupNames, menuGroups, menuPathOf } from '../kit/menu.ts'
import type { MenuGroup, MenuItem } from '../kit/menu.ts'
import { createStore, useStore } from '../base/store.ts'
import { openView } from '../kit/open-view.ts'
import { useMenu } from '../kit/use-menu.ts'
import { afterMenuGroup } from './slots.tsx'

/** The server's version; null until it has answered. */
function useVersion(): string | null {
  const [version, setVersion] = useState<string | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    api
      .get<{ version: string }>('/version', { auth: false, signal: abort.signal })
      .then((answer) => setVersion(answer.version))
      // Decoration: without an answer there is nothing to show.
      .catch(() => undefined)
    return () => abort.abort()
  }, [])
  return version
}

/** What somebody folded stays so on this device. */
const foldedGroups = createStore<readonly MenuGroup[]>(
  menuGroups.filter((group) => (local.get(keys.menuFolded) ?? '').split(',').includes(group)),
)

function fold(group: MenuGroup, isFolded: boolean): void {
  const next = isFolded ? [...foldedGroups.get(), group] : foldedGroups.get().filter((other) => other !== group)
  local.set(keys.menuFolded, next.join(','))
  foldedGroups.set(next)
}

/** Whether the screen that is open is this one, or beneath it. */
const isHere = ({ path }: MenuItem, pathname: string): boolean =>
  path === '/' ? pathname === '/' : `${pathname}/`.startsWith(`${path}/`) || menuPathOf(pathname) === path

/** The side menu's content. `rail` shows icons only, with their names as tooltips. */
export function DrawerContent({ rail = false, onNavigate }: { rail?: boolean; onNavigate?: () => void }) {
  const { t, i18n } = useLingui()
  const version = useVersion()
  const nav = useRef<HTMLElement>(null)
  const shown = useRef<Element>(null)
  const pathname = useLocation({ select: (location) => location.pathname })
  // A long menu does not fit on a low screen: where one is must be in sight, however one came there.
  useEffect(() => {
    const active = nav.current?.querySelector('[data-status=active]') ?? null
    // From one conversation to the next it is the same item; to bring it into view anew would cost a layout.
    if (active === shown.current) return
    shown.current = active
    // And before the screen is painted it would cost one more of all that is new.
    return afterPaint(() => active?.scrollIntoView({ block: 'nearest' }))
  }, [pathname])
  const allowed = useMenu()
  const folded = useStore(foldedGroups)
  const groups = menuGroups
    .map((group) => ({ group, items: allowed.filter((item) => item.group === group) }))
    .filter(({ items }) => items.length > 0)

  /** Folded, a group shows only where one is. */
  const shownIn = (group: MenuGroup) => (item: MenuItem) => rail || !folded.includes(group) || isHere(item, pathname)

  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className={cn('flex h-13 shrink-0 items-center', rail ? 'justify-center' : 'px-4')}>
        {rail ? <BrandMark /> : <Brand place="interno" />}
      </div>
      <nav ref={nav} aria-label={t`Principal`} className="min-h-0 flex-1 overflow-y-auto px-2 pt-2">
        {groups.map(({ group, items }) => {
          const After = afterMenuGroup[group]
          return (
            <Fragment key={group}>
              <div className="mb-3">
                {group !== 'work' &&
                  (rail ? (
                    <div aria-hidden="true" className="mx-2 mb-3 h-px bg-border" />
                  ) : (
                    <button
                      type="button"
                      aria-expanded={!folded.includes(group)}
                      onClick={() => fold(group, !folded.includes(group))}
                      className="focus-ring mb-0.5 flex w-full items-center justify-between rounded-md px-2.5 py-1 text-left text-xs font-medium text-muted-foreground outline-offset-[-2px] hover:text-foreground touch:min-h-11"
                    >
                      {i18n._(menuGroupNames[group])}
                      <ChevronDown
                        aria-hidden="true"
                        className={cn('size-3.5 transition-transform', folded.includes(group) && '-rotate-90')}
                      />
                    </button>
                  ))}
                <ul className="flex flex-col gap-px">
                  {items.filter(shownIn(group)).map((item) => (
                    <li key={item.path}>
                      <DrawerLink
                        item={item}
                        rail={rail}
                        isAbove={item.path === menuPathOf(pathname)}
                        onNavigate={onNavigate}
                      />
                    </li>
                  ))}
                </ul>
              </div>
              {After && <After rail={rail} onNavigate={onNavigate} />}
            </Fragment>
          )
        })}
      </nav>
      {/* Its room is kept until it comes: the menu above must not shrink, and hide what was just brought into sight. */}
      <p
        className={cn(
          'min-h-10 shrink-0 py-3 text-xs text-muted-foreground tabular-nums',
          rail ? 'text-center text-[0.625rem]' : 'px-4.5',
        )}
      >
        {version && (rail ? version : <Trans>Versão {version}</Trans>)}
      </p>
    </div>
  )
}

function DrawerLink({
  item,
  rail,
  isAbove,
  onNavigate,
}: {
  item: MenuItem
  rail: boolean
  /** The screen that is open is beneath this one. */
  isAbove: boolean
  onNavigate?: (() => void) | undefined
}) {
  const { i18n } = useLingui()
  const badge = useMenuBadges()[item.path]
  const Icon = item.icon
  const label = i18n._(item.label)
  return (
    <Tooltip content={label} side="right" disabled={!rail}>
      <Link
        to={item.path}
        // Every path begins with that of the dashboard.
        activeOptions={{ exact: item.path === '/' }}
        {...(isAbove && { 'data-status': 'active', 'aria-current': 'true' as const })}
        onClick={() => {
          // The list, and not what was chosen of it before.
          if (item.path === '/tickets') openView.set(null)
          onNavigate?.()
        }}
        className={cn(
          'group focus-ring relative flex h-8 items-center gap-2.5 rounded-md text-sm font-medium text-muted-foreground outline-offset-[-2px] transition-colors touch:h-11',
          'hover:bg-sidebar-accent hover:text-foreground data-[status=active]:bg-sidebar-accent data-[status=active]:text-foreground',
          rail ? 'justify-center' : 'px-2.5',
        )}
      >
        <Icon
          aria-hidden="true"
          strokeWidth={1.9}
          className="size-4.5 shrink-0 group-data-[status=active]:text-primary"
        />
        <span className={rail ? 'sr-only' : 'min-w-0 flex-1 truncate'}>{label}</span>
        {badge?.mark === '•' ? (
          <span className={cn('size-2 rounded-full bg-primary', rail && 'absolute top-1 right-1.5')}>
            <span className="sr-only">{badge.label}</span>
          </span>
        ) : badge ? (
          <span
            className={cn(
              'flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-destructive px-1 text-[0.6875rem] font-semibold text-destructive-foreground',
              rail && 'absolute top-0 right-0.5 h-4 min-w-4',
            )}
          >
            <span aria-hidden="true">{badge.mark}</span>
            <span className="sr-only">{badge.label}</span>
          </span>
        ) : null}
      </Link>
    </Tooltip>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { Menu, Moon, RotateCw, Sun } from 'lucide-react'
import { dateText } from '../i18n/dates.ts'
import { topBar } from './slots.tsx'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { dueDay } from '../base/due-date.ts'
import { afterwards } from '../base/late.tsx'
import { useUser } from '../session/session.tsx'
import { setTheme, useTheme } from '../base/theme.ts'

// What opens something is there a moment after the screen, in the room that is kept for it.
const StatusIndicator = afterwards(() => import('./status-indicator.tsx'))
const VolumeControl = afterwards(() => import('./volume-control.tsx'))
const ProfileMenu = afterwards(() => import('../account/profile-menu.tsx'))

export function TopBar({
  drawerOpen,
  onToggleDrawer,
  onShowShortcuts,
}: {
  drawerOpen: boolean
  onToggleDrawer: () => void
  onShowShortcuts: () => void
}) {
  const { t } = useLingui()
  return (
    <header className="flex h-13 shrink-0 items-center border-b bg-card px-2 sm:gap-1 sm:px-3">
      <Tooltip content={drawerOpen ? t`Recolher o menu` : t`Abrir o menu`}>
        <Button variant="ghost" size="icon" aria-label={t`Menu`} aria-expanded={drawerOpen} onClick={onToggleDrawer}>
          <Menu />
        </Button>
      </Tooltip>
      <Greeting />
      <StatusIndicator room={<Room />} />
      <div className="flex items-center gap-1 max-sm:hidden">
        <ThemeToggle />
        <VolumeControl room={<Room />} />
        <IconButton label={t`Recarregar a página`} onClick={() => location.reload()}>
          <RotateCw />
        </IconButton>
      </div>
      {topBar.map(({ Item, room }, index) => (
        <Item key={index} room={<Room className={room} />} />
      ))}
      <ProfileMenu onShowShortcuts={onShowShortcuts} room={<Room />} />
    </header>
  )
}

/** As wide as an icon button. */
const Room = ({ className }: { className?: string | undefined }) => (
  <span aria-hidden="true" className={cn('size-8 shrink-0 touch:size-11', className)} />
)

function Greeting() {
  const { i18n } = useLingui()
  const user = useUser()
  const names = user.name.split(' ')
  const due =
    user.profile === 'admin' && user.company.dueDate
      ? dateText(i18n.locale, dueDay(user.company.dueDate), 'fullDate')
      : null
  return (
    <p className="@container min-w-0 flex-1 px-1.5 text-sm text-muted-foreground">
      {/* A letter and an ellipsis greet nobody: with large letters on a phone there is no room. */}
      <span className="block truncate @max-[4rem]:hidden">
        <span className="font-medium text-foreground">
          <Trans>Olá, {names[0]}</Trans>
          {/* On a phone there is room for the first name. */}
          {names.length > 1 && <span className="max-sm:hidden"> {names.slice(1).join(' ')}</span>}
        </span>
        <span className="max-sm:hidden">
          <span className="sr-only">, </span>
          <span aria-hidden="true"> · </span>
          {user.company.name}
          {due && (
            <>
              <span className="sr-only">, </span>
              <span aria-hidden="true"> · </span>
              {user.company.onTrial ? <Trans>Em teste até {due}</Trans> : <Trans>Ativo até {due}</Trans>}
            </>
          )}
        </span>
      </span>
    </p>
  )
}

function ThemeToggle() {
  const { t } = useLingui()
  const dark = useTheme() === 'dark'
  return (
    <IconButton
      label={dark ? t`Usar o tema claro` : t`Usar o tema escuro`}
      onClick={() => setTheme(dark ? 'light' : 'dark')}
    >
      {dark ? <Sun /> : <Moon />}
    </IconButton>
  )
}

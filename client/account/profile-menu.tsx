import { Plural, Trans, useLingui } from '@lingui/react/macro'
import {
  Download,
  Keyboard,
  Languages,
  LogOut,
  Monitor,
  Moon,
  RotateCw,
  Sun,
  SunMoon,
  UserRound,
  UserRoundCheck,
  UserRoundX,
  Volume2,
} from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { onDemand, whenMissing } from '../base/late.tsx'
import { chooseLocale, localeNames, locales, storedLocale } from '../i18n/locale.ts'
import type { Locale } from '../i18n/locale.ts'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuSub,
  DropdownMenuSubContent,
  DropdownMenuSubTrigger,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu.tsx'
import { useAway } from './away.ts'
import { installWay } from './install.ts'
import { leave, leaving } from './leaving.ts'
import { profileSheet } from './profile-sheet.ts'
import { logout, useUser } from '../session/session.tsx'
import { useNow } from '../base/now.ts'
import { useStore } from '../base/store.ts'
import { useActions } from '../kit/actions.ts'
import { useReplica } from '../replica/replica.tsx'
import { whenText } from '../session/moment-text.ts'
import { perform } from '../session/perform.ts'
import { useSyncStatus } from '../replica/sync-status.ts'
import { setTheme, useThemeChoice } from '../base/theme.ts'
import type { ThemeChoice } from '../base/theme.ts'
import { VolumeSlider } from './volume-slider.tsx'

// Of every screen, and there a moment after it: what the first one has no room for.
whenMissing(() => import('../kit/part-failed.tsx'))

const AwayDialog = onDemand(() => import('./away-dialog.tsx'))
const ProfileDialog = onDemand(() => import('./profile-dialog.tsx'))

export default function ProfileMenu({ onShowShortcuts }: { onShowShortcuts: () => void }) {
  const { t } = useLingui()
  const user = useUser()
  const themeChoice = useThemeChoice()
  const { pending, failed } = useSyncStatus()
  const unsent = pending + failed
  const profileOpen = useStore(profileSheet)
  const way = useStore(installWay)
  const asked = useStore(leaving)
  const replica = useReplica()
  const away = useAway(useNow())
  const [isLeaving, setLeaving] = useState(false)
  const comeBack = () => void perform(replica, 'users.setAway', { away: false })
  const returnsAt = away?.until == null ? null : whenText(new Date(away.until))
  const awayText = returnsAt === null ? t`Ausente` : t`Ausente, volta ${returnsAt}`
  useActions([
    {
      id: 'away',
      label: t`Ausentar-se…`,
      keywords: t`pausa, almoço, intervalo`,
      group: t`Em qualquer tela`,
      when: away !== null && !away.isAway,
      run: () => setLeaving(true),
    },
    {
      id: 'back',
      label: t`Voltar a atender`,
      keywords: t`pausa, almoço, intervalo`,
      group: t`Em qualquer tela`,
      when: away?.isAway === true,
      run: comeBack,
    },
  ])
  // What waited was sent while the question stood there: nothing is left to lose, and the person wanted to leave.
  useEffect(() => {
    if (!asked || unsent > 0) return
    leaving.set(false)
    void logout()
  }, [asked, unsent])
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button variant="ghost" size="icon" className="rounded-full">
            <Avatar
              name={user.name}
              size="sm"
              badge={away?.isAway && <span className="size-2.5 rounded-full bg-warning" />}
            />
            <span className="sr-only">{t`Menu do perfil`}</span>
            {away?.isAway && <span className="sr-only">, {awayText}</span>}
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end" className="w-60">
          <div className="px-2 py-1.5">
            <p className="truncate text-sm font-medium">{user.name}</p>
            <p className="truncate text-xs text-muted-foreground">{user.email}</p>
            <p className="truncate text-xs text-muted-foreground sm:hidden">{user.company.name}</p>
          </div>
          <DropdownMenuSeparator />
          {away &&
            (away.isAway ? (
              <DropdownMenuItem onSelect={comeBack}>
                <UserRoundCheck />
                <span className="flex flex-col">
                  <Trans>Voltar a atender</Trans>
                  <span className="text-xs text-muted-foreground">{awayText}</span>
                </span>
              </DropdownMenuItem>
            ) : (
              <DropdownMenuItem onSelect={() => setLeaving(true)}>
                <UserRoundX />
                <Trans>Ausentar-se…</Trans>
              </DropdownMenuItem>
            ))}
          <DropdownMenuItem onSelect={() => profileSheet.set(true)}>
            <UserRound />
            <Trans>Perfil</Trans>
          </DropdownMenuItem>
          <DropdownMenuSub>
            <DropdownMenuSubTrigger>
              <Languages />
              <Trans>Idioma</Trans>
            </DropdownMenuSubTrigger>
            <DropdownMenuSubContent>
              <DropdownMenuRadioGroup
                value={storedLocale()}
                onValueChange={(next) => void chooseLocale(next as Locale)}
              >
                {locales.map((locale) => (
                  <DropdownMenuRadioItem key={locale} value={locale} lang={locale}>
                    {localeNames[locale]}
                  </DropdownMenuRadioItem>
                ))}
              </DropdownMenuRadioGroup>
            </DropdownMenuSubContent>
          </DropdownMenuSub>
          <DropdownMenuSub>
            <DropdownMenuSubTrigger>
              <SunMoon />
              <Trans>Tema</Trans>
            </DropdownMenuSubTrigger>
            <DropdownMenuSubContent>
              <DropdownMenuRadioGroup value={themeChoice} onValueChange={(next) => setTheme(next as ThemeChoice)}>
                <DropdownMenuRadioItem value="system">
                  <Monitor />
                  <Trans>Do sistema</Trans>
                </DropdownMenuRadioItem>
                <DropdownMenuRadioItem value="light">
                  <Sun />
                  <Trans>Claro</Trans>
                </DropdownMenuRadioItem>
                <DropdownMenuRadioItem value="dark">
                  <Moon />
                  <Trans>Escuro</Trans>
                </DropdownMenuRadioItem>
              </DropdownMenuRadioGroup>
            </DropdownMenuSubContent>
          </DropdownMenuSub>
          <DropdownMenuItem className="max-sm:hidden" onSelect={onShowShortcuts}>
            <Keyboard />
            <Trans>Atalhos do teclado</Trans>
          </DropdownMenuItem>
          {/* On a phone the top bar has no room for these two. */}
          <DropdownMenuItem className="sm:hidden" onSelect={() => location.reload()}>
            <RotateCw />
            <Trans>Recarregar a página</Trans>
          </DropdownMenuItem>
          <div className="flex items-center gap-3 px-2 py-1 sm:hidden" onKeyDown={(event) => event.stopPropagation()}>
            <Volume2 aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
            <VolumeSlider />
          </div>
          {way !== null && way !== 'byHand' && (
            <DropdownMenuItem onSelect={() => void way.ask()}>
              <Download />
              <Trans>Instalar o aplicativo</Trans>
            </DropdownMenuItem>
          )}
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={leave}>
            <LogOut />
            <Trans>Sair</Trans>
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <Suspense fallback={null}>{isLeaving && <AwayDialog onClose={() => setLeaving(false)} />}</Suspense>
      <Suspense fallback={null}>{profileOpen && <ProfileDialog open onOpenChange={profileSheet.set} />}</Suspense>
      <ConfirmDialog
        open={asked}
        onOpenChange={leaving.set}
        title={<Trans>Sair sem enviar?</Trans>}
        confirmLabel={<Trans>Sair e descartar</Trans>}
        destructive
        onConfirm={() => {
          // Whoever logs in next has not asked to leave.
          leaving.set(false)
          return logout()
        }}
      >
        <Plural
          value={unsent}
          one="# ação feita neste navegador ainda não chegou ao servidor e será perdida."
          other="# ações feitas neste navegador ainda não chegaram ao servidor e serão perdidas."
        />
      </ConfirmDialog>
    </>
  )
}

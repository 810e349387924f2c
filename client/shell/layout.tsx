import { Trans, useLingui } from '@lingui/react/macro'
import { Suspense, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { background } from './slots.tsx'
import { cn } from '../ui/cn.ts'
import { TooltipLayer } from '../ui/tooltip.tsx'
import { DrawerContent } from './drawer.tsx'
import { startEvents, stopEvents } from '../session/events.ts'
import { afterFirstScreen, afterwards, onDemand, quietMoment } from '../base/late.tsx'
import { isActingTab, keys, local } from '../base/local.ts'
import { askForPersistentStorage } from '../account/register-service-worker.ts'
import { PermittedOutlet } from '../session/permission-gate.tsx'
import { ReplicaProvider } from '../replica/replica.tsx'
import { watchForcedLogout, watchOwnUser } from '../session/session-watch.ts'
import { useSession, useUser } from '../session/session.tsx'
import { listenToShortcuts, shortcutsSheet } from '../base/shortcuts.ts'
import { useStore } from '../base/store.ts'
import { SubscriptionNotice } from './subscription-notice.tsx'
import { useSyncStatus } from '../replica/sync-status.ts'
import { TwoFactorGate } from './two-factor-gate.tsx'
import { TopBar } from './top-bar.tsx'
import { useViewport } from '../base/use-viewport.ts'

const ActingBanner = onDemand(() => import('./acting-banner.tsx'))
const DrawerOverlay = onDemand(() => import('./drawer-overlay.tsx'))
const TwoFactorNotice = onDemand(() => import('./two-factor-notice.tsx'))
const InstallHint = afterwards(() => import('./install-hint.tsx'))
const OverShell = onDemand(() => import('./over-shell.tsx'))
const ReplicaNotice = onDemand(() => import('./replica-notice.tsx'))
const ShortcutsDialog = onDemand(() => import('../kit/shortcuts-dialog.tsx'))

/** What a session begins with comes at the latest this long after the first screen, ms. */
const quietWithinMs = 500

/** Around every private screen. It renders nothing in the moment between a logout and the way to the login screen. */
export function Layout() {
  const current = useSession()
  // The router draws what it has found in one go. This way it finds nothing first, and the screen, with all that is
  // around it, is drawn in small pieces, between which the page answers.
  const drawn = useDeferredValue(true, false)
  if (!current || !drawn) return null
  const screens = current.user.company.isOver ? (
    <Suspense fallback={null}>
      <OverShell />
      <TooltipLayer />
    </Suspense>
  ) : (
    <TwoFactorGate key={current.id}>
      <ReplicaProvider>
        <Shell />
        <TooltipLayer />
      </ReplicaProvider>
    </TwoFactorGate>
  )
  if (!isActingTab) return screens
  return (
    <div className="flex h-full flex-col">
      <Suspense fallback={null}>
        <ActingBanner />
      </Suspense>
      <div className="min-h-0 flex-1">{screens}</div>
    </div>
  )
}

function Shell() {
  const { t } = useLingui()
  const viewport = useViewport()
  const [overlayOpen, setOverlayOpen] = useState(false)
  const [wideOpen, setWideOpen] = useState(() => local.get(keys.drawer) !== 'closed')
  const [mediumOpen, setMediumOpen] = useState(false)
  const shortcutsOpen = useStore(shortcutsSheet)
  const { twoFactor } = useUser()
  const trouble = useSyncStatus().trouble !== null
  useLiveSession()
  // With the screen, not a moment after it: on a busy machine a key comes between the two.
  useLayoutEffect(() => listenToShortcuts(), [])

  // It stays once it was opened, so that it can slide out again.
  const overlaySeen = useRef(false)
  if (overlayOpen) overlaySeen.current = true

  // It stays once it was asked for: the codes it shows at the end are still to be kept when the session knows it is on.
  const twoFactorAsked = useRef(false)
  if (twoFactor?.requiredFrom && !twoFactor.enabled) twoFactorAsked.current = true

  const narrow = viewport === 'narrow'
  const open = narrow ? overlayOpen : viewport === 'wide' ? wideOpen : mediumOpen
  const toggle = () => {
    if (narrow) setOverlayOpen(!overlayOpen)
    else if (viewport === 'medium') setMediumOpen(!mediumOpen)
    else {
      setWideOpen(!wideOpen)
      local.set(keys.drawer, wideOpen ? 'closed' : 'open')
    }
  }

  return (
    <div className="flex h-full">
      <a
        href="#content"
        onClick={(event) => {
          // The address stays what it is: it names the screen.
          event.preventDefault()
          document.getElementById('content')?.focus()
        }}
        className="focus-ring fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-primary px-3 py-2 text-sm font-medium text-primary-foreground focus:translate-y-0"
      >
        <Trans>Pular para o conteúdo</Trans>
      </a>
      {narrow ? (
        <Suspense fallback={null}>
          {overlaySeen.current && <DrawerOverlay open={overlayOpen} onOpenChange={setOverlayOpen} />}
        </Suspense>
      ) : (
        <aside
          aria-label={t`Menu lateral`}
          className={cn('shrink-0 border-r bg-sidebar transition-[width] duration-150', open ? 'w-60' : 'w-14')}
        >
          <DrawerContent rail={!open} />
        </aside>
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar drawerOpen={open} onToggleDrawer={toggle} onShowShortcuts={() => shortcutsSheet.set(true)} />
        <SubscriptionNotice />
        <InstallHint />
        <Suspense fallback={null}>{trouble && <ReplicaNotice />}</Suspense>
        <Suspense fallback={null}>{twoFactorAsked.current && <TwoFactorNotice />}</Suspense>
        <main id="content" tabIndex={-1} className="min-h-0 flex-1 outline-none">
          <PermittedOutlet />
        </main>
      </div>
      <Suspense fallback={null}>{shortcutsOpen && <ShortcutsDialog />}</Suspense>
      {background.map((Part, index) => (
        <Part key={index} />
      ))}
    </div>
  )
}

/** What belongs to a session for as long as it lasts: the event socket, its end, the user's rights. */
function useLiveSession(): void {
  const current = useSession()
  const id = current?.id
  useEffect(() => {
    if (!current) return
    const stops: (() => void)[] = []
    let over = false
    // The first screen shows rows; to ask the server and to open a socket takes the processor from drawing them.
    void afterFirstScreen
      .then(() => quietMoment(quietWithinMs))
      .then(() => {
        if (over) return
        stops.push(watchForcedLogout(), watchOwnUser())
        startEvents(current)
        void askForPersistentStorage()
      })
    return () => {
      over = true
      for (const stop of stops) stop()
      stopEvents()
    }
    // The socket follows the session, not its renewals.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [id])
}

import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { toast } from '../ui/toaster.tsx'
import { hasUnsaved } from '../session/has-unsaved.ts'
import { afterFirstScreen } from '../base/late.tsx'
import { whenReplaced } from './when-replaced.ts'

const checkEveryMs = 30 * 60_000
/** How long the new version is waited for after the person asked for it. */
const takeOverMs = 4_000

/**
 * Installs the service worker that opens the app without a network, and asks before a new version takes over.
 * Does nothing in development and where the browser has none.
 */
export async function registerServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // Refused (private mode, certificate not trusted, automation): the app works, but only with a network.
  const registration = await navigator.serviceWorker
    .register('/service-worker.js', { updateViaCache: 'none' })
    .catch(() => null)
  if (!registration) return

  // No part of the first screen.
  void afterFirstScreen.then(async () => (await import('./push.ts')).watchPush()).catch(() => undefined)
  let asked = false
  whenReplaced(navigator.serviceWorker, () => {
    // Where the person agreed, or is not looking and has nothing half written, reload now; any other tab is asked.
    if (asked || (document.visibilityState === 'hidden' && !hasUnsaved())) location.reload()
    else offer(() => location.reload())
  })

  const offerWaiting = () => {
    const { waiting, active } = registration
    // The very first takes over from nobody, and is no new version, even where the browser still lists it as waiting.
    if (!waiting || !active || waiting === active || waiting.state !== 'installed') return
    if (!navigator.serviceWorker.controller) return
    offer(() => {
      asked = true
      waiting.postMessage({ type: 'SKIP_WAITING' })
      // Chromium holds the waiting worker back while the one before it still has work, such as a stream that it passes
      // on. Reloading ends that work, and the page comes back with the new version.
      setTimeout(() => location.reload(), takeOverMs)
    })
  }
  offerWaiting()
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', offerWaiting)
  })

  const check = () => void registration.update().catch(() => undefined)
  setInterval(check, checkEveryMs)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && check())
}

function offer(reload: () => void): void {
  toast(i18n._(msg`Nova versão pronta`), {
    id: 'new-version',
    description: i18n._(msg`Recarregue quando puder para usá-la.`),
    duration: Number.POSITIVE_INFINITY,
    action: { label: i18n._(msg`Recarregar`), onClick: reload },
  })
}

/** Asks the browser not to evict the local data when the disk runs low. Without effect where it is already granted. */
export async function askForPersistentStorage(): Promise<void> {
  try {
    if (!(await navigator.storage.persisted())) await navigator.storage.persist()
  } catch {
    // Not offered (plain http): the data stays evictable.
  }
}

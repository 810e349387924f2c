import { DAY_MS } from '../../schema/durations.ts'
import { keys, local } from '../base/local.ts'
import { createStore } from '../base/store.ts'

/** What Chromium says before it would offer by itself to install the app. It is in no type of the DOM. */
interface InstallPrompt extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

/**
 * How the app gets onto this device: `ask` opens the browser's own window, `byHand` is Safari on a phone, where the
 * person does it in the browser's menu; null where it is installed already, or this browser has no such thing.
 */
export type InstallWay = { ask: () => Promise<void> } | 'byHand' | null

export const installWay = createStore<InstallWay>(null)

/** Somebody who comes back on another day is at home here; before that a hint would only be in the way. */

/** Listens for what the browser offers. Call it before the app is drawn: the browser says it once. */
export function watchInstall(): void {
  if (matchMedia('(display-mode: standalone)').matches || 'standalone' in navigator) {
    // Safari on a phone alone has `standalone`, and says by it whether it is the installed app.
    if ('standalone' in navigator && !navigator.standalone) installWay.set('byHand')
    return
  }
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    const { prompt } = event as InstallPrompt
    const ask = async () => {
      // Good for one time: the browser says anew when it would offer again.
      installWay.set(null)
      await prompt.call(event)
    }
    installWay.set({ ask })
  })
  addEventListener('appinstalled', () => installWay.set(null))
}

/** Whether the hint is due at `now`: once for each device, on a later day than the first. */
export function hintIsDue(now: number): boolean {
  const since = local.get(keys.installHint)
  if (since === null) local.set(keys.installHint, String(now))
  return since !== null && since !== 'seen' && now - Number(since) >= DAY_MS
}

/** It was shown, and the person has answered it or not: it does not come again. */
export const hintSeen = (): void => local.set(keys.installHint, 'seen')

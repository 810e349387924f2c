import { useCallback, useEffect, useState } from 'react'
import { api, ApiError } from '../session/api.ts'
import { isActingTab } from '../base/local.ts'
import { session } from '../session/session-store.ts'

/**
 * Being woken by this browser while the app is closed (Web Push). A subscription is the browser's; the server knows
 * whose it is by who is logged in, and a logout ends it.
 */

export interface PushPreferences {
  enabled: boolean
  /** `HH:MM` in the company's zone; equal ones mean never quiet. */
  quietFrom: string
  quietTo: string
}

/** `unavailable`: this browser, or this address without https, has no push. `denied`: the person refused once. */
export type PushState = 'checking' | 'unavailable' | 'denied' | 'off' | 'on'

const unsubscribeMs = 2_000

/** Null where there is no service worker to wake: private windows, plain http, the development server. */
async function manager(): Promise<PushManager | null> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window)) return null
  const registration = await navigator.serviceWorker.getRegistration()
  return registration?.pushManager ?? null
}

async function currentState(): Promise<PushState> {
  const push = await manager()
  if (!push) return 'unavailable'
  if (Notification.permission === 'denied') return 'denied'
  return (await push.getSubscription()) ? 'on' : 'off'
}

const bytesOf = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))

async function subscribe(): Promise<PushState> {
  if (!('Notification' in window)) return 'unavailable'
  // Safari asks the person only in answer to the click itself: nothing is waited for before.
  const asked = Notification.requestPermission()
  const push = await manager()
  if (!push) return 'unavailable'
  if ((await asked) !== 'granted') return currentState()
  const { publicKey } = await api.get<{ publicKey: string }>('/push/key')
  const key = bytesOf(publicKey)
  const made = await push
    .subscribe({ userVisibleOnly: true, applicationServerKey: key })
    .catch(async (error: unknown) => {
      // The browser is still subscribed for another server that had this address.
      if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error
      await (await push.getSubscription())?.unsubscribe()
      return push.subscribe({ userVisibleOnly: true, applicationServerKey: key })
    })
  await registerPush(made)
  return 'on'
}

async function registerPush(made: PushSubscription): Promise<void> {
  const { endpoint, keys } = made.toJSON()
  await api.post('/push/subscriptions', { endpoint, keys })
}

async function unsubscribe(): Promise<PushState> {
  const made = await (await manager())?.getSubscription()
  if (made) {
    await api.delete('/push/subscriptions', { body: { endpoint: made.endpoint } })
    await made.unsubscribe()
  }
  return currentState()
}

/** Takes from the tray what was told while the app was closed. */
async function takeBack(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration()
  for (const notice of (await registration?.getNotifications()) ?? []) notice.close()
}

/**
 * Keeps browser and server of one mind: what the browser renewed is told, and a session's end ends its subscription,
 * because the next person at this computer must not be woken by it, nor read what the one before was told.
 */
export function watchPush(): void {
  // The subscription is the operator's own.
  if (isActingTab) return
  session.onEnd(takeBack)
  session.onEnd(async () => {
    const made = await (await manager())?.getSubscription()
    // The push service itself forgets it, and the server hears of that by and by.
    if (made) await Promise.race([made.unsubscribe(), new Promise((resolve) => setTimeout(resolve, unsubscribeMs))])
  })
  void manager()
    .then((push) => push?.getSubscription())
    .then((made) => (made && session.get() ? registerPush(made) : undefined))
    // Without a network it is told the next time.
    .catch(() => undefined)
}

/** The state of this browser, and how to change it. */
export function usePush(): {
  state: PushState
  busy: boolean
  /** @throws ApiError, also when the browser's push service cannot be reached */
  turn: (on: boolean) => Promise<void>
} {
  const [state, setState] = useState<PushState>('checking')
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    let mounted = true
    void currentState().then((found) => mounted && setState(found))
    return () => {
      mounted = false
    }
  }, [])
  const turn = useCallback(async (on: boolean) => {
    setBusy(true)
    try {
      setState(await (on ? subscribe() : unsubscribe()))
    } catch (error) {
      setState(await currentState())
      throw error instanceof ApiError ? error : new ApiError('ERR_OFFLINE', 0)
    } finally {
      setBusy(false)
    }
  }, [])
  return { state, busy, turn }
}

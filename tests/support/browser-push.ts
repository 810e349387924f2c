import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'

/**
 * Pushes for the service worker of the app that a page shows, as Chromium's push service would bring them: also after
 * that page is closed.
 */
export async function deliverPushes(page: Page, origin: string) {
  const context = page.context()
  await context.grantPermissions(['notifications'])
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  const other = await context.newPage()
  const cdp = await context.newCDPSession(other)
  const registration = new Promise<string>((resolve) =>
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin))
      if (own) resolve(own.registrationId)
    }),
  )
  await cdp.send('ServiceWorker.enable')
  const registrationId = await registration
  const worker = context.serviceWorkers().find((one) => one.url().startsWith(origin))!
  // A window opens only for a finger, and the icon belongs to an app that is installed: neither is here. Nor is a place
  // for notifications: Chromium takes each, and forgets it whenever it asks that place what is still to be seen.
  await worker.evaluate(() => {
    const scope = globalThis as unknown as Pushed
    Object.assign(scope, { opened: [], marks: 0, heard: 0, standing: new Map() })
    scope.addEventListener('push', () => scope.heard++)
    const show = scope.registration.showNotification.bind(scope.registration)
    Object.defineProperty(scope.registration, 'showNotification', {
      value: async (title: string, options: NotificationOptions) => {
        await show(title, options)
        const tag = options.tag ?? ''
        scope.standing.set(tag, { title, body: options.body ?? '', tag, data: options.data as unknown })
      },
    })
    Object.defineProperty(scope.clients, 'openWindow', {
      value: (path: string) => Promise.resolve(void scope.opened.push(path)),
    })
    Object.defineProperty(scope.navigator, 'setAppBadge', { value: () => Promise.resolve(void scope.marks++) })
  })
  const heard = () => worker.evaluate(() => (globalThis as unknown as Pushed).heard)
  return {
    /** Given until the worker hears it: one that it did not hear is lost without a word. */
    deliver: async (payload: Record<string, unknown>) => {
      const before = await heard()
      await expect(async () => {
        await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(payload) })
        await expect.poll(heard, { timeout: 5_000 }).toBeGreaterThan(before)
      }).toPass()
    },
    /** The notifications that stand: title, text, and by what the next one takes their place. */
    shown: () =>
      worker.evaluate(() =>
        [...(globalThis as unknown as Pushed).standing.values()].map(({ title, body, tag }) => [title, body, tag]),
      ),
    /** Whether the worker knows of a window that somebody looks at. Chromium tells it a moment after it is so. */
    watched: () =>
      worker.evaluate(async () => {
        const { clients } = globalThis as unknown as ServiceWorkerGlobalScope
        const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
        return windows.some(({ visibilityState, focused }) => visibilityState === 'visible' && focused)
      }),
    /** Where clicks would have opened windows. */
    opened: () => worker.evaluate(() => (globalThis as unknown as Pushed).opened),
    /** How often the icon of the installed app was marked. */
    marks: () => worker.evaluate(() => (globalThis as unknown as Pushed).marks),
    /** Somebody clicks the notification of this tag. The event is ours, so the window comes to no front. */
    click: (tag: string) =>
      worker.evaluate((tag) => {
        const scope = globalThis as unknown as Pushed
        const { data } = scope.standing.get(tag)!
        const notification = { tag, data, close: () => scope.standing.delete(tag) }
        const click = new ExtendableEvent('notificationclick')
        scope.dispatchEvent(Object.defineProperty(click, 'notification', { value: notification }))
      }, tag),
  }
}

/** What the worker did, kept where the test can ask for it. */
type Pushed = ServiceWorkerGlobalScope & {
  opened: string[]
  marks: number
  heard: number
  /** The notifications that stand, by what the next one takes their place. */
  standing: Map<string, { title: string; body: string; tag: string; data: unknown }>
}

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
  // A window opens only for a finger, and the icon belongs to an app that is installed: neither is here.
  await worker.evaluate(() => {
    const scope = globalThis as unknown as ServiceWorkerGlobalScope & { opened: string[]; marks: number }
    scope.opened = []
    scope.marks = 0
    Object.defineProperty(scope.clients, 'openWindow', {
      value: (path: string) => Promise.resolve(void scope.opened.push(path)),
    })
    Object.defineProperty(scope.navigator, 'setAppBadge', { value: () => Promise.resolve(void scope.marks++) })
  })
  return {
    deliver: (payload: Record<string, unknown>) =>
      cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(payload) }),
    /** The notifications that stand: title, text, and by what the next one takes their place. */
    shown: () =>
      worker.evaluate(async () => {
        const { registration } = globalThis as unknown as ServiceWorkerGlobalScope
        return (await registration.getNotifications()).map(({ title, body, tag }) => [title, body, tag])
      }),
    /** Where clicks would have opened windows. */
    opened: () => worker.evaluate(() => (globalThis as unknown as { opened: string[] }).opened),
    /** How often the icon of the installed app was marked. */
    marks: () => worker.evaluate(() => (globalThis as unknown as { marks: number }).marks),
    /** Somebody clicks the notification of this tag. The event is ours, so the window comes to no front. */
    click: (tag: string) =>
      worker.evaluate(async (tag) => {
        const scope = globalThis as unknown as ServiceWorkerGlobalScope
        const [notification] = await scope.registration.getNotifications({ tag })
        scope.dispatchEvent(new NotificationEvent('notificationclick', { notification: notification! }))
      }, tag),
  }
}

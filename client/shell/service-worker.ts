/// <reference lib="webworker" />
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { OUR_NAME } from '../../schema/companies/product-name.ts'
import { serverPrefixes } from '../../schema/server-paths.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] }

// The server writes the operator's icon into the manifest, so it is asked for.
precacheAndRoute(
  self.__WB_MANIFEST.filter(
    (entry) => !(typeof entry === 'string' ? entry : entry.url).endsWith('manifest.webmanifest'),
  ),
)
cleanupOutdatedCaches()

// Every screen is one page. What is always the server's is left alone; calls to /tickets and the like are
// no navigations, so they never come here.
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/index.html'), {
    denylist: serverPrefixes.always.map((prefix) => new RegExp(`^${prefix}([/?]|$)`)),
  }),
)

// A new version waits until the person agrees: it must not pull scripts from under an open conversation.
self.addEventListener('message', (event) => {
  if ((event.data as { type?: unknown } | null)?.type === 'SKIP_WAITING') void self.skipWaiting()
})

/** A message for somebody who has the app closed; the newest of a conversation takes the place of the one before. */
self.addEventListener('push', (event) => event.waitUntil(notify(event.data)))

async function notify(data: PushMessageData | null): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  // Who sees the app sees the message.
  if (windows.some((window) => window.visibilityState === 'visible' && window.focused)) return
  // What cannot be read is told as well: a push that shows nothing costs the permission.
  const { path, tag, title, body } = pushed(data) ?? { path: '/tickets', tag: '', title: await productName(), body: '' }
  // How many there are the app says when it is opened; until then, that there are some.
  if ('setAppBadge' in self.navigator) await self.navigator.setAppBadge().catch(() => undefined)
  await self.registration.showNotification(title, {
    body,
    tag,
    // The newest one is heard, too.
    ...({ renotify: true } as NotificationOptions),
    icon: '/icons/icon-192.png',
    badge: '/icons/icon-192.png',
    data: { path },
  })
}

function pushed(data: PushMessageData | null): { path: string; tag: string; title: string; body: string } | undefined {
  try {
    const { ticket, chat, invoices, costs, connections, title, body } = (data?.json() ?? {}) as Record<string, unknown>
    if (invoices === true && typeof title === 'string' && typeof body === 'string')
      return { path: '/financeiro', tag: 'invoices', title, body }
    if (costs === true && typeof title === 'string' && typeof body === 'string')
      return { path: '/', tag: 'costs', title, body }
    if (connections === true && typeof title === 'string' && typeof body === 'string')
      return { path: '/connections', tag: 'connections', title, body }
    const uuid = ticket ?? chat
    if (
      typeof uuid === 'string' &&
      typeof title === 'string' &&
      typeof body === 'string' &&
      /^[0-9a-f-]{36}$/.test(uuid)
    )
      return { path: `/${ticket ? 'tickets' : 'chats'}/${uuid}`, tag: uuid, title, body }
  } catch {
    // Nothing of ours.
  }
  return undefined
}

/** What the product is called; the page's own memory of it is not to be seen from here. */
async function productName(): Promise<string> {
  try {
    const answer = await fetch('/branding', { signal: AbortSignal.timeout(10_000) })
    const { product } = (await answer.json()) as { product?: unknown }
    if (typeof product === 'string' && product) return product
  } catch {
    // It cannot be asked now.
  }
  return OUR_NAME
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { path } = event.notification.data as { path: string }
  event.waitUntil(open(path))
})

/** In the window that is there, without loading it again: something may be half written in it. */
async function open(path: string): Promise<void> {
  const [window] = await self.clients.matchAll({ type: 'window' })
  if (!window) {
    await self.clients.openWindow(path)
    return
  }
  window.postMessage({ type: 'OPEN', path })
  await window.focus()
}

// The first visit is served offline at once, without a second load.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

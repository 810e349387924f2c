/**
 * A notice of the system, while nobody looks at the page and where the person allowed it. The service worker shows it, so
 * that it opens what it is about also when the app was closed meanwhile.
 *
 * @param tag what it is about: the next one of the same replaces it, and several tabs make one
 * @param path where it leads
 */
export function notify(title: string, body: string, tag: string, path: string): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return
  if (document.visibilityState === 'visible') return
  const options = { body, tag, icon: '/icons/icon-192.png', silent: true, data: { path } }
  void navigator.serviceWorker
    ?.getRegistration()
    .then((registration) => registration?.showNotification(title, options))
    .catch(() => undefined)
}

import { session } from '../app/session-store.ts'

const shown = new Set<Notification>()
// Who comes next at this computer is not to read them.
session.onEnd(() => {
  for (const notice of [...shown]) notice.close()
})

/**
 * A notice of the browser, while nobody looks at the page and where the person allowed it.
 *
 * @param tag what it is about: the next one of the same replaces it, and several tabs make one
 */
export function notify(title: string, body: string, tag: string, onClick: () => void): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return
  if (document.visibilityState === 'visible') return
  try {
    const notice = new Notification(title, { body, tag, icon: '/icons/icon-192.png', silent: true })
    shown.add(notice)
    notice.onclose = () => void shown.delete(notice)
    notice.onclick = () => {
      window.focus()
      notice.close()
      onClick()
    }
  } catch {
    // Phones leave notices to the service worker, and thereby to web push.
  }
}

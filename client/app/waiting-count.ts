import { setTitleCount } from '../ui/page.tsx'

const counts = { tickets: 0, chats: 0 }

/**
 * How many conversations of a kind wait for the person. The icon of the installed app shows all of them, where the system
 * shows such counts; the browser tab shows the tickets.
 */
export function setWaitingCount(kind: keyof typeof counts, count: number): void {
  counts[kind] = count
  if (kind === 'tickets') setTitleCount(count)
  const all = counts.tickets + counts.chats
  if ('setAppBadge' in navigator)
    void (all > 0 ? navigator.setAppBadge(all) : navigator.clearAppBadge()).catch(() => undefined)
}

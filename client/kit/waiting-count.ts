import { useEffect } from 'react'
import { setTitleCount } from '../ui/page.tsx'
import { afterPaint } from '../base/after-paint.ts'

const counts = { tickets: 0, chats: 0 }

/**
 * Says how many conversations of a kind wait for the person. The icon of the installed app shows all of them, where the
 * system shows such counts; the browser tab shows the tickets.
 */
export function useWaitingCount(kind: keyof typeof counts, count: number): void {
  // Not in the frame of the message that changed it.
  useEffect(() => afterPaint(() => setWaitingCount(kind, count)), [kind, count])
  useEffect(() => () => setWaitingCount(kind, 0), [kind])
}

function setWaitingCount(kind: keyof typeof counts, count: number): void {
  counts[kind] = count
  if (kind === 'tickets') setTitleCount(count)
  if (!('setAppBadge' in navigator)) return
  clearTimeout(timer)
  timer = setTimeout(updateBadge, settlesMs)
}

/** A message that is read as it arrives is counted and uncounted at once, and each word to the system costs time. */
const settlesMs = 300
let timer: ReturnType<typeof setTimeout> | undefined

function updateBadge(): void {
  const all = counts.tickets + counts.chats
  void (all > 0 ? navigator.setAppBadge(all) : navigator.clearAppBadge()).catch(() => undefined)
}

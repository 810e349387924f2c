import { useCallback, useEffect, useRef, useState } from 'react'
import { useReplica } from '../app/replica.tsx'
import { session } from '../app/session-store.ts'

/** Kept on this machine after so short a pause, in case the tab ends. */
const pauseMs = 400

/** What was begun in each chat in this tab: going back to one shows it in the first frame. */
const begun = new Map<number, string>()
/** What of it is on the machine, as far as this tab knows. */
const kept = new Map<number, string>()
session.onEnd(() => {
  begun.clear()
  kept.clear()
})

/**
 * The text being written in a chat: kept over reloads on this machine, until it is sent or the person logs out. For one
 * chat in its life.
 */
export function useChatDraft(
  chatId: number,
): [text: string, setText: (next: string | ((now: string) => string)) => void] {
  const replica = useReplica()
  const [text, show] = useState(() => begun.get(chatId) ?? '')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const keep = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = undefined
    const now = begun.get(chatId)
    if (now === undefined) return
    void replica.drafts
      .set({ chatId }, now)
      .then(() => kept.set(chatId, now))
      .catch(() => undefined)
  }, [replica, chatId])
  const setText = useCallback(
    (next: string | ((now: string) => string)) => {
      const value = typeof next === 'function' ? next(begun.get(chatId) ?? '') : next
      begun.set(chatId, value)
      show(value)
      clearTimeout(timer.current)
      // A sent text must not come back as a draft.
      if (value === '') keep()
      else timer.current = setTimeout(keep, pauseMs)
    },
    [chatId, keep],
  )

  useEffect(() => {
    let left = false
    void replica.drafts.get({ chatId }).then(
      (stored) => {
        // Whoever has begun anew meanwhile is not disturbed. What was kept may have gone since: sent in another tab, or
        // with the chat, into which somebody has taken them again.
        if (left || begun.get(chatId) !== kept.get(chatId)) return
        begun.set(chatId, stored)
        kept.set(chatId, stored)
        show(stored)
      },
      () => undefined,
    )
    const flush = () => {
      if (timer.current !== undefined) keep()
    }
    document.addEventListener('visibilitychange', flush)
    return () => {
      left = true
      document.removeEventListener('visibilitychange', flush)
      flush()
    }
  }, [replica, chatId, keep])

  return [text, setText]
}

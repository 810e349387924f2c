import { useCallback, useEffect, useRef } from 'react'
import { emitEvent } from '../session/events.ts'

/** The contact sees "typing" for a while after each of these. */
const typingEveryMs = 4000
const typingPauseMs = 6000

/** Lets the contact see that somebody is typing. */
export function useTyping(ticketId: number) {
  const state = useRef({ sentAt: 0, timer: undefined as ReturnType<typeof setTimeout> | undefined })
  const stop = useCallback(() => {
    clearTimeout(state.current.timer)
    if (state.current.sentAt === 0) return
    state.current.sentAt = 0
    emitEvent('typing', { ticketId, state: 'paused' })
  }, [ticketId])
  const go = useCallback(() => {
    const now = Date.now()
    if (now - state.current.sentAt > typingEveryMs && emitEvent('typing', { ticketId, state: 'composing' }))
      state.current.sentAt = now
    clearTimeout(state.current.timer)
    state.current.timer = setTimeout(stop, typingPauseMs)
  }, [ticketId, stop])
  useEffect(() => stop, [stop])
  return { go, stop }
}

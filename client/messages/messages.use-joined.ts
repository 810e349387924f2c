import { useEffect } from 'react'
import { emitEvent, onConnect } from '../session/events.ts'
import { afterPaint } from '../base/after-paint.ts'

/** Tells the server that this conversation is being looked at, so that its typing and news are sent here. */
export function useJoined(ticketId: number): void {
  useEffect(() => {
    let joined = false
    const join = () => {
      joined = true
      emitEvent('joinChatBox', ticketId)
    }
    // The conversation comes first: React runs the effects of a click before its frame.
    const callOff = afterPaint(join)
    const stop = onConnect(join)
    return () => {
      callOff()
      stop()
      if (joined) afterPaint(() => emitEvent('leaveChatBox', ticketId))
    }
  }, [ticketId])
}

import { useEffect, useMemo, useState } from 'react'
import type { FoundMessage } from '../../sync/client/replica.types.ts'
import { api } from '../session/api.ts'
import { useReplica } from '../replica/replica.tsx'
import { useOnline } from '../replica/use-online.ts'

const none: readonly FoundMessage[] = []

/**
 * The newest message of each ticket, or all of one ticket, in which a text stands, as the replica finds them; none until it
 * has. Texts of fewer than three letters are not looked for.
 */
export function useFoundMessages(text: string, ticketId?: number): readonly FoundMessage[] {
  const replica = useReplica()
  const [found, setFound] = useState<{ text: string; messages: readonly FoundMessage[] }>({ text: '', messages: none })
  useEffect(() => {
    let left = false
    // Without a text to look for, the replica makes ready for one.
    const wanted = text.length < 3 ? '' : text
    replica.search(wanted, ticketId).then(
      (messages) => !left && wanted !== '' && setFound({ text, messages }),
      () => undefined,
    )
    return () => {
      left = true
    }
  }, [replica, text, ticketId])
  return found.text === text ? found.messages : none
}

/**
 * All messages of a ticket in which a text stands, the newest first: those of this browser at once, and those that only
 * the server has when it has answered.
 */
export function usePlacesIn(ticketId: number, text: string): { places: readonly FoundMessage[]; isAsking: boolean } {
  const here = useFoundMessages(text, ticketId)
  const online = useOnline()
  const [answer, setAnswer] = useState<{ text: string; places: readonly FoundMessage[] }>({ text: '', places: none })
  const isWanted = text.length >= 3 && online
  useEffect(() => {
    if (!isWanted) return
    const controller = new AbortController()
    api
      .get<{ found: { messageId: string; body: string; at: string }[] }>(`/messages/search/${ticketId}`, {
        query: { searchParam: text },
        signal: controller.signal,
      })
      .then(
        ({ found }) => setAnswer({ text, places: found.map((one) => ({ ...one, ticketId, at: Date.parse(one.at) })) }),
        // What is here is still found.
        () => !controller.signal.aborted && setAnswer({ text, places: none }),
      )
    return () => controller.abort()
  }, [isWanted, text, ticketId])
  const far = answer.text === text ? answer.places : none
  const places = useMemo(() => {
    const known = new Set(here.map(({ messageId }) => messageId))
    const more = far.filter(({ messageId }) => !known.has(messageId))
    return more.length === 0 ? here : [...here, ...more].toSorted((a, b) => b.at - a.at)
  }, [here, far])
  return { places, isAsking: isWanted && answer.text !== text }
}

/** The same as ids of tickets. */
export function useFoundByMessage(text: string): readonly number[] {
  const messages = useFoundMessages(text)
  return useMemo(() => messages.map(({ ticketId }) => ticketId), [messages])
}

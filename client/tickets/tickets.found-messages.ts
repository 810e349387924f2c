import { useEffect, useMemo, useState } from 'react'
import type { FoundMessage } from '../../sync/client/replica.types.ts'
import { useReplica } from '../app/replica.tsx'

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

/** The same as ids of tickets. */
export function useFoundByMessage(text: string): readonly number[] {
  const messages = useFoundMessages(text)
  return useMemo(() => messages.map(({ ticketId }) => ticketId), [messages])
}

import { useEffect, useState } from 'react'
import { useReplica } from '../app/replica.tsx'

const none: readonly number[] = []

/** Ids of the tickets in whose messages a text stands, as the replica finds them; none until it has. Texts of fewer than three letters are not looked for. */
export function useFoundByMessage(text: string): readonly number[] {
  const replica = useReplica()
  const [found, setFound] = useState<{ text: string; ids: readonly number[] }>({ text: '', ids: none })
  useEffect(() => {
    let left = false
    // Without a text to look for, the replica makes ready for one.
    const wanted = text.length < 3 ? '' : text
    replica.search(wanted).then(
      (ids) => !left && wanted !== '' && setFound({ text, ids }),
      () => undefined,
    )
    return () => {
      left = true
    }
  }, [replica, text])
  return found.text === text ? found.ids : none
}

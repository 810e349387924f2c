import { useEffect, useState } from 'react'
import { api } from '../session/api.ts'
import { useReplica } from '../replica/replica.tsx'
import { session } from '../session/session-store.ts'
import { nameOfNumber } from '../contacts/contacts.rows.ts'

/** A card that is only scrolled past is not looked up, ms. */
const scrolledPastMs = 1500

/** Answers of this session: a card is drawn many times. */
const answers = new Map<string, string | null>()
session.onEnd(() => answers.clear())

/**
 * The name under which the company knows a number, in this browser or at the server. Looking up creates nobody.
 *
 * @returns null: nobody; undefined: not known yet
 */
export function useKnownContact(digits: string, pauseMs = scrolledPastMs): string | null | undefined {
  const replica = useReplica()
  const [found, setFound] = useState(() => answers.get(digits))
  useEffect(() => {
    if (answers.has(digits) || digits.length < 8) return
    const controller = new AbortController()
    const look = async () => {
      const here = await nameOfNumber(replica, digits)
      if (here !== undefined) return here
      const { contacts } = await api.get<{ contacts: { name: string; number: string | null }[] }>('/contacts', {
        query: { searchParam: digits },
        signal: controller.signal,
      })
      return contacts.find(({ number }) => number === digits)?.name ?? null
    }
    const timer = setTimeout(() => {
      look().then(
        (name) => {
          answers.set(digits, name)
          if (!controller.signal.aborted) setFound(name)
        },
        // Without a network nothing is said; the next time it is drawn asks again.
        () => undefined,
      )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [replica, digits, pauseMs])
  return found
}

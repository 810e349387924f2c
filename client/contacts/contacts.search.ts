import { useEffect, useState } from 'react'
import { api } from '../app/api.ts'
import { useLive } from '../app/replica.tsx'
import { useSettled } from '../app/resource.ts'

export interface FoundContact {
  id: number
  name: string
  number: string | null
}

/** Contacts are searched from this many characters on. */
export const searchFrom = 3
const searchPauseMs = 500
const nobody: readonly FoundContact[] = []

/** Contacts that match what is typed, once it rests: the server's, and without it those of this computer. */
export function useContactSearch(query: string): { found: readonly FoundContact[]; searching: boolean } {
  const settled = useSettled(query.trim().toLowerCase(), searchPauseMs)
  const wanted = settled.length >= searchFrom
  const [answer, setAnswer] = useState<{ query: string; found: readonly FoundContact[] | null }>({
    query: '',
    found: nobody,
  })
  useEffect(() => {
    if (!wanted) return
    const controller = new AbortController()
    api
      .get<{ contacts: FoundContact[] }>('/contacts', { query: { searchParam: settled }, signal: controller.signal })
      .then(
        ({ contacts }) => setAnswer({ query: settled, found: contacts }),
        () => !controller.signal.aborted && setAnswer({ query: settled, found: null }),
      )
    return () => controller.abort()
  }, [settled, wanted])
  const answered = answer.query === settled
  const copy = useLive<FoundContact>(
    `SELECT id, name, number FROM contacts WHERE strpos(lower(name), $1) > 0 OR strpos(number, $1) > 0
    ORDER BY name, id LIMIT 30`,
    [settled],
    ['contacts'],
    { enabled: wanted && answered && answer.found === null },
  )
  const typing = query.trim().length >= searchFrom && query.trim().toLowerCase() !== settled
  return {
    found: wanted && answered ? (answer.found ?? copy.rows) : nobody,
    searching: typing || (wanted && (!answered || (answer.found === null && copy.loading))),
  }
}

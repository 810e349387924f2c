import { useFetched } from '../session/fetched.ts'
import { useRows } from '../replica/live-rows.ts'
import { useSettled } from '../base/use-settled.ts'
import type { Rows } from '../replica/rows.ts'

export interface FoundContact {
  id: number
  name: string
  number: string | null
}

/** Contacts are searched from this many characters on. */
export const searchFrom = 3
const searchPauseMs = 500
const nobody: readonly FoundContact[] = []

const copyOf = (search: string): Rows<FoundContact> => ({
  query: {
    sql: `SELECT id, name, number FROM contacts WHERE strpos(lower(name), $1) > 0 OR strpos(number, $1) > 0
    ORDER BY name, id LIMIT 30`,
    params: [search],
    tables: ['contacts'],
  },
  keyOf: ({ id }) => id,
})

/** Contacts that match what is typed, once it rests: the server's, and without it those of this computer. */
export function useContactSearch(query: string): { found: readonly FoundContact[]; searching: boolean } {
  const settled = useSettled(query.trim().toLowerCase(), searchPauseMs)
  const wanted = settled.length >= searchFrom
  const { data, error } = useFetched<{ contacts: FoundContact[] }>(wanted ? '/contacts' : null, {
    searchParam: settled,
  })
  const copied = wanted && !data && error !== null
  const copy = useRows(copied ? copyOf(settled) : null)
  const typing = query.trim().length >= searchFrom && query.trim().toLowerCase() !== settled
  return {
    found: data?.contacts ?? copy.rows ?? nobody,
    searching: typing || (wanted && !data && !(copied && (copy.rows || copy.error))),
  }
}

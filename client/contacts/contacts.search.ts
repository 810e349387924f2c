import { useFetched } from '../session/fetched.ts'
import { useRows } from '../replica/live-rows.ts'
import { useSettled } from '../base/use-settled.ts'
import { contactsToChoose, type FoundContact } from './contacts.rows.ts'

/** Contacts are searched from this many characters on. */
export const searchFrom = 3
const searchPauseMs = 500
const nobody: readonly FoundContact[] = []

/** Contacts that match what is typed, once it rests: the server's, and without it those of this computer. */
export function useContactSearch(query: string): { found: readonly FoundContact[]; searching: boolean } {
  const settled = useSettled(query.trim().toLowerCase(), searchPauseMs)
  const wanted = settled.length >= searchFrom
  const { data, error } = useFetched<{ contacts: FoundContact[] }>(wanted ? '/contacts' : null, {
    searchParam: settled,
  })
  const copied = wanted && !data && error !== null
  const copy = useRows(copied ? contactsToChoose(settled) : null)
  const typing = query.trim().length >= searchFrom && query.trim().toLowerCase() !== settled
  return {
    found: data?.contacts ?? copy.rows ?? nobody,
    searching: typing || (wanted && !data && !(copied && (copy.rows || copy.error))),
  }
}

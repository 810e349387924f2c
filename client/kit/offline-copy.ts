import { useRef } from 'react'
import type { ListSource } from './data-list.tsx'
import { useRows } from '../replica/live-rows.ts'
import type { Rows } from '../replica/rows.ts'

/**
 * A list of the server and, while the server cannot be reached and nothing of it has been seen, the same list out of
 * this computer's replica.
 * @param copied its `read` says what each field is here that only the server knows
 */
export function useWithOfflineCopy<Row extends object>(list: ListSource<Row>, copied: Rows<Row>): ListSource<Row> {
  const away = useRef(false)
  if (list.error) away.current = list.error.status === 0 || list.error.code === 'ERR_UNAVAILABLE'
  // While it is asked again, there is no error, and the copy stays in sight.
  else if (!list.loading) away.current = false
  const unreachable = away.current
  const wanted = unreachable && list.data === undefined
  const copy = useRows(wanted ? copied : null)
  if (!unreachable) return list
  if (list.data) return { ...list, offline: true }
  if (copy.error) return list
  return { ...list, data: copy.rows, loading: copy.rows === undefined, hasMore: false, offline: true }
}

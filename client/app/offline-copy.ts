import type { LiveQuery } from '../../sync/client/replica.types.ts'
import type { ListSource } from './data-list.tsx'
import { useLive } from './replica.tsx'

/**
 * A list of the server and, while the server cannot be reached and nothing of it has been seen, the same list out of
 * this computer's replica.
 */
export function useWithOfflineCopy<Row>(
  list: ListSource<Row>,
  sql: string,
  params: readonly unknown[],
  tables: LiveQuery['tables'],
): ListSource<Row> {
  const unreachable = list.error !== null && (list.error.status === 0 || list.error.code === 'ERR_UNAVAILABLE')
  const copy = useLive<Row>(sql, params, tables, { enabled: unreachable && list.data === undefined })
  if (!unreachable) return list
  if (list.data) return { ...list, offline: true }
  if (copy.error) return list
  // While it is asked again, the copy stays in sight.
  return { ...list, data: copy.loading ? undefined : copy.rows, loading: copy.loading, hasMore: false, offline: true }
}

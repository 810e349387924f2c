import type { TagInput } from '../../schema/tags/tags.inputs.ts'
import { api } from '../session/api.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { useWithOfflineCopy } from '../kit/offline-copy.ts'
import { usePages } from '../session/fetched.ts'
import { columnsOf, type RowOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'
import { useCompanyEvent } from '../session/use-event.ts'

const synced = columnsOf<'tags'>()({
  id: true,
  companyId: false,
  name: true,
  color: true,
  kanban: true,
  laneOrder: true,
  laneLimit: true,
  createdAt: false,
  updatedAt: false,
})
export interface Tag extends RowOf<typeof synced> {
  /** Unknown while the list is this computer's copy. */
  ticketsCount?: number
}

const copyOf = (search: string): Rows<Tag> => ({
  query: {
    sql: `SELECT ${synced.text()} FROM tags WHERE strpos(lower(name), $1) > 0 ORDER BY name`,
    params: [search],
    tables: ['tags'],
  },
  read: synced.read,
  keyOf: ({ id }) => id,
})

export function useTags(search: string): ListSource<Tag> {
  const list = usePages<Tag>('/tags', 'tags', search)
  useCompanyEvent('tag', list.reload)
  return useWithOfflineCopy(list, copyOf(search))
}

export const tags = {
  create: (input: TagInput) => api.post<Tag>('/tags', input),
  update: (id: number, input: TagInput) => api.put<Tag>(`/tags/${id}`, input),
  remove: (id: number) => api.delete(`/tags/${id}`),
}

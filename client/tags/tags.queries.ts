import type { TagInput } from '../../schema/tags/tags.inputs.ts'
import type { Tag as StoredTag } from '../../schema/tags/tags.table.ts'
import { api } from '../session/api.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { useWithOfflineCopy } from '../kit/offline-copy.ts'
import { usePages } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'

export interface Tag extends Pick<StoredTag, 'id' | 'name' | 'color' | 'kanban' | 'laneOrder' | 'laneLimit'> {
  /** Unknown while the list is this computer's copy. */
  ticketsCount?: number
}

export function useTags(search: string): ListSource<Tag> {
  const list = usePages<Tag>('/tags', 'tags', search)
  useCompanyEvent('tag', list.reload)
  return useWithOfflineCopy(
    list,
    `SELECT id, name, color, kanban, "laneOrder", "laneLimit" FROM tags
    WHERE strpos(lower(name), $1) > 0 ORDER BY name`,
    [search],
    ['tags'],
  )
}

export const tags = {
  create: (input: TagInput) => api.post<Tag>('/tags', input),
  update: (id: number, input: TagInput) => api.put<Tag>(`/tags/${id}`, input),
  remove: (id: number) => api.delete(`/tags/${id}`),
}

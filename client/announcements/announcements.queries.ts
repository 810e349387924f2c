import { usePages } from '../app/fetched.ts'
import type { Pages } from '../app/fetched.ts'
import { useCompanyEvent } from '../app/use-event.ts'

export interface Announcement {
  id: number
  title: string
  text: string
  /** 1 high, 2 medium, 3 low. */
  priority: 1 | 2 | 3
  mediaPath: string | null
  mediaName: string | null
  createdAt: string
}

/** What the operator tells everybody, newest first. */
export function useAnnouncements(): Pages<Announcement> {
  const list = usePages<Announcement>('/announcements', 'records', '')
  useCompanyEvent('announcement', list.reload)
  return list
}

/** When the newest of them was made, ms; 0 without any. */
export const newestOf = (announcements: readonly Pick<Announcement, 'createdAt'>[]): number =>
  Math.max(0, ...announcements.map(({ createdAt }) => Date.parse(createdAt)))

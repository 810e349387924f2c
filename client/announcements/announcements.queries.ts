import { useEffect } from 'react'
import { shownSince } from '../../schema/announcements/announcements.audience.ts'
import type { AnnouncementInput } from '../../schema/announcements/announcements.inputs.ts'
import { api } from '../session/api.ts'
import { ownFile } from '../session/own-file.ts'
import { usePages } from '../session/fetched.ts'
import type { Pages } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'

export interface Announcement {
  id: number
  title: string
  text: string
  /** 1 high, 2 medium, 3 low. */
  priority: 1 | 2 | 3
  mediaPath: string | null
  mediaName: string | null
  createdAt: string
  startsAt: string | null
}

/** What begins or ends by its time is told by nobody, ms. */
const lookAgainMs = 600_000

/** What the operator tells the user, the most urgent first. */
export function useAnnouncements(): Pages<Announcement> {
  const list = usePages<Announcement>('/announcements/list', 'records', '')
  const { reload } = list
  useCompanyEvent('announcement', reload)
  useEffect(() => {
    const timer = setInterval(reload, lookAgainMs)
    return () => clearInterval(timer)
  }, [reload])
  return list
}

/** One as the operator sees it. */
export type WrittenAnnouncement = Announcement &
  AnnouncementInput & {
    /** It tells of a visit: it stays as it is. */
    isVisit: boolean
  }

export function useWrittenAnnouncements(search: string): Pages<WrittenAnnouncement> {
  const list = usePages<WrittenAnnouncement>('/announcements', 'records', search)
  useCompanyEvent('announcement', list.reload)
  return list
}

export const announcements = {
  create: (input: AnnouncementInput) => api.post<WrittenAnnouncement>('/announcements', input),
  update: (id: number, input: AnnouncementInput) => api.put<WrittenAnnouncement>(`/announcements/${id}`, input),
  remove: (id: number) => api.delete(`/announcements/${id}`),
  ...ownFile<WrittenAnnouncement>('/announcements'),
}

/** Since when the newest of them is told, ms; 0 without any. */
export const newestOf = (announcements: readonly Pick<Announcement, 'createdAt' | 'startsAt'>[]): number =>
  Math.max(0, ...announcements.map(shownSince))

import type { Profile } from '../../schema/users/users.table.ts'
import { api } from '../app/api.ts'
import type { ListSource } from '../app/data-list.tsx'
import { useWithOfflineCopy } from '../app/offline-copy.ts'
import { usePages } from '../app/resource.ts'
import { useCompanyEvent } from '../app/use-event.ts'

export interface User {
  id: number
  name: string
  email: string
  profile: Profile
  /** The spelling of `desabled` is the wire's. */
  allTicket: 'enabled' | 'desabled'
  whatsappId: number | null
  queues: { id: number; name: string; color: string }[]
}

export interface UserInput {
  name: string
  email: string
  /** Left out when it stays as it is. */
  password?: string
  profile: Profile
  allTicket: User['allTicket']
  whatsappId: number | null
  queueIds: number[]
}

export function useUsers(search: string): ListSource<User> {
  const list = usePages<User>('/users', 'users', search)
  useCompanyEvent('user', list.reload)
  return useWithOfflineCopy(
    list,
    `SELECT u.id, u.name, '' AS email, u.profile, 'desabled' AS "allTicket", u."whatsappId", COALESCE((
      SELECT json_agg(json_build_object('id', q.id, 'name', q.name, 'color', q.color) ORDER BY q.name)
      FROM user_queues uq JOIN queues q ON q.id = uq."queueId" WHERE uq."userId" = u.id
    ), '[]') AS queues
    FROM users u WHERE strpos(lower(u.name), $1) > 0 ORDER BY u.name`,
    [search],
    ['users', 'user_queues', 'queues'],
  )
}

export const users = {
  create: (input: UserInput) => api.post<User>('/users', input),
  update: (id: number, input: UserInput) => api.put<User>(`/users/${id}`, input),
  remove: (id: number) => api.delete(`/users/${id}`),
}

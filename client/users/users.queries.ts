import type { Invitation } from '../kit/invitation.tsx'
import { useMemo } from 'react'
import type { UserInput } from '../../schema/users/users.inputs.ts'
import type { User as StoredUser } from '../../schema/users/users.table.ts'
import { userWire } from '../../schema/wire.ts'
import { api } from '../session/api.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { useWithOfflineCopy } from '../kit/offline-copy.ts'
import { usePages } from '../session/fetched.ts'
import { someOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'
import { useCompanyEvent } from '../session/use-event.ts'

export interface User
  extends Pick<
    StoredUser,
    'id' | 'name' | 'email' | 'profile' | 'roleId' | 'allTicket' | 'whatsappId' | 'capacity' | 'skillIds'
  > {
  queues: { id: number; name: string; color: string }[]
  /** Whether their logins need a code; told to admins. */
  twoFactor?: boolean
  /** Whether the company's provider knows them; told to admins. */
  providerLinked?: boolean
  /** Whether they have not come in yet, nor chosen a password; told to admins. */
  invited?: boolean
}

const synced = someOf<'users'>()({ id: true, name: true, profile: true, whatsappId: true })
const copyOf = (search: string): Rows<User> => ({
  query: {
    sql: `SELECT ${synced.text('u')}, COALESCE((
      SELECT json_agg(json_build_object('id', q.id, 'name', q.name, 'color', q.color) ORDER BY q.name)
      FROM user_queues uq JOIN queues q ON q.id = uq."queueId" WHERE uq."userId" = u.id
    ), '[]') AS queues
    FROM users u WHERE strpos(lower(u.name), $1) > 0 ORDER BY u.name`,
    params: [search],
    tables: ['users', 'user_queues', 'queues'],
  },
  read: (raw) => ({
    ...synced.read(raw),
    ...{
      email: '',
      roleId: null,
      allTicket: false,
      capacity: null,
      skillIds: [],
      queues: raw['queues'] as User['queues'],
    },
  }),
  keyOf: ({ id }) => id,
})

type Told = ReturnType<typeof userWire.write<User>>
const { read, write } = userWire

/** `saved` shows what was saved at once: whoever opens it again before the list has come must not save over it. */
export function useUsers(search: string): ListSource<User> & { saved: (user: User | null) => void } {
  const list = usePages<Told>('/users', 'users', search)
  useCompanyEvent('user', list.reload)
  const data = useMemo(() => list.data?.map(read), [list.data])
  const source = useWithOfflineCopy({ ...list, data }, copyOf(search))
  const saved = (user: User | null) => {
    if (user) list.patch((rows) => rows.map((row) => (row.id === user.id ? { ...row, ...write(user) } : row)))
    list.reload()
  }
  return { ...source, saved }
}

export const users = {
  /** With the invitation of who has no password yet, which is told this once. */
  create: async (input: UserInput) => {
    const { invitation, ...rest } = await api.post<Told & { invitation?: Invitation }>('/users', write(input))
    return { user: read(rest as Told), invitation }
  },
  update: async (id: number, input: UserInput) => read(await api.put<Told>(`/users/${id}`, write(input))),
  remove: (id: number) => api.delete(`/users/${id}`),
  /** The same person, a new code; those before open nothing. */
  inviteAgain: async (id: number) => (await api.post<{ invitation: Invitation }>(`/users/${id}/invitation`)).invitation,
  /** For who has lost their phone and their codes. */
  forgetTwoFactor: (id: number) => api.delete(`/users/${id}/2fa`),
  unlinkProvider: (id: number) => api.delete(`/users/${id}/provider`),
}

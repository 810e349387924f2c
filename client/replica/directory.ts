import { useMemo } from 'react'
import type { Queue } from '../../schema/queues/queues.table.ts'
import type { Tag } from '../../schema/tags/tags.table.ts'
import type { User } from '../../schema/users/users.table.ts'
import type { Whatsapp } from '../../schema/whatsapps/whatsapps.table.ts'
import { useRows } from './live-rows.ts'
import type { Rows } from './rows.ts'

/** What tickets refer to by id. Small tables that hardly change: each is one shared query, and lists need no joins. */
export type QueueRow = Pick<Queue, 'id' | 'name' | 'color'>
export type UserRow = Pick<User, 'id' | 'name' | 'profile' | 'online'>
export type TagRow = Pick<Tag, 'id' | 'name' | 'color' | 'kanban' | 'laneOrder' | 'laneLimit'>
/** What a connection offers is asked with `offersOf(provider)`. */
export type ConnectionRow = Pick<Whatsapp, 'id' | 'name' | 'status' | 'provider' | 'isDefault'>

const asIs = <Row>(raw: Record<string, unknown>) => raw as Row
const table = <Row extends { id: number }>(name: string, columns: string, order: string): Rows<Row> => ({
  query: { sql: `SELECT ${columns} FROM ${name} ORDER BY ${order}`, tables: [name], remember: name },
  read: asIs<Row>,
  keyOf: (row) => row.id,
})
const queues = table<QueueRow>('queues', 'id, name, color', '"orderQueue" NULLS LAST, name')
const users = table<UserRow>('users', 'id, name, profile, online', 'name')
const tags = table<TagRow>('tags', 'id, name, color, kanban, "laneOrder", "laneLimit"', 'name')
const connections = table<ConnectionRow>('whatsapps', 'id, name, status, provider, "isDefault"', 'name')

export interface Listed<Row> {
  list: readonly Row[]
  byId: ReadonlyMap<number, Row>
  /** Whether they have been read: an empty list may only say that there are none from then on. */
  isKnown: boolean
}

function useListed<Row extends { id: number }>(rows: Rows<Row>): Listed<Row> {
  const { rows: list } = useRows(rows)
  return useMemo(
    () => ({ list: list ?? noRows, byId: new Map(list?.map((row) => [row.id, row])), isKnown: list !== undefined }),
    [list],
  )
}
const noRows: readonly never[] = []

export const useQueues = () => useListed(queues)
export const useUsers = () => useListed(users)
export const useTags = () => useListed(tags)
export const useConnections = () => useListed(connections)

export interface Directory {
  queues: Listed<QueueRow>
  users: Listed<UserRow>
  tags: Listed<TagRow>
  connections: Listed<ConnectionRow>
}

/** All four at once, the same object while none of them changes. */
export function useDirectory(): Directory {
  const [q, u, t, c] = [useQueues(), useUsers(), useTags(), useConnections()]
  return useMemo(() => ({ queues: q, users: u, tags: t, connections: c }), [q, u, t, c])
}

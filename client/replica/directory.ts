import { useMemo } from 'react'
import { type Columns, msOrNull, or, type RowOf, someOf } from './columns.ts'
import { useRows } from './live-rows.ts'
import type { Rows } from './rows.ts'

/** What tickets refer to by id. Small tables that hardly change: each is one shared query, and lists need no joins. */
const queue = someOf<'queues'>()({
  ...{ id: true, name: true, color: true },
  // What was kept for the next start by an older client has none.
  ...{ assignment: or('manual'), whenAway: or('keep') },
})
const user = someOf<'users'>()({
  ...{ id: true, name: true, profile: true, online: true },
  ...{ awayAt: msOrNull, awayUntil: msOrNull },
})
const tag = someOf<'tags'>()({ id: true, name: true, color: true, kanban: true, laneOrder: true, laneLimit: true })
const connection = someOf<'whatsapps'>()({
  ...{ id: true, name: true, number: true, status: true, provider: true, isDefault: true },
})
export type QueueRow = RowOf<typeof queue>
export type UserRow = RowOf<typeof user>
export type TagRow = RowOf<typeof tag>
/** What a connection offers is asked with `offersOf(provider)`. */
export type ConnectionRow = RowOf<typeof connection>

const table = <Row extends { id: number }>(name: string, columns: Columns<Row>, order: string): Rows<Row> => ({
  query: { sql: `SELECT ${columns.text()} FROM ${name} ORDER BY ${order}`, tables: [name], remember: name },
  read: columns.read,
  keyOf: (row) => row.id,
})
const queues = table('queues', queue, '"orderQueue" NULLS LAST, name')
const users = table('users', user, 'name')
const tags = table('tags', tag, 'name')
const connections = table('whatsapps', connection, 'name')
/** What asks for each of them. */
export const directoryRows = { queues, users, tags, whatsapps: connections }

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

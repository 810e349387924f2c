import { type CommandRows, type CommandTable, type FactReader, notFound } from '../../schema/command.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Sql } from './statements.ts'
import { id, list, localTables } from './tables.ts'

/** What a decision was based on, so that it is made again when, and only when, one of these changes. */
export interface Touched {
  /** `table/id` of the rows read or written. */
  rows: Set<string>
  /** Tickets among whose messages was looked for unread ones, or for the last. */
  messagesOf: Set<string>
}

export const rowKey = (table: CommandTable, rowId: string | number) => `${table}/${rowId}`

/**
 * Reads a command's facts from the replica, which holds rows of the user's own company only. A row that is not in
 * the replica may exist all the same: what is old or out of scope stays on the server.
 */
export function localFacts(db: Pick<Sql, 'query'>, touched: Touched): FactReader {
  const get = async <T extends CommandTable>(table: T, rowId: string | number): Promise<CommandRows[T] | undefined> => {
    touched.rows.add(rowKey(table, rowId))
    const { name, columns } = localTables[table]
    const extra =
      table === 'users'
        ? `, ARRAY(SELECT "queueId" FROM "user_queues" q WHERE q."userId" = t."id" ORDER BY 1) AS "queueIds"`
        : ''
    const { rows } = await db.query<CommandRows[T]>(
      `SELECT ${list(columns, 't.')}${extra} FROM ${id(name)} t WHERE t."id" = $1`,
      [rowId],
    )
    return rows[0]
  }
  return {
    get,
    need: async (table, rowId) => {
      const row = await get(table, rowId)
      if (!row) throw new DomainError(notFound[table])
      return row
    },
    unreadMessages: async (ticketId) => {
      touched.messagesOf.add(String(ticketId))
      const { rows } = await db.query<{ id: string }>(
        'SELECT "id" FROM "messages" WHERE "ticketId" = $1 AND NOT "read" AND NOT "fromMe" ORDER BY "createdAt"',
        [ticketId],
      )
      return rows.map((row) => row.id)
    },
    lastMessage: async (ticketId) => {
      touched.messagesOf.add(String(ticketId))
      const { rows } = await db.query<{ id: string }>(
        'SELECT "id" FROM "messages" WHERE "ticketId" = $1 ORDER BY "createdAt" DESC, "id" DESC LIMIT 1',
        [ticketId],
      )
      return rows[0]?.id
    },
  }
}

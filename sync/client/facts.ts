import type { CommandRows, CommandTable, FactReader } from '../../schema/command.ts'
import type { CustomField } from '../../schema/custom-fields/custom-fields.table.ts'
import { notFound } from '../../schema/nouns.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Sql } from './statements.ts'
import { id, list, localTables } from './tables.ts'

/**
 * What a decision was based on and what it changed, so that it is made again when, and only when, one of these changes:
 * `table/id` of rows, and `messagesOf/id` of tickets among whose messages was looked for unread ones, or for the last.
 */
export type Touched = Set<string>

/** A row by name, among what a command has read or changed. */
export const rowKey = (table: CommandTable, rowId: string | number) => `${table}/${rowId}`
/** All messages of a ticket by name: a command that read them is decided again when one comes. */
export const messagesKey = (ticketId: unknown) => `messagesOf/${String(ticketId)}`

/** A row of a table as commands read it; of a user, the queues as well. `t` is the row. */
export const factColumns = (table: CommandTable): string =>
  `${list(localTables[table].columns, 't.')}${
    table === 'users'
      ? `, ARRAY(SELECT "queueId" FROM "user_queues" q WHERE q."userId" = t."id" ORDER BY 1) AS "queueIds"`
      : ''
  }`

/** The fields that are in use. They seldom change, and no command is decided again for it. */
export const fieldsInUse = async (db: Pick<Sql, 'query'>): Promise<CustomField[]> =>
  (
    await db.query<Record<string, unknown>>(
      `SELECT ${factColumns('customFields')} FROM ${id(localTables.customFields.name)} t WHERE t."archivedAt" IS NULL ORDER BY t."position", t."id"`,
    )
  ).rows as unknown as CustomField[]

/** The person's company: the replica holds no other. No command is decided again for its name or its clock. */
export async function ownCompany(db: Pick<Sql, 'query'>): ReturnType<FactReader['company']> {
  type Row = Awaited<ReturnType<FactReader['company']>>
  const [row] = (
    await db.query<Row & Record<string, unknown>>('SELECT "name", "timeZone", "language" FROM "companies"')
  ).rows
  // It has not come yet: what a command makes of it only the server knows.
  if (!row) throw new DomainError('ERR_NOT_FOUND')
  return row
}

/** A reader of facts by its ways of looking. */
export function reader(
  touched: Touched,
  look: {
    row(table: CommandTable, rowId: string | number): Promise<unknown>
    unread(ticketId: number): Promise<string[]>
    last(ticketId: number): Promise<string | undefined>
    fields(): Promise<CustomField[]>
    company: FactReader['company']
    /** Keys, as in `touched`, of what will be looked for. */
    ahead?(keys: readonly string[]): Promise<void>
  },
): FactReader {
  const get = async <T extends CommandTable>(table: T, rowId: string | number): Promise<CommandRows[T] | undefined> => {
    touched.add(rowKey(table, rowId))
    return (await look.row(table, rowId)) as CommandRows[T] | undefined
  }
  return {
    get,
    need: async (table, rowId) => {
      const row = await get(table, rowId)
      if (!row) throw new DomainError(notFound(table))
      return row
    },
    customFields: look.fields,
    company: look.company,
    ahead: async ({ unreadOf = [], ...tables }) => {
      await look.ahead?.([
        ...Object.entries(tables).flatMap(([table, ids]) => (ids ?? []).map((id) => rowKey(table as CommandTable, id))),
        ...unreadOf.map(messagesKey),
      ])
    },
    provider: async (whatsappId) => (await get('whatsapps', whatsappId))?.provider ?? undefined,
    unreadMessages: (ticketId) => {
      touched.add(messagesKey(ticketId))
      return look.unread(ticketId)
    },
    lastMessage: (ticketId) => {
      touched.add(messagesKey(ticketId))
      return look.last(ticketId)
    },
  }
}

/**
 * Reads a command's facts from the replica, which holds rows of the user's own company only. A row that is not in
 * the replica may exist all the same: what is old or out of scope stays on the server.
 */
export function localFacts(db: Pick<Sql, 'query'>, touched: Touched): FactReader {
  return reader(touched, {
    row: async (table, rowId) =>
      (await db.query(`SELECT ${factColumns(table)} FROM ${id(localTables[table].name)} t WHERE t."id" = $1`, [rowId]))
        .rows[0],
    unread: async (ticketId) => {
      const { rows } = await db.query<{ id: string }>(
        'SELECT "id" FROM "messages" WHERE "ticketId" = $1 AND NOT "read" AND NOT "fromMe" ORDER BY "createdAt"',
        [ticketId],
      )
      return rows.map((row) => row.id)
    },
    last: async (ticketId) => {
      const { rows } = await db.query<{ id: string }>(
        'SELECT "id" FROM "messages" WHERE "ticketId" = $1 ORDER BY "createdAt" DESC, "id" DESC LIMIT 1',
        [ticketId],
      )
      return rows[0]?.id
    },
    fields: () => fieldsInUse(db),
    company: () => ownCompany(db),
  })
}

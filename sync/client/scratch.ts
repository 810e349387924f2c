import type { CommandTable, FactReader, RowChange } from '../../schema/command.ts'
import { factColumns, fieldsInUse, messagesKey, ownCompany, reader, rowKey, type Touched } from './facts.ts'
import type { Sql } from './statements.ts'
import { id, type LocalTable, localTables } from './tables.ts'

type Row = Record<string, unknown>

/** What commands make of a row: all of it, some columns of the server's, or nothing at all. */
export interface Made {
  table: CommandTable
  rowId: string | number
  what: 'whole' | 'parts' | 'gone'
  /** By column; empty when it is gone. */
  values: Row
}

/** What a change makes of a row. @param exists whether the server has it; asked only where no command made it before */
export function madeBy(change: RowChange, rowId: string | number, before: Made | undefined, exists: boolean): Made {
  const { table } = change
  if (change.op === 'delete') return { table, rowId, what: 'gone', values: {} }
  const values: Row = {}
  for (const { name } of localTables[table].columns) {
    const value = (change.values as Row)[name]
    if (value !== undefined && name !== 'id') values[name] = value
  }
  if (change.op === 'insert') return { table, rowId, what: 'whole', values }
  // What is not there is not changed.
  if (before?.what === 'gone' || (!before && !exists)) return { table, rowId, what: 'gone', values: {} }
  return { table, rowId, what: before?.what ?? 'parts', values: { ...before?.values, ...values } }
}

export const idsOf = (change: RowChange): readonly (string | number)[] =>
  change.op === 'insert' ? [change.values.id] : change.ids

/** `id` in a list of ids: a table `k` of them. */
export const idList = (table: LocalTable): string => {
  const { type } = table.columns.find((c) => c.name === 'id')!
  return `(SELECT x::${type} AS "id" FROM json_array_elements_text($1::json) x) k`
}

/** What was read of the server's rows, until they change. */
export class Known {
  readonly rows = new Map<string, Row | undefined>()
  /** By ticket: its messages that nobody has read. */
  readonly unread = new Map<string, { id: string; createdAt: unknown }[]>()

  /** What this key stands for has changed. */
  forget(key: string): void {
    const [kind, rowId] = parts(key)
    if (kind === 'messagesOf') this.unread.delete(rowId)
    else this.rows.delete(key)
  }

  clear(): void {
    this.rows.clear()
    this.unread.clear()
  }
}

/**
 * The rows that waiting commands are decided over, in memory: the server's, read when they are first asked for, and
 * what the commands before have made of them. For one transaction, in which the server's rows do not change.
 */
export class Scratch {
  /** What the commands have made so far. */
  readonly made = new Map<string, Made>()
  /** Keys of messages in `made` that belong, or did, to a ticket. */
  readonly #messages = new Map<string, Set<string>>()
  #fields: ReturnType<typeof fieldsInUse> | undefined

  /** @param isHeld whether the server's version of the row lies in `base` */
  constructor(
    private readonly tx: Sql,
    private readonly known: Known,
    private readonly isHeld: (key: string) => boolean,
  ) {}

  /** Forgets what commands made, not what was read. */
  clear(): void {
    this.made.clear()
    this.#messages.clear()
  }

  /** Reads in one go what will be asked for. */
  async readAhead(keys: Iterable<string>): Promise<void> {
    const rows = new Map<string, { held: boolean; table: CommandTable; ids: string[] }>()
    const tickets: string[] = []
    for (const key of keys) {
      const [kind, rowId] = parts(key)
      if (kind === 'messagesOf') {
        if (!this.known.unread.has(rowId)) tickets.push(rowId)
        continue
      }
      if (this.known.rows.has(key)) continue
      const held = this.isHeld(key)
      const name = `${kind} ${held}`
      let group = rows.get(name)
      if (!group) rows.set(name, (group = { held, table: kind as CommandTable, ids: [] }))
      group.ids.push(rowId)
      this.known.rows.set(key, undefined)
    }
    for (const { held, table, ids } of rows.values()) {
      const from = `${held ? 'base.' : ''}${id(localTables[table].name)}`
      const { rows: found } = await this.tx.query<Row>(
        `SELECT ${factColumns(table)} FROM ${idList(localTables[table])} JOIN ${from} t ON t."id" = k."id"${held ? ' AND t."_exists"' : ''}`,
        [JSON.stringify(ids)],
      )
      for (const row of found) this.known.rows.set(rowKey(table, row['id'] as string), row)
    }
    if (tickets.length > 0) await this.#readUnread(tickets)
  }

  async #readUnread(tickets: readonly string[]): Promise<void> {
    for (const ticketId of tickets) this.known.unread.set(ticketId, [])
    const where = `ON t."ticketId" = k."id" WHERE NOT t."read" AND NOT t."fromMe"`
    const of = `SELECT t."id", t."ticketId", t."createdAt"`
    const { rows } = await this.tx.query<{ id: string; ticketId: number; createdAt: unknown; held: boolean }>(
      `${of}, false AS "held" FROM ${idList(localTables.tickets)} JOIN "messages" t ${where}
       UNION ALL ${of}, true FROM ${idList(localTables.tickets)} JOIN base."messages" t ${where} AND t."_exists"`,
      [JSON.stringify(tickets)],
    )
    for (const { id: messageId, ticketId, createdAt, held } of rows)
      if (held || !this.isHeld(rowKey('messages', messageId)))
        this.known.unread.get(String(ticketId))!.push({ id: messageId, createdAt })
  }

  /** The row as the commands until now leave it. */
  async row(table: CommandTable, rowId: string | number): Promise<Row | undefined> {
    const made = this.made.get(rowKey(table, rowId))
    if (!made) return this.#serverRow(table, rowId)
    if (made.what === 'gone') return undefined
    if (made.what === 'parts') return { ...(await this.#serverRow(table, rowId)), ...made.values }
    const row: Row = {}
    for (const { name } of localTables[table].columns) row[name] = made.values[name] ?? null
    row['id'] = rowId
    return row
  }

  async #serverRow(table: CommandTable, rowId: string | number): Promise<Row | undefined> {
    const key = rowKey(table, rowId)
    if (!this.known.rows.has(key)) await this.readAhead([key])
    return this.known.rows.get(key)
  }

  /** Facts as a command finds them whose turn is now. */
  facts(touched: Touched): FactReader {
    return reader(touched, {
      row: (table, rowId) => this.row(table, rowId),
      ahead: (keys) => this.readAhead(keys),
      unread: async (ticketId) => {
        const key = String(ticketId)
        if (!this.known.unread.has(key)) await this.#readUnread([key])
        const found = this.known.unread.get(key)!.filter(({ id: m }) => !this.made.has(rowKey('messages', m)))
        for (const message of await this.#madeOf(ticketId))
          if (message['read'] === false && message['fromMe'] === false)
            found.push({ id: String(message['id']), createdAt: message['createdAt'] })
        return found.sort((a, b) => time(a.createdAt) - time(b.createdAt)).map((message) => message.id)
      },
      fields: () => (this.#fields ??= fieldsInUse(this.tx)),
      company: () => ownCompany(this.tx),
      last: async (ticketId) => {
        const made = await this.#madeOf(ticketId)
        const { rows } = await this.tx.query<Row>(
          `(SELECT t."id", t."createdAt" FROM "messages" t WHERE t."ticketId" = $1 AND NOT EXISTS (SELECT FROM base."messages" b WHERE b."id" = t."id")
             ORDER BY t."createdAt" DESC, t."id" DESC LIMIT $2)
           UNION ALL SELECT b."id", b."createdAt" FROM base."messages" b WHERE b."ticketId" = $1 AND b."_exists"`,
          [ticketId, 1 + (this.#messages.get(String(ticketId))?.size ?? 0)],
        )
        const all = [...made, ...rows.filter((row) => !this.made.has(rowKey('messages', String(row['id']))))]
        all.sort((a, b) => time(b['createdAt']) - time(a['createdAt']) || (String(a['id']) < String(b['id']) ? 1 : -1))
        return all[0] === undefined ? undefined : String(all[0]['id'])
      },
    })
  }

  async #madeOf(ticketId: number): Promise<Row[]> {
    const found: Row[] = []
    for (const key of this.#messages.get(String(ticketId)) ?? []) {
      const row = await this.row('messages', parts(key)[1])
      if (row?.['ticketId'] === ticketId) found.push(row)
    }
    return found
  }

  /** Does a change on top of those before it, and notes what it touches. */
  async write(change: RowChange, touched: Touched): Promise<void> {
    for (const rowId of idsOf(change)) {
      const key = rowKey(change.table, rowId)
      touched.add(key)
      const ofMessages = change.table === 'messages'
      if (ofMessages) this.#noteMessage(key, await this.row('messages', rowId), touched)
      const before = this.made.get(key)
      const isAsked = change.op === 'update' && !before
      const exists = !isAsked || (await this.#serverRow(change.table, rowId)) !== undefined
      this.made.set(key, madeBy(change, rowId, before, exists))
      if (ofMessages) this.#noteMessage(key, await this.row('messages', rowId), touched)
    }
  }

  #noteMessage(key: string, row: Row | undefined, touched: Touched): void {
    if (!row) return
    const ticketId = String(row['ticketId'])
    touched.add(messagesKey(ticketId))
    let keys = this.#messages.get(ticketId)
    if (!keys) this.#messages.set(ticketId, (keys = new Set()))
    keys.add(key)
  }
}

/** Table and id of a key. */
export function parts(key: string): [string, string] {
  const at = key.indexOf('/')
  return [key.slice(0, at), key.slice(at + 1)]
}

/** As Postgres orders them, where a moment that is missing is the latest. */
const time = (value: unknown): number => (value instanceof Date ? value.getTime() : Infinity)

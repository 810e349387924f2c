import type { TSchema } from '@sinclair/typebox'
import { catalog, type CommandName } from '../../schema/catalog.ts'
import { type Command, type CommandTable, notFound, type RowChange } from '../../schema/command.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { Batch } from './applier.ts'
import type { Changes } from './changes.ts'
import { localFacts, rowKey, type Touched } from './facts.ts'
import { deleteRows, patchRows, type TextRow, toText, upsertRows } from './rows.ts'
import type { Sql } from './statements.ts'
import { id, list, localTables } from './tables.ts'

/** A waiting command, as far as the overlay is concerned. */
export interface Waiting {
  id: string
  name: CommandName
  input: unknown
  /** Milliseconds since 1970: the `now` of its decision. */
  createdAt: number
  /** The server has accepted it: its outcome is settled and only its rows are still on their way. */
  accepted: boolean
}

/** Why a command shows nothing; `known` is false when the replica merely lacks the rows to tell. */
export interface LocalRefusal {
  error: DomainError
  known: boolean
}

interface Shown {
  waiting: Waiting
  rows: RowChange[]
  refusal: LocalRefusal | null
  /** Tables whose rows have come from the server: ours step aside. */
  arrived: Set<CommandTable>
  touched: Touched
}

/** Commands change rows by their id; the other tables have nothing in `base`. */
const withId = Object.values(localTables).filter((table) => table.columns.some((c) => c.name === 'id'))

const missing: ReadonlySet<string> = new Set(Object.values(notFound))

/**
 * The effects of waiting commands on the local tables. What a command changes is written into the tables themselves,
 * after the server's version of the row has been put aside in `base`. Before rows of the server are applied, `undo`
 * brings the server's version back, and afterwards `redo` decides every command again on the new facts; both in the
 * transaction of the rows, so that no query ever sees anything in between. Queries pay nothing for it.
 */
export class Overlay {
  #shown = new Map<string, Shown>()
  /** Tables that hold rows in `base`. */
  #dirty = new Set<CommandTable>()

  #distrusted = false
  /** Commands whose rows the local tables would not take: nothing is shown of them, whatever is decided. */
  readonly #broken = new Set<string>()

  constructor(readonly who: Principal) {}

  /** How many commands turned out not to be showable, in transactions that failed for it. */
  get broken(): number {
    return this.#broken.size
  }

  get size(): number {
    return this.#shown.size
  }

  /** Whether a command has been decided here, whatever came of it. */
  has(commandId: string): boolean {
    return this.#shown.has(commandId)
  }

  /** Tables that a command has changed here and whose rows have not come from the server yet. */
  pendingTables(commandId: string): CommandTable[] {
    const shown = this.#shown.get(commandId)
    if (!shown) return []
    return [...new Set(shown.rows.map((row) => row.table))].filter((table) => !shown.arrived.has(table))
  }

  refusal(commandId: string): LocalRefusal | null {
    return this.#shown.get(commandId)?.refusal ?? null
  }

  /** The ticket that a command turned out to be about. */
  ticketOf(commandId: string): number | null {
    for (const key of this.#shown.get(commandId)?.touched.rows ?? [])
      if (key.startsWith('tickets/')) return Number(key.slice(8))
    return null
  }

  /** Rows of a command came from the server, or will not come. Takes effect with the next `redo`. */
  arrived(commandId: string, table: CommandTable): void {
    this.#shown.get(commandId)?.arrived.add(table)
  }

  /** A command whose rows have all come and that shows nothing of its own any more. */
  forget(commandId: string): void {
    this.#shown.delete(commandId)
  }

  /** Whether applying a batch changes what a waiting command is decided by, or its own rows. */
  concernedBy(batch: Batch): boolean {
    if (this.#shown.size === 0) return false
    if (batch.whole) return true
    const { columns, primaryKey } = localTables[batch.shape]
    const single = primaryKey.length === 1 && columns.some((c) => c.name === 'id')
    for (const { touched } of this.#shown.values()) {
      // A user's queues are part of the user.
      if (batch.shape === 'userQueues' && [...touched.rows].some((key) => key.startsWith('users/'))) return true
      if (!single) continue
      for (const row of [...batch.upserts, ...batch.patches, ...batch.deletes]) {
        if (touched.rows.has(rowKey(batch.shape as CommandTable, row['id'] ?? ''))) return true
        if (
          batch.shape === 'messages' &&
          touched.messagesOf.size > 0 &&
          (row['ticketId'] == null || touched.messagesOf.has(row['ticketId']))
        )
          return true
      }
    }
    return false
  }

  /** Adds one command on top of those that are shown. */
  async add(tx: Sql, waiting: Waiting, changes: Changes): Promise<void> {
    if (this.#shown.has(waiting.id)) return
    const shown: Shown = {
      waiting,
      rows: [],
      refusal: null,
      arrived: new Set(),
      touched: { rows: new Set(), messagesOf: new Set() },
    }
    this.#shown.set(waiting.id, shown)
    await this.#decide(tx, shown)
    await this.#write(tx, shown, changes)
  }

  /** Brings the tables back to what the server says. */
  async undo(tx: Sql, changes: Changes): Promise<void> {
    if (this.#distrusted) {
      const filled = withId.map(
        ({ shape, name }) => `SELECT '${shape}' AS "shape" WHERE EXISTS (SELECT FROM base.${id(name)})`,
      )
      const { rows } = await tx.query<{ shape: CommandTable }>(filled.join(' UNION ALL '))
      for (const { shape } of rows) this.#dirty.add(shape)
      this.#distrusted = false
    }
    for (const name of this.#dirty) {
      const table = localTables[name]
      const columns = list(table.columns)
      const removed = await tx.query<Record<string, unknown>>(
        `DELETE FROM ${id(table.name)} AS t USING base.${id(table.name)} b WHERE t."id" = b."id" ${changes.returning(table)}`,
      )
      changes.add(table, removed.rows)
      const restored = await tx.query<Record<string, unknown>>(
        `INSERT INTO ${id(table.name)} AS t (${columns}) SELECT ${columns} FROM base.${id(table.name)} WHERE "_exists" ${changes.returning(table)}`,
      )
      changes.add(table, restored.rows)
      await tx.query(`DELETE FROM base.${id(table.name)}`)
    }
    this.#dirty.clear()
  }

  /**
   * Looks into every table at the next `undo`: an earlier life of this replica may have shown commands that are long
   * gone, and a failed transaction leaves us not knowing.
   */
  distrust(): void {
    this.#distrusted = true
  }

  /** Decides the given commands, in order, on the tables as they are now, and shows what comes out. */
  async redo(tx: Sql, waiting: readonly Waiting[], changes: Changes): Promise<void> {
    const before = this.#shown
    this.#shown = new Map()
    for (const command of waiting) {
      const old = before.get(command.id)
      const shown: Shown = old
        ? { ...old, waiting: command }
        : {
            waiting: command,
            rows: [],
            refusal: null,
            arrived: new Set(),
            touched: { rows: new Set(), messagesOf: new Set() },
          }
      this.#shown.set(command.id, shown)
      // The outcome of an accepted command is settled. Decided again on rows of which some have come, it would differ.
      if (!command.accepted || !old || this.#broken.has(command.id)) await this.#decide(tx, shown)
      await this.#write(tx, shown, changes)
    }
  }

  async #decide(tx: Sql, shown: Shown): Promise<void> {
    const { waiting } = shown
    const command = catalog[waiting.name] as unknown as Command<TSchema, unknown>
    shown.touched = { rows: new Set(), messagesOf: new Set() }
    shown.rows = []
    shown.refusal = null
    try {
      const facts = await command.facts(waiting.input as never, localFacts(tx, shown.touched), this.who)
      const context = { who: this.who, now: new Date(waiting.createdAt), commandId: waiting.id }
      shown.rows = command.decide(waiting.input as never, facts, context).rows
    } catch (error) {
      // The server will say the same, or knows more than the replica; here the command shows nothing. A defect in one
      // command must not keep the rows of everybody else from being applied.
      const refused = error instanceof DomainError
      shown.refusal = {
        error: refused ? error : new DomainError('INTERNAL_SERVER_ERROR'),
        known: refused && !missing.has(error.code),
      }
    }
    if (this.#broken.has(waiting.id)) {
      shown.rows = []
      shown.refusal = { error: new DomainError('INTERNAL_SERVER_ERROR'), known: false }
    }
    for (const row of shown.rows)
      for (const rowId of row.op === 'insert' ? [row.values.id] : row.ids)
        shown.touched.rows.add(rowKey(row.table, rowId))
  }

  async #write(tx: Sql, shown: Shown, changes: Changes): Promise<void> {
    try {
      await this.#writeRows(tx, shown, changes)
    } catch (error) {
      this.#broken.add(shown.waiting.id)
      throw error
    }
  }

  async #writeRows(tx: Sql, shown: Shown, changes: Changes): Promise<void> {
    for (const change of shown.rows) {
      if (shown.arrived.has(change.table)) continue
      const table = localTables[change.table]
      const ids = change.op === 'insert' ? [change.values.id] : change.ids
      const columns = list(table.columns)
      const idType = table.columns.find((c) => c.name === 'id')!.type
      this.#dirty.add(change.table)
      await tx.query(
        `INSERT INTO base.${id(table.name)} (${columns}, "_exists")
         SELECT ${table.columns.map((c) => (c.name === 'id' ? 'k."id"' : `t.${id(c.name)}`)).join(', ')}, t."id" IS NOT NULL
         FROM (SELECT x::${idType} AS "id" FROM json_array_elements_text($1::json) x) k
         LEFT JOIN ${id(table.name)} t ON t."id" = k."id" ON CONFLICT DO NOTHING`,
        [JSON.stringify(ids)],
      )
      const values: TextRow = {}
      if (change.op !== 'delete')
        for (const { name, type } of table.columns) {
          const value = (change.values as Record<string, unknown>)[name]
          if (value !== undefined && name !== 'id') values[name] = toText(value, type)
        }
      const rows = ids.map((rowId) => ({ ...values, id: String(rowId) }))
      if (change.op === 'insert') await upsertRows(tx, table, rows, changes)
      else if (change.op === 'update') await patchRows(tx, table, rows, changes)
      else await deleteRows(tx, table, rows, changes)
    }
  }
}

import type { TSchema } from '@sinclair/typebox'
import { catalog, type CommandName } from '../../schema/catalog.ts'
import type { Command, CommandTable, FactReader, RowChange } from '../../schema/command.ts'
import { mergedFields } from '../../schema/custom-fields/custom-fields.merge.ts'
import { nouns } from '../../schema/nouns.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { ShapeName } from '../shapes.ts'
import { applyBatch, type Batch } from './applier.ts'
import { Changes } from './changes.ts'
import { localFacts, messagesKey, rowKey, type Touched } from './facts.ts'
import { deleteRows, patchRows, type TextRow, toText, upsertRows } from './rows.ts'
import { idList, idsOf, Known, type Made, madeBy, parts, Scratch } from './scratch.ts'
import type { Sql } from './statements.ts'
import { baseTable, id, list, type LocalTable, localTables } from './tables.ts'

/** A waiting command, as far as the overlay is concerned. */
export interface Waiting {
  id: string
  name: CommandName
  input: unknown
  /** Milliseconds since 1970: the `now` of its decision. */
  createdAt: number
  /** It has left: the server may have done it, and its rows may come before the answer does. */
  sent: boolean
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
  isDecided: boolean
  rows: RowChange[]
  refusal: LocalRefusal | null
  /** Tables whose rows have come from the server: ours step aside. */
  arrived: Set<CommandTable>
  /** What it was decided by, and what it changed. */
  touched: Touched
  /** Of these, what it changed. */
  written: Touched
}

/** What a shape delivered. */
interface Received extends Pick<Batch, 'shape' | 'whole'> {
  upserts: readonly TextRow[]
  patches: readonly TextRow[]
  deletes: readonly TextRow[]
}

/** Commands change rows by their id; the other tables have nothing in `base`. */
const withId = Object.values(localTables).filter((table) => table.columns.some((c) => c.name === 'id'))

const missing: ReadonlySet<string> = new Set(Object.values(nouns).map((noun) => noun.notFound))

/**
 * The effects of waiting commands on the local tables. What a command changes is written into the tables themselves,
 * after the server's version of the row has been put aside in `base`. A row of the server for which there is one in
 * `base` goes there (`apply`), and afterwards `refresh` decides again the commands that have to do with what changed,
 * in memory, and writes the rows that come out otherwise than before; both in the transaction of the rows, so that no
 * query ever sees anything in between. Queries pay nothing for it, and an arriving row costs what it touches, however
 * much waits.
 */
export class Overlay {
  #shown = new Map<string, Shown>()
  /** The rows in `base`, and what the commands make of them. */
  readonly #held = new Map<string, Made>()
  /** What the server says of rows that commands were decided by. */
  readonly #known = new Known()
  /** Rows that the server changed, or that a command has ceased to change. */
  #stale = new Set<string>()
  /** Commands whose rows have come in part. */
  #arrivals = new Set<string>()
  /** Nothing that is remembered of the tables counts. */
  #anew = false
  /** The rows of all commands together were not taken: one command after the other, to see which is to blame. */
  #careful = false
  #faults = 0
  /** Commands whose rows the local tables would not take: nothing is shown of them, whatever is decided. */
  readonly #broken = new Set<string>()

  constructor(readonly who: Principal) {}

  /** Grows when the same transaction, tried again, may do better because something else is shown or found out. */
  get faults(): number {
    return this.#faults
  }

  /** Whether something changed that waiting commands have to do with: `refresh` is due. */
  get stale(): boolean {
    return this.#anew || this.#stale.size > 0 || this.#arrivals.size > 0
  }

  /** Whether a command has been decided here, whatever came of it. */
  has(commandId: string): boolean {
    return this.#shown.get(commandId)?.isDecided === true
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
    for (const key of this.#shown.get(commandId)?.touched ?? [])
      if (key.startsWith('tickets/')) return Number(key.slice(8))
    return null
  }

  /** Rows of a command came from the server, or will not come. Takes effect with the next `refresh`. */
  arrived(commandId: string, table: CommandTable): void {
    const shown = this.#shown.get(commandId)
    if (!shown || shown.arrived.has(table)) return
    shown.arrived.add(table)
    this.#arrivals.add(commandId)
  }

  // ── rows of the server ──────────────────────────────────────────────────────────────────────

  /** Writes a batch and how far it reaches: rows that commands have changed to `base`, the others to the tables. */
  async apply(tx: Sql, batch: Batch, changes: Changes, txids?: readonly string[]): Promise<void> {
    const held = this.#heldOf(batch.shape)
    await this.#mark(tx, batch)
    if (held.size === 0) return applyBatch(tx, batch, changes, txids)
    const base = baseTable(localTables[batch.shape])
    const [upserts, own] = split(batch.upserts, held)
    const [patches, ownPatches] = split(batch.patches, held)
    const [deletes, ownDeletes] = split(batch.deletes, held)
    // `base` is nobody's to query.
    const unseen = new Changes(() => [])
    const gone = batch.whole
      ? [...held].filter((rowId) => !own.some((row) => row['id'] === rowId)).map((rowId) => ({ id: rowId }))
      : ownDeletes
    if (gone.length > 0)
      await patchRows(
        tx,
        base,
        gone.map(({ id: rowId }) => ({ id: rowId!, _exists: 'false' })),
        unseen,
      )
    if (own.length > 0)
      await upsertRows(
        tx,
        base,
        own.map((row) => ({ ...row, _exists: 'true' })),
        unseen,
      )
    if (ownPatches.length > 0) await patchRows(tx, base, ownPatches, unseen)
    const spared = [...held].map((rowId) => ({ id: rowId }))
    await applyBatch(tx, { ...batch, upserts, patches, deletes }, changes, txids, spared)
  }

  /** The same for a part of the rows that a shape begins with. */
  async load(tx: Sql, shape: ShapeName, rows: readonly TextRow[], changes: Changes): Promise<void> {
    const held = this.#heldOf(shape)
    const [free, own] = split(rows, held)
    await this.#mark(tx, { shape, whole: false, upserts: rows, patches: [], deletes: [] })
    if (own.length > 0)
      await upsertRows(
        tx,
        baseTable(localTables[shape]),
        own.map((row) => ({ ...row, _exists: 'true' })),
        new Changes(() => []),
      )
    if (free.length > 0) await upsertRows(tx, localTables[shape], free, changes)
  }

  #heldOf(shape: ShapeName): Set<string> {
    const found = new Set<string>()
    for (const [key, { table }] of this.#held) if (table === shape) found.add(parts(key)[1])
    return found
  }

  /** Notes what a batch changes of that which waiting commands are decided by, or of their own rows. */
  async #mark(tx: Sql, batch: Received): Promise<void> {
    if (this.#shown.size === 0) return this.#known.clear()
    const { shape } = batch
    const touched = new Set([...this.#shown.values()].flatMap((shown) => [...shown.touched]))
    // A user's queues are part of the user.
    const kind = shape === 'userQueues' ? 'users' : shape
    if (batch.whole || shape === 'userQueues') {
      this.#known.clear()
      for (const key of touched)
        if (key.startsWith(`${kind}/`) || (shape === 'messages' && key.startsWith('messagesOf/'))) this.#stale.add(key)
      return
    }
    const rows = [...batch.upserts, ...batch.patches, ...batch.deletes]
    for (const row of rows) {
      const key = rowKey(shape as CommandTable, row['id'] ?? '')
      this.#known.forget(key)
      if (touched.has(key)) this.#stale.add(key)
    }
    if (shape !== 'messages') return
    // Whether it was read, by whom and when it was written: a tick changes nothing of what is looked for among messages.
    const counts = (row: TextRow) => ['ticketId', 'read', 'fromMe', 'createdAt'].some((name) => name in row)
    const counting = [...batch.upserts, ...batch.patches.filter(counts), ...batch.deletes]
    const places = counting.flatMap((row) => row['ticketId'] ?? [])
    // Of one that somebody wrote here it is known where it belongs.
    const moved = counting.filter((row) => {
      const held = this.#held.get(rowKey('messages', row['id'] ?? ''))
      if (held?.what === 'whole') places.push(String(held.values['ticketId']))
      return held?.what !== 'whole'
    })
    const { name } = localTables.messages
    for (const from of moved.length === 0 ? [] : [id(name), `base.${id(name)}`]) {
      const found = await tx.query<{ ticketId: number }>(
        `SELECT DISTINCT t."ticketId" FROM ${idList(localTables.messages)} JOIN ${from} t ON t."id" = k."id"`,
        [JSON.stringify(moved.map((row) => row['id']))],
      )
      places.push(...found.rows.map(({ ticketId }) => String(ticketId)))
    }
    for (const ticketId of places) {
      this.#known.forget(messagesKey(ticketId))
      if (touched.has(messagesKey(ticketId))) this.#stale.add(messagesKey(ticketId))
    }
  }

  // ── commands ────────────────────────────────────────────────────────────────────────────────

  /** Adds one command on top of those that are shown. */
  async add(tx: Sql, waiting: Waiting, changes: Changes): Promise<void> {
    if (this.#shown.has(waiting.id)) return
    const shown = unshown(waiting)
    this.#shown.set(waiting.id, shown)
    if (isMany(waiting)) return this.#addMany(tx, waiting, changes)
    await this.#decide(shown, localFacts(tx, shown.touched))
    try {
      for (const change of shown.rows) await this.#writeNow(tx, shown, change, changes)
    } catch (error) {
      this.#broken.add(waiting.id)
      this.#faults++
      throw error
    }
  }

  /** The same for one that changes many rows: they are read together, and written by few statements. */
  async #addMany(tx: Sql, { id: commandId }: Waiting, changes: Changes): Promise<void> {
    try {
      await this.#show(tx, new Set(), new Set(), new Set([commandId]), changes)
    } catch (error) {
      this.#careful = true
      this.#faults++
      throw error
    }
  }

  /** Brings the tables back to what the server says. All is to be decided anew: `refresh`. */
  async undo(tx: Sql, changes: Changes): Promise<void> {
    const filled = withId.map(
      ({ shape, name }) => `SELECT '${shape}' AS "shape" WHERE EXISTS (SELECT FROM base.${id(name)})`,
    )
    const { rows } = await tx.query<{ shape: CommandTable }>(filled.join(' UNION ALL '))
    for (const { shape } of rows) {
      const table = localTables[shape]
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
    this.#held.clear()
    this.#known.clear()
    this.#stale = new Set()
    this.#anew = true
  }

  /**
   * Shows the given commands, in order, and no others: decides again those that have to do with what changed since.
   * After `undo`, all of them.
   */
  async refresh(tx: Sql, waiting: readonly Waiting[], changes: Changes): Promise<void> {
    const before = this.#shown
    const [stale, arrivals] = [this.#stale, this.#arrivals]
    const seeds = new Set(stale)
    const affected = new Set<string>()
    // What is noted from here on is for the next time.
    this.#stale = new Set()
    this.#arrivals = new Set()
    this.#shown = new Map()
    for (const command of waiting) {
      const old = before.get(command.id)
      const shown = old ?? unshown(command)
      shown.waiting = command
      this.#shown.set(command.id, shown)
      if (!old || this.#anew || arrivals.has(command.id) || (this.#broken.has(command.id) && shown.rows.length > 0))
        affected.add(command.id)
    }
    for (const [commandId, { written }] of before)
      if (!this.#shown.has(commandId)) for (const key of written) seeds.add(key)

    if (this.#careful) await this.#showEach(tx, changes)
    else
      try {
        await this.#show(tx, seeds, stale, affected, changes)
      } catch (error) {
        this.#careful = true
        this.#faults++
        throw error
      }
    this.#anew = false
    if (this.#shown.size === 0) this.#known.clear()
  }

  /** One command after the other, each by statements of its own. Nothing is held. */
  async #showEach(tx: Sql, changes: Changes): Promise<void> {
    for (const shown of this.#shown.values()) {
      if (!this.#isSettled(shown)) await this.#decide(shown, localFacts(tx, (shown.touched = new Set())))
      shown.written = new Set()
      try {
        for (const change of shown.rows) await this.#writeNow(tx, shown, change, changes)
      } catch (error) {
        this.#broken.add(shown.waiting.id)
        this.#faults++
        throw error
      }
    }
    this.#careful = false
  }

  async #show(
    tx: Sql,
    seeds: ReadonlySet<string>,
    stale: ReadonlySet<string>,
    affected: Set<string>,
    changes: Changes,
  ): Promise<void> {
    /** Rows that the commands in question have shown until now. */
    const left = new Set([...seeds].filter((key) => this.#held.has(key)))
    const scratch = new Scratch(tx, this.#known, (key) => this.#held.has(key))
    for (;;) {
      this.#spread(seeds, affected)
      for (const commandId of affected) {
        const { written } = this.#shown.get(commandId)!
        for (const key of written) if (this.#held.has(key)) left.add(key)
      }
      if (affected.size > 0)
        await scratch.readAhead([...affected].flatMap((commandId) => [...this.#shown.get(commandId)!.touched]))
      scratch.clear()
      for (const [commandId, shown] of this.#shown) {
        if (!affected.has(commandId)) continue
        if (!this.#isSettled(shown)) {
          shown.touched = new Set()
          await this.#decide(shown, scratch.facts(shown.touched))
        }
        shown.written = new Set()
        for (const change of shown.rows)
          if (!shown.arrived.has(change.table)) await scratch.write(change, shown.written)
        for (const key of shown.written) shown.touched.add(key)
      }
      // What was decided otherwise than before may have read, or changed, what yet another command has to do with.
      const many = affected.size
      this.#spread(seeds, affected)
      if (affected.size === many) break
    }
    await this.#bring(tx, left, scratch.made, stale, changes)
  }

  /** Adds to `affected` the commands that have to do with these rows, or with rows that commands in it have changed. */
  #spread(rows: Iterable<string>, affected: Set<string>): void {
    const byRow = new Map<string, Shown[]>()
    const written = new Set<string>()
    for (const shown of this.#shown.values()) {
      for (const key of shown.touched) {
        const those = byRow.get(key)
        if (those) those.push(shown)
        else byRow.set(key, [shown])
      }
      for (const key of shown.written) written.add(key)
    }
    const seen = new Set<string>()
    const open = [...rows]
    for (const commandId of affected)
      for (const key of this.#shown.get(commandId)!.touched) if (written.has(key)) open.push(key)
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      if (seen.has(key)) continue
      seen.add(key)
      for (const shown of byRow.get(key) ?? []) {
        if (affected.has(shown.waiting.id)) continue
        affected.add(shown.waiting.id)
        for (const other of shown.touched) if (written.has(other)) open.push(other)
      }
    }
  }

  /**
   * Brings the tables to what the commands have made, by the fewest writes.
   *
   * @param left rows that they had changed
   * @param stale rows that are another one on the server than when they were last written here
   */
  async #bring(
    tx: Sql,
    left: ReadonlySet<string>,
    made: ReadonlyMap<string, Made>,
    stale: ReadonlySet<string>,
    changes: Changes,
  ): Promise<void> {
    const work = new Map<
      CommandTable,
      { free: string[]; hold: string[]; restore: string[]; gone: TextRow[]; whole: TextRow[]; patch: TextRow[] }
    >()
    const of = (table: CommandTable) => {
      let todo = work.get(table)
      if (!todo) work.set(table, (todo = { free: [], hold: [], restore: [], gone: [], whole: [], patch: [] }))
      return todo
    }
    for (const key of left) {
      const held = this.#held.get(key)!
      if (!made.has(key)) of(held.table).free.push(String(held.rowId))
    }
    for (const [key, now] of made) {
      const held = this.#held.get(key)
      const todo = of(now.table)
      if (!held) todo.hold.push(String(now.rowId))
      else if (!stale.has(key) && isSame(held, now)) continue
      const row = textOf(now)
      if (now.what === 'gone') todo.gone.push(row)
      else if (now.what === 'whole') todo.whole.push(row)
      else {
        if (held) todo.restore.push(row['id']!)
        todo.patch.push(row)
      }
    }
    for (const [name, { free, hold, restore, gone, whole, patch }] of work) {
      const table = localTables[name]
      if (free.length > 0) await this.#free(tx, table, free, changes)
      if (hold.length > 0) await holdRows(tx, table, hold)
      if (restore.length > 0) await restoreRows(tx, table, restore, changes)
      if (gone.length > 0) await deleteRows(tx, table, gone, changes)
      if (whole.length > 0) await upsertRows(tx, table, whole, changes)
      if (patch.length > 0) await patchRows(tx, table, patch, changes)
    }
    for (const key of left) if (!made.has(key)) this.#held.delete(key)
    for (const [key, now] of made) this.#held.set(key, now)
  }

  /** Rows that no command changes any more are what the server says they are. */
  async #free(tx: Sql, table: LocalTable, ids: readonly string[], changes: Changes): Promise<void> {
    const { rows } = await tx.query<Record<string, unknown>>(
      `WITH freed AS (DELETE FROM base.${id(table.name)} AS b USING ${idList(table)} WHERE b."id" = k."id" RETURNING b.*)
       INSERT INTO ${id(table.name)} AS t (${list(table.columns)}) SELECT ${list(table.columns)} FROM freed WHERE "_exists" ${replacing(table)} ${changes.returning(table)}, t."id" AS "key"`,
      [JSON.stringify(ids)],
    )
    changes.add(table, rows)
    if (rows.length === ids.length) return
    const exist = new Set(rows.map((row) => String(row['key'])))
    // What the server has not was there by commands alone.
    const removed = await tx.query<Record<string, unknown>>(
      `DELETE FROM ${id(table.name)} AS t USING ${idList(table)} WHERE t."id" = k."id" ${changes.returning(table)}`,
      [JSON.stringify(ids.filter((rowId) => !exist.has(rowId)))],
    )
    changes.add(table, removed.rows)
  }

  /**
   * The outcome of an accepted command is settled. Decided again on rows of which some have come, it would differ, and so
   * would that of one whose answer is still awaited: it would be refused, and take along what was done on top of it.
   */
  #isSettled({ waiting, isDecided, refusal }: Shown): boolean {
    const stands = waiting.accepted || (waiting.sent && refusal === null)
    return stands && isDecided && !this.#broken.has(waiting.id)
  }

  async #decide(shown: Shown, facts: FactReader): Promise<void> {
    const { waiting } = shown
    const command = catalog[waiting.name] as unknown as Command<TSchema, unknown>
    let rows: RowChange[] = []
    let refusal: LocalRefusal | null = null
    try {
      const found = await command.facts(waiting.input as never, facts, this.who)
      const context = { who: this.who, now: new Date(waiting.createdAt), commandId: waiting.id }
      rows = await whole(command.decide(waiting.input as never, found, context).rows, facts)
    } catch (error) {
      // The server will say the same, or knows more than the replica; here the command shows nothing. A defect in one
      // command must not keep the rows of everybody else from being applied.
      const refused = error instanceof DomainError
      refusal = {
        error: refused ? error : new DomainError('INTERNAL_SERVER_ERROR'),
        known: refused && !missing.has(error.code),
      }
    }
    if (this.#broken.has(waiting.id)) {
      rows = []
      refusal = { error: new DomainError('INTERNAL_SERVER_ERROR'), known: false }
    }
    // At once: somebody may look in the middle of it.
    Object.assign(shown, { isDecided: true, rows, refusal })
  }

  /** One change of one command, on top of what the tables show. */
  async #writeNow(tx: Sql, shown: Shown, change: RowChange, changes: Changes): Promise<void> {
    if (shown.arrived.has(change.table)) return
    const table = localTables[change.table]
    const ids = idsOf(change)
    const fresh = await holdRows(tx, table, ids.map(String))
    const written: Made[] = []
    for (const rowId of ids) {
      const key = rowKey(change.table, rowId)
      const now = madeBy(change, rowId, this.#held.get(key), fresh.get(String(rowId)) ?? true)
      this.#held.set(key, now)
      written.push(now)
      for (const keys of [shown.touched, shown.written]) keys.add(key)
    }
    const rows = written.map(textOf)
    if (change.op === 'insert') await upsertRows(tx, table, rows, changes)
    else if (change.op === 'update') await patchRows(tx, table, rows, changes)
    else await deleteRows(tx, table, rows, changes)
    if (change.table !== 'messages') return
    const { rows: places } = await tx.query<{ ticketId: number }>(
      `SELECT DISTINCT t."ticketId" FROM ${idList(table)} JOIN ${id(table.name)} t ON t."id" = k."id"`,
      [JSON.stringify(ids)],
    )
    for (const { ticketId } of places)
      for (const keys of [shown.touched, shown.written]) keys.add(messagesKey(ticketId))
  }
}

/** The changes, with all fields of a row in place of those that change: what is written here stands in the place of the whole. */
async function whole(rows: readonly RowChange[], facts: FactReader): Promise<RowChange[]> {
  const each: RowChange[] = []
  for (const row of rows) {
    const change = row.op === 'update' && (row.table === 'tickets' || row.table === 'contacts') && row.values.fields
    if (!change) each.push(row)
    else
      for (const rowId of row.ids) {
        const fields = mergedFields((await facts.get(row.table, rowId))?.fields, change)
        each.push({ ...row, ids: [rowId], values: { ...row.values, fields } } as RowChange)
      }
  }
  return each
}

/** Commands about several tickets. */
const isMany = ({ input }: Waiting): boolean => Array.isArray((input as { ids?: unknown }).ids)

const unshown = (waiting: Waiting): Shown => ({
  waiting,
  isDecided: false,
  rows: [],
  refusal: null,
  arrived: new Set(),
  touched: new Set(),
  written: new Set(),
})

/** Those that are not held, and those that are. */
function split(rows: readonly TextRow[], held: ReadonlySet<string>): [TextRow[], TextRow[]] {
  const free: TextRow[] = []
  const own: TextRow[] = []
  for (const row of rows) (held.has(row['id'] ?? '') ? own : free).push(row)
  return [free, own]
}

const isSame = (a: Made, b: Made): boolean =>
  a === b || (a.what === b.what && JSON.stringify(a.values) === JSON.stringify(b.values))

function textOf({ table, rowId, values }: Made): TextRow {
  const row: TextRow = { id: String(rowId) }
  for (const { name, type } of localTables[table].columns) if (name in values) row[name] = toText(values[name], type)
  return row
}

/** Puts the server's version of rows aside. @returns of those that were not there yet, whether the server has them */
async function holdRows(tx: Sql, table: LocalTable, ids: readonly string[]): Promise<Map<string, boolean>> {
  const columns = list(table.columns)
  const { rows } = await tx.query<{ id: string | number; exists: boolean }>(
    `INSERT INTO base.${id(table.name)} (${columns}, "_exists")
     SELECT ${table.columns.map((c) => (c.name === 'id' ? 'k."id"' : `t.${id(c.name)}`)).join(', ')}, t."id" IS NOT NULL
     FROM ${idList(table)} LEFT JOIN ${id(table.name)} t ON t."id" = k."id" ON CONFLICT DO NOTHING RETURNING "id", "_exists" AS "exists"`,
    [JSON.stringify(ids)],
  )
  return new Map(rows.map((row) => [String(row.id), row.exists]))
}

const replacing = (table: LocalTable): string =>
  `ON CONFLICT ("id") DO UPDATE SET ${table.columns
    .filter((c) => c.name !== 'id')
    .map((c) => `${id(c.name)} = excluded.${id(c.name)}`)
    .join(', ')}`

/** Makes rows what `base` says the server has. */
async function restoreRows(tx: Sql, table: LocalTable, ids: readonly string[], changes: Changes): Promise<void> {
  const { rows } = await tx.query<Record<string, unknown>>(
    `INSERT INTO ${id(table.name)} AS t (${list(table.columns)}) SELECT ${list(table.columns, 'b.')} FROM ${idList(table)} JOIN base.${id(table.name)} b ON b."id" = k."id" WHERE b."_exists"
     ${replacing(table)} ${changes.returning(table)}`,
    [JSON.stringify(ids)],
  )
  changes.add(table, rows)
}

import type { ChangeMessage, Message } from '@electric-sql/client'
import type { ShapeName } from '../shapes.ts'
import type { Changes } from './changes.ts'
import { deleteRows, keepOnly, patchRows, type TextRow, upsertRows } from './rows.ts'
import type { Sql } from './statements.ts'
import { localTables } from './tables.ts'

/** What a shape delivered between two moments at which it was up to date. */
export interface Batch {
  shape: ShapeName
  /** The whole shape from its beginning: rows that are not in it are to go. */
  whole: boolean
  upserts: TextRow[]
  patches: TextRow[]
  deletes: TextRow[]
  /** 32-bit transaction ids of the changes. */
  txids: Set<string>
  /** The newest snapshot in it: transactions visible in it are in its rows. */
  snapshot: Snapshot | null
  handle: string
  offset: string
  /** The upserts are in the table already. */
  loaded?: boolean
}

export interface Snapshot {
  xmin: bigint
  xmax: bigint
  xip: ReadonlySet<bigint>
}

const wrap = 1n << 32n
/** Whether a transaction, by its 32-bit id, had committed when the snapshot was taken. */
export function visibleIn(snapshot: Snapshot, txid: string): boolean {
  // Ids are compared around the ring, as Postgres does: half of it lies in the past.
  const ahead = (a: bigint, b: bigint) => (((b - a) % wrap) + wrap) % wrap
  const before = (a: bigint, b: bigint) => ahead(a, b) !== 0n && ahead(a, b) < wrap / 2n
  const xid = BigInt(txid)
  if (before(xid, snapshot.xmin)) return true
  if (!before(xid, snapshot.xmax)) return false
  return ![...snapshot.xip].some((open) => (((open - xid) % wrap) + wrap) % wrap === 0n)
}

/**
 * Collects the messages of one shape until it is up to date, folding all changes of a row into one, so that nothing
 * half-done is ever applied.
 */
export class BatchBuffer {
  #rows = new Map<string, { op: 'upsert' | 'patch' | 'delete'; row: TextRow }>()
  #txids = new Set<string>()
  #snapshot: Snapshot | null = null

  /** @param whole true when the stream starts at the beginning of the shape */
  constructor(
    readonly shape: ShapeName,
    private whole: boolean,
  ) {}

  get size(): number {
    return this.#rows.size
  }

  /** The shape starts anew: what was collected belongs to its former life. */
  restart(): void {
    this.#clear()
    this.whole = true
  }

  add(message: Message<TextRow>): void {
    const { headers } = message
    if ('control' in headers) {
      if (headers.control === 'snapshot-end') {
        const { xmin, xmax, xip_list } = headers as unknown as { xmin: string; xmax: string; xip_list: string[] }
        this.#snapshot = { xmin: BigInt(xmin), xmax: BigInt(xmax), xip: new Set(xip_list.map(BigInt)) }
      }
      return
    }
    if (!('key' in message)) return
    const { key, value } = message as ChangeMessage<TextRow>
    for (const txid of (headers['txids'] as number[] | undefined) ?? []) this.#txids.add(String(txid))
    const before = this.#rows.get(key)
    if (headers['operation'] === 'delete') this.#rows.set(key, { op: 'delete', row: value })
    else if (headers['operation'] === 'insert') this.#rows.set(key, { op: 'upsert', row: value })
    else if (before && before.op !== 'delete') Object.assign(before.row, value)
    else this.#rows.set(key, { op: 'patch', row: { ...value } })
  }

  /** The batch, when the shape is up to date; null when it holds nothing worth a transaction. */
  take(handle: string, offset: string): Batch | null {
    if (!this.whole && this.#rows.size === 0 && this.#txids.size === 0 && !this.#snapshot) return null
    const batch: Batch = {
      shape: this.shape,
      whole: this.whole,
      upserts: [],
      patches: [],
      deletes: [],
      txids: this.#txids,
      snapshot: this.#snapshot,
      handle,
      offset,
    }
    const into = { upsert: batch.upserts, patch: batch.patches, delete: batch.deletes }
    for (const { op, row } of this.#rows.values()) into[op].push(row)
    this.#clear()
    this.whole = false
    return batch
  }

  #clear(): void {
    this.#rows = new Map()
    this.#txids = new Set()
    this.#snapshot = null
  }
}

/**
 * Writes a batch and how far it reaches, in the caller's transaction.
 * @param txids the latest transactions whose rows of this shape have come
 * @param spared keys of rows that are not the batch's to delete, though they are not in it
 */
export async function applyBatch(
  tx: Sql,
  batch: Batch,
  changes: Changes,
  txids: readonly string[] = [...batch.txids],
  spared: readonly TextRow[] = [],
): Promise<void> {
  const table = localTables[batch.shape]
  if (batch.deletes.length > 0) await deleteRows(tx, table, batch.deletes, changes)
  if (batch.upserts.length > 0 && !batch.loaded) await upsertRows(tx, table, batch.upserts, changes)
  if (batch.patches.length > 0) await patchRows(tx, table, batch.patches, changes)
  if (batch.whole) await keepOnly(tx, table, [...batch.upserts, ...spared], changes)
  await tx.query(
    'INSERT INTO sync.shapes ("shape", "handle", "offset", "txids") VALUES ($1, $2, $3, $4) ON CONFLICT ("shape") DO UPDATE SET "handle" = excluded."handle", "offset" = excluded."offset", "txids" = excluded."txids"',
    [batch.shape, batch.handle, batch.offset, txids.join(' ')],
  )
}

/** How far each shape had been applied when the replica was last open, and the latest transactions in it. */
export async function savedOffsets(
  tx: Pick<Sql, 'query'>,
): Promise<Map<string, { handle: string; offset: string; txids: string[] }>> {
  const { rows } = await tx.query<Record<'shape' | 'handle' | 'offset' | 'txids', string>>('SELECT * FROM sync.shapes')
  return new Map(
    rows.map(({ shape, handle, offset, txids }) => [
      shape,
      { handle, offset, txids: txids.split(' ').filter(Boolean) },
    ]),
  )
}

/**
 * Reads the messages of Postgres' `pgoutput` plugin, protocol 1. Pure: bytes in, values out.
 * Positions (LSNs) are numbers: 2^53 bytes of log are nine petabytes.
 */

/** A row as Postgres prints it. `undefined` is a large value that the statement did not touch. */
export type Tuple = (string | null | undefined)[]

export type RelationMessage = {
  oid: number
  schema: string
  name: string
  /** `f` is FULL: the only one that tells what a row was before. */
  replicaIdentity: string
  columns: { name: string; typeOid: number }[]
}

export type RowMessage = { oid: number; oldTuple?: Tuple; newTuple?: Tuple }

export const kinds = {
  begin: 0x42, // B
  commit: 0x43, // C
  relation: 0x52, // R
  insert: 0x49, // I
  update: 0x55, // U
  delete: 0x44, // D
  truncate: 0x54, // T
} as const

/** A position in the log as a number: exact up to 2⁵³ bytes. */
export function readLsn(bytes: Buffer, at: number): number {
  return bytes.readUInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4)
}

/** The same from how Postgres writes it, such as `16/B374D848`. */
export function parseLsn(text: string): number {
  const [high = '0', low = '0'] = text.split('/')
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16)
}

/** Where a transaction commits, and the low 32 bits of its id. */
export function readBegin(bytes: Buffer): { lsn: number; xid: number } {
  return { lsn: readLsn(bytes, 1), xid: bytes.readUInt32BE(17) }
}

/** Position after the commit record: what may be acknowledged. */
export function readCommitEnd(bytes: Buffer): number {
  return readLsn(bytes, 10)
}

/** A table as the rows that follow have it. */
export function readRelation(bytes: Buffer): RelationMessage {
  const reader = new Reader(bytes, 1)
  const oid = reader.uint32()
  const schema = reader.cstring()
  const name = reader.cstring()
  const replicaIdentity = String.fromCharCode(reader.byte())
  const columns = Array.from({ length: reader.uint16() }, () => {
    reader.byte()
    const column = { name: reader.cstring(), typeOid: reader.uint32() }
    reader.uint32()
    return column
  })
  // The empty name is how the protocol writes pg_catalog.
  return { oid, schema: schema === '' ? 'pg_catalog' : schema, name, replicaIdentity, columns }
}

/** The table a row message is about, without decoding the row. */
export function readRowOid(bytes: Buffer): number {
  return bytes.readUInt32BE(1)
}

/** An insertion, update or deletion; the old row is whole where the table’s identity is `FULL`. */
export function readRow(bytes: Buffer): RowMessage {
  const reader = new Reader(bytes, 1)
  const row: RowMessage = { oid: reader.uint32() }
  while (reader.at < bytes.length) {
    const part = reader.byte()
    if (part === 0x4e) row.newTuple = reader.tuple()
    else row.oldTuple = reader.tuple()
  }
  return row
}

/** The tables that were emptied, by oid. */
export function readTruncate(bytes: Buffer): number[] {
  const reader = new Reader(bytes, 1)
  const count = reader.uint32()
  reader.byte()
  return Array.from({ length: count }, () => reader.uint32())
}

class Reader {
  constructor(
    private readonly bytes: Buffer,
    public at: number,
  ) {}

  byte(): number {
    return this.bytes.readUInt8(this.at++)
  }

  uint16(): number {
    this.at += 2
    return this.bytes.readUInt16BE(this.at - 2)
  }

  uint32(): number {
    this.at += 4
    return this.bytes.readUInt32BE(this.at - 4)
  }

  cstring(): string {
    const end = this.bytes.indexOf(0, this.at)
    const text = this.bytes.toString('utf8', this.at, end)
    this.at = end + 1
    return text
  }

  tuple(): Tuple {
    const count = this.uint16()
    const tuple: Tuple = new Array<string | null | undefined>(count)
    for (let i = 0; i < count; i++) {
      const kind = this.byte()
      if (kind === 0x6e) tuple[i] = null
      else if (kind === 0x75) tuple[i] = undefined
      else {
        const length = this.uint32()
        tuple[i] = this.bytes.toString('utf8', this.at, this.at + length)
        this.at += length
      }
    }
    return tuple
  }
}

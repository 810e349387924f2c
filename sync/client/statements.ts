import { type PGlite, protocol } from '@electric-sql/pglite'

/** What rows are read and written through, in a transaction or outside of one. */
export interface Sql {
  query<Row>(sql: string, params?: readonly unknown[]): Promise<{ rows: Row[] }>
  /** Any number of statements, without parameters and without an answer. */
  exec(sql: string): Promise<unknown>
}

/** Rows as Postgres sent them: they can be told apart by `keys`, and only those that are wanted are read. */
export interface Answer {
  /** One text for each row, which is equal for equal rows and for nothing else. */
  keys: readonly string[]
  row(place: number): Record<string, unknown>
}

interface Prepared {
  name: string
  /** Types of the parameters, by number. */
  params: readonly number[]
  fields: readonly { name: string; type: number }[]
  /** By `performance.now()`. */
  madeAt: number
}

/** Statements that are kept; a day's work in the inbox has some sixty. */
const mostKept = 120
/** A plan is made for the sizes that tables had at the time, and is made anew after this. */
const planLivesMs = 60_000

/** Of this program's life: two may work on one database. */
let nextName = 1

const { serialize } = protocol
const utf8 = new TextDecoder()
/** One character for each byte, no two bytes the same. */
const bytewise = new TextDecoder('latin1')
const beyondAscii = /[^\0-\x7f]/

/**
 * PGlite with prepared statements. Its own `query` asks Postgres to parse and plan each statement anew and enters its
 * program six times for it; a statement that is kept costs one entry, a third to a fifth of the time. One caller
 * at a time, in the order of their coming; a transaction is one caller.
 */
export class Statements implements Sql {
  readonly #kept = new Map<string, Prepared>()

  constructor(private readonly db: PGlite) {}

  /** Rows of a statement that will come again. */
  async query<Row>(sql: string, params: readonly unknown[] = []): Promise<{ rows: Row[] }> {
    return rowsOf(await this.#alone(() => this.#answer(sql, params)))
  }

  /** The same, without reading the rows. */
  answer(sql: string, params: readonly unknown[] = []): Promise<Answer> {
    return this.#alone(() => this.#answer(sql, params))
  }

  /** Rows of a statement that is planned for just these parameters, and forgotten. */
  async queryOnce<Row>(sql: string, params: readonly unknown[] = []): Promise<{ rows: Row[] }> {
    return rowsOf(await this.#alone(async () => this.#execute(await this.#prepare(sql, '', []), sql, params)))
  }

  async exec(sql: string): Promise<void> {
    await this.#alone(async () => void (await this.#send([serialize.query(sql)])))
    await this.db.syncToFs()
  }

  /** All of `work` or nothing. Rejects with the error of `work`, or of the commit. */
  async transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T> {
    const result = await this.#alone(async () => {
      await this.#send([serialize.query('BEGIN')])
      let done: T
      try {
        done = await work(this.#inside)
      } catch (error) {
        await this.#send([serialize.query('ROLLBACK')])
        throw error
      }
      const { tag } = await this.#send([serialize.query('COMMIT')])
      if (tag === 'ROLLBACK') throw new Error('A statement had failed: the transaction was rolled back')
      return done
    })
    await this.db.syncToFs()
    return result
  }

  async close(): Promise<void> {
    await this.db.close()
  }

  /** For the one who has the database to himself already. */
  readonly #inside: Sql = {
    query: async <Row>(sql: string, params: readonly unknown[] = []) => rowsOf<Row>(await this.#answer(sql, params)),
    exec: async (sql) => void (await this.#send([serialize.query(sql)])),
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    return this.db._runExclusiveTransaction(async () => {
      if (this.db.closed) throw new Error('The replica is closed')
      return work()
    })
  }

  async #answer(sql: string, params: readonly unknown[]): Promise<Answer> {
    let prepared = this.#kept.get(sql)
    this.#kept.delete(sql)
    const gone: string[] = []
    if (prepared && performance.now() - prepared.madeAt > planLivesMs) {
      gone.push(prepared.name)
      prepared = undefined
    }
    if (!prepared) {
      for (const [oldest, { name }] of this.#kept) {
        if (this.#kept.size < mostKept) break
        this.#kept.delete(oldest)
        gone.push(name)
      }
      prepared = await this.#prepare(sql, `s${nextName++}`, gone)
    }
    // To the end: the order is that of the last use.
    this.#kept.set(sql, prepared)
    return this.#execute(prepared, sql, params)
  }

  async #prepare(sql: string, name: string, gone: readonly string[]): Promise<Prepared> {
    const { params, fields } = await this.#send([
      ...gone.map((old) => serialize.close({ type: 'S', name: old })),
      serialize.parse({ name, text: sql }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    ])
    return { name, params, fields, madeAt: performance.now() }
  }

  async #execute({ name, params: types, fields }: Prepared, sql: string, params: readonly unknown[]): Promise<Answer> {
    if (params.length !== types.length)
      throw new Error(`${types.length} parameters wanted, ${params.length} given: ${sql}`)
    const values = params.map((param, i) => {
      if (param === null || param === undefined) return null
      const text = this.db.serializers[types[i]!]
      return text ? text(param) : String(param)
    })
    const { bytes, rows } = await this.#send([
      serialize.bind({ statement: name, values }),
      serialize.execute({}),
      serialize.sync(),
    ])
    const view = viewOf(bytes)
    const keys = rows.map(({ start, end }) => bytewise.decode(bytes.subarray(start, end)))
    return {
      keys,
      row: (place) => {
        const { start } = rows[place]!
        const key = keys[place]!
        const row: Record<string, unknown> = {}
        let at = start + 2
        for (const field of fields) {
          const length = view.getInt32(at)
          at += 4
          if (length < 0) {
            row[field.name] = null
            continue
          }
          // Most values are plain letters and digits, for which the key says the same as decoding would.
          const plain = key.slice(at - start, at - start + length)
          const text = beyondAscii.test(plain) ? utf8.decode(bytes.subarray(at, at + length)) : plain
          const parse = this.db.parsers[field.type]
          row[field.name] = parse ? parse(text, field.type) : text
          at += length
        }
        return row
      },
    }
  }

  /** @throws Error with what Postgres has against it */
  async #send(messages: readonly Uint8Array[]): Promise<Reply> {
    const parts: Uint8Array[] = []
    await this.db.execProtocolRawStream(joined(messages), {
      syncToFs: false,
      // A view of memory that is used again.
      onRawData: (bytes) => void parts.push(bytes.slice()),
    })
    return read(parts.length === 1 ? parts[0]! : joined(parts))
  }
}

/** What Postgres answered; `rows` are places in `bytes`. */
interface Reply {
  bytes: Uint8Array
  rows: { start: number; end: number }[]
  params: number[]
  fields: { name: string; type: number }[]
  /** The last command's name. */
  tag: string
}

function read(bytes: Uint8Array): Reply {
  const view = viewOf(bytes)
  const reply: Reply = { bytes, rows: [], params: [], fields: [], tag: '' }
  let error: Error | null = null
  /** The text that begins at `from` and ends with a zero. */
  const text = (from: number) => utf8.decode(bytes.subarray(from, bytes.indexOf(0, from)))
  for (let at = 0; at + 5 <= bytes.length; ) {
    const kind = String.fromCharCode(bytes[at]!)
    const start = at + 5
    const end = at + 1 + view.getInt32(at + 1)
    if (kind === 'D') reply.rows.push({ start, end })
    else if (kind === 'C') reply.tag = text(start).split(' ', 1)[0]!
    else if (kind === 't')
      reply.params = Array.from({ length: view.getUint16(start) }, (_, i) => view.getInt32(start + 2 + 4 * i))
    else if (kind === 'T') {
      let field = start + 2
      reply.fields = Array.from({ length: view.getUint16(start) }, () => {
        const nameEnd = bytes.indexOf(0, field)
        const name = text(field)
        // After the name: table, column, type, size, modifier, format.
        const type = view.getInt32(nameEnd + 7)
        field = nameEnd + 19
        return { name, type }
      })
    } else if (kind === 'E' && !error) {
      const said: Record<string, string> = {}
      for (let part = start; bytes[part] !== 0; part = bytes.indexOf(0, part) + 1)
        said[String.fromCharCode(bytes[part]!)] = text(part + 1)
      error = Object.assign(new Error(said['M'] ?? 'Postgres failed'), { code: said['C'] })
    }
    at = end
  }
  if (error) throw error
  return reply
}

function rowsOf<Row>(answer: Answer): { rows: Row[] } {
  // The rows' type is the caller's word for what the SQL returns.
  return { rows: answer.keys.map((_, place) => answer.row(place) as Row) }
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}

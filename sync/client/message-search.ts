import { plain } from '../../schema/plain.ts'
import type { FoundMessage } from './replica.types.ts'
import type { Changes } from './changes.ts'
import type { Statements } from './statements.ts'

/** Rows read in one go: other work comes in between. */
const step = 4_000
/** Tickets that one search names. */
const mostFound = 40
/** Messages that a search within one ticket names. */
const mostWithin = 500

interface Text {
  id: string
  ticketId: number
  /** Seconds since 1970. */
  at: number
  /** As {@link plain} folds it. */
  body: string
}

/** What is shown of a file that nothing is said about is the name of a document; pictures and recordings show theirs nowhere. */
const saysNothing = `"isVoice" IS TRUE OR ("mediaType" IN ('image', 'video', 'audio') AND "body" IS NOT DISTINCT FROM "mediaName")`
const selected = `SELECT "id", "ticketId", date_part('epoch', "createdAt") AS "at", "body" FROM "messages" WHERE NOT "isDeleted" AND "body" <> '' AND NOT (${saysNothing})`

/**
 * What all messages of the replica say, in memory: looking through 50,000 of them takes a few milliseconds, while SQL
 * reads each row for it and takes a quarter of a second, and an index over pieces of words costs more at each message
 * that arrives than it saves. Made at the first search, and kept up to date from then on.
 */
export class MessageSearch {
  /** All of them, newest first; null when that is to be made again. */
  #newestFirst: Text[] | null = null
  /** Messages that were changed since they were read. */
  readonly #changed = new Set<string>()
  /** By the message's id; null before the first search. */
  #texts: Promise<Map<string, Text>> | null = null

  constructor(private readonly db: () => Promise<Statements>) {}

  /** Whether changes of single messages are to be told. */
  get wants(): boolean {
    return this.#texts !== null
  }

  changed(changes: Changes): void {
    if (!this.wants) return
    const ids = changes.values('messages', 'id')
    if (ids === 'all') this.#texts = this.#newestFirst = null
    else for (const id of ids) this.#changed.add(id)
  }

  /** Messages that say `text`: the newest of each ticket, or all of one; the newest first. An empty text only prepares. */
  async find(text: string, ticketId?: number): Promise<FoundMessage[]> {
    const texts = await this.#upToDate()
    this.#newestFirst ??= [...texts.values()].sort((a, b) => b.at - a.at)
    const wanted = plain(text.trim())
    if (wanted === '') return []
    const found = new Map<number | string, string>()
    for (const { id, ticketId: of, body } of this.#newestFirst) {
      if (ticketId !== undefined ? of !== ticketId : found.has(of)) continue
      if (!body.includes(wanted)) continue
      found.set(ticketId === undefined ? of : id, id)
      if (found.size === (ticketId === undefined ? mostFound : mostWithin)) break
    }
    return this.#asWritten([...found.values()])
  }

  /** The messages as people wrote them; kept are only the folded texts. */
  async #asWritten(ids: readonly string[]): Promise<FoundMessage[]> {
    if (ids.length === 0) return []
    const db = await this.db()
    const { rows } = await db.queryOnce<Text>(`${selected} AND "id" = ANY($1)`, [ids])
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.flatMap((id) => {
      const row = byId.get(id)
      return row ? { ticketId: row.ticketId, messageId: id, body: row.body, at: row.at * 1_000 } : []
    })
  }

  async #upToDate(): Promise<Map<string, Text>> {
    for (;;) {
      const reading = (this.#texts ??= this.#readAll())
      const texts = await reading.catch((error: unknown) => {
        if (this.#texts === reading) this.#texts = null
        throw error
      })
      // So many rows were changed meanwhile that they were not told one by one.
      if (this.#texts !== reading) continue
      if (this.#changed.size === 0) return texts
      const ids = [...this.#changed]
      this.#changed.clear()
      const db = await this.db()
      const { rows } = await db.queryOnce<Text>(`${selected} AND "id" = ANY($1)`, [ids])
      for (const id of ids) texts.delete(id)
      take(texts, rows)
      this.#newestFirst = null
    }
  }

  async #readAll(): Promise<Map<string, Text>> {
    this.#changed.clear()
    const db = await this.db()
    const texts = new Map<string, Text>()
    for (let last = ''; ; ) {
      const { rows } = await db.queryOnce<Text>(`${selected} AND "id" > $1 ORDER BY "id" LIMIT ${step}`, [last])
      take(texts, rows)
      if (rows.length < step) break
      last = rows.at(-1)!.id
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    return texts
  }
}

function take(texts: Map<string, Text>, rows: readonly Text[]): void {
  for (const { id, ticketId, at, body } of rows) texts.set(id, { id, ticketId, at, body: plain(body) })
}

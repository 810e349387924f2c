/**
 * Stands in the place of `client/replica/replica.tsx` while the agent's screens are looked at without a server: the same
 * queries on a real PGlite in the page, the same commands decided by the same rules, an outbox whose clock the test holds.
 */
import type { PGlite, Transaction } from '@electric-sql/pglite'
import { createContext, useContext, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { catalog, type CommandInput, type CommandName } from '../../schema/catalog.ts'
import type { CommandRows, CommandTable, FactReader, RowChange } from '../../schema/command.ts'
import { isByKey } from '../../schema/custom-fields/custom-fields.merge.ts'
import { notFound } from '../../schema/nouns.ts'
import { DomainError } from '../../schema/errors.ts'
import { newId } from '../../schema/ids.ts'
import { principalOf } from '../../client/session/session-store.ts'
import { useSession } from '../../client/session/session.tsx'
import { saysSql, wordPattern } from '../../client/replica/says.ts'
import type {
  FoundMessage,
  LiveQuery,
  Outbox,
  OutboxEntry,
  Replica,
  SyncStatus,
} from '../../sync/client/replica.types.ts'
import { openReplica } from '../../sync/client/storage.ts'
import { localTables } from '../../sync/client/tables.ts'
import { fetchTemplate } from '../../sync/client/template.ts'
import { fixtures } from './fixtures.ts'

const Context = createContext<Replica | null>(null)

interface Control {
  replica: Replica
  db: PGlite
  changed: () => void
  setOnline: (online: boolean) => void
  setEntries: (change: (entries: readonly OutboxEntry[]) => readonly OutboxEntry[]) => void
}
declare global {
  interface Window {
    fake: Control
  }
}

function readable<T>(initial: T) {
  let value = initial
  const listeners = new Set<(value: T) => void>()
  return {
    get: () => value,
    set(next: T) {
      value = next
      for (const listener of [...listeners]) listener(next)
    },
    subscribe(listener: (value: T) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const tableName = (table: CommandTable) => localTables[table as keyof typeof localTables].name

async function createFake(who: Parameters<typeof principalOf>[0]): Promise<Control> {
  const principal = principalOf(who)
  const db = await openReplica('screens', 'memory', () => fetchTemplate(''))
  for (const [table, rows] of Object.entries(fixtures(principal))) await insert(db, table, rows)
  await db.exec('ANALYZE')

  async function insert(to: Pick<Transaction, 'query'>, table: string, rows: Record<string, unknown>[]) {
    if (rows.length === 0) return
    const names = Object.keys(rows[0]!)
    const { columns } = localTables[table as keyof typeof localTables]
    const typed = names.map((name) => `x."${name}"::${columns.find((c) => c.name === name)!.type}`)
    const quoted = names.map((name) => `"${name}"`).join(', ')
    const text = rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([k, v]) => {
          const type = columns.find((c) => c.name === k)!.type
          if (v === null || v === undefined) return [k, null]
          if (type.endsWith('[]')) return [k, `{${(v as unknown[]).join(',')}}`]
          if (v instanceof Date) return [k, v.toISOString()]
          return [k, typeof v === 'object' ? JSON.stringify(v) : String(v)]
        }),
      ),
    )
    await to.query(
      `INSERT INTO "${localTables[table as keyof typeof localTables].name}" (${quoted}) SELECT ${typed.join(', ')} FROM json_to_recordset($1::json) AS x(${names.map((n) => `"${n}" text`).join(', ')})`,
      [JSON.stringify(text)],
    )
  }

  const watchers = new Set<() => void>()
  const changed = () => {
    for (const watcher of [...watchers]) watcher()
  }
  const entries = readable<readonly OutboxEntry[]>([])
  const files = new Map<string, Blob>()
  const drafts = new Map<string, string>()
  const status = readable<SyncStatus>({
    online: true,
    state: 'live',
    loadedRows: 0,
    waiting: 0,
    failed: 0,
    error: null,
    durable: true,
    outdated: false,
  })
  const query = async <Row,>(sql: string, params: unknown[] = []) => (await db.query<Row>(sql, params)).rows

  const read: FactReader = {
    async get<T extends CommandTable>(table: T, id: string | number) {
      return (await query<CommandRows[T]>(`SELECT * FROM "${tableName(table)}" WHERE id = $1`, [id]))[0]
    },
    async need<T extends CommandTable>(table: T, id: string | number) {
      const row = await this.get(table, id)
      if (!row) throw new DomainError(notFound(table))
      return row
    },
    async ahead() {},
    async unreadMessages(ticketId) {
      return (
        await query<{ id: string }>('SELECT id FROM messages WHERE "ticketId" = $1 AND NOT "fromMe" AND NOT read', [
          ticketId,
        ])
      ).map((row) => row.id)
    },
    async lastMessage(ticketId) {
      const last = 'SELECT id FROM messages WHERE "ticketId" = $1 ORDER BY "createdAt" DESC, id DESC LIMIT 1'
      return (await query<{ id: string }>(last, [ticketId]))[0]?.id
    },
    customFields: () => query('SELECT * FROM custom_fields WHERE "archivedAt" IS NULL ORDER BY position, id'),
    company: async () => ({ name: 'Móveis Jardim', timeZone: 'America/Sao_Paulo', language: 'pt' }),
    async provider(whatsappId) {
      return (await this.get('whatsapps', whatsappId))?.provider
    },
  }
  /** All in one step, as the real one does it. */
  const apply = (changes: readonly RowChange[]) =>
    db.transaction(async (tx) => {
      for (const change of changes) {
        const table = tableName(change.table)
        if (change.op === 'insert') await insert(tx, change.table, [change.values as Record<string, unknown>])
        else if (change.op === 'delete') await tx.query(`DELETE FROM "${table}" WHERE id = ANY($1)`, [change.ids])
        else {
          for (const [name, value] of Object.entries(change.values)) {
            // Fields are written by key.
            const written = isByKey(change.table, name)
              ? `jsonb_strip_nulls(coalesce("${name}", '{}') || $1::jsonb)`
              : '$1'
            for (const id of change.ids)
              await tx.query(`UPDATE "${table}" SET "${name}" = ${written} WHERE id = $2`, [value, id])
          }
        }
      }
    })

  const outbox: Outbox = {
    get: entries.get,
    subscribe: entries.subscribe,
    retry: async (id) =>
      entries.set(entries.get().map((entry) => (entry.id === id ? { ...entry, state: 'queued', error: null } : entry))),
    discard: async (id) => {
      const entry = entries.get().find((known) => known.id === id)
      entries.set(entries.get().filter((known) => known.id !== id))
      if (entry?.name === 'messages.send')
        await db.query('DELETE FROM messages WHERE id = $1', [(entry.input as { id: string }).id])
      changed()
    },
    file: async (id) => files.get(id) ?? null,
  }
  const replica: Replica = {
    live<Row>(
      { sql, params }: LiveQuery,
      onRows: (rows: Row[], fromLastTime: boolean) => void,
      onError?: (error: Error) => void,
    ) {
      let ended = false
      const run = () =>
        void query<Row>(sql, params).then(
          (rows) => !ended && onRows(rows, false),
          (error: Error) => (onError ? onError(error) : reportError(error)),
        )
      run()
      watchers.add(run)
      return () => {
        ended = true
        watchers.delete(run)
      }
    },
    query,
    search: async (text) => {
      const says = `SELECT DISTINCT ON ("ticketId") "ticketId", id AS "messageId", body, date_part('epoch', "createdAt") * 1000 AS at
        FROM messages WHERE ${saysSql('body', '$1')} ORDER BY "ticketId", "createdAt" DESC`
      return text === '' ? [] : query<FoundMessage>(says, [wordPattern(text)])
    },
    async mutate<N extends CommandName>(name: N, input: CommandInput<N>, options?: { file?: Blob }) {
      // The real one works in a worker: it never holds up the frame in which somebody acted.
      await new Promise((resolve) => setTimeout(resolve, 40))
      const command = catalog[name]
      const id = newId()
      const facts = await command.facts(input as never, read, principal)
      const decision = command.decide(input as never, facts as never, {
        who: principal,
        now: new Date(),
        commandId: id,
      })
      await apply(decision.rows)
      const ticketId = (input as { ticketId?: number }).ticketId ?? null
      const entry: OutboxEntry = {
        id,
        name,
        input,
        state: 'queued',
        createdAt: Date.now(),
        attempts: 0,
        error: null,
        ticketId,
        file: null,
      }
      if (options?.file) files.set(id, options.file)
      entries.set([...entries.get(), entry])
      changed()
      if (status.get().online)
        setTimeout(() => {
          entries.set(entries.get().filter((known) => known.id !== id))
          changed()
        }, 400)
      return entry
    },
    outbox,
    drafts: {
      get: async (of) => drafts.get(JSON.stringify(of)) ?? '',
      set: async (of, text) => void drafts.set(JSON.stringify(of), text),
    },
    status,
    wake: () => undefined,
    restart: async () => undefined,
    destroy: async () => undefined,
    close: async () => undefined,
  }
  return {
    replica,
    db,
    changed,
    setOnline: (online) => status.set({ ...status.get(), online }),
    setEntries: (change) => entries.set(change(entries.get())),
  }
}

export function ReplicaProvider({ children }: { children: ReactNode }) {
  const user = useSession()?.user
  const [control, setControl] = useState<Control | null>(null)
  useEffect(() => {
    if (user)
      void createFake(user).then((made) => {
        window.fake = made
        setControl(made)
      })
    // A renewed token brings the same user anew.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [user?.id])
  return control && <Context value={control.replica}>{children}</Context>
}

export const startReplica = (): void => undefined

export function useReplica(): Replica {
  const replica = useContext(Context)
  if (!replica) throw new Error('no replica')
  return replica
}

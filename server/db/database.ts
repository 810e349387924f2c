import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { auditedTables } from '../../schema/audit/audit.nouns.ts'
import { actorNow } from '../actor.ts'

export type Db = PostgresJsDatabase
/** The transaction handle that `db.transaction` passes on; takes the same calls as `Db`. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
export type Sql = postgres.Sql

export type Database = {
  /**
   * postgres.js, for what drizzle does not say. It shares its connections with `db`, and drizzle
   * wants values as Postgres writes them: times arrive as text, and JSON is passed as text.
   */
  sql: Sql
  db: Db
  close: () => Promise<void>
}

/**
 * A pool of connections, opened when first needed and again after a loss; statements meanwhile wait or
 * fail one by one, the pool does not.
 * @param url `postgres://…`; its query may carry `sslmode`
 * @param max most connections at a time
 * @param pooled `url` is that of a pooler in transaction mode: a connection is another one after each transaction, so
 *   nothing is kept by it under a name, and it takes no settings that the pooler does not know
 */
export function connectDatabase(
  url: string,
  { max = 10, name = 'balcao', pooled = false }: { max?: number; name?: string; pooled?: boolean } = {},
): Database {
  const sql = postgres(url, {
    max,
    prepare: !pooled,
    // A statement is sent in two parts where it is not kept. PgBouncer gives the connection away when the statement
    // before it is answered, although the first part of this one has been sent by it: the answer then reaches another.
    ...(pooled && { max_pipeline: 0 }),
    onnotice: () => undefined,
    connect_timeout: 10,
    // A lost database is usually back soon: the default waits up to 20 s between attempts.
    backoff: (attempt) => Math.min(0.1 * 2 ** attempt, 2),
    connection: {
      application_name: name,
      TimeZone: 'UTC',
      // Companies differ in size by orders of magnitude: a plan made for the average one suits few of their lists. In
      // transactions, which read and write by keys, plans are kept: see `preparing`.
      ...(!pooled && { plan_cache_mode: 'force_custom_plan' as const }),
    },
  })
  const longest = pooled ? -1 : longestPrepared
  return {
    sql,
    db: drizzle(preparing(sql, 'of its own', { beside: new Map(), longest })),
    close: () => sql.end({ timeout: 5 }),
  }
}

const BESIDE = Symbol('beside')

/** What the server keeps beside the connections of one database: the same for it and for each of its transactions. */
export const besideOf = (db: Db | Tx): Map<string, unknown> =>
  (db as unknown as { session: { client: { [BESIDE]?: Map<string, unknown> } } }).session.client[BESIDE] ?? new Map()

/** Longer statements are lists of rows, hardly ever of the same length twice: the server would keep each for nothing. */
const longestPrepared = 4_000

/** Statements of which the audit log is kept: a trigger writes it, and asks for the actor. */
const audited = new RegExp(
  `(?:^\\s*|\\bAS \\()(?:insert into|update|delete from) "(?:${[...Object.keys(auditedTables), 'sessions'].join('|')})"|\\baudit_add\\(`,
  'i',
)

/**
 * Drizzle asks for every statement to be parsed anew, which costs a second round trip each time. Kept by the server
 * under a name, as postgres.js does with its own, a statement is one round trip. Before a statement that is audited goes
 * who makes it, in the same transaction.
 *
 * In a transaction Postgres may keep a plan, for what triggers and foreign keys ask, too: each row of a message asks five
 * such questions, and to plan them anew took three quarters of what it cost to write it. A list that is sorted and cut
 * off belongs outside of a transaction.
 */
function preparing<T extends postgres.Sql | postgres.TransactionSql>(
  client: T,
  transaction: 'of its own' | 'begun',
  of: { beside: Map<string, unknown>; longest: number },
): T {
  const send: postgres.Sql['unsafe'] = (text, params, options) =>
    client.unsafe(text, params, { ...options, prepare: text.length <= of.longest })
  const within = (key: 'begin' | 'savepoint') => (work: (tx: postgres.TransactionSql) => unknown) =>
    (client as postgres.TransactionSql & postgres.Sql)[key]((tx: postgres.TransactionSql) => {
      // Sent ahead, not waited for: if it fails, so does what follows it.
      if (key === 'begin') tx.unsafe('SET LOCAL plan_cache_mode = auto').catch(() => undefined)
      return work(preparing(tx, 'begun', of))
    })
  const unsafe = ((text, params, options) => {
    const actor = audited.test(text) ? actorNow() : undefined
    if (!actor) return send(text, params, options)
    if (transaction === 'begun') {
      // Sent ahead, not waited for: if it fails, so does what follows it.
      send(`SELECT set_config('balcao.actor', $1, true)`, [JSON.stringify(actor)]).catch(() => undefined)
      return send(text, params, options)
    }
    const begun = (shape: (query: postgres.PendingQuery<postgres.Row[]>) => PromiseLike<unknown>) =>
      within('begin')((tx) => shape(tx.unsafe(text, params, options)))
    const rows = lazily(() => begun((query) => query))
    return Object.assign(rows, { values: () => lazily(() => begun((query) => query.values())) })
  }) as postgres.Sql['unsafe']
  return new Proxy(client, {
    get: (target, key) =>
      key === BESIDE
        ? of.beside
        : key === 'unsafe'
          ? unsafe
          : key === 'begin' || key === 'savepoint'
            ? within(key)
            : Reflect.get(target, key),
  })
}

/** A promise that begins when somebody waits for it, as those of postgres.js do. */
function lazily(begin: () => Promise<unknown>) {
  let begun: Promise<unknown> | undefined
  // oxlint-disable-next-line unicorn/no-thenable
  return { then: (...args: Parameters<Promise<unknown>['then']>) => (begun ??= begin()).then(...args) }
}

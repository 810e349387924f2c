import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'

/** A pooler in transaction mode before a Postgres, as an operator sets one up. */
export interface Pooler {
  url: string
  /** What it says of itself, such as `SHOW POOLS`. */
  show(what: 'pools' | 'stats' | 'servers'): Promise<Record<string, unknown>[]>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

const pgbouncerHere = (): string | undefined =>
  [Bun.which('pgbouncer'), '/usr/sbin/pgbouncer'].find((path) => path && Bun.file(path).size > 0) ?? undefined

/** The path of PgBouncer: of this machine, or installed from the packages of this system, which only root can do. */
export async function findPgbouncer(): Promise<string | undefined> {
  if (pgbouncerHere() || process.getuid?.() !== 0 || !Bun.which('apt-get')) return pgbouncerHere()
  for (const flags of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', 'pgbouncer'],
  ])
    await Bun.spawn(['apt-get', ...flags], {
      // Debian would start one as a service.
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
      stdio: ['ignore', 'ignore', 'ignore'],
      timeout: 120_000,
      killSignal: 'SIGKILL',
    }).exited
  return pgbouncerHere()
}

/**
 * Starts PgBouncer in a folder of its own.
 * @param path of PgBouncer
 * @param databaseUrl of the Postgres behind it; every database of it may be asked for
 * @param servers most connections to Postgres for each database
 */
export async function startPgbouncer(
  path: string,
  databaseUrl: string,
  { servers = 10 }: { servers?: number } = {},
): Promise<Pooler> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  chmodSync(folder, 0o755)
  const at = 20_000 + Math.floor(Math.random() * 20_000)
  const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)]
  writeFileSync(join(folder, 'users.txt'), `"${user}" "${secret}"\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${port || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${at}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
admin_users = ${user}
pool_mode = transaction
max_client_conn = 500
default_pool_size = ${servers}
log_connections = 0
log_disconnections = 0
`,
  )
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${at}`
  let child: Bun.Subprocess | undefined

  const start = async () => {
    // It refuses to run as root.
    const as = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
    child = Bun.spawn([path, '-q', ...as, join(folder, 'pgbouncer.ini')], { stdio: ['ignore', 'ignore', 'inherit'] })
    for (const deadline = Date.now() + 10_000; ; ) {
      const sql = postgres(url.href, { max: 1, fetch_types: false, connect_timeout: 5 })
      const answers = await sql`SELECT 1`
        .then(() => true)
        .catch((error: unknown) => (Date.now() > deadline ? Promise.reject(error) : false))
      await sql.end({ timeout: 1 })
      if (answers) return
      await Bun.sleep(20)
    }
  }
  const kill = async () => {
    child?.kill('SIGKILL')
    await child?.exited
  }
  await start()
  return {
    url: url.href,
    async show(what) {
      const admin = new URL(url)
      admin.pathname = '/pgbouncer'
      const sql = postgres(admin.href, { max: 1, fetch_types: false, prepare: false })
      try {
        return [...(await sql.unsafe(`SHOW ${what.toUpperCase()}`).simple())].filter(
          ({ database }) => `/${String(database)}` === pathname,
        )
      } finally {
        await sql.end({ timeout: 1 })
      }
    },
    kill,
    start,
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

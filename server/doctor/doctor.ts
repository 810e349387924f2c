import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type postgres from 'postgres'
import { keyNames } from '../backup/backup.format.ts'
import { connect, openDatabase } from '../backup/backup.place.ts'
import { createElectric, REFUSES_SECRET } from '../../sync/server/electric.ts'
import { ConfigError, parseConfig } from '../config.ts'
import { workerOf } from '../data-dir.ts'
import { migrationState } from '../db/migrate.ts'
import { createLogger } from '../log.ts'
import { mediaBoth } from '../media/media.both.ts'
import { mediaPlace, mediaPorts } from '../media/media-store.ts'
import { checkMail } from '../mail/mailer.ts'
import { openedBy } from '../sealed.ts'
import { type Finding, fault, good, warning } from './doctor.finding.ts'
import { loopDelay, slowness } from './doctor.slow.ts'
import { readUpgrades } from '../upgrade/upgrade.state.ts'

export type { Finding }

type Settings = ReturnType<typeof parseConfig>

const GB = 1e9
const FULL_BYTES = 0.5 * GB
const LITTLE_BYTES = 5 * GB
/** A backup is made each day. */
const LATE_MS = 48 * 3_600_000
/** So far, two clocks may be apart. */
const CLOCK_MS = 5_000
/** So many of the newest files are looked for. */
const FILES_LOOKED_FOR = 5_000
/** So many of those that are missing are named, and so many that are to be moved are counted. */
const NAMED = 5
const MOST_LEFT = 1_000

/**
 * Looks at all that an installation stands on, whether its server runs or not, and changes nothing.
 * @param env as the server gets it
 */
export async function examine(env: Record<string, string | undefined>): Promise<Finding[]> {
  let config: Settings
  try {
    config = parseConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.sentences.map((sentence) => fault('Configuration', sentence, 'Mend it in the environment or in .env.'))
  }
  const runs = workerOf(config.dataDir) !== undefined
  const found = [good('Configuration', 'every variable is well formed'), ...folderRights(config)]
  if (existsSync(config.dataDir)) found.push(await disk(config))
  found.push(
    await port(config, runs),
    ...(await database(config, runs)),
    ...(await electric(config)),
    ...(await mail(config)),
    ...upgrades(config, runs),
  )
  return found
}

// ── the machine ──────────────────────────────────────────────────────────────────────────────

function folderRights({ dataDir }: Settings): Finding[] {
  const name = 'Data folder'
  if (!existsSync(dataDir))
    return [
      warning(name, `${dataDir} does not exist`, 'The first start makes it. Otherwise name the right one in DATA_DIR.'),
    ]
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return [
      fault(name, `${dataDir} cannot be written by this user`, 'Give it to the user that starts Balcão: chown -R.'),
    ]
  }
  const open = [...keyNames, 'postgres.secret'].filter((file) => {
    const path = join(dataDir, file)
    return existsSync(path) && (statSync(path).mode & 0o077) !== 0
  })
  if (open.length > 0)
    return [
      fault(
        name,
        `others may read ${open.join(', ')}`,
        `chmod 600 ${open.map((file) => join(dataDir, file)).join(' ')}`,
      ),
    ]
  return [good(name, dataDir)]
}

async function disk({ dataDir }: Settings): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const says = `${(free / GB).toFixed(1)} GB are free`
  if (free < FULL_BYTES) return fault('Disk', says, 'Make room: a database without room stops, and takes no messages.')
  if (free < LITTLE_BYTES) return warning('Disk', says, 'Make room before it is full.')
  return good('Disk', says)
}

async function port({ port, host }: Settings, runs: boolean): Promise<Finding> {
  const name = 'Port'
  if (port === 0) return good(name, 'a free one is taken')
  if (runs) {
    const at = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}/health`
    const answer = await fetch(at, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
    if (!answer)
      return fault(
        name,
        `the server runs, and nothing answers at ${at}`,
        'Look at its log; start it again if it is silent.',
      )
    if (!answer.ok) return fault(name, `the server says that it is not well (${answer.status})`, 'Look at its log.')
    return good(name, `the server answers at ${port}`)
  }
  try {
    void Bun.listen({ hostname: host, port, socket: { data: () => undefined } }).stop(true)
    return good(name, `${port} is free`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES')
      return fault(name, `${port} needs rights that this user lacks`, 'Choose a port above 1023 in PORT.')
    return fault(name, `${port} is taken by another program`, 'End that program, or choose another port in PORT.')
  }
}

/** The last change of versions, where there was one, and whether the service starts what runs. */
function upgrades({ dataDir }: Settings, isRunning: boolean): Finding[] {
  const name = 'Version'
  const { last, runs } = readUpgrades(dataDir)
  if (runs && !existsSync(join(runs.folder, 'server', 'launch.ts')))
    return [
      fault(
        name,
        `version ${runs.version} runs on this data, and its folder ${runs.folder} is gone`,
        'Put it back, or have the service start that version from where it is.',
      ),
    ]
  if (!last) return []
  const { from, to, at, state, why } = last
  const told = `the upgrade from ${from.version} to ${to.version} that began at ${at}`
  if (state === 'begun' && isRunning)
    return [warning(name, `${told} is under way`, 'Wait for its end, and look again.')]
  if (state === 'begun')
    return [
      fault(
        name,
        `${told} was interrupted, and nothing runs`,
        `Start the service: it goes on with ${from.version}. Then upgrade again.`,
      ),
    ]
  if (state === 'back')
    return [warning(name, `${told} went back: ${why ?? 'unknown'}`, 'Read the log of that time; then upgrade again.')]
  return [good(name, `${to.version} took over from ${from.version} at ${at}, and lies in ${to.folder}`)]
}

const nobody = { warn: () => undefined, info: () => undefined }

/** Where rows come from when it is not the shape server of our own. */
async function electric({ electric }: Settings): Promise<Finding[]> {
  if (!electric) return []
  const said = await createElectric({ ...electric, fetch: (request) => fetch(request), log: nobody }).health()
  if (said === 'active') return [good('Electric', 'it serves rows')]
  const remedy =
    said === 'down'
      ? 'Start it, and compare ELECTRIC_URL.'
      : said === REFUSES_SECRET
        ? 'Give both the same ELECTRIC_SECRET.'
        : 'Wait until it is active; its own log says what it waits for.'
  return [fault('Electric', said === 'down' ? 'it does not answer' : `it says: ${said}`, remedy)]
}

async function mail({ mail }: Settings): Promise<Finding[]> {
  if (!mail)
    return [
      warning(
        'Mail',
        'no mail server is named',
        'Set MAIL_HOST and MAIL_FROM, or admins set forgotten passwords by hand.',
      ),
    ]
  try {
    await checkMail(mail)
    return [good('Mail', `${mail.host} takes our mail`)]
  } catch (error) {
    return [
      fault(
        'Mail',
        `${mail.host} does not take our mail: ${oneLine(error)}`,
        'Compare MAIL_HOST, MAIL_PORT, MAIL_USER and MAIL_PASS.',
      ),
    ]
  }
}

// ── the database ─────────────────────────────────────────────────────────────────────────────

async function database(config: Settings, runs: boolean): Promise<Finding[]> {
  const isOwn = config.database.url === undefined
  if (isOwn && !existsSync(join(config.dataDir, 'postgres')))
    return [
      warning('Database', 'there is none yet', 'The first start makes it; `bun run restore` brings a backup back.'),
    ]
  // Opening it would make a new one, which is not the database's.
  if (isOwn && !existsSync(join(config.dataDir, 'postgres.secret')))
    return [
      fault(
        'Database',
        'postgres.secret is missing: nobody knows the password of the embedded Postgres',
        'Put it back from a copy of the data folder, or restore a backup into an empty folder: bun run restore.',
      ),
    ]
  const log = createLogger({ level: 'silent' })
  let opened: Awaited<ReturnType<typeof openDatabase>>
  try {
    opened = await openDatabase(config, log)
  } catch (error) {
    return [
      fault(
        'Database',
        `the embedded Postgres does not start: ${oneLine(error)}`,
        `Read ${join(config.dataDir, 'postgres', 'log')}.`,
      ),
    ]
  }
  const sql = connect(opened.url)
  try {
    const reached = await sql`SELECT 1`.then(
      () => undefined,
      (error: unknown) => error,
    )
    if (reached !== undefined)
      return [
        fault(
          'Database',
          `it cannot be reached: ${oneLine(reached)}`,
          isOwn ? 'End the server and start it again.' : 'Compare DATABASE_URL, and whether that Postgres runs.',
        ),
      ]
    const found = [await postgresItself(sql)]
    const migrations = await pendingMigrations(sql)
    found.push(migrations.finding)
    // Older tables may lack what is asked here.
    if (!migrations.pending) {
      found.push(await keys(sql, config), await media(sql, config), await clock(sql))
      if (runs) found.push(await connections(sql))
      found.push(await failedJobs(sql), ...(await backups(sql, config)), ...(await slowness(sql)))
      if (runs) found.push(await loopDelay(config))
    }
    return found
  } finally {
    await sql.end({ timeout: 1 })
    await opened.close()
  }
}

async function postgresItself(sql: postgres.Sql): Promise<Finding> {
  const [server] = await sql<{ version: string; number: number; level: string; replicates: boolean }[]>`
    SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
      current_setting('wal_level') AS level,
      (SELECT rolreplication OR rolsuper FROM pg_roles WHERE rolname = current_user) AS replicates`
  if (!server) return fault('Database', 'it says nothing of itself', 'Compare DATABASE_URL.')
  if (server.number < 150_000)
    return fault('Database', `it is Postgres ${server.version}`, 'Version 15 or newer is needed: upgrade it.')
  if (server.level !== 'logical')
    return fault(
      'Database',
      `its wal_level is ${server.level}`,
      'Set wal_level = logical in postgresql.conf, and restart it.',
    )
  if (!server.replicates)
    return fault('Database', 'our role may not replicate', 'ALTER ROLE … REPLICATION, as its superuser.')
  return good('Database', `Postgres ${server.version}`)
}

async function pendingMigrations(sql: postgres.Sql): Promise<{ finding: Finding; pending: boolean }> {
  const name = 'Tables'
  const { known, applied } = await migrationState(sql)
  const foreign = applied.filter((hash) => !known.includes(hash))
  if (foreign.length > 0)
    return {
      pending: true,
      finding: fault(
        name,
        'the database was changed by a version that this one does not know',
        'Start the newer version, or restore a backup made by this one.',
      ),
    }
  const missing = known.length - applied.length
  if (missing > 0)
    return {
      pending: true,
      finding: warning(
        name,
        missing === 1 ? 'one migration waits' : `${missing} migrations wait`,
        'Make a backup; the next start applies them.',
      ),
    }
  return { pending: false, finding: good(name, 'they are those of this version') }
}

async function keys(sql: postgres.Sql, config: Settings): Promise<Finding> {
  const name = 'Keys'
  const given: Record<(typeof keyNames)[number], unknown> = {
    'jwt.secret': config.jwtSecret,
    'encryption.key': config.encryptionKey,
  }
  const missing = keyNames.filter((key) => given[key] === undefined && !existsSync(join(config.dataDir, key)))
  if (missing.length > 0)
    return fault(
      name,
      `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing`,
      missing.includes('encryption.key')
        ? 'Put back from a backup what is missing: without encryption.key every phone is linked again, and the server does not start.'
        : 'Put it back from a backup before the next start: a new one logs everyone out.',
    )
  const key =
    config.encryptionKey ??
    Buffer.from((await readFile(join(config.dataDir, 'encryption.key'), 'utf8')).trim(), 'base64')
  const { refused } = await openedBy(sql, key)
  if (refused.length > 0)
    return fault(
      name,
      `encryption.key does not open ${refused.join(', ')}`,
      'Put the right one back from a backup, and look into ENCRYPTION_KEY. If it is lost for good, start once with ENCRYPTION_KEY_LOST=yes: phones are linked again, and keys of services typed again.',
    )
  return good(name, 'they are there, and open what they sealed')
}

async function media(sql: postgres.Sql, config: Settings): Promise<Finding> {
  const { to, from } = mediaPorts(mediaPlace(config))
  const files = from ? mediaBoth(to, from) : to
  const rows = await sql<{ path: string; size: number | null }[]>`
    SELECT "mediaPath" AS path, "mediaSize" AS size FROM messages WHERE "mediaPath" IS NOT NULL
    ORDER BY "createdAt" DESC LIMIT ${FILES_LOOKED_FOR}`
  const missing: string[] = []
  let short = 0
  let left = 0
  try {
    for (const { path, size } of rows) {
      const found = await files.find(path)
      if (!found) missing.push(path)
      else if (found.size < (size ?? 0)) short++
    }
    for await (const _ of from?.list() ?? []) if (++left === MOST_LEFT) break
  } catch (error) {
    return fault(
      'Media',
      `the bucket ${config.bucket?.name ?? ''} does not answer: ${oneLine((error as Error).cause ?? error)}`,
      'Compare S3_BUCKET, S3_ENDPOINT, S3_REGION and the two keys, and whether that service runs.',
    )
  }
  const where = from ? 'lie neither in the bucket nor in the folder' : 'are missing'
  if (missing.length + short > 0)
    return fault(
      'Media',
      [
        ...(missing.length > 0
          ? [
              `${missing.length} of the newest ${rows.length} files ${where}: ${missing.slice(0, NAMED).join(', ')}${missing.length > NAMED ? ' …' : ''}`,
            ]
          : []),
        ...(short > 0 ? [`${short} of the newest ${rows.length} files are cut off`] : []),
      ].join(', '),
      missing.length > 0
        ? 'Copy the folder media from a backup; what is there already may stay.'
        : 'Copy these files from a backup: a disk that was full, or a machine that went out, cuts what was being written.',
    )
  if (left > 0)
    return warning(
      'Media',
      `the newest ${rows.length} files are there; ${left === MOST_LEFT ? `${MOST_LEFT} or more` : left} are not yet where MEDIA_IN says`,
      '`bun run media:move` moves them while people work.',
    )
  return good('Media', `the newest ${rows.length} files are there`)
}

async function clock(sql: postgres.Sql): Promise<Finding> {
  const before = Date.now()
  const [row] = await sql<{ at: Date; newest: Date | null }[]>`
    SELECT clock_timestamp() AS at, (SELECT max("createdAt") FROM sessions) AS newest`
  const apart = Math.abs((row?.at.getTime() ?? before) - (before + Date.now()) / 2)
  const remedy = 'Let the machine take its time from the network (timedatectl set-ntp true).'
  if (apart > CLOCK_MS)
    return fault('Clock', `this machine and the database are ${Math.round(apart / 1_000)} s apart`, remedy)
  if (row?.newest && row.newest.getTime() - Date.now() > CLOCK_MS)
    return fault('Clock', `it stands before the last login (${row.newest.toISOString()})`, remedy)
  return good('Clock', new Date().toISOString())
}

async function connections(sql: postgres.Sql): Promise<Finding> {
  const rows = await sql<{ id: number; company: number; status: string }[]>`
    SELECT id, "companyId" AS company, status FROM whatsapps WHERE wanted AND status <> 'CONNECTED' ORDER BY id`
  if (rows.length === 0) return good('Connections', 'all that should be are linked')
  const named = rows.slice(0, 10).map(({ id, company, status }) => `${id} of company ${company} (${status})`)
  return warning(
    'Connections',
    `${rows.length} are not linked: ${named.join(', ')}${rows.length > named.length ? ' …' : ''}`,
    'DISCONNECTED comes back by itself; the others need their phone: Conexões shows the code to scan.',
  )
}

async function failedJobs(sql: postgres.Sql): Promise<Finding> {
  const rows = await sql<{ kind: string; n: number }[]>`
    SELECT kind, count(*)::int AS n FROM jobs WHERE "failedAt" IS NOT NULL GROUP BY kind ORDER BY n DESC LIMIT 10`
  if (rows.length === 0) return good('Jobs', 'none was given up')
  return warning(
    'Jobs',
    `given up: ${rows.map(({ kind, n }) => `${n} × ${kind}`).join(', ')}`,
    '`GET /operator/jobs` tells the operator why; `POST /operator/jobs/:id/retry` tries one again.',
  )
}

/** Those that the server makes by itself. */
async function backups(sql: postgres.Sql, { backup }: Settings): Promise<Finding[]> {
  if (!backup) return []
  const name = 'Backups'
  const rows = await sql<{ work: string; goodAt: Date | null; error: string | null }[]>`
    SELECT DISTINCT ON ("work") "work", "error",
      max("endedAt") FILTER (WHERE "error" IS NULL) OVER (PARTITION BY "work") AS "goodAt"
    FROM backup_runs ORDER BY "work", "endedAt" DESC`
  const failed = rows.find(({ error }) => error !== null)
  if (failed)
    return [
      fault(
        name,
        `the last one ${failed.work === 'made' ? 'was not made' : 'could not be restored aside'}: ${oneLine(failed.error)}`,
        'Compare BACKUP_S3_… and BACKUP_KEY, and try: bun run backup bucket, bun run backup:verify bucket.',
      ),
    ]
  const made = rows.find(({ work }) => work === 'made')?.goodAt
  if (!made)
    return [warning(name, 'none was made yet', 'The server makes one each day; at once: bun run backup bucket.')]
  if (Date.now() - made.getTime() > LATE_MS)
    return [fault(name, `the last is of ${made.toISOString()}`, 'Look whether the server runs, and at its log.')]
  const restored = rows.find(({ work }) => work === 'restored')?.goodAt
  return [
    good(
      name,
      `made ${made.toISOString()}, ${restored ? `restored aside ${restored.toISOString()}` : 'not yet restored'}`,
    ),
  ]
}

/** Without what an address may hold. */
const oneLine = (error: unknown): string =>
  (error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error))
    .split('\n', 1)[0]!
    .replaceAll(/\w{1,20}:\/\/[^\s@]{0,300}@/g, '')
    .slice(0, 200)

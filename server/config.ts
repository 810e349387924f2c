import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { dataDirSecret } from './data-dir.ts'
import { type Allowed, parseAllowed } from './outside/addresses.ts'

/** One sentence for each environment variable that is wrong, all at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  constructor(readonly sentences: string[]) {
    super(sentences.join('\n'))
  }
}

/** Where a virus scanner listens that speaks as ClamAV's clamd does. */
export type ScannerAddress = { host: string; port: number } | { path: string }

/** How a value is read. `parse` throws an Error whose message completes the sentence "PORT must be …". */
type Variable<T> = { fallback: string; text: string; parse: (value: string) => T }

const variable = <T>(fallback: string, text: string, parse: (value: string) => T): Variable<T> => ({
  fallback,
  text,
  parse,
})

/** Every variable there is. `.env.example` and the table in the README are made from this list. */
export const variables = {
  PORT: variable('3000', 'Port of the web server; 0 takes a free one.', wholeNumber(0, 65_535)),
  HOST: variable('127.0.0.1', 'Address to listen on; `0.0.0.0` makes it reachable from other machines.', word),
  PUBLIC_URL: variable(
    '',
    'Address people and webhooks use, where a proxy stands in front; with `https` the cookie is Secure.',
    optional(address('http', 'https')),
  ),
  TRUST_PROXY: variable(
    '0',
    'Number of proxies in front whose `X-Forwarded-For` is believed; 0 believes none.',
    wholeNumber(0, 10),
  ),
  LIMIT_CALLS: variable(
    'on',
    '`on` answers 429 to a user or an address that calls far too often; `off` is for measuring.',
    oneOf('on', 'off'),
  ),
  DATA_DIR: variable('./data', 'Folder for the embedded database, media and secrets. One server per folder.', word),
  S3_BUCKET: variable(
    '',
    'Bucket that media lie in, as several servers need it. Unset: a folder of DATA_DIR.',
    optional(word),
  ),
  S3_ENDPOINT: variable(
    '',
    'Address of the service, for another than Amazon’s S3 (MinIO, R2, Ceph, Garage).',
    optional(address('http', 'https')),
  ),
  S3_REGION: variable('us-east-1', 'Region of the bucket; many services take any.', word),
  S3_ACCESS_KEY_ID: variable('', 'Key that may read, write, list and delete in that bucket.', optional(word)),
  S3_SECRET_ACCESS_KEY: variable('', 'Secret of that key.', optional(word)),
  MEDIA_IN: variable(
    'bucket',
    'With a bucket: where new media go, `bucket` or `folder`. Those in the other are found there; `bun run media:move` moves them.',
    oneOf('bucket', 'folder'),
  ),
  BACKUP_KEY: variable(
    '',
    'Key (base64, 32 bytes) that backups in a bucket are encrypted with. Keep it elsewhere, too: without it they open to nobody.',
    optional(base64Key),
  ),
  BACKUP_S3_BUCKET: variable(
    '',
    'Bucket that a backup goes into each day. Unset: none is made by itself.',
    optional(word),
  ),
  BACKUP_S3_ENDPOINT: variable('', 'Address of its service. Unset: S3_ENDPOINT.', optional(address('http', 'https'))),
  BACKUP_S3_REGION: variable('', 'Its region. Unset: S3_REGION.', optional(word)),
  BACKUP_S3_ACCESS_KEY_ID: variable(
    '',
    'Key that may read, write, list and delete there. Unset: S3_ACCESS_KEY_ID.',
    optional(word),
  ),
  BACKUP_S3_SECRET_ACCESS_KEY: variable('', 'Secret of that key. Unset: S3_SECRET_ACCESS_KEY.', optional(word)),
  BACKUP_HOUR: variable('3', 'Hour of the day, UTC, from which the backup is made.', wholeNumber(0, 23)),
  BACKUP_KEEP_DAYS: variable('14', 'Days that backups in the bucket are kept.', wholeNumber(1, 3_650)),
  DATABASE_URL: variable(
    '',
    'A Postgres 15 or newer with `wal_level=logical`. Unset: embedded Postgres 18 in DATA_DIR.',
    optional(address('postgres', 'postgresql')),
  ),
  DATABASE_POOLER_URL: variable(
    '',
    'A pooler in transaction mode (PgBouncer) before that Postgres, for all that may go through one. DATABASE_URL stays the database itself.',
    optional(address('postgres', 'postgresql')),
  ),
  DATABASE_POOL_SIZE: variable('20', 'Most connections to the database at a time.', wholeNumber(2, 500)),
  ELECTRIC_URL: variable(
    '',
    'An Electric service on the same database. Unset: embedded shape server.',
    optional(address('http', 'https')),
  ),
  ELECTRIC_SECRET: variable('', 'Secret of that Electric service.', optional(word)),
  WHATSAPP_WS_URL: variable(
    '',
    'A simulated WhatsApp, for tests and the demo. Unset: the real service.',
    optional(address('ws', 'wss')),
  ),
  WHATSAPP_CERT_KEY: variable(
    '',
    'Root key (base64, 32 bytes) of the simulated WhatsApp; refused unless WHATSAPP_WS_URL is a loopback address.',
    optional(base64Key),
  ),
  CLOUD_API_URL: variable(
    'https://graph.facebook.com',
    'Where WhatsApp’s official API is; another address is for tests and the demo.',
    address('http', 'https'),
  ),
  ADMIN_EMAIL: variable('admin@balcao.test', 'E-mail of the operator, made at the first start.', email),
  ADMIN_PASSWORD: variable(
    '',
    'Password of the operator at the first start. Unset: a random one, printed once.',
    optional(lengthBetween(8, 50)),
  ),
  JWT_SECRET: variable(
    '',
    'Signs access tokens. Unset: made once and kept in DATA_DIR. Several servers need the same.',
    optional(lengthBetween(32, 1_000)),
  ),
  ENCRYPTION_KEY: variable(
    '',
    'Encrypts WhatsApp credentials in the database (base64, 32 bytes). Unset: made once and kept in DATA_DIR. Several servers need the same.',
    optional(base64Key),
  ),
  ENCRYPTION_KEY_LOST: variable(
    'no',
    '`yes` starts although the key opens nothing of what the database keeps sealed. Set it once, when that key is lost for good.',
    oneOf('no', 'yes'),
  ),
  SESSION_DAYS: variable(
    '30',
    'Days after which a person signs in again, however often they were there meanwhile.',
    wholeNumber(1, 365),
  ),
  MAX_UPLOAD_MB: variable('100', 'Largest file that may be uploaded, in MB.', wholeNumber(1, 2_000)),
  AUTO_CLOSE_HOURS: variable(
    '24',
    'Hours after which an open ticket whose last message is ours is closed, where its connection sets none; 0 never.',
    wholeNumber(0, 8_760),
  ),
  MAIL_HOST: variable(
    '',
    'Mail server (SMTP) that sends the codes for forgotten passwords. Unset: none are sent, and the screen says so.',
    optional(word),
  ),
  MAIL_PORT: variable('587', 'Its port; 465 is encrypted from the start, others by STARTTLS.', wholeNumber(1, 65_535)),
  MAIL_USER: variable('', 'User at that server; sent encrypted only, except to this machine.', optional(word)),
  MAIL_PASS: variable('', 'Password of that user.', optional(lengthBetween(1, 1_000))),
  MAIL_FROM: variable(
    '',
    'Sender of the mails, such as `Balcão <balcao@example.com>`. Needed with MAIL_HOST.',
    optional(sender),
  ),
  CLAMD: variable(
    '',
    'Where a virus scanner listens that speaks as ClamAV’s clamd does: `tcp://host:3310` or `unix:///path`. It looks at each file before it is taken; without its answer none is. Unset: nobody looks.',
    optional(scannerAddress),
  ),
  OUTBOUND_ALLOW: variable(
    '',
    'What this server may call inside your network when a user names it: addresses, networks (`10.0.0.0/8`) or names, separated by commas. Unset: only what is public.',
    list(parseAllowed),
  ),
  OUTBOUND_CA: variable(
    '',
    'File with certificates (PEM) to trust besides the usual ones in such calls.',
    optional(word),
  ),
  METRICS_TOKEN: variable(
    '',
    'Token with which Prometheus reads `/metrics` (`Authorization: Bearer …`). Unset: nobody does.',
    optional((value) => lengthBetween(16, 1_000)(word(value))),
  ),
  LOG_LEVEL: variable(
    'info',
    '`debug`, `info`, `warn`, `error` or `silent`.',
    oneOf('debug', 'info', 'warn', 'error', 'silent'),
  ),
} as const

export type VariableName = keyof typeof variables
type Values = { [Name in VariableName]: ReturnType<(typeof variables)[Name]['parse']> }

/** A bucket of Amazon's S3, or of anything that speaks like it (MinIO, R2, Ceph, Garage). */
export interface Bucket {
  name: string
  /** Without a slash at its end; undefined is Amazon's own. */
  endpoint: string | undefined
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** Where backups go by themselves. */
export interface BackupPlace {
  bucket: Bucket
  /** 32 bytes. */
  key: Uint8Array
  /** Of the day, UTC. */
  hour: number
  keepDays: number
}

export type Config = {
  port: number
  host: string
  /** Without a slash at its end; undefined where the server's own address is the public one. */
  publicUrl: string | undefined
  trustProxy: number
  limitCalls: boolean
  /** Absolute. */
  dataDir: string
  database: { url: string | undefined; pooler?: string | undefined; poolSize: number }
  /** Undefined keeps media in a folder of `dataDir`. */
  bucket: Bucket | undefined
  /** Where new media go, beside a bucket. */
  mediaIn: Values['MEDIA_IN']
  /** Undefined makes no backups by itself. */
  backup: BackupPlace | undefined
  electric: { url: string; secret: string | undefined } | undefined
  whatsapp: { wsUrl: string | undefined; certKey: Uint8Array | undefined }
  /** Where WhatsApp's official API is, without a slash at its end. */
  cloudApiUrl: string
  admin: { email: string; password: string | undefined }
  jwtSecret: string
  /** 32 bytes. */
  encryptionKey: Uint8Array
  /** The right one will not come back. */
  encryptionKeyLost: boolean
  /** From the login to the end of the session at the latest. */
  sessionDays: number
  maxUploadBytes: number
  /** Undefined: nobody looks for viruses. */
  scanner: ScannerAddress | undefined
  autoCloseHours: number
  /** Undefined sends no mail. */
  mail: { host: string; port: number; user: string | undefined; password: string | undefined; from: string } | undefined
  outbound: { allow: readonly Allowed[]; caFile: string | undefined }
  /** Undefined shows no figures. */
  metricsToken: string | undefined
  logLevel: Values['LOG_LEVEL']
}

/**
 * The configuration, secrets included: those that are not set are made once and kept in the data directory.
 * @throws ConfigError naming every variable that is wrong
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const { jwtSecret, encryptionKey, ...config } = parseConfig(env)
  return {
    ...config,
    jwtSecret: jwtSecret ?? dataDirSecret(config.dataDir, 'jwt.secret', () => randomBytes(48).toString('base64')),
    encryptionKey:
      encryptionKey ??
      base64Key(dataDirSecret(config.dataDir, 'encryption.key', () => randomBytes(32).toString('base64'))),
  }
}

/**
 * Reads the variables, touching nothing.
 * @throws ConfigError naming every variable that is wrong
 */
export function parseConfig(
  env: Record<string, string | undefined>,
): Omit<Config, 'jwtSecret' | 'encryptionKey'> & Partial<Pick<Config, 'jwtSecret' | 'encryptionKey'>> {
  const sentences: string[] = []
  const read: Partial<Record<VariableName, unknown>> = {}
  for (const [name, { fallback, parse }] of Object.entries(variables) as [VariableName, Variable<unknown>][]) {
    try {
      // Set but empty is unset: that is how compose files pass on what nobody chose.
      read[name] = parse(env[name]?.trim() || fallback)
    } catch (error) {
      sentences.push(`${name} must be ${(error as Error).message}.`)
    }
  }
  const values = read as Values

  if (values.ELECTRIC_URL && !values.DATABASE_URL) {
    sentences.push('ELECTRIC_URL needs DATABASE_URL: Electric has to follow the database that this server writes to.')
  }
  if (values.WHATSAPP_CERT_KEY && !isLoopback(values.WHATSAPP_WS_URL)) {
    sentences.push(
      'WHATSAPP_CERT_KEY is only accepted together with a WHATSAPP_WS_URL on this machine: the real service has its own key.',
    )
  }
  const s3 = [values.S3_BUCKET, values.S3_ACCESS_KEY_ID, values.S3_SECRET_ACCESS_KEY].filter(Boolean).length
  if (s3 > 0 && s3 < 3) sentences.push('S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are only used together.')
  if (values.S3_ENDPOINT && s3 === 0) sentences.push('S3_ENDPOINT needs S3_BUCKET: media lie in a bucket of it.')
  if (!values.BACKUP_S3_BUCKET !== !values.BACKUP_KEY)
    sentences.push('BACKUP_S3_BUCKET and BACKUP_KEY are only used together: nothing leaves the server unencrypted.')
  if (values.BACKUP_S3_BUCKET && values.BACKUP_KEY && !backupPlace(values as Values))
    sentences.push('BACKUP_S3_BUCKET needs a key and its secret: BACKUP_S3_… or S3_….')
  if (values.DATABASE_POOLER_URL && !values.DATABASE_URL)
    sentences.push('DATABASE_POOLER_URL needs DATABASE_URL: replication, locks and LISTEN go to the database itself.')
  if (values.MAIL_HOST && !values.MAIL_FROM) sentences.push('MAIL_HOST needs MAIL_FROM: a mail has a sender.')
  if (!values.MAIL_USER !== !values.MAIL_PASS) sentences.push('MAIL_USER and MAIL_PASS are only used together.')
  if (sentences.length > 0) throw new ConfigError(sentences)

  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, ''),
    trustProxy: values.TRUST_PROXY,
    limitCalls: values.LIMIT_CALLS === 'on',
    dataDir: resolve(values.DATA_DIR),
    database: { url: values.DATABASE_URL, pooler: values.DATABASE_POOLER_URL, poolSize: values.DATABASE_POOL_SIZE },
    bucket:
      values.S3_BUCKET && values.S3_ACCESS_KEY_ID && values.S3_SECRET_ACCESS_KEY
        ? {
            name: values.S3_BUCKET,
            endpoint: values.S3_ENDPOINT?.replace(/\/+$/, ''),
            region: values.S3_REGION,
            accessKeyId: values.S3_ACCESS_KEY_ID,
            secretAccessKey: values.S3_SECRET_ACCESS_KEY,
          }
        : undefined,
    mediaIn: values.MEDIA_IN,
    backup: backupPlace(values),
    electric: values.ELECTRIC_URL
      ? { url: values.ELECTRIC_URL.replace(/\/+$/, ''), secret: values.ELECTRIC_SECRET }
      : undefined,
    whatsapp: { wsUrl: values.WHATSAPP_WS_URL, certKey: values.WHATSAPP_CERT_KEY },
    cloudApiUrl: values.CLOUD_API_URL,
    admin: { email: values.ADMIN_EMAIL, password: values.ADMIN_PASSWORD },
    jwtSecret: values.JWT_SECRET,
    encryptionKey: values.ENCRYPTION_KEY,
    encryptionKeyLost: values.ENCRYPTION_KEY_LOST === 'yes',
    sessionDays: values.SESSION_DAYS,
    maxUploadBytes: values.MAX_UPLOAD_MB * 1_000_000,
    autoCloseHours: values.AUTO_CLOSE_HOURS,
    mail:
      values.MAIL_HOST && values.MAIL_FROM
        ? {
            host: values.MAIL_HOST,
            port: values.MAIL_PORT,
            user: values.MAIL_USER,
            password: values.MAIL_PASS,
            from: values.MAIL_FROM,
          }
        : undefined,
    scanner: values.CLAMD,
    outbound: { allow: values.OUTBOUND_ALLOW, caFile: values.OUTBOUND_CA },
    metricsToken: values.METRICS_TOKEN,
    logLevel: values.LOG_LEVEL,
  }
}

/** What is not said of its bucket is as of the media's. */
function backupPlace(values: Values): BackupPlace | undefined {
  const accessKeyId = values.BACKUP_S3_ACCESS_KEY_ID ?? values.S3_ACCESS_KEY_ID
  const secretAccessKey = values.BACKUP_S3_SECRET_ACCESS_KEY ?? values.S3_SECRET_ACCESS_KEY
  if (!values.BACKUP_S3_BUCKET || !values.BACKUP_KEY || !accessKeyId || !secretAccessKey) return undefined
  return {
    bucket: {
      ...{ name: values.BACKUP_S3_BUCKET, accessKeyId, secretAccessKey },
      endpoint: (values.BACKUP_S3_ENDPOINT ?? values.S3_ENDPOINT)?.replace(/\/+$/, ''),
      region: values.BACKUP_S3_REGION ?? values.S3_REGION,
    },
    ...{ key: values.BACKUP_KEY, hour: values.BACKUP_HOUR, keepDays: values.BACKUP_KEEP_DAYS },
  }
}

/** The text of `.env.example`. */
export function envExample(): string {
  const entries = Object.entries(variables).map(([name, { fallback, text }]) => `# ${text}\n#${name}=${fallback}\n`)
  return `# Copy to .env and uncomment what should differ; the values shown are the defaults.\n\n${entries.join('\n')}`
}

/** The table of variables in the README. */
export function variablesTable(): string {
  const rows = Object.entries(variables).map(
    ([name, { fallback, text }]) => `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${text} |`,
  )
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n')
}

// ── how values are read ──────────────────────────────────────────────────────────────────────

function optional<T>(parse: (value: string) => T): (value: string) => T | undefined {
  return (value) => (value === '' ? undefined : parse(value))
}

function list<T>(parse: (entry: string) => T): (value: string) => T[] {
  return (value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean)
      .map(parse)
}

function word(value: string): string {
  if (/[\s\0]/.test(value)) throw new Error('without spaces')
  return value
}

function wholeNumber(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < least || number > most) {
      throw new Error(`a whole number from ${least} to ${most}, not "${value}"`)
    }
    return number
  }
}

function scannerAddress(value: string): ScannerAddress {
  const path = /^unix:\/\/(\/[^\s\0]{1,200})$/.exec(value)?.[1]
  if (path) return { path }
  const tcp = /^tcp:\/\/(?:\[([0-9a-fA-F:.]{2,45})\]|([^\s\0:/[\]]{1,253})):([0-9]{1,5})$/.exec(value)
  const port = Number(tcp?.[3])
  if (!tcp || port < 1 || port > 65_535) throw new Error('like tcp://host:3310 or unix:///path')
  return { host: (tcp[1] ?? tcp[2])!, port }
}

function address(...schemes: string[]): (value: string) => string {
  const wanted = schemes.map((scheme) => `${scheme}://`).join(' or ')
  return (value) => {
    // The value is not repeated: an address may hold a password.
    if (!URL.canParse(value) || !schemes.includes(new URL(value).protocol.slice(0, -1))) {
      throw new Error(`an address beginning with ${wanted}`)
    }
    return value
  }
}

function base64Key(value: string): Uint8Array {
  const bytes = Buffer.from(value, 'base64')
  if (!/^[A-Za-z0-9+/]{43}=$/.test(value) || bytes.length !== 32) throw new Error('32 bytes in base64 (44 characters)')
  return new Uint8Array(bytes)
}

function email(value: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(value)) throw new Error(`an e-mail address, not "${value}"`)
  return value.toLowerCase()
}

function sender(value: string): string {
  if (!/^([^<>\r\n]* <)?[^\s@<>]+@[^\s@<>]+>?$/.test(value) || value.includes('<') !== value.endsWith('>'))
    throw new Error(`an address or a name and an address, such as "Balcão <balcao@example.com>", not "${value}"`)
  return value
}

function lengthBetween(least: number, most: number): (value: string) => string {
  return (value) => {
    if (value.length < least || value.length > most) throw new Error(`${least} to ${most} characters long`)
    return value
  }
}

function oneOf<const T extends string>(...values: T[]): (value: string) => T {
  return (value) => {
    const found = values.find((candidate) => candidate === value)
    if (found === undefined) throw new Error(`one of ${values.join(', ')}, not "${value}"`)
    return found
  }
}

/** Whether the address can only be a program on this machine. */
export function isLoopback(url: string | undefined): boolean {
  if (!url) return false
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

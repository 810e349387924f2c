import { pino, type Logger as PinoLogger, type SerializedError } from 'pino'
import { requestIdNow } from './actor.ts'

/** The one way to say something at run time. Take `log.child({ part })` for a part's own lines. */
export type Logger = PinoLogger

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

type Line = Record<string, unknown> & { level: number; time: number; msg?: string }

const levelNames: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'ERROR',
  60: 'FATAL',
}

/** Whatever carries one of these names is a secret, at the top of a line or one object deep. */
const secretNames = [
  'password',
  'passwordHash',
  'token',
  'pass',
  'refreshToken',
  'accessToken',
  'apiKey',
  'secret',
  'authorization',
  'cookie',
  'creds',
  'keys',
  'jwtSecret',
  'encryptionKey',
  'electricSecret',
  'adminPassword',
  'databaseUrl',
  'metricsToken',
]

/**
 * An error without the values of a statement that failed, which drizzle puts into its text at any length: hashes of
 * passwords, and what people wrote.
 */
function withoutValues(error: Error): SerializedError {
  const seen = pino.stdSerializers.err(error)
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    const { params } = e as { params?: unknown }
    if (!Array.isArray(params)) continue
    const values = `\nparams: ${String(params)}`
    seen.message = seen.message.replaceAll(values, '')
    seen.stack = seen.stack.replaceAll(values, '')
    delete seen.params
  }
  return seen
}

/**
 * A logger writing to standard output: JSON lines, or one readable line each when a person watches.
 * @param pretty readable lines; by default when standard output is a terminal
 * @param write takes the lines in place of standard output
 */
export function createLogger({
  level = 'info',
  pretty = process.stdout.isTTY === true,
  write,
}: {
  level?: LogLevel
  pretty?: boolean
  write?: (line: string) => void
} = {}): Logger {
  const options = {
    level,
    base: null,
    serializers: { err: withoutValues },
    mixin: () => {
      const requestId = requestIdNow()
      return requestId === undefined ? {} : { requestId }
    },
    redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
  }
  if (write) return pino(options, { write: (line: string) => write(pretty ? readable(line) : line) })
  return pretty ? pino(options, { write: (line: string) => void process.stdout.write(readable(line)) }) : pino(options)
}

/** What begins another line, or steers the terminal. */
const unseen = /[\p{Cc}\u2028\u2029]/u
const unseenInLines = /[\u2028\u2029]|(?!\n)\p{Cc}/gu

/** One JSON line of pino's as one line for a person; an error's stack follows on lines of its own. */
export function readable(json: string): string {
  const {
    level,
    time,
    msg = '',
    part,
    err,
    ...rest
  } = JSON.parse(json) as Line & {
    part?: string
    err?: { message?: string; stack?: string }
  }
  const facts = Object.entries(rest)
    .map(
      ([name, value]) => ` ${name}=${typeof value === 'string' && !unseen.test(value) ? value : JSON.stringify(value)}`,
    )
    .join('')
  const place = part ? `${part}: ` : ''
  const failure = err ? `\n${(err.stack ?? err.message ?? '').replace(unseenInLines, ' ')}` : ''
  return `${new Date(time).toISOString().slice(11, 23)} ${levelNames[level] ?? level} ${place}${msg}${facts}${failure}\n`
}

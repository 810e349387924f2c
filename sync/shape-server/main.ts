import { startShapeServer } from './shape-server.ts'

/** The shape server on its own: `bun sync/shape-server/main.ts`. See README.md for the environment. */

const levels = { debug: 20, info: 30, warn: 40, error: 50 } as const
const lowest = levels[(process.env.LOG_LEVEL ?? 'info') as keyof typeof levels] ?? levels.info

/** One JSON line per event on standard error. */
function write(level: keyof typeof levels) {
  return (details: object, message: string) => {
    if (levels[level] < lowest) return
    const plain = Object.fromEntries(
      Object.entries(details).map(([name, value]) => [name, value instanceof Error ? value.message : value]),
    )
    process.stderr.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...plain, msg: message })}\n`)
  }
}
const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  return /^\d+$/.test(text) ? Number(text) : refuse(`${name} must be a whole number, not ${text}.`)
}

const { env } = process
const { DATABASE_URL: databaseUrl, ELECTRIC_SECRET: secret, ELECTRIC_INSECURE: insecure } = env
if (!databaseUrl)
  refuse('DATABASE_URL is missing: the address of a Postgres database, postgres://user:password@host/name.')
if (!secret && insecure !== 'true') {
  refuse(
    'Set ELECTRIC_SECRET to the secret that every request must carry, or ELECTRIC_INSECURE=true to answer anybody.',
  )
}
if (secret && insecure === 'true') refuse('Set either ELECTRIC_SECRET or ELECTRIC_INSECURE=true, not both.')

const server = await startShapeServer({
  databaseUrl,
  mode: 'open',
  secret: secret || undefined,
  chunkBytes: wholeNumber('ELECTRIC_SHAPE_CHUNK_BYTES_THRESHOLD', env.ELECTRIC_SHAPE_CHUNK_BYTES_THRESHOLD),
  replicationId: env.ELECTRIC_REPLICATION_STREAM_ID,
  log,
}).catch((error: unknown) => refuse(error instanceof Error ? error.message : String(error)))

const http = Bun.serve({
  port: wholeNumber('ELECTRIC_PORT', env.ELECTRIC_PORT) ?? wholeNumber('PORT', env.PORT) ?? 3000,
  hostname: env.HOST ?? '0.0.0.0',
  // A held request is silent for twenty seconds.
  idleTimeout: 120,
  fetch: (request) => server.fetch(request),
})
log.info({ url: http.url.href }, 'The shape server listens')

let stopped: Promise<void> | undefined
const stop = () =>
  (stopped ??= (async () => {
    await server.stop()
    await http.stop(true)
  })())
/** For whoever runs it in a process of theirs. */
export const listening = { url: http.url.href, stop }
if (import.meta.main)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop().then(() => process.exit(0)))

/** A server process to be killed by a test: it journals what arrives, and its product never answers. */
import { pino } from 'pino'
import postgres from 'postgres'
import { createAlive } from '../leases/alive.ts'
import { createWhatsapp } from './sessions.ts'

const env = process.env as Record<'DATABASE_URL' | 'WS_URL' | 'CERT_KEY' | 'KEY' | 'ID' | 'SEEN', string>
const sql = postgres(env.DATABASE_URL, { max: 4, onnotice: () => undefined })
const serverId = `child-${process.pid}`
const log = pino({ level: 'silent' })
const whatsapp = createWhatsapp({
  sql,
  encryptionKey: Buffer.from(env.KEY, 'base64'),
  serverId,
  waSocket: { url: env.WS_URL, certKey: Buffer.from(env.CERT_KEY, 'base64') },
  localMedia: (path, work) => work(path),
  receive: () => new Promise(() => undefined),
  onSession: async (id, change) => {
    if (change.status) await sql`UPDATE whatsapps SET "status" = ${change.status} WHERE "id" = ${id}`
  },
  onTyping: () => undefined,
  acceptsGroups: () => false,
  log,
  // With others who look whether it lives, they need not wait for its leases.
  ...(env.SEEN
    ? { alive: (lost) => createAlive({ url: env.DATABASE_URL, owner: serverId, log, lost }) }
    : { leaseMs: 1_500 }),
})
await whatsapp.start(Number(env.ID))

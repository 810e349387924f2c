import { and, eq } from 'drizzle-orm'
import { HOUR_MS } from '../../schema/durations.ts'
import { DomainError } from '../../schema/errors.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { type NewChatFacts, noNewChatFacts } from '../../schema/whatsapps/whatsapps.new-chats.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Channels } from '../channels/channel.port.ts'
import { addressOf } from '../contacts/contacts.identity.ts'
import type { Db } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import type { SessionChange, SessionHealth } from '../../schema/whatsapps/whatsapps.session.ts'
import type { Sessions } from '../http/deps.ts'
import { graveIn, tellAdmins } from './whatsapps.notices.ts'

/** What runs the sessions. What it takes and gives must survive JSON, dates of `health` aside. */
export type SessionRunner = Pick<
  Channels,
  'start' | 'newQr' | 'logout' | 'restart' | 'forget' | 'requestPairingCode' | 'checkNumber' | 'presence'
> & { health(id: number): SessionHealth | null | Promise<SessionHealth | null> }

/** Between two connections that are started again: their handshakes should not all fall together. */
const staggerMs = 200

/** The sessions as the routes use them: what an admin wants is written down first, so that a restart brings it back. */
export function sessionsFor({ db, runner }: { db: Db; runner: SessionRunner }): Sessions {
  const want = (id: number, wanted: boolean) => db.update(whatsapps).set({ wanted }).where(eq(whatsapps.id, id))
  return {
    async start(id) {
      await want(id, true)
      await runner.start(id)
    },
    async newQr(id) {
      await want(id, true)
      await runner.newQr(id)
    },
    async logout(id) {
      await want(id, false)
      await runner.logout(id)
    },
    async restartAll(companyId) {
      const rows = await db
        .select({ id: whatsapps.id })
        .from(whatsapps)
        .where(and(eq(whatsapps.companyId, companyId), eq(whatsapps.wanted, true)))
        .orderBy(whatsapps.id)
      for (const { id } of rows) {
        await runner.restart(id)
        await Bun.sleep(staggerMs)
      }
    },
    forget: (id) => runner.forget(id),
    async requestPairingCode(id, number) {
      await want(id, true)
      return runner.requestPairingCode(id, number)
    },
    async checkNumber(id, number) {
      const found = await runner.checkNumber(id, number)
      return found.exists ? { number: found.number, lid: found.lid ?? null } : null
    },
    health: async (id) => runner.health(id),
    async presence(id, contactId, state) {
      const [contact] = await db.select().from(contacts).where(eq(contacts.id, contactId))
      // Shown for a moment only: where the link is down there is nobody to show it to.
      if (contact) await runner.presence(id, addressOf(contact), state).catch(unlessDown)
    },
  }
}

function unlessDown(error: unknown): void {
  if (!(error instanceof DomainError)) throw error
}

/** Writes what a session says of itself to its row, and tells the company; the QR goes to admins only. */
export function sessionRecorder({ db, events, now }: { db: Db; events: Events; now: () => Date }) {
  const mayTell = createSeldom(TELL_AGAIN_MS)
  return async (whatsappId: number, { newChats, ...change }: SessionChange): Promise<void> => {
    const at = now()
    // Asked for at each link: most answers are what stands there.
    if (newChats && Object.keys(change).length === 0 && (await isKnown(db, whatsappId, newChats))) return
    const problem = graveIn(change.lastError)
    const [before] = problem
      ? await db.select({ problem: whatsapps.lastError }).from(whatsapps).where(eq(whatsapps.id, whatsappId))
      : []
    const row = await db.transaction(async (tx) => {
      const [row] = await tx
        .update(whatsapps)
        .set({
          ...change,
          // They are the account's, and it is forgotten.
          ...(change.number === '' && noNewChatFacts),
          ...newChats,
          updatedAt: at,
          ...(change.status === 'CONNECTED' && { connectedAt: at }),
          // A server that starts would show a code that nobody can use, and forget why.
          ...(change.lastError === 'passkey' && { wanted: false }),
        })
        .where(eq(whatsapps.id, whatsappId))
        .returning()
      // One process speaks for a connection: nobody else says so meanwhile.
      if (row && problem && graveIn(before?.problem) !== problem && mayTell(`${whatsappId}/${problem}`, at))
        await tellAdmins(tx, row.companyId, whatsappId, problem, at)
      return row
    })
    if (!row) return
    const { id, companyId, name, number, status, qrcode, retries, lastError, updatedAt, isDefault } = row
    const session = { id, name, number, status, qrcode, retries, lastError, updatedAt, isDefault }
    events.emit({ companyId, name: 'whatsappSession', action: 'update', payload: { session } })
    const { qrcode: _secret, ...whatsapp } = session
    events.emit({ companyId, name: 'whatsapp', action: 'update', payload: { whatsapp } })
  }
}

/** What comes and goes is told of admins so seldom. */
const TELL_AGAIN_MS = 6 * HOUR_MS
const MOST_REMEMBERED = 10_000

/** Says yes to the same thing once in a while. */
function createSeldom(everyMs: number): (key: string, at: Date) => boolean {
  const last = new Map<string, number>()
  return (key, at) => {
    if (at.getTime() - (last.get(key) ?? -Infinity) < everyMs) return false
    if (last.size >= MOST_REMEMBERED) last.clear()
    last.set(key, at.getTime())
    return true
  }
}

async function isKnown(db: Db, whatsappId: number, said: Partial<NewChatFacts>): Promise<boolean> {
  const [row] = await db.select().from(whatsapps).where(eq(whatsapps.id, whatsappId))
  const names = Object.keys(said) as (keyof NewChatFacts)[]
  return row !== undefined && names.every((name) => String(row[name]) === String(said[name]))
}

import { and, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { DAY_MS } from '../../schema/durations.ts'
import { DomainError } from '../../schema/errors.ts'
import { optOutKey } from '../../schema/opt-outs/opt-outs.transition.ts'
import { erasedOptOuts, type Erasure, privacyExports } from '../../schema/privacy/privacy.table.ts'
import type { Db } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import type { Handlers } from '../jobs/worker.ts'
import type { MediaStore } from '../media/media-store.ts'
import { noteOptOuts } from '../opt-outs/opt-outs.changes.ts'
import { optOutMark } from '../opt-outs/opt-outs.queries.ts'
import type { Sealer } from '../seal.ts'
import { carryOut } from './privacy.erase.changes.ts'
import { exportedContact, partsOf } from './privacy.export.ts'
import { withManifest, zipOf } from './privacy.zip.ts'

/** How long the file of an export is there. */
export const EXPORT_DAYS = 7
/** Beyond this a person's files are gathered by hand. */
const MOST_BYTES = 50 * 2 ** 30

interface PrivacyDeps {
  db: Db
  media: MediaStore
  events: Pick<Events, 'emit'>
  sealer: Sealer
  now(): Date
  remember?(erasure: Pick<Erasure, 'id' | 'companyId' | 'contactId' | 'hashes' | 'createdAt'>): Promise<void>
}

/** The person who asked does not want it any more. */
class Cancelled extends Error {}

/** Exports and erasures of contacts' data, and opt-outs of those who come back. */
export function privacyEffects(
  deps: PrivacyDeps,
): Pick<Handlers, 'privacy.export' | 'privacy.erase' | 'privacy.returned'> {
  const { db, events, sealer, now } = deps
  return {
    'privacy.export': ({ exportId }, { last }) => gather(deps, exportId, last),
    'privacy.erase': async ({ erasureId }) => {
      const done = await carryOut(deps, erasureId)
      if (!done) return
      const { companyId, contactId, seq } = done
      events.emit({ companyId, name: 'erasure', action: 'done', payload: { contactId, seq } })
    },
    'privacy.returned': async ({ contactId }, { companyId }) => {
      const [contact] = await db
        .select({ number: contacts.number, lid: contacts.lid })
        .from(contacts)
        .where(and(eq(contacts.companyId, companyId), eq(contacts.id, contactId)))
      if (!contact || (!contact.number && !contact.lid)) return
      const keys = [
        ...(contact.number ? [numberKey(contact.number)] : []),
        ...(contact.lid ? [optOutKey({ number: null, lid: contact.lid })] : []),
      ]
      const hashes = keys.map((key) => optOutMark(sealer, companyId, key))
      await db.transaction(async (tx) => {
        const gone = await tx
          .delete(erasedOptOuts)
          .where(and(eq(erasedOptOuts.companyId, companyId), inArray(erasedOptOuts.hash, hashes)))
          .returning()
        // From here on it is an entry as any other: they may take it back, and are told so.
        if (gone.length > 0)
          await noteOptOuts(tx, companyId, [{ number: contact.number ?? '', lid: contact.lid, source: 'hand' }], now())
      })
    },
  }
}

async function gather({ db, media, events, now }: PrivacyDeps, exportId: string, last: boolean): Promise<void> {
  const [row] = await db
    .update(privacyExports)
    .set({ state: 'running', done: 0 })
    .where(and(eq(privacyExports.id, exportId), inArray(privacyExports.state, ['waiting', 'running'])))
    .returning()
  if (!row) return
  const { companyId, contactId, userId } = row
  const tell = () =>
    events.emit({ companyId, name: 'privacyExport', action: 'update', payload: { exportId }, audience: { userId } })
  const still = async (more: number) => {
    const going = await db
      .update(privacyExports)
      .set({ done: sql`${privacyExports.done} + ${more}` })
      .where(and(eq(privacyExports.id, exportId), eq(privacyExports.state, 'running')))
      .returning({ id: privacyExports.id })
    if (going.length === 0) throw new Cancelled()
    tell()
  }
  try {
    const contact = await exportedContact(db, companyId, contactId)
    if (!contact || contact.erasedAt) throw new Cancelled()
    const at = now()
    const facts = { company: companyId, contact: contactId, madeAt: at.toISOString(), notes: row.notes }
    const stored = await media.put(
      companyId,
      zipOf(withManifest(partsOf({ db, media }, contact, { notes: row.notes, step: still }), facts), at),
      {
        ...{ name: 'contact.zip', mimetype: 'application/zip', maxBytes: MOST_BYTES, isOurs: true },
      },
    )
    const ready = await db
      .update(privacyExports)
      .set({
        ...{ state: 'ready', path: stored.path, size: stored.size, readyAt: now() },
        expiresAt: new Date(now().getTime() + EXPORT_DAYS * DAY_MS),
      })
      .where(and(eq(privacyExports.id, exportId), eq(privacyExports.state, 'running')))
      .returning({ id: privacyExports.id })
    if (ready.length === 0) await media.delete(stored.path)
    tell()
  } catch (error) {
    if (error instanceof Cancelled) return
    if (last) {
      const code = error instanceof DomainError ? error.code : 'INTERNAL_SERVER_ERROR'
      await db
        .update(privacyExports)
        .set({ state: 'failed', error: code })
        .where(and(eq(privacyExports.id, exportId), eq(privacyExports.state, 'running')))
      tell()
    }
    throw error
  }
}

/** Files of exports go when their time is over; that there was one stays. */
export async function sweepExports({ db, media, now }: Pick<PrivacyDeps, 'db' | 'media' | 'now'>): Promise<void> {
  const due = await db
    .select({ id: privacyExports.id, path: privacyExports.path })
    .from(privacyExports)
    .where(and(isNotNull(privacyExports.path), lte(privacyExports.expiresAt, now())))
    .limit(1_000)
  for (const { id, path } of due) {
    await media.delete(path!)
    await db.update(privacyExports).set({ path: null }).where(eq(privacyExports.id, id))
  }
}

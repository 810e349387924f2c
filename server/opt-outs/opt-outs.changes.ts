import { and, asc, eq, gte, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { contactAliases } from '../../schema/contacts/aliases.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { type OptOut, type OptOutSource, optOuts } from '../../schema/opt-outs/opt-outs.table.ts'
import {
  beginOptOuts,
  endOptOuts,
  lidOf,
  type OptingOut,
  type OptOutEvent,
  optOutKey,
} from '../../schema/opt-outs/opt-outs.transition.ts'
import { leaveCampaigns } from '../campaigns/campaigns.bulk.changes.ts'
import { applyDecision } from '../commands/apply.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import { optOutsAmong } from './opt-outs.queries.ts'

/**
 * Notes these people, however many, as ones who want no messages to many.
 * @returns the entries that began; who stands there already, also by another who was quicker, stays as they are
 */
export async function noteOptOuts(
  tx: Tx,
  companyId: number,
  people: readonly OptingOut[],
  now: Date,
): Promise<OptOut[]> {
  if (people.length === 0) return []
  const { keys: known } = await optOutsAmong(tx, companyId, {
    ...{ keys: [...new Set(people.map(optOutKey))], entries: true },
  })
  const fresh = people.filter((person) => !known.has(optOutKey(person)))
  if (fresh.length === 0) return []
  const ids = await tx.execute<{ id: number }>(
    sql`SELECT nextval('opt_outs_id_seq')::int AS id FROM generate_series(1, ${fresh.length})`,
  )
  const mine = ids.map(({ id }) => id)
  await applyDecision(tx, companyId, beginOptOuts(companyId, fresh, known, mine, now))
  return tx
    .select()
    .from(optOuts)
    .where(sql`${optOuts.id} = ANY(${sql.param(mine)}::int[])`)
}

/**
 * Ends those of a company's entries that count and of which `which` holds.
 * @returns them as they are now
 */
export async function endOptOutsOf(
  tx: Tx,
  companyId: number,
  which: SQL | undefined,
  event: OptOutEvent,
  now: Date,
): Promise<OptOut[]> {
  const rows = await tx
    .select()
    .from(optOuts)
    .where(and(eq(optOuts.companyId, companyId), isNull(optOuts.revokedAt), which))
    .orderBy(asc(optOuts.id))
    .for('update')
  const { decision, ended } = endOptOuts(rows, event, now)
  if (ended.length > 0) await applyDecision(tx, companyId, decision)
  return ended
}

/** What admins, agents and programs do with who wants no messages to many. */
export function optOutCalls({ db, events, now }: { db: Db; events: Pick<Events, 'emit'>; now(): Date }) {
  const emit = (companyId: number) => events.emit({ companyId, name: 'optOut', action: 'reload' })
  return {
    tell: emit,
    /** @throws DomainError `ERR_OPTED_OUT` where they are noted already */
    async note(
      companyId: number,
      who: { number: string; lid?: string | null; text?: string; source: OptOutSource; userId: number | null },
    ): Promise<OptOut> {
      const { number, lid = null, text = '', source, userId } = who
      const at = now()
      const row = await db.transaction(async (tx) => {
        const [made] = await noteOptOuts(tx, companyId, [{ number, lid, text, source, userId }], at)
        if (!made) throw new DomainError('ERR_OPTED_OUT')
        await leaveCampaigns(tx, companyId, { number: number || null, lid }, at)
        return made
      })
      emit(companyId)
      return row
    },
    /** @throws DomainError `ERR_NO_OPT_OUT_FOUND` */
    async revoke(companyId: number, id: number, { userId, reason }: { userId: number | null; reason: string }) {
      const [row] = await db.transaction((tx) =>
        endOptOutsOf(tx, companyId, eq(optOuts.id, id), { type: 'revoke', userId, reason }, now()),
      )
      if (!row) throw new DomainError('ERR_NO_OPT_OUT_FOUND')
      emit(companyId)
      return row
    },
  }
}

/** What the service says of somebody's wish for marketing. */
export interface Preference {
  companyId: number
  whatsappId: number
  /** Digits; null where they hide their number. */
  number: string | null
  /** Their id in the portfolio of the connection. */
  bsuid?: { portfolio: string; id: string } | null
  wants: boolean
  at: Date
}

/**
 * Notes what the service says: who stops is out, and who resumes is back where the service alone had said that they were
 * out. What is told late or twice changes nothing.
 * @returns campaigns that lost somebody
 */
export async function notePreferences(
  db: Db,
  preferences: readonly Preference[],
): Promise<{ id: number; companyId: number }[]> {
  const left: { id: number; companyId: number }[] = []
  for (const preference of preferences)
    await db.transaction(async (tx) => {
      const { companyId, wants, at } = preference
      const who = await knownBy(tx, preference)
      if (!who) return
      const byService = and(eq(optOuts.key, optOutKey(who)), eq(optOuts.source, 'whatsapp'))
      if (wants) {
        await endOptOutsOf(tx, companyId, and(byService, lte(optOuts.createdAt, at)), { type: 'resume' }, at)
        return
      }
      const later = and(eq(optOuts.companyId, companyId), byService, gte(optOuts.revokedAt, at))
      if ((await tx.$count(optOuts, later)) > 0) return
      const made = await noteOptOuts(
        tx,
        companyId,
        [{ number: who.number ?? '', lid: who.lid, source: 'whatsapp' }],
        at,
      )
      if (made.length > 0) left.push(...(await leaveCampaigns(tx, companyId, who, at)))
    })
  return left
}

/** By what such a person is known here; undefined for an id that nobody has. */
async function knownBy(
  tx: Tx,
  { companyId, number, bsuid }: Preference,
): Promise<{ number: string | null; lid: string | null } | undefined> {
  if (number) return { number, lid: null }
  if (!bsuid) return undefined
  const [contact] = await tx
    .select({ id: contacts.id, number: contacts.number, lid: contacts.lid })
    .from(contactAliases)
    .innerJoin(contacts, eq(contacts.id, contactAliases.contactId))
    .where(
      and(
        ...[eq(contactAliases.companyId, companyId), eq(contactAliases.kind, 'bsuid')],
        ...[eq(contactAliases.scope, bsuid.portfolio), eq(contactAliases.value, bsuid.id)],
      ),
    )
  return contact && { number: contact.number, lid: lidOf(contact) }
}

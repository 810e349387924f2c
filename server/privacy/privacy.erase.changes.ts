import { createHash } from 'node:crypto'
import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { sweepShippings } from '../../schema/campaigns/shippings.decide.ts'
import { contactAliases } from '../../schema/contacts/aliases.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { Effect } from '../../schema/effects.ts'
import { DomainError } from '../../schema/errors.ts'
import { newId } from '../../schema/ids.ts'
import type { Language } from '../../schema/languages.ts'
import type { ErasedCounts } from '../../schema/privacy/privacy.kinds.ts'
import { erasedOptOuts, type Erasure, erasures } from '../../schema/privacy/privacy.table.ts'
import { moveTicket } from '../../schema/tickets/tickets.move.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { applyDecision, type Change } from '../commands/apply.ts'
import type { Db, Tx } from '../db/database.ts'
import { addJobs } from '../jobs/queue.ts'
import { optOutMark } from '../opt-outs/opt-outs.queries.ts'
import { openText, type Sealer, sealText } from '../seal.ts'
import { demandNoHold, namesOf, personOf } from './privacy.queries.ts'
import {
  type ErasablePlace,
  erasablePlaces,
  leftIn,
  type Person,
  type SealedPlace,
  sealedPlaces,
} from './privacy.places.ts'
import { type Whose, withoutPerson } from './privacy.sealed.ts'

/** So many rows are one transaction: nobody waits long for what it holds. */
const AT_ONCE = 500
/** Of what is sealed, which may be long. */
const SEALED_AT_ONCE = 50

/** What a contact is called whose data were erased, in the language of the company. */
export const erasedName: Record<Language, string> = {
  pt: 'Pessoa apagada',
  es: 'Persona borrada',
  en: 'Erased person',
}

/** Where what a contact was known by is sealed. */
export const erasurePlace = (id: string): string => `erasure ${id}`
/** What the journal of erasures keeps of a number or an id. */
export const erasureMark = (sealer: Pick<Sealer, 'mark'>, companyId: number, name: string): string =>
  sealer.mark(`person ${companyId} ${name}`)
interface Begin {
  sealer: Sealer
  companyId: number
  contactId: number
  /** Null where it is repeated in a restored backup. */
  userId: number | null
  reason: string
  language: Language
  now: Date
  /** Of an erasure that is done once more. */
  id?: string
  /** It was erased before somebody held it. */
  despiteHold?: boolean
}

/**
 * Begins to erase a contact: from here on nobody finds them, their open tickets are closed without a word, and what they
 * write next comes from somebody unknown. The rest is a job.
 * @throws DomainError `ERR_NO_CONTACT_FOUND`, `ERR_LEGAL_HOLD`, `ERR_CONTACT_ERASED`
 */
export async function beginErasure(
  tx: Tx,
  { sealer, companyId, contactId, userId, reason, language, now, id = newId(), despiteHold = false }: Begin,
): Promise<{ erasure: Erasure; changes: Change[]; names: string[] }> {
  const [contact] = await tx
    .select()
    .from(contacts)
    .where(and(eq(contacts.companyId, companyId), eq(contacts.id, contactId)))
    .for('update')
  if (!contact) throw new DomainError('ERR_NO_CONTACT_FOUND')
  if (contact.erasedAt) throw new DomainError('ERR_CONTACT_ERASED')
  if (!despiteHold) await demandNoHold(tx, companyId, contactId, now)
  const names = await namesOf(tx, contact)
  const changes: Change[] = []
  const open = await tx
    .select()
    .from(tickets)
    .where(and(eq(tickets.contactId, contactId), ne(tickets.status, 'closed')))
    .orderBy(tickets.id)
    .for('update')
  for (const ticket of open) {
    const moved = moveTicket(ticket, { type: 'erase' }, { id: `${id}:${ticket.id}`, userId: null, now })
    if (!('refused' in moved)) changes.push(...(await applyDecision(tx, companyId, moved.decision)))
  }
  const { keys } = personOf({ companyId, contactId }, names)
  if (keys.length > 0)
    changes.push(
      ...(await applyDecision(tx, companyId, sweepShippings({ column: 'key', in: keys }, { type: 'cancel' }, now))),
    )
  if (contact.profilePicUrl) await addJobs(tx, companyId, [{ kind: 'media.release', path: contact.profilePicUrl }])
  await tx
    .update(contacts)
    .set({
      ...{ name: erasedName[language], nameSource: 'edited', number: null, numberAt: null, lid: null, username: null },
      ...{ email: '', profilePicUrl: null, extraInfo: [], disableBot: true, erasedAt: now, updatedAt: now },
      fields: sql`'{}'::jsonb`,
    })
    .where(eq(contacts.id, contactId))
  await tx.delete(contactAliases).where(eq(contactAliases.contactId, contactId))
  const [erasure] = await tx
    .insert(erasures)
    .values({
      ...{ id, companyId, contactId, userId, reason, createdAt: now },
      names: sealText(sealer, JSON.stringify(names), erasurePlace(id)),
      hashes: names.map((name) => erasureMark(sealer, companyId, name)),
    })
    .returning()
  await addJobs(tx, companyId, [{ kind: 'privacy.erase', erasureId: id } satisfies Effect])
  return {
    erasure: erasure!,
    changes: [...changes, { companyId, table: 'contacts', action: 'update', id: contactId }],
    names,
  }
}

/** What an erasure is proven by: SHA-256 over its facts, in this order. */
export const proofOf = (
  of: Pick<Erasure, 'id' | 'companyId' | 'contactId' | 'userId' | 'reason' | 'hashes' | 'createdAt' | 'finishedAt'> & {
    counts: ErasedCounts
  },
): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        ...[of.id, of.companyId, of.contactId, of.userId, of.reason, of.hashes],
        ...[of.createdAt.toISOString(), of.finishedAt?.toISOString() ?? null],
        Object.entries(of.counts).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ]),
    )
    .digest('hex')

interface EraseDeps {
  db: Db
  sealer: Sealer
  now(): Date
  /** Writes it beside the backups, durably, before anything else goes. */
  remember?(erasure: Pick<Erasure, 'id' | 'companyId' | 'contactId' | 'hashes' | 'createdAt'>): Promise<void>
}

/**
 * Erases what is left of an erasure, table by table, a few rows at a time. Each batch counts in its own transaction, so
 * that whatever breaks off goes on where it was, and counts nothing twice.
 * @returns it as it is then; undefined where there is none
 */
export async function carryOut(deps: EraseDeps, erasureId: string): Promise<Erasure | undefined> {
  const { db, sealer, now } = deps
  const [erasure] = await db.select().from(erasures).where(eq(erasures.id, erasureId))
  if (!erasure || erasure.state === 'done') return erasure
  const names = JSON.parse(openText(sealer, erasure.names ?? '', erasurePlace(erasureId)) || '[]') as string[]
  const person = personOf(erasure, names)
  const { companyId } = person
  await deps.remember?.(erasure)
  await keepOptOuts(deps, person)
  // A second look: what was under way when the first went by has written by then.
  for (const round of ['', 'again:']) {
    for (const [table, place] of sealedPlaces) {
      if (erasure.steps.includes(`${round}${table}`)) continue
      await openAll(deps, { erasureId, table, place, person })
      await stepDone(db, erasureId, `${round}${table}`)
    }
    for (const [table, place] of erasablePlaces) {
      if (erasure.steps.includes(`${round}${table}`)) continue
      for (const which of leftIn(place, person))
        while (
          (await db.transaction((tx) => eraseSome(tx, { erasureId, companyId, table, place, which }))) === AT_ONCE
        );
      await stepDone(db, erasureId, `${round}${table}`)
    }
  }
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(erasures).where(eq(erasures.id, erasureId)).for('update')
    if (!row || row.state === 'done') return row
    const finished = { ...row, finishedAt: now() }
    const [done] = await tx
      .update(erasures)
      .set({ state: 'done', names: null, steps: [], finishedAt: finished.finishedAt, proof: proofOf(finished) })
      .where(eq(erasures.id, erasureId))
      .returning()
    return done
  })
}

async function stepDone(db: Db, erasureId: string, step: string): Promise<void> {
  await db
    .update(erasures)
    .set({ steps: sql`array_append(${erasures.steps}, ${step}::text)` })
    .where(eq(erasures.id, erasureId))
}

interface Sealed {
  erasureId: string
  table: string
  place: SealedPlace
  person: Person
}

/** Opens what is sealed, some rows at a time, and seals it again without the person. */
async function openAll({ db, sealer }: EraseDeps, { erasureId, table, place, person }: Sealed): Promise<void> {
  const numbers = await db.execute<{ id: string }>(sql`
    SELECT n."phoneNumberId" AS id FROM cloud_numbers n WHERE n."companyId" = ${person.companyId}`)
  const whose: Whose = {
    names: new Set(person.names),
    phoneNumberIds: new Set([...numbers].map(({ id }) => id)),
  }
  const [name, id, column] = [sql.identifier(table), sql.identifier(place.id), sql.identifier(place.column)]
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const ids = await db.transaction(async (tx) => {
      // Whatever takes it in meanwhile has it first.
      const rows = await tx.execute<{ id: string; value: string; place: string; error: string | null }>(sql`
        SELECT t.${id}::text AS "id", encode(t.${column}, 'base64') AS "value", ${place.place} AS "place",
          ${place.error ? sql`t.${sql.identifier(place.error)}` : sql`NULL::text`} AS "error"
        FROM ${name} t WHERE ${place.of(person)} AND t.${id} > ${after}::uuid ORDER BY t.${id} LIMIT ${SEALED_AT_ONCE}
        FOR UPDATE SKIP LOCKED`)
      let changed = 0
      for (const row of rows) {
        const left = leftOf(sealer, row, whose)
        if (left === 'same') continue
        changed++
        const error = place.error ? sql`, ${sql.identifier(place.error)} = NULL` : sql``
        if (left !== undefined)
          await tx.execute(sql`UPDATE ${name} SET ${column} = ${left}${error} WHERE ${id} = ${row.id}::uuid`)
        else if (place.empties)
          await tx.execute(sql`UPDATE ${name} SET ${column} = NULL${error} WHERE ${id} = ${row.id}::uuid`)
        else await tx.execute(sql`DELETE FROM ${name} WHERE ${id} = ${row.id}::uuid`)
      }
      if (changed > 0) await count(tx, erasureId, { [place.kind ?? 'wire']: changed })
      return rows.map((row) => row.id)
    })
    if (ids.length < SEALED_AT_ONCE) return
    after = ids.at(-1)!
  }
}

/** What is left of a sealed value, sealed; undefined: nothing. What opens by no key tells nobody anything. */
function leftOf(
  sealer: Sealer,
  { value, place, error }: { value: string; place: string; error: string | null },
  whose: Whose,
): Buffer | undefined | 'same' {
  let told: unknown
  try {
    told = JSON.parse(sealer.open(Buffer.from(value, 'base64'), place).toString())
  } catch {
    return 'same'
  }
  const left = withoutPerson(told, whose)
  // Why it was not taken may name them, whoever it was about.
  const isNamed = error !== null && [...whose.names].some((name) => name.length >= 8 && error.includes(name))
  if (left === told && !isNamed) return 'same'
  return left === undefined ? undefined : sealer.seal(Buffer.from(JSON.stringify(left)), place)
}

interface Batch {
  erasureId: string
  companyId: number
  table: string
  place: ErasablePlace
  which: SQL
}

/** One batch of one table. @returns how many rows; of a table that is read whole all at once */
async function eraseSome(tx: Tx, { erasureId, companyId, table, place, which }: Batch): Promise<number> {
  const files = place.files ?? []
  const paths = files.length > 0 ? sql.join(files.map((file) => sql`, t.${sql.identifier(file)}`)) : sql``
  const told =
    files.length > 0
      ? sql.join(
          files.map((file) => sql`found.${sql.identifier(file)}`),
          sql`, `,
        )
      : sql`1 AS "one"`
  const bound = place.does === 'erases' && place.whole ? sql`` : sql`LIMIT ${AT_ONCE}`
  const some = sql`WITH found AS (SELECT t.ctid AS at${paths} FROM ${sql.identifier(table)} t WHERE ${which} ${bound} FOR UPDATE)`
  const rows =
    place.does === 'erases'
      ? await tx.execute<Record<string, unknown>>(
          sql`${some} DELETE FROM ${sql.identifier(table)} t USING found WHERE t.ctid = found.at RETURNING ${told}`,
        )
      : await tx.execute<Record<string, unknown>>(
          sql`${some} UPDATE ${sql.identifier(table)} t SET ${sql.join(
            Object.entries({ ...place.to, ...place.besides }).map(
              ([column, to]) => sql`${sql.identifier(column)} = ${to}`,
            ),
            sql`, `,
          )} FROM found WHERE t.ctid = found.at RETURNING ${told}`,
        )
  const gone = [...rows].flatMap((row) => files.flatMap((file) => (typeof row[file] === 'string' ? [row[file]] : [])))
  await addJobs(
    tx,
    companyId,
    [...new Set(gone)].map((path) => ({ kind: 'media.release', path })),
  )
  const counts: ErasedCounts = {
    ...(place.kind && rows.length > 0 && { [place.kind]: rows.length }),
    ...(gone.length > 0 && { files: gone.length }),
  }
  await count(tx, erasureId, counts)
  return place.does === 'erases' && place.whole ? 0 : rows.length
}

async function count(tx: Tx, erasureId: string, more: ErasedCounts): Promise<void> {
  if (Object.keys(more).length === 0) return
  const [row] = await tx
    .select({ counts: erasures.counts })
    .from(erasures)
    .where(eq(erasures.id, erasureId))
    .for('update')
  const counts: Record<string, number> = { ...row?.counts }
  for (const [kind, n] of Object.entries(more)) counts[kind] = (counts[kind] ?? 0) + n
  await tx.update(erasures).set({ counts }).where(eq(erasures.id, erasureId))
}

/** Who wants no messages to many gets none: a keyed hash of each entry stays, before the entry goes. */
async function keepOptOuts({ db, sealer }: EraseDeps, { companyId, keys, lids }: Person): Promise<void> {
  const rows = await db.execute<{ key: string; lid: string | null }>(sql`
    SELECT o."key", o."lid" FROM opt_outs o WHERE o."companyId" = ${companyId} AND o."revokedAt" IS NULL
      AND (o."key" = ANY(${sql.param(keys)}::text[]) OR o."lid" = ANY(${sql.param(lids)}::text[]))`)
  if (rows.length === 0) return
  // They are out by whatever name they come back.
  const known = new Set([...keys, ...lids.map((lid) => `lid:${lid}`), ...rows.map(({ key }) => key)])
  await db
    .insert(erasedOptOuts)
    .values([...known].map((key) => ({ companyId, hash: optOutMark(sealer, companyId, key) })))
    .onConflictDoNothing()
}

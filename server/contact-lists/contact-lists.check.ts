import { and, asc, eq, isNull, lt, sql } from 'drizzle-orm'
import { CHECK_VALID_MS } from '../../schema/contact-lists/contact-lists.inputs.ts'
import { contactListItems, contactLists } from '../../schema/contact-lists/contact-lists.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { connectionToAsk } from '../whatsapps/whatsapps.queries.ts'
import { inEitherSpelling } from '../contacts/contacts.spelling.queries.ts'
import type { Db } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import type { Sessions } from '../http/deps.ts'
import type { Logger } from '../log.ts'
import { noteNumber } from './contact-lists.changes.ts'

/** One question a second for a connection: as fast as somebody looks through their contacts, and no faster. */
export const CHECK_EVERY_MS = 1_000
/** While nobody can be asked. */
const WAIT_MS = 15_000
/** Who asks has it to themselves for so long; a process that died in between lets go of it then. */
const ASKING_MS = 60_000
/** Screens are told of progress so often. */
const TELL_EVERY = 10

export interface CheckDeps {
  db: Db
  now(): Date
  checkNumber: Sessions['checkNumber']
  events: Pick<Events, 'emit'>
  log: Logger
}

/** Begins to ask about all numbers of a list that are unknown, or were asked about long ago. */
export async function startCheck(db: Db, list: { id: number; companyId: number }, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.select({ id: contactLists.id }).from(contactLists).where(eq(contactLists.id, list.id)).for('update')
    const mine = eq(contactListItems.contactListId, list.id)
    await tx
      .update(contactListItems)
      .set({ isWhatsappValid: null })
      .where(and(mine, lt(contactListItems.checkedAt, new Date(now.getTime() - CHECK_VALID_MS))))
    const total = await tx.$count(contactListItems, and(mine, isNull(contactListItems.isWhatsappValid)))
    await tx
      .update(contactLists)
      .set({
        checkState: total > 0 ? 'running' : 'done',
        checkTotal: total,
        checkDone: 0,
        checkNextAt: now,
        updatedAt: now,
      })
      .where(eq(contactLists.id, list.id))
  })
}

/** People came onto a list: WhatsApp is asked about them, unless somebody has stopped the asking. */
export async function continueCheck(db: Db, list: { id: number; companyId: number }, now: Date): Promise<void> {
  const [row] = await db
    .select({ state: contactLists.checkState })
    .from(contactLists)
    .where(eq(contactLists.id, list.id))
  if (row && row.state !== 'cancelled') await startCheck(db, list, now)
}

/**
 * Asks about the next number of each list that is being checked. Called every second.
 * @returns how many were asked about
 */
export async function checkLists(deps: CheckDeps): Promise<number> {
  const now = deps.now()
  const due = await deps.db
    .update(contactLists)
    .set({ checkNextAt: new Date(now.getTime() + ASKING_MS) })
    .where(
      sql`${contactLists.id} IN (SELECT id FROM ${contactLists} WHERE "checkState" = 'running' AND "checkNextAt" <= ${now.toISOString()}::timestamptz
        ORDER BY "checkNextAt" LIMIT 50 FOR UPDATE SKIP LOCKED)`,
    )
    .returning()
  // One connection is asked one thing at a time, however many lists its company checks.
  const companies = Map.groupBy(due, (list) => list.companyId)
  const asked = await Promise.all(
    [...companies.values()].map(async ([list, ...others]) => {
      for (const other of others) await put(deps, other.id, CHECK_EVERY_MS)
      return checkOne(deps, list!).catch(async (err: unknown) => {
        deps.log.warn({ err, list: list!.id }, 'a number could not be checked')
        await put(deps, list!.id, WAIT_MS)
        return 0
      })
    }),
  )
  return asked.reduce((a, b) => a + b, 0)
}

const put = ({ db, now }: CheckDeps, id: number, inMs: number, done = 0) =>
  db
    .update(contactLists)
    .set({ checkNextAt: new Date(now().getTime() + inMs), checkDone: sql`${contactLists.checkDone} + ${done}` })
    .where(eq(contactLists.id, id))

async function checkOne(deps: CheckDeps, list: { id: number; companyId: number; checkDone: number }): Promise<number> {
  const { db } = deps
  const [item] = await db
    .select()
    .from(contactListItems)
    .where(and(eq(contactListItems.contactListId, list.id), isNull(contactListItems.isWhatsappValid)))
    .orderBy(asc(contactListItems.id))
    .limit(1)
  if (!item) {
    const ended = await db
      .update(contactLists)
      .set({ checkState: 'done', updatedAt: deps.now() })
      .where(and(eq(contactLists.id, list.id), eq(contactLists.checkState, 'running')))
      .returning({ id: contactLists.id })
    if (ended.length > 0) emit(deps, list, true)
    return 0
  }
  const whatsappId = await connectionToAsk(db, list.companyId)
  if (whatsappId === undefined) {
    await put(deps, list.id, WAIT_MS)
    return 0
  }
  let found: Awaited<ReturnType<Sessions['checkNumber']>>
  try {
    found = await inEitherSpelling(deps.checkNumber)(whatsappId, item.number)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    await put(deps, list.id, WAIT_MS)
    return 0
  }
  await noteNumber(db, item, found, deps.now())
  await put(deps, list.id, CHECK_EVERY_MS, 1)
  emit(deps, list, (list.checkDone + 1) % TELL_EVERY === 0)
  return 1
}

function emit({ events }: CheckDeps, { id, companyId }: { id: number; companyId: number }, now: boolean): void {
  if (!now) return
  events.emit({ companyId, name: 'ContactList', action: 'reload', payload: { contactListId: id } })
  events.emit({ companyId, name: `ContactListItem-${id}`, action: 'reload', payload: {} })
}

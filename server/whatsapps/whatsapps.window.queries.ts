import { sql } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import { closedWindow, type WindowFacts } from '../../schema/messages/messages.window.ts'
import { windowedProviders } from '../../schema/whatsapps/whatsapps.providers.ts'
import type { Db, Tx } from '../db/database.ts'

/** Somebody over a connection. */
interface Person {
  whatsappId: number
  number: string
  /** Where they may have no number. */
  contactId?: number | null
}

/**
 * Which of these people may not be written to at `now`: told by `windowKey`, with the refusal (`ERR_WINDOW_CLOSED`,
 * `closedAt`). Over a wire without a window everybody may.
 */
export async function closedWindows(
  db: Db | Tx,
  companyId: number,
  people: readonly Person[],
  now: Date,
): Promise<ReadonlyMap<string, DomainError>> {
  if (people.length === 0) return new Map()
  const facts = await factsOf(db, companyId, people)
  const closed = facts.filter((one) => closedWindow(one, now))
  // Who seems to be out of reach may have reacted since, mostly to what is not old.
  const reacted = closed.length === 0 ? new Map<string, Date>() : await reactedOf(db, companyId, closed)
  return new Map(
    closed.flatMap((one) => {
      const key = windowKey(one)
      const at = reacted.get(key)
      const isLater = at && (!one.receivedAt || at > one.receivedAt)
      const refused = closedWindow(isLater ? { ...one, receivedAt: at } : one, now)
      if (!refused) return []
      return [[key, new DomainError('ERR_WINDOW_CLOSED', { closedAt: refused.closedAt?.toISOString() ?? null })]]
    }),
  )
}

/** Of whoever has no number by their contact. */
export const windowKey = ({ whatsappId, number, contactId }: Person): string =>
  `${whatsappId}/${number || `#${contactId ?? ''}`}`
/** A person’s row with moments, which the driver leaves as texts. */
type Told<Moment extends string> = { whatsappId: number; number: string; contactId: number | null } & Record<
  Moment,
  string | null
>
const given = (people: readonly Person[]) =>
  sql`json_to_recordset(${JSON.stringify(people)}::text::json) AS x("whatsappId" int, "number" text, "contactId" int)`
/** The tickets of one of those people, over that connection. */
const ticketsOf = (
  companyId: number,
) => sql`contacts c JOIN tickets t ON t."contactId" = c."id" AND t."whatsappId" = x."whatsappId"
  WHERE c."companyId" = ${companyId} AND (number_key(c."number") = number_key(x."number") OR c."id" = x."contactId")`

/**
 * What they said, newest first, ticket by ticket: so nothing older is read. An ad tells only where it may end later than what
 * was received last.
 */
async function factsOf(db: Db | Tx, companyId: number, people: readonly Person[]): Promise<(Person & WindowFacts)[]> {
  const newest = sql`m."createdAt" AS at FROM messages m WHERE m."ticketId" = t."id" AND m."whatsappId" = x."whatsappId"`
  const rows = await db.execute<Told<'receivedAt' | 'adAt' | 'adAnsweredAt'>>(sql`
    SELECT x."whatsappId", x."number", x."contactId", received.at AS "receivedAt", ad.at AS "adAt", answered.at AS "adAnsweredAt"
    FROM ${given(people)}
    JOIN whatsapps w ON w."id" = x."whatsappId" AND w."provider" = ANY(${sql.param([...windowedProviders])}::text[])
    CROSS JOIN LATERAL (SELECT max(l.at) AS at FROM (SELECT (
      SELECT ${newest} AND NOT m."fromMe" ORDER BY m."createdAt" DESC LIMIT 1) AS at FROM ${ticketsOf(companyId)}) l) received
    CROSS JOIN LATERAL (SELECT max(l.at) AS at FROM (SELECT (
      SELECT ${newest} AND NOT m."fromMe" AND m."about"->>'is' = 'ad' AND m."createdAt" > received.at - interval '48 hours'
      ORDER BY m."createdAt" DESC LIMIT 1) AS at FROM ${ticketsOf(companyId)}) l) ad
    CROSS JOIN LATERAL (SELECT min(l.at) AS at FROM (SELECT (
      SELECT ${newest} AND m."fromMe" AND m."createdAt" >= ad.at
      ORDER BY m."createdAt" LIMIT 1) AS at FROM ${ticketsOf(companyId)}) l) answered`)
  const moment = (text: string | null) => (text === null ? null : new Date(text))
  return [...rows].map(({ receivedAt, adAt, adAnsweredAt, ...person }) => ({
    ...person,
    ...{ receivedAt: moment(receivedAt), adAt: moment(adAt), adAnsweredAt: moment(adAnsweredAt) },
  }))
}

/** When they last reacted to something of the last month, by `windowKey`. */
async function reactedOf(
  db: Db | Tx,
  companyId: number,
  people: readonly Person[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await db.execute<Told<'at'>>(sql`
    SELECT x."whatsappId", x."number", x."contactId", r.at FROM ${given(people)}
    CROSS JOIN LATERAL (SELECT max((one->>'at')::timestamptz) AS at FROM (SELECT t."id" FROM ${ticketsOf(companyId)}) t
      JOIN messages m ON m."ticketId" = t."id" AND m."whatsappId" = x."whatsappId"
        AND m."createdAt" > now() - interval '31 days' AND m."reactions" <> '[]'::jsonb,
      jsonb_array_elements(m."reactions") one WHERE one->>'by' <> 'me') r`)
  return new Map([...rows].flatMap((row) => (row.at === null ? [] : [[windowKey(row), new Date(row.at)] as const])))
}

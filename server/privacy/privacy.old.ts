import { type SQL, sql } from 'drizzle-orm'
import type { RetentionKind } from '../../schema/privacy/privacy.terms.ts'

/** Rows whose term is over, by the name `t`. */
interface Old {
  table: 'messages' | 'automation_decisions' | 'rule_runs' | 'flow_logs'
  which: SQL
  /** A moment of the row, by which its index goes. */
  at: 'createdAt' | 'at'
}

/** Whom a court or a claim holds is exempt, as long as it does. */
const notHeld = (companyId: number, now: Date, contact: SQL) => sql`NOT EXISTS (SELECT FROM "privacy_holds" h
  JOIN "companies" c ON c."id" = h."companyId"
  WHERE h."companyId" = ${companyId} AND h."contactId" = ${contact}
    AND h."until" >= (${now.toISOString()}::timestamptz AT TIME ZONE c."timeZone")::date)`
const ofTicket = sql`(SELECT k."contactId" FROM "tickets" k WHERE k."id" = t."ticketId")`
const ofRun = sql`(SELECT r."contactId" FROM "flow_runs" r WHERE r."id" = t."runId")`

/** What has to go of a kind with a term of so many days, of those that are not gone yet. */
export function oldOf(kind: RetentionKind, companyId: number, days: number, now: Date): Old[] {
  const before = sql`${new Date(now.getTime() - days * 86_400_000).toISOString()}::timestamptz`
  const own = sql`t."companyId" = ${companyId}`
  switch (kind) {
    case 'messages':
      return [
        {
          ...{ table: 'messages', at: 'createdAt' },
          which: sql`${own} AND t."createdAt" < ${before} AND NOT (t."isDeleted" AND t."body" = '' AND t."mediaPath" IS NULL
            AND t."about" IS NULL AND t."participantNumber" IS NULL AND t."earlierBodies" = '[]' AND t."mediaType" = 'chat')
            AND ${notHeld(companyId, now, sql`t."contactId"`)}`,
        },
      ]
    case 'media':
      return [
        {
          ...{ table: 'messages', at: 'createdAt' },
          which: sql`${own} AND t."createdAt" < ${before} AND t."mediaPath" IS NOT NULL
            AND ${notHeld(companyId, now, sql`t."contactId"`)}`,
        },
      ]
    case 'traces':
      return [
        {
          ...{ table: 'automation_decisions', at: 'createdAt' },
          which: sql`${own} AND t."createdAt" < ${before} AND ${notHeld(companyId, now, ofTicket)}`,
        },
        {
          ...{ table: 'rule_runs', at: 'createdAt' },
          which: sql`${own} AND t."createdAt" < ${before} AND ${notHeld(companyId, now, ofTicket)}`,
        },
        {
          ...{ table: 'flow_logs', at: 'at' },
          which: sql`${own} AND t."at" < ${before} AND ${notHeld(companyId, now, ofRun)}`,
        },
      ]
  }
}

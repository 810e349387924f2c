import type { Sql } from '../db/database.ts'

/**
 * Forgets what nobody asks for any more: answers to commands after a week, failed jobs after a month, jobs of
 * connections that are gone, codes that ran out, browsers of sessions that did or that ended while they were written, and sessions that ended long ago.
 */
export async function sweepJobs(sql: Sql): Promise<void> {
  await sql`DELETE FROM "command_log" WHERE "createdAt" < now() - interval '7 days'`
  await sql`DELETE FROM "jobs" WHERE "failedAt" < now() - interval '30 days'`
  await sql`DELETE FROM "jobs" j
    WHERE j."whatsappId" IS NOT NULL AND NOT EXISTS (SELECT FROM "whatsapps" w WHERE w."id" = j."whatsappId")`
  await sql`DELETE FROM "push_subscriptions" p USING "sessions" s
    WHERE s."id" = p."sessionId" AND (s."endedAt" IS NOT NULL OR s."expiresAt" < now())`
  await sql`DELETE FROM "sessions" WHERE least("endedAt", "expiresAt") < now() - interval '90 days'`
  await sql`DELETE FROM "password_resets" WHERE "expiresAt" < now()`
  await sql`DELETE FROM "passkey_challenges" WHERE "expiresAt" < now()`
}

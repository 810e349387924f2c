import { and, eq, isNotNull, ne } from 'drizzle-orm'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import type { Db } from '../db/database.ts'
import { STOOD_STILL_KIND } from '../jobs/standstills.ts'

/** Has a job tried again that was given up. @returns whether there is one; of what made the server stand still there is none */
export async function retryJob(db: Db, id: number, now: Date): Promise<boolean> {
  const rows = await db
    .update(jobs)
    .set({ failedAt: null, attempts: 0, runAt: now, lockedUntil: null })
    .where(and(eq(jobs.id, id), isNotNull(jobs.failedAt), ne(jobs.kind, STOOD_STILL_KIND)))
    .returning({ id: jobs.id })
  return rows.length > 0
}

/** Forgets a job that was given up. @returns whether there is one */
export async function discardJob(db: Db, id: number): Promise<boolean> {
  const rows = await db
    .delete(jobs)
    .where(and(eq(jobs.id, id), isNotNull(jobs.failedAt)))
    .returning({ id: jobs.id })
  return rows.length > 0
}

import { desc, eq } from 'drizzle-orm'
import type { BackupPast } from '../../schema/backups/backups.due.ts'
import { backupRuns, type BackupRun, type BackupWork } from '../../schema/backups/backups.table.ts'
import type { Db } from '../db/database.ts'

/** So many of each kind are remembered. */
const MOST_RUNS = 100

/** When a work was done and tried last, for `dueBackupWork`. */
export async function pastOf(db: Db, work: BackupWork): Promise<BackupPast> {
  const runs = await db
    .select({ startedAt: backupRuns.startedAt, endedAt: backupRuns.endedAt, error: backupRuns.error })
    .from(backupRuns)
    .where(eq(backupRuns.work, work))
    .orderBy(desc(backupRuns.endedAt))
    .limit(MOST_RUNS)
  return { goodAt: runs.find(({ error }) => error === null)?.startedAt ?? null, triedAt: runs[0]?.endedAt ?? null }
}

/** Writes down what was done; the oldest are forgotten. */
export async function noteRun(db: Db, run: Omit<BackupRun, 'id'>): Promise<void> {
  await db.insert(backupRuns).values(run)
  const [last] = await db
    .select({ id: backupRuns.id })
    .from(backupRuns)
    .where(eq(backupRuns.work, run.work))
    .orderBy(desc(backupRuns.endedAt))
    .offset(MOST_RUNS)
    .limit(1)
  if (last) await db.delete(backupRuns).where(eq(backupRuns.id, last.id))
}

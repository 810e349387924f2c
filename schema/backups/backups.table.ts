import { bigint, bigserial, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '../columns.ts'

export const backupWorks = ['made', 'restored'] as const
/** A backup was made, or restored aside to prove it. */
export type BackupWork = (typeof backupWorks)[number]

/** What the server did about backups by itself. Of no company: a backup is of the whole installation. */
export const backupRuns = pgTable(
  'backup_runs',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    work: text({ enum: backupWorks }).notNull(),
    /** Of the backup in the bucket: the moment whose rows it holds. */
    name: text().notNull(),
    /** What went wrong; null where all was well. */
    error: text(),
    rows: bigint({ mode: 'number' }),
    /** Media that the backup names. */
    files: integer(),
    /** Of those media. */
    bytes: bigint({ mode: 'number' }),
    startedAt: moment().notNull(),
    endedAt: moment().notNull(),
  },
  (t) => [index('backup_runs_work').on(t.work, t.endedAt.desc())],
)

export type BackupRun = typeof backupRuns.$inferSelect

import { DAY_MS, HOUR_MS } from '../durations.ts'
import type { BackupWork } from './backups.table.ts'

/** When a work was done last, and when it was tried last. */
export interface BackupPast {
  /** The last good one began. */
  goodAt: Date | null
  /** The last try ended, good or not. */
  triedAt: Date | null
}

/** So long after a try that failed there is no other. */
const AGAIN_MS: Readonly<Record<BackupWork, number>> = { made: HOUR_MS, restored: 6 * HOUR_MS }
/** A backup is restored aside so often. */
const PROVEN_MS = 7 * DAY_MS

/**
 * What is to be done about backups now: one a day, from an hour of the day on; each week one is restored aside.
 * @param hour of the day, UTC
 */
export function dueBackupWork(
  { made, restored }: Readonly<Record<BackupWork, BackupPast>>,
  hour: number,
  now: Date,
): BackupWork | undefined {
  const time = now.getTime()
  const rests = (work: BackupWork, { triedAt, goodAt }: BackupPast) =>
    triedAt !== null && time - triedAt.getTime() < AGAIN_MS[work] && (goodAt === null || goodAt < triedAt)
  let begin = Math.floor(time / DAY_MS) * DAY_MS + hour * HOUR_MS
  if (begin > time) begin -= DAY_MS
  const isMade = made.goodAt !== null && made.goodAt.getTime() >= begin
  if (!isMade && !rests('made', made)) return 'made'
  if (made.goodAt === null || rests('restored', restored)) return undefined
  const isProven = restored.goodAt !== null && time - restored.goodAt.getTime() < PROVEN_MS
  return isProven ? undefined : 'restored'
}

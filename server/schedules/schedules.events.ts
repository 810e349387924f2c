import type { Change } from '../commands/apply.ts'
import type { Db } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import type { Logger } from '../log.ts'
import { type ScheduleRow, scheduleOfCompany } from './schedules.queries.ts'

/** Tells its author of a schedule; whoever sees everybody's, where the author is gone. */
export const emitSchedule = (events: Pick<Events, 'emit'>, action: string, row: ScheduleRow): void =>
  events.emit({
    companyId: row.companyId,
    name: 'schedule',
    action,
    payload: { schedule: row },
    audience: row.userId === null ? { overseers: true } : { userId: row.userId },
  })

/** Tells what commands and the clock changed in schedules. Call it after the commit; it returns at once and keeps their order. */
export function scheduleEmitter({ db, events, log }: { db: Db; events: Pick<Events, 'emit'>; log: Logger }) {
  let last: Promise<void> = Promise.resolve()

  async function emitChange({ companyId, action, id }: Change): Promise<void> {
    if (action === 'delete') return events.emit({ companyId, name: 'schedule', action, payload: { scheduleId: id } })
    const row = await scheduleOfCompany(db, companyId, String(id))
    // Deleted meanwhile, which is told by itself.
    if (row) emitSchedule(events, action, row)
  }
  return (changes: readonly Change[]): void => {
    for (const change of changes) {
      if (change.table !== 'schedules') continue
      last = last
        .then(() => emitChange(change))
        .catch((err: unknown) => log.warn({ err }, 'a schedule was not told of'))
    }
  }
}

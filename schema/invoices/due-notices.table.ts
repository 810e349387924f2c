import { date, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { companyOwned, moment } from '../columns.ts'

/** That a company's admins were told that a day comes: once for each day and notice, whatever restarts. */
export const dueNotices = pgTable(
  'due_notices',
  {
    ...companyOwned(),
    /** `YYYY-MM-DD` */
    dueDate: date({ mode: 'string' }).notNull(),
    /** So many days before it; see `noticeDays`. */
    days: integer().notNull(),
    createdAt: moment().notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.dueDate, t.days] })],
)

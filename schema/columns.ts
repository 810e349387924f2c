import { integer, text, timestamp } from 'drizzle-orm/pg-core'
import { companies } from './companies/companies.table.ts'

/** Every row that belongs to a company names it, and goes with it; `tests/tenancy.test.ts` tries what strangers reach. */
export const companyOwned = () => ({
  companyId: integer()
    .notNull()
    .references(() => companies.id, { onDelete: 'cascade' }),
})

/** A moment, with time zone, read and written as a `Date`. */
export const moment = () => timestamp({ withTimezone: true, mode: 'date' })

export const timestamps = () => ({
  createdAt: moment().notNull().defaultNow(),
  updatedAt: moment().notNull().defaultNow(),
})

/** The one file of a row, by its place in the media store. */
export const ownFile = () => ({
  mediaPath: text(),
  mediaName: text(),
  mediaMime: text(),
  /** Bytes. */
  mediaSize: integer(),
})

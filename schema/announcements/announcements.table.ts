import { boolean, pgTable, serial, smallint, text, timestamp } from 'drizzle-orm/pg-core'

/** What the operator tells every company. Priority 1 is urgent, 3 is by the way. */
export const announcements = pgTable('announcements', {
  id: serial().primaryKey(),
  priority: smallint().notNull().default(3),
  title: text().notNull(),
  text: text().notNull(),
  mediaPath: text(),
  mediaName: text(),
  status: boolean().notNull().default(true),
  createdAt: timestamp({ withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  updatedAt: timestamp({ withTimezone: true, mode: 'date' }).notNull().defaultNow(),
})

export type Announcement = typeof announcements.$inferSelect

import { jsonb, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, timestamps } from '../columns.ts'
import type { SegmentRule } from './segments.inputs.ts'

/** People who have something in common, looked up anew each time a campaign begins. */
export const segments = pgTable(
  'segments',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    name: text().notNull(),
    match: text({ enum: ['all', 'any'] })
      .notNull()
      .default('all'),
    rules: jsonb().$type<SegmentRule[]>().notNull(),
    ...timestamps(),
  },
  (t) => [uniqueIndex('segments_name').on(t.companyId, t.name)],
)
export type Segment = typeof segments.$inferSelect

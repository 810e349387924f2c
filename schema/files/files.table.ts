import { index, integer, pgTable, serial, text } from 'drizzle-orm/pg-core'
import { companyOwned, ownFile, timestamps } from '../columns.ts'

/** Files that are sent together, with what is said about them: of a conversation, a quick message or a campaign. */
export const fileLists = pgTable(
  'file_lists',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    name: text().notNull(),
    /** Goes with the first file. */
    message: text().notNull(),
    ...timestamps(),
  },
  (t) => [index('file_lists_company').on(t.companyId, t.name, t.id)],
)
export type FileList = typeof fileLists.$inferSelect

/** A named file of a list, in its place; without `mediaPath` until its bytes have come. "Option" to other clients. */
export const fileListOptions = pgTable(
  'file_list_options',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    fileListId: integer()
      .notNull()
      .references(() => fileLists.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    position: integer().notNull(),
    ...ownFile(),
  },
  (t) => [
    index('file_list_options_list').on(t.fileListId, t.position, t.id),
    index('file_list_options_file').on(t.companyId, t.mediaPath),
  ],
)
export type FileListOption = typeof fileListOptions.$inferSelect

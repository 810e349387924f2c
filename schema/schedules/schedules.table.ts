import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { companyOwned, moment, ownFile, timestamps } from '../columns.ts'
import { contacts } from '../contacts/contacts.table.ts'
import type { TemplateValues } from '../templates/templates.parts.ts'
import { users } from '../users/users.table.ts'
import { whatsapps } from '../whatsapps/whatsapps.table.ts'

export const scheduleStatuses = ['PENDENTE', 'AGENDADA', 'ENVIADA', 'ERRO'] as const
export type ScheduleStatus = (typeof scheduleStatuses)[number]

/** A message to a contact, to be sent at a time. */
export const schedules = pgTable(
  'schedules',
  {
    id: text().primaryKey(),
    ...companyOwned(),
    contactId: integer()
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    /** The connection to send from; null: the default one, else the contact's last. */
    whatsappId: integer().references(() => whatsapps.id, { onDelete: 'set null' }),
    body: text().notNull(),
    /**
     * By which template it is said, which alone may be at any time over the official API. Names a row of `templates` and does
     * not hold it: of one that is gone the schedule fails, and says why.
     */
    templateId: integer(),
    /** What fills the template, with placeholders. */
    templateValues: jsonb().$type<TemplateValues>().notNull().default({}),
    /** One of many: who wants none gets none, and it counts against the caps of its connection. */
    bulk: boolean().notNull().default(false),
    sendAt: moment().notNull(),
    sentAt: moment(),
    /** It was due, and would begin a chat before WhatsApp lets its connection begin any: until then it waits. */
    waitsUntil: moment(),
    status: text({ enum: scheduleStatuses }).notNull().default('PENDENTE'),
    /** Why it was not sent: a code of the error catalogue. */
    error: text(),
    ...ownFile(),
    ...timestamps(),
  },
  (t) => [
    index('schedules_due').on(t.sendAt).where(sql`${t.status} IN ('PENDENTE', 'AGENDADA')`),
    index('schedules_company').on(t.companyId, t.sendAt),
    index('schedules_contact').on(t.contactId),
  ],
)

export type Schedule = typeof schedules.$inferSelect

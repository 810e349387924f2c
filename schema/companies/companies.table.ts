import { sql } from 'drizzle-orm'
import {
  boolean,
  date,
  integer,
  jsonb,
  pgTable,
  serial,
  smallint,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { callingCodes, homeCode, type CallingCode } from '../contacts/contacts.phone.ts'
import type { Holiday, ScheduleEntry } from '../hours/hours.open.ts'
import { plans } from '../plans/plans.table.ts'
import { languages } from '../languages.ts'

/** The languages of what the server writes. */

/** How often a company pays. */
export const recurrences = ['MENSAL', 'BIMESTRAL', 'TRIMESTRAL', 'SEMESTRAL', 'ANUAL'] as const

export const companies = pgTable(
  'companies',
  {
    id: serial().primaryKey(),
    name: text().notNull(),
    email: text().notNull().default(''),
    phone: text().notNull().default(''),
    status: boolean().notNull().default(true),
    planId: integer().references(() => plans.id),
    /** Last valid day, `YYYY-MM-DD` in the company's time zone; null never expires. */
    dueDate: date({ mode: 'string' }),
    /** Until when a company that signed itself up tries for nothing: on trial while its due date is still that day. */
    trialUntil: date({ mode: 'string' }),
    /**
     * The day of the month on which later due dates fall, where `dueDate` lies in a month that is too short for it;
     * null: that of `dueDate`.
     */
    dueDay: smallint(),
    recurrence: text({ enum: recurrences }).notNull().default('MENSAL'),
    /** IANA name. By its clock are hours, days and months of everything that is the company's. */
    timeZone: text().notNull().default('America/Sao_Paulo'),
    /** Of automatic messages to contacts and of mails to its people; screens follow each person's browser. */
    language: text({ enum: languages }).notNull().default('pt'),
    /** Of the country whose numbers people here type without it. */
    callingCode: text({ enum: callingCodes.map(({ code }) => code) as [CallingCode, ...CallingCode[]] })
      .notNull()
      .default(homeCode),
    schedules: jsonb().$type<ScheduleEntry[]>().notNull().default([]),
    /** Days on which all counters of the company are closed. */
    holidays: jsonb().$type<Holiday[]>().notNull().default([]),
    /** Who pays, as the checkout asks for it. */
    billingName: text().notNull().default(''),
    /** CPF or CNPJ, without its marks. */
    billingDocument: text().notNull().default(''),
    addressStreet: text().notNull().default(''),
    addressDistrict: text().notNull().default(''),
    addressCity: text().notNull().default(''),
    addressState: text().notNull().default(''),
    addressZipCode: text().notNull().default(''),
    addressCountry: text().notNull().default(''),
    /** While it is being deleted: how many of its rows are gone. */
    removal: jsonb().$type<{ done: number; total: number }>(),
    createdAt: timestamp({ withTimezone: true, mode: 'date' }).notNull().defaultNow(),
    updatedAt: timestamp({ withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  },
  (t) => [uniqueIndex('companies_name').on(sql`lower(${t.name})`)],
)

export type Company = typeof companies.$inferSelect

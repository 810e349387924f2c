import { sql } from 'drizzle-orm'
import { date, index, integer, jsonb, numeric, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { companyOwned, moment, timestamps } from '../columns.ts'

/** `refunded`: it was paid, and all of the money went back; its due date may be billed again. */
export const invoiceStatuses = ['open', 'paid', 'cancelled', 'refunded'] as const

/** How a company pays the operator. `pix`: the operator's own key, and the operator says what arrived. */
export const paymentProviders = ['pix', 'efi', 'asaas'] as const
export type PaymentProviderName = (typeof paymentProviders)[number]

/** What a company owes the operator for the time after a due date. */
export const invoices = pgTable(
  'invoices',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    /** The plan's name at that time. */
    detail: text().notNull(),
    /** In BRL. */
    value: numeric({ precision: 12, scale: 2 }).notNull(),
    /** `YYYY-MM-DD`: the day until which the company may work without it. */
    dueDate: date({ mode: 'string' }).notNull(),
    /** How many months it pays for. */
    months: integer().notNull(),
    status: text({ enum: invoiceStatuses }).notNull().default('open'),
    paidAt: moment(),
    /** Who said so; `operator`: by hand. */
    paidVia: text({ enum: [...paymentProviders, 'operator'] }),
    /** The company’s due date before it was paid and after: a refund takes back what it bought, and nothing else. */
    boughtFrom: date({ mode: 'string' }),
    boughtUntil: date({ mode: 'string' }),
    ...timestamps(),
  },
  (t) => [
    // Lists read it backwards.
    index('invoices_due').on(t.companyId, t.dueDate, t.id),
    // What all companies owe: few rows among those of years.
    index('invoices_open').on(t.companyId).where(sql`${t.status} = 'open'`),
    // What was paid this month.
    index('invoices_paid').on(t.paidAt).where(sql`${t.status} = 'paid'`),
    // Each due date is billed once, also when two servers bill at the same moment; once more after a refund.
    uniqueIndex('invoices_billed').on(t.companyId, t.dueDate).where(sql`${t.status} <> 'refunded'`),
  ],
)

export type Invoice = typeof invoices.$inferSelect

/**
 * What a provider was asked for to have an invoice paid.
 * - `open`: it may yet be paid
 * - `paid`: it has paid its invoice
 * - `ended`: it cannot be paid any more
 * - `short`: less was paid than was asked for: the operator decides
 * - `surplus`: it was paid, and its invoice needed no money any more: the operator gives it back
 * - `returned`: it has paid its invoice, and the money went back, or a part of it: the operator is told
 * - `resolved`: one of these three, and the operator has dealt with the money
 */
export const chargeStatuses = ['open', 'paid', 'ended', 'short', 'surplus', 'returned', 'resolved'] as const

export const charges = pgTable(
  'invoice_charges',
  {
    id: serial().primaryKey(),
    ...companyOwned(),
    invoiceId: integer()
      .notNull()
      .references(() => invoices.id, { onDelete: 'cascade' }),
    provider: text({ enum: paymentProviders }).notNull(),
    /** Made by us before the provider is asked, so that a repeat asks for the same charge. */
    ref: text().notNull(),
    /** What is pasted as Pix; null until the provider has answered. */
    copyPaste: text(),
    value: numeric({ precision: 12, scale: 2 }).notNull(),
    /** How many months it pays for: what its invoice asked for when it was made. */
    months: integer().notNull(),
    status: text({ enum: chargeStatuses }).notNull().default('open'),
    /** In BRL; what the provider says has arrived and has not gone back. */
    paidValue: numeric({ precision: 12, scale: 2 }),
    /** From then on nobody can pay it; null: always. */
    expiresAt: moment(),
    /** When the provider is asked next whether it was paid; null: when a webhook says so. */
    checkAt: moment(),
    /** How often it was asked by the clock. */
    checks: integer().notNull().default(0),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('invoice_charges_ref').on(t.ref),
    index('invoice_charges_invoice').on(t.invoiceId, t.id),
    index('invoice_charges_check').on(t.checkAt).where(sql`${t.checkAt} IS NOT NULL`),
    // Money that waits for the operator, of all companies: few rows among many.
    index('invoice_charges_odd').on(t.id).where(sql`${t.status} IN ('short', 'surplus', 'returned')`),
    // Two tabs pay by the same one.
    uniqueIndex('invoice_charges_open').on(t.invoiceId).where(sql`${t.status} = 'open'`),
  ],
)

export type Charge = typeof charges.$inferSelect

/** How the operator is paid: one row, of the operator's company. */
export const paymentAccounts = pgTable('payment_accounts', {
  companyId: companyOwned().companyId.primaryKey(),
  provider: text({ enum: paymentProviders }).notNull(),
  /** What is no secret: the Pix key, whose it is, where services are. */
  config: jsonb().$type<Record<string, string>>().notNull(),
  /** JSON of the secrets, sealed. */
  secrets: text().notNull().default(''),
  updatedAt: moment().notNull().defaultNow(),
})

export type PaymentAccount = typeof paymentAccounts.$inferSelect

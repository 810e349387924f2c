import type { ByTable } from '../decided.ts'
import type { Invoice } from './invoices.table.ts'

/** The life of an invoice, as one table: what each event makes of it in each status. Null: it is settled, and stays so. */
export type InvoiceEvent =
  /** Its money is there. `asked`: what was asked for; `bought`: the company's due date before and after. */
  | { type: 'pay'; via: PaidVia; asked: Pick<Invoice, 'value' | 'months'>; bought: Bought }
  /** All of its money went back. */
  | { type: 'refund' }
  /** It is not to be paid. */
  | { type: 'cancel' }
  /** The plan costs something else now. */
  | { type: 'reprice'; price: Pick<Invoice, 'detail' | 'value' | 'months'> }
  /** The company's due date was moved. */
  | { type: 'redate'; dueDate: string }

export type PaidVia = NonNullable<Invoice['paidVia']>
type Bought = Pick<Invoice, 'boughtFrom' | 'boughtUntil'>
type EventOf<T extends InvoiceEvent['type']> = Extract<InvoiceEvent, { type: T }>
type Rule = (event: never, now: Date) => Partial<Invoice>

const pay = ({ via, asked: { value, months }, bought }: EventOf<'pay'>, now: Date): Partial<Invoice> => ({
  ...{ status: 'paid', paidAt: now, paidVia: via, value, months, updatedAt: now },
  ...{ boughtFrom: bought.boughtFrom, boughtUntil: bought.boughtUntil },
})
const refund = (_: EventOf<'refund'>, now: Date): Partial<Invoice> => ({ status: 'refunded', updatedAt: now })
const cancel = (_: EventOf<'cancel'>, now: Date): Partial<Invoice> => ({ status: 'cancelled', updatedAt: now })
const reprice = ({ price: { detail, value, months } }: EventOf<'reprice'>, now: Date): Partial<Invoice> => ({
  ...{ detail, value, months },
  updatedAt: now,
})
const redate = ({ dueDate }: EventOf<'redate'>, now: Date): Partial<Invoice> => ({ dueDate, updatedAt: now })

const settled = { pay: null, refund: null, cancel: null, reprice: null, redate: null }

export const invoiceTransitions: Record<Invoice['status'], Record<InvoiceEvent['type'], Rule | null>> = {
  open: { ...settled, pay, cancel, reprice, redate },
  paid: { ...settled, refund },
  cancelled: settled,
  refunded: settled,
}

/** What `event` makes of an invoice; null where it is settled, and nothing is to become of it. */
export function invoiceAfter(
  { status }: Pick<Invoice, 'status'>,
  event: InvoiceEvent,
  now: Date,
): ByTable<Invoice> | null {
  // That an event meets its own rule, and that this is the table, is beyond the compiler.
  const rule = invoiceTransitions[status][event.type] as ((e: InvoiceEvent, at: Date) => ByTable<Invoice>) | null
  return rule && rule(event, now)
}

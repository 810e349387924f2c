import type { Db } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import type { Logger } from '../log.ts'
import type { Sealer } from '../seal.ts'
import type { Charge } from '../../schema/invoices/invoices.table.ts'
import type { Account } from './invoices.account.ts'

/** What is to be paid, as a provider is told of it. */
export interface ChargeRequest {
  /** Ours: asked twice with the same one, a provider makes one charge. */
  ref: string
  cents: number
  /** What the payer reads. */
  description: string
  /** The day that the invoice is due, `YYYY-MM-DD`. */
  dueDate: string
  payer: { name: string; document: string; email: string }
}

export interface MadeCharge {
  /** What is pasted as Pix, and drawn as QR. */
  copyPaste: string
  /** Null: it can be paid at any time. */
  expiresAt: Date | null
}

export interface ChargeState {
  /** `ended`: nobody can pay it any more. */
  state: 'open' | 'paid' | 'ended'
  /** What has arrived and has not gone back, in cents; nor is on its way there. */
  paidCents: number
  /** What is on its way back, in cents: it may yet stay. */
  returningCents: number
}

/** A service by which companies pay the operator. Its webhooks only say which charge to ask about. */
export interface PaymentProvider {
  /** Whether it wants to know who pays, by CPF or CNPJ. */
  asksDocument: boolean
  /**
   * @returns the charge; `undo` takes just this one back, where somebody who asked at the same moment has made another
   * @throws PaymentFailed
   */
  create(charge: ChargeRequest): Promise<MadeCharge & { undo?: () => Promise<void> }>
  /** @throws PaymentFailed */
  status(ref: string): Promise<ChargeState>
  /**
   * Sees to it that nobody can pay a charge any more.
   * @returns `paid`: somebody has; `unknown`: it has no such charge, or not yet
   * @throws PaymentFailed
   */
  takeBack(ref: string): Promise<'gone' | 'paid' | 'unknown'>
  /** Whether it takes our keys. @throws PaymentFailed */
  check(): Promise<void>
  /** Tells it where to call us, where it can be told. @throws PaymentFailed */
  subscribe?(url: string): Promise<void>
}

/** What charges are made with. */
export interface PaymentDeps {
  db: Db
  now(): Date
  sealer: Sealer
  events: Pick<Events, 'emit'>
  log: Logger
  /** The service that an account names; null for the operator's own key, which nobody can ask. */
  providerOf(name: Charge['provider'], account: Account): PaymentProvider | null
  /** What was decided by the old due date of a company counts no more. */
  renewed(companyId: number, userIds: readonly number[]): void
}

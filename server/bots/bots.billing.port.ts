import type { CustomerDocument } from '../../schema/documents.ts'

/** A system in which a company bills its customers. */
export interface BillingSystem {
  /** The customer with this document and what they have not paid; null where there is none. @throws BotFailed */
  find(document: CustomerDocument): Promise<BilledCustomer | null>
  /** Opens a blocked connection on trust, where the system knows that. @throws BotFailed */
  unlock?(ref: string): Promise<{ isUnlocked: boolean; says?: string }>
}

export interface BilledCustomer {
  name: string
  /** On file, digits only. */
  phones: string[]
  /** Open ones: the oldest first, three at most. */
  invoices: Invoice[]
  /** What `unlock` is given; missing where nothing is blocked. */
  unlockRef?: string
}

export interface Invoice {
  /** In cents. */
  amount: number
  /** `YYYY-MM-DD`. */
  dueDate: string
  /** The digits of the slip that are typed in a bank's app. */
  line?: string
  /** What is pasted as Pix. */
  pix?: string
  url?: string
}

export const MOST_INVOICES = 3

/** Cents of `"99.90"`, `"1.234,56"` or 99.9; undefined for anything else. */
export function centsOf(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const plain = text.includes(',') ? text.replaceAll('.', '').replace(',', '.') : text
  return /^\d{1,9}(\.\d{1,10})?$/.test(plain) ? Math.round(Number(plain) * 100) : undefined
}

/** `YYYY-MM-DD` of that, of a time, or of `DD/MM/YYYY`. */
export function dayOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})/.exec(value) ?? []
  return year ? `${year}-${month}-${day}` : /^(\d{4}-\d{2}-\d{2})(?!\d)/.exec(value)?.[1]
}

/** A digit line or Pix code: one word, of a length that one has. */
export function codeOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const code = value.trim()
  return code.length >= 20 && code.length <= 600 && /^[\x20-\x7e]+$/.test(code) ? code : undefined
}

/** The digits of what may be phone numbers: 8 to 15 of them. The rest is left out. */
export const phonesOf = (...values: unknown[]): string[] =>
  values
    .map((value) => (typeof value === 'string' || typeof value === 'number' ? String(value).replace(/\D/g, '') : ''))
    .filter((digits) => digits.length >= 8 && digits.length <= 15)

/**
 * Whether a contact's number is one of those on file. The country may be missing there, and the ninth digit that
 * Brazilian mobiles were given later on either side; the area code may not.
 */
export function isOnFile(number: string, phones: readonly string[]): boolean {
  const key = (digits: string) => {
    const local = digits.replace(/^0+/, '').replace(/^55(?=\d{10,11}$)/, '')
    return local.length < 10 ? undefined : local.slice(0, 2) + local.slice(-8)
  }
  const own = key(number.replace(/\D/g, ''))
  return own !== undefined && phones.some((phone) => key(phone) === own)
}

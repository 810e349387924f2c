import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { DomainError } from '../../schema/errors.ts'
import {
  accountSecrets,
  addressOf,
  neededOf,
  type PaymentAccountInput,
  pemPairOf,
  pixKeyOf,
} from '../../schema/invoices/invoices.inputs.ts'
import { paymentAccounts } from '../../schema/invoices/invoices.table.ts'
import { MASK } from '../../schema/secrets.ts'
import type { Db, Tx } from '../db/database.ts'
import { openText, type Sealer, sealText } from '../seal.ts'
import type { PaymentFailure } from '../../schema/invoices/invoices.failure.ts'

/** How the operator is paid, secrets in clear. */
export interface Account extends PaymentAccountInput {
  /** What a service that calls us has to know. */
  webhookSecret: string
}

const place = 'payment_accounts'
const empty: PaymentAccountInput = {
  provider: 'pix',
  ...{ pixKey: '', pixName: '', pixCity: '' },
  ...{ efiClientId: '', efiClientSecret: '', efiCertificate: '', efiBaseUrl: '' },
  ...{ asaasKey: '', asaasBaseUrl: '' },
}

/** Null while the operator has not said. */
export async function readAccount(db: Db | Tx, sealer: Sealer): Promise<Account | null> {
  const [row] = await db.select().from(paymentAccounts).where(eq(paymentAccounts.companyId, OPERATOR_COMPANY_ID))
  if (!row) return null
  const secrets = JSON.parse(openText(sealer, row.secrets, place) || '{}') as Record<string, string>
  return { ...empty, webhookSecret: '', ...row.config, ...secrets, provider: row.provider }
}

/** As the operator's screen shows it. */
export function maskedAccount(account: Account | null): PaymentAccountInput {
  const { webhookSecret: _, ...shown } = account ?? { ...empty, webhookSecret: '' }
  for (const name of accountSecrets) if (shown[name] !== '') shown[name] = MASK
  return shown
}

/**
 * What the operator wrote, with what was kept in place of masks.
 * @throws DomainError `ERR_PAYMENT_FIELD` (`field`) for what the provider cannot do without, or cannot read
 */
export function changedAccount(
  before: Account | null,
  wished: Partial<PaymentAccountInput>,
  accepts: (address: string) => boolean,
): Account {
  const was = { ...empty, ...before, webhookSecret: before?.webhookSecret || randomBytes(32).toString('base64url') }
  const next: Account = { ...was }
  for (const [name, value] of Object.entries(wished) as [keyof PaymentAccountInput, string][])
    if (value !== MASK) Object.assign(next, { [name]: name === 'efiCertificate' ? value : value.trim() })
  const refuse = (field: keyof PaymentAccountInput) => new DomainError('ERR_PAYMENT_FIELD', { field })

  if (next.pixKey !== '') {
    const key = pixKeyOf(next.pixKey)
    if (!key) throw refuse('pixKey')
    next.pixKey = key
  }
  for (const { base, keys } of Object.values(addressOf)) {
    if (next[base] !== '' && !accepts(next[base])) throw refuse(base)
    // Keys that were given for one address are not sent to another.
    if (next[base] !== was[base])
      for (const key of keys) if (wished[key] === undefined || wished[key] === MASK) next[key] = ''
  }
  if (next.efiCertificate !== '' && !isCertificate(next.efiCertificate)) throw refuse('efiCertificate')
  for (const field of neededOf[next.provider]) if (next[field] === '') throw refuse(field)
  return next
}

/** A certificate that can be read, and the key that it belongs to. */
function isCertificate(text: string): boolean {
  const pair = pemPairOf(text)
  if (!pair) return false
  try {
    return new X509Certificate(pair.certificate).checkPrivateKey(createPrivateKey(pair.key))
  } catch {
    return false
  }
}

/**
 * The fields that a service's refusal is about; none where nobody can tell.
 * @param took whether it has taken the keys, and refuses what came after
 */
export function refusedFields(
  { provider, ...account }: Account,
  why: PaymentFailure,
  took: boolean,
): (keyof PaymentAccountInput)[] {
  if (provider === 'pix') return []
  // All that is asked after the keys is to be told of money that comes for this Pix key.
  if (took) return why === 'refused' ? ['pixKey'] : []
  const { base } = addressOf[provider]
  if (why === 'credentials') return provider === 'efi' ? ['efiClientId', 'efiClientSecret'] : ['asaasKey']
  if (why === 'certificate') return provider === 'efi' ? ['efiCertificate'] : []
  // Its own address is not the operator's doing.
  const isAddress = why === 'unreachable' || why === 'untrusted' || why === 'unreadable'
  return isAddress && account[base] !== '' ? [base] : []
}

export async function writeAccount(db: Db | Tx, sealer: Sealer, account: Account, now: Date): Promise<void> {
  const { provider, webhookSecret, ...rest } = account
  const isSecret = (name: string) => (accountSecrets as readonly string[]).includes(name)
  const config = Object.fromEntries(Object.entries(rest).filter(([name]) => !isSecret(name)))
  const hidden = Object.fromEntries(Object.entries(rest).filter(([name]) => isSecret(name)))
  const secrets = sealText(sealer, JSON.stringify({ ...hidden, webhookSecret }), place)
  const row = { provider, config, secrets, updatedAt: now }
  await db
    .insert(paymentAccounts)
    .values({ companyId: OPERATOR_COMPANY_ID, ...row })
    .onConflictDoUpdate({ target: paymentAccounts.companyId, set: row })
}

import { type Static, Type } from '@sinclair/typebox'
import { documentOf } from '../documents.ts'
import { isEmail, patterned, requiring, rowId } from '../inputs.ts'
import { paymentProviders } from './invoices.table.ts'

const line = (maxLength: number) => patterned({ minLength: 1, maxLength, pattern: '\\S' })
const optionalLine = (maxLength: number) => Type.String({ maxLength })

/** The countries that the checkout offers. */
export const payerCountries = ['BR', 'usa'] as const

/** Who pays: the first step of the checkout. The names of the fields are those of older clients. */
export const payerInput = Type.Object({
  firstName: line(100),
  address2: line(150),
  district: optionalLine(80),
  city: line(80),
  state: optionalLine(40),
  zipcode: line(12),
  country: Type.Union(payerCountries.map((country) => Type.Literal(country))),
  /** CPF or CNPJ; empty where no provider asks for it. */
  document: optionalLine(20),
})
export type PayerInput = Static<typeof payerInput>

/** What the checkout sends. Older clients send a card, a plan and a price too: nobody listens to those. */
export const checkoutInput = Type.Object({
  invoiceId: rowId,
  ...requiring(payerInput, ['firstName', 'address2', 'city', 'zipcode', 'country']).properties,
})
export type CheckoutInput = Static<typeof checkoutInput>

const secret = (maxLength: number) => Type.String({ maxLength })

/** How the operator is paid; what the chosen provider does not use may be empty. */
export const paymentAccountInput = Type.Object({
  provider: Type.Union(paymentProviders.map((name) => Type.Literal(name))),
  pixKey: optionalLine(77),
  pixName: optionalLine(60),
  pixCity: optionalLine(60),
  efiClientId: optionalLine(200),
  efiClientSecret: secret(200),
  /** Certificate and private key, both PEM. */
  efiCertificate: secret(20_000),
  efiBaseUrl: optionalLine(300),
  asaasKey: secret(400),
  asaasBaseUrl: optionalLine(300),
})
export type PaymentAccountInput = Static<typeof paymentAccountInput>

export const changedPaymentAccount = requiring(paymentAccountInput, ['provider'])

/** What of it is sealed. */
export const accountSecrets = [
  'efiClientSecret',
  'efiCertificate',
  'asaasKey',
] as const satisfies readonly (keyof PaymentAccountInput)[]

/** What each provider uses; the rest is no business of its form. */
export const fieldsOf = {
  pix: ['pixKey', 'pixName', 'pixCity'],
  efi: ['pixKey', 'efiClientId', 'efiClientSecret', 'efiCertificate', 'efiBaseUrl'],
  asaas: ['asaasKey', 'asaasBaseUrl'],
} as const satisfies Record<(typeof paymentProviders)[number], readonly (keyof PaymentAccountInput)[]>

/** Where each keeps its address, and what is not sent to another one than it was given for. */
export const addressOf = {
  efi: { base: 'efiBaseUrl', keys: ['efiClientSecret', 'efiCertificate'] },
  asaas: { base: 'asaasBaseUrl', keys: ['asaasKey'] },
} as const satisfies Record<
  string,
  { base: keyof PaymentAccountInput; keys: readonly (typeof accountSecrets)[number][] }
>

/** What each provider cannot do without. */
export const neededOf = {
  pix: ['pixKey', 'pixName', 'pixCity'],
  efi: ['efiClientId', 'efiClientSecret', 'efiCertificate', 'pixKey'],
  asaas: ['asaasKey'],
} as const satisfies Record<(typeof paymentProviders)[number], readonly (keyof PaymentAccountInput)[]>

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A Pix key as banks keep it: a document, an e-mail, a phone with `+55`, or a random one; undefined for anything else. */
export function pixKeyOf(written: string): string | undefined {
  const text = written.trim()
  const document = documentOf(text)
  if (document) return document.value
  const phone = text.replace(/[\s().-]/g, '')
  if (/^\+55\d{10,11}$/.test(phone)) return phone
  if (uuid.test(text.toLowerCase())) return text.toLowerCase()
  return isEmail(text) && text.length <= 77 ? text.toLowerCase() : undefined
}

const certificatePart = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/
const privateKeyPart = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----[\s\S]+?-----END \1-----/

/** A certificate and its private key out of one text, PEM both; undefined where one is missing. Only the server reads them. */
export function pemPairOf(text: string): { certificate: string; key: string } | undefined {
  const [certificate] = certificatePart.exec(text) ?? []
  const [key] = privateKeyPart.exec(text) ?? []
  return certificate === undefined || key === undefined ? undefined : { certificate, key }
}

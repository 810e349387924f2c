import { isSameSecret } from './same-secret.ts'
import { createHmac, randomBytes } from 'node:crypto'

// Standard Webhooks: what we send is signed, and so is what is sent to us.

/** A secret is `whsec_` and 24 to 64 bytes in base64. */
export function isWebhookSecret(secret: string): boolean {
  const bytes = keyOf(secret)
  return bytes !== undefined && bytes.length >= 24 && bytes.length <= 64
}

function keyOf(secret: string): Buffer | undefined {
  const coded = /^whsec_([A-Za-z0-9+/]{32,88}={0,2})$/.exec(secret)?.[1]
  return coded === undefined ? undefined : Buffer.from(coded, 'base64')
}

/** `v1,` and the base64 of HMAC-SHA256 over id, time and body. @param at seconds since 1970 */
export function signatureOf(secret: string, id: string, at: number, body: string): string {
  const key = keyOf(secret)
  if (!key) throw new Error('the secret of the webhook cannot be read')
  return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
}

/** Whether one of the signatures in the header is right: what a receiver does. */
export function isSigned(secret: string, id: string, at: number, body: string, header: string): boolean {
  const right = signatureOf(secret, id, at, body)
  return header.split(' ').some((given) => isSameSecret(given, right))
}

/** A new secret. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

import { isSameSecret } from '../same-secret.ts'
import { createHmac } from 'node:crypto'
import { openText, type Sealer, sealText } from '../seal.ts'

export type CloudSecret = 'token' | 'appSecret' | 'verifyToken'

const placeOf = (whatsappId: number, secret: CloudSecret) => `cloud_numbers:${whatsappId}:${secret}`

export const sealSecret = (sealer: Sealer, text: string, whatsappId: number, secret: CloudSecret): string =>
  sealText(sealer, text, placeOf(whatsappId, secret))

export const openSecret = (sealer: Sealer, sealed: string, whatsappId: number, secret: CloudSecret): string =>
  openText(sealer, sealed, placeOf(whatsappId, secret))

const derived = (appSecret: string, what: string) => createHmac('sha256', appSecret).update(`balcao/${what}`).digest()

/**
 * The part of the webhook's address that names an app. It follows from the app's secret: all its numbers share the address,
 * and who does not know the secret can neither guess it nor take it.
 */
export const hookOf = (appSecret: string): string => derived(appSecret, 'hook').subarray(0, 16).toString('base64url')

/** The same for equal secrets, and for no others. */
export const markOf = (appSecret: string): string => derived(appSecret, 'mark').toString('base64url')

/** Whether the bytes were signed with this secret; compared in constant time. */
export function isSigned(raw: Uint8Array, signature: string, appSecret: string): boolean {
  const given = /^sha256=([0-9a-f]{64})$/i.exec(signature)?.[1]
  if (given === undefined || appSecret === '') return false
  return isSameSecret(given.toLowerCase(), createHmac('sha256', appSecret).update(raw).digest('hex'))
}

/** The webhook's address, below that of the server. */
export const webhookPathOf = (hook: string): string => `/cloud-api/${hook}`

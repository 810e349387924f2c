/**
 * The one door to Baileys. Importing it silences libsignal and repairs what 7.0.0-rc14 gets wrong for every caller:
 * signatures are checked again, sessions are not spoilt by each other's messages, and files are fetched from WhatsApp's
 * hosts only.
 */
import './baileys.mute.ts'
import './baileys.ratchet.ts'
import { AsyncLocalStorage } from 'node:async_hooks'
import { Curve, DEF_MEDIA_HOST, generateSignalPubKey, WA_CERT_DETAILS } from '@whiskeysockets/baileys'
import * as signalCurve from 'libsignal/src/curve.js'
import { parseAllowed } from '../outside/addresses.ts'
import { createOutside, type Outside, type OutsideCall } from '../outside/outside.ts'

const { verifySignature } = signalCurve as {
  verifySignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean
}

// Baileys ignores libsignal's answer and calls every well-formed signature valid: the certificate chain of the
// server and the account's own signature would go unchecked.
Curve.verify = (publicKey, message, signature) => {
  try {
    return verifySignature(generateSignalPubKey(publicKey), message, signature) === true
  } catch {
    return false
  }
}

const fetchingMedia = new AsyncLocalStorage<true>()
let loopbackHost: string | null = null
/** The guard of all calls outside; to a simulated service on this machine, one that lets it be called. */
let outside: Outside = createOutside()

const isLoopback = (hostname: string) => ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
const isWhatsapp = (hostname: string) => /(^|\.)(whatsapp\.(net|com)|fbcdn\.net)$/.test(hostname)

/** Where a request may go. The host of a file is named by whoever sent the message, so it is not to be trusted. */
export function mediaUrl(url: URL, loopback: string | null): URL {
  const to = new URL(url)
  if (loopback === null) {
    if (to.protocol === 'https:' && isWhatsapp(to.hostname)) return to
    throw new Error(`media host refused: ${to.hostname}`)
  }
  // Before the first upload Baileys assumes the public media host.
  if (to.host === DEF_MEDIA_HOST) to.host = loopback
  if (to.host !== loopback) throw new Error(`media host refused: ${to.hostname}`)
  to.protocol = 'http:'
  return to
}

/** Files are large and phones' lines are slow; how large one may be is decided by who stores it. */
const MEDIA_MS = 600_000

/**
 * Fetches a file from where WhatsApp, or the sender of a message, says that it lies. WhatsApp's hosts send nobody
 * elsewhere, so no redirection is followed.
 * @throws Error for another host, OutsideError
 */
export async function fetchMediaFile(address: string | URL, call: OutsideCall): Promise<Response> {
  return outside.fetch(mediaUrl(new URL(address), loopbackHost), call)
}

/** The guard that what is fetched of WhatsApp's hosts goes through. */
export function callThrough(given: Outside): void {
  if (loopbackHost === null) outside = given
}

const realFetch = globalThis.fetch
const guardedFetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
  const url = new URL(input instanceof Request ? input.url : input)
  if (!fetchingMedia.getStore() && (loopbackHost === null || !isWhatsapp(url.hostname))) return realFetch(input, init)
  if (input instanceof Request || init?.body)
    return realFetch(mediaUrl(url, loopbackHost), { ...init, redirect: 'error' })
  const answer = await fetchMediaFile(url, {
    method: init?.method ?? 'GET',
    headers: Object.fromEntries(new Headers(init?.headers).entries()),
    timeoutMs: MEDIA_MS,
    maxBytes: Number.POSITIVE_INFINITY,
    ...(init?.signal && { signal: init.signal }),
  })
  if (answer.status >= 300 && answer.status < 400) throw new Error(`media host refused: ${url.hostname} redirects`)
  return answer
}
globalThis.fetch = Object.assign(guardedFetch, { preconnect: realFetch.preconnect })

/** Runs an upload or a download of Baileys'; what it fetches is held to WhatsApp's hosts. */
export function withMediaHosts<T>(work: () => Promise<T>): Promise<T> {
  return fetchingMedia.run(true, work)
}

/**
 * Points the process at a simulated service. The certificate root is Baileys' process-wide constant, so a process
 * speaks either to WhatsApp or to one simulation.
 * @throws when the address is not this machine: a foreign root must never be trusted over a network.
 */
export function trustLoopback(wsUrl: string, certKey: Buffer): void {
  const url = new URL(wsUrl)
  if (!isLoopback(url.hostname))
    throw new Error(`WHATSAPP_CERT_KEY is for a service on this machine, not for ${url.hostname}`)
  if (certKey.length !== 32) throw new Error('WHATSAPP_CERT_KEY is 32 bytes in base64')
  WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(certKey) as typeof WA_CERT_DETAILS.PUBLIC_KEY
  loopbackHost = url.host
  outside = createOutside({ allow: ['127.0.0.1', '::1'].map(parseAllowed) })
}

/** Baileys and libsignal leave their marks: one throws Boom errors alone, both appear in the stack. */
function isOfBaileys(reason: unknown): boolean {
  if (typeof reason !== 'object' || reason === null) return false
  const { isBoom, stack } = reason as { isBoom?: unknown; stack?: unknown }
  return isBoom === true || /@whiskeysockets[\\/]baileys|node_modules[\\/]libsignal/.test(String(stack ?? ''))
}

let guarded = false

/**
 * Baileys answers stanzas in listeners that nobody awaits: one that meets a closed socket rejects into the void, and
 * Bun ends the process for it. These rejections are logged instead. All others end the process as before.
 */
export function surviveBaileys(report: (reason: unknown) => void): void {
  if (guarded) return
  guarded = true
  process.on('unhandledRejection', (reason) => {
    if (isOfBaileys(reason)) return report(reason)
    // Another listener may have its own opinion; without one, what nobody expected is fatal.
    if (process.listenerCount('unhandledRejection') === 1) throw reason
  })
}

export * from '@whiskeysockets/baileys'
export { default as makeWASocket } from '@whiskeysockets/baileys'

/**
 * Repairs two things of libsignal's.
 *
 * Its queue is one for an address, whoever asks: what waits in it runs in the async context of whoever came first, by
 * which Baileys tells its transactions apart. Of two devices in one process that hear the same person at the same time,
 * one would then read and write outside its transaction, or in one that is over, and its ratchet would be lost. So each
 * runs in the context that it came from.
 *
 * And how it reads a message for which a record holds more than one session: it tries one after the other,
 * and one that does not fit has its ratchet turned before its signature is found wrong. The record is then stored with
 * the session that did fit, the other one spoilt: what is said in it next can never be read. So each is tried on a copy.
 */
import { AsyncResource } from 'node:async_hooks'
// @ts-expect-error The package declares the types of its main file only.
import SessionBuilder from 'libsignal/src/session_builder.js'
// @ts-expect-error The package declares the types of its main file only.
import SessionCipher from 'libsignal/src/session_cipher.js'

interface Session {
  serialize(): unknown
  pendingPreKey?: unknown
}
interface Found {
  session: Session
  plaintext: Uint8Array
}
type Work = () => Promise<unknown>
type Storage = Record<string, (...args: unknown[]) => unknown>
interface Builder {
  storage: Storage
  initOutgoing(this: Builder, device: unknown): Promise<void>
}
interface Cipher {
  queueJob(this: Cipher, work: Work): Promise<unknown>
  decryptWithSessions(this: Cipher, data: Uint8Array, sessions: Session[]): Promise<Found>
}

const prototype = (SessionCipher as unknown as { prototype: Cipher }).prototype
const decrypt = prototype.decryptWithSessions
if (typeof decrypt !== 'function') throw new Error('libsignal no longer reads messages where it did')

const { queueJob } = prototype
if (typeof queueJob !== 'function') throw new Error('libsignal no longer queues where it did')
prototype.queueJob = function (work) {
  return queueJob.call(this, AsyncResource.bind(work))
}

const builder = (SessionBuilder as unknown as { prototype: Builder }).prototype
const { initOutgoing } = builder
if (typeof initOutgoing !== 'function') throw new Error('libsignal no longer begins sessions where it did')
builder.initOutgoing = function (device) {
  const bound = Object.entries(this.storage).map(([name, ask]) => [name, AsyncResource.bind(ask)])
  this.storage = Object.fromEntries(bound) as Storage
  return initOutgoing.call(this, device)
}

prototype.decryptWithSessions = async function (data, sessions) {
  // What fails for the only session there is, is not stored.
  if (sessions.length < 2) return decrypt.call(this, data, sessions)
  let failure: unknown
  for (const session of sessions) {
    try {
      const { session: copy, plaintext } = await decrypt.call(this, data, [copyOf(session)])
      // Assigning does not take away: what a session carries until it is first answered ends with this message.
      delete session.pendingPreKey
      return { session: Object.assign(session, copy), plaintext }
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function copyOf(session: Session): Session {
  const { deserialize } = session.constructor as unknown as { deserialize(data: unknown): Session }
  return deserialize.call(session.constructor, session.serialize())
}

/**
 * Repairs how libsignal reads a message for which a record holds more than one session: it tries one after the other,
 * and one that does not fit has its ratchet turned before its signature is found wrong. The record is then stored with
 * the session that did fit, the other one spoilt: what is said in it next can never be read. So each is tried on a copy.
 */
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
interface Cipher {
  decryptWithSessions(this: Cipher, data: Uint8Array, sessions: Session[]): Promise<Found>
}

const prototype = (SessionCipher as unknown as { prototype: Cipher }).prototype
const decrypt = prototype.decryptWithSessions
if (typeof decrypt !== 'function') throw new Error('libsignal no longer reads messages where it did')

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

import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

const version = 1

export interface Sealer {
  /** `place` names where the value lives, so that one row's secret cannot be passed off as another's. */
  seal(plain: Uint8Array, place: string): Buffer
  /** @throws when the key, the place or a single bit is not the one it was sealed with. */
  open(sealed: Uint8Array, place: string): Buffer
  /** A keyed hash, in hex: the same for the same text, and nobody without the key can try texts against it. */
  mark(text: string): string
}

/** AES-256-GCM. Layout: version (1 byte), nonce (12), tag (16), ciphertext. */
export function createSealer(key: Buffer): Sealer {
  if (key.length !== 32) throw new Error('the encryption key is 32 bytes')
  // A key of its own: what is hashed tells nothing of what is sealed.
  const marking = createHmac('sha256', key).update('balcao mark').digest()
  return {
    mark: (text) => createHmac('sha256', marking).update(text).digest('hex'),
    seal(plain, place) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
      const body = cipher.update(plain)
      cipher.final()
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), body])
    },
    open(sealed, place) {
      if (sealed[0] !== version) throw new Error(`sealed by an unknown version: ${sealed[0]}`)
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13))
        .setAAD(Buffer.from(place))
        .setAuthTag(sealed.subarray(13, 29))
      return Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()])
    },
  }
}

/** A secret as a column of text keeps it; nothing stays nothing. */
export const sealText = (sealer: Sealer, text: string, place: string): string =>
  text === '' ? '' : sealer.seal(Buffer.from(text), place).toString('base64')

/** @throws as `open` does */
export const openText = (sealer: Sealer, sealed: string, place: string): string =>
  sealed === '' ? '' : sealer.open(Buffer.from(sealed, 'base64'), place).toString()

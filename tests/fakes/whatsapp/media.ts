/** End-to-end media encryption as a phone would do it, and the loopback blob store. */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { getMediaKeys, type MediaType } from '@whiskeysockets/baileys'

export interface SealedMedia {
  blob: Buffer
  mediaKey: Buffer
  fileSha256: Buffer
  fileEncSha256: Buffer
  fileLength: number
}

export async function sealMedia(plain: Uint8Array, type: MediaType): Promise<SealedMedia> {
  const mediaKey = randomBytes(32)
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, type)
  const c = createCipheriv('aes-256-cbc', cipherKey, iv)
  const enc = Buffer.concat([c.update(plain), c.final()])
  const mac = createHmac('sha256', macKey!).update(iv).update(enc).digest().subarray(0, 10)
  const blob = Buffer.concat([enc, mac])
  return {
    blob,
    mediaKey,
    fileLength: plain.length,
    fileSha256: createHash('sha256').update(plain).digest(),
    fileEncSha256: createHash('sha256').update(blob).digest(),
  }
}

export async function openMedia(blob: Uint8Array, mediaKey: Uint8Array, type: MediaType) {
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, type)
  const body = blob.subarray(0, blob.length - 10)
  const mac = createHmac('sha256', macKey!).update(iv).update(body).digest().subarray(0, 10)
  if (!mac.equals(Buffer.from(blob.subarray(blob.length - 10)))) throw new Error('media mac mismatch')
  const d = createDecipheriv('aes-256-cbc', cipherKey, iv)
  return Buffer.concat([d.update(body), d.final()])
}

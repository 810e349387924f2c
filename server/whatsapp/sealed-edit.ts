import { createDecipheriv, hkdfSync } from 'node:crypto'
import { proto } from './baileys.ts'

/** The tag of AES-GCM stands behind the text. */
const TAG_BYTES = 16

/**
 * An edit as phones send it since 2026: sealed with the secret that came along with its message, which Baileys does not
 * open. Whoever wrote the message and whoever edits it are part of the key, by whichever of their names their phone used.
 *
 * @param secret `messageContextInfo.messageSecret` of the message that is edited
 * @param authors the addresses of who wrote it
 * @returns the edit as it was sent before; null when it opens with none of them
 */
export function openSealedEdit(
  { targetMessageKey, encPayload, encIv }: proto.Message.ISecretEncryptedMessage,
  secret: Uint8Array,
  authors: readonly string[],
): proto.IMessage | null {
  const id = targetMessageKey?.id
  if (!id || !encIv?.length || !encPayload || encPayload.length <= TAG_BYTES) return null
  const letter = encPayload.subarray(0, -TAG_BYTES)
  const tag = encPayload.subarray(-TAG_BYTES)
  for (const author of authors) {
    for (const editor of authors) {
      const key = hkdfSync('sha256', secret, Buffer.alloc(0), Buffer.from(`${id}${author}${editor}Message Edit`), 32)
      try {
        const open = createDecipheriv('aes-256-gcm', Buffer.from(key), encIv).setAuthTag(tag)
        const plain = proto.Message.decode(Buffer.concat([open.update(letter), open.final()]))
        const { MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
        const editedMessage = plain.protocolMessage?.editedMessage ?? plain.editedMessage?.message ?? plain
        // What is edited is said outside, too: that is the message whose secret opened it.
        return { protocolMessage: { type: MESSAGE_EDIT, key: { ...targetMessageKey }, editedMessage } }
      } catch {
        // Another of their names, or not theirs at all.
      }
    }
  }
  return null
}

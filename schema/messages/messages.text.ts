import { clip } from '../texts.ts'
import type { Message } from './messages.table.ts'

/**
 * How much of a message is kept, and where. `body` is what is synced, searched and shown in the conversation; a longer
 * text stands whole in `message_texts`, and is fetched by whoever wants to read it.
 */

/** Of `messages.body`, in UTF-16 units. */
export const BODY_LENGTH = 4_096
/** Of a whole text: WhatsApp's phones write no longer ones. What is behind it is kept nowhere. */
export const TEXT_LENGTH = 65_536
/** Earlier versions of an edited message. */
export const EARLIER_BODIES = 20
/** Of them all, in UTF-16 units: they stand in the message's row, which every browser holds. */
export const EARLIER_LENGTH = 16_384

/** A text as a message's row holds it: whole, or its beginning, dots at the end of it, and that there is more. */
export const bodyOf = (text: string): Pick<Message, 'body' | 'isCut'> =>
  text.length <= BODY_LENGTH ? { body: text, isCut: false } : { body: `${clip(text, BODY_LENGTH - 1)}…`, isCut: true }

/** What is kept of a text beside its body; null when the body holds all of it. */
export const wholeOf = (text: string): string | null => (text.length <= BODY_LENGTH ? null : clip(text, TEXT_LENGTH))

/** What a decision says of the text of a new message. */
export const textsOf = (messageId: string, text: string): { messageId: string; text: string }[] => {
  const whole = wholeOf(text)
  return whole === null ? [] : [{ messageId, text: whole }]
}

/** The versions before an edit, the newest last; of long ones fewer are kept. */
export function withEarlier<T extends { body: string }>(earlier: readonly T[], replaced: T): T[] {
  let room = EARLIER_LENGTH
  const kept = [...earlier, replaced].slice(-EARLIER_BODIES).reverse()
  const full = kept.findIndex(({ body }) => (room -= body.length) < 0)
  return (full < 0 ? kept : kept.slice(0, full)).reverse()
}

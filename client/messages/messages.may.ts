import { EDIT_WINDOW_MS, REVOKE_WINDOW_MS } from '../../schema/messages/messages.own.ts'
import type { Capabilities } from '../../schema/whatsapps/whatsapps.providers.ts'
import type { MessageRow } from './messages.rows.ts'

type Of = Pick<MessageRow, 'fromMe' | 'isDeleted' | 'mediaType' | 'ack' | 'createdAt'>

/** Own, unsent to nobody, a text, young enough, and on a connection whose messages can change. */
export const canEdit = (row: Of, offers: Pick<Capabilities, 'edit'>, now: number): boolean =>
  offers.edit &&
  row.fromMe &&
  !row.isDeleted &&
  row.mediaType === 'chat' &&
  row.ack > 0 &&
  now - row.createdAt < EDIT_WINDOW_MS

/** Own, and young enough for phones to follow; or failed, which nobody has seen. On a connection that takes back. */
export const canTakeBack = (
  row: Pick<Of, 'fromMe' | 'ack' | 'createdAt'>,
  offers: Pick<Capabilities, 'revoke'>,
  now: number,
): boolean => offers.revoke && row.fromMe && (row.ack === 0 || now - row.createdAt < REVOKE_WINDOW_MS)

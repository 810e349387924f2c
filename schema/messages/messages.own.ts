import { HOUR_MS } from '../durations.ts'
import { fileNameOf } from '../texts.ts'
import type { TemplateAbout } from '../templates/templates.parts.ts'
import { type Card, contactCardOf } from './messages.cards.ts'
import { mediaTypeOf, type MessageContent, type OutgoingContent, type Place, storedForm } from './messages.content.ts'
import type { Message } from './messages.table.ts'
import { bodyOf } from './messages.text.ts'

/** An own message may be edited for this long, as on the phone. */
export const EDIT_WINDOW_MS = 15 * 60 * 1000
/** And taken back for this long: what comes later, phones do not follow. */
export const REVOKE_WINDOW_MS = 60 * HOUR_MS

/** Set by the ticket, by the clock and by what the quoted message turns out to be. */
type Placed =
  | 'companyId'
  | 'contactId'
  | 'whatsappId'
  | 'wid'
  | 'quotedMsgId'
  | 'queueScope'
  | 'userScope'
  | 'createdAt'
  | 'updatedAt'

/** A file of ours that a message carries. */
export interface OwnFile {
  /** In the media store; null in the browser, where the bytes wait in the outbox. */
  path: string | null
  name: string
  mimetype: string
  /** Bytes, where they are known. */
  size: number | null
  voice: boolean
}

/** The file that a row keeps, see `ownFile` of `columns.ts`. */
export function storedFile(
  row: Pick<Message, 'mediaPath' | 'mediaName' | 'mediaMime' | 'mediaSize'>,
  { name = 'file', voice = false } = {},
): OwnFile | null {
  if (row.mediaPath === null) return null
  return {
    path: row.mediaPath,
    name: row.mediaName ?? name,
    mimetype: row.mediaMime ?? 'application/octet-stream',
    size: row.mediaSize,
    voice,
  }
}

/**
 * The row of a message that somebody of the company writes, as far as it follows from what was written: in the first
 * frame, before any command runs, the bubble is drawn from the same values that `messages.send` stores.
 */
export function ownMessage(
  {
    id,
    ticketId,
    body,
    file,
    place,
    cards,
  }: {
    id: string
    ticketId: number
    body: string
    file?: OwnFile
    /** In place of a text. */
    place?: Place | null
    cards?: readonly Card[] | null
  },
  authorId: number | null,
): Omit<Message, Placed> {
  return {
    id,
    ticketId,
    fromMe: true,
    authorId,
    participantName: null,
    participantNumber: null,
    ...bodyOf(body || (file && !file.voice ? file.name : '')),
    mediaType: file ? mediaTypeOf(file.mimetype) : 'chat',
    mediaState: file ? (file.path ? 'ready' : 'pending') : 'none',
    mediaPath: file?.path ?? null,
    // A command says whatever somebody's program wrote.
    mediaName: file ? fileNameOf(file.name) || 'file' : null,
    mediaMime: file?.mimetype ?? null,
    mediaSize: file?.size ?? null,
    mediaSeconds: null,
    waveform: null,
    isVoice: file?.voice ?? false,
    read: true,
    ack: 1,
    ackError: null,
    isDeleted: false,
    isEdited: false,
    earlierBodies: [],
    reactions: [],
    about: null,
    ...(place && formOf({ type: 'location', ...place, thumbnail: null })),
    ...(cards && formOf({ type: 'contacts', cards: cards.map(contactCardOf) })),
  }
}

/** The columns of a message that hold a content which is no text of ours. */
function formOf(content: MessageContent): Pick<Message, 'body' | 'isCut' | 'mediaType'> {
  const { body, isCut, mediaType } = storedForm(content)
  return { body, isCut, mediaType }
}

/** Why a message that was deleted before it left has no tick. */
export const TAKEN_BACK = 'taken_back'

/** A message by a template as it leaves. */
export const templateContent = (template: TemplateAbout, text: string, file: OwnFile | null): OutgoingContent => ({
  ...{ type: 'template', template, text },
  ...(template.file && file?.path && { file: { mediaPath: file.path, mimetype: file.mimetype, fileName: file.name } }),
})

/** What `ackError` says of a message that has left, beside its tick; on the way to the next tick it may change. */
export const messageRemarks = [
  /** The service did not answer at first and was asked again: it may have come twice. */
  'perhaps_twice',
  /** The service has it, and holds it while it looks at how others like it are received. */
  'held_back',
] as const
export type MessageRemark = (typeof messageRemarks)[number]
export const remarkOf = ({ ack, ackError }: { ack: number; ackError: string | null }): MessageRemark | null =>
  (ack > 1 && messageRemarks.find((remark) => remark === ackError)) || null

/** Messages of ours as the official API takes them. Pure. */
import type { OutgoingContent } from '../../schema/messages/messages.content.ts'

const TEXT_LENGTH = 4_096
const CAPTION_LENGTH = 1_024
const MB = 1_000_000
const DOCUMENT_BYTES = 100 * MB

type FileKind = 'image' | 'video' | 'audio' | 'document'
export type FileContent = Extract<OutgoingContent, { mediaPath: string }>

/** What the service shows as itself; everything else is a document. */
const shown: Record<Exclude<FileKind, 'document'>, { types: readonly string[]; bytes: number }> = {
  image: { types: ['image/jpeg', 'image/png'], bytes: 5 * MB },
  video: { types: ['video/mp4', 'video/3gpp'], bytes: 16 * MB },
  audio: { types: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'], bytes: 16 * MB },
}

/** As what a file is sent; null where it is larger than anything the service takes. */
export function fileKind({ type, mimetype }: FileContent, bytes: number): FileKind | null {
  if (type !== 'document' && shown[type].types.includes(mimetype) && bytes <= shown[type].bytes) return type
  return bytes <= DOCUMENT_BYTES ? 'document' : null
}

/** Whether the service takes the words of a message. */
export function isTooLong(content: OutgoingContent): boolean {
  if (content.type === 'text') return content.text.length > TEXT_LENGTH
  return 'caption' in content && content.caption.length > CAPTION_LENGTH
}

/** A file that the service has by now. */
export interface Uploaded {
  kind: FileKind | 'voice'
  id: string
}

/**
 * @param to `number`: digits of whoever gets it; `callback`: comes back with each of its states; `contextId`: the service's
 * id of the message that it answers
 */
export function toCloud(
  content: OutgoingContent,
  {
    number,
    callback,
    contextId,
    file,
  }: { number: string; callback: string; contextId: string | undefined; file: Uploaded | undefined },
): Record<string, unknown> {
  return {
    ...addressed(number),
    ...bodyOf(content, file),
    ...(contextId !== undefined && { context: { message_id: contextId } }),
    biz_opaque_callback_data: callback,
  }
}

export const addressed = (number: string) => ({
  ...{ messaging_product: 'whatsapp', recipient_type: 'individual', to: `+${number}` },
})

function bodyOf(content: OutgoingContent, file: Uploaded | undefined): Record<string, unknown> {
  if (content.type === 'text') {
    const { text: body } = content
    return { type: 'text', text: { body, ...(/https?:\/\//.test(body) && { preview_url: true }) } }
  }
  if (content.type === 'location') {
    const { latitude, longitude, name } = content.place
    return { type: 'location', location: { latitude, longitude, ...(name && { name }) } }
  }
  const { id, kind } = file!
  if (kind === 'voice') return { type: 'audio', audio: { id, voice: true } }
  if (kind === 'audio') return { type: 'audio', audio: { id } }
  const { caption = '', fileName = '' } = content.type === 'voice' ? {} : content
  return {
    type: kind,
    [kind]: { id, ...(caption && { caption }), ...(kind === 'document' && fileName && { filename: fileName }) },
  }
}

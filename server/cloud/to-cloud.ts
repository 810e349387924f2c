/** Messages of ours as the official API takes them. Pure. */
import type { ChatAddress, OutgoingContent } from '../../schema/messages/messages.content.ts'
import type { Offer } from '../../schema/messages/messages.offer.ts'
import { clip } from '../../schema/texts.ts'
import { placeIn as placeOfHeader, type TemplateAbout } from '../../schema/templates/templates.parts.ts'
import { pressedId } from './from-cloud.content.ts'
import { inOrder } from './from-cloud.templates.ts'

const TEXT_LENGTH = 4_096
const CAPTION_LENGTH = 1_024
/** Of words above a button. */
const ASKING_LENGTH = 1_024
/** Of a menu; what is larger is a text with numbers. */
const BUTTONS = { most: 3, title: 20, words: 1_024 }
const LIST = { most: 10, title: 24, description: 72, words: 4_096 }
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
 * @param about `to`: whoever gets it; `callback`: comes back with each of its states; `contextId`: the service's
 * id of the message that it answers
 */
export function toCloud(
  content: OutgoingContent,
  {
    to,
    callback,
    contextId,
    file,
  }: { to: Place; callback: string; contextId: string | undefined; file: Uploaded | undefined },
): Record<string, unknown> {
  return {
    ...addressed(to),
    ...bodyOf(content, file),
    ...(contextId !== undefined && { context: { message_id: contextId } }),
    biz_opaque_callback_data: callback,
  }
}

export const addressed = (to: Place) => ({
  ...{ messaging_product: 'whatsapp', recipient_type: 'individual' },
  ...('number' in to ? { to: `+${to.number}` } : { recipient: to.id }),
})

/** Whom the service is to reach: by their number where that is known, else by their id. */
export type Place = { number: string } | { id: string }

type PersonChat = Extract<ChatAddress, { kind: 'person' }>

/** By what a contact is remembered over a number, the surest first. */
export const keysOf = ({ number, bsuid }: PersonChat): string[] => [
  ...(number ? [number] : []),
  ...(bsuid ? [bsuid.id] : []),
]

/** Null where the contact has nothing by which the service reaches them over a number of that portfolio. */
export function placeIn(portfolio: string, { number, bsuid }: PersonChat): Place | null {
  if (number) return { number }
  return bsuid?.portfolio === portfolio ? { id: bsuid.id } : null
}

export const keyOf = (to: Place): string => ('number' in to ? to.number : to.id)

/** What fills the template, part by part in its order. */
function templateBody(
  { name, language, named, values }: TemplateAbout,
  header: Header | null,
): Record<string, unknown> {
  const all = Object.entries(values).map(([key, text]) => {
    const at = key.indexOf('.')
    return { part: key.slice(0, at), name: key.slice(at + 1), text }
  })
  const of = (part: string) => inOrder(all.filter((one) => one.part === part))
  const texts = (part: 'header' | 'body') => {
    const parameters = of(part).map((one) => ({
      ...{ type: 'text', text: one.text },
      ...(named && { parameter_name: one.name }),
    }))
    return parameters.length > 0 ? [{ type: part, parameters }] : []
  }
  const place = placeOfHeader(values)
  const headed = header
    ? { type: header.kind, [header.kind]: header.file }
    : place && { type: 'location', location: place }
  const components = [
    ...(headed ? [{ type: 'header', parameters: [headed] }] : texts('header')),
    ...texts('body'),
    ...of('button').map(({ name: index, text }) => ({
      ...{ type: 'button', sub_type: 'url', index, parameters: [{ type: 'text', text }] },
    })),
    ...of('code').map(({ name: index, text }) => ({
      ...{ type: 'button', sub_type: 'copy_code', index, parameters: [{ type: 'coupon_code', coupon_code: text }] },
    })),
  ]
  return { name, language: { code: language }, ...(components.length > 0 && { components }) }
}

/** The file that a template begins with. */
function headerOf(
  { file: given }: Extract<OutgoingContent, { type: 'template' }>,
  file: Uploaded | undefined,
): Header | null {
  if (!file) return null
  const { kind, id } = file
  return { kind, file: { id, ...(kind === 'document' && given?.fileName && { filename: given.fileName }) } }
}

interface Header {
  kind: string
  file: { id: string; filename?: string }
}

/** A menu that the contact presses; null where the service takes none of that size. */
function menuOf({ words, button, choices }: Offer): Record<string, unknown> | null {
  const labels = choices.map(({ label }) => label)
  const longest = Math.max(...labels.map(({ length }) => length))
  if (labels.length === 0 || labels.includes('')) return null
  const body = { text: words }
  const isFew = choices.length <= BUTTONS.most && longest <= BUTTONS.title && words.length <= BUTTONS.words
  if (isFew && new Set(labels).size === labels.length) {
    const buttons = choices.map(({ label, answer }) => ({
      ...{ type: 'reply', reply: { id: pressedId(answer), title: label } },
    }))
    return { type: 'button', body, action: { buttons } }
  }
  if (choices.length > LIST.most || longest > LIST.description || words.length > LIST.words) return null
  const rows = choices.map(({ label, answer }) => ({
    id: pressedId(answer),
    ...(label.length <= LIST.title
      ? { title: label }
      : { title: `${clip(label, LIST.title - 1).trimEnd()}…`, description: label }),
  }))
  return { type: 'list', body, action: { button, sections: [{ rows }] } }
}

function bodyOf(content: OutgoingContent, file: Uploaded | undefined): Record<string, unknown> {
  if (content.type === 'template')
    return { type: 'template', template: templateBody(content.template, headerOf(content, file)) }
  if (content.type === 'text' && content.asksNumber) {
    const interactive = { type: 'request_contact_info', body: { text: clip(content.text, ASKING_LENGTH) } }
    return { type: 'interactive', interactive: { ...interactive, action: { name: 'request_contact_info' } } }
  }
  const menu = content.type === 'text' && content.offer && menuOf(content.offer)
  if (menu) return { type: 'interactive', interactive: menu }
  if (content.type === 'text') {
    const { text: body } = content
    return { type: 'text', text: { body, ...(/https?:\/\//.test(body) && { preview_url: true }) } }
  }
  if (content.type === 'location') {
    const { latitude, longitude, name } = content.place
    return { type: 'location', location: { latitude, longitude, ...(name && { name }) } }
  }
  if (content.type === 'contacts') {
    const contacts = content.cards.map(({ name, number }) => ({
      name: { formatted_name: name, first_name: name },
      phones: [{ phone: `+${number}`, wa_id: number, type: 'CELL' }],
    }))
    return { type: 'contacts', contacts }
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

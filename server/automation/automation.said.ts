import { type MediaType, type MessageAbout, placeOf } from '../../schema/messages/messages.content.ts'
import type { Message } from '../../schema/messages/messages.table.ts'

/** A message with what its voice note says, where that was heard. */
export interface Heard {
  message: Message
  transcript: string | null
}

/**
 * What a language model is told of a message: its words, or what was sent in their place. In the language of the words
 * that every prompt gets from us.
 */
export function wordsOf({ message, transcript }: Heard): string {
  return [aboutOf(message), saidOf({ message, transcript })].filter(Boolean).join(' ')
}

type AboutOf<K extends MessageAbout['is']> = Extract<MessageAbout, { is: K }>
/** To what the words are said; a key to pay to stands in them, and an ad that nothing was written to is told as what was sent. */
const abouts: { [K in MessageAbout['is']]: (about: AboutOf<K>, mediaType: MediaType) => string } = {
  ad: ({ title, text }, mediaType) => (mediaType === 'ad' ? '' : `[O cliente veio do anúncio “${title || text}”]`),
  status: ({ text }) => `[Em resposta ao nosso status${text ? ` “${text}”` : ''}]`,
  quote: ({ text }) => `[Em resposta a “${text}”]`,
  pix: () => '',
  template: () => '',
}
const aboutOf = ({ about, mediaType }: Message): string =>
  // That it meets the entry of its own kind is beyond the compiler.
  about ? (abouts[about.is] as (about: MessageAbout, mediaType: MediaType) => string)(about, mediaType) : ''

/** A message's words, without the name of a file, which says nothing. */
type Said = Pick<Message, 'body' | 'mediaName' | 'isVoice'> & { caption: string }

const said: Record<MediaType, (of: Said) => string> = {
  chat: ({ body }) => body,
  image: ({ caption }) => sent('uma imagem', caption),
  video: ({ caption }) => sent('um vídeo', caption),
  audio: ({ isVoice }) => sent(isVoice ? 'uma mensagem de voz, que não pôde ser ouvida' : 'um áudio', ''),
  application: ({ mediaName, caption }) => sent(mediaName ? `o arquivo ${mediaName}` : 'um arquivo', caption),
  sticker: () => sent('uma figurinha', ''),
  locationMessage: ({ body }) => {
    const place = placeOf(body)
    return sent('uma localização', place ? [place.name, `${place.latitude}, ${place.longitude}`].join(' ') : '')
  },
  contactMessage: () => sent('um contato', ''),
  vcard: () => sent('um contato', ''),
  reactionMessage: () => sent('algo que não é texto', ''),
  call_log: () => sent('algo que não é texto', ''),
  ad: ({ body }) => `[O cliente veio do anúncio “${body}”, sem escrever nada]`,
  view_once: () => sent('uma foto ou um vídeo de visualização única, que não pôde ser visto', ''),
  // What is no text of theirs, and whose words are the thing's.
  pix: ({ body }) => sent('uma chave Pix', body),
  order: ({ body }) => sent('um pedido', body),
  product: ({ body }) => sent('um produto', body),
  poll: ({ body }) => sent('uma enquete', body),
  event: ({ body }) => sent('um evento', body),
  group_invite: ({ body }) => sent('um convite para um grupo', body),
  phone_only: ({ body }) => sent('algo que não é texto', body),
}

function saidOf({ message, transcript }: Heard): string {
  if (transcript) return transcript
  const { mediaType, body, mediaName, isVoice } = message
  return said[mediaType]({ body, mediaName, isVoice, caption: body === mediaName ? '' : body })
}

const sent = (what: string, words: string): string =>
  words.trim() ? `[O cliente enviou ${what}] ${words.trim()}` : `[O cliente enviou ${what}]`

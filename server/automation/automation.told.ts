import { isNotice, type NoticeKind, placeOf } from '../../schema/messages/messages.content.ts'
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
export function toldOf({ message, transcript }: Heard): string {
  return [aboutOf(message), saidOf({ message, transcript })].filter(Boolean).join(' ')
}

/** To what the words are said; a key to pay to stands in them. */
function aboutOf({ about, mediaType }: Message): string {
  if (about?.is === 'ad' && mediaType !== 'ad') return `[O cliente veio do anúncio “${about.title || about.text}”]`
  if (about?.is === 'status') return `[Em resposta ao nosso status${about.text ? ` “${about.text}”` : ''}]`
  return about?.is === 'quote' ? `[Em resposta a “${about.text}”]` : ''
}

function saidOf({ message, transcript }: Heard): string {
  const { mediaType, body, mediaName, isVoice } = message
  if (transcript) return transcript
  // The name of a picture says nothing.
  const caption = body === mediaName ? '' : body
  switch (mediaType) {
    case 'chat':
      return body
    case 'image':
      return sent('uma imagem', caption)
    case 'video':
      return sent('um vídeo', caption)
    case 'audio':
      return sent(isVoice ? 'uma mensagem de voz, que não pôde ser ouvida' : 'um áudio', '')
    case 'application':
      return sent(mediaName ? `o arquivo ${mediaName}` : 'um arquivo', caption)
    case 'sticker':
      return sent('uma figurinha', '')
    case 'locationMessage': {
      const place = placeOf(body)
      return sent('uma localização', place ? [place.name, `${place.latitude}, ${place.longitude}`].join(' ') : '')
    }
    case 'contactMessage':
    case 'vcard':
      return sent('um contato', '')
    case 'ad':
      return `[O cliente veio do anúncio “${body}”, sem escrever nada]`
    case 'view_once':
      return sent('uma foto ou um vídeo de visualização única, que não pôde ser visto', '')
    default:
      return isNotice(mediaType) ? sent(notices[mediaType], body) : sent('algo que não é texto', '')
  }
}

/** What is no text of theirs, and whose words are the thing's. */
const notices: Record<Exclude<NoticeKind, 'ad' | 'view_once'>, string> = {
  pix: 'uma chave Pix',
  order: 'um pedido',
  product: 'um produto',
  poll: 'uma enquete',
  event: 'um evento',
  group_invite: 'um convite para um grupo',
  phone_only: 'algo que não é texto',
}

const sent = (what: string, words: string): string =>
  words.trim() ? `[O cliente enviou ${what}] ${words.trim()}` : `[O cliente enviou ${what}]`

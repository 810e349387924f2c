import { placeOf } from '../../schema/messages/messages.content.ts'
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
    default:
      return sent('algo que não é texto', '')
  }
}

const sent = (what: string, words: string): string =>
  words.trim() ? `[O cliente enviou ${what}] ${words.trim()}` : `[O cliente enviou ${what}]`

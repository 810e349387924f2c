import type { OutgoingContent } from '../../schema/messages/messages.content.ts'
import type { AnyMessageContent } from './baileys.ts'

/** What Baileys sends for a content of ours. Pure. @param file turns a path of our media store into a path on disk. */
export function toBaileys(content: OutgoingContent, file: (mediaPath: string) => string): AnyMessageContent {
  if (content.type === 'text') return { text: content.text }
  if (content.type === 'voice') {
    const { ogg, seconds, waveform } = content
    return {
      audio: Buffer.from(ogg.buffer, ogg.byteOffset, ogg.byteLength),
      mimetype: 'audio/ogg; codecs=opus',
      ptt: true,
      seconds,
      // Not in Baileys' types, yet passed on by it.
      ...(waveform ? { waveform } : {}),
    }
  }
  const from = { url: file(content.mediaPath) }
  const caption = content.caption || undefined
  switch (content.type) {
    case 'image':
      return { image: from, mimetype: content.mimetype, caption }
    case 'video':
      return { video: from, mimetype: content.mimetype, caption }
    case 'audio':
      return { audio: from, mimetype: content.mimetype, ptt: false }
    case 'document':
      return { document: from, mimetype: content.mimetype, fileName: content.fileName, caption }
  }
}

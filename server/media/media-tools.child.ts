/** What is done with the bytes of a recording, a picture or a sound, in a process of its own: see `bounded.ts`. */
import { answer } from '../bounded.child.ts'
import type { MediaOrder, Preview, VoiceAnswer } from './media-tools.ts'
import { listen, voiceNoteOf } from './voice-note.ts'

/** Longer ones are said by a file that was made to say so. */
const MOST_SECONDS = 24 * 3_600
const PREVIEW_WIDTH = 32

await answer<MediaOrder, unknown>(async (order) => {
  switch (order.make) {
    case 'voice note':
      return voiceNote(order.file, order.into)
    case 'preview':
      return preview(order.file)
    case 'length':
      return seconds(order.file)
    case 'speech':
      return listened(order.file)
  }
})

async function voiceNote(file: string, into: string): Promise<VoiceAnswer | null> {
  const note = await voiceNoteOf(await Bun.file(file).bytes())
  if (!note || note.seconds > MOST_SECONDS) return null
  await Bun.write(into, note.ogg)
  return { seconds: note.seconds, waveform: note.waveform ? [...note.waveform] : null }
}

async function listened(file: string): Promise<VoiceAnswer | null> {
  const found = await listen(await Bun.file(file).bytes())
  if (found && found.seconds <= MOST_SECONDS)
    return { seconds: found.seconds, waveform: found.waveform ? [...found.waveform] : null }
  const length = await seconds(file)
  return length === null ? null : { seconds: length, waveform: null }
}

async function preview(file: string): Promise<Preview> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  const picture = sharp(file, { sequentialRead: true, limitInputPixels: 200_000_000 })
  const { width, height } = await picture.metadata()
  const small = await picture.resize(PREVIEW_WIDTH).jpeg({ quality: 50 }).toBuffer()
  return { jpeg: small.toString('base64'), width, height }
}

async function seconds(file: string): Promise<number | null> {
  const { parseFile } = await import('music-metadata')
  const { format } = await parseFile(file, { duration: true, skipCovers: true })
  const length = format.duration
  return length !== undefined && length >= 0 && length <= MOST_SECONDS ? Math.round(length) : null
}

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DomainError } from '../../schema/errors.ts'
import { type Bounds, OutOfBounds, runBounded } from '../bounded.ts'
import type { Logger } from '../log.ts'
import { scratchFolder } from '../scratch.ts'
import { createFairQueue } from '../fair-queue.ts'
import type { MediaPort } from './media.port.ts'
import type { VoiceNote } from './voice-note.ts'

/** What WhatsApp shows of a picture before it is fetched. */
export interface Preview {
  /** Base64 of a very small JPEG. */
  jpeg: string
  /** Of the picture itself, in pixels. */
  width: number
  height: number
}

/** What a process of its own is told; `into` is where a voice note is written. */
export type MediaOrder =
  | { make: 'voice note'; file: string; into: string }
  | { make: 'preview'; file: string }
  | { make: 'length'; file: string }
  | { make: 'speech'; file: string }
export interface VoiceAnswer {
  seconds: number
  waveform: number[] | null
}

/**
 * What is made of the company's own files before they leave. Each is null where nothing can be made of a file, and
 * then the file leaves without.
 * @param path in the store
 * @throws Crowded when too many files wait already
 */
export interface MediaTools {
  voiceNote(companyId: number, path: string): Promise<VoiceNote | null>
  preview(companyId: number, path: string): Promise<Preview | null>
  /** Whole seconds of a sound. */
  length(companyId: number, path: string): Promise<number | null>
  /** A sound's length and, of one that somebody spoke, how loud its parts are. */
  speech(companyId: number, path: string): Promise<VoiceAnswer | null>
}

/** Bytes. What is larger no phone plays as a voice note: WhatsApp takes 16 MB of sound. */
const MOST_RECORDING_BYTES = 16_000_000
const MOST_PICTURE_BYTES = 64_000_000
/** An hour of MP3 is converted in about half a minute. */
const bounds: Record<MediaOrder['make'], Bounds> = {
  'voice note': { ms: 90_000, memory: 256_000_000 },
  preview: { ms: 15_000, memory: 256_000_000 },
  length: { ms: 15_000, memory: 192_000_000 },
  speech: { ms: 60_000, memory: 256_000_000 },
}
/** So many answers are remembered, for messages that are sent again and pictures that go to many. */
const MOST_REMEMBERED = 500

/** Nothing of a file is read here: each is read in a process of its own, with limits, and only a few at once. */
export function createMediaTools({
  log,
  media,
}: {
  log: Logger
  media: Pick<MediaPort, 'find' | 'local'>
}): MediaTools {
  const turns = createFairQueue({ atOnce: 2, waiting: 8, eachAtOnce: 1, eachWaiting: 2 })
  /** By kind and path: a file of the store never changes. */
  const remembered = new Map<string, unknown>()

  async function make<T>(
    companyId: number,
    path: string,
    what: MediaOrder['make'],
    order: (file: string) => MediaOrder,
    most: number,
  ): Promise<T | null> {
    const key = `${what} ${path}`
    if (remembered.has(key)) return remembered.get(key) as T | null
    const found = await media.find(path)
    if (!found) throw new DomainError('ERR_NO_FILE_FOUND')
    const { size } = found
    if (size > most) return null
    const child = join(import.meta.dir, 'media-tools.child.ts')
    const made = await turns.take(companyId, () =>
      media
        .local(path, (file) => runBounded<T | null>(child, order(file), bounds[what]))
        .catch((error: unknown) => {
          if (!(error instanceof OutOfBounds)) throw error
          log.warn({ companyId, file: path, make: what, ended: error.what, size }, 'a file was not read')
          return null
        }),
    )
    // A voice note is as large as its recording; only that there is none is worth remembering.
    if (made === null || what !== 'voice note') {
      remembered.set(key, made)
      if (remembered.size > MOST_REMEMBERED) remembered.delete(remembered.keys().next().value!)
    }
    return made
  }

  return {
    async voiceNote(companyId, path) {
      const folder = scratchFolder('voice')
      try {
        const into = join(folder, 'note.ogg')
        const order = (file: string): MediaOrder => ({ make: 'voice note', file, into })
        const made = await make<VoiceAnswer>(companyId, path, 'voice note', order, MOST_RECORDING_BYTES)
        if (!made) return null
        return {
          ogg: await Bun.file(into).bytes(),
          seconds: made.seconds,
          waveform: made.waveform ? Uint8Array.from(made.waveform) : undefined,
        }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    preview: (companyId, path) =>
      make<Preview>(companyId, path, 'preview', (file) => ({ make: 'preview', file }), MOST_PICTURE_BYTES),
    speech: (companyId, path) =>
      make<VoiceAnswer>(companyId, path, 'speech', (file) => ({ make: 'speech', file }), MOST_RECORDING_BYTES),
    length: (companyId, path) =>
      make<number>(companyId, path, 'length', (file) => ({ make: 'length', file }), Number.POSITIVE_INFINITY),
  }
}

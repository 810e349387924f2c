import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MediaStore } from '../media/media-store.ts'
import voices from './media/voices.json'
import { closings, firstNames, stories } from './texts.ts'

/** A file of the sample, as a message has it. */
export interface SampleFile {
  mediaPath: string
  mediaName: string
  mediaMime: string
  mediaSize: number
  mediaType: 'image' | 'audio' | 'application'
  mediaSeconds: number | null
  waveform: string | null
  isVoice: boolean
}

/** A day such as `2026-03-05`, of UTC. */
export const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The same people on every machine: chance with a fixed beginning. */
export function chance(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return {
    next,
    int: (from: number, to: number) => from + Math.floor(next() * (to - from + 1)),
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
    bytes: (n: number) => Uint8Array.from({ length: n }, () => Math.floor(next() * 256)),
  }
}
export type Chance = ReturnType<typeof chance>

const folder = join(import.meta.dir, 'media')
const MOST_BYTES = 1_000_000
const kinds: Record<string, { mime: string; type: SampleFile['mediaType'] }> = {
  jpg: { mime: 'image/jpeg', type: 'image' },
  ogg: { mime: 'audio/ogg; codecs=opus', type: 'audio' },
  pdf: { mime: 'application/pdf', type: 'application' },
}
const kindOf = (file: string) => kinds[file.slice(-3)]!

/** What the stories send, in the company's store. */
export async function sampleFiles(media: MediaStore, companyId: number): Promise<ReadonlyMap<string, SampleFile>> {
  const said = [...stories.flatMap(({ lines }) => lines), ...closings.flat()]
  const files = [...new Set(said.flatMap(([, , file]) => file ?? []))]
  return new Map(
    await Promise.all(
      files.map(async (name): Promise<[string, SampleFile]> => {
        const { mime, type } = kindOf(name)
        const kept = await keep(media, companyId, name, { mimetype: mime.split(';')[0]!, key: `demo ${name}` })
        const voice = (voices as Record<string, { seconds: number; waveform: string }>)[name.slice(0, -4)]
        return [
          name,
          {
            ...{ mediaPath: kept.path, mediaName: name, mediaMime: mime, mediaSize: kept.size, mediaType: type },
            ...{
              mediaSeconds: voice?.seconds ?? null,
              waveform: voice?.waveform ?? null,
              isVoice: voice !== undefined,
            },
          },
        ]
      }),
    ),
  )
}

const FACES = 20
const OTHER_PICTURES = 4
/** Contacts with a picture: about half, and most of those whom one sees first. */
const isShown = (i: number) => (i < 40 ? i % 4 !== 3 : i % 5 < 2)

/** Pictures of contacts, by their order; each has a file of its own, for it goes with its contact. */
export async function facesFor(
  media: MediaStore,
  companyId: number,
  contacts: number,
): Promise<(string | undefined)[]> {
  const each = Array.from({ length: contacts }, (_, i) => i)
  return Promise.all(
    each.map(async (i) => {
      if (!isShown(i)) return undefined
      // Women and men alternate in the list of names.
      const sex = (i % firstNames.length) % 2 === 0 ? 'f' : 'm'
      const face = i % 11 === 6 ? `o${(i >> 2) % OTHER_PICTURES}` : `${sex}${(i * 7 + (i >> 5)) % FACES}`
      const key = `demo face ${i}`
      return (await keep(media, companyId, `${face}.jpg`, { mimetype: 'image/jpeg', area: 'contacts', key })).path
    }),
  )
}

async function keep(
  media: MediaStore,
  companyId: number,
  name: string,
  options: { mimetype: string; key: string; area?: 'contacts' },
) {
  return media.put(companyId, await readFile(join(folder, name)), { name, maxBytes: MOST_BYTES, ...options })
}

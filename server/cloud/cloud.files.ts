import { DomainError } from '../../schema/errors.ts'
import type { OutgoingMessage } from '../../schema/messages/messages.content.ts'
import type { Outside } from '../outside/outside.ts'
import { type Line, refused } from './cloud.line.ts'
import type { Said } from './cloud.said.ts'
import type { CloudStore } from './cloud.store.ts'
import { type Graph, GraphSilence } from './graph.ts'
import { type FileContent, fileKind, type Uploaded } from './to-cloud.ts'

const MOST_FILE_BYTES = 110_000_000
const DOWNLOAD_MS = 300_000

interface Deps {
  store: CloudStore
  graph: Graph
  outside: Pick<Outside, 'fetch'>
  localMedia<T>(mediaPath: string, work: (file: string) => Promise<T>): Promise<T>
  said: Said
}

/** Files on their way to the service and from it. */
export function createCloudFiles({ store, graph, outside, localMedia, said }: Deps) {
  async function upload({ account }: Line, bytes: Blob, name: string, mimetype: string): Promise<string> {
    const form = new FormData()
    form.set('messaging_product', 'whatsapp')
    form.set('type', mimetype)
    form.set('file', bytes, name)
    const { id } = await graph.call(account, `${account.phoneNumberId}/media`, { method: 'POST', form })
    if (typeof id !== 'string') throw new GraphSilence(true)
    return id
  }

  async function fileUploaded(line: Line, content: FileContent, path: string): Promise<Uploaded> {
    const file = Bun.file(path, { type: content.mimetype })
    const kind = fileKind(content, file.size)
    if (!kind) throw refused('too_large')
    return { kind, id: await upload(line, file, content.fileName || 'file', content.mimetype) }
  }

  return {
    /** The file of a message, brought to the service; undefined where it has none. */
    async uploaded(line: Line, { content }: OutgoingMessage): Promise<Uploaded | undefined> {
      if (content.type === 'voice') {
        const note = new Blob([content.ogg as Uint8Array<ArrayBuffer>], { type: 'audio/ogg' })
        return { kind: 'voice', id: await upload(line, note, 'voice.ogg', 'audio/ogg') }
      }
      if (content.type === 'template') {
        const { file, template } = content
        if (!template.file) return undefined
        if (!file) throw refused('request')
        const { mediaPath, ...more } = file
        const header: FileContent = { type: template.file, mediaPath, ...more, caption: '' }
        const uploaded = await localMedia(mediaPath, (path) => fileUploaded(line, header, path))
        // The service looks at its header as what it is: nothing goes as something else.
        if (uploaded.kind !== template.file) throw refused('too_large')
        return uploaded
      }
      if (!('mediaPath' in content)) return undefined
      return localMedia(content.mediaPath, (path) => fileUploaded(line, content, path))
    },
    /** @throws ERR_WAPP_DOWNLOAD_MEDIA when it is gone */
    async fetch(line: Line, wid: string, sink: (bytes: AsyncIterable<Uint8Array>) => Promise<void>): Promise<void> {
      const gone = new DomainError('ERR_WAPP_DOWNLOAD_MEDIA')
      const mediaId = await store.mediaOf(line.id, wid)
      if (mediaId === undefined) throw gone
      const { account } = line
      let given: Record<string, unknown>
      try {
        given = await graph.call(account, `${mediaId}?phone_number_id=${account.phoneNumberId}`)
      } catch (error) {
        const meant = await said(line, '', error)
        throw meant instanceof DomainError && meant.code === 'ERR_CHANNEL_REFUSED' ? gone : meant
      }
      // Good for five minutes: where it is gone, the next try is given another.
      const response = await outside.fetch(String(given['url']), {
        headers: { authorization: `Bearer ${account.token}` },
        ...{ maxBytes: MOST_FILE_BYTES, timeoutMs: DOWNLOAD_MS },
      })
      if (!response.ok || !response.body) throw gone
      await sink(response.body)
    },
  }
}

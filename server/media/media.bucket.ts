import { randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DomainError } from '../../schema/errors.ts'
import type { Bucket } from '../config.ts'
import { fullDisk } from './media.folder.ts'
import { type MediaPort, parseMediaPath } from './media.port.ts'
import { createS3 } from './media.s3.ts'

const DELETED_AT_ONCE = 8

/**
 * Files in a bucket, under the same names as in a folder.
 * @param drafts folder of this machine for files that programs read by name; exists
 */
export function mediaBucket(bucket: Bucket, drafts: string): MediaPort {
  const s3 = createS3(bucket)

  async function read(path: string, range?: { start: number; end: number }): Promise<ReadableStream<Uint8Array>> {
    const bytes = parseMediaPath(path) ? await s3.get(path, range) : undefined
    if (!bytes) throw new DomainError('ERR_NO_FILE_FOUND')
    return bytes
  }

  async function remove(path: string): Promise<void> {
    if (parseMediaPath(path)) await s3.delete(path)
  }

  /** Paths of files that begin so. */
  async function* below(prefix: string): AsyncGenerator<string> {
    for await (const { name } of s3.list(prefix)) if (parseMediaPath(name)) yield name
  }

  return {
    find: async (path) => (parseMediaPath(path) ? s3.head(path) : undefined),
    read,
    async write(path, file) {
      if (!parseMediaPath(path)) throw new DomainError('ERR_NO_FILE_FOUND')
      return s3.put(path, Bun.file(file), { onlyNew: true })
    },
    delete: remove,
    async deleteCompany(companyId) {
      let batch: Promise<void>[] = []
      for await (const path of below(`company${companyId}/`)) {
        batch.push(remove(path))
        if (batch.length < DELETED_AT_ONCE) continue
        await Promise.all(batch)
        batch = []
      }
      await Promise.all(batch)
    },
    list: () => below('company'),
    async local(path, work) {
      const draft = join(drafts, randomBytes(16).toString('hex'))
      try {
        const file = await open(draft, 'wx', 0o600)
        try {
          for await (const part of await read(path)) await file.writeFile(part)
        } catch (error) {
          if (error instanceof DomainError) throw error
          // The line broke off.
          throw fullDisk(error) ?? Object.assign(new DomainError('ERR_UNAVAILABLE'), { cause: error })
        } finally {
          await file.close()
        }
        return await work(draft)
      } finally {
        await rm(draft, { force: true })
      }
    },
  }
}

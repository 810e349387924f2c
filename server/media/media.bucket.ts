import { randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DomainError } from '../../schema/errors.ts'
import type { Bucket } from '../config.ts'
import { fullDisk } from './media.folder.ts'
import { type FoundFile, type MediaPort, parseMediaPath } from './media.port.ts'

/** So long a call may take that carries no file. */
const CALL_MS = 20_000
/** And one that does: 2 GB, the largest that MAX_UPLOAD_MB allows, at 2 MB a second. */
const FILE_MS = 1_000_000
/** Seconds for which an address is good; each is used at once. */
const SIGNED_SECONDS = 3_600
const DELETED_AT_ONCE = 8
const LISTED_AT_ONCE = 1_000

/**
 * Files in a bucket, under the same names as in a folder. Every call is an address signed for it: so a write can ask that
 * nothing be there yet (`If-None-Match`), which Bun's client has no word for.
 * @param drafts folder of this machine for files that programs read by name; exists
 */
export function mediaBucket(bucket: Bucket, drafts: string): MediaPort {
  const client = new Bun.S3Client({
    bucket: bucket.name,
    region: bucket.region,
    accessKeyId: bucket.accessKeyId,
    secretAccessKey: bucket.secretAccessKey,
    ...(bucket.endpoint && { endpoint: bucket.endpoint }),
  })

  async function find(path: string): Promise<FoundFile | undefined> {
    if (!parseMediaPath(path)) return undefined
    const response = await call(client, 'HEAD', path, {
      expected: [404],
      signal: AbortSignal.timeout(CALL_MS),
    })
    if (response.status === 404) return undefined
    const changed = response.headers.get('last-modified')
    return {
      size: Number(response.headers.get('content-length')),
      modifiedAt: new Date(changed ?? 0),
    }
  }

  async function read(path: string, range?: { start: number; end: number }): Promise<ReadableStream<Uint8Array>> {
    if (!parseMediaPath(path)) throw new DomainError('ERR_NO_FILE_FOUND')
    // Only the beginning has a limit: whoever reads may have a slow line.
    const beginning = new AbortController()
    const limit = setTimeout(() => beginning.abort(new Error(`no answer in ${CALL_MS} ms`)), CALL_MS)
    try {
      const response = await call(client, 'GET', path, {
        expected: [404],
        signal: beginning.signal,
        headers: range ? { range: `bytes=${range.start}-${range.end}` } : {},
      })
      if (response.status === 404) throw new DomainError('ERR_NO_FILE_FOUND')
      return response.body ?? new Blob([]).stream()
    } finally {
      clearTimeout(limit)
    }
  }

  async function remove(path: string): Promise<void> {
    if (!parseMediaPath(path)) return
    const response = await call(client, 'DELETE', path, {
      expected: [404],
      signal: AbortSignal.timeout(CALL_MS),
    })
    await response.body?.cancel()
  }

  return {
    find,
    read,
    async write(path, file) {
      if (!parseMediaPath(path)) throw new DomainError('ERR_NO_FILE_FOUND')
      const response = await call(client, 'PUT', path, {
        // 409 is somebody else's write of the same file, going on at this moment.
        expected: [409, 412],
        signal: AbortSignal.timeout(FILE_MS),
        headers: { 'if-none-match': '*' },
        body: Bun.file(file),
      })
      await response.body?.cancel()
      if (response.status === 409) throw unreachable('PUT', path, 'written by somebody else at this moment')
      return response.status !== 412
    },
    delete: remove,
    async deleteCompany(companyId) {
      let batch: Promise<void>[] = []
      for await (const path of pathsBelow(client, `company${companyId}/`)) {
        batch.push(remove(path))
        if (batch.length < DELETED_AT_ONCE) continue
        await Promise.all(batch)
        batch = []
      }
      await Promise.all(batch)
    },
    list: () => pathsBelow(client, 'company'),
    async local(path, work) {
      const draft = join(drafts, randomBytes(16).toString('hex'))
      try {
        const file = await open(draft, 'wx', 0o600)
        try {
          for await (const part of await read(path)) await file.writeFile(part)
        } catch (error) {
          throw fullDisk(error) ?? error
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

/** @throws DomainError `ERR_UNAVAILABLE` for what is neither well nor one of `expected` */
async function call(
  client: Bun.S3Client,
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE',
  path: string,
  { expected = [], signal, ...init }: RequestInit & { expected?: readonly number[]; signal: AbortSignal },
): Promise<Response> {
  const url = client.presign(path, { method, expiresIn: SIGNED_SECONDS })
  let response: Response
  try {
    response = await fetch(url, { method, redirect: 'error', signal, ...init })
  } catch (error) {
    throw fullDisk(error) ?? unreachable(method, path, error)
  }
  if (response.ok || expected.includes(response.status)) return response
  // It says what is wrong with our key or bucket, in XML: for the log.
  const text = await response.text().catch(() => '')
  throw unreachable(method, path, `${response.status} ${text.slice(0, 300)}`)
}

/** Names of files that begin so. */
async function* pathsBelow(client: Bun.S3Client, prefix: string): AsyncGenerator<string> {
  for (let continuationToken: string | undefined, more = true; more; ) {
    const page = await client
      .list({ prefix, maxKeys: LISTED_AT_ONCE, ...(continuationToken && { continuationToken }) })
      .catch((error: unknown) => {
        throw unreachable('LIST', prefix, error)
      })
    for (const { key } of page.contents ?? []) if (parseMediaPath(key)) yield key
    continuationToken = page.nextContinuationToken
    more = page.isTruncated === true && continuationToken !== undefined
  }
}

/** What a person is told, and for the log what happened. */
const unreachable = (method: string, path: string, cause: unknown): DomainError =>
  Object.assign(new DomainError('ERR_UNAVAILABLE'), {
    cause: new Error(`${method} ${path} in the bucket: ${String(cause)}`),
  })

import { DomainError } from '../../schema/errors.ts'
import type { Bucket } from '../config.ts'
import type { FoundFile } from './media.port.ts'
import { fullDisk } from './media.folder.ts'

/** So long a call may take that carries no file. */
const CALL_MS = 20_000
/** And one that does: 2 GB, the largest that MAX_UPLOAD_MB allows, at 2 MB a second. */
const FILE_MS = 1_000_000
/** Seconds for which an address is good; each is used at once. */
const SIGNED_SECONDS = 3_600
const LISTED_AT_ONCE = 1_000

/**
 * Objects of a bucket by their names. Every call is an address signed for it: so a write can ask that nothing be there yet
 * (`If-None-Match`), which Bun's client has no word for.
 *
 * Every call throws `DomainError` `ERR_UNAVAILABLE` where the bucket does not do what it is asked, `ERR_STORAGE_FULL` where
 * it has no room; what happened stands in the `cause`, for the log.
 */
export interface S3 {
  head(name: string): Promise<FoundFile | undefined>
  /** Undefined where there is no such object. */
  get(name: string, range?: { start: number; end: number }): Promise<ReadableStream<Uint8Array> | undefined>
  /**
   * @param onlyNew leaves what is there already
   * @returns whether it was written
   */
  put(name: string, body: Blob | Uint8Array, options?: { onlyNew?: boolean }): Promise<boolean>
  /** No error where there is no such object. */
  delete(name: string): Promise<void>
  /** Names and sizes of all that begin so, in their order. */
  list(prefix: string): AsyncIterable<{ name: string; size: number }>
}

export function createS3(bucket: Bucket): S3 {
  const client = new Bun.S3Client({
    bucket: bucket.name,
    region: bucket.region,
    accessKeyId: bucket.accessKeyId,
    secretAccessKey: bucket.secretAccessKey,
    ...(bucket.endpoint && { endpoint: bucket.endpoint }),
  })
  return {
    async head(name) {
      const response = await call(client, 'HEAD', name, { expected: [404], signal: AbortSignal.timeout(CALL_MS) })
      if (response.status === 404) return undefined
      const changed = response.headers.get('last-modified')
      return { size: Number(response.headers.get('content-length')), modifiedAt: new Date(changed ?? 0) }
    },
    async get(name, range) {
      // Only the beginning has a limit: whoever reads may have a slow line.
      const beginning = new AbortController()
      const limit = setTimeout(() => beginning.abort(new Error(`no answer in ${CALL_MS} ms`)), CALL_MS)
      try {
        const response = await call(client, 'GET', name, {
          expected: [404],
          signal: beginning.signal,
          headers: range ? { range: `bytes=${range.start}-${range.end}` } : {},
        })
        if (response.status !== 404) return response.body ?? new Blob([]).stream()
        await response.body?.cancel()
        return undefined
      } finally {
        clearTimeout(limit)
      }
    },
    async put(name, body, { onlyNew = false } = {}) {
      const response = await call(client, 'PUT', name, {
        // 409 is somebody else's write of the same file, going on at this moment.
        expected: onlyNew ? [409, 412] : [],
        signal: AbortSignal.timeout(FILE_MS),
        headers: onlyNew ? { 'if-none-match': '*' } : {},
        body: body as BodyInit,
      })
      await response.body?.cancel()
      if (response.status === 409) throw unreachable('PUT', name, 'written by somebody else at this moment')
      return response.status !== 412
    },
    async delete(name) {
      const response = await call(client, 'DELETE', name, { expected: [404], signal: AbortSignal.timeout(CALL_MS) })
      await response.body?.cancel()
    },
    async *list(prefix) {
      for (let continuationToken: string | undefined, more = true; more; ) {
        const page = await client
          .list({ prefix, maxKeys: LISTED_AT_ONCE, ...(continuationToken && { continuationToken }) })
          .catch((error: unknown) => {
            throw unreachable('LIST', prefix, error)
          })
        for (const { key, size } of page.contents ?? []) yield { name: key, size: size ?? 0 }
        continuationToken = page.nextContinuationToken
        more = page.isTruncated === true && continuationToken !== undefined
      }
    },
  }
}

/** @throws DomainError `ERR_UNAVAILABLE` for what is neither well nor one of `expected`; `ERR_STORAGE_FULL` */
async function call(
  client: Bun.S3Client,
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE',
  name: string,
  { expected = [], signal, ...init }: RequestInit & { expected?: readonly number[]; signal: AbortSignal },
): Promise<Response> {
  const url = client.presign(name, { method, expiresIn: SIGNED_SECONDS })
  let response: Response
  try {
    response = await fetch(url, { method, redirect: 'error', signal, ...init })
  } catch (error) {
    throw fullDisk(error) ?? unreachable(method, name, error)
  }
  if (response.ok || expected.includes(response.status)) return response
  // It says what is wrong with our key or bucket, in XML: for the log.
  const text = (await response.text().catch(() => '')).slice(0, 1_000)
  if (response.status === 507 || /<Code>(?:QuotaExceeded|XMinioStorageFull|StorageFull|OverQuota)/.test(text))
    throw withCause('ERR_STORAGE_FULL', method, name, `${response.status} ${text.slice(0, 300)}`)
  throw unreachable(method, name, `${response.status} ${text.slice(0, 300)}`)
}

const unreachable = (method: string, name: string, cause: unknown) => withCause('ERR_UNAVAILABLE', method, name, cause)

/** What a person is told, and for the log what happened. */
const withCause = (code: 'ERR_UNAVAILABLE' | 'ERR_STORAGE_FULL', method: string, name: string, cause: unknown) =>
  Object.assign(new DomainError(code), { cause: new Error(`${method} ${name} in the bucket: ${String(cause)}`) })

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Bucket } from '../../../server/config.ts'

/**
 * S3's wire, as far as a store of files speaks it, on this machine: objects addressed by path, signatures of version 4 in
 * the address or the header, ranges, conditional writes and lists in pages. An unsigned or wrongly signed call is refused.
 */
export class FakeS3 {
  readonly accessKeyId = 'AKIDBALCAO'
  readonly secretAccessKey = 'a-secret-of-the-bucket-with+and/'
  readonly region = 'sa-east-1'
  readonly objects = new Map<string, { bytes: Uint8Array<ArrayBuffer>; modifiedAt: Date }>()
  /** Method and path of every call that was let in. */
  readonly calls: string[] = []
  /** Answers every call with this status. */
  failing: number | undefined
  /** Takes nothing more, and gives what it has. */
  isFull = false
  /** So long it waits before each answer, ms. */
  slowMs = 0
  /** So many keys stand in a page of a list, however many are asked for. */
  pageSize = 3
  private readonly server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    maxRequestBodySize: 2_000_000_000,
    fetch: (request) => this.answer(request),
  })

  /** How the product reaches it. */
  get bucket(): Bucket {
    const { accessKeyId, secretAccessKey, region } = this
    return {
      name: 'midia',
      endpoint: `http://127.0.0.1:${this.server.port}`,
      region,
      accessKeyId,
      secretAccessKey,
    }
  }

  async stop(): Promise<void> {
    await this.server.stop(true)
  }

  private async answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const [, bucket, ...rest] = url.pathname.split('/').map(decodeURIComponent)
    const key = rest.join('/')
    if (this.slowMs > 0) await Bun.sleep(this.slowMs)
    if (this.failing !== undefined) return refusal(this.failing, 'InternalError')
    if (!this.isSigned(request, url)) return refusal(403, 'SignatureDoesNotMatch')
    if (bucket !== this.bucket.name) return refusal(404, 'NoSuchBucket')
    this.calls.push(`${request.method} ${key}`)
    if (request.method === 'GET' && key === '') return this.list(url.searchParams)
    const object = this.objects.get(key)
    switch (request.method) {
      case 'PUT': {
        if (this.isFull) return refusal(507, 'XMinioStorageFull')
        const bytes = await request.bytes()
        if (bytes.length !== Number(request.headers.get('content-length'))) return refusal(411, 'MissingContentLength')
        // Looked at after the bytes have come, as S3 does.
        if (request.headers.get('if-none-match') === '*' && this.objects.has(key))
          return refusal(412, 'PreconditionFailed')
        this.objects.set(key, { bytes, modifiedAt: new Date() })
        return new Response(null, { headers: { etag: etagOf(bytes) } })
      }
      case 'HEAD':
      case 'GET': {
        if (!object) return refusal(404, 'NoSuchKey')
        const headers = {
          'last-modified': object.modifiedAt.toUTCString(),
          etag: etagOf(object.bytes),
        }
        if (request.method === 'HEAD')
          return new Response(object.bytes, {
            headers: { ...headers, 'content-length': String(object.bytes.length) },
          })
        const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '')
        if (!range) return new Response(object.bytes, { headers })
        const [start, end] = [Number(range[1]), Number(range[2])]
        if (start >= object.bytes.length) return refusal(416, 'InvalidRange')
        return new Response(object.bytes.slice(start, end + 1), { status: 206, headers })
      }
      case 'DELETE':
        this.objects.delete(key)
        return new Response(null, { status: 204 })
      default:
        return refusal(405, 'MethodNotAllowed')
    }
  }

  private list(query: URLSearchParams): Response {
    const prefix = query.get('prefix') ?? ''
    const after = query.get('continuation-token') ?? ''
    const most = Math.min(Number(query.get('max-keys') ?? 1_000), this.pageSize)
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted()
    const page = keys.slice(0, most)
    const isTruncated = keys.length > most
    const contents = page.map((key) => {
      const { bytes, modifiedAt } = this.objects.get(key)!
      return `<Contents><Key>${key}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><ETag>${etagOf(bytes)}</ETag><Size>${bytes.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`
    })
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return new Response(
      `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${this.bucket.name}</Name><Prefix>${prefix}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${most}</MaxKeys><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
      { headers: { 'content-type': 'application/xml' } },
    )
  }

  /** AWS Signature Version 4, of an address or of a header; the body is not signed (or by its hash, in the header). */
  private isSigned(request: Request, url: URL): boolean {
    const query = url.searchParams
    const inAddress = query.get('X-Amz-Signature')
    const header = /Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)/.exec(
      request.headers.get('authorization') ?? '',
    )
    const given = inAddress ?? header?.[3]
    const scope = inAddress ? query.get('X-Amz-Credential') : header?.[1]
    const signed = (inAddress ? query.get('X-Amz-SignedHeaders') : header?.[2])?.split(';') ?? []
    const date = (inAddress ? query.get('X-Amz-Date') : request.headers.get('x-amz-date')) ?? ''
    const [id, day, region, service, end] = scope?.split('/') ?? []
    if (!given || id !== this.accessKeyId || region !== this.region || !date.startsWith(day ?? '-')) return false
    const made = Date.parse(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
    const goodFor = inAddress ? Number(query.get('X-Amz-Expires')) * 1_000 : 900_000
    if (!(Math.abs(Date.now() - made) <= goodFor)) return false
    const canonicalQuery = [...query]
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
      .toSorted()
      .join('&')
    const canonical = [
      request.method,
      url.pathname.split('/').map(decodeURIComponent).map(escaped).join('/'),
      canonicalQuery,
      ...signed.map((name) => `${name}:${request.headers.get(name)?.trim() ?? ''}`),
      '',
      signed.join(';'),
      inAddress ? 'UNSIGNED-PAYLOAD' : (request.headers.get('x-amz-content-sha256') ?? ''),
    ].join('\n')
    const toSign = ['AWS4-HMAC-SHA256', date, [day, region, service, end].join('/'), sha256(canonical)].join('\n')
    const key = [day, region, service, end].reduce<Buffer | string>(
      (secret, part) => hmac(secret, part ?? ''),
      `AWS4${this.secretAccessKey}`,
    )
    const expected = hmac(key, toSign)
    const claimed = Buffer.from(given, 'hex')
    return claimed.length === expected.length && timingSafeEqual(claimed, expected)
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()
const etagOf = (bytes: Uint8Array) => `"${createHash('md5').update(bytes).digest('hex')}"`
const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

const refusal = (status: number, code: string) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`, {
    status,
    headers: { 'content-type': 'application/xml' },
  })

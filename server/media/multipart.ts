import { DomainError } from '../../schema/errors.ts'
import { parameter } from '../../schema/disposition.ts'

export interface Part {
  name: string
  /** Undefined for a plain field. */
  filename: string | undefined
  mimetype: string
  /** Must be read to its end (or left) before the next part is asked for. */
  body: AsyncIterable<Uint8Array>
}

const MAX_HEAD_BYTES = 16_384
/** More than a form of ours has; each costs a moment, however short it is. */
const MAX_PARTS = 200

/**
 * Reads a `multipart/form-data` body part by part, never holding more than a piece of it: `Request.formData()` would
 * keep whole files in memory.
 * @throws DomainError `ERR_VALIDATION` for a body that is not what its header says, or that ends too early
 */
export async function* readMultipart(request: Request): AsyncGenerator<Part> {
  const bad = (message: string) => new DomainError('ERR_VALIDATION', { fields: [{ path: 'body', message }] })
  const boundary = /;\s*boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(request.headers.get('content-type') ?? '')
  const mark = boundary?.[1] ?? boundary?.[2]
  if (!mark || !request.body) throw bad('a form without a boundary or a body')

  const delimiter = Buffer.from(`\r\n--${mark}`)
  const reader = request.body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  // The first delimiter has no line break before it; giving it one makes all of them alike.
  let buffer: Buffer = Buffer.from('\r\n')
  let ended = false
  const more = async () => {
    const { done, value } = await reader.read()
    if (done) ended = true
    else
      buffer =
        buffer.length === 0
          ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
          : Buffer.concat([buffer, value])
  }
  /** Makes sure of `count` bytes in the buffer. */
  const atLeast = async (count: number) => {
    while (buffer.length < count) {
      if (ended) throw bad('the form ends too early')
      await more()
    }
  }

  /** Everything up to the next delimiter, which is consumed. */
  async function* untilDelimiter(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = buffer.indexOf(delimiter)
      if (at >= 0) {
        const piece = buffer.subarray(0, at)
        buffer = buffer.subarray(at + delimiter.length)
        if (piece.length > 0) yield piece
        return
      }
      // The tail may be the beginning of a delimiter.
      const sure = buffer.length - delimiter.length + 1
      if (sure > 0) {
        const piece = buffer.subarray(0, sure)
        buffer = buffer.subarray(sure)
        yield piece
      }
      if (ended) throw bad('the form ends too early')
      await more()
    }
  }

  try {
    for await (const _preamble of untilDelimiter());
    for (let count = 0; ; count++) {
      await atLeast(2)
      const next = buffer.subarray(0, 2).toString('latin1')
      if (next === '--') return
      if (next !== '\r\n') throw bad('a broken delimiter')
      if (count === MAX_PARTS) throw bad('too many parts')
      let headEnd = buffer.indexOf('\r\n\r\n')
      while (headEnd < 0) {
        if (buffer.length > MAX_HEAD_BYTES) throw bad('a part with too long a head')
        if (ended) throw bad('the form ends too early')
        await more()
        headEnd = buffer.indexOf('\r\n\r\n')
      }
      const head = buffer.subarray(2, Math.max(2, headEnd)).toString('utf8')
      buffer = buffer.subarray(headEnd + 4)
      const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? ''
      const name = parameter(disposition, 'name')
      if (name === undefined) throw bad('a part without a name')
      let read = false
      const body = (async function* () {
        yield* untilDelimiter()
        read = true
      })()
      yield {
        name,
        filename: parameter(disposition, 'filename'),
        mimetype:
          (/^content-type:\s*([^;\r\n]*)/im.exec(head)?.[1] ?? '').trim().toLowerCase() || 'application/octet-stream',
        body,
      }
      if (!read) for await (const _rest of body);
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

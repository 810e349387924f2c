import { DomainError } from '../../schema/errors.ts'
import { mayShowInline } from './media-types.ts'
import type { MediaPort } from './media.port.ts'

/**
 * The answer with a file of the store, or the part of it that is asked for.
 * @param owner what the file is called, and what it is served as
 * @throws DomainError `ERR_NO_FILE_FOUND`
 */
export async function answerFile(
  request: Request,
  media: Pick<MediaPort, 'find' | 'read'>,
  owner: { name: string; mimetype: string; path: string },
  asDownload: boolean,
): Promise<Response> {
  const file = await media.find(owner.path)
  if (!file) throw new DomainError('ERR_NO_FILE_FOUND')
  const etag = `"${owner.path.slice(owner.path.lastIndexOf('/') + 1)}"`
  const inline = mayShowInline(owner.mimetype)
  const headers = {
    'content-type': owner.mimetype.startsWith('text/') ? `${owner.mimetype}; charset=utf-8` : owner.mimetype,
    'content-disposition': disposition(inline && !asDownload, owner.name),
    'content-security-policy':
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    // Nothing of a conversation stays on a shared computer after logging out.
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    etag,
  }
  if (request.headers.get('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers })
  const range = rangeOf(request.headers.get('range'), request.headers.get('if-range'), etag, file.size)
  if (range === 'unsatisfiable')
    return new Response(null, {
      status: 416,
      headers: { ...headers, 'content-range': `bytes */${file.size}` },
    })
  if (!range)
    return new Response(await media.read(owner.path), {
      headers: { ...headers, 'content-length': String(file.size) },
    })
  const { start, end } = range
  return new Response(await media.read(owner.path, range), {
    status: 206,
    headers: {
      ...headers,
      'content-length': String(end + 1 - start),
      'content-range': `bytes ${start}-${end}/${file.size}`,
    },
  })
}

function disposition(inline: boolean, name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** One range of bytes, both ends included; several at once are answered with the whole file, as is allowed. */
function rangeOf(
  header: string | null,
  ifRange: string | null,
  etag: string,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '') || (ifRange && ifRange !== etag)) return undefined
  if (match[1] === '') {
    const last = Math.min(Number(match[2]), size)
    return last === 0 ? 'unsatisfiable' : { start: size - last, end: size - 1 }
  }
  const start = Number(match[1])
  const end = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  return start >= size || start > end ? 'unsatisfiable' : { start, end }
}

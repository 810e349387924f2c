import { DomainError } from '../../schema/errors.ts'
import { endingAs, nameOfAnswer } from '../../schema/fetched-name.ts'
import { type Outside, OutsideError } from '../outside/outside.ts'
import type { MediaStore, StoredFile } from './media-store.ts'

/** What lies at an address that somebody else named, fetched into the media store: for programs, flows and bots. */

const FETCH_MS = 15_000
/** So much of a page tells that it is one. */
const PAGE_BYTES = 1_024

/** A stored file with what it is called. */
export type FetchedFile = StoredFile & { name: string }

export interface FetchOptions {
  maxBytes: number
  /** Of the media store: the same fetch, made again, lands in the same place. */
  key: string | undefined
  /** What it is called where neither its server nor its address says. */
  otherwise: string
  timeoutMs?: number
  /** The address is called under encryption only. */
  httpsOnly?: boolean
  /** Content that contradicts what the server says of it is believed, not refused. */
  believesContent?: boolean
  /** Under its key it may come with other bytes: the first stay. */
  keepsFirst?: boolean
  /** Pages to read in a browser are no files. */
  noPages?: boolean
  /** The field of the call that named the address: who called is not told what is inside. */
  field?: string
}

/**
 * Fetches what lies at an address and keeps it.
 * @throws DomainError `ERR_URL_FORBIDDEN` (`field`, or, where no call named it, `reason`: `address` or `inside`),
 * `ERR_NO_FILE_FOUND` (`status` or `reason`), `ERR_FILE_TOO_LARGE`, and what `put` of the media store throws
 */
export type FetchFile = (companyId: number, url: string, options: FetchOptions) => Promise<FetchedFile>

/** The one way by which files come from addresses that somebody names, into this media store. */
export const createFileFetcher =
  (deps: Deps): FetchFile =>
  (companyId, url, options) =>
    fetchFile(deps, companyId, url, options)

interface Deps {
  media: Pick<MediaStore, 'put'>
  outside: Pick<Outside, 'fetch'>
}

async function fetchFile(
  { media, outside }: Deps,
  companyId: number,
  url: string,
  { maxBytes, key, otherwise, timeoutMs = FETCH_MS, httpsOnly = false, ...how }: FetchOptions,
): Promise<FetchedFile> {
  const { believesContent = false, keepsFirst, noPages = false, field } = how
  try {
    const answer = await outside.fetch(url, { timeoutMs, maxBytes: maxBytes + 1, redirects: 3, httpsOnly })
    if (!answer.ok || !answer.body) {
      await answer.body?.cancel()
      throw new DomainError('ERR_NO_FILE_FOUND', { status: answer.status })
    }
    const name = nameOfAnswer(answer, url)
    const mimetype = (answer.headers.get('content-type') ?? '').split(';')[0]!.trim() || 'application/octet-stream'
    const bytes = answer.body as AsyncIterable<Uint8Array>
    const stored = await media.put(companyId, noPages ? noPage(bytes, mimetype) : bytes, {
      ...{ name, mimetype, maxBytes, strict: !believesContent, key },
      ...(keepsFirst !== undefined && { keepsFirst }),
    })
    return { ...stored, name: endingAs(name, stored, otherwise) }
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    const { failure } = error
    if (failure === 'too_large') throw new DomainError('ERR_FILE_TOO_LARGE', { limit: maxBytes })
    if (failure === 'address' || failure === 'inside')
      throw new DomainError('ERR_URL_FORBIDDEN', field ? { field } : { reason: failure })
    throw new DomainError('ERR_NO_FILE_FOUND', { reason: failure })
  }
}

/** The bytes, unless they are a page: whoever is not signed in, or whose link is over, is shown one with status 200. */
async function* noPage(bytes: AsyncIterable<Uint8Array>, mimetype: string): AsyncGenerator<Uint8Array> {
  const refuse = () => new DomainError('ERR_NO_FILE_FOUND', { reason: 'page' })
  if (/^(text\/html|application\/xhtml\+xml)$/i.test(mimetype)) throw refuse()
  let head = ''
  for await (const piece of bytes) {
    if (head.length < PAGE_BYTES) {
      head += Buffer.from(piece.subarray(0, PAGE_BYTES)).toString('latin1')
      if (/^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|head|body)[\s>]/i.test(head)) throw refuse()
    }
    yield piece
  }
}

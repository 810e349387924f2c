import { DomainError } from '../../schema/errors.ts'

export interface Recognised {
  mimetype: string
  /** Without a dot. */
  extension: string
}

const kindOf = (mimetype: string) => mimetype.split('/')[0] ?? ''
const isAv = (mimetype: string) => ['audio', 'video'].includes(kindOf(mimetype)) || mimetype === 'application/ogg'
/** Containers of office documents; what is in them is said by the sender. */
const containers = new Set(['application/zip', 'application/x-cfb', 'application/xml'])
const unspecific = new Set(['', 'application/octet-stream', 'binary/octet-stream'])
/** What a browser would run or read as a page. It is kept as plain bytes. */
const active =
  /^(text\/(html|xml|javascript|ecmascript|x-server-parsed-html)|application\/(xhtml\+xml|xml|javascript|ecmascript|x-javascript)|image\/svg(\+xml)?|multipart\/.*|message\/.*)$/

/**
 * What a file is, by its content first and by what is claimed second.
 * @param strict refuse a file whose content contradicts the claim; otherwise the content is believed
 * @throws DomainError `ERR_FILE_TYPE`, only when `strict`
 */
export function recognise(
  claimed: string,
  sniffed: { mime: string; ext: string } | undefined,
  name: string,
  strict: boolean,
): Recognised {
  const claim = /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/.test(claimed) ? claimed : 'application/octet-stream'
  const fromName = /\.([a-z0-9]{1,8})$/.exec(name.toLowerCase())?.[1] ?? 'bin'
  const refuse = () => new DomainError('ERR_FILE_TYPE', { claimed: claim, found: sniffed?.mime ?? null })
  if (active.test(claim)) return { mimetype: 'application/octet-stream', extension: fromName }
  if (!sniffed) {
    // Every image, sound and film that we can show is recognised by its first bytes.
    if (['image', 'audio', 'video'].includes(kindOf(claim))) {
      if (strict) throw refuse()
      return { mimetype: 'application/octet-stream', extension: fromName }
    }
    return { mimetype: claim, extension: fromName }
  }
  const found = sniffed.mime.split(';')[0]!.trim()
  const believed = { mimetype: found, extension: sniffed.ext }
  if (found === claim || unspecific.has(claim))
    return active.test(found) ? { mimetype: 'application/octet-stream', extension: fromName } : believed
  // A recording in an ogg, webm or mp4 container: the bytes do not say whether there is a picture.
  if (isAv(found) && isAv(claim)) return { mimetype: claim, extension: sniffed.ext }
  if (kindOf(found) === 'image' && kindOf(claim) === 'image') return believed
  if (containers.has(found) && kindOf(claim) === 'application') return { mimetype: claim, extension: fromName }
  if (kindOf(found) === 'application' && kindOf(claim) === 'application') return believed
  if (strict) throw refuse()
  return believed
}

/** Shown inside a page; everything else is offered for saving. */
export function mayShowInline(mimetype: string): boolean {
  return /^(image\/(jpeg|png|gif|webp|avif|bmp)|audio\/[a-z0-9.+-]+|video\/[a-z0-9.+-]+|application\/ogg|application\/pdf|text\/plain)$/.test(
    mimetype,
  )
}

/** The type to serve a stored file under; what a browser would run is served as bytes. */
export function servedType(stored: string | null): string {
  const type = stored?.toLowerCase() ?? ''
  const bare = type.split(';')[0]!.trim()
  const wellFormed = /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/.test(bare)
  return wellFormed && !active.test(bare) ? bare : 'application/octet-stream'
}

/** What a file is called that was fetched from an address: as its server says, else as the address does. Pure. */
import { clip, fileNameOf } from './texts.ts'
import { parameter } from './disposition.ts'

/** Servers write names, not books. */
const DISPOSITION_LENGTH = 4_096

/**
 * @param asked the address that was called; the answer knows where that led to
 * @returns one line without a path; empty where nobody says anything
 */
export function nameOfAnswer(answer: Pick<Response, 'headers' | 'url'>, asked: string): string {
  const disposition = clip(answer.headers.get('content-disposition') ?? '', DISPOSITION_LENGTH)
  // By RFC 6266 the one with a star is meant for whoever can read it.
  return (
    fileNameOf(extended(parameter(disposition, 'filename*'))) ||
    fileNameOf(asUtf8(parameter(disposition, 'filename') ?? '')) ||
    [answer.url, asked].map(nameInAddress).find(Boolean) ||
    ''
  )
}

/** `UTF-8''Fatura%20mar%C3%A7o.pdf` */
function extended(value: string | undefined): string {
  const [charset = '', , ...encoded] = (value ?? '').split("'")
  if (encoded.length === 0) return ''
  const bytes = bytesOf(encoded.join("'"))
  return /^utf-?8$/i.test(charset) ? utf8(bytes) || '' : String.fromCharCode(...bytes)
}

function bytesOf(encoded: string): Uint8Array {
  const bytes: number[] = []
  for (let at = 0; at < encoded.length; at++) {
    const byte = encoded[at] === '%' ? /^[\da-f]{2}/i.exec(encoded.slice(at + 1, at + 3))?.[0] : undefined
    bytes.push(byte ? Number.parseInt(byte, 16) : encoded.charCodeAt(at) & 0xff)
    if (byte) at += 2
  }
  return Uint8Array.from(bytes)
}

function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Headers are read as Latin-1, and most servers write UTF-8; some encode it as addresses do. */
function asUtf8(value: string): string {
  const isLatin = /[\x80-\xff]/.test(value) && !/[^\0-\xff]/.test(value)
  const text = (isLatin && utf8(Uint8Array.from(value, (letter) => letter.charCodeAt(0)))) || value
  return /%[\da-f]{2}/i.test(text) ? utf8(bytesOf(text)) || text : text
}

function nameInAddress(address: string): string {
  if (!URL.canParse(address)) return ''
  const last = new URL(address).pathname.split('/').at(-1) ?? ''
  return fileNameOf(utf8(bytesOf(last)) ?? last)
}

/** Endings of pages that make files, and say nothing of what they made. */
const pages = /\.(?:php\d?|aspx?|ashx|jspx?|jsf|cgi|pl|py|do|action|x?html?)$/i
/** Endings of files that people know: where the content is another, they would open nothing. */
const usual =
  /\.(?:pdf|png|jpe?g|gif|webp|bmp|heic|tiff?|svg|mp3|mp4|m4a|m4v|ogg|oga|opus|wav|webm|mov|avi|3gp|mpe?g|zip|rar|7z|gz|xml|json|csv|txt|rtf|docx?|xlsx?|pptx?|odt|ods|odp|bin)$/i
const same = [
  ['jpg', 'jpeg'],
  ['tif', 'tiff'],
  ['mpg', 'mpeg'],
  ['ogg', 'oga', 'opus', 'ogv'],
  ['mp4', 'm4a', 'm4v', 'mov', '3gp'],
]
const kinds = [
  ['image', /\.(jpe?g|png|gif|webp|avif|heic)$/i],
  ['video', /\.(mp4|mov|webm|m4v|3gp)$/i],
  ['audio', /\.(mp3|ogg|oga|opus|wav|m4a|aac|flac)$/i],
] as const

/** What kind of file it is, as far as its name or its place tells. */
export const kindOfName = (name: string): 'image' | 'video' | 'audio' | 'document' =>
  kinds.find(([, ending]) => ending.test(name))?.[0] ?? 'document'

/** Of what has no first bytes to be recognised by. */
const ofText: Record<string, string> = { 'text/plain': 'txt', 'text/csv': 'csv', 'application/json': 'json' }

/**
 * A file's name with the ending of what it turned out to be, by which the phone opens it.
 * @param stored where and as what it was kept
 * @param otherwise what it is called where nobody said
 */
export function endingAs(name: string, stored: { path: string; mimetype: string }, otherwise: string): string {
  const kept = stored.path.split('.').at(-1) ?? 'bin'
  const has = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase()
  const isKnown = has !== undefined && (usual.test(name) || has === kept)
  const ending = kept === 'bin' || kept === has ? (isKnown && !pages.test(name) ? null : ofText[stored.mimetype]) : kept
  const called = name || otherwise
  if (!ending || has === ending || same.some((group) => has && group.includes(has) && group.includes(ending)))
    return called
  const stem = pages.test(called) || usual.test(called) ? called.slice(0, called.lastIndexOf('.')) : called
  return fileNameOf(`${stem || otherwise}.${ending}`)
}

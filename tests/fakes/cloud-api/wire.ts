/** How the Graph refuses, and how files are brought to it. */

export class GraphRefusal extends Error {
  constructor(
    readonly code: number,
    readonly status: number,
    message: string,
    readonly subcode?: number,
  ) {
    super(message)
  }
}

/** @returns the answer to a call that failed */
export function refusalOf(error: unknown): { status: number; body: Record<string, unknown> } {
  const { code, status, message, subcode } =
    error instanceof GraphRefusal ? error : { code: 1, status: 500, message: String(error), subcode: undefined }
  const told = {
    message: `(#${code}) ${message}`,
    type: 'OAuthException',
    code,
    fbtrace_id: 'AbCdEf',
    ...(subcode && { error_subcode: subcode }),
  }
  return { status, body: { error: { ...told, error_data: { messaging_product: 'whatsapp', details: message } } } }
}

interface Upload {
  fields: Record<string, string>
  file: { bytes: Buffer; type: string; name: string } | undefined
}

export function readMultipart(raw: Buffer, contentType: string): Upload {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1]
  const found: Upload = { fields: {}, file: undefined }
  if (!boundary) return found
  const mark = Buffer.from(`--${boundary}`)
  for (let at = raw.indexOf(mark); at >= 0; ) {
    const next = raw.indexOf(mark, at + mark.length)
    if (next < 0) break
    const part = raw.subarray(at + mark.length + 2, next - 2)
    const end = part.indexOf('\r\n\r\n')
    const head = part.subarray(0, end).toString()
    const bytes = Buffer.from(part.subarray(end + 4))
    const name = /name="([^"]*)"/.exec(head)?.[1] ?? ''
    const filename = /filename="([^"]*)"/.exec(head)?.[1]
    const type = /content-type: *([^\r\n]+)/i.exec(head)?.[1] ?? ''
    if (filename === undefined) found.fields[name] = bytes.toString()
    else found.file = { bytes, type, name: filename }
    at = next
  }
  return found
}

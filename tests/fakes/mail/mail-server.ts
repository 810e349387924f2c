import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  /** Header names in lower case. */
  headers: Record<string, string>
  text: string
}

/**
 * A mail server on this machine that speaks SMTP and keeps what it is given.
 * @param auth whom it lets in; without one, everybody
 */
export async function fakeMailServer({ auth }: { auth?: { user: string; password: string } } = {}) {
  const received: ReceivedMail[] = []
  const refusals: number[] = []
  const server = new SMTPServer({
    // Nothing leaves this machine, so nothing is encrypted.
    hideSTARTTLS: true,
    authOptional: auth === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, done) =>
      username === auth?.user && password === auth?.password
        ? done(null, { user: username })
        : done(Object.assign(new Error('wrong user or password'), { responseCode: 535 })),
    onRcptTo: (_address, _session, done) => {
      const code = refusals.shift()
      done(code === undefined ? null : Object.assign(new Error('not taken'), { responseCode: code }))
    },
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom ? mailFrom.address : ''
        received.push({ from, to: rcptTo.map(({ address }) => address), ...opened(Buffer.concat(parts)) })
        done()
      })
    },
  })
  server.on('error', () => undefined)
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => resolve((listening.address() as { port: number }).port))
  })
  return {
    port,
    received,
    /** Answers the next recipient with this SMTP code, such as 451 (later) or 550 (nobody here). */
    refuseNext: (code: number) => void refusals.push(code),
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

/** Reads a message of one plain part. */
function opened(raw: Buffer): { headers: Record<string, string>; text: string } {
  const whole = raw.toString('utf8')
  const end = whole.indexOf('\r\n\r\n')
  const lines = whole
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), words(line.slice(colon + 1).trim())]
    }),
  )
  const body = whole.slice(end + 4)
  const encoding = headers['content-transfer-encoding']
  const text =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString('utf8')
      : encoding === 'quoted-printable'
        ? unquoted(body.replace(/=\r\n/g, ''))
        : body
  return { headers, text: text.replaceAll('\r\n', '\n') }
}

/** RFC 2047: words that are not ASCII. */
const words = (value: string): string =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString('utf8') : unquoted(text.replaceAll('_', ' ')),
    )

const unquoted = (text: string): string =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

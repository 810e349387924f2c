import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The whole product as processes of its own: the server with everything embedded, and the simulated WhatsApp. For
 * tests that need a real browser, or a server that can be killed.
 */
const root = join(import.meta.dir, '..', '..')
export const adminPassword = 'balcao-12345'
export const adminEmail = 'operator@example.com'

export type Stack = Awaited<ReturnType<typeof startStack>>

interface Options {
  /** Sample company, as in the demo. */
  demo?: boolean
  /** The built client, if not the one of this working copy. */
  clientDir?: string
  /** Postgres does not wait for the disk. */
  fast?: boolean
  env?: Record<string, string>
  /** Another server: this one uses its simulated WhatsApp and its media, and must end before it. */
  beside?: { dataDir: string; fake: Fake }
  /** Works on this folder, which has all it needs, and speaks to this WhatsApp; neither ends with it. */
  on?: { dataDir: string; fake: Fake }
}

type Fake = Awaited<ReturnType<typeof startFake>>

/** The simulated WhatsApp, as a process of its own. */
export async function startFake() {
  const fakeProcess = Bun.spawn(
    [process.execPath, '--no-orphans', join(root, 'tests', 'fakes', 'whatsapp', 'main.ts')],
    {
      cwd: root,
      env: { ...process.env, FAKE_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const greeting = JSON.parse(await firstLine(fakeProcess.stdout)) as {
    wsUrl: string
    certKey: string
    phoneUrl: string
  }
  return {
    ...greeting,
    async stop(): Promise<void> {
      fakeProcess.kill('SIGTERM')
      await fakeProcess.exited
    },
  }
}

export async function startStack(options: Options = {}) {
  const { demo = false, clientDir, fast = false, env = {} } = options
  const { beside, on } = options
  const dataDir = on?.dataDir ?? mkdtempSync(join(tmpdir(), 'balcao-stack-'))
  if (beside) symlinkSync(join(beside.dataDir, 'media'), join(dataDir, 'media'))
  const fake = (beside ?? on)?.fake ?? (await startFake())
  let port = '0'
  let server: Bun.Subprocess<'ignore', 'pipe', 'inherit'> | undefined
  let url = ''
  let databaseUrl = ''

  async function start(): Promise<void> {
    server = Bun.spawn([process.execPath, '--no-orphans', join(root, 'tests', 'support', 'stack-server.ts')], {
      cwd: root,
      env: {
        ...process.env,
        LOG_LEVEL: 'warn',
        ...env,
        PORT: port,
        DATA_DIR: dataDir,
        WHATSAPP_WS_URL: fake.wsUrl,
        WHATSAPP_CERT_KEY: fake.certKey,
        ADMIN_EMAIL: adminEmail,
        ADMIN_PASSWORD: adminPassword,
        ...(demo ? { STACK_DEMO: fake.phoneUrl } : {}),
        ...(clientDir ? { STACK_CLIENT: clientDir } : {}),
        STACK_FAST: fast ? '1' : '0',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const line = await firstLine(server.stdout, (text) => text.startsWith('{"url"'))
    ;({ url, databaseUrl } = JSON.parse(line) as { url: string; databaseUrl: string })
    // After a kill it comes back at the same place, as browsers expect.
    port = new URL(url).port
  }

  await start()
  const phone = fakeApi(fake.phoneUrl)
  return {
    get url() {
      return url
    },
    /** Of the embedded Postgres another one after each start. */
    get databaseUrl() {
      return databaseUrl
    },
    dataDir,
    phone,
    phoneUrl: fake.phoneUrl,
    fake,
    /** Process id of the server. */
    pid: () => server?.pid,
    login: (email: string, password: string) => login(url, email, password),
    /** Calls with a token that another server gave. */
    as: (token: string) => caller(url, token),
    /** Sends a command as a browser's outbox does: under the same key until it is answered. @throws when it is refused */
    async sendUntilAnswered(token: string, command: { id: string; name: string; input: unknown }): Promise<void> {
      for (;;) {
        // Nobody may be there, or the answer never comes: the server is being killed.
        const response = await fetch(`${url}/commands`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify(command),
          signal: AbortSignal.timeout(5_000),
        }).catch(() => undefined)
        if (response?.ok) return
        if (response && response.status < 500)
          throw new Error(`${command.name} answered ${response.status}: ${await response.text().catch(() => '')}`)
        await Bun.sleep(50)
      }
    },
    /** Ends the server as a power cut would. */
    async kill(): Promise<void> {
      server?.kill('SIGKILL')
      await server?.exited
    },
    start,
    /** Ends the server as a person does who means to start it again. */
    async end(): Promise<void> {
      server?.kill('SIGTERM')
      await server?.exited
    },
    /** Links the connection to the company's phone, as an admin who scans the QR. */
    async pair(api: Api, whatsappId: number): Promise<void> {
      await api('POST', `/whatsappsession/${whatsappId}`)
      const status = () => api('GET', `/whatsapp/${whatsappId}`) as Promise<{ status: string; qrcode: string }>
      const { qrcode } = await until('a QR', status, (row) => row.qrcode !== '')
      await phone.scan(qrcode)
      await until('the link', status, (row) => row.status === 'CONNECTED')
    },
    async stop(): Promise<void> {
      server?.kill('SIGTERM')
      await server?.exited
      if (on) return
      if (!beside) await fake.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Asks until the answer pleases. @throws with what was waited for when it never does */
export async function until<T>(
  what: string,
  ask: () => Promise<T>,
  pleases: (value: T) => boolean,
  ms = 30_000,
): Promise<T> {
  const deadline = Date.now() + ms
  let last: unknown
  for (;;) {
    try {
      const value = await ask()
      if (pleases(value)) return value
      last = value
    } catch (error) {
      last = error
    }
    if (Date.now() > deadline)
      throw new Error(
        `${what} did not come in ${ms} ms; last: ${last instanceof Error ? last.message : JSON.stringify(last)?.slice(0, 600)}`,
      )
    await Bun.sleep(50)
  }
}

export type Api = (method: string, path: string, body?: unknown) => Promise<unknown>

export async function login(base: string, email: string, password: string): Promise<Api & { token: string }> {
  const response = await fetch(`${base}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!response.ok) throw new Error(`login: ${response.status} ${await response.text()}`)
  return caller(base, ((await response.json()) as { token: string }).token)
}

function caller(base: string, token: string): Api & { token: string } {
  const api = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text ? (JSON.parse(text) as unknown) : undefined
  }
  return Object.assign(api, { token })
}

/** What a contact's phone holds of our messages. */
export interface Arrived {
  id: string
  chat: string
  message: { conversation?: string; extendedTextMessage?: { text?: string } } & Record<string, unknown>
  edit: string | null
}

/** A message as the contact's phone shows it. */
export interface PhoneLine {
  id: string
  /** When it was shown, by the clock on the wall in ms. */
  at: number
  by: 'contact' | 'business'
  kind: string
  text: string
  file: { mimetype: string; name: string | null } | null
  state: 'sent' | 'delivered' | 'read' | 'played'
  edited: boolean
  deleted: boolean
  reactions: { by: 'contact' | 'business'; emoji: string }[]
  /** Text of the message that it answers. */
  quote: string | null
}

/** The phones of the simulated WhatsApp. */
export function fakeApi(base: string) {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(new URL(path, base), {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { error?: string }
    if (!response.ok) throw new Error(`fake ${path}: ${answer.error}`)
    return answer
  }
  return {
    call,
    scan: (qr: string) => call('POST', '/ctl/scan', { qr }),
    contact: (number: string, name: string) => call('POST', '/ctl/contacts', { number, name }),
    /** The contact writes; resolves with WhatsApp's id of the message. */
    write: async (number: string, text: string) =>
      ((await call('POST', `/ctl/contacts/${number}/messages`, { text })) as { id: string }).id,
    inbox: (number: string) => call('GET', `/ctl/contacts/${number}/inbox`) as Promise<Arrived[]>,
    /** What the contact's phone shows of the conversation with the company's phone, oldest first. */
    async lines(number: string): Promise<PhoneLine[]> {
      const { threads } = (await call('GET', '/ctl/state')) as { threads: Record<string, { lines: PhoneLine[] }> }
      return Object.entries(threads).flatMap(([key, { lines }]) => (key.endsWith(`/${number}`) ? lines : []))
    },
    /** The file of a line, opened with its key. */
    async file(id: string): Promise<Buffer> {
      const response = await fetch(new URL(`/ctl/media/${id}`, base))
      if (!response.ok) throw new Error(`the phone cannot open ${id}: ${response.status}`)
      return Buffer.from(await response.arrayBuffer())
    },
    /** The contact sends a file; resolves with WhatsApp's id of the message. */
    async writeFile(number: string, bytes: Uint8Array, about: Record<string, string>): Promise<string> {
      const response = await fetch(new URL(`/ctl/contacts/${number}/media?${new URLSearchParams(about)}`, base), {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: new Uint8Array(bytes),
      })
      if (!response.ok) throw new Error(`the phone cannot send: ${await response.text()}`)
      return ((await response.json()) as { id: string }).id
    },
  }
}

async function firstLine(
  stream: ReadableStream<Uint8Array>,
  wanted: (line: string) => boolean = (line) => line.startsWith('{'),
): Promise<string> {
  const reader = stream.getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`the process ended before it was ready: ${text}`)
    text += new TextDecoder().decode(value)
    const lines = text.split('\n').slice(0, -1)
    const line = lines.find(wanted)
    if (line !== undefined) {
      // Read on, or a full pipe would block the process one day.
      void (async () => {
        while (!(await reader.read()).done);
      })().catch(() => undefined)
      return line
    }
  }
}

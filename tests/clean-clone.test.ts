import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../schema/ids.ts'
import { hum, recording } from './support/recording.ts'
import { type Api, until } from './support/stack.ts'

const root = join(import.meta.dir, '..')
const installMs = 240_000

let home: string
let clone: string
let child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
let said = ''

/** The files of this working copy that a clone would have, and nothing that was installed or built beside the client. */
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'balcao-clone-'))
  clone = join(home, 'clone')
  const listed = Bun.spawnSync(['git', 'ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root })
  for (const path of listed.stdout.toString().split('\0').filter(Boolean)) {
    if (!existsSync(join(root, path))) continue
    mkdirSync(join(clone, path, '..'), { recursive: true })
    cpSync(join(root, path), join(clone, path))
  }
  // The client takes a minute to build, and is another test's business; it is built anew when it is not of these sources.
  for (const built of [join('client', 'dist'), join('.build', 'client')])
    if (existsSync(join(root, built))) cpSync(join(root, built), join(clone, built), { recursive: true })

  child = Bun.spawn([process.execPath, join('server', 'launch.ts'), 'demo'], {
    cwd: clone,
    env: {
      ...process.env,
      PORT: '0',
      FAKE_PORT: '0',
      DATA_DIR: join(home, 'data'),
      LOG_LEVEL: 'debug',
      // Nothing that this machine has installed before.
      BUN_INSTALL_CACHE_DIR: join(home, 'cache'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const read = async (stream: ReadableStream<Uint8Array>) => {
    for await (const part of stream) said += Buffer.from(part).toString()
  }
  void read(child.stdout)
  void read(child.stderr)
}, installMs)

afterAll(async () => {
  child.kill()
  await child.exited
  rmSync(home, { recursive: true, force: true })
}, 60_000)

async function line(pattern: RegExp, ms: number): Promise<string> {
  for (const deadline = Date.now() + ms; ; await Bun.sleep(50)) {
    const found = pattern.exec(said)?.[1]
    if (found) return found
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`it did not say ${pattern}: ${said}`)
  }
}

test(
  'the first process after a clone is linked, imports, sends voice and pictures, and has loaded what was installed',
  async () => {
    const url = await line(/is ready: (\S+)/, installMs)
    const phoneUrl = await line(/simulated phone: +(\S+)/, 60_000)
    const phone = async (path: string, body?: unknown) => {
      const answer = await fetch(new URL(path, phoneUrl), {
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'content-type': 'application/json' },
      })
      return (await answer.json()) as Record<string, never>
    }
    const login = await fetch(`${url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'admin@padaria.test', password: 'balcao123' }),
    })
    const { token } = (await login.json()) as { token: string }
    const { id: userId } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { id: number }
    const headers = { authorization: `Bearer ${token}` }
    const api: Api = async (method, path, body) => {
      const json = { ...headers, 'content-type': 'application/json' }
      const answer = await fetch(`${url}${path}`, {
        method,
        ...(body === undefined ? { headers } : { headers: json, body: JSON.stringify(body) }),
      })
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
      return answer.json()
    }

    // It imports.
    const sheet = new FormData()
    sheet.set('file', new Blob(['name,number\nZoé,5511955550000']), 'contacts.csv')
    const imported = await fetch(`${url}/contacts/import`, { method: 'POST', headers, body: sheet })
    expect(imported.status).toBe(200)
    expect(await imported.text()).toContain('"created"')

    // Both of its numbers are linked, so that whoever tries it has only to write.
    const numbers = (await api('GET', '/whatsapp')) as { status: string }[]
    expect(numbers.map(({ status }) => status)).toEqual(['CONNECTED', 'CONNECTED'])

    // It sends a voice note and a picture.
    const number = '5511987650009'
    await phone('/ctl/contacts', { number, name: 'Sofia Andrade' })
    await phone(`/ctl/contacts/${number}/messages`, { text: 'Bom dia!' })
    type Found = { tickets: { id: number }[] }
    const { tickets } = await until(
      'the ticket',
      () => api('GET', '/tickets?showAll=true&status=pending&searchParam=sofia%20andrade') as Promise<Found>,
      (page) => page.tickets.length > 0,
    )
    const ticketId = tickets[0]!.id
    await api('PUT', `/tickets/${ticketId}`, { status: 'open', userId })
    const send = async (bytes: Uint8Array, mimetype: string, name: string, voice: boolean) => {
      const file = { path: null, name, mimetype, size: bytes.length, voice }
      const form = new FormData()
      form.set(
        'command',
        JSON.stringify({ id: newId(), name: 'messages.send', input: { id: newId(), ticketId, body: '', file } }),
      )
      form.set('file', new Blob([bytes as BlobPart], { type: mimetype }), name)
      const answer = await fetch(`${url}/commands`, { method: 'POST', headers, body: form })
      expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)])
    }
    await send(await recording(hum, 2, 44_100), 'audio/mpeg', 'voz.mp3', true)
    await send(readFileSync(join(root, 'docs', 'pictures', 'phone-list.png')), 'image/png', 'foto.png', false)
    type Arrived = { message: Record<string, { mimetype?: string; width?: number; jpegThumbnail?: string }> }[]
    const arrived = await until(
      'both at the phone',
      async () => (await phone(`/ctl/contacts/${number}/inbox`)) as unknown as Arrived,
      (all) => all.filter(({ message }) => message.audioMessage ?? message.imageMessage).length === 2,
      60_000,
    )
    const [voice, picture] = ['audioMessage', 'imageMessage'].map(
      (kind) => arrived.map(({ message }) => message[kind]).find(Boolean)!,
    )
    expect(voice!.mimetype).toBe('audio/ogg; codecs=opus')
    expect(picture!.width).toBeGreaterThan(100)
    expect(picture!.jpegThumbnail?.length).toBeGreaterThan(100)

    // The very process that served has found its packages in the clone, the repaired driver among them.
    const packages = JSON.parse(await line(/"packages":(\{[^}]*\})/, 1_000)) as { postgres: string; sharp: string }
    for (const path of Object.values(packages)) expect(path).toStartWith(`file://${join(clone, 'node_modules')}/`)
    const folder = join(clone, 'node_modules', 'postgres')
    expect(readFileSync(join(folder, 'src', 'connection.js'), 'utf8')).toContain('chunk = nextWriteTimer = null')

    // Sharp is the machine's own build, as the process that made the small picture sees it.
    const look = `await import('sharp'); process.stdout.write(require('node:fs').readFileSync('/proc/self/maps'))`
    const seen = Bun.spawnSync([process.execPath, '--no-install', '-e', look], { cwd: clone })
    expect(seen.stdout.toString()).toMatch(/node_modules\/@img\/sharp-linux\S*\.node/)
    expect(existsSync(join(clone, 'node_modules', '@img', 'sharp-wasm32'))).toBe(false)
    expect(readdirSync(join(home, 'cache')).filter((name) => name.includes('wasm32'))).toEqual([])
  },
  installMs + 120_000,
)

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../../schema/ids.ts'
import { PIXEL } from '../../tests/example-data.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { answerFile } from './media.answer.ts'
import type { MediaPort } from './media.port.ts'
import { createMediaStore } from './media-store.ts'
import { mayShowInline, recognise, servedType } from './media-types.ts'
import { readMultipart } from './multipart.ts'

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')

describe('a form', () => {
  const read = async (body: Uint8Array | string, contentType: string, pieceSize = 7) => {
    const bytes = Buffer.from(body)
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += pieceSize)
          controller.enqueue(new Uint8Array(bytes.subarray(at, at + pieceSize)))
        controller.close()
      },
    })
    const request = new Request('http://localhost/', {
      method: 'POST',
      body: stream,
      headers: { 'content-type': contentType },
    })
    const parts: { name: string; filename: string | undefined; mimetype: string; bytes: Buffer }[] = []
    for await (const { body: partBody, ...head } of readMultipart(request)) {
      const pieces: Uint8Array[] = []
      for await (const piece of partBody) pieces.push(piece)
      parts.push({ ...head, bytes: Buffer.concat(pieces) })
    }
    return parts
  }

  test('is read whole, in whatever pieces it comes and whatever the files hold', async () => {
    const tricky = Buffer.concat([
      Buffer.from('\r\n--'),
      Buffer.from(Array.from({ length: 3_000 }, (_, i) => i % 256)),
      Buffer.from('\r\n-\r\n--xx\r'),
    ])
    const form = new FormData()
    form.set('body', 'olá\r\n"mundo"')
    form.set('empty', '')
    form.set('file', new Blob([tricky], { type: 'image/png' }), 'um "nome" ção.png')
    const sample = new Response(form)
    const contentType = sample.headers.get('content-type')!
    const bytes = await sample.bytes()
    for (const size of [1, 2, 3, 61, 1_000, 100_000]) {
      const [body, empty, file] = await read(bytes, contentType, size)
      expect(body!.bytes.toString()).toBe('olá\r\n"mundo"')
      expect(empty!.bytes.length).toBe(0)
      expect(file).toMatchObject({ filename: 'um "nome" ção.png', mimetype: 'image/png' })
      expect(file!.bytes.equals(tricky)).toBe(true)
    }
  })

  test('whose heads were made to be read again and again costs no more than others', async () => {
    const crafted = ';name="'.repeat(2_300)
    /** Processor time, ms: what else the machine does is not counted. */
    const costOf = async (more: string) => {
      const head = `Content-Disposition: form-data; name="a"${more}`
      const body = `${`--x\r\n${head}\r\n\r\nv\r\n`.repeat(190)}--x--`
      const begin = process.cpuUsage()
      expect(await read(body, 'multipart/form-data; boundary=x', 1_000_000)).toHaveLength(190)
      const { user, system } = process.cpuUsage(begin)
      return (user + system) / 1_000
    }
    const usual = await costOf('x'.repeat(crafted.length))
    expect(await costOf(crafted)).toBeLessThan(1_000 + 5 * usual)
    const many = `${'--x\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n'.repeat(201)}--x--`
    await expect(read(many, 'multipart/form-data; boundary=x')).rejects.toMatchObject({ code: 'ERR_VALIDATION' })
  })

  test('that is broken anywhere is refused, never half believed', async () => {
    const type = 'multipart/form-data; boundary=x'
    for (const [body, contentType] of [
      ['', type],
      ['hello', type],
      ['--x\r\n', type],
      ['--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nvalue', type],
      ['--x\r\nContent-Disposition: form-data\r\n\r\nvalue\r\n--x--', type],
      [`--x\r\n${'a'.repeat(20_000)}`, type],
      ['--x--', 'multipart/form-data'],
    ] as const) {
      await expect(read(body, contentType)).rejects.toMatchObject({ code: 'ERR_VALIDATION' })
    }
    expect(await read('--x--', type)).toEqual([])
  })
})

describe('what a file is', () => {
  const png = { mime: 'image/png', ext: 'png' }
  test('is said by its content; a claim that contradicts it is refused', () => {
    expect(recognise('application/octet-stream', png, 'x', true)).toEqual({ mimetype: 'image/png', extension: 'png' })
    expect(recognise('image/jpeg', png, 'x.jpg', true)).toEqual({ mimetype: 'image/png', extension: 'png' })
    expect(recognise('audio/webm', { mime: 'video/webm', ext: 'webm' }, 'v.webm', true).mimetype).toBe('audio/webm')
    expect(
      recognise(
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
        { mime: 'application/zip', ext: 'zip' },
        'a.docx',
        true,
      ).extension,
    ).toBe('docx')
    expect(recognise('text/csv', undefined, 'lista.csv', true)).toEqual({ mimetype: 'text/csv', extension: 'csv' })
    for (const [claim, found] of [
      ['image/png', undefined],
      ['video/mp4', png],
      ['application/pdf', png],
      ['image/png', { mime: 'application/x-msdownload', ext: 'exe' }],
    ] as const) {
      expect(() => recognise(claim, found, 'x', true)).toThrow('ERR_FILE_TYPE')
      expect(() => recognise(claim, found, 'x', false)).not.toThrow()
    }
  })

  test('what a browser would run is kept and served as plain bytes', () => {
    for (const type of ['text/html', 'image/svg+xml', 'application/javascript', 'application/xhtml+xml']) {
      expect(recognise(type, undefined, 'x.html', true).mimetype).toBe('application/octet-stream')
      expect(servedType(type)).toBe('application/octet-stream')
      expect(mayShowInline(servedType(type))).toBe(false)
    }
    expect(servedType('audio/ogg; codecs=opus')).toBe('audio/ogg')
    expect(servedType('image/png\r\nx: y')).toBe('application/octet-stream')
    expect(servedType(null)).toBe('application/octet-stream')
  })
})

describe('the store', () => {
  const root = mkdtempSync(join(tmpdir(), 'balcao-store-'))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  const options = { name: 'foto.png', mimetype: 'image/png', maxBytes: 1_000 }

  test('keeps a file under a path nobody can guess, and gives it back', async () => {
    const store = await createMediaStore({ root, secret: 's' })
    const one = await store.put(7, PIXEL, options)
    const two = await store.put(7, PIXEL, options)
    expect(one).toMatchObject({ size: PIXEL.length, mimetype: 'image/png', isNew: true })
    expect(one.path).toMatch(/^company7\/[a-f0-9]{48}\.png$/)
    expect(two.path).not.toBe(one.path)
    expect(Buffer.from(await new Response(await store.read(one.path)).bytes()).equals(PIXEL)).toBe(true)
    await store.delete(one.path)
    await store.delete(one.path)
    expect(await store.find(one.path)).toBeUndefined()
  })

  test('the same upload sent again lies in the same place and does not replace what is there', async () => {
    const store = await createMediaStore({ root, secret: 's' })
    const first = await store.put(7, PIXEL, { ...options, key: 'k' })
    const again = await store.put(7, PIXEL, { ...options, key: 'k' })
    const other = await store.put(8, PIXEL, { ...options, key: 'k' })
    expect(again).toMatchObject({ path: first.path, isNew: false, size: PIXEL.length })
    expect(other.path.split('/')[1]).not.toBe(first.path.split('/')[1]!)
  })

  test('too large, empty or of another kind is refused and leaves nothing behind', async () => {
    const store = await createMediaStore({ root, secret: 's' })
    async function* endless() {
      for (;;) yield new Uint8Array(300)
    }
    const refusals = [
      [store.put(9, endless(), options), 'ERR_FILE_TOO_LARGE'],
      [store.put(9, new Uint8Array(0), options), 'ERR_FILE_REQUIRED'],
      [store.put(9, PDF, { ...options, strict: true }), 'ERR_FILE_TYPE'],
    ] as const
    const results = await Promise.allSettled(refusals.map(([put]) => put))
    expect(results.map((result) => result.status === 'rejected' && (result.reason as { code: string }).code)).toEqual(
      refusals.map(([, code]) => code),
    )
    expect(existsSync(join(root, 'company9'))).toBe(false)
    expect(readdirSync(join(root, 'uploads'))).toEqual([])
  })

  test('a full disk is told as such', async () => {
    const store = await createMediaStore({ root, secret: 's' })
    async function* full(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(10)
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    }
    expect(await store.put(9, full(), options).catch((error: unknown) => error)).toMatchObject({
      code: 'ERR_STORAGE_FULL',
    })
  })

  test('half a file that a crash left goes at a later start; what another server is writing stays', async () => {
    const uploads = join(root, 'uploads')
    writeFileSync(join(uploads, 'half'), 'x')
    writeFileSync(join(uploads, 'being-written'), 'x')
    const yesterday = new Date(Date.now() - 86_400_000)
    utimesSync(join(uploads, 'half'), yesterday, yesterday)
    await createMediaStore({ root, secret: 'secret' })
    expect(readdirSync(uploads)).toEqual(['being-written'])
    rmSync(join(uploads, 'being-written'))
  })
})

describe('files over HTTP', () => {
  let t: TestApp
  beforeAll(async () => {
    t = await testApp({ maxUploadBytes: 100_000 })
  })
  afterAll(() => t.close())

  const conversation = async () => {
    const company = await t.eg.company()
    const queue = await t.eg.queue(company.id)
    const whatsapp = await t.eg.whatsapp(company.id)
    const agent = await t.eg.user(company.id, { queueIds: [queue.id] })
    const ticket = await t.eg.ticket(company.id, {
      status: 'open',
      queueId: queue.id,
      userId: agent.id,
      whatsappId: whatsapp.id,
    })
    return { company, queue, agent, ticket, token: await t.login(agent.email) }
  }
  const formOf = (bytes: Uint8Array<ArrayBuffer>, type: string, name: string, fields: Record<string, string> = {}) => {
    const form = new FormData()
    for (const [key, value] of Object.entries(fields)) form.set(key, value)
    form.append('medias', new Blob([bytes], { type }), name)
    return form
  }

  test('are sent one message each, and fetched by whoever may see the ticket', async () => {
    const { ticket, token, company } = await conversation()
    const form = formOf(new Uint8Array(PIXEL), 'image/png', '../foto.png', { body: 'veja' })
    form.append('medias', new Blob([PDF], { type: 'application/pdf' }), 'nota.pdf')
    const sent = await t.call('POST', `/messages/${ticket.id}`, { token, form })
    expect(sent.status).toBe(200)
    expect(sent.body.messages).toMatchObject([
      { body: 'veja', mediaType: 'image', mediaName: 'foto.png', fromMe: true },
      // The caption stands under the first; the other goes by its name.
      { body: 'nota.pdf', mediaType: 'application', mediaName: 'nota.pdf' },
    ])
    const [{ mediaUrl, medias }, { mediaUrl: pdfUrl }] = sent.body.messages
    // What older clients of the family read.
    expect(medias).toEqual([mediaUrl])
    const file = await t.call('GET', mediaUrl, { token })
    expect(file.status).toBe(200)
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PIXEL.length),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    })
    const passFor = async (url: string) => {
      const body = { for: 'media', path: url.replace('/public/', '') }
      return (await t.call('POST', '/auth/passes', { token, body })).body.pass as string
    }
    const pass = await passFor(pdfUrl)
    // A player asks for a file in pieces.
    for (let i = 0; i < 2; i++)
      expect((await t.call('GET', `${pdfUrl}?pass=${pass}`)).headers.get('content-disposition')).toContain('nota.pdf')
    for (const address of [`${mediaUrl}?pass=${pass}`, `${pdfUrl}?pass=${token}`, `${pdfUrl}?token=${token}`])
      expect((await t.call('GET', address)).status).toBe(401)

    expect((await t.call('GET', mediaUrl)).status).toBe(401)
    const colleague = await t.eg.user(company.id)
    expect((await t.call('GET', mediaUrl, { token: await t.login(colleague.email) })).status).toBe(404)
    const stranger = await conversation()
    expect((await t.call('GET', mediaUrl, { token: stranger.token })).status).toBe(404)
  })

  test('sent again under their key are the same message; with other bytes they are another, and refused', async () => {
    const { ticket, token } = await conversation()
    const post = (bytes: Uint8Array<ArrayBuffer>) =>
      t.call('POST', `/messages/${ticket.id}`, {
        token,
        form: formOf(bytes, 'application/pdf', 'nota.pdf'),
        headers: { 'idempotency-key': 'the-bill-once' },
      })
    const bytes = (last: string) => new Uint8Array(Buffer.from(`%PDF-1.4 ${last}`))
    const first = await post(bytes('a'))
    expect((await post(bytes('a'))).body.messages[0].id).toBe(first.body.messages[0].id)
    for (const other of ['b', 'longer'])
      expect(await post(bytes(other))).toMatchObject({ status: 409, body: { error: 'ERR_IDEMPOTENCY_MISMATCH' } })
    const kept = await t.call('GET', first.body.messages[0].mediaUrl, { token })
    expect(kept.body).toBe('%PDF-1.4 a')
  })

  test('have a name that stays within its head, whatever it holds', async () => {
    const media = {
      find: async () => ({ size: 1 }),
      read: async () => new Blob(['x']).stream(),
    } as unknown as MediaPort
    for (const name of [
      'a"; filename="b.exe',
      'a\r\nset-cookie: x=1',
      '../../etc/passwd',
      'ção ’.pdf',
      'a%22b',
      '\ud800.pdf',
    ]) {
      const owner = { name, mimetype: 'application/zip', path: 'company1/x.zip' }
      const { headers } = await answerFile(new Request('http://x/'), media, owner, false)
      const said = headers.get('content-disposition')!
      expect(said).toMatch(/^attachment; filename="[^"\\\r\n]*"; filename\*=UTF-8''[\w%.~!&+-]*$/)
      expect(decodeURIComponent(said.slice(said.indexOf("''") + 2))).toBe(name.toWellFormed())
      expect(headers.get('set-cookie')).toBeNull()
    }
  })

  test('come in parts when asked, and not again when unchanged', async () => {
    const { ticket, token } = await conversation()
    const { body } = await t.call('POST', `/messages/${ticket.id}`, {
      token,
      form: formOf(new Uint8Array(PIXEL), 'image/png', 'a.png'),
    })
    const url = body.messages[0].mediaUrl as string
    const bytes = async (range: string) => {
      const response = await t.app.handle(
        new Request(`http://localhost${url}`, { headers: { authorization: `Bearer ${token}`, range } }),
      )
      return {
        status: response.status,
        range: response.headers.get('content-range'),
        bytes: Buffer.from(await response.arrayBuffer()),
      }
    }
    expect(await bytes('bytes=0-3')).toEqual({
      status: 206,
      range: `bytes 0-3/${PIXEL.length}`,
      bytes: PIXEL.subarray(0, 4),
    })
    expect((await bytes('bytes=-5')).bytes).toEqual(PIXEL.subarray(PIXEL.length - 5))
    expect((await bytes('bytes=10-')).bytes).toEqual(PIXEL.subarray(10))
    expect((await bytes('bytes=100000-')).status).toBe(416)
    expect((await bytes('bytes=5-2')).status).toBe(416)
    expect((await bytes('lines=1-2')).status).toBe(200)
    const etag = (await t.call('GET', url, { token })).headers.get('etag')!
    expect((await t.call('GET', url, { token, headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  test('that nobody may send are refused, and leave neither message nor file', async () => {
    const { ticket, token, company } = await conversation()
    const post = (bytes: Uint8Array<ArrayBuffer>, type: string, path = `/messages/${ticket.id}`) =>
      t.call('POST', path, { token, form: formOf(bytes, type, 'x') })
    expect(await post(new Uint8Array(PDF), 'image/png')).toMatchObject({
      status: 415,
      body: { error: 'ERR_FILE_TYPE' },
    })
    expect(await post(new Uint8Array(100_001), 'application/pdf')).toMatchObject({
      status: 413,
      body: { error: 'ERR_FILE_TOO_LARGE' },
    })
    expect((await post(new Uint8Array(PIXEL), 'image/png', '/messages/999999')).status).toBe(404)
    await t.call('PUT', `/tickets/${ticket.id}`, { token, body: { status: 'closed' } })
    expect(await post(new Uint8Array(PIXEL), 'image/png')).toMatchObject({
      status: 400,
      body: { error: 'ERR_TICKET_NOT_OPEN' },
    })
    expect((await t.call('GET', `/messages/${ticket.id}`, { token })).body.messages).toEqual([])
    const folder = join(t.mediaRoot, `company${company.id}`)
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
  })

  test('a command with its file may be sent again: one message, one file', async () => {
    const { ticket, token, agent } = await conversation()
    const command = {
      id: newId(),
      name: 'messages.send',
      input: {
        id: newId(),
        ticketId: ticket.id,
        body: '',
        file: { path: null, name: 'voz.ogg', mimetype: 'image/png', size: 1, voice: false },
      },
    }
    const send = () => {
      const form = new FormData()
      form.set('command', JSON.stringify(command))
      form.set('file', new Blob([PIXEL], { type: 'image/png' }), 'foto.png')
      return t.call('POST', '/commands', { token, form })
    }
    const first = await send()
    const second = await send()
    expect(first.status).toBe(200)
    expect(second.body).toEqual(first.body)
    const { messages } = (await t.call('GET', `/messages/${ticket.id}`, { token })).body
    expect(messages).toMatchObject([
      {
        id: command.input.id,
        mediaName: 'voz.ogg',
        mediaMime: 'image/png',
        mediaSize: PIXEL.length,
        authorId: agent.id,
      },
    ])
    expect((await t.call('GET', messages[0].mediaUrl, { token })).status).toBe(200)
  })

  test('a command cannot name a file that the server already has', async () => {
    const { ticket, token } = await conversation()
    const { body } = await t.call('POST', `/messages/${ticket.id}`, {
      token,
      form: formOf(new Uint8Array(PIXEL), 'image/png', 'a.png'),
    })
    const path = (body.messages[0].mediaUrl as string).replace('/public/', '')
    const other = await conversation()
    const input = {
      id: newId(),
      ticketId: other.ticket.id,
      body: '',
      file: { path, name: 'a.png', mimetype: 'image/png', size: 1, voice: false },
    }
    expect(
      (await t.call('POST', '/commands', { token: other.token, body: { id: newId(), name: 'messages.send', input } }))
        .status,
    ).toBe(400)
  })
})

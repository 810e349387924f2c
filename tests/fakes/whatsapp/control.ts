/**
 * The simulated world in other hands: a JSON interface for tests in other processes and for the page that plays the
 * phones. Bodies are JSON; the type is required, so that no web page elsewhere can reach in.
 */
import { basename } from 'node:path'
import { mediaTypeOf, type Phones } from './phones.ts'
import { type Account, type Behaviour, type Contact, type FakeWhatsapp, type NewChats, PasskeyAsked } from './server.ts'

class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

type Json = Record<string, unknown>

const page = Bun.file(new URL('./page.html', import.meta.url))
const digits = (value: unknown) => String(value ?? '').replace(/\D/g, '')
const text = (value: unknown, name: string) => {
  if (typeof value !== 'string' || !value) throw new Refused(400, `${name} is missing`)
  return value
}

/** @param appUrl where the product is, for a hint on the page. */
export function createControl(phones: () => Phones, appUrl: string | null) {
  return async (request: Request, url: URL, fake: FakeWhatsapp): Promise<Response> => {
    try {
      if (url.pathname === '/') return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } })
      if (url.pathname === '/ctl/events') return events(fake, () => stateOf(fake, phones(), appUrl))
      const answer = await handle(request, url, fake, phones(), appUrl)
      return answer instanceof Response ? answer : Response.json(answer ?? { ok: true })
    } catch (error) {
      if (error instanceof Refused) return Response.json({ error: error.message }, { status: error.status })
      return Response.json({ error: error instanceof Error ? error.message : String(error) }, { status: 400 })
    }
  }
}

async function handle(
  request: Request,
  url: URL,
  fake: FakeWhatsapp,
  phones: Phones,
  appUrl: string | null,
): Promise<unknown> {
  const [, , area, name, what] = url.pathname.split('/')
  const call = `${request.method} ${area}${name ? '/:' : ''}${what ? `/${what}` : ''}`
  const account = (pn: unknown): Account => {
    const found = pn ? fake.accounts.get(digits(pn)) : [...fake.accounts.values()][0]
    if (!found) throw new Refused(404, 'no such company phone')
    return found
  }
  const contact = (pn: unknown): Contact => {
    const found = fake.contacts.get(digits(pn))
    if (!found) throw new Refused(404, 'no such contact')
    return found
  }
  if (call === 'GET state') return stateOf(fake, phones, appUrl)
  if (call === 'GET media/:') {
    const line = phones.line(name!)
    if (!line?.file) throw new Refused(404, 'no such file')
    const bytes = await fake.openReceived({ directPath: line.file.path, mediaKey: line.file.key }, mediaTypeOf(line))
    // Files come from strangers: an SVG or a page among them must not run beside the control interface.
    const shown = /^(image\/(png|jpeg|webp|gif)|audio\/|video\/|application\/pdf)/.test(line.file.mimetype)
    return new Response(new Uint8Array(bytes), {
      headers: {
        'content-type': shown ? line.file.mimetype : 'application/octet-stream',
        'x-content-type-options': 'nosniff',
        ...(shown ? {} : { 'content-disposition': 'attachment' }),
      },
    })
  }
  if (call === 'GET contacts/:/inbox') {
    return contact(name).inbox.map(({ id, message, chat, node }) => ({
      id,
      chat,
      message,
      edit: node.attrs.edit ?? null,
    }))
  }
  if (request.method !== 'POST') throw new Refused(405, `not understood: ${call}`)

  const type = request.headers.get('content-type') ?? ''
  if (call === 'POST contacts/:/media') {
    if (!type.startsWith('application/octet-stream')) throw new Refused(415, 'send application/octet-stream')
    const q = url.searchParams
    const kind = text(q.get('kind'), 'kind')
    if (!['image', 'video', 'audio', 'document', 'sticker'].includes(kind))
      throw new Refused(400, 'kind is image, video, audio, document or sticker')
    const mimetype = text(q.get('mimetype'), 'mimetype')
    const bytes = new Uint8Array(await request.arrayBuffer())
    if (!bytes.length) throw new Refused(400, 'the file is empty')
    const id = await fake.media(contact(name), account(q.get('to')), kind as 'image', bytes, {
      mimetype,
      ...(q.get('caption') ? { caption: q.get('caption') } : {}),
      ...(kind === 'document' ? { fileName: basename(q.get('name') ?? 'file') } : {}),
      ...(kind === 'audio' ? { ptt: q.get('voice') === '1', seconds: Number(q.get('seconds') ?? 0) } : {}),
    })
    return { id }
  }
  if (!type.startsWith('application/json')) throw new Refused(415, 'send application/json')
  const body = (await request.json()) as Json

  switch (call) {
    case 'POST phones': {
      const pn = digits(body.number)
      if (pn.length < 8) throw new Refused(400, 'a number has 8 digits or more')
      const made = fake.accounts.get(pn) ?? fake.account(pn, String(body.name ?? 'Empresa'))
      if (typeof body.passkey === 'boolean') made.passkey = body.passkey
      if ('refuseCode' in body) made.refuseCode = body.refuseCode ? String(body.refuseCode) : undefined
      return { number: made.pn, lid: made.lid }
    }
    case 'POST scan':
      return unlessPasskey(() => ({
        device: fake.scan(account(body.phone), text(body.qr, 'qr').trim()).deviceId,
      }))
    case 'POST code':
      return unlessPasskey(() =>
        fake.enterPairingCode(
          account(body.phone),
          text(body.code, 'code')
            .replace(/[^a-z0-9]/gi, '')
            .toUpperCase(),
        ),
      )
    case 'POST phones/:/unlink': {
      const owner = account(name)
      for (const companion of [...owner.companions.values()]) fake.disconnect(companion, 'removed')
      fake.emit('changed')
      return undefined
    }
    case 'POST phones/:/new-chats': {
      if ('lock' in body) fake.lockNewChats(account(name), body.lock as NewChats['lock'])
      if ('cap' in body) fake.capNewChats(account(name), body.cap as NewChats['cap'])
      return undefined
    }
    case 'POST phones/:/messages':
      return { id: await fake.fromPhone(account(name), contact(body.to), { conversation: text(body.text, 'text') }) }
    case 'POST contacts': {
      const pn = digits(body.number)
      if (pn.length < 8) throw new Refused(400, 'a number has 8 digits or more')
      if (fake.contacts.has(pn) || fake.accounts.has(pn)) throw new Refused(409, 'this number is taken')
      const made = fake.contact(pn, text(body.name, 'name').trim())
      return { number: made.pn, lid: made.lid }
    }
    case 'POST contacts/:': {
      const who = contact(name)
      Object.assign(who.behaviour, pick(body.behaviour as Partial<Behaviour>, ['deliver', 'read', 'play', 'delayMs']))
      if (body.addressing === 'lid' || body.addressing === 'pn') who.addressing = body.addressing
      if (typeof body.exists === 'boolean') who.exists = body.exists
      if ('refuseWith' in body) who.refuseWith = body.refuseWith ? String(body.refuseWith) : undefined
      if (typeof body.name === 'string' && body.name) who.name = body.name
      fake.emit('changed')
      return undefined
    }
    case 'POST contacts/:/messages': {
      const who = contact(name)
      const to = account(body.to)
      const group = body.group ? fake.groups.get(String(body.group)) : undefined
      if (body.edit) return { id: await fake.edit(who, to, String(body.edit), text(body.text, 'text'), group) }
      if (body.revoke) return { id: await fake.revoke(who, to, String(body.revoke), group) }
      if (body.react) {
        const fromMe = phones.line(String(body.react))?.by === 'contact'
        return {
          id: await fake.react(
            who,
            to,
            { id: String(body.react), fromMe, remoteJid: `${to.lid}@lid` },
            String(body.emoji ?? ''),
          ),
        }
      }
      if (body.location) {
        const {
          latitude,
          longitude,
          name: place,
          thumbnail,
        } = body.location as { latitude: number; longitude: number; name?: string; thumbnail?: string }
        const map = thumbnail === undefined ? undefined : Buffer.from(thumbnail, 'base64')
        return { id: await fake.location(who, to, Number(latitude), Number(longitude), place, map) }
      }
      if (body.card) {
        const { name: shown, number } = body.card as { name: string; number: string }
        return { id: await fake.card(who, to, text(shown, 'name'), digits(number)) }
      }
      const quote = body.quote
        ? {
            id: String(body.quote),
            participant: `${to.lid}@lid`,
            message: { conversation: phones.line(String(body.quote))?.text ?? '' },
          }
        : undefined
      const id = await fake.text(who, to, text(body.text, 'text'), {
        ...(group ? { group } : {}),
        ...(quote ? { quote } : {}),
      })
      // The stanza's bytes have just been written to the socket.
      return { id, sentAt: performance.timeOrigin + performance.now() }
    }
    case 'POST contacts/:/typing':
      return fake.typing(contact(name), account(body.to), body.state === 'paused' ? 'paused' : 'composing')
    case 'POST contacts/:/read':
      return phones.read(account(body.to), contact(name))
    case 'POST contacts/:/call':
      return { callId: fake.call(contact(name), account(body.to), body.video === true) }
    case 'POST groups': {
      const members = (Array.isArray(body.members) ? body.members : []).map(contact)
      const owner = members[0]
      if (!owner) throw new Refused(400, 'a group has members')
      const id = body.id === undefined ? undefined : digits(body.id)
      return { group: fake.group(text(body.subject, 'subject'), owner, [account(body.phone), ...members], id).jid }
    }
    case 'POST faults': {
      if ('refuseUpgrade' in body) fake.refuseUpgrade = body.refuseUpgrade ? Number(body.refuseUpgrade) : undefined
      if ('failLogin' in body) fake.failLogin = body.failLogin ? String(body.failLogin) : undefined
      if (body.media)
        for (const [path, status] of Object.entries(body.media as Json)) fake.mediaFaults.set(path, Number(status))
      if (body.disconnect) {
        const { phone, how } = body.disconnect as { phone?: string; how: Parameters<FakeWhatsapp['disconnect']>[1] }
        for (const companion of [...account(phone).companions.values()]) fake.disconnect(companion, how)
      }
      fake.emit('changed')
      return undefined
    }
    // Many messages at once, to measure what becomes of them: `each` from each of `contacts` people.
    case 'POST burst': {
      const to = account(body.to)
      const people = Array.from({ length: Number(body.contacts ?? 4) }, (_, i) => {
        const pn = `5599${String(i).padStart(9, '0')}`
        return fake.contacts.get(pn) ?? fake.contact(pn, `Contato ${i + 1}`)
      })
      for (let i = 0; i < Number(body.each ?? 100); i++)
        for (const who of people) await fake.text(who, to, `mensagem ${i + 1}`)
      return { sent: people.length * Number(body.each ?? 100) }
    }
    default:
      throw new Refused(404, `not understood: ${call}`)
  }
}

function pick<T extends object>(from: T | undefined, names: (keyof T)[]): Partial<T> {
  return Object.fromEntries(
    names.flatMap((name) => (from && from[name] !== undefined ? [[name, from[name]]] : [])),
  ) as Partial<T>
}

function stateOf(fake: FakeWhatsapp, phones: Phones, appUrl: string | null) {
  return {
    appUrl,
    /** Devices that show a QR now, and the numbers that wait for a code to be typed. */
    ...fake.waiting(),
    phones: [...fake.accounts.values()].map(({ pn, lid, name, companions }) => ({
      number: pn,
      lid,
      name,
      devices: [...companions.values()].map((companion) => ({
        id: companion.deviceId,
        online: Boolean(companion.conn),
      })),
    })),
    contacts: [...fake.contacts.values()].map(({ pn, lid, name, behaviour, addressing, refuseWith }) => ({
      number: pn,
      lid,
      name,
      behaviour,
      addressing,
      refuseWith: refuseWith ?? null,
    })),
    threads: Object.fromEntries(
      [...phones.threads].map(([key, thread]) => [
        key,
        {
          ...thread,
          lines: thread.lines
            .slice(-150)
            .map(({ file, ...line }) => ({ ...line, file: file && { mimetype: file.mimetype, name: file.name } })),
        },
      ]),
    ),
  }
}

/** The whole state now and whenever it changed, at most ten times a second. */
function events(fake: FakeWhatsapp, state: () => unknown): Response {
  let stop = () => {}
  const stream = new ReadableStream<string>({
    start(controller) {
      let timer: ReturnType<typeof setTimeout> | null = null
      const push = () => {
        timer = null
        controller.enqueue(`data: ${JSON.stringify(state())}\n\n`)
      }
      const soon = () => {
        timer ??= setTimeout(push, 100)
      }
      const alive = setInterval(() => controller.enqueue(': \n\n'), 20_000)
      fake.on('changed', soon)
      stop = () => {
        fake.off('changed', soon)
        clearInterval(alive)
        if (timer) clearTimeout(timer)
      }
      push()
    },
    cancel: () => stop(),
  })
  return new Response(stream, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } })
}

/** The owner did what is theirs; whether the device is linked is then the service's word. */
function unlessPasskey<T>(work: () => T): T | { passkey: true } {
  try {
    return work()
  } catch (error) {
    if (error instanceof PasskeyAsked) return { passkey: true }
    throw error
  }
}

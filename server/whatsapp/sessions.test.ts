import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { DomainError } from '../../schema/errors.ts'
import { newId } from '../../schema/ids.ts'
import type { InboundEvent } from '../../schema/messages/messages.inbound.ts'
import { FakeWhatsapp, PasskeyAsked } from '../../tests/fakes/whatsapp/server.ts'
import { proto, trustLoopback } from './baileys.ts'
import { contextOf, inside } from './from-baileys.ts'
import { type Linked, outgoing, phone, until, wid, World } from './sessions.fixture.ts'
import { usualTiming, type WhatsappTarget } from './session.device.ts'
import type { Whatsapp } from './sessions.ts'
import { createAlive } from '../leases/alive.ts'
import { createStore } from './store.ts'

let world: World
let whatsapp: Whatsapp
let line: Linked
beforeAll(async () => {
  world = await World.open()
  whatsapp = world.server()
  line = await world.linked(whatsapp)
}, 60_000)
const folder = mkdtempSync(join(tmpdir(), 'balcao-media-'))
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true })
})
afterEach(() => {
  world.groups = false
  world.receive = null
  world.fake.opts.intercept = undefined
})

const person = (who: { pn: string; lid: string }) => ({ kind: 'person' as const, number: who.pn, lid: who.lid })
const messagesOf = (wid: string) => world.events.filter((e) => e.kind === 'message' && e.wid === wid)
const bytesOf = async (id: number, wid: string) => {
  const pieces: Uint8Array[] = []
  const meta = await whatsapp.fetchMedia(id, wid, async (bytes) => {
    for await (const piece of bytes) pieces.push(piece)
  })
  return { ...meta, data: Buffer.concat(pieces) }
}
/** A message from a line of its own, on its way to somebody whose phone tells nothing of it by itself. */
async function sent() {
  const other = await world.linked(whatsapp)
  const ana = world.contact()
  ana.behaviour = { deliver: false, read: false, play: false, delayMs: 0 }
  const message = outgoing(world, other.id, ana, 'lida?')
  await whatsapp.send(message)
  await world.event('ack', message.wid, (e) => e.ack === 2)
  return { other, ana, message }
}
/** What WhatsApp is told of a message. */
const wordOn = (tag: string, { type, error }: Record<string, string>) =>
  tag === 'receipt' && type !== 'retry' ? 'heard' : `${tag} ${type} ${error}`
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error) => (error instanceof DomainError ? error.code : String(error)),
  )

describe('linking', () => {
  test('a scanned QR opens the connection under the number of the phone', async () => {
    expect(world.rows.get(line.id)).toMatchObject({
      status: 'CONNECTED',
      qrcode: '',
      number: line.account.pn,
      retries: 0,
    })
    const seen = world.changes.filter((c) => c.id === line.id).map((c) => c.change.status)
    expect(seen).toEqual(['OPENING', 'qrcode', 'PAIRING', 'CONNECTED'])
    expect(whatsapp.openIds()).toContain(line.id)
  })

  test('the phone can type a code instead of scanning', async () => {
    const account = world.fake.account(phone())
    const id = await world.connection()
    const code = await whatsapp.requestPairingCode(id, `+${account.pn}`)
    expect(code).toHaveLength(8)
    await until(() => {
      try {
        world.fake.enterPairingCode(account, code)
        return true
      } catch {
        return false
      }
    }, 'the service to know the code')
    await world.at(id, 'CONNECTED')
    await whatsapp.logout(id)
  })

  test('a phone for which WhatsApp wants a passkey is not linked: it is said, and no more codes come', async () => {
    const account = world.fake.account(phone())
    account.passkey = true
    const scanned = await world.connection()
    await whatsapp.start(scanned)
    const qrcode = await world.qr(scanned)
    const askedAt = performance.now()
    expect(() => world.fake.scan(account, qrcode)).toThrow(PasskeyAsked)
    await world.at(scanned, 'DISCONNECTED')
    // Nobody looks at a code any longer that is good for nothing.
    expect(performance.now() - askedAt).toBeLessThan(2_000)
    expect(world.rows.get(scanned)).toMatchObject({ qrcode: '', lastError: 'passkey' })
    expect(whatsapp.health(scanned)).toMatchObject({ state: 'idle', lastError: 'passkey' })

    const typed = await world.connection()
    const code = await whatsapp.requestPairingCode(typed, account.pn)
    await until(() => {
      try {
        world.fake.enterPairingCode(account, code)
        return false
      } catch (error) {
        return error instanceof PasskeyAsked
      }
    }, 'the service to want a passkey')
    await world.at(typed, 'DISCONNECTED')
    expect(world.rows.get(typed)).toMatchObject({ lastError: 'passkey' })
    // It is said before the line has gone.
    await until(() => Bun.deepEquals(world.fake.waiting(), { qrs: 0, codes: [] }), 'both codes to end')
    expect(account.companions.size).toBe(0)
  })

  test('a code is asked for under the name of a device that WhatsApp knows, and what it refuses is said', async () => {
    const account = world.fake.account(phone())
    const id = await world.connection()
    const asked: string[] = []
    world.fake.opts.intercept = (node) => {
      const [child] = Array.isArray(node.content) ? node.content : []
      if (child?.attrs['stage'] !== 'companion_hello' || !Array.isArray(child.content)) return false
      const display = child.content.find(({ tag }) => tag === 'companion_platform_display')
      asked.push(String(display?.content))
      return false
    }
    const refusal = async () =>
      whatsapp.requestPairingCode(id, account.pn).then(
        () => 'a code',
        ({ code, params }: DomainError) => [code, params],
      )
    for (const reason of ['429', '400']) {
      account.refuseCode = reason
      expect(await refusal()).toEqual(['ERR_PAIRING_REFUSED', { reason }])
    }
    expect(new Set(asked)).toEqual(new Set(['Chrome (Mac OS)']))
    // The link goes on: the QR is still there, and the next code may be good.
    expect(world.rows.get(id)).toMatchObject({ status: 'qrcode', lastError: null })
    delete account.refuseCode
    expect(await refusal()).toBe('a code')
    await whatsapp.logout(id)
  })

  test('a service that says nothing of a code is not waited for without end', async () => {
    const impatient = world.server({ timing: { ...usualTiming, queryMs: 300 } })
    const id = await world.connection()
    world.fake.opts.intercept = (node) =>
      Array.isArray(node.content) && node.content[0]?.attrs['stage'] === 'companion_hello'
    expect(await codeOf(impatient.requestPairingCode(id, phone()))).toBe('ERR_PAIRING_UNANSWERED')
    await impatient.stop()
  })

  test('three QRs that nobody scans end in DISCONNECTED, and no more come', async () => {
    const patient = world.server({ timing: { qrMs: 40 } })
    const id = await world.connection()
    await patient.start(id)
    await world.at(id, 'DISCONNECTED')
    expect(world.rows.get(id)).toMatchObject({ qrcode: '', lastError: 'qr_expired' })
    expect(world.changes.filter((c) => c.id === id && c.change.status === 'qrcode')).toHaveLength(3)
    expect(patient.health(id)?.state).toBe('idle')
    await patient.stop()
  })

  /** The word to the phone leaves before the link closes, and may be read a moment after the next link is there. */
  const gone = ({ account }: Linked) => until(() => account.companions.size === 0, 'the phone to forget the device')

  test('a new QR forgets the device, and the phone does too', async () => {
    const other = await world.linked(whatsapp)
    await whatsapp.newQr(other.id)
    await world.qr(other.id)
    await gone(other)
    await whatsapp.logout(other.id)
  })

  test('deleting a connection says goodbye to the phone and leaves nothing behind', async () => {
    const other = await world.linked(whatsapp)
    await whatsapp.forget(other.id)
    await gone(other)
    const [left] = await world.database.sql`
      SELECT (SELECT count(*) FROM whatsapp_keys WHERE "whatsappId" = ${other.id})::int AS keys,
        (SELECT count(*) FROM whatsapp_credentials WHERE "whatsappId" = ${other.id})::int AS creds,
        (SELECT count(*) FROM whatsapp_leases WHERE "whatsappId" = ${other.id})::int AS leases`
    expect(left).toEqual({ keys: 0, creds: 0, leases: 0 })
    expect(whatsapp.health(other.id)).toBeNull()
  })

  test('what the device remembers is unreadable in the database', async () => {
    const ana = world.contact()
    const wid = await world.fake.text(ana, line.account, 'a secret between us')
    await world.event('message', wid)
    const stored = await world.database.sql<{ bytes: Buffer }[]>`
      SELECT "creds" AS bytes FROM whatsapp_credentials UNION ALL SELECT "value" FROM whatsapp_keys
      UNION ALL SELECT "message" FROM whatsapp_protos`
    const all = Buffer.concat(stored.map((row) => row.bytes))
    expect(stored.length).toBeGreaterThan(800)
    for (const word of ['a secret between us', 'noiseKey', 'private', ana.pn]) expect(all.includes(word)).toBe(false)
  })
})

describe('what a contact writes', () => {
  test('a text arrives with both names of its sender', async () => {
    const ana = world.contact()
    const wid = await world.fake.text(ana, line.account, 'Bom dia')
    expect(await world.event('message', wid)).toMatchObject({
      content: { type: 'text', text: 'Bom dia' },
      chat: person(ana),
      chatName: 'Ana',
      fromMe: false,
      offline: false,
      companyId: world.companyId,
      whatsappId: line.id,
    })
  })

  test('one person is one person, by LID or by number', async () => {
    const bia = world.contact('Bia')
    const byLid = await world.fake.text(bia, line.account, 'oi')
    bia.addressing = 'pn'
    const byNumber = await world.fake.text(bia, line.account, 'oi de novo')
    expect((await world.event('message', byLid)).chat).toEqual(person(bia))
    expect((await world.event('message', byNumber)).chat).toEqual(person(bia))
  })

  test('messages of one chat come in the order they were written', async () => {
    const ana = world.contact()
    const wids: string[] = []
    for (let i = 0; i < 40; i++) wids.push(await world.fake.text(ana, line.account, `n${i}`))
    await world.event('message', wids.at(-1)!)
    const seen = world.events.flatMap((e) => (e.kind === 'message' && wids.includes(e.wid) ? [e.wid] : []))
    expect(seen).toEqual(wids)
  })

  test('a location, a contact card and a quoted answer keep what they say', async () => {
    const ana = world.contact()
    const place = await world.fake.location(ana, line.account, -23.5, -46.6, 'Sé')
    expect((await world.event('message', place)).content).toMatchObject({
      type: 'location',
      latitude: -23.5,
      longitude: -46.6,
      name: 'Sé',
    })
    const card = await world.fake.card(ana, line.account, 'Davi', '5511911112222')
    const content = (await world.event('message', card)).content
    expect(content.type === 'contacts' && content.cards[0]).toMatchObject({
      displayName: 'Davi',
      vcard: expect.stringContaining('waid=5511911112222'),
    })
    const mine = outgoing(world, line.id, ana, 'Qual o endereço?')
    await whatsapp.send(mine)
    await world.arrived(ana, mine.wid)
    const answer = await world.fake.text(ana, line.account, 'Rua A', {
      quote: { id: mine.wid, participant: `${line.account.lid}@lid`, message: { conversation: 'Qual o endereço?' } },
    })
    expect((await world.event('message', answer)).quotedWid).toBe(mine.wid)
  })

  test('an edit, a reaction and a deletion are told with the message they are about', async () => {
    const ana = world.contact()
    const wid = await world.fake.text(ana, line.account, 'tyop')
    await world.fake.edit(ana, line.account, wid, 'typo')
    expect(await world.event('edit', wid)).toMatchObject({ body: 'typo', fromMe: false, chat: person(ana) })
    await world.fake.react(ana, line.account, { id: wid, fromMe: true, remoteJid: `${line.account.lid}@lid` }, '👍')
    expect(await world.event('reaction', wid)).toMatchObject({ emoji: '👍', by: ana.pn })
    await world.fake.revoke(ana, line.account, wid)
    expect(await world.event('revoke', wid)).toMatchObject({ fromMe: false, chat: person(ana) })
  })

  test('an edit that is sealed opens with the secret of its message, and is nothing when that is not known', async () => {
    const ana = world.contact()
    const edited = async (secret: Uint8Array, sealedWith: Uint8Array, author: string) => {
      const id = await world.fake.say(ana, line.account, {
        conversation: 'Às oito',
        messageContextInfo: { messageSecret: secret },
      })
      const key = hkdfSync(
        'sha256',
        sealedWith,
        Buffer.alloc(0),
        Buffer.from(`${id}${author}${author}Message Edit`),
        32,
      )
      const { MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
      const targetMessageKey = { id, fromMe: true, remoteJid: author }
      const told = { type: MESSAGE_EDIT, key: targetMessageKey, editedMessage: { conversation: 'Às nove' } }
      const encIv = randomBytes(12)
      const gcm = createCipheriv('aes-256-gcm', Buffer.from(key), encIv)
      const plain = proto.Message.encode({ protocolMessage: told }).finish()
      const encPayload = Buffer.concat([gcm.update(plain), gcm.final(), gcm.getAuthTag()])
      const secretEncType = proto.Message.SecretEncryptedMessage.SecretEncType.MESSAGE_EDIT
      const secretEncryptedMessage = { targetMessageKey, encPayload, encIv, secretEncType }
      return { id, edit: await world.fake.say(ana, line.account, { secretEncryptedMessage }, { edit: '1' }) }
    }
    const secret = randomBytes(32)
    for (const author of [`${ana.lid}@lid`, `${ana.pn}@s.whatsapp.net`]) {
      const { id, edit } = await edited(secret, secret, author)
      expect(await world.event('edit', id)).toMatchObject({ body: 'Às nove', fromMe: false, chat: person(ana) })
      expect(messagesOf(edit)).toEqual([])
    }
    const { id, edit } = await edited(secret, randomBytes(32), `${ana.lid}@lid`)
    await world.event('message', await world.fake.text(ana, line.account, 'depois'))
    expect(messagesOf(edit)).toEqual([])
    expect(world.events.filter((event) => event.kind === 'edit' && event.wid === id)).toEqual([])
    expect(whatsapp.health(line.id)?.ignored.encrypted_addon).toBe(1)
  })

  test('of what is to be seen once there is a line, though only the phone is given it', async () => {
    const ana = world.contact()
    await world.event('message', await world.fake.text(ana, line.account, 'veja'))
    const id = await world.fake.onlyToPhones(ana, line.account)
    expect(await world.event('message', id)).toMatchObject({
      fromMe: false,
      chat: person(ana),
      content: { type: 'notice', kind: 'view_once', text: '' },
    })
    // The service forgets it, as what was read.
    await until(() => !line.companion.unconfirmed.has(`message:${id}`), 'the word to the service')
    await world.event('message', await world.fake.text(ana, line.account, 'viu?'))
    expect(messagesOf(id)).toHaveLength(1)
  })

  test('in a chat whose messages disappear our answers do, too, until it is switched off', async () => {
    const own = await world.linked(whatsapp)
    const ana = world.contact()
    const answered = async (content: Parameters<typeof outgoing>[3]) => {
      const answer = outgoing(world, own.id, ana, content)
      await whatsapp.send(answer)
      const { message } = await world.arrived(ana, answer.wid)
      return contextOf(inside(message)!)
    }
    const say = async (message: proto.IMessage) =>
      world.event('message', await world.fake.say(ana, own.account, message))
    const contextInfo = { expiration: 86_400, ephemeralSettingTimestamp: 1_795_000_000 }
    await say({ ephemeralMessage: { message: { extendedTextMessage: { text: 'some amanhã', contextInfo } } } })
    expect(await answered('ok')).toMatchObject({ expiration: 86_400 })
    writeFileSync(join(folder, 'a.pdf'), '%PDF-1.4')
    const document = { type: 'document' as const, mediaPath: join(folder, 'a.pdf'), mimetype: 'application/pdf' }
    expect(await answered({ ...document, fileName: 'a.pdf', caption: '' })).toMatchObject({ expiration: 86_400 })
    // It lies with the device, for the next link and the next process.
    world.changes.length = 0
    world.fake.disconnect(own.companion, 'drop')
    await until(
      () => world.changes.some(({ id, change }) => id === own.id && change.status === 'CONNECTED'),
      'the link to come back',
    )
    expect(await answered('voltei')).toMatchObject({ expiration: 86_400, ephemeralSettingTimestamp: expect.anything() })
    await say({ conversation: 'fica' })
    expect((await answered('ok'))?.expiration ?? 0).toBe(0)
  })

  test('what the owner types on the phone is ours, in the chat of the contact', async () => {
    const ana = world.contact()
    const wid = await world.fake.fromPhone(line.account, ana, { conversation: 'do celular' })
    expect(await world.event('message', wid)).toMatchObject({
      fromMe: true,
      chat: person(ana),
      content: { type: 'text', text: 'do celular' },
    })
  })

  test('files come as they were, and a link that died is renewed by the phone', async () => {
    const ana = world.contact()
    const data = randomBytes(200_000)
    const image = await world.fake.media(ana, line.account, 'image', data, { mimetype: 'image/jpeg', caption: 'foto' })
    const event = await world.event('message', image)
    expect(event.content).toEqual({
      type: 'image',
      media: { mimetype: 'image/jpeg', fileName: null, size: data.length },
      caption: 'foto',
    })
    expect((await bytesOf(line.id, image)).data.equals(data)).toBe(true)

    const voice = await world.fake.media(ana, line.account, 'audio', data, {
      mimetype: 'audio/ogg; codecs=opus',
      ptt: true,
      seconds: 3,
    })
    expect((await world.event('message', voice)).content).toMatchObject({ type: 'audio', voice: true, seconds: 3 })
    const [sent] = [...ana.mediaKeys].filter(([wid]) => wid === voice)
    world.fake.mediaFaults.set(sent![1].directPath, 410)
    expect((await bytesOf(line.id, voice)).data.equals(data)).toBe(true)

    const paper = await world.fake.media(ana, line.account, 'document', data, {
      mimetype: 'application/pdf',
      fileName: 'nota.pdf',
    })
    await world.event('message', paper)
    expect(await bytesOf(line.id, paper)).toMatchObject({
      mimetype: 'application/pdf',
      fileName: 'nota.pdf',
      size: data.length,
    })
  })

  test('a file that is not what was announced is refused', async () => {
    const ana = world.contact()
    const wid = await world.fake.media(ana, line.account, 'image', randomBytes(5_000), {
      mimetype: 'image/jpeg',
      fileSha256: randomBytes(32),
    })
    await world.event('message', wid)
    let kept = false
    const fetched = whatsapp.fetchMedia(line.id, wid, async (bytes) => {
      for await (const _piece of bytes);
      kept = true
    })
    expect(await codeOf(fetched)).toBe('ERR_WAPP_DOWNLOAD_MEDIA')
    expect(kept).toBe(false)
  })

  test('typing is shown while it lasts', async () => {
    const ana = world.contact()
    await world.event('message', await world.fake.text(ana, line.account, 'oi'))
    world.fake.typing(ana, line.account)
    await until(
      () => world.typing.find((t) => t.chat.kind === 'person' && t.chat.number === ana.pn && t.state === 'composing'),
      'typing',
    )
    world.fake.typing(ana, line.account, 'paused')
    await until(
      () => world.typing.find((t) => t.chat.kind === 'person' && t.chat.number === ana.pn && t.state === 'paused'),
      'a pause',
    )
  })

  test('a call rings once in the product, and is refused when the product says so', async () => {
    const ana = world.contact()
    const callId = world.fake.call(ana, line.account)
    const call = await until(() => world.events.find((e) => e.kind === 'call' && e.callId === callId), 'the call')
    expect(call).toMatchObject({ from: person(ana), video: false })
    const refused: string[] = []
    world.fake.on('callRejected', (_, id) => refused.push(id))
    await whatsapp.rejectCall(line.id, callId)
    expect(refused).toEqual([callId])
  })

  test('a setting of the chat is no message, and is counted', async () => {
    const ana = world.contact()
    await world.event('message', await world.fake.text(ana, line.account, 'antes'))
    const before = whatsapp.health(line.id)!.ignored.protocol ?? 0
    await world.fake.say(ana, line.account, {
      protocolMessage: { type: proto.Message.ProtocolMessage.Type.EPHEMERAL_SETTING, ephemeralExpiration: 60 },
    })
    await until(() => (whatsapp.health(line.id)!.ignored.protocol ?? 0) > before, 'the reason to be counted')
  })
})

describe('what we write', () => {
  test('a text climbs from the server to played, and tells each step', async () => {
    const ana = world.contact()
    ana.behaviour = { deliver: true, read: true, play: true, delayMs: 0 }
    const message = outgoing(world, line.id, ana, 'Olá')
    const { sentAt } = await whatsapp.send(message)
    expect(sentAt.getTime()).toBeGreaterThan(Date.now() - 5_000)
    expect((await world.arrived(ana, message.wid)).message.extendedTextMessage?.text).toBe('Olá')
    for (const ack of [2, 3, 4, 5] as const) await world.event('ack', message.wid, (e) => e.ack === ack)
    await until(() => whatsapp.health(line.id)!.waitingAcks === 0, 'no ack to be waited for')
  })

  test('people who are written to next are asked about together, and then their messages ask nothing', async () => {
    const people = Array.from({ length: 6 }, () => world.contact())
    const addresses = people.map((one) => outgoing(world, line.id, one, '').to)
    let asked = 0
    world.fake.opts.intercept = (node) => {
      const about = node.tag === 'iq' && ['usync', 'encrypt'].includes(node.attrs['xmlns'] ?? '')
      if (about && node.attrs['type'] === 'get') asked++
      return false
    }
    try {
      await whatsapp.ahead(line.id, addresses)
      expect(asked).toBe(2)
      // They are known now.
      await whatsapp.ahead(line.id, addresses)
      const messages = people.map((one, i) => outgoing(world, line.id, one, `aviso ${i}`))
      await Promise.all(messages.map((message) => whatsapp.send(message)))
      for (const [i, message] of messages.entries())
        expect((await world.arrived(people[i]!, message.wid)).message.extendedTextMessage?.text).toBe(`aviso ${i}`)
      expect(asked).toBe(2)
    } finally {
      delete world.fake.opts.intercept
    }
  })

  test('a lock of new chats is told with its moment and kind, taken back when it is lifted, and asked for at each link', async () => {
    const { id, account } = await world.linked(whatsapp)
    const told = () => world.rows.get(id)!.newChats
    const unlocked = { newChatsLockedUntil: null, newChatsLockKind: null }
    await until(() => told()?.newChatsLockedUntil === null, 'the first answer')
    const ends = Math.floor(Date.now() / 1_000) + 7_200
    world.fake.lockNewChats(account, { ends, type: 'BIZ_QUALITY' })
    await until(() => told()?.newChatsLockedUntil, 'the lock')
    expect(told()).toMatchObject({ newChatsLockedUntil: new Date(ends * 1_000), newChatsLockKind: 'BIZ_QUALITY' })
    world.fake.lockNewChats(account, null)
    await until(() => !told()?.newChatsLockedUntil, 'the lock to be lifted')
    expect(told()).toMatchObject(unlocked)
    // What changes while the link is down is known with the next one.
    await whatsapp.restart(id)
    await world.at(id, 'CONNECTED')
    account.newChats.lock = { ends, type: 'DEFAULT' }
    await whatsapp.restart(id)
    await until(() => told()?.newChatsLockedUntil, 'the lock after the link')
    expect(told()).toMatchObject({ newChatsLockedUntil: new Date(ends * 1_000), newChatsLockKind: null })
  })

  test('a lock without an end is taken for a minute, as WhatsApp’s own client takes it', async () => {
    const { id, account } = await world.linked(whatsapp)
    const before = Date.now()
    world.fake.lockNewChats(account, { ends: null, type: 'DEFAULT' })
    const end = await until(() => world.rows.get(id)!.newChats?.newChatsLockedUntil, 'the lock')
    expect(end.getTime()).toBeWithin(before + 60_000, Date.now() + 60_001)
  })

  test('how much of the cap of new chats is used is told, with its state and period', async () => {
    const { id, account } = await world.linked(whatsapp)
    const cycleEnds = Math.floor(Date.now() / 1_000) + 86_400
    world.fake.capNewChats(account, { total: 50, used: 45, status: 'SECOND_WARNING', cycleEnds })
    await until(() => world.rows.get(id)!.newChats?.newChatsUsed, 'the cap')
    expect(world.rows.get(id)!.newChats).toMatchObject({
      ...{ newChatsQuota: 50, newChatsUsed: 45, newChatsCapState: 'SECOND_WARNING' },
      newChatsCycleEndsAt: new Date(cycleEnds * 1_000),
    })
  })

  test('who is locked is refused with strangers only, and knows until when before it hears of the refusal', async () => {
    const { id, account } = await world.linked(whatsapp)
    const [known, stranger] = [world.contact(), world.contact()]
    const { id: wrote } = { id: await world.fake.text(known, account, 'oi') }
    await world.event('message', wrote)
    const ends = Math.floor(Date.now() / 1_000) + 7_200
    account.newChats.lock = { ends, type: 'DEFAULT' }
    const [answer, cold] = [outgoing(world, id, known, 'Bom dia'), outgoing(world, id, stranger, 'Promoção!')]
    for (const message of [answer, cold]) await whatsapp.send(message)
    expect(await world.event('ack', cold.wid)).toMatchObject({ ack: 0, error: '463' })
    expect(world.rows.get(id)!.newChats).toMatchObject({ newChatsLockedUntil: new Date(ends * 1_000) })
    expect(await world.event('ack', answer.wid, ({ ack }) => ack >= 2)).toBeDefined()
  })

  test('a refusal is ack 0 with the reason, and is not tried again', async () => {
    const ana = world.contact()
    ana.refuseWith = '463'
    const message = outgoing(world, line.id, ana, 'Promoção!')
    await whatsapp.send(message)
    expect(await world.event('ack', message.wid)).toMatchObject({ ack: 0, error: '463' })
    expect(whatsapp.health(line.id)!.waitingAcks).toBe(0)
  })

  test('without a word from the service the same message leaves again, under the same id', async () => {
    const ana = world.contact()
    const message = outgoing(world, line.id, ana, 'ouviu?')
    let swallowed = 0
    world.fake.opts.intercept = (node) => node.tag === 'message' && node.attrs.id === message.wid && ++swallowed <= 2
    await whatsapp.send(message)
    await world.arrived(ana, message.wid)
    expect(swallowed).toBe(3)
    await world.event('ack', message.wid, (e) => e.ack === 2)
  }, 15_000)

  test('a message that is never confirmed fails, and says why', async () => {
    const ana = world.contact()
    const message = outgoing(world, line.id, ana, 'ninguém ouve')
    world.fake.opts.intercept = (node) => node.tag === 'message' && node.attrs.id === message.wid
    await whatsapp.send(message)
    await until(
      () =>
        world.events.find(
          (e) => e.kind === 'ack' && e.wid === message.wid && e.ack === 0 && e.error === 'no_server_ack',
        ),
      'the failure',
      12_000,
    )
  }, 20_000)

  test('what nobody confirmed fails when the device is forgotten, or after a day without a link', async () => {
    const ana = world.contact()
    const unconfirmed = async () => {
      const other = await world.linked(whatsapp)
      const message = outgoing(world, other.id, ana, 'no caminho')
      world.fake.opts.intercept = (node) => node.tag === 'message'
      await whatsapp.send(message)
      return { other, message }
    }
    const gone = await unconfirmed()
    world.fake.disconnect(gone.other.companion, 'removed')
    expect(await world.event('ack', gone.message.wid)).toMatchObject({ ack: 0, error: 'unlinked' })

    const late = await unconfirmed()
    await world.database.sql`
      UPDATE whatsapp_protos SET "awaitingAckSince" = now() - interval '25 hours' WHERE "wid" = ${late.message.wid}`
    world.fake.disconnect(late.other.companion, 'drop')
    expect(await world.event('ack', late.message.wid)).toMatchObject({ ack: 0, error: 'no_server_ack' })
    expect(whatsapp.health(late.other.id)!.waitingAcks).toBe(0)
  }, 20_000)

  test('a send that is repeated is the same message', async () => {
    const ana = world.contact()
    const message = outgoing(world, line.id, ana, 'uma vez')
    await whatsapp.send(message)
    await whatsapp.send(message)
    await until(() => ana.inbox.filter((r) => r.id === message.wid).length === 2, 'both copies')
    const texts = new Set(ana.inbox.map((r) => r.message.extendedTextMessage?.text))
    expect([...texts]).toEqual(['uma vez'])
  })

  test('a file is uploaded once and opens on the phone', async () => {
    const path = join(folder, 'pix.png')
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    )
    writeFileSync(path, png)
    const ana = world.contact()
    const image = outgoing(world, line.id, ana, {
      type: 'image',
      mediaPath: path,
      mimetype: 'image/png',
      fileName: 'pix.png',
      caption: 'o QR do pix',
    })
    let uploads = 0
    world.fake.on('upload', () => uploads++)
    await whatsapp.send(image)
    await whatsapp.send(image)
    const received = (await world.arrived(ana, image.wid)).message.imageMessage!
    expect(received.caption).toBe('o QR do pix')
    expect((await world.fake.openReceived(received, 'image')).equals(png)).toBe(true)
    expect(uploads).toBe(1)

    const data = randomBytes(60_000)
    writeFileSync(path, data)
    const paper = outgoing(world, line.id, ana, {
      type: 'document',
      mediaPath: path,
      mimetype: 'application/pdf',
      fileName: 'nota.pdf',
      caption: '',
    })
    await whatsapp.send(paper)
    const document = (await world.arrived(ana, paper.wid)).message.documentMessage!
    expect(document.fileName).toBe('nota.pdf')
    expect((await world.fake.openReceived(document, 'document')).equals(data)).toBe(true)

    const ogg = Buffer.concat([Buffer.from('OggS'), data])
    const waveform = Uint8Array.from({ length: 64 }, (_, part) => part)
    const voice = outgoing(world, line.id, ana, { type: 'voice', ogg, seconds: 12, waveform })
    await whatsapp.send(voice)
    const note = (await world.arrived(ana, voice.wid)).message.audioMessage!
    expect(note).toMatchObject({ ptt: true, mimetype: 'audio/ogg; codecs=opus', seconds: 12 })
    expect([...note.waveform!]).toEqual([...waveform])
    expect((await world.fake.openReceived(note, 'audio')).equals(ogg)).toBe(true)
  }, 20_000)

  test('a place and cards of people reach the phone as such', async () => {
    const ana = world.contact()
    const at = { latitude: -8.05, longitude: -34.9, name: 'Loja' }
    const place = outgoing(world, line.id, ana, { type: 'location', place: at })
    await whatsapp.send(place)
    await world.arrived(ana, place.wid)
    const bia = { name: 'Bia', number: '351912345678' }
    const one = outgoing(world, line.id, ana, { type: 'contacts', cards: [bia] })
    const davi = { name: 'Davi; o padeiro', number: '5511911112222' }
    const two = outgoing(world, line.id, ana, { type: 'contacts', cards: [davi, bia] })
    await whatsapp.send(one)
    await world.arrived(ana, one.wid)
    await whatsapp.send(two)
    await world.arrived(ana, two.wid)
    const [map, card, both] = [place, one, two].map(({ wid }) => ana.inbox.find(({ id }) => id === wid)!.message)
    expect(map!.locationMessage).toMatchObject({ degreesLatitude: -8.05, degreesLongitude: -34.9, name: 'Loja' })
    expect(card!.contactMessage).toMatchObject({
      displayName: 'Bia',
      vcard: 'BEGIN:VCARD\nVERSION:3.0\nN:;Bia;;;\nFN:Bia\nTEL;type=CELL;waid=351912345678:+351912345678\nEND:VCARD',
    })
    expect(both!.contactsArrayMessage?.contacts).toMatchObject([
      { displayName: 'Davi; o padeiro', vcard: expect.stringContaining('FN:Davi\\; o padeiro\n') },
      { displayName: 'Bia', vcard: expect.stringContaining('waid=351912345678') },
    ])
  })

  test('an answer quotes, an edit edits, a deletion deletes and a reaction reacts', async () => {
    const ana = world.contact()
    const question = await world.fake.text(ana, line.account, 'Tem pão?')
    await world.event('message', question)
    const answer = {
      ...outgoing(world, line.id, ana, 'Tem!'),
      quoted: { wid: question, fromMe: false, participant: null, body: 'Tem pão?' },
    }
    await whatsapp.send(answer)
    const context = (await world.arrived(ana, answer.wid)).message.extendedTextMessage?.contextInfo
    expect(context?.stanzaId).toBe(question)
    expect(context?.quotedMessage?.conversation).toBe('Tem pão?')

    const mine: WhatsappTarget = { chat: person(ana), wid: answer.wid, fromMe: true, participant: null }
    await whatsapp.edit(line.id, mine, 'Tem sim!')
    await until(() => ana.inbox.find((r) => r.node.attrs.edit === '1'), 'the edit')
    await whatsapp.revoke(line.id, mine)
    const deletion = await until(() => ana.inbox.find((r) => r.node.attrs.edit === '7'), 'the deletion')
    expect(deletion.message.protocolMessage?.key?.id).toBe(answer.wid)
    await whatsapp.react(line.id, { chat: person(ana), wid: question, fromMe: false, participant: null }, '🥖')
    await until(() => ana.inbox.find((r) => r.message.reactionMessage?.text === '🥖'), 'the reaction')
  })

  test('an edit, a deletion and a reaction that the service never heard leave again, before newer ones', async () => {
    const other = await world.linked(whatsapp)
    const ana = world.contact()
    const message = outgoing(world, other.id, ana, 'um')
    await whatsapp.send(message)
    await world.event('ack', message.wid, (e) => e.ack === 2)
    const mine: WhatsappTarget = { chat: person(ana), wid: message.wid, fromMe: true, participant: null }
    world.fake.opts.intercept = (node) => node.tag === 'message'
    await whatsapp.edit(other.id, mine, 'dois')
    await whatsapp.react(other.id, mine, '👍')
    world.fake.disconnect(other.companion, 'drop')
    await until(() => whatsapp.health(other.id)!.state !== 'open', 'the drop to be noticed')
    world.fake.opts.intercept = undefined
    await until(() => whatsapp.health(other.id)!.state === 'open', 'a new link')
    await whatsapp.edit(other.id, mine, 'três')
    await whatsapp.revoke(other.id, mine)
    const told = () =>
      ana.inbox.flatMap(({ message: { protocolMessage: told, reactionMessage }, node }) => {
        const text = told?.editedMessage?.extendedTextMessage?.text ?? told?.editedMessage?.conversation
        return told ? [`${node.attrs.edit} ${text ?? 'gone'}`] : reactionMessage ? [reactionMessage.text] : []
      })
    await until(() => told().length >= 4, 'all four')
    expect(told()).toEqual(['1 dois', '👍', '1 três', '7 gone'])
    await until(() => whatsapp.health(other.id)!.waitingAcks === 0, 'no ack to be waited for')
  }, 15_000)

  test('one message that cannot leave after a restart keeps no other from leaving', async () => {
    const other = await world.linked(whatsapp)
    const ana = world.contact()
    const group = world.fake.group('Clube', ana, [other.account])
    world.fake.opts.intercept = (node) => node.tag === 'message'
    const stuck = { ...outgoing(world, other.id, ana, 'ao clube'), to: { kind: 'group' as const, groupId: group.id } }
    const next = outgoing(world, other.id, ana, 'a Ana')
    await whatsapp.send(stuck)
    await whatsapp.send(next)
    await whatsapp.stop()
    world.fake.opts.intercept = undefined
    world.fake.groups.delete(group.jid)
    whatsapp = await world.takeOver(other.id)
    await world.arrived(ana, next.wid)
    expect(await world.event('ack', stuck.wid)).toMatchObject({ ack: 0, error: 'no_server_ack' })
  }, 20_000)

  test('the contact sees that we read and that we write', async () => {
    const ana = world.contact()
    const wid = await world.fake.text(ana, line.account, 'oi?')
    await world.event('message', wid)
    const heard: string[] = []
    world.fake.on('receipt', (node) => heard.push(`${node.attrs.type}:${node.attrs.id}`))
    world.fake.on('chatstate', () => heard.push('typing'))
    await whatsapp.markRead(line.id, [{ chat: person(ana), wid, fromMe: false, participant: null }])
    await whatsapp.presence(line.id, person(ana), 'composing')
    await until(() => heard.includes(`read:${wid}`) && heard.includes('typing'), 'a read receipt and a typing mark')
  })

  test('a number is known, unknown, and known by its LID', async () => {
    const ana = world.contact()
    expect(await whatsapp.checkNumber(line.id, `+${ana.pn}`)).toEqual({ number: ana.pn, lid: ana.lid, exists: true })
    const nobody = phone()
    expect(await whatsapp.checkNumber(line.id, nobody)).toEqual({ number: nobody, lid: null, exists: false })
    expect(await whatsapp.profilePicture(line.id, person(ana))).toBeNull()
  })

  test('while the link is down nothing is sent, and the reason has a name', async () => {
    const id = await world.connection()
    expect(await codeOf(whatsapp.send(outgoing(world, id, world.contact(), 'oi')))).toBe('ERR_WAPP_NOT_INITIALIZED')
  })
})

describe('groups', () => {
  test('stay outside unless the company wants them', async () => {
    const ana = world.contact()
    const group = world.fake.group('Vizinhos', ana, [line.account])
    const unwanted = await world.fake.text(ana, line.account, 'psiu', { group })
    await until(() => whatsapp.health(line.id)!.ignored.group, 'the group message to be counted')
    expect(messagesOf(unwanted)).toEqual([])
    world.groups = true
    const wanted = await world.fake.text(ana, line.account, 'oi, gente', { group })
    expect(await world.event('message', wanted)).toMatchObject({
      chat: { kind: 'group', groupId: group.id },
      chatName: 'Vizinhos',
      participant: { number: ana.pn, lid: ana.lid, pushName: 'Ana' },
      content: { type: 'text', text: 'oi, gente' },
    })
    const answer = { ...outgoing(world, line.id, ana, 'oi'), to: { kind: 'group' as const, groupId: group.id } }
    await whatsapp.send(answer)
    await world.arrived(ana, answer.wid)
    await world.event('ack', answer.wid, (e) => e.ack === 3)
    // What the next member says is news only where it goes further.
    world.fake.receiptFrom(world.contact(), line.companion, [answer.wid], undefined, group)
    world.fake.receiptFrom(world.contact(), line.companion, [answer.wid], 'read', group)
    await world.event('ack', answer.wid, (e) => e.ack === 4)
    const told = world.events.flatMap((e) => (e.kind === 'ack' && e.wid === answer.wid ? [e.ack] : []))
    expect(told).toEqual([2, 3, 4])
  })

  test('say who deletes, and whether that is one of their admins', async () => {
    world.groups = true
    const [ana, bia, caio] = [world.contact(), world.contact(), world.contact()]
    const group = world.fake.group('Síndicos', ana, [bia, caio, line.account])
    const wid = await world.fake.text(bia, line.account, 'oi', { group })
    await world.event('message', wid)
    const revoked = async (by: typeof ana) => {
      const all = () => world.events.filter((event) => event.kind === 'revoke' && event.wid === wid)
      const before = all().length
      await world.fake.revoke(by, line.account, wid, group)
      await until(() => all().length > before, 'the deletion')
      return all().at(-1)
    }
    const named = ({ pn, lid }: typeof ana) => ({ kind: 'revoke', wid, participant: { number: pn, lid } })
    expect(await revoked(bia)).toMatchObject({ ...named(bia), byAdmin: false })
    expect(await revoked(caio)).toMatchObject({ ...named(caio), byAdmin: false })
    expect(await revoked(ana)).toMatchObject({ ...named(ana), byAdmin: true })
  })
})

describe('when the link ends', () => {
  test('a dropped line and an unavailable service are only a pause, and what was missed arrives once', async () => {
    for (const how of ['drop', 'unavailable'] as const) {
      const other = await world.linked(whatsapp)
      const ana = world.contact()
      world.fake.refuseUpgrade = 503
      world.fake.disconnect(other.companion, how)
      await until(() => world.rows.get(other.id)!.retries > 0, 'an attempt that fails')
      const wid = await world.fake.text(ana, other.account, 'cadê vocês?')
      world.fake.refuseUpgrade = undefined
      await world.at(other.id, 'CONNECTED')
      expect(await world.event('message', wid)).toMatchObject({ offline: true })
      expect(messagesOf(wid)).toHaveLength(1)
      expect(whatsapp.health(other.id)!.reconnects).toBe(1)
      await whatsapp.logout(other.id)
    }
  }, 30_000)

  test('that a link is up is told a moment later when it could not be stored at once', async () => {
    let refusals = 0
    const told: unknown[] = []
    const unlucky = world.server({
      onSession: async (id, change) => {
        if (change.status === 'CONNECTED' && refusals++ === 0) throw new Error('the database is away')
        told.push(change.status)
        Object.assign(world.rows.get(id)!, change)
      },
    })
    const { account, id } = await world.linked(unlucky)
    expect(world.rows.get(id)).toMatchObject({ number: account.pn, qrcode: '' })
    expect(told).toEqual(['OPENING', 'qrcode', 'PAIRING', 'CONNECTED'])
    await unlucky.stop()
  }, 15_000)

  test('a link that fell silent is made again', async () => {
    const quick = world.server({ timing: { keepAliveMs: 300, backoff: { baseMs: 30, capMs: 200 } } })
    const other = await world.linked(quick)
    world.fake.disconnect(other.companion, 'freeze')
    await until(() => quick.health(other.id)!.reconnects === 1, 'a new link', 12_000)
    await quick.stop()
  }, 20_000)

  test('another process with the same device stops ours: no quarrel', async () => {
    const other = await world.linked(whatsapp)
    world.fake.disconnect(other.companion, 'replaced')
    expect(await world.at(other.id, 'DISCONNECTED')).toMatchObject({ lastError: 'replaced' })
    expect(whatsapp.health(other.id)!.state).toBe('idle')
  })

  test('a device removed on the phone is forgotten, and a fresh QR waits', async () => {
    const other = await world.linked(whatsapp)
    const before = world.changes.length
    world.fake.disconnect(other.companion, 'removed')
    await world.at(other.id, 'qrcode')
    const seen = world.changes
      .slice(before)
      .filter((c) => c.id === other.id)
      .map((c) => c.change)
      // What the service says of new chats, a moment after a device is linked, is not of the link.
      .filter(({ status }) => status !== undefined)
    expect(seen[0]).toMatchObject({ status: 'PENDING', number: '', lastError: 'logged_out' })
    // The new device is a stranger: no key of the old one is left.
    const [left] = await world.database
      .sql`SELECT count(*)::int AS n FROM whatsapp_keys WHERE "whatsappId" = ${other.id} AND "type" = 'session'`
    expect(left!.n).toBe(0)
    world.fake.scan(other.account, await world.qr(other.id))
    await world.at(other.id, 'CONNECTED')
  })

  test('a ban stops the connection and is named; an outdated client is refreshed once, then named', async () => {
    for (const [code, problem] of [
      ['403', 'locked'],
      ['402', 'temporarily_banned'],
      ['405', 'outdated'],
    ] as const) {
      const other = await world.linked(whatsapp)
      world.fake.failLogin = code
      world.fake.disconnect(other.companion, 'drop')
      expect(await world.at(other.id, 'DISCONNECTED')).toMatchObject({ lastError: problem })
      world.fake.failLogin = undefined
    }
  }, 20_000)

  test('a frame that cannot be read ends one link and no other', async () => {
    const other = await world.linked(whatsapp)
    other.companion.conn!.ws.sendBinary(Buffer.from([0, 0, 20, ...randomBytes(20)]))
    await until(() => whatsapp.health(other.id)!.reconnects === 1, 'a new link')
    await world.at(other.id, 'CONNECTED')
    expect(whatsapp.health(line.id)).toMatchObject({ state: 'open' })
  })

  test('a server with another root is refused: somebody is in between', async () => {
    const stranger = new FakeWhatsapp()
    const root = Buffer.from(world.fake.noise.root.public)
    const fooled = world.server({ waSocket: { url: stranger.wsUrl, certKey: root } })
    try {
      const id = await world.connection()
      await fooled.start(id)
      expect(await world.at(id, 'DISCONNECTED')).toMatchObject({ lastError: 'certificate' })
    } finally {
      trustLoopback(world.fake.wsUrl, root)
      await fooled.stop()
      await stranger.stop()
    }
  })
})

describe('nothing is lost, nothing comes twice', () => {
  /** The line drops, and what was not confirmed comes again. @returns what WhatsApp is then told of this message */
  async function secondCopy({ id, companion }: Linked, wid: string): Promise<string[]> {
    world.fake.disconnect(companion, 'drop')
    await until(() => whatsapp.health(id)!.state !== 'open', 'the drop to be noticed')
    const answers: string[] = []
    world.fake.opts.intercept = ({ tag, attrs }) => {
      if (attrs.id === wid) answers.push(wordOn(tag, attrs))
      return false
    }
    await until(() => companion.unconfirmed.size === 0, 'the redelivery to be answered')
    world.fake.opts.intercept = undefined
    return answers
  }

  test('a redelivered copy makes no second message, and is confirmed like the first', async () => {
    const other = await world.linked(whatsapp)
    const ana = world.contact()
    await world.event('message', await world.fake.text(ana, other.account, 'primeira'))
    world.fake.opts.intercept = (node) => node.tag === 'receipt' || node.tag === 'ack'
    const wid = await world.fake.text(ana, other.account, 'preciosa')
    await world.event('message', wid)
    const answers = await secondCopy(other, wid)
    expect(messagesOf(wid)).toHaveLength(1)
    // Neither refused nor asked for anew: the one loses it, for the other the phone begins a new session.
    expect(answers).toEqual(['heard'])
    await world.event('message', await world.fake.text(ana, other.account, 'terceira'))
  })

  test('a second copy of an edit is confirmed like the first', async () => {
    const other = await world.linked(whatsapp)
    const ana = world.contact()
    const wid = await world.fake.text(ana, other.account, 'tyop')
    await world.event('message', wid)
    world.fake.opts.intercept = (node) => node.tag === 'receipt' || node.tag === 'ack'
    const edit = await world.fake.edit(ana, other.account, wid, 'typo')
    await world.event('edit', wid)
    const answers = await secondCopy(other, edit)
    expect(answers).toEqual(['heard'])
  })

  /** A server that reads no message of a group before it is told to. */
  function slowWithGroups() {
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    const reading = { now: false }
    const slow = world.server({
      acceptsGroups: async () => {
        reading.now = true
        await released
        return true
      },
    })
    return { slow, reading, release: () => release() }
  }

  test('of people who write to several connections at once, each message is read by each', async () => {
    const one = await world.linked(whatsapp)
    const two = await world.linked(whatsapp, one.account)
    const people = Array.from({ length: 5 }, (_, n) => world.contact(`Pessoa ${n}`))
    const wids: string[] = []
    const refused: unknown[] = []
    world.fake.opts.intercept = ({ tag, attrs }) => {
      if (attrs.error || attrs.type === 'retry') refused.push({ tag, ...attrs })
      return false
    }
    await Promise.all(
      people.map(async (who) => {
        for (let n = 0; n < 20; n++) wids.push(await world.fake.text(who, one.account, `mensagem ${n}`))
      }),
    )
    for (const { companion } of [one, two]) await until(() => companion.unconfirmed.size === 0, 'all to be answered')
    expect(refused).toEqual([])
    for (const wid of wids)
      await until(() => new Set(messagesOf(wid).map((e) => e.whatsappId)).size === 2, `${wid} on both connections`)
  }, 30_000)

  test('an ended link puts no ratchet back over the one of the link that follows', async () => {
    const store = createStore(world.database.sql, world.encryptionKey, pino({ level: 'silent' }))
    const id = await world.connection()
    const link = async () => {
      await store.begin(id)
      return store.keyStore(id, () => true)
    }
    const session = (text: string) => ({ session: { ana: Buffer.from(text) } })
    const ended = await link()
    await ended.set(session('one'))
    const next = await link()
    await next.set(session('two'))
    expect(await Promise.try(() => ended.set(session('one and a half'))).catch(String)).toContain('the link is over')
    expect((await next.get('session', ['ana'])).ana).toEqual(Buffer.from('two'))
  })

  test('what is written while the missed is still being read comes after it', async () => {
    const { slow, reading, release } = slowWithGroups()
    const other = await world.linked(slow)
    const ana = world.contact()
    const group = world.fake.group('Coral', ana, [other.account])
    await world.event('message', await world.fake.text(ana, other.account, 'antes'))
    world.fake.refuseUpgrade = 503
    world.fake.disconnect(other.companion, 'drop')
    await until(() => slow.health(other.id)!.state !== 'open', 'the drop to be noticed')
    await world.fake.text(ana, other.account, 'no grupo', { group })
    const missed = await world.fake.text(ana, other.account, 'perdida')
    world.fake.refuseUpgrade = undefined
    await until(() => reading.now, 'the first to be read')
    const live = await world.fake.text(ana, other.account, 'agora')
    await Bun.sleep(200)
    release()
    expect(await world.event('message', live)).toMatchObject({ offline: false })
    const order = world.events.flatMap((e) => (e.kind === 'message' && [missed, live].includes(e.wid) ? [e.wid] : []))
    expect(order).toEqual([missed, live])
    await slow.stop()
  }, 15_000)

  test('what an ended link had not read yet is left to the next one', async () => {
    const { slow, reading, release } = slowWithGroups()
    const other = await world.linked(slow)
    const ana = world.contact()
    const group = world.fake.group('Coral', ana, [other.account])
    await world.event('message', await world.fake.text(ana, other.account, 'antes'))
    await world.fake.text(ana, other.account, 'no grupo', { group })
    const wid = await world.fake.text(ana, other.account, 'depois')
    await until(() => reading.now, 'the first to be read')
    world.fake.refuseUpgrade = 503
    world.fake.disconnect(other.companion, 'drop')
    await until(() => world.rows.get(other.id)!.retries > 0, 'the end of the link')
    release()
    await Bun.sleep(200)
    world.fake.refuseUpgrade = undefined
    expect(await world.event('message', wid)).toMatchObject({ offline: true })
    await slow.stop()
  }, 15_000)

  test('whoever writes what cannot be read holds up nobody, and is asked for it anew', async () => {
    const other = await world.linked(whatsapp)
    const [ana, bia] = [world.contact('Ana'), world.contact('Bia')]
    for (const who of [ana, bia]) await world.event('message', await world.fake.text(who, other.account, 'antes'))
    await whatsapp.stop()
    // A copy of the database of an hour ago does the same.
    await world.database.sql`
      DELETE FROM whatsapp_keys WHERE "whatsappId" = ${other.id} AND "type" = 'session' AND "id" LIKE ${`${ana.lid}%`}`
    const unreadable: string[] = []
    for (let n = 0; n < 40; n++) unreadable.push(await world.fake.text(ana, other.account, `ilegível ${n}`))
    const readable = await world.fake.text(bia, other.account, 'legível')
    const begin = Date.now()
    whatsapp = await world.takeOver(other.id)
    await world.event('message', readable)
    await until(() => unreadable.every((wid) => messagesOf(wid).length > 0), 'all to be sent again', 60_000)
    // Two seconds and a quarter for each, one after the other, were ninety seconds on a machine that did nothing else.
    expect(Date.now() - begin).toBeLessThan(45_000)
  }, 90_000)

  test('a message leaves when the key that it used up is gone for good', async () => {
    const other = await world.linked(whatsapp)
    const ana = world.contact()
    for (const to of [ana, world.fake.group('Feira', ana, [other.account])]) {
      const message = outgoing(world, other.id, ana, 'primeira')
      if (to !== ana) Object.assign(message, { to: { kind: 'group', groupId: to.jid.split('@')[0] } })
      await whatsapp.send(message)
      await world.arrived(ana, message.wid)
      const second = { ...message, wid: wid() }
      let sending: Promise<unknown> | undefined
      await world.database.sql.begin(async (tx) => {
        await tx`LOCK TABLE whatsapp_keys IN SHARE MODE`
        sending = whatsapp.send(second)
        await Bun.sleep(500)
        expect(ana.inbox.some(({ id }) => id === second.wid)).toBe(false)
      })
      await sending
      await world.arrived(ana, second.wid)
    }
  }, 20_000)

  test('while the keys cannot be read, nobody is told that a message is at fault', async () => {
    const other = await world.linked(whatsapp)
    const [ana, bia] = [world.contact(), world.contact()]
    await world.event('message', await world.fake.text(ana, other.account, 'antes'))
    await world.event('message', await world.fake.text(bia, other.account, 'antes'))
    await whatsapp.stop()
    // One that has read no key yet.
    whatsapp = await world.takeOver(other.id)
    await until(() => other.companion.conn, 'the link')
    await Bun.sleep(300)
    const answers: string[] = []
    world.fake.opts.intercept = ({ tag, attrs }) => {
      if (attrs.id && wids.includes(attrs.id)) answers.push(wordOn(tag, attrs))
      return false
    }
    const before = world.rows.get(other.id)!
    const { sql } = world.database
    let wids: string[] = []
    await sql`ALTER TABLE whatsapp_keys RENAME TO away`
    try {
      wids = [
        await world.fake.text(ana, other.account, 'durante'),
        await world.fake.text(bia, other.account, 'durante'),
      ]
      await until(() => before.retries > 0 || answers.length > 0, 'the link to be given up')
    } finally {
      await sql`ALTER TABLE away RENAME TO whatsapp_keys`
    }
    for (const wid of wids) await world.event('message', wid)
    await until(() => other.companion.unconfirmed.size === 0, 'the receipts')
    expect(answers).toEqual(wids.map(() => 'heard'))
  }, 20_000)

  test('what a killed process had heard and not handed on is handed on by the next', async () => {
    const other = await world.linked(whatsapp)
    await whatsapp.stop()
    const child = world.child(other.id)
    const ana = world.contact()
    try {
      const companion = other.companion
      await until(() => companion.conn, 'the child to be linked', 15_000)
      const wid = await world.fake.text(ana, other.account, 'urgente')
      await until(async () => (await world.journal()).some((row) => row.wid === wid), 'the journal')
      // WhatsApp believes it delivered; only the journal has it.
      await until(() => companion.unconfirmed.size === 0, 'the receipt')
      child.kill('SIGKILL')
      await child.exited
      expect(messagesOf(wid)).toHaveLength(0)

      whatsapp = await world.takeOver(other.id)
      expect(await world.event('message', wid)).toMatchObject({
        content: { type: 'text', text: 'urgente' },
        chat: person(ana),
      })
      const event = messagesOf(wid)[0] as Extract<InboundEvent, { kind: 'message' }>
      expect(event.sentAt).toBeInstanceOf(Date)
      await until(async () => (await world.journal()).length === 0, 'an empty journal')
    } finally {
      child.kill('SIGKILL')
    }
  }, 40_000)

  test('however much a killed process left, all of it is handed on, and before anything newer', async () => {
    const store = createStore(world.database.sql, world.encryptionKey, pino({ level: 'silent' }))
    const id = await world.connection()
    const journal = Array.from({ length: 5_001 }, (_, n) => ({
      id: newId(),
      whatsappId: id,
      wid: `W${n}`,
      event: '{}',
    }))
    await store.commit({ journal })
    expect((await store.journalOf(id)).map((row) => row.id)).toEqual(journal.map((row) => row.id))
    await store.commit({ settled: journal.map((row) => row.id) })
  })

  test('a tick that a killed process had heard and not handed on is handed on by the next', async () => {
    const { other, ana, message } = await sent()
    await whatsapp.stop()
    const child = world.child(other.id)
    try {
      const { companion } = other
      await until(() => companion.conn, 'the child to be linked', 15_000)
      world.fake.receiptFrom(ana, companion, [message.wid], 'read')
      await until(() => !companion.unconfirmed.has(`receipt:${message.wid}:read`), 'WhatsApp to hear of it')
      child.kill('SIGKILL')
      await child.exited

      whatsapp = await world.takeOver(other.id)
      await world.event('ack', message.wid, (e) => e.ack === 4)
      await until(async () => (await world.journal()).length === 0, 'an empty journal')
    } finally {
      child.kill('SIGKILL')
    }
  }, 40_000)

  test('a receipt is confirmed to WhatsApp only when it is stored', async () => {
    const { other, ana, message } = await sent()
    await world.fullDisk(async () => {
      const before = whatsapp.health(other.id)!.reconnects
      world.fake.receiptFrom(ana, other.companion, [message.wid], 'read')
      await until(() => whatsapp.health(other.id)!.reconnects > before, 'the link to be given up')
      expect(other.companion.unconfirmed.has(`receipt:${message.wid}:read`)).toBe(true)
    })
    await world.event('ack', message.wid, (e) => e.ack === 4)
    await until(() => !other.companion.unconfirmed.has(`receipt:${message.wid}:read`), 'WhatsApp to hear of it')
  }, 30_000)

  test('many messages that wait for one write are confirmed together, and after it', async () => {
    const other = await world.linked(whatsapp)
    const ana = world.contact()
    await world.event('message', await world.fake.text(ana, other.account, 'antes'))
    let wids: string[] = []
    await world.fullDisk(async () => {
      const before = whatsapp.health(other.id)!.reconnects
      wids = await Promise.all(
        Array.from({ length: 10 }, (_, n) => world.fake.text(ana, other.account, `durante ${n}`)),
      )
      await until(() => whatsapp.health(other.id)!.reconnects > before, 'the link to be given up')
      // Neither the one that failed nor those that were read after it.
      for (const wid of wids) expect(other.companion.unconfirmed.has(`message:${wid}`)).toBe(true)
    })
    for (const wid of wids) {
      await world.event('message', wid)
      expect(messagesOf(wid)).toHaveLength(1)
    }
  }, 30_000)

  test('while the database refuses, WhatsApp hears nothing, and brings the message again', async () => {
    const other = await world.linked(whatsapp)
    const ana = world.contact()
    await world.event('message', await world.fake.text(ana, other.account, 'antes'))
    let wid = ''
    await world.fullDisk(async () => {
      wid = await world.fake.text(ana, other.account, 'durante')
      await until(() => whatsapp.health(other.id)!.reconnects > 0, 'the link to be given up')
      expect(other.companion.unconfirmed.has(`message:${wid}`)).toBe(true)
    })
    await world.event('message', wid)
    expect(messagesOf(wid)).toHaveLength(1)
    await until(() => !other.companion.unconfirmed.has(`message:${wid}`), 'the receipt')
  }, 30_000)

  test('a message under an id that no row can hold ends no link: the sender chose it, and would again', async () => {
    const other = await world.linked(whatsapp)
    const ana = world.contact()
    await world.event('message', await world.fake.text(ana, other.account, 'antes'))
    for (const id of ['3EB0\u0000', randomBytes(4_000).toString('hex')])
      await world.fake.say(ana, other.account, { conversation: 'veneno' }, { id })
    await world.event('message', await world.fake.text(ana, other.account, 'depois'))
    expect(whatsapp.health(other.id)).toMatchObject({ reconnects: 0, ignored: { no_id: 2 } })
  }, 20_000)

  test('while the product cannot say whether it wants groups, their messages wait', async () => {
    const other = await world.linked(whatsapp)
    const ana = world.contact()
    const group = world.fake.group('Feira', ana, [other.account])
    world.groups = true
    await world.event('message', await world.fake.text(ana, other.account, 'antes', { group }))
    world.troubled = true
    const wid = await world.fake.text(ana, other.account, 'durante', { group })
    await until(() => world.rows.get(other.id)!.retries > 0, 'the link to be given up')
    world.troubled = false
    await world.event('message', wid)
    expect(messagesOf(wid)).toHaveLength(1)
  }, 20_000)

  test('an event that the product cannot take is parked with its error, and holds up nobody', async () => {
    const [ana, bia] = [world.contact('Ana'), world.contact('Bia')]
    world.receive = async (events) => {
      if (events.some((e) => e.kind === 'message' && e.content.type === 'text' && e.content.text === 'veneno'))
        throw new Error('cannot be stored')
    }
    const poison = await world.fake.text(ana, line.account, 'veneno')
    const after = await world.fake.text(ana, line.account, 'depois')
    const aside = await world.fake.text(bia, line.account, 'ao lado')
    await world.event('message', aside)
    await until(
      async () => (await world.journal()).find((row) => row.wid === poison && row.error),
      'the parking',
      15_000,
    )
    await world.event('message', after)
    expect((await world.journal()).find((row) => row.wid === poison)).toMatchObject({
      error: 'Error: cannot be stored',
      attempts: 5,
    })
    expect(messagesOf(poison)).toHaveLength(0)
    // The next start tries again, with a product that has learned.
    world.receive = null
    world.fake.disconnect([...line.account.companions.values()].at(-1)!, 'drop')
    await world.event('message', poison)
  }, 30_000)
})

describe('two processes', () => {
  test('never speak for the same connection', async () => {
    const first = world.server({ leaseMs: 2_000 })
    const second = world.server({ leaseMs: 2_000 })
    const other = await world.linked(first)
    expect(await codeOf(second.start(other.id))).toBe('ERR_UNAVAILABLE')
    await second.resume()
    expect(second.health(other.id)).toBeNull()
    expect(first.openIds()).toContain(other.id)

    await first.stop()
    await second.resume()
    await until(() => second.openIds().includes(other.id), 'the second to take over')
    await second.stop()
  }, 20_000)

  test('a connection of one that was killed is taken over by another long before its lease ends', async () => {
    const before = world.server()
    const other = await world.linked(before)
    await before.stop()
    const child = world.child(other.id, { seen: true })
    const next = world.server({
      alive: (lost) => createAlive({ url: world.database.url, owner: 'next', log: pino({ level: 'silent' }), lost }),
      serverId: 'next',
    })
    try {
      await until(() => other.companion.conn, 'the child to be linked', 15_000)
      await next.resume()
      expect(next.openIds()).not.toContain(other.id)
      child.kill('SIGKILL')
      await child.exited
      // Its lease would have lasted for half a minute.
      await until(() => next.openIds().includes(other.id), 'the other to take over', 20_000)
    } finally {
      child.kill('SIGKILL')
      await next.stop()
    }
  }, 60_000)

  test('one that lost its lease falls silent', async () => {
    const first = world.server({ leaseMs: 1_500 })
    const other = await world.linked(first)
    await world.database
      .sql`UPDATE whatsapp_leases SET "owner" = 'somebody else', "until" = now() + interval '1 minute' WHERE "whatsappId" = ${other.id}`
    await until(() => first.health(other.id) === null, 'the session to be given up')
    await until(() => !other.companion.conn, 'the link to be closed')
    await first.stop()
  }, 20_000)
})

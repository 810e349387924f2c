import { afterAll, beforeAll, expect, test } from 'bun:test'
import { WhatsAppClient } from '@kapso/whatsapp-cloud-api'
import { normalizeWebhook, verifySignature } from '@kapso/whatsapp-cloud-api/server'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId, widOf } from '../schema/ids.ts'
import type { OutgoingContent, OutgoingMessage } from '../schema/messages/messages.content.ts'
import { type Cloud, type CloudConnection, CloudWorld, until } from '../server/cloud/cloud.fixture.ts'
import type { FakePerson } from './fakes/cloud-api/server.ts'

/**
 * Our fake of the official API, and what we ask of it, held against a client of it that others publish. A fake that we alone
 * believe in proves nothing. The package is for this test only.
 */
let world: CloudWorld
let cloud: Cloud
let line: CloudConnection
let ana: FakePerson
/** Everything that the fake told, as it came. */
const told: { raw: string; signature: string }[] = []
const ear = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { searchParams } = new URL(request.url)
    if (request.method === 'GET') return new Response(searchParams.get('hub.challenge'))
    told.push({ raw: await request.text(), signature: request.headers.get('x-hub-signature-256') ?? '' })
    return new Response('')
  },
})
beforeAll(async () => {
  world = await CloudWorld.open()
  const { cloud: server, ...connection } = await world.linked()
  ;[cloud, line] = [server, connection]
  // Another app of the same account hears the same.
  const other = world.fake.app()
  await world.fake.setCallback(other, `http://127.0.0.1:${ear.port}/`, 'a word')
  world.subscribe(line.number, other)
  other.secret = line.app.secret
  ana = world.fake.person(undefined, 'Ana Avó')
})
afterAll(async () => {
  await world.close()
  await ear.stop(true)
})

/** What came of a webhook about one thing, by its id. */
async function toldOf(id: string) {
  await until(() => told.some(({ raw }) => raw.includes(id)), 'the webhook')
  const { raw, signature } = told.findLast((one) => one.raw.includes(id))!
  return { raw, signature, known: normalizeWebhook(JSON.parse(raw)) }
}

test('webhooks of the fake carry a signature that a published verifier takes, and another secret’s it refuses', async () => {
  const { raw, signature } = await toldOf(await world.fake.text(ana, line.number, 'olá, é a Avó 👵'))
  const verify = (appSecret: string, signatureHeader = signature) =>
    verifySignature({ appSecret, rawBody: raw, signatureHeader })
  expect([verify(line.app.secret), verify('another secret')]).toEqual([true, false])
  expect(
    verify(
      line.app.secret,
      signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ),
  ).toBe(false)
  // As Meta writes it: nothing but ASCII.
  expect(raw).toMatch(/^[\x20-\x7e]*$/)
})

test('whatever somebody writes is a message to a published normaliser, too', async () => {
  const media = { id: '1', mime_type: 'image/jpeg', sha256: 'abc' }
  const kinds: Record<string, unknown>[] = [
    { type: 'text', text: { body: 'oi' } },
    { type: 'image', image: { ...media, caption: 'bolo' } },
    { type: 'audio', audio: { ...media, mime_type: 'audio/ogg; codecs=opus', voice: true } },
    { type: 'document', document: { ...media, mime_type: 'application/pdf', filename: 'a.pdf' } },
    { type: 'sticker', sticker: { ...media, mime_type: 'image/webp', animated: false } },
    { type: 'location', location: { latitude: -23.5, longitude: -46.6, name: 'Padaria' } },
    { type: 'contacts', contacts: [{ name: { formatted_name: 'Bia' }, phones: [{ phone: '+55 11 98000-0001' }] }] },
    { type: 'reaction', reaction: { message_id: 'wamid.X', emoji: '👍' } },
    { type: 'button', button: { payload: 'sim', text: 'Sim' } },
    { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: '1', title: 'Vendas' } } },
    { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: '2', title: 'Suporte' } } },
    { type: 'order', order: { catalog_id: '9', product_items: [] } },
    { type: 'unsupported', errors: [{ code: 131051, title: 'Message type unknown' }] },
  ]
  for (const kind of kinds) {
    const id = await world.fake.says(ana, line.number, kind)
    const { known } = await toldOf(id)
    expect(known).toMatchObject({ phoneNumberId: line.number.id, contacts: [{ waId: ana.number }] })
    expect(known.messages).toMatchObject([{ id, type: kind['type'], from: ana.number }])
  }
})

test('states are states to it, with what they cost and why they failed', async () => {
  const own = messageTo(ana, { type: 'text', text: 'oi' })
  await cloud.channel.send(own)
  const { wamid } = ana.inbox.at(-1)!
  await until(() => told.filter(({ raw }) => raw.includes(wamid)).length === 2, 'both states')
  const states = told.flatMap(({ raw }) => (raw.includes(wamid) ? normalizeWebhook(JSON.parse(raw)).statuses : []))
  const pricing = { billable: false, pricingModel: 'PMP', category: 'service', type: 'free_customer_service' }
  expect(states.sort((a, b) => (a.status > b.status ? -1 : 1))).toMatchObject([
    { id: wamid, status: 'sent', recipientId: ana.number, pricing },
    { id: wamid, status: 'delivered', recipientId: ana.number, pricing },
  ])
  await world.fake.status(line.number, wamid, 'failed', { errors: [{ code: 131047, title: 'Re-engagement' }] })
  await until(() => told.at(-1)!.raw.includes('131047'), 'the failure')
  const [failed] = normalizeWebhook(JSON.parse(told.at(-1)!.raw)).statuses
  expect(failed).toMatchObject({ status: 'failed', errors: [{ code: 131047 }] })
})

function messageTo(
  to: FakePerson,
  content: OutgoingContent,
  quoted: OutgoingMessage['quoted'] = null,
): OutgoingMessage {
  const messageId = newId()
  return {
    ...{ messageId, companyId: world.companyId, whatsappId: line.id, wid: widOf(messageId), quoted, content },
    to: { kind: 'person', number: to.number, lid: null },
  }
}

/** What the published client asks for: checked by its schemas, made by its builders. */
async function asked(call: (client: WhatsAppClient) => Promise<unknown>): Promise<Record<string, unknown>> {
  let body: Record<string, unknown> = {}
  const client = new WhatsAppClient({
    accessToken: 'EAA',
    fetch: (async (_url: unknown, init?: RequestInit) => {
      body = JSON.parse(String(init?.body)) as Record<string, unknown>
      return Response.json({
        messaging_product: 'whatsapp',
        success: true,
        contacts: [],
        messages: [{ id: 'wamid.Y' }],
      })
    }) as unknown as typeof fetch,
  })
  await call(client)
  return body
}

test('what we ask for is what the published client asks for with the same words', async () => {
  const bia = world.fake.person()
  const path = join(tmpdir(), `oracle-${crypto.randomUUID()}`)
  await Bun.write(path, 'bytes')
  const question = await world.fake.text(bia, line.number, 'onde?')
  await until(() => world.events.some((event) => event.kind === 'message' && event.wid === question), 'her question')
  const file = (type: 'image' | 'video' | 'audio' | 'document', mimetype: string) =>
    ({ type, mediaPath: path, fileName: 'a', caption: type === 'audio' ? '' : 'veja', mimetype }) as const
  const phoneNumberId = line.number.id
  /** Whatever the service gave a file when it was uploaded. */
  const idOf = (payload: Record<string, unknown>) =>
    (payload[String(payload['type'])] as { id?: string } | undefined)?.id ?? ''
  const place = { latitude: -23.5, longitude: -46.6, name: 'Padaria' }
  const quoted = { wid: question, fromMe: false, participant: null, body: 'onde?' }
  type Base = { phoneNumberId: string; to: string; bizOpaqueCallbackData: string }
  const cases: [OutgoingMessage, (client: WhatsAppClient, base: Base, mediaId: string) => Promise<unknown>][] = [
    [messageTo(bia, { type: 'text', text: 'oi' }), (c, b) => c.messages.sendText({ ...b, body: 'oi' })],
    [
      messageTo(bia, { type: 'text', text: 'veja https://padaria.test' }, quoted),
      (c, b) =>
        c.messages.sendText({ ...b, body: 'veja https://padaria.test', previewUrl: true, contextMessageId: question }),
    ],
    [
      messageTo(bia, { type: 'contacts', cards: [{ name: 'Davi', number: '5511911112222' }] }),
      (c, b) =>
        c.messages.sendContacts({
          ...b,
          contacts: [
            {
              name: { formattedName: 'Davi', firstName: 'Davi' },
              phones: [{ phone: '+5511911112222', waId: '5511911112222', type: 'CELL' }],
            },
          ],
        }),
    ],
    [messageTo(bia, { type: 'location', place }), (c, b) => c.messages.sendLocation({ ...b, location: place })],
    [
      messageTo(bia, file('image', 'image/jpeg')),
      (c, b, id) => c.messages.sendImage({ ...b, image: { id, caption: 'veja' } }),
    ],
    [
      messageTo(bia, file('video', 'video/mp4')),
      (c, b, id) => c.messages.sendVideo({ ...b, video: { id, caption: 'veja' } }),
    ],
    [
      messageTo(bia, file('document', 'application/pdf')),
      (c, b, id) => c.messages.sendDocument({ ...b, document: { id, caption: 'veja', filename: 'a' } }),
    ],
    [messageTo(bia, file('audio', 'audio/mpeg')), (c, b, id) => c.messages.sendAudio({ ...b, audio: { id } })],
    [
      messageTo(bia, { type: 'voice', ogg: new Uint8Array([79]), seconds: 1, waveform: undefined }),
      (c, b, id) => c.messages.sendAudio({ ...b, audio: { id, voice: true } }),
    ],
  ]
  for (const [message, theirs] of cases) {
    await cloud.channel.send(message)
    const ours = bia.inbox.at(-1)!.payload
    const base = { phoneNumberId, to: `+${bia.number}`, bizOpaqueCallbackData: message.messageId }
    expect(ours).toEqual(await asked((client) => theirs(client, base, idOf(ours))))
  }

  const own = messageTo(bia, { type: 'text', text: 'fim' })
  await cloud.channel.send(own)
  const { wamid } = bia.inbox.at(-1)!
  const target = { whatsappId: line.id, chat: own.to, participant: null }
  await cloud.channel.react({ ...target, wid: own.wid, fromMe: true }, '👍')
  expect(world.fake.asked.at(-1)).toEqual(
    await asked((client) =>
      client.messages.sendReaction({
        ...{ phoneNumberId, to: `+${bia.number}`, reaction: { messageId: wamid, emoji: '👍' } },
      }),
    ),
  )
  await cloud.channel.markRead([{ ...target, wid: question, fromMe: false }])
  expect(world.fake.asked.at(-1)).toEqual(
    await asked((client) => client.messages.markRead({ phoneNumberId, messageId: question })),
  )
  await cloud.channel.presence(line.id, own.to, 'composing')
  expect(world.fake.asked.at(-1)).toEqual(
    await asked((client) =>
      client.messages.markRead({ phoneNumberId, messageId: question, typingIndicator: { type: 'text' } }),
    ),
  )
})

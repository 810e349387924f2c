import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId, widOf } from '../../schema/ids.ts'
import type { OutgoingContent, OutgoingMessage } from '../../schema/messages/messages.content.ts'
import type { InboundAck, InboundEvent, InboundMessage } from '../../schema/messages/messages.inbound.ts'
import { type FakePerson, signatureOf } from '../../tests/fakes/cloud-api/server.ts'
import { type CloudConnection, type Cloud, CloudWorld, until } from './cloud.fixture.ts'

let world: CloudWorld
let cloud: Cloud
let line: CloudConnection
beforeAll(async () => {
  world = await CloudWorld.open()
  const { cloud: server, ...connection } = await world.linked()
  ;[cloud, line] = [server, connection]
})
afterAll(() => world.close())

const message = (
  to: FakePerson,
  content: OutgoingContent | string,
  more: Partial<OutgoingMessage> = {},
): OutgoingMessage => {
  const messageId = newId()
  return {
    ...{ messageId, companyId: world.companyId, whatsappId: line.id, wid: widOf(messageId), quoted: null },
    to: { kind: 'person', number: to.number, lid: null },
    content: typeof content === 'string' ? { type: 'text', text: content } : content,
    ...more,
  }
}
const failure = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: { code?: string; params?: Record<string, unknown> }) => ({ code: error.code, ...error.params }),
  )
const acks = ({ wid }: { wid: string }) =>
  world.events.filter((event): event is InboundAck => event.kind === 'ack' && event.wid === wid)
const messagesOf = (person: FakePerson) =>
  world.events.filter(
    (event): event is InboundMessage =>
      event.kind === 'message' && event.chat.kind === 'person' && event.chat.number === person.number,
  )
async function leave(server: Cloud): Promise<void> {
  await server.channel.stop()
  world.running.splice(world.running.indexOf(server), 1)
}
/** Sent again and again while it is told to wait, as a job does. */
async function sendAsAJob(own: OutgoingMessage, server = cloud): Promise<void> {
  for (const deadline = Date.now() + 15_000; Date.now() < deadline; await Bun.sleep(20)) {
    const said = await failure(server.channel.send(own))
    if (said === 'no error') return
    if (typeof said === 'object' && said.code !== 'ERR_WAPP_NOT_INITIALIZED') throw new Error(JSON.stringify(said))
  }
  throw new Error('it never left')
}

describe('what is said', () => {
  test('a text, a place, an answer and an emoji leave as the service wants them, with our id', async () => {
    const ana = world.fake.person()
    const own = message(ana, 'veja https://padaria.test')
    await cloud.channel.send(own)
    const asked = await world.fake.text(ana, line.number, 'onde?')
    await until(() => messagesOf(ana).length > 0, 'her question')
    const quoted = { wid: asked, fromMe: false, participant: null, body: 'onde?' }
    const place = { latitude: -23.5, longitude: -46.6, name: 'Padaria' }
    await cloud.channel.send(message(ana, { type: 'location', place }, { quoted }))
    await cloud.channel.send(message(ana, 'de novo', { quoted: { ...quoted, wid: own.wid, fromMe: true } }))
    const target = { whatsappId: line.id, chat: own.to, wid: own.wid, fromMe: true, participant: null }
    await cloud.channel.react(target, '👍')
    const [first, second, third] = ana.inbox
    expect(first).toMatchObject({
      reaction: '👍',
      payload: {
        ...{ messaging_product: 'whatsapp', recipient_type: 'individual', to: `+${ana.number}`, type: 'text' },
        text: { body: 'veja https://padaria.test', preview_url: true },
        biz_opaque_callback_data: own.messageId,
      },
    })
    expect(second!.payload).toMatchObject({ type: 'location', location: place, context: { message_id: asked } })
    expect(third!.payload).toMatchObject({ context: { message_id: first!.wamid } })
  })

  test('cards of people leave with their names and numbers, and the service takes them', async () => {
    const ana = world.fake.person()
    const cards = [
      { name: 'Davi; o padeiro', number: '5511911112222' },
      { name: 'Bia', number: '351912345678' },
    ]
    await cloud.channel.send(message(ana, { type: 'contacts', cards }))
    expect(ana.inbox[0]!.payload).toMatchObject({
      type: 'contacts',
      contacts: [
        {
          name: { formatted_name: 'Davi; o padeiro', first_name: 'Davi; o padeiro' },
          phones: [{ phone: '+5511911112222', wa_id: '5511911112222', type: 'CELL' }],
        },
        {
          name: { formatted_name: 'Bia', first_name: 'Bia' },
          phones: [{ phone: '+351912345678', wa_id: '351912345678' }],
        },
      ],
    })
  })

  test('files leave as what they are, where the service shows such files, and as documents otherwise; a voice note as one', async () => {
    const ana = world.fake.person()
    const path = join(tmpdir(), `cloud-${crypto.randomUUID()}`)
    await Bun.write(path, 'bytes')
    const file = { mediaPath: path, fileName: 'bolo.jpg', caption: 'bolo', mimetype: 'image/jpeg' }
    await cloud.channel.send(message(ana, { ...file, type: 'image' }))
    await cloud.channel.send(message(ana, { ...file, type: 'image', mimetype: 'image/webp', fileName: 'bolo.webp' }))
    await cloud.channel.send(
      message(ana, { ...file, type: 'document', mimetype: 'application/pdf', fileName: 'a.pdf' }),
    )
    await cloud.channel.send(
      message(ana, { type: 'voice', ogg: new Uint8Array([79, 103, 103]), seconds: 1, waveform: undefined }),
    )
    const shown = ana.inbox.map(({ payload }) => [payload['type'], payload[String(payload['type'])]])
    const id = expect.stringMatching(/^\d+$/)
    expect(shown).toEqual([
      ['image', { id, caption: 'bolo' }],
      ['document', { id, caption: 'bolo', filename: 'bolo.webp' }],
      ['document', { id, caption: 'bolo', filename: 'a.pdf' }],
      ['audio', { id, voice: true }],
    ])
    const [picture] = ana.inbox
    const { id: mediaId } = picture!.payload['image'] as { id: string }
    expect(world.fake.files.get(mediaId)).toMatchObject({ mime: 'image/jpeg', bytes: Buffer.from('bytes') })
  })

  test('what the service would not take is refused before it is asked', async () => {
    const ana = world.fake.person()
    const heard = world.fake.heard
    expect(await failure(cloud.channel.send(message(ana, 'a'.repeat(4_097))))).toMatchObject({
      reason: 'cloud_too_large',
    })
    const nobody = { kind: 'person' as const, number: null, lid: '123' }
    expect(await failure(cloud.channel.send(message(ana, 'oi', { to: nobody })))).toMatchObject({
      ...{ code: 'ERR_CHANNEL_REFUSED', reason: 'cloud_no_number' },
    })
    expect(world.fake.heard).toBe(heard)
  })

  test('reading and typing are told below the contact’s last message', async () => {
    const ana = world.fake.person()
    const chat = { kind: 'person' as const, number: ana.number, lid: null }
    const before = world.fake.asked.length
    await cloud.channel.presence(line.id, chat, 'composing')
    expect(world.fake.asked.length).toBe(before)
    const wids = [await world.fake.text(ana, line.number, 'oi'), await world.fake.text(ana, line.number, 'tem pão?')]
    await until(() => messagesOf(ana).length === 2, 'both')
    const target = (wid: string) => ({ whatsappId: line.id, chat, wid, fromMe: false, participant: null })
    await cloud.channel.markRead(wids.map(target))
    await cloud.channel.presence(line.id, chat, 'composing')
    await cloud.channel.presence(line.id, chat, 'paused')
    const read = { messaging_product: 'whatsapp', status: 'read', message_id: wids[1] }
    expect(world.fake.asked.slice(before)).toEqual([read, { ...read, typing_indicator: { type: 'text' } }])
  })
})

describe('a lost answer', () => {
  test('is made good by the state that carries our id: the message leaves once', async () => {
    const ana = world.fake.person()
    world.fake.troubles.push('lost')
    const own = message(ana, 'uma vez')
    expect(await failure(cloud.channel.send(own))).toMatchObject({ code: 'ERR_WAPP_NOT_INITIALIZED', retryInMs: 20 })
    await sendAsAJob(own)
    expect(ana.inbox).toHaveLength(1)
    await until(() => acks(own).at(-1)?.ack === 3, 'its delivery')
    expect(cloud.channel.health(line.id)).toMatchObject({ waitingAcks: 0 })
  })

  test('after which a second was asked for says so beside its tick', async () => {
    const ana = world.fake.person()
    const own = message(ana, 'talvez duas vezes')
    world.fake.troubles.push('cut')
    world.fake.troubles.push('lost')
    // Nothing leaves the first time, which nobody here can know.
    await sendAsAJob(own)
    await until(() => acks(own).at(-1)?.ack === 3, 'its delivery')
    expect(acks(own).at(-1)).toMatchObject({ error: 'perhaps_twice' })
    const once = message(ana, 'uma vez')
    await sendAsAJob(once)
    await until(() => acks(once).at(-1)?.ack === 3, 'the other’s')
    expect(acks(once).at(-1)).toMatchObject({ error: null })
  })

  test('leads to one more try where no state comes, and to no third', async () => {
    const ana = world.fake.person()
    const own = message(ana, 'talvez')
    world.fake.troubles.push('cut')
    await sendAsAJob(own)
    expect(ana.inbox).toHaveLength(1)
    const unlucky = message(ana, 'nunca')
    world.fake.troubles.push('cut', 'cut')
    const before = world.fake.asked.length
    await expect(sendAsAJob(unlucky)).rejects.toThrow('cloud_unanswered')
    expect(world.fake.asked.length).toBe(before + 2)
    expect(ana.inbox).toHaveLength(1)
  })

  test('is asked for no second time while what the service has told waits to be worked off', async () => {
    const ana = world.fake.person()
    const free = Promise.withResolvers<void>()
    world.receive = () => free.promise
    try {
      world.fake.troubles.push('lost')
      const own = message(ana, 'uma só vez')
      expect(await failure(cloud.channel.send(own))).toMatchObject({ code: 'ERR_WAPP_NOT_INITIALIZED' })
      const { sql } = world.database
      for (let waits = false; !waits; await Bun.sleep(10))
        [{ waits }] = await sql<
          [{ waits: boolean }]
        >`SELECT EXISTS (SELECT FROM cloud_hooks WHERE "body" IS NOT NULL) AS waits`
      // Long after its state was to be awaited, and the state lies there.
      world.now = () => new Date(Date.now() + 60_000)
      expect(await failure(cloud.channel.send(own))).toMatchObject({ code: 'ERR_WAPP_NOT_INITIALIZED', retryInMs: 20 })
      free.resolve()
      await sendAsAJob(own)
    } finally {
      free.resolve()
      world.receive = null
      world.now = () => new Date()
    }
    expect(ana.inbox).toHaveLength(1)
  })

  test('is awaited anew by a server that starts: what the service could not tell meanwhile comes only now', async () => {
    const { cloud: first, ...connection } = await world.linked()
    const ana = world.fake.person()
    const own = message(ana, 'antes da queda', { whatsappId: connection.id })
    world.fake.held = []
    world.fake.troubles.push('lost')
    expect(await failure(first.channel.send(own))).toMatchObject({ code: 'ERR_WAPP_NOT_INITIALIZED' })
    await first.channel.stop()
    try {
      world.now = () => new Date(Date.now() + 60_000)
      const second = world.server()
      await second.channel.start(connection.id)
      expect(await failure(second.channel.send(own))).toMatchObject({ code: 'ERR_WAPP_NOT_INITIALIZED' })
      world.fake.release()
      await sendAsAJob(own, second)
      expect(ana.inbox).toHaveLength(1)
      // A state that never comes is awaited as long as by a server that was there all the time.
      const bia = world.fake.person()
      const other = message(bia, 'e esta', { whatsappId: connection.id })
      world.fake.troubles.push('cut')
      await sendAsAJob(other, second)
      expect(bia.inbox).toHaveLength(1)
    } finally {
      world.now = () => new Date()
      world.fake.release()
    }
  })

  test('of a fault that passes (131000, 131016, 1, 2) is treated alike: its state is awaited first', async () => {
    for (const code of [131000, 131016, 1, 2]) {
      const ana = world.fake.person()
      world.fake.troubles.push({ code, status: 500 })
      const own = message(ana, 'de novo')
      expect(await failure(cloud.channel.send(own))).toMatchObject({ code: 'ERR_WAPP_NOT_INITIALIZED' })
      await sendAsAJob(own)
      expect(ana.inbox).toHaveLength(1)
    }
  })
})

describe('a refusal', () => {
  test('for good ends the message with its cause, and it can be sent again by hand', async () => {
    const ana = world.fake.person()
    ana.refuseWith = 131047
    const own = message(ana, 'tarde demais')
    expect(await failure(cloud.channel.send(own))).toMatchObject({ reason: 'cloud_window_closed:131047' })
    ana.refuseWith = undefined
    await cloud.channel.send(own)
    expect(ana.inbox).toHaveLength(1)
  })

  test('that comes later, as a state, fails the message though the service had taken it; sent again, it is another', async () => {
    const ana = world.fake.person()
    ana.failWith = 131049
    const own = message(ana, 'promoção')
    await cloud.channel.send(own)
    await until(() => acks(own).length > 0, 'the failure')
    expect(acks(own)).toMatchObject([{ ack: 0, undelivered: true, error: 'cloud_ecosystem:131049' }])
    ana.failWith = undefined
    await cloud.channel.send(own)
    expect(ana.inbox).toHaveLength(1)
    expect(ana.inbox[0]!.payload['biz_opaque_callback_data']).toBe(`${own.messageId}~2`)
    await until(() => acks(own).at(-1)?.ack === 3, 'its delivery')
  })

  test('of all that the number sends is told once each, shows on the connection, and is over with what arrives', async () => {
    const [ana, bia] = [world.fake.person(), world.fake.person()]
    world.refusals.length = 0
    ana.refuseWith = 131042
    await failure(cloud.channel.send(message(ana, 'sem forma de pagamento')))
    await failure(cloud.channel.send(message(ana, 'ainda sem')))
    expect(world.refusals).toEqual([{ failure: 'setup' }, { failure: 'setup' }])
    const shown = () => world.changes.flatMap(({ id, change }) => (id === line.id ? [change] : []))
    expect(shown().filter(({ lastError }) => lastError === 'cloud_setup:131042')).toHaveLength(1)
    expect(cloud.channel.openIds()).toContain(line.id)
    bia.failWith = 131048
    await cloud.channel.send(message(bia, 'demais'))
    await until(() => world.refusals.length === 3, 'the state')
    expect(world.refusals.at(-1)).toEqual({ failure: 'spam' })
    expect(shown().at(-1)).toEqual({ lastError: 'cloud_setup:131042' })
    ana.refuseWith = undefined
    await cloud.channel.send(message(ana, 'agora sim'))
    await until(() => shown().at(-1)?.lastError === null, 'its delivery')
  })

  test('may be told of the whole account: each of its numbers shows it, and no other account’s', async () => {
    const sibling = await world.connection({ app: line.app, number: world.fake.number(line.number.account) })
    const other = await world.connection({ app: line.app })
    const before = world.changes.length
    world.refusals.length = 0
    const tell = (value: Record<string, unknown>) =>
      world.fake.post(line.number.account, [{ field: 'account_update', value }])
    await tell({ event: 'VERIFIED_ACCOUNT' })
    await tell({ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'REINSTATE' } })
    await tell({ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE' } })
    const shown = () => world.changes.slice(before).filter(({ change }) => change.lastError === 'cloud_account_limited')
    await until(() => shown().length === 2, 'both numbers')
    expect(
      shown()
        .map(({ id }) => id)
        .sort((a, b) => a - b),
    ).toEqual([line.id, sibling.id].sort((a, b) => a - b))
    expect(shown().map(({ id }) => id)).not.toContain(other.id)
    expect(world.refusals).toEqual([{ failure: 'account_limited' }, { failure: 'account_limited' }])
    await cloud.channel.send(message(world.fake.person(), 'ainda chega'))
    await until(() => world.changes.findLast(({ id }) => id === line.id)?.change.lastError === null, 'its end')
  })

  test('of a limited account is over on each of its numbers when the service takes it back', async () => {
    const { cloud: server, ...own } = await world.linked()
    const tell = (state: string) =>
      world.fake.post(own.number.account, [
        { field: 'account_update', value: { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: state } } },
      ])
    const shown = () => world.changes.findLast(({ id }) => id === own.id)?.change.lastError
    const before = (await world.ignored())['account_update']
    await tell('DISABLE')
    await until(() => shown() === 'cloud_account_limited', 'the limit')
    await tell('REINSTATE')
    await until(() => shown() === null, 'its end')
    expect((await world.ignored())['account_update']).toBe(before)
    await leave(server)
  })

  test('of an account that was withdrawn, as where coexistence ends, stays what its numbers show until it is given back', async () => {
    const { cloud: server, ...own } = await world.linked()
    const ana = world.fake.person()
    world.refusals.length = 0
    await world.fake.ends(own.number.account)
    const shown = () => world.changes.flatMap(({ id, change }) => (id === own.id ? [change] : []))
    await until(() => shown().at(-1)?.lastError === 'cloud_withdrawn', 'why it ends')
    await until(() => !server.channel.openIds().includes(own.id), 'the end of the link')
    expect(world.refusals).toEqual([{ failure: 'withdrawn' }])
    expect(shown().at(-1)).toMatchObject({ lastError: 'cloud_withdrawn' })
    const waiting = message(ana, 'espera', { whatsappId: own.id })
    expect(await failure(server.channel.send(waiting))).toMatchObject({ code: 'ERR_WAPP_NOT_INITIALIZED' })
    // Linked anew at Meta.
    world.fake.tokens.get(own.token)!.accounts.push(own.number.account)
    await until(() => shown().at(-1)?.status === 'CONNECTED', 'the link to be back')
    expect(shown().at(-1)).toMatchObject({ status: 'CONNECTED', lastError: null })
    await server.channel.send(waiting)
    expect(ana.inbox).toHaveLength(1)
    await leave(server)
  })

  test('is foreseen: a number whose quality falls, or whose name is refused, is told of once, and goes on', async () => {
    const { cloud: server, ...own } = await world.linked()
    await world.database
      .sql`UPDATE whatsapps SET "number" = ${own.number.display.replaceAll(/\D/g, '')} WHERE "id" = ${own.id}`
    const told = () => world.warnings.flatMap(({ whatsappId, warning }) => (whatsappId === own.id ? [warning] : []))
    own.number.quality = 'RED'
    await world.fake.tellOfNumber(own.number, 'phone_number_quality_update', { event: 'FLAGGED' })
    await until(() => told().length === 1, 'the quality')
    const name = { requested_verified_name: 'Lojão', decision: 'REJECTED', rejection_reason: 'NAME_NOT_CONSISTENT' }
    await world.fake.tellOfNumber(own.number, 'phone_number_name_update', { ...name, decision: 'APPROVED' })
    await world.fake.tellOfNumber(own.number, 'phone_number_name_update', name)
    await until(() => told().length === 2, 'the name')
    expect(told()).toEqual(['quality', 'name_refused'])
    expect(server.channel.openIds()).toContain(own.id)
    const ana = world.fake.person()
    await server.channel.send(message(ana, 'segue', { whatsappId: own.id }))
    expect(ana.inbox).toHaveLength(1)
    await leave(server)
  })

  test('of one message says nothing of the others', async () => {
    const ana = world.fake.person()
    world.refusals.length = 0
    for (const code of [131047, 131026, 131049, 130472, 131053]) {
      ana.refuseWith = code
      await failure(cloud.channel.send(message(ana, 'só esta')))
    }
    expect(world.refusals).toEqual([])
  })

  test('for being too fast never comes: who keeps to the pace is refused nothing by a service that counts', async () => {
    const ana = world.fake.person()
    world.fake.keepsRates = true
    const before = world.fake.asked.length
    const said = await Promise.all(
      Array.from({ length: 50 }, (_, i) => failure(cloud.channel.send(message(ana, `${i}`)))),
    )
    world.fake.keepsRates = false
    expect(said.filter((one) => one === 'no error')).toHaveLength(45)
    expect(ana.inbox).toHaveLength(45)
    // What would be refused was not asked for.
    expect(world.fake.asked).toHaveLength(before + 45)
  })

  test('"too fast to this contact" waits 1, 4 and 16 seconds', async () => {
    const ana = world.fake.person()
    const own = message(ana, 'devagar')
    world.fake.troubles.push({ code: 131056 })
    expect(await failure(cloud.channel.send(own))).toMatchObject({ code: 'ERR_WAPP_NOT_INITIALIZED', retryInMs: 1_000 })
    expect(await failure(cloud.channel.send(own))).toMatchObject({ code: 'ERR_WAPP_NOT_INITIALIZED' })
    expect(ana.inbox).toHaveLength(0)
    await sendAsAJob(own)
    expect(ana.inbox).toHaveLength(1)
  })

  test('of the token stops the connection, says why, keeps what was to be sent, and ends when the token is good', async () => {
    const { cloud: server, ...own } = await world.linked()
    const ana = world.fake.person()
    const token = world.fake.tokens.get(own.token)!
    token.isValid = false
    const said = message(ana, 'espera', { whatsappId: own.id })
    expect(await failure(server.channel.send(said))).toMatchObject({ code: 'ERR_WAPP_NOT_INITIALIZED' })
    expect(server.channel.openIds()).not.toContain(own.id)
    expect(world.changes.findLast(({ id }) => id === own.id)?.change).toMatchObject({
      ...{ status: 'DISCONNECTED', lastError: 'cloud_token' },
    })
    token.isValid = true
    await until(() => server.channel.openIds().includes(own.id), 'the link to be back')
    await server.channel.send(said)
    expect(ana.inbox).toHaveLength(1)
    await leave(server)
  })
})

describe('what is heard', () => {
  test('states only rise, in whatever order and however often they come', async () => {
    const ana = world.fake.person()
    world.fake.statuses = []
    const own = message(ana, 'olá')
    await cloud.channel.send(own)
    world.fake.statuses = ['sent', 'delivered']
    const { wamid } = ana.inbox[0]!
    for (const status of ['read', 'sent', 'delivered', 'read', 'failed']) {
      await world.fake.status(line.number, wamid, status)
      await world.fake.status(line.number, wamid, status)
    }
    const last = await world.fake.text(ana, line.number, 'fim')
    await until(() => messagesOf(ana).some(({ wid }) => wid === last), 'what came last')
    expect(acks(own).map(({ ack }) => ack)).toEqual([4])
  })

  test('the same bytes twice, and a thousand updates at once in any order, are filed once each', async () => {
    const ana = world.fake.person()
    world.fake.copies = 2
    world.fake.held = []
    const messages = Array.from({ length: 1_000 }, (_, n) => ({
      ...{ from: ana.number, id: `wamid.batch${n}`, timestamp: '1764417600', type: 'text', text: { body: `nº ${n}` } },
    }))
    const told = [world.fake.tell(line.number, { messages }), world.fake.text(ana, line.number, 'só esta')]
    world.fake.release((waiting) => waiting.toReversed())
    world.fake.copies = 1
    await Promise.all(told)
    await until(() => messagesOf(ana).length >= 1_001, 'all of them')
    await world.fake.text(ana, line.number, 'fim')
    await until(() => messagesOf(ana).some(({ content }) => 'text' in content && content.text === 'fim'), 'the end')
    const wids = messagesOf(ana).map(({ wid }) => wid)
    expect(wids).toHaveLength(1_002)
    expect(new Set(wids).size).toBe(1_002)
    expect(wids.indexOf('wamid.batch0')).toBeLessThan(wids.indexOf('wamid.batch999'))
  })

  test('a reaction that was taken back stays so, though the older word comes later, or again', async () => {
    const ana = world.fake.person()
    const own = message(ana, 'bolo?')
    await cloud.channel.send(own)
    const { wamid } = ana.inbox[0]!
    const react = (id: string, emoji: string, timestamp: string) =>
      world.fake.says(ana, line.number, { id, timestamp, type: 'reaction', reaction: { message_id: wamid, emoji } })
    const reactions = () => world.events.filter((event) => event.kind === 'reaction' && event.wid === own.wid)
    await react('wamid.r2', '', '1764417602')
    await until(() => reactions().length === 1, 'the word')
    await react('wamid.r1', '👍', '1764417601')
    await world.fake.tell(line.number, {
      ...{
        contacts: [],
        messages: [
          {
            from: ana.number,
            id: 'wamid.r2',
            timestamp: '1764417602',
            type: 'reaction',
            reaction: { message_id: wamid },
          },
        ],
      },
    })
    await world.fake.text(ana, line.number, 'fim')
    await until(() => messagesOf(ana).length > 0, 'the end')
    expect(reactions()).toMatchObject([{ emoji: '' }])
  })

  test('a file is fetched by an address that lasts five minutes, and by another one after that', async () => {
    const ana = world.fake.person()
    const bytes = Buffer.from('a picture')
    const wid = await world.fake.says(ana, line.number, { type: 'image', image: world.fake.file(bytes, 'image/jpeg') })
    await until(() => messagesOf(ana).length > 0, 'the picture')
    const parts: Uint8Array[] = []
    const fetched = () =>
      cloud.channel.fetchMedia(line.id, wid, async (all) => {
        for await (const part of all) parts.push(part)
      })
    world.fake.addressMs = -1
    expect(await failure(fetched())).toMatchObject({ code: 'ERR_WAPP_DOWNLOAD_MEDIA' })
    world.fake.addressMs = 300_000
    await fetched()
    expect(Buffer.concat(parts)).toEqual(bytes)
    expect(await failure(cloud.channel.fetchMedia(line.id, 'wamid.none', async () => undefined))).toMatchObject({
      ...{ code: 'ERR_WAPP_DOWNLOAD_MEDIA' },
    })
  })

  test('what the product cannot take is tried again, and holds up nothing', async () => {
    const [ana, caio] = [world.fake.person(), world.fake.person()]
    let refusals = 0
    world.receive = async (events: InboundEvent[]) => {
      const isAnas = events.some(
        (event) => event.kind === 'message' && event.chat.kind === 'person' && event.chat.number === ana.number,
      )
      if (isAnas && refusals++ === 0) throw new Error('not now')
    }
    await world.fake.text(ana, line.number, 'primeiro')
    await world.fake.text(caio, line.number, 'segundo')
    await until(() => messagesOf(caio).length === 1, 'the second')
    await until(() => messagesOf(ana).length === 1, 'the first')
    world.receive = null
    expect(refusals).toBe(2)
  })
})

describe('whose it is', () => {
  const post = (body: string, headers: Record<string, string>, app = line.app) =>
    fetch(world.hookUrl(app), { method: 'POST', body, headers }).then(({ status }) => status)
  const kept = async () => (await world.database.sql<{ n: number }[]>`SELECT count(*)::int AS n FROM cloud_hooks`)[0]!.n
  const body = (number: string, id: string) =>
    JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '1',
          changes: [
            {
              field: 'messages',
              value: {
                ...{ messaging_product: 'whatsapp', metadata: { phone_number_id: number } },
                messages: [{ from: '5511911112222', id, timestamp: '1764417600', type: 'text', text: { body: 'oi' } }],
              },
            },
          ],
        },
      ],
    })

  test('a missing, a forged and another app’s signature are refused, and nothing of them is kept', async () => {
    const raw = body(line.number.id, 'wamid.forged')
    const other = world.fake.app()
    const before = await kept()
    expect(await post(raw, {})).toBe(401)
    for (const signature of ['', 'sha256=', 'sha256=zz', `sha256=${'0'.repeat(64)}`, `sha1=${'0'.repeat(40)}`])
      expect(await post(raw, { 'x-hub-signature-256': signature })).toBe(401)
    expect(await post(raw, { 'x-hub-signature-256': signatureOf(other.secret, raw) })).toBe(401)
    expect(await post(`${raw} `, { 'x-hub-signature-256': signatureOf(line.app.secret, raw) })).toBe(401)
    expect(await post(raw, { 'x-hub-signature-256': signatureOf(other.secret, raw) }, other)).toBe(404)
    expect(await kept()).toBe(before)
  })

  test('of a number that nobody could say the owner of is asked at each look; who is known by an id is written to by it then', async () => {
    const { cloud: server, ...own } = await world.linked()
    world.fake.portfolios.set(own.number.account, '777')
    world.fake.tokens.get(own.token)!.scopes.push('business_management')
    await until(() => world.owners.includes('777'), 'the owner')
    const ana = world.fake.person()
    const bsuid = { portfolio: '777', id: ana.userId, parent: null }
    const said = message(ana, 'pelo nome', {
      whatsappId: own.id,
      to: { kind: 'person', number: null, lid: null, bsuid },
    })
    await server.channel.send(said)
    expect(ana.inbox).toHaveLength(1)
    await leave(server)
  })

  test('the address is confirmed to who knows its word, and to nobody else', async () => {
    expect(await world.fake.setCallback(line.app, world.hookUrl(line.app), 'another word')).toBe(false)
    expect(await world.fake.setCallback(line.app, world.hookUrl(line.app), '')).toBe(false)
    expect(await world.fake.setCallback(line.app, world.hookUrl(line.app), 'a word')).toBe(true)
  })

  test('a company that knows its own app’s secret reaches no number of another’s; what it says of it is counted and ignored', async () => {
    const strangers = await world.connection({ companyId: await world.company() })
    const raw = body(line.number.id, 'wamid.stranger')
    const before = (await world.ignored())['unknown_number'] ?? 0
    expect(await post(raw, { 'x-hub-signature-256': signatureOf(strangers.app.secret, raw) }, strangers.app)).toBe(200)
    const ana = world.fake.person()
    await world.fake.text(ana, line.number, 'fim')
    await until(() => messagesOf(ana).length > 0, 'the end')
    expect(world.events.filter((event) => 'wid' in event && event.wid === 'wamid.stranger')).toEqual([])
    expect((await world.ignored())['unknown_number']).toBe(before + 1)
  })

  test('numbers of one app share its address, and each one’s messages are its own company’s', async () => {
    const companyId = await world.company()
    const second = await world.connection({ companyId, app: line.app })
    world.subscribe(second.number, line.app)
    const ana = world.fake.person()
    await world.fake.text(ana, second.number, 'para a segunda')
    await until(() => messagesOf(ana).length > 0, 'it')
    expect(messagesOf(ana)).toMatchObject([{ companyId, whatsappId: second.id }])
  })

  test('garbage that is signed is counted and ignored', async () => {
    for (const raw of ['{', 'null', '[]', '{"object":"page","entry":[{}]}', '"x"'])
      expect(await post(raw, { 'x-hub-signature-256': signatureOf(line.app.secret, raw) })).toBe(200)
    const entries =
      '{"object":"whatsapp_business_account","entry":[null,{"changes":[1,{"field":"messages","value":null}]}]}'
    expect(await post(entries, { 'x-hub-signature-256': signatureOf(line.app.secret, entries) })).toBe(200)
    const ana = world.fake.person()
    await world.fake.text(ana, line.number, 'fim')
    await until(() => messagesOf(ana).length > 0, 'the end')
    expect(await world.ignored()).toMatchObject({ unreadable: expect.any(Number) })
  })

  test('what is kept of a webhook and of a number is sealed, and a webhook’s bytes go when it is filed', async () => {
    const ana = world.fake.person()
    await world.fake.text(ana, line.number, 'segredo da padaria')
    await until(() => messagesOf(ana).length > 0, 'it')
    const { sql } = world.database
    const rows = await sql`SELECT row_to_json(n)::text AS row FROM cloud_numbers n`
    for (const { row } of rows) for (const secret of [line.token, line.app.secret]) expect(row).not.toContain(secret)
    for (const deadline = Date.now() + 15_000; ; await Bun.sleep(10)) {
      const [left] = await sql<{ n: number }[]>`SELECT count(*)::int AS n FROM cloud_hooks WHERE "body" IS NOT NULL`
      if (left!.n === 0) break
      if (Date.now() > deadline) throw new Error('a webhook stays')
    }
  })
})

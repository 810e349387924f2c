import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { newId } from '../../schema/ids.ts'
import type { OutgoingMessage } from '../../schema/messages/messages.content.ts'
import { messages, type NewMessage } from '../../schema/messages/messages.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { PIXEL } from '../../tests/example-data.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { hum, recording } from '../../tests/support/recording.ts'
import { GiveUp } from '../jobs/worker.ts'
import type { MediaStore } from '../media/media-store.ts'
import { createMediaTools, type MediaTools } from '../media/media-tools.ts'
import { createLogger } from '../log.ts'
import { voiceNoteOf } from '../media/voice-note.ts'
import type { JobChannel } from '../channels/channel.port.ts'
import { messageEffects } from './messages.effects.ts'

let t: TestApp
let tools: MediaTools
beforeAll(async () => {
  t = await testApp()
  tools = createMediaTools({ log: createLogger({ level: 'silent' }), media: t.deps.media })
})
afterAll(() => t.close())

const effectsWith = (
  channel: Partial<JobChannel>,
  other: Partial<Pick<Parameters<typeof messageEffects>[0], 'media' | 'maxMediaBytes'>> = {},
) =>
  messageEffects({
    db: t.database.db,
    channel: channel as JobChannel,
    media: t.deps.media,
    tools,
    maxMediaBytes: 1_000_000,
    now: () => t.clock.now,
    committed: () => undefined,
    ...other,
  })

/** What leaves when an agent has recorded these bytes, and the row that the browsers see. */
async function spoken(bytes: Buffer<ArrayBuffer>) {
  const company = await t.eg.company()
  const agent = await t.eg.user(company.id, { profile: 'admin' })
  const whatsapp = await t.eg.whatsapp(company.id)
  const ticket = await t.eg.ticket(company.id, { status: 'open', userId: agent.id, whatsappId: whatsapp.id })
  const token = await t.login(agent.email)
  const input = {
    id: newId(),
    ticketId: ticket.id,
    body: '',
    file: { path: null, name: 'voz.mp3', mimetype: 'audio/mpeg', size: 1, voice: true },
  }
  const form = new FormData()
  form.set('command', JSON.stringify({ id: newId(), name: 'messages.send', input }))
  form.set('file', new Blob([bytes], { type: 'audio/mpeg' }), 'voz.mp3')
  expect((await t.call('POST', '/commands', { token, form })).status).toBe(200)
  const left: OutgoingMessage[] = []
  const effects = effectsWith({ send: async (message) => void left.push(message) })
  const send = () =>
    effects['whatsapp.send'](
      { kind: 'whatsapp.send', messageId: input.id, whatsappId: whatsapp.id, chat: ticket.contactId },
      { companyId: company.id, attempt: 1, last: false },
    )
  await send()
  await send()
  const [row] = (await t.call('GET', `/messages/${ticket.id}`, { token })).body.messages
  return { contents: left.map((message) => message.content), row, stored: await t.call('GET', row.mediaUrl, { token }) }
}

test('a recording leaves as Opus in Ogg with its length and shape, the same at every try; the browsers keep the MP3', async () => {
  const { contents, row, stored } = await spoken(await recording(hum, 3, 44_100))
  const [content, repeated] = contents
  if (content?.type !== 'voice') throw new Error(`left as ${content?.type}`)
  expect(Buffer.from(content.ogg).toString('latin1', 0, 4)).toBe('OggS')
  expect(content).toMatchObject({ seconds: 3 })
  expect(content.waveform).toHaveLength(64)
  expect(repeated).toEqual(content)
  expect(row).toMatchObject({ isVoice: true, mediaMime: 'audio/mpeg', mediaSeconds: 3 })
  expect(row.waveform).toMatch(/^[0-9a-z]{64}$/)
  expect(stored.headers.get('content-type')).toBe('audio/mpeg')
})

test('a recording that cannot be decoded leaves as the file it is', async () => {
  const frame = (await recording(hum, 1, 44_100)).subarray(0, 600)
  const { contents, row } = await spoken(Buffer.concat([frame, Buffer.alloc(5_000, 7)]))
  expect(contents[0]).toEqual({
    type: 'audio',
    mediaPath: row.mediaUrl.replace('/public/', ''),
    mimetype: 'audio/mpeg',
    seconds: null,
    fileName: 'voz.mp3',
    caption: '',
  })
})

test('of a conversation that went on at another connection, only what came there is told to have been read', async () => {
  const company = await t.eg.company()
  const [before, now] = [await t.eg.whatsapp(company.id), await t.eg.whatsapp(company.id)]
  const ticket = await t.eg.ticket(company.id, { status: 'open', whatsappId: now.id })
  const said = (whatsappId: number, wid: string) =>
    t.eg.message(company.id, { ticketId: ticket.id, contactId: ticket.contactId, whatsappId, wid })
  const messageIds = [(await said(before.id, 'OLD')).id, (await said(now.id, 'NEW')).id]
  const told: string[] = []
  const effects = effectsWith({
    markRead: async (targets) => void told.push(...targets.map(({ whatsappId, wid }) => `${whatsappId} ${wid}`)),
  })
  const read = (ids: string[]) =>
    effects['whatsapp.read'](
      { kind: 'whatsapp.read', messageIds: ids, whatsappId: now.id, chat: ticket.contactId },
      { companyId: company.id, attempt: 1, last: false },
    )
  await read(messageIds)
  await read(messageIds.slice(0, 1))
  expect(told).toEqual([`${now.id} NEW`])
})

test('a file whose ticket is deleted while it is fetched is not kept', async () => {
  const company = await t.eg.company()
  const whatsapp = await t.eg.whatsapp(company.id)
  const ticket = await t.eg.ticket(company.id, { whatsappId: whatsapp.id })
  const { id: messageId } = await t.eg.messageIn(ticket, { mediaType: 'image', mediaState: 'pending' })
  const stored: string[] = []
  const media: MediaStore = {
    ...t.deps.media,
    put: async (...given) => {
      const file = await t.deps.media.put(...given)
      stored.push(file.path)
      return file
    },
  }
  const effects = effectsWith(
    {
      fetchMedia: async (_id, _wid, sink) => {
        await t.database.db.delete(tickets).where(eq(tickets.id, ticket.id))
        await sink(new Blob([PIXEL]).stream())
      },
    },
    { media },
  )
  await effects['media.fetch'](
    { kind: 'media.fetch', messageId, whatsappId: whatsapp.id },
    { companyId: company.id, attempt: 1, last: false },
  )
  expect(stored).toHaveLength(1)
  expect(await t.deps.media.find(stored[0]!)).toBeUndefined()
})

test('a voice note that came without length and shape is listened to; what its sender said is kept', async () => {
  const company = await t.eg.company()
  const whatsapp = await t.eg.whatsapp(company.id)
  const ticket = await t.eg.ticket(company.id, { whatsappId: whatsapp.id })
  const { ogg } = (await voiceNoteOf(await recording(hum, 3, 48_000)))!
  const effects = effectsWith({ fetchMedia: async (_id, _wid, sink) => sink(new Blob([Buffer.from(ogg)]).stream()) })
  const come = async (said: Partial<NewMessage>) => {
    const media = { mediaType: 'audio', mediaState: 'pending', mediaMime: 'audio/ogg; codecs=opus' } as const
    const { id: messageId } = await t.eg.messageIn(ticket, { ...media, ...said })
    await effects['media.fetch'](
      { kind: 'media.fetch', messageId, whatsappId: whatsapp.id },
      { companyId: company.id, attempt: 1, last: false },
    )
    return (await t.database.db.select().from(messages).where(eq(messages.id, messageId)))[0]!
  }
  expect(await come({ isVoice: true })).toMatchObject({
    mediaState: 'ready',
    mediaSeconds: 3,
    waveform: expect.stringMatching(/^[0-9a-z]{64}$/),
  })
  expect(await come({})).toMatchObject({ mediaSeconds: 3, waveform: null })
  const waveform = '7'.repeat(64)
  expect(await come({ isVoice: true, mediaSeconds: 22, waveform })).toMatchObject({ mediaSeconds: 22, waveform })
})

test('a file that is too large is fetched once, and the bubble says that it did not come', async () => {
  const company = await t.eg.company()
  const whatsapp = await t.eg.whatsapp(company.id)
  const ticket = await t.eg.ticket(company.id, { whatsappId: whatsapp.id })
  const { id: messageId } = await t.eg.messageIn(ticket, { mediaType: 'video', mediaState: 'pending' })
  let fetched = 0
  const effects = effectsWith(
    {
      fetchMedia: async (_id, _wid, sink) => {
        fetched++
        await sink(new Blob([new Uint8Array(2_000)]).stream())
      },
    },
    { maxMediaBytes: 1_000 },
  )
  const fetch = effects['media.fetch'](
    { kind: 'media.fetch', messageId, whatsappId: whatsapp.id },
    { companyId: company.id, attempt: 1, last: false },
  )
  await expect(fetch).rejects.toThrow(GiveUp)
  const [row] = await t.database.db.select().from(messages).where(eq(messages.id, messageId))
  expect([fetched, row!.mediaState]).toEqual([1, 'failed'])
})

test('a picture asked for again changes nothing while it is the same; another one takes its place', async () => {
  const company = await t.eg.company()
  const whatsapp = await t.eg.whatsapp(company.id)
  const contact = await t.eg.contact(company.id)
  let told = 0
  const look = async (data: Uint8Array) => {
    const effects = messageEffects({
      db: t.database.db,
      channel: { profilePicture: async () => ({ data, mimetype: 'image/png' }) } as unknown as JobChannel,
      media: t.deps.media,
      tools,
      maxMediaBytes: 1_000_000,
      now: () => t.clock.now,
      committed: () => void told++,
    })
    await effects['contacts.picture'](
      { kind: 'contacts.picture', contactId: contact.id, whatsappId: whatsapp.id },
      { companyId: company.id, attempt: 1, last: false },
    )
    const [row] = await t.database.db.select().from(contacts).where(eq(contacts.id, contact.id))
    return row!.profilePicUrl!
  }
  const first = await look(PIXEL)
  expect(await look(PIXEL)).toBe(first)
  expect(told).toBe(1)
  const second = await look(Buffer.concat([PIXEL, Buffer.from('!')]))
  expect(second).not.toBe(first)
  expect(await t.deps.media.find(first)).toBeUndefined()
  expect(await t.deps.media.find(second)).toBeDefined()
})

test('a long text leaves whole, though its row holds the beginning', async () => {
  const company = await t.eg.company()
  const agent = await t.eg.user(company.id, { profile: 'admin' })
  const whatsapp = await t.eg.whatsapp(company.id)
  const ticket = await t.eg.ticket(company.id, { status: 'open', userId: agent.id, whatsappId: whatsapp.id })
  const token = await t.login(agent.email)
  const long = `${'a lista de preços; '.repeat(3_000)}fim`
  const { body } = await t.call('POST', `/messages/${ticket.id}`, { token, body: { body: long } })
  const left: OutgoingMessage[] = []
  await effectsWith({ send: async (message) => void left.push(message) })['whatsapp.send'](
    { kind: 'whatsapp.send', messageId: body.messages[0].id, whatsappId: whatsapp.id, chat: ticket.contactId },
    { companyId: company.id, attempt: 1, last: false },
  )
  expect(left[0]!.content).toEqual({ type: 'text', text: long })
})

test('what is said by itself outside the window fails before the call, and its flow hears of it; what an agent writes the service answers', async () => {
  const company = await t.eg.company()
  const left: string[] = []
  const told: unknown[] = []
  const effects = messageEffects({
    ...{ db: t.database.db, media: t.deps.media, tools, maxMediaBytes: 1_000_000, now: () => t.clock.now },
    ...{
      committed: () => undefined,
      channel: { send: async ({ wid }: OutgoingMessage) => void left.push(wid) } as unknown as JobChannel,
    },
    toldFlow: async (flow, at) => void told.push([flow, at]),
  })
  const hoursAgo = (hours: number) => new Date(t.clock.now.getTime() - hours * 3_600_000)
  const said = async (provider: 'official' | 'beta', heardHoursAgo: number, by?: 'agent') => {
    const whatsapp = await t.eg.whatsapp(company.id, { provider })
    const ticket = await t.eg.ticket(company.id, { status: 'open', whatsappId: whatsapp.id })
    const facts = { ticketId: ticket.id, contactId: ticket.contactId, whatsappId: whatsapp.id }
    await t.eg.message(company.id, { ...facts, createdAt: hoursAgo(heardHoursAgo) })
    const own = { ...facts, fromMe: true, ack: 1, body: 'Seu pedido saiu', createdAt: t.clock.now }
    const { id: messageId } = await t.eg.message(company.id, own)
    const before = left.length
    const job = { kind: 'whatsapp.send', messageId, whatsappId: whatsapp.id, chat: ticket.contactId } as const
    await effects['whatsapp.send'](
      { ...job, ...(by ? { by } : { flow: { runId: 'run', n: 1 } }) },
      { companyId: company.id, attempt: 1, last: false },
    )
    const [row] = await t.database.db.select().from(messages).where(eq(messages.id, messageId))
    return { error: row!.ackError, ack: row!.ack, hasLeft: left.length > before }
  }
  expect(await said('official', 25)).toEqual({ error: 'ERR_WINDOW_CLOSED', ack: 0, hasLeft: false })
  expect(told).toEqual([[{ runId: 'run', n: 1 }, null]])
  for (const open of [await said('official', 23), await said('official', 25, 'agent'), await said('beta', 25)])
    expect(open).toMatchObject({ error: null, hasLeft: true })
})

test('what answers by itself types where that says nothing else, and never tells that a message was read', async () => {
  const company = await t.eg.company()
  const shown = async (provider: 'official' | 'beta') => {
    const whatsapp = await t.eg.whatsapp(company.id, { provider })
    const ticket = await t.eg.ticket(company.id, { status: 'open', whatsappId: whatsapp.id })
    const facts = { ticketId: ticket.id, contactId: ticket.contactId, whatsappId: whatsapp.id }
    await t.eg.message(company.id, { ...facts, createdAt: t.clock.now })
    const own = { ...facts, fromMe: true, ack: 1, body: 'Já vejo', createdAt: t.clock.now }
    const { id: messageId } = await t.eg.message(company.id, own)
    const done: string[] = []
    await effectsWith({
      presence: async (_id, _chat, state) => void done.push(state),
      send: async () => void done.push('sent'),
    })['whatsapp.send'](
      { kind: 'whatsapp.send', messageId, whatsappId: whatsapp.id, chat: ticket.contactId, typingMs: 1 },
      { companyId: company.id, attempt: 1, last: false },
    )
    return done
  }
  expect(await shown('beta')).toEqual(['composing', 'sent'])
  expect(await shown('official')).toEqual(['sent'])
})

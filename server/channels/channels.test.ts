import { beforeEach, describe, expect, test } from 'bun:test'
import { newId, widOf } from '../../schema/ids.ts'
import type { OutgoingMessage } from '../../schema/messages/messages.content.ts'
import type { SessionChange } from '../../schema/whatsapps/whatsapps.session.ts'
import { GiveUp, NotNow } from '../jobs/worker.ts'
import type { Channels, JobChannel, LineTarget } from './channel.port.ts'
import { forJobs } from './channels.jobs.ts'
import { createChannels } from './channels.ts'
import { LittleChannel, LittleService } from './little.fixture.ts'

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: { code?: string }) => error.code,
  )
const ana = { kind: 'person' as const, number: '5511900000001', lid: null }
const message = (whatsappId: number, text = 'oi'): OutgoingMessage => {
  const messageId = newId()
  return {
    ...{ messageId, companyId: 1, whatsappId, wid: widOf(messageId), to: ana, quoted: null },
    content: { type: 'text', text },
  }
}
const target = (whatsappId: number): LineTarget => ({
  ...{ whatsappId, chat: ana, wid: 'A', fromMe: true },
  participant: null,
})

/** Connection 1 is a pigeon's, 2 the post's, and 3 is of a kind that nobody serves. */
const rows = new Map([
  [1, 'pigeon'],
  [2, 'post'],
  [3, 'telepathy'],
])
let services: Record<'pigeon' | 'post', LittleService>
let told: [number, SessionChange][]
let left: number[]
let channels: Channels
let jobs: JobChannel
beforeEach(() => {
  services = { pigeon: new LittleService(), post: new LittleService() }
  ;[told, left] = [[], []]
  channels = createChannels({
    wires: (['pigeon', 'post'] as const).map((name) => new LittleChannel(services[name], name).asChannel()),
    providerOf: async (id) => rows.get(id),
    wantedBesides: async (served) => [...rows].flatMap(([id, provider]) => (served.includes(provider) ? [] : [{ id }])),
    onSession: async (id, change) => void told.push([id, change]),
  })
  jobs = forJobs(channels, { clear: async () => undefined, went: (id) => left.push(id) })
})

describe('a connection', () => {
  test('speaks over the wire of its provider, and over no other', async () => {
    await channels.start(1)
    await channels.start(2)
    await jobs.send(message(2, 'pelo correio'))
    expect([services.pigeon.heard, services.post.heard]).toEqual([0, 1])
    expect(channels.openIds().toSorted()).toEqual([1, 2])
    expect(left).toEqual([2])
  })

  test('that nobody serves says so when it is started, and there is nothing to send over it', async () => {
    expect(await codeOf(channels.start(3))).toBe('ERR_CHANNEL_UNSERVED')
    expect(await codeOf(channels.newQr(3))).toBe('ERR_CHANNEL_UNSERVED')
    const change = { status: 'DISCONNECTED', qrcode: '', lastError: 'unserved' }
    expect(told).toMatchObject([
      [3, change],
      [3, change],
    ])
    expect(channels.health(3)).toBeNull()
    expect(await jobs.send(message(3)).catch((error: unknown) => error)).toBeInstanceOf(NotNow)
    expect(await codeOf(channels.start(4))).toBe('ERR_NO_WAPP_FOUND')
  })

  test('that nobody serves stops no other when a server begins, or all are begun again', async () => {
    await channels.resume()
    expect(told.map(([id]) => id)).toEqual([3])
    for (const id of rows.keys()) await channels.restart(id)
    expect(channels.openIds().toSorted()).toEqual([1, 2])
    await channels.logout(3)
    await channels.forget(3)
    // Its row is gone.
    await channels.forget(4)
  })
})

describe('a job', () => {
  beforeEach(() => channels.start(1))

  test('waits for a link that is down', async () => {
    expect(await jobs.send(message(2)).catch((error: unknown) => error)).toBeInstanceOf(NotNow)
    expect(left).toEqual([])
  })

  test('ends when it asks for what the wire cannot, or is refused for good', async () => {
    const file = { type: 'document' as const, mediaPath: 'x', mimetype: 'text/plain', fileName: 'x', caption: '' }
    services.pigeon.refusing.add(ana.number)
    const asked: [string, () => Promise<unknown>][] = [
      ['ERR_CHANNEL_CANNOT', () => jobs.edit(target(1), 'outro')],
      ['ERR_CHANNEL_CANNOT', () => jobs.revoke(target(1))],
      ['ERR_CHANNEL_CANNOT', () => jobs.react(target(1), '👍')],
      ['ERR_CHANNEL_CANNOT', () => jobs.fetchMedia(1, 'A', async () => undefined)],
      ['ERR_CHANNEL_CANNOT', () => jobs.send({ ...message(1), content: file })],
      ['ERR_CHANNEL_CANNOT', () => jobs.send({ ...message(1), to: { kind: 'group', groupId: '1' } })],
      ['unwanted', () => jobs.send(message(1))],
    ]
    for (const [reason, ask] of asked) {
      const error = await ask().catch((given: unknown) => given)
      expect(error).toBeInstanceOf(GiveUp)
      expect(error).toMatchObject({ message: reason })
    }
    expect([services.pigeon.heard, left]).toEqual([0, []])
  })

  test('goes without what nobody has asked for', async () => {
    await jobs.presence(1, ana, 'composing')
    await jobs.markRead([target(1)])
    await jobs.rejectCall(1, 'a call')
    expect(await jobs.profilePicture(1, ana)).toBeNull()
  })

  test('finds nothing held where the wire sends nothing again by itself', async () => {
    expect((await channels.held(1, ['A'])).size).toBe(0)
    await channels.ahead(1, [ana])
  })
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { crc32, deflateSync } from 'node:zlib'
import { newId } from '../../schema/ids.ts'
import { expectWithstood, startTarget, type Target } from '../support/attack.ts'
import { isSoak } from '../support/dose.ts'
import { hum, recording } from '../support/recording.ts'
import { type Api, until } from '../support/stack.ts'

const number = '5511987650001'
let target: Target
let api: Api & { token: string }
let ticketId: number
let mp3: Buffer

beforeAll(async () => {
  target = await startTarget({ demo: true })
  api = await target.login('admin@padaria.test', 'balcao123')
  const [connection] = (await api('GET', '/whatsapp')) as { id: number }[]
  await target.pair(api, connection!.id)
  await target.phone.contact(number, 'Sofia Andrade')
  await target.phone.write(number, 'Bom dia!')
  const found = await until(
    'the ticket',
    () =>
      api('GET', '/tickets?showAll=true&status=pending&searchParam=sofia') as Promise<{ tickets: { id: number }[] }>,
    ({ tickets }) => tickets.length > 0,
  )
  ticketId = found.tickets[0]!.id
  const { id: userId } = JSON.parse(Buffer.from(api.token.split('.')[1]!, 'base64url').toString()) as { id: number }
  await api('PUT', `/tickets/${ticketId}`, { status: 'open', userId })
  mp3 = Buffer.from(await recording(hum, 2, 44_100))
})
afterAll(() => target.stop())

interface Sent {
  status: number
  said: string
  /** What the contact's phone got, once it did; undefined for what was refused. */
  arrived?: { kind: string; file: { mimetype: string } | null }
}

/** An agent sends a file; resolves when the contact's phone has it. */
async function send(bytes: Uint8Array, mimetype: string, name: string, voice = false): Promise<Sent> {
  const before = (await target.phone.lines(number)).length
  const input = { id: newId(), ticketId, body: '', file: { path: null, name, mimetype, size: bytes.length, voice } }
  const form = new FormData()
  form.set('command', JSON.stringify({ id: newId(), name: 'messages.send', input }))
  form.set('file', new Blob([bytes as BlobPart], { type: mimetype }), name)
  const response = await fetch(`${target.url}/commands`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.token}` },
    body: form,
  })
  const said = await response.text()
  if (response.status !== 200) return { status: response.status, said }
  const lines = await until(
    'the file at the phone',
    () => target.phone.lines(number),
    (all) => all.length > before,
    90_000,
  )
  const { kind, file } = lines.at(-1)!
  return { status: 200, said, arrived: { kind, file } }
}

/** A sound that begins as it should, and goes on with the same byte. */
const begunWell = (length: number, byte: number) =>
  Buffer.concat([mp3.subarray(0, 10_000), Buffer.alloc(length - 10_000, byte)])

const ogg = (seconds: bigint, length: number) => {
  const bytes = Buffer.alloc(length)
  bytes.write('OggS')
  bytes[5] = 2
  bytes[26] = 1
  bytes[27] = 19
  bytes.write('OpusHead', 28)
  bytes[36] = 1
  bytes[37] = 1
  bytes.write('OggS', length - 40)
  bytes.writeBigInt64LE(seconds * 48_000n, length - 34)
  return bytes
}

/** A picture of so many black dots, which unfolds to much more than it weighs. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const out = Buffer.alloc(body.length + 8)
    out.writeUInt32BE(data.length, 0)
    body.copy(out, 4)
    out.writeUInt32BE(crc32(body), body.length + 4)
    return out
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Eight bits of each of four colours.
  head[8] = 8
  head[9] = 6
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(Math.min((width * 4 + 1) * height, 600_000_000)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const webm = (length: number) => {
  // A header as a browser writes it, and a duration of ten thousand years.
  const head = Buffer.from(
    '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701ffffffffffffff1549a96690' +
      '2ad7b1830f4240448988427fffffffffffff',
    'hex',
  )
  return Buffer.concat([head, Buffer.alloc(length - head.length)])
}

test('a recording becomes a voice note, and a picture leaves with a small one of itself', async () => {
  const voice = await send(mp3, 'audio/mpeg', 'voz.mp3', true)
  expect(voice.arrived?.file?.mimetype).toBe('audio/ogg; codecs=opus')
  const picture = await send(png(640, 480), 'image/png', 'foto.png')
  expect(picture.arrived?.kind).toBe('image')
  const [last] = (await target.phone.inbox(number)).slice(-1)
  const { imageMessage } = last!.message as { imageMessage: { jpegThumbnail?: string; width?: number } }
  expect(imageMessage.width).toBe(640)
  expect(imageMessage.jpegThumbnail?.length).toBeGreaterThan(100)
}, 60_000)

/** What only takes longer than its smaller likeness. */
const large = <T>(...attacks: T[]): T[] => (isSoak ? attacks : [])

test.each([
  ...large(
    ['95 MB of zeros', () => begunWell(95_000_000, 0)] as const,
    ['95 MB of 0xFF', () => begunWell(95_000_000, 0xff)] as const,
  ),
  ['15 MB of zeros', () => begunWell(15_000_000, 0)],
  ['15 MB of 0xFF', () => begunWell(15_000_000, 0xff)],
  ['15 MB that look like heads of frames', () => Buffer.concat([mp3, Buffer.alloc(15_000_000, 'fffb9064', 'hex')])],
  ['a tag of 256 MB', () => Buffer.concat([Buffer.from('ID3\u0004\u0000\u0000\x7f\x7f\x7f\x7f', 'latin1'), mp3])],
] as const)(
  'a voice note of %s stops nobody, and is refused or leaves as a file',
  async (_what, make) => {
    const file = make()
    const cost = await target.under(() => send(file, 'audio/mpeg', 'voz.mp3', true))
    if (cost.result.status === 200) expect(cost.result.arrived!.kind).toBe('audio')
    else expect(cost.result).toMatchObject({ status: 415 })
    expectWithstood(cost)
  },
  180_000,
)

test.each([
  ['a cut Ogg', () => ogg(3n, 20_000).subarray(0, 60), 'audio/ogg'],
  ['an Ogg of three hundred thousand years', () => ogg(9_000_000_000_000n, 20_000), 'audio/ogg'],
  ['an Ogg of 15 MB', () => ogg(3n, 15_000_000), 'audio/ogg'],
  ...large(['an Ogg of 95 MB', () => ogg(3n, 95_000_000), 'audio/ogg'] as const),
  ['a webm of ten thousand years and 50 MB', () => webm(50_000_000), 'audio/webm'],
] as const)(
  '%s as a voice note stops nobody',
  async (_what, make, mimetype) => {
    const file = make()
    const cost = await target.under(() => send(file, mimetype, 'voz', true))
    expect(cost.result.status).toBeOneOf([200, 415])
    expectWithstood(cost)
  },
  180_000,
)

test.each([
  ['12,000 by 12,000 dots', () => png(12_000, 12_000)],
  ['60,000 by 60,000 dots', () => png(60_000, 60_000)],
  ['nothing but a head', () => png(12_000, 12_000).subarray(0, 200)],
] as const)(
  'a picture of %s stops nobody, and leaves',
  async (_what, make) => {
    const file = make()
    const cost = await target.under(() => send(file, 'image/png', 'foto.png'))
    expect(cost.result).toMatchObject({ status: 200, arrived: { kind: 'image' } })
    expectWithstood(cost)
  },
  180_000,
)

test('four voice notes made to take long, at once, stop nobody and all arrive', async () => {
  const file = begunWell(15_000_000, 0xff)
  const before = (await target.phone.lines(number)).length
  const cost = await target.under(async () => {
    const sent = await Promise.all(Array.from({ length: 4 }, () => send(file, 'audio/mpeg', 'voz.mp3', true)))
    expect(sent.map(({ status }) => status)).toEqual(Array(4).fill(200))
    await until(
      'all of them',
      () => target.phone.lines(number),
      (lines) => lines.length >= before + 4,
      150_000,
    )
  })
  expectWithstood(cost)
}, 240_000)
